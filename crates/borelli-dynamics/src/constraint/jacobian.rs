//! Rows in joint space: what each row's rate is made of, by degree of freedom.
//! Not here: the rows themselves. In: `Frames` and filled `Rows`. Out: the matrix G with Φ̇ = G v − ν(t), whole or without its zeros.

use super::Rows;
use crate::frames::Frames;
use crate::row_system::RowStructure;
use crate::system::{Skeleton, System};
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
        walk(skeleton, frames, rows, i, |dof, x| row[dof] += x);
    }
    for &(row, dof, coefficient) in &rows.on_dofs {
        G[row as usize * dofs + dof as usize] += coefficient;
    }
}

/// Equation (1) for a row on bodies, degree of freedom by degree of freedom.
#[inline(always)]
fn walk<S: Real>(skeleton: &Skeleton, frames: &Frames<S>, rows: &Rows<S>, i: usize, mut entry: impl FnMut(usize, S)) {
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
            entry(dof, frames.s_ang[dof].dot(n_b) + frames.s_lin[dof].dot(f_b));
        }
        n_b += frames.r[b].cross(f_b);
        b = skeleton.parent[b] as usize;
    }
}

/// The same matrix G without its zeros, row by row.
#[derive(Clone, Debug)]
pub(crate) struct SparseJacobian<S> {
    /// First entry of each row, and one past the last.
    start: Vec<u32>,
    /// Degree of freedom and coefficient; one degree of freedom may come twice in a row.
    entries: Vec<(u32, S)>,
}

impl<S: Real> SparseJacobian<S> {
    /// Memory for the rows of a system, so that filling allocates nothing.
    pub(crate) fn new(system: &System, structure: &RowStructure) -> Self {
        let skeleton = &system.skeleton;
        let on_bodies: usize = structure.steps().iter().map(|b| skeleton.dofs_of(*b as usize).len()).sum();
        let mut start = Vec::with_capacity(structure.rows() + 1);
        start.push(0);
        SparseJacobian { start, entries: Vec::with_capacity(on_bodies + system.numbers.constraints.entries()) }
    }

    /// Fills all rows.
    pub(crate) fn fill(&mut self, skeleton: &Skeleton, frames: &Frames<S>, rows: &Rows<S>) {
        let SparseJacobian { start, entries } = self;
        start.truncate(1);
        entries.clear();
        let mut on_dofs = rows.on_dofs.iter().peekable();
        for i in 0..rows.len() {
            if rows.body[i] != [0; 2] {
                walk(skeleton, frames, rows, i, |dof, x| entries.push((dof as u32, x)));
            }
            while let Some((_, dof, coefficient)) = on_dofs.next_if(|(row, ..)| *row as usize == i) {
                entries.push((*dof, *coefficient));
            }
            start.push(entries.len() as u32);
        }
    }

    /// Entries of a row: degrees of freedom and coefficients.
    #[inline(always)]
    pub(crate) fn row(&self, i: usize) -> &[(u32, S)] {
        &self.entries[self.start[i] as usize..self.start[i + 1] as usize]
    }

    /// A row times a vector.
    #[inline(always)]
    pub(crate) fn times(&self, i: usize, x: &[S]) -> S {
        let mut sum = S::ZERO;
        for (dof, g) in self.row(i) {
            sum += *g * x[*dof as usize];
        }
        sum
    }

    /// Gᵀ μ into `out`.
    #[inline(always)]
    pub(crate) fn fill_transposed(&self, multipliers: &[S], out: &mut [S]) {
        out.fill(S::ZERO);
        for (i, multiplier) in multipliers.iter().enumerate() {
            for (dof, g) in self.row(i) {
                out[*dof as usize] += *g * *multiplier;
            }
        }
    }
}
