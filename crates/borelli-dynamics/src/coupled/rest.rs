//! Statics of a system with soft parts: loads put on in steps until all of them act, every step solved to rest.
//! Not here: stability; rigid systems, which have a search of their own (`equilibrium`).
//! In: a time, a start, options. Out: rest at each step; or what was in the way, after the steps that were found.
//!
//! Everything that acts on the bodies and on the soft parts is multiplied with a part that grows from 0 to 1, displacements of supports too. A
//! step that fails is halved, at most `CUTS` times; after two good ones the next is twice as long again.

use super::{CoupledMovement, FINE, Split};
use crate::formulation::Failure;
use crate::integrate::{Motion, Trial, Trouble, Weights};
use crate::movement::Of;
use borelli_soft::problem::{Following, Statuses};
use std::fmt;

/// Halvings of a load step.
const CUTS: u32 = 10;
/// A stiffness below this part of the largest is rounding.
const UNHELD: f64 = 1e-12;

/// What a user may choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestOptions {
    /// Equal steps in which loads are put on.
    pub load_steps: usize,
    /// Most iterations in a step.
    pub max_iterations: usize,
}

impl Default for RestOptions {
    fn default() -> Self {
        RestOptions { load_steps: 1, max_iterations: 40 }
    }
}

/// A step that came to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadStep {
    /// Part of the loads that acts.
    pub part: f64,
    /// Iterations.
    pub iterations: usize,
    /// Largest force that is open, N or N m.
    pub open: f64,
    /// Whether it is one of the equal steps asked for, not one made in between.
    pub asked: bool,
}

/// Sees every rest that is found, with its coordinates and multipliers; `false` ends the search.
pub type EachRest<'e> = dyn FnMut(&mut Of<'_, CoupledMovement>, &LoadStep, &[f64], &[f64]) -> bool + 'e;

/// Why rest was not found.
#[derive(Clone, Debug, PartialEq)]
pub struct AtRestFault {
    /// Part of the loads at which the last rest was found.
    pub part: f64,
    /// What was in the way of going on.
    pub cause: Trouble,
}

impl fmt::Display for AtRestFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rest was found up to {:.4} of the loads, and not beyond: ", self.part)?;
        match &self.cause {
            Trouble::Refused(failure) => failure.fmt(f),
            Trouble::NotConverged { iterations, .. } => write!(
                f,
                "{iterations} iterations did not bring the forces into balance\n  hint: more load steps, a finer mesh where it is strained most, or a smaller load"
            ),
            Trouble::Singular { .. } => f.write_str(
                "a coordinate moves without resistance\n  hint: hold it by a guide, a spring or a joint with fewer degrees of freedom",
            ),
            Trouble::SingularRow { .. } => {
                f.write_str("rows of loops or guides contradict each other or are redundant\n  hint: release one")
            }
            other => write!(f, "{other:?}"),
        }
    }
}

impl std::error::Error for AtRestFault {}

/// A coordinate without stiffness of any sort that no row holds.
fn unheld(stiffness: &[f64], rows: &[f64], dofs: usize) -> Option<usize> {
    let most = stiffness.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    (0..dofs).find(|i| {
        let own = stiffness[i * dofs..][..dofs].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        own <= UNHELD * most && rows.chunks_exact(dofs).all(|row| row[*i] == 0.0)
    })
}

