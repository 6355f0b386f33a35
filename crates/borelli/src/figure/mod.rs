//! What can be drawn of a model: outlines, joints, points and paths on bodies, in the users' body frames. Holds no motion.
//! Not here: pens and pages (`report`, `plot`), poses (columns `body.<n>.…` of a trajectory).
//! In: a `System`. Out: a `Figure`; `Figure::pose` reads a body's pose from a trajectory.
//!
//! A model file knows places, not shapes. A body with two or more places (joints, loops, named points that are not ends of lines of pull) is drawn
//! between them. One with a single place is drawn as the uniform rod that has its moment of inertia about the mass centre,
//!
//! ```text
//! half-length h = √(3 I/m)                                                                    (1)
//! ```
//!
//! from the joint through the mass centre; where both coincide, as the disc with I = m r²/2 (plane) or the box with its three moments
//! I_x = m (b² + c²)/3 of half-edges a, b, c (space). Tests: the moments of what is drawn are those of the body. A body that would be drawn so but
//! has a bounded surface of contact is drawn by its surfaces alone.

mod surfaces;

pub use surfaces::{ContactForce, FigurePair, FigureSurface, PairColumns};

use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_math::{Mat3, Quat, Sym3, Vec3, rotation_about, vec3};

/// A place on a body (or on the world, body 0), in its own frame, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Index among [`Figure::bodies`].
    pub body: usize,
    /// Position, m.
    pub at: [f64; 3],
}

/// How a body's outline came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Between its joints and points.
    Places,
    /// As a rod, disc or box with its mass and moments of inertia.
    Inertia,
    /// By its surfaces of contact: it has no lines of its own.
    Surfaces,
}

/// What is drawn of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureBody {
    /// Name; its pose stands in the columns `body.<name>.…`.
    pub name: String,
    /// Mass, kg.
    pub mass: f64,
    /// Mass centre, m.
    pub center: [f64; 3],
    /// Lines; a closed one ends where it begins.
    pub outline: Vec<Vec<[f64; 3]>>,
    /// Thin lines from places off the outline (mass centre, points) to it, so that one sees what they belong to.
    pub stays: Vec<[[f64; 3]; 2]>,
    /// How the outline came about.
    pub shape: Shape,
    /// Named points.
    pub points: Vec<(String, [f64; 3])>,
}

/// A joint of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureJoint {
    /// Name; the reaction on the child stands in the columns `joint.<name>.reaction.…`.
    pub name: String,
    /// Type in the model file.
    pub kind: String,
    /// Place on the parent.
    pub parent: Spot,
    /// Place on the child.
    pub child: Spot,
}

/// A line over points of bodies: a line of pull, or a rod without mass.
#[derive(Clone, Debug, PartialEq)]
pub struct FigurePath {
    /// Name; what a line of pull does stands in the columns `path.<name>.…`.
    pub name: String,
    /// Its points in order.
    pub points: Vec<Spot>,
}

/// What holds a place beside the joints of the tree: a loop that holds two places together, or a guide of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureHold {
    /// Loop or guide, `loop.pin`; its force on `b` in world axes stands in the columns `<element>.reaction.x`, ... as far as it has them.
    pub element: String,
    /// Type in the model file; `point` is a guide.
    pub kind: &'static str,
    /// Place it is held to; none for a guide, which holds it to a function of time.
    pub a: Option<Spot>,
    /// Place it holds.
    pub b: Spot,
}

