//! From given coordinates and velocities to ones that satisfy all loops and guides.
//! Not here: keeping them satisfied in time (the integrators), multipliers (`formulation`).
//! In: a system, a time, a start, what must not change. Out: `Assembled`, or which rows cannot be met.
//!
//! Positions: guides of coordinates and relations are linear and met first, however far they are. Then Φ(q, t) = 0 by Gauss-Newton steps of least length over
//! the degrees of freedom that are not held,
//!
//!     Δ = −A⁺ Φ,   damped  −Aᵀ (A Aᵀ + μ² 1)⁻¹ Φ  where a step does not reduce |Φ|                (1)
//!
//! with A the columns of G = ∂Φ̇/∂v, and quaternions moved by the exponential map. A step turns by at most 0.5 rad, so that it stays on the branch near the
//! start, and displaces by all that is asked for where this halves |Φ|, else by at most half the size of the model or the largest gap that is left, so that any distance
//! can be bridged.
//! Velocities: G v = ν by a change of least length. Source: Saraiva 2022, section 3; Levenberg 1944, Marquardt 1963. Limits: the
//! solution near the start is found, not all of them (`branches` looks further); lengths and angles weigh alike (1 m as 1 rad).

mod branches;
mod check;
mod normal;
mod slack;
mod slope;
#[cfg(test)]
mod tests;
mod workbench;

pub use branches::{Branch, branches};
pub use check::{check, examine};
pub use slope::{StartSlope, StartValue, slope};

use crate::compile::Fault;
use crate::constraint::{RowControl, RowKind};
use crate::formulation::{Failure, Input, check_input};
use crate::system::System;
use std::fmt;
use workbench::{LARGE, Workbench};

/// Position residual that counts as met, m or rad per size of the model or residual of the start (at least 1); the iteration goes on to the floor of rounding.
pub const TOLERANCE: f64 = 1e-12;

/// Starts tried, the given one first, before a model is called unreachable; two for a large one.
const STARTS: usize = 9;

/// A state that satisfies all rows, and how it was reached.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Largest position residual of the given start, m or rad.
    pub position_before: f64,
    /// Largest position residual reached.
    pub position_after: f64,
    /// Largest velocity residual of the given velocities at the reached coordinates, m/s or rad/s.
    pub velocity_before: f64,
    /// Largest velocity residual reached.
    pub velocity_after: f64,
    /// Steps taken by the position solver.
    pub iterations: usize,
    /// Rows that follow from those before them, as `loop.NAME.part`.
    pub redundant: Vec<String>,
    /// Degrees of freedom that the rows leave.
    pub free: usize,
}

/// Why no state could be found.
#[derive(Clone, Debug)]
pub enum AssemblyFault {
    /// Rows that cannot be met from this start with these coordinates held, with what is left of each.
    Unreachable {
        /// Row and residual.
        rows: Vec<(String, f64)>,
    },
    /// Rows that prescribe the same thing differently, with what is left of each at the best compromise.
    Conflict {
        /// Row and residual.
        rows: Vec<(String, f64)>,
    },
    /// A row has no finite value or slope at the start: the function of a guide is not defined there.
    RowNotFinite {
        /// Row.
        row: String,
        /// Time, s.
        at: f64,
        /// True where its rate is not finite, false where its value is not.
        slope: bool,
        /// What it is instead: of a guide's function, else of the row.
        value: f64,
    },
    /// A function is not defined at this time, or the one of a joint at this coordinate.
    OutsideTable {
        /// Its name.
        function: String,
        /// The element of the file that it stands in.
        element: String,
        /// SI unit of its argument.
        unit: &'static str,
        /// Time or coordinate.
        at: f64,
        /// First argument of its table.
        from: f64,
        /// Last argument of its table.
        to: f64,
    },
    /// The given state has the wrong length or is not finite.
    State(Failure),
}

impl AssemblyFault {
    /// The same facts as a fault of compiling; none for a state that does not fit the system.
    pub fn fault(&self) -> Option<Fault> {
        match self.clone() {
            AssemblyFault::Unreachable { rows } => Some(Fault::Unreachable { rows }),
            AssemblyFault::Conflict { rows } => Some(Fault::Conflict { rows }),
            AssemblyFault::RowNotFinite { row, at, slope, value } => Some(Fault::RowNotFinite { row, at, slope, value }),
            AssemblyFault::OutsideTable { function, unit, at, from, to, .. } => Some(Fault::OutsideTable { function, unit, at, from, to }),
            AssemblyFault::State(_) => None,
        }
    }
}

