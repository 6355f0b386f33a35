//! Circle in the plane X-Y.

use super::kind::{ShapeKind, length};
use super::{Form, by_embedding, sphere::Sphere};

/// Circle of planar models: the section of a sphere by the plane X-Y.
///
/// Normals of planar contacts lie in that plane by symmetry, so the sphere answers for the circle.
///
/// | r `radius` m |
///
/// Source: elementary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle<N> {
    /// Radius, m.
    pub radius: N,
}

impl<N> Form<N> for Circle<N> {
    const KIND: ShapeKind = ShapeKind {
        name: "circle",
        doc: "Circle about its centre",
        parameters: &[length("radius", "radius")],
        planar: true,
        spatial: false,
    };
    fn build(mut number: impl FnMut() -> N) -> Self {
        Circle { radius: number() }
    }
    fn each(&self, visit: &mut impl FnMut(&N)) {
        visit(&self.radius);
    }
}

by_embedding!(Circle in Sphere, |circle| Sphere { radius: circle.radius });
