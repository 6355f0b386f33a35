//! Stribeck friction in steps of fifth order.

use super::{Resistance, Slip};
use crate::law::{Range, law};
use borelli_math::{Constant, Real};

law! {
    /// Friction that steps smoothly up to its static value, down to its dynamic one, and stays there.
    ///
    /// ```text
    /// F_f = F_n μ_s Σ(s)                              s < 1,       s = v/v_t                       (1)
    /// F_f = F_n [μ_s − (μ_s − μ_d) Σ((s − 1)/2)]       1 ≤ s < 3                                    (2)
    /// F_f = F_n μ_d                                   s ≥ 3                                       (3)
    /// Σ(x) = x³ (10 − 15 x + 6 x²),   Σ' = 30 x² (1 − x)²                                          (4)
    /// ```
    ///
    /// | μ_s `static_friction`, μ_d `dynamic_friction` 1 | v_t `transition` m/s | v slip m/s | F_n normal force N |
    ///
    /// Source: the compliant contact of Simbody (Sherman, Seth & Delp 2011, Procedia IUTAM 2:241-261), without its viscous term.
    /// Departures: none. Limits: flat at rest (slope and curvature zero), so it creeps under any load; twice differentiable.
    /// Tests: `continuity_is_as_published`, `published_scalars_are_met`.
    "stepwise": "Stribeck friction in fifth-order steps: exact static and dynamic values, flat at rest"
    pub struct Stepwise {
        /// static coefficient of friction
        static_friction: "1", Range::NON_NEGATIVE, typical 0.8;
        /// dynamic coefficient of friction
        dynamic_friction: "1", Range::NON_NEGATIVE, typical 0.64;
        /// speed of the greatest force; at three times this speed friction is dynamic
        transition: "m/s", Range::POSITIVE, typical 0.01;
    }
    static_friction >= dynamic_friction;
}

/// Σ(x)/x and Σ'(x), (4).
#[inline]
fn step<S: Real>(x: S) -> (S, S) {
    let rest = S::ONE - x;
    (x * x * (x * (x * 6.0 - 15.0) + 10.0), x * x * rest * rest * 30.0)
}

impl<C> Stepwise<C> {
    #[inline]
    pub(super) fn resist<S: Real>(&self, slip: Slip<S>) -> Resistance<S>
    where
        C: Constant<S>,
    {
        let (mu_s, mu_d): (S, S) = (self.static_friction.lift(), self.dynamic_friction.lift());
        let rate: S = self.transition.recip().lift();
        let s = slip.speed * rate;
        if s.value() < 1.0 {
            let (over, slope) = step(s);
            return Resistance {
                per_speed: slip.normal * mu_s * over * rate,
                by_speed: slip.normal * mu_s * slope * rate,
                by_normal: mu_s * over * s,
            };
        }
        let (mu, slope) = if s.value() < 3.0 {
            let x = (s - 1.0) * 0.5;
            let (over, slope) = step(x);
            (mu_s - (mu_s - mu_d) * over * x, -((mu_s - mu_d) * slope * 0.5))
        } else {
            (mu_d, S::ZERO)
        };
        Resistance { per_speed: slip.normal * mu / slip.speed, by_speed: slip.normal * slope * rate, by_normal: mu }
    }
}
