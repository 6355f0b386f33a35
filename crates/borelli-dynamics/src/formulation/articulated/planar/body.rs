//! What the planar recursion keeps of bodies and degrees of freedom, and how a joint's freedoms are eliminated.
//! Not here: the loops over bodies (`super`), motions of joints (`joint`).

use super::algebra::{Sym2, Vec2};
use crate::system::DofClass;
use borelli_math::Real;

/// What the recursion keeps of one body. One record per body: at this size a loop over records beats one over arrays.
/// The order of fields is fixed, and numbers that are written together stand together: a pair written in two pieces and read in one
/// stalls the processor.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct BodyState<S> {
    /// Cosine and sine of the absolute angle. Filled by `fill`.
    pub(super) cs: Vec2<S>,
    /// Kernel origin relative to the parent's. Filled by `fill`.
    pub(super) r: Vec2<S>,
    /// Acceleration of the origin minus gravity. Filled by `fill`.
    pub(super) a: Vec2<S>,
    /// Absolute angle and angular velocity. Filled by `fill`.
    pub(super) angle: S,
    pub(super) w: S,
    /// Bias force; joint force after `inverse`. Filled by `fill`, changed by `reduce`.
    pub(super) f: Vec2<S>,
    /// Articulated inertia: n = J α + h·a, f = h α + M a. Filled by `fill`, changed by `reduce`.
    pub(super) h: Vec2<S>,
    pub(super) M: Sym2<S>,
    /// Of the turn of a hinge or floating joint, where U = (J, h) and D = J: 1/D, h/D and u/D. Filled by `reduce`.
    pub(super) inv_D: S,
    pub(super) J: S,
    pub(super) u: S,
    pub(super) k: Vec2<S>,
    /// Additional acceleration. Filled by `propagate`.
    pub(super) d_a: Vec2<S>,
    pub(super) d_al: S,
    /// Bias moment about the origin; joint moment after `inverse`. Filled by `fill`, changed by `reduce`.
    pub(super) n: S,
    /// Angular acceleration. Filled by `fill` where there may be one.
    pub(super) al: S,
    /// Of joints with displacements: rate of `r` by them. Filled by `fill`.
    pub(super) slide_rate: Vec2<S>,
    /// Of a floating joint: the inverse of M once the turn is eliminated, and the acceleration it gives the origin. Filled by `reduce`.
    pub(super) inv_M: Sym2<S>,
    pub(super) a_free: Vec2<S>,
}

/// What the recursion keeps of one degree of freedom.
#[derive(Clone, Copy, Debug)]
pub(super) struct DofState<S> {
    /// Free direction. Filled by `fill`; a turn's never changes.
    pub(super) s_ang: S,
    pub(super) s_lin: Vec2<S>,
    /// U and 1/D. Filled by `reduce` with `FACTOR`.
    pub(super) U_n: S,
    pub(super) U_f: Vec2<S>,
    pub(super) inv_D: S,
    /// u/D. Filled by `reduce`.
    pub(super) u: S,
}

impl<S: Real> DofState<S> {
    /// Angular and linear part of the free direction.
    #[inline(always)]
    pub(super) fn direction(&self, class: DofClass) -> (S, Vec2<S>) {
        match class {
            DofClass::Turn => (S::ONE, Vec2::ZERO),
            DofClass::Slide => (S::ZERO, self.s_lin),
            DofClass::Screw => (self.s_ang, self.s_lin),
        }
    }
}

/// What a parent sees of a body once the joint's freedoms are eliminated, about the body's kernel origin.
pub(super) struct Seen<S> {
    pub(super) J: S,
    pub(super) h: Vec2<S>,
    pub(super) M: Sym2<S>,
    pub(super) n: S,
    pub(super) f: Vec2<S>,
}

impl<S: Real> BodyState<S> {
    /// Adds what is seen of a child whose origin is at `r`, given turned.
    #[inline(never)]
    pub(super) fn carry<const FACTOR: bool>(&mut self, t: Vec2<S>, seen: &Seen<S>) {
        self.n += seen.n + t.dot(seen.f);
        self.f = self.f.add(seen.f);
        if FACTOR {
            let (Mt, ht) = (seen.M.mul(t), seen.h.dot(t));
            self.J += seen.J + (ht + ht) + t.dot(Mt);
            self.h = self.h.add(seen.h).add(Mt);
            self.M.add(&seen.M);
        }
    }

    /// Eliminates the turn of a floating joint, then both displacements at once: M a = forces − f.
    #[inline(never)]
    pub(super) fn reduce_floating<const FACTOR: bool>(&mut self, dofs: &[DofState<S>], tau: &[S]) -> Seen<S> {
        if FACTOR {
            self.inv_D = self.J.recip();
            self.k = self.h.scale(self.inv_D);
            let M = self.M.without(self.h, self.k);
            let inv = (M.xx * M.yy - M.xy * M.xy).recip();
            self.inv_M = Sym2 { xx: M.yy * inv, yy: M.xx * inv, xy: -(M.xy * inv) };
        }
        let free = tau[2] - self.n;
        self.u = free * self.inv_D;
        let f = self.f.add(self.k.scale(free));
        let force = dofs[0].s_lin.scale(tau[0]).add(dofs[1].s_lin.scale(tau[1]));
        self.a_free = self.inv_M.mul(Vec2 { x: force.x - f.x, y: force.y - f.y });
        Seen { J: S::ZERO, h: Vec2::ZERO, M: Sym2::ZERO, n: tau[2], f: force }
    }

    /// Eliminates the freedoms of any joint one after the other, the last first.
    #[inline(never)]
    pub(super) fn reduce_general<const FACTOR: bool>(&self, dofs: &mut [DofState<S>], classes: &[DofClass], tau: &[S]) -> Seen<S> {
        let mut seen = Seen { J: self.J, h: self.h, M: self.M, n: self.n, f: self.f };
        for ((dof, class), tau) in dofs.iter_mut().zip(classes).zip(tau).rev() {
            let (s, e) = dof.direction(*class);
            if FACTOR {
                let (U_n, U_f) = (seen.J * s + seen.h.dot(e), seen.h.scale(s).add(seen.M.mul(e)));
                let inv_D = (s * U_n + e.dot(U_f)).recip();
                let k = U_f.scale(inv_D);
                seen.J -= U_n * U_n * inv_D;
                seen.h = Vec2 { x: seen.h.x - U_n * k.x, y: seen.h.y - U_n * k.y };
                seen.M.xx -= U_f.x * k.x;
                seen.M.xy -= U_f.x * k.y;
                seen.M.yy -= U_f.y * k.y;
                dof.U_n = U_n;
                dof.U_f = U_f;
                dof.inv_D = inv_D;
            }
            let u = (*tau - s * seen.n - e.dot(seen.f)) * dof.inv_D;
            seen.n += dof.U_n * u;
            seen.f = seen.f.add(dof.U_f.scale(u));
            dof.u = u;
        }
        seen
    }
}
