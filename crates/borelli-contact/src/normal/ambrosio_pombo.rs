//! Less force on the way out than on the way in.

use super::{Push, Touch, power};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Full elastic force on approach, a fraction of it on return, blended at low rates.
    ///
    /// ```text
    /// F = k δⁿ [c + (1 − c)(3R² − 2R³)],   R = clamp((δ̇ + v_n)/(2 v_n), 0, 1)                     (1)
    /// U = ½ (1 + c) k δⁿ⁺¹/(n + 1)                                                                (2)
    /// ```
    ///
    /// | k `stiffness` N/mⁿ | n `exponent` 1 | c `return_fraction` 1 | v_n `transition` m/s | δ depth m | δ̇ rate m/s |
    ///
    /// Source: Ambrósio & Pombo 2018, Multibody Syst. Dyn. 42:317-345, as in Saraiva 2022, (5.15)-(5.16).
    /// Departures: named for what it is; the source calls c the coefficient of
    /// restitution, but for impacts well above v_n c is the ratio of energies and √c that of speeds. (2) is ours: its slope is the force at
    /// zero rate, and the rest of the force only takes power.
    /// Limits: needs no memory; a slow impact loses less. Tests: `published_scalars_are_met`, `restitution_is_that_of_a_computed_impact`.
    "ambrosio-pombo": "Less force on the way out than on the way in, without memory"
    pub struct AmbrosioPombo {
        /// force per depth to the exponent
        stiffness: "N/m^n", Range::POSITIVE, typical 1e6;
        /// exponent of the depth
        exponent: "1", Range::AT_LEAST_ONE, default 1.5;
        /// force on return over force on approach
        return_fraction: "1", Range::UNIT, typical 0.7;
        /// rate from which approach and return are told apart
        transition: "m/s", Range::POSITIVE, default 0.01;
    }
}

impl<C> AmbrosioPombo<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, touch: Touch<S>) -> Push<S>
    where
        C: Constant<S>,
    {
        let (c, width): (S, S) = (self.return_fraction.lift(), self.transition.lift());
        let still = power::elastic(self.stiffness.lift(), self.exponent.lift(), touch.depth);
        let R = (touch.rate / width + 1.0) * 0.5;
        let (blend, slope) = match R.value() {
            r if r <= 0.0 => (S::ZERO, S::ZERO),
            r if r >= 1.0 => (S::ONE, S::ZERO),
            _ => (R * R * (-(R * 2.0) + 3.0), R * (S::ONE - R) * 3.0 / width),
        };
        let factor = c + (S::ONE - c) * blend;
        Push {
            force: still.force * factor,
            by_depth: still.by_depth * factor,
            by_rate: still.force * (S::ONE - c) * slope,
            stored: still.stored * (c + 1.0) * 0.5,
            elastic: still.force * (c + 1.0) * 0.5,
            clipped: false,
        }
    }
}
