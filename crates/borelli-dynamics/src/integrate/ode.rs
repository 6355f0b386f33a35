//! What an integrator is given: the equation, the settings, and the counters it fills.
//! Not here: the loop over steps (`drive`), the methods, matrices (`dense`).
//! Units are those of the equation; time in s.

use super::dense::DenseSlopes;
use super::drive::finite;
use super::failure::Trouble;
use crate::formulation;

/// A first-order system y' = f(t, y).
///
/// Methods that solve with slopes J of the rates never see a matrix: the equation keeps J (`prepare`), factors `shift` · 1 − J and solves. An
/// equation whose slopes are a full matrix gives them by `jacobian` and owns a `DenseSlopes` (`dense`); one with structure writes `prepare`,
/// `factor` and `solve` itself.
pub trait Ode {
    /// Entries of the state.
    fn dim(&self) -> usize;

    /// How many entries, from the first on, the rates depend on; those behind follow from them, as integrals do that are only counted.
    fn driving(&self) -> usize {
        self.dim()
    }

    /// Rates `dy` at a time and state. An error or a number that is not finite makes an adaptive method try a shorter step.
    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), formulation::Failure>;

    /// Exact derivatives of the rates: by the state, row by row (`jac[i * dim + j]` is the slope of rate i by entry j), and by time.
    /// `false`: not available.
    fn jacobian(&mut self, _t: f64, _y: &[f64], _jac: &mut [f64], _dt: &mut [f64]) -> Result<bool, formulation::Failure> {
        Ok(false)
    }

    /// Rates and their derivatives at once, for equations that find the first on the way to the second.
    fn linearise(&mut self, t: f64, y: &[f64], dy: &mut [f64], jac: &mut [f64], dt: &mut [f64]) -> Result<bool, formulation::Failure> {
        self.rates(t, y, dy)?;
        self.jacobian(t, y, jac, dt)
    }

    /// Memory of slopes as a full matrix, for the three methods below; methods that need slopes refuse an equation that neither has this nor
    /// writes them itself.
    fn dense(&mut self) -> Option<&mut DenseSlopes> {
        None
    }

    /// Rates and their derivative by time; slopes by the state are kept for `factor` until the next call, whatever rates are asked for meanwhile.
    fn prepare(&mut self, t: f64, y: &[f64], dy: &mut [f64], dt: &mut [f64]) -> Result<(), Trouble> {
        // Its own while the equation fills it.
        let mut dense = std::mem::take(self.dense().ok_or(Trouble::NoSlopes)?);
        let known = self.linearise(t, y, dy, dense.matrix(y.len()), dt);
        let checked = dense.check(y.len());
        if let Some(own) = self.dense() {
            *own = dense;
        }
        if !known? {
            return Err(Trouble::NoSlopes);
        }
        finite(dy)?;
        checked
    }

    /// Factors `shift` · 1 − J with the slopes of the last `prepare`.
    fn factor(&mut self, shift: f64) -> Result<(), Trouble> {
        self.dense().ok_or(Trouble::NoSlopes)?.factor(shift)
    }

    /// Solves in place with the matrix of the last `factor`.
    fn solve(&mut self, x: &mut [f64]) {
        if let Some(dense) = self.dense() {
            dense.solve(x);
        }
    }

    /// Told of each step that is kept, once, with the time and state where it ends: the end of the method's step, or inside it where an observer
    /// ended the run. Unlike `accepted`, which corrects states before observers see them, it never hears of a step that is then cut short.
    fn commit(&mut self, _t: f64, _y: &[f64]) {}

    /// Called once after each accepted step, and where an observer stops inside one; may correct the state (unit quaternions, projection on constraints). `true`: the
    /// correction is large enough that the rates at the end of the step are to be evaluated anew.
    fn accepted(&mut self, _t: f64, _y: &mut [f64]) -> bool {
        false
    }

    /// The first time after `t` at which the rates or their derivatives jump. A step ends there, and the method starts afresh.
    fn next_breakpoint(&self, _t: f64) -> Option<f64> {
        None
    }
}

/// What a user may choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Error allowed per step, relative to the size of each entry.
    pub rtol: f64,
    /// Error allowed per step, absolute, in the unit of each entry.
    pub atol: f64,
    /// Step of the fixed-step methods, and first step of the adaptive ones (which choose it themselves when absent), s.
    pub step: Option<f64>,
    /// Longest step of the adaptive methods, s.
    pub max_step: f64,
    /// An adaptive method that would have to go below this gives up, s.
    pub min_step: f64,
    /// Most attempts (accepted and rejected steps) of one call.
    pub max_steps: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { rtol: 1e-6, atol: 1e-9, step: None, max_step: f64::INFINITY, min_step: 1e-14, max_steps: 10_000_000 }
    }
}

impl Settings {
    /// Settings with both tolerances equal.
    pub fn tolerance(tolerance: f64) -> Self {
        Settings { rtol: tolerance, atol: tolerance, ..Settings::default() }
    }

    /// Settings of a fixed-step method.
    pub fn fixed(step: f64) -> Self {
        Settings { step: Some(step), ..Settings::default() }
    }
}

/// What the integration cost. Counters add up over calls with the same object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Evaluations of the rates.
    pub evaluations: usize,
    /// Accepted steps.
    pub accepted: usize,
    /// Rejected attempts.
    pub rejected: usize,
    /// Halvings of steps of a scheme with fixed steps, after rejected attempts or because the equation asked for that.
    pub cuts: usize,
    /// Evaluations of the Jacobian.
    pub jacobians: usize,
    /// Factorisations of a matrix.
    pub factorisations: usize,
    /// Iterations of Newton's method.
    pub iterations: usize,
    /// Starts from scratch: one per call and one per breakpoint passed.
    pub starts: usize,
    /// Shortest accepted step, s; zero before the first.
    pub smallest_step: f64,
    /// Longest accepted step, s.
    pub largest_step: f64,
    /// Highest order used by an accepted step.
    pub highest_order: usize,
}

impl Statistics {
    /// Notes an accepted step of a length and order.
    pub(super) fn note_step(&mut self, h: f64, order: usize) {
        self.smallest_step = if self.accepted == 0 { h } else { self.smallest_step.min(h) };
        self.largest_step = self.largest_step.max(h);
        self.highest_order = self.highest_order.max(order);
        self.accepted += 1;
    }
}
