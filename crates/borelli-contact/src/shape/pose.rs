//! Place and motion of a shape's frame in the world.
//! Not here: bodies; who asks knows where a body carries its shapes.
//! In and out: world axes.

use borelli_math::{Mat3, Real, Vec3};

/// Where a shape is: origin and axes of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S> {
    /// Origin in the world, m.
    pub p: Vec3<S>,
    /// From the shape's axes to the world's.
    pub R: Mat3<S>,
}

impl<S: Real> Pose<S> {
    /// At the origin of the world, with its axes.
    pub const IDENTITY: Self = Pose { p: Vec3::ZERO, R: Mat3::IDENTITY };

    /// A point given in the shape's axes, in the world.
    #[inline(always)]
    pub fn place(&self, local: Vec3<S>) -> Vec3<S> {
        self.p + self.R * local
    }
    /// Values without derivatives.
    pub fn values(&self) -> Pose<f64> {
        Pose { p: self.p.values(), R: self.R.values() }
    }
    /// True when all numbers are finite and the axes are orthogonal unit vectors, right-handed, to one part in a million.
    pub fn is_proper(&self) -> bool {
        let Pose { p, R } = self.values();
        let off = (R.x.dot(R.x) - 1.0).abs() + (R.y.dot(R.y) - 1.0).abs() + (R.x.cross(R.y) - R.z).norm() + R.x.dot(R.y).abs();
        off < 1e-6 && p.x.is_finite() && p.y.is_finite() && p.z.is_finite()
    }
}

/// How a shape's frame moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<S> {
    /// Velocity of its origin, m/s.
    pub v: Vec3<S>,
    /// Angular velocity, rad/s.
    pub w: Vec3<S>,
}

impl<S: Real> Motion<S> {
    /// At rest.
    pub const REST: Self = Motion { v: Vec3::ZERO, w: Vec3::ZERO };

    /// Velocity of the material point that is at `point` of the world.
    #[inline(always)]
    pub fn at(&self, pose: &Pose<S>, point: Vec3<S>) -> Vec3<S> {
        self.v + self.w.cross(point - pose.p)
    }
}
