//! What can be drawn of a model: solids, joints, points and paths on bodies, in the users' body frames. Holds no motion.
//! Not here: pens and pages (`report`, `plot`), poses (columns `body.<n>.…` of a trajectory).
//! In: a `System`. Out: a `Figure`; `Figure::pose` reads a body's pose from a trajectory.
//!
//! A model file knows masses and places, not shapes: bodies get solids that could have their mass and moments of inertia between their joints
//! (`solid`). In planar models bodies of the left and right side lie in one plane; they are drawn apart, so that the near leg hides the far one, and
//! only drawn so: places stay those of the model.

mod course;
mod solid;
mod surfaces;
mod tone;
mod turn;
mod wrap;

pub use course::{Course, Courses, TURN};
pub use solid::{Cone, Ellipsoid, Hull, Mesh, Solid, polygon};
pub use surfaces::{ContactForce, FigurePair, FigureSurface, PairColumns};
pub use tone::{Tone, ToneKind, tones};
pub use turn::{FigureTurn, moment};
pub use wrap::FigureWrap;

use crate::label::{Side, Sides, words_of};
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_dynamics::force::PathView;
use borelli_dynamics::frames::Frames;
use borelli_math::{Mat3, Quat, Sym3, Vec3, rotation_about, vec3};
use solid::{Bare, Frame, Matter, around, largest_edge};
use std::sync::Arc;

/// A place on a body (or on the world, body 0), in its own frame, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Index among [`Figure::bodies`].
    pub body: usize,
    /// Position, m.
    pub at: [f64; 3],
}

/// What is drawn of one body.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureBody {
    /// Name; its pose stands in the columns `body.<name>.…`.
    pub name: String,
    /// Name in plain words.
    pub label: String,
    /// Side of the person, if its name tells one.
    pub side: Option<Side>,
    /// Mass, kg.
    pub mass: f64,
    /// Mass centre, m.
    pub center: [f64; 3],
    /// Moments and products of inertia about the mass centre, kg m²: xx, yy, zz, xy, xz, yz.
    pub inertia: [f64; 6],
    /// How far it is drawn out of the plane of a planar model, along Z, m.
    pub depth: f64,
    /// What it is drawn as; empty for the world.
    pub solids: Vec<Solid>,
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
    /// How it turns the child, where it does nothing else.
    pub turns: Vec<FigureTurn>,
}

/// A line over points of bodies: a line of pull, or a rod without mass.
#[derive(Clone, Debug, PartialEq)]
pub struct FigurePath {
    /// Name; what a line of pull does stands in the columns `path.<name>.…`.
    pub name: String,
    /// Its points in order; without those on obstacles, which [`Courses`] have.
    pub points: Vec<Spot>,
    /// The muscle or ligament along it, `muscle.soleus`; its columns begin with that.
    pub element: Option<String>,
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

/// A point of a body that is seen in measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureMarker {
    /// Name in the model; columns are `marker.<name>.…`.
    pub name: String,
    /// Where it is.
    pub spot: Spot,
}

/// Everything that can be drawn of a model. Body 0 is the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// True for planar models: drawn in X-Y.
    pub planar: bool,
    /// Against gravity; Y without gravity.
    pub up: [f64; 3],
    /// Forward: X made level; where X is upward, so that Z stays to the right.
    pub forward: [f64; 3],
    /// To the right of one who looks forward: toward the viewer of a planar model.
    pub right: [f64; 3],
    /// Whether its bodies are rods and plates of a machine, not flesh.
    pub machine: bool,
    /// Whether some body has a side.
    pub sided: bool,
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
    /// What lines of pull bend around.
    pub wraps: Vec<FigureWrap>,
    /// Other loops and guides that act at places.
    pub holds: Vec<FigureHold>,
    /// Surfaces of contact.
    pub surfaces: Vec<FigureSurface>,
    /// Pairs of surfaces that may touch.
    pub pairs: Vec<FigurePair>,
    /// Markers.
    pub markers: Vec<FigureMarker>,
    /// What is not drawn as the model wants it, and why.
    pub notes: Vec<String>,
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

/// All of a figure but its solids, on bodies by index.
struct Sketch {
    places: Vec<Spot>,
    joints: Vec<FigureJoint>,
    paths: Vec<FigurePath>,
    rods: Vec<FigurePath>,
    holds: Vec<FigureHold>,
    surfaces: Vec<FigureSurface>,
    matters: Vec<Matter>,
    points: Vec<Points>,
    meshes: Vec<Option<Arc<Mesh>>>,
    notes: Vec<String>,
    /// At the start.
    poses: Vec<Pose>,
}