impl From<Failure> for AssemblyFault {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::OutsideTable { function, element, unit, at, range: (from, to) } => {
                AssemblyFault::OutsideTable { function, element, unit, at, from, to }
            }
            failure => AssemblyFault::State(failure),
        }
    }
}

impl fmt::Display for AssemblyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let AssemblyFault::State(failure) = self {
            return failure.fmt(f);
        }
        self.fault().map_or(Ok(()), |fault| fault.write(f))
    }
}

impl std::error::Error for AssemblyFault {}

/// Finds coordinates and velocities near the given ones that satisfy all rows at time `t`.
///
/// Degrees of freedom with `held` true keep their coordinate, and their velocity too unless a guide of that coordinate prescribes another. A system without rows gets its state back. Where the given start is a dead end the search begins again
/// from some starts around it, always the same ones.
pub fn assemble(system: &System, t: f64, q: &[f64], v: &[f64], held: &[bool]) -> Result<Assembled, AssemblyFault> {
    assemble_under(system, t, q, v, held, &RowControl::default())
}

/// As [`assemble`], for rows of which some are released, others held elsewhere than at zero. Released rows are left out; they count neither as redundant nor
/// against the degrees of freedom that are left.
pub fn assemble_under(
    system: &System,
    t: f64,
    q: &[f64],
    v: &[f64],
    held: &[bool],
    control: &RowControl,
) -> Result<Assembled, AssemblyFault> {
    let dofs = system.skeleton.dofs();
    check_input(system, &Input { t, q, v, tau: &vec![0.0; dofs], ..Input::default() })?;
    let mut bench = Workbench::new(system, t);
    bench.rows.set_control(control);
    let moving: Vec<usize> = (0..dofs).filter(|dof| !held.get(*dof).is_some_and(|held| *held)).collect();

    bench.look(q, v);
    for (slope, list) in [(false, &bench.rows.position), (true, &bench.rows.velocity)] {
        if let Some(row) = list.iter().position(|x| !x.is_finite()) {
            // Guides subtract their function.
            let value = if system.names.rows[row].kind == RowKind::Guide { -list[row] } else { list[row] };
            return Err(AssemblyFault::RowNotFinite { row: system.names.rows[row].path(), at: t, slope, value });
        }
    }
    let position_before = bench.largest_position();
    let tolerance = bench.tolerance();
    let starts = if bench.rows.len() > LARGE { 2 } else { STARTS };
    let (mut iterations, mut found, mut best) = (0, None, (f64::INFINITY, q.to_vec()));
    for start in 0..starts {
        let mut trial = q.to_vec();
        if start > 0 {
            // Kicks of 0.1 rad up to 0.8 rad.
            bench.kick(&mut trial, &moving, start, 0.1 * start as f64);
        }
        iterations += bench.solve_positions(&mut trial, &moving);
        let left = bench.largest_position();
        if left <= tolerance {
            found = Some(trial);
            break;
        }
        if left < best.0 {
            best = (left, trial);
        }
    }
    let Some(q) = found else { return Err(blame(&mut bench, best.1, tolerance)) };

    bench.look(&q, v);
    let (position_after, velocity_before) = (bench.largest_position(), bench.largest_velocity());
    let v = fit_velocities(&mut bench, &q, v, &moving, tolerance)?;
    let velocity_after = bench.largest_velocity();
    let dependent = bench.dependent_rows();
    let free = dofs + dependent.len() - bench.rows.len();
    let redundant = dependent.into_iter().filter(|row| !control.is_released(*row)).map(|row| system.names.rows[row].path()).collect();
    Ok(Assembled { q, v, position_before, position_after, velocity_before, velocity_after, iterations, redundant, free })
}

