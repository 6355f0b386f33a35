//! A table while it is read: raw cells with their lines, before units, angles and missing values are settled.
//! Not here: how text is cut into cells; every format does that.
//! In: labels and numbers. Out: a [`Reading`] or a fault with its place.

use super::fault::{AngleBasis, FormatFault, ReadNote, TextFault};
use super::names::reads_like_an_angle;
use super::{Angular, ReadOptions, Reading};
use crate::table_fault::TableFault;
use crate::trajectory::{Column, Trajectory, is_key, si_text};
use crate::units::{UnitFault, parse_unit};
use std::collections::BTreeMap;

/// An angle in radians that covers more than this was probably written in degrees: three somersaults are 6 pi = 18.8.
const WIDEST_ANGLE: f64 = 20.0;

/// A column name as it stood in the file.
pub(super) struct Label {
    pub name: String,
    pub unit: Option<String>,
    pub optional: bool,
    /// Character in the line, from 1.
    pub column: usize,
}

/// How angles without a unit are to be understood.
pub(super) struct Angles {
    pub degrees: bool,
    pub basis: AngleBasis,
}

/// A table being read.
pub(super) struct Draft<'a> {
    pub file: &'a str,
    pub name: Option<String>,
    pub metadata: Vec<(String, String)>,
    pub optional: Vec<(usize, String)>,
    pub notes: Vec<ReadNote>,
    pub remarks: Vec<String>,
    /// Line of the labels.
    pub label_line: usize,
    /// Labels, `time` first.
    pub labels: Vec<Label>,
    /// Line of each row.
    pub lines: Vec<usize>,
    /// Numbers by column, time first.
    pub data: Vec<Vec<f64>>,
}

