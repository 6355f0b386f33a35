//! Tables of comma-separated values, `.csv`: `name [unit]` in the first row, numbers below.
//! Not here: semicolons, which go with decimal commas; such a file is refused with a hint.
//! In: quoted or bare cells between commas, or between tabs where the labels hold no comma; comment lines at the top; units in brackets or in
//! a second line, or at the end of names where the time is called `time_s`; a column of frame numbers before the time. Out: commas, units in brackets, cells quoted only where they must be.

use super::draft::{Draft, Label};
use super::fault::{FormatFault, ReadNote, TextFault};
use super::lines::{LONGEST_LINE, Lines};
use super::names::unit_at_end;
use super::table_sink::{Layout, TableSink};
use super::{Format, Input, Place, ReadOptions, Reading, RecordingOptions};
use crate::dim::Dim;
use crate::recording::{FrameSink, Outline, Recording, Spellings, recording_of};
use crate::trajectory::{Column, Trajectory, is_key};
use crate::units::parse_unit;
use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

/// Comma-separated values.
///
/// Comment lines `# key = value` at the top hold the name, the columns that may lack values (`# optional = ...`, one line each) and the
/// metadata. Cells follow RFC 4180: quotation marks around a cell that holds a comma, a quotation mark or a line break; a mark inside is
/// written twice. An empty cell is a missing value, except that of time. A label without brackets has no known unit; `[?]` says the same.
pub(super) struct Csv;

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["csv", "tsv", "txt"]
    }

    fn keeps_tables(&self) -> bool {
        true
    }

    fn write(&self, trajectory: &Trajectory, out: &mut dyn Write) -> io::Result<()> {
        let columns = trajectory.columns();
        writeln!(out, "# name = {}", trajectory.name())?;
        for column in columns.iter().filter(|column| column.optional) {
            writeln!(out, "# optional = {}", column.name)?;
        }
        for (key, value) in trajectory.metadata() {
            writeln!(out, "# {key} = {value}")?;
        }
        write!(out, "time [s]")?;
        for column in columns {
            write!(out, ",{}", quoted(&label(column)))?;
        }
        writeln!(out)?;
        for (sample, time) in trajectory.time().iter().enumerate() {
            write!(out, "{time:?}")?;
            for k in 0..columns.len() {
                write!(out, ",{:?}", trajectory.values(k)[sample])?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn read_from(&self, input: &mut dyn Input, file: &str, options: &ReadOptions<'_>) -> Result<Reading, FormatFault> {
        let mut draft = Draft::new(file);
        let mut records = Records::new(input, file);
        let commented = records.comments(&mut draft)?;
        let Some(line) = records.next_labels()? else {
            return Err(match commented {
                true => draft.fault(records.lines.number + 1, 0, TextFault::NoLabels),
                false => draft.fault(0, 0, TextFault::EmptyTable),
            });
        };
        records.drop_padding(1);
        let mut labels: Vec<Label> = (0..records.cells.len()).map(|k| read_label(records.text(k), records.cells[k].column)).collect();
        let numbered = numbers_frames(&labels);
        if numbered {
            draft.notes.push(ReadNote::FrameNumbers { label: labels.remove(0).name });
        }
        take_units_of_names(&mut labels, &mut draft.notes);
        draft.labels(line, labels)?;
        let mut first = true;
        while let Some(line) = records.next()? {
            let expected = draft.labels.len();
            records.drop_padding(expected + usize::from(numbered));
            if numbered {
                records.cells.remove(0);
            }
            let found = records.cells.len();
            if std::mem::take(&mut first) && is_unit_of_time(records.text(0)) {
                draft.labels.iter_mut().enumerate().take(found).for_each(|(k, label)| take_unit(label, records.text(k)));
                continue;
            }
            if found != expected {
                return Err(draft.fault(line, 0, TextFault::RaggedRow { found, expected }));
            }
            draft.lines.push(line);
            for k in 0..found {
                draft.cell(k, records.text(k), true, line, || records.cells[k].column)?;
            }
        }
        draft.finish(None, options)
    }

    fn record(&self, input: &mut dyn Input, file: &str, options: &RecordingOptions<'_>) -> Result<Recording, FormatFault> {
        let reading = self.read_from(input, file, &ReadOptions { angular: options.angular })?;
        recording_of(reading, file, Spellings::All, options)
    }

    fn sink<'o>(&self, outline: &Outline, out: Box<dyn Place + 'o>) -> io::Result<Box<dyn FrameSink + 'o>> {
        Ok(Box::new(TableSink::new(Layout::Csv, outline, out)?))
    }
}

