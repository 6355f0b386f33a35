//! Damping in proportion to the elastic force, by restitution, fair over the whole range.

use super::{Push, Touch, power};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Damping in proportion to the elastic force, by restitution, fair over the whole range.
    ///
    /// ```text
    /// F = k δⁿ (1 + λ δ̇/v₀),   λ = ⁸⁄₅ (1 − c)/c,   U = k δⁿ⁺¹/(n + 1)
    /// ```
    ///
    /// | k `stiffness` N/mⁿ | n `exponent` 1 | c `restitution` 1 | v₀ speed of the first touch m/s | δ depth m | δ̇ rate m/s |
    ///
    /// Source: Flores, Machado, Silva & Martins 2011, Multibody Syst. Dyn. 25:357-375. Departures: clipped at zero.
    /// Limits: gives 0.470 for c = 0.5; near one 1 − e = (16/15)(1 − c), for small c e = 0.625 c. c = 0 is refused.
    /// Tests: `the_restitution_table_is_met`, `restitution_is_that_of_a_computed_impact`.
    "flores": "Damping in proportion, by restitution, after Flores", remembers
    pub struct Flores {
        /// force per depth to the exponent
        stiffness: "N/m^n", Range::POSITIVE, typical 1e6;
        /// exponent of the depth
        exponent: "1", Range::AT_LEAST_ONE, default 1.5;
        /// speed after an impact over speed before, as the law means it
        restitution: "1", Range::FRACTION, typical 0.7;
    }
}

impl<C> Flores<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, touch: Touch<S>) -> Push<S>
    where
        C: Constant<S>,
    {
        let c: S = self.restitution.lift();
        let lambda = (S::ONE - c) / c * 1.6;
        power::damped(self.stiffness.lift(), self.exponent.lift(), lambda / touch.impact_speed, touch)
    }
}
