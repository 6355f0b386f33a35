//! Sliding and spinning at one common speed.

use super::{PatchSlip, Reach};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Sliding and spinning share one speed, so that spin eases sliding and sliding eases spin (Contensou effect).
    ///
    /// ```text
    /// L = κ r_g,   v* = √(|v_t|² + (L ω_n)²)                                                      (1)
    /// F_t = −F_f(v*, F_n) v_t/v*,   τ_s = −F_f(v*, F_n) L² ω_n/v*                                  (2)
    /// ```
    ///
    /// | κ `lever` 1 | r_g radius of gyration m | v_t slip m/s | ω_n spin rad/s |
    ///
    /// Source: ours, after Contensou 1963. Pure sliding and pure spinning are those of `Gyration`.
    /// Limits: one speed for the whole patch, so no mixed stick and slip within it: for a round patch with Coulomb friction the force is within 8 %
    /// of the full one, the moment within 19 %. `pressure::foundation` has both right, at the cost of a grid.
    /// Tests: `spin_eases_sliding_as_in_the_integrated_patch`.
    "coupled": "Sliding and spinning friction at one common speed"
    pub struct Coupled {
        /// lever of the spinning friction in radii of gyration
        lever: "1", Range::NON_NEGATIVE, default 1.0;
    }
}

impl<C> Coupled<C> {
    #[inline]
    pub(super) fn reach<S: Real>(&self, patch: PatchSlip<S>) -> Reach<S>
    where
        C: Constant<S>,
    {
        let lever = self.lever.times(patch.gyration);
        Reach { spin_speed: lever, lever, coupled: true }
    }
}
