//! Dry and viscous friction with a cubic at low speed that starts with zero slope.

use super::low_speed::{self, Below};
use super::{Resistance, Slip};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Dry and viscous friction with a cubic at low speed that starts with zero slope.
    ///
    /// ```text
    /// F_f = μ F_n + μ_v v                          v ≥ v_s                                        (1)
    /// F_f = S P(s),  s = v/v_s                     v < v_s                                        (2)
    /// S = μ F_n + μ_v v_s,   β = μ_v v_s/S                                                        (3)
    /// P = (3 − β) s² + (β − 2) s³                                                                 (4)
    /// ```
    ///
    /// | μ `friction` 1 | μ_v `viscosity` N s/m | v_s `threshold` m/s | v slip m/s | F_n normal force N |
    ///
    /// Source: (1) Marques 2015, (22); (4) the C¹ cubic with zero slope at rest, ours.
    /// Departures: none. Limits: creeps more than a law with slope at rest, since any small load passes at once;
    /// jumps at the first touch as (1) does.
    /// Tests: `low_speed_laws_join_with_value_and_slope`, `continuity_is_as_published`.
    "smoothstep": "Dry and viscous friction, a cubic with zero slope at rest below a threshold speed"
    pub struct Smoothstep {
        /// coefficient of friction
        friction: "1", Range::NON_NEGATIVE, typical 0.8;
        /// viscous force per speed while in contact
        viscosity: "N s/m", Range::NON_NEGATIVE, default 0.0, typical 100.0;
        /// speed from which the law is dry and viscous friction
        threshold: "m/s", Range::POSITIVE, default 0.01;
    }
}

/// (4) with S and Sβ written out.
const BELOW: Below = Below { dry: [0.0, 3.0, -2.0, 0.0], viscous: [0.0, 2.0, -1.0, 0.0] };

impl<C> Smoothstep<C> {
    #[inline]
    pub(super) fn resist<S: Real>(&self, slip: Slip<S>) -> Resistance<S>
    where
        C: Constant<S>,
    {
        low_speed::resist(&BELOW, self.friction, self.viscosity, self.threshold, slip)
    }
}
