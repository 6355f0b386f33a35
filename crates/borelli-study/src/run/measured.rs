//! Runs with measured data: names, units and signals are settled first, then the analysis runs as with any table.
//! Not here: what is done to the data (`measured`), the analyses.
//! In: a system, a plan with a file of motion, markers, a filter or loads. Out: an `Outcome`, with what was decided among its settings and what looks
//! wrong in its health block.

use super::{EndState, HealthLine, Outcome, Ready};
use crate::measured::motion_file;
use crate::plan::{Motion, MotionSource, Plan};
use borelli_dynamics::System;
use borelli_model::Findings;

/// Whether a plan has measured data that must be settled first.
pub(super) fn is_measured(plan: &Plan) -> bool {
    let motion = plan.motion.as_ref().is_some_and(|motion| matches!(motion.source, MotionSource::File(_) | MotionSource::Markers));
    motion || plan.loads.is_some() || plan.filter.is_some()
}

/// Measured data brought to a system: what is run, and what is to be told of it.
struct Settled {
    system: System,
    plan: Plan,
    /// What was decided, for the settings of the run.
    told: Vec<(String, String)>,
    /// What is worth a line of the health block.
    health: Vec<HealthLine>,
}

/// Makes an analysis of measured data ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let from = from.cloned();
    let settled = settle(system, plan)?;
    let outline = super::prepare(&settled.system, &settled.plan, from.as_ref())?.outline;
    let go = move |watch: &mut dyn super::Watch| {
        let Settled { system, plan, told, health } = settled;
        let mut outcome: Outcome = super::prepare(&system, &plan, from.as_ref()).and_then(|ready| (ready.go)(watch))?;
        outcome.settings.extend(told);
        outcome.health.extend(health);
        Ok(outcome)
    };
    Ok(Ready { outline, go: Box::new(go) })
}

/// A plan whose motion is a table in SI.
fn settle(system: &System, plan: &Plan) -> Result<Settled, Findings> {
    let mut findings = Findings::new();
    let mut settled = Settled { system: system.clone(), plan: plan.clone(), told: Vec::new(), health: Vec::new() };
    if let Some(Motion { source: MotionSource::File(file), derivatives }) = &plan.motion {
        match motion_file::settle(file, system) {
            Ok(table) => {
                settled.told.push(("motion file".into(), table.told));
                settled.health.extend(table.doubt.map(doubt));
                settled.plan.motion = Some(Motion { source: MotionSource::Table(table.table), derivatives: *derivatives });
            }
            Err(fault) => findings.push(None, "motion", "file", &fault),
        }
    }
    if findings.has_errors() { Err(findings) } else { Ok(settled) }
}

/// A line for angles whose unit is doubtful.
fn doubt(text: String) -> HealthLine {
    HealthLine { key: "angles", label: "unit of angles".into(), value: None, unit: "1".into(), good: Some(false), text }
}
