//! Trajectories: named columns with units over strictly increasing time, and the story of how they were made.
//! Not here: files (`format` writes and reads them), events, anything that knows what a column means.
//! In: columns, then rows. Out: slices by name, values between samples.

use crate::table_fault::TableFault;
use crate::units::{UnitFault, parse_unit};
use std::collections::BTreeMap;

/// One column: what it is called, what it is measured in, whether it may lack values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name, such as `coord.knee.value`.
    pub name: String,
    /// SI unit, such as `rad`; `1` for a pure number; nothing where a file does not say.
    pub unit: Option<String>,
    /// NaN may stand here, where the column `<prefix>.valid` is 0.
    pub optional: bool,
}

impl Column {
    /// A column that has a value at every time.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Column {
        Column { name: name.into(), unit: Some(unit.into()), optional: false }
    }

    /// A column that may lack values: `ground.cop.x` beside `ground.cop.valid`.
    pub fn optional(name: impl Into<String>, unit: impl Into<String>) -> Column {
        Column { name: name.into(), unit: Some(unit.into()), optional: true }
    }
}

/// True for `[A-Za-z][A-Za-z0-9_-]*`.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// True for names of the program's own columns: two or more names joined by dots, `coord.knee.value`.
pub fn is_column_name(text: &str) -> bool {
    text.contains('.') && text.split('.').all(is_name)
}

/// Names that other programs' files may give a column: one line, no blanks at the ends, not `time`.
fn is_foreign_name(text: &str) -> bool {
    !text.is_empty() && is_header_text(text) && !text.eq_ignore_ascii_case("time")
}

/// Text that every format gives back as it was.
fn is_header_text(text: &str) -> bool {
    text.trim().len() == text.len() && !text.chars().any(|c| c.is_control() || c == '\u{feff}')
}

/// Words with a meaning in the header of some format; none is a key of the metadata.
pub(crate) const RESERVED_KEYS: [&str; 16] = [
    "name",
    "version",
    "nrows",
    "nr",
    "datarows",
    "ncolumns",
    "nc",
    "datacolumns",
    "indegrees",
    "units",
    "optional",
    "otherdata",
    "range",
    "endheader",
    "datatype",
    "time",
];

/// True when `key` may be a key of the metadata.
pub(crate) fn is_key(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b))
        && !RESERVED_KEYS.iter().any(|word| word.eq_ignore_ascii_case(key))
}

/// The column that says where an optional column holds: `ground.cop.x` has `ground.cop.valid`.
fn companion(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((prefix, _)) => format!("{prefix}.valid"),
        None => format!("{name}.valid"),
    }
}

/// Whether a column is a flag, which has no values between its samples.
fn is_flag(name: &str) -> bool {
    name.ends_with(".valid")
}

/// Columns over time.
///
/// Time increases strictly from row to row. Every value is finite, but for NaN in optional columns; a NaN stands only where the `valid`
/// column beside it is 0. All values are SI. What is stored is what every format of [`crate::format`] gives back, bit for bit (a NaN
/// comes back as the one NaN of the table).
#[derive(Clone, Debug)]
pub struct Trajectory {
    name: String,
    columns: Vec<Column>,
    places: BTreeMap<String, usize>,
    flags: Vec<Option<usize>>,
    time: Vec<f64>,
    data: Vec<Vec<f64>>,
    metadata: Vec<(String, String)>,
    keys: BTreeMap<String, usize>,
}

impl Trajectory {
    /// An empty table; `time` in seconds is there without being named.
    ///
    /// Refuses names that are not of the form `coord.knee.value`, doubles, units that are not SI, and optional columns without their
    /// `<prefix>.valid`.
    pub fn new(columns: Vec<Column>) -> Result<Trajectory, TableFault> {
        let wrong = |column: &&Column| !is_column_name(&column.name);
        if let Some(column) = columns.iter().find(wrong) {
            return Err(TableFault::BadColumnName { name: column.name.clone() });
        }
        let table = Trajectory::foreign(columns)?;
        for (column, flag) in table.columns.iter().zip(&table.flags) {
            if column.optional && flag.is_none() {
                return Err(TableFault::NoValidColumn { column: column.name.clone(), wanted: companion(&column.name) });
            }
        }
        Ok(table)
    }

