//! Surfaces of contact in a figure: where they are on bodies, their outlines, and the forces between them.
//! Not here: pens and pages (`report`, `plot`), computing forces (`borelli-dynamics`).
//! In: a `System`; poses and columns `contact.<pair>.…` of a trajectory. Out: outlines in body frames, forces in world axes.
//!
//! Seen along a unit vector w, the outline of a convex shape is the curve of its support points x(n),
//!
//! ```text
//! n·w = 0,  |n| = 1                                                                           (1)
//! e ≤ (L/2) tan(φ/2)                                                                          (2)
//! ```
//!
//! Between the support points of two directions an angle φ apart, seen along w, the curve lies in the triangle of its chord, L, and the tangents at
//! its ends, hence within (2) of the chord. Arcs are halved until (2) is small enough. Tests: outlines against implicit functions and half-extents.

use super::{Figure, Pose, Spot};
use borelli_contact::detect::{Settings, detect};
use borelli_contact::shape::{self, HalfSpace, Shape, Smooth, Surface as _};
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_math::{Mat3, Vec3, vec3};

/// A surface of contact on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureSurface {
    /// Name.
    pub name: String,
    /// Origin of the shape's axes.
    pub spot: Spot,
    /// From the shape's axes to the body's.
    pub R_BS: Mat3<f64>,
    /// The shape.
    pub shape: Shape<f64>,
}

/// Two surfaces that may touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigurePair {
    /// Name; what it does stands in the columns `contact.<name>.…`.
    pub name: String,
    /// First surface, on which the forces of the columns act.
    pub first: usize,
    /// Second surface.
    pub second: usize,
}

/// A force of contact at a sample, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactForce {
    /// Where it acts, m.
    pub point: Vec3<f64>,
    /// On the body of the first surface, N.
    pub force: Vec3<f64>,
}

/// Arcs that an outline begins with.
const ARCS: usize = 24;

/// How often an arc is halved at most: enough for edges of a radius of some thousandths of the shape.
const HALVINGS: usize = 8;

impl FigureSurface {
    /// Whether it ends somewhere: neither a point nor a half-space.
    pub fn is_bounded(&self) -> bool {
        matches!(self.shape, Shape::Smooth(_))
    }

    /// The half-space, if it is one.
    pub fn half_space(&self) -> Option<&HalfSpace<f64>> {
        if let Shape::HalfSpace(half_space) = &self.shape { Some(half_space) } else { None }
    }

    /// The closed outline seen along a unit vector, both in the body's frame, true to `allowed` times the shape's size; none for points and half-spaces.
    pub fn outline(&self, w_B: Vec3<f64>, allowed: f64) -> Option<Vec<[f64; 3]>> {
        let Shape::Smooth(smooth) = &self.shape else { return None };
        let w = self.R_BS.transpose_mul(w_B);
        let least = [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)]
            .into_iter()
            .min_by(|a, b| w.dot(*a).abs().total_cmp(&w.dot(*b).abs()))?;
        let side = w.cross(least);
        let u = side.scale(1.0 / side.norm());
        let arcs = Arcs { smooth, u, v: w.cross(u), allowed: allowed * smooth.bounding_radius() };
        let origin = Vec3::from_array(self.spot.at);
        let points = arcs.points();
        Some(points.into_iter().map(|x| (origin + self.R_BS * x).to_array()).collect())
    }

    /// Where the shape's axes are when the body is at a pose.
    fn pose(&self, body: &Pose) -> shape::Pose<f64> {
        shape::Pose { p: Vec3::from_array(body.place(self.spot.at)), R: body.R * self.R_BS }
    }

    /// Unit normal and height over the origin, world axes, of a half-space whose body is at a pose.
    pub fn plane(&self, body: &Pose) -> Option<(Vec3<f64>, f64)> {
        self.half_space().map(|half_space| half_space.in_world(&self.pose(body)))
    }
}

/// Support points of the directions u cos θ + v sin θ.
struct Arcs<'s> {
    smooth: &'s Smooth<f64>,
    u: Vec3<f64>,
    v: Vec3<f64>,
    allowed: f64,
}

