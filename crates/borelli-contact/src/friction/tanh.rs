//! Coulomb friction with its jump smoothed.

use super::{Resistance, Slip};
use crate::law::{Range, law};
use crate::smooth::{tanh, tanh_over};
use borelli_math::{Constant, Real};

law! {
    /// Smoothed Coulomb friction.
    ///
    /// ```text
    /// F_f = μ F_n tanh(v/v_s)                                                                     (1)
    /// ```
    ///
    /// | μ `friction` 1 | v_s `transition` m/s | v slip m/s | F_n normal force N |
    ///
    /// Source: Saraiva 2022, (5.19). Departures: none. Limits: creeps under any load; the rate μ F_n/(m v_s) makes equations stiff.
    /// Tests: `published_scalars_are_met`, `slopes_of_every_law_are_those_of_duals`.
    "tanh": "Coulomb friction smoothed by a hyperbolic tangent"
    pub struct Tanh {
        /// coefficient of friction
        friction: "1", Range::NON_NEGATIVE, typical 0.8;
        /// speed at which 76 % of the full force is reached
        transition: "m/s", Range::POSITIVE, typical 0.01;
    }
}

impl<C> Tanh<C> {
    #[inline]
    pub(super) fn resist<S: Real>(&self, slip: Slip<S>) -> Resistance<S>
    where
        C: Constant<S>,
    {
        let rate: S = self.transition.recip().lift();
        let x = slip.speed * rate;
        let (t, full) = (tanh(x), self.friction.times(slip.normal));
        Resistance { per_speed: full * tanh_over(x) * rate, by_speed: full * (S::ONE - t * t) * rate, by_normal: self.friction.times(t) }
    }
}
