//! Spring and damper on one coordinate: torsional on an angle, linear on a displacement.

use super::declare::force;
use super::{Along, Answer};
use crate::scene::{Inner, Now};
use borelli_math::{Constant, Real};
use borelli_model::Range;

force! {
    /// Linear spring and damper on a coordinate.
    ///
    /// ```text
    /// τ = −k (q − q₀) − d q̇        stored energy ½ k (q − q₀)²                                    (1)
    /// ```
    ///
    /// | k `stiffness` N m/rad or N/m | d `damping` N m s/rad or N s/m | q₀ `rest` rad or m |
    ///
    /// Source: elementary. Limits: none. Tests: `elastic_forces_are_minus_the_slope_of_the_stored_energy`.
    "coordinate-spring": "Spring and damper on one coordinate: -stiffness (q - rest) - damping q'"
    pub struct CoordinateSpring on coordinate {
        /// moment per angle or force per length
        number stiffness: "N m/rad" or "N/m" in Range::NON_NEGATIVE;
        /// moment per angular rate or force per speed
        number damping: "N m s/rad" or "N s/m" in Range::NON_NEGATIVE, default 0.0;
        /// coordinate without spring force
        number rest: "rad" or "m" in Range::ANY, default 0.0;
    }
}

impl<C> CoordinateSpring<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, coordinate: Along<S>, _now: &Now<S, C>, _inner: &mut Inner<S>) -> Answer<S>
    where
        C: Constant<S>,
    {
        let stretch = coordinate.x - self.rest.lift();
        let pull = self.stiffness.times(stretch);
        Answer { force: -(pull + self.damping.times(coordinate.rate)), stored: pull * stretch * 0.5 }
    }
}
