//! A = L D Lᵀ of a symmetric matrix in a given order of elimination, without pivoting, by supernodes on one thread.
//! Not here: what to do when it fails (`Solver`), the order (`order`).
//! In: values on the pattern. Out: solutions; or the unknown whose pivot is lost.

use super::order::Order;
use super::pattern::Pattern;
use super::{BLOCK, Fault};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::{Conj, MatMut, Par, Side};

/// A pivot smaller than this part of what it is the difference of holds no digit that could be trusted.
const LOST: f64 = 1e-13;

/// The factors, with all memory they need.
pub struct Ldlt {
    symbolic: SymbolicCholesky<usize>,
    factors: Vec<f64>,
    /// For each step of elimination: the sum of absolute values whose difference is the pivot.
    scale: Vec<f64>,
    memory: MemBuffer,
}

impl Ldlt {
    /// Looks at the pattern and takes all memory. Reads only the half on and below the diagonal.
    pub fn new(pattern: &Pattern, order: &Order) -> Result<Ldlt, Fault> {
        let unknowns = pattern.unknowns();
        if order.unknowns().len() != unknowns {
            return Err(Fault::WrongLength { found: order.unknowns().len(), expected: unknowns });
        }
        let params =
            CholeskySymbolicParams { supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL, ..Default::default() };
        let order = SymmetricOrdering::Custom(PermRef::new_checked(order.unknowns(), order.steps(), unknowns));
        let symbolic = factorize_symbolic_cholesky(pattern.symbolic(), Side::Lower, order, params).map_err(|_| Fault::TooLarge)?;
        let request = symbolic
            .factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(BLOCK, Par::Seq));
        let memory = MemBuffer::try_new(request).map_err(|_| Fault::TooLarge)?;
        let factors = vec![0.0; symbolic.len_val()];
        Ok(Ldlt { symbolic, factors, scale: vec![0.0; unknowns], memory })
    }

    /// Number of stored entries of the factors.
    pub fn entries(&self) -> usize {
        self.factors.len()
    }

    /// Factors new values without asking for memory.
    pub fn factor(&mut self, pattern: &Pattern, values: &[f64]) -> Result<(), Fault> {
        if self.scale.is_empty() {
            return Ok(());
        }
        let stack = MemStack::new(&mut self.memory);
        let matrix = pattern.matrix(values);
        let done = self.symbolic.factorize_numeric_ldlt(
            &mut self.factors,
            matrix,
            Side::Lower,
            Default::default(),
            Par::Seq,
            stack,
            Default::default(),
        );
        if let Err(faer::linalg::cholesky::ldlt::factor::LdltError::ZeroPivot { index }) = done {
            return Err(Fault::Singular { unknown: unknown_of(&self.symbolic, index) });
        }
        self.check_pivots(pattern, values)
    }

    /// Solves in place for right-hand sides one behind the other, without asking for memory.
    pub fn solve_in_place(&mut self, x: &mut [f64]) {
        let unknowns = self.symbolic.nrows();
        if unknowns == 0 {
            return;
        }
        for columns in x.chunks_mut(BLOCK * unknowns) {
            let count = columns.len() / unknowns;
            LdltRef::new(&self.symbolic, &self.factors).solve_in_place_with_conj(
                Conj::No,
                MatMut::from_column_major_slice_mut(columns, unknowns, count),
                Par::Seq,
                MemStack::new(&mut self.memory),
            );
        }
    }

    /// Each pivot is d_i = a_ii - sum of l_ij² d_j. Where it is tiny beside the sum of the absolute values of these terms, nothing but
    /// rounding is left of it: the body can move freely, or a condition follows from others.
    fn check_pivots(&mut self, pattern: &Pattern, values: &[f64]) -> Result<(), Fault> {
        let Ldlt { symbolic, factors, scale, .. } = self;
        let SymbolicCholeskyRaw::Supernodal(blocks) = symbolic.raw() else { unreachable!("supernodes are asked for") };
        for (step, scale) in scale.iter_mut().enumerate() {
            let unknown = unknown_of(symbolic, step);
            *scale = pattern.slot(unknown, unknown).map_or(0.0, |slot| values[slot].abs());
        }
        for block in 0..blocks.n_supernodes() {
            let (start, end) = (blocks.supernode_begin()[block], blocks.supernode_end()[block]);
            let below = blocks.supernode(block).pattern();
            let width = end - start;
            let height = width + below.len();
            let first = blocks.col_ptr_for_val()[block];
            for k in 0..width {
                let column = &factors[first + k * height..first + (k + 1) * height];
                let pivot = column[k];
                // The comparison is false for NaN.
                if !(pivot.abs() > LOST * scale[start + k]) || !pivot.is_finite() {
                    return Err(Fault::Singular { unknown: unknown_of(symbolic, start + k) });
                }
                for (l, scale) in column[k + 1..width].iter().zip(&mut scale[start + k + 1..end]) {
                    *scale += l * l * pivot.abs();
                }
                for (l, &row) in column[width..].iter().zip(below) {
                    scale[row] += l * l * pivot.abs();
                }
            }
        }
        Ok(())
    }
}

fn unknown_of(symbolic: &SymbolicCholesky<usize>, step: usize) -> usize {
    symbolic.perm().map_or(step, |order| order.arrays().0[step])
}
