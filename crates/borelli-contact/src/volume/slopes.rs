//! How volume and centroid of an overlap change with the plane, for implicit integrators and identification.

use super::cap::Cap;
use super::overlap::SemiAxes;
use borelli_math::{Constant, Mat3, Real, Vec3, vec3};

/// Slopes of an overlap by the height q and the normal n of the plane, n taken as three free numbers.
///
/// ```text
/// ∂d/∂q = 1/h,   ∂h/∂n = S²n/h,   ∂d/∂n = −q S²n/h³                                               (1)
/// ∂V/∂q = A = abc V_S'/h,   ∂V/∂n = abc V_S' ∂d/∂n                                                (2)
/// ∂c/∂x = −(c_S' ∂d/∂x) S²n/h − c_S ∂(S²n/h)/∂x                                                   (3)
/// ```
///
/// Wholly inside (d ≥ 2) all are zero. Source: ours. Test: `slopes_are_those_of_duals_and_differences`.
#[derive(Clone, Copy, Debug)]
pub struct Slopes<S> {
    /// ∂d/∂q, 1/m.
    pub depth_by_height: S,
    /// ∂d/∂n.
    pub depth_by_normal: Vec3<S>,
    /// ∂V/∂q, m²: the area of the cut; times the stiffness of the bed it is the normal stiffness.
    pub volume_by_height: S,
    /// ∂V/∂n, m³.
    pub volume_by_normal: Vec3<S>,
    /// ∂c/∂q.
    pub centroid_by_height: Vec3<S>,
    /// ∂c/∂n, m, one column for each entry of n.
    pub centroid_by_normal: Mat3<S>,
    /// dJ_t/dd of the cap, a pure number.
    pub across_by_depth: S,
}

impl<C> SemiAxes<C> {
    /// Slopes of the overlap; nothing when apart.
    pub fn slopes<S: Real>(&self, n: Vec3<S>, q: S) -> Option<Slopes<S>>
    where
        C: Constant<S>,
    {
        let h = self.stretch(n).norm();
        let over_h = h.recip();
        let d = q * over_h + 1.0;
        if d.value() <= 0.0 {
            return None;
        }
        if d.value() >= 2.0 {
            let none = Vec3::ZERO;
            return Some(Slopes {
                depth_by_height: S::ZERO,
                depth_by_normal: none,
                volume_by_height: S::ZERO,
                volume_by_normal: none,
                centroid_by_height: none,
                centroid_by_normal: Mat3::ZERO,
                across_by_depth: S::ZERO,
            });
        }
        let (cap, abc) = (Cap::new(d), self.product());
        let e = self.stretch(self.stretch(n)).scale(over_h); // S²n/h = ∂h/∂n
        let d_n = e.scale(-(q * over_h * over_h));
        let c_slope = Cap::centroid_slope(d);
        let V_d = abc * cap.area;
        // One column of (3): ∂(S²n/h)/∂n_k = S²e_k/h − (S²n/h)(∂h/∂n_k)/h.
        let column = |k: usize| {
            let mut unit = [S::ZERO; 3];
            unit[k] = S::ONE;
            let unit = vec3(unit[0], unit[1], unit[2]);
            let turn = self.stretch(self.stretch(unit)).scale(over_h) - e.scale(e.to_array()[k] * over_h);
            -(e.scale(c_slope * d_n.to_array()[k]) + turn.scale(cap.centroid))
        };
        Some(Slopes {
            depth_by_height: over_h,
            depth_by_normal: d_n,
            volume_by_height: V_d * over_h,
            volume_by_normal: d_n.scale(V_d),
            centroid_by_height: e.scale(-(c_slope * over_h)),
            centroid_by_normal: Mat3 { x: column(0), y: column(1), z: column(2) },
            across_by_depth: Cap::across_slope(d),
        })
    }
}

/// Slope by a rotation of the ellipsoid about its centre, from the slope by the normal: δn = −δφ × n in body axes, so ∂/∂φ = (∂/∂n) × n.
pub fn by_rotation<S: Real>(by_normal: Vec3<S>, n: Vec3<S>) -> Vec3<S> {
    by_normal.cross(n)
}
