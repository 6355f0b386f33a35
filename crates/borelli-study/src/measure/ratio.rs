//! The ratio of two numbers.
//! Not here: where they come from; each is a measure of its own.
//! In: two numbers. Out: their quotient, in the quotient of their units.

use super::{Measure, MeasureFault, Measured, Number, Rule};

pub(super) static RATIO: Measure = Measure { name: "ratio", doc: "quotient of two measures", fields: &[], rule: Rule::Numbers(ratio) };

fn ratio(above: Number, below: Number) -> Measured {
    if below.value == 0.0 {
        return Err(MeasureFault::RatioToZero { numerator: above.value });
    }
    let dim = match (above.dim, below.dim) {
        (Some(left), Some(right)) => Some(left.over(right).ok_or(MeasureFault::AbsurdUnit { left, right })?),
        _ => None,
    };
    Ok(Number::new(above.value / below.value, dim))
}
