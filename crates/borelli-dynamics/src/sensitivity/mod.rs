//! A movement together with the derivatives of its state by its start and by parameters.
//! Not here: what the derivatives are for (shooting, fits), the derivative of the start itself (`assemble`).
//! In: a movement, directions of the start, parameters. Out: an `Ode` whose state is (y, S₁, S₂, ...).
//!
//!     y' = f(t, y, p)        S' = ∂f/∂y S (+ ∂f/∂p)                                                 (1)
//!
//! with exact derivatives of f, all under one error control. A direction of the start begins as the derivative of the start by it; a parameter begins as the derivative of
//! the start by the parameter, zero where the start does not depend on it.
//!
//! Limits: corrections of y after a step (unit quaternions, projection) are not differentiated: they are as small as the error of the step, and the exact flow (1)
//! keeps the linearised loops and guides by itself. Methods that need a Jacobian refuse: that of (1) has second derivatives. An event that ends a run at a time that
//! depends on the start needs ∂y/∂t beside S. Source: Hairer, Nørsett, Wanner 1993, Solving ODEs I, I.14.
//! Tests: closed form of a driven oscillator; central differences of whole integrations.

use crate::formulation::{Declined, Failure};
use crate::integrate::Ode;
use crate::movement::{Layout, Movement, Of};
use crate::system::System;

/// A movement with derivatives of its state; [`Sensitivity::of`] puts it together with a system.
pub struct Sensitivity {
    movement: Movement,
    directions: usize,
    parameters: Vec<usize>,
    jac: Vec<f64>,
    dt: Vec<f64>,
    /// By parameters, of velocities and states of elements.
    slopes: Vec<f64>,
}

impl Sensitivity {
    /// Derivatives along `directions` of the start, then by parameters (by slot).
    pub fn new(system: &System, movement: Movement, directions: usize, parameters: Vec<usize>) -> Result<Self, Declined> {
        let known = system.parameters.len();
        if let Some(slot) = parameters.iter().find(|slot| **slot >= known) {
            return Err(Declined { reason: format!("there is no parameter {slot}, the system has {known}") });
        }
        if movement.is_audited() && !parameters.is_empty() {
            return Err(Declined { reason: "derivatives of audit integrals by parameters are not available".into() });
        }
        let Layout { dofs, states, .. } = movement.layout();
        let (dim, slopes) = (movement.layout().dim(), vec![0.0; (dofs + states) * parameters.len()]);
        Ok(Sensitivity { movement, directions, parameters, jac: vec![0.0; dim * dim], dt: vec![0.0; dim], slopes })
    }

    /// The movement.
    pub fn movement(&mut self) -> &mut Movement {
        &mut self.movement
    }

    /// The equation of a system.
    pub fn of<'a>(&'a mut self, system: &'a System) -> Of<'a, Sensitivity> {
        Of { system, memory: self }
    }

    /// Number of derivatives: directions, then parameters.
    pub fn columns(&self) -> usize {
        self.directions + self.parameters.len()
    }

    /// The state of a start `y` and its derivatives, one list per column; none given are zero.
    pub fn state(&self, y: &[f64], columns: &[Vec<f64>]) -> Vec<f64> {
        let mut all = y.to_vec();
        columns.iter().for_each(|column| all.extend_from_slice(column));
        all.resize(self.dim(), 0.0);
        all
    }

    /// The state of the movement.
    pub fn base<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        &y[..self.movement.layout().dim()]
    }

    /// Derivative `k` of the state of the movement.
    pub fn column<'y>(&self, y: &'y [f64], k: usize) -> &'y [f64] {
        let dim = self.movement.layout().dim();
        &y[(k + 1) * dim..][..dim]
    }

    fn dim(&self) -> usize {
        self.movement.layout().dim() * (1 + self.columns())
    }

    fn rates(&mut self, system: &System, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Failure> {
        let dim = self.movement.layout().dim();
        let (base, columns) = y.split_at(dim);
        let (base_rate, column_rates) = dy.split_at_mut(dim);
        self.movement.rates(system, t, base, base_rate)?;
        self.movement.jacobian(system, t, base, &mut self.jac, &mut self.dt)?;
        for (S, rate) in columns.chunks_exact(dim).zip(column_rates.chunks_exact_mut(dim)) {
            for (row, rate) in self.jac.chunks_exact(dim).zip(rate) {
                *rate = row.iter().zip(S).map(|(a, s)| a * s).sum();
            }
        }
        if !self.parameters.is_empty() {
            let width = self.parameters.len();
            let (slopes, first) = (&mut self.slopes, self.movement.layout().coords);
            self.movement.parameter_slopes(system, t, base, &self.parameters, slopes)?;
            for k in 0..width {
                let rate = &mut column_rates[(self.directions + k) * dim..][..dim];
                slopes.chunks_exact(width).enumerate().for_each(|(i, row)| rate[first + i] += row[k]);
            }
        }
        Ok(())
    }
}

impl Ode for Of<'_, Sensitivity> {
    fn dim(&self) -> usize {
        self.memory.dim()
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Failure> {
        self.memory.rates(self.system, t, y, dy)
    }

    fn accepted(&mut self, t: f64, y: &mut [f64]) -> bool {
        let dim = self.memory.movement.layout().dim();
        self.memory.movement.accepted(self.system, t, &mut y[..dim])
    }

    fn commit(&mut self, t: f64, y: &[f64]) {
        let Sensitivity { movement, .. } = &mut *self.memory;
        let dim = movement.layout().dim();
        movement.of(self.system).commit(t, &y[..dim]);
    }

    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.memory.movement.breakpoint_after(t)
    }
}

#[cfg(test)]
mod tests;
