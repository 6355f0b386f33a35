//! Linear elasticity in the Green strain.

use super::Plane;
use super::law::{Kind, Law, isotropic};
use super::tensor::{det, geometric, material_add, right_stretch_less_one, square_add, times_symmetric};

isotropic! {
    /// Kirchhoff and Saint-Venant: linear between Green strain and second Piola stress.
    ///
    /// ```text
    /// E = ½(FᵀF − 1),   W = ½λ (tr E)² + μ E:E                                                    (1)
    /// S = λ tr E 1 + 2μ E,   P = F S                                                              (2)
    /// A_iJkL = δ_ik S_JL + λ F_iJ F_kL + μ (F_iI F_kI δ_JL + F_iL F_kJ)                           (3)
    /// σ33 = λ tr E / J in plane strain                                                            (4)
    /// ```
    ///
    /// | E `young` Pa | ν `poisson` 1 | η `viscosity` Pa s | `density` kg/m³ | λ, μ Lamé's constants Pa | S second Piola stress Pa | J = det F |
    ///
    /// Source: Bonet & Wood, Nonlinear Continuum Mechanics for Finite Element Analysis, 1997, section 5.4.
    /// Limits: large turns, but moderate strains only; in strong compression it softens and collapses (uniaxially below a stretch of 0.577).
    /// Plane strain only.
    /// Tests: `a_tangent_is_the_slope_of_the_stress_and_the_stress_that_of_the_energy`, `a_rigid_turn_has_no_stress_except_in_the_linear_law`,
    /// `confined_and_free_stretch_have_their_closed_forms`.
    "kirchhoff": "Saint-Venant and Kirchhoff, linear in the Green strain: large turns, moderate strains"
    pub struct Kirchhoff;
}

impl Law for Kirchhoff {
    const KIND: Kind = Self::ABOUT;
    const SMALL_STRAIN: bool = false;

    fn energy(&self, F: [f64; 4], _: Plane) -> f64 {
        let [c11, c12, c22] = right_stretch_less_one(F);
        0.125 * self.lame.lambda * (c11 + c22) * (c11 + c22) + 0.25 * self.lame.mu * (c11 * c11 + 2.0 * c12 * c12 + c22 * c22)
    }

    #[inline]
    fn stress(&self, F: [f64; 4], _: Plane) -> [f64; 4] {
        times_symmetric(F, self.second_piola(F))
    }

    #[inline]
    fn tangent(&self, F: [f64; 4], _: Plane) -> [[f64; 4]; 4] {
        let mut A = geometric(self.second_piola(F));
        material_add(self.lame.mu, F, F, &mut A);
        square_add(self.lame.lambda, F, &mut A);
        A
    }

    fn s33(&self, F: [f64; 4], _: Plane) -> f64 {
        let [c11, _, c22] = right_stretch_less_one(F);
        0.5 * self.lame.lambda * (c11 + c22) / det(F)
    }

    fn viscosity(&self) -> f64 {
        self.viscosity
    }

    fn density(&self) -> f64 {
        self.density
    }
}

impl Kirchhoff {
    #[inline]
    fn second_piola(&self, F: [f64; 4]) -> [f64; 3] {
        let (C, mu) = (right_stretch_less_one(F), self.lame.mu);
        let pressure = 0.5 * self.lame.lambda * (C[0] + C[2]);
        [pressure + mu * C[0], mu * C[1], pressure + mu * C[2]]
    }
}
