//! The cap that a plane cuts off the unit sphere, as polynomials of its depth.
//! In: depth d, 0 < d ≤ 2. Out: pure numbers.

use borelli_math::Real;
use std::f64::consts::PI;

/// Integrals over the cap, u measured from the centre along the axis, r² = 1 − u².
///
/// ```text
/// V   = ∫ π r² du                = π d² (3 − d)/3                                              (1)
/// c   = (1/V) ∫ π r² u du        = 3 (2 − d)²/(4 (3 − d))                                      (2)
/// J_t = ∫ ¼ π r⁴ du              = π d³ (3d² − 15d + 20)/60                                    (3)
/// σ²  = ∫ π r² (u − c)² du       = π d⁴ (3d² − 24d + 40)/(240 (3 − d))                         (4)
/// c − (1 − d)                    = d (4 − d)/(4 (3 − d))                                       (5)
/// ```
///
/// Source: Brown 2017, (5.2)-(5.6) for (1) to (3); (4), (5) ours, in forms that lose no digit for small d.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cap<S> {
    /// (1)
    pub volume: S,
    /// (2)
    pub centroid: S,
    /// (3): second moment of the cap, pressed flat along its axis, about a diameter.
    pub across: S,
    /// (4)
    pub along: S,
    /// (5): from the plane to the centroid.
    pub below: S,
    /// dV/dd = π d (2 − d), the area of the cut.
    pub area: S,
}

impl<S: Real> Cap<S> {
    #[inline]
    pub fn new(d: S) -> Self {
        let (rest, left) = (-d + 3.0, -d + 2.0);
        let over = rest.recip();
        let d2 = d * d;
        Cap {
            volume: d2 * rest * (PI / 3.0),
            centroid: left * left * over * 0.75,
            across: d2 * d * (d2 * 3.0 - d * 15.0 + 20.0) * (PI / 60.0),
            along: d2 * d2 * (d2 * 3.0 - d * 24.0 + 40.0) * over * (PI / 240.0),
            below: d * (-d + 4.0) * over * 0.25,
            area: d * left * PI,
        }
    }

    /// dc/dd = −¾ (2 − d)(4 − d)/(3 − d)².
    #[inline]
    pub fn centroid_slope(d: S) -> S {
        let over = (-d + 3.0).recip();
        -((-d + 2.0) * (-d + 4.0) * over * over * 0.75)
    }

    /// dJ_t/dd = ¼ π d² (2 − d)².
    #[inline]
    pub fn across_slope(d: S) -> S {
        let left = -d + 2.0;
        d * d * left * left * (PI / 4.0)
    }
}
