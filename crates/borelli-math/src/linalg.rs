//! Small dense symmetric solves for multipliers, over any scalar and without allocation.
//! Why by hand: dual numbers must pass through, and redundant rows must be set aside by name rather than fail.

use crate::real::Real;

/// Pivoted Cholesky factor of a symmetric positive semi-definite matrix.
///
/// Rows whose pivot falls below `tolerance` times their own diagonal before elimination are dependent on the rows taken
/// before; they are left out (their unknown is zero), which is the right answer when the right-hand side is consistent.
#[derive(Clone, Debug)]
pub struct SemiDefinite<S> {
    n: usize,
    /// Lower factor by rows in pivot order, `l[i * n + j]`.
    l: Vec<S>,
    /// Pivot order.
    order: Vec<usize>,
    /// Number of independent rows.
    rank: usize,
    scratch: Vec<S>,
    diagonal: Vec<f64>,
}

impl<S: Real> SemiDefinite<S> {
    /// Scratch memory for matrices of size `n`.
    pub fn new(n: usize) -> Self {
        SemiDefinite { n, l: vec![S::ZERO; n * n], order: (0..n).collect(), rank: 0, scratch: vec![S::ZERO; n], diagonal: vec![0.0; n] }
    }

    /// Rows found independent, in pivot order.
    pub fn independent(&self) -> &[usize] {
        &self.order[..self.rank]
    }

    /// Rows found dependent on the others.
    pub fn dependent(&self) -> &[usize] {
        &self.order[self.rank..]
    }

    /// Factors `a` (row-major, n x n; only used entries are read symmetric).
    ///
    /// Pivots are chosen by the largest remaining diagonal relative to the original one; the first such row wins, so the
    /// order is deterministic.
    pub fn factor(&mut self, a: &[S], tolerance: f64) {
        let n = self.n;
        self.l.copy_from_slice(&a[..n * n]);
        for i in 0..n {
            self.order[i] = i;
            self.diagonal[i] = a[i * n + i].value().abs();
        }
        self.rank = 0;
        for k in 0..n {
            let mut best = k;
            let mut best_ratio = -1.0;
            for i in k..n {
                let original = self.diagonal[self.order[i]];
                let ratio = if original > 0.0 { self.l[i * n + i].value() / original } else { 0.0 };
                if ratio > best_ratio {
                    (best, best_ratio) = (i, ratio);
                }
            }
            if !(best_ratio > tolerance) {
                break;
            }
            self.swap(k, best);
            let pivot = self.l[k * n + k].sqrt();
            let inverse = pivot.recip();
            self.l[k * n + k] = pivot;
            for i in k + 1..n {
                self.l[i * n + k] = self.l[i * n + k] * inverse;
            }
            for i in k + 1..n {
                for j in k + 1..=i {
                    let product = self.l[i * n + k] * self.l[j * n + k];
                    self.l[i * n + j] -= product;
                }
            }
            self.rank = k + 1;
        }
    }

    /// Swaps rows and columns `i < j` of the part not yet eliminated, and the finished part of the two rows.
    fn swap(&mut self, i: usize, j: usize) {
        if i == j {
            return;
        }
        let n = self.n;
        self.order.swap(i, j);
        for c in 0..i {
            self.l.swap(i * n + c, j * n + c);
        }
        self.l.swap(i * n + i, j * n + j);
        for c in i + 1..j {
            self.l.swap(c * n + i, j * n + c);
        }
        for r in j + 1..n {
            self.l.swap(r * n + i, r * n + j);
        }
    }

    /// Solves for `x` in place; unknowns of dependent rows become zero.
    pub fn solve(&mut self, x: &mut [S]) {
        let (n, m) = (self.n, self.rank);
        for i in 0..m {
            let mut sum = x[self.order[i]];
            for j in 0..i {
                sum -= self.l[i * n + j] * self.scratch[j];
            }
            self.scratch[i] = sum / self.l[i * n + i];
        }
        for i in (0..m).rev() {
            let mut sum = self.scratch[i];
            for j in i + 1..m {
                sum -= self.l[j * n + i] * self.scratch[j];
            }
            self.scratch[i] = sum / self.l[i * n + i];
        }
        for i in 0..n {
            x[self.order[i]] = if i < m { self.scratch[i] } else { S::ZERO };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duplicated_row_is_set_aside_and_the_rest_solved() {
        // A = B BT with rows b1, b2, b1 + b2, b4 in three dimensions and a fourth: rank 3 of 4.
        let rows = [[1.0, 2.0, 0.5], [0.0, 1.0, -1.0], [1.0, 3.0, -0.5], [2.0, 0.0, 1.0]];
        let mut a = [0.0; 16];
        for i in 0..4 {
            for j in 0..4 {
                a[i * 4 + j] = (0..3).map(|k| rows[i][k] * rows[j][k]).sum();
            }
        }
        let x_true = [1.0, -2.0, 0.0, 0.7];
        let mut b: Vec<f64> = (0..4).map(|i| (0..4).map(|j| a[i * 4 + j] * x_true[j]).sum()).collect();
        let rhs = b.clone();
        let mut f = SemiDefinite::new(4);
        f.factor(&a, 1e-10);
        assert_eq!(f.dependent().len(), 1);
        f.solve(&mut b);
        for i in 0..4 {
            let back: f64 = (0..4).map(|j| a[i * 4 + j] * b[j]).sum();
            assert!((back - rhs[i]).abs() < 1e-12);
        }
    }
}
