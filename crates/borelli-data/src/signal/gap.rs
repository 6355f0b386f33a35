//! Gaps of markers: carried along with the others of the body, bridged by a spline, or left.
//! Not here: which markers sit on one body; filtering (`segment`).
//! In: a recording and lists of markers. Out: the same recording with fewer gaps, and every gap with what became of it.

use super::segment::segments;
use crate::landmark::rigid_fit;
use crate::recording::{Recording, Repair};
use borelli_math::function::{Interpolation, Outside, Table};
use borelli_math::{Vec3, vec3};
use std::ops::Range;

/// Longest gap that a spline bridges unless the user says otherwise, s.
pub const MAX_GAP: f64 = 0.1;

/// Frames before and after a gap in which the other markers of the body must be seen as well.
const AROUND: usize = 10;

/// Samples on each side that a spline runs through, and the fewest it needs.
const SIDE: usize = 5;
const FEWEST_SIDE: usize = 2;

/// What became of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapMethod {
    /// Carried along by this many other markers of the same body.
    Rigid(usize),
    /// Bridged by a cubic spline.
    Spline,
    /// Left missing: longer than the limit.
    TooLong,
    /// Left missing: the marker was not seen before it or not after it.
    AtTheEnd,
    /// Left missing: too few samples on one of its sides.
    TooFewAround,
}

impl GapMethod {
    /// Whether the gap is closed.
    pub fn filled(self) -> bool {
        matches!(self, GapMethod::Rigid(_) | GapMethod::Spline)
    }
}

/// A gap and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct GapFill {
    /// The point of the recording.
    pub point: usize,
    /// Frames of the gap.
    pub frames: Range<usize>,
    /// Length, s: frames over their rate.
    pub length: f64,
    /// What became of it.
    pub method: GapMethod,
}

/// Closes gaps of points, each told with its length and method; what was filled also stands among the recording's repairs.
///
/// In this order: (1) where three or more other points of the same body are seen throughout the gap and ten frames around it, their pose carries the point
/// along, from the frame before the gap and from the frame after it, the two blended linearly over the gap, so that nothing jumps at its ends; (2) a gap of
/// at most `max_gap` seconds is bridged by a cubic spline through five seen samples on each side, at least two; (3) others stay missing. Nothing is
/// filled before the first or after the last frame in which a point was seen. Only points that were really seen help others.
///
/// `bodies` lists points by their places in the recording. Tests: `a_lost_marker_rides_on_its_body`, `a_short_gap_is_bridged_by_a_spline`,
/// `long_gaps_and_ends_stay_missing`.
pub fn fill_gaps(recording: &mut Recording, bodies: &[Vec<usize>], max_gap: f64) -> Vec<GapFill> {
    let seen: Vec<Vec<bool>> = recording.points.iter().map(|point| point.seen.clone()).collect();
    let given: Vec<Vec<Vec3<f64>>> = recording.points.iter().map(|point| point.position.clone()).collect();
    let times = recording.clock.times();
    let rate = recording.clock.rate;
    let mut told = Vec::new();
    for m in 0..seen.len() {
        let runs = segments(&seen[m], 0);
        let count = seen[m].len();
        for frames in gaps(&runs, count) {
            let length = if rate > 0.0 { frames.len() as f64 / rate } else { f64::INFINITY };
            let inside = frames.start > 0 && frames.end < count;
            let (method, filling) = if !inside {
                (GapMethod::AtTheEnd, None)
            } else if let Some((helpers, filling)) = carried(m, &frames, bodies, &seen, &given) {
                (GapMethod::Rigid(helpers), Some(filling))
            } else if !(length <= max_gap * (1.0 + 1e-9)) {
                (GapMethod::TooLong, None)
            } else {
                match bridged(&frames, &seen[m], &given[m], &times) {
                    Some(filling) => (GapMethod::Spline, Some(filling)),
                    None => (GapMethod::TooFewAround, None),
                }
            };
            if let Some(filling) = filling {
                let point = &mut recording.points[m];
                point.position[frames.clone()].copy_from_slice(&filling);
                point.seen[frames.clone()].fill(true);
                let done = match method {
                    GapMethod::Rigid(helpers) => format!("carried along by {helpers} markers of the same body"),
                    _ => "bridged by a cubic spline".to_string(),
                };
                let found = format!("not seen for {} frames ({length:.3} s) from {:.3} s on", frames.len(), times[frames.start]);
                recording.repairs.push(Repair::new(point.name.clone(), found, done));
            }
            told.push(GapFill { point: m, frames, length, method });
        }
    }
    told
}

