//! Stribeck friction after Specker.

use super::{Resistance, Slip};
use crate::law::{Range, law};
use crate::smooth::{exp, tanh, tanh_over};
use borelli_math::{Constant, Real};

law! {
    /// Friction of a smoothed dry part, a bump that lifts it to its static value, and viscous drag.
    ///
    /// ```text
    /// F_f = B x exp(½ − ½x²) + F_n μ_d tanh(v/v_d) + μ_v v,   x = v/v_t                             (1)
    /// B = F_n μ_s − F_n μ_d tanh(v_t/v_d) − μ_v v_t                                               (2)
    /// ∂F_f/∂v = B (1 − x²) exp(½ − ½x²)/v_t + F_n μ_d (1 − tanh²(v/v_d))/v_d + μ_v                 (3)
    /// ```
    ///
    /// | μ_s `static_friction`, μ_d `dynamic_friction` 1 | v_t `transition`, v_d `dynamic_transition` m/s | μ_v `viscosity` N s/m |
    ///
    /// Source: Specker, Buchholz & Dietmayer 2014, 19th IFAC World Congress, as in Brown 2017, (4.3). Departures: the bracket (2) has
    /// μ_v v_t, as units and F_f(v_t) = μ_s F_n demand; printed is k_v v_t.
    /// Limits: v_t = 2 v_d puts the peak at 1.15 v_t and above μ_s F_n, v_t = 4 v_d at 1.01 v_t (both for μ_d = 0.8 μ_s). With viscosity
    /// the force jumps at the first touch, and (2) is negative at small loads: below F_n = μ_v (√e − 1)/[(μ_s − μ_d tanh(v_t/v_d)) √e/v_t + μ_d/v_d]
    /// the force drives a slow slip instead of opposing it.
    /// Tests: `peaks_stand_where_they_are_said_to`, `continuity_is_as_published`, `a_bump_without_load_drives_a_slow_slip`.
    "specker": "Stribeck friction with a smooth bump, after Specker"
    pub struct Specker {
        /// static coefficient of friction
        static_friction: "1", Range::NON_NEGATIVE, typical 0.8;
        /// dynamic coefficient of friction
        dynamic_friction: "1", Range::NON_NEGATIVE, typical 0.64;
        /// speed at which the force is the static one
        transition: "m/s", Range::POSITIVE, typical 0.01;
        /// speed over which the dynamic part rises; a half or a quarter of the transition
        dynamic_transition: "m/s", Range::POSITIVE, typical 0.005;
        /// viscous force per speed while in contact
        viscosity: "N s/m", Range::NON_NEGATIVE, default 0.0, typical 100.0;
    }
    static_friction >= dynamic_friction;
}

impl<C> Specker<C> {
    #[inline]
    pub(super) fn resist<S: Real>(&self, slip: Slip<S>) -> Resistance<S>
    where
        C: Constant<S>,
    {
        let (v_t, v_d, viscosity): (S, S, S) = (self.transition.lift(), self.dynamic_transition.lift(), self.viscosity.lift());
        let (mu_s, mu_d): (S, S) = (self.static_friction.lift(), self.dynamic_friction.lift());
        let (x, y) = (slip.speed / v_t, slip.speed / v_d);
        let bell = exp((S::ONE - x * x) * 0.5);
        let lift = mu_s - mu_d * tanh(v_t / v_d);
        let B = slip.normal * lift - viscosity * v_t;
        let t = tanh(y);
        Resistance {
            per_speed: B * bell / v_t + slip.normal * mu_d * tanh_over(y) / v_d + viscosity,
            by_speed: B * (S::ONE - x * x) * bell / v_t + slip.normal * mu_d * (S::ONE - t * t) / v_d + viscosity,
            by_normal: lift * x * bell + mu_d * t,
        }
    }
}
