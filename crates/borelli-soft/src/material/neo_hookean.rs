//! Rubber.

use super::Plane;
use super::law::{Kind, Law, isotropic};
use super::tensor::{cofactor, det, dot, square_add, twist_add};

isotropic! {
    /// Compressible neo-Hookean law with a volume energy that grows on both sides.
    ///
    /// ```text
    /// W = ½μ (tr C − 3) − μ ln J + ¼λ (J² − 1 − 2 ln J)                                           (1)
    /// S = μ (1 − C⁻¹) + ½λ (J² − 1) C⁻¹,   P = μ F + U' G,   U' = ½λ (J − 1/J) − μ/J              (2)
    /// A_iJkL = μ δ_ik δ_JL + U'' G_iJ G_kL + U' ∂G_iJ/∂F_kL,   U'' = ½λ (1 + 1/J²) + μ/J²         (3)
    /// σ33 = ½λ (J − 1/J) in plane strain                                                          (4)
    /// ```
    ///
    /// | E `young` Pa | ν `poisson` 1 | η `viscosity` Pa s | `density` kg/m³ | λ, μ Lamé's constants Pa | C = FᵀF | J = det F | G = ∂J/∂F |
    ///
    /// Source: Simo & Hughes, Computational Inelasticity, 1998, section 9.2 for the volume energy; stress (2) as in Cook's membrane of large strain.
    /// Limits: rubber up to about doubled length; no stiffening of stretched chains. Plane strain only.
    /// Tests: `a_tangent_is_the_slope_of_the_stress_and_the_stress_that_of_the_energy`, `confined_and_free_stretch_have_their_closed_forms`,
    /// `cook_plain_quadrilaterals_reproduce_the_table`.
    "neo-hookean": "Rubber: compressible neo-Hookean, large strains and turns"
    pub struct NeoHookean;
}

impl Law for NeoHookean {
    const KIND: Kind = Self::ABOUT;
    const SMALL_STRAIN: bool = false;

    fn energy(&self, F: [f64; 4], _: Plane) -> f64 {
        let (J, lambda, mu) = (det(F), self.lame.lambda, self.lame.mu);
        0.5 * mu * (dot(F, F) - 2.0) - mu * J.ln() + 0.25 * lambda * (J * J - 1.0 - 2.0 * J.ln())
    }

    #[inline]
    fn stress(&self, F: [f64; 4], _: Plane) -> [f64; 4] {
        let (G, slope, mu) = (cofactor(F), self.volume_slope(det(F)), self.lame.mu);
        std::array::from_fn(|k| mu * F[k] + slope * G[k])
    }

    #[inline]
    fn tangent(&self, F: [f64; 4], _: Plane) -> [[f64; 4]; 4] {
        let (J, lambda, mu) = (det(F), self.lame.lambda, self.lame.mu);
        let mut A = [[0.0; 4]; 4];
        for (k, row) in A.iter_mut().enumerate() {
            row[k] = mu;
        }
        square_add(0.5 * lambda + (0.5 * lambda + mu) / (J * J), cofactor(F), &mut A);
        twist_add(self.volume_slope(J), &mut A);
        A
    }

    fn s33(&self, F: [f64; 4], _: Plane) -> f64 {
        let J = det(F);
        0.5 * self.lame.lambda * (J - 1.0 / J)
    }

    fn viscosity(&self) -> f64 {
        self.viscosity
    }

    fn density(&self) -> f64 {
        self.density
    }
}

impl NeoHookean {
    /// U' of (2).
    #[inline]
    fn volume_slope(&self, J: f64) -> f64 {
        0.5 * self.lame.lambda * (J - 1.0 / J) - self.lame.mu / J
    }
}
