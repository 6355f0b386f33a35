//! How well equations determine their unknowns, by name what is wrong where they do not, and least squares. Costs much more than a solve.
//! Not here: the solve itself (`problem`).
//! In: a problem at a posture. Out: its condition, the guilty unknowns and equations, or the values that come nearest.
//!
//! The condition is that of the matrix with rows and columns scaled to a largest entry of one, so that neither the size of the segments nor a unit nor the
//! weight of a row decides what is refused.

use super::choice::{ChoiceFault, WORST_CONDITION};
use super::equations::Posture;
use super::problem::Problem;
use nalgebra::{DMatrix, DVector};

/// Entries of null vectors below this part of the largest do not count as involved.
const INVOLVED: f64 = 1e-6;
/// Singular values below this part of the largest count as zero, as 1e13 is the worst condition allowed.
const RANK: f64 = 1.0 / WORST_CONDITION;
/// Rounds of scaling rows and columns; more change little.
const SCALINGS: usize = 3;

/// What a look at one system of equations found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Condition of the scaled matrix in the 1-norm.
    pub condition: f64,
}

/// What least squares found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fit {
    /// Root mean square of what is left over of the equations, SI.
    pub left_over: f64,
    /// How many unknowns could be chosen at will; of all answers the smallest is given.
    pub free: usize,
}

impl Problem {
    /// The matrix at a posture, or which equations have coefficients that are not finite.
    pub(super) fn matrix(&mut self, posture: &Posture) -> Result<DMatrix<f64>, ChoiceFault> {
        let (rights, values) = (vec![0.0; self.rows.len()], vec![0.0; self.layout().all()]);
        self.fill(posture, &rights, &values);
        self.filled_matrix()
    }

    fn filled_matrix(&self) -> Result<DMatrix<f64>, ChoiceFault> {
        let width = self.width();
        let a = DMatrix::from_fn(self.height(), width - 1, |i, j| self.a[i * width + j]);
        // Decompositions may never end on such numbers.
        let wrong = (0..a.nrows()).filter(|i| a.row(*i).iter().any(|entry| !entry.is_finite()));
        let equations: Vec<String> = wrong.map(|i| self.row_name(i)).collect();
        if equations.is_empty() { Ok(a) } else { Err(ChoiceFault::NotFinite { equations }) }
    }

    /// The condition of the equations at a posture, or by name what is wrong.
    pub fn examine(&mut self, posture: &Posture) -> Result<Quality, ChoiceFault> {
        let mut a = self.matrix(posture)?;
        if a.is_empty() {
            return Ok(Quality { condition: 1.0 });
        }
        // Ties that were let go, or that hold because others do, take no part: their multipliers are zero.
        if let Some(elimination) = &mut self.elimination
            && elimination.solve(&mut self.a, &mut self.x).is_ok()
        {
            let unknowns = self.unknowns.len();
            let first = a.nrows() - self.ties.len();
            for column in elimination.set_aside().filter(|column| *column >= unknowns) {
                let row = first + column - unknowns;
                a.row_mut(row).fill(0.0);
                a.column_mut(column).fill(0.0);
                a[(row, column)] = 1.0;
            }
        }
        scale(&mut a);
        let norm = |m: &DMatrix<f64>| m.column_iter().fold(0.0_f64, |largest, column| largest.max(column.lp_norm(1)));
        let condition = a.clone().try_inverse().map_or(f64::INFINITY, |inverse| norm(&a) * norm(&inverse));
        if condition <= WORST_CONDITION {
            return Ok(Quality { condition });
        }
        let (unknowns, equations) = self.involved(a);
        Err(ChoiceFault::Singular { condition, unknowns, equations })
    }

    /// Names of the unknowns and equations in the null spaces of the matrix.
    fn involved(&self, a: DMatrix<f64>) -> (Vec<String>, Vec<String>) {
        let svd = a.svd(true, true);
        let (Some(u), Some(v_t)) = (&svd.u, &svd.v_t) else { return Default::default() };
        let (largest, smallest) = (svd.singular_values.max(), svd.singular_values.min());
        // At least one: that of the smallest.
        let null: Vec<usize> =
            (0..svd.singular_values.len()).filter(|k| svd.singular_values[*k] <= (RANK * largest).max(smallest)).collect();
        let names = |count: usize, entry: &dyn Fn(usize, usize) -> f64, name: &dyn Fn(usize) -> String| -> Vec<String> {
            let peak = |k: usize| (0..count).fold(0.0, |m: f64, j| m.max(entry(j, k).abs()));
            let peaks: Vec<(usize, f64)> = null.iter().map(|k| (*k, peak(*k))).collect();
            (0..count).filter(|i| peaks.iter().any(|(k, peak)| entry(*i, *k).abs() > INVOLVED * peak)).map(name).collect()
        };
        let unknowns = names(v_t.ncols(), &|i, k| v_t[(k, i)], &|i| self.column_name(i));
        let equations = names(u.nrows(), &|i, k| u[(i, k)], &|i| self.row_name(i));
        (unknowns, equations)
    }

    /// The unknowns that come nearest to meeting all equations, in the sense of least squares of their SI numbers, and of those the smallest. For choices
    /// with too few or too many unknowns.
    pub fn fit(&mut self, posture: &Posture, rights: &[f64], values: &mut [f64]) -> Result<Fit, ChoiceFault> {
        self.check_lengths(posture, rights, values)?;
        self.fill(posture, rights, values);
        let (height, width) = (self.height(), self.width());
        let a = self.filled_matrix()?;
        let b = DVector::from_fn(height, |i, _| self.a[i * width + width - 1]);
        if !b.iter().all(|entry| entry.is_finite()) {
            let wrong = (0..height).filter(|i| !b[*i].is_finite());
            return Err(ChoiceFault::NotFinite { equations: wrong.map(|i| self.row_name(i)).collect() });
        }
        if a.is_empty() {
            return Ok(Fit { left_over: b.norm() / (height.max(1) as f64).sqrt(), free: 0 });
        }
        let svd = a.clone().svd(true, true);
        let smallest = RANK * svd.singular_values.max();
        let rank = svd.rank(smallest);
        // Both factors were asked for, so that there is nothing to go wrong.
        let x = svd.solve(&b, smallest).unwrap_or_else(|_| DVector::zeros(width - 1));
        self.x.copy_from_slice(x.as_slice());
        self.write_back(values);
        Ok(Fit { left_over: (a * x - b).norm() / (height as f64).sqrt(), free: width - 1 - rank })
    }
}

/// Scales rows and columns to a largest entry of one.
fn scale(a: &mut DMatrix<f64>) {
    for _ in 0..SCALINGS {
        for mut row in a.row_iter_mut() {
            let largest = row.amax();
            if largest > 0.0 {
                row /= largest;
            }
        }
        for mut column in a.column_iter_mut() {
            let largest = column.amax();
            if largest > 0.0 {
                column /= largest;
            }
        }
    }
}
