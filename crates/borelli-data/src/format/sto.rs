//! Storage files of OpenSim and SIMM, `.sto` and `.mot`: a header up to `endheader`, a row of labels, rows of numbers.
//! Not here: what the labels mean; which of them are rotations is the caller's knowledge.
//! In: versions 0 to 3. Out: version 1 in radians, with units and metadata in the header.

use super::draft::{Angles, Draft, Label, excerpt};
use super::fault::{AngleBasis, FormatFault, ReadNote, TextFault};
use super::lines::Lines;
use super::table_sink::{Layout, TableSink};
use super::{Format, Input, Place, ReadOptions, Reading, RecordingOptions};
use crate::recording::{FrameSink, Outline, Recording, Spellings, recording_of};
use crate::trajectory::{RESERVED_KEYS, Trajectory, is_key};
use std::io::{self, Write};
use std::path::Path;

/// Storage files.
///
/// Written: name, `version=1`, `nRows`, `nColumns` (time counted), `inDegrees=no`, `units=` with one tab-separated unit per column (`?`
/// where none is known), `optional=` once for each column that may lack values, `key=value` of the metadata, `endheader`. Readers of
/// version 1 take the lines they do not know as free text.
///
/// Read: the old words `nr`, `nc`, `datarows`, `datacolumns`, the block of SIMM, free lines, `DataType` with vectors in cells. Counts
/// in the header are compared with the data, and the data are right. `inDegrees` speaks of columns without a unit that the caller calls
/// rotations; without it a `.mot` of version 0 is in degrees and everything else in radians.
pub(super) struct Sto;

/// Vectors in cells: name of the type, endings of the columns they become.
const DATA_TYPES: [(&str, &[&str]); 9] = [
    ("double", &[""]),
    ("Vec2", &[".1", ".2"]),
    ("Vec3", &[".x", ".y", ".z"]),
    ("UnitVec3", &[".x", ".y", ".z"]),
    ("Vec4", &[".1", ".2", ".3", ".4"]),
    ("Vec5", &[".1", ".2", ".3", ".4", ".5"]),
    ("Vec6", &[".1", ".2", ".3", ".4", ".5", ".6"]),
    ("Quaternion", &[".w", ".x", ".y", ".z"]),
    ("SpatialVec", &[".1", ".2", ".3", ".4", ".5", ".6"]),
];

impl Format for Sto {
    fn name(&self) -> &'static str {
        "sto"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["sto", "mot"]
    }

    fn keeps_tables(&self) -> bool {
        true
    }

    fn write(&self, trajectory: &Trajectory, out: &mut dyn Write) -> io::Result<()> {
        let columns = trajectory.columns();
        writeln!(out, "{}\nversion=1\nnRows={}\nnColumns={}\ninDegrees=no", trajectory.name(), trajectory.len(), columns.len() + 1)?;
        write!(out, "units=s")?;
        for column in columns {
            write!(out, "\t{}", column.unit.as_deref().unwrap_or("?"))?;
        }
        writeln!(out)?;
        for column in columns.iter().filter(|column| column.optional) {
            writeln!(out, "optional={}", column.name)?;
        }
        for (key, value) in trajectory.metadata() {
            writeln!(out, "{key}={value}")?;
        }
        write!(out, "endheader\ntime")?;
        for column in columns {
            write!(out, "\t{}", column.name)?;
        }
        writeln!(out)?;
        for (sample, time) in trajectory.time().iter().enumerate() {
            write!(out, "{time:?}")?;
            for k in 0..columns.len() {
                write!(out, "\t{:?}", trajectory.values(k)[sample])?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    fn read_from(&self, input: &mut dyn Input, file: &str, options: &ReadOptions<'_>) -> Result<Reading, FormatFault> {
        let mut draft = Draft::new(file);
        let mut lines = Lines::new(input, file);
        let header = Header::read(&mut draft, &mut lines)?;
        if !lines.advance_filled()? {
            return Err(draft.fault(lines.number, 0, TextFault::NoLabels));
        }
        read_labels(&mut draft, &header, lines.number, lines.text().trim_end())?;
        while lines.advance_filled()? {
            read_row(&mut draft, header.suffixes, lines.number, lines.text().trim_end())?;
        }
        for (key, said) in &header.rows {
            note_count(&mut draft, key, said, |draft| draft.lines.len());
        }
        let basis = match header.degrees {
            Some(degrees) => Angles { degrees, basis: AngleBasis::Header },
            None if header.version == 0 && is_motion(file) => Angles { degrees: true, basis: AngleBasis::OldMotion },
            None => Angles { degrees: false, basis: AngleBasis::Silence },
        };
        draft.finish(Some(basis), options)
    }

    fn record(&self, input: &mut dyn Input, file: &str, options: &RecordingOptions<'_>) -> Result<Recording, FormatFault> {
        let reading = self.read_from(input, file, &ReadOptions { angular: options.angular })?;
        recording_of(reading, file, Spellings::Dotted, options)
    }

    fn sink<'o>(&self, outline: &Outline, out: Box<dyn Place + 'o>) -> io::Result<Box<dyn FrameSink + 'o>> {
        Ok(Box::new(TableSink::new(Layout::Sto, outline, out)?))
    }
}