/// True where a column before that of time only counts frames.
fn numbers_frames(labels: &[Label]) -> bool {
    let [first, second, ..] = labels else { return false };
    let (counter, time) = (first.name.to_ascii_lowercase(), second.name.to_ascii_lowercase());
    ["frame", "frame#", "frames", "sample", "index"].contains(&counter.as_str()) && (time == "time" || time.starts_with("time_"))
}

/// Takes units that end the names: `knee_x_cm` is `knee_x` in cm. Only where the time says so of itself, as in `time_s`: elsewhere `heel_m` may be
/// the medial one.
fn take_units_of_names(labels: &mut [Label], notes: &mut Vec<ReadNote>) {
    let time = labels.first().filter(|label| label.unit.is_none()).and_then(|label| unit_at_end(&label.name));
    if !time.is_some_and(|(name, unit)| name.eq_ignore_ascii_case("time") && is_unit_of_time(unit)) {
        return;
    }
    let mut count = 0;
    for label in labels.iter_mut().filter(|label| label.unit.is_none()) {
        if let Some((name, unit)) = unit_at_end(&label.name) {
            (label.name, label.unit) = (name.to_string(), Some(unit.to_string()));
            count += 1;
        }
    }
    notes.push(ReadNote::UnitsOfNames { count });
}

/// True for a cell that says in which unit times are: a second line of the labels begins so.
fn is_unit_of_time(cell: &str) -> bool {
    parse_unit(bare_unit(cell)).is_ok_and(|(_, dim)| dim == Dim::TIME)
}

/// A unit without the brackets that may stand around it.
fn bare_unit(cell: &str) -> &str {
    cell.trim().trim_start_matches(['[', '(']).trim_end_matches([']', ')']).trim()
}

/// Gives a label the unit of the line below it.
fn take_unit(label: &mut Label, cell: &str) {
    let unit = bare_unit(cell);
    if label.unit.is_none() && !matches!(unit, "" | "?" | "-") {
        label.unit = Some(unit.to_string());
    }
}

/// `name [unit]`; a name that ends like a unit says that it has none.
pub(super) fn label(column: &Column) -> String {
    match &column.unit {
        Some(unit) => format!("{} [{unit}]", column.name),
        None if column.name.ends_with(']') => format!("{} [?]", column.name),
        None => column.name.clone(),
    }
}

/// The other way; line breaks and tabs inside a quoted label are blanks.
fn read_label(text: &str, column: usize) -> Label {
    let text = text.replace("\r\n", " ").replace(['\r', '\n', '\t'], " ");
    let text = text.trim();
    let (name, unit) = match text.strip_suffix(']').and_then(|inside| inside.rsplit_once('[')) {
        Some((name, "?")) => (name.trim_end(), None),
        Some((name, unit)) => (name.trim_end(), Some(unit.trim().to_string())),
        None => (text, None),
    };
    Label { name: name.to_string(), unit, optional: false, column }
}

pub(super) fn quoted(cell: &str) -> Cow<'_, str> {
    if cell.contains([',', '"']) || cell.starts_with('#') {
        Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(cell)
    }
}

/// A cell of the row at hand.
struct Cell {
    /// Bytes of the row, where no quotation marks stand around it.
    bytes: Range<usize>,
    /// What stands between quotation marks.
    quoted: Option<String>,
    /// Character in its line, from 1.
    column: usize,
}

/// Text cut into rows of cells.
struct Records<'i> {
    lines: Lines<'i>,
    separator: char,
    /// True when the line at hand has not been used.
    held: bool,
    /// The row at hand: one line, or several where a quoted cell holds line breaks.
    row: String,
    cells: Vec<Cell>,
}

