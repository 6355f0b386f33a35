//! The order of a method: how errors fall with the step.
//! Not here: sweeps, and what the error is.
//! In: step and error of each case. Out: the slope of ln |error| over ln step by least squares, a pure number.

use super::{Measure, MeasureFault, Measured, Number, Rule};
use borelli_model::Dim;

pub(super) static ORDER: Measure =
    Measure { name: "order", doc: "slope of ln |error| over ln step through the cases of a sweep", fields: &[], rule: Rule::Points(order) };

fn order(points: &[(f64, f64)]) -> Measured {
    let logarithm = |what: &'static str, value: f64| {
        if value > 0.0 && value.is_finite() { Ok(value.ln()) } else { Err(MeasureFault::NoLogarithm { what, value }) }
    };
    let logs = points
        .iter()
        .map(|(step, error)| Ok((logarithm("step", *step)?, logarithm("error", error.abs())?)))
        .collect::<Result<Vec<(f64, f64)>, MeasureFault>>()?;
    let mut steps: Vec<f64> = points.iter().map(|(step, _)| *step).collect();
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    if steps.len() < 2 {
        return Err(MeasureFault::TooFewSteps { found: steps.len() });
    }
    let n = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), (a, b)| (x + a / n, y + b / n));
    let (xx, xy) = logs.iter().fold((0.0, 0.0), |(xx, xy), (a, b)| (xx + (a - x) * (a - x), xy + (a - x) * (b - y)));
    Ok(Number::new(xy / xx, Dim::NONE))
}
