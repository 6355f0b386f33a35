//! Everything that can be wrong with a table over time: its columns, its rows, a question put to it.
//! Not here: faults of a file's text; `format::fault` has those and points at line and column.
//! In: facts. Out: code, message and hint through [`Explain`].

use crate::explain::Explain;
use std::fmt;

/// A fault of a [`Trajectory`](crate::trajectory::Trajectory). Each variant carries the facts; its code is its name in kebab-case.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum TableFault {
    /// A name that does not have the form of a column.
    BadColumnName { name: String },
    /// Two columns of one name.
    DuplicateColumn { name: String },
    /// A unit nobody knows.
    BadColumnUnit { column: String, unit: String, nearest: Option<String> },
    /// A unit that is not SI.
    UnitNotSi { column: String, unit: String, si: String },
    /// An optional column without a column that says when it holds.
    NoValidColumn { column: String, wanted: String },
    /// A key or a name that files could not give back.
    BadKey { key: String },
    /// A text of the header that files could not give back.
    BadHeaderText { key: String, text: String },
    /// A row with more or fewer numbers than the table has columns, time counted.
    WrongRowLength { found: usize, expected: usize },
    /// A time not after the one before.
    TimeNotIncreasing { time: f64, previous: f64 },
    /// NaN or infinity where a number must stand.
    ValueNotFinite { column: String, time: f64, value: f64, optional: bool },
    /// A `valid` column that is neither 0 nor 1.
    BadFlag { column: String, time: f64, value: f64 },
    /// A missing value that its `valid` column calls present.
    MissingButValid { column: String, flag: String, time: f64 },
    /// A time the table does not cover.
    OutsideTable { time: f64, range: Option<(f64, f64)> },
}

use TableFault::*;

impl Explain for TableFault {
    fn code(&self) -> &'static str {
        match self {
            BadColumnName { .. } => "bad-column-name",
            DuplicateColumn { .. } => "duplicate-column",
            BadColumnUnit { .. } => "bad-column-unit",
            UnitNotSi { .. } => "unit-not-si",
            NoValidColumn { .. } => "no-valid-column",
            BadKey { .. } => "bad-key",
            BadHeaderText { .. } => "bad-header-text",
            WrongRowLength { .. } => "wrong-row-length",
            TimeNotIncreasing { .. } => "time-not-increasing",
            ValueNotFinite { .. } => "value-not-finite",
            BadFlag { .. } => "bad-flag",
            MissingButValid { .. } => "missing-but-valid",
            OutsideTable { .. } => "outside-table",
        }
    }

    fn message(&self) -> String {
        match self {
            BadColumnName { name } => format!("`{name}` is not the name of a column"),
            DuplicateColumn { name } => format!("two columns are called `{name}`"),
            BadColumnUnit { column, unit, .. } => format!("column `{column}`: `{unit}` is not a unit"),
            UnitNotSi { column, unit, .. } => format!("column `{column}`: `{unit}` is not an SI unit"),
            NoValidColumn { column, wanted } => format!("column `{column}` is optional, but there is no column `{wanted}`"),
            BadKey { key } => format!("`{key}` cannot be a key of the header"),
            BadHeaderText { key, text } => format!("`{key}`: the text {text:?} would not be read back as it is"),
            WrongRowLength { found, expected } => format!("the row has {found} numbers, the table has {expected} columns with time"),
            TimeNotIncreasing { time, previous } => format!("time {time:?} s does not come after {previous:?} s"),
            ValueNotFinite { column, time, value, .. } => format!("column `{column}` is {value:?} at {time:?} s"),
            BadFlag { column, time, value } => format!("column `{column}` is {value:?} at {time:?} s, expected 0 or 1"),
            MissingButValid { column, flag, time } => format!("column `{column}` is NaN at {time:?} s although `{flag}` is 1"),
            OutsideTable { time, range: Some((first, last)) } => format!("{time:?} s is outside the table from {first:?} s to {last:?} s"),
            OutsideTable { time, range: None } => format!("{time:?} s is outside a table without rows"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            BadColumnName { .. } => Some("two or more names joined by dots, such as `coord.knee.value`; `time` stands by itself".into()),
            BadColumnUnit { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            BadColumnUnit { .. } => Some("units are written like `N m`, `rad/s`, `kg m^2`; a pure number has the unit `1`".into()),
            UnitNotSi { si, .. } => Some(format!("tables hold SI and radians: convert to `{si}`")),
            NoValidColumn { .. } => Some("a missing value needs a column beside it that is 1 where the value holds and 0 elsewhere".into()),
            BadKey { .. } => Some("a letter, then letters, digits, `_`, `-`, `.`; words with a meaning in files are taken".into()),
            BadHeaderText { .. } => Some("one line without control characters and without blanks at its ends".into()),
            TimeNotIncreasing { .. } => Some("events have a table of their own; a trajectory holds one row per time".into()),
            ValueNotFinite { optional: true, .. } => Some("a missing value is written NaN, never infinite".into()),
            ValueNotFinite { .. } => Some("only an optional column may lack a value".into()),
            _ => None,
        }
    }
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for TableFault {}
