//! The smallest value.
//! Not here: other measures.
//! In: a series. Out: its smallest sample, in its unit.

use super::{FROM, Given, Measure, Measured, Number, Rule, Series, TO};

pub(super) static MIN: Measure =
    Measure { name: "min", doc: "smallest sample; nothing is interpolated", fields: &[FROM, TO], rule: Rule::Series(min) };

fn min(series: Series, _: &Given) -> Measured {
    Ok(Number::new(series.samples().map(|(_, value)| value).fold(f64::INFINITY, f64::min), series.dim))
}
