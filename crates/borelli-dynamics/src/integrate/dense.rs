//! Solves with small full matrices, for equations to own: Newton's corrections of implicit schemes, and shifted slopes of rates.
//! Not here: the equations; structure of any sort.
//! In: slopes, row by row. Out: solutions in place. Memory is sized once.
//!
//! Newton's matrix is factored as
//!
//!     [ M + (b/a) D + (c/a) K T   −Gᵀ ] [ Δw   ]   [ −R/a ]
//!     [ G T                        0  ] [ Δλ/a ] = [ −Φ/c ]                                                   (1)
//!
//! whose rows are divided so that the matrix has a limit for steps towards zero (Bottasso, Bauchau, Cardona 2007, SIAM J. Sci. Comput.
//! 29:397-414); it is the same for all three unknowns of a scheme.

use super::drive::finite;
use super::failure::Trouble;
use super::lu::Lu;
use super::residual::{Linearised, Trial, Weights};

/// R and Φ with their slopes; matrices row by row.
#[derive(Clone, Debug)]
pub struct Tangents {
    /// R, N or N m, then what is left of the rates of states.
    pub force: Vec<f64>,
    /// Φ, m or rad.
    pub position: Vec<f64>,
    /// ∂R/∂q at given λ, (dofs + states) × dofs.
    pub by_q: Vec<f64>,
    /// ∂R/∂v, (dofs + states) × (dofs + states).
    pub by_v: Vec<f64>,
    /// ∂R/∂a, the mass matrix and behind it ones, (dofs + states) × (dofs + states).
    pub by_a: Vec<f64>,
    /// ∂Φ/∂q, rows × dofs.
    pub G: Vec<f64>,
    /// −∂R/∂λ, transposed, rows × dofs: what a unit multiplier does. Equal to `G` where Φ = 0.
    pub effect: Vec<f64>,
}

impl Tangents {
    /// Memory for equations without states.
    pub fn new(dofs: usize, rows: usize) -> Self {
        Tangents::with_states(dofs, 0, rows)
    }

    /// Memory.
    pub fn with_states(dofs: usize, states: usize, rows: usize) -> Self {
        let all = dofs + states;
        let (square, flat) = (|| vec![0.0; all * all], || vec![0.0; rows * dofs]);
        Tangents {
            force: vec![0.0; all],
            position: vec![0.0; rows],
            by_q: vec![0.0; all * dofs],
            by_v: square(),
            by_a: square(),
            G: flat(),
            effect: flat(),
        }
    }
}

/// The solve of a `Residual` whose slopes are full matrices.
pub struct DenseNewton {
    /// R, Φ and their slopes, for the equation to fill before `factor`.
    pub tangents: Tangents,
    dofs: usize,
    lu: Lu,
    /// Right side of (1), then its solution.
    x: Vec<f64>,
    /// Weight of accelerations at the last trial.
    a: f64,
}

impl DenseNewton {
    /// Memory.
    pub fn new(dofs: usize, states: usize, rows: usize) -> Self {
        let size = dofs + states + rows;
        DenseNewton { tangents: Tangents::with_states(dofs, states, rows), dofs, lu: Lu::new(size), x: vec![0.0; size], a: 1.0 }
    }

    /// Factors (1) at a trial at which `tangents` were filled. `active` says which rows take part. `through_retraction` turns slopes by a
    /// further step taken at the end of a retraction into slopes by the retraction's own step (its first argument): it multiplies each row of a
    /// matrix, of length `dofs`, with T.
    pub fn factor(
        &mut self,
        trial: &Trial,
        active: impl Fn(usize) -> bool,
        through_retraction: impl Fn(&[f64], &mut [f64]),
    ) -> Result<Linearised, Trouble> {
        let report = self.load(trial, &active)?;
        let tangents = &mut self.tangents;
        let (n, all, m) = (self.dofs, tangents.force.len(), tangents.position.len());
        let Weights { a, b, c } = trial.weights;
        through_retraction(trial.step, &mut tangents.by_q);
        through_retraction(trial.step, &mut tangents.G);
        let (size, damping, stiffness) = (all + m, b / a, c / a);
        let matrix = self.lu.matrix();
        matrix.fill(0.0);
        for i in 0..all {
            let row = &mut matrix[i * size..][..all];
            for j in 0..all {
                row[j] = tangents.by_a[i * all + j] + damping * tangents.by_v[i * all + j];
            }
            for j in 0..n {
                row[j] += stiffness * tangents.by_q[i * n + j];
            }
        }
        for r in 0..m {
            if active(r) {
                for i in 0..n {
                    matrix[i * size + all + r] = -tangents.effect[r * n + i];
                    matrix[(all + r) * size + i] = tangents.G[r * n + i];
                }
            } else {
                matrix[(all + r) * size + all + r] = 1.0;
            }
        }
        match self.lu.decompose() {
            Err(Trouble::Singular { entry }) if entry >= all => Err(Trouble::SingularRow { row: entry - all }),
            done => done.map(|()| report),
        }
    }

    /// Takes the right side from `tangents` at a trial, to be solved with the factors there are.
    pub fn load(&mut self, trial: &Trial, active: impl Fn(usize) -> bool) -> Result<Linearised, Trouble> {
        let tangents = &self.tangents;
        let report = Linearised::of(&tangents.force, &tangents.position, &active)?;
        let (all, Weights { a, c, .. }) = (tangents.force.len(), trial.weights);
        for (x, force) in self.x.iter_mut().zip(&tangents.force) {
            *x = -force / a;
        }
        for (r, gap) in tangents.position.iter().enumerate() {
            self.x[all + r] = if active(r) { -gap / c } else { -trial.lambda[r] / a };
        }
        self.a = a;
        Ok(report)
    }

    /// Writes the correction at the trial of the last `factor` or `load`; once for each.
    pub fn solve(&mut self, correction: &mut [f64], multipliers: &mut [f64]) {
        self.lu.solve(&mut self.x);
        let (w, lambda) = self.x.split_at(correction.len());
        correction.copy_from_slice(w);
        for (out, x) in multipliers.iter_mut().zip(lambda) {
            *out = self.a * x;
        }
    }
}

/// Slopes J of rates by the state as a full matrix, and solves with shift · 1 − J, for an `Ode` to own.
#[derive(Default)]
pub struct DenseSlopes {
    jac: Vec<f64>,
    lu: Lu,
}

impl DenseSlopes {
    /// Memory for states of a length; without it (`default`) memory is taken when slopes are first asked for.
    pub fn new(dim: usize) -> Self {
        DenseSlopes { jac: vec![0.0; dim * dim], lu: Lu::new(dim) }
    }

    /// Memory of J, row by row, to be filled.
    pub fn matrix(&mut self, dim: usize) -> &mut [f64] {
        if self.jac.len() != dim * dim {
            *self = DenseSlopes::new(dim);
        }
        &mut self.jac
    }

    /// Whether all of J is finite; else the first row that is not.
    pub fn check(&self, dim: usize) -> Result<(), Trouble> {
        for (entry, row) in self.jac.chunks_exact(dim.max(1)).enumerate() {
            finite(row).map_err(|_| Trouble::NotFinite { entry })?;
        }
        Ok(())
    }

    /// Factors `shift` · 1 − J.
    pub fn factor(&mut self, shift: f64) -> Result<(), Trouble> {
        self.lu.factor(shift, &self.jac)
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        self.lu.solve(x);
    }
}