impl Sketch {
    fn of(system: &System) -> Sketch {
        let tree = &system.numbers.tree;
        let on_body = |b: usize, p_K: Vec3<f64>| (tree.R_KB[b].transpose_mul(p_K - tree.p_KB[b])).to_array();
        let places: Vec<Spot> = (tree.place_p.iter().zip(&system.numbers.place_body))
            .map(|(p, body)| Spot { body: *body as usize, at: on_body(*body as usize, *p) })
            .collect();
        let spots = |list: &[u32]| list.iter().map(|k| places[*k as usize]).collect::<Vec<Spot>>();
        let mut view = PathView::new(system);
        view.look(system, &system.start.q);
        let rods = system.numbers.constraints.rod.iter();
        let joint = |b: usize| {
            let P = system.skeleton.parent[b] as usize;
            FigureJoint {
                name: system.names.joints[b].clone(),
                kind: system.names.joint_kinds[b].to_string(),
                parent: Spot { body: P, at: on_body(P, tree.p_PF_P[b]) },
                child: Spot { body: b, at: on_body(b, Vec3::ZERO) },
                turns: turn::of_body(system, b),
            }
        };
        let (planar, count) = (system.skeleton.planar, system.names.bodies.len());
        let values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
        let matter = |b: usize| {
            let world = (0.0, Vec3::ZERO, Sym3::ZERO);
            let (mass, center, inertia) = b.checked_sub(1).map_or(world, |k| system.parts.bodies[k].properties(&values));
            Matter { mass, center, inertia, planar }
        };
        let mut notes = Vec::new();
        let meshes = (0..count).map(|b| mesh_of(system, b).and_then(|mesh| mesh.map_err(|note| notes.push(note)).ok())).collect();
        Sketch {
            meshes,
            notes,
            joints: (1..count).map(joint).collect(),
            paths: (0..system.names.paths.len()).map(|k| course::at_start(system, &view, k, &places)).collect(),
            rods: rods.map(|rod| FigurePath { name: rod.name.clone(), points: spots(&rod.item.ends()), element: None }).collect(),
            holds: holds(system, &places),
            surfaces: surfaces::of(system, &places),
            matters: (0..count).map(matter).collect(),
            points: (0..count).map(|b| named_points(system, b)).collect(),
            poses: start(system),
            places,
        }
    }

    /// What solids are made from.
    fn frame<'a>(&'a self, system: &'a System) -> Frame<'a> {
        let bare = |body: usize| Bare {
            name: &system.names.bodies[body],
            matter: self.matters[body],
            points: &self.points[body],
            mesh: self.meshes[body].as_ref(),
        };
        Frame {
            joints: &self.joints,
            holds: &self.holds,
            rods: &self.rods,
            paths: &self.paths,
            surfaces: &self.surfaces,
            bodies: (0..self.matters.len()).map(bare).collect(),
            poses: &self.poses,
        }
    }
}

/// How far sides of a planar model are drawn out of its plane over the height of the figure: 90 mm for 1.8 m.
const ASIDE: f64 = 0.05;

impl Figure {
    /// What can be drawn of a compiled model, with the numbers it has now.
    pub fn of(system: &System) -> Figure {
        let sketch = Sketch::of(system);
        let solids = sketch.frame(system).solids();
        let Sketch { places, joints, paths, rods, holds, surfaces, matters, points, notes, .. } = sketch;
        let planar = system.skeleton.planar;
        let aside = |side: Option<Side>| match (planar, side) {
            (true, Some(Side::Right)) => ASIDE * solids.height,
            (true, Some(Side::Left)) => -ASIDE * solids.height,
            _ => 0.0,
        };
        let sides = Sides::among(system.names.bodies.iter().map(String::as_str));
        let bodies: Vec<FigureBody> = (system.names.bodies.iter().zip(matters).zip(points).zip(solids.bodies))
            .map(|(((name, matter), points), solids)| {
                let (side, i) = (sides.of(name), matter.inertia);
                FigureBody {
                    name: name.clone(),
                    label: words_of(name, side),
                    side,
                    mass: matter.mass,
                    center: matter.center.to_array(),
                    inertia: [i.xx, i.yy, i.zz, i.xy, i.xz, i.yz],
                    depth: aside(side),
                    solids,
                    points,
                }
            })
            .collect();
        let gravity = system.numbers.tree.gravity;
        let size = gravity.norm();
        let up = if size > 0.0 { gravity.scale(-1.0 / size) } else { vec3(0.0, 1.0, 0.0) };
        let forward = if planar { vec3(up.y, -up.x, 0.0) } else { level(up) };
        let markers = system.names.markers.iter().zip(&system.markers);
        Figure {
            wraps: wrap::of(system, &places),
            planar,
            up: up.to_array(),
            forward: forward.to_array(),
            right: forward.cross(up).to_array(),
            machine: solids.machine,
            sided: bodies.iter().any(|body| body.side.is_some()),
            gravity: size > 0.0,
            markers: markers.map(|(name, marker)| FigureMarker { name: name.clone(), spot: places[marker.place as usize] }).collect(),
            pairs: surfaces::pairs(system),
            notes,
            bodies,
            joints,
            paths,
            rods,
            holds,
            surfaces,
        }
    }