/// Everything that can be drawn of a model. Body 0 is the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// True for planar models: drawn in X-Y.
    pub planar: bool,
    /// Against gravity; Y without gravity.
    pub up: [f64; 3],
    /// Whether there is gravity, so that a ground line means something.
    pub gravity: bool,
    /// Bodies, world first.
    pub bodies: Vec<FigureBody>,
    /// Joints, one per body but the world.
    pub joints: Vec<FigureJoint>,
    /// Lines of pull.
    pub paths: Vec<FigurePath>,
    /// Rods without mass that close loops; the force on the second end, away from the first, stands in the column `loop.<name>.reaction.length`.
    pub rods: Vec<FigurePath>,
    /// Other loops and guides that act at places.
    pub holds: Vec<FigureHold>,
    /// Surfaces of contact.
    pub surfaces: Vec<FigureSurface>,
    /// Pairs of surfaces that may touch.
    pub pairs: Vec<FigurePair>,
}

/// Position and orientation of a body, body to world.
#[derive(Clone, Copy, Debug)]
pub struct Pose {
    /// Origin of the body frame, m.
    pub p: Vec3<f64>,
    /// Orientation.
    pub R: Mat3<f64>,
}

impl Pose {
    /// A place of the body in world axes.
    pub fn place(&self, at: [f64; 3]) -> [f64; 3] {
        (self.p + self.R * Vec3::from_array(at)).to_array()
    }
}

/// Two places are one when they are nearer than this, m: above rounding, far below what a pen can show of a body.
const SAME_PLACE: f64 = 1e-9;

/// Corners of a disc's outline: enough for a round look at the size of a page.
const DISC_CORNERS: usize = 48;

impl Figure {
    /// What can be drawn of a compiled model, with the numbers it has now.
    pub fn of(system: &System) -> Figure {
        let tree = &system.numbers.tree;
        let on_body = |b: usize, p_K: Vec3<f64>| (tree.R_KB[b].transpose_mul(p_K - tree.p_KB[b])).to_array();
        let places: Vec<Spot> = (tree.place_p.iter().zip(&system.numbers.place_body))
            .map(|(p, body)| Spot { body: *body as usize, at: on_body(*body as usize, *p) })
            .collect();
        let spots = |list: &[u32]| list.iter().map(|k| places[*k as usize]).collect::<Vec<Spot>>();
        let paths: Vec<FigurePath> = (system.names.paths.iter().zip(&system.numbers.paths))
            .map(|(name, list)| FigurePath { name: name.clone(), points: spots(list) })
            .collect();
        let rods = system.numbers.constraints.rod.iter();
        let rods = rods.map(|rod| FigurePath { name: rod.name.clone(), points: spots(&rod.item.ends()) }).collect();
        let joints: Vec<FigureJoint> = (1..system.names.bodies.len())
            .map(|b| {
                let P = system.skeleton.parent[b] as usize;
                FigureJoint {
                    name: system.names.joints[b].clone(),
                    kind: system.names.joint_kinds[b].to_string(),
                    parent: Spot { body: P, at: on_body(P, tree.p_PF_P[b]) },
                    child: Spot { body: b, at: on_body(b, Vec3::ZERO) },
                }
            })
            .collect();
        let surfaces = surfaces::of(system, &places);
        let values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
        let bodies = (system.names.bodies.iter().enumerate())
            .map(|(b, name)| {
                let points = named_points(system, b);
                if b == 0 {
                    let (name, outline, stays) = (name.clone(), Vec::new(), Vec::new());
                    return FigureBody { name, mass: 0.0, center: [0.0; 3], outline, stays, shape: Shape::Places, points };
                }
                let (mass, center, inertia) = system.parts.bodies[b - 1].properties(&values);
                let structure = structure(b, &joints, &paths, &places, &points);
                let inertial = Inertial { mass, center, inertia, planar: system.skeleton.planar };
                let (outline, shape) = match outline(&structure, floats(&joints[b - 1]), &inertial) {
                    // Several surfaces may stand apart, and need a body between them.
                    (_, Shape::Inertia) if surfaces.iter().filter(|s| s.spot.body == b && s.is_bounded()).count() == 1 => {
                        (Vec::new(), Shape::Surfaces)
                    }
                    drawn => drawn,
                };
                let on_paths = paths.iter().flat_map(|path| &path.points).filter(|s| s.body == b).map(|s| s.at);
                let loose = [center.to_array()].into_iter().chain(points.iter().map(|(_, at)| *at)).chain(on_paths);
                let stays = stays(loose, &outline);
                FigureBody { name: name.clone(), mass, center: center.to_array(), outline, stays, shape, points }
            })
            .collect();
        let g = tree.gravity;
        let size = g.norm();
        let up = if size > 0.0 { g.scale(-1.0 / size).to_array() } else { [0.0, 1.0, 0.0] };
        let (planar, gravity, holds, pairs) = (system.skeleton.planar, size > 0.0, holds(system, &places), surfaces::pairs(system));
        Figure { planar, up, gravity, bodies, joints, paths, rods, holds, surfaces, pairs }
    }

