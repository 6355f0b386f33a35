//! Power of force elements and of the rows of loops and guides.
//! Not here: gravity, whose work is that of its potential; integrals over time (`movement`).
//! In: kinematics, loads and forces of rows at one instant. Out: power in W.

use crate::constraint::{RowControl, SparseJacobian};
use crate::contact::PairMemory;
use crate::force::Lines;
use crate::frames::Frames;
use crate::row_system::RowStructure;
use crate::scene::{Inside, Loads};
use crate::sight::Sight;
use crate::system::System;
use borelli_math::{Constant, Real};

/// Power of the loads of force elements.
///
///     P = Σ_bodies (n·ω + f·v) + Σ τ_j v_j                                                        (1)
pub(crate) fn element_power<S: Real>(frames: &Frames<S>, loads: &Loads<S>, v: &[S]) -> S {
    let mut power = S::ZERO;
    for b in 1..loads.force.len() {
        power += loads.moment[b].dot(frames.w[b]) + loads.force[b].dot(frames.v[b]);
    }
    for (tau, v) in loads.tau.iter().zip(v) {
        power += *tau * *v;
    }
    power
}

/// Power of rows: λᵀ G v. That of a loop vanishes but for drift, because G v = Φ̇ there; that of a guide is λ ν(t).
pub(crate) fn row_power<S: Real>(G: &SparseJacobian<S>, row_force: &[f64], v: &[S]) -> S {
    let mut power = S::ZERO;
    for (row, force) in row_force.iter().enumerate() {
        power += G.times(row, v) * *force;
    }
    power
}

/// Both powers from a state, over any scalar: for formulations that do not give them, and for their slopes.
pub(crate) struct PowerMeter<S> {
    sight: Sight<S>,
    G: SparseJacobian<S>,
}

impl<S: Real> PowerMeter<S> {
    pub(crate) fn new(system: &System) -> Self {
        let mut sight = Sight::new(system);
        sight.loads.inner.reporting = false;
        PowerMeter { sight, G: SparseJacobian::new(system, &RowStructure::new(system)) }
    }

    /// Power of elements and of rows with the given forces.
    pub(crate) fn powers(&mut self, system: &System, t: S, q: &[S], v: &[S], inside: Inside<S>, row_force: &[f64]) -> [S; 2]
    where
        f64: Constant<S>,
    {
        self.sight.look(system, t, q, v, inside, &[]);
        let Sight { frames, loads, rows, .. } = &self.sight;
        self.G.fill(&system.skeleton, frames, rows);
        [element_power(frames, loads, v), row_power(&self.G, row_force, v)]
    }

    /// What rows are asked for, and what contacts remember.
    pub(crate) fn set_control(&mut self, control: &RowControl) {
        self.sight.set_control(control);
    }

    /// Length and rate of a path over nodes of soft parts, for the looks that follow.
    pub(crate) fn give_path(&mut self, path: u32, along: [S; 2]) {
        self.sight.loads.lines.give(path, along);
    }

    /// Powers of muscles at the last state (`Inner::power`).
    pub(crate) fn muscle_powers(&self) -> [f64; 2] {
        self.sight.loads.inner.power.map(Real::value)
    }

    /// Paths at the last state.
    pub(crate) fn lines(&self) -> &Lines<S> {
        &self.sight.loads.lines
    }

    /// What pairs of surfaces do at the last state.
    pub(crate) fn pairs(&self) -> &PairMemory<S> {
        &self.sight.loads.pairs
    }
}

/// Power of rows over duals, for its slopes; those of elements follow from the slopes of their generalised forces.
pub(crate) struct RowMeter<S> {
    sight: Sight<S>,
    G: SparseJacobian<S>,
}

impl<S: Real> RowMeter<S> {
    pub(crate) fn new(system: &System) -> Self {
        RowMeter { sight: Sight::of_rows(system), G: SparseJacobian::new(system, &RowStructure::new(system)) }
    }

    /// Power of rows with the given forces.
    pub(crate) fn power(&mut self, system: &System, t: S, q: &[S], v: &[S], row_force: &[f64]) -> S
    where
        f64: Constant<S>,
    {
        self.sight.look(system, t, q, v, Inside::NONE, &[]);
        self.G.fill(&system.skeleton, &self.sight.frames, &self.sight.rows);
        row_power(&self.G, row_force, v)
    }

    /// What rows are asked for.
    pub(crate) fn set_control(&mut self, control: &RowControl) {
        self.sight.set_control(control);
    }

    /// Rate G v of each row at the last state, whose product with the row's force is its power.
    pub(crate) fn rate_of_row(&self, row: usize, v: &[S]) -> S {
        self.G.times(row, v)
    }
}
