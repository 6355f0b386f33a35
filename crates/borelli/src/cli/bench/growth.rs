//! Time of one operation as a model grows.
//! Not here: the models, the clock, tables of lines.
//! In: systems of growing size with states of each. Out: times, the exponent of their growth.

use super::clock::Timing;
use super::subject::{self, Operation, Unmeasured};
use borelli_dynamics::System;
use borelli_study::states::State;

/// An operation at all sizes.
pub struct Line {
    /// What it is called.
    pub name: String,
    /// Shortest time of a call at each size, s; or why there is none.
    pub found: Result<Vec<f64>, String>,
    /// Witness of the results at the largest.
    pub checksum: f64,
}

impl Line {
    /// Times an operation.
    pub fn of(systems: &[(System, Vec<State>)], operation: Operation) -> Line {
        let mut line = Line { name: operation.name(), found: Ok(Vec::new()), checksum: 0.0 };
        for (system, states) in systems {
            match subject::time(system, operation, states, 1) {
                Ok(measured) => {
                    line.checksum = measured.checksum;
                    if let Ok(times) = &mut line.found {
                        times.push(Timing::best(&measured.timing));
                    }
                }
                Err(Unmeasured::Declined(reason)) => line.found = Err(reason),
                Err(Unmeasured::Failed(failure)) => line.found = Err(failure.to_string()),
            }
        }
        line
    }

    /// Slope of ln time over ln size, from the first to the last.
    pub fn exponent(&self, sizes: &[f64]) -> Option<f64> {
        let growth = |list: &[f64]| Some((list.last()? / list.first()?).ln());
        Some(growth(self.found.as_ref().ok()?)? / growth(sizes)?)
    }
}
