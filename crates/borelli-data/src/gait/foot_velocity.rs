//! Events by the vertical velocity of the foot.
//! Not here: filtering, other detectors.
//! In: tracks of a foot, Y up. Out: strikes and offs.

use super::peaks::peaks;
use super::tracks::FootTracks;
use crate::recording::{Clock, Event, EventKind};

/// Least time between two events of a kind, s.
const APART: f64 = 0.5;

/// Share of the range of heights below which the heel counts as low.
const LOW: f64 = 0.35;

/// Least range of heights of a marker of a foot that is lifted, m. Below it velocities are those of noise.
const LEAST_LIFT: f64 = 0.01;

/// Strikes are minima of the vertical velocity of the middle between heel and toe while the heel is low, offs are maxima of it while the toe is low.
/// Low is below 35 per cent of the range of heights of that marker. Velocities are central differences of the positions handed in.
///
/// Source: C. M. O'Connor, S. K. Thorpe, M. J. O'Malley and C. L. Vaughan 2007, Gait & Posture 25:469-474. Departure: the paper searches strikes in a window
/// before the heel is lowest; here the height alone decides.
/// Tests: `foot_velocity_is_near_the_forces`, `feet_that_stay_under_the_pelvis_have_no_events`.
pub fn foot_velocity_events(clock: &Clock, foot: &FootTracks<'_>) -> Vec<Event> {
    let count = foot.heel.position.len();
    if count < 3 {
        return Vec::new();
    }
    let seen: Vec<bool> = foot.heel.seen.iter().zip(&foot.toe.seen).map(|(a, b)| *a && *b).collect();
    let height = |k: usize| 0.5 * (foot.heel.position[k].y + foot.toe.position[k].y);
    let known = |k: usize| k > 0 && k + 1 < count && seen[k - 1] && seen[k] && seen[k + 1];
    let velocity: Vec<f64> = (0..count)
        .map(|k| if known(k) { (height(k + 1) - height(k - 1)) / (clock.time(k + 1) - clock.time(k - 1)) } else { 0.0 })
        .collect();
    let mut events = Vec::new();
    for (point, sign, kind) in [(foot.heel, -1.0, EventKind::FootStrike), (foot.toe, 1.0, EventKind::FootOff)] {
        let heights = (0..count).filter(|k| known(*k)).map(|k| point.position[k].y);
        let (least, most) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
        if most - least < LEAST_LIFT {
            continue;
        }
        let low: Vec<bool> = (0..count).map(|k| known(k) && point.position[k].y < least + LOW * (most - least)).collect();
        let signed: Vec<f64> = velocity.iter().map(|v| sign * v).collect();
        // Slow rises and falls during stance are not events.
        let fastest = signed.iter().zip(&low).filter(|(_, low)| **low).fold(0.0_f64, |most, (v, _)| most.max(*v));
        let times = peaks(clock, &signed, &low, 0.4 * fastest, APART);
        events.extend(times.into_iter().map(|time| Event { time, kind: kind.clone(), side: Some(foot.side) }));
    }
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    events
}
