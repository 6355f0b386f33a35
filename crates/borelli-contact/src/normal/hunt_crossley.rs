//! Elastic contact with damping in proportion, by a dissipation.

use super::{Push, Touch, power};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Damping that grows with the elastic force, given by a dissipation.
    ///
    /// ```text
    /// F = k δⁿ (1 + ³⁄₂ c δ̇) = k δⁿ + b δⁿ δ̇,   b = ³⁄₂ c k,   U = k δⁿ⁺¹/(n + 1)                  (1)
    /// ```
    ///
    /// | k `stiffness` N/mⁿ | n `exponent` 1 | c `dissipation` s/m | δ depth m | δ̇ rate m/s |
    ///
    /// Source: Hunt & Crossley 1975, J. Appl. Mech. 42:440-445. Departures: clipped at zero, so that a fast retreat never pulls.
    /// Limits: restitution 1 − c v for slow impacts only; exactly `restitution(³⁄₂ c v)`.
    /// Tests: `restitution_is_that_of_a_computed_impact`, `slopes_of_every_law_are_those_of_duals`.
    "hunt-crossley": "Power of the depth with damping in proportion, by a dissipation"
    pub struct HuntCrossley {
        /// force per depth to the exponent
        stiffness: "N/m^n", Range::POSITIVE, typical 1e6;
        /// exponent of the depth
        exponent: "1", Range::AT_LEAST_ONE, default 1.5;
        /// loss of restitution per impact speed, for slow impacts
        dissipation: "s/m", Range::NON_NEGATIVE, typical 0.8;
    }
}

impl<C> HuntCrossley<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, touch: Touch<S>) -> Push<S>
    where
        C: Constant<S>,
    {
        let damping: S = self.dissipation.lift();
        power::damped(self.stiffness.lift(), self.exponent.lift(), damping * 1.5, touch)
    }
}
