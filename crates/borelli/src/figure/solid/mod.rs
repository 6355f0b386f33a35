//! Solids: bodies that have a mass, moments of inertia and joints get a shape that could have them.
//! Not here: surfaces of contact, which are given (`surfaces`); pens (`plot`, `report`).
//! In: bodies, anchors, a pose. Out: cones, superellipsoids, hulls and meshes in body frames.
//!
//! Flesh has a density of 1050 kg/m³, which gives a volume; joints give the ends, moments of inertia the proportions. Rules: `rules`. Nothing here is
//! measured: two people of the same numbers look alike.

mod anchor;
mod cone;
mod ellipsoid;
mod head;
mod hull;
mod machine;
mod mesh;
mod principal;
mod rules;

pub use cone::Cone;
pub use ellipsoid::Ellipsoid;
pub use hull::{Hull, polygon};
pub use mesh::Mesh;

use super::{FigureHold, FigureJoint, FigurePath, FigureSurface, Pose};
use anchor::{Anchor, Places};
use borelli_contact::shape::Smooth;
use borelli_math::{Mat3, Sym3, Vec3, vec3};
use std::sync::Arc;

/// A solid part of a body, in its frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// A round cone with half spheres at its ends.
    Cone(Cone),
    /// A superellipsoid.
    Ellipsoid(Ellipsoid),
    /// The hull of equal balls.
    Hull(Hull),
    /// A surface that the model names.
    Mesh(Arc<Mesh>),
}

impl Solid {
    /// How far it reaches along a unit vector of the body's frame, m.
    pub fn reach(&self, n: Vec3<f64>) -> f64 {
        match self {
            Solid::Cone(cone) => cone.reach(n),
            Solid::Ellipsoid(ellipsoid) => ellipsoid.support(n).dot(n),
            Solid::Hull(hull) => hull.reach(n),
            Solid::Mesh(mesh) => mesh.reach(n),
        }
    }

    /// Lower and upper corner of its box in world axes when its body is at a pose, m.
    pub fn bounds(&self, pose: &Pose) -> [[f64; 3]; 2] {
        let axes = [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)];
        let reach = |n: Vec3<f64>| pose.p.dot(n) + self.reach(pose.R.transpose_mul(n));
        [axes.map(|n| -reach(-n)), axes.map(reach)]
    }

    /// Whether a place is inside, or so near to the surface that it cannot be told.
    fn holds(&self, at: Vec3<f64>) -> bool {
        around_sphere().all(|n| at.dot(n) <= self.reach(n))
    }

    /// The place of its axis that is nearest to another, or its middle.
    fn core(&self, at: Vec3<f64>) -> Vec3<f64> {
        match self {
            Solid::Cone(cone) => {
                let (a, u) = (Vec3::from_array(cone.a), cone.direction());
                a + u.scale((at - a).dot(u).clamp(0.0, cone.length()))
            }
            Solid::Ellipsoid(ellipsoid) => Vec3::from_array(ellipsoid.at),
            Solid::Hull(hull) => {
                hull.points.iter().fold(Vec3::ZERO, |sum, p| sum + Vec3::from_array(*p)).scale(1.0 / hull.points.len() as f64)
            }
            Solid::Mesh(mesh) => mesh.middle(),
        }
    }

    /// Smallest radius, m.
    fn thinnest(&self) -> f64 {
        match self {
            Solid::Cone(cone) => cone.ra.min(cone.rb),
            Solid::Ellipsoid(ellipsoid) => ellipsoid.smallest(),
            Solid::Hull(hull) => hull.radius,
            Solid::Mesh(mesh) => mesh.smallest(),
        }
    }
}

