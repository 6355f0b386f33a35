//! Files of tables over time and of recordings: one format per file, all in the list [`FORMATS`].
//! Not here: what a trajectory or a recording is, folders of results, events.
//! In: files, a [`Trajectory`], or frames. Out: the same, with what was decided and mended on the way.

pub mod c3d;
mod csv;
mod draft;
mod fault;
mod lines;
mod names;
#[cfg(test)]
mod recording_tests;
mod sto;
mod table_sink;
#[cfg(test)]
mod tests;
mod trc;

pub use fault::{AngleBasis, FormatFault, ReadNote, TextFault};
pub use names::angular_by_name;
pub(crate) use names::{GroundQuantity, ground_column};

use crate::recording::{FrameSink, FrameSource, Outline, Recording, RecordingFrames};
use crate::trajectory::Trajectory;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Seek, Write};
use std::path::Path;

/// Every format. The first is the one results are written in unless the user asks for another.
pub const FORMATS: &[&dyn Format] = &[&sto::Sto, &csv::Csv, &trc::Trc, &c3d::C3d];

/// What is read: a file, or text in memory.
pub trait Input: BufRead + Seek {}

impl<T: BufRead + Seek> Input for T {}

/// Where frames are written: counts at the top of a file are known only at its end.
pub trait Place: Write + Seek {}

impl<T: Write + Seek> Place for T {}

/// A way to write and read files, with two views: a table over time (trajectory), and what a laboratory measured (recording).
///
/// Files from elsewhere are read with tolerance where their meaning is certain and refused where it is not. Reading never panics.
pub trait Format: Sync {
    /// Short name for the command line and for people.
    fn name(&self) -> &'static str;
    /// Endings of file names in lower case without the point; the first is the one for new files.
    fn endings(&self) -> &'static [&'static str];
    /// True when every trajectory can be written, and reads back bit for bit.
    fn keeps_tables(&self) -> bool {
        false
    }
    /// True when a file of any size is read frame by frame in little memory.
    fn streams(&self) -> bool {
        false
    }
    /// Writes a whole table, where the format keeps tables.
    fn write(&self, _trajectory: &Trajectory, _out: &mut dyn Write) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, format!("{} files hold no tables with named columns", self.name())))
    }
    /// Reads a table; `file` is for messages, and its ending decides what old files leave unsaid.
    fn read_from(&self, _input: &mut dyn Input, file: &str, _options: &ReadOptions<'_>) -> Result<Reading, FormatFault> {
        Err(FormatFault { file: file.to_string(), line: 0, column: 0, kind: TextFault::NoTables { format: self.name() } })
    }
    /// Reads a table from text, as [`Format::read_from`].
    fn read(&self, text: &str, file: &str, options: &ReadOptions<'_>) -> Result<Reading, FormatFault> {
        self.read_from(&mut Cursor::new(text.as_bytes()), file, options)
    }
    /// Reads a recording.
    fn record(&self, input: &mut dyn Input, file: &str, options: &RecordingOptions<'_>) -> Result<Recording, FormatFault>;
    /// Opens a recording to be read frame by frame. Text is held in memory.
    fn open<'i>(
        &self,
        mut input: Box<dyn Input + 'i>,
        file: &str,
        options: &RecordingOptions<'_>,
    ) -> Result<Box<dyn FrameSource + 'i>, FormatFault> {
        Ok(Box::new(RecordingFrames::whole(self.record(&mut *input, file, options)?)))
    }
    /// Writes frames; what of an outline a format cannot carry, [`Format::left_out`] tells.
    fn sink<'o>(&self, outline: &Outline, out: Box<dyn Place + 'o>) -> io::Result<Box<dyn FrameSink + 'o>>;
    /// What of an outline cannot be written in this format, one sentence each.
    fn left_out(&self, outline: &Outline) -> Vec<String> {
        table_sink::left_out(outline)
    }
}

/// What kind of rotation a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Angular {
    /// An angle, rad.
    Angle,
    /// An angular velocity, rad/s.
    Rate,
    /// An angular acceleration, rad/s^2.
    Acceleration,
    /// An angle, going by its name: converted where a file speaks of degrees, and else left alone.
    Named,
}

