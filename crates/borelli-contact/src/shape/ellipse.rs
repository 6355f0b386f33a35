//! Ellipse in the plane X-Y.

use super::kind::{ShapeKind, length};
use super::{Form, by_embedding, ellipsoid::Ellipsoid};

/// Ellipse of planar models: the section of an ellipsoid by the plane X-Y.
///
/// The third semi-axis is the longer of the two. A direction of least overlap then never leaves the plane: for a direction tilted out of
/// it by φ, u in it and centres a vector d of it apart,
///
/// ```text
/// g = cos φ u·d − Σ √(cos²φ h(u)² + sin²φ c²) ≤ max(u·d, 0) − Σ h(u),  because c ≥ h(u)          (1)
/// ```
///
/// | a, b `a`, `b` semi-axes m |
///
/// Source: elementary. Test: `planar_pairs_touch_in_the_plane`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse<N> {
    /// Semi-axes along X and Y, m.
    pub semi_axes: [N; 2],
}

impl<N> Form<N> for Ellipse<N> {
    const KIND: ShapeKind = ShapeKind {
        name: "ellipse",
        doc: "Ellipse about its centre",
        parameters: &[length("a", "semi-axis along X"), length("b", "semi-axis along Y")],
        planar: true,
        spatial: false,
    };
    fn build(mut number: impl FnMut() -> N) -> Self {
        Ellipse { semi_axes: [number(), number()] }
    }
    fn each(&self, visit: &mut impl FnMut(&N)) {
        self.semi_axes.iter().for_each(visit);
    }
}

by_embedding!(Ellipse in Ellipsoid, |ellipse| {
    let [a, b] = ellipse.semi_axes;
    Ellipsoid { semi_axes: [a, b, if a.value() < b.value() { b } else { a }] }
});