/// What lies between, before and after stretches.
fn gaps(runs: &[Range<usize>], count: usize) -> Vec<Range<usize>> {
    let starts = std::iter::once(0).chain(runs.iter().map(|run| run.end));
    let ends = runs.iter().map(|run| run.start).chain(std::iter::once(count));
    starts.zip(ends).map(|(start, end)| start..end).filter(|gap| !gap.is_empty()).collect()
}

/// Positions of a point over a gap by the pose of the others of its body, and how many these are.
fn carried(
    m: usize,
    frames: &Range<usize>,
    bodies: &[Vec<usize>],
    seen: &[Vec<bool>],
    given: &[Vec<Vec3<f64>>],
) -> Option<(usize, Vec<Vec3<f64>>)> {
    let around = frames.start.saturating_sub(AROUND)..(frames.end + AROUND).min(seen[m].len());
    let helps = |k: &usize| *k != m && seen.get(*k).is_some_and(|seen| seen[around.clone()].iter().all(|s| *s));
    let body = bodies.iter().filter(|body| body.contains(&m));
    let mut helpers: Vec<usize> = body.max_by_key(|body| body.iter().filter(|k| helps(k)).count())?.iter().copied().filter(helps).collect();
    helpers.sort_unstable();
    helpers.dedup();
    let at = |frame: usize| -> Vec<Vec3<f64>> { helpers.iter().map(|k| given[*k][frame]).collect() };
    let (before, after) = (frames.start - 1, frames.end);
    let (shape_before, shape_after) = (at(before), at(after));
    let position = |frame: usize| {
        let now = at(frame);
        let from_before = rigid_fit(&shape_before, &now, None)?.apply(given[m][before]);
        let from_after = rigid_fit(&shape_after, &now, None)?.apply(given[m][after]);
        let part = (frame - before) as f64 / (after - before) as f64;
        Some(from_before.scale(1.0 - part) + from_after.scale(part))
    };
    let filling: Option<Vec<Vec3<f64>>> = frames.clone().map(position).collect();
    filling.map(|filling| (helpers.len(), filling))
}

