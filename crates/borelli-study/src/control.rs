//! Controls of force elements replaced from outside: `[control]`, sweeps, `--set control.PATH=VALUE`.
//! Not here: reading the table (`read`), what a function may be (`borelli_dynamics::compile`).
//! In: a model, what it compiles to, a plan. Out: the system with the plan's controls, or every fault.
//!
//! The model is compiled anew with the other value in the control's place. So units, breakpoints, ranges of tables and the parameters of a function
//! (`force.motor.command.amplitude`, which `[set]` may set) are those that the model would have if it had been written so.

use crate::plan::Plan;
use borelli_dynamics::{System, compile};
use borelli_model::data_file::Load;
use borelli_model::{Explain, Findings, Model, Rejected, suggest};

/// A path that is no control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownControl {
    /// The path.
    pub path: String,
    /// True: it is a parameter.
    pub parameter: bool,
    /// The nearest control.
    pub nearest: Option<String>,
    /// All controls of the model.
    pub known: Vec<String>,
}

impl Explain for UnknownControl {
    fn code(&self) -> &'static str {
        "unknown-control"
    }

    fn message(&self) -> String {
        format!("the model has no control `{}`", self.path)
    }

    fn hint(&self) -> Option<String> {
        Some(match &self.nearest {
            _ if self.parameter => format!("it is a parameter: write `\"{}\" = ...` below `[set]`", self.path),
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None if self.known.is_empty() => "none of its force elements has a control; `lag-actuator` is one that has".into(),
            None => format!("controls here: {}", self.known.join(", ")),
        })
    }
}

/// The system of a model with the controls of a plan; `system` is what the model compiles to as it is written. Files that controls name come from `load`.
pub fn with_controls(model: &Model, system: &System, plan: &Plan, load: Load) -> Result<System, Rejected> {
    if plan.controls.is_empty() {
        return Ok(system.clone());
    }
    let known: Vec<String> = system.names.controls.iter().map(|control| control.column()).collect();
    let mut findings = Findings::new();
    for control in plan.controls.iter().filter(|control| !known.contains(&control.path)) {
        let path = control.path.clone();
        let nearest = suggest(&path, known.iter().map(String::as_str)).map(str::to_string);
        let fault = UnknownControl { parameter: system.parameter(&path).is_some(), path, nearest, known: known.clone() };
        findings.push(control.value.at, "control", "", &fault);
    }
    if findings.has_errors() {
        return Err(Rejected { findings, sources: plan.sources.clone() });
    }
    compile(&model.replacing(plan.controls.iter().map(|control| (control.path.as_str(), &control.value)), &plan.sources, load))
}

/// The controls of a plan as they are written, for what a run says of itself.
pub(crate) fn told(plan: &Plan) -> impl Iterator<Item = (String, String)> {
    plan.controls.iter().map(|control| {
        let text = plan.sources.slice(control.value.at).split_whitespace().collect::<Vec<_>>().join(" ");
        (format!("control {}", control.path), text)
    })
}
