//! Elastic cord along a path.

use super::declare::force;
use super::{Along, Answer};
use crate::scene::{Inner, Now};
use borelli_math::{Constant, Real};
use borelli_model::Range;

force! {
    /// Elastic cord along a path: a spring that pulls when stretched and is slack when it is not.
    ///
    /// ```text
    /// N = k max(0, l − L)        stored energy ½ k max(0, l − L)²                                 (1)
    /// ```
    ///
    /// | N tension, N | k `stiffness` N/m | l length of the path, m | L `length` without tension, m |
    ///
    /// Source: elementary. Limits: the force has a kink where the cord becomes taut; its stored energy and its force are continuous there.
    /// Tests: `elastic_forces_are_minus_the_slope_of_the_stored_energy`, `every_path_law_acts_and_reacts`.
    "cord": "Elastic cord along a path: tension stiffness (l - length) where it is stretched, else none"
    pub struct Cord along path {
        /// tension per stretch
        number stiffness: "N/m" in Range::NON_NEGATIVE;
        /// length up to which it is slack
        number length: "m" in Range::NON_NEGATIVE;
    }
}

impl<C> Cord<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, path: Along<S>, _now: &Now<S, C>, _inner: &mut Inner<S>) -> Answer<S>
    where
        C: Constant<S>,
    {
        let stretch = path.x - self.length.lift();
        // Compared so that a length that is no number stays none.
        if stretch.value() < 0.0 {
            return Answer { force: S::ZERO, stored: S::ZERO };
        }
        let force = self.stiffness.times(stretch);
        Answer { force, stored: force * stretch * 0.5 }
    }
}
