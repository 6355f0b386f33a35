//! Friction of a patch that slides and spins: from the law of a point to a force and a moment about the normal.
//! Not here: the friction law itself, the size of the patch (`volume`).
//! In: slip at the centroid, spin, normal force, radius of gyration of the patch. Out: force N, moment N m on the body.

mod coupled;
mod gyration;
mod rate;

use super::Friction;
use crate::law::family;
use borelli_math::{Constant, Real, Vec3};

/// How a patch moves and how it is loaded.
#[derive(Clone, Copy, Debug)]
pub struct PatchSlip<S> {
    /// v_t, slip of the body over the other at the centroid, m/s.
    pub slip: Vec3<S>,
    /// ω_n, relative angular velocity about the normal, rad/s.
    pub spin: S,
    /// F_n, N.
    pub normal: S,
    /// r_g, radius of gyration of the depth-weighted patch about its centroid and the normal, m.
    pub gyration: S,
}

/// Which speeds a patch law puts to the friction law, and how far out the friction of the spin acts.
#[derive(Clone, Copy, Debug)]
struct Reach<S> {
    /// Speed put to the friction law per unit of spin, m.
    spin_speed: S,
    /// Lever of the spinning friction, m.
    lever: S,
    /// True when both share one speed.
    coupled: bool,
}

family! {
    /// How sliding and spinning share the friction of a patch.
    pub enum Spin {
        gyration::Gyration,
        rate::Rate,
        coupled::Coupled,
    }
    fn reach(PatchSlip<S>) -> Reach<S>
}

impl<N> Spin<N> {
    /// Friction force and moment about the normal on the slipping body.
    ///
    /// ```text
    /// separate:  F_t = −[F_f/v](|v_t|) v_t,   τ_s = −L ℓ [F_f/v](ℓ |ω_n|) ω_n                       (1)
    /// coupled:   v* = √(|v_t|² + (L ω_n)²),   F_t = −[F_f/v](v*) v_t,   τ_s = −L² [F_f/v](v*) ω_n    (2)
    /// ```
    ///
    /// L is the lever, ℓ turns the spin into a speed. Nothing is divided by a speed, so both are smooth at rest when the law is.
    pub fn friction<S: Real>(&self, law: &Friction<N>, patch: PatchSlip<S>) -> (Vec3<S>, S)
    where
        N: Constant<S>,
    {
        let Reach { spin_speed, lever, coupled } = self.reach(patch);
        if coupled {
            let rim = lever * patch.spin;
            let common = crate::smooth::root_at_rest(patch.slip.dot(patch.slip) + rim * rim);
            let factor = law.per_speed(common, patch.normal);
            return (patch.slip.scale(-factor), -(factor * lever * rim));
        }
        let factor = law.per_speed(crate::smooth::abs(spin_speed * patch.spin), patch.normal);
        (law.traction(patch.slip, patch.normal), -(factor * lever * spin_speed * patch.spin))
    }
}
