//! Viscous stress of a solid, the same for all laws.

use super::tensor::{geometric, material_add, times_symmetric};

/// Viscous stress with its slopes.
///
/// ```text
/// S_v = η Ċ,   Ċ = ḞᵀF + FᵀḞ,   P_v = F S_v                                                    (1)
/// ∂P_iJ/∂F_kL = δ_ik S_JL + η (F_iI Ḟ_kI δ_JL + F_iL Ḟ_kJ)                                     (2)
/// ∂P_iJ/∂Ḟ_kL = η (F_iI F_kI δ_JL + F_iL F_kJ)                                                 (3)
/// ```
///
/// | η `viscosity` Pa s | C = FᵀF | S_v second Piola stress Pa |
///
/// Rotations do no viscous work, because Ċ does not see them. (2) is not symmetric. In plane strain the stress out of the plane is zero.
/// The small-strain law has P_v = 2η ε̇, which (1) becomes at F = 1.
/// Tests: `viscous_slopes_are_those_of_the_stress`, `viscous_stress_loses_energy_and_does_not_see_a_spin`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viscous {
    /// First Piola stress, Pa; order 11, 12, 21, 22.
    pub P: [f64; 4],
    /// Its slopes by F, Pa.
    pub by_F: [[f64; 4]; 4],
    /// Its slopes by the rate of F, Pa s.
    pub by_Fdot: [[f64; 4]; 4],
}

impl Viscous {
    pub(super) fn new(viscosity: f64, F: [f64; 4], Fdot: [f64; 4]) -> Viscous {
        let eta = viscosity;
        let S = [
            2.0 * eta * (F[0] * Fdot[0] + F[2] * Fdot[2]),
            eta * (F[0] * Fdot[1] + F[2] * Fdot[3] + F[1] * Fdot[0] + F[3] * Fdot[2]),
            2.0 * eta * (F[1] * Fdot[1] + F[3] * Fdot[3]),
        ];
        let (mut by_F, mut by_Fdot) = (geometric(S), [[0.0; 4]; 4]);
        material_add(eta, F, Fdot, &mut by_F);
        material_add(eta, F, F, &mut by_Fdot);
        Viscous { P: times_symmetric(F, S), by_F, by_Fdot }
    }

    pub(super) fn small(viscosity: f64, Fdot: [f64; 4]) -> Viscous {
        let eta = viscosity;
        let shear = eta * (Fdot[1] + Fdot[2]);
        let by_Fdot = [[2.0 * eta, 0.0, 0.0, 0.0], [0.0, eta, eta, 0.0], [0.0, eta, eta, 0.0], [0.0, 0.0, 0.0, 2.0 * eta]];
        Viscous { P: [2.0 * eta * Fdot[0], shear, shear, 2.0 * eta * Fdot[3]], by_F: [[0.0; 4]; 4], by_Fdot }
    }
}
