//! Support of flat shapes over a plane, their flats rounded so that the point of contact does not jump.
//! Not here: support of the shapes as they are; flats on curved surfaces.
//! In: a shape, a direction. Out: how far it reaches, and where.
//!
//! A superellipsoid with exponents above two has no curvature on its axes. Over a plane its lowest point runs from one edge of a flat to the other
//! with the (p−1)-th root of the tilt, with a slope beyond all bounds at the flat itself: no integrator gets past it, and a flat that lies on the
//! floor has no stiffness against rocking that one could compute with. With h the support function of the shape, which for all shapes here grows with
//! each |n_k|, and a small angle ε,
//!
//!     h_ε(n) = h(m)        m_k = √(n_k² + ε²)                                                        (1)
//!     x_k = n_k (s_k/m_k + ε² Σ_j s_j/m_j)        s = ∇h(m)                                          (2)
//!
//! h_ε is convex, for m_k are norms of n and h is convex and grows with each of them: it is the support function of a convex body with smooth
//! boundary, and (2) is its gradient. So depth and force have one potential, as over the shape itself. Seen from a flat by more than a few ε nothing
//! changes: h_ε − h is of second order in ε there. On a flat the body reaches further by about c (a ε/c)^p'/p' with p' = p/(p−1), and over tilts of
//! about ε the point of contact moves evenly.
//!
//! Source: ours; smoothing in the support function is Minkowski addition of small bodies, done per axis. Test: `flats_are_rounded_by_little_and_stay_convex`.

use super::surface::{Support, Surface as _};
use super::{SeparableSuperellipsoid, Smooth, Superellipsoid};
use borelli_math::{Constant, Real, Vec3};

/// ε: tilt over which a flat is rounded, rad.
pub const ROUNDING: f64 = 1e-5;

impl<N: Real> Smooth<N> {
    /// True for a shape with flats: it has no curvature in some directions.
    pub fn has_flats(&self) -> bool {
        match self {
            Smooth::Superellipsoid(Superellipsoid { p, r, .. }) => p.value() > 2.0 || r.value() > 2.0,
            Smooth::SeparableSuperellipsoid(SeparableSuperellipsoid { exponents, .. }) => exponents.iter().any(|g| g.value() > 2.0),
            _ => false,
        }
    }

    /// Furthest point along a unit vector, flats rounded by (1) and (2).
    pub fn rounded_support<S: Real>(&self, n: Vec3<S>) -> Support<S>
    where
        N: Constant<S>,
    {
        if !self.has_flats() {
            return self.support(n);
        }
        let square = S::from_f64(ROUNDING * ROUNDING);
        let all = n.dot(n) * square;
        let n = n.to_array();
        let m = n.map(|n| (n * n + all).sqrt());
        let Support { distance, point } = self.support(Vec3::from_array(m));
        let s = point.to_array();
        let parts = [s[0] / m[0], s[1] / m[1], s[2] / m[2]];
        let whole = (parts[0] + parts[1] + parts[2]) * square;
        let x = [0, 1, 2].map(|k| n[k] * (parts[k] + whole));
        Support { distance, point: Vec3::from_array(x) }
    }
}
