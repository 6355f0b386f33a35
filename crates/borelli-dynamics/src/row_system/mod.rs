//! The equations for multipliers of loops and guides, for every formulation: set up from halves, factored in an order that keeps them sparse.
//! Not here: how halves are found along a tree (formulations), rows (`constraint`), the factors themselves (`borelli_math::sparse_ldl`).
//! In: for each row and each body on its way to the ground two lists p and u. Out: multipliers; which rows follow from others.
//!
//!     A λ = r        A_ij = g_i M⁻¹ g_jᵀ = Σ_bodies p_ib · u_jb                                              (1)
//!
//! The wrench of row i, carried from its bodies to the ground by the factors of M, meets each joint on the way with p_ib, which moves it by u_ib.
//! So two rows feel each other only through bodies that both hang on, and a mechanism of many loops that each share a body or two with the next
//! has a banded A: its cost is linear in loops. Where many loops hang on one long branch all of them share its first body, and A is full.
//!
//! A row follows from others, or nothing can move it, where elimination leaves less of its diagonal than
//!
//!     RANK · max(A_ii, c_i)        c_i = Σ_sides |φ|²/m + |μ|²/J                                          (2)
//!
//! with force φ and moment μ of its unit multiplier on a body, and m and J mass and moment of inertia of that body with all that hangs on it: what A_ii were
//! if no joint held the body. That is one number for all formulations, and so is the decision. Rows set aside get no multiplier. Near a
//! singular position a row fades out smoothly, over an angle of some 1e-5 rad in most mechanisms, so that methods with error control find rates
//! that they can follow to the other side.

mod structure;
#[cfg(test)]
mod tests;

pub(crate) use structure::RowStructure;

use crate::constraint::Rows;
use crate::system::{Constants, DofClass, Skeleton};
use borelli_math::sparse_ldl::SparseLdl;
use borelli_math::{Constant, Real, Vec3};

/// Part of what a row could be moved by that counts as rounding.
pub(crate) const RANK: f64 = 1e-10;
/// Strength of a row below which solutions are corrected by what they leave over.
const WEAK: f64 = 1e-4;
/// Corrections of a solution with weak rows.
pub(crate) const CORRECTIONS: usize = 2;
/// Most that a moment is counted more than its force in (2): bodies almost without inertia are held by others.
const LEVER: f64 = 1e4;

/// Memory of the equations of all rows.
#[derive(Clone, Debug)]
pub(crate) struct RowSystem<S> {
    structure: RowStructure,
    /// First number of each step of a way in the halves, and one past the last.
    at: Vec<u32>,
    p: Vec<S>,
    u: Vec<S>,
    matrix: SparseLdl<S>,
    /// Where the row that is looked at has each body: row and first number.
    place: Vec<(u32, u32)>,
    /// c of (2), then the larger of it and the diagonal.
    scale: Vec<f64>,
    floor: Vec<f64>,
    /// Least strength of a row that was not set aside.
    weakest: f64,
    /// Mass and moment of inertia of each body with all that hangs on it.
    carried: Vec<[f64; 2]>,
}

impl<S: Real> RowSystem<S> {
    /// Memory for rows; `width` says how many numbers a half has at a body.
    pub(crate) fn new(structure: RowStructure, bodies: usize, width: impl Fn(usize) -> usize) -> Self {
        let mut at = vec![0];
        let mut end = 0;
        for body in structure.steps() {
            end += width(*body as usize) as u32;
            at.push(end);
        }
        let (rows, matrix) = (structure.rows(), SparseLdl::new(structure.pattern()));
        RowSystem {
            at,
            p: vec![S::ZERO; end as usize],
            u: vec![S::ZERO; end as usize],
            matrix,
            place: vec![(0, 0); bodies],
            scale: vec![0.0; rows],
            floor: vec![0.0; rows],
            weakest: 1.0,
            carried: vec![[0.0; 2]; bodies],
            structure,
        }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.structure.rows()
    }

    /// Ways of rows to the ground.
    pub(crate) fn structure(&self) -> &RowStructure {
        &self.structure
    }

    /// Both halves at a step of a way, to be filled.
    #[inline(always)]
    pub(crate) fn half_mut(&mut self, step: usize) -> (&mut [S], &mut [S]) {
        let range = self.at[step] as usize..self.at[step + 1] as usize;
        (&mut self.p[range.clone()], &mut self.u[range])
    }

    /// The first half at a step.
    #[inline(always)]
    pub(crate) fn half(&self, step: usize) -> &[S] {
        &self.p[self.at[step] as usize..self.at[step + 1] as usize]
    }

    /// Rows that follow from others at the last state.
    pub(crate) fn dependent(&self) -> &[usize] {
        self.matrix.dependent()
    }

    /// What elimination left of each row, as part of what could be left: 1 for a row that no other touches, 0 for one that follows from others.
    pub(crate) fn strength(&self, row: usize) -> f64 {
        let most = self.scale[row];
        if most > 0.0 { (self.matrix.pivots()[row] / most).max(0.0) } else { 0.0 }
    }

