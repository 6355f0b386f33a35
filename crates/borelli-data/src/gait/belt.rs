//! Speed of a treadmill from the feet that stand on it.
//! Not here: whether it is a treadmill; on the ground the answer is near zero.
//! In: cycles with tracks of the heel. Out: m/s, positive when the belt runs backwards.

use super::cycle::Cycle;
use super::spatiotemporal::place;
use crate::recording::{Clock, PointSeries};

/// Part of the cycle in which the whole foot rests, of one.
const FLAT: (f64, f64) = (0.15, 0.30);

/// Mean backward speed of the heel from 15 to 30 per cent of the cycle, when the whole foot rests on the belt; nothing without such a stretch.
/// Test: `a_synthetic_walk_has_the_numbers_it_was_made_with`.
pub fn belt_speed(clock: &Clock, cycles: &[(Cycle, &PointSeries)]) -> Option<f64> {
    let speeds: Vec<f64> = cycles
        .iter()
        .filter_map(|(cycle, heel)| {
            let at = |share: f64| cycle.start + share * cycle.duration();
            let (a, b) = (place(clock, heel, at(FLAT.0))?, place(clock, heel, at(FLAT.1))?);
            Some((a.x - b.x) / (at(FLAT.1) - at(FLAT.0)))
        })
        .collect();
    (!speeds.is_empty()).then(|| speeds.iter().sum::<f64>() / speeds.len() as f64)
}
