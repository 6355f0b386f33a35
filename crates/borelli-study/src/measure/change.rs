//! The change from the first value to the last.
//! Not here: other measures.
//! In: a series. Out: its last value less its first, in its unit.

use super::{FROM, Given, Measure, Measured, Number, Rule, Series, TO};

pub(super) static CHANGE: Measure =
    Measure { name: "change", doc: "last value less the first", fields: &[FROM, TO], rule: Rule::Series(change) };

fn change(series: Series, _: &Given) -> Measured {
    let ends = (series.samples().next(), series.samples().next_back());
    let value = if let (Some((_, first)), Some((_, last))) = ends { last - first } else { f64::NAN };
    Ok(Number::new(value, series.dim))
}
