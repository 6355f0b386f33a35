//! A figure at an instant in the plane of a picture: silhouettes of solids from far to near, surfaces, paths, rods, pins and forces.
//! Not here: how instants are arranged (`strip`, `still`), ink (`sheet`).
//! In: figure, trajectory, sample, view. Out: shapes in metres.

pub(super) mod force;
pub(super) mod palette;
pub(super) mod sheet;
pub(super) mod silhouette;
pub(super) mod view;

use crate::figure::{Courses, Figure, FigurePath, FigureSurface, Pose, Solid, Spot, Tone};
use borelli_contact::shape::Surface as _;
use borelli_data::Trajectory;
use borelli_math::{Vec3, vec3};
use force::{Arrow, Forces};
use palette::{Tint, pull_colour};
use silhouette::{Silhouette, silhouette};
use view::View;

/// Error of a drawn outline over the size of its shape: far below the width of a pen.
const OUTLINE_ERROR: f64 = 4e-3;

/// Part of a solid body, or a surface of contact on one.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// A solid.
    Flesh(Tint, Silhouette),
    /// A bounded surface of contact that is not the body itself, and whether it touches.
    Surface(Vec<[f64; 2]>, bool),
    /// A point of contact.
    Touch([f64; 2], bool),
}

/// What is seen of a figure at a sample, m.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub time: f64,
    /// From far to near.
    pub pieces: Vec<Piece>,
    /// Shadows on the ground.
    pub shadows: Vec<Vec<[f64; 2]>>,
    /// What lines of pull bend around.
    pub wraps: Vec<Vec<[f64; 2]>>,
    /// Lines of pull with their colours.
    pub paths: Vec<(Vec<[f64; 2]>, String)>,
    pub rods: Vec<Vec<[f64; 2]>>,
    /// Where the world holds a body.
    pub pins: Vec<[f64; 2]>,
    pub arrows: Vec<Arrow>,
}

/// How scenes of a picture are seen.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub view: &'a View,
    pub forces: &'a Forces,
    /// Where lines of pull lie, and what colours them.
    pub lines: &'a Pulls<'a>,
    /// What shadows fall on, in views from above.
    pub ground: Option<Ground>,
    /// Ends of lines farther off than this times the figure's height are out of the picture.
    pub far: f64,
}

/// Lines of pull along a motion.
pub(super) struct Pulls<'a> {
    pub courses: &'a Courses,
    /// Of each path.
    pub tones: Vec<Option<Tone>>,
}

impl<'a> Pulls<'a> {
    pub fn of(figure: &Figure, trajectory: &Trajectory, courses: &'a Courses) -> Pulls<'a> {
        Pulls { courses, tones: crate::figure::tones(figure, trajectory) }
    }
}

/// The ground that shadows fall on: a unit normal and a height over the origin along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub normal: Vec3<f64>,
    pub height: f64,
}

/// Half-spaces of the world, and the level through the origin where there are none and things can fall.
pub(super) fn grounds(figure: &Figure) -> Vec<Ground> {
    let world = Pose { p: Vec3::ZERO, R: borelli_math::Mat3::IDENTITY };
    let fixed = figure.surfaces.iter().filter(|surface| surface.spot.body == 0);
    fixed.filter_map(|surface| surface.plane(&world)).map(|(normal, height)| Ground { normal, height }).collect()
}

