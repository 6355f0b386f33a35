//! Which foot stands on which plate: the centre of pressure against the outlines of the feet along the motion.
//! Not here: making loads ready (`loads`), the motion itself.
//! In: loads of plates, feet of a model with their outlines over time. Out: for every contact of a plate the foot, or why there is none.
//!
//! For each contact of at least 0.1 s the share of samples at which the point of application lies inside the outline of a foot, widened by 5 cm. One
//! foot above 0.7 and the other below 0.3: it is that foot's. Else both may stand there, or somebody else, and the contact is not used.

use super::loads::PlateLoad;
use borelli_data::Trajectory;
use borelli_data::landmark::{Landmarks, Part, Segment};
use borelli_data::recording::Side;
use borelli_dynamics::System;
use borelli_dynamics::frames::Frames;
use borelli_math::Vec3;
use std::ops::Range;

/// How far beyond its markers a foot reaches, m.
const MARGIN: f64 = 0.05;
/// Shortest contact that counts, s.
const SHORTEST: f64 = 0.1;
/// Share of the foot that has a contact, at least.
const INSIDE: f64 = 0.7;
/// Share of the other foot, at most.
const OUTSIDE: f64 = 0.3;

/// A foot of a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Foot {
    /// Which.
    pub side: Side,
    /// Body that takes the load: that of the heel.
    pub body: u32,
    /// Places of its markers.
    pub places: Vec<u32>,
}

/// The feet of a model, by the labels of its markers; those without a heel do not count.
pub(crate) fn feet(system: &System) -> Vec<Foot> {
    let labels: Vec<&str> = system.markers.iter().map(|marker| marker.label.as_str()).collect();
    let landmarks = Landmarks::recognise(&labels, None);
    let of_side = |side: Side| {
        let on_foot = |k: &usize| landmarks.role(*k).is_some_and(|role| role.side == Some(side) && role.part.segment() == Segment::Foot);
        let heel = (0..labels.len()).find(|k| landmarks.role(*k).is_some_and(|role| role.side == Some(side) && role.part == Part::Heel));
        let place = |k: usize| system.markers[k].place;
        heel.map(|heel| Foot {
            side,
            body: system.numbers.place_body[place(heel) as usize],
            places: (0..labels.len()).filter(on_foot).map(place).collect(),
        })
    };
    Side::BOTH.into_iter().filter_map(of_side).collect()
}

/// Places of the markers of feet over time.
pub(crate) struct Outlines {
    /// Times, s.
    time: Vec<f64>,
    /// By foot, by time: its markers in the world, m.
    places: Vec<Vec<Vec<Vec3<f64>>>>,
}

impl Outlines {
    /// Along a table of `coord.NAME.value`; nothing where a coordinate is not in it.
    pub(crate) fn new(system: &System, table: &Trajectory, feet: &[Foot]) -> Option<Outlines> {
        let columns: Option<Vec<&[f64]>> =
            system.names.coordinates.iter().map(|coordinate| table.column(&format!("coord.{}.value", coordinate.name))).collect();
        let columns = columns?;
        let (skeleton, tree) = (&system.skeleton, &system.numbers.tree);
        let mut frames = Frames::new(skeleton);
        let v = vec![0.0; skeleton.dofs()];
        let mut places = vec![Vec::new(); feet.len()];
        for sample in 0..table.len() {
            let mut q: Vec<f64> = columns.iter().map(|column| column[sample]).collect();
            crate::columns::normalise(system, &mut q);
            frames.fill::<f64, false>(skeleton, tree, &q, &v, &[]);
            frames.fill_points(skeleton);
            for (list, foot) in places.iter_mut().zip(feet) {
                let place = |k: &u32| {
                    let body = system.numbers.place_body[*k as usize] as usize;
                    frames.p[body] + frames.R[body] * tree.place_p[*k as usize]
                };
                list.push(foot.places.iter().map(place).collect());
            }
        }
        Some(Outlines { time: table.time().to_vec(), places })
    }
}

/// Whose a contact is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Owner {
    /// A foot, by its place in the list.
    Foot(usize),
    /// Both feet, or none: not used.
    Unclear,
    /// Too short to count.
    Short,
}

/// A contact of a plate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contact {
    /// Samples of the plate.
    pub samples: Range<usize>,
    /// From and to, s.
    pub time: (f64, f64),
    /// Share of each foot.
    pub share: Vec<f64>,
    /// Whose it is.
    pub owner: Owner,
}

