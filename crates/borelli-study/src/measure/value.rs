//! The value at a time.
//! Not here: how values between samples are found (`series`).
//! In: a series and a time. Out: its value there, in its unit.

use super::{Given, Measure, Measured, Number, Rule, Series};
use borelli_model::{Need, Range, number};

pub(super) static VALUE: Measure = Measure {
    name: "value",
    doc: "value at a time: exact at samples, else the cubic through the four nearest",
    fields: &[number("at", "s", Range::ANY, Need::Required, "the time")],
    rule: Rule::Series(value),
};

fn value(series: Series, given: &Given) -> Measured {
    Ok(Number::new(series.at(given.number("at")?)?, series.dim))
}
