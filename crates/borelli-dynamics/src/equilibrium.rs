//! Statics: coordinates at which all forces balance and all rows are met, with the multipliers there, and whether the balance is stable.
//! Not here: forces and rows, and solving with their slopes (the equation does both; `dense` for small ones); motion.
//! In: equations that can be looked at at rest, a time, an approximate start. Out: an `Equilibrium`, or what stays unbalanced.
//!
//! R(q, 0, 0, λ) = 0 and Φ(q, t) = 0 by Newton's method; states of first order that settle have ż = 0 beside and follow the coordinates (`settled`).
//! With M = L Lᵀ, coordinates x = Lᵀ Δ, the rows G' = G L⁻ᵀ and a basis Z of what they leave free,
//!
//!     x = x_n + Z p        G' x_n = −Φ        H p = −Zᵀ L⁻¹ (R + K Δ_n)        H = Zᵀ L⁻¹ K L⁻ᵀ Z                       (1)
//!
//! the eigenvalues of H are squares of the small oscillations' frequencies. Where one is negative its absolute value takes its place, so that the way leads downhill, to
//! a stable equilibrium, and not to the nearest one of any sort (only a start that is an unstable equilibrium already is left as it is). A step moves no
//! coordinate by more than 0.5 and is halved while it overshoots along its own direction; the last steps are whole ones, so that the end is quadratic.
//! Source: Nocedal, Wright 2006, Numerical Optimization, sections 15.6 and 3.4; Dauphin et al. 2014, arXiv:1406.2572, for absolute eigenvalues.
//! Limits: lengths and angles weigh
//! alike (1 m as 1 rad); masses enter as the measure of length only, and the result does not depend on them.

use crate::formulation::Failure;
use crate::integrate::{Motion, Residual};
use std::fmt;

mod dense;
mod settled;

pub use dense::DenseAtRest;

#[cfg(test)]
mod tests;

/// No coordinate moves further in one step, m or rad.
const LONGEST: f64 = 0.5;
/// Rows open by more than this part of the coordinates (at least 1) are not met.
const OPEN: f64 = 1e-9;
/// Most halvings of one step.
const HALVINGS: usize = 10;

/// What a user may choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seek {
    /// The search ends when a whole step moves no coordinate by more than this part of the largest (at least 1).
    pub tolerance: f64,
    /// Most steps.
    pub max_iterations: usize,
}

impl Default for Seek {
    fn default() -> Self {
        Seek { tolerance: 1e-11, max_iterations: 500 }
    }
}

/// A state of balance.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// Coordinates.
    pub q: Vec<f64>,
    /// States of first order: those that settle at rest, the others as they were given.
    pub z: Vec<f64>,
    /// Multipliers of all rows; zero for those that are released, the shortest list where rows are redundant.
    pub lambda: Vec<f64>,
    /// Largest force that is not balanced, N or N m.
    pub unbalanced: f64,
    /// Largest residual of a row, m or rad.
    pub open: f64,
    /// Steps made.
    pub iterations: usize,
    /// Directions that the rows leave free.
    pub free: usize,
    /// Square of the lowest frequency of small oscillations without damping, rad²/s²; negative where the balance is unstable, none without a free direction.
    pub lowest: Option<f64>,
}

impl Equilibrium {
    /// Whether every small displacement is pushed back. A neutral direction counts as not stable.
    pub fn stable(&self) -> bool {
        self.lowest.is_none_or(|lowest| lowest > 0.0)
    }
}

/// Why no balance was found.
#[derive(Clone, Debug, PartialEq)]
pub enum EquilibriumFault {
    /// The equations cannot be evaluated at the start.
    Refused(Failure),
    /// A force is not finite at the start.
    NotFinite {
        /// Degree of freedom.
        dof: usize,
    },
    /// The rate of a state is not finite at the start.
    StateNotFinite {
        /// State.
        state: usize,
    },
    /// A state does not come to rest.
    StateMoves {
        /// State.
        state: usize,
        /// Its rate, unit of the state per s.
        rate: f64,
    },
    /// A row cannot be met.
    RowOpen {
        /// Row.
        row: usize,
        /// What is left of it, m or rad.
        left: f64,
    },
    /// A force stays unbalanced: there may be no equilibrium downhill of the start.
    Unbalanced {
        /// Degree of freedom with the largest force that rows do not take.
        dof: usize,
        /// That force, N or N m.
        force: f64,
        /// Steps made.
        iterations: usize,
    },
}

