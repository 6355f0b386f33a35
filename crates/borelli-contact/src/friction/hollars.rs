//! Stribeck friction after Hollars.

use super::{Resistance, Slip};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Friction that rises linearly to its static value and falls with the square of speed, with drag that grows with the normal force.
    ///
    /// ```text
    /// F_f = F_n [min(x, 1) g(x) + k_v v],   x = v/v_t,   g = μ_d + 2 (μ_s − μ_d)/(1 + x²)           (1)
    /// ∂F_f/∂v = F_n {[m' g + m g']/v_t + k_v},   g' = −4 (μ_s − μ_d) x/(1 + x²)²                   (2)
    /// ```
    ///
    /// m = min(x, 1), m' = 1 below v_t and 0 from there on.
    ///
    /// | μ_s `static_friction`, μ_d `dynamic_friction` 1 | v_t `transition` m/s | k_v `viscosity` s/m |
    ///
    /// Source: M. Hollars, for Simbody, as in Brown 2017, (4.2). Departures: odd in v; printed for v ≥ 0 only.
    /// Limits: the peak is μ_s F_n exactly at v_t (k_v = 0), where the slope jumps from F_n μ_d/v_t to −F_n (μ_s − μ_d)/v_t.
    /// Tests: `continuity_is_as_published`, `peaks_stand_where_they_are_said_to`.
    "hollars": "Stribeck friction with a linear rise, after Hollars"
    pub struct Hollars {
        /// static coefficient of friction
        static_friction: "1", Range::NON_NEGATIVE, typical 0.8;
        /// dynamic coefficient of friction
        dynamic_friction: "1", Range::NON_NEGATIVE, typical 0.64;
        /// speed of the greatest force
        transition: "m/s", Range::POSITIVE, typical 0.01;
        /// viscous coefficient per normal force
        viscosity: "s/m", Range::NON_NEGATIVE, default 0.0, typical 1.0;
    }
    static_friction >= dynamic_friction;
}

impl<C> Hollars<C> {
    #[inline]
    pub(super) fn resist<S: Real>(&self, slip: Slip<S>) -> Resistance<S>
    where
        C: Constant<S>,
    {
        let (v_t, k_v): (S, S) = (self.transition.lift(), self.viscosity.lift());
        let surplus: S = self.static_friction.lift() - self.dynamic_friction.lift();
        let x = slip.speed / v_t;
        let fall = (x * x + 1.0).recip();
        let g = surplus * fall * 2.0 + self.dynamic_friction.lift();
        let g_slope = -(surplus * x * fall * fall * 4.0);
        let (mu_over, mu, mu_slope) = if x.value() < 1.0 { (g / v_t, x * g, g + x * g_slope) } else { (g / slip.speed, g, g_slope) };
        Resistance {
            per_speed: slip.normal * (mu_over + k_v),
            by_speed: slip.normal * (mu_slope / v_t + k_v),
            by_normal: mu + k_v * slip.speed,
        }
    }
}
