//! Tension along a path that follows a command with a lag.

use super::declare::force;
use super::{Along, Answer};
use crate::scene::{Inner, Now};
use borelli_math::{Constant, Real};
use borelli_model::Range;

force! {
    /// An actuator along a path whose tension follows a command with a lag of first order: the simplest motor or muscle with dynamics of its own.
    ///
    /// ```text
    /// N = a        T ȧ = u(t) − a                                                                  (1)
    /// ```
    ///
    /// | N tension, N | a state `tension`, N, at first `tension` of the file | T `time_constant` s |
    /// | --- | --- | --- |
    /// | u control `command`, N, function of time unless it is replaced | | |
    ///
    /// Source: elementary. Limits: a negative command pushes; nothing prevents it.
    /// Tests: `an_actuator_with_a_lag_follows_its_command_as_the_closed_form_says`, `every_path_law_acts_and_reacts`.
    "lag-actuator": "Tension along a path that follows a command with a lag: time_constant tension' = command - tension"
    pub struct LagActuator along path {
        /// control: tension wanted, function of time
        control command: "N";
        /// time after which all but 1/e of a step of the command is followed
        number time_constant: "s" in Range::POSITIVE;
        /// tension at the start
        state tension: "N" in Range::ANY, default 0.0;
    }
}

impl<C> LagActuator<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, _path: Along<S>, now: &Now<S, C>, inner: &mut Inner<S>) -> Answer<S>
    where
        C: Constant<S>,
    {
        let tension = now.state(self.tension);
        inner.zdot[self.tension as usize] = (now.control(self.command) - tension) / self.time_constant.lift();
        Answer { force: tension, stored: S::ZERO }
    }
}
