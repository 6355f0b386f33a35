//! Rows let go by events, and held again at the place where they are then.
//! Not here: which event does so and when (`events`), what a row that is held asks for (`RowControl` of the engine).
//! In: rows and a state. Out: the memory of a run; why a row cannot be held.
//!
//! A row that is held takes its rate Φ̇ to zero at once, which is an impact unless it is zero already: the impulse would be −(G M⁻¹ Gᵀ)⁻¹ Φ̇ for parts that
//! stick, and anything else for parts that bounce or slip. No such law is assumed; what is left of a rate below the limit is drift like any other.

use super::EndState;
use borelli_dynamics::constraint::RowControl;
use borelli_dynamics::formulation::articulated::Articulated;
use borelli_dynamics::memory::Hold;
use borelli_dynamics::{Memory, System};

/// A row that cannot be held without an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TooFast {
    /// Which.
    pub row: usize,
    /// Its rate, m/s or rad/s.
    pub rate: f64,
}

/// Lets rows go; where they were held is forgotten.
pub(super) fn release(memory: &mut Memory, rows: &[usize]) {
    rows.iter().for_each(|row| memory.rows[*row] = Hold::LetGo);
}

/// Holds those of the rows that are not held, where they are at this state, or none of them: the fastest one that is faster than the limit.
pub(super) fn engage(
    system: &System,
    memory: &mut Memory,
    rows: &[usize],
    limit: f64,
    t: f64,
    q: &[f64],
    v: &[f64],
) -> Result<(), TooFast> {
    let (mut position, mut rate) = (vec![0.0; memory.rows.len()], vec![0.0; memory.rows.len()]);
    Articulated::new(system).fill_drift(system, t, q, v, &mut position, &mut rate);
    let free: Vec<usize> = rows.iter().copied().filter(|row| memory.is_released(*row)).collect();
    let fastest = free.iter().copied().max_by(|a, b| rate[*a].abs().total_cmp(&rate[*b].abs()));
    if let Some(row) = fastest.filter(|row| !(rate[*row].abs() <= limit)) {
        return Err(TooFast { row, rate: rate[row] });
    }
    free.into_iter().for_each(|row| memory.rows[row] = Hold::At(position[row]));
    Ok(())
}

impl EndState {
    /// What rows are asked for where this run ended, without control of drift.
    pub(super) fn row_control(&self) -> RowControl {
        RowControl::of(self.memory.clone())
    }
}