    /// The pose of a body at a sample; none where the trajectory does not hold it.
    pub fn pose(&self, body: usize, trajectory: &Trajectory, sample: usize) -> Option<Pose> {
        if body == 0 {
            return Some(Pose { p: Vec3::ZERO, R: Mat3::IDENTITY });
        }
        let name = &self.bodies[body].name;
        let get = |part: &str| trajectory.column(&format!("body.{name}.{part}")).map(|values| values[sample]);
        let p = vec3(get("x")?, get("y")?, get("z").unwrap_or(0.0));
        let quaternion = || Some(Quat { w: get("qw")?, x: get("qx")?, y: get("qy")?, z: get("qz")? }.to_rotation());
        let R = quaternion().or_else(|| Some(rotation_about(vec3(0.0, 0.0, 1.0), get("angle")?)))?;
        Some(Pose { p, R })
    }
}

/// Loops between two places and guides of points, in the order of their rows.
fn holds(system: &System, places: &[Spot]) -> Vec<FigureHold> {
    let lists = &system.numbers.constraints;
    let spot = |place: u32| places[place as usize];
    let pins = lists.coincident.iter().map(|pin| (&pin.name, "coincident", pin.item.ends()));
    let balls = lists.ball.iter().map(|ball| (&ball.name, "ball", ball.item.ends()));
    let hinges = lists.hinge.iter().map(|hinge| (&hinge.name, "hinge", hinge.item.ends()));
    let welds = lists.weld.iter().map(|weld| (&weld.name, "weld", weld.item.ends()));
    let loops = pins.chain(balls).chain(hinges).chain(welds);
    let loops = loops.map(|(name, kind, [a, b])| FigureHold { element: format!("loop.{name}"), kind, a: Some(spot(a)), b: spot(b) });
    let guides = lists.guide_point.iter().map(|guide| {
        let (element, b) = (format!("guide.{}", guide.name), spot(guide.item.place()));
        FigureHold { element, kind: "point", a: None, b }
    });
    loops.chain(guides).collect()
}

/// Whether a joint carries its body freely, so that its place is no end of anything.
fn floats(joint: &FigureJoint) -> bool {
    matches!(joint.kind.as_str(), "free" | "planar")
}

/// Named points and frames of a body, from the paths of the parameters: `body.thigh.point.knee.x`, `world.frame.wall.origin.y`.
fn named_points(system: &System, body: usize) -> Vec<(String, [f64; 3])> {
    let owner = if body == 0 { "world".to_string() } else { format!("body.{}", system.names.bodies[body]) };
    let mut points: Vec<(String, [f64; 3])> = Vec::new();
    for parameter in &system.parameters {
        let Some(rest) = parameter.path.strip_prefix(&owner).and_then(|rest| rest.strip_prefix('.')) else { continue };
        let words: Vec<&str> = rest.split('.').collect();
        let (name, axis) = match words[..] {
            ["point", name, axis] | ["frame", name, "origin", axis] => (name, axis),
            _ => continue,
        };
        let Some(k) = ["x", "y", "z"].iter().position(|a| *a == axis) else { continue };
        match points.iter_mut().find(|(known, _)| known == name) {
            Some((_, at)) => at[k] = parameter.value,
            None => {
                let mut at = [0.0; 3];
                at[k] = parameter.value;
                points.push((name.to_string(), at));
            }
        }
    }
    points
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (Vec3::from_array(a) - Vec3::from_array(b)).norm()
}

