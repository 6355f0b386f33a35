//! Drift of loops and guides: how far a state is from satisfying them, and the nearest state that does.
//! Not here: finding a first state (`assemble`), when to project (`movement`).
//! In: a state that drifted a little. Out: Φ and Φ̇ of all rows; coordinates and velocities with both at the floor of rounding.
//!
//!     Δq = −M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ Φ        Δv = −M⁻¹ Gᵀ (G M⁻¹ Gᵀ)⁻¹ Φ̇                              (1)
//!
//! repeated with the factors of the first state: the drift of a step is small, so that they converge as fast as fresh ones, to the floor in two or three
//! rounds. (1) is the shortest correction in the metric of the mass matrix, the one that a constraint's own impulse makes. Rows that follow from others or are released
//! take no part. A round that does not bring the largest residual down is taken back.
//!
//! Source: Lubich 1991, Impact Comput. Sci. Eng. 3:213-234 (projection keeps the order); Bayo, Ledesma 1996, Nonlinear Dyn. 9:113-130 (the metric).

use super::Articulated;
use crate::formulation::{check_lengths, check_shape};
use crate::retract::retract;
use crate::scene::Scene;
use crate::system::System;

/// Residual that is left alone, m or rad (and per s, of velocities above one): rounding of the rows of a model of human size.
const FLOOR: f64 = 1e-14;
/// Most rounds for positions, and for velocities.
const ROUNDS: usize = 4;
/// A correction above this makes the rates worth computing anew, relative to entries above one.
const MATTERS: f64 = 1e-13;

/// Memory of projection.
pub(super) struct Memory {
    pub(super) multipliers: Vec<f64>,
    pub(super) step: Vec<f64>,
    /// The state before a round.
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Memory {
    pub(super) fn new(system: &System) -> Self {
        let (coords, dofs) = (system.skeleton.coords(), system.skeleton.dofs());
        Memory { multipliers: vec![0.0; system.names.rows.len()], step: vec![0.0; dofs], q: vec![0.0; coords], v: vec![0.0; dofs] }
    }
}

impl Articulated {
    /// Φ and Φ̇ of all rows, released ones included, Φ less the offset of the control; not a number where a table is left.
    pub fn fill_drift(&mut self, system: &System, t: f64, q: &[f64], v: &[f64], position: &mut [f64], velocity: &mut [f64]) {
        if self.look_at_rows(system, t, q, v) {
            position.copy_from_slice(&self.work.rows.position);
            velocity.copy_from_slice(&self.work.rows.velocity);
        } else {
            position.fill(f64::NAN);
            velocity.fill(f64::NAN);
        }
    }

    /// Largest |Φ| and |Φ̇| of the rows that are not released.
    pub fn drift(&mut self, system: &System, t: f64, q: &[f64], v: &[f64]) -> [f64; 2] {
        if self.look_at_rows(system, t, q, v) { self.largest() } else { [f64::NAN; 2] }
    }

    /// Corrects a state by (1). True when the correction is more than rounding.
    pub fn project(&mut self, system: &System, t: f64, q: &mut [f64], v: &mut [f64]) -> bool {
        let skeleton = &system.skeleton;
        if self.work.rows.is_empty() || !self.look_at_rows(system, t, q, v) {
            return false;
        }
        let [mut position, mut velocity] = self.largest();
        let fast = |v: &[f64]| v.iter().fold(1.0f64, |most, x| most.max(x.abs()));
        let rest = FLOOR * fast(v);
        if position <= FLOOR && velocity <= rest {
            return false;
        }
        self.factor_at_rows(system, q, v);

        let mut moved = 0.0f64;
        for _ in 0..ROUNDS {
            if position <= FLOOR {
                break;
            }
            self.projection.q.copy_from_slice(q);
            let correction = self.correction(true);
            retract(skeleton, q, &self.projection.step);
            self.look_at_rows(system, t, q, v);
            let [reached, rate] = self.largest();
            if !(reached < position) {
                q.copy_from_slice(&self.projection.q);
                self.look_at_rows(system, t, q, v);
                break;
            }
            moved = moved.max(correction);
            (position, velocity) = (reached, rate);
        }
        for _ in 0..ROUNDS {
            if velocity <= rest {
                break;
            }
            self.projection.v.copy_from_slice(v);
            let correction = self.correction(false);
            v.iter_mut().zip(&self.projection.step).for_each(|(v, step)| *v += step);
            self.look_at_rows(system, t, q, v);
            let [_, reached] = self.largest();
            if !(reached < velocity) {
                v.copy_from_slice(&self.projection.v);
                break;
            }
            moved = moved.max(correction / fast(v));
            velocity = reached;
        }
        moved > MATTERS
    }

    /// The step of (1) for the residuals looked at last; its largest entry.
    fn correction(&mut self, of_positions: bool) -> f64 {
        let (work, Memory { multipliers, step, .. }) = (&mut self.work, &mut self.projection);
        let residual = if of_positions { &work.rows.position } else { &work.rows.velocity };
        multipliers.iter_mut().zip(residual).for_each(|(m, r)| *m = -r);
        work.row_system.solve(multipliers);
        step.fill(0.0);
        work.add_rows(&self.skeleton, multipliers, step);
        step.iter().fold(0.0f64, |most, x| most.max(x.abs()))
    }

    /// Kinematics and rows of a state; false where a table is left or the state or the system has another shape.
    pub(super) fn look_at_rows(&mut self, system: &System, t: f64, q: &[f64], v: &[f64]) -> bool {
        let System { skeleton, numbers, .. } = system;
        if check_shape(&self.skeleton, system).is_err() || check_lengths(system, t, q, v, v).is_err() {
            return false;
        }
        let work = &mut self.work;
        work.frames.fill::<f64, false>(skeleton, &numbers.tree, q, v, &[]);
        work.frames.fill_points(skeleton);
        let scene = Scene { skeleton, numbers, frames: &work.frames, q, v, vdot: &[], t, inside: crate::scene::Inside::NONE };
        numbers.constraints.fill(&scene, &mut work.rows);
        true
    }

    /// Largest |Φ| and |Φ̇| looked at last; what is not a number counts as infinite.
    fn largest(&self) -> [f64; 2] {
        let rows = &self.work.rows;
        let largest = |list: &[f64]| {
            let held = list.iter().enumerate().filter(|(i, _)| !rows.control().is_released(*i));
            held.fold(0.0f64, |most, (_, x)| if x.is_nan() { f64::INFINITY } else { most.max(x.abs()) })
        };
        [largest(&rows.position), largest(&rows.velocity)]
    }
}
