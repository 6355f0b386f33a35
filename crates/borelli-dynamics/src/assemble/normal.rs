//! One linear step of assembling: the shortest x with A x = −r, for rows A that may depend on each other.
//! Not here: which rows and what to do with the step (`workbench`). In: A and r. Out: x.

use borelli_math::linalg::SemiDefinite;
use nalgebra::{DMatrix, DVector, Dyn, SVD};

/// A and its normal equations.
///
///     x = −Aᵀ (A Aᵀ)⁻¹ r,   damped  −Aᵀ (A Aᵀ + μ² 1)⁻¹ r                                          (1)
///
/// by Cholesky with pivots, which sets dependent rows aside. Singular values are computed only where that leaves something open: rows that depend on each other
/// but are not met together. Source: Golub, Van Loan 2013, Matrix Computations, sections 5.3 and 5.6. Limits: (1) squares the condition of A, so that a step has half the
/// digits near a singular state; the steps after it repair this.
pub(super) struct Normal {
    A: DMatrix<f64>,
    K: DMatrix<f64>,
    /// Singular values below this part of the largest count as zero.
    rank: f64,
    solver: SemiDefinite<f64>,
    factored: bool,
    svd: Option<SVD<f64, Dyn, Dyn>>,
}

/// A row of A Aᵀ whose pivot falls below this part of its diagonal depends on the others.
const DEPENDENT: f64 = 1e-12;

impl Normal {
    pub fn new(A: DMatrix<f64>, rank: f64) -> Self {
        let K = &A * A.transpose();
        let solver = SemiDefinite::new(A.nrows());
        Normal { A, K, rank, solver, factored: false, svd: None }
    }

    /// Root of the sum of squares of all entries of A: no singular value is larger.
    pub fn scale(&self) -> f64 {
        self.K.trace().sqrt()
    }

    /// The shortest step that meets the independent rows.
    pub fn independent(&mut self, residual: &[f64]) -> Vec<f64> {
        if !self.factored {
            self.solver.factor(self.K.as_slice(), DEPENDENT);
            self.factored = true;
        }
        let mut multipliers = residual.to_vec();
        self.solver.solve(&mut multipliers);
        self.back(multipliers)
    }

    /// The damped step.
    pub fn damped(&self, residual: &[f64], damping: f64) -> Vec<f64> {
        let mut K = self.K.clone();
        for i in 0..K.nrows() {
            K[(i, i)] += damping * damping;
        }
        let mut multipliers = DVector::from_column_slice(residual);
        match K.cholesky() {
            Some(factor) => factor.solve_mut(&mut multipliers),
            None => multipliers.fill(0.0),
        }
        self.back(multipliers.as_slice().to_vec())
    }

    /// −Aᵀ λ.
    fn back(&self, multipliers: Vec<f64>) -> Vec<f64> {
        let x = self.A.tr_mul(&DVector::from_vec(multipliers));
        x.iter().map(|x| -x).collect()
    }

    fn values(&mut self) -> Option<(&SVD<f64, Dyn, Dyn>, f64)> {
        if self.svd.is_none() {
            self.svd = SVD::try_new(self.A.clone(), true, true, f64::EPSILON, 10_000);
        }
        let svd = self.svd.as_ref()?;
        let largest = svd.singular_values.max();
        (largest > 0.0).then_some((svd, self.rank * largest))
    }

    /// The shortest step to the least |A x + r|; nothing where no row is dependent, so that `independent` gives it.
    pub fn compromise(&mut self, residual: &[f64]) -> Option<Vec<f64>> {
        if self.factored && self.solver.dependent().is_empty() {
            return None;
        }
        let (svd, zero) = self.values()?;
        let (u, v_t) = (svd.u.as_ref()?, svd.v_t.as_ref()?);
        let r = DVector::from_column_slice(residual);
        let mut x = DVector::zeros(v_t.ncols());
        for (k, sigma) in svd.singular_values.iter().enumerate().filter(|(_, sigma)| **sigma > zero) {
            x.axpy(-u.column(k).dot(&r) / sigma, &v_t.row(k).transpose(), 1.0);
        }
        Some(x.as_slice().to_vec())
    }

    /// The part of `residual` that no step changes.
    pub fn outside_range(&mut self, residual: &[f64]) -> Vec<f64> {
        let mut outside = DVector::from_column_slice(residual);
        if let Some((svd, zero)) = self.values()
            && let Some(u) = &svd.u
        {
            for (k, _) in svd.singular_values.iter().enumerate().filter(|(_, sigma)| **sigma > zero) {
                let along = u.column(k).dot(&outside);
                outside.axpy(-along, &u.column(k), 1.0);
            }
        }
        outside.as_slice().to_vec()
    }
}
