//! Generalised-α: Newmark's formulas on averaged accelerations, of order 2 with damping of high frequencies that can be chosen, also with constraints.
//! Not here: Newton's iteration (`implicit`).
//! Source: Chung, Hulbert 1993, J. Appl. Mech. 60:371-375, for the weights; Arnold, Brüls 2007, Multibody Syst. Dyn. 18:185-202, for rows of constraints (index 3);
//! Brüls, Cardona 2010, J. Comput. Nonlinear Dyn. 5:031002, for rotations.
//!
//!     (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v̇₁ + α_f v̇₀        R(t₁, q₁, v₁, v̇₁, λ₁) = 0
//!
//! with q₁ and v₁ from a₀ and a₁ as in `newmark`. a belongs to the time (α_m − α_f) h after that of v̇.

use super::scheme::{Scheme, SchemeEntry, SchemeParameter};

/// The line of the list of schemes.
pub const ENTRY: SchemeEntry = SchemeEntry {
    name: "generalised-alpha",
    doc: "generalised-alpha of order 2 with chosen damping of high frequencies; for constraints at the level of positions",
    parameters: &[SchemeParameter { name: "rho_inf", doc: "what a step leaves of an infinitely fast oscillation", range: (0.0, 1.0) }],
    sets: &[("default", &[0.8]), ("undamped", &[1.0]), ("asymptotic", &[0.0])],
    scheme: |parameters| generalised_alpha(parameters[0]),
};

/// The member with this spectral radius at infinite frequency.
pub fn generalised_alpha(rho_inf: f64) -> Scheme {
    let alpha_m = (2.0 * rho_inf - 1.0) / (rho_inf + 1.0);
    let alpha_f = rho_inf / (rho_inf + 1.0);
    let gamma = 0.5 + alpha_f - alpha_m;
    Scheme { alpha_m, alpha_f, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma }
}
