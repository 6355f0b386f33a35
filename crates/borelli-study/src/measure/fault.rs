//! Why a measure has no value.
//! Not here: whether a value is as expected.
//! In: facts. Out: code, message and hint through [`Explain`].

use super::inputs::Takes;
use borelli_model::{Dim, Explain};
use std::fmt;

/// Why a measure has no value. Each variant carries the facts; its code is its name in kebab-case.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum MeasureFault {
    /// Asked of something it is not taken of.
    WrongSubject { measure: &'static str, wanted: Takes, given: Takes },
    /// A field without a value.
    MissingField { field: &'static str },
    /// A word that is not among the choices.
    UnknownWord { field: &'static str, found: String, known: &'static [&'static str] },
    /// A number that counts nothing.
    NoCount { field: &'static str, value: f64 },
    /// More or fewer values than times.
    UnequalLengths { times: usize, values: usize },
    /// A series without values where they are wanted.
    NoSamples { from: f64, to: f64 },
    /// A time the series does not reach.
    OutsideSeries { time: f64, first: f64, last: f64 },
    /// A time beside which a value is missing.
    MissingValue { time: f64 },
    /// Fewer crossings than asked for.
    NoCrossing { level: f64, direction: &'static str, wanted: usize, found: usize },
    /// Values of different dimensions are compared.
    UnequalUnits { left: Dim, right: Dim },
    /// Fewer than two different steps.
    TooFewSteps { found: usize },
    /// A step or an error without a logarithm.
    NoLogarithm { what: &'static str, value: f64 },
    /// A ratio to zero.
    RatioToZero { numerator: f64 },
    /// A unit beyond all sense.
    AbsurdUnit { left: Dim, right: Dim },
    /// The result is no number.
    NotFinite { measure: &'static str, value: f64 },
}

use MeasureFault::*;

impl Explain for MeasureFault {
    fn code(&self) -> &'static str {
        match self {
            WrongSubject { .. } => "wrong-subject",
            MissingField { .. } => "missing-field",
            UnknownWord { .. } => "unknown-word",
            NoCount { .. } => "no-count",
            UnequalLengths { .. } => "unequal-lengths",
            NoSamples { .. } => "no-samples",
            OutsideSeries { .. } => "outside-series",
            MissingValue { .. } => "missing-value",
            NoCrossing { .. } => "no-crossing",
            UnequalUnits { .. } => "unequal-units",
            TooFewSteps { .. } => "too-few-steps",
            NoLogarithm { .. } => "no-logarithm",
            RatioToZero { .. } => "ratio-to-zero",
            AbsurdUnit { .. } => "absurd-unit",
            NotFinite { .. } => "not-finite",
        }
    }

    fn message(&self) -> String {
        match self {
            WrongSubject { measure, wanted, given } => format!("`{measure}` is taken of {}, not of {}", wanted.name(), given.name()),
            MissingField { field } => format!("`{field}` is missing"),
            UnknownWord { field, found, .. } => format!("`{field}` is `{found}`"),
            NoCount { field, value } => format!("`{field}` is {value}"),
            UnequalLengths { times, values } => format!("{values} values at {times} times"),
            NoSamples { from, to } => format!("no value from {from:?} s to {to:?} s"),
            OutsideSeries { time, first, last } => format!("{time:?} s is outside the samples from {first:?} s to {last:?} s"),
            MissingValue { time } => format!("there is no value at {time:?} s"),
            NoCrossing { level, direction, wanted, found } => {
                format!("crossing {wanted} ({direction}) of {level:?} is asked for, there are {found}")
            }
            UnequalUnits { left, right } => format!("{left} is compared with {right}"),
            TooFewSteps { found } => format!("an order needs two different steps, there are {found}"),
            NoLogarithm { what, value } => format!("the {what} {value:?} has no logarithm"),
            RatioToZero { numerator } => format!("the ratio of {numerator:?} to zero"),
            AbsurdUnit { left, right } => format!("the ratio of {left} to {right} has no sensible unit"),
            NotFinite { measure, value } => format!("`{measure}` is {value:?}"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            UnknownWord { known, .. } => Some(format!("write one of {}", known.join(", "))),
            NoCount { .. } => Some("write a whole number from 1".into()),
            NoSamples { .. } => Some("look at a part of the run in which the column has values".into()),
            OutsideSeries { .. } => Some("run longer, or narrow what is looked at with `from` and `to`".into()),
            MissingValue { .. } => Some("choose a time at which the column has a value".into()),
            NoCrossing { .. } => Some("a series that starts on the level does not cross it there; shift the level, or run longer".into()),
            NoLogarithm { .. } => Some("an error of exactly zero says nothing of an order; take larger steps".into()),
            NotFinite { .. } => Some("some value of the column is infinite or too large".into()),
            _ => None,
        }
    }
}

impl fmt::Display for MeasureFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for MeasureFault {}
