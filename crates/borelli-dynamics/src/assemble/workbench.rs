//! Rows of one system at one time, and the steps of assembling.
//! Not here: what to solve when (`assemble`), solving for one step (`normal`). In: trial states. Out: residuals, corrections, dependent rows.

use super::TOLERANCE;
use super::normal::Normal;
use crate::constraint::{Rows, fill_jacobian};
use crate::frames::Frames;
use crate::retract::retract;
use crate::scene::Scene;
use crate::system::{DofClass, System};
use borelli_math::Vec3;
use nalgebra::{DMatrix, DVector};

/// Singular values below this part of the largest count as zero.
const RANK: f64 = 1e-10;
/// The same for velocities: at a limit of the motion, found to half the digits only, no velocity beyond all measure is taken for a solution.
const RANK_OF_RATES: f64 = 1e-6;
/// A row whose part at right angles to the rows before is smaller than this part of it depends on them.
const DEPENDENT: f64 = 1e-7;
/// Most steps of the position solver from one start; half of it with more than `LARGE` rows.
const STEPS: usize = 200;
/// Rows from which on a system is large: fewer steps and starts are tried.
pub(super) const LARGE: usize = 100;

/// Memory for trials.
pub(super) struct Workbench<'a> {
    pub system: &'a System,
    pub rows: Rows<f64>,
    t: f64,
    frames: Frames<f64>,
    /// Row-major, rows x degrees of freedom.
    G: Vec<f64>,
    /// Largest distance of a body from the world origin, of a place from its body, or residual of a length, at the first state looked at, m.
    size: f64,
    tolerance: f64,
}

impl<'a> Workbench<'a> {
    pub fn new(system: &'a System, t: f64) -> Self {
        let constraints = &system.numbers.constraints;
        let rows = Rows::new(system.names.rows.len(), constraints.entries());
        let G = vec![0.0; rows.len() * system.skeleton.dofs()];
        Workbench { system, rows, t, frames: Frames::new(&system.skeleton), G, size: 0.0, tolerance: 0.0 }
    }

    /// Fills frames, rows and G at a state; accelerations are zero. A released row is empty: no slope, nothing to be met.
    pub fn look(&mut self, q: &[f64], v: &[f64]) {
        let (skeleton, numbers) = (&self.system.skeleton, &self.system.numbers);
        self.frames.fill::<f64, false>(skeleton, &numbers.tree, q, v, &[]);
        self.frames.fill_points(skeleton);
        let scene = Scene { skeleton, numbers, frames: &self.frames, q, v, vdot: &[], t: self.t, inside: crate::scene::Inside::NONE };
        numbers.constraints.fill(&scene, &mut self.rows);
        for row in 0..self.rows.len() {
            if self.rows.control().is_released(row) {
                (self.rows.position[row], self.rows.velocity[row]) = (0.0, 0.0);
            }
        }
        fill_jacobian(skeleton, &self.frames, &self.rows, &mut self.G);
        if self.size == 0.0 {
            let places = self.frames.p.iter().chain(&numbers.tree.place_p).map(|p| p.norm()).fold(0.0, f64::max);
            self.size = places.max(self.largest_gap());
            self.tolerance = TOLERANCE * largest(&self.rows.position).min(f64::MAX).max(self.size).max(1.0);
        }
    }

    /// Position residual that counts as met: [`TOLERANCE`] of the size of the model or of the largest residual at the first state looked at.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
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

    /// Φ̇ of all rows per unit of degree of freedom `dof`.
    pub fn column(&self, dof: usize) -> Vec<f64> {
        let dofs = self.system.skeleton.dofs();
        (0..self.rows.len()).map(|i| self.G[i * dofs + dof]).collect()
    }

    /// The columns of G that may move.
    fn columns(&self, moving: &[usize]) -> DMatrix<f64> {
        let dofs = self.system.skeleton.dofs();
        DMatrix::from_fn(self.rows.len(), moving.len(), |i, j| self.G[i * dofs + moving[j]])
    }

    pub fn finite_columns(&self, moving: &[usize]) -> Option<DMatrix<f64>> {
        let A = self.columns(moving);
        (!A.is_empty() && A.iter().all(|x| x.is_finite())).then_some(A)
    }

