//! The first value.
//! Not here: other measures.
//! In: a series. Out: its first value, in its unit.

use super::{FROM, Given, Measure, Measured, Number, Rule, Series, TO};

pub(super) static FIRST: Measure = Measure { name: "first", doc: "first value", fields: &[FROM, TO], rule: Rule::Series(first) };

fn first(series: Series, _: &Given) -> Measured {
    let value = series.samples().next().map_or(f64::NAN, |(_, value)| value);
    Ok(Number::new(value, series.dim))
}
