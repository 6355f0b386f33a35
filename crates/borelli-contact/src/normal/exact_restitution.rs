//! Damping in proportion to the elastic force that returns its restitution exactly.

use super::{Push, Touch, damping_number, power};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Damping in proportion to the elastic force that returns its restitution exactly.
    ///
    /// ```text
    /// F = k δⁿ (1 + λ δ̇/v₀),   λ of (1 + c) λ = ln((1 + λ)/(1 − λ c)),   U = k δⁿ⁺¹/(n + 1)
    /// ```
    ///
    /// | k `stiffness` N/mⁿ | n `exponent` 1 | c `restitution` 1 | v₀ speed of the first touch m/s | δ depth m | δ̇ rate m/s |
    ///
    /// Source: ours, see `damping_number`. Departures: clipped at zero.
    /// Limits: a free impact against one body; other forces during the impact change it as in every law. c = 0 is refused.
    /// Tests: `the_restitution_table_is_met`, `restitution_is_that_of_a_computed_impact`.
    "exact-restitution": "Damping in proportion that returns its restitution exactly", remembers
    pub struct ExactRestitution {
        /// force per depth to the exponent
        stiffness: "N/m^n", Range::POSITIVE, typical 1e6;
        /// exponent of the depth
        exponent: "1", Range::AT_LEAST_ONE, default 1.5;
        /// speed after an impact over speed before, as the law means it
        restitution: "1", Range::FRACTION, typical 0.7;
    }
}

impl<C> ExactRestitution<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, touch: Touch<S>) -> Push<S>
    where
        C: Constant<S>,
    {
        let c: S = self.restitution.lift();
        let lambda = damping_number(c);
        power::damped(self.stiffness.lift(), self.exponent.lift(), lambda / touch.impact_speed, touch)
    }
}
