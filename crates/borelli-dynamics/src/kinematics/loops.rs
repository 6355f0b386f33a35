//! Loops in a search for a pose: rows that every pose must satisfy, and the shortest way back to them.
//! Not here: the rows themselves (`constraint`), the step down along them (`solver`).
//! In: `Frames` at a pose. Out: residuals, their slopes by degree of freedom, corrections.

use crate::constraint::{RowControl, RowKind, Rows, fill_jacobian};
use crate::frames::Frames;
use crate::memory::Memory;
use crate::scene::Scene;
use crate::system::System;
use borelli_math::linalg::SemiDefinite;

/// Rows whose pivot falls below this share follow from others.
const DEPENDENT: f64 = 1e-10;

/// Rows of loops, and of guides where they are asked for.
#[derive(Clone, Debug)]
pub(super) struct Loops {
    rows: Rows<f64>,
    /// Rows that are kept.
    held: Vec<usize>,
    /// Slopes of all rows, by rows.
    slopes: Vec<f64>,
    /// Multiplier of each row that is kept.
    pub multiplier: Vec<f64>,
    /// The same for the way back onto the rows.
    closing: Vec<f64>,
    /// Solutions for the slopes of each row that is kept.
    solved: Vec<f64>,
    schur: Vec<f64>,
    factor: SemiDefinite<f64>,
    /// Rows are not looked at for now.
    pub ignored: bool,
}

impl Loops {
    pub(super) fn new(system: &System, guides: bool) -> Self {
        let names = &system.names.rows;
        let held: Vec<usize> = (0..names.len()).filter(|k| guides || names[*k].kind == RowKind::Loop).collect();
        let mut rows = Rows::new(names.len(), system.numbers.constraints.entries());
        if held.len() < names.len() {
            let released: Vec<bool> = (0..names.len()).map(|k| !held.contains(&k)).collect();
            rows.set_control(&RowControl::of(Memory::letting_go(&released)));
        }
        let (dofs, n) = (system.skeleton.dofs(), held.len());
        Loops {
            slopes: vec![0.0; names.len() * dofs],
            multiplier: vec![0.0; n],
            closing: vec![0.0; n],
            solved: vec![0.0; n * dofs],
            schur: vec![0.0; n * n],
            factor: SemiDefinite::new(n),
            rows,
            held,
            ignored: false,
        }
    }

    /// True when no row is to be kept.
    pub(super) fn is_empty(&self) -> bool {
        self.ignored || self.held.is_empty()
    }

    /// Looks at the pose of `frames`.
    pub(super) fn look(&mut self, system: &System, frames: &Frames<f64>, t: f64, q: &[f64], still: &[f64]) {
        let System { skeleton, numbers, .. } = system;
        numbers
            .constraints
            .fill(&Scene { skeleton, numbers, frames, q, v: still, vdot: &[], t, inside: crate::scene::Inside::NONE }, &mut self.rows);
        fill_jacobian(skeleton, frames, &self.rows, &mut self.slopes);
    }

    /// True when a row speaks of a degree of freedom by its coordinate, so that whole turns of it count.
    pub(super) fn counts_turns(&self, dof: usize) -> bool {
        !self.is_empty() && self.rows.on_dofs.iter().any(|(_, on, coefficient)| *on as usize == dof && *coefficient != 0.0)
    }

    /// Largest residual, m or rad; infinite where one is not finite.
    pub(super) fn largest(&self) -> f64 {
        let residual = |row: &usize| self.rows.position[*row].abs();
        self.held.iter().map(residual).fold(0.0, |most, x| if x.is_finite() { most.max(x) } else { f64::INFINITY })
    }

    /// Slopes of each row that is kept, by degree of freedom.
    pub(super) fn each(&self, dofs: usize) -> impl Iterator<Item = &[f64]> {
        self.held.iter().map(move |row| &self.slopes[row * dofs..(row + 1) * dofs])
    }

    /// The smallest step of the movable degrees of freedom that closes all rows to first order.
    pub(super) fn correction(&mut self, movable: &[bool], step: &mut [f64]) {
        let (n, dofs) = (self.held.len(), movable.len());
        let row = |k: usize| &self.slopes[self.held[k] * dofs..(self.held[k] + 1) * dofs];
        for i in 0..n {
            for j in 0..=i {
                let both = row(i).iter().zip(row(j)).zip(movable).filter(|(_, movable)| **movable);
                let product = both.map(|((a, b), _)| a * b).sum();
                (self.schur[i * n + j], self.schur[j * n + i]) = (product, product);
            }
            self.closing[i] = self.rows.position[self.held[i]];
        }
        self.factor.factor(&self.schur, DEPENDENT);
        self.factor.solve(&mut self.closing);
        step.fill(0.0);
        for k in 0..n {
            let multiplier = self.closing[k];
            let row = &self.slopes[self.held[k] * dofs..(self.held[k] + 1) * dofs];
            for ((x, slope), _) in step.iter_mut().zip(row).zip(movable).filter(|(_, movable)| **movable) {
                *x -= multiplier * slope;
            }
        }
    }

    /// Changes `x`, the solution of K x = b, so that it keeps to the rows: A x = −A_p δ_p, with δ_p what `step` already holds for others than `free`.
    ///
    /// `solve` solves with K in place. The multipliers are kept.
    pub(super) fn constrain(&mut self, free: &[usize], dofs: usize, step: &[f64], x: &mut [f64], mut solve: impl FnMut(&mut [f64])) {
        let (n, m) = (self.held.len(), free.len());
        for k in 0..n {
            let row = &self.slopes[self.held[k] * dofs..(self.held[k] + 1) * dofs];
            let solved = &mut self.solved[k * m..(k + 1) * m];
            for (y, dof) in solved.iter_mut().zip(free) {
                *y = row[*dof];
            }
            // What the step does that is given already; free entries of it count as zero.
            let given: f64 = row.iter().zip(step).map(|(a, x)| a * x).sum();
            self.multiplier[k] = given + free.iter().zip(&*x).map(|(dof, x)| row[*dof] * x).sum::<f64>();
            solve(solved);
        }
        for i in 0..n {
            let row = &self.slopes[self.held[i] * dofs..(self.held[i] + 1) * dofs];
            for j in 0..n {
                let solved = &self.solved[j * m..(j + 1) * m];
                self.schur[i * n + j] = free.iter().zip(solved).map(|(dof, y)| row[*dof] * y).sum();
            }
        }
        self.factor.factor(&self.schur, DEPENDENT);
        self.factor.solve(&mut self.multiplier);
        for k in 0..n {
            let solved = &self.solved[k * m..(k + 1) * m];
            for (x, y) in x.iter_mut().zip(solved) {
                *x -= self.multiplier[k] * y;
            }
        }
    }
}
