//! States of first order that come to rest with the coordinates, taken out of the equations.
//! Not here: the search.
//! In: tangents at rest, how many of the states settle. Out: forces and stiffness with states that follow, the change of states by a step.
//!
//! With ż = f and the slopes R_z, f_q, f_z at one place,
//!
//!     Δz = −f_z⁻¹ (f + f_q Δ)        R' = R − R_z f_z⁻¹ f        K' = K − R_z f_z⁻¹ f_q                      (1)
//!
//! K' is the stiffness against displacements that are slow enough for the states to follow: a Maxwell element has none. A state that nothing changes (f_z = 0)
//! stays as it is, and is named where its rate is not zero.

use crate::integrate::Tangents;
use nalgebra::{DMatrix, DVector};

/// A rate is zero where it would change a state by less than this part of the states (at least 1), and a slope where it is less than this part of the largest.
const RESTING: f64 = 1e-9;

/// Slopes of states that settle.
pub(super) struct Settled {
    /// −f_z⁻¹ f and −f_z⁻¹ f_q.
    by_itself: DVector<f64>,
    by_q: DMatrix<f64>,
    /// R_z.
    effect: DMatrix<f64>,
    /// The first state whose rate no change of states takes away, and that rate.
    pub(super) moving: Option<(usize, f64)>,
}

impl Settled {
    /// Of the first `count` states at `z`, behind `n` coordinates.
    pub(super) fn new(tangents: &Tangents, n: usize, count: usize, z: &[f64]) -> Self {
        let all = tangents.force.len();
        // What is left of ż − f at rest is −f. Rows are divided by their size: states have many units.
        let mut A = DMatrix::from_fn(count, count, |i, j| -tangents.by_v[(n + i) * all + n + j]);
        let mut right = DMatrix::from_fn(count, n + 1, |i, j| if j < n { -tangents.by_q[(n + i) * n + j] } else { -tangents.force[n + i] });
        let scale: Vec<f64> = A.row_iter().map(|row| row.amax()).collect();
        for (i, scale) in scale.iter().enumerate().filter(|(_, scale)| **scale > 0.0) {
            A.row_mut(i).unscale_mut(*scale);
            right.row_mut(i).unscale_mut(*scale);
        }
        let zeros = || DMatrix::zeros(count, n + 1);
        let answer = if count == 0 { zeros() } else { -A.clone().svd(true, true).solve(&right, RESTING).unwrap_or_else(|_| zeros()) };
        let left = right.column(n) + &A * answer.column(n);
        let size = z.iter().fold(1.0_f64, |most, z| most.max(z.abs()));
        let rate = |i: usize| left[i] * if scale[i] > 0.0 { scale[i] } else { 1.0 };
        let moves = |i: &usize| if scale[*i] > 0.0 { left[*i].abs() > RESTING * size } else { left[*i] != 0.0 };
        Settled {
            moving: (0..count).find(moves).map(|i| (i, rate(i))),
            by_itself: answer.column(n).into_owned(),
            by_q: answer.columns(0, n).into_owned(),
            effect: DMatrix::from_fn(n, count, |i, j| tangents.by_v[i * all + n + j]),
        }
    }

    /// R' of (1).
    pub(super) fn force(&self, force: &[f64]) -> DVector<f64> {
        DVector::from_column_slice(force) + &self.effect * &self.by_itself
    }

    /// K' of (1).
    pub(super) fn stiffness(&self, stiffness: DMatrix<f64>) -> DMatrix<f64> {
        stiffness + &self.effect * &self.by_q
    }

    /// The change of states that goes with a step.
    pub(super) fn change(&self, step: &DVector<f64>) -> Vec<f64> {
        (&self.by_itself + &self.by_q * step).as_slice().to_vec()
    }
}
