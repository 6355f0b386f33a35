//! Tension along a path, given in time.

use super::declare::force;
use super::{Along, Answer};
use crate::scene::{Inner, Now};
use borelli_math::{Constant, Real};

force! {
    /// A tension given in time along a path: a muscle reduced to its force.
    ///
    /// ```text
    /// N = a(t)                                                                                    (1)
    /// ```
    ///
    /// | N tension, N | a `tension`, function of time, positive when it shortens the path, N |
    ///
    /// Source: elementary. Limits: a negative tension pushes; nothing prevents it.
    /// Tests: `every_path_law_acts_and_reacts`, `an_actuator_over_a_via_point_pulls_it_to_both_neighbours`.
    "actuator": "Tension along a path, given in time"
    pub struct Actuator along path {
        /// tension, function of time
        function tension: "N";
    }
}

impl<C> Actuator<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, _path: Along<S>, now: &Now<S, C>, _inner: &mut Inner<S>) -> Answer<S>
    where
        C: Constant<S>,
    {
        Answer { force: now.at_time(self.tension)[0], stored: S::ZERO }
    }
}
