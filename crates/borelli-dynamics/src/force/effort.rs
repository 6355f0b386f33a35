//! Generalised force on one coordinate, given in time.

use super::declare::force;
use super::{Along, Answer};
use crate::scene::{Inner, Now};
use borelli_math::{Constant, Real};

force! {
    /// A generalised force given in time: a moment on an angle, a force on a displacement. It acts between the two bodies of the joint.
    ///
    /// ```text
    /// τ = E(t)                                                                                    (1)
    /// ```
    ///
    /// | τ generalised force, N m or N | E `effort`, function of time |
    ///
    /// On an angular velocity of a `ball` or `free` joint it is the moment about that axis of the child.
    ///
    /// Source: elementary. Limits: parts of quaternions are refused; they have no force of their own.
    /// Tests: `an_effort_is_the_generalised_force`, `an_effort_on_an_angular_velocity_is_a_moment_about_that_axis_of_the_child`.
    "effort": "Generalised force on one coordinate, given in time"
    pub struct Effort on speed {
        /// moment on an angle or force on a displacement; function of time
        function effort: "N m" or "N";
    }
}

impl<C> Effort<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, _coordinate: Along<S>, now: &Now<S, C>, _inner: &mut Inner<S>) -> Answer<S>
    where
        C: Constant<S>,
    {
        Answer { force: now.at_time(self.effort)[0], stored: S::ZERO }
    }
}
