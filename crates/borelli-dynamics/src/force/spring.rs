//! Spring along a path.

use super::declare::force;
use super::{Along, Answer};
use crate::scene::{Inner, Now};
use borelli_math::{Constant, Real};
use borelli_model::Range;

force! {
    /// Linear spring along a path; it pulls when stretched and pushes when compressed.
    ///
    /// ```text
    /// N = k (l − L)        stored energy ½ k (l − L)²                                             (1)
    /// ```
    ///
    /// | N tension, N | k `stiffness` N/m | l length of the path, m | L `length` without tension, m |
    ///
    /// Source: elementary. Limits: where a path has via points, pushing (l < L) is not physical; nothing prevents it.
    /// Tests: `elastic_forces_are_minus_the_slope_of_the_stored_energy`, `every_path_law_acts_and_reacts`.
    "spring": "Spring along a path: tension stiffness (l - length)"
    pub struct Spring along path {
        /// tension per stretch
        number stiffness: "N/m" in Range::NON_NEGATIVE;
        /// length without tension
        number length: "m" in Range::NON_NEGATIVE;
    }
}

impl<C> Spring<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, path: Along<S>, _now: &Now<S, C>, _inner: &mut Inner<S>) -> Answer<S>
    where
        C: Constant<S>,
    {
        let stretch = path.x - self.length.lift();
        let force = self.stiffness.times(stretch);
        Answer { force, stored: force * stretch * 0.5 }
    }
}