/// Places that carry a body's shape, the joint to its parent first: joints, loops, points that no path ends at.
fn structure(body: usize, joints: &[FigureJoint], paths: &[FigurePath], places: &[Spot], points: &[(String, [f64; 3])]) -> Vec<[f64; 3]> {
    let on_paths: Vec<[f64; 3]> = paths.iter().flat_map(|path| &path.points).filter(|s| s.body == body).map(|s| s.at).collect();
    let mut list: Vec<[f64; 3]> = vec![joints[body - 1].child.at];
    list.extend(joints.iter().filter(|j| j.parent.body == body).map(|j| j.parent.at));
    let others = points.iter().map(|(_, at)| *at).chain(places.iter().filter(|s| s.body == body).map(|s| s.at));
    list.extend(others.filter(|at| on_paths.iter().all(|p| distance(*p, *at) > SAME_PLACE)));
    let mut kept: Vec<[f64; 3]> = Vec::new();
    for at in list {
        if kept.iter().all(|k| distance(*k, at) > SAME_PLACE) {
            kept.push(at);
        }
    }
    kept
}

/// What a shape is made of where places do not tell.
struct Inertial {
    mass: f64,
    center: Vec3<f64>,
    inertia: Sym3<f64>,
    planar: bool,
}

/// Lines of a body between its places, else of the same inertia.
fn outline(structure: &[[f64; 3]], floats: bool, inertial: &Inertial) -> (Vec<Vec<[f64; 3]>>, Shape) {
    // The joint of a floating body is an origin, not an end: with one more place there is still only one.
    let ends = if floats { &structure[1..] } else { structure };
    match (ends.len(), inertial.planar) {
        (0 | 1, _) => (inertial.lines(ends.first().copied()), Shape::Inertia),
        (2, _) => (vec![ends.to_vec()], Shape::Places),
        (_, true) => (vec![hull(ends)], Shape::Places),
        (_, false) => {
            let from = if floats { inertial.center.to_array() } else { structure[0] };
            let rays = ends.iter().filter(|at| distance(from, **at) > 0.0);
            (rays.map(|at| vec![from, *at]).collect(), Shape::Places)
        }
    }
}

impl Inertial {
    /// A rod from `end` through the mass centre, or a disc or box about it. Equation (1).
    fn lines(&self, end: Option<[f64; 3]>) -> Vec<Vec<[f64; 3]>> {
        if !(self.mass > 0.0) {
            return end.map(|end| vec![vec![end, self.center.to_array()]]).unwrap_or_default();
        }
        let radius = (self.inertia.trace() / self.mass).max(0.0).sqrt();
        let lever = end.map_or(Vec3::ZERO, |end| self.center - Vec3::from_array(end));
        let length = lever.norm();
        // A lever that is short beside the body's extent gives no direction worth drawing.
        if let Some(end) = end
            && length > 0.2 * radius
        {
            let u = lever.scale(1.0 / length);
            let along = u.dot(self.inertia * u);
            let across = if self.planar { self.inertia.zz } else { 0.5 * (self.inertia.trace() - along) };
            let half = (3.0 * across / self.mass).max(0.0).sqrt();
            return vec![vec![end, (self.center + u.scale(half)).to_array()]];
        }
        if self.planar { self.disc() } else { self.cuboid() }
    }

