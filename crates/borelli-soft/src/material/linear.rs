//! Linear elasticity.

use super::law::{Kind, Law, isotropic};
use super::{Plane, tensor::dot};

isotropic! {
    /// Linear elasticity: small strains and small turns.
    ///
    /// ```text
    /// ε = sym F − 1,   W = ½λ (tr ε)² + μ ε:ε                                                     (1)
    /// σ = λ tr ε 1 + 2μ ε                                                                         (2)
    /// σ33 = λ tr ε in plane strain;  plane stress has σ33 = 0 and λ* = 2λμ/(λ + 2μ) for λ         (3)
    /// ```
    ///
    /// | E `young` Pa | ν `poisson` 1 | η `viscosity` Pa s | `density` kg/m³ | λ, μ Lamé's constants Pa | ε strain | σ stress Pa |
    ///
    /// Source: any textbook; Timoshenko & Goodier, Theory of Elasticity, 1970, ch. 2.
    /// Limits: a turn by φ reads as the strain cos φ − 1, so a body that turns by more than a degree needs a law of finite strain.
    /// It never inverts: a cell turned inside out has finite stress. Plane stress is offered without viscosity.
    /// Tests: `a_tangent_is_the_slope_of_the_stress_and_the_stress_that_of_the_energy`, `all_laws_are_linear_elasticity_in_small_strain`,
    /// `the_thick_cylinder_converges_to_lame`, `cook_plain_quadrilaterals_reproduce_the_table`.
    "linear": "Linear elasticity, small strains and turns"
    pub struct Linear;
}

impl Linear {
    fn lambda(&self, plane: Plane) -> f64 {
        let (lambda, mu) = (self.lame.lambda, self.lame.mu);
        match plane {
            Plane::Strain => lambda,
            Plane::Stress => 2.0 * lambda * mu / (lambda + 2.0 * mu),
        }
    }
}

impl Law for Linear {
    const KIND: Kind = Self::ABOUT;
    const SMALL_STRAIN: bool = true;

    fn energy(&self, F: [f64; 4], plane: Plane) -> f64 {
        let strain = [F[0] - 1.0, 0.5 * (F[1] + F[2]), 0.5 * (F[1] + F[2]), F[3] - 1.0];
        let trace = strain[0] + strain[3];
        0.5 * self.lambda(plane) * trace * trace + self.lame.mu * dot(strain, strain)
    }

    #[inline]
    fn stress(&self, F: [f64; 4], plane: Plane) -> [f64; 4] {
        let (pressure, mu) = (self.lambda(plane) * (F[0] - 1.0 + F[3] - 1.0), self.lame.mu);
        let shear = mu * (F[1] + F[2]);
        [pressure + 2.0 * mu * (F[0] - 1.0), shear, shear, pressure + 2.0 * mu * (F[3] - 1.0)]
    }

    #[inline]
    fn tangent(&self, _: [f64; 4], plane: Plane) -> [[f64; 4]; 4] {
        let (lambda, mu) = (self.lambda(plane), self.lame.mu);
        let along = lambda + 2.0 * mu;
        [[along, 0.0, 0.0, lambda], [0.0, mu, mu, 0.0], [0.0, mu, mu, 0.0], [lambda, 0.0, 0.0, along]]
    }

    fn s33(&self, F: [f64; 4], plane: Plane) -> f64 {
        match plane {
            Plane::Strain => self.lame.lambda * (F[0] - 1.0 + F[3] - 1.0),
            Plane::Stress => 0.0,
        }
    }

    fn viscosity(&self) -> f64 {
        self.viscosity
    }

    fn density(&self) -> f64 {
        self.density
    }

    /// Viscous stress would make the strain out of the plane a state of its own, so plane stress goes without.
    fn allows(&self, plane: Plane) -> bool {
        plane == Plane::Strain || self.viscosity == 0.0
    }
}
