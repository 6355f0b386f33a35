//! Newmark's family: q and v of a step from the accelerations at its two ends.
//! Not here: Newton's iteration (`implicit`). Source: Newmark 1959, J. Eng. Mech. Div. ASCE 85(3):67-94; Hughes 2000, The Finite Element Method, section 9.1.
//!
//!     q₁ = q₀ + h v₀ + h² [(½ − β) a₀ + β a₁]        v₁ = v₀ + h [(1 − γ) a₀ + γ a₁]
//!
//! Of order 2 for γ = ½ only; without bound on the step of linear systems for 2β ≥ γ ≥ ½. Rows of constraints are an infinite frequency: the spectral radius
//! there is 1 for the trapezoid, whose multipliers ring and then grow, and (3/2 − γ)/(γ + ½) = 0.818 for the damped set.

use super::scheme::{Scheme, SchemeEntry, SchemeParameter};

/// The line of the list of schemes.
pub const ENTRY: SchemeEntry = SchemeEntry {
    name: "newmark",
    doc: "Newmark's family; `trapezoid` keeps the energy of linear systems and rings with constraints, `damped` is of order 1 and does not",
    parameters: &[
        SchemeParameter { name: "beta", doc: "weight of the new acceleration in the coordinates", range: (f64::MIN_POSITIVE, 1.0) },
        SchemeParameter { name: "gamma", doc: "weight of the new acceleration in the velocities", range: (f64::MIN_POSITIVE, 1.0) },
    ],
    sets: &[("damped", &[0.3025, 0.6]), ("trapezoid", &[0.25, 0.5])],
    scheme: |parameters| newmark(parameters[0], parameters[1]),
};

/// The member with these weights.
pub fn newmark(beta: f64, gamma: f64) -> Scheme {
    Scheme { alpha_m: 0.0, alpha_f: 0.0, beta, gamma }
}
