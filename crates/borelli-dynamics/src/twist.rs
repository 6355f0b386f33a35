//! Spatial vectors about one common point in world axes.
//! Not here: where the point is; whoever computes with them chooses it.
//! In and out: motions (angular part, velocity at the point) and forces (moment about the point, force). Their product is a power.

use borelli_math::Vec3;

/// Motion vector: angular part, and linear part at the common point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twist {
    pub(crate) w: Vec3<f64>,
    pub(crate) u: Vec3<f64>,
}

/// Force vector: moment about the common point, and force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrench {
    pub(crate) n: Vec3<f64>,
    pub(crate) f: Vec3<f64>,
}

impl Twist {
    pub(crate) const ZERO: Self = Twist { w: Vec3::ZERO, u: Vec3::ZERO };
    #[inline(always)]
    pub(crate) fn add(self, o: Self) -> Self {
        Twist { w: self.w + o.w, u: self.u + o.u }
    }
    #[inline(always)]
    pub(crate) fn minus(self, o: Self) -> Self {
        Twist { w: self.w - o.w, u: self.u - o.u }
    }
    #[inline(always)]
    pub(crate) fn scale(self, s: f64) -> Self {
        Twist { w: self.w.scale(s), u: self.u.scale(s) }
    }
    /// Spatial cross product of motions.
    #[inline(always)]
    pub(crate) fn cross(self, o: Self) -> Self {
        Twist { w: self.w.cross(o.w), u: self.w.cross(o.u) + self.u.cross(o.w) }
    }
    /// Spatial cross product with a force: what a wrench changes by when it moves along.
    #[inline(always)]
    pub(crate) fn cross_force(self, o: Wrench) -> Wrench {
        Wrench { n: self.w.cross(o.n) + self.u.cross(o.f), f: self.w.cross(o.f) }
    }
    #[inline(always)]
    pub(crate) fn dot(self, f: Wrench) -> f64 {
        self.w.dot(f.n) + self.u.dot(f.f)
    }
    /// The six numbers, angular ones first.
    #[inline(always)]
    pub(crate) fn to_array(self) -> [f64; 6] {
        [self.w.x, self.w.y, self.w.z, self.u.x, self.u.y, self.u.z]
    }
}

impl Wrench {
    pub(crate) const ZERO: Self = Wrench { n: Vec3::ZERO, f: Vec3::ZERO };
    #[inline(always)]
    pub(crate) fn add(self, o: Self) -> Self {
        Wrench { n: self.n + o.n, f: self.f + o.f }
    }
    #[inline(always)]
    pub(crate) fn minus(self, o: Self) -> Self {
        Wrench { n: self.n - o.n, f: self.f - o.f }
    }
    #[inline(always)]
    pub(crate) fn scale(self, s: f64) -> Self {
        Wrench { n: self.n.scale(s), f: self.f.scale(s) }
    }
}
