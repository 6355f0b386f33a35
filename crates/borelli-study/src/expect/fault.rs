//! Why what an expectation names cannot be had of a result.
//! Not here: faults of the text of expectations (`read`), of measures (`measure`).
//! In: facts. Out: code, message and hint.

use crate::formula_dimension::DimensionFault;
use borelli_model::{Dim, Explain};

/// Something an expectation names that a result does not have.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum SubjectFault {
    /// A column that is not there.
    NoColumn { name: String, nearest: Option<String> },
    /// A number of the whole run that is not there.
    NoNumber { name: String, nearest: Option<String> },
    /// A column where a number of the whole run is wanted.
    IsColumn { name: String },
    /// A subject that is no single column where a number of the whole run is wanted.
    NotNumber,
    /// A formula that cannot be read.
    Formula { cause: String, hint: Option<String> },
    /// A formula whose units make no sense.
    Units { fault: DimensionFault },
    /// A field of a measure in a unit that the column does not have.
    OptionUnit { field: &'static str, cause: String },
    /// A number of the whole run in another unit than the expected value.
    ValueUnit { found: Dim, expected: Dim },
}

use SubjectFault::*;

impl Explain for SubjectFault {
    fn code(&self) -> &'static str {
        match self {
            NoColumn { .. } => "no-such-column",
            NoNumber { .. } => "no-such-number",
            IsColumn { .. } | NotNumber => "measure-missing",
            Formula { .. } => "bad-formula",
            Units { fault } => fault.code(),
            OptionUnit { .. } | ValueUnit { .. } => "wrong-unit",
        }
    }

    fn message(&self) -> String {
        match self {
            NoColumn { name, .. } => format!("there is no column `{name}`"),
            NoNumber { name, .. } => format!("the run has no number `{name}`"),
            IsColumn { name } => format!("`{name}` is a column"),
            NotNumber => "it does not say how this becomes one number".into(),
            Formula { cause, .. } => cause.clone(),
            Units { fault } => fault.message(),
            OptionUnit { field, cause } => format!("`{field}`: {cause}"),
            ValueUnit { found, expected } => {
                format!("the computed value is in {}, the expected one in {}", si_unit(*found), si_unit(*expected))
            }
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            NoColumn { nearest, .. } | NoNumber { nearest, .. } => nearest.as_ref().map(|name| format!("did you mean `{name}`?")),
            IsColumn { .. } => Some("say with `measure` how it becomes one number".into()),
            Formula { hint, .. } => hint.clone(),
            Units { fault } => fault.hint(),
            NotNumber | OptionUnit { .. } | ValueUnit { .. } => None,
        }
    }
}

/// An SI unit for people.
pub(super) fn si_unit(dim: Dim) -> String {
    if dim == Dim::NONE { "1".into() } else { dim.to_string() }
}

/// Message and hint in one line.
pub(super) fn told(fault: &impl Explain) -> String {
    let hint = fault.hint().map_or(String::new(), |hint| format!("; {hint}"));
    format!("{}{hint}", fault.message())
}