/// Velocities near the given ones with Φ̇ = 0 at coordinates that are taken as they are, whether or not they satisfy the rows there. Held degrees of freedom
/// and rows as in [`assemble_under`].
pub fn assemble_speeds(
    system: &System,
    t: f64,
    q: &[f64],
    v: &[f64],
    held: &[bool],
    control: &RowControl,
) -> Result<Vec<f64>, AssemblyFault> {
    let dofs = system.skeleton.dofs();
    check_input(system, &Input { t, q, v, tau: &vec![0.0; dofs], ..Input::default() })?;
    let mut bench = Workbench::new(system, t);
    bench.rows.set_control(control);
    let moving: Vec<usize> = (0..dofs).filter(|dof| !held.get(*dof).is_some_and(|held| *held)).collect();
    bench.look(q, v);
    let tolerance = bench.tolerance();
    fit_velocities(&mut bench, q, v, &moving, tolerance)
}

/// Velocities with Φ̇ = 0; `moving` ones change.
fn fit_velocities(bench: &mut Workbench, q: &[f64], given: &[f64], moving: &[usize], tolerance: f64) -> Result<Vec<f64>, AssemblyFault> {
    let system = bench.system;
    let mut v = given.to_vec();
    let allowed = |v: &[f64]| tolerance * v.iter().fold(1.0f64, |most, x| most.max(x.abs()));
    bench.solve_velocities(q, &mut v, moving);
    if !(bench.largest_velocity() <= allowed(&v)) {
        // A held coordinate that a guide drives has the guide's velocity.
        let driven = bench.rows.on_dofs.iter().filter(|(row, ..)| system.names.rows[*row as usize].kind == RowKind::Guide);
        let mut wider: Vec<usize> = moving.iter().copied().chain(driven.map(|(_, dof, _)| *dof as usize)).collect();
        wider.sort_unstable();
        wider.dedup();
        v.copy_from_slice(given);
        bench.solve_velocities(q, &mut v, &wider);
        if !(bench.largest_velocity() <= allowed(&v)) {
            return Err(blame_velocities(bench, tolerance));
        }
    }
    Ok(v)
}

fn named(system: &System, rows: impl Iterator<Item = (usize, f64)>) -> Vec<(String, f64)> {
    rows.map(|(row, left)| (system.names.rows[row].path(), left)).collect()
}

/// Which rows are to blame at a least residual.
///
/// At a least residual Φ is always at right angles to the range of A. Where this is so in the whole neighbourhood, with nothing held, and two
/// rows or more take part, they contradict each other; where it is so at this spot only, the motion has reached its limit.
fn blame(bench: &mut Workbench, q: Vec<f64>, tolerance: f64) -> AssemblyFault {
    let system = bench.system;
    let still = vec![0.0; system.skeleton.dofs()];
    bench.look(&q, &still);
    let left = bench.rows.position.clone();
    let worst = bench.largest_position();
    let mut near = q;
    let all: Vec<usize> = (0..still.len()).collect();
    bench.kick(&mut near, &all, STARTS, 0.2);
    bench.look(&near, &still);
    let contradiction = bench.outside_range(&all, &bench.rows.position);
    let rows: Vec<usize> = (0..left.len()).filter(|row| contradiction[*row].abs() > 1e-3 * worst).collect();
    if rows.len() > 1 {
        return AssemblyFault::Conflict { rows: named(system, rows.into_iter().map(|row| (row, left[row]))) };
    }
    let bound = tolerance.max(1e-4 * worst);
    AssemblyFault::Unreachable { rows: named(system, left.into_iter().enumerate().filter(|(_, x)| !(x.abs() <= bound && x.is_finite()))) }
}

/// Which rows are to blame for velocities that cannot be met.
fn blame_velocities(bench: &Workbench, tolerance: f64) -> AssemblyFault {
    let all: Vec<usize> = (0..bench.system.skeleton.dofs()).collect();
    let left = &bench.rows.velocity;
    let contradiction = bench.outside_range(&all, left);
    let worst = bench.largest_velocity();
    let rows: Vec<usize> = (0..left.len()).filter(|row| contradiction[*row].abs() > 1e-3 * worst).collect();
    if rows.len() > 1 {
        return AssemblyFault::Conflict { rows: named(bench.system, rows.into_iter().map(|row| (row, left[row]))) };
    }
    let bound = tolerance.max(1e-4 * worst);
    let rows = left.iter().copied().enumerate().filter(|(_, x)| !(x.abs() <= bound && x.is_finite()));
    AssemblyFault::Unreachable { rows: named(bench.system, rows) }
}
