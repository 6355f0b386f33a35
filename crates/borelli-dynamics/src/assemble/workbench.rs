//! Rows of one system at one time, and the small dense solves of assembling.
//! Not here: what to solve when (`assemble`). In: trial states. Out: residuals, corrections, dependent rows.

use crate::constraint::{Rows, fill_jacobian};
use crate::frames::Frames;
use crate::retract::retract;
use crate::scene::Scene;
use crate::system::{DofClass, System};
use nalgebra::{DMatrix, DVector, Dyn, SVD};

/// Singular values below this part of the largest count as zero.
const RANK: f64 = 1e-10;
/// The same for velocities: at a limit of the motion, found to half the digits only, no velocity beyond all measure is taken for a solution.
const RANK_OF_RATES: f64 = 1e-6;
/// A row whose part at right angles to the rows before is smaller than this part of it depends on them.
const DEPENDENT: f64 = 1e-7;
/// Most steps of the position solver from one start.
const STEPS: usize = 200;

/// Memory for trials.
pub(super) struct Workbench<'a> {
    pub system: &'a System,
    pub rows: Rows<f64>,
    t: f64,
    frames: Frames<f64>,
    /// Row-major, rows x degrees of freedom.
    G: Vec<f64>,
    size: f64,
}

impl<'a> Workbench<'a> {
    pub fn new(system: &'a System, t: f64) -> Self {
        let constraints = &system.numbers.constraints;
        let rows = Rows::new(system.names.rows.len(), constraints.entries());
        let G = vec![0.0; rows.len() * system.skeleton.dofs()];
        Workbench { system, rows, t, frames: Frames::new(&system.skeleton), G, size: 0.0 }
    }

    /// Fills frames, rows and G at a state; accelerations are zero.
    pub fn look(&mut self, q: &[f64], v: &[f64]) {
        let (skeleton, numbers) = (&self.system.skeleton, &self.system.numbers);
        self.frames.fill::<f64, false>(skeleton, &numbers.tree, q, v, &[]);
        self.frames.fill_points(skeleton);
        let scene = Scene { skeleton, numbers, frames: &self.frames, q, v, vdot: &[], t: self.t };
        numbers.constraints.fill(&scene, &mut self.rows);
        fill_jacobian(skeleton, &self.frames, &self.rows, &mut self.G);
        if self.size == 0.0 {
            self.size = self.frames.p.iter().map(|p| p.norm()).chain(numbers.tree.place_p.iter().map(|p| p.norm())).fold(0.0, f64::max);
        }
    }

    /// Largest distance of a body from the world origin, or of a place from its body, at the first state looked at, m.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Poses at the state looked at.
    pub fn frames(&self) -> &Frames<f64> {
        &self.frames
    }

    pub fn largest_position(&self) -> f64 {
        largest(&self.rows.position)
    }

    pub fn largest_velocity(&self) -> f64 {
        largest(&self.rows.velocity)
    }

    /// The columns of G that may move.
    fn columns(&self, moving: &[usize]) -> DMatrix<f64> {
        let dofs = self.system.skeleton.dofs();
        DMatrix::from_fn(self.rows.len(), moving.len(), |i, j| self.G[i * dofs + moving[j]])
    }

    fn factor(&self, moving: &[usize]) -> Option<Factor> {
        let A = self.columns(moving);
        if A.is_empty() || A.iter().any(|x| !x.is_finite()) {
            return None;
        }
        let svd = SVD::try_new(A, true, true, f64::EPSILON, 10_000)?;
        let largest = svd.singular_values.max();
        (largest > 0.0).then_some(Factor { svd, largest })
    }