impl EquilibriumFault {
    /// What may help.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            EquilibriumFault::Refused(_) => None,
            EquilibriumFault::NotFinite { .. } => Some("check the element that acts on this degree of freedom at the start"),
            EquilibriumFault::StateNotFinite { .. } => Some("check the element that has this state, at the start"),
            EquilibriumFault::StateMoves { .. } => {
                Some("an element whose state goes on at rest has no balance: change it, or use `simulate`")
            }
            EquilibriumFault::RowOpen { .. } => Some("assemble the model first; rows may contradict each other"),
            EquilibriumFault::Unbalanced { .. } => Some("give the direction a spring or a guide, or start nearer to the balance"),
        }
    }
}

impl fmt::Display for EquilibriumFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EquilibriumFault::Refused(failure) => failure.fmt(f)?,
            EquilibriumFault::NotFinite { dof } => write!(f, "the force on degree of freedom {dof} is not finite")?,
            EquilibriumFault::StateNotFinite { state } => write!(f, "the rate of state {state} is not finite")?,
            EquilibriumFault::StateMoves { state, rate } => write!(f, "state {state} does not come to rest, its rate stays {rate:e}")?,
            EquilibriumFault::RowOpen { row, left } => write!(f, "row {row} of the constraints stays open by {left:e}")?,
            EquilibriumFault::Unbalanced { dof, force, iterations } => {
                write!(f, "after {iterations} steps {force:e} N or N m on degree of freedom {dof} is not balanced")?;
            }
        }
        self.hint().map_or(Ok(()), |hint| write!(f, "\n  hint: {hint}"))
    }
}

impl std::error::Error for EquilibriumFault {}

/// Equations that can be looked at at rest. The search sees no matrix: the equation solves.
pub trait Statics: Residual {
    /// R and Φ with their slopes where nothing moves, states at `z`; or why not, a force or row that is not finite for one. Rows that are released take no
    /// part; redundant ones do.
    fn at_rest(&mut self, t: f64, q: &[f64], z: &[f64], lambda: &[f64]) -> Result<Box<dyn AtRest>, EquilibriumFault>;
}

/// Open equations at one place at rest, ready to be solved.
pub trait AtRest {
    /// R, N or N m, with states that have come to rest; zero where a degree of freedom is held whatever that takes.
    fn force(&self) -> &[f64];

    /// Rows that take part, with Φ of each, m or rad.
    fn open_rows(&self) -> &[(usize, f64)];

    /// The step that closes the rows: the shortest of all.
    fn closing_step(&self) -> &[f64];

    /// The step along what the rows leave free, made after the closing one: the whole Newton step where the balance ahead is stable, else one
    /// that leads downhill.
    fn downhill_step(&self) -> &[f64];

    /// Changes of the multipliers of `open_rows`, in their order, that balance the forces after these parts of both steps.
    fn multipliers(&self, closing: f64, downhill: f64) -> Vec<f64>;

    /// Changes of the states that settle, with these parts of both steps; they are the first ones.
    fn states(&self, _closing: f64, _downhill: f64) -> Vec<f64> {
        Vec::new()
    }

    /// A state that does not come to rest whatever the states are, and its rate.
    fn moving(&self) -> Option<(usize, f64)> {
        None
    }

    /// Forces that rows do not take, N or N m.
    fn unbalanced(&self) -> Vec<f64>;

    /// Directions that the rows leave free.
    fn free(&self) -> usize;

    /// Square of the lowest frequency of small oscillations, rad²/s²; zero where it is rounding beside the highest, none without a free direction.
    fn lowest(&self) -> Option<f64>;
}

/// The largest size; NaN where one is, so that nothing seems small.
fn largest(list: impl IntoIterator<Item = f64>) -> f64 {
    list.into_iter().fold(0.0, |most, x| if x.is_nan() || x.abs() > most { x.abs() } else { most })
}

/// The first entry of largest size, with its place.
fn worst(list: &[f64]) -> Option<(usize, f64)> {
    list.iter().copied().enumerate().rev().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
}

