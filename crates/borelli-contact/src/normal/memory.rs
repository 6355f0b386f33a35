//! The speed of the first touch, which laws with a coefficient of restitution remember.

use borelli_math::Real;

/// Smallest speed of impact, m/s: keeps grazing touches from dividing by nothing.
pub const LEAST_IMPACT_SPEED: f64 = 1e-3;

/// Speed of impact of a contact that was there from the beginning and so has none, m/s.
pub const REFERENCE_IMPACT_SPEED: f64 = 0.1;

/// v₀ for a law: the rate at the moment of touch, at least `LEAST_IMPACT_SPEED`; without one `REFERENCE_IMPACT_SPEED`.
///
/// To be asked once, when the depth crosses zero upward, and kept until the contact opens; inside a step it must not change.
pub fn impact_speed<S: Real>(rate_at_touch: Option<S>) -> S {
    match rate_at_touch {
        None => S::from_f64(REFERENCE_IMPACT_SPEED),
        Some(rate) if rate.value() > LEAST_IMPACT_SPEED => rate,
        Some(_) => S::from_f64(LEAST_IMPACT_SPEED),
    }
}
