//! Six equations in six unknowns: elimination, and the damped least-squares step where they are singular.
//! Not here: what the equations mean.
//! In: a matrix by rows of entries near one. Out: solutions, or nothing when a pivot vanishes.

/// A matrix by rows.
pub(super) type Matrix6 = [[f64; 6]; 6];

/// Pivots below this are taken as zero; rows are of order one.
const LEAST_PIVOT: f64 = 1e-13;

/// Factors of a matrix with exchanged rows.
pub(super) struct Factored {
    rows: Matrix6,
    order: [usize; 6],
}

impl Factored {
    /// Gaussian elimination with exchange of rows; nothing for a singular matrix.
    pub(super) fn new(mut a: Matrix6) -> Option<Factored> {
        let mut order = [0, 1, 2, 3, 4, 5];
        for k in 0..6 {
            let mut best = k;
            for i in k + 1..6 {
                if a[i][k].abs() > a[best][k].abs() {
                    best = i;
                }
            }
            if !(a[best][k].abs() > LEAST_PIVOT) {
                return None;
            }
            a.swap(k, best);
            order.swap(k, best);
            for i in k + 1..6 {
                let factor = a[i][k] / a[k][k];
                a[i][k] = factor;
                for j in k + 1..6 {
                    a[i][j] -= factor * a[k][j];
                }
            }
        }
        Some(Factored { rows: a, order })
    }

    /// The solution for one right-hand side.
    pub(super) fn solve(&self, b: &[f64; 6]) -> [f64; 6] {
        let mut x = [0.0; 6];
        for i in 0..6 {
            x[i] = b[self.order[i]];
            for j in 0..i {
                x[i] -= self.rows[i][j] * x[j];
            }
        }
        for i in (0..6).rev() {
            for j in i + 1..6 {
                x[i] -= self.rows[i][j] * x[j];
            }
            x[i] /= self.rows[i][i];
        }
        x
    }
}

/// (JᵀJ + μ 1)⁻¹ Jᵀ b: Levenberg and Marquardt's step, which exists for every J.
pub(super) fn damped_step(J: &Matrix6, b: &[f64; 6], mu: f64) -> Option<[f64; 6]> {
    let (mut normal, mut right) = ([[0.0; 6]; 6], [0.0; 6]);
    for i in 0..6 {
        for k in 0..6 {
            right[i] += J[k][i] * b[k];
            for j in 0..6 {
                normal[i][j] += J[k][i] * J[k][j];
            }
        }
        normal[i][i] += mu;
    }
    Factored::new(normal).map(|factored| factored.solve(&right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::random::Random;

    #[test]
    fn a_solution_satisfies_its_equations_and_a_singular_matrix_is_noticed() {
        let mut random = Random::new(3);
        let mut a = [[0.0; 6]; 6];
        a.iter_mut().flatten().for_each(|x| *x = random.uniform(-1.0, 1.0));
        let b = [1.0, -2.0, 0.5, 0.0, 3.0, -1.0];
        let residual = |x: [f64; 6]| (0..6).map(|i| ((0..6).map(|j| a[i][j] * x[j]).sum::<f64>() - b[i]).abs()).sum::<f64>();
        assert!(residual(Factored::new(a).unwrap().solve(&b)) < 1e-12);
        assert!(residual(damped_step(&a, &b, 1e-14).unwrap()) < 1e-8);
        a[4] = a[1];
        assert!(Factored::new(a).is_none());
        assert!(damped_step(&a, &b, 1e-6).unwrap().iter().all(|x| x.is_finite()));
    }
}
