//! Frames as a table over time: one row per frame, or one row per sample where there are channels only.
//! Not here: whole trajectories, which the formats write themselves bit for bit.
//! In: an outline, then frames. Out: `.sto` or `.csv` text that the same format reads back.

use super::Place;
use super::csv;
use crate::recording::tidy::name_apart;
use crate::recording::{Frame, FrameSink, Outline};
use crate::trajectory::Column;
use crate::units::parse_unit;
use std::io::{self, SeekFrom};

/// How the table looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Storage file.
    Sto,
    /// Comma-separated values.
    Csv,
}

/// Digits kept free for the number of rows, which is known only at the end.
const COUNT_WIDTH: usize = 12;

/// A table being written.
pub(super) struct TableSink<'o> {
    out: Box<dyn Place + 'o>,
    layout: Layout,
    rate: f64,
    start: f64,
    rows: usize,
    /// Byte of the file where the number of rows stands.
    count: Option<u64>,
    with_channels: bool,
    channels: usize,
}

/// True when channels have a row of their own times: there is nothing else, or one sample a frame.
fn carries_channels(outline: &Outline) -> bool {
    outline.samples_per_frame <= 1 || (outline.points.is_empty() && outline.derived.is_empty())
}

/// What of an outline a table cannot carry.
pub(super) fn left_out(outline: &Outline) -> Vec<String> {
    let mut list = Vec::new();
    if !carries_channels(outline) && !outline.channels.is_empty() {
        let rate = outline.rate * outline.samples_per_frame as f64;
        list.push(format!(
            "{} channels: their rate is {rate} Hz, that of the points {} Hz, and a table has one column of times",
            outline.channels.len(),
            outline.rate
        ));
    }
    if !outline.events.is_empty() {
        list.push(format!("{} events", outline.events.len()));
    }
    list
}

impl<'o> TableSink<'o> {
    pub fn new(layout: Layout, outline: &Outline, mut out: Box<dyn Place + 'o>) -> io::Result<TableSink<'o>> {
        let with_channels = carries_channels(outline) && !outline.channels.is_empty();
        let columns = columns(outline, with_channels);
        let by_sample = with_channels && outline.samples_per_frame > 1;
        let rate = outline.rate * if by_sample { outline.samples_per_frame as f64 } else { 1.0 };
        let name = line(&outline.name);
        let mut count = None;
        match layout {
            Layout::Sto => {
                writeln!(out, "{}\nversion=1", if name.is_empty() || name.contains('=') { "recording" } else { &name })?;
                write!(out, "nRows=")?;
                count = Some(out.stream_position()?);
                writeln!(out, "{}\nnColumns={}\ninDegrees=no", " ".repeat(COUNT_WIDTH), columns.len() + 1)?;
                write!(out, "units=s")?;
                for column in &columns {
                    write!(out, "\t{}", column.unit.as_deref().unwrap_or("?"))?;
                }
                for column in columns.iter().filter(|column| column.optional) {
                    write!(out, "\noptional={}", column.name)?;
                }
                write!(out, "\nendheader\ntime")?;
                for column in &columns {
                    write!(out, "\t{}", column.name)?;
                }
            }
            Layout::Csv => {
                writeln!(out, "# name = {name}")?;
                for column in columns.iter().filter(|column| column.optional) {
                    writeln!(out, "# optional = {}", column.name)?;
                }
                write!(out, "time [s]")?;
                for column in &columns {
                    write!(out, ",{}", csv::quoted(&csv::label(column)))?;
                }
            }
        }
        writeln!(out)?;
        let channels = outline.channels.len();
        Ok(TableSink { out, layout, rate, start: outline.start, rows: 0, count, with_channels, channels })
    }

    fn row(&mut self, values: impl Iterator<Item = f64>) -> io::Result<()> {
        write!(self.out, "{:?}", self.start + self.rows as f64 / self.rate)?;
        for value in values {
            match (self.layout, value.is_nan()) {
                (Layout::Sto, false) => write!(self.out, "\t{value:?}")?,
                (Layout::Sto, true) => write!(self.out, "\tNaN")?,
                (Layout::Csv, false) => write!(self.out, ",{value:?}")?,
                (Layout::Csv, true) => write!(self.out, ",")?,
            }
        }
        self.rows += 1;
        writeln!(self.out)
    }
}

/// A name in one line, without blanks at its ends.
fn line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_string()
}

/// Columns of an outline: three for a point, then derived quantities, then channels. A unit that is none of the program's is left out.
fn columns(outline: &Outline, with_channels: bool) -> Vec<Column> {
    let known = |unit: &Option<String>| unit.clone().filter(|unit| parse_unit(unit).is_ok_and(|(factor, _)| factor == 1.0));
    let places =
        outline.points.iter().flat_map(|name| ["x", "y", "z"].map(|axis| (format!("{}.{axis}", line(name)), Some("m".to_string()))));
    let derived = outline.derived.iter().map(|(name, unit)| (line(name), known(unit)));
    let channels = outline.channels.iter().filter(|_| with_channels).map(|(name, unit)| (line(name), known(unit)));
    let (mut names, units): (Vec<String>, Vec<Option<String>>) = places.chain(derived).chain(channels).unzip();
    names.iter_mut().filter(|name| name.eq_ignore_ascii_case("time")).for_each(|name| name.push_str("_2"));
    name_apart(&mut names);
    names.into_iter().zip(units).map(|(name, unit)| Column { name, unit, optional: true }).collect()
}

impl FrameSink for TableSink<'_> {
    fn put(&mut self, frame: &Frame) -> io::Result<()> {
        let points = frame.points.iter().flat_map(|point| point.map_or([f64::NAN; 3], |p| p.to_array()));
        let frames = points.chain(frame.derived.iter().copied());
        if !self.with_channels {
            return self.row(frames);
        }
        let mut frames = Some(frames);
        for sample in frame.samples.chunks_exact(self.channels) {
            self.row(frames.take().into_iter().flatten().chain(sample.iter().copied()))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if let Some(at) = self.count {
            let end = self.out.stream_position()?;
            self.out.seek(SeekFrom::Start(at))?;
            write!(self.out, "{}", self.rows)?;
            self.out.seek(SeekFrom::Start(end))?;
        }
        self.out.flush()
    }
}
