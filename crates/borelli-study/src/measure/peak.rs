//! The largest absolute value.
//! Not here: other measures.
//! In: a series. Out: its largest sample without its sign, in its unit.

use super::{FROM, Given, Measure, Measured, Number, Rule, Series, TO};

pub(super) static PEAK: Measure =
    Measure { name: "peak", doc: "largest absolute value of the samples", fields: &[FROM, TO], rule: Rule::Series(peak) };

fn peak(series: Series, _: &Given) -> Measured {
    Ok(Number::new(series.samples().map(|(_, value)| value.abs()).fold(0.0, f64::max), series.dim))
}
