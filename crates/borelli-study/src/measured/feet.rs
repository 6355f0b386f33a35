//! The feet of a model, by the names of its markers, and where their markers are along a motion.
//! Not here: which foot stands on which plate (`borelli_data::gait`).
//! In: a system with markers, a table of coordinates. Out: tracks of the markers of each foot, as if they had been recorded.

use borelli_data::Trajectory;
use borelli_data::gait::FootMarkers;
use borelli_data::landmark::{Landmarks, Part, Segment};
use borelli_data::recording::{Clock, PointSeries, Side};
use borelli_dynamics::System;
use borelli_dynamics::frames::Frames;

/// A foot of a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Foot {
    /// Which.
    pub side: Side,
    /// Body that takes the load: that of the heel.
    pub body: u32,
    /// Places of its markers.
    places: Vec<u32>,
}

/// The feet of a model; those without a heel do not count.
pub(crate) fn feet(system: &System) -> Vec<Foot> {
    let labels: Vec<&str> = system.markers.iter().map(|marker| marker.label.as_str()).collect();
    let landmarks = Landmarks::recognise(&labels, None);
    let of_side = |side: Side| {
        let own = |k: &usize| landmarks.role(*k).filter(|role| role.side == Some(side));
        let on_foot = |k: &usize| own(k).is_some_and(|role| role.part.segment() == Segment::Foot);
        let heel = (0..labels.len()).find(|k| own(k).is_some_and(|role| role.part == Part::Heel))?;
        let place = |k: usize| system.markers[k].place;
        let body = system.numbers.place_body[place(heel) as usize];
        Some(Foot { side, body, places: (0..labels.len()).filter(on_foot).map(place).collect() })
    };
    Side::BOTH.into_iter().filter_map(of_side).collect()
}

/// Markers of feet along a motion.
pub(crate) struct Tracks {
    /// When.
    pub clock: Clock,
    sides: Vec<Side>,
    points: Vec<Vec<PointSeries>>,
}

impl Tracks {
    /// Along a table of `coord.NAME.value`; nothing where a coordinate is not in it, or no time passes.
    pub(crate) fn new(system: &System, table: &Trajectory, feet: &[Foot]) -> Option<Tracks> {
        let columns: Option<Vec<&[f64]>> =
            system.names.coordinates.iter().map(|coordinate| table.column(&format!("coord.{}.value", coordinate.name))).collect();
        let (columns, time) = (columns?, table.time());
        let (first, last) = (*time.first()?, *time.last()?);
        let clock = Clock::even((time.len() - 1) as f64 / (last - first), first, time.len());
        if !clock.rate.is_finite() {
            return None;
        }
        let (skeleton, tree) = (&system.skeleton, &system.numbers.tree);
        let (mut frames, v) = (Frames::new(skeleton), vec![0.0; skeleton.dofs()]);
        let mut points: Vec<Vec<PointSeries>> = feet.iter().map(|foot| vec![PointSeries::default(); foot.places.len()]).collect();
        for sample in 0..table.len() {
            let mut q: Vec<f64> = columns.iter().map(|column| column[sample]).collect();
            crate::columns::normalise(system, &mut q);
            frames.fill::<f64, false>(skeleton, tree, &q, &v, &[]);
            frames.fill_points(skeleton);
            for (foot, points) in feet.iter().zip(&mut points) {
                for (place, point) in foot.places.iter().zip(points) {
                    let body = system.numbers.place_body[*place as usize] as usize;
                    point.position.push(frames.p[body] + frames.R[body] * tree.place_p[*place as usize]);
                    point.seen.push(true);
                }
            }
        }
        Some(Tracks { clock, sides: feet.iter().map(|foot| foot.side).collect(), points })
    }

    /// As markers of feet.
    pub(crate) fn markers(&self) -> Vec<FootMarkers<'_>> {
        self.sides.iter().zip(&self.points).map(|(side, points)| FootMarkers { side: *side, points: points.iter().collect() }).collect()
    }
}
