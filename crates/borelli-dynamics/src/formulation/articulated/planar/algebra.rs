//! Vectors and symmetric matrices in the plane.
//! Why by hand: as in three dimensions, the few operations the kernel needs, over any scalar.

use borelli_math::{Constant, Real};

/// A vector in the plane.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Vec2<S> {
    pub(super) x: S,
    pub(super) y: S,
}

impl<S: Real> Vec2<S> {
    pub(super) const ZERO: Self = Vec2 { x: S::ZERO, y: S::ZERO };
    #[inline(always)]
    pub(super) fn add(self, o: Self) -> Self {
        Vec2 { x: self.x + o.x, y: self.y + o.y }
    }
    #[inline(always)]
    pub(super) fn scale(self, s: S) -> Self {
        Vec2 { x: self.x * s, y: self.y * s }
    }
    #[inline(always)]
    pub(super) fn dot(self, o: Self) -> S {
        self.x * o.x + self.y * o.y
    }
    /// Turned by +90 degrees: `z × self`.
    #[inline(always)]
    pub(super) fn turned(self) -> Self {
        Vec2 { x: -self.y, y: self.x }
    }
    /// Constant vector turned by the rotation (c, s).
    #[inline(always)]
    pub(super) fn rotate<C: Constant<S>>(c: S, s: S, p: [C; 2]) -> Self {
        Vec2 { x: p[0].times(c) - p[1].times(s), y: p[0].times(s) + p[1].times(c) }
    }
}

/// Symmetric 2x2 matrix; the diagonal is stored as a pair.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Sym2<S> {
    pub(super) xx: S,
    pub(super) yy: S,
    pub(super) xy: S,
}

impl<S: Real> Sym2<S> {
    pub(super) const ZERO: Self = Sym2 { xx: S::ZERO, xy: S::ZERO, yy: S::ZERO };
    #[inline(always)]
    pub(super) fn mul(&self, v: Vec2<S>) -> Vec2<S> {
        Vec2 { x: self.xx * v.x + self.xy * v.y, y: self.xy * v.x + self.yy * v.y }
    }
    /// Less h kᵀ, for k along h.
    #[inline(always)]
    pub(super) fn without(&self, h: Vec2<S>, k: Vec2<S>) -> Self {
        Sym2 { xx: self.xx - h.x * k.x, yy: self.yy - h.y * k.y, xy: self.xy - h.x * k.y }
    }
    #[inline(always)]
    pub(super) fn add(&mut self, o: &Self) {
        self.xx += o.xx;
        self.xy += o.xy;
        self.yy += o.yy;
    }
}
