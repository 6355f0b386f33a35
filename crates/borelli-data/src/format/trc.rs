//! Marker files, `.trc`: five lines of header, then frame, time and three coordinates for every marker.
//! Not here: what needs a look at neighbouring frames (three zeros, frozen markers: `recording::tidy`).
//! In: files as laboratories and programs write them, every repair listed. Out: mm with five decimals, empty cells where a marker was not seen.

use super::draft::{NoNumber, excerpt, number};
use super::fault::{FormatFault, TextFault};
use super::lines::Lines;
use super::{Format, Input, Place, RecordingOptions};
use crate::recording::tidy::{drop_frozen, drop_zeros, name_apart};
use crate::recording::{Frame, FrameSink, Outline, PointSeries, Recording, Repair, clock_of, guess_unit};
use borelli_math::Vec3;
use std::io::{self, SeekFrom};
use std::path::Path;

/// Marker files.
///
/// Line 1 `PathFileType`, line 2 keys, line 3 their values, line 4 `Frame#`, `Time` and the names, line 5 `X1 Y1 Z1 ...`, mostly a blank line, then
/// rows. Rows are split at tabs, and at blanks where that gives the right number of cells and tabs do not.
///
/// Source: the habits listed in the book's page "Files"; every deviation that is accepted is told as a repair.
pub(super) struct Trc;

impl Format for Trc {
    fn name(&self) -> &'static str {
        "trc"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["trc"]
    }

    fn record(&self, input: &mut dyn Input, file: &str, _options: &RecordingOptions<'_>) -> Result<Recording, FormatFault> {
        let mut reader = Reader { lines: Lines::lenient(input, file), repairs: Vec::new() };
        let header = reader.header()?;
        let rows = reader.rows(&header)?;
        reader.recording(header, rows, file)
    }

    fn sink<'o>(&self, outline: &Outline, out: Box<dyn Place + 'o>) -> io::Result<Box<dyn FrameSink + 'o>> {
        Ok(Box::new(TrcSink::new(outline, out)?))
    }

    fn left_out(&self, outline: &Outline) -> Vec<String> {
        let mut list = Vec::new();
        let (channels, derived) = (outline.channels.len(), outline.derived.len());
        if channels > 0 {
            list.push(format!("{channels} channels: a .trc file holds markers only"));
        }
        if derived > 0 {
            list.push(format!("{derived} derived quantities: a .trc file holds markers only"));
        }
        if !outline.events.is_empty() {
            list.push(format!("{} events", outline.events.len()));
        }
        list
    }
}

/// What the five lines say.
struct Header {
    names: Vec<String>,
    rate: Option<f64>,
    unit: Option<(String, f64)>,
    facts: Vec<(String, String)>,
    frames: Option<String>,
    /// True when the line at hand is the first row.
    row_at_hand: bool,
}

/// Frames, lines and times of all rows, and the points with their masks, still in the unit of the file.
#[derive(Default)]
struct Rows {
    first_frame: Option<u64>,
    times: Vec<f64>,
    last_line: usize,
    points: Vec<PointSeries>,
}

/// A repair that may occur in many rows and is told once.
#[derive(Default)]
struct Count {
    count: usize,
    line: usize,
}

impl Count {
    fn note(&mut self, line: usize) {
        self.line = if self.count == 0 { line } else { self.line };
        self.count += 1;
    }

    fn tell(&self, repairs: &mut Vec<Repair>, found: &str, done: &str) {
        if self.count > 0 {
            repairs.push(Repair::new(format!("line {}", self.line), format!("{found}: {}", self.count), done));
        }
    }
}

struct Reader<'i> {
    lines: Lines<'i>,
    repairs: Vec<Repair>,
}

