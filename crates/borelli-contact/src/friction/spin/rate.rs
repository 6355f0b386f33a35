//! Spinning friction apart from sliding, with a transition rate of its own.

use super::{PatchSlip, Reach};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Spinning friction that makes its transition at a given angular rate.
    ///
    /// ```text
    /// τ_s = −κ r_g F_f(ℓ |ω_n|, F_n) sgn ω_n,   ℓ = v_tr/ω_tr                                      (1)
    /// ```
    ///
    /// | κ `lever` 1 | ℓ `speed_per_rate` m | r_g radius of gyration m | ω_n spin rad/s |
    ///
    /// Source: Brown 2017, (5.50)-(5.51), with v_tr = 0.01 m/s and ω_tr = 0.01 rad/s, so ℓ = 1 m. Departures: as in `Gyration`.
    /// Limits: as in `Gyration`; the viscous part of a law is meant for true speeds and comes out scaled by ℓ/r_g.
    /// Tests: `an_own_transition_rate_is_met`.
    "rate": "Spinning friction apart from sliding, with a transition rate of its own"
    pub struct Rate {
        /// lever of the spinning friction in radii of gyration
        lever: "1", Range::NON_NEGATIVE, default 1.0;
        /// transition speed of sliding over transition rate of spinning
        speed_per_rate: "m", Range::POSITIVE, default 1.0, typical 0.02;
    }
}

impl<C> Rate<C> {
    #[inline]
    pub(super) fn reach<S: Real>(&self, patch: PatchSlip<S>) -> Reach<S>
    where
        C: Constant<S>,
    {
        Reach { spin_speed: self.speed_per_rate.lift(), lever: self.lever.times(patch.gyration), coupled: false }
    }
}