    /// Moves `q` to a least residual; returns the steps taken. Looks at the last state.
    pub fn solve_positions(&mut self, q: &mut Vec<f64>, moving: &[usize]) -> usize {
        let still = vec![0.0; self.system.skeleton.dofs()];
        let mut step = still.clone();
        self.look(q, &still);
        let mut norm = length(&self.rows.position);
        let (mut damping, mut steps) = (0.0, 0);
        while steps < STEPS && norm > 0.0 {
            let Some(factor) = self.factor(moving) else { break };
            let residual = DVector::from_column_slice(&self.rows.position);
            let mut better = None;
            for _ in 0..12 {
                let correction = factor.correction(&residual, damping, RANK);
                step.fill(0.0);
                moving.iter().zip(correction.iter()).for_each(|(dof, x)| step[*dof] = *x);
                self.limit(&mut step);
                let mut trial = q.clone();
                retract(&self.system.skeleton, &mut trial, &step);
                self.look(&trial, &still);
                let reached = length(&self.rows.position);
                if reached < norm {
                    better = Some((trial, reached));
                    break;
                }
                damping = if damping == 0.0 { 1e-3 * factor.largest } else { 10.0 * damping };
            }
            steps += 1;
            let Some((trial, reached)) = better else {
                self.look(q, &still);
                break;
            };
            *q = trial;
            let slow = norm - reached < 1e-9 * norm;
            norm = reached;
            if slow {
                break;
            }
            damping = if damping > 1e-6 * factor.largest { 0.1 * damping } else { 0.0 };
        }
        steps
    }

    /// Changes `v` as little as possible so that all rates vanish. Looks at the last state.
    pub fn solve_velocities(&mut self, q: &[f64], v: &mut [f64], moving: &[usize]) {
        self.look(q, v);
        // The second and third correction only remove rounding.
        for _ in 0..3 {
            let Some(factor) = self.factor(moving) else { return };
            let correction = factor.correction(&DVector::from_column_slice(&self.rows.velocity), 0.0, RANK_OF_RATES);
            let before = (self.largest_velocity(), v.to_vec());
            moving.iter().zip(correction.iter()).for_each(|(dof, x)| v[*dof] += x);
            self.look(q, v);
            if self.largest_velocity() >= before.0 {
                v.copy_from_slice(&before.1);
                self.look(q, v);
                return;
            }
        }
    }

    /// Shortens a step to at most 0.5 rad in a turn and half the size of the model in a displacement.
    fn limit(&self, step: &mut [f64]) {
        let skeleton = &self.system.skeleton;
        let half = 0.5 * self.size.max(1e-3);
        let factor = step.iter().zip(&skeleton.class).fold(1.0f64, |factor, (x, class)| {
            let most = if *class == DofClass::Slide { half } else { 0.5 };
            factor.min(most / x.abs())
        });
        step.iter_mut().for_each(|x| *x *= factor);
    }

    /// Moves the coordinates to start number `start` around them: up to `reach` rad in a turn, `reach` sizes of the model in a displacement.
    pub fn kick(&self, q: &mut [f64], moving: &[usize], start: usize, reach: f64) {
        let skeleton = &self.system.skeleton;
        let mut step = vec![0.0; skeleton.dofs()];
        for dof in moving {
            let unit = if skeleton.class[*dof] == DofClass::Slide { self.size.max(1e-3) } else { 1.0 };
            step[*dof] = reach * unit * scatter(start, *dof);
        }
        retract(skeleton, q, &step);
    }

    /// The part of a residual that no motion changes here: at right angles to the range of A.
    pub fn outside_range(&self, moving: &[usize], residual: &[f64]) -> Vec<f64> {
        let mut outside = DVector::from_column_slice(residual);
        if let Some(Factor { svd, largest }) = self.factor(moving)
            && let Some(u) = &svd.u
        {
            for (k, sigma) in svd.singular_values.iter().enumerate() {
                if *sigma > RANK * largest {
                    let along = u.column(k).dot(&outside);
                    outside.axpy(-along, &u.column(k), 1.0);
                }
            }
        }
        outside.as_slice().to_vec()
    }

