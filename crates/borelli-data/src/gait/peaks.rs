//! Peaks of a sampled signal, to a fraction of a sample.
//! Not here: what a peak means.
//! In: values with a mask. Out: times of maxima, s.

use crate::recording::Clock;

/// Maxima above `floor`, at least `apart` seconds from each other (the higher wins), refined by the parabola through three samples:
/// with neighbours a, b, c the peak lies `(a - c)/(2 (a - 2 b + c))` samples after b. The first and last sample of a stretch are no peaks.
///
/// Test: `a_peak_between_samples_is_found_where_it_is`.
pub(super) fn peaks(clock: &Clock, x: &[f64], seen: &[bool], floor: f64, apart: f64) -> Vec<f64> {
    let interior = 1..x.len().saturating_sub(1);
    let mut found: Vec<(f64, f64)> = interior
        .filter(|k| seen[k - 1] && seen[*k] && seen[k + 1] && x[*k] > floor && x[*k] > x[k - 1] && x[*k] >= x[k + 1])
        .map(|k| {
            let (a, b, c) = (x[k - 1], x[k], x[k + 1]);
            let shift = 0.5 * (a - c) / (a - 2.0 * b + c);
            let time = clock.time(k) + shift * (clock.time(k + 1) - clock.time(k));
            (time, b - 0.25 * (a - c) * shift)
        })
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.total_cmp(&b.0)));
    let mut kept: Vec<f64> = Vec::new();
    for (time, _) in found {
        if kept.iter().all(|other| (other - time).abs() >= apart) {
            kept.push(time);
        }
    }
    kept.sort_by(f64::total_cmp);
    kept
}

/// Mean of what was seen; nothing where nothing was.
pub(super) fn mean_seen(x: &[f64], seen: &[bool]) -> Option<f64> {
    let count = seen.iter().filter(|seen| **seen).count();
    let sum: f64 = x.iter().zip(seen).filter(|(_, seen)| **seen).map(|(x, _)| x).sum();
    (count > 0).then(|| sum / count as f64)
}

/// From the least to the largest of what was seen; zero where nothing was.
pub(super) fn range_seen(x: &[f64], seen: &[bool]) -> f64 {
    let each = x.iter().zip(seen).filter(|(_, seen)| **seen).map(|(x, _)| *x);
    let (least, most) = each.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    (most - least).max(0.0)
}
