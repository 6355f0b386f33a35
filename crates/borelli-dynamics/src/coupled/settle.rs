//! A start at which soft parts already carry what they will carry: no ringing in the first steps.
//! Not here: rest without motion (`rest`).
//! In: a state of the tree. Out: the state moved by what the soft parts give way, with their positions and multipliers.
//!
//! Unstrained soft parts push nothing, so that a run begins with a blow: bodies fall into their soft parts and ring at their frequency. The slow
//! motion that users mean has the soft parts strained as the forces of the motion demand, and no acceleration that would strain them further.
//! With H the inverse mass matrix under the rows of loops and guides, and the stiffness K = Jᵀ C' J of the soft parts on the coordinates, the
//! stiff directions Z are the eigenvectors of H K with eigenvalues ω² above `STIFF` of the largest. The start is moved by δ = Z η such that
//! the force of the soft parts changes at a steady rate in these directions,
//!
//!     Zᵀ Jᵀ d/dt (C' J v) = Zᵀ Jᵀ [C' J v̇(δ) + d(C' J)/dt v] = 0                                  (1)
//!
//! with the accelerations v̇ that follow from soft parts at rest under the moved bodies. The second part is a difference along the motion (`GLANCE`):
//! the centripetal acceleration of a joint is in it. Newton's method on η; v̇ is linear in the push. What is neglected is the turning of a steady force
//! with its bodies, about (turning rate / stiff frequency)² of it.

use super::{CoupledMovement, Split};
use crate::formulation::Failure;
use crate::integrate::{Motion, Trouble};
use crate::movement::Of;
use borelli_soft::problem::{Following, Statuses};
use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// Directions whose ω² is above this part of the largest are stiff.
const STIFF: f64 = 1e-6;
/// The search ends when accelerations in stiff directions are below this part of gravity's.
const STILL: f64 = 1e-9;
/// Time to either side at which the stiffness of the soft parts is looked at, s.
const GLANCE: f64 = 1e-4;
/// Most iterations.
const MOST: usize = 30;