    /// Which surfaces of contact have a side.
    pub fn surface_sides(&self) -> Sides {
        Sides::among(self.surfaces.iter().map(|surface| surface.name.as_str()))
    }

    /// Lower and upper corner of the box of all solids at a sample, world axes, m; none where no body has a pose. Places are those of the model.
    pub fn bounds(&self, trajectory: &Trajectory, sample: usize) -> Option<[[f64; 3]; 2]> {
        let placed = self.bodies.iter().enumerate().filter_map(|(b, body)| Some((body, self.pose(b, trajectory, sample)?)));
        around(placed.flat_map(|(body, pose)| body.solids.iter().map(move |solid| solid.bounds(&pose))))
    }

    /// The height of the figure at a sample, in which sizes of what is drawn are told: the largest edge of the box of all solids, m.
    pub fn height(&self, trajectory: &Trajectory, sample: usize) -> Option<f64> {
        self.bounds(trajectory, sample).map(largest_edge).filter(|height| height.is_finite() && *height > 0.0)
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

/// The mesh of a body, where the model names one; or why it is not drawn.
fn mesh_of(system: &System, body: usize) -> Option<Result<Arc<Mesh>, String>> {
    let surface = system.mesh(body)?;
    let file = system.meshes[body - 1].as_ref().map_or("", |mesh| mesh.file.as_str());
    let mesh = Mesh::of(&surface).map(Arc::new);
    Some(mesh.map_err(|bytes| Mesh::too_large(file, &system.names.bodies[body], bytes)))
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

impl Figure {
    /// Joints by which the world holds a place of the figure: not those that float or slide, nor one about which a body without weight and neighbours turns
    /// at its mass centre, since nothing needs to hold it. `page/scene.js` has the same rule.
    pub fn held(&self) -> impl Iterator<Item = &FigureJoint> {
        let lines = self.paths.iter().chain(&self.rods).flat_map(|line| line.points.iter().copied());
        let holds = self.holds.iter().flat_map(|hold| hold.a.into_iter().chain([hold.b]));
        let spots: Vec<Spot> = lines
            .chain(holds)
            .chain(self.surfaces.iter().map(|own| own.spot))
            .chain(self.joints.iter().map(|joint| joint.parent))
            .collect();
        let size = self.bodies.iter().flat_map(|body| &body.solids).map(|solid| solid.reach(vec3(1.0, 0.0, 0.0)).abs()).fold(0.0, f64::max);
        let holds = move |joint: &&FigureJoint| {
            let off = (Vec3::from_array(joint.child.at) - Vec3::from_array(self.bodies[joint.child.body].center)).norm();
            let needed = self.gravity || off > 1e-6 * size || spots.iter().any(|spot| spot.body == joint.child.body);
            joint.parent.body == 0 && !joint.floats() && joint.kind != "slider" && needed
        };
        self.joints.iter().filter(holds)
    }
}

impl FigureJoint {
    /// Whether it carries its body freely, so that its place is no end of anything.
    pub fn floats(&self) -> bool {
        matches!(self.kind.as_str(), "free" | "planar")
    }
}

/// X made level. Where X is upward, the model lies on its back or its front, and Z is still to the right: forward is across both.
fn level(up: Vec3<f64>) -> Vec3<f64> {
    let forward = if up.x.abs() > 0.9 { up.cross(vec3(0.0, 0.0, 1.0)) } else { vec3(1.0, 0.0, 0.0) };
    let level = forward - up.scale(forward.dot(up));
    level.scale(1.0 / level.norm())
}

/// Poses of all bodies at the coordinates that a model starts from, whether or not they close its loops.
fn start(system: &System) -> Vec<Pose> {
    let (skeleton, tree) = (&system.skeleton, &system.numbers.tree);
    let still = vec![0.0; skeleton.dofs()];
    let mut frames = Frames::<f64>::new(skeleton);
    frames.fill::<f64, false>(skeleton, tree, &system.start.q, &still, &still);
    frames.fill_points(skeleton);
    let pose = |b: usize| Pose { p: frames.p[b] + frames.R[b] * tree.p_KB[b], R: frames.R[b] * tree.R_KB[b] };
    (0..skeleton.parent.len()).map(pose).collect()
}

/// Names and places on a body.
type Points = Vec<(String, [f64; 3])>;

/// Named points and frames of a body, from the paths of the parameters: `body.thigh.point.knee.x`, `world.frame.wall.origin.y`.
fn named_points(system: &System, body: usize) -> Points {
    let owner = if body == 0 { "world".to_string() } else { format!("body.{}", system.names.bodies[body]) };
    let mut points: Points = Vec::new();
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

#[cfg(test)]
mod tests;