/// Directions all around, evenly spread on a spiral, those of the plane X-Y among them.
fn around_sphere() -> impl Iterator<Item = Vec3<f64>> {
    const DIRECTIONS: usize = 240;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let spiral = (0..DIRECTIONS).map(move |k| {
        let z = 1.0 - (2 * k + 1) as f64 / DIRECTIONS as f64;
        let (sine, cosine) = (k as f64 * golden).sin_cos();
        let across = (1.0 - z * z).sqrt();
        vec3(across * cosine, across * sine, z)
    });
    let plane = (0..DIRECTIONS / 4).map(|k| {
        let (sine, cosine) = (k as f64 * std::f64::consts::TAU / (DIRECTIONS / 4) as f64).sin_cos();
        vec3(cosine, sine, 0.0)
    });
    plane.chain(spiral)
}

/// The box around boxes; none around nothing.
pub(super) fn around(boxes: impl Iterator<Item = [[f64; 3]; 2]>) -> Option<[[f64; 3]; 2]> {
    boxes.reduce(|a, b| [[0, 1, 2].map(|k| f64::min(a[0][k], b[0][k])), [0, 1, 2].map(|k| f64::max(a[1][k], b[1][k]))])
}

/// The largest edge of a box.
pub(super) fn largest_edge([low, high]: [[f64; 3]; 2]) -> f64 {
    [0, 1, 2].map(|k| high[k] - low[k]).into_iter().fold(0.0, f64::max)
}

/// Radius of a peg over the height of the figure.
const PEG: f64 = 0.005;

/// Density of flesh, kg/m³.
const DENSITY: f64 = 1050.0;

/// Mass and how it is spread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matter {
    pub mass: f64,
    pub center: Vec3<f64>,
    pub inertia: Sym3<f64>,
    pub planar: bool,
}

impl Matter {
    fn volume(&self) -> f64 {
        self.mass / DENSITY
    }

    /// Half-length h = √(3 I/m) of the uniform rod that has a moment.
    fn half_of(&self, moment: f64) -> f64 {
        if self.mass > 0.0 { (3.0 * moment / self.mass).max(0.0).sqrt() } else { 0.0 }
    }

    /// That of the largest moment.
    fn rod_half(&self) -> f64 {
        let moments = if self.planar { [self.inertia.zz; 3] } else { principal::principal(&self.inertia).0 };
        self.half_of(moments.into_iter().fold(0.0, f64::max))
    }

    /// That of the moments across a line.
    fn rod_along(&self, line: Vec3<f64>) -> f64 {
        let square = line.dot(line);
        let across = if self.planar || !(square > 0.0) {
            self.inertia.zz
        } else {
            0.5 * (self.inertia.trace() - line.dot(self.inertia * line) / square)
        };
        self.half_of(across)
    }
}

/// A body on its way to solids.
pub(super) struct Part<'a> {
    name: &'a str,
    matter: Matter,
    points: &'a [(String, [f64; 3])],
    anchors: Vec<Anchor>,
    /// It is a piece of the body that carries it.
    welded: bool,
    surfaces: Vec<(Vec3<f64>, Mat3<f64>, Smooth<f64>)>,
    mesh: Option<&'a Arc<Mesh>>,
}

/// A body before it has anchors.
#[derive(Clone, Copy)]
pub(super) struct Bare<'a> {
    pub name: &'a str,
    pub matter: Matter,
    pub points: &'a [(String, [f64; 3])],
    pub mesh: Option<&'a Arc<Mesh>>,
}

/// What a figure is made of before it has solids.
pub(super) struct Frame<'a> {
    pub joints: &'a [FigureJoint],
    pub holds: &'a [FigureHold],
    pub rods: &'a [FigurePath],
    pub paths: &'a [FigurePath],
    pub surfaces: &'a [FigureSurface],
    /// The world first.
    pub bodies: Vec<Bare<'a>>,
    /// Where each body is at the start.
    pub poses: &'a [Pose],
}

/// The solids of all bodies.
pub(super) struct Solids {
    pub bodies: Vec<Vec<Solid>>,
    pub machine: bool,
    /// Largest edge of the box of all at the start, m.
    pub height: f64,
}

