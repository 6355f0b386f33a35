//! The plain element: the material feels F as the nodes have it.

use super::blocks::Sum;
use super::fill::State;
use super::view::{View, slope};
use super::{About, Inverted, Kind};

pub(super) const ABOUT: About =
    About { name: "plain", doc: "Displacements alone; locks where a material is nearly incompressible", kind: Kind::Plain };

/// Adds force and tangent of the elastic stress.
///
/// ```text
/// f_ai = Σ w P_iJ ∇Nₐ_J,   k_aibk = Σ w ∇Nₐ_J A_iJkL ∇N_b_L                                    (1)
/// ```
///
/// | w reference volume of a point m³ | P first Piola stress Pa | A its slope by F Pa |
///
/// Source: Bonet & Wood, Nonlinear Continuum Mechanics for Finite Element Analysis, 1997, ch. 7.
/// Limits: with four nodes and ν towards 1/2 it locks; Cook's membrane at ν = 0.4999 moves by 5.8 in place of 18.5 on 16 × 16 cells.
/// Tests: `tangents_are_slopes_of_forces`, `forces_are_slopes_of_the_energy`, `a_distorted_patch_carries_a_uniform_strain`.
#[inline]
pub(super) fn fill<const N: usize, const P: usize>(view: &View<N, P>, state: &State<N>, out: &mut Sum<N>) -> Result<(), Inverted> {
    for point in 0..P {
        let (gradients, w) = (&view.gradients[point], view.weights[point]);
        let F = slope(&state.x, gradients);
        view.jacobian(point, F)?;
        out.add_stress(w, view.material.stress(F, view.plane), gradients);
        if state.wants_tangent() {
            out.add_tangent(w, &view.material.tangent(F, view.plane), gradients);
        }
    }
    Ok(())
}
