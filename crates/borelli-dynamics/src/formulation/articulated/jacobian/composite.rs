//! Composite quantities of subtrees about one common point in world axes.
//! Not here: which body has which; the Jacobian sums them.

use crate::twist::{Twist, Wrench};
use borelli_math::{Mat3, Sym3, Vec3};

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