    /// Rows of G that follow from the rows before them.
    pub fn dependent_rows(&self) -> Vec<usize> {
        let dofs = self.system.skeleton.dofs();
        let mut basis: Vec<DVector<f64>> = Vec::new();
        let mut dependent = Vec::new();
        for i in 0..self.rows.len() {
            let mut row = DVector::from_column_slice(&self.G[i * dofs..(i + 1) * dofs]);
            let whole = row.norm();
            // Twice, so that rounding of the first pass is removed too.
            for _ in 0..2 {
                for b in &basis {
                    let along = b.dot(&row);
                    row.axpy(-along, b, 1.0);
                }
            }
            let rest = row.norm();
            if rest > DEPENDENT * whole && whole > 1e-14 {
                basis.push(row / rest);
            } else {
                dependent.push(i);
            }
        }
        dependent
    }

    /// Moving degrees of freedom that the rows determine, chosen one after the other by the largest part of their column that is still open.
    pub fn determined(&self, moving: &[usize]) -> Vec<usize> {
        let mut A = self.columns(moving);
        let largest = A.column_iter().map(|c| c.norm()).fold(0.0, f64::max);
        let mut chosen = Vec::new();
        for _ in 0..A.nrows().min(A.ncols()) {
            let norms: Vec<f64> = A.column_iter().map(|c| c.norm()).collect();
            let best = (0..norms.len()).fold(0, |best, j| if norms[j] > norms[best] { j } else { best });
            if norms[best] <= 1e-8 * largest {
                break;
            }
            chosen.push(moving[best]);
            let e = A.column(best) / norms[best];
            for mut column in A.column_iter_mut() {
                let along = e.dot(&column);
                column.axpy(-along, &e, 1.0);
            }
        }
        chosen.sort_unstable();
        chosen
    }

    /// Sign of the determinant of the given columns and the rows independent of those before; 0 when the block is singular or not square.
    pub fn orientation(&self, columns: &[usize]) -> i8 {
        let dependent = self.dependent_rows();
        let rows: Vec<usize> = (0..self.rows.len()).filter(|row| !dependent.contains(row)).collect();
        if rows.len() != columns.len() || rows.is_empty() {
            return 0;
        }
        let dofs = self.system.skeleton.dofs();
        let block = DMatrix::from_fn(rows.len(), columns.len(), |i, j| self.G[rows[i] * dofs + columns[j]]);
        let scale: f64 = block.row_iter().map(|row| row.norm()).product();
        let determinant = block.determinant();
        if determinant.abs() <= RANK * scale { 0 } else { determinant.signum() as i8 }
    }
}

/// Singular values and vectors of A.
struct Factor {
    svd: SVD<f64, Dyn, Dyn>,
    largest: f64,
}

impl Factor {
    /// Equation (1) of the module's head.
    fn correction(&self, residual: &DVector<f64>, damping: f64, rank: f64) -> DVector<f64> {
        let (Some(u), Some(v_t)) = (&self.svd.u, &self.svd.v_t) else { return DVector::zeros(0) };
        let mut correction = DVector::zeros(v_t.ncols());
        for (k, sigma) in self.svd.singular_values.iter().enumerate() {
            if *sigma > rank * self.largest {
                let along = u.column(k).dot(residual) * sigma / (sigma * sigma + damping * damping);
                correction.axpy(-along, &v_t.row(k).transpose(), 1.0);
            }
        }
        correction
    }
}

fn largest(list: &[f64]) -> f64 {
    // A number that is not finite must not pass for a small one.
    list.iter().fold(0.0f64, |most, x| if x.is_finite() { most.max(x.abs()) } else { f64::INFINITY })
}

fn length(list: &[f64]) -> f64 {
    list.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// A fixed sequence of numbers between -1 and 1 for each degree of freedom: scrambled counters (SplitMix64, Steele et al. 2014).
fn scatter(start: usize, dof: usize) -> f64 {
    let z = ((start as u64) << 32 | dof as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}
