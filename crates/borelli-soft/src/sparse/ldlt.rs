//! A = L D Lᵀ of a symmetric matrix in a given order of elimination, without pivoting, by supernodes on one thread.
//! Not here: what to do when it fails (`Solver`), the order (`order`).
//! In: values on the pattern. Out: solutions; or the unknown whose pivot is lost.

use super::order::Order;
use super::pattern::Pattern;
use super::{BLOCK, Fault, substitute};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::{Par, Side};

/// A pivot smaller than this part of what it is the difference of holds no digit that could be trusted.
const LOST: f64 = 1e-13;

/// Right-hand sides that are solved side by side where there are fewer than `BLOCK`.
const HALF: usize = BLOCK / 2;

/// The factors, with all memory they need.
pub struct Ldlt {
    symbolic: SymbolicCholesky<usize>,
    factors: Vec<f64>,
    /// For each step of elimination: the sum of absolute values whose difference is the pivot.
    scale: Vec<f64>,
    /// For each step of elimination: the unknown, and the slot of its entry on the diagonal.
    order: Vec<usize>,
    diagonal: Vec<usize>,
    /// Right-hand sides side by side, and their rows below a block.
    side_by_side: Vec<f64>,
    below: Vec<f64>,
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
        let request = symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default());
        let memory = MemBuffer::try_new(request).map_err(|_| Fault::TooLarge)?;
        let factors = vec![0.0; symbolic.len_val()];
        // Nothing to solve has no blocks.
        let deepest = if let SymbolicCholeskyRaw::Supernodal(blocks) = symbolic.raw() { substitute::deepest(blocks) } else { 0 };
        let order: Vec<usize> = symbolic.perm().map_or_else(|| (0..unknowns).collect(), |order| order.arrays().0.to_vec());
        let diagonal = order.iter().map(|&k| pattern.slot(k, k).expect("the diagonal is part of every pattern")).collect();
        let (side_by_side, below) = (vec![0.0; unknowns * BLOCK], vec![0.0; deepest * BLOCK]);
        Ok(Ldlt { symbolic, factors, scale: vec![0.0; unknowns], order, diagonal, side_by_side, below, memory })
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
            return Err(Fault::Singular { unknown: self.order[index] });
        }
        self.check_pivots(values)
    }

    /// Solves in place for right-hand sides one behind the other, without asking for memory.
    pub fn solve_in_place(&mut self, x: &mut [f64]) {
        let mut rest = x;
        while !rest.is_empty() && !self.scale.is_empty() {
            rest = match rest.len() / self.scale.len() {
                BLOCK.. => self.solve_first::<BLOCK>(rest),
                HALF.. => self.solve_first::<HALF>(rest),
                _ => self.solve_first::<1>(rest),
            };
        }
    }

    /// Solves for the first `K` right-hand sides and gives the others back.
    fn solve_first<'x, const K: usize>(&mut self, x: &'x mut [f64]) -> &'x mut [f64] {
        let Ldlt { symbolic, factors, side_by_side, below, order, .. } = self;
        let SymbolicCholeskyRaw::Supernodal(blocks) = symbolic.raw() else { unreachable!("supernodes are asked for") };
        let unknowns = order.len();
        let (columns, rest) = x.split_at_mut(K * unknowns);
        let packed = &mut side_by_side.as_chunks_mut::<K>().0[..unknowns];
        for (packed, &unknown) in packed.iter_mut().zip(&*order) {
            *packed = std::array::from_fn(|c| columns[c * unknowns + unknown]);
        }
        substitute::solve(blocks, factors, packed, below.as_chunks_mut::<K>().0);
        for (packed, &unknown) in packed.iter().zip(&*order) {
            packed.iter().enumerate().for_each(|(c, x)| columns[c * unknowns + unknown] = *x);
        }
        rest
    }

    /// Each pivot is d_i = a_ii - sum of l_ij² d_j. Where it is tiny beside the sum of the absolute values of these terms, nothing but
    /// rounding is left of it: the body can move freely, or a condition follows from others.
    fn check_pivots(&mut self, values: &[f64]) -> Result<(), Fault> {
        let Ldlt { symbolic, factors, scale, order, diagonal, .. } = self;
        let SymbolicCholeskyRaw::Supernodal(blocks) = symbolic.raw() else { unreachable!("supernodes are asked for") };
        for (scale, &slot) in scale.iter_mut().zip(&*diagonal) {
            *scale = values[slot].abs();
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
                    return Err(Fault::Singular { unknown: order[start + k] });
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
