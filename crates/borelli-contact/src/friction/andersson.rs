//! Stribeck friction after Andersson.

use super::{Resistance, Slip};
use crate::law::{Range, law};
use crate::smooth::{exp, pow, tanh, tanh_over};
use borelli_math::{Constant, Real};

law! {
    /// Friction that falls exponentially from near its static to its dynamic value, with viscous drag.
    ///
    /// ```text
    /// F_f = F_n [μ_d + (μ_s − μ_d) E] tanh(k v) + μ_v v,   E = exp(−(v/v_s)ᵖ)                      (1)
    /// ∂F_f/∂v = F_n [−(μ_s − μ_d) E p (v/v_s)ᵖ/v tanh(k v) + (μ_d + (μ_s − μ_d) E) k (1 − tanh²(k v))] + μ_v   (2)
    /// ```
    ///
    /// | μ_s `static_friction`, μ_d `dynamic_friction` 1 | v_s `stribeck` m/s | p `exponent` 1 | k `steepness` s/m | μ_v `viscosity` N s/m |
    ///
    /// Source: Andersson, Söderberg & Björklund 2007, Tribol. Int. 40:580-587, as in Brown 2017, (4.1). Departures: none.
    /// Limits: the peak stays below μ_s F_n and vanishes for small k; the force jumps by μ_v v at the first touch.
    /// Tests: `continuity_is_as_published`, `slopes_of_every_law_are_those_of_duals`.
    "andersson": "Stribeck friction with an exponential fall, after Andersson"
    pub struct Andersson {
        /// static coefficient of friction
        static_friction: "1", Range::NON_NEGATIVE, typical 0.8;
        /// dynamic coefficient of friction
        dynamic_friction: "1", Range::NON_NEGATIVE, typical 0.64;
        /// speed over which friction falls to its dynamic value
        stribeck: "m/s", Range::POSITIVE, typical 0.01;
        /// exponent of the fall
        exponent: "1", Range::POSITIVE, default 2.0;
        /// steepness at rest
        steepness: "s/m", Range::POSITIVE, typical 400.0;
        /// viscous force per speed while in contact
        viscosity: "N s/m", Range::NON_NEGATIVE, default 0.0, typical 100.0;
    }
    static_friction >= dynamic_friction;
}

impl<C> Andersson<C> {
    #[inline]
    pub(super) fn resist<S: Real>(&self, slip: Slip<S>) -> Resistance<S>
    where
        C: Constant<S>,
    {
        let (p, k, viscosity): (S, S, S) = (self.exponent.lift(), self.steepness.lift(), self.viscosity.lift());
        let surplus: S = self.static_friction.lift() - self.dynamic_friction.lift();
        let power = pow(slip.speed / self.stribeck.lift(), p);
        let fall = surplus * exp(-power);
        let mu = fall + self.dynamic_friction.lift();
        let x = k * slip.speed;
        let (t, t_over) = (tanh(x), tanh_over(x));
        // (v/v_s)ᵖ tanh(k v)/v = (v/v_s)ᵖ k tanh(k v)/(k v): zero at rest for every p.
        Resistance {
            per_speed: slip.normal * mu * k * t_over + viscosity,
            by_speed: slip.normal * k * (mu * (S::ONE - t * t) - fall * p * power * t_over) + viscosity,
            by_normal: mu * t,
        }
    }
}
