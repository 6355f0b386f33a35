//! `mixed`: a planar chain solved for any choice of unknowns, in a motion that is integrated or along one that is prescribed.
//! Not here: the choice and its values (`mixed_solver`), integrating (`simulate`), following (`evaluate`).
//! In: a system, a plan with `mixed`. Out: an `Outcome`; before it a look at the choice where the run begins.

use super::simulate::Simulation;
use super::{EndState, Ready, Status, evaluate};
use crate::mixed_solver::MixedSolver;
use crate::plan::{Action, Analysis, EventRule, Plan};
use crate::plan_fault::PlanFault;
use borelli_dynamics::System;
use borelli_dynamics::constraint::RowControl;
use borelli_dynamics::formulation::{Evaluation, Formulation, Input};
use borelli_model::Findings;

/// The formulation of mixed problems.
const FORMULATION: &str = "segment-chain";

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    if plan.formulation != FORMULATION {
        let fault = PlanFault::FormulationUnused { formulation: plan.formulation.clone(), used: FORMULATION, by: "mixed" };
        findings.push(None, "", "formulation", &fault);
        return Err(findings);
    }
    if plan.motion.is_some() {
        return evaluate::prepare(system, plan, from);
    }
    let changes = |event: &&EventRule| !matches!(event.action, Action::Note | Action::Stop);
    for event in plan.events.iter().filter(changes).filter(|_| plan.leaves_rows_out()) {
        findings.push(event.at, format!("event.{}", event.name), "action", &PlanFault::RowsLeftOut { event: event.name.clone() });
    }
    let simulation = Simulation::new(system, plan, from)?;
    let begin = simulation.begin();
    examine(system, plan, begin.t, &begin.q, &begin.v, &mut findings);
    if findings.has_errors() {
        return Err(findings);
    }
    Ok(Ready { outline: simulation.outline(), go: Box::new(|watch| Ok(simulation.go(watch))) })
}

/// Reports a choice of unknowns that the equations do not determine at a state.
pub(super) fn examine(system: &System, plan: &Plan, t: f64, q: &[f64], v: &[f64], findings: &mut Findings) {
    let Some(mut solver) = MixedSolver::new(system, plan, findings) else { return };
    let (zeros, mut out) = (vec![0.0; v.len()], Evaluation::new(system));
    let vdot = if plan.motion.is_some() { &zeros[..] } else { &[] };
    // What else may fail is told by the run; here only the matrix counts.
    let _ = solver.solve(system, Input { t, q, v, tau: &zeros, ..Input::default() }, vdot, &mut out);
    solver.examine(plan, findings);
}

/// A growth of the condition that a failed run blames.
const LOST_GRIP: f64 = 3.0;

/// Of a run that gave up where the equations have become worse: says so. States are those of the start and of the end: t, q, v.
///
/// A force that upholds a known acceleration may lose its grip in some postures; on the way there forces and accelerations grow without bound.
pub(super) fn explain_failure(
    system: &System,
    plan: &Plan,
    control: &RowControl,
    states: [(f64, &[f64], &[f64]); 2],
    status: Status,
) -> Status {
    let Status::Failed { t, element, reason } = status else { return status };
    let solver = if plan.analysis == Analysis::Mixed { MixedSolver::new(system, plan, &mut Findings::new()) } else { None };
    let conditions = solver.and_then(|mut solver| {
        solver.set_row_control(control);
        let mut at = |(t, q, v): (f64, &[f64], &[f64])| {
            let _ =
                solver.solve(system, Input { t, q, v, tau: &vec![0.0; v.len()], ..Input::default() }, &[], &mut Evaluation::new(system));
            solver.condition()
        };
        Some((at(states[0])?, at(states[1])?))
    });
    let reason = match conditions {
        Some((start, end)) if end > LOST_GRIP * start => {
            let cause = reason.split("\n  hint: ").next().unwrap_or_default();
            format!(
                "{cause}; the condition of the equations has grown from {start:.1e} to {end:.1e}\n  hint: forces that uphold known accelerations lose their grip here, and the motion runs away: let other forces uphold them, or end the run before"
            )
        }
        _ => reason,
    };
    Status::Failed { t, element, reason }
}

/// How the problem was put, for the settings of a run.
pub(super) fn settings(system: &System, plan: &Plan) -> Vec<(String, String)> {
    if plan.analysis != Analysis::Mixed {
        return Vec::new();
    }
    let Some(solver) = MixedSolver::new(system, plan, &mut Findings::new()) else { return Vec::new() };
    let rows = if plan.leaves_rows_out() { "left out" } else { "kept" };
    vec![("unknown".into(), solver.unknowns().join(", ")), ("loops and guides".into(), rows.into())]
}