/// Positions of a point over a gap by a not-a-knot cubic spline through the seen samples next to it.
fn bridged(frames: &Range<usize>, seen: &[bool], given: &[Vec3<f64>], times: &[f64]) -> Option<Vec<Vec3<f64>>> {
    let mut knots: Vec<usize> = (0..frames.start).rev().filter(|k| seen[*k]).take(SIDE).collect();
    knots.reverse();
    let before = knots.len();
    knots.extend((frames.end..seen.len()).filter(|k| seen[*k]).take(SIDE));
    if before < FEWEST_SIDE || knots.len() - before < FEWEST_SIDE {
        return None;
    }
    let x: Vec<f64> = knots.iter().map(|k| times[*k]).collect();
    let table = |pick: fn(&Vec3<f64>) -> f64| {
        let y = knots.iter().map(|k| pick(&given[*k])).collect();
        Table::new(x.clone(), y, Interpolation::Spline, Outside::Error).ok()
    };
    let (tx, ty, tz) = (table(|p| p.x)?, table(|p| p.y)?, table(|p| p.z)?);
    let at = |table: &Table, frame: usize| table.derivatives(times[frame])[0];
    Some(frames.clone().map(|frame| vec3(at(&tx, frame), at(&ty, frame), at(&tz, frame))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::{Clock, PointSeries};
    use borelli_math::rotation_vector;

    /// Five markers on a body that swings and walks, and one by itself.
    fn trial() -> Recording {
        let clock = Clock::even(100.0, 0.0, 120);
        let local = [vec3(0.0, 0.0, 0.0), vec3(0.1, 0.0, 0.02), vec3(0.0, 0.2, 0.0), vec3(0.05, 0.1, 0.08), vec3(-0.04, 0.15, 0.01)];
        let pose =
            |t: f64| (rotation_vector(vec3(0.3 * t, 0.5 * t, 0.9 * (6.0 * t).sin())), vec3(1.2 * t, 0.9 + 0.03 * (9.0 * t).cos(), 0.1));
        let body = local.iter().enumerate().map(|(k, p)| {
            let position = clock.times().iter().map(|t| pose(*t)).map(|(R, at)| R * *p + at).collect();
            PointSeries { name: format!("M{k}"), position, seen: vec![true; 120], residual: Vec::new() }
        });
        let mut points: Vec<PointSeries> = body.collect();
        let alone = clock.times().iter().map(|t| vec3(t * t, 0.5 * t, 1.0)).collect();
        points.push(PointSeries { name: "Alone".into(), position: alone, seen: vec![true; 120], residual: Vec::new() });
        Recording { clock, points, ..Recording::default() }
    }

    fn lose(recording: &mut Recording, point: usize, frames: Range<usize>) {
        recording.points[point].position[frames.clone()].fill(Vec3::ZERO);
        recording.points[point].seen[frames].fill(false);
    }

    fn worst(recording: &Recording, truth: &Recording, point: usize) -> f64 {
        let pairs = recording.points[point].position.iter().zip(&truth.points[point].position);
        pairs.map(|(a, b)| (*a - *b).norm()).fold(0.0, f64::max)
    }

    #[test]
    fn a_lost_marker_rides_on_its_body() {
        let (truth, mut trial) = (trial(), trial());
        lose(&mut trial, 3, 30..80);
        let told = fill_gaps(&mut trial, &[vec![0, 1, 2, 3, 4]], MAX_GAP);
        assert_eq!(told, [GapFill { point: 3, frames: 30..80, length: 0.5, method: GapMethod::Rigid(4) }]);
        assert!(worst(&trial, &truth, 3) < 1e-13 && trial.points[3].seen.iter().all(|s| *s));
        assert_eq!(trial.repairs.len(), 1);
        assert_eq!(trial.repairs[0].done, "carried along by 4 markers of the same body");
        // A marker that slipped during the gap meets both of its ends without a jump.
        let mut slipped = truth.clone();
        slipped.points[3].position[80..].iter_mut().for_each(|p| p.y += 0.01);
        lose(&mut slipped, 3, 30..80);
        fill_gaps(&mut slipped, &[vec![0, 1, 2, 3, 4]], MAX_GAP);
        let step = |k: usize| (slipped.points[3].position[k + 1] - slipped.points[3].position[k]).norm();
        let usual = |k: usize| (truth.points[3].position[k + 1] - truth.points[3].position[k]).norm();
        assert!((29..80).all(|k| (step(k) - usual(k)).abs() < 4e-4));
    }

    #[test]
    fn only_markers_that_were_seen_help() {
        let (truth, mut trial) = (trial(), trial());
        // Two of five missing at once: each has three others. The third of four is missing within ten frames of the gap: a spline then.
        lose(&mut trial, 3, 30..50);
        lose(&mut trial, 4, 40..60);
        let told = fill_gaps(&mut trial, &[vec![0, 1, 2, 3, 4]], MAX_GAP);
        assert!(told.iter().all(|gap| gap.method == GapMethod::Rigid(3)), "{told:?}");
        assert!(worst(&trial, &truth, 3).max(worst(&trial, &truth, 4)) < 1e-12);
        let mut trial = truth.clone();
        lose(&mut trial, 3, 30..36);
        lose(&mut trial, 2, 44..46);
        let told = fill_gaps(&mut trial, &[vec![0, 1, 2, 3]], MAX_GAP);
        assert!(told.iter().all(|gap| gap.method == GapMethod::Spline), "{told:?}");
    }

    #[test]
    fn a_short_gap_is_bridged_by_a_spline() {
        let (truth, mut trial) = (trial(), trial());
        lose(&mut trial, 5, 30..40);
        lose(&mut trial, 5, 2..4);
        let told = fill_gaps(&mut trial, &[], MAX_GAP);
        assert!(told.iter().all(|gap| gap.method == GapMethod::Spline) && told.len() == 2);
        // A parabola is a cubic.
        assert!(worst(&trial, &truth, 5) < 1e-14);
    }

    #[test]
    fn long_gaps_and_ends_stay_missing() {
        let mut trial = trial();
        lose(&mut trial, 5, 30..41);
        lose(&mut trial, 0, 0..5);
        lose(&mut trial, 1, 110..120);
        lose(&mut trial, 2, 1..3);
        lose(&mut trial, 4, 0..120);
        let told = fill_gaps(&mut trial, &[vec![0, 1, 2, 3, 4]], MAX_GAP);
        let methods: Vec<(usize, GapMethod)> = told.iter().map(|gap| (gap.point, gap.method)).collect();
        let expected = [
            (0, GapMethod::AtTheEnd),
            (1, GapMethod::AtTheEnd),
            (2, GapMethod::TooFewAround),
            (4, GapMethod::AtTheEnd),
            (5, GapMethod::TooLong),
        ];
        assert_eq!(methods, expected);
        assert!(told.iter().all(|gap| !gap.method.filled()) && trial.repairs.is_empty());
        assert!(!trial.points[5].seen[35] && !trial.points[0].seen[0]);
    }
}