impl<'a> Draft<'a> {
    pub fn new(file: &'a str) -> Draft<'a> {
        Draft {
            file,
            name: None,
            metadata: Vec::new(),
            optional: Vec::new(),
            notes: Vec::new(),
            remarks: Vec::new(),
            label_line: 0,
            labels: Vec::new(),
            lines: Vec::new(),
            data: Vec::new(),
        }
    }

    pub fn fault(&self, line: usize, column: usize, kind: TextFault) -> FormatFault {
        FormatFault { file: self.file.to_string(), line, column, kind }
    }

    /// Takes a `key = value` of the header; what is no key of the metadata is kept as a remark.
    pub fn header(&mut self, line: usize, key: &str, value: &str, whole: &str) {
        match key {
            "name" => self.name = Some(value.to_string()),
            "optional" => self.optional.push((line, value.to_string())),
            key if is_key(key) => self.metadata.push((key.to_string(), value.to_string())),
            _ => self.remarks.push(whole.to_string()),
        }
    }

    /// Takes the labels; the first must be `time`.
    pub fn labels(&mut self, line: usize, labels: Vec<Label>) -> Result<(), FormatFault> {
        let first = labels.first().map(|label| label.name.as_str()).unwrap_or("");
        if !first.eq_ignore_ascii_case("time") {
            let column = labels.first().map_or(0, |label| label.column);
            return Err(self.fault(line, column, TextFault::FirstColumnNotTime { found: excerpt(first) }));
        }
        self.label_line = line;
        self.data = vec![Vec::new(); labels.len()];
        self.labels = labels;
        Ok(())
    }

    /// Takes one cell of a row; `at` gives its character in the line and is asked only for a fault.
    pub fn cell(&mut self, k: usize, text: &str, empty_is_missing: bool, line: usize, at: impl Fn() -> usize) -> Result<(), FormatFault> {
        let label = || excerpt(&self.labels[k].name);
        let kind = match number(text) {
            Ok(value) => {
                self.data[k].push(value);
                return Ok(());
            }
            Err(NoNumber::Empty) if empty_is_missing && k > 0 => {
                self.data[k].push(f64::NAN);
                return Ok(());
            }
            Err(NoNumber::Empty) => TextFault::EmptyCell { label: label() },
            Err(NoNumber::Infinite) => TextFault::InfiniteCell { label: label(), found: excerpt(text) },
            Err(NoNumber::Other) => TextFault::NotANumber { label: label(), found: excerpt(text) },
        };
        Err(self.fault(line, at(), kind))
    }

    /// Settles units, angles and missing values, and builds the table.
    pub fn finish(mut self, angles: Option<Angles>, options: &ReadOptions<'_>) -> Result<Reading, FormatFault> {
        self.mark_optional()?;
        self.convert_units()?;
        if let Some(angles) = angles {
            self.settle_angles(&angles, options)?;
        }
        for (label, values) in self.labels.iter_mut().zip(&self.data).skip(1) {
            let count = values.iter().filter(|value| value.is_nan()).count();
            if count > 0 {
                label.optional = true;
                self.notes.push(ReadNote::Missing { column: label.name.clone(), count });
            }
        }
        let column = |label: &Label| Column { name: label.name.clone(), unit: label.unit.clone(), optional: label.optional };
        let table = Trajectory::foreign(self.labels[1..].iter().map(column).collect());
        let mut trajectory = table.map_err(|fault| self.label_fault(fault))?;
        trajectory.reserve(self.lines.len());
        let mut row = vec![0.0; self.labels.len()];
        for (k, &line) in self.lines.iter().enumerate() {
            row.iter_mut().zip(&self.data).for_each(|(cell, column)| *cell = column[k]);
            trajectory.push_row(&row).map_err(|fault| {
                let kind = match fault {
                    TableFault::TimeNotIncreasing { time, previous } => {
                        TextFault::TimeNotIncreasing { time, previous, line: self.lines[k.max(1) - 1] }
                    }
                    other => TextFault::Table(other),
                };
                self.fault(line, 0, kind)
            })?;
        }
        if let Some(name) = &self.name
            && trajectory.set_name(name).is_err()
        {
            self.remarks.insert(0, name.clone());
        }
        for (key, value) in &self.metadata {
            if trajectory.meta(key).is_some() {
                self.notes.push(ReadNote::RepeatedKey { key: key.clone() });
            }
            if trajectory.set_meta(key, value).is_err() {
                self.remarks.push(format!("{key}={value}"));
            }
        }
        Ok(Reading { trajectory, notes: self.notes, remarks: self.remarks })
    }

    /// A fault of the columns, at the last label of that name.
    fn label_fault(&self, fault: TableFault) -> FormatFault {
        let name = match &fault {
            TableFault::BadColumnName { name } | TableFault::DuplicateColumn { name } => name,
            _ => "",
        };
        let place = self.labels.iter().skip(1).rfind(|label| label.name == name).map_or(0, |label| label.column);
        let kind = match fault {
            TableFault::BadColumnName { name } => TextFault::BadLabel { found: excerpt(&name) },
            TableFault::DuplicateColumn { name } => TextFault::Table(TableFault::DuplicateColumn { name: excerpt(&name) }),
            other => TextFault::Table(other),
        };
        self.fault(self.label_line, place, kind)
    }

    fn mark_optional(&mut self) -> Result<(), FormatFault> {
        let places: BTreeMap<String, usize> = self.labels.iter().enumerate().skip(1).map(|(k, label)| (label.name.clone(), k)).collect();
        for (line, name) in std::mem::take(&mut self.optional) {
            match places.get(&name) {
                Some(&k) => self.labels[k].optional = true,
                None => return Err(self.fault(line, 0, TextFault::NoSuchColumn { name: excerpt(&name) })),
            }
        }
        Ok(())
    }

    /// Brings columns in other units to SI.
    fn convert_units(&mut self) -> Result<(), FormatFault> {
        for k in 0..self.labels.len() {
            let label = &self.labels[k];
            let Some(unit) = &label.unit else { continue };
            let (factor, dim) = parse_unit(unit).map_err(|reason| {
                let nearest = if let UnitFault::UnknownUnit { nearest, .. } = reason { nearest } else { None };
                let fault = TableFault::BadColumnUnit { column: excerpt(&label.name), unit: excerpt(unit), nearest };
                self.fault(self.label_line, label.column, TextFault::Table(fault))
            })?;
            if k == 0 && dim != crate::dim::Dim::TIME {
                let found = format!("{} [{}]", label.name, excerpt(unit));
                return Err(self.fault(self.label_line, label.column, TextFault::FirstColumnNotTime { found }));
            }
            if factor != 1.0 {
                let note = ReadNote::Converted { column: label.name.clone(), from: unit.clone(), to: si_text(dim) };
                self.notes.push(note);
                self.scale(k, factor)?;
                self.labels[k].unit = Some(si_text(dim));
            }
        }
        Ok(())
    }

    /// Multiplies a column; what was finite must stay so.
    fn scale(&mut self, k: usize, factor: f64) -> Result<(), FormatFault> {
        for (row, value) in self.data[k].iter_mut().enumerate() {
            let scaled = *value * factor;
            if scaled.is_infinite() {
                let kind = TextFault::InfiniteCell { label: self.labels[k].name.clone(), found: format!("{value:?}") };
                return Err(FormatFault { file: self.file.to_string(), line: self.lines[row], column: 0, kind });
            }
            *value = scaled;
        }
        Ok(())
    }

    /// Columns without a unit that the caller knows to be rotations become radians.
    fn settle_angles(&mut self, angles: &Angles, options: &ReadOptions<'_>) -> Result<(), FormatFault> {
        if self.labels.iter().skip(1).all(|label| label.unit.is_some()) {
            return Ok(());
        }
        let (mut columns, mut named) = (Vec::new(), false);
        for k in 1..self.labels.len() {
            let Some(kind) = self.labels[k].unit.is_none().then(|| (options.angular)(&self.labels[k].name)).flatten() else { continue };
            if kind == Angular::Named && !angles.degrees {
                self.suspect(k);
                continue;
            }
            named |= kind == Angular::Named;
            if angles.degrees {
                self.scale(k, std::f64::consts::PI / 180.0)?;
            } else if kind == Angular::Angle {
                self.check_plausible(k)?;
            }
            self.labels[k].unit = Some(kind.unit().into());
            columns.push(self.labels[k].name.clone());
        }
        self.notes.push(ReadNote::Angles { degrees: angles.degrees, basis: angles.basis, columns });
        if named {
            self.notes.push(ReadNote::ByName);
        }
        Ok(())
    }

    /// Distance between the smallest and the largest number of a column.
    fn range(&self, k: usize) -> f64 {
        let (low, high) = self.data[k].iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
        high - low
    }

    /// Says that a column called like an angle turns too far for radians.
    fn suspect(&mut self, k: usize) {
        let (name, range) = (&self.labels[k].name, self.range(k));
        if range > WIDEST_ANGLE && reads_like_an_angle(name) {
            self.notes.push(ReadNote::SuspectAngle { column: name.clone(), range });
        }
    }

    fn check_plausible(&self, k: usize) -> Result<(), FormatFault> {
        let range = self.range(k);
        if range > WIDEST_ANGLE {
            let kind = TextFault::ImplausibleAngle { label: self.labels[k].name.clone(), range };
            return Err(self.fault(self.label_line, self.labels[k].column, kind));
        }
        Ok(())
    }
}

/// The beginning of a text, for a message.
pub(super) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.trim().chars().take(SHOWN).map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect();
    if text.trim().chars().nth(SHOWN).is_some() {
        shown.push_str(" ...");
    }
    shown
}

pub(super) enum NoNumber {
    Empty,
    Infinite,
    Other,
}

/// The number a cell holds, by the rules of the language and of no country; NaN in any of its spellings.
pub(super) fn number(text: &str) -> Result<f64, NoNumber> {
    let text = text.trim();
    if text.is_empty() {
        return Err(NoNumber::Empty);
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_infinite() => Err(NoNumber::Infinite),
        Ok(value) => Ok(value),
        Err(_) => {
            let bare = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
            let spellings = ["nan(", "1.#ind", "1.#qnan", "1.#snan"];
            if spellings.iter().any(|word| bare.starts_with(word)) { Ok(f64::NAN) } else { Err(NoNumber::Other) }
        }
    }
}
