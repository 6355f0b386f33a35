//! The summary of a run: how it ended, how healthy it was, what it was computed from and how.
//! Not here: the samples, the judgement of expectations itself.
//! In: outcomes. Out: JSON.

use super::clock::utc;
use super::fit::block;
use super::inputs::Input;
use super::uncertainty::block as uncertainty_block;
use crate::report::Change;
use borelli_dynamics::integrate::Statistics;
use borelli_study::plan::Plan;
use borelli_study::run::{HealthLine, Outcome, Status};
use serde_json::{Map, Value, json};
use std::time::{Duration, SystemTime};

/// One run of a plan.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// Name in a sweep; empty where there is but one.
    pub name: &'a str,
    /// What was asked.
    pub plan: &'a Plan,
    /// What came out.
    pub outcome: &'a Outcome,
}

/// What is known of a run beside its outcomes.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The command as it was typed.
    pub command: String,
    /// Name of the study, if one was run.
    pub study: Option<String>,
    /// Name of the model.
    pub model: String,
    /// What the command line changed.
    pub options: Vec<Change>,
    /// Every file read.
    pub inputs: Vec<Input>,
    /// Expectations with their verdicts.
    pub expectations: Vec<Value>,
    /// When the run began.
    pub started: SystemTime,
    /// How long it took.
    pub took: Duration,
}

/// A number, or null where JSON has none.
pub fn number(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number)
}

fn optional(x: Option<f64>) -> Value {
    x.map_or(Value::Null, number)
}

impl Summary {
    /// The whole summary: of one run, or of all cases of a sweep with the status of the worst.
    pub fn to_json(&self, cases: &[Case]) -> Value {
        let mut map = Map::new();
        map.insert("borelli".into(), json!(env!("CARGO_PKG_VERSION")));
        map.insert("command".into(), json!(self.command));
        let option = |change: &Change| json!({ "option": change.option, "value": change.value });
        map.insert("options".into(), self.options.iter().map(option).collect());
        map.insert("study".into(), json!(self.study));
        map.insert("model".into(), json!(self.model));
        match cases {
            [case] if case.name.is_empty() => map.extend(one(case)),
            _ => {
                if let Some(worst) = cases.iter().max_by_key(|case| rank(&case.outcome.status)) {
                    let of = (!worst.outcome.status.is_good()).then_some(worst.name);
                    map.extend(status(&worst.outcome.status));
                    map.insert("case".into(), json!(of));
                }
                let list = cases.iter().map(|case| {
                    let named = Map::from_iter([("name".to_string(), json!(case.name))]);
                    Value::Object(named.into_iter().chain(one(case)).collect())
                });
                map.insert("cases".into(), list.collect());
            }
        }
        map.insert("expectations".into(), json!(self.expectations));
        let input = |input: &Input| json!({ "path": input.path, "sha256": input.sha256 });
        map.insert("inputs".into(), self.inputs.iter().map(input).collect());
        map.insert("timing".into(), json!({ "started": utc(self.started), "seconds": self.took.as_secs_f64() }));
        Value::Object(map)
    }
}

/// Later ones are worse.
fn rank(status: &Status) -> u8 {
    match status {
        Status::Completed | Status::Stopped { .. } => 0,
        Status::Interrupted { .. } => 1,
        Status::Failed { .. } => 2,
    }
}

/// How a run ended: word, reason, time, element.
fn status(status: &Status) -> Map<String, Value> {
    let (reason, time, element) = match status {
        Status::Completed => (Value::Null, None, Value::Null),
        Status::Stopped { event, t } => (json!(format!("event `{event}`")), Some(*t), Value::Null),
        Status::Interrupted { t } => (json!("interrupted by the user"), Some(*t), Value::Null),
        Status::Failed { t, element, reason } => {
            let element = if element.is_empty() { Value::Null } else { json!(element) };
            (json!(reason), Some(*t), element)
        }
    };
    Map::from_iter([
        ("status".to_string(), json!(status.word())),
        ("reason".to_string(), reason),
        ("time".to_string(), optional(time)),
        ("element".to_string(), element),
    ])
}

fn one(case: &Case) -> Map<String, Value> {
    let (outcome, plan) = (case.outcome, case.plan);
    let mut map = status(&outcome.status);
    map.insert("analysis".into(), json!(plan.analysis.name()));
    let said = |name: &str| outcome.settings.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    map.insert("formulation".into(), json!(said("formulation").unwrap_or(&plan.formulation)));
    map.insert("integrator".into(), json!(said("integrator").or(plan.integrator.method.as_deref())));
    map.insert("settings".into(), outcome.settings.iter().map(|(key, value)| (key.clone(), json!(value))).collect());
    map.insert("set".into(), plan.settings.iter().map(|set| json!(format!("{}={}", set.path, set.text))).collect());
    let time = outcome.trajectory.time();
    map.insert("samples".into(), json!(time.len()));
    map.insert("first_time".into(), optional(time.first().copied()));
    map.insert("last_time".into(), optional(time.last().copied()));
    map.insert("events".into(), json!(outcome.events.len()));
    map.insert("health".into(), outcome.health.iter().map(|line| (line.key.to_string(), health(line))).collect());
    let scalar = |s: &borelli_study::run::Scalar| (s.name.clone(), json!({ "value": number(s.value), "unit": s.unit }));
    map.insert("scalars".into(), outcome.scalars.iter().map(scalar).collect());
    if let Some(fit) = &outcome.fit {
        map.insert("fit".into(), block(fit));
    }
    if let Some(uncertainty) = &outcome.uncertainty {
        map.insert("uncertainty".into(), uncertainty_block(uncertainty));
    }
    map.insert("statistics".into(), statistics(&outcome.statistics));
    map
}

fn health(line: &HealthLine) -> Value {
    json!({
        "value": optional(line.value),
        "unit": line.unit,
        "verdict": line.verdict.word(),
        "part": optional(line.part),
        "label": line.label,
        "text": line.text,
    })
}

fn statistics(s: &Statistics) -> Value {
    json!({
        "evaluations": s.evaluations,
        "accepted": s.accepted,
        "rejected": s.rejected,
        "cuts": s.cuts,
        "jacobians": s.jacobians,
        "factorisations": s.factorisations,
        "iterations": s.iterations,
        "starts": s.starts,
        "smallest_step": number(s.smallest_step),
        "largest_step": number(s.largest_step),
        "highest_order": s.highest_order,
    })
}
