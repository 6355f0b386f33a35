//! Spring and dashpot in series along a path.

use super::declare::force;
use super::{Along, Answer};
use crate::scene::{Inner, Now};
use borelli_math::{Constant, Real};
use borelli_model::Range;

force! {
    /// Maxwell element: a spring and a dashpot in series along a path. Held at a length it forgets its tension, pulled by a force it creeps.
    ///
    /// ```text
    /// N = k (l − L − x)        ẋ = N/c        stored energy ½ k (l − L − x)²                       (1)
    /// ```
    ///
    /// | N tension, N | k `stiffness` N/m | c `damping` N s/m | l length of the path, m | L `length` without tension before any creep, m |
    /// | --- | --- | --- | --- | --- |
    /// | x state `creep`, stretch of the dashpot, m, at first `creep` of the file | | | | |
    ///
    /// Power lost is N²/c. Output: `tension`.
    /// Source: elementary; Findley, Lai & Onaran 1976, Creep and Relaxation of Nonlinear Viscoelastic Materials, section 5.2.
    /// Limits: nothing keeps it from pushing.
    /// Tests: `a_maxwell_element_relaxes_creeps_and_answers_a_sine_as_the_closed_forms_say`, `every_path_law_acts_and_reacts`.
    "maxwell": "Spring and dashpot in series along a path: tension stiffness (l - length - creep), creep' = tension/damping"
    pub struct Maxwell along path {
        /// tension per stretch of the spring
        number stiffness: "N/m" in Range::NON_NEGATIVE;
        /// tension per rate of the dashpot's stretch
        number damping: "N s/m" in Range::POSITIVE;
        /// length without tension and creep
        number length: "m" in Range::NON_NEGATIVE;
        /// stretch of the dashpot at the start
        state creep: "m" in Range::ANY, default 0.0;
    }
    reports tension: "N";
}

impl<C> Maxwell<C> {
    #[inline]
    pub(super) fn answer<S: Real>(&self, path: Along<S>, now: &Now<S, C>, inner: &mut Inner<S>) -> Answer<S>
    where
        C: Constant<S>,
    {
        let stretch = path.x - self.length.lift() - now.state(self.creep);
        let force = self.stiffness.times(stretch);
        inner.zdot[self.creep as usize] = force / self.damping.lift();
        inner.output[self.tension as usize] = force;
        Answer { force, stored: force * stretch * 0.5 }
    }
}
