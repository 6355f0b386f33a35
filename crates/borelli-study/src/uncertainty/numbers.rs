//! The numbers of a run that uncertainty looks at beside its columns.
//! Not here: measures, what is made of the numbers.

use super::definition::Sought;
use super::fault::UncertaintyFault;
use crate::expect::{CaseResult, dimension_of, number_of};
use crate::measure;
use crate::run::{Outline, Scalar};
use borelli_data::Trajectory;
use borelli_model::{Explain, Findings};

/// A number with its SI unit, or why there is none.
pub(crate) type Found = Result<(f64, String), String>;

/// Reports results that a run would not have.
pub(crate) fn check_numbers(asked: &[Sought], outline: &Outline, findings: &mut Findings) {
    // Columns of runs have good names and units.
    let Ok(table) = Trajectory::new(outline.columns.clone()) else { return };
    let case = CaseResult { name: "", trajectory: &table, scalars: &outline.scalars, failure: None };
    for own in asked {
        if let Err(fault) = dimension_of(&case, &own.subject, own.measure.and_then(measure::find), &own.options) {
            let fault = UncertaintyFault::NoNumber { result: own.name.clone(), reason: fault.message(), advice: fault.hint() };
            findings.push(own.at, "uncertainty.result", "column", &fault);
        }
    }
}

/// All numbers of a run.
pub(crate) fn numbers(asked: &[Sought], table: &Trajectory, scalars: &[Scalar]) -> Vec<Found> {
    let case = CaseResult { name: "", trajectory: table, scalars, failure: None };
    let one = |own: &Sought| {
        let found = number_of(&case, &own.subject, own.measure.and_then(measure::find), &own.options)?;
        let unit = found.dim.map_or("1".to_string(), |dim| dim.to_string());
        if found.value.is_finite() { Ok((found.value, unit)) } else { Err("it is not a finite number".into()) }
    };
    asked.iter().map(one).collect()
}
