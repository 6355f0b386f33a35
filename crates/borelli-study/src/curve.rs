//! Columns of a table as functions of time: through all samples by a spline, or at the samples only.
//! Not here: what the columns mean.
//! In: a `Trajectory`, the name of a column, the unit it must have. Out: a value at a time, or what is wrong with the column.

use crate::plan::Derivatives;
use crate::plan_fault::PlanFault;
use borelli_data::Trajectory;
use borelli_math::function::{Interpolation, Outside, Table};
use borelli_model::parse_unit;

/// A column over time.
#[derive(Clone, Debug)]
pub(crate) enum Curve {
    /// A not-a-knot cubic or natural quintic spline.
    Spline(Table),
    /// Values at times, and nothing between.
    Samples {
        /// Times, s.
        time: Vec<f64>,
        /// Values.
        values: Vec<f64>,
    },
}

impl Curve {
    /// A column, or what is wrong with it. A table that is still empty gives a curve without values.
    pub(crate) fn new(table: &Trajectory, column: &str, unit: &'static str, derivatives: Derivatives) -> Result<Curve, PlanFault> {
        let values = values(table, column, unit)?.to_vec();
        let time = table.time().to_vec();
        if derivatives == Derivatives::Exact || time.is_empty() {
            return Ok(Curve::Samples { time, values });
        }
        let interpolation = if derivatives == Derivatives::Quintic { Interpolation::Quintic } else { Interpolation::Spline };
        let spline = Table::new(time, values, interpolation, Outside::Error);
        let cause = |fault: String| fault.lines().next().unwrap_or_default().to_string();
        spline.map(Curve::Spline).map_err(|fault| PlanFault::MotionValues { column: column.into(), cause: cause(fault.to_string()) })
    }

    /// Value and two derivatives; samples have a value only, and only at their times.
    pub(crate) fn jet(&self, t: f64) -> [f64; 3] {
        match self {
            Curve::Spline(spline) => {
                let [value, slope, second, _] = spline.derivatives(t);
                [value, slope, second]
            }
            Curve::Samples { time, values } => {
                let sample = time.partition_point(|known| *known < t);
                let there = time.get(sample).is_some_and(|known| *known == t);
                [if there { values[sample] } else { f64::NAN }, f64::NAN, f64::NAN]
            }
        }
    }
}

/// The values of a column, if it is there, in this unit and without gaps.
fn values<'t>(table: &'t Trajectory, column: &str, expected: &'static str) -> Result<&'t [f64], PlanFault> {
    let Some(values) = table.column(column) else { return Err(PlanFault::MotionColumn { column: column.into() }) };
    let unit = table.columns().iter().find(|own| own.name == column).and_then(|own| own.unit.as_deref());
    let dim = |unit: &str| parse_unit(unit).ok().map(|(_, dim)| dim);
    if let Some(unit) = unit.filter(|unit| dim(unit) != dim(expected)) {
        return Err(PlanFault::MotionUnit { column: column.into(), unit: unit.into(), expected });
    }
    match values.iter().position(|value| !value.is_finite()) {
        Some(gap) => Err(PlanFault::MotionGap { column: column.into(), time: table.time()[gap] }),
        None => Ok(values),
    }
}
