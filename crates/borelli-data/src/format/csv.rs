//! Tables of comma-separated values, `.csv`: `name [unit]` in the first row, numbers below.
//! Not here: other separators; a file with semicolons is refused with a hint.
//! In: quoted or bare cells, comment lines at the top. Out: the same, quoted only where it must be.

use super::draft::{Draft, Label};
use super::fault::{FormatFault, TextFault};
use super::{Format, ReadOptions, Reading};
use crate::trajectory::{Column, Trajectory, is_key};
use std::borrow::Cow;
use std::io::{self, Write};

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
        &["csv"]
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

    fn read(&self, text: &str, file: &str, options: &ReadOptions<'_>) -> Result<Reading, FormatFault> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut draft = Draft::new(file);
        if text.trim().is_empty() {
            return Err(draft.fault(0, 0, TextFault::EmptyTable));
        }
        let mut records = Records { rest: text, line: 1, cells: Vec::new() };
        records.comments(&mut draft);
        let Some(line) = records.next(&draft)? else {
            return Err(draft.fault(records.line, 0, TextFault::NoLabels));
        };
        records.drop_padding(1);
        let labels = records.cells.iter().map(|cell| read_label(&cell.text, cell.column)).collect();
        draft.labels(line, labels)?;
        while let Some(line) = records.next(&draft)? {
            let expected = draft.labels.len();
            records.drop_padding(expected);
            let found = records.cells.len();
            if found != expected {
                return Err(draft.fault(line, 0, TextFault::RaggedRow { found, expected }));
            }
            draft.lines.push(line);
            for (k, cell) in records.cells.iter().enumerate() {
                draft.cell(k, &cell.text, true, line, || cell.column)?;
            }
        }
        draft.finish(None, options)
    }
}

/// `name [unit]`; a name that ends like a unit says that it has none.
fn label(column: &Column) -> String {
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

fn quoted(cell: &str) -> Cow<'_, str> {
    if cell.contains([',', '"']) || cell.starts_with('#') {
        Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(cell)
    }
}

struct Cell<'t> {
    text: Cow<'t, str>,
    /// Character in its line, from 1.
    column: usize,
}

/// Text cut into rows of cells.
struct Records<'t> {
    rest: &'t str,
    line: usize,
    cells: Vec<Cell<'t>>,
}

impl<'t> Records<'t> {
    /// The next line, without its end.
    fn take_line(&mut self) -> &'t str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.line += 1;
        line.strip_suffix('\r').unwrap_or(line)
    }

    /// Comment lines and blank lines at the top.
    fn comments(&mut self, draft: &mut Draft<'_>) {
        while !self.rest.is_empty() {
            let line = self.rest.split('\n').next().unwrap_or("").trim();
            let number = self.line;
            match line.strip_prefix('#') {
                Some(comment) => {
                    let comment = comment.trim();
                    let pair = comment.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
                    match pair.filter(|(key, _)| is_key(key) || *key == "name" || *key == "optional") {
                        Some((key, value)) => draft.header(number, key, value, comment),
                        None => draft.remarks.push(comment.to_string()),
                    }
                }
                None if line.is_empty() => {}
                None => return,
            }
            self.take_line();
        }
    }

    /// Reads the next row that is not blank into the cells; gives the line where it begins.
    fn next(&mut self, draft: &Draft<'_>) -> Result<Option<usize>, FormatFault> {
        self.cells.clear();
        while !self.rest.is_empty() {
            let begin = self.line;
            let text = self.rest;
            let line = self.take_line();
            if line.trim().is_empty() {
                continue;
            }
            if line.contains('"') {
                (self.rest, self.line) = (text, begin);
                self.quoted_row(draft)?;
            } else {
                let mut column = 1;
                for cell in line.split(',') {
                    self.cells.push(Cell { text: Cow::Borrowed(cell), column });
                    column += cell.chars().count() + 1;
                }
            }
            return Ok(Some(begin));
        }
        Ok(None)
    }

    /// A row in which a quotation mark occurs.
    fn quoted_row(&mut self, draft: &Draft<'_>) -> Result<(), FormatFault> {
        let mut column = 1;
        loop {
            let blank = self.rest.len() - self.rest.trim_start_matches([' ', '\t']).len();
            if self.rest[blank..].starts_with('"') {
                self.rest = &self.rest[blank..];
                column += blank;
                column = self.quoted_cell(draft, column)?;
            } else {
                let end = self.rest.find([',', '\n']).unwrap_or(self.rest.len());
                let (cell, rest) = self.rest.split_at(end);
                self.cells.push(Cell { text: Cow::Borrowed(cell), column });
                column += cell.chars().count();
                self.rest = rest;
            }
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None => {
                    self.take_line();
                    return Ok(());
                }
            }
            column += 1;
        }
    }

    /// A cell in quotation marks and the blanks after it; gives the character after them.
    fn quoted_cell(&mut self, draft: &Draft<'_>, begin: usize) -> Result<usize, FormatFault> {
        let (mut column, line) = (begin, self.line);
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1).peekable();
        let end = loop {
            column += 1;
            match letters.next() {
                None => return Err(draft.fault(line, begin, TextFault::OpenQuote)),
                Some((_, '"')) if letters.next_if(|(_, next)| *next == '"').is_some() => {
                    column += 1;
                    text.push('"');
                }
                Some((byte, '"')) => break byte + 1,
                Some((_, letter)) => {
                    if letter == '\n' {
                        self.line += 1;
                        column = 0;
                    }
                    text.push(letter);
                }
            }
        };
        self.cells.push(Cell { text: Cow::Owned(text), column: begin });
        let after = self.rest[end..].trim_start_matches([' ', '\t', '\r']);
        column += 1 + (self.rest.len() - end - after.len());
        if let Some(found) = after.chars().next().filter(|c| !matches!(c, ',' | '\n')) {
            return Err(draft.fault(self.line, column, TextFault::AfterQuote { found }));
        }
        self.rest = after;
        Ok(column)
    }

    /// Drops empty cells at the end of a row beyond the first `wanted`: spreadsheets pad rows with them.
    fn drop_padding(&mut self, wanted: usize) {
        while self.cells.len() > wanted && self.cells.last().is_some_and(|cell| cell.text.trim().is_empty()) {
            self.cells.pop();
        }
    }
}
