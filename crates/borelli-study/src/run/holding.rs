//! Which rows hold during a run, and where: let go by events, held again at the place where they are then.
//! Not here: which event does so and when (`events`), what a row that is held asks for (`RowControl` of the engine).
//! In: rows and a state. Out: two lists for the engine; why a row cannot be held.
//!
//! A row that is held takes its rate Φ̇ to zero at once, which is an impact unless it is zero already: the impulse would be −(G M⁻¹ Gᵀ)⁻¹ Φ̇ for parts that
//! stick, and anything else for parts that bounce or slip. No such law is assumed; what is left of a rate below the limit is drift like any other.

use super::EndState;
use borelli_dynamics::System;
use borelli_dynamics::constraint::RowControl;
use borelli_dynamics::formulation::articulated::Articulated;

/// What holds at one instant of a run.
pub(super) struct Holding<'s> {
    system: &'s System,
    /// Rows that are not held, by row.
    pub released: Vec<bool>,
    /// Φ at which each row is held; zero for those that are not.
    pub offset: Vec<f64>,
    /// Speed of the first touch of each pair of surfaces, m/s; zero where none is remembered, negative where it is held open.
    pub impact_speed: Vec<f64>,
}

/// A row that cannot be held without an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TooFast {
    /// Which.
    pub row: usize,
    /// Its rate, m/s or rad/s.
    pub rate: f64,
}

impl<'s> Holding<'s> {
    /// As a run begins.
    pub(super) fn new(system: &'s System, begin: &EndState) -> Holding<'s> {
        Holding { system, released: begin.released.clone(), offset: begin.offset.clone(), impact_speed: begin.impact_speed.clone() }
    }

    /// Lets rows go; where they were held is forgotten.
    pub(super) fn release(&mut self, rows: &[usize]) {
        rows.iter().for_each(|row| (self.released[*row], self.offset[*row]) = (true, 0.0));
    }

    /// Holds those of the rows that are not held, where they are at this state, or none of them: the fastest one that is faster than the limit.
    pub(super) fn engage(&mut self, rows: &[usize], limit: f64, t: f64, q: &[f64], v: &[f64]) -> Result<(), TooFast> {
        let (mut position, mut rate) = (vec![0.0; self.offset.len()], vec![0.0; self.offset.len()]);
        Articulated::new(self.system).fill_drift(t, q, v, &mut position, &mut rate);
        let free: Vec<usize> = rows.iter().copied().filter(|row| self.released[*row]).collect();
        let fastest = free.iter().copied().max_by(|a, b| rate[*a].abs().total_cmp(&rate[*b].abs()));
        if let Some(row) = fastest.filter(|row| !(rate[*row].abs() <= limit)) {
            return Err(TooFast { row, rate: rate[row] });
        }
        free.into_iter().for_each(|row| (self.released[row], self.offset[row]) = (false, position[row]));
        Ok(())
    }
}

impl EndState {
    /// What rows are asked for where this run ended, without control of drift.
    pub(super) fn row_control(&self) -> RowControl {
        RowControl {
            released: self.released.clone(),
            offset: self.offset.clone(),
            impact_speed: self.impact_speed.clone(),
            ..RowControl::default()
        }
    }
}