    /// A circle with a spoke, so that turning can be seen.
    fn disc(&self) -> Vec<Vec<[f64; 3]>> {
        let radius = (2.0 * self.inertia.zz / self.mass).max(0.0).sqrt();
        let at = |k: usize| {
            let (sine, cosine) = (k as f64 * std::f64::consts::TAU / DISC_CORNERS as f64).sin_cos();
            (self.center + vec3(radius * cosine, radius * sine, 0.0)).to_array()
        };
        let mut circle: Vec<[f64; 3]> = (0..DISC_CORNERS).map(at).collect();
        circle.push(circle[0]);
        vec![circle, vec![self.center.to_array(), at(0)]]
    }

    /// A box with the moments about the body's axes: half-edges a² = 3 (I_y + I_z − I_x)/(2 m).
    fn cuboid(&self) -> Vec<Vec<[f64; 3]>> {
        let I = &self.inertia;
        let half = |square: f64| (1.5 * square / self.mass).max(0.0).sqrt();
        let (a, b, c) = (half(I.yy + I.zz - I.xx), half(I.xx + I.zz - I.yy), half(I.xx + I.yy - I.zz));
        let corner = |x: f64, y: f64, z: f64| (self.center + vec3(a * x, b * y, c * z)).to_array();
        let face = |z: f64| vec![corner(-1., -1., z), corner(1., -1., z), corner(1., 1., z), corner(-1., 1., z), corner(-1., -1., z)];
        let edge = |x: f64, y: f64| vec![corner(x, y, -1.0), corner(x, y, 1.0)];
        // Two spokes along the body's X and Y, so that one sees which side is which.
        let spoke = |x: f64, y: f64| vec![self.center.to_array(), corner(x, y, 0.0)];
        vec![face(-1.0), face(1.0), edge(-1., -1.), edge(1., -1.), edge(1., 1.), edge(-1., 1.), spoke(1., 0.), spoke(0., 1.)]
    }
}

/// Lines from places to the nearest spot of an outline; nothing for places on it or inside a filled part of it.
fn stays(places: impl Iterator<Item = [f64; 3]>, outline: &[Vec<[f64; 3]>]) -> Vec<[[f64; 3]; 2]> {
    if outline.iter().any(|line| line.len() > 2) {
        return Vec::new();
    }
    let mut list: Vec<[[f64; 3]; 2]> = Vec::new();
    for at in places {
        let feet = outline.iter().flat_map(|line| line.windows(2)).map(|ends| foot(at, ends[0], ends[1]));
        let nearest = feet.min_by(|a, b| distance(*a, at).total_cmp(&distance(*b, at)));
        if let Some(foot) = nearest.filter(|foot| distance(*foot, at) > SAME_PLACE)
            && list.iter().all(|[known, _]| distance(*known, at) > SAME_PLACE)
        {
            list.push([at, foot]);
        }
    }
    list
}

/// The spot of a straight line from `a` to `b` nearest to `p`.
fn foot(p: [f64; 3], a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let (start, d) = (Vec3::from_array(a), Vec3::from_array(b) - Vec3::from_array(a));
    let square = d.dot(d);
    let part = if square > 0.0 { ((Vec3::from_array(p) - start).dot(d) / square).clamp(0.0, 1.0) } else { 0.0 };
    (start + d.scale(part)).to_array()
}

/// The convex hull in X-Y, closed, counter-clockwise (Andrew's monotone chain); points on one line give that line.
fn hull(points: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turn = |o: [f64; 3], a: [f64; 3], b: [f64; 3]| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let half = |list: &mut dyn Iterator<Item = &[f64; 3]>| {
        let mut chain: Vec<[f64; 3]> = Vec::new();
        for p in list {
            while chain.len() > 1 && turn(chain[chain.len() - 2], chain[chain.len() - 1], *p) <= 0.0 {
                chain.pop();
            }
            chain.push(*p);
        }
        chain
    };
    let (mut lower, upper) = (half(&mut sorted.iter()), half(&mut sorted.iter().rev()));
    lower.pop();
    lower.extend(upper);
    if lower.len() == 3 {
        lower.pop();
    }
    lower
}

#[cfg(test)]
mod tests;
