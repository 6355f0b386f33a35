//! Friction: from slip speed and normal force to the force along the surface. One published law per file, one line in the list below.
//! Not here: the normal force (`normal`, `volume`), where the bodies touch.
//! In: slip m/s, normal force N. Out: force N with its slopes; for a patch also the moment about the normal, N m.

mod andersson;
mod coulomb;
mod five_parameter;
mod hollars;
mod low_speed;
mod odd_cubic;
mod quartic;
mod smoothstep;
mod specker;
pub mod spin;
mod stepwise;
mod tanh;
mod tanh_viscous;
mod three_parameter;

#[cfg(test)]
mod tests;

use crate::law::family;
use crate::smooth;
use borelli_math::{Constant, Real, Vec3};

/// What a law is asked: slip speed and normal force, neither negative.
#[derive(Clone, Copy, Debug)]
struct Slip<S> {
    /// v, m/s, at least zero.
    speed: S,
    /// F_n, N, above zero.
    normal: S,
}

/// What a law answers, for v ≥ 0. The force itself is v times the first entry, so that nothing is divided by v at rest.
#[derive(Clone, Copy, Debug)]
struct Resistance<S> {
    /// F_f/v, N s/m, with its limit at rest.
    per_speed: S,
    /// ∂F_f/∂v, N s/m.
    by_speed: S,
    /// ∂F_f/∂F_n, a pure number.
    by_normal: S,
}

family! {
    /// A friction law with numbers of type `N`.
    pub enum Friction {
        coulomb::Coulomb,
        tanh::Tanh,
        tanh_viscous::TanhViscous,
        odd_cubic::OddCubic,
        smoothstep::Smoothstep,
        quartic::Quartic,
        andersson::Andersson,
        hollars::Hollars,
        specker::Specker,
        five_parameter::FiveParameter,
        three_parameter::ThreeParameter,
        stepwise::Stepwise,
    }
    fn resist(Slip<S>) -> Resistance<S>
}

/// Friction force along one direction and its slopes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag<S> {
    /// F_f, N, with the sign of the slip; the force on the sliding body is its negative.
    pub force: S,
    /// ∂F_f/∂v, N s/m.
    pub by_speed: S,
    /// ∂F_f/∂F_n.
    pub by_normal: S,
}

impl<N> Friction<N> {
    /// Friction of a slip along one direction: F_f(v, F_n) = v · [F_f(|v|, F_n)/|v|], odd in v, and its slopes.
    ///
    /// Without normal force (F_n ≤ 0) everything is zero, also terms that do not grow with F_n.
    #[inline]
    pub fn drag<S: Real>(&self, v: S, F_n: S) -> Drag<S>
    where
        N: Constant<S>,
    {
        if !(F_n.value() > 0.0) {
            return Drag { force: S::ZERO, by_speed: S::ZERO, by_normal: S::ZERO };
        }
        let r = self.resist(Slip { speed: smooth::abs(v), normal: F_n });
        Drag { force: v * r.per_speed, by_speed: r.by_speed, by_normal: r.by_normal * smooth::sign(v.value()) }
    }

    /// F_f/v for a speed v ≥ 0: the factor of the slip in the vector law, with its limit at rest. Zero without normal force.
    #[inline]
    pub fn per_speed<S: Real>(&self, v: S, F_n: S) -> S
    where
        N: Constant<S>,
    {
        if F_n.value() > 0.0 { self.resist(Slip { speed: v, normal: F_n }).per_speed } else { S::ZERO }
    }

    /// Force on the body that slips with velocity `v_t` over the other: −[F_f/|v_t|] v_t.
    ///
    /// At rest the slope by `v_t` is −[F_f/v]₀ in every direction, and duals carry it.
    #[inline]
    pub fn traction<S: Real>(&self, v_t: Vec3<S>, F_n: S) -> Vec3<S>
    where
        N: Constant<S>,
    {
        v_t.scale(-self.per_speed(smooth::speed(v_t), F_n))
    }
}
