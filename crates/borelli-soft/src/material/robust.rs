//! A law for strong compression.

use super::Plane;
use super::law::{Kind, Law, isotropic};
use super::tensor::{cofactor, det, geometric, material_add, right_stretch_less_one, square_add, times_symmetric, twist_add};

isotropic! {
    /// Robust law: Green strain in shear, and a pressure that grows without bound as the volume vanishes.
    ///
    /// ```text
    /// W = λ (J − 1 − ln J) + ¼μ |C − 1|²                                                          (1)
    /// S = λ (J − 1) C⁻¹ + μ (C − 1),   P = F S = λ (1 − 1/J) G + μ F (C − 1)                      (2)
    /// A_iJkL = (λ/J²) G_iJ G_kL + λ (1 − 1/J) ∂G_iJ/∂F_kL
    ///          + μ [δ_ik (C − 1)_JL + F_iI F_kI δ_JL + F_iL F_kJ]                                 (3)
    /// σ33 = λ (J − 1)/J in plane strain                                                           (4)
    /// ```
    ///
    /// | E `young` Pa | ν `poisson` 1 | η `viscosity` Pa s | `density` kg/m³ | λ, μ Lamé's constants Pa | C = FᵀF | J = det F | G = ∂J/∂F |
    ///
    /// Source: stress as used for the liner of an artificial hip in a code that couples soft bodies with walking; the energy (1) follows from it.
    /// Limits: pressure in tension tends to λ, so very large swelling is too soft; its shear part softens in compression as that of `kirchhoff`.
    /// Plane strain only.
    /// Tests: `a_tangent_is_the_slope_of_the_stress_and_the_stress_that_of_the_energy`, `the_robust_law_meets_its_table_of_states`,
    /// `confined_and_free_stretch_have_their_closed_forms`.
    "robust": "Green strain in shear with a pressure that resists collapse, for soft tissue and liners"
    pub struct Robust;
}

impl Law for Robust {
    const KIND: Kind = Self::ABOUT;
    const SMALL_STRAIN: bool = false;

    fn energy(&self, F: [f64; 4], _: Plane) -> f64 {
        let ([c11, c12, c22], J) = (right_stretch_less_one(F), det(F));
        self.lame.lambda * (J - 1.0 - J.ln()) + 0.25 * self.lame.mu * (c11 * c11 + 2.0 * c12 * c12 + c22 * c22)
    }

    #[inline]
    fn stress(&self, F: [f64; 4], _: Plane) -> [f64; 4] {
        let slope = self.lame.lambda * (1.0 - 1.0 / det(F));
        let (shear, G) = (times_symmetric(F, right_stretch_less_one(F).map(|c| self.lame.mu * c)), cofactor(F));
        std::array::from_fn(|k| slope * G[k] + shear[k])
    }

    #[inline]
    fn tangent(&self, F: [f64; 4], _: Plane) -> [[f64; 4]; 4] {
        let (inverse, mu) = (1.0 / det(F), self.lame.mu);
        let mut A = geometric(right_stretch_less_one(F).map(|c| mu * c));
        material_add(mu, F, F, &mut A);
        square_add(self.lame.lambda * inverse * inverse, cofactor(F), &mut A);
        twist_add(self.lame.lambda * (1.0 - inverse), &mut A);
        A
    }

    fn s33(&self, F: [f64; 4], _: Plane) -> f64 {
        self.lame.lambda * (1.0 - 1.0 / det(F))
    }

    fn viscosity(&self) -> f64 {
        self.viscosity
    }

    fn density(&self) -> f64 {
        self.density
    }
}
