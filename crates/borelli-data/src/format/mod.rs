//! Files of tables over time: one format per file, all in the list [`FORMATS`].
//! Not here: what a trajectory is, folders of results, events.
//! In: text or a [`Trajectory`]. Out: a trajectory with what was decided on the way, or text that reads back to the same bits.

pub mod c3d;
mod csv;
mod draft;
mod fault;
mod sto;
#[cfg(test)]
mod tests;

pub use fault::{AngleBasis, FormatFault, ReadNote, TextFault};

use crate::trajectory::Trajectory;
use std::io::{self, Write};
use std::path::Path;

/// Every format. The first is the one results are written in unless the user asks for another.
pub const FORMATS: &[&dyn Format] = &[&sto::Sto, &csv::Csv];

/// A way to write a trajectory as text, and to read it back.
///
/// What is written reads back as the same trajectory, bit for bit; text from elsewhere is read with tolerance where its meaning is
/// certain and refused where it is not. Reading never panics.
pub trait Format: Sync {
    /// Short name for the command line and for people.
    fn name(&self) -> &'static str;
    /// Endings of file names in lower case without the point; the first is the one for new files.
    fn endings(&self) -> &'static [&'static str];
    /// Writes the whole table.
    fn write(&self, trajectory: &Trajectory, out: &mut dyn Write) -> io::Result<()>;
    /// Reads a table; `file` is for messages, and its ending decides what old files leave unsaid.
    fn read(&self, text: &str, file: &str, options: &ReadOptions<'_>) -> Result<Reading, FormatFault>;
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
}

impl Angular {
    /// The SI unit.
    pub fn unit(self) -> &'static str {
        match self {
            Angular::Angle => "rad",
            Angular::Rate => "rad/s",
            Angular::Acceleration => "rad/s^2",
        }
    }
}

/// What the caller knows about a file that the file does not say.
pub struct ReadOptions<'a> {
    /// Which columns are rotations. It is asked only about columns without a unit; `inDegrees` in a header speaks of these alone.
    pub angular: &'a dyn Fn(&str) -> Option<Angular>,
}

impl Default for ReadOptions<'_> {
    /// Nothing is known to be a rotation.
    fn default() -> Self {
        ReadOptions { angular: &|_| None }
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

/// Reads a table from a file in the format its ending says.
pub fn read_table(path: &Path, options: &ReadOptions<'_>) -> Result<Reading, FormatFault> {
    let file = path.to_string_lossy();
    let fault = |kind| FormatFault { file: file.to_string(), line: 0, column: 0, kind };
    let format = format_of(path).ok_or_else(|| {
        let found = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
        fault(TextFault::UnknownEnding { found, known: FORMATS.iter().flat_map(|f| f.endings()).copied().collect() })
    })?;
    let bytes = std::fs::read(path).map_err(|error| fault(TextFault::CannotReadTable { reason: error.to_string() }))?;
    let text = str::from_utf8(&bytes).map_err(|error| fault(TextFault::TableNotUtf8 { byte: error.valid_up_to() }))?;
    format.read(text, &file, options)
}