    /// Moves `q` to a least residual; returns the steps taken. Looks at the last state.
    ///
    /// Rows on coordinates alone are linear and met first, whatever the distance. A step on the rest is shortened (see [`Workbench::shorten`]), so that the
    /// nearest branch is kept; it counts when |Φ| falls. Where it does not, the damped equations follow.
    pub fn solve_positions(&mut self, q: &mut Vec<f64>, moving: &[usize]) -> usize {
        let still = vec![0.0; self.system.skeleton.dofs()];
        self.look(q, &still);
        let mut steps = usize::from(self.meet_linear_rows(q, moving));
        let mut norm = length(&self.rows.position);
        let mut damping = 0.0;
        let most = if self.rows.len() > LARGE { STEPS / 2 } else { STEPS };
        while steps < most && norm > 0.0 {
            let Some(A) = self.finite_columns(moving) else { break };
            let mut normal = Normal::new(A, RANK);
            let residual = self.rows.position.clone();
            let scale = normal.scale();
            let mut better = None;
            for _ in 0..12 {
                let first = if damping > 0.0 { normal.damped(&residual, damping) } else { normal.independent(&residual) };
                better = self.advance(q, moving, &first, norm);
                if better.is_none() && damping == 0.0 {
                    better = normal.compromise(&residual).and_then(|correction| self.advance(q, moving, &correction, norm));
                }
                if better.is_some() {
                    break;
                }
                damping = if damping == 0.0 { 1e-3 * scale } else { 10.0 * damping };
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
            damping = if damping > 1e-6 * scale { 0.1 * damping } else { 0.0 };
        }
        steps
    }

    /// Takes a shortened step; the state reached and its |Φ| when that is less than `norm`. Looks at the last trial.
    fn advance(&mut self, q: &[f64], moving: &[usize], correction: &[f64], norm: f64) -> Option<(Vec<f64>, f64)> {
        let skeleton = &self.system.skeleton;
        let still = vec![0.0; skeleton.dofs()];
        let mut whole = still.clone();
        moving.iter().zip(correction).for_each(|(dof, x)| whole[*dof] = *x);
        let (turning, displacing) = self.shorten(&whole);
        let smaller = turning.min(displacing);
        // Displacements enter most rows linearly: whole where that gets far, else by their own factor, else all alike.
        for (factors, enough) in [((turning, 1.0), 0.5 * norm), ((turning, displacing), 0.5 * norm), ((smaller, smaller), norm)] {
            if enough < norm && factors.1 == smaller && factors.0 == smaller {
                continue;
            }
            let scaled = |(x, class): (&f64, &DofClass)| x * if *class == DofClass::Slide { factors.1 } else { factors.0 };
            let step: Vec<f64> = whole.iter().zip(&skeleton.class).map(scaled).collect();
            let mut trial = q.to_vec();
            retract(skeleton, &mut trial, &step);
            self.look(&trial, &still);
            let reached = length(&self.rows.position);
            if reached < enough {
                return Some((trial, reached));
            }
        }
        None
    }

    /// Meets the rows that are linear in the coordinates: guides of coordinates and relations. True when it moved. Looks at the last state.
    fn meet_linear_rows(&mut self, q: &mut [f64], moving: &[usize]) -> bool {
        let zero = |v: &[Vec3<f64>; 2]| v[0] == Vec3::ZERO && v[1] == Vec3::ZERO;
        let linear = |i: &usize| zero(&self.rows.force[*i]) && zero(&self.rows.moment[*i]) && !self.rows.control().is_released(*i);
        let linear: Vec<usize> = (0..self.rows.len()).filter(linear).collect();
        let Some(A) = self.finite_columns(moving) else { return false };
        let open = |bench: &Self| linear.iter().map(|i| bench.rows.position[*i]).collect::<Vec<f64>>();
        if linear.is_empty() || !(length(&open(self)) > 0.0) || open(self).iter().any(|x| !x.is_finite()) {
            return false;
        }
        let still = vec![0.0; self.system.skeleton.dofs()];
        let mut normal = Normal::new(A.select_rows(&linear), RANK);
        // The second correction only removes rounding.
        for _ in 0..2 {
            let correction = normal.independent(&open(self));
            let mut step = still.clone();
            moving.iter().zip(&correction).for_each(|(dof, x)| step[*dof] = *x);
            retract(&self.system.skeleton, q, &step);
            self.look(q, &still);
        }
        true
    }

    /// Changes `v` as little as possible so that all rates vanish. Looks at the last state.
    pub fn solve_velocities(&mut self, q: &[f64], v: &mut [f64], moving: &[usize]) {
        self.look(q, v);
        let Some(A) = self.finite_columns(moving) else { return };
        let mut normal = Normal::new(A, RANK_OF_RATES);
        // The second and third correction only remove rounding.
        for _ in 0..3 {
            if self.largest_velocity() == 0.0 {
                return;
            }
            let (before, open) = ((self.largest_velocity(), v.to_vec()), self.rows.velocity.clone());
            let mut falls = |correction: Vec<f64>| {
                v.copy_from_slice(&before.1);
                moving.iter().zip(&correction).for_each(|(dof, x)| v[*dof] += x);
                self.look(q, v);
                self.largest_velocity() < before.0
            };
            let fell = falls(normal.independent(&open)) || normal.compromise(&open).is_some_and(&mut falls);
            if !fell {
                v.copy_from_slice(&before.1);
                self.look(q, v);
                return;
            }
        }
    }

    /// Factors that shorten the turns of a step to 0.5 rad, and its displacements to half the size of the model or the largest residual of a length, whichever
    /// is more: a turn of more than that can lead to another branch, a displacement no longer than the gap cannot.
    fn shorten(&self, step: &[f64]) -> (f64, f64) {
        let reach = (0.5 * self.size).max(self.largest_gap()).max(1e-3);
        step.iter().zip(&self.system.skeleton.class).fold((1.0f64, 1.0f64), |(turning, displacing), (x, class)| {
            if *class == DofClass::Slide { (turning, displacing.min(reach / x.abs())) } else { (turning.min(0.5 / x.abs()), displacing) }
        })
    }

    /// Largest residual of a row that is a length, m.
    fn largest_gap(&self) -> f64 {
        let lengths = self.rows.force.iter().zip(&self.rows.position).filter(|(force, _)| force.iter().any(|f| *f != Vec3::ZERO));
        lengths.map(|(_, x)| x.abs()).filter(|x| x.is_finite()).fold(0.0, f64::max)
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
        self.finite_columns(moving).map_or_else(|| residual.to_vec(), |A| Normal::new(A, RANK).outside_range(residual))
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
                    if along != 0.0 {
                        row.axpy(-along, b, 1.0);
                    }
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

/// Largest absolute value.
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
