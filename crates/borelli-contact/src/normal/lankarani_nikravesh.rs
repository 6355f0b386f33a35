//! Damping in proportion to the elastic force, by restitution, from the energy balance of the elastic impact.

use super::{Push, Touch, power};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Damping in proportion to the elastic force, by restitution, from the energy balance of the elastic impact.
    ///
    /// ```text
    /// F = k δⁿ (1 + λ δ̇/v₀),   λ = ¾ (1 − c²),   U = k δⁿ⁺¹/(n + 1)
    /// ```
    ///
    /// | k `stiffness` N/mⁿ | n `exponent` 1 | c `restitution` 1 | v₀ speed of the first touch m/s | δ depth m | δ̇ rate m/s |
    ///
    /// Source: Lankarani & Nikravesh 1990, J. Mech. Des. 112:369-376. Departures: clipped at zero.
    /// Limits: returns its c only near c = 1; c = 0 gives 0.663.
    /// Tests: `the_restitution_table_is_met`, `restitution_is_that_of_a_computed_impact`.
    "lankarani-nikravesh": "Damping in proportion, by restitution, after Lankarani and Nikravesh", remembers
    pub struct LankaraniNikravesh {
        /// force per depth to the exponent
        stiffness: "N/m^n", Range::POSITIVE, typical 1e6;
        /// exponent of the depth
        exponent: "1", Range::AT_LEAST_ONE, default 1.5;
        /// speed after an impact over speed before, as the law means it
        restitution: "1", Range::UNIT, typical 0.7;
    }
}

impl<C> LankaraniNikravesh<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, touch: Touch<S>) -> Push<S>
    where
        C: Constant<S>,
    {
        let c: S = self.restitution.lift();
        let lambda = (S::ONE - c * c) * 0.75;
        power::damped(self.stiffness.lift(), self.exponent.lift(), lambda / touch.impact_speed, touch)
    }
}