impl Reader<'_> {
    fn fault(&self, kind: TextFault) -> FormatFault {
        self.lines.fault(self.lines.number, 0, kind)
    }

    fn told(&mut self, found: impl Into<String>, done: &str) {
        self.repairs.push(Repair::new(format!("line {}", self.lines.number), found, done));
    }

    /// The next line of the header; blank lines are no part of it.
    fn header_line(&mut self) -> Result<&str, FormatFault> {
        if !self.lines.advance_filled()? {
            return Err(self.fault(TextFault::NoMarkers));
        }
        Ok(self.lines.text())
    }

    fn header(&mut self) -> Result<Header, FormatFault> {
        if !self.lines.advance_filled()? {
            return Err(self.fault(TextFault::EmptyTable));
        }
        let first = self.lines.text().trim().to_string();
        if !first.to_ascii_lowercase().starts_with("pathfiletype") {
            return Err(self.fault(TextFault::NotMarkers { found: excerpt(&first) }));
        }
        let keys: Vec<String> = self.header_line()?.split_whitespace().map(str::to_string).collect();
        if keys.len() != 8 {
            self.told(format!("{} keys instead of eight", keys.len()), "took what is there");
        }
        let line = self.header_line()?;
        let values: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        let single = line.trim().split('\t').all(|cell| cell.split_whitespace().count() == 1);
        if !single {
            self.told("values not separated by single tabs", "split at any blank");
        }
        let value = |name: &str| keys.iter().position(|key| key.eq_ignore_ascii_case(name)).and_then(|k| values.get(k));
        let unit = match value("Units") {
            Some(unit) => Some((unit.clone(), length(unit).ok_or_else(|| self.fault(TextFault::UnknownLength { found: excerpt(unit) }))?)),
            None => None,
        };
        let rate = value("DataRate").and_then(|rate| rate.parse::<f64>().ok());
        let (frames, markers) = (value("NumFrames").cloned(), value("NumMarkers").cloned());
        let facts = keys.iter().zip(&values).map(|(key, value)| (key.clone(), value.clone())).collect();
        let names = self.names()?;
        if let Some(said) = markers.filter(|said| said.parse() != Ok(names.len())) {
            self.repairs.push(Repair::new("line 3", format!("NumMarkers = {said}, but {} names", names.len()), "the names were trusted"));
        }
        let row_at_hand = self.end_of_header()?;
        Ok(Header { names, rate, unit, facts, frames, row_at_hand })
    }

    /// Names of the markers in the fourth line.
    fn names(&mut self) -> Result<Vec<String>, FormatFault> {
        let line = self.header_line()?;
        let tabs = line.contains('\t');
        let cells: Vec<&str> = if tabs { line.split('\t').map(str::trim).collect() } else { line.split_whitespace().collect() };
        let clean = |name: &str| name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_string();
        let mut names: Vec<String> = cells.iter().skip(2).filter(|cell| !cell.is_empty()).map(|cell| clean(cell)).collect();
        if names.is_empty() {
            return Err(self.fault(TextFault::NoMarkers));
        }
        if !tabs {
            self.told("names not separated by tabs", "split at any blank");
        }
        self.repairs.extend(name_apart(&mut names));
        Ok(names)
    }

    /// Reads past the line of axes and blank lines; true when the line at hand is a row already.
    fn end_of_header(&mut self) -> Result<bool, FormatFault> {
        if !self.lines.advance_filled()? {
            return Ok(false);
        }
        if !self.lines.text().trim_start().starts_with(['X', 'x']) {
            self.told("no line X1 Y1 Z1", "rows begin here");
            return Ok(true);
        }
        let axes = self.lines.number;
        let more = self.lines.advance_filled()?;
        if more && self.lines.number != axes + 2 {
            let found = if self.lines.number == axes + 1 { "no blank line before the rows" } else { "several blank lines before the rows" };
            self.repairs.push(Repair::new(format!("line {}", axes + 1), found, "blank lines do not count"));
        }
        Ok(more)
    }

    fn rows(&mut self, header: &Header) -> Result<Rows, FormatFault> {
        let markers = header.names.len();
        let points = header.names.iter().map(|name| PointSeries { name: name.clone(), ..PointSeries::default() }).collect();
        let mut rows = Rows { points, ..Rows::default() };
        let (mut short, mut blanks, mut partial) = (Count::default(), Count::default(), Count::default());
        let mut more = header.row_at_hand;
        while more {
            let line = self.lines.number;
            let text = self.lines.text();
            let expected = 3 * markers + 2;
            let by_tabs = || text.trim_end().split('\t').map(str::trim);
            let mut cells: Vec<&str> = by_tabs().collect();
            if cells.len() != expected && text.split_whitespace().count() == expected {
                cells = text.split_whitespace().collect();
                blanks.note(line);
            }
            if cells.len() > expected {
                return Err(self.fault(TextFault::RaggedRow { found: cells.len(), expected }));
            }
            if cells.len() < expected && text.split('\t').count() < expected {
                short.note(line);
            }
            rows.take(&self.lines, &cells, line, &mut partial)?;
            more = self.lines.advance_filled()?;
        }
        blanks.tell(&mut self.repairs, "rows not separated by tabs", "split at any blank");
        short.tell(&mut self.repairs, "rows shorter than the header", "the rest was not seen");
        partial.tell(&mut self.repairs, "markers with one or two coordinates only", "not seen there");
        Ok(rows)
    }

    fn recording(mut self, header: Header, mut rows: Rows, file: &str) -> Result<Recording, FormatFault> {
        let count = rows.times.len();
        if let Some(said) = header.frames.filter(|said| said.parse() != Ok(count)) {
            self.repairs.push(Repair::new("line 3", format!("NumFrames = {said}, but {count} rows"), "the rows were trusted"));
        }
        if self.lines.latin_lines > 0 {
            let found = format!("{} lines that are not UTF-8", self.lines.latin_lines);
            self.repairs.push(Repair::new("text", found, "read as Latin-1"));
        }
        let (unit, scale) = match header.unit {
            Some(unit) => unit,
            None => {
                let (unit, scale) = guess_unit(rows.points.iter().flat_map(|point| &point.position));
                self.repairs.push(Repair::new("line 3", "no unit of length", format!("taken as {unit} by the size of the coordinates")));
                (unit.to_string(), scale)
            }
        };
        for position in rows.points.iter_mut().flat_map(|point| &mut point.position) {
            // division by a power of ten is exact where multiplication by its inverse is not
            *position = if scale == 1e-3 { Vec3::from_array(position.to_array().map(|x| x / 1000.0)) } else { position.scale(scale) };
        }
        let no_rate = self.lines.fault(3, 0, TextFault::NoRate);
        let (clock, repairs) = clock_of(rows.times, header.rate, "line 3").ok_or(no_rate)?;
        self.repairs.extend(repairs);
        self.repairs.extend(drop_zeros(&mut rows.points));
        self.repairs.extend(drop_frozen(&mut rows.points, clock.rate));
        Ok(Recording {
            name: Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
            clock,
            first_frame: rows.first_frame.unwrap_or(1),
            points: rows.points,
            length_unit: unit,
            facts: header.facts,
            repairs: self.repairs,
            ..Recording::default()
        })
    }
}

