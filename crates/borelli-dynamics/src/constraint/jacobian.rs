//! Rows in joint space: what each row's rate is made of, by degree of freedom.
//! Not here: the rows themselves. In: `Frames` and filled `Rows`. Out: the matrix G with Φ̇ = G v − ν(t).

use super::Rows;
use crate::frames::Frames;
use crate::system::Skeleton;
use borelli_math::Real;

/// Fills `G` (row-major, rows × degrees of freedom) with the coefficients of Φ̇ on v. Allocates nothing.
///
///     G_ij = s_j·μ_j + l_j·φ_j                                                                  (1)
///
/// s_j and l_j are the angular and linear part of free direction j at its body's kernel origin; μ_j and φ_j the moment and force that a unit
/// multiplier of row i passes through that joint. The walk starts at the row's two bodies and goes to the world; a parent has a smaller index
/// than its child, so stepping from the larger index meets at the common ancestor, where the two wrenches become one. By virtual power Gᵀ λ is the
/// generalised force of the multipliers. Cost: the depth of the two bodies. Tests: `joint_space_rows_give_the_rate_of_the_residual`.
pub fn fill_jacobian<S: Real>(skeleton: &Skeleton, frames: &Frames<S>, rows: &Rows<S>, G: &mut [S]) {
    let dofs = skeleton.dofs();
    G.fill(S::ZERO);
    for i in 0..rows.len() {
        let row = &mut G[i * dofs..(i + 1) * dofs];
        let [mut a, mut b] = rows.body[i].map(|body| body as usize);
        let [(mut n_a, mut f_a), (mut n_b, mut f_b)] = [0, 1].map(|k| (rows.moment[i][k], rows.force[i][k]));
        loop {
            if a == b {
                // One wrench from here on; side a goes to the world and out of the way.
                (n_b, f_b, a) = (n_b + n_a, f_b + f_a, 0);
            }
            if a > b {
                (a, b, n_a, n_b, f_a, f_b) = (b, a, n_b, n_a, f_b, f_a);
            }
            if b == 0 {
                break;
            }
            for dof in skeleton.dofs_of(b) {
                row[dof] += frames.s_ang[dof].dot(n_b) + frames.s_lin[dof].dot(f_b);
            }
            n_b += frames.r[b].cross(f_b);
            b = skeleton.parent[b] as usize;
        }
    }
    for &(row, dof, coefficient) in &rows.on_dofs {
        G[row as usize * dofs + dof as usize] += coefficient;
    }
}
