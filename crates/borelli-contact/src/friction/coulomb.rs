//! Dry friction as Coulomb has it.

use super::{Resistance, Slip};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Coulomb friction.
    ///
    /// ```text
    /// F_f = μ F_n sgn(v),   sgn(0) = 0                                                            (1)
    /// ```
    ///
    /// | μ `friction` 1 | v slip m/s | F_n normal force N |
    ///
    /// Source: Coulomb 1785. Departures: at rest the force is any value up to μ F_n; here it is zero, so nothing sticks.
    /// Limits: jumps at rest. For comparisons and for states that surely slip; a body under load chatters.
    /// Tests: `continuity_is_as_published`, `slopes_of_every_law_are_those_of_duals`.
    "coulomb": "Dry friction of constant size, with a jump at rest"
    pub struct Coulomb {
        /// coefficient of friction
        friction: "1", Range::NON_NEGATIVE, typical 0.8;
    }
}

impl<C> Coulomb<C> {
    #[inline]
    pub(super) fn resist<S: Real>(&self, slip: Slip<S>) -> Resistance<S>
    where
        C: Constant<S>,
    {
        if !(slip.speed.value() > 0.0) {
            return Resistance { per_speed: S::ZERO, by_speed: S::ZERO, by_normal: S::ZERO };
        }
        let per_speed = self.friction.times(slip.normal) / slip.speed;
        Resistance { per_speed, by_speed: S::ZERO, by_normal: self.friction.lift() }
    }
}
