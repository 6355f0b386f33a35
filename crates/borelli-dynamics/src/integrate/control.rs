//! What the adaptive methods share: the norm of an error, the first step, fitting a step to the piece, giving up.
//! Not here: how a method chooses its next step.
//! In: states, rates, tolerances. Out: dimensionless errors (1 is the tolerance), steps in s.

use super::drive::Guard;
use super::failure::{Failure, Trouble};
use super::ode::Settings;

/// Weights of the entries: `atol + rtol |y|`, with the larger of two states; never zero.
pub fn weights(settings: &Settings, a: &[f64], b: &[f64], weight: &mut [f64]) {
    for i in 0..weight.len() {
        weight[i] = (settings.atol + settings.rtol * a[i].abs().max(b[i].abs())).max(f64::MIN_POSITIVE);
    }
}

/// Root mean square of the entries over their weights.
pub fn norm(x: &[f64], weight: &[f64]) -> f64 {
    let sum: f64 = x.iter().zip(weight).map(|(x, w)| (x / w) * (x / w)).sum();
    (sum / x.len().max(1) as f64).sqrt()
}

/// Entry with the largest value over its weight; the first that is not finite before all others.
pub fn worst(x: &[f64], weight: &[f64]) -> usize {
    let mut best = (0, -1.0);
    for (i, (x, w)) in x.iter().zip(weight).enumerate() {
        let size = (x / w).abs();
        if !size.is_finite() {
            return i;
        }
        if size > best.1 {
            best = (i, size);
        }
    }
    best.0
}

/// Shortest step at a time: the setting, and never below a few spacings of the numbers around `t`.
pub fn shortest(settings: &Settings, t: f64) -> f64 {
    settings.min_step.max(4.0 * f64::EPSILON * t.abs()).max(f64::MIN_POSITIVE)
}

/// A step from `t` that does not pass `limit`: the whole rest when it is no more than 0.1 ‰ longer than `h`. Also says where it ends.
pub fn fit(h: f64, t: f64, limit: f64) -> (f64, f64) {
    let rest = limit - t;
    if h * 1.0001 >= rest || t + h >= limit { (rest, limit) } else { (h, t + h) }
}

/// Why the last attempt failed.
#[derive(Clone, Debug)]
pub enum Miss {
    /// The error is too large; the entry is the worst.
    Error(usize),
    /// Rates could not be had.
    Trouble(Trouble),
}

/// The next, shorter attempt; or the failure when it would be too short.
pub fn shorter(settings: &Settings, t: f64, step: f64, miss: Miss) -> Result<f64, Failure> {
    if step >= shortest(settings, t) {
        return Ok(step);
    }
    Err(match miss {
        Miss::Error(entry) => Failure::StepTooSmall { t, step, entry },
        Miss::Trouble(trouble) => Failure::of(trouble, t),
    })
}

/// First step of a one-step method of order `p`, from the sizes of y, y' and a difference for y''.
///
/// Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, section II.4. `scratch` is three lists of the state's length.
pub fn first_step(
    guard: &mut Guard,
    settings: &Settings,
    (t, limit): (f64, f64),
    y: &[f64],
    dy: &[f64],
    p: usize,
    scratch: [&mut [f64]; 3],
) -> f64 {
    let longest = settings.max_step.min(limit - t);
    let bounded = |h: f64| h.max(shortest(settings, t)).min(longest);
    if let Some(step) = settings.step {
        return bounded(step);
    }
    let [weight, trial, slope] = scratch;
    weights(settings, y, y, weight);
    let (d0, d1) = (norm(y, weight), norm(dy, weight));
    let h0 = if d0 < 1e-5 || d1 < 1e-5 { 1e-6 } else { 0.01 * d0 / d1 };
    let h0 = bounded(h0);
    for i in 0..y.len() {
        trial[i] = y[i] + h0 * dy[i];
    }
    if guard.rates(t + h0, trial, slope).is_err() {
        return bounded(0.01 * h0);
    }
    for i in 0..y.len() {
        slope[i] -= dy[i];
    }
    let d2 = norm(slope, weight) / h0;
    let largest = d1.max(d2);
    let h1 = if largest <= 1e-15 { (h0 * 1e-3).max(1e-6) } else { (0.01 / largest).powf(1.0 / (p as f64 + 1.0)) };
    bounded(h1.min(100.0 * h0))
}
