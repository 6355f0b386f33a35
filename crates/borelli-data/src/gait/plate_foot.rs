//! Which foot stood on which plate: centre of pressure against the outline of each foot.
//! Not here: contacts (`contact`), what the load does to a model.
//! In: a plate with its contacts, markers of the feet in the same axes. Out: for each contact a foot, both feet, or nobody.

use super::contact::{Contact, SHORTEST_CONTACT, contacts};
use super::ensemble::median;
use super::outline::{FOOT_MARGIN, Outline};
use crate::landmark::{Landmarks, Segment};
use crate::recording::{Clock, Plate, PlateKind, PointSeries, Recording, Side};
use borelli_math::{Vec3, vec3};

/// Share of samples inside its outline from which a foot counts as standing on the plate, if the other stays below [`OTHER`].
const OWN: f64 = 0.7;

/// Share of samples below which a foot counts as elsewhere.
const OTHER: f64 = 0.3;

/// Markers of one foot.
#[derive(Clone, Debug)]
pub struct FootMarkers<'r> {
    /// Whose.
    pub side: Side,
    /// Heel, toe, metatarsals, anything on the foot.
    pub points: Vec<&'r PointSeries>,
}

impl<'r> FootMarkers<'r> {
    /// Markers of both feet of a recording; a foot without markers is left out.
    pub fn of(recording: &'r Recording, landmarks: &Landmarks) -> Vec<FootMarkers<'r>> {
        let on = |side: Side| {
            let mine = |k: &usize| landmarks.role(*k).is_some_and(|role| role.part.segment() == Segment::Foot && role.side == Some(side));
            FootMarkers { side, points: (0..recording.points.len()).filter(mine).map(|k| &recording.points[k]).collect() }
        };
        Side::BOTH.map(on).into_iter().filter(|foot| foot.points.len() >= 2).collect()
    }

    /// Markers seen at a time, in coordinates along `e1` and `e2`; nothing when fewer than two are seen then.
    fn seen(&self, clock: &Clock, time: f64, [e1, e2]: [Vec3<f64>; 2]) -> Option<Vec<[f64; 2]>> {
        let frame = ((time - clock.start) * clock.rate).round();
        if !(frame >= 0.0 && (frame as usize) < clock.count) {
            return None;
        }
        let frame = frame as usize;
        let seen = self.points.iter().filter(|point| point.seen.get(frame).copied().unwrap_or(false));
        let flat: Vec<[f64; 2]> = seen.map(|point| [point.position[frame].dot(e1), point.position[frame].dot(e2)]).collect();
        (flat.len() >= 2).then_some(flat)
    }
}

/// Samples looked at, and how many of them had the centre of pressure inside.
#[derive(Clone, Copy, Default)]
struct Tally {
    seen: usize,
    inside: usize,
}

impl Tally {
    fn count(&mut self, markers: &[[f64; 2]], cop: [f64; 2]) {
        self.seen += 1;
        self.inside += usize::from(Outline::of(markers).distance(cop) <= FOOT_MARGIN);
    }

    fn share(self) -> Option<f64> {
        (self.seen > 0).then(|| self.inside as f64 / self.seen as f64)
    }
}

/// Who stood on a plate during a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// One foot.
    Foot(Side),
    /// Both feet, or one and the edge of the other: the load cannot be told apart and is not used.
    Double,
    /// Neither foot was near: an object, or markers out of sight.
    Nobody,
}

/// A contact with who stood there.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// Which plate of the recording.
    pub plate: usize,
    /// When.
    pub contact: Contact,
    /// Who.
    pub standing: Standing,
    /// Share of samples with the centre of pressure inside the outline of the right and the left foot, of those in which the foot was seen; nothing for a foot that
    /// was never seen.
    pub score: [Option<f64>; 2],
    /// How far the foot reached beyond the edge of the plate, m: median over the contact of its farthest marker; zero where the edge is not known.
    pub beyond: f64,
}

/// A marker stands this far from the end of the foot; feet reach beyond a plate only from here on, m.
const EDGE: f64 = 0.03;

impl Assignment {
    /// The foot, when the plate carried one foot and all of it: only then do the times of the contact and its load speak of the whole stance.
    pub fn whole_foot(&self) -> Option<Side> {
        match self.standing {
            Standing::Foot(side) if self.beyond <= EDGE => Some(side),
            _ => None,
        }
    }

