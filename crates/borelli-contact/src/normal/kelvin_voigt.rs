//! Linear spring and damper.

use super::{Push, Touch, power};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Spring and damper side by side.
    ///
    /// ```text
    /// F = k δ + d δ̇,   U = ½ k δ²                                                                 (1)
    /// ```
    ///
    /// | k `stiffness` N/m | d `damping` N s/m | δ depth m | δ̇ rate m/s |
    ///
    /// Source: elementary; Saraiva 2022, (5.12). Departures: clipped at zero, so that it never pulls.
    /// Limits: the force jumps by d δ̇ at the first touch. Tests: `published_scalars_are_met`, `a_damped_spring_that_lets_go_has_its_closed_form`.
    "kelvin-voigt": "Linear spring and damper, never pulling"
    pub struct KelvinVoigt {
        /// force per depth
        stiffness: "N/m", Range::POSITIVE, typical 4e4;
        /// force per rate
        damping: "N s/m", Range::NON_NEGATIVE, typical 60.0;
    }
}

impl<C> KelvinVoigt<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, touch: Touch<S>) -> Push<S>
    where
        C: Constant<S>,
    {
        let still = power::elastic(self.stiffness.lift(), S::ONE, touch.depth);
        Push { force: still.force + self.damping.times(touch.rate), by_rate: self.damping.lift(), ..still }
    }
}
