//! Which samples a page holds: frames spread evenly over the time, and between them what a curve must not lose.
//! Not here: writing them.
//! In: time, values, instants. Out: numbers of samples.
//!
//! Between two neighbouring frames with values a and b the smallest and the largest left-out sample are kept beside the frames where
//!
//! ```text
//! v < min(a, b) − s r   or   v > max(a, b) + s r                                               (1)
//! ```
//!
//! with r the range of the column and s = 1/400, half a pixel of a plot. The lowest and highest sample of a column are always kept. Where a page would hold
//! too many, s is doubled. Tests: `every_extreme_is_a_frame_or_beside_them`, `a_narrow_spike_survives`.

/// A case has at least so many frames (or all its samples), however many columns and cases there are.
pub(super) const FEWEST_FRAMES: usize = 100;

/// Numbers that the frames of a page may hold.
pub(super) const MOST_NUMBERS: usize = 400_000;

/// Samples beside the frames that a page may hold.
pub(super) const MOST_EXTRAS: usize = 100_000;

/// The s of equation (1).
const LEAST: f64 = 1.0 / 400.0;

/// At most `room` samples, evenly spread, with the first, the last, and as far as they fit those on both sides of each event.
pub(super) fn frames(time: &[f64], room: usize, events: &[f64]) -> Vec<usize> {
    let n = time.len();
    if n <= room {
        return (0..n).collect();
    }
    let beside = |t: &f64| {
        let after = time.partition_point(|x| x <= t);
        [after.saturating_sub(1), after.min(n - 1)]
    };
    let mut list: Vec<usize> = events.iter().flat_map(beside).take(room / 2).collect();
    let even = room - list.len();
    list.extend((0..even).map(|k| k * (n - 1) / (even - 1)));
    list.sort_unstable();
    list.dedup();
    list
}

/// A left-out sample that stands out, and the largest s at which equation (1) still keeps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Peak {
    pub sample: usize,
    pub size: f64,
}

/// The lowest and highest value of a column; nothing where it has none.
pub(super) fn limits(values: &[f64]) -> Option<[f64; 2]> {
    let known = || values.iter().copied().filter(|x| x.is_finite());
    known().next().map(|first| known().fold([first; 2], |[low, high], x| [low.min(x), high.max(x)]))
}

/// Left-out samples of a column that equation (1) keeps, in order of time.
pub(super) fn peaks(values: &[f64], frames: &[usize]) -> Vec<Peak> {
    let Some([low, high]) = limits(values) else { return Vec::new() };
    let range = high - low;
    let mut list = Vec::new();
    if frames.len() == values.len() {
        return list;
    }
    let shown = |x: f64| frames.iter().any(|k| values[*k] == x);
    let (mut need_low, mut need_high) = (!shown(low), !shown(high));
    for ends in frames.windows(2) {
        let left_out = ends[0] + 1..ends[1];
        let extreme = |pick: fn(f64, f64) -> bool| {
            let known = left_out.clone().filter(|k| values[*k].is_finite());
            known.reduce(|best, k| if pick(values[k], values[best]) { k } else { best })
        };
        let (Some(down), Some(up)) = (extreme(|x, best| x < best), extreme(|x, best| x > best)) else { continue };
        let known = ends.iter().map(|k| values[*k]).filter(|x| x.is_finite());
        let (floor, roof) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(floor, roof), x| (floor.min(x), roof.max(x)));
        // between frames without a value all that is there stands out by its whole range
        let out = |by: f64| if by.is_finite() { by / range } else { 1.0 };
        let mut sizes = [out(floor - values[down]), out(values[up] - roof)];
        if need_low && values[down] == low {
            (need_low, sizes[0]) = (false, f64::INFINITY);
        }
        if need_high && values[up] == high {
            (need_high, sizes[1]) = (false, f64::INFINITY);
        }
        let mut own: Vec<Peak> =
            [down, up].into_iter().zip(sizes).filter(|(_, size)| *size > LEAST).map(|(sample, size)| Peak { sample, size }).collect();
        own.sort_by(|a, b| a.sample.cmp(&b.sample).then(b.size.total_cmp(&a.size)));
        own.dedup_by_key(|peak| peak.sample);
        list.extend(own);
    }
    list
}

