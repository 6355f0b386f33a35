//! Forward and backward substitution with the factors of L D Lᵀ, several right-hand sides side by side.
//! Not here: the factors (`ldlt`), judging solutions (`Solver`).
//! In: the blocks of the factors, right-hand sides in the order of elimination. Out: solutions in the same place; nothing is allocated.
//!
//! Hand-written because soft bodies have thousands of small blocks, where the calls of a dense library cost more than the work: six right-hand
//! sides of 1 029 unknowns take a quarter of the time.

use faer::sparse::linalg::cholesky::supernodal::SymbolicSupernodalCholesky;

/// A block of columns with the same rows below: D on its diagonal, L (whose diagonal is one) under it.
struct Block<'a> {
    /// First and one past the last column.
    start: usize,
    end: usize,
    /// Rows below its columns.
    below: &'a [usize],
    /// By columns, each as high as the block is wide and its rows below.
    values: &'a [f64],
}

impl<'a> Block<'a> {
    fn new(blocks: &'a SymbolicSupernodalCholesky<usize>, factors: &'a [f64], k: usize) -> Block<'a> {
        let (start, end) = (blocks.supernode_begin()[k], blocks.supernode_end()[k]);
        let below = blocks.supernode(k).pattern();
        let (first, width) = (blocks.col_ptr_for_val()[k], end - start);
        Block { start, end, below, values: &factors[first..first + width * (width + below.len())] }
    }

    /// A column: on and above its diagonal (the pivot is last), below in the block, below the block.
    fn column(&self, k: usize) -> (f64, &'a [f64], &'a [f64]) {
        let width = self.end - self.start;
        let height = width + self.below.len();
        let column = &self.values[k * height..(k + 1) * height];
        (column[k], &column[k + 1..width], &column[width..])
    }
}

/// The longest list of rows below a block.
pub(super) fn deepest(blocks: &SymbolicSupernodalCholesky<usize>) -> usize {
    (0..blocks.n_supernodes()).map(|k| blocks.supernode(k).pattern().len()).max().unwrap_or(0)
}

/// Solves L D Lᵀ x = b for `K` right-hand sides; `below` has room for `deepest` rows.
pub(super) fn solve<const K: usize>(
    blocks: &SymbolicSupernodalCholesky<usize>,
    factors: &[f64],
    x: &mut [[f64; K]],
    below: &mut [[f64; K]],
) {
    for k in 0..blocks.n_supernodes() {
        let block = Block::new(blocks, factors, k);
        let sums = &mut below[..block.below.len()];
        sums.fill([0.0; K]);
        let own = &mut x[block.start..block.end];
        for k in 0..own.len() {
            let (_, inside, under) = block.column(k);
            let known = own[k];
            add_multiple(&mut own[k + 1..], inside, known.map(|x| -x));
            add_multiple(sums, under, known);
        }
        for (&row, sum) in block.below.iter().zip(&*sums) {
            x[row] = std::array::from_fn(|c| x[row][c] - sum[c]);
        }
    }
    for k in (0..blocks.n_supernodes()).rev() {
        let block = Block::new(blocks, factors, k);
        let known = &mut below[..block.below.len()];
        for (&row, known) in block.below.iter().zip(&mut *known) {
            *known = x[row];
        }
        let own = &mut x[block.start..block.end];
        for k in (0..own.len()).rev() {
            let (pivot, inside, under) = block.column(k);
            let (near, far) = (product(inside, &own[k + 1..]), product(under, known));
            own[k] = std::array::from_fn(|c| own[k][c] / pivot - near[c] - far[c]);
        }
    }
}

/// out += l x.
#[inline(always)]
fn add_multiple<const K: usize>(out: &mut [[f64; K]], l: &[f64], x: [f64; K]) {
    for (out, l) in out.iter_mut().zip(l) {
        for c in 0..K {
            out[c] += l * x[c];
        }
    }
}

/// Σ l x. One right-hand side is summed in four parts, which need not wait for each other.
#[inline(always)]
fn product<const K: usize>(l: &[f64], x: &[[f64; K]]) -> [f64; K] {
    let mut sum = [0.0; K];
    let (mut l, mut x) = (l, x);
    if K == 1 {
        let mut parts = [[0.0; K]; 4];
        let ((fours, rest), (of_x, rest_of_x)) = (l.as_chunks::<4>(), x.as_chunks::<4>());
        for (l, x) in fours.iter().zip(of_x) {
            for (part, (l, x)) in parts.iter_mut().zip(l.iter().zip(x)) {
                part[0] += l * x[0];
            }
        }
        sum[0] = (parts[0][0] + parts[1][0]) + (parts[2][0] + parts[3][0]);
        (l, x) = (rest, rest_of_x);
    }
    for (l, x) in l.iter().zip(x) {
        for c in 0..K {
            sum[c] += l * x[c];
        }
    }
    sum
}