impl<'i> Records<'i> {
    fn new(input: &'i mut dyn Input, file: &'i str) -> Records<'i> {
        Records { lines: Lines::new(input, file), separator: ',', held: false, row: String::new(), cells: Vec::new() }
    }

    /// What a cell says.
    fn text(&self, k: usize) -> &str {
        let cell = &self.cells[k];
        cell.quoted.as_deref().unwrap_or(&self.row[cell.bytes.clone()])
    }

    /// Comment lines and blank lines at the top; true when there was a comment.
    fn comments(&mut self, draft: &mut Draft<'_>) -> Result<bool, FormatFault> {
        let mut any = false;
        while self.lines.advance_filled()? {
            let Some(comment) = self.lines.text().trim().strip_prefix('#').map(str::trim) else {
                self.held = true;
                break;
            };
            any = true;
            let pair = comment.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            match pair.filter(|(key, _)| is_key(key) || *key == "name" || *key == "optional") {
                Some((key, value)) => draft.header(self.lines.number, key, value, comment),
                None => draft.remarks.push(comment.to_string()),
            }
        }
        Ok(any)
    }

    /// Reads the row of labels, and what separates cells: tabs where there is no comma.
    fn next_labels(&mut self) -> Result<Option<usize>, FormatFault> {
        if self.held && !self.lines.text().contains([',', ';']) && self.lines.text().contains('\t') {
            self.separator = '\t';
        }
        self.next()
    }

    /// Reads the next row that is not blank into the cells; gives the line where it begins.
    fn next(&mut self) -> Result<Option<usize>, FormatFault> {
        self.cells.clear();
        if !std::mem::take(&mut self.held) && !self.lines.advance_filled()? {
            return Ok(None);
        }
        let begin = self.lines.number;
        self.row.clear();
        self.row.push_str(self.lines.text());
        if self.row.contains('"') {
            self.quoted_row()?;
        } else {
            let (mut at, mut column) = (0, 1);
            for cell in self.row.split(self.separator) {
                self.cells.push(Cell { bytes: at..at + cell.len(), quoted: None, column });
                at += cell.len() + 1;
                column += cell.chars().count() + 1;
            }
        }
        Ok(Some(begin))
    }

    /// What follows in the row without the blanks at its beginning.
    fn after_blanks(&self, at: usize) -> &str {
        let separator = self.separator;
        self.row[at..].trim_start_matches(move |c| matches!(c, ' ' | '\t') && c != separator)
    }

    /// A row in which a quotation mark occurs.
    fn quoted_row(&mut self) -> Result<(), FormatFault> {
        let (mut at, mut column) = (0, 1);
        loop {
            let blank = self.row.len() - at - self.after_blanks(at).len();
            if self.row[at + blank..].starts_with('"') {
                (at, column) = self.quoted_cell(at + blank, column + blank)?;
            } else {
                let end = self.row[at..].find(self.separator).map_or(self.row.len(), |k| at + k);
                self.cells.push(Cell { bytes: at..end, quoted: None, column });
                column += self.row[at..end].chars().count();
                at = end;
            }
            if !self.row[at..].starts_with(self.separator) {
                return Ok(());
            }
            at += 1;
            column += 1;
        }
    }

    /// A cell in quotation marks and the blanks after it; gives the byte and the character after them.
    fn quoted_cell(&mut self, open: usize, begin: usize) -> Result<(usize, usize), FormatFault> {
        let (line, mut column, mut at) = (self.lines.number, begin, open + 1);
        let mut text = String::new();
        loop {
            column += 1;
            let Some(letter) = self.row[at..].chars().next() else {
                self.append_line(line, begin)?;
                continue;
            };
            at += letter.len_utf8();
            if letter == '"' {
                if !self.row[at..].starts_with('"') {
                    break;
                }
                at += 1;
                column += 1;
            } else if letter == '\n' {
                column = 0;
            }
            text.push(letter);
        }
        self.cells.push(Cell { bytes: 0..0, quoted: Some(text), column: begin });
        let after = self.after_blanks(at);
        column += self.row.len() - at - after.len();
        if let Some(found) = after.chars().next().filter(|c| *c != self.separator) {
            return Err(self.lines.fault(self.lines.number, column + 1, TextFault::AfterQuote { found }));
        }
        Ok((self.row.len() - after.len(), column))
    }

    /// Appends the next line to a row whose quoted cell is still open.
    fn append_line(&mut self, line: usize, begin: usize) -> Result<(), FormatFault> {
        if !self.lines.advance()? {
            return Err(self.lines.fault(line, begin, TextFault::OpenQuote));
        }
        if self.row.len() + self.lines.text().len() >= LONGEST_LINE {
            return Err(self.lines.fault(line, begin, TextFault::LineTooLong { limit: LONGEST_LINE }));
        }
        self.row.push('\n');
        self.row.push_str(self.lines.text());
        Ok(())
    }

    /// Drops empty cells at the end of a row beyond the first `wanted`: spreadsheets pad rows with them.
    fn drop_padding(&mut self, wanted: usize) {
        while self.cells.len() > wanted && self.text(self.cells.len() - 1).trim().is_empty() {
            self.cells.pop();
        }
    }
}
