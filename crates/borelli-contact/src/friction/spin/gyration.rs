//! Spinning friction apart from sliding, at the radius of gyration.

use super::{PatchSlip, Reach};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Spinning friction as if the normal force stood on a ring of the patch's radius of gyration.
    ///
    /// ```text
    /// τ_s = −κ r_g F_f(r_g |ω_n|, F_n) sgn ω_n                                                    (1)
    /// ```
    ///
    /// | κ `lever` 1 | r_g radius of gyration m | ω_n spin rad/s |
    ///
    /// Source: Brown 2017, (5.50). Departures: the printed moment has the unit N m²; the length it lost is the radius of gyration.
    /// κ = 1 is the nearest reading; κ = 8/(5√3) ≈ 0.924 is exact for full sliding of a shallow spherical patch with Coulomb friction.
    /// Limits: sliding and spinning do not know of each other (no Contensou effect).
    /// Tests: `a_ring_of_gyration_has_the_moment_of_the_patch_it_stands_for`.
    "gyration": "Spinning friction apart from sliding, on a ring of the radius of gyration"
    pub struct Gyration {
        /// lever of the spinning friction in radii of gyration
        lever: "1", Range::NON_NEGATIVE, default 1.0;
    }
}

impl<C> Gyration<C> {
    #[inline]
    pub(super) fn reach<S: Real>(&self, patch: PatchSlip<S>) -> Reach<S>
    where
        C: Constant<S>,
    {
        Reach { spin_speed: patch.gyration, lever: self.lever.times(patch.gyration), coupled: false }
    }
}
