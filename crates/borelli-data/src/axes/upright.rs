//! Which way is up, judged by what was measured: the force of the plates, and the head or pelvis above the feet.
//! Not here: changing anything; a wrong vertical is told, never mended in silence.
//! In: a recording in the axes under test. Out: the direction that looks vertical, by each witness.

use super::Direction;
use crate::explain::{Explain, Severity};
use crate::landmark::{Landmarks, Part};
use crate::recording::Recording;
use borelli_math::Vec3;

/// What the witnesses say about the vertical.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Upright {
    /// Direction of the mean force of all plates on the person.
    pub by_force: Option<Direction>,
    /// Direction from the feet to head, shoulders or pelvis.
    pub by_body: Option<Direction>,
}

impl Upright {
    /// The witnesses who disagree with Y being up, as something to tell.
    pub fn objections(&self) -> Vec<NotUpright> {
        let witness = [("mean force of the plates", self.by_force), ("line from the feet upwards through the body", self.by_body)];
        let against = |(witness, found): (&'static str, Option<Direction>)| {
            found.filter(|found| *found != Direction::Y).map(|found| NotUpright { witness, found })
        };
        witness.into_iter().filter_map(against).collect()
    }
}

/// A witness who says that Y is not up.
#[derive(Clone, Debug, PartialEq)]
pub struct NotUpright {
    /// Who says so.
    pub witness: &'static str,
    /// The direction that looks vertical, in the axes under test.
    pub found: Direction,
}

impl Explain for NotUpright {
    fn code(&self) -> &'static str {
        "not-upright"
    }
    fn message(&self) -> String {
        format!("Y should point up, but the {} is along {}", self.witness, self.found)
    }
    fn hint(&self) -> Option<String> {
        Some("name the axes of the laboratory, such as `axes = \"x-forward, z-up\"`".into())
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
}

/// Asks both witnesses. Test: `an_unturned_z_up_laboratory_is_noticed`.
pub fn look_upright(recording: &Recording, landmarks: &Landmarks) -> Upright {
    let mut force = Vec3::ZERO;
    for plate in &recording.plates {
        let loads = plate.force.iter().zip(&plate.loaded).filter(|(_, loaded)| **loaded).map(|(force, _)| *force);
        // Each sample counts for its time, so that plates of different rates are comparable.
        force += loads.fold(Vec3::ZERO, |sum, f| sum + f).scale(1.0 / plate.clock.rate.max(1.0));
    }
    let feet = [Part::Heel, Part::Toe, Part::ToeTip, Part::AnkleLateral, Part::AnkleCenter];
    let tops = [&[Part::HeadTop, Part::C7, Part::Acromion][..], &[Part::Asis, Part::Psis, Part::Sacrum, Part::HipCenter]];
    let mut height = Vec3::ZERO;
    for frame in 0..recording.clock.count {
        let top = tops.iter().find_map(|parts| landmarks.middle_of(recording, parts, frame));
        if let (Some(top), Some(feet)) = (top, landmarks.middle_of(recording, &feet, frame)) {
            height += top - feet;
        }
    }
    Upright { by_force: Direction::nearest(force), by_body: Direction::nearest(height) }
}