impl Scene {
    /// The figure at a sample; none where no body has a pose.
    pub fn of(figure: &Figure, trajectory: &Trajectory, sample: usize, look: &Look) -> Option<Scene> {
        let view = look.view;
        let poses: Vec<Option<Pose>> = (0..figure.bodies.len()).map(|b| drawn_pose(figure, b, trajectory, sample)).collect();
        poses[1..].iter().flatten().next()?;
        let spot = |s: &Spot| Some(view.flat(Vec3::from_array(poses[s.body].as_ref()?.place(s.at))));
        let body = figure.bounds(trajectory, sample);
        let line = |points: &[Spot]| -> Option<Vec<[f64; 2]>> {
            let places: Option<Vec<[f64; 3]>> = points.iter().map(|s| Some(poses[s.body].as_ref()?.place(s.at))).collect();
            // A string that lost its place is not drawn.
            let places = places.filter(|list| list.iter().flatten().all(|x| x.is_finite()))?;
            Some(shortened(places, body, look.far).into_iter().map(|p| view.flat(p)).collect())
        };
        let pull = |path: usize| {
            let colour = look.lines.tones[path]
                .as_ref()
                .map_or_else(|| pull_colour(None, 0.0), |tone| pull_colour(Some(tone.kind), tone.part(trajectory, sample)));
            Some((line(&look.lines.courses.drawn(figure, path, sample))?, colour))
        };
        let wraps = figure.wraps.iter().filter_map(|wrap| Some((poses[wrap.body].as_ref()?, &wrap.solids)));
        let wraps = wraps.flat_map(|(pose, solids)| solids.iter().map(|solid| silhouette(solid, pose, view).outline));
        let held = figure.held().map(|joint| joint.child);
        // A loop that has been released holds nothing.
        let pulls = |element: &str| {
            let parts = ["x", "y", "z"].map(|axis| trajectory.column(&format!("{element}.reaction.{axis}")));
            parts.iter().all(Option::is_none) || parts.into_iter().flatten().any(|values| values[sample].abs() > 0.0)
        };
        let tied = figure.holds.iter().filter(|hold| hold.a.is_some_and(|a| a.body == 0) && pulls(&hold.element)).map(|hold| hold.b);
        Some(Scene {
            time: trajectory.time()[sample],
            pieces: pieces(figure, trajectory, sample, &poses, view),
            shadows: look.ground.map_or(Vec::new(), |ground| shadows(figure, &poses, view, ground)),
            wraps: wraps.collect(),
            paths: (0..figure.paths.len()).filter_map(pull).collect(),
            rods: figure.rods.iter().filter_map(|rod: &FigurePath| line(&rod.points)).collect(),
            pins: held.chain(tied).filter_map(|s| spot(&s)).collect(),
            arrows: look.forces.arrows(sample, view),
        })
    }

    /// All places that must be in the picture.
    pub fn points(&self) -> impl Iterator<Item = &[f64; 2]> {
        let shapes = self.pieces.iter().flat_map(|piece| match piece {
            Piece::Flesh(_, silhouette) => &silhouette.outline[..],
            Piece::Surface(outline, _) => &outline[..],
            Piece::Touch(at, _) => std::slice::from_ref(at),
        });
        let arrows = self.arrows.iter().flat_map(|arrow| [&arrow.from, &arrow.to]);
        let lines = self.paths.iter().map(|(line, _)| line).chain(&self.rods).chain(&self.wraps).chain(&self.shadows);
        shapes.chain(lines.flatten()).chain(&self.pins).chain(arrows)
    }
}

/// Length of a line that is cut over the height of the figure.
const STUB: f64 = 0.2;

/// A line without an end that is farther from the box of all solids than `far` times its largest edge.
fn shortened(line: Vec<[f64; 3]>, body: Option<[[f64; 3]; 2]>, far: f64) -> Vec<Vec3<f64>> {
    let mut line: Vec<Vec3<f64>> = line.into_iter().map(Vec3::from_array).collect();
    let Some([low, high]) = body else { return line };
    let height = [0, 1, 2].map(|k| high[k] - low[k]).into_iter().fold(0.0, f64::max);
    let outside = |p: Vec3<f64>| {
        let p = p.to_array();
        Vec3::from_array([0, 1, 2].map(|k| (low[k] - p[k]).max(p[k] - high[k]).max(0.0))).norm()
    };
    for _ in 0..2 {
        if let [first, second, ..] = line[..]
            && outside(first) > far * height
            && outside(second) <= far * height
        {
            line[0] = second + (first - second).scale(STUB * height / (first - second).norm());
        }
        line.reverse();
    }
    line
}

/// The pose of a body, out of the plane where its side is drawn.
fn drawn_pose(figure: &Figure, body: usize, trajectory: &Trajectory, sample: usize) -> Option<Pose> {
    let pose = figure.pose(body, trajectory, sample)?;
    let finite = pose.p.to_array().into_iter().chain(pose.R.x.to_array()).all(f64::is_finite);
    finite.then_some(Pose { p: pose.p + vec3(0.0, 0.0, figure.bodies[body].depth), ..pose })
}

