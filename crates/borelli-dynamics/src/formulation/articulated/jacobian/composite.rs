//! Spatial vectors about one common point in world axes, and composite quantities of subtrees.
//! Not here: which body has which; the Jacobian sums them.

use borelli_math::{Mat3, Sym3, Vec3};

/// Motion vector: angular part, and linear part at the common point.
#[derive(Clone, Copy)]
pub(super) struct Twist {
    pub(super) w: Vec3<f64>,
    pub(super) u: Vec3<f64>,
}

/// Force vector: moment about the common point, and force.
#[derive(Clone, Copy)]
pub(super) struct Wrench {
    pub(super) n: Vec3<f64>,
    pub(super) f: Vec3<f64>,
}

impl Twist {
    pub(super) const ZERO: Self = Twist { w: Vec3::ZERO, u: Vec3::ZERO };
    #[inline(always)]
    pub(super) fn add(self, o: Self) -> Self {
        Twist { w: self.w + o.w, u: self.u + o.u }
    }
    #[inline(always)]
    pub(super) fn scale(self, s: f64) -> Self {
        Twist { w: self.w.scale(s), u: self.u.scale(s) }
    }
    /// Spatial cross product of motions.
    #[inline(always)]
    pub(super) fn cross(self, o: Self) -> Self {
        Twist { w: self.w.cross(o.w), u: self.w.cross(o.u) + self.u.cross(o.w) }
    }
    #[inline(always)]
    pub(super) fn dot(self, f: Wrench) -> f64 {
        self.w.dot(f.n) + self.u.dot(f.f)
    }
}

impl Wrench {
    pub(super) const ZERO: Self = Wrench { n: Vec3::ZERO, f: Vec3::ZERO };
    #[inline(always)]
    pub(super) fn add(self, o: Self) -> Self {
        Wrench { n: self.n + o.n, f: self.f + o.f }
    }
}

/// Composite quantities of a subtree about the common point.
#[derive(Clone, Copy)]
pub(super) struct Composite {
    pub(super) mass: f64,
    pub(super) mc: Vec3<f64>,
    pub(super) J: Sym3<f64>,
    /// 2 (tr P − P).
    pub(super) K: Mat3<f64>,
    pub(super) p: Vec3<f64>,
    pub(super) f: Wrench,
}

impl Composite {
    pub(super) const ZERO: Self = Composite { mass: 0.0, mc: Vec3::ZERO, J: Sym3::ZERO, K: Mat3::ZERO, p: Vec3::ZERO, f: Wrench::ZERO };

    #[inline(always)]
    pub(super) fn add(&mut self, o: &Self) {
        self.mass += o.mass;
        self.mc += o.mc;
        self.J = self.J + o.J;
        self.K = self.K + o.K;
        self.p += o.p;
        self.f = self.f.add(o.f);
    }
    /// I (w, u).
    #[inline(always)]
    pub(super) fn inertia(&self, t: Twist) -> Wrench {
        Wrench { n: self.J * t.w + self.mc.cross(t.u), f: t.u.scale(self.mass) + t.w.cross(self.mc) }
    }
    /// 2B (w, u); only the angular part counts.
    #[inline(always)]
    pub(super) fn coriolis(&self, w: Vec3<f64>) -> Wrench {
        let half = w.cross(self.p);
        Wrench { n: self.K * w, f: half + half }
    }
    /// Angular part of (2B)ᵀ S: the only part it has.
    #[inline(always)]
    pub(super) fn coriolis_transposed(&self, s: Twist) -> Vec3<f64> {
        let half = self.p.cross(s.u);
        self.K.transpose_mul(s.w) + half + half
    }
}
