//! Half-space bounded by a plane.

use super::Form;
use super::kind::{ShapeFault, ShapeKind, any};
use super::pose::Pose;
use borelli_math::{Constant, Real, Vec3, vec3};

/// Half-space, solid on the side away from its normal.
///
/// ```text
/// F = n·x − h,  n of unit length                                                                (1)
/// ```
///
/// | n `nx`, `ny`, `nz` outward normal, of any length | h `height` of the plane above the origin along n, m |
///
/// Source: elementary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace<N> {
    /// Outward normal, of any length but zero.
    pub normal: [N; 3],
    /// Height of the plane over the origin of the frame, m.
    pub height: N,
}

impl<N> Form<N> for HalfSpace<N> {
    const KIND: ShapeKind = ShapeKind {
        name: "half-space",
        doc: "Half-space below a plane, solid on the side away from its normal",
        parameters: &[
            any("nx", "1", 0.0, "outward normal along X"),
            any("ny", "1", 1.0, "outward normal along Y"),
            any("nz", "1", 0.0, "outward normal along Z"),
            any("height", "m", 0.0, "height of the plane over the origin of its frame, along the normal"),
        ],
        planar: true,
        spatial: true,
    };
    fn build(mut number: impl FnMut() -> N) -> Self {
        HalfSpace { normal: [number(), number(), number()], height: number() }
    }
    fn each(&self, visit: &mut impl FnMut(&N)) {
        self.normal.iter().for_each(&mut *visit);
        visit(&self.height);
    }
}

impl<N: Real> HalfSpace<N> {
    pub(super) fn check_more(&self) -> Result<(), ShapeFault> {
        let n = Vec3::from_array(self.normal.map(Real::value));
        // Beyond these the square of the length is no longer a normal number.
        if (1e-150..1e150).contains(&n.norm()) { Ok(()) } else { Err(ShapeFault::ZeroNormal) }
    }
    /// Unit normal and height of the plane over the origin of the world, in world axes.
    pub fn in_world<S: Real>(&self, X_WS: &Pose<S>) -> (Vec3<S>, S)
    where
        N: Constant<S>,
    {
        let [x, y, z] = self.normal;
        let n = X_WS.R.mul_const(vec3(x, y, z));
        let n = n.scale(n.norm().recip());
        (n, n.dot(X_WS.p) + self.height.lift())
    }
}
