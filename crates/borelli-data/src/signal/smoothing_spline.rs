//! Smoothing splines of fifth degree, with as much smoothing as generalised cross-validation asks for, or a given amount, or none.
//! Not here: the algebra of natural quintic splines (`borelli_math::function::QuinticKnots`).
//! In: times, even or not, values, weights. Out: value and derivatives at any time.

use super::fault::{SignalFault, check_series};
use borelli_math::banded::Banded;
use borelli_math::function::{Outside, QuinticKnots, Table};
use std::f64::consts::TAU;

/// A natural quintic spline near the samples.
///
/// It minimises, over all functions with a third derivative,
///
///     sum of w_i (y_i - s(t_i))² + λ integral of s'''²                              (1)
///
/// and is found from `(R + λ Qᵀ W⁻¹ Q) c = Qᵀ y`, `g = y - λ W⁻¹ Q c`, all matrices having few bands, in time proportional to the number of samples.
/// On even samples of interval h a sine of frequency f keeps `1/(1 + λ h (2 pi f)⁶)` of its amplitude.
///
/// | y, t samples | w `weights` – | λ `lambda` s⁵ | g values of the spline at the samples |
///
/// Generalised cross-validation takes the λ with the least
///
///     V(λ) = n |W^½ (I - A) y|² / tr(I - A)²,    g = A y                            (2)
///
/// Source: H. J. Woltring 1986, Adv. Eng. Softw. 8:104-113; P. Craven and G. Wahba 1979, Numer. Math. 31:377-403. The trace needs only the bands of an
/// inverse (M. F. Hutchinson and F. R. de Hoog 1985). Limits: (2) takes noise to be independent from sample to sample; where neighbouring samples share
/// their noise, as after a filter, it smooths too little. Beyond the first and last sample the end polynomial goes on.
///
/// Tests: `a_noisy_sine_is_found_again_with_its_acceleration`, `the_spline_is_the_minimum_of_its_cost`,
/// `cross_validation_by_bands_is_that_of_full_matrices`, `a_missing_sample_is_one_without_weight`.
#[derive(Clone, Debug)]
pub struct SmoothingSpline {
    table: Table,
    lambda: f64,
    interval: f64,
    parameters: f64,
    noise: f64,
}

/// The natural quintic spline through all samples: third and fourth derivative zero at the ends.
pub fn natural_quintic(t: &[f64], y: &[f64]) -> Result<SmoothingSpline, SignalFault> {
    SmoothingSpline::with(t, y, 0.0)
}

impl SmoothingSpline {
    /// The spline that generalised cross-validation chooses.
    pub fn gcv(t: &[f64], y: &[f64]) -> Result<SmoothingSpline, SignalFault> {
        Problem::new(t, y, None)?.choose()
    }

    /// As [`SmoothingSpline::gcv`] with a weight for every sample: the inverse square of its noise, up to a factor; zero leaves it out.
    pub fn gcv_weighted(t: &[f64], y: &[f64], weights: &[f64]) -> Result<SmoothingSpline, SignalFault> {
        Problem::new(t, y, Some(weights))?.choose()
    }

    /// The spline of a given smoothing; zero passes through the samples.
    pub fn with(t: &[f64], y: &[f64], lambda: f64) -> Result<SmoothingSpline, SignalFault> {
        Problem::new(t, y, None)?.spline(lambda)
    }

    /// As [`SmoothingSpline::with`] with a weight for every sample; zero leaves it out.
    pub fn with_weights(t: &[f64], y: &[f64], weights: &[f64], lambda: f64) -> Result<SmoothingSpline, SignalFault> {
        Problem::new(t, y, Some(weights))?.spline(lambda)
    }

    /// Value, first, second and third derivative at a time.
    pub fn derivatives(&self, t: f64) -> [f64; 4] {
        self.table.derivatives(t)
    }

    /// The spline as a table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How much it smooths, s⁵ (over the unit of the weights).
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// Frequency at which it halves a sine, Hz, by the mean interval; infinite for a spline through its samples.
    pub fn cutoff(&self) -> f64 {
        1.0 / (TAU * (self.lambda * self.interval).powf(1.0 / 6.0))
    }

    /// How many free parameters it uses, tr A: from three for a parabola to the number of samples.
    pub fn parameters(&self) -> f64 {
        self.parameters
    }

    /// Estimated standard deviation of the noise of a sample of weight one; zero for a spline through its samples.
    pub fn noise(&self) -> f64 {
        self.noise
    }
}

/// What does not depend on λ.
struct Problem {
    knots: QuinticKnots,
    y: Vec<f64>,
    /// One over the weights.
    variance: Vec<f64>,
    gram: Banded,
    penalty: Banded,
    /// `Qᵀ y`.
    right: Vec<f64>,
    interval: f64,
}

/// A solution for one λ.
struct Solution {
    c: Vec<f64>,
    /// Sum of weighted squares left over, without the factor λ².
    squares: f64,
    /// `tr(I - A)` without the factor λ.
    trace: f64,
}

/// Points per decade of the cut-off at which (2) is looked at before the best is refined.
const PER_DECADE: f64 = 12.0;

