//! Symmetric positive definite matrices with three bands on each side of the diagonal, as splines of fifth degree have them.
//! Not here: what rows mean, matrices without structure (`linalg`).
//! In: rows of bands. Out: solutions, and the bands of the inverse, in time proportional to the number of rows.

/// Bands below the diagonal.
const WIDTH: usize = 3;

/// A symmetric matrix with entries up to three places off the diagonal: row i holds the entries (i, i), (i, i-1), (i, i-2), (i, i-3).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Banded {
    /// Rows; entries left of the first column are not read.
    pub rows: Vec<[f64; WIDTH + 1]>,
}

/// Factors `A = L D Lᵀ` of a [`Banded`] matrix; L has a unit diagonal.
#[derive(Clone, Debug)]
pub struct BandedFactor {
    /// `[d_i, l_{i,i-1}, l_{i,i-2}, l_{i,i-3}]`.
    rows: Vec<[f64; WIDTH + 1]>,
}

impl Banded {
    /// `A + factor B`, both of one size.
    pub fn plus(&self, factor: f64, other: &Banded) -> Banded {
        let sum = |(a, b): (&[f64; 4], &[f64; 4])| std::array::from_fn(|k| a[k] + factor * b[k]);
        Banded { rows: self.rows.iter().zip(&other.rows).map(sum).collect() }
    }

    /// Factors; nothing where the matrix is not positive definite in the precision of its numbers.
    pub fn factor(&self) -> Option<BandedFactor> {
        let mut rows: Vec<[f64; 4]> = Vec::with_capacity(self.rows.len());
        for (i, a) in self.rows.iter().enumerate() {
            let mut row = *a;
            // From the far band inwards: l_ij d_j = a_ij - sum over k < j of l_ik d_k l_jk.
            for off in (1..=WIDTH.min(i)).rev() {
                let j = i - off;
                let mut sum = row[off];
                for further in off + 1..=WIDTH.min(i) {
                    sum -= row[further] * rows[i - further][0] * rows[j][further - off];
                }
                row[off] = sum / rows[j][0];
            }
            for off in 1..=WIDTH.min(i) {
                row[0] -= row[off] * row[off] * rows[i - off][0];
            }
            if !(row[0] > 0.0 && row[0].is_finite()) {
                return None;
            }
            rows.push(row);
        }
        Some(BandedFactor { rows })
    }
}

impl BandedFactor {
    /// Solves `A x = b` in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.rows.len();
        for i in 0..n {
            for off in 1..=WIDTH.min(i) {
                x[i] -= self.rows[i][off] * x[i - off];
            }
        }
        for i in (0..n).rev() {
            x[i] /= self.rows[i][0];
            for off in 1..=WIDTH.min(n - 1 - i) {
                x[i] -= self.rows[i + off][off] * x[i + off];
            }
        }
    }

    /// The entries of the inverse that lie within the bands, in the layout of [`Banded`].
    ///
    /// With `A = L D Lᵀ`, the inverse B satisfies `B = D⁻¹ L⁻¹ + (I - Lᵀ) B`; from the last row upwards its bands need only bands already known.
    /// Source: M. F. Hutchinson and F. R. de Hoog 1985, Numer. Math. 47:99-106. Test: `the_bands_of_the_inverse_are_those_of_the_dense_inverse`.
    pub fn inverse_bands(&self) -> Banded {
        let n = self.rows.len();
        let mut rows = vec![[0.0; WIDTH + 1]; n];
        let entry = |rows: &[[f64; 4]], i: usize, j: usize| if i > j { rows[i][i - j] } else { rows[j][j - i] };
        for i in (0..n).rev() {
            let reach = WIDTH.min(n - 1 - i);
            for off in (0..=reach).rev() {
                let mut sum = if off == 0 { 1.0 / self.rows[i][0] } else { 0.0 };
                for k in 1..=reach {
                    sum -= self.rows[i + k][k] * entry(&rows, i + k, i + off);
                }
                rows[i + off][off] = sum;
            }
        }
        Banded { rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn example(n: usize) -> Banded {
        let mut random = Random::new(3);
        Banded { rows: (0..n).map(|_| [random.uniform(6.5, 8.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.9]).collect() }
    }

    fn times(a: &Banded, x: &[f64]) -> Vec<f64> {
        let n = x.len();
        let entry = |i: usize, j: usize| if i.abs_diff(j) > 3 { 0.0 } else { a.rows[i.max(j)][i.abs_diff(j)] };
        (0..n).map(|i| (0..n).map(|j| entry(i, j) * x[j]).sum()).collect()
    }

    #[test]
    fn a_banded_solution_satisfies_its_rows() {
        for n in [1, 2, 3, 4, 20] {
            let a = example(n);
            let right: Vec<f64> = (0..n).map(|k| (k as f64).cos()).collect();
            let mut x = right.clone();
            a.factor().expect("positive definite").solve(&mut x);
            assert!(times(&a, &x).iter().zip(&right).all(|(a, b)| (a - b).abs() < 1e-14));
        }
    }

    #[test]
    fn the_bands_of_the_inverse_are_those_of_the_dense_inverse() {
        for n in [1, 2, 3, 4, 9] {
            let factor = example(n).factor().expect("positive definite");
            let bands = factor.inverse_bands();
            for j in 0..n {
                let mut column = vec![0.0; n];
                column[j] = 1.0;
                factor.solve(&mut column);
                for off in 0..=3.min(n - 1 - j) {
                    assert!((bands.rows[j + off][off] - column[j + off]).abs() < 1e-15, "{n} {j} {off}");
                }
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factors() {
        assert!(Banded { rows: vec![[1.0, 0.0, 0.0, 0.0], [1.0, 2.0, 0.0, 0.0]] }.factor().is_none());
        assert!(Banded { rows: vec![[f64::NAN, 0.0, 0.0, 0.0]] }.factor().is_none());
        let sum = example(2).plus(2.0, &example(2));
        assert!((sum.rows[1][1] - 3.0 * example(2).rows[1][1]).abs() < 1e-15);
    }
}