impl Of<'_, CoupledMovement> {
    /// Finds rest at a time with all loads, step by step. `q` holds coordinates and positions of nodes, `lambda` all multipliers; both are those
    /// of the last rest found. `each` sees every rest, and ends the search by `false`.
    pub fn rest(
        &mut self,
        t: f64,
        q: &mut [f64],
        lambda: &mut [f64],
        options: &RestOptions,
        each: &mut EachRest,
    ) -> Result<(), AtRestFault> {
        let (mut done, mut halvings, mut good) = (0.0, 0_u32, 0);
        let whole = 1.0 / options.load_steps.max(1) as f64;
        let (mut q_last, mut lambda_last) = (q.to_vec(), lambda.to_vec());
        let mut step = 1;
        while step <= options.load_steps.max(1) {
            let end = if step == options.load_steps.max(1) { 1.0 } else { step as f64 * whole };
            let part = (done + whole / f64::from(1_u32 << halvings)).min(end);
            let part = if end - part < 1e-9 * whole { end } else { part };
            match self.balance(t, q, lambda, part, options.max_iterations) {
                Ok((iterations, open)) => {
                    q_last.copy_from_slice(q);
                    lambda_last.copy_from_slice(lambda);
                    done = part;
                    let asked = part == end;
                    let memory = &mut *self.memory;
                    memory.multipliers.copy_from_slice(&lambda[memory.active.len()..]);
                    memory.keep(part);
                    if !each(self, &LoadStep { part, iterations, open, asked }, q, lambda) {
                        return Ok(());
                    }
                    step += usize::from(asked);
                    good += 1;
                    if good >= 2 && halvings > 0 {
                        (halvings, good) = (halvings - 1, 0);
                    }
                }
                Err(cause) => {
                    q.copy_from_slice(&q_last);
                    lambda.copy_from_slice(&lambda_last);
                    if halvings == CUTS {
                        return Err(AtRestFault { part: done, cause });
                    }
                    (halvings, good) = (halvings + 1, 0);
                }
            }
        }
        Ok(())
    }

    /// Newton's iteration to rest with a part of the loads: iterations and the largest force left open.
    fn balance(&mut self, t: f64, q: &mut [f64], lambda: &mut [f64], part: f64, most: usize) -> Result<(usize, f64), Trouble> {
        let Split { coords, dofs, nodes } = self.split();
        let states = self.memory.skeleton.extent.states;
        let still = vec![0.0; dofs + nodes + states];
        let rows = self.memory.active.len();
        let weights = Weights { a: 1.0, b: 0.0, c: 1.0 };
        let mut multipliers = vec![0.0; lambda.len()];
        let mut correction = vec![0.0; dofs + nodes + states];
        self.memory.begin_attempt();
        let mut moved = f64::INFINITY;
        for iteration in 0..most {
            let at = Motion { q, v: &still, a: &still };
            let from = if iteration == 0 { Statuses::Kept } else { Statuses::Decided };
            self.look(t, at, lambda, Some(Following::default()), from, part)?;
            let (open, rounding) = self.largest_open();
            let settled = iteration > 0 && self.memory.problem.changed() == 0;
            // Rest has no clock: what remains is rounding, or a step that changes nothing.
            let found =
                settled && open <= rounding + FINE * self.memory.problem.largest_force() && moved <= 1e-6 * self.memory.problem.size();
            // The iteration that finds the balance needs no matrix any more.
            self.memory.note(open, rounding, !found);
            if open.is_nan() {
                return Err(Trouble::NotFinite { entry: 0 });
            }
            if found {
                return Ok((iteration + 1, open));
            }
            self.condense(&q[..coords], true)?;
            let memory = &mut *self.memory;
            memory.newton.tangents.by_a.fill(0.0);
            memory.newton.tangents.by_v.fill(0.0);
            memory.c = 1.0;
            memory.multipliers.copy_from_slice(&lambda[rows..]);
            let trial = Trial { t, at: Motion { q, v: &still, a: &still }, lambda, step: &still[..dofs], weights, iteration };
            let active = &memory.active;
            if let Some(entry) = unheld(&memory.newton.tangents.by_q, &memory.newton.tangents.G, dofs) {
                return Err(Trouble::Singular { entry });
            }
            memory.newton.factor(&trial, |row| active[row], |_, _| {})?;
            crate::integrate::Residual::solve(self, &mut correction, &mut multipliers)?;
            moved = correction[..dofs + nodes].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            if !moved.is_finite() {
                return Err(Trouble::NotFinite { entry: 0 });
            }
            crate::integrate::Residual::retract(self, q, &correction[..dofs + nodes]);
            lambda.iter_mut().zip(&multipliers).for_each(|(l, x)| *l += x);
        }
        Err(Trouble::NotConverged { iterations: most, entry: 0, row: None })
    }

    /// Soft parts at rest with all carriers held where they are.
    pub(super) fn relax(&mut self, t: f64, q: &[f64], v: &[f64], x: &mut [f64], lambda: &mut [f64]) -> Result<(), Trouble> {
        let Split { coords, dofs, nodes } = self.split();
        let rows = self.memory.active.len();
        let mut at = [&q[..coords], &*x].concat();
        let mut speeds = vec![0.0; dofs + nodes + self.memory.skeleton.extent.states];
        speeds[..dofs].copy_from_slice(&v[..dofs]);
        let still = vec![0.0; speeds.len()];
        let mut all = [&vec![0.0; rows][..], &*lambda].concat();
        let (mut dx, mut dl, none) = (vec![0.0; nodes], vec![0.0; lambda.len()], vec![0.0; self.memory.carriers.entries()]);
        self.memory.problem.begin_attempt();
        for iteration in 0..40 {
            let from = if iteration == 0 { Statuses::Kept } else { Statuses::Decided };
            self.look(t, Motion { q: &at, v: &speeds, a: &still }, &all, Some(Following::default()), from, 1.0)?;
            let memory = &mut *self.memory;
            let (open, rounding) = memory.problem.largest_open();
            memory.problem.factor().map_err(Failure::from)?;
            memory.problem.condense().map_err(Failure::from)?;
            if iteration > 0 && memory.problem.changed() == 0 && open <= rounding + FINE * memory.problem.largest_force() {
                x.copy_from_slice(&at[coords..]);
                lambda.copy_from_slice(&all[rows..]);
                return Ok(());
            }
            memory.problem.follow(&none, &mut dx, &mut dl);
            let part = memory.problem.longest_part(&dx);
            at[coords..].iter_mut().zip(&dx).for_each(|(x, d)| *x += part * d);
            all[rows..].iter_mut().zip(&dl).for_each(|(l, d)| *l += part * d);
        }
        Err(Trouble::NotConverged { iterations: 40, entry: 0, row: None })
    }
}