impl Angular {
    /// The SI unit.
    pub fn unit(self) -> &'static str {
        match self {
            Angular::Angle | Angular::Named => "rad",
            Angular::Rate => "rad/s",
            Angular::Acceleration => "rad/s^2",
        }
    }
}

/// What the caller knows about a table that its file does not say.
#[derive(Clone, Copy)]
pub struct ReadOptions<'a> {
    /// Which columns are rotations. It is asked only about columns without a unit; `inDegrees` in a header speaks of these alone.
    pub angular: &'a dyn Fn(&str) -> Option<Angular>,
}

impl ReadOptions<'_> {
    /// No model is at hand: names tell which columns of a file in degrees are angles.
    pub fn by_name() -> Self {
        ReadOptions { angular: &angular_by_name }
    }
}

impl Default for ReadOptions<'_> {
    /// Nothing is known to be a rotation.
    fn default() -> Self {
        ReadOptions { angular: &|_| None }
    }
}

/// What the caller knows about a recording, and wants of it.
#[derive(Clone, Copy)]
pub struct RecordingOptions<'a> {
    /// Which columns of tables are rotations; by their names, unless a model knows better.
    pub angular: &'a dyn Fn(&str) -> Option<Angular>,
    /// Force below which a centre of pressure has no meaning, N.
    pub threshold: f64,
    /// What is subtracted from force plates of C3D files.
    pub baseline: c3d::BaselineRule,
    /// Samples per second of tables whose times are rounded, Hz; else the times tell.
    pub rate: Option<f64>,
}

impl Default for RecordingOptions<'_> {
    fn default() -> Self {
        RecordingOptions { angular: &angular_by_name, threshold: 20.0, baseline: c3d::BaselineRule::Auto, rate: None }
    }
}

/// A table that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The table, in SI and radians where units are known.
    pub trajectory: Trajectory,
    /// What was decided and seen.
    pub notes: Vec<ReadNote>,
    /// Free lines of the header, as they stood.
    pub remarks: Vec<String>,
}

/// The format that a file's ending asks for.
pub fn format_of(path: &Path) -> Option<&'static dyn Format> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    FORMATS.iter().copied().find(|format| format.endings().contains(&ending.as_str()))
}

/// The format that a file's ending asks for, or the fault that there is none.
pub fn format_for(path: &Path) -> Result<&'static dyn Format, FormatFault> {
    format_of(path).ok_or_else(|| {
        let found = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
        let known = FORMATS.iter().flat_map(|f| f.endings()).copied().collect();
        file_fault(path, TextFault::UnknownEnding { found, known })
    })
}

/// Reads a table from a file in the format its ending says.
pub fn read_table(path: &Path, options: &ReadOptions<'_>) -> Result<Reading, FormatFault> {
    format_for(path)?.read_from(&mut open_file(path)?, &path.to_string_lossy(), options)
}

/// Reads a recording from a file in the format its ending says.
pub fn read_recording(path: &Path, options: &RecordingOptions<'_>) -> Result<Recording, FormatFault> {
    format_for(path)?.record(&mut open_file(path)?, &path.to_string_lossy(), options)
}

/// Opens a recording to be read frame by frame, in the format its file's ending says.
pub fn open_recording(path: &Path, options: &RecordingOptions<'_>) -> Result<Box<dyn FrameSource>, FormatFault> {
    format_for(path)?.open(Box::new(open_file(path)?), &path.to_string_lossy(), options)
}

fn open_file(path: &Path) -> Result<BufReader<File>, FormatFault> {
    let cannot = |reason: String| file_fault(path, TextFault::CannotReadTable { reason });
    let file = File::open(path).map_err(|error| cannot(error.to_string()))?;
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(cannot("it is a folder".into()));
    }
    Ok(BufReader::with_capacity(1 << 16, file))
}

/// A fault of a whole file.
fn file_fault(path: &Path, kind: TextFault) -> FormatFault {
    FormatFault { file: path.to_string_lossy().into_owned(), line: 0, column: 0, kind }
}
