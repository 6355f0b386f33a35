//! Stretches of a signal between gaps: filtering each by itself, and angles without jumps.
//! Not here: filling gaps (`gap`).
//! In: samples with a mask. Out: the same samples, changed in place, and what was left alone.

use super::butterworth::Butterworth;
use std::f64::consts::{PI, TAU};
use std::ops::Range;

/// A stretch that was too short to filter and was left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfiltered {
    /// Samples of the stretch.
    pub samples: Range<usize>,
    /// Fewest samples that would have been filtered.
    pub needed: usize,
}

/// Stretches in which a signal was seen, in order. An empty mask says that all `count` samples were.
pub fn segments(seen: &[bool], count: usize) -> Vec<Range<usize>> {
    if seen.is_empty() {
        return (count > 0).then_some(0..count).into_iter().collect();
    }
    let mut list: Vec<Range<usize>> = Vec::new();
    for k in (0..seen.len()).filter(|k| seen[*k]) {
        match list.last_mut() {
            Some(last) if last.end == k => last.end = k + 1,
            _ => list.push(k..k + 1),
        }
    }
    list
}

/// Filters every stretch between gaps by itself. A stretch shorter than three pads is left as it is and told.
///
/// Each stretch gets its own ends: nothing of one side of a gap reaches the other. What stands where nothing was seen is not looked at. An empty mask says
/// that everything was seen. Tests: `nothing_crosses_a_gap`, `short_stretches_are_left_and_told`.
pub fn filter_seen(x: &mut [f64], seen: &[bool], filter: &Butterworth, pad: Option<usize>) -> Vec<Unfiltered> {
    let needed = 3 * pad.unwrap_or(filter.pad());
    let mut left = Vec::new();
    for samples in segments(seen, x.len()) {
        if samples.len() < needed {
            left.push(Unfiltered { samples, needed });
            continue;
        }
        let filtered = filter.filter(&x[samples.clone()], pad);
        x[samples].copy_from_slice(&filtered);
    }
    left
}

/// Adds whole turns so that an angle (rad) never steps by more than half a turn from one seen sample to the next. An empty mask says that all were seen.
///
/// Across a gap the nearest turn is taken as well, which is right as long as less than half a turn was missed. Test:
/// `an_angle_that_turns_twice_is_unwrapped`.
pub fn unwrap_angles(x: &mut [f64], seen: &[bool]) {
    let mut previous: Option<f64> = None;
    for (k, value) in x.iter_mut().enumerate() {
        if seen.get(k).is_some_and(|seen| !seen) || !value.is_finite() {
            continue;
        }
        if let Some(previous) = previous {
            let step = *value - previous;
            if step.abs() > PI {
                *value -= (step / TAU).round() * TAU;
            }
        }
        previous = Some(*value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Correction;

    fn filter() -> Butterworth {
        Butterworth::low_pass(2, 6.0, 100.0, 2, Correction::Exact).expect("a filter")
    }

    #[test]
    fn nothing_crosses_a_gap() {
        let mut seen = vec![true; 100];
        seen[40..50].fill(false);
        // Level before the gap, another level after it, nonsense within: a filter that looked across would smear it.
        let mut x: Vec<f64> = (0..100)
            .map(|k| {
                if k < 40 {
                    1.0
                } else if k < 50 {
                    1e9
                } else {
                    -3.0
                }
            })
            .collect();
        let before = x.clone();
        assert!(filter_seen(&mut x, &seen, &filter(), None).is_empty());
        assert!(x.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-12));
        assert_eq!(segments(&seen, 100), [0..40, 50..100]);
        assert!(matches!(segments(&[], 7)[..], [Range { start: 0, end: 7 }]));
        assert_eq!(segments(&[false; 3], 3), []);
        // Without gaps it is the filter.
        let signal: Vec<f64> = (0..60).map(|k| (f64::from(k) * 0.3).sin()).collect();
        let mut filtered = signal.clone();
        filter_seen(&mut filtered, &[], &filter(), Some(20));
        assert_eq!(filtered, filter().filter(&signal, Some(20)));
    }

    #[test]
    fn short_stretches_are_left_and_told() {
        let seen: Vec<bool> = (0..80).map(|k| !(k == 26 || k == 54)).collect();
        let mut x: Vec<f64> = (0..80).map(|k| f64::from(k % 2)).collect();
        let before = x.clone();
        let left = filter_seen(&mut x, &seen, &filter(), None);
        // Three pads of nine are 27; the stretches have 26, 27 and 25 samples.
        assert_eq!(left, [Unfiltered { samples: 0..26, needed: 27 }, Unfiltered { samples: 55..80, needed: 27 }]);
        assert_eq!((&x[..27], &x[54..]), (&before[..27], &before[54..]));
        assert!((27..54).any(|k| (x[k] - before[k]).abs() > 0.1));
    }

    #[test]
    fn an_angle_that_turns_twice_is_unwrapped() {
        let turning: Vec<f64> = (0..200).map(|k| -0.4 + 0.07 * f64::from(k)).collect();
        let mut wrapped: Vec<f64> = turning.iter().map(|a| a.sin().atan2(a.cos())).collect();
        let seen: Vec<bool> = (0..200).map(|k| !(90..110).contains(&k)).collect();
        wrapped[100] = 77.0;
        unwrap_angles(&mut wrapped, &seen);
        assert!((0..200).filter(|k| seen[*k]).all(|k| (wrapped[k] - turning[k]).abs() < 1e-12));
        assert_eq!(wrapped[100], 77.0, "what was not seen is not touched");
    }
}
