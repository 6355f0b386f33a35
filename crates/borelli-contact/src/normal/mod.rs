//! Normal force of a point of contact: from depth and its rate to a push. One published law per file, one line in the list below.
//! Not here: finding the depth, friction (`friction`), forces from a volume (`volume`).
//! In: depth m, rate m/s (positive when it grows), speed of the first touch m/s. Out: force N ≥ 0 with its slopes, stored energy J.

mod ambrosio_pombo;
mod exact_restitution;
mod flores;
mod hertz;
mod hooke;
mod hunt_crossley;
mod hunt_crossley_restitution;
mod kelvin_voigt;
mod lankarani_nikravesh;
mod memory;
mod power;
mod restitution;

#[cfg(test)]
mod tests;

pub use memory::{LEAST_IMPACT_SPEED, REFERENCE_IMPACT_SPEED};
pub use restitution::{damping_number, restitution};

use crate::law::family;
use borelli_math::{Constant, Real};

/// A touch: what a law is asked.
#[derive(Clone, Copy, Debug)]
pub struct Touch<S> {
    /// δ, depth of the overlap, m; positive in contact.
    pub depth: S,
    /// δ̇, m/s; positive while the bodies approach.
    pub rate: S,
    /// v₀, the rate at the first touch of this contact, m/s; kept by the caller from touchdown to separation. Laws whose kind does not say `remembers` do not look at it.
    pub impact_speed: S,
}

/// What a law answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push<S> {
    /// F, N, never negative.
    pub force: S,
    /// ∂F/∂δ, N/m.
    pub by_depth: S,
    /// ∂F/∂δ̇, N s/m.
    pub by_rate: S,
    /// U, J.
    pub stored: S,
    /// ∂U/∂δ, the force at zero rate, N; the rest of the force is lost.
    pub elastic: S,
    /// True when the law itself would pull and zero is given instead.
    pub clipped: bool,
}

family! {
    /// A normal law with numbers of type `N`.
    pub enum Normal {
        hooke::Hooke,
        kelvin_voigt::KelvinVoigt,
        hertz::Hertz,
        hunt_crossley::HuntCrossley,
        hunt_crossley_restitution::HuntCrossleyRestitution,
        lankarani_nikravesh::LankaraniNikravesh,
        flores::Flores,
        exact_restitution::ExactRestitution,
        ambrosio_pombo::AmbrosioPombo,
    }
    fn answer(Touch<S>) -> Push<S>
}

impl<N> Normal<N> {
    /// Force, slopes and stored energy; all zero when the bodies are apart, and no force when the law would pull.
    #[inline]
    pub fn push<S: Real>(&self, touch: Touch<S>) -> Push<S>
    where
        N: Constant<S>,
    {
        let none = Push { force: S::ZERO, by_depth: S::ZERO, by_rate: S::ZERO, stored: S::ZERO, elastic: S::ZERO, clipped: false };
        if !(touch.depth.value() > 0.0) {
            return none;
        }
        let push = self.answer(touch);
        if push.force.value() < 0.0 { Push { stored: push.stored, elastic: push.elastic, clipped: true, ..none } } else { push }
    }
}
