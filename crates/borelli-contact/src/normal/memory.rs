//! The speed of the first touch, which laws with a coefficient of restitution remember: what stands for it where it is too small or not known.

/// Smallest speed of impact, m/s: keeps grazing touches from dividing by nothing.
pub const LEAST_IMPACT_SPEED: f64 = 1e-3;

/// Speed of impact of a contact that was there from the beginning and so has none, m/s.
pub const REFERENCE_IMPACT_SPEED: f64 = 0.1;
