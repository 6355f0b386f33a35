//! The mean over time.
//! Not here: other measures.
//! In: a series. Out: its mean by the trapezoidal rule, in its unit.

use super::{FROM, Given, Measure, Measured, Number, Rule, Series, TO};

pub(super) static MEAN: Measure =
    Measure { name: "mean", doc: "mean over time by the trapezoidal rule", fields: &[FROM, TO], rule: Rule::Series(mean) };

fn mean(series: Series, _: &Given) -> Measured {
    Ok(Number::new(series.mean_of(|value| value), series.dim))
}
