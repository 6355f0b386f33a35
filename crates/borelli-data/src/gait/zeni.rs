//! Events by the distance of the foot from the pelvis.
//! Not here: filtering (6 Hz is the custom), other detectors.
//! In: tracks of a foot and of the pelvis, X forward. Out: strikes and offs.

use super::peaks::{mean_seen, peaks, range_seen};
use super::tracks::{FootTracks, difference};
use crate::recording::{Clock, Event, EventKind, PointSeries};

/// Least time between two events of a kind, s.
const APART: f64 = 0.5;

/// Least way of heel and toe relative to the pelvis of somebody who steps, m. Below it maxima are those of noise.
pub const LEAST_SWING: f64 = 0.05;

/// Strikes are maxima of `x_heel - x_pelvis`, offs minima of `x_toe - x_pelvis`; both beyond the mean, at least half a second apart, refined by a parabola.
/// A heel or toe that moves by less than [`LEAST_SWING`] relative to the pelvis has none.
///
/// Source: J. A. Zeni, J. G. Richards and J. S. Higginson 2008, Gait & Posture 27:710-714.
/// Tests: `zeni_gives_the_times_of_the_reference`, `a_synthetic_walk_has_the_events_it_was_made_with`, `feet_that_stay_under_the_pelvis_have_no_events`.
pub fn zeni_events(clock: &Clock, foot: &FootTracks<'_>, pelvis: &PointSeries) -> Vec<Event> {
    let mut events = Vec::new();
    for (point, sign, kind) in [(foot.heel, 1.0, EventKind::FootStrike), (foot.toe, -1.0, EventKind::FootOff)] {
        let (x, seen) = difference(point, pelvis, |d| sign * d.x);
        let Some(mean) = mean_seen(&x, &seen).filter(|_| range_seen(&x, &seen) >= LEAST_SWING) else { continue };
        let times = peaks(clock, &x, &seen, mean, APART);
        events.extend(times.into_iter().map(|time| Event { time, kind: kind.clone(), side: Some(foot.side) }));
    }
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    events
}

/// How far the heel or the toe, whichever goes farther, moves along the way of the pelvis relative to it, m.
pub fn swing(foot: &FootTracks<'_>, pelvis: &PointSeries) -> f64 {
    let way = |point| {
        let (x, seen) = difference(point, pelvis, |d| d.x);
        range_seen(&x, &seen)
    };
    way(foot.heel).max(way(foot.toe))
}
