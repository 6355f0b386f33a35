//! C3D files: points, channels, force plates and events of a motion laboratory, in one binary file.
//! Not here: what a recording is (`recording`), events found in forces (`gait`).
//! In: a path, or anything that reads and seeks. Out: frames or a whole recording in SI with every repair; or a file of Intel floats.

mod analog;
mod baseline;
mod bytes;
mod describe;
mod events;
mod format;
mod header;
mod labels;
mod layout;
mod parameters;
mod plate;
mod platform;
mod reader;
mod section;
mod unit;
mod writer;

pub(in crate::format) use format::C3d;
pub use plate::add_plates;
pub use reader::Reader;
pub use writer::Writer;

use super::fault::{FormatFault, TextFault};
use crate::recording::{Frame, FrameSink, FrameSource, Recording};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// Opens a file to read it frame by frame; memory does not grow with the file.
pub fn open(path: &Path) -> Result<Box<dyn FrameSource>, FormatFault> {
    Ok(Box::new(open_file(path)?))
}

/// What a plate shows while nobody stands on it, and whether it is subtracted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BaselineRule {
    /// What the file names, else the longest quiet stretch.
    #[default]
    Auto,
    /// Only what the file names.
    File,
    /// Nothing is subtracted.
    None,
    /// The mean of a stretch, s.
    Window(f64, f64),
}

/// How a C3D file is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C3dOptions {
    /// What is subtracted from plates.
    pub baseline: BaselineRule,
    /// Normal load below which a centre of pressure has no meaning, N.
    pub threshold: f64,
}

impl Default for C3dOptions {
    /// Automatic baseline, 20 N.
    fn default() -> Self {
        C3dOptions { baseline: BaselineRule::Auto, threshold: 20.0 }
    }
}

/// Reads a whole file with its plates.
pub fn read(path: &Path, options: &C3dOptions) -> Result<Recording, FormatFault> {
    read_from(&mut open_file(path)?, options)
}

/// Reads a whole recording with its plates from a reader that stands before its first frame.
pub fn read_from(reader: &mut dyn FrameSource, options: &C3dOptions) -> Result<Recording, FormatFault> {
    let mut recording = Recording::collect(reader)?;
    add_plates(&mut recording, options);
    Ok(recording)
}

/// Writes a recording to a file; what stood there is lost.
pub fn write(path: &Path, recording: &Recording) -> io::Result<()> {
    let mut source = recording.frames();
    let mut writer = Writer::new(BufWriter::new(File::create(path)?), source.outline())?;
    let mut frame = Frame::default();
    while source.next_frame(&mut frame).map_err(io::Error::other)? {
        writer.put(&frame)?;
    }
    writer.finish()
}

fn open_file(path: &Path) -> Result<Reader<File>, FormatFault> {
    let name = path.to_string_lossy();
    let file = File::open(path).map_err(|error| reader::fault(&name, TextFault::CannotReadTable { reason: error.to_string() }))?;
    Reader::new(file, &name)
}

/// The fact under which a unit is kept that is not understood.
fn unit_fact(name: &str) -> String {
    format!("unit of {name}")
}

#[cfg(test)]
mod tests;
