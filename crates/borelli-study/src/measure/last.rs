//! The last value.
//! Not here: other measures.
//! In: a series. Out: its last value, in its unit.

use super::{FROM, Given, Measure, Measured, Number, Rule, Series, TO};

pub(super) static LAST: Measure = Measure { name: "last", doc: "last value", fields: &[FROM, TO], rule: Rule::Series(last) };

fn last(series: Series, _: &Given) -> Measured {
    let value = series.samples().next_back().map_or(f64::NAN, |(_, value)| value);
    Ok(Number::new(value, series.dim))
}