    /// What a user ought to hear.
    pub fn notice(&self, plate: &Plate) -> Option<String> {
        let (from, to) = self.contact.span(&plate.clock);
        let score = |k: usize| self.score[k].map_or("not seen".to_string(), |s| format!("{:.0} %", 100.0 * s));
        let told = match self.standing {
            Standing::Foot(_) if self.beyond <= EDGE => return None,
            Standing::Foot(side) => {
                let (side, reach) = (side.word(), 100.0 * self.beyond);
                return Some(format!(
                    "plate {} from {from:.3} to {to:.3} s: the {side} foot reaches {reach:.0} cm beyond its edge, so part of the load and the time of contact are missing",
                    plate.name
                ));
            }
            Standing::Double => "both feet may be on it, so its load is not used",
            Standing::Nobody => "neither foot is near it, so its load is not used",
        };
        let shares = format!("centre of pressure under the right foot {}, under the left {}", score(0), score(1));
        Some(format!("plate {} from {from:.3} to {to:.3} s: {told} ({shares})", plate.name))
    }
}

/// Assigns every contact of a plate to a foot. `clock` is that of the markers.
///
/// For each contact above `threshold` of at least 0.1 s the outline of each foot, projected to the plate and widened by 5 cm, is held against the centre of
/// pressure sample by sample. A foot owns the contact when more than 70 per cent of the samples lie inside its outline and less than 30 per cent inside the other's.
/// Else both feet may carry the load, unless the centre of pressure is mostly outside the outline of both together.
///
/// Tests: `exchanged_plates_are_still_given_to_the_right_feet`, `two_feet_on_a_plate_are_double`, `walking_on_two_plates`.
pub fn assign_plate(plate: &Plate, number: usize, clock: &Clock, feet: &[FootMarkers<'_>], threshold: f64) -> Vec<Assignment> {
    let plane = match plate.kind {
        PlateKind::Platform(_) => [plate.R_LP.x, plate.R_LP.y],
        PlateKind::Columns => [vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0)],
    };
    let edge = plate.corners.map(|corners| Outline::of(&corners.map(|corner| plane.map(|e| corner.dot(e)))));
    // Ten milliseconds apart is often enough for a foot at rest.
    let step = (plate.clock.rate / 100.0).floor().max(1.0) as usize;
    let load = plate.normal_load();
    let mut list = Vec::new();
    for contact in contacts(&plate.clock, &load, threshold, SHORTEST_CONTACT) {
        let (mut each, mut together) = ([Tally::default(); 2], Tally::default());
        let mut reach = [Vec::new(), Vec::new()];
        for k in (contact.first..=contact.last).step_by(step).filter(|k| plate.loaded.get(*k).copied().unwrap_or(false)) {
            let cop = plane.map(|e| plate.cop[k].dot(e));
            let mut all: Vec<[f64; 2]> = Vec::new();
            for foot in feet {
                if let Some(markers) = foot.seen(clock, plate.clock.time(k), plane) {
                    let which = usize::from(foot.side == Side::Left);
                    each[which].count(&markers, cop);
                    reach[which].extend(edge.as_ref().map(|edge| markers.iter().map(|m| edge.distance(*m)).fold(0.0, f64::max)));
                    all.extend(markers);
                }
            }
            if !all.is_empty() {
                together.count(&all, cop);
            }
        }
        let score = each.map(Tally::share);
        let of = |side: Side| score[usize::from(side == Side::Left)];
        let owns = |side: Side| of(side).is_some_and(|s| s > OWN) && of(side.other()).is_none_or(|s| s < OTHER);
        let standing = match Side::BOTH.into_iter().find(|side| owns(*side)) {
            Some(side) => Standing::Foot(side),
            None if together.share().is_none_or(|s| s < OTHER) => Standing::Nobody,
            None => Standing::Double,
        };
        let beyond = match standing {
            Standing::Foot(side) => median(std::mem::take(&mut reach[usize::from(side == Side::Left)])),
            _ => 0.0,
        };
        list.push(Assignment { plate: number, contact, standing, score, beyond });
    }
    list
}

/// Assigns every contact of every plate of a recording.
pub fn assign_plates(recording: &Recording, landmarks: &Landmarks, threshold: f64) -> Vec<Assignment> {
    let feet = FootMarkers::of(recording, landmarks);
    let each = recording.plates.iter().enumerate();
    each.flat_map(|(number, plate)| assign_plate(plate, number, &recording.clock, &feet, threshold)).collect()
}
