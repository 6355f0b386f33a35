//! What an implicit scheme is given: equations of motion left open, rows at the level of positions, and their exact tangents.
//! Not here: schemes (`implicit`), bodies of any sort.
//! In: time, coordinates q, velocities v, accelerations a, multipliers λ. Out: R and Φ, which a motion makes zero, and their slopes.
//!
//!     R(t, q, v, a, λ) = 0        Φ(t, q) = 0        ∂R/∂λ = −Gᵀ with G = ∂Φ/∂q where Φ = 0                (1)
//!
//! q may be longer than v (quaternions); everything that is differentiated by q is differentiated along the directions of v. Equations may have states of first order beside:
//! they stand behind the velocities, their rates behind the accelerations, and what is left of ż = f(t, q, v, z) behind R. A state is a velocity without a way.

use crate::formulation;

/// Equations of motion of second order with rows of constraints.
pub trait Residual {
    /// Entries of q.
    fn coords(&self) -> usize;

    /// Entries of v, a and R that belong to coordinates.
    fn dofs(&self) -> usize;

    /// Entries of v, a and R behind them: states of first order.
    fn states(&self) -> usize {
        0
    }

    /// Entries of λ and Φ.
    fn rows(&self) -> usize;

    /// Whether a row takes part: not released, not redundant. Of a row that does not, λ is zero and Φ is not asked for.
    fn active(&self, row: usize) -> bool;

    /// Whether a row is not held at all.
    fn released(&self, _row: usize) -> bool {
        false
    }

    /// Rates of the coordinates at velocities.
    fn rate(&self, q: &[f64], v: &[f64], qdot: &mut [f64]);

    /// Moves coordinates by a step along the directions of v.
    fn retract(&self, q: &mut [f64], step: &[f64]);

    /// Turns slopes by a further step taken at the end of a retraction into slopes by the retraction's own `step`: multiplies each row of `matrix` (of
    /// length `dofs`) with the derivative of the retraction. Nothing to do where coordinates simply add up.
    fn through_retraction(&self, _step: &[f64], _matrix: &mut [f64]) {}

    /// Accelerations and multipliers that satisfy R = 0 and the second derivative of the rows. Also decides which rows are redundant.
    fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], a: &mut [f64], lambda: &mut [f64]) -> Result<(), formulation::Failure>;

    /// R and Φ alone.
    fn residual(&mut self, t: f64, at: Motion, lambda: &[f64], force: &mut [f64], position: &mut [f64])
    -> Result<(), formulation::Failure>;

    /// R, Φ and all slopes.
    fn linearise(&mut self, t: f64, at: Motion, lambda: &[f64], out: &mut Tangents) -> Result<(), formulation::Failure>;

    /// Corrects coordinates and velocities that come from an interpolant (unit quaternions).
    fn correct(&mut self, _q: &mut [f64], _v: &mut [f64]) {}

    /// The first time after `t` at which forces or rows jump. A step ends there, and the scheme starts afresh.
    fn next_breakpoint(&self, _t: f64) -> Option<f64> {
        None
    }
}

/// Coordinates, velocities and accelerations at one time.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    /// Coordinates.
    pub q: &'a [f64],
    /// Velocities, then states.
    pub v: &'a [f64],
    /// Accelerations, then rates of states.
    pub a: &'a [f64],
}

/// R and Φ with their slopes; matrices row by row.
#[derive(Clone, Debug)]
pub struct Tangents {
    /// R, N or N m, then what is left of the rates of states.
    pub force: Vec<f64>,
    /// Φ, m or rad.
    pub position: Vec<f64>,
    /// ∂R/∂q at given λ, (dofs + states) × dofs.
    pub by_q: Vec<f64>,
    /// ∂R/∂v, (dofs + states) × (dofs + states).
    pub by_v: Vec<f64>,
    /// ∂R/∂a, the mass matrix and behind it ones, (dofs + states) × (dofs + states).
    pub by_a: Vec<f64>,
    /// ∂Φ/∂q, rows × dofs.
    pub G: Vec<f64>,
    /// −∂R/∂λ, transposed, rows × dofs: what a unit multiplier does. Equal to `G` where Φ = 0.
    pub effect: Vec<f64>,
}

impl Tangents {
    /// Memory for equations without states.
    pub fn new(dofs: usize, rows: usize) -> Self {
        Tangents::with_states(dofs, 0, rows)
    }

    /// Memory.
    pub fn with_states(dofs: usize, states: usize, rows: usize) -> Self {
        let all = dofs + states;
        let (square, flat) = (|| vec![0.0; all * all], || vec![0.0; rows * dofs]);
        Tangents {
            force: vec![0.0; all],
            position: vec![0.0; rows],
            by_q: vec![0.0; all * dofs],
            by_v: square(),
            by_a: square(),
            G: flat(),
            effect: flat(),
        }
    }
}
