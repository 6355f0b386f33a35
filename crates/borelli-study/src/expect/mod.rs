//! Expectations: what must come out of a study, and whether it did.
//! Not here: reading them from a file (`read`), running (`run`), printing.
//! In: expectations and the results of all cases. Out: one `Judgement` per expectation and case.

mod check;
mod fault;
mod judge;
mod subject;
#[cfg(test)]
mod tests;

pub use check::{check, expects_failure};
pub use fault::SubjectFault;
pub use judge::{Judgement, absent_reference, judge};

pub(crate) use check::dimension_of;
pub(crate) use judge::number_of;

use crate::run::Scalar;
use borelli_data::Trajectory;
use borelli_model::{Data, Dim, Quantity, Span, Value, parse_quantity, parse_unit, split_quantity};

/// A number as it is written: expectations are judged and shown in the unit of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount {
    /// The number before its unit.
    pub number: f64,
    /// The unit as it is written; nothing for a bare number, which is SI.
    pub unit: Option<String>,
    /// Factor of the unit to SI.
    pub factor: f64,
    /// Dimension of the unit; nothing for a bare number.
    pub dim: Option<Dim>,
}

impl Amount {
    /// A value of a file as an amount; nothing where it is none.
    pub fn of(value: &Value) -> Option<Amount> {
        match &value.data {
            Data::Number(number) => Some(Amount { number: *number, unit: None, factor: 1.0, dim: None }),
            Data::Text(text) => {
                let (number, unit) = split_quantity(text).ok()?;
                let (factor, dim) = parse_unit(unit).ok()?;
                let unit = if unit.is_empty() { "1" } else { unit };
                Some(Amount { number: number.parse().ok()?, unit: Some(unit.to_string()), factor, dim: Some(dim) })
            }
            _ => None,
        }
    }

    /// In SI.
    pub fn si(&self) -> f64 {
        self.number * self.factor
    }

    /// The number in another unit, given by its factor to SI; the same digits where the units are the same.
    pub fn in_unit(&self, factor: f64) -> f64 {
        if self.factor == factor { self.number } else { self.si() / factor }
    }
}

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// A column, or a number of the whole run.
    Column(String),
    /// Several columns.
    Columns(Vec<String>),
    /// A formula over columns.
    Formula(String),
}

/// What something is compared with. What is not given is the same as on the other side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Against {
    /// Another case.
    pub case: Option<String>,
    /// Another study, by name.
    pub study: Option<String>,
    /// Other columns or another formula.
    pub subject: Option<Subject>,
    /// A table below the reference folder.
    pub file: Option<String>,
    /// Columns of that table; empty: the same names.
    pub file_columns: Vec<String>,
    /// Samples per second of that table where its times are rounded, Hz.
    pub file_rate: Option<f64>,
    /// A number.
    pub value: Option<Amount>,
}

/// From which side the expected value is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// |computed - expected| is at most the tolerance.
    Within,
    /// computed is at least expected - tolerance.
    AtLeast,
    /// computed is at most expected + tolerance.
    AtMost,
}

impl Bound {
    /// Whether a computed value is as expected.
    pub fn met(self, expected: f64, tolerance: f64, computed: f64) -> bool {
        let above = computed - expected;
        match self {
            Bound::Within => above.abs() <= tolerance,
            Bound::AtLeast => above >= -tolerance,
            Bound::AtMost => above <= tolerance,
        }
    }

    /// What stands before the expected value in a table.
    pub fn sign(self) -> &'static str {
        match self {
            Bound::Within => "",
            Bound::AtLeast => "≥ ",
            Bound::AtMost => "≤ ",
        }
    }
}

/// The value of a field of a measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// A number; where the field's unit is that of the column, its dimension is checked against it.
    Number(Quantity),
    /// A word.
    Word(&'static str),
}

/// A field of a measure with its value.
pub type Chosen = (&'static str, Choice);

/// One expectation.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// In words.
    pub quantity: String,
    /// What is measured.
    pub subject: Subject,
    /// Cases that are judged, one after the other (by an `order`: together); empty: the only one, or all for an `order`.
    pub cases: Vec<String>,
    /// Name of the measure; nothing for a number of the whole run.
    pub measure: Option<&'static str>,
    /// Name of the measure of each side of a ratio, or of each case of an order.
    pub of: Option<&'static str>,
    /// Swept path that is the step of an order.
    pub over: Option<String>,
    /// Values of the fields of the measures.
    pub options: Vec<Chosen>,
    /// Expected value.
    pub value: Amount,
    /// Absolute tolerance.
    pub tolerance: Amount,
    /// From which side.
    pub bound: Bound,
    /// What it is compared with.
    pub against: Option<Against>,
    /// Whether the value ought to be met; one of others that the model is known to miss is only shown.
    pub reached: bool,
    /// Where the expected value comes from: `published`, `reference`, `closed-form`, `benchmark`, `consistency`, `fitted`, `requirement`.
    pub basis: &'static str,
    /// Where exactly; empty if not said.
    pub source: String,
    /// For readers; empty if nothing is said.
    pub note: String,
    /// Where it stands.
    pub at: Span,
}

/// What a case of a study has left.
#[derive(Clone, Copy, Debug)]
pub struct CaseResult<'a> {
    /// Name of the case; empty where nothing is swept.
    pub name: &'a str,
    /// Samples.
    pub trajectory: &'a Trajectory,
    /// Numbers of the whole run.
    pub scalars: &'a [Scalar],
    /// Why the run failed, if it did.
    pub failure: Option<&'a str>,
}

/// Where results outside the study come from.
pub struct Elsewhere<'a> {
    /// A table below the reference folder; nothing if it is not there.
    pub table: &'a dyn Fn(&str) -> Option<Trajectory>,
    /// A case of another study, by name of the study and of the case; nothing if it has not been run.
    pub study: &'a dyn Fn(&str, &str) -> Option<CaseResult<'a>>,
}

impl Elsewhere<'_> {
    /// Nothing is to be had.
    pub const NOTHING: Elsewhere<'static> = Elsewhere { table: &|_| None, study: &|_, _| None };
}

/// The SI value of something swept: a number, or a number with a unit.
fn swept_number(value: &Value) -> Option<f64> {
    match &value.data {
        Data::Number(x) => Some(*x),
        Data::Text(text) => parse_quantity(text).ok().map(|(si, _)| si),
        _ => None,
    }
}