impl Of<'_, CoupledMovement> {
    /// Moves a start (q, x, v, ẋ, z) to one at which soft parts carry the forces of the motion; their multipliers are remembered for the run.
    pub fn settle(&mut self, t: f64, y: &mut [f64]) -> Result<(), Trouble> {
        let Split { coords, dofs, nodes } = self.split();
        let columns = self.memory.carriers.entries();
        let (mut q, mut x) = (y[..coords].to_vec(), y[coords..coords + nodes].to_vec());
        let v = y[coords + nodes..coords + nodes + dofs].to_vec();
        let z = y[coords + 2 * nodes + dofs..][..self.memory.skeleton.extent.states].to_vec();
        let mut lambda = self.memory.kept.clone();
        for _ in 0..MOST {
            self.relax(t, &q, &v, &mut x, &mut lambda)?;
            let stiffness = DMatrix::from_row_slice(columns, columns, self.memory.problem.condensed_stiffness());
            let jacobian = DMatrix::from_row_slice(columns, dofs, self.memory.carriers.jacobian());
            let on_coordinates = jacobian.transpose() * &stiffness * &jacobian;
            let mut push = DVector::zeros(dofs);
            self.memory.carriers.add_force(self.memory.problem.wrench(), push.as_mut_slice());
            push.neg_mut();
            let [ahead, behind] = [GLANCE, -GLANCE].map(|time| self.rate_of_wrench(t, time, &q, &v, &x, &lambda));
            let bias = (ahead? - behind?) / (2.0 * GLANCE);
            let state = [&v[..], &z].concat();
            let vdot = self.pushed(t, &q, &state, push.as_slice())?;
            // H, column by column: accelerations are linear in the push.
            let mut H = DMatrix::zeros(dofs, dofs);
            for k in 0..dofs {
                let mut more = push.clone();
                more[k] += 1.0;
                H.set_column(k, &(self.pushed(t, &q, &state, more.as_slice())? - &vdot));
            }
            let Z = stiff_directions(&H, &on_coordinates);
            if Z.ncols() == 0 {
                break;
            }
            let left = Z.transpose() * jacobian.transpose();
            let open = &left * (&stiffness * &jacobian * &vdot + bias);
            let slope = -(&left * &stiffness * &jacobian * &H * &on_coordinates * &Z);
            let Some(eta) = slope.lu().solve(&open) else { break };
            let delta = &Z * eta;
            // Unit of the left side: acceleration times stiffness along the unit directions of Z.
            let small = STILL * 9.81 * (&left * &stiffness).abs().max().max(f64::MIN_POSITIVE);
            if open.abs().max() <= small {
                break;
            }
            q.iter_mut().zip(delta.iter()).for_each(|(q, d)| *q -= d);
        }
        self.relax(t, &q, &v, &mut x, &mut lambda)?;
        self.memory.kept.copy_from_slice(&lambda);
        self.memory.multipliers.copy_from_slice(&lambda);
        self.memory.problem.keep();
        y[..coords].copy_from_slice(&q);
        y[coords..coords + nodes].copy_from_slice(&x);
        self.memory.carriers.fill(self.system, &q, &v);
        for k in 0..nodes / 2 {
            let at = [x[2 * k], x[2 * k + 1]];
            let along = self.memory.carriers.velocity(self.memory.problem.carrier_of(k), at);
            y[coords + nodes + dofs + 2 * k..][..2].copy_from_slice(&along);
        }
        Ok(())
    }

    /// C' J v a time later, every body moved on at its speed and its soft parts with it.
    fn rate_of_wrench(&mut self, t: f64, later: f64, q: &[f64], v: &[f64], x: &[f64], lambda: &[f64]) -> Result<DVector<f64>, Trouble> {
        let Split { dofs, nodes, .. } = self.split();
        let (columns, rows) = (self.memory.carriers.entries(), self.memory.active.len());
        self.memory.carriers.fill(self.system, q, v);
        let before = self.memory.carriers.poses().to_vec();
        let step: Vec<f64> = v.iter().map(|v| later * v).collect();
        let mut moved = q.to_vec();
        crate::retract::retract(&self.memory.skeleton, &mut moved, &step);
        self.memory.carriers.fill(self.system, &moved, v);
        let mut carried = vec![0.0; nodes];
        self.memory.problem.carry(&before, self.memory.carriers.poses(), x, &mut carried);
        let at = [&moved[..], &carried].concat();
        let still = vec![0.0; dofs + nodes + self.memory.skeleton.extent.states];
        let all = [&vec![0.0; rows][..], lambda].concat();
        let mut speeds = still.clone();
        speeds[..dofs].copy_from_slice(v);
        self.look(t, Motion { q: &at, v: &speeds, a: &still }, &all, Some(Following::default()), Statuses::Same, 1.0)?;
        self.memory.problem.factor().map_err(Failure::from)?;
        let stiffness = DMatrix::from_row_slice(columns, columns, self.memory.problem.condensed_stiffness());
        let mut rate = DVector::zeros(columns);
        self.memory.carriers.changes(v, rate.as_mut_slice());
        Ok(stiffness * rate)
    }

    /// Accelerations of the tree under a push along its coordinates.
    fn pushed(&mut self, t: f64, q: &[f64], state: &[f64], push: &[f64]) -> Result<DVector<f64>, Trouble> {
        let (system, memory) = (self.system, &mut *self.memory);
        let (dofs, rows) = (memory.skeleton.dofs(), memory.active.len());
        let (mut vdot, mut lambda) = (vec![0.0; state.len()], vec![0.0; rows]);
        memory.open.forward_pushed(system, t, q, state, push, &mut vdot, &mut lambda, |_| {})?;
        vdot.truncate(dofs);
        Ok(DVector::from_vec(vdot))
    }
}

/// Eigenvectors of H K with large eigenvalues, by the symmetric matrix √H K √H.
fn stiff_directions(H: &DMatrix<f64>, K: &DMatrix<f64>) -> DMatrix<f64> {
    let mass = SymmetricEigen::new((H + H.transpose()).scale(0.5));
    let roots = DMatrix::from_diagonal(&mass.eigenvalues.map(|value| value.max(0.0).sqrt()));
    let root = &mass.eigenvectors * roots * mass.eigenvectors.transpose();
    let inner = SymmetricEigen::new(&root * (K + K.transpose()).scale(0.5) * &root);
    let most = inner.eigenvalues.max();
    let chosen: Vec<_> = (0..inner.eigenvalues.len())
        .filter(|k| most > 0.0 && inner.eigenvalues[*k] > STIFF * most)
        .map(|k| &root * inner.eigenvectors.column(k))
        .collect();
    if chosen.is_empty() { DMatrix::zeros(H.nrows(), 0) } else { DMatrix::from_columns(&chosen) }
}