fn is_motion(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mot"))
}

/// What the header says about the rest of the file.
struct Header {
    version: u32,
    degrees: Option<bool>,
    rows: Vec<(String, String)>,
    columns: Vec<(String, String)>,
    units: Option<String>,
    data_type: &'static str,
    suffixes: &'static [&'static str],
}

impl Header {
    fn read(draft: &mut Draft<'_>, lines: &mut Lines<'_>) -> Result<Header, FormatFault> {
        let (data_type, suffixes) = DATA_TYPES[0];
        let (rows, columns) = (Vec::new(), Vec::new());
        let mut header = Header { version: 0, degrees: None, rows, columns, units: None, data_type, suffixes };
        let mut last = 0;
        while lines.advance_filled()? {
            let (number, line) = (lines.number, lines.text().trim());
            if line.eq_ignore_ascii_case("endheader") {
                return Ok(header);
            }
            match split_key(line) {
                Some(("name", value)) if draft.name.is_none() => draft.name = Some(value.to_string()),
                Some((key, value)) => header.take(draft, number, key, value, line)?,
                None if last == 0 => draft.name = Some(line.to_string()),
                None => draft.remarks.push(line.to_string()),
            }
            last = number;
        }
        Err(draft.fault(last, 0, if last == 0 { TextFault::EmptyTable } else { TextFault::NoEndheader }))
    }

    fn take(&mut self, draft: &mut Draft<'_>, number: usize, key: &str, value: &str, line: &str) -> Result<(), FormatFault> {
        let small = key.to_ascii_lowercase();
        match small.as_str() {
            "version" => {
                let version = value.parse().ok().filter(|version| *version <= 3);
                let unknown = || draft.fault(number, 0, TextFault::UnknownVersion { found: excerpt(value) });
                self.version = version.ok_or_else(unknown)?;
            }
            "nrows" | "nr" | "datarows" => self.rows.push((key.to_string(), value.to_string())),
            "ncolumns" | "nc" | "datacolumns" => self.columns.push((key.to_string(), value.to_string())),
            "indegrees" => {
                self.degrees = Some(match value.to_ascii_lowercase().as_str() {
                    "yes" | "y" | "true" | "1" => true,
                    "no" | "n" | "false" | "0" => false,
                    _ => {
                        let kind = TextFault::NeitherYesNorNo { key: key.to_string(), found: excerpt(value) };
                        return Err(draft.fault(number, 0, kind));
                    }
                });
            }
            "units" => self.units = Some(value.to_string()),
            "datatype" => {
                let known = || DATA_TYPES.iter().map(|(name, _)| *name).collect();
                let unknown = || draft.fault(number, 0, TextFault::UnknownDataType { found: excerpt(value), known: known() });
                let found = DATA_TYPES.iter().find(|(name, _)| name.eq_ignore_ascii_case(value)).ok_or_else(unknown)?;
                (self.data_type, self.suffixes) = *found;
            }
            "name" => draft.remarks.push(line.to_string()),
            "optional" => draft.header(number, "optional", value, line),
            _ => draft.header(number, key, value, line),
        }
        Ok(())
    }
}