impl<'a> Frame<'a> {
    /// The bodies but the world, with their anchors.
    fn parts(&self, flesh: bool) -> Vec<Part<'a>> {
        let names = self.bodies.iter().map(|body| body.name).collect();
        let places = Places { joints: self.joints, holds: self.holds, rods: self.rods, paths: self.paths, names };
        let part = |b: usize| {
            let Bare { name, matter, points, mesh } = self.bodies[b];
            let anchors = places.of(b, points, &matter, flesh);
            let welded = self.joints[b - 1].kind == "weld";
            Part { name, matter, points, anchors, welded, surfaces: rules::bounded(self.surfaces, b), mesh }
        };
        (1..self.bodies.len()).map(part).collect()
    }

    /// Solids by the rules.
    pub fn solids(&self) -> Solids {
        let mut parts = self.parts(true);
        let machine = machine::is_machine(&parts);
        if machine {
            parts = self.parts(false);
        }
        let headless = !parts.iter().any(|part| says(part.name, "head"));
        let mut bodies = vec![Vec::new()];
        bodies.extend(parts.iter().map(|part| part.solids(headless, machine)));
        // Bodies without mass are as thick as the rest is tall.
        let anchors = parts.iter().enumerate().flat_map(|(k, part)| part.anchors.iter().map(move |a| (k + 1, a.at)));
        let spots = anchors.map(|(b, at)| self.poses[b].place(at.to_array())).map(|at| [at, at]);
        let height = around(self.boxes(&bodies).chain(spots)).map_or(0.0, largest_edge);
        let height = if height > 0.0 { height } else { 1.0 };
        for (k, part) in parts.iter().enumerate() {
            if bodies[k + 1].is_empty() {
                bodies[k + 1] = part.massless(height);
            }
        }
        let thin = |b: usize| bodies[b].iter().map(Solid::thinnest).fold(f64::INFINITY, f64::min);
        let struts: Vec<Vec<Solid>> = (parts.iter().enumerate())
            .map(|(k, part)| match &bodies[k + 1][..] {
                [Solid::Ellipsoid(solid), ..] => part.struts(k + 1, solid, height, &thin),
                _ => Vec::new(),
            })
            .collect();
        for (list, struts) in bodies[1..].iter_mut().zip(struts) {
            list.extend(struts);
        }
        self.add_pegs(&mut bodies, height);
        if machine {
            let radius = machine::ball_radius(&parts);
            let joints = self.joints.iter().filter(|joint| !joint.floats()).map(|joint| joint.child);
            for spot in joints.chain(self.holds.iter().map(|hold| hold.b)).filter(|spot| spot.body > 0) {
                let ball = machine::ball(Vec3::from_array(spot.at), radius);
                if !bodies[spot.body].contains(&ball) {
                    bodies[spot.body].push(ball);
                }
            }
        }
        let height = around(self.boxes(&bodies)).map_or(height, largest_edge);
        Solids { bodies, machine, height }
    }

    /// Thin pegs to ends of lines of pull that stand off their bodies, so that one sees what they pull.
    fn add_pegs(&self, bodies: &mut [Vec<Solid>], height: f64) {
        for spot in self.paths.iter().flat_map(|path| &path.points).filter(|spot| spot.body > 0) {
            let (at, list) = (Vec3::from_array(spot.at), &mut bodies[spot.body]);
            if list.iter().any(|solid| solid.holds(at)) {
                continue;
            }
            let core = list.iter().map(|solid| solid.core(at)).min_by(|a, b| (*a - at).norm().total_cmp(&(*b - at).norm()));
            list.extend(core.map(|core| Solid::Cone(Cone::rod(core, at, PEG * height))));
        }
    }

    fn boxes<'s>(&'s self, bodies: &'s [Vec<Solid>]) -> impl Iterator<Item = [[f64; 3]; 2]> + 's {
        bodies.iter().zip(self.poses).flat_map(|(list, pose)| list.iter().map(|solid| solid.bounds(pose)))
    }
}

/// Whether a word is part of a name.
fn says(name: &str, word: &str) -> bool {
    name.split(['_', '.', '-', ' ']).any(|part| part.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
