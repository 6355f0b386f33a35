//! A dense matrix factored in place with row exchanges. Memory is sized once.
//! Not here: structure of any sort; the matrices of the implicit methods are small and full.
//! In: a square matrix, row by row; right sides. Out: solutions in place.

use super::failure::Trouble;

/// P A = L U, with the reciprocals of the pivots on the diagonal: solves wait for no division.
#[derive(Default)]
pub struct Lu {
    n: usize,
    a: Vec<f64>,
    exchange: Vec<usize>,
}

impl Lu {
    /// Memory for matrices of a size.
    pub fn new(n: usize) -> Self {
        Lu { n, a: vec![0.0; n * n], exchange: vec![0; n] }
    }

    /// Factors `shift I - jac`.
    pub fn factor(&mut self, shift: f64, jac: &[f64]) -> Result<(), Trouble> {
        let n = self.n;
        for (a, j) in self.a.iter_mut().zip(jac) {
            *a = -j;
        }
        for k in 0..n {
            self.a[k * n + k] += shift;
        }
        self.decompose()
    }

    /// Memory of the matrix, row by row, to be filled before `decompose`.
    pub fn matrix(&mut self) -> &mut [f64] {
        &mut self.a
    }

    /// Factors what `matrix` was filled with.
    pub fn decompose(&mut self) -> Result<(), Trouble> {
        let n = self.n;
        for k in 0..n {
            let mut pivot = k;
            for row in k + 1..n {
                if self.a[row * n + k].abs() > self.a[pivot * n + k].abs() {
                    pivot = row;
                }
            }
            let size = self.a[pivot * n + k];
            let reciprocal = 1.0 / size;
            if !(size.is_finite() && reciprocal.is_finite()) {
                return Err(Trouble::Singular { entry: k });
            }
            self.exchange[k] = pivot;
            if pivot != k {
                for column in 0..n {
                    self.a.swap(k * n + column, pivot * n + column);
                }
            }
            self.a[k * n + k] = reciprocal;
            let (above, below) = self.a.split_at_mut((k + 1) * n);
            let top = &above[k * n..];
            for row in below.chunks_exact_mut(n) {
                let factor = row[k] * reciprocal;
                row[k] = factor;
                if factor != 0.0 {
                    for column in k + 1..n {
                        row[column] -= factor * top[column];
                    }
                }
            }
        }
        Ok(())
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            x.swap(k, self.exchange[k]);
        }
        for k in 0..n {
            let row = &self.a[k * n..(k + 1) * n];
            let mut value = x[k];
            for column in 0..k {
                value -= row[column] * x[column];
            }
            x[k] = value;
        }
        for k in (0..n).rev() {
            let row = &self.a[k * n..(k + 1) * n];
            let mut value = x[k];
            for column in k + 1..n {
                value -= row[column] * x[column];
            }
            x[k] = value * row[k];
        }
    }
}
