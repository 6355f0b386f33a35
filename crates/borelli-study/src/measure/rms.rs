//! The root of the mean square over time.
//! Not here: other measures.
//! In: a series. Out: the root of the mean of its square by the trapezoidal rule, in its unit.

use super::{FROM, Given, Measure, Measured, Number, Rule, Series, TO};

pub(super) static RMS: Measure = Measure {
    name: "rms",
    doc: "root of the mean over time of the square, by the trapezoidal rule",
    fields: &[FROM, TO],
    rule: Rule::Series(rms),
};

fn rms(series: Series, _: &Given) -> Measured {
    Ok(Number::new(series.mean_of(|value| value * value).sqrt(), series.dim))
}
