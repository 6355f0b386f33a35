//! Where a run begins: the model's start made to satisfy loops and guides, or a saved state.
//! Not here: assembling itself; a start in balance (`balance`).
//! In: a system, a plan, perhaps the end of another run. Out: an `EndState` to begin from; why not is reported.

use super::EndState;
use super::balance::balanced;
use super::events::{rows_of, unknown_row};
use crate::plan::{Plan, StartRule};
use crate::plan_fault::PlanFault;
use borelli_dynamics::assemble::{assemble_speeds, assemble_under};
use borelli_dynamics::memory::Touch;
use borelli_dynamics::movement::audited;
use borelli_dynamics::system::Start;
use borelli_dynamics::{Memory, System};
use borelli_model::Findings;

/// The state a run begins from.
pub(super) fn start(system: &System, plan: &Plan, from: Option<&EndState>, findings: &mut Findings) -> Option<EndState> {
    match from {
        Some(state) => saved(system, state, findings),
        None => {
            let begin = settled(system, fresh(system, plan, findings)?, findings);
            if plan.start == StartRule::Equilibrium { balanced(system, plan, begin, findings) } else { Some(begin) }
        }
    }
}

fn saved(system: &System, state: &EndState, findings: &mut Findings) -> Option<EndState> {
    let lists = [
        ("coordinates", system.skeleton.coords(), state.q.len()),
        ("speeds", system.skeleton.dofs(), state.v.len()),
        ("states of force elements", system.numbers.states.len(), state.z.len()),
        ("rows of loops and guides", system.names.rows.len(), state.memory.rows.len()),
        ("pairs of surfaces", system.names.pairs.len(), state.memory.touch.len()),
        ("integrals of work", audited(system), state.work.len()),
    ];
    // A state that no run with events has left says nothing of points: coordinates do.
    let points = ("conditional points of paths", system.skeleton.extent.switches, state.memory.points.len());
    let points = Some(points).filter(|(.., known)| *known > 0);
    let wrong = lists.into_iter().chain(points).find(|(_, expected, found)| expected != found);
    if let Some((what, expected, found)) = wrong {
        findings.push(None, "", "restart", &PlanFault::ForeignState { what, expected, found });
        return None;
    }
    Some(state.clone())
}

fn fresh(system: &System, plan: &Plan, findings: &mut Findings) -> Option<EndState> {
    let released = released(system, plan, findings)?;
    let (Start { q, v, held }, t) = (&system.start, plan.time.start);
    let begin = EndState {
        t,
        q: q.clone(),
        v: v.clone(),
        z: system.numbers.states.clone(),
        work: vec![0.0; audited(system)],
        memory: Memory { touch: vec![Touch::Open; system.names.pairs.len()], ..Memory::letting_go(&released) },
        events: Vec::new(),
        carried: None,
        integrator: None,
    };
    if released.is_empty() || plan.start == StartRule::AsGiven {
        return Some(begin);
    }
    let control = begin.row_control();
    let found = match plan.start {
        StartRule::Speeds => assemble_speeds(system, t, q, v, held, &control).map(|v| (q.clone(), v)),
        StartRule::Positions => assemble_under(system, t, q, v, held, &control).map(|assembled| (assembled.q, begin.v.clone())),
        _ => assemble_under(system, t, q, v, held, &control).map(|assembled| (assembled.q, assembled.v)),
    };
    match found {
        Ok((q, v)) => Some(EndState { q, v, ..begin }),
        Err(fault) => {
            findings.push(None, "initial", "", &PlanFault::Unassembled { reason: fault.to_string() });
            None
        }
    }
}

/// Elements that find their own start find it at the pose in which the run begins. Of doubts `check` tells; a start that is none is refused.
fn settled(system: &System, begin: EndState, findings: &mut Findings) -> EndState {
    let states = system.states_at(begin.t, &begin.q);
    states.tell_errors(findings);
    EndState { z: states.z, ..begin }
}

/// Rows that a plan does not hold at the start, by row: those it names, or all where it leaves them out.
pub(super) fn released(system: &System, plan: &Plan, findings: &mut Findings) -> Option<Vec<bool>> {
    let mut released = vec![plan.leaves_rows_out(); system.names.rows.len()];
    let mut known = true;
    for target in &plan.released {
        let rows = rows_of(system, target);
        if rows.is_empty() {
            findings.push(None, "start", "released", &unknown_row(system, target, "release"));
            known = false;
        }
        rows.into_iter().for_each(|row| released[row] = true);
    }
    known.then_some(released)
}
