//! Linear spring.

use super::{Push, Touch, power};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Linear spring.
    ///
    /// ```text
    /// F = k δ,   U = ½ k δ²                                                                       (1)
    /// ```
    ///
    /// | k `stiffness` N/m | δ depth m |
    ///
    /// Source: elementary. Limits: a rebound loses nothing. Tests: `restitution_is_that_of_a_computed_impact`.
    "hooke": "Linear spring"
    pub struct Hooke {
        /// force per depth
        stiffness: "N/m", Range::POSITIVE, typical 4e4;
    }
}

impl<C> Hooke<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, touch: Touch<S>) -> Push<S>
    where
        C: Constant<S>,
    {
        power::elastic(self.stiffness.lift(), S::ONE, touch.depth)
    }
}