impl Rows {
    /// Takes the cells of one row.
    fn take(&mut self, lines: &Lines<'_>, cells: &[&str], line: usize, partial: &mut Count) -> Result<(), FormatFault> {
        let fault = |kind| lines.fault(line, 0, kind);
        let time = cells.get(1).copied().unwrap_or("");
        let label = || "Time".to_string();
        let time = match number(time) {
            Ok(value) if value.is_finite() => value,
            Err(NoNumber::Empty) => return Err(fault(TextFault::EmptyCell { label: label() })),
            _ => return Err(fault(TextFault::NotANumber { label: label(), found: excerpt(time) })),
        };
        if let Some(&previous) = self.times.last()
            && time <= previous
        {
            return Err(fault(TextFault::TimeNotIncreasing { time, previous, line: self.last_line }));
        }
        if self.times.is_empty() {
            self.first_frame = cells.first().and_then(|cell| cell.parse().ok());
        }
        self.times.push(time);
        self.last_line = line;
        for (m, point) in self.points.iter_mut().enumerate() {
            let mut place = [f64::NAN; 3];
            for (c, x) in place.iter_mut().enumerate() {
                let cell = cells.get(2 + 3 * m + c).copied().unwrap_or("");
                let label = || format!("{}.{}", point.name, ["x", "y", "z"][c]);
                *x = match number(cell) {
                    Ok(value) if value.abs() < LARGEST || value.is_nan() => value,
                    Err(NoNumber::Empty) => f64::NAN,
                    Ok(_) | Err(NoNumber::Infinite) => return Err(fault(TextFault::InfiniteCell { label: label(), found: excerpt(cell) })),
                    Err(NoNumber::Other) => return Err(fault(TextFault::NotANumber { label: label(), found: excerpt(cell) })),
                };
            }
            let missing = place.iter().filter(|x| x.is_nan()).count();
            if missing == 1 || missing == 2 {
                partial.note(line);
            }
            point.seen.push(missing == 0);
            point.position.push(if missing == 0 { Vec3::from_array(place) } else { Vec3::ZERO });
        }
        Ok(())
    }
}

