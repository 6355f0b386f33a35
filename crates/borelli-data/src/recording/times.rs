//! A clock from the times that stand in a file: even times rounded by whoever wrote them become even again, and uneven ones stay as they are.
//! Not here: how times are read.
//! In: increasing times, and the rate that a header states. Out: a [`Clock`] with what was mended.

use super::{Clock, Repair};

/// Times that differ from even ones by less are even, s.
const ROUND_OFF: f64 = 1e-7;
/// A round rate stands for times that are even as they are when it misses none by more, s.
const EXACT: f64 = 1e-9;

/// The clock of increasing times; nothing where neither times nor header give a rate.
///
/// Times are even when none differs from `start + i/rate` by more than half an interval. The stated rate is tried first, then the whole number and
/// the tenth nearest to the mean rate where they explain all times by rounding, then the mean rate itself. Times that are even at the mean rate were
/// not rounded: 3 ms are 3 ms, not 333.3 Hz. `at` says where the rate is stated.
pub(crate) fn clock_of(times: Vec<f64>, stated: Option<f64>, at: &str) -> Option<(Clock, Vec<Repair>)> {
    let usable = |rate: f64| rate.is_finite() && rate > 0.0 && (1.0 / rate).is_finite();
    let stated = stated.filter(|rate| usable(*rate));
    let count = times.len();
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return stated.map(|rate| (Clock::even(rate, 0.0, 0), Vec::new()));
    };
    if count == 1 {
        return stated.map(|rate| (Clock { printed: times, ..Clock::even(rate, first, 1) }, Vec::new()));
    }
    let mean = Some((count - 1) as f64 / (last - first)).filter(|rate| usable(*rate))?;
    let off =
        |rate: f64, start: f64| times.iter().enumerate().fold(0.0, |worst, (i, t)| f64::max(worst, (t - (start + i as f64 / rate)).abs()));
    let rounding = rounding(&times);
    // a time and the first, each rounded, differ from their distance by one unit at most
    let even = off(mean, first) <= ROUND_OFF;
    let slack = |unit: f64| if even { EXACT } else { unit + ROUND_OFF };
    let explains = |rate: &f64| *rate > 0.0 && rounding.is_some_and(|unit| off(*rate, first) <= slack(unit));
    let round = [mean.round(), (10.0 * mean).round() / 10.0].into_iter().find(explains);
    let mut repairs = Vec::new();
    let fits = |rate: f64| off(rate, first) <= 0.5 / rate;
    let rate = if let Some(rate) = stated.filter(|rate| fits(*rate)) { rate } else { round.unwrap_or(mean) };
    let uneven = !fits(rate);
    if let Some(said) = stated.filter(|said| *said != rate) {
        let found = format!("the header says {said} Hz, the times say {rate:.6} Hz");
        repairs.push(Repair::new(at, found, "the times were trusted"));
    }
    if uneven {
        let clock = Clock { rate, start: first, count, printed: times, uneven };
        repairs.push(Repair::new("times", "samples are not evenly spaced", "kept as they are; only interpolation takes them"));
        return Some((clock, repairs));
    }
    // the first time is rounded like all others
    let grid = (first * rate).round() / rate;
    let start = if rounding.is_some_and(|unit| (grid - first).abs() <= 0.5 * unit + ROUND_OFF) { grid } else { first };
    let worst = off(rate, start);
    if worst > ROUND_OFF {
        let found = format!("times up to {:.3} ms from even ones", worst * 1e3);
        repairs.push(Repair::new("times", found, format!("rebuilt from the rate of {rate} Hz")));
    }
    Some((Clock { rate, start, count, printed: times, uneven }, repairs))
}

/// Even times from the first of some that a file has rounded, at a rate that is known; nothing where one of them is off by half an interval.
pub fn even_times(times: &[f64], rate: f64) -> Option<Vec<f64>> {
    let first = times.first().copied().unwrap_or(0.0);
    let even: Vec<f64> = (0..times.len()).map(|i| first + i as f64 / rate).collect();
    times.iter().zip(&even).all(|(a, b)| (a - b).abs() < 0.5 / rate).then_some(even)
}

