//! Materials: energy, stress and tangent of a deformation gradient in the plane. One law per file, one line in the list.
//! Not here: cells, integration, volumes kept by averaging over a cell (`element`).
//! In: F in the order 11, 12, 21, 22, and its rate. Out: W, P = ∂W/∂F, A = ∂P/∂F, Cauchy stress out of the plane; viscous stress and its slopes.

mod fault;
mod kirchhoff;
mod law;
mod linear;
mod neo_hookean;
mod robust;
mod tensor;
#[cfg(test)]
mod tests;
mod viscous;

pub use borelli_math::{Declaration, Need, Range};
pub use fault::Fault;
pub use kirchhoff::Kirchhoff;
pub use law::{Kind, Law};
pub use linear::Linear;
pub use neo_hookean::NeoHookean;
pub use robust::Robust;
pub use viscous::Viscous;

pub(crate) use tensor::{cofactor, det, dot, twist_add};

/// What stays zero out of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plane {
    /// No strain out of the plane: a slice of a long body.
    Strain,
    /// No stress out of the plane: a thin plate. Offered with the linear law only.
    Stress,
}

/// Answer of a material to a deformation gradient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// Energy per reference volume W, J/m³.
    pub energy: f64,
    /// First Piola stress P = ∂W/∂F, Pa; order 11, 12, 21, 22.
    pub P: [f64; 4],
    /// Tangent A = ∂P/∂F, Pa.
    pub A: [[f64; 4]; 4],
    /// Cauchy stress out of the plane, Pa.
    pub s33: f64,
}

law::family! {
    /// A material with its numbers.
    pub enum Material { Linear, Kirchhoff, Robust, NeoHookean }
}
