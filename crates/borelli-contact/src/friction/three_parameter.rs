//! Smooth Stribeck friction with three parameters.

use super::{Resistance, Slip};
use crate::law::{Range, law};
use crate::smooth::{tanh, tanh_over};
use borelli_math::{Constant, Real};

law! {
    /// Friction smooth in speed and normal force: a dynamic part and a static surplus with its top at the transition speed.
    ///
    /// ```text
    /// F_f = F_n μ_d tanh(4x) + F_n (μ_s − μ_d) x/D²,   x = v/v_t,   D = ¼x² + ¾                    (1)
    /// ∂F_f/∂v = F_n [4 μ_d (1 − tanh²(4x)) + ¾ (μ_s − μ_d)(1 − x²)/D³]/v_t                         (2)
    /// ```
    ///
    /// | μ_s `static_friction`, μ_d `dynamic_friction` 1 | v_t `transition` m/s | v slip m/s | F_n normal force N |
    ///
    /// Source: Brown 2017, (4.5). Departures: none; opposes sliding, where (5.47) is printed along it.
    /// Limits: the peak is 0.9995 μ_s F_n near 1.01 v_t; a tenth of the surplus is left at 5 v_t. The slope at rest,
    /// F_n (4 μ_d + 16/9 (μ_s − μ_d))/v_t, makes equations stiff. Creeps under load.
    /// Tests: `peaks_stand_where_they_are_said_to`, `continuity_is_as_published`.
    "three-parameter": "Stribeck friction smooth in speed and normal force, after Brown"
    pub struct ThreeParameter {
        /// static coefficient of friction
        static_friction: "1", Range::NON_NEGATIVE, typical 0.8;
        /// dynamic coefficient of friction
        dynamic_friction: "1", Range::NON_NEGATIVE, typical 0.64;
        /// speed of the greatest force, nearly
        transition: "m/s", Range::POSITIVE, typical 0.01;
    }
    static_friction >= dynamic_friction;
}

impl<C> ThreeParameter<C> {
    #[inline]
    pub(super) fn resist<S: Real>(&self, slip: Slip<S>) -> Resistance<S>
    where
        C: Constant<S>,
    {
        let rate: S = self.transition.recip().lift();
        let mu_d: S = self.dynamic_friction.lift();
        let surplus = self.static_friction.lift() - mu_d;
        let x = slip.speed * rate;
        let (t, t_over) = (tanh(x * 4.0), tanh_over(x * 4.0));
        let D = (x * x * 0.25 + 0.75).recip();
        let over = mu_d * t_over * 4.0 + surplus * D * D;
        let slope = mu_d * (S::ONE - t * t) * 4.0 + surplus * (S::ONE - x * x) * D * D * D * 0.75;
        Resistance { per_speed: slip.normal * over * rate, by_speed: slip.normal * slope * rate, by_normal: mu_d * t + surplus * x * D * D }
    }
}
