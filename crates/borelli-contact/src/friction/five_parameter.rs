//! Smooth Stribeck friction with viscous drag that fades with the normal force.

use super::three_parameter::ThreeParameter;
use super::{Resistance, Slip};
use crate::law::{Range, law};
use crate::smooth::tanh;
use borelli_math::{Constant, Real};

law! {
    /// The three-parameter law with viscous drag, smooth also at the first touch.
    ///
    /// ```text
    /// F_f = F_n μ_d tanh(4x) + F_n (μ_s − μ_d) x/D² + μ_v v tanh(4 F_n/F_nt),   x = v/v_t,   D = ¼x² + ¾    (1)
    /// ∂F_f/∂F_n = μ_d tanh(4x) + (μ_s − μ_d) x/D² + 4 μ_v (v/F_nt) (1 − tanh²(4 F_n/F_nt))         (2)
    /// ```
    ///
    /// The first two terms are those of `ThreeParameter`, which also has their slope by v.
    ///
    /// | μ_s `static_friction`, μ_d `dynamic_friction` 1 | v_t `transition` m/s | μ_v `viscosity` N s/m | F_nt `normal_transition` N |
    ///
    /// Source: Brown 2017, (4.4) and (4.6). Departures: none. Limits: those of `ThreeParameter`.
    /// Tests: `continuity_is_as_published`, `slopes_of_every_law_are_those_of_duals`.
    "five-parameter": "Stribeck friction and viscous drag, smooth in speed and normal force, after Brown"
    pub struct FiveParameter {
        /// static coefficient of friction
        static_friction: "1", Range::NON_NEGATIVE, typical 0.8;
        /// dynamic coefficient of friction
        dynamic_friction: "1", Range::NON_NEGATIVE, typical 0.64;
        /// speed of the greatest dry force, nearly
        transition: "m/s", Range::POSITIVE, typical 0.01;
        /// viscous force per speed under full normal force
        viscosity: "N s/m", Range::NON_NEGATIVE, typical 100.0;
        /// normal force from which the viscous part is full
        normal_transition: "N", Range::POSITIVE, default 10.0;
    }
    static_friction >= dynamic_friction;
}

impl<C> FiveParameter<C> {
    #[inline]
    pub(super) fn resist<S: Real>(&self, slip: Slip<S>) -> Resistance<S>
    where
        C: Constant<S>,
    {
        let dry =
            ThreeParameter { static_friction: self.static_friction, dynamic_friction: self.dynamic_friction, transition: self.transition }
                .resist(slip);
        let rate = S::from_f64(4.0) / self.normal_transition.lift();
        let t = tanh(slip.normal * rate);
        let viscous = self.viscosity.times(t);
        Resistance {
            per_speed: dry.per_speed + viscous,
            by_speed: dry.by_speed + viscous,
            by_normal: dry.by_normal + self.viscosity.times(slip.speed * rate * (S::ONE - t * t)),
        }
    }
}