/// `key=value` of the header, or `key value` as SIMM writes it: a name, a count.
fn split_key(line: &str) -> Option<(&str, &str)> {
    if let Some((key, value)) = line.split_once('=') {
        let key = key.trim();
        let reserved = RESERVED_KEYS.iter().any(|word| word.eq_ignore_ascii_case(key));
        return (reserved || is_key(key)).then(|| (key, value.trim()));
    }
    let (key, value) = line.split_once(char::is_whitespace)?;
    let value = value.trim();
    let count = ["datarows", "datacolumns", "nr", "nc"].contains(&key) && value.parse::<usize>().is_ok();
    (count || key == "name").then_some((key, value))
}

/// Cells of a line with the byte where each begins: between tabs where there are any, else between blanks.
fn cells(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let tabs = line.contains('\t');
    let place = move |cell: &str| cell.as_ptr() as usize - line.as_ptr() as usize;
    let between = move |c: char| if tabs { c == '\t' } else { c.is_whitespace() };
    line.split(between).map(str::trim).filter(move |cell| tabs || !cell.is_empty()).map(move |cell| (place(cell), cell))
}

/// Character of a line, from 1, at a byte.
fn character(line: &str, byte: usize) -> usize {
    line[..byte].chars().count() + 1
}

fn read_labels(draft: &mut Draft<'_>, header: &Header, line: usize, text: &str) -> Result<(), FormatFault> {
    let names: Vec<(usize, &str)> = cells(text).collect();
    for (key, said) in &header.columns {
        note_count(draft, key, said, |_| names.len());
    }
    let mut labels = Vec::new();
    for (k, &(byte, name)) in names.iter().enumerate() {
        let suffixes: &[&str] = if k == 0 { &[""] } else { header.suffixes };
        for suffix in suffixes {
            labels.push(Label { name: format!("{name}{suffix}"), unit: None, optional: false, column: character(text, byte) });
        }
    }
    if let Some(units) = &header.units {
        let each: Vec<&str> = units.split('\t').map(str::trim).collect();
        if each.len() == labels.len() {
            labels.iter_mut().zip(each).for_each(|(label, unit)| label.unit = (unit != "?").then(|| unit.to_string()));
        } else {
            draft.remarks.push(format!("units={units}"));
        }
    }
    if header.suffixes.len() > 1 {
        draft.notes.push(ReadNote::Spread { data_type: header.data_type.into(), columns: labels.len() - 1 });
    }
    draft.labels(line, labels)
}

fn note_count(draft: &mut Draft<'_>, key: &str, said: &str, found: impl Fn(&Draft<'_>) -> usize) {
    let found = found(draft);
    if said.parse() != Ok(found) {
        draft.notes.push(ReadNote::WrongCount { key: key.to_string(), said: excerpt(said), found });
    }
}

fn read_row(draft: &mut Draft<'_>, suffixes: &[&str], line: usize, text: &str) -> Result<(), FormatFault> {
    let expected = (draft.labels.len() - 1) / suffixes.len() + 1;
    let found = cells(text).count();
    if found != expected {
        return Err(draft.fault(line, 0, TextFault::RaggedRow { found, expected }));
    }
    draft.lines.push(line);
    for (k, (byte, cell)) in cells(text).enumerate() {
        let at = || character(text, byte);
        if k == 0 || suffixes.len() == 1 {
            draft.cell(k, cell, false, line, at)?;
            continue;
        }
        let first = (k - 1) * suffixes.len() + 1;
        let found = cell.split(',').count();
        if found != suffixes.len() {
            let kind = TextFault::WrongComponents { label: draft.labels[first].name.clone(), found, expected: suffixes.len() };
            return Err(draft.fault(line, at(), kind));
        }
        for (c, component) in cell.split(',').enumerate() {
            draft.cell(first + c, component, false, line, at)?;
        }
    }
    Ok(())
}
