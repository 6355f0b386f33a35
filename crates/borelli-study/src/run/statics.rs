//! `statics`: where all forces balance and all loops and guides are met.
//! Not here: the search (`equilibrium` of the engine).
//! In: a system and a plan; the model's start is where the search begins, at the plan's start time. Out: an `Outcome` with one sample.

use super::health::{self, Peaks};
use super::simulate::{blamed, row_failure};
use super::start::start;
use super::{EndState, HealthLine, Outcome, Scalar, Status, Watch, recorder};
use crate::columns::{Look, Source};
use crate::plan::Plan;
use borelli_dynamics::System;
use borelli_dynamics::equilibrium::{EquilibriumFault, Seek, equilibrium};
use borelli_dynamics::implicit_movement::{ImplicitMovement, ImplicitOptions};
use borelli_dynamics::integrate::Statistics;
use borelli_model::Findings;

/// Carries out the analysis.
pub(super) fn statics(system: &System, plan: &Plan, from: Option<&EndState>, _watch: &mut dyn Watch) -> Result<Outcome, Findings> {
    let mut findings = Findings::new();
    let recorder = recorder(system, plan, false, &mut findings);
    let begin = if findings.has_errors() { None } else { start(system, plan, from, &mut findings) };
    let (Some(mut recorder), Some(begin)) = (recorder, begin) else { return Err(findings) };
    let options = ImplicitOptions { released: begin.released.clone(), ..ImplicitOptions::default() };
    let mut peaks = Peaks::new(recorder.channels());
    let (t, still) = (begin.t, vec![0.0; system.skeleton.dofs()]);
    let (mut status, mut scalars, mut end, mut health) = (Status::Completed, Vec::new(), None, Vec::new());
    let mut add = |name: &str, value: f64, unit: &str| scalars.push(Scalar { name: format!("statics.{name}"), value, unit: unit.into() });
    let found = match ImplicitMovement::new(system, options) {
        Ok(mut movement) => equilibrium(&mut movement, t, &begin.q, &Seek::default()),
        Err(declined) => {
            findings.push(
                None,
                "",
                "",
                &crate::plan_fault::PlanFault::Declined { formulation: "articulated".into(), reason: declined.reason },
            );
            return Err(findings);
        }
    };
    match found {
        Ok(found) => {
            let source = Source::Given { vdot: &still, row_force: &found.lambda };
            match recorder.push(Look { t, q: &found.q, v: &still, source, work: None }) {
                Ok(()) => peaks.note(recorder.channels().values()),
                Err(fault) => status = row_failure(t, &fault),
            }
            add("iterations", found.iterations as f64, "1");
            add("stable", if found.stable() { 1.0 } else { 0.0 }, "1");
            if let Some(lowest) = found.lowest {
                add("lowest_frequency_squared", lowest, "rad^2/s^2");
            }
            health = health::lines(&peaks, &Statistics::default(), false);
            health.push(line("unbalanced", "largest force that is not balanced", found.unbalanced, "N or N m", None));
            health.push(line("stable", "the balance is stable", if found.stable() { 1.0 } else { 0.0 }, "1", Some(found.stable())));
            end = Some(EndState { q: found.q, v: still, ..begin });
        }
        Err(fault) => {
            let element = match &fault {
                EquilibriumFault::Refused(failure) => blamed(failure),
                EquilibriumFault::NotFinite { dof } | EquilibriumFault::Unbalanced { dof, .. } => {
                    system.names.speeds.get(*dof).map_or(String::new(), |name| format!("coord.{}", name.name))
                }
                EquilibriumFault::RowOpen { row, .. } => system.names.rows.get(*row).map_or(String::new(), |row| row.path()),
            };
            status = Status::Failed { t, element, reason: fault.to_string() };
        }
    }
    scalars.insert(0, Scalar { name: "run.completed".into(), value: if status.is_good() { 1.0 } else { 0.0 }, unit: "1".into() });
    Ok(Outcome {
        trajectory: recorder.finish(),
        events: Vec::new(),
        status,
        scalars,
        health,
        settings: vec![("analysis".into(), "statics".into()), ("method".into(), "Newton steps downhill, exact stiffness".into())],
        statistics: Statistics::default(),
        end,
    })
}

fn line(key: &'static str, label: &str, value: f64, unit: &str, good: Option<bool>) -> HealthLine {
    HealthLine { key, label: label.into(), value: Some(value), unit: unit.into(), good, text: String::new() }
}
