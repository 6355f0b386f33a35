//! Events by the speed of heel and toe.
//! Not here: filtering, other detectors.
//! In: tracks of a foot. Out: strikes and offs.

use super::contact::{SHORTEST_CONTACT, contacts};
use super::tracks::FootTracks;
use crate::recording::{Clock, Event, EventKind, PointSeries};

/// Speed below which a marker of the foot counts as at rest, m/s.
pub const SLOW_FOOT: f64 = 0.5;

/// A strike is when the heel becomes slower than `slow`, an off when the toe becomes faster; speeds in the sagittal plane by central differences, crossings
/// linear between samples, rests shorter than 0.1 s ignored.
/// `belt_speed` is that of a treadmill, zero on the ground.
///
/// Source: S. Ghoussayni, C. Stevens, S. Durham and D. Ewins 2004, Gait & Posture 20:266-272. The speed of 0.5 m/s is the threshold of later users of the
/// method. Test: `foot_speed_is_near_the_forces`.
pub fn ghoussayni_events(clock: &Clock, foot: &FootTracks<'_>, slow: f64, belt_speed: f64) -> Vec<Event> {
    let mut events = Vec::new();
    for (point, kind) in [(foot.heel, EventKind::FootStrike), (foot.toe, EventKind::FootOff)] {
        for (from, to) in stretches(point) {
            let part = Clock::even(clock.rate, clock.time(from), to - from);
            let slowness: Vec<f64> = (from..to).map(|k| -speed(clock, point, from, to, k, belt_speed)).collect();
            for rest in contacts(&part, &slowness, -slow, SHORTEST_CONTACT) {
                let time = if kind == EventKind::FootStrike { rest.strike } else { rest.off };
                events.extend(time.map(|time| Event { time, kind: kind.clone(), side: Some(foot.side) }));
            }
        }
    }
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    events
}

/// Stretches of at least three frames in which a point was seen, ends excluded.
fn stretches(point: &PointSeries) -> Vec<(usize, usize)> {
    let mut list = Vec::new();
    let mut from = None;
    for k in 0..=point.seen.len() {
        match (from, point.seen.get(k).copied().unwrap_or(false)) {
            (None, true) => from = Some(k),
            (Some(first), false) => {
                list.push((first, k));
                from = None;
            }
            _ => {}
        }
    }
    list.retain(|(from, to)| to - from >= 3);
    list
}

/// Sagittal speed against the ground, or the belt of a treadmill, at a frame of a stretch; one-sided at its ends.
fn speed(clock: &Clock, point: &PointSeries, from: usize, to: usize, k: usize, belt_speed: f64) -> f64 {
    let (a, b) = (k.saturating_sub(1).max(from), (k + 1).min(to - 1));
    let d = point.position[b] - point.position[a];
    let dt = clock.time(b) - clock.time(a);
    (d.x / dt + belt_speed).hypot(d.y / dt)
}