/// Contacts of a plate, each with its foot.
pub(crate) fn assign(load: &PlateLoad, outlines: &Outlines) -> Vec<Contact> {
    let mut contacts = Vec::new();
    for samples in load.contacts() {
        let time = (load.time[samples.start], load.time[samples.end - 1]);
        let rows = outlines.time.iter().enumerate().filter(|(_, t)| (time.0..=time.1).contains(*t));
        let (mut inside, mut count) = (vec![0_usize; outlines.places.len()], 0_usize);
        for (row, t) in rows {
            let sample = nearest(&load.time, *t).clamp(samples.start, samples.end - 1);
            count += 1;
            for (inside, foot) in inside.iter_mut().zip(&outlines.places) {
                *inside += usize::from(is_under(load.point[sample], &foot[row], load.normal));
            }
        }
        let share: Vec<f64> = inside.iter().map(|n| if count == 0 { 0.0 } else { *n as f64 / count as f64 }).collect();
        let best = (0..share.len()).max_by(|a, b| share[*a].total_cmp(&share[*b]));
        let alone = |best: usize| share[best] > INSIDE && (0..share.len()).all(|k| k == best || share[k] < OUTSIDE);
        let owner = match best {
            _ if time.1 - time.0 < SHORTEST => Owner::Short,
            Some(best) if alone(best) => Owner::Foot(best),
            _ => Owner::Unclear,
        };
        contacts.push(Contact { samples, time, share, owner });
    }
    contacts
}

fn nearest(times: &[f64], t: f64) -> usize {
    let after = times.partition_point(|own| *own < t);
    match after {
        0 => 0,
        k if k == times.len() => k - 1,
        k if t - times[k - 1] <= times[k] - t => k - 1,
        k => k,
    }
}

/// Whether a point lies inside the outline of markers, widened, both seen along a normal.
///
/// The outline is the convex hull: the point is inside when it is left of all its edges, and near when it is close to one of them.
fn is_under(point: Vec3<f64>, markers: &[Vec3<f64>], normal: Vec3<f64>) -> bool {
    let n = normal.scale(1.0 / normal.norm());
    let other = if n.x.abs() < 0.9 { Vec3 { x: 1.0, y: 0.0, z: 0.0 } } else { Vec3 { x: 0.0, y: 1.0, z: 0.0 } };
    let a = n.cross(other);
    let a = a.scale(1.0 / a.norm());
    let b = n.cross(a);
    let flat = |p: Vec3<f64>| [(p - point).dot(a), (p - point).dot(b)];
    let mut seen: Vec<[f64; 2]> = markers.iter().map(|p| flat(*p)).collect();
    distance_to_hull(&mut seen) <= MARGIN
}

/// Distance of the origin from the convex hull of points in the plane; zero inside.
///
/// Hull by A. M. Andrew, Information Processing Letters 9 (1979) 216-219. Test: `the_distance_to_a_hull_is_that_to_its_nearest_edge`.
fn distance_to_hull(points: &mut Vec<[f64; 2]>) -> f64 {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    let turn = |o: [f64; 2], a: [f64; 2], b: [f64; 2]| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let half = |list: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for p in list {
            while chain.len() >= 2 && turn(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0.0 {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let hull = match points.len() {
        0 => return f64::INFINITY,
        1 => points.clone(),
        _ => [half(&mut points.iter().copied()), half(&mut points.iter().rev().copied())].concat(),
    };
    let edges = || (0..hull.len()).map(|k| (hull[k], hull[(k + 1) % hull.len()]));
    if hull.len() >= 3 && edges().all(|(p, q)| turn(p, q, [0.0, 0.0]) >= 0.0) {
        return 0.0;
    }
    let to_edge = |(p, q): ([f64; 2], [f64; 2])| {
        let d = [q[0] - p[0], q[1] - p[1]];
        let square = d[0] * d[0] + d[1] * d[1];
        let s = if square > 0.0 { (-(p[0] * d[0] + p[1] * d[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
        (p[0] + s * d[0]).hypot(p[1] + s * d[1])
    };
    edges().map(to_edge).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_to_a_hull_is_that_to_its_nearest_edge() {
        let distance = |at: [f64; 2]| {
            // A square of side 2 with a point inside that does not count.
            let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [0.2, 0.3]];
            distance_to_hull(&mut square.map(|p| [p[0] - at[0], p[1] - at[1]]).to_vec())
        };
        assert_eq!(distance([0.5, -0.9]), 0.0);
        assert!((distance([3.0, 0.5]) - 2.0).abs() < 1e-15);
        assert!((distance([2.0, 2.0]) - 2f64.sqrt()).abs() < 1e-15);
        let line = |at: [f64; 2]| distance_to_hull(&mut vec![[-at[0], -at[1]], [1.0 - at[0], -at[1]]]);
        assert!((line([0.5, 0.1]) - 0.1).abs() < 1e-15 && (line([1.3, 0.4]) - 0.5).abs() < 1e-15);
        assert_eq!(distance_to_hull(&mut Vec::new()), f64::INFINITY);
    }
}