    /// A, from halves that are filled, and its factors; c of (2) must be known.
    pub(crate) fn factor(&mut self) {
        self.fill_matrix();
        self.factor_matrix();
    }

    /// The same from A, all rows and columns of it.
    pub(crate) fn factor_full(&mut self, full: &[S]) {
        let n = self.len();
        for entry in 0..self.matrix.pattern().entries().len() {
            let (i, j) = self.matrix.pattern().entries()[entry];
            self.set_entry(entry, i, j, full[i as usize * n + j as usize]);
        }
        self.factor_matrix();
    }

    #[inline(always)]
    fn set_entry(&mut self, entry: usize, i: u32, j: u32, value: S) {
        self.matrix.values[entry] = value;
        if i == j {
            let i = i as usize;
            self.scale[i] = self.scale[i].max(value.value());
            self.floor[i] = RANK * self.scale[i];
        }
    }

    fn factor_matrix(&mut self) {
        self.matrix.factor(&self.floor);
        let kept = self.matrix.pivots().iter().zip(&self.scale).map(|(pivot, scale)| pivot / scale).filter(|strength| *strength > RANK);
        self.weakest = kept.fold(1.0, f64::min);
    }

    /// Whether a solution deserves a look at what it leaves over: elimination has lost half of the digits of some row.
    pub(crate) fn is_weak(&self) -> bool {
        self.weakest < WEAK
    }

    /// Solves A λ = r in place; rows set aside get nothing.
    pub(crate) fn solve(&mut self, x: &mut [S]) {
        self.matrix.solve(x);
    }

    /// Sets c of (2) of a row by hand.
    #[cfg(test)]
    pub(crate) fn set_scale(&mut self, row: usize, scale: f64) {
        self.scale[row] = scale;
    }

    fn fill_matrix(&mut self) {
        let mut looked_at = u32::MAX;
        for entry in 0..self.matrix.pattern().entries().len() {
            let (i, j) = self.matrix.pattern().entries()[entry];
            let RowSystem { structure, at, p, u, place, .. } = self;
            if looked_at != i {
                looked_at = i;
                for step in structure.range(i as usize) {
                    // Rows are counted from one: no row has looked at places of zero.
                    place[structure.steps()[step] as usize] = (i + 1, at[step]);
                }
            }
            let mut sum = S::ZERO;
            for step in structure.range(j as usize) {
                let (row, first) = place[structure.steps()[step] as usize];
                if row == i + 1 {
                    let range = at[step] as usize..at[step + 1] as usize;
                    let first = first as usize;
                    for (p, u) in p[first..first + range.len()].iter().zip(&u[range]) {
                        sum += *p * *u;
                    }
                }
            }
            self.set_entry(entry, i, j, sum);
        }
        self.place.fill((0, 0));
    }

    /// Sets c of (2).
    pub(crate) fn fill_scale<C: Constant<S>>(&mut self, skeleton: &Skeleton, c: &Constants<C>, rows: &Rows<S>) {
        let carried = &mut self.carried;
        let value = |x: C| x.lift().value();
        for (b, carried) in carried.iter_mut().enumerate() {
            let I = &c.I_Bo_B[b];
            *carried = [value(c.mass[b]), 0.5 * (value(I.xx) + value(I.yy) + value(I.zz))];
        }
        for b in (1..carried.len()).rev() {
            let (P, [mass, inertia]) = (skeleton.parent[b] as usize, carried[b]);
            let square = [c.p_PF_P[b].x, c.p_PF_P[b].y, c.p_PF_P[b].z].into_iter().fold(0.0, |sum, x| sum + value(x) * value(x));
            carried[P][0] += mass;
            carried[P][1] += inertia + mass * square;
        }
        let square = |x: Vec3<S>| x.dot(x).value();
        for i in 0..rows.len() {
            let mut sum = 0.0;
            for side in 0..2 {
                let b = rows.body[i][side] as usize;
                let [mass, inertia] = carried[b];
                if b != 0 && mass > 0.0 {
                    let (by_force, moment) = (square(rows.force[i][side]) / mass, square(rows.moment[i][side]));
                    let by_moment = if inertia > 0.0 { moment / inertia } else { 0.0 };
                    sum += by_force + if by_force > 0.0 { by_moment.min(LEVER * by_force) } else { by_moment };
                }
            }
            self.scale[i] = sum;
        }
        for &(row, dof, coefficient) in &rows.on_dofs {
            let b = skeleton.dof_body[dof as usize] as usize;
            let [mass, inertia] = carried[b];
            let against = if skeleton.class[dof as usize] == DofClass::Turn { inertia } else { mass };
            if against > 0.0 {
                self.scale[row as usize] += coefficient.value() * coefficient.value() / against;
            }
        }
    }
}

impl RowSystem<f64> {
    /// Solves for all columns of a matrix, row by row, in place.
    pub(crate) fn solve_columns(&self, x: &mut [f64], width: usize) {
        self.matrix.solve_columns(x, width);
    }
}