    /// An empty table whose columns another program named: `pelvis_tilt`, `/jointset/hip_r/hip_flexion_r/value`.
    ///
    /// As [`Trajectory::new`], but any one-line name will do, and optional columns may stand without a `valid` column.
    pub fn foreign(mut columns: Vec<Column>) -> Result<Trajectory, TableFault> {
        let mut places = BTreeMap::new();
        for (k, column) in columns.iter_mut().enumerate() {
            if !is_foreign_name(&column.name) {
                return Err(TableFault::BadColumnName { name: column.name.clone() });
            }
            if places.insert(column.name.clone(), k).is_some() {
                return Err(TableFault::DuplicateColumn { name: column.name.clone() });
            }
            check_unit(column)?;
        }
        let flag_of = |column: &Column| places.get(&companion(&column.name)).copied().filter(|&k| !columns[k].optional);
        let flags = columns.iter().map(|column| if column.optional { flag_of(column) } else { None }).collect();
        let data = vec![Vec::new(); columns.len()];
        let (name, keys) = ("trajectory".to_string(), BTreeMap::new());
        Ok(Trajectory { name, columns, places, flags, time: Vec::new(), data, metadata: Vec::new(), keys })
    }

    /// Adds a sample: time, then one number per column in their order. On a fault the table is as before.
    pub fn push_row(&mut self, row: &[f64]) -> Result<(), TableFault> {
        let (Some((&time, values)), expected) = (row.split_first(), self.columns.len() + 1) else {
            return Err(TableFault::WrongRowLength { found: 0, expected: self.columns.len() + 1 });
        };
        if row.len() != expected {
            return Err(TableFault::WrongRowLength { found: row.len(), expected });
        }
        if !time.is_finite() {
            return Err(TableFault::ValueNotFinite { column: "time".into(), time, value: time, optional: false });
        }
        if let Some(&previous) = self.time.last()
            && time <= previous
        {
            return Err(TableFault::TimeNotIncreasing { time, previous });
        }
        for (k, &value) in values.iter().enumerate() {
            self.check_value(k, time, value, values)?;
        }
        self.time.push(time);
        for (column, &value) in self.data.iter_mut().zip(values) {
            column.push(if value.is_nan() { f64::NAN } else { value });
        }
        Ok(())
    }

    fn check_value(&self, k: usize, time: f64, value: f64, values: &[f64]) -> Result<(), TableFault> {
        let column = &self.columns[k];
        if !(value.is_finite() || (value.is_nan() && column.optional)) {
            return Err(TableFault::ValueNotFinite { column: column.name.clone(), time, value, optional: column.optional });
        }
        if let Some(flag) = self.flags[k] {
            let held = values[flag];
            if held != 0.0 && held != 1.0 {
                return Err(TableFault::BadFlag { column: self.columns[flag].name.clone(), time, value: held });
            }
            if value.is_nan() && held == 1.0 {
                return Err(TableFault::MissingButValid { column: column.name.clone(), flag: self.columns[flag].name.clone(), time });
            }
        }
        Ok(())
    }

    /// Makes room for more rows.
    pub fn reserve(&mut self, rows: usize) {
        self.time.reserve(rows);
        self.data.iter_mut().for_each(|column| column.reserve(rows));
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.time.len()
    }

