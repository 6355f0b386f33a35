//! Which way the person walks: the net displacement of the pelvis, or where the pelvis faces when it stays in place.
//! Not here: names of axes (`axes`), turning a recording (`recording::turned`).
//! In: a recording whose vertical is Y already, with its landmarks. Out: the turn about the vertical that brings forward to X.

use super::{AxesFault, Direction, turn_to_forward};
use crate::landmark::{Landmarks, Part};
use crate::recording::{PointSeries, Recording};
use borelli_math::{Mat3, Vec3, vec3};

/// Within this angle of an axis of the laboratory the walk counts as along it, rad.
const SNAP: f64 = 20.0 * std::f64::consts::PI / 180.0;

/// Shorter displacements of the pelvis say nothing about walking, m: standing, or a treadmill.
const SHORTEST_WALK: f64 = 0.5;

/// How the heading was found.
#[derive(Clone, Debug, PartialEq)]
pub enum HeadingSource {
    /// The user said so.
    Given,
    /// Displacement of the pelvis or of all markers, taken to be along the nearest axis of the laboratory.
    Snapped {
        /// Angle between displacement and axis, rad.
        angle: f64,
    },
    /// Displacement that is along no axis of the laboratory, used as it is.
    Oblique {
        /// Angle to the nearest axis, rad.
        angle: f64,
    },
    /// From the back to the front of the pelvis, because it hardly moved: standing, or a treadmill.
    Facing,
    /// Nothing could be found; X is kept.
    Unknown,
}

/// The direction of walking and the turn that brings it to X.
#[derive(Clone, Debug, PartialEq)]
pub struct Heading {
    /// Unit vector in the axes handed in, horizontal.
    pub forward: Vec3<f64>,
    /// Turn about the vertical: forward becomes X.
    pub turn: Mat3<f64>,
    /// How it was found.
    pub source: HeadingSource,
    /// Horizontal displacement of the pelvis markers, or of all markers, m.
    pub travelled: f64,
}

impl Heading {
    fn new(forward: Vec3<f64>, source: HeadingSource, travelled: f64) -> Heading {
        Heading { forward, turn: turn_to_forward(forward), source, travelled }
    }

    /// What a user ought to hear: an oblique walk, a guess, nothing found.
    pub fn notice(&self) -> Option<String> {
        match self.source {
            HeadingSource::Given | HeadingSource::Snapped { .. } => None,
            HeadingSource::Oblique { angle } => Some(format!(
                "the walk is {:.0} degrees off the nearest axis of the laboratory; its own direction is taken as forward",
                angle.to_degrees()
            )),
            HeadingSource::Facing => {
                Some(format!("the pelvis moved only {:.2} m; forward is where it faces (standing, or a treadmill)", self.travelled))
            }
            HeadingSource::Unknown => Some("no walking direction was found; X of the laboratory is taken as forward".into()),
        }
    }
}

/// Finds the heading of a recording in borelli's axes (Y up). `given` is a direction of the laboratory in the same axes, which overrides all else.
///
/// Tests: `a_walk_is_snapped_within_20_degrees`, `an_oblique_walk_keeps_its_direction_and_says_so`, `a_person_who_stands_faces_forward`.
pub fn heading(recording: &Recording, landmarks: &Landmarks, given: Option<Vec3<f64>>) -> Result<Heading, AxesFault> {
    let pelvis: Vec<&PointSeries> = recording
        .points
        .iter()
        .enumerate()
        .filter(|(index, _)| landmarks.role(*index).is_some_and(|role| role.part.is_pelvis()))
        .map(|(_, point)| point)
        .collect();
    let travel = travel(&pelvis).or_else(|| travel(&recording.points.iter().collect::<Vec<_>>())).unwrap_or(Vec3::ZERO);
    let flat = vec3(travel.x, 0.0, travel.z);
    let travelled = flat.norm();
    if let Some(forward) = given {
        let level = vec3(forward.x, 0.0, forward.z);
        if level.norm() < 0.5 * forward.norm() || level.norm() == 0.0 {
            let forward = Direction::nearest(forward).unwrap_or(Direction::Y);
            return Err(AxesFault::ForwardIsVertical { forward, up: Direction::Y });
        }
        return Ok(Heading::new(level.scale(1.0 / level.norm()), HeadingSource::Given, travelled));
    }
    if travelled < SHORTEST_WALK {
        return Ok(match facing(recording, landmarks) {
            Some(forward) => Heading::new(forward, HeadingSource::Facing, travelled),
            None => Heading::new(vec3(1.0, 0.0, 0.0), HeadingSource::Unknown, travelled),
        });
    }
    let own = flat.scale(1.0 / travelled);
    let axis = Direction::nearest(own).map_or(own, Direction::vector);
    let angle = axis.cross(own).norm().atan2(axis.dot(own));
    Ok(if angle <= SNAP {
        Heading::new(axis, HeadingSource::Snapped { angle }, travelled)
    } else {
        Heading::new(own, HeadingSource::Oblique { angle }, travelled)
    })
}

/// Mean displacement from the first to the last frame in which each point was seen; nothing when none was.
fn travel(points: &[&PointSeries]) -> Option<Vec3<f64>> {
    let moved: Vec<Vec3<f64>> = points
        .iter()
        .filter_map(|point| {
            let first = point.seen.iter().position(|seen| *seen)?;
            let last = point.seen.iter().rposition(|seen| *seen)?;
            Some(point.position[last] - point.position[first])
        })
        .collect();
    let sum = moved.iter().fold(Vec3::ZERO, |sum, d| sum + *d);
    (!moved.is_empty()).then(|| sum.scale(1.0 / moved.len() as f64))
}

/// Horizontal direction from the back to the front of the body, mean over frames: of the pelvis, else of the feet.
fn facing(recording: &Recording, landmarks: &Landmarks) -> Option<Vec3<f64>> {
    let pairs: [(&[Part], &[Part]); 2] = [(&[Part::Psis, Part::Sacrum], &[Part::Asis]), (&[Part::Heel], &[Part::Toe, Part::ToeTip])];
    for (back, front) in pairs {
        let mut sum = Vec3::ZERO;
        for frame in 0..recording.clock.count {
            if let (Some(back), Some(front)) = (landmarks.middle_of(recording, back, frame), landmarks.middle_of(recording, front, frame)) {
                sum += front - back;
            }
        }
        let flat = vec3(sum.x, 0.0, sum.z);
        if flat.norm() > 0.0 {
            return Some(flat.scale(1.0 / flat.norm()));
        }
    }
    None
}
