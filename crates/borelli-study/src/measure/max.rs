//! The largest value.
//! Not here: other measures.
//! In: a series. Out: its largest sample, in its unit.

use super::{FROM, Given, Measure, Measured, Number, Rule, Series, TO};

pub(super) static MAX: Measure =
    Measure { name: "max", doc: "largest sample; nothing is interpolated", fields: &[FROM, TO], rule: Rule::Series(max) };

fn max(series: Series, _: &Given) -> Measured {
    Ok(Number::new(series.samples().map(|(_, value)| value).fold(f64::NEG_INFINITY, f64::max), series.dim))
}
