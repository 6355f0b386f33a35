//! Elastic contact of round bodies.

use super::{Push, Touch, power};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Power of the depth; exponent 3/2 for two round bodies, 2 for the impact benchmark.
    ///
    /// ```text
    /// F = k δⁿ,   U = k δⁿ⁺¹/(n + 1)                                                              (1)
    /// ```
    ///
    /// | k `stiffness` N/mⁿ | n `exponent` 1 | δ depth m |
    ///
    /// A sphere of radius r on a plane with plane-strain modulus E has k = (4/3) E √r.
    /// Source: Hertz 1882. Limits: small depths of bodies that do not conform; a rebound loses nothing.
    /// Tests: `restitution_is_that_of_a_computed_impact`.
    "hertz": "Power of the depth, without damping"
    pub struct Hertz {
        /// force per depth to the exponent
        stiffness: "N/m^n", Range::POSITIVE, typical 1e6;
        /// exponent of the depth
        exponent: "1", Range::AT_LEAST_ONE, default 1.5;
    }
}

impl<C> Hertz<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, touch: Touch<S>) -> Push<S>
    where
        C: Constant<S>,
    {
        power::elastic(self.stiffness.lift(), self.exponent.lift(), touch.depth)
    }
}
