//! Smoothed Coulomb friction with a viscous part.

use super::tanh::Tanh;
use super::{Resistance, Slip};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Smoothed Coulomb friction and viscous drag.
    ///
    /// ```text
    /// F_f = μ F_n tanh(v/v_s) + μ_v v                                                             (1)
    /// ```
    ///
    /// | μ `friction` 1 | v_s `transition` m/s | μ_v `viscosity` N s/m | v slip m/s | F_n normal force N |
    ///
    /// Source: Saraiva 2022, (5.20). Departures: none.
    /// Limits: the viscous part does not grow with F_n, so the force jumps by μ_v v at the first touch. Creeps under load.
    /// Tests: `continuity_is_as_published`, `slopes_of_every_law_are_those_of_duals`.
    "tanh-viscous": "Coulomb friction smoothed by a hyperbolic tangent, and viscous drag"
    pub struct TanhViscous {
        /// coefficient of friction
        friction: "1", Range::NON_NEGATIVE, typical 0.8;
        /// speed at which 76 % of the full dry force is reached
        transition: "m/s", Range::POSITIVE, typical 0.01;
        /// viscous force per speed while in contact
        viscosity: "N s/m", Range::NON_NEGATIVE, typical 100.0;
    }
}

impl<C> TanhViscous<C> {
    #[inline]
    pub(super) fn resist<S: Real>(&self, slip: Slip<S>) -> Resistance<S>
    where
        C: Constant<S>,
    {
        let dry = Tanh { friction: self.friction, transition: self.transition }.resist(slip);
        let viscosity: S = self.viscosity.lift();
        Resistance { per_speed: dry.per_speed + viscosity, by_speed: dry.by_speed + viscosity, by_normal: dry.by_normal }
    }
}