/// Solids and surfaces from far to near.
fn pieces(figure: &Figure, trajectory: &Trajectory, sample: usize, poses: &[Option<Pose>], view: &View) -> Vec<Piece> {
    let mut list: Vec<(f64, Piece)> = Vec::new();
    let mut nearest = vec![f64::NEG_INFINITY; poses.len()];
    for (b, body) in figure.bodies.iter().enumerate() {
        let Some(pose) = &poses[b] else { continue };
        let tint = Tint::of(figure, b);
        let shapes: Vec<Silhouette> = body.solids.iter().map(|solid| silhouette(solid, pose, view)).collect();
        let farthest = shapes.iter().map(|shape| shape.near).fold(f64::INFINITY, f64::min);
        // What connects the parts of a body begins inside them: it stands behind them.
        let links = |k: usize| k > 0 && matches!(body.solids[k], Solid::Cone(_));
        let (behind, front): (Vec<_>, Vec<_>) = shapes.into_iter().enumerate().partition(|(k, _)| links(*k));
        nearest[b] = front.iter().map(|(_, shape)| shape.near).fold(farthest, f64::max);
        list.extend(behind.into_iter().map(|(_, shape)| (farthest, Piece::Flesh(tint, shape))));
        list.extend(front.into_iter().map(|(_, shape)| (shape.near, Piece::Flesh(tint, shape))));
    }
    for (k, surface) in figure.surfaces.iter().enumerate() {
        let Some(pose) = poses[surface.spot.body].as_ref().filter(|_| !is_body(figure, surface)) else { continue };
        let touching = touches(figure, trajectory, sample, k);
        let at = Vec3::from_array(pose.place(surface.spot.at));
        let flat = |p: [f64; 3]| view.flat(Vec3::from_array(pose.place(p)));
        let near = nearest[surface.spot.body].max(view.near(at));
        match surface.outline(pose.R.transpose_mul(view.toward(at)), OUTLINE_ERROR) {
            Some(line) => list.push((near, Piece::Surface(line.into_iter().map(flat).collect(), touching))),
            None if surface.half_space().is_none() => list.push((near, Piece::Touch(view.flat(at), touching))),
            None => {}
        }
    }
    // Stable: what is equally near keeps its order.
    list.sort_by(|a, b| a.0.total_cmp(&b.0));
    list.into_iter().map(|(_, piece)| piece).collect()
}

/// Whether a surface is what its body is drawn as.
fn is_body(figure: &Figure, surface: &FigureSurface) -> bool {
    let solids = &figure.bodies[surface.spot.body].solids;
    let half = |solid: &Solid| if let Solid::Ellipsoid(e) = solid { Some((e.at, e.half)) } else { None };
    let own =
        if let borelli_contact::shape::Shape::Smooth(smooth) = &surface.shape { Some(smooth.half_extents().to_array()) } else { None };
    own.is_some_and(|own| solids.first().and_then(half) == Some((surface.spot.at, own)))
}

/// Whether a surface pushes something at a sample.
fn touches(figure: &Figure, trajectory: &Trajectory, sample: usize, surface: usize) -> bool {
    let own = figure.pairs.iter().filter(|pair| pair.first == surface || pair.second == surface);
    own.filter_map(|pair| trajectory.column(&format!("contact.{}.normal_force", pair.name))).any(|values| values[sample] > 0.0)
}

/// Where the sun is: behind, above and to the right of the figure, in its own directions forward, up, right.
const SUN: [f64; 3] = [-0.16, 1.0, 0.3];

/// Solids flattened along the light onto the ground.
fn shadows(figure: &Figure, poses: &[Option<Pose>], view: &View, ground: Ground) -> Vec<Vec<[f64; 2]>> {
    let [forward, up, right] = [figure.forward, figure.up, figure.right].map(Vec3::from_array);
    let sun = forward.scale(SUN[0]) + up.scale(SUN[1]) + right.scale(SUN[2]);
    let sun = sun.scale(1.0 / sun.norm());
    let fall = |p: Vec3<f64>| p - sun.scale((ground.normal.dot(p) - ground.height) / ground.normal.dot(sun));
    // Seen from the sun, a silhouette is two numbers along these.
    let [u, v] = [sun.cross(forward), sun.cross(sun.cross(forward))].map(|d| d.scale(1.0 / d.norm()));
    let from_sun = View::along_axes(u, v, sun);
    let placed = figure.bodies.iter().zip(poses).filter_map(|(body, pose)| Some((body, pose.as_ref()?)));
    placed
        .flat_map(|(body, pose)| body.solids.iter().map(move |solid| silhouette(solid, pose, &from_sun)))
        .map(|shape| shape.outline.iter().map(|[x, y]| view.flat(fall(u.scale(*x) + v.scale(*y)))).collect())
        .collect()
}
