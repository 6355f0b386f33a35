//! What measures are given: series, numbers, points of a sweep, and the values of their fields. Plain data.
//! Not here: files, studies, names of columns.

use super::fault::MeasureFault;
use borelli_model::{Dim, Field, FieldKind, Need};

/// A quantity over time.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    /// Times, s, strictly increasing.
    pub time: &'a [f64],
    /// One value per time, SI; NaN where there is none, which every measure passes over.
    pub values: &'a [f64],
    /// Dimension of the values; nothing where it is not known.
    pub dim: Option<Dim>,
}

/// A number with its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// SI.
    pub value: f64,
    /// Nothing where it is not known.
    pub dim: Option<Dim>,
}

impl Number {
    pub(super) fn new(value: f64, dim: impl Into<Option<Dim>>) -> Number {
        Number { value, dim: dim.into() }
    }
}

/// What a measure is taken of.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// One quantity over time.
    Series(Series<'a>),
    /// Quantities over time, each with the reference it is compared with: a column of a file or of another run.
    Pairs(&'a [(Series<'a>, Series<'a>)]),
    /// Cases of a sweep: step and error.
    Points(&'a [(f64, f64)]),
    /// Two numbers, each a measure of its own.
    Numbers(Number, Number),
}

impl Subject<'_> {
    /// Which kind it is.
    pub fn takes(&self) -> Takes {
        match self {
            Subject::Series(_) => Takes::Series,
            Subject::Pairs(_) => Takes::Pairs,
            Subject::Points(_) => Takes::Points,
            Subject::Numbers(..) => Takes::Numbers,
        }
    }
}

/// The kinds of [`Subject`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// One quantity over time.
    Series,
    /// Quantities over time with their references.
    Pairs,
    /// Step and error of the cases of a sweep.
    Points,
    /// Two numbers.
    Numbers,
}

impl Takes {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Takes::Series => "a column",
            Takes::Pairs => "columns with references",
            Takes::Points => "the cases of a sweep",
            Takes::Numbers => "two numbers",
        }
    }
}

/// Everything a measure needs.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// What it is taken of.
    pub subject: Subject<'a>,
    /// Values of its fields.
    pub options: &'a Options,
}

/// Values of fields by name; numbers in SI.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    numbers: Vec<(String, f64)>,
    words: Vec<(String, String)>,
}

impl Options {
    /// None.
    pub fn new() -> Options {
        Options::default()
    }

    /// Sets a number; the last of a name counts.
    pub fn number(mut self, name: &str, value: f64) -> Options {
        self.numbers.push((name.into(), value));
        self
    }

    /// Sets a word; the last of a name counts.
    pub fn word(mut self, name: &str, word: &str) -> Options {
        self.words.push((name.into(), word.into()));
        self
    }
}

/// The values of one measure's fields: what was set, else the default its field declares.
pub struct Given<'a> {
    pub(super) fields: &'static [Field],
    pub(super) options: &'a Options,
}

fn last<'v, V>(list: &'v [(String, V)], name: &str) -> Option<&'v V> {
    list.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
}

impl Given<'_> {
    /// The number of a field; a fault where it is neither set nor has a default.
    pub fn number(&self, name: &'static str) -> Result<f64, MeasureFault> {
        let missing = MeasureFault::MissingField { field: name };
        let field = self.fields.iter().find(|field| field.name == name).ok_or(missing.clone())?;
        match (last(&self.options.numbers, name), field.need) {
            (Some(value), _) => Ok(*value),
            (None, Need::Default(value)) => Ok(value),
            (None, _) => Err(missing),
        }
    }

    /// The word of a field: one of its choices, the first unless set.
    pub fn word(&self, name: &'static str) -> Result<&'static str, MeasureFault> {
        let choices = self.fields.iter().find_map(|field| match field.kind {
            FieldKind::Choice(words) if field.name == name => Some(words),
            _ => None,
        });
        let known = choices.ok_or(MeasureFault::MissingField { field: name })?;
        match last(&self.options.words, name) {
            None => Ok(known[0]),
            Some(found) => {
                let unknown = || MeasureFault::UnknownWord { field: name, found: found.clone(), known };
                known.iter().find(|word| *word == found).copied().ok_or_else(unknown)
            }
        }
    }
}
