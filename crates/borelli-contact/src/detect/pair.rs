//! Two surfaces in their poses, and the gap between them along a direction.
//! Not here: how the direction of contact is found.
//! In: surfaces, poses. Out: gaps; points in each surface's own axes.

use crate::shape::{Pose, Surface};
use borelli_math::{Constant, Real, Vec3};

/// Largest gauge of a point taken as inside: one and some round-off.
const INSIDE: f64 = 1.0 + 1e-12;

/// Two surfaces in their poses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<A, B, S> {
    pub first: A,
    pub second: B,
    pub X_first: Pose<S>,
    pub X_second: Pose<S>,
    /// Length that makes residuals dimensionless: the smaller of the two bodies' largest half extents, m.
    pub size: f64,
    /// Length by which the distance of the points is divided: the size, or a hundredth of the distance of centres where that is more, so
    /// that round-off in the places of far bodies stays below the tolerance.
    pub span: f64,
    /// Smallest extent of either body, m.
    pub thickness: f64,
    /// Thickness of a layer of the first body that is not its own, m: it makes a smooth surface of a point.
    pub skin: f64,
}

/// Pose of the first body in the axes of the second.
pub(super) fn seat(X_first: &Pose<f64>, X_second: &Pose<f64>) -> Pose<f64> {
    Pose { p: X_second.R.transpose_mul(X_first.p - X_second.p), R: X_second.R.transpose() * X_first.R }
}

/// The gap along a direction m.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap {
    /// g(m), m.
    pub value: f64,
    /// Support points of first and second, in their own axes.
    pub points: [Vec3<f64>; 2],
    /// From the second's support point to the first's, in world axes: the gradient of g.
    pub between: Vec3<f64>,
}

impl<A: Surface, B: Surface, S: Real> Pair<A, B, S> {
    pub(super) fn new(first: A, X_first: &Pose<S>, second: B, X_second: &Pose<S>) -> Self {
        let largest = |e: Vec3<f64>| e.x.max(e.y).max(e.z);
        let size = largest(first.half_extents()).min(largest(second.half_extents()));
        let span = size.max(1e-2 * (X_first.p.values() - X_second.p.values()).norm());
        let smallest = |e: Vec3<f64>| e.x.min(e.y).min(e.z);
        let thickness = 2.0 * smallest(first.half_extents()).min(smallest(second.half_extents()));
        Pair { first, second, X_first: *X_first, X_second: *X_second, size, span, thickness, skin: 0.0 }
    }

    /// From the second centre to the first.
    pub(super) fn centres(&self) -> Vec3<S> {
        self.X_first.p - self.X_second.p
    }

    /// From a point of the second surface to one of the first, in world axes.
    pub(super) fn between(&self, points: [Vec3<S>; 2]) -> Vec3<S> {
        self.centres() + self.X_first.R * points[0] - self.X_second.R * points[1]
    }
}

impl<A: Surface, B: Surface> Pair<A, B, f64>
where
    A::Number: Constant<f64>,
    B::Number: Constant<f64>,
{
    /// The gap along a unit vector m that leads out of the second body into the first:
    ///
    ///     g(m) = m·(c₁ − c₂) − h₁(−m) − h₂(m)
    ///
    /// Its largest value over all directions is the distance of separated bodies, and minus the least overlap of others. Its gradient is
    /// the difference of the two support points, so it is stationary on the unit sphere exactly at opposed common normals.
    pub(super) fn gap(&self, m: Vec3<f64>) -> Gap {
        let first = self.first.support(self.X_first.R.transpose_mul(-m));
        let second = self.second.support(self.X_second.R.transpose_mul(m));
        let points = [first.point, second.point];
        Gap { value: m.dot(self.centres()) - first.distance - second.distance, points, between: self.between(points) }
    }

    /// How far the bodies have moved over each other since a seat: shift in sizes, and turn in rad.
    pub(super) fn moved_since(&self, seat: &Pose<f64>) -> f64 {
        let now = self::seat(&self.X_first, &self.X_second);
        let turned: f64 = [now.R.x - seat.R.x, now.R.y - seat.R.y, now.R.z - seat.R.z].iter().map(|d| d.dot(*d)).sum();
        (now.p - seat.p).norm() / self.size + (0.5 * turned).sqrt()
    }

    /// The gap of the bodies themselves, given that of their surfaces.
    pub(super) fn without_skin(&self, gap: f64) -> f64 {
        gap + self.skin
    }

    /// True when a point is seen to lie in both bodies: the point that a skin covers, or the one midway between points of the surfaces.
    pub(super) fn share_a_point(&self, points: [Vec3<f64>; 2]) -> bool {
        if self.skin > 0.0 {
            return self.second.gauge(self.X_second.R.transpose_mul(self.centres())) <= INSIDE;
        }
        let half = self.between(points).scale(0.5);
        let [s1, s2] = [points[0] - self.X_first.R.transpose_mul(half), points[1] + self.X_second.R.transpose_mul(half)];
        self.first.gauge(s1) <= INSIDE && self.second.gauge(s2) <= INSIDE
    }

    /// Unit outward normals at points of the surfaces, in world axes.
    pub(super) fn normals(&self, points: [Vec3<f64>; 2]) -> [Vec3<f64>; 2] {
        let (f, g) = (self.first.gradient(points[0]), self.second.gradient(points[1]));
        [self.X_first.R * f.scale(1.0 / f.norm()), self.X_second.R * g.scale(1.0 / g.norm())]
    }

    /// Points moved onto the surfaces, along the lines to their centres.
    pub(super) fn onto_surfaces(&self, points: [Vec3<f64>; 2]) -> [Vec3<f64>; 2] {
        [points[0].scale(1.0 / self.first.gauge(points[0])), points[1].scale(1.0 / self.second.gauge(points[1]))]
    }
}
