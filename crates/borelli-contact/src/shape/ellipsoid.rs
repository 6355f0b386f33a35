//! Ellipsoid.

use super::Form;
use super::kind::{ShapeFault, ShapeKind, length};
use super::surface::Support;
use borelli_math::{Constant, Declaration, Real, Sym3, Vec3, vec3};

/// Ellipsoid.
///
/// ```text
/// F = (x/a)² + (y/b)² + (z/c)² − 1        G = √(F + 1)                                          (1)
/// h(n) = √(a²n_x² + b²n_y² + c²n_z²),  at (a²n_x, b²n_y, c²n_z)/h                               (2)
/// ```
///
/// | a, b, c `a`, `b`, `c` semi-axes m |
///
/// Source: elementary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid<N> {
    /// Semi-axes, m.
    pub semi_axes: [N; 3],
}

/// Parameters of the three semi-axes.
pub(super) const SEMI_AXES: [Declaration; 3] =
    [length("a", "semi-axis along X"), length("b", "semi-axis along Y"), length("c", "semi-axis along Z")];

impl<N> Form<N> for Ellipsoid<N> {
    const KIND: ShapeKind = ShapeKind {
        name: "ellipsoid",
        doc: "Ellipsoid about its centre, axes along its own frame",
        parameters: &SEMI_AXES,
        planar: false,
        spatial: true,
    };
    fn build(mut number: impl FnMut() -> N) -> Self {
        Ellipsoid { semi_axes: [number(), number(), number()] }
    }
    fn each(&self, visit: &mut impl FnMut(&N)) {
        self.semi_axes.iter().for_each(visit);
    }
}

impl<N: Real> Ellipsoid<N> {
    /// 1/a².
    fn weights<S: Real>(&self) -> Vec3<S>
    where
        N: Constant<S>,
    {
        Vec3::from_array(self.semi_axes.map(|a| {
            let k = a.recip();
            (k * k).lift()
        }))
    }
    pub(super) fn check_more(&self) -> Result<(), ShapeFault> {
        Ok(())
    }
    pub(super) fn value<S: Real>(&self, p: Vec3<S>) -> S
    where
        N: Constant<S>,
    {
        let w = self.weights::<S>();
        w.x * p.x * p.x + w.y * p.y * p.y + w.z * p.z * p.z - 1.0
    }
    pub(super) fn gradient<S: Real>(&self, p: Vec3<S>) -> Vec3<S>
    where
        N: Constant<S>,
    {
        let w = self.weights::<S>();
        vec3(w.x * p.x * 2.0, w.y * p.y * 2.0, w.z * p.z * 2.0)
    }
    pub(super) fn hessian<S: Real>(&self, _: Vec3<S>) -> Sym3<S>
    where
        N: Constant<S>,
    {
        let w = self.weights::<S>();
        Sym3 { xx: w.x * 2.0, yy: w.y * 2.0, zz: w.z * 2.0, ..Sym3::ZERO }
    }
    pub(super) fn gauge<S: Real>(&self, p: Vec3<S>) -> S
    where
        N: Constant<S>,
    {
        if p.values() == Vec3::ZERO { S::ZERO } else { (self.value(p) + 1.0).sqrt() }
    }
    #[inline(always)]
    pub(super) fn support<S: Real>(&self, n: Vec3<S>) -> Support<S>
    where
        N: Constant<S>,
    {
        let [a, b, c] = self.semi_axes;
        let scaled = vec3(a.times(n.x), b.times(n.y), c.times(n.z));
        let distance = scaled.norm();
        let k = distance.recip();
        Support { distance, point: vec3(a.times(scaled.x) * k, b.times(scaled.y) * k, c.times(scaled.z) * k) }
    }
    pub(super) fn half_extents(&self) -> Vec3<f64> {
        Vec3::from_array(self.semi_axes.map(Real::value))
    }
    pub(super) fn bounding_radius(&self) -> f64 {
        self.semi_axes.iter().fold(0.0, |most, a| a.value().max(most))
    }
    pub(super) fn radius(&self) -> Option<N> {
        None
    }
}
