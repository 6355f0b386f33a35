//! What is timed: one operation on one system over a list of states.
//! Not here: the clock, the models.

use super::clock::{Timing, measure};
use borelli_dynamics::System;
use borelli_dynamics::formulation::articulated::{Articulated, Jacobian};
use borelli_dynamics::formulation::{Entry, Evaluation, Failure, Input};
use borelli_study::states::State;
use std::hint::black_box;

/// An operation to be timed.
#[derive(Clone, Copy)]
pub enum Operation {
    /// Accelerations from forces, recursive.
    Forward,
    /// Forces from accelerations, recursive. The forces of a state are taken for accelerations.
    Inverse,
    /// All derivatives of the accelerations.
    Jacobian,
    /// Everything a formulation of the list reports.
    Evaluate(&'static Entry),
}

impl Operation {
    /// Name for tables.
    pub fn name(self) -> String {
        match self {
            Operation::Forward => "forward".into(),
            Operation::Inverse => "inverse".into(),
            Operation::Jacobian => "jacobian".into(),
            Operation::Evaluate(entry) => format!("evaluate, {}", entry.name),
        }
    }
}

/// What came out.
pub struct Measured {
    /// Times.
    pub timing: Timing,
    /// Sum of all results over the first `summed` states: what was computed, so that nobody can leave it out.
    pub checksum: f64,
}

/// Why nothing was measured.
pub enum Unmeasured {
    /// The formulation declines the model.
    Declined(String),
    /// A state cannot be computed.
    Failed(Failure),
}

impl From<Failure> for Unmeasured {
    fn from(failure: Failure) -> Self {
        Unmeasured::Failed(failure)
    }
}

/// What to do with an operation.
#[derive(Clone, Copy)]
enum Work {
    /// Add up this many results, then time.
    Time { summed: usize },
    /// Compute this often and add up.
    Repeat { calls: usize },
}

/// Times an operation over states, cycling through them; the first `summed` are computed once before and added up.
pub fn time(system: &System, operation: Operation, states: &[State], summed: usize) -> Result<Measured, Unmeasured> {
    run(system, operation, states, Work::Time { summed })
}

/// Computes an operation `calls` times, cycling through the states; the sum of all results.
pub fn repeat(system: &System, operation: Operation, states: &[State], calls: usize) -> Result<f64, Unmeasured> {
    run(system, operation, states, Work::Repeat { calls }).map(|measured| measured.checksum)
}

fn run(system: &System, operation: Operation, states: &[State], work: Work) -> Result<Measured, Unmeasured> {
    let dofs = system.skeleton.dofs();
    let mut x = vec![0.0; dofs];
    match operation {
        Operation::Forward => {
            let mut a = Articulated::new(system);
            over(states, work, |s| {
                a.forward(system, s.t, &s.q, &s.v, &s.tau, &mut x)?;
                Ok(x.iter().sum())
            })
        }
        Operation::Inverse => {
            let mut a = Articulated::new(system);
            over(states, work, |s| {
                a.inverse(system, s.t, &s.q, &s.v, &s.tau, &mut x)?;
                Ok(x.iter().sum())
            })
        }
        Operation::Jacobian => {
            let mut a = Articulated::new(system);
            let mut out = Jacobian::new(system);
            // Of large matrices one row is enough of a witness.
            over(states, work, |s| {
                a.jacobian(system, s.t, &s.q, &s.v, &s.tau, &mut out)?;
                Ok(out.by_q[..dofs].iter().chain(&out.by_v[..dofs]).chain(&out.by_tau[..dofs]).sum())
            })
        }
        Operation::Evaluate(entry) => {
            let mut formulation = (entry.build)(system).map_err(|declined| Unmeasured::Declined(declined.reason))?;
            let mut out = Evaluation::new(system);
            over(states, work, |s| {
                formulation.evaluate(system, Input { t: s.t, q: &s.q, v: &s.v, tau: &s.tau, ..Input::default() }, &mut out)?;
                Ok(out.vdot.iter().sum())
            })
        }
    }
}

fn over(states: &[State], work: Work, mut call: impl FnMut(&State) -> Result<f64, Failure>) -> Result<Measured, Unmeasured> {
    let mut checksum = 0.0;
    let once = match work {
        Work::Time { summed } => summed.min(states.len()),
        Work::Repeat { calls } => calls,
    };
    for state in states.iter().cycle().take(once) {
        checksum += call(state)?;
    }
    if let Work::Repeat { .. } = work {
        return Ok(Measured { timing: Timing { sorted: Vec::new(), all: Vec::new() }, checksum });
    }
    let mut failed = None;
    let timing = measure(|k| match call(&states[k % states.len()]) {
        Ok(sum) => drop(black_box(sum)),
        Err(failure) => failed = Some(failure),
    });
    match failed {
        Some(failure) => Err(failure.into()),
        None => Ok(Measured { timing, checksum }),
    }
}
