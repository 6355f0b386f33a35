//! A user's own table of segments.
//! Not here: what tables are (`anthropometry`).
//! In: text with the columns segment, from, to, mass, center, r_forward, r_right, r_long, separated by commas. Out: the table, or every bad line.

use super::{Anthropometry, BodyPart, Share};
use crate::explain::Explain;
use crate::suggest::suggest;

/// What is wrong with a line of a table of segments.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum AnthropometryFault {
    /// A line with another number of cells.
    WrongCellCount { found: usize },
    /// A segment nobody knows.
    UnknownSegment { name: String, nearest: Option<String> },
    /// A cell that is no number.
    NotANumber { column: &'static str, text: String },
    /// A number that cannot be this fraction.
    OutOfRange { column: &'static str, value: f64, most: f64 },
    /// A segment twice.
    SegmentTwice { name: String },
    /// No row at all.
    Empty,
}

use AnthropometryFault::*;

impl Explain for AnthropometryFault {
    fn code(&self) -> &'static str {
        match self {
            WrongCellCount { .. } => "wrong-cell-count",
            UnknownSegment { .. } => "unknown-segment",
            NotANumber { .. } => "not-a-number",
            OutOfRange { .. } => "fraction-out-of-range",
            SegmentTwice { .. } => "segment-twice",
            Empty => "empty-anthropometry",
        }
    }
    fn message(&self) -> String {
        match self {
            WrongCellCount { found } => format!("the line has {found} cells, expected 8"),
            UnknownSegment { name, .. } => format!("there is no segment `{name}`"),
            NotANumber { column, text } => format!("{column}: `{text}` is not a number"),
            OutOfRange { column, value, most } => format!("{column} is {value}, expected a fraction above 0 and up to {most}"),
            SegmentTwice { name } => format!("segment `{name}` has a row already"),
            Empty => "the table has no rows".into(),
        }
    }
    fn hint(&self) -> Option<String> {
        match self {
            WrongCellCount { .. } | Empty => Some("columns: segment, from, to, mass, center, r_forward, r_right, r_long".into()),
            UnknownSegment { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            UnknownSegment { .. } => Some(format!("one of {}", BodyPart::ALL.map(|(_, name)| name).join(", "))),
            OutOfRange { .. } => Some("fractions, not per cent: 0.1416 of body mass, 0.4095 of the length".into()),
            _ => None,
        }
    }
}

/// Columns with numbers, and the largest fraction each may hold.
const COLUMNS: [(&str, f64); 5] = [("mass", 1.0), ("center", 2.0), ("r_forward", 1.5), ("r_right", 1.5), ("r_long", 1.5)];

/// Reads a table; faults carry their line, counted from one. Lines that begin with `#` and a heading are passed over. Masses are used as given.
///
/// Test: `a_users_table_is_read_and_checked`.
pub fn read_anthropometry(name: &str, text: &str) -> Result<Anthropometry, Vec<(usize, AnthropometryFault)>> {
    let mut rows: Vec<Share> = Vec::new();
    let mut faults = Vec::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate().map(|(k, line)| (k + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') || line.to_ascii_lowercase().starts_with("segment") {
            continue;
        }
        match read_line(line) {
            Ok(row) if rows.iter().any(|other| other.part == row.part) => {
                faults.push((number, SegmentTwice { name: row.part.name().into() }));
            }
            Ok(row) => rows.push(row),
            Err(fault) => faults.push((number, fault)),
        }
    }
    if rows.is_empty() && faults.is_empty() {
        faults.push((1, Empty));
    }
    let table = Anthropometry { name: name.into(), source: format!("table `{name}` of the user"), rows, remarks: Vec::new() };
    if faults.is_empty() { Ok(table) } else { Err(faults) }
}

fn read_line(line: &str) -> Result<Share, AnthropometryFault> {
    let cells: Vec<&str> = line.split(',').map(|cell| cell.trim().trim_matches('"')).collect();
    let [segment, from, to, numbers @ ..] = cells.as_slice() else { return Err(WrongCellCount { found: cells.len() }) };
    if numbers.len() != COLUMNS.len() {
        return Err(WrongCellCount { found: cells.len() });
    }
    let names = BodyPart::ALL.map(|(_, name)| name);
    let Some((part, _)) = BodyPart::ALL.iter().find(|(_, name)| name.eq_ignore_ascii_case(segment)) else {
        let nearest = suggest(segment, names.into_iter()).map(str::to_string);
        return Err(UnknownSegment { name: segment.to_string(), nearest });
    };
    let mut values = [0.0; 5];
    for ((value, text), (column, most)) in values.iter_mut().zip(numbers).zip(COLUMNS) {
        *value = text.parse().map_err(|_| NotANumber { column, text: text.to_string() })?;
        if !(*value > 0.0 && *value <= most) {
            return Err(OutOfRange { column, value: *value, most });
        }
    }
    let [mass, center, forward, right, long] = values;
    Ok(Share { part: *part, ends: (from.to_string(), to.to_string()), mass, center, radii: [forward, right, long] })
}
