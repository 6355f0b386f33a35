//! Times at which functions of time change their polynomial: those of periodic tables come again in every period.
//! Not here: functions of coordinates, whose times are not known before. In: a system. Out: the next such time.

use crate::system::System;

/// Times closer than this part of the larger of them count as one, so that rounding of repeated knots makes no step of its own.
const SAME: f64 = 1e-13;

/// All breakpoints of the functions of time of a system.
pub(crate) struct Breakpoints {
    /// Those of tables that do not repeat, sorted.
    once: Vec<f64>,
    /// Knots and period of tables that do.
    repeated: Vec<(Vec<f64>, f64)>,
}

impl Breakpoints {
    pub(crate) fn new(system: &System) -> Self {
        let functions = system.of_time.iter().map(|f| &system.numbers.functions[*f as usize]);
        let (mut once, mut repeated): (Vec<f64>, Vec<(Vec<f64>, f64)>) = (Vec::new(), Vec::new());
        for function in functions.filter(|f| !f.breakpoints().is_empty()) {
            match function.period() {
                None => once.extend_from_slice(function.breakpoints()),
                Some(period) => repeated.push((function.breakpoints().to_vec(), period)),
            }
        }
        once.sort_by(f64::total_cmp);
        once.dedup();
        Breakpoints { once, repeated }
    }

    /// The first breakpoint after `t`.
    pub(crate) fn after(&self, t: f64) -> Option<f64> {
        let single = self.once.get(self.once.partition_point(|b| *b <= t)).copied();
        let cyclic = self.repeated.iter().filter_map(|(knots, period)| {
            let beyond = t + SAME * t.abs().max(*period);
            // The period that holds t, and the one after it.
            let first = ((t - knots[0]) / period).floor();
            [first, first + 1.0].iter().find_map(|k| knots.iter().map(|knot| knot + k * period).find(|time| *time > beyond))
        });
        single.into_iter().chain(cyclic).min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_of_periodic_tables_come_again_and_the_others_once() {
        let list = Breakpoints { once: vec![0.5, 3.2], repeated: vec![(vec![0.0, 0.4, 1.0], 1.0), (vec![-0.3, 0.45], 0.75)] };
        let mut times = vec![-0.35];
        while times[times.len() - 1] < 3.0 {
            times.push(list.after(times[times.len() - 1]).expect("periods do not end"));
        }
        let expected = [-0.35, -0.3, 0.0, 0.4, 0.45, 0.5, 1.0, 1.2, 1.4, 1.95, 2.0, 2.4, 2.7, 3.0];
        assert_eq!(times.len(), expected.len(), "{times:?}");
        times.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{times:?}"));
        assert_eq!(list.after(3.1), Some(3.2));
        let single = Breakpoints { once: vec![0.5], repeated: Vec::new() };
        assert_eq!((single.after(0.0), single.after(0.5)), (Some(0.5), None));
    }
}
