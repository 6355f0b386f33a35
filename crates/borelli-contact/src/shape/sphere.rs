//! Sphere.

use super::Form;
use super::kind::{ShapeFault, ShapeKind, length};
use super::surface::Support;
use borelli_math::{Constant, Real, Sym3, Vec3, vec3};

/// Sphere.
///
/// ```text
/// F = (x² + y² + z²)/r² − 1        G = |x|/r        h(n) = r |n|,  at r n/|n|                    (1)
/// ```
///
/// | r `radius` m |
///
/// Source: elementary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere<N> {
    /// Radius, m.
    pub radius: N,
}

impl<N> Form<N> for Sphere<N> {
    const KIND: ShapeKind = ShapeKind {
        name: "sphere",
        doc: "Sphere about its centre",
        parameters: &[length("radius", "radius")],
        planar: false,
        spatial: true,
    };
    fn build(mut number: impl FnMut() -> N) -> Self {
        Sphere { radius: number() }
    }
    fn each(&self, visit: &mut impl FnMut(&N)) {
        visit(&self.radius);
    }
}

impl<N: Real> Sphere<N> {
    pub(super) fn check_more(&self) -> Result<(), ShapeFault> {
        Ok(())
    }
    pub(super) fn value<S: Real>(&self, p: Vec3<S>) -> S
    where
        N: Constant<S>,
    {
        let k = self.radius.recip();
        (k * k).times(p.dot(p)) - 1.0
    }
    pub(super) fn gradient<S: Real>(&self, p: Vec3<S>) -> Vec3<S>
    where
        N: Constant<S>,
    {
        let k = self.radius.recip();
        let k = (k * k * 2.0).lift();
        p.scale(k)
    }
    pub(super) fn hessian<S: Real>(&self, _: Vec3<S>) -> Sym3<S>
    where
        N: Constant<S>,
    {
        let k = self.radius.recip();
        Sym3::diagonal((k * k * 2.0).lift())
    }
    pub(super) fn gauge<S: Real>(&self, p: Vec3<S>) -> S
    where
        N: Constant<S>,
    {
        if p.values() == Vec3::ZERO { S::ZERO } else { self.radius.recip().times(p.norm()) }
    }
    #[inline(always)]
    pub(super) fn support<S: Real>(&self, n: Vec3<S>) -> Support<S>
    where
        N: Constant<S>,
    {
        let length = n.norm();
        Support { distance: self.radius.times(length), point: n.scale(self.radius.times(length.recip())) }
    }
    pub(super) fn half_extents(&self) -> Vec3<f64> {
        let r = self.radius.value();
        vec3(r, r, r)
    }
    pub(super) fn bounding_radius(&self) -> f64 {
        self.radius.value()
    }
    pub(super) fn radius(&self) -> Option<N> {
        Some(self.radius)
    }
}
