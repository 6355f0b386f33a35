//! Signals at other times: forces at the times of markers.
//! Not here: splines and their derivatives (`smoothing_spline`).
//! In: even samples. Out: samples at other times, without what the new rate could not show.

use super::butterworth::{Butterworth, Correction};
use super::fault::{SignalFault, check_finite};
use crate::recording::Clock;

/// Cut-off before a change of rate, as a part of the new rate.
const PART: f64 = 0.45;

/// How far printed times may be from even ones, in intervals; times with three decimals at 100 Hz are 0.05 off.
const PRINTED: f64 = 0.1;

/// Samples at other times: low-pass at 0.45 of the new rate without lag (second order, two passes), then straight lines between samples.
///
/// The filter is left out where the old rate is too low to hold such frequencies. Samples are never picked, so that vibration above the new rate does not
/// come back as a slow motion. Times may lie up to one old interval beyond the record and then have its end value. Tests:
/// `vibration_above_the_new_rate_does_not_come_back`, `a_slow_motion_is_kept`.
pub fn resample(clock: &Clock, x: &[f64], times: &[f64], rate: f64) -> Result<Vec<f64>, SignalFault> {
    if x.len() < 2 {
        return Err(SignalFault::TooFewSamples { found: x.len(), needed: 2 });
    }
    if clock.count != x.len() {
        return Err(SignalFault::SampleCounts { times: clock.count, values: x.len() });
    }
    for rate in [rate, clock.rate] {
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(SignalFault::BadRate { rate });
        }
    }
    if clock.uneven {
        even_rate(&clock.times())?;
    }
    check_finite(x)?;
    check_finite(times)?;
    let cutoff = PART * rate;
    let filtered = if cutoff < PART * clock.rate {
        Butterworth::low_pass(2, cutoff, clock.rate, 2, Correction::Exact)?.filter(x, None)
    } else {
        x.to_vec()
    };
    let last = x.len() - 1;
    let value = |time: &f64| {
        let place = (time - clock.start) * clock.rate;
        if !(place >= -1.0 && place <= last as f64 + 1.0) {
            return Err(SignalFault::OutsideRecord { time: *time, first: clock.start, last: clock.start + last as f64 / clock.rate });
        }
        let place = place.clamp(0.0, last as f64);
        let k = (place as usize).min(last - 1);
        let part = place - k as f64;
        Ok(filtered[k] + part * (filtered[k + 1] - filtered[k]))
    };
    times.iter().map(value).collect()
}

/// Samples per second of times that are even but for the rounding of a file.
pub fn even_rate(times: &[f64]) -> Result<f64, SignalFault> {
    if times.len() < 2 {
        return Err(SignalFault::TooFewSamples { found: times.len(), needed: 2 });
    }
    check_finite(times)?;
    let (first, last) = (times[0], times[times.len() - 1]);
    let interval = (last - first) / (times.len() - 1) as f64;
    if !(interval > 0.0) {
        return Err(SignalFault::SampleTimes { sample: times.len() - 1, time: last, previous: first });
    }
    let off = |k: usize| (times[k] - first - k as f64 * interval).abs() / interval;
    let worst = (0..times.len()).max_by(|i, j| off(*i).total_cmp(&off(*j))).unwrap_or(0);
    if off(worst) > PRINTED {
        return Err(SignalFault::UnevenTimes { sample: worst, time: times[worst], off: off(worst) });
    }
    Ok(1.0 / interval)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn sine(frequency: f64, rate: f64, count: usize) -> (Clock, Vec<f64>) {
        let clock = Clock::even(rate, 0.25, count);
        let x = clock.times().iter().map(|t| (TAU * frequency * t).sin()).collect();
        (clock, x)
    }

    #[test]
    fn vibration_above_the_new_rate_does_not_come_back() {
        // 95 Hz sampled by picking at 100 Hz is a full sine of 5 Hz.
        let (clock, x) = sine(95.0, 1000.0, 2000);
        let times: Vec<f64> = (0..200).map(|k| 0.25 + f64::from(k) * 0.01).collect();
        let picked = (0..200).map(|k| x[10 * k].abs()).fold(0.0, f64::max);
        let resampled = resample(&clock, &x, &times, 100.0).expect("samples");
        let inner = resampled[10..190].iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        // Two passes keep 1/(1 + 0.172 (tan(0.095 pi)/tan(0.045 pi))^4 / 0.4142...) of it; the bound is that gain.
        let gain = Butterworth::low_pass(2, 45.0, 1000.0, 2, Correction::Exact).expect("a filter").gain(95.0);
        assert!(picked > 0.99 && inner < 1.05 * gain && gain < 0.1, "{picked} {inner} {gain}");
    }

    #[test]
    fn a_slow_motion_is_kept() {
        let (clock, x) = sine(1.0, 1000.0, 2000);
        let times: Vec<f64> = (5..190).map(|k| 0.2534 + f64::from(k) * 0.01).collect();
        let resampled = resample(&clock, &x, &times, 100.0).expect("samples");
        // The filter takes (1/45)^4/5 of it, straight lines between samples (2 pi/1000)^2/8.
        assert!(times.iter().zip(&resampled).all(|(t, v)| (v - (TAU * t).sin()).abs() < 6e-6));
        // To a higher rate nothing is filtered.
        let (clock, x) = sine(20.0, 100.0, 50);
        let same = resample(&clock, &x, &clock.times(), 1000.0).expect("samples");
        assert!(same.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn what_was_not_recorded_is_refused() {
        let (clock, x) = sine(1.0, 100.0, 50);
        assert_eq!(resample(&clock, &x, &[0.9], 100.0), Err(SignalFault::OutsideRecord { time: 0.9, first: 0.25, last: 0.74 }));
        assert!((resample(&clock, &x, &[0.745], 100.0).expect("a sample")[0] - x[49]).abs() < 1e-15);
        assert_eq!(resample(&clock, &x, &[0.3], 0.0), Err(SignalFault::BadRate { rate: 0.0 }));
        assert_eq!(resample(&clock, &x[1..], &[0.3], 10.0), Err(SignalFault::SampleCounts { times: 50, values: 49 }));
    }

    #[test]
    fn printed_times_are_even_and_others_are_not() {
        let printed: Vec<f64> = (0..100).map(|k| (f64::from(k) / 60.0 * 1000.0).round() / 1000.0).collect();
        assert!((even_rate(&printed).expect("even") - 60.0).abs() < 0.01);
        let mut uneven = printed.clone();
        uneven[40] += 0.003;
        assert!(matches!(even_rate(&uneven), Err(SignalFault::UnevenTimes { sample: 40, .. })));
        assert!(matches!(even_rate(&[1.0]), Err(SignalFault::TooFewSamples { .. })));
        assert!(matches!(even_rate(&[1.0, 1.0]), Err(SignalFault::SampleTimes { .. })));
    }
}
