//! Why a material cannot be made.

use borelli_math::{Range, with_unit};
use std::fmt;

/// Why a material cannot be made.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// No law has this name.
    UnknownLaw {
        /// As given.
        name: String,
        /// Those there are.
        known: Vec<&'static str>,
    },
    /// The law has no such number.
    UnknownParameter {
        /// The law.
        law: &'static str,
        /// As given.
        name: String,
        /// Those it has.
        known: Vec<&'static str>,
    },
    /// A number without default has no value.
    Missing {
        /// The law.
        law: &'static str,
        /// The number.
        parameter: &'static str,
    },
    /// A value outside its range, or not a number.
    OutOfRange {
        /// The number.
        parameter: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        range: Range,
        /// Unit of both.
        unit: &'static str,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::UnknownLaw { name, known } => write!(f, "no material `{name}`; hint: one of {}", known.join(", ")),
            Fault::UnknownParameter { law, name, known } => {
                write!(f, "material `{law}` has no number `{name}`; hint: one of {}", known.join(", "))
            }
            Fault::Missing { law, parameter } => write!(f, "material `{law}` needs `{parameter}`"),
            Fault::OutOfRange { parameter, value, range, unit } => {
                write!(f, "`{parameter}` is {}; hint: it must be {}", with_unit(value, unit), range.in_unit(unit))
            }
        }
    }
}

impl std::error::Error for Fault {}
