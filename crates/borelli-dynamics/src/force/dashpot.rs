//! Dashpot along a path.

use super::declare::force;
use super::{Along, Answer};
use crate::scene::{Inner, Now};
use borelli_math::{Constant, Real};
use borelli_model::Range;

force! {
    /// Linear dashpot along a path; it resists lengthening and shortening alike.
    ///
    /// ```text
    /// N = c l̇        power −c l̇²                                                                 (1)
    /// ```
    ///
    /// | N tension, N | c `damping` N s/m | l̇ rate of the path's length, m/s |
    ///
    /// Source: elementary. Limits: between two points that pass through each other the force −c e eᵀ v, e the direction between them, continues
    /// smoothly except at the instant when they coincide, where the direction is undefined and the force is taken as zero.
    /// Tests: `a_dashpot_takes_the_power_of_its_rate`, `a_dashpot_is_smooth_through_zero_length`, `every_path_law_acts_and_reacts`.
    "dashpot": "Dashpot along a path: tension damping l'"
    pub struct Dashpot along path {
        /// tension per rate of length
        number damping: "N s/m" in Range::NON_NEGATIVE;
    }
}

impl<C> Dashpot<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, path: Along<S>, _now: &Now<S, C>, _inner: &mut Inner<S>) -> Answer<S>
    where
        C: Constant<S>,
    {
        Answer { force: self.damping.times(path.rate), stored: S::ZERO }
    }
}