/// No marker is farther away, in any unit.
const LARGEST: f64 = 1e12;

/// Metres of a unit of length.
fn length(unit: &str) -> Option<f64> {
    match unit.to_ascii_lowercase().as_str() {
        "m" | "meters" | "metres" | "meter" | "metre" => Some(1.0),
        "cm" => Some(0.01),
        "mm" | "millimeters" | "millimetres" => Some(1e-3),
        "in" | "inch" | "inches" => Some(0.0254),
        _ => None,
    }
}

/// Digits kept free for the number of frames, which is known only at the end.
const COUNT_WIDTH: usize = 10;

/// A marker file being written.
struct TrcSink<'o> {
    out: Box<dyn Place + 'o>,
    outline: Outline,
    frames: usize,
    /// Bytes of the file where the two counts stand.
    counts: [u64; 2],
}

impl<'o> TrcSink<'o> {
    fn new(outline: &Outline, mut out: Box<dyn Place + 'o>) -> io::Result<TrcSink<'o>> {
        let plain = |text: &str| text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
        let (rate, markers) = (outline.rate, outline.points.len());
        let blank = " ".repeat(COUNT_WIDTH);
        writeln!(out, "PathFileType\t4\t(X/Y/Z)\t{}.trc", plain(&outline.name))?;
        writeln!(out, "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames")?;
        write!(out, "{rate}\t{rate}\t")?;
        let first = out.stream_position()?;
        write!(out, "{blank}\t{markers}\tmm\t{rate}\t{}\t", outline.first_frame)?;
        let counts = [first, out.stream_position()?];
        write!(out, "{blank}\nFrame#\tTime")?;
        for name in &outline.points {
            write!(out, "\t{}\t\t", plain(name))?;
        }
        write!(out, "\n\t")?;
        for k in 1..=markers {
            write!(out, "\tX{k}\tY{k}\tZ{k}")?;
        }
        write!(out, "\n\n")?;
        Ok(TrcSink { out, outline: outline.clone(), frames: 0, counts })
    }
}

impl FrameSink for TrcSink<'_> {
    fn put(&mut self, frame: &Frame) -> io::Result<()> {
        let (outline, k) = (&self.outline, self.frames);
        write!(self.out, "{}\t{:.6}", outline.first_frame + k as u64, outline.start + k as f64 / outline.rate)?;
        for point in &frame.points {
            match point {
                Some(p) => write!(self.out, "\t{:.5}\t{:.5}\t{:.5}", p.x * 1000.0, p.y * 1000.0, p.z * 1000.0)?,
                None => write!(self.out, "\t\t\t")?,
            }
        }
        self.frames += 1;
        writeln!(self.out)
    }

    fn finish(&mut self) -> io::Result<()> {
        let end = self.out.stream_position()?;
        for at in self.counts {
            self.out.seek(SeekFrom::Start(at))?;
            write!(self.out, "{:>COUNT_WIDTH$}", self.frames)?;
        }
        self.out.seek(SeekFrom::Start(end))?;
        self.out.flush()
    }
}

#[cfg(test)]
#[path = "trc_tests.rs"]
mod tests;