impl Arcs<'_> {
    fn at(&self, angle: f64) -> Vec3<f64> {
        let (sine, cosine) = angle.sin_cos();
        self.smooth.support(self.u.scale(cosine) + self.v.scale(sine)).point
    }

    fn points(&self) -> Vec<Vec3<f64>> {
        let step = std::f64::consts::TAU / ARCS as f64;
        let mut list = vec![self.at(0.0)];
        for k in 0..ARCS {
            let (from, to) = (k as f64 * step, (k + 1) as f64 * step);
            let (start, end) = (list[list.len() - 1], if k + 1 == ARCS { list[0] } else { self.at(to) });
            self.add([from, to], [start, end], HALVINGS, &mut list);
        }
        list
    }

    /// Adds what follows the first end of an arc, up to and with its second end.
    fn add(&self, angles: [f64; 2], ends: [Vec3<f64>; 2], halvings: usize, list: &mut Vec<Vec3<f64>>) {
        let off = 0.5 * (ends[1] - ends[0]).norm() * (0.5 * (angles[1] - angles[0])).tan();
        if halvings == 0 || !(off > self.allowed) {
            list.push(ends[1]);
            return;
        }
        let middle = 0.5 * (angles[0] + angles[1]);
        let point = self.at(middle);
        self.add([angles[0], middle], [ends[0], point], halvings - 1, list);
        self.add([middle, angles[1]], [point, ends[1]], halvings - 1, list);
    }
}

/// Surfaces of a system on the places of its bodies.
pub(super) fn of(system: &System, places: &[Spot]) -> Vec<FigureSurface> {
    let tree = &system.numbers.tree;
    let one = |named: &borelli_dynamics::parts::Named<borelli_dynamics::contact::Surface<f64>>| {
        let place = named.item.place as usize;
        let spot = places[place];
        let R_BS = tree.R_KB[spot.body].transpose() * tree.place_R[place];
        FigureSurface { name: named.name.clone(), spot, R_BS, shape: named.item.shape }
    };
    system.numbers.contacts.surfaces.iter().map(one).collect()
}

/// Pairs of a system.
pub(super) fn pairs(system: &System) -> Vec<FigurePair> {
    let one = |(name, pair): (&String, &borelli_dynamics::contact::Pair)| FigurePair {
        name: name.clone(),
        first: pair.first as usize,
        second: pair.second as usize,
    };
    system.names.pairs.iter().zip(&system.numbers.contacts.pairs).map(one).collect()
}

/// What a trajectory holds of the force of a pair.
#[derive(Clone, Debug)]
pub struct PairColumns<'a> {
    figure: &'a Figure,
    trajectory: &'a Trajectory,
    pair: &'a FigurePair,
    point: [Option<&'a [f64]>; 3],
    normal_force: &'a [f64],
    friction: [Option<&'a [f64]>; 3],
}

impl<'a> PairColumns<'a> {
    /// The columns of a pair; none where the trajectory lacks them.
    pub fn find(figure: &'a Figure, pair: usize, trajectory: &'a Trajectory) -> Option<PairColumns<'a>> {
        let pair = figure.pairs.get(pair)?;
        let column = |part: &str| trajectory.column(&format!("contact.{}.{part}", pair.name));
        let axes = |part: &str| ["x", "y", "z"].map(|axis| column(&format!("{part}.{axis}")));
        let (point, normal_force, friction) = (axes("point"), column("normal_force")?, axes("friction"));
        (point[0].is_some() && point[1].is_some()).then_some(PairColumns { figure, trajectory, pair, point, normal_force, friction })
    }

    /// The force at a sample; none where a value is missing or the normal cannot be found. Without contact it is zero.
    ///
    /// The columns tell the size of the normal force; its direction is that of the common normal of the surfaces where the sample has them.
    pub fn at(&self, sample: usize) -> Option<ContactForce> {
        let along = |columns: &[Option<&[f64]>; 3]| Vec3::from_array(columns.map(|column| column.map_or(0.0, |values| values[sample])));
        let (point, size, friction) = (along(&self.point), self.normal_force[sample], along(&self.friction));
        let force = if size == 0.0 { friction } else { self.normal(sample)?.scale(size) + friction };
        let known = point.to_array().into_iter().chain(force.to_array()).all(f64::is_finite);
        known.then_some(ContactForce { point, force })
    }

    /// Unit normal out of the second surface into the first.
    fn normal(&self, sample: usize) -> Option<Vec3<f64>> {
        let surface = |k: usize| &self.figure.surfaces[k];
        let body = |k: usize| self.figure.pose(surface(k).spot.body, self.trajectory, sample);
        let (first, second) = (self.pair.first, self.pair.second);
        let second_body = body(second)?;
        if let Some((normal, _)) = surface(second).plane(&second_body) {
            return Some(normal);
        }
        let poses = [surface(first).pose(&body(first)?), surface(second).pose(&second_body)];
        let found = detect(&surface(first).shape, &poses[0], &surface(second).shape, &poses[1], &Settings::default(), None).ok()?;
        Some(found.contact.normal)
    }
}