    /// True without samples.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty()
    }

    /// All columns but time, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Times, s, strictly increasing.
    pub fn time(&self) -> &[f64] {
        &self.time
    }

    /// Where a column stands among [`Trajectory::columns`].
    pub fn index(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The values of a column, `time` included.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        if name == "time" { Some(&self.time) } else { self.index(name).map(|k| self.values(k)) }
    }

    /// The values of the column at a place of [`Trajectory::columns`].
    ///
    /// # Panics
    /// If there are not so many columns.
    pub fn values(&self, index: usize) -> &[f64] {
        &self.data[index]
    }

    /// Copies one sample into `row`: time first, as [`Trajectory::push_row`] takes it.
    ///
    /// # Panics
    /// If there are not so many samples, or `row` has the wrong length.
    pub fn fill_row(&self, sample: usize, row: &mut [f64]) {
        assert_eq!(row.len(), self.columns.len() + 1, "a row holds time and every column");
        row[0] = self.time[sample];
        for (cell, column) in row[1..].iter_mut().zip(&self.data) {
            *cell = column[sample];
        }
    }

    /// The value of a column at a time, linear between samples and exact at them.
    ///
    ///     f(t) = f_k + (f_k+1 - f_k) (t - t_k)/(t_k+1 - t_k)
    ///
    /// Beside a missing value the result is NaN. A column `<prefix>.valid` is 1 only where both neighbours are. Refuses times before the
    /// first and after the last sample.
    pub fn value_at(&self, index: usize, time: f64) -> Result<f64, TableFault> {
        let (k, fraction) = self.bracket(time)?;
        Ok(self.between(index, k, fraction))
    }

    /// The whole row at a time, as [`Trajectory::value_at`]; `row[0]` becomes the time.
    ///
    /// # Panics
    /// If `row` has the wrong length.
    pub fn fill_row_at(&self, time: f64, row: &mut [f64]) -> Result<(), TableFault> {
        assert_eq!(row.len(), self.columns.len() + 1, "a row holds time and every column");
        let (k, fraction) = self.bracket(time)?;
        row[0] = time;
        for (index, cell) in row[1..].iter_mut().enumerate() {
            *cell = self.between(index, k, fraction);
        }
        Ok(())
    }

    /// The sample at or before a time, and the fraction of the way to the next.
    fn bracket(&self, time: f64) -> Result<(usize, f64), TableFault> {
        let outside = |range| TableFault::OutsideTable { time, range };
        let (Some(&first), Some(&last)) = (self.time.first(), self.time.last()) else { return Err(outside(None)) };
        if !(first <= time && time <= last) {
            return Err(outside(Some((first, last))));
        }
        let k = self.time.partition_point(|&t| t <= time) - 1;
        if self.time[k] == time {
            return Ok((k, 0.0));
        }
        // halves, where the span itself is beyond the largest number
        let (t0, t1) = (self.time[k], self.time[k + 1]);
        let span = t1 - t0;
        let fraction = if span.is_finite() { (time - t0) / span } else { (0.5 * time - 0.5 * t0) / (0.5 * t1 - 0.5 * t0) };
        Ok((k, fraction))
    }

    fn between(&self, index: usize, k: usize, fraction: f64) -> f64 {
        let column = &self.data[index];
        let a = column[k];
        if fraction == 0.0 {
            return a;
        }
        let b = column[k + 1];
        if is_flag(&self.columns[index].name) {
            return a.min(b);
        }
        let rise = b - a;
        if rise.is_infinite() { a * (1.0 - fraction) + b * fraction } else { a + rise * fraction }
    }

    /// What the table is called; `trajectory` unless set.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names the table: one line, without `=`, and not beginning with a word that has a meaning in a header.
    pub fn set_name(&mut self, name: &str) -> Result<(), TableFault> {
        let first = name.split_whitespace().next().unwrap_or("");
        let taken = RESERVED_KEYS.iter().any(|word| word.eq_ignore_ascii_case(first));
        if first.is_empty() || taken || name.contains('=') || !is_header_text(name) {
            return Err(TableFault::BadHeaderText { key: "name".into(), text: name.to_string() });
        }
        self.name = name.to_string();
        Ok(())
    }

    /// How the table was made, in the order it was set: program version, model, hash of the model, settings.
    pub fn metadata(&self) -> &[(String, String)] {
        &self.metadata
    }

    /// One entry of the metadata.
    pub fn meta(&self, key: &str) -> Option<&str> {
        self.keys.get(key).map(|&k| self.metadata[k].1.as_str())
    }

    /// Sets an entry of the metadata; an entry already there keeps its place.
    pub fn set_meta(&mut self, key: &str, value: &str) -> Result<(), TableFault> {
        if !is_key(key) {
            return Err(TableFault::BadKey { key: key.to_string() });
        }
        if !is_header_text(value) {
            return Err(TableFault::BadHeaderText { key: key.to_string(), text: value.to_string() });
        }
        match self.keys.get(key) {
            Some(&k) => self.metadata[k].1 = value.to_string(),
            None => {
                self.keys.insert(key.to_string(), self.metadata.len());
                self.metadata.push((key.to_string(), value.to_string()));
            }
        }
        Ok(())
    }

    /// True when both tables are the same in name, columns, metadata and every bit of every number.
    pub fn same_bits(&self, other: &Trajectory) -> bool {
        let same = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits());
        self.name == other.name
            && self.columns == other.columns
            && self.metadata == other.metadata
            && same(&self.time, &other.time)
            && self.data.iter().zip(&other.data).all(|(a, b)| same(a, b))
    }
}

/// Takes an SI unit, writes the empty one as `1`, refuses others.
fn check_unit(column: &mut Column) -> Result<(), TableFault> {
    let Some(unit) = &mut column.unit else { return Ok(()) };
    if unit.is_empty() {
        *unit = "1".into();
    }
    let bad = |nearest| TableFault::BadColumnUnit { column: column.name.clone(), unit: unit.clone(), nearest };
    if !is_header_text(unit) {
        return Err(bad(None));
    }
    match parse_unit(unit) {
        Ok((1.0, _)) => Ok(()),
        Ok((_, dim)) => Err(TableFault::UnitNotSi { column: column.name.clone(), unit: unit.clone(), si: si_text(dim) }),
        Err(UnitFault::UnknownUnit { nearest, .. }) => Err(bad(nearest)),
        Err(_) => Err(bad(None)),
    }
}

/// The SI unit of a dimension as text; `1` for a pure number.
pub(crate) fn si_text(dim: crate::dim::Dim) -> String {
    if dim == crate::dim::Dim::NONE { "1".into() } else { dim.to_string() }
}

#[cfg(test)]
#[path = "trajectory_tests.rs"]
mod tests;