impl Problem {
    fn new(t: &[f64], y: &[f64], weights: Option<&[f64]>) -> Result<Problem, SignalFault> {
        check_series(t, y)?;
        let weights = match weights {
            Some(weights) if weights.len() != y.len() => return Err(SignalFault::SampleCounts { times: t.len(), values: weights.len() }),
            Some(weights) => weights.to_vec(),
            None => vec![1.0; y.len()],
        };
        if let Some(sample) = weights.iter().position(|w| !(*w >= 0.0 && w.is_finite())) {
            return Err(SignalFault::BadWeight { sample, weight: weights[sample] });
        }
        let used: Vec<usize> = (0..y.len()).filter(|i| weights[*i] > 0.0).collect();
        if used.len() < 2 {
            return Err(SignalFault::TooFewSamples { found: used.len(), needed: 2 });
        }
        let take = |list: &[f64]| -> Vec<f64> { used.iter().map(|i| list[*i]).collect() };
        let knots = QuinticKnots::new(take(t));
        let (y, variance) = (take(y), used.iter().map(|i| 1.0 / weights[*i]).collect::<Vec<f64>>());
        let (gram, penalty, right) = (knots.gram(), knots.penalty(&variance), knots.differences(&y));
        let span = knots.knots();
        let interval = (span[span.len() - 1] - span[0]) / (span.len() - 1) as f64;
        Ok(Problem { knots, y, variance, gram, penalty, right, interval })
    }

    fn solve(&self, lambda: f64) -> Option<Solution> {
        let factor = self.gram.plus(lambda, &self.penalty).factor()?;
        let mut c = self.right.clone();
        factor.solve(&mut c);
        let squares = self.knots.spread(&c).iter().zip(&self.variance).map(|(e, v)| e * e * v).sum();
        let inverse = factor.inverse_bands();
        let both = self.penalty.rows.iter().zip(&inverse.rows);
        let trace = both.map(|(p, b)| p[0] * b[0] + 2.0 * (p[1] * b[1] + p[2] * b[2] + p[3] * b[3])).sum();
        Some(Solution { c, squares, trace })
    }

    /// (2), the factors λ² of numerator and denominator cancelled.
    fn score(&self, lambda: f64) -> f64 {
        self.solve(lambda).map_or(f64::INFINITY, |s| self.y.len() as f64 * s.squares / (s.trace * s.trace))
    }

    fn choose(&self) -> Result<SmoothingSpline, SignalFault> {
        let n = self.y.len();
        if n < 4 {
            return Err(SignalFault::TooFewSamples { found: n, needed: 4 });
        }
        // From one and a half times half the rate down to a third of a cycle in the whole record; weights change the scale of λ.
        let weight = n as f64 / self.variance.iter().sum::<f64>();
        let lambda = |ln_cutoff: f64| weight / (self.interval * (TAU * ln_cutoff.exp()).powi(6));
        let (low, high) = ((1.0 / (3.0 * self.interval * (n - 1) as f64)).ln(), (0.75 / self.interval).ln());
        let points = ((high - low) / 10.0_f64.ln() * PER_DECADE).ceil() as usize + 1;
        let at = |k: usize| low + (high - low) * k as f64 / (points - 1) as f64;
        let scores: Vec<f64> = (0..points).map(|k| self.score(lambda(at(k)))).collect();
        let best = (0..points).min_by(|i, j| scores[*i].total_cmp(&scores[*j])).unwrap_or(0);
        let refined = golden(at(best.saturating_sub(1)), at((best + 1).min(points - 1)), |x| self.score(lambda(x)));
        self.spline(lambda(refined))
    }

    fn spline(&self, lambda: f64) -> Result<SmoothingSpline, SignalFault> {
        let lost = SignalFault::BadSmoothing { lambda };
        if !(lambda >= 0.0 && lambda.is_finite()) {
            return Err(lost);
        }
        let Solution { c, squares, trace } = self.solve(lambda).ok_or(lost.clone())?;
        let moved = self.knots.spread(&c);
        let g: Vec<f64> = (0..self.y.len()).map(|i| self.y[i] - lambda * self.variance[i] * moved[i]).collect();
        let table = self.knots.table(&g, &c, Outside::Error).map_err(|_| lost)?;
        let noise = if lambda > 0.0 && trace > 0.0 { (lambda * squares / trace).sqrt() } else { 0.0 };
        Ok(SmoothingSpline { table, lambda, interval: self.interval, parameters: self.y.len() as f64 - lambda * trace, noise })
    }
}

/// The place of the least value of a function between two places, by golden section, to 1e-5 of a factor e.
fn golden(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut f_a, mut f_b) = (f(a), f(b));
    while high - low > 1e-5 {
        if f_a <= f_b {
            (high, b, f_b) = (b, a, f_a);
            a = high - ratio * (high - low);
            f_a = f(a);
        } else {
            (low, a, f_a) = (a, b, f_b);
            b = low + ratio * (high - low);
            f_b = f(b);
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
#[path = "smoothing_spline_tests.rs"]
mod tests;
