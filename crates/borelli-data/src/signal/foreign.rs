//! The low-pass filter of another program, for comparison with its results.
//! Not here: a filter to use otherwise; `butterworth` has its cut-off where it says.
//! In: times and values. Out: times and values of the padded and possibly resampled record.

use super::butterworth::reflect;
use super::fault::{SignalFault, check_series};
use super::smoothing_spline::natural_quintic;
use std::f64::consts::PI;

/// Relative difference up to which the smallest interval counts as the mean one, so that nothing is resampled.
const EVEN: f64 = 1e-10;

/// The filter of OpenSim's inverse dynamics: third order forward and backward, without correction (gain 1/2 at the cut-off).
///
/// Before it, the record is lengthened on both sides by half its samples, times and values, by point reflection. If intervals are not equal to
/// round-off, the lengthened record is then resampled by a natural quintic spline at its **smallest** interval from its first time on. The first three
/// samples of each pass are copied from its input. What comes out is the whole lengthened record: that program takes its velocities and accelerations
/// from the natural quintic spline through all of it ([`natural_quintic`]), so that the ends of the trial feel what was added.
///
///     wa = tan(pi fc/fs),  D = (wa + 1)(wa² + wa + 1),  a = wa³ (1, 3, 3, 1)/D
///     b = (3 wa³ + 2 wa² - 2 wa - 3, 3 wa³ - 2 wa² - 2 wa + 3, (wa - 1)(wa² - wa + 1))/D
///     y_i = a_0 x_i + a_1 x_{i-1} + a_2 x_{i-2} + a_3 x_{i-3} - b_1 y_{i-1} - b_2 y_{i-2} - b_3 y_{i-3}
///
/// Source: OpenSim 4.6, found by trial against its results. Test: `the_foreign_filter_gives_the_inputs_of_the_other_program`.
pub fn foreign_filter(times: &[f64], x: &[f64], cutoff: f64) -> Result<(Vec<f64>, Vec<f64>), SignalFault> {
    check_series(times, x)?;
    if times.len() < 4 {
        return Err(SignalFault::TooFewSamples { found: times.len(), needed: 4 });
    }
    let pad = x.len() / 2;
    let (mut times, mut y) = (reflect(times, pad), reflect(x, pad));
    let (first, last) = (times[0], times[times.len() - 1]);
    let mean = (last - first) / (times.len() - 1) as f64;
    let smallest = times.windows(2).map(|t| t[1] - t[0]).fold(f64::INFINITY, f64::min);
    if smallest < mean * (1.0 - EVEN) {
        // A record with one interval far below the others would swell without bound.
        let count = ((last - first) / smallest).floor() + 1.0;
        if count > 1e3 * times.len() as f64 {
            return Err(SignalFault::UnevenTimes { sample: 0, time: times[pad], off: mean / smallest });
        }
        let spline = natural_quintic(&times, &y)?;
        let grid: Vec<f64> = (0..count as usize).map(|k| first + k as f64 * smallest).collect();
        y = grid.iter().map(|t| spline.derivatives(*t)[0]).collect();
        times = grid;
    }
    let rate = 1.0 / smallest;
    if !(cutoff > 0.0 && cutoff.is_finite()) {
        return Err(SignalFault::BadCutoff { cutoff });
    }
    if !(cutoff < 0.5 * rate) {
        return Err(SignalFault::CutoffTooHigh { cutoff, highest: 0.5 * rate, rate });
    }
    let wa = (PI * cutoff / rate).tan();
    for _ in 0..2 {
        y = pass(&y, wa);
        y.reverse();
    }
    Ok((times, y))
}

fn pass(x: &[f64], wa: f64) -> Vec<f64> {
    let (wa2, wa3) = (wa * wa, wa * wa * wa);
    let D = (wa + 1.0) * (wa2 + wa + 1.0);
    let a = [wa3 / D, 3.0 * wa3 / D, 3.0 * wa3 / D, wa3 / D];
    let b = [(3.0 * wa3 + 2.0 * wa2 - 2.0 * wa - 3.0) / D, (3.0 * wa3 - 2.0 * wa2 - 2.0 * wa + 3.0) / D, (wa - 1.0) * (wa2 - wa + 1.0) / D];
    let mut y = x[..3].to_vec();
    for i in 3..x.len() {
        let given: f64 = (0..4).map(|k| a[k] * x[i - k]).sum();
        let own: f64 = (0..3).map(|k| b[k] * y[i - 1 - k]).sum();
        y.push(given - own);
    }
    y
}

#[cfg(test)]
#[path = "foreign_tests.rs"]
mod tests;
