//! Where a run begins: the model's start made to satisfy loops and guides, or a saved state.
//! Not here: assembling itself.
//! In: a system, a plan, perhaps the end of another run. Out: an `EndState` to begin from; why not is reported.

use super::EndState;
use crate::plan::{Plan, StartRule};
use crate::plan_fault::PlanFault;
use borelli_dynamics::System;
use borelli_dynamics::assemble::{Assembled, assemble};
use borelli_model::Findings;

/// The state a run begins from.
pub(super) fn start(system: &System, plan: &Plan, from: Option<&EndState>, findings: &mut Findings) -> Option<EndState> {
    match from {
        Some(state) => saved(system, state, findings),
        None => fresh(system, plan, findings),
    }
}

fn saved(system: &System, state: &EndState, findings: &mut Findings) -> Option<EndState> {
    let lists = [
        ("coordinates", system.skeleton.coords(), state.q.len()),
        ("speeds", system.skeleton.dofs(), state.v.len()),
        ("rows of loops and guides", system.names.rows.len(), state.released.len()),
    ];
    let wrong = lists.into_iter().find(|(_, expected, found)| expected != found);
    if let Some((what, expected, found)) = wrong {
        findings.push(None, "", "restart", &PlanFault::ForeignState { what, expected, found });
        return None;
    }
    Some(state.clone())
}

fn fresh(system: &System, plan: &Plan, findings: &mut Findings) -> Option<EndState> {
    let (mut q, mut v) = (system.start.q.clone(), system.start.v.clone());
    if !system.names.rows.is_empty() && plan.start != StartRule::AsGiven {
        let assembled = assembled(system, plan.time.start, &system.start.held, findings)?;
        q = assembled.q;
        if plan.start == StartRule::Assemble {
            v = assembled.v;
        }
    }
    Some(EndState { t: plan.time.start, q, v, work: [0.0; 3], released: vec![false; system.names.rows.len()] })
}

/// The model's start, assembled with some degrees of freedom held.
pub(super) fn assembled(system: &System, t: f64, held: &[bool], findings: &mut Findings) -> Option<Assembled> {
    match assemble(system, t, &system.start.q, &system.start.v, held) {
        Ok(assembled) => Some(assembled),
        Err(fault) => {
            findings.push(None, "initial", "", &PlanFault::Unassembled { reason: fault.to_string() });
            None
        }
    }
}
