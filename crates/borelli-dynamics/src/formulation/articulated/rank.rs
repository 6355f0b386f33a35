//! How near a state is to a singular position, where rows of loops and guides come to follow from each other, and how far from what they ask.
//! Not here: who looks, and what becomes of it.
//! In: a state. Out: what is left of each row; distances in the metric of the mass matrix.
//!
//!     d_Φ² = Φᵀ A⁻¹ Φ        d_Φ̇² = Φ̇ᵀ A⁻¹ Φ̇        A = G M⁻¹ Gᵀ                                            (1)
//!
//! are the lengths of the corrections that `project` makes. An error e of a row weighs e/σ where only σ is left of it: the same gap that means
//! nothing elsewhere decides near a singular position on which branch a mechanism goes on.

use super::{Articulated, Kernel};
use crate::system::System;
use borelli_math::Sym3;

/// A state beside its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowDistance {
    /// Length of the shortest step to where the rows are met, √kg m.
    pub position: f64,
    /// The same of velocities, √kg m/s.
    pub velocity: f64,
    /// Length of the velocities themselves: twice the kinetic energy is its square.
    pub speed: f64,
}

impl Articulated {
    /// What elimination leaves of each row, from 0 to 1: zero for rows that follow from others. False where the state cannot be looked at.
    pub fn fill_row_strength(&mut self, system: &System, t: f64, q: &[f64], v: &[f64], strength: &mut [f64]) -> bool {
        if !self.look_at_rows(system, t, q, v) {
            return false;
        }
        self.factor_at_rows(system, q, v);
        for (row, strength) in strength.iter_mut().enumerate() {
            *strength = self.work.row_system.strength(row);
        }
        true
    }

    /// Whether a row counts as following from others, at this strength.
    pub fn is_dependent(strength: f64) -> bool {
        strength <= crate::row_system::RANK
    }

    /// How far the state that was looked at last by `fill_row_strength` is from its rows.
    pub fn row_distance(&mut self, system: &System) -> RowDistance {
        let mut length = [0.0; 2];
        for (length, of_positions) in length.iter_mut().zip([true, false]) {
            let residual = if of_positions { &self.work.rows.position } else { &self.work.rows.velocity };
            self.projection.multipliers.copy_from_slice(residual);
            self.work.row_system.solve(&mut self.projection.multipliers);
            let square: f64 = residual.iter().zip(&self.projection.multipliers).map(|(r, m)| r * m).sum();
            *length = square.max(0.0).sqrt();
        }
        RowDistance { position: length[0], velocity: length[1], speed: (2.0 * self.kinetic_energy(system, |_| true)).max(0.0).sqrt() }
    }

    /// Kinetic energy of the bodies that count at the state that was looked at last by `fill_row_strength`, J.
    pub fn kinetic_energy(&self, system: &System, counts: impl Fn(usize) -> bool) -> f64 {
        let (frames, tree) = (&self.work.frames, &system.numbers.tree);
        let mut twice = 0.0;
        for b in (1..tree.mass.len()).filter(|b| counts(*b)) {
            let (w, v, mc) = (frames.w[b], frames.v[b], frames.R[b] * tree.mc_B[b]);
            let spin = Sym3::rotated(&frames.R[b], &tree.I_Bo_B[b]) * w + mc.cross(v);
            twice += v.dot(v.scale(tree.mass[b]) + w.cross(mc)) + w.dot(spin);
        }
        0.5 * twice
    }

    /// Factors of the mass matrix and of A at the state whose rows were looked at.
    pub(super) fn factor_at_rows(&mut self, system: &System, q: &[f64], v: &[f64]) {
        let System { skeleton, numbers, .. } = system;
        let work = &mut self.work;
        match &mut work.kernel {
            Kernel::Planar(kernel) => kernel.fill(skeleton, &numbers.tree, q, v),
            Kernel::Spatial(kernel) => kernel.fill_inertia(skeleton, &numbers.tree, &work.frames),
        }
        // The accelerations are not used.
        work.tau.fill(0.0);
        work.kernel.factor_and_solve(skeleton, &work.frames, &work.tau, &mut self.projection.step);
        work.factor_rows(skeleton, &numbers.tree);
    }
}
