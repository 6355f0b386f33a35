//! Soft parts at the start of a model, looked at without running: what keeps a run from beginning, and gaps that ties close.
//! Not here: what can be told from the file alone (`soft::check`).
//! In: a system, its coordinates at the start. Out: findings, gaps by tie.

use super::carriers::Carriers;
use crate::soft::SoftFault;
use crate::system::System;
use borelli_model::Findings;
use borelli_soft::problem::{Problem, SetupFault, TieGap};

/// Gaps above this part of an edge are worth a warning; positions in files have some six digits.
const GAP: f64 = 1e-5;

/// Looks at the soft parts of a system that has some, with the coordinates of its start.
pub fn inspect(system: &System, q: &[f64]) -> (Findings, Vec<(String, TieGap)>) {
    let mut findings = Findings::new();
    let soft = match system.soft_model() {
        Ok(soft) => soft,
        Err(fault) => {
            findings.push(None, "soft", "", &fault);
            return (findings, Vec::new());
        }
    };
    let mut carriers = Carriers::new(system, &soft.carriers);
    carriers.fill(system, q, &vec![0.0; system.skeleton.dofs()]);
    let problem = match Problem::new(soft.definition, carriers.poses()) {
        Ok(problem) => problem,
        Err(fault) => {
            let element = match &fault {
                SetupFault::FarFromPartner { tie, .. } => format!("tie.{tie}"),
                SetupFault::BadCell { body, .. } | SetupFault::Loose { body, .. } => format!("soft.{body}"),
                SetupFault::Quadratic { element } => element.clone(),
                SetupFault::HeldTwice { by: [_, other], .. } => other.clone(),
                SetupFault::Matrix(_) => "soft".into(),
            };
            findings.push(None, element, "", &SoftFault::NotSetUp { reason: fault.to_string() });
            return (findings, Vec::new());
        }
    };
    let ties = problem.definition().ties.iter().enumerate();
    let gaps: Vec<(String, TieGap)> = ties.map(|(k, tie)| (tie.name.clone(), problem.tie_gap(k))).collect();
    for (name, TieGap { distance, part }) in gaps.iter().filter(|(_, gap)| gap.part > GAP) {
        let tie = format!("tie.{name}");
        findings.push(None, tie.clone(), "", &SoftFault::TieGap { tie, distance: *distance, part: *part });
    }
    (findings, gaps)
}
