//! Integrals that an implicit scheme carries along (`Residual::integrals`), step by step.
//! Not here: what is integrated, and the steps.
//! In: both ends of a step. Out: the integrals at its end, by Simpson's rule along the cubic through both ends.
//!
//!     w₁ = w₀ + h/6 (ẇ₀ + 4 ẇ_m + ẇ₁)        q_m = q₀ ∘ exp(s/2 + h (v₀ − v₁)/8)        v_m = 3s/(2h) − (v₀ + v₁)/4        (1)
//!
//! | s step of the coordinates | h its length | v_m velocity along the cubic, not that of the scheme | multipliers in the middle: the mean |
//!
//! The power of a force along its own way is the work of the force whatever the scheme makes of it: what a balance of energy leaves open is then the
//! scheme's loss or gain. A sum that follows the scheme (mean force times step) would hide it: that of the mean acceleration closes to rounding
//! even where the energy grows.
//!
//! Order 4 along slides and hinges. Turns of a ball joint have v_m to order 2 only, which is the order of the schemes.
//! Where an integrand begins inside a step (surfaces that meet there) the rule cannot see when: of a force that begins from zero with
//! the slope k the error is at most k |s|²/24 per beginning; of a force F that jumps it is up to F |s|/3, of order 1.
//! Between the ends of a step integrals are the cubic through both ends and rates, as coordinates are.

use super::residual::{Motion, Residual};
use crate::formulation::Failure;

/// Memory for the middle of a step.
pub(super) struct Quadrature {
    q: Vec<f64>,
    v: Vec<f64>,
    step: Vec<f64>,
    lambda: Vec<f64>,
    rates: Vec<f64>,
}

/// One end of a step.
pub(super) struct StepEnd<'a> {
    /// Velocities and states.
    pub(super) v: &'a [f64],
    /// Their rates.
    pub(super) a: &'a [f64],
    pub(super) lambda: &'a [f64],
    /// Rates of the integrals.
    pub(super) rates: &'a [f64],
}

impl Quadrature {
    /// Memory for an equation.
    pub(super) fn new(equation: &dyn Residual) -> Self {
        let list = |n: usize| vec![0.0; n];
        Quadrature {
            q: list(equation.coords()),
            v: list(equation.dofs() + equation.states()),
            step: list(equation.dofs()),
            lambda: list(equation.rows()),
            rates: list(equation.integrals()),
        }
    }

    /// How many integrals there are.
    pub(super) fn len(&self) -> usize {
        self.rates.len()
    }

    /// Equation (1): adds what a step from `q` brings, in the middle of which time is `t`.
    pub(super) fn advance(
        &mut self,
        equation: &mut dyn Residual,
        (t, h): (f64, f64),
        (q, step): (&[f64], &[f64]),
        [before, after]: [StepEnd; 2],
        w: &mut [f64],
    ) -> Result<(), Failure> {
        if w.is_empty() {
            return Ok(());
        }
        let n = step.len();
        for (i, v) in self.v.iter_mut().enumerate() {
            let (v0, v1) = (before.v[i], after.v[i]);
            if i < n {
                self.step[i] = 0.5 * step[i] + 0.125 * h * (v0 - v1);
                *v = 1.5 * step[i] / h - 0.25 * (v0 + v1);
            } else {
                *v = 0.5 * (v0 + v1) + 0.125 * h * (before.a[i] - after.a[i]);
            }
        }
        self.lambda.iter_mut().zip(before.lambda.iter().zip(after.lambda)).for_each(|(mean, (l0, l1))| *mean = 0.5 * (l0 + l1));
        self.q.copy_from_slice(q);
        equation.retract(&mut self.q, &self.step);
        // The integrands see no accelerations.
        equation.fill_rates(t, Motion { q: &self.q, v: &self.v, a: &[] }, &self.lambda, &mut self.rates)?;
        for (k, w) in w.iter_mut().enumerate() {
            *w += h / 6.0 * (before.rates[k] + 4.0 * self.rates[k] + after.rates[k]);
        }
        Ok(())
    }
}
