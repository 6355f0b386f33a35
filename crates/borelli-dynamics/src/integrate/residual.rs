//! What an implicit scheme is given: equations of motion left open, rows at the level of positions, the solve for Newton's corrections.
//! Not here: schemes (`implicit`), bodies of any sort, matrices (`dense` holds small full ones; equations with structure bring their own).
//! In: time, coordinates q, velocities v, accelerations a, multipliers λ. Out: corrections towards R = 0 and Φ = 0; verdicts on steps.
//!
//!     R(t, q, v, a, λ) = 0        Φ(t, q) = 0        ∂R/∂λ = −Gᵀ with G = ∂Φ/∂q where Φ = 0                (1)
//!
//! q may be longer than v (quaternions); everything that is differentiated by q is differentiated along the directions of v. Equations may have states of first order beside:
//! they stand behind the velocities, their rates behind the accelerations, and what is left of ż = f(t, q, v, z) behind R. A state is a velocity without a way.
//!
//! In a step of a scheme all of a, v and the step s of the coordinates are linear in one unknown w, with the weights a, b, c. A correction solves
//!
//!     [ a ∂R/∂a + b ∂R/∂v + c ∂R/∂q T   −Gᵀ ] [ Δw ]   [ −R ]
//!     [ c G T                             0 ] [ Δλ ] = [ −Φ ]                                                 (2)
//!
//! T is the slope of the retraction at s. How (2) is scaled, ordered, stored and solved is the equation's own business.

use super::drive::finite;
use super::failure::Trouble;
use crate::formulation;

/// Equations of motion of second order with rows of constraints.
///
/// In each step a scheme asks for `longest_step`, then for `linearise` and `solve` in turn until the corrections are small, then whether the
/// equation `admits` the result, and tells it by `commit` once the step is kept. Between two commits trials may jump forth and back in time:
/// whatever the equation remembers of the past changes in `commit` only.
pub trait Residual {
    /// Entries of q.
    fn coords(&self) -> usize;

    /// Entries of v, a and R that belong to coordinates.
    fn dofs(&self) -> usize;

    /// Entries of v, a and R behind them: states of first order.
    fn states(&self) -> usize {
        0
    }

    /// Integrals that the equation itself does not see, such as the work done. They stand behind the states in y, and a scheme carries them along.
    fn integrals(&self) -> usize {
        0
    }

    /// Entries of λ and Φ.
    fn rows(&self) -> usize;

    /// Rates of the coordinates at velocities.
    fn rate(&self, q: &[f64], v: &[f64], qdot: &mut [f64]);

    /// Moves coordinates by a step along the directions of v.
    fn retract(&self, q: &mut [f64], step: &[f64]);

    /// Accelerations and multipliers that satisfy R = 0 and the second derivative of the rows. Also decides which rows are redundant.
    fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], a: &mut [f64], lambda: &mut [f64]) -> Result<(), formulation::Failure>;

    /// R and Φ alone.
    fn residual(&mut self, t: f64, at: Motion, lambda: &[f64], force: &mut [f64], position: &mut [f64])
    -> Result<(), formulation::Failure>;

    /// A better guess than accelerations of zero for the end of a step that begins with `before`: writes the Δw that leads there from the trial.
    /// `false`: there is none.
    fn predict(&mut self, _before: Motion, _trial: &Trial, _correction: &mut [f64]) -> bool {
        false
    }

    /// Rates of the integrals; accelerations may be missing.
    fn fill_rates(&mut self, _t: f64, _at: Motion, _lambda: &[f64], _out: &mut [f64]) -> Result<(), formulation::Failure> {
        Ok(())
    }

    /// Evaluates (1) at a trial and makes ready to solve (2) there. An equation may go on with the slopes of an earlier trial as long as it likes to.
    /// Entries that trouble names are counted among those of v.
    fn linearise(&mut self, trial: &Trial) -> Result<Linearised, Trouble>;

    /// Writes Δw and Δλ of (2) at the trial of the last `linearise`; a row that does not take part gets the Δλ that makes its λ zero. `false`:
    /// the iteration must not end with this correction however small it is, because it is only part of the way or the equation has changed a
    /// decision of its own (which surfaces touch).
    fn solve(&mut self, correction: &mut [f64], multipliers: &mut [f64]) -> Result<bool, Trouble>;

    /// The longest step wanted from an accepted state y = (q, v, states, integrals), s; asked before each step.
    fn longest_step(&mut self, _t: f64, _y: &[f64]) -> f64 {
        f64::INFINITY
    }

    /// Whether a step that is solved may stand; asked with its end, before it is accepted. `false`: a shorter one is made instead.
    fn admits(&mut self, _t: f64, _y: &[f64]) -> bool {
        true
    }

    /// Whether a shorter step could mend what went wrong in one. Where not, the run ends with the trouble named; that is the default, since
    /// steps that are shorter than the ones asked for change the results. Entries of the trouble are those of the state.
    fn shorter_step_may_help(&self, _trouble: &Trouble) -> bool {
        false
    }

    /// Told of each step that is kept, once, with the time and state where it ends: the end of the scheme's step, or inside it where an observer
    /// ended the run.
    fn commit(&mut self, _t: f64, _y: &[f64]) {}

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

/// Derivatives of acceleration, velocity and displacement by the unknown of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of accelerations and rates of states.
    pub a: f64,
    /// Of velocities and states.
    pub b: f64,
    /// Of the step of the coordinates.
    pub c: f64,
}

/// Where Newton's iteration stands at the end of a step.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// Time of the end of the step, s.
    pub t: f64,
    /// The motion there.
    pub at: Motion<'a>,
    /// Multipliers.
    pub lambda: &'a [f64],
    /// The step of the coordinates that led to `at.q` from the last accepted ones, along the directions of v.
    pub step: &'a [f64],
    /// How the next correction will enter.
    pub weights: Weights,
    /// Iterations made before in this attempt of a step.
    pub iteration: usize,
}

/// What an equation reports of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linearised {
    /// The row that is open most, of those that take part.
    pub row: Option<usize>,
    /// Whether slopes were taken and factored for this trial.
    pub renewed: bool,
}

impl Linearised {
    /// The report of fresh slopes where R and Φ are these; or the first number that is not finite. Rows that are not `active` do not count.
    pub fn of(force: &[f64], position: &[f64], active: impl Fn(usize) -> bool) -> Result<Self, Trouble> {
        finite(force)?;
        let rows = || (0..position.len()).filter(|row| active(*row));
        if let Some(row) = rows().find(|row| !position[*row].is_finite()) {
            return Err(Trouble::RowNotFinite { row });
        }
        let row = rows().max_by(|r, s| position[*r].abs().total_cmp(&position[*s].abs()));
        Ok(Linearised { row, renewed: true })
    }
}