/// The unit to which all times were rounded, s, where it is 0.1 ms or coarser.
fn rounding(times: &[f64]) -> Option<f64> {
    let whole = |tens: f64| times.iter().all(|t| ((t * tens) - (t * tens).round()).abs() < 1e-6);
    [1.0, 10.0, 100.0, 1e3, 1e4].into_iter().find(|tens| whole(*tens)).map(|tens| 1.0 / tens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(rate: f64, count: usize, first: usize, tens: f64) -> Vec<f64> {
        (first..first + count).map(|i| (i as f64 / rate * tens).round() / tens).collect()
    }

    #[test]
    fn rounded_times_become_even_again() {
        for (stated, count) in [(Some(60.0), 59), (None, 59), (None, 151)] {
            let (clock, repairs) = clock_of(rounded(60.0, count, 7, 1e3), stated, "line 3").expect("a clock");
            assert_eq!((clock.rate, clock.start, clock.uneven), (60.0, 7.0 / 60.0, false));
            assert_eq!(clock.printed[1], 0.133);
            assert_eq!(repairs.len(), 1, "{repairs:?}");
            assert!(repairs[0].found.contains("ms from even ones"));
        }
        let (clock, repairs) = clock_of((0..50).map(|i| 0.37 + i as f64 / 120.0).collect(), Some(120.0), "").expect("a clock");
        assert!(clock.start == 0.37 && repairs.is_empty(), "{repairs:?}");
    }

    #[test]
    fn a_rate_of_tenths_is_found_from_rounded_times() {
        let (clock, repairs) = clock_of(rounded(69.9, 106, 0, 1e3), None, "").expect("a clock");
        assert_eq!((clock.rate, clock.start, repairs.len()), (69.9, 0.0, 1));
        // Times in full need no help.
        let times: Vec<f64> = (0..30).map(|i| f64::from(i) / 59.94).collect();
        let (clock, _) = clock_of(times, None, "").expect("a clock");
        assert!((clock.rate - 59.94).abs() < 1e-9, "{}", clock.rate);
    }

    #[test]
    fn even_intervals_without_a_round_rate_stay_as_they_are() {
        for (interval, first) in [(0.003, 0.0), (0.007, 0.014), (0.003, 1.001)] {
            let times: Vec<f64> = (0..400).map(|i| first + f64::from(i) * interval).collect();
            let (clock, repairs) = clock_of(times, None, "").expect("a clock");
            assert!((clock.rate * interval - 1.0).abs() < 1e-12 && !clock.uneven, "{}", clock.rate);
            assert!(repairs.is_empty(), "{repairs:?}");
            assert!((clock.time(399) - (first + 399.0 * interval)).abs() < 1e-9);
        }
        let (clock, _) = clock_of((0..400).map(|i| f64::from(i) * 0.004).collect(), None, "").expect("a clock");
        assert_eq!(clock.rate, 250.0);
    }

    #[test]
    fn a_stated_rate_that_the_times_contradict_gives_way_and_uneven_times_stay() {
        let (clock, repairs) = clock_of(rounded(100.0, 50, 0, 1e6), Some(60.0), "line 3").expect("a clock");
        assert_eq!((clock.rate, clock.uneven, repairs.len()), (100.0, false, 1));
        assert_eq!(repairs[0].at, "line 3");
        let (clock, repairs) = clock_of(vec![0.0, 0.1, 0.2, 0.9, 1.0], Some(10.0), "").expect("a clock");
        assert!(clock.uneven && clock.time(3) == 0.9 && repairs.len() == 2);
        assert!(clock_of(vec![1.0], None, "").is_none() && clock_of(Vec::new(), None, "").is_none());
        assert!(clock_of(vec![-f64::MAX, f64::MAX], Some(f64::NAN), "").is_none());
    }
}