/// The s at which no more than `most` of all peaks are kept.
pub(super) fn threshold<'p>(all: impl Iterator<Item = &'p Peak> + Clone, most: usize) -> f64 {
    let mut s = LEAST;
    // beyond the whole range only the extremes are left
    while s <= 1.0 && all.clone().filter(|peak| peak.size > s).count() > most {
        s *= 2.0;
    }
    s
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_testkit::Random;

    fn times(n: usize) -> Vec<f64> {
        (0..n).map(|k| k as f64 * 1e-3).collect()
    }

    #[test]
    fn frames_are_even_and_stand_on_both_sides_of_events() {
        let time = times(50_001);
        let list = frames(&time, 2000, &[12.3456, -1.0, 99.0]);
        assert!(list.len() <= 2000 && list.len() > 1990, "{}", list.len());
        assert_eq!((list[0], list[list.len() - 1]), (0, 50_000));
        assert!([12345, 12346].iter().all(|k| list.contains(k)));
        assert!(list.windows(2).all(|w| w[0] < w[1] && w[1] - w[0] <= 26));
        for n in [0, 1, 2, 1999, 2000] {
            assert_eq!(frames(&times(n), 2000, &[0.0]), (0..n).collect::<Vec<_>>());
        }
        // more events than room
        let many: Vec<f64> = (0..5000).map(|k| k as f64 * 1e-2).collect();
        let list = frames(&time, 100, &many);
        assert!(list.len() <= 100 && list[0] == 0 && list[list.len() - 1] == 50_000);
    }

    #[test]
    fn a_narrow_spike_survives_and_a_flat_line_stays_flat() {
        let mut values: Vec<f64> = times(10_000).iter().map(|t| t.sin()).collect();
        values[5003] = 40.0;
        values[7001] = -3.0;
        let list = frames(&times(10_000), 100, &[]);
        let found = peaks(&values, &list);
        let samples: Vec<usize> = found.iter().map(|peak| peak.sample).collect();
        assert_eq!(samples, [5003, 7001]);
        assert!(peaks(&[2.5; 1000], &frames(&times(1000), 100, &[])).is_empty());
        // a spike of a three-hundredth of the range is more than half a pixel, one of a five-hundredth is not
        for (part, kept) in [(300.0, true), (500.0, false)] {
            let mut steps = vec![0.0; 1000];
            steps[999] = 1.0;
            // the range of the column is 1.5
            steps[501] = -1.5 / part;
            steps[0] = -0.5;
            steps[2] = -0.5;
            let found = peaks(&steps, &frames(&times(1000), 100, &[]));
            assert_eq!(found.iter().any(|peak| peak.sample == 501), kept, "{found:?}");
        }
    }

    #[test]
    fn every_extreme_is_a_frame_or_beside_them() {
        let mut random = Random::new(5);
        for n in [0, 1, 2, 99, 101, 777, 20_000] {
            let mut values: Vec<f64> = (0..n).map(|_| random.uniform(-1.0, 1.0)).collect();
            for k in 0..n / 3 {
                values[(k * 7919) % n] = f64::NAN;
            }
            let list = frames(&times(n), 100, &[0.05]);
            let found = peaks(&values, &list);
            let limits = limits(&values);
            let kept: Vec<f64> =
                list.iter().copied().chain(found.iter().filter(|p| p.size > 1.0).map(|p| p.sample)).map(|k| values[k]).collect();
            for x in limits.into_iter().flatten() {
                assert!(kept.contains(&x), "{n} {x}");
            }
            assert!(found.windows(2).all(|w| w[0].sample < w[1].sample), "in order, each once");
            assert!(found.iter().all(|p| !list.contains(&p.sample) && values[p.sample].is_finite()));
            assert!(found.len() <= 2 * list.len());
        }
        assert_eq!(limits(&[f64::NAN, f64::NAN]), None);
        assert!(peaks(&[f64::NAN; 500], &frames(&times(500), 100, &[])).is_empty());
    }

    #[test]
    fn values_between_missing_frames_are_kept() {
        let mut values = vec![f64::NAN; 1000];
        values[507] = 1.0;
        values[508] = 2.0;
        let samples: Vec<usize> = peaks(&values, &frames(&times(1000), 100, &[])).iter().map(|peak| peak.sample).collect();
        assert_eq!(samples, [507, 508]);
    }

    #[test]
    fn too_many_peaks_raise_the_threshold_but_never_lose_an_extreme() {
        let mut random = Random::new(7);
        let columns: Vec<Vec<f64>> = (0..20).map(|_| (0..100_000).map(|_| random.uniform(-1.0, 1.0)).collect()).collect();
        let list = frames(&times(100_000), 2000, &[]);
        let found: Vec<Vec<Peak>> = columns.iter().map(|values| peaks(values, &list)).collect();
        let count = |s: f64| found.iter().flatten().filter(|peak| peak.size > s).count();
        assert!(count(LEAST) > 50_000);
        for most in [100_000, 10_000, 100, 0] {
            let s = threshold(found.iter().flatten(), most);
            assert!(count(s) <= most.max(2 * columns.len()), "{s} {}", count(s));
        }
        assert!(found.iter().all(|own| own.iter().filter(|peak| peak.size.is_infinite()).count() <= 2));
    }
}
