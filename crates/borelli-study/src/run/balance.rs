//! A start in balance: nothing moves and all forces balance, with some coordinates held and, where the plan says so, without gravity.
//! Not here: the search (`rest` of the engine), the analysis `statics`, whose answer a balance is.
//! In: a system, a plan, the assembled start. Out: the start in balance, or why there is none.
//!
//! What holds a coordinate, and the weight that was left out, act from the first instant of the motion: the start is at rest, not in balance with them.

use super::EndState;
use super::simulate::blamed;
use crate::plan::{Analysis, Plan, StartRule};
use crate::plan_fault::PlanFault;
use borelli_dynamics::System;
use borelli_dynamics::assemble::assemble_under;
use borelli_dynamics::equilibrium::EquilibriumFault;
use borelli_dynamics::rest::{Rest, Unrest};
use borelli_dynamics::system::Measure;
use borelli_model::{Findings, suggest};

/// Whether a plan that starts in balance may do so; why not is reported.
pub(super) fn check(system: &System, plan: &Plan, findings: &mut Findings) {
    if plan.start != StartRule::Equilibrium {
        return;
    }
    let what = match plan.analysis {
        _ if system.has_soft() => "models with soft parts".to_string(),
        Analysis::Simulate | Analysis::Statics | Analysis::Sensitivity => return,
        other => format!("`{}`", other.name()),
    };
    findings.push(None, "start", "rule", &PlanFault::BalanceUnused { what });
}

/// The start of a plan in balance, from an assembled one.
pub(super) fn balanced(system: &System, plan: &Plan, begin: EndState, findings: &mut Findings) -> Option<EndState> {
    let rest = rest(system, plan, &begin, findings)?;
    let found = match rest.balance(system, begin.t, &begin.q, &begin.z) {
        Ok(found) => found,
        Err(fault) => {
            let element = if let Unrest::Search(fault) = &fault { element(system, fault) } else { String::new() };
            findings.push(None, "start", "rule", &PlanFault::Unbalanced { element, reason: fault.to_string() });
            return None;
        }
    };
    let still = vec![0.0; system.skeleton.dofs()];
    let v = if system.names.rows.is_empty() {
        still
    } else {
        // Guides may move: what rests otherwise goes with them.
        match assemble_under(system, begin.t, &found.q, &still, &system.start.held, &begin.row_control()) {
            Ok(assembled) => assembled.v,
            Err(fault) => {
                findings.push(None, "start", "rule", &PlanFault::Unassembled { reason: fault.to_string() });
                return None;
            }
        }
    };
    Some(EndState { q: found.q, v, z: found.z, ..begin })
}

/// How a plan seeks the balance of a start; coordinates that cannot be held are reported.
pub(super) fn rest(system: &System, plan: &Plan, begin: &EndState, findings: &mut Findings) -> Option<Rest> {
    let fixed = held(system, plan, findings)?;
    Some(Rest { fixed, gravity: plan.rest.gravity, memory: begin.memory.clone() })
}

/// Degrees of freedom that a plan holds; coordinates that are none are reported.
fn held(system: &System, plan: &Plan, findings: &mut Findings) -> Option<Vec<usize>> {
    let speeds = &system.names.speeds;
    let mut list = Vec::new();
    for found in &plan.rest.hold {
        match speeds.iter().position(|speed| speed.name == *found && speed.measure != Measure::Quaternion) {
            Some(dof) => list.push(dof),
            None => {
                let quaternion = system.names.coordinates.iter().any(|own| own.name == *found);
                let nearest = suggest(found, speeds.iter().map(|speed| speed.name.as_str())).map(str::to_string);
                findings.push(None, "start", "hold", &PlanFault::UnknownHeld { found: found.clone(), quaternion, nearest });
            }
        }
    }
    (list.len() == plan.rest.hold.len()).then_some(list)
}

/// What a search that found no balance blames.
pub(super) fn element(system: &System, fault: &EquilibriumFault) -> String {
    match fault {
        EquilibriumFault::Refused(failure) => blamed(failure),
        EquilibriumFault::NotFinite { dof } | EquilibriumFault::Unbalanced { dof, .. } => {
            system.names.speeds.get(*dof).map_or(String::new(), |name| format!("coord.{}", name.name))
        }
        EquilibriumFault::StateNotFinite { state } | EquilibriumFault::StateMoves { state, .. } => {
            system.names.states.get(*state).map_or(String::new(), |state| state.column())
        }
        EquilibriumFault::RowOpen { row, .. } => system.names.rows.get(*row).map_or(String::new(), |row| row.path()),
    }
}
