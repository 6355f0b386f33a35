//! The points that events are read from: heel and toe of a foot, and the pelvis.
//! Not here: filtering; points come as they should be used.
//! In: a recording with its landmarks. Out: series of points.

use crate::landmark::{Landmarks, Part, Role};
use crate::recording::{PointSeries, Recording, Side};
use borelli_math::Vec3;

/// Heel and toe of one foot.
#[derive(Clone, Copy, Debug)]
pub struct FootTracks<'r> {
    /// Whose.
    pub side: Side,
    /// Heel, or else the lateral malleolus or the centre of the ankle.
    pub heel: &'r PointSeries,
    /// Toe: tip of the big toe where it has a marker, else the second, first or fifth metatarsal.
    pub toe: &'r PointSeries,
}

/// The points of a foot that a recording has.
pub fn foot_tracks<'r>(recording: &'r Recording, landmarks: &Landmarks, side: Side) -> Option<FootTracks<'r>> {
    let first = |parts: &[Part]| parts.iter().find_map(|part| landmarks.index(Role::on(*part, side))).map(|k| &recording.points[k]);
    let heel = first(&[Part::Heel, Part::AnkleLateral, Part::AnkleCenter])?;
    let toe = first(&[Part::ToeTip, Part::Toe, Part::FirstMetatarsal, Part::FifthMetatarsal])?;
    Some(FootTracks { side, heel, toe })
}

/// The pelvis over time: sacrum, else the middle of the posterior spines, of the anterior ones, or of the hips. Nothing where none is named.
pub fn pelvis_track(recording: &Recording, landmarks: &Landmarks) -> Option<PointSeries> {
    let choices = [Part::Sacrum, Part::Psis, Part::Asis, Part::MidHip, Part::HipCenter];
    let had = |part: &Part| {
        let roles: &[Role] = &if part.sided() { Side::BOTH.map(|side| Role::on(*part, side)) } else { [Role::middle(*part); 2] };
        roles.iter().all(|role| landmarks.index(*role).is_some())
    };
    let part = choices.iter().find(|part| had(part))?;
    let places = (0..recording.clock.count).map(|frame| landmarks.middle_of(recording, &[*part], frame));
    let (position, seen) = places.map(|place| (place.unwrap_or(Vec3::ZERO), place.is_some())).unzip();
    Some(PointSeries { name: part.name().into(), position, seen, residual: Vec::new() })
}

/// Component of a difference of two points over time, with its mask.
pub(super) fn difference(a: &PointSeries, b: &PointSeries, axis: impl Fn(Vec3<f64>) -> f64) -> (Vec<f64>, Vec<bool>) {
    let both = a.position.iter().zip(&b.position).map(|(a, b)| axis(*a - *b));
    (both.collect(), a.seen.iter().zip(&b.seen).map(|(a, b)| *a && *b).collect())
}