fn size(q: &[f64]) -> f64 {
    largest(q.iter().copied()).max(1.0)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Adds changes to the first entries of a list.
fn add(list: &mut [f64], changes: &[f64]) {
    list.iter_mut().zip(changes).for_each(|(x, change)| *x += change);
}

/// Finds a stable equilibrium at time `t`, downhill of the coordinates `start` with states `states`.
pub fn equilibrium(
    equation: &mut dyn Statics,
    t: f64,
    start: &[f64],
    states: &[f64],
    seek: &Seek,
) -> Result<Equilibrium, EquilibriumFault> {
    let (n, m) = (equation.dofs(), equation.rows());
    for (what, expected, found) in [("q", equation.coords(), start.len()), ("z", equation.states(), states.len())] {
        if expected != found {
            return Err(EquilibriumFault::Refused(Failure::WrongLength { what, expected, found }));
        }
    }
    let all = n + states.len();
    let (still, mut trial_v) = (vec![0.0; all], vec![0.0; all]);
    let (mut q, mut z, mut lambda) = (start.to_vec(), states.to_vec(), vec![0.0; m]);
    let mut iterations = 0;
    loop {
        let here = equation.at_rest(t, &q, &z, &lambda)?;
        if let Some((state, rate)) = here.moving() {
            return Err(EquilibriumFault::StateMoves { state, rate });
        }
        let (close, slide) = (here.closing_step(), here.downhill_step());
        let limit = |d: &[f64]| (LONGEST / largest(d.iter().copied())).min(1.0);
        let (closing, mut sliding) = (limit(close), limit(slide));
        let change = largest(close.iter().zip(slide).map(|(close, slide)| close + slide));
        let of_states = largest(here.states(1.0, 1.0));
        let done = change <= seek.tolerance * size(&q) && of_states <= seek.tolerance * size(&z);
        if !done && iterations >= seek.max_iterations {
            return Err(blame(&*here, iterations));
        }
        // Multipliers first: they bend the forces that the trial sees.
        for ((row, _), more) in here.open_rows().iter().zip(here.multipliers(closing, sliding)) {
            lambda[*row] += more;
        }
        let before = dot(slide, here.force()).abs();
        let (mut force, mut position, mut trial) = (vec![0.0; all], vec![0.0; m], q.clone());
        for _ in 0..HALVINGS {
            let step: Vec<f64> = close.iter().zip(slide).map(|(close, slide)| close * closing + slide * sliding).collect();
            trial.copy_from_slice(&q);
            equation.retract(&mut trial, &step);
            trial_v[n..].copy_from_slice(&z);
            add(&mut trial_v[n..], &here.states(closing, sliding));
            let at = Motion { q: &trial, v: &trial_v, a: &still };
            let fine = equation.residual(t, at, &lambda, &mut force, &mut position).is_ok() && force.iter().all(|x| x.is_finite());
            // The force along the step turns against it: too far, unless it is smaller than before.
            if done || fine && dot(slide, &force) <= 0.5 * before.max(f64::MIN_POSITIVE) {
                break;
            }
            sliding *= 0.5;
        }
        q.copy_from_slice(&trial);
        z.copy_from_slice(&trial_v[n..]);
        if done {
            return finish(equation, t, (q, z, lambda), iterations);
        }
        iterations += 1;
    }
}

/// The report at the place reached.
fn finish(
    equation: &mut dyn Statics,
    t: f64,
    (q, z, lambda): (Vec<f64>, Vec<f64>, Vec<f64>),
    iterations: usize,
) -> Result<Equilibrium, EquilibriumFault> {
    let here = equation.at_rest(t, &q, &z, &lambda)?;
    let open = largest(here.open_rows().iter().map(|(_, left)| *left));
    if open > OPEN * size(&q) {
        return Err(blame(&*here, iterations));
    }
    let unbalanced = largest(here.force().iter().copied());
    Ok(Equilibrium { unbalanced, open, iterations, free: here.free(), lowest: here.lowest(), q, z, lambda })
}

/// What is worst at the place where the search ended.
fn blame(here: &dyn AtRest, iterations: usize) -> EquilibriumFault {
    let (rows, left): (Vec<usize>, Vec<f64>) = here.open_rows().iter().copied().unzip();
    if let Some((k, left)) = worst(&left).filter(|(_, left)| left.abs() > OPEN) {
        return EquilibriumFault::RowOpen { row: rows[k], left };
    }
    let (dof, force) = worst(&here.unbalanced()).unwrap_or_default();
    EquilibriumFault::Unbalanced { dof, force, iterations }
}
