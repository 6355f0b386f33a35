//! Where a force plate is at rest.
//! Not here: what is subtracted (`plate`).
//! In: the normal load of a plate as it was measured. Out: the samples in which nobody stands on it.

use super::BaselineRule;
use crate::recording::{Clock, Repair};
use std::ops::Range;

/// Shortest stretch of rest, s.
const SHORTEST: f64 = 0.2;

/// Largest normal load of a plate at rest, N.
const LARGEST: f64 = 50.0;

/// Largest standard deviation of the normal load at rest, N.
const LOUDEST: f64 = 5.0;

/// Time beside a contact that does not count as rest, s.
const TRIM: f64 = 0.1;

/// Samples at rest and how they were found.
pub(super) struct Rest {
    pub samples: Range<usize>,
    pub why: &'static str,
}

/// The samples at rest, by the rule; where there are none, the reason goes to `repairs`.
///
/// Automatic: the frames of ZERO, if 1 <= first <= last <= frames and the mean load there is at most 50 N; else the longest stretch of at least
/// 0.2 s in which the normal load stays within 50 N of zero with a standard deviation below 5 N, without the tenth of a second next to a contact.
///
/// Tests: `the_longest_quiet_stretch_is_found`, `both_plates_of_a_walk_that_were_not_zeroed_are`.
pub(super) fn rest(
    rule: BaselineRule,
    zero: (i32, i32),
    frames: usize,
    clock: &Clock,
    load: &[f64],
    at: &str,
    repairs: &mut Vec<Repair>,
) -> Option<Rest> {
    let mut tell = |found: String, done: &str| repairs.push(Repair::new(at, found, done));
    let (first, last) = zero;
    let named = (1 <= first && first <= last && last as usize <= frames).then(|| {
        let per_frame = load.len() / frames;
        (first as usize - 1) * per_frame..last as usize * per_frame
    });
    let named = named.filter(|samples| !samples.is_empty());
    match rule {
        BaselineRule::None => None,
        BaselineRule::File => {
            if named.is_none() {
                tell(format!("ZERO names frames {first} to {last} of {frames}"), "no baseline is subtracted");
            }
            named.map(|samples| Rest { samples, why: "frames of ZERO" })
        }
        BaselineRule::Window(from, to) => {
            let samples = window(clock, load.len(), from, to);
            if samples.is_none() {
                tell(format!("no samples between {from} s and {to} s"), "no baseline is subtracted");
            }
            samples.map(|samples| Rest { samples, why: "the stretch asked for" })
        }
        BaselineRule::Auto => {
            if let Some(samples) = named {
                let mean = load[samples.clone()].iter().sum::<f64>() / samples.len() as f64;
                if mean.abs() <= LARGEST {
                    return Some(Rest { samples, why: "frames of ZERO" });
                }
                tell(format!("a load of {mean:.1} N in frames {first} to {last}, which ZERO calls unloaded"), "ZERO is not believed");
            }
            let shortest = (SHORTEST * clock.rate).ceil() as usize;
            let found = quiet(load, shortest.max(2)).map(|samples| trimmed(samples, load.len(), clock.rate, shortest));
            if found.is_none() && !load.is_empty() {
                let found = format!("nowhere at rest: no {SHORTEST} s within {LARGEST} N of zero that deviate less than {LOUDEST} N");
                tell(found, "no baseline is subtracted");
            }
            found.map(|samples| Rest { samples, why: "longest quiet stretch" })
        }
    }
}

/// A stretch of rest without the moments before and after a contact, in which the load already rises or still falls: a tenth of a second at every end that is not an end of
/// the record, as far as the stretch stays long enough.
fn trimmed(samples: Range<usize>, count: usize, rate: f64, shortest: usize) -> Range<usize> {
    let most = samples.len().saturating_sub(shortest) / 2;
    let cut = ((TRIM * rate).round() as usize).min(most);
    let (first, last) = (if samples.start > 0 { cut } else { 0 }, if samples.end < count { cut } else { 0 });
    samples.start + first..samples.end - last
}

/// Samples of a stretch of time.
fn window(clock: &Clock, count: usize, from: f64, to: f64) -> Option<Range<usize>> {
    let place = |t: f64| ((t - clock.start) * clock.rate).clamp(0.0, count as f64);
    let (first, end) = (place(from).ceil() as usize, (place(to).floor() as usize + 1).min(count));
    (from <= to && to >= clock.start && first < end).then_some(first..end)
}

/// The longest stretch within 50 N of zero that deviates less than 5 N. A window runs along the samples; it lets go of its first ones
/// while it deviates too much.
fn quiet(load: &[f64], shortest: usize) -> Option<Range<usize>> {
    let mut best: Option<Range<usize>> = None;
    let (mut start, mut sum, mut squares) = (0, 0.0, 0.0);
    for (k, x) in load.iter().enumerate() {
        if !(x.abs() <= LARGEST) {
            (start, sum, squares) = (k + 1, 0.0, 0.0);
            continue;
        }
        sum += x;
        squares += x * x;
        let deviates = |start: usize, sum: f64, squares: f64| {
            let n = (k + 1 - start) as f64;
            squares / n - (sum / n) * (sum / n) >= LOUDEST * LOUDEST
        };
        while start < k && deviates(start, sum, squares) {
            sum -= load[start];
            squares -= load[start] * load[start];
            start += 1;
        }
        let length = k + 1 - start;
        if length >= shortest && best.as_ref().is_none_or(|best| length > best.len()) {
            best = Some(start..k + 1);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_quiet_stretch_is_found() {
        // 300 samples at -15 N, a step of 800 N, 500 samples at -18 N with a noise of 2 N, another step
        let mut load = vec![-15.0; 300];
        load.extend([800.0; 200]);
        load.extend((0..500).map(|k| if k % 2 == 0 { -16.0 } else { -20.0 }));
        load.extend([700.0; 100]);
        assert_eq!(quiet(&load, 200), Some(500..1000));
        assert_eq!(quiet(&load[..500], 200), Some(0..300));
        assert_eq!(quiet(&load[..500], 301), None);
        // a slow rise is within 50 N but no rest
        let rise: Vec<f64> = (0..1000).map(|k| f64::from(k) * 0.05).collect();
        assert!(quiet(&rise, 500).is_none());
        assert_eq!(quiet(&[f64::NAN, 1.0, 1.0], 2), Some(1..3));
    }

    #[test]
    fn what_rises_before_a_contact_is_no_rest() {
        assert_eq!(trimmed(0..500, 2000, 1000.0, 200), 0..400);
        assert_eq!(trimmed(900..2000, 2000, 1000.0, 200), 1000..2000);
        assert_eq!(trimmed(900..1500, 2000, 1000.0, 200), 1000..1400);
        assert_eq!(trimmed(0..250, 2000, 1000.0, 200), 0..225);
    }

    #[test]
    fn a_stretch_of_time_is_turned_into_samples() {
        let clock = Clock::even(100.0, 0.0, 200);
        assert_eq!(window(&clock, 200, 0.5, 1.0), Some(50..101));
        assert_eq!(window(&clock, 200, -1.0, 9.0), Some(0..200));
        assert_eq!(window(&clock, 200, 1.0, 0.5), None);
        assert_eq!(window(&clock, 200, 5.0, 6.0), None);
        assert_eq!(window(&clock, 200, f64::NAN, 6.0), None);
    }
}
