//! Where lines of pull lie along a motion: over obstacles, through points that move or come and go.
//! Not here: how a string lies on an obstacle (`borelli_dynamics::force`), pens. Points of paths over fixed places move with their bodies and need none of this.
//! In: a system and the coordinates of a trajectory. Out: for each such path as many points at every sample, in body frames.

use super::{Figure, FigurePath, Spot};
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_dynamics::force::{PathView, Stop};

/// Most turn of a drawn arc from one of its points to the next, rad. The chord of an angle δ is shorter than its arc by δ²/24 of it: 8e-4 here, and nowhere farther from
/// it than 2.5e-3 of the radius.
pub const TURN: f64 = 8.0 * std::f64::consts::PI / 180.0;

/// One path along a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Index among [`Figure::paths`].
    pub path: usize,
    /// Body of each point.
    pub bodies: Vec<usize>,
    /// Places on their bodies, m: sample by sample, point by point. Single precision is a tenth of a micrometre of a metre.
    pub at: Vec<[f32; 3]>,
}

/// All paths that are not drawn by fixed places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Courses(pub Vec<Course>);

impl Courses {
    /// Along a motion of the system; none where its samples lack coordinates.
    pub fn of(system: &System, trajectory: &Trajectory) -> Courses {
        let names = &system.names.coordinates;
        let columns: Option<Vec<&[f64]>> = names.iter().map(|own| trajectory.column(&format!("coord.{}.value", own.name))).collect();
        let paths = &system.numbers.paths;
        let bent: Vec<usize> = (0..paths.len()).filter(|path| paths.places(*path).is_none()).collect();
        let Some(columns) = columns.filter(|_| !bent.is_empty()) else { return Courses::default() };
        let mut view = PathView::new(system);
        let mut q = vec![0.0; columns.len()];
        let mut look = |view: &mut PathView, sample: usize| {
            q.iter_mut().zip(&columns).for_each(|(q, column)| *q = column[sample]);
            view.look(system, &q);
        };
        // As many points on an arc as its largest turn needs.
        let mut most: Vec<Vec<f64>> = bent.iter().map(|path| vec![0.0; paths.list[*path].len()]).collect();
        for sample in 0..trajectory.len() {
            look(&mut view, sample);
            for (path, most) in bent.iter().zip(&mut most) {
                let turn = |stop: usize| view.lines().touching(*path, stop).map_or(0.0, |(_, turn)| turn.abs());
                most.iter_mut().enumerate().for_each(|(stop, most)| *most = most.max(turn(stop)));
            }
        }
        let along: Vec<Vec<usize>> = most.iter().map(|most| most.iter().map(|turn| between(*turn)).collect()).collect();
        let mut list: Vec<Course> = bent.iter().map(|path| Course { path: *path, bodies: Vec::new(), at: Vec::new() }).collect();
        let mut points = Vec::new();
        for sample in 0..trajectory.len() {
            look(&mut view, sample);
            for (course, along) in list.iter_mut().zip(&along) {
                view.fill_course(system, course.path, along, &mut points);
                if sample == 0 {
                    course.bodies = points.iter().map(|(body, _)| *body as usize).collect();
                }
                course.at.extend(points.iter().map(|(_, at)| at.map(|x| x as f32)));
            }
        }
        Courses(list)
    }

    /// Points of a path at a sample.
    pub fn points(&self, path: usize, sample: usize) -> Option<Vec<Spot>> {
        let course = self.0.iter().find(|course| course.path == path)?;
        let at = course.at.chunks(course.bodies.len().max(1)).nth(sample)?;
        Some(course.bodies.iter().zip(at).map(|(body, at)| Spot { body: *body, at: at.map(f64::from) }).collect())
    }

    /// Where a path of a figure is drawn at a sample.
    pub fn drawn(&self, figure: &Figure, path: usize, sample: usize) -> Vec<Spot> {
        self.points(path, sample).unwrap_or_else(|| figure.paths[path].points.clone())
    }
}

/// Points between the ends of an arc of this turn.
fn between(turn: f64) -> usize {
    // A string that lost its place turns by nothing that is a number.
    if turn.is_finite() { (turn / TURN).ceil().clamp(1.0, 180.0) as usize - 1 } else { 0 }
}

/// Points of a path on their bodies at the start: places, and moving points where they are there. Obstacles between them are drawn along a motion only.
pub(super) fn at_start(system: &System, view: &PathView, path: usize, places: &[Spot]) -> FigurePath {
    let spot = |stop: &Stop<f64>| match stop {
        Stop::Place(place) | Stop::When { place, .. } => Some(places[*place as usize]),
        Stop::Moving { body, .. } => view.on_body(system, stop).map(|at| Spot { body: *body as usize, at: at.to_array() }),
        Stop::Wrap { .. } => None,
    };
    // A muscle tells more of a path than a ligament beside it, and that more than a spring.
    let on = system.numbers.forces.on_paths();
    let of = |section: &str| on.iter().find(|(element, own)| *own as usize == path && element.starts_with(section));
    let element = of("muscle.").or_else(|| of("ligament.")).map(|(element, _)| element.clone());
    FigurePath {
        name: system.names.paths[path].clone(),
        points: system.numbers.paths.list[path].iter().filter_map(spot).collect(),
        element,
    }
}
