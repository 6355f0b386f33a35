//! What can be wrong with the file of a table or of a recording, and what a reader decided on the way.
//! Not here: faults of the table itself; [`TableFault`] has those and is wrapped here with its place.
//! In: facts and a place. Out: code, message and hint through [`Explain`].

use crate::explain::{Explain, Severity};
use crate::table_fault::TableFault;
use std::fmt;

/// A fault of a table's file with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatFault {
    /// The file as it was named.
    pub file: String,
    /// Line, from 1; 0 when the fault has no place in the text.
    pub line: usize,
    /// Character in the line, from 1; 0 when the fault is that of the whole line or file.
    pub column: usize,
    /// What is wrong.
    pub kind: TextFault,
}

/// What is wrong with a table's text, or with the bytes of a recording; places of these are bytes from zero. Each variant carries the facts; its code is its name in kebab-case.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum TextFault {
    /// The file could not be opened or read.
    CannotReadTable { reason: String },
    /// No format has this ending.
    UnknownEnding { found: String, known: Vec<&'static str> },
    /// The file is not UTF-8.
    TableNotUtf8 { byte: usize },
    /// A byte that no text holds.
    NotText { byte: u64 },
    /// A line without end.
    LineTooLong { limit: usize },
    /// There is nothing in the file.
    EmptyTable,
    /// The header has no end.
    NoEndheader,
    /// The header is followed by nothing.
    NoLabels,
    /// The first column is not time.
    FirstColumnNotTime { found: String },
    /// A column without a name, or a second `time`.
    BadLabel { found: String },
    /// A version nobody has described.
    UnknownVersion { found: String },
    /// Cells of a kind that cannot be read as numbers.
    UnknownDataType { found: String, known: Vec<&'static str> },
    /// A word of the header that is neither yes nor no.
    NeitherYesNorNo { key: String, found: String },
    /// The times are not those of the rate that the caller knows, Hz.
    NotTheRate { rate: f64 },
    /// `optional` names no column.
    NoSuchColumn { name: String },
    /// A row of another length than the labels.
    RaggedRow { found: usize, expected: usize },
    /// A cell that is no number.
    NotANumber { label: String, found: String },
    /// A cell that says infinity, or a number beyond the largest.
    InfiniteCell { label: String, found: String },
    /// A cell without content where one must stand.
    EmptyCell { label: String },
    /// A cell of a vector with too many or too few numbers.
    WrongComponents { label: String, found: usize, expected: usize },
    /// A quotation mark that is never closed.
    OpenQuote,
    /// Something follows a closing quotation mark.
    AfterQuote { found: char },
    /// An angle said to be in radians that turns too far.
    ImplausibleAngle { label: String, range: f64 },
    /// A row whose time is not after that of the row before.
    TimeNotIncreasing { time: f64, previous: f64, line: usize },
    /// The first line of a marker file is not what it must be.
    NotMarkers { found: String },
    /// A marker file without names of markers.
    NoMarkers,
    /// A length unit that nobody knows.
    UnknownLength { found: String },
    /// Neither the header nor the times say how often the cameras looked.
    NoRate,
    /// A format holds no such table, or its tables cannot be read through this way.
    NoTables { format: &'static str },
    /// A fault of the table the text describes.
    Table(TableFault),
    /// A read or a seek failed inside a binary file.
    CannotReadBytes { byte: u64, reason: String },
    /// Nothing but zeros where a C3D file begins.
    OnlyZeros { scanned: u64, length: u64 },
    /// A mark of a binary format is not there.
    WrongMark { byte: u64, found: u8, expected: u8, what: &'static str },
    /// No known way of storing numbers, and the usual one gives nonsense.
    UnknownProcessor { byte: u64, found: u8 },
    /// A binary file ends inside something it needs.
    CutOff { byte: u64, what: &'static str, needed: u64, held: u64 },
    /// Frames are announced and not one is there.
    NoWholeFrame { byte: u64, announced: u64, frame: u64, held: u64 },
    /// A file of measurements without any.
    NothingMeasured { byte: u64 },
    /// A file of frames that does not say how many make a second.
    NoFrameRate { byte: u64 },
}

use TextFault::*;

impl Explain for TextFault {
    fn code(&self) -> &'static str {
        match self {
            CannotReadTable { .. } => "cannot-read-table",
            UnknownEnding { .. } => "unknown-ending",
            TableNotUtf8 { .. } => "table-not-utf8",
            NotText { .. } => "not-text",
            LineTooLong { .. } => "line-too-long",
            EmptyTable => "empty-table",
            NoEndheader => "no-endheader",
            NoLabels => "no-labels",
            FirstColumnNotTime { .. } => "first-column-not-time",
            BadLabel { .. } => "bad-label",
            UnknownVersion { .. } => "unknown-version",
            UnknownDataType { .. } => "unknown-data-type",
            NeitherYesNorNo { .. } => "neither-yes-nor-no",
            NotTheRate { .. } => "not-the-rate",
            NoSuchColumn { .. } => "no-such-column",
            RaggedRow { .. } => "ragged-row",
            NotANumber { .. } => "not-a-number",
            InfiniteCell { .. } => "infinite-cell",
            EmptyCell { .. } => "empty-cell",
            WrongComponents { .. } => "wrong-components",
            OpenQuote => "open-quote",
            AfterQuote { .. } => "after-quote",
            ImplausibleAngle { .. } => "implausible-angle",
            TimeNotIncreasing { .. } => "time-not-increasing",
            NotMarkers { .. } => "not-markers",
            NoMarkers => "no-markers",
            UnknownLength { .. } => "unknown-length",
            NoRate => "no-rate",
            NoTables { .. } => "no-tables",
            Table(fault) => fault.code(),
            CannotReadBytes { .. } => "cannot-read-bytes",
            OnlyZeros { .. } => "only-zeros",
            WrongMark { .. } => "wrong-mark",
            UnknownProcessor { .. } => "unknown-processor",
            CutOff { .. } => "cut-off",
            NoWholeFrame { .. } => "no-whole-frame",
            NothingMeasured { .. } => "nothing-measured",
            NoFrameRate { .. } => "no-frame-rate",
        }
    }

    fn message(&self) -> String {
        match self {
            CannotReadTable { reason } => format!("the file cannot be read: {reason}"),
            UnknownEnding { found, .. } => format!("no format of tables ends in `{found}`"),
            TableNotUtf8 { byte } => format!("the file is not UTF-8 at byte {byte}"),
            NotText { byte } => format!("this is no text: byte {byte} is zero"),
            LineTooLong { limit } => format!("the line is longer than {} MiB", limit >> 20),
            EmptyTable => "the file is empty".into(),
            NoEndheader => "the header has no line `endheader`".into(),
            NoLabels => "there is no row of column names".into(),
            FirstColumnNotTime { found } => format!("the first column is `{found}`, expected `time`"),
            BadLabel { found } => format!("found `{found}`, expected the name of a column"),
            UnknownVersion { found } => format!("the version is `{found}`, expected 0 to 3"),
            UnknownDataType { found, .. } => format!("cells of type `{found}` cannot be read"),
            NeitherYesNorNo { key, found } => format!("`{key}` is `{found}`, expected `yes` or `no`"),
            NotTheRate { rate } => format!("the times are not those of {rate} samples a second"),
            NoSuchColumn { name } => format!("`optional` names `{name}`, which is no column"),
            RaggedRow { found, expected } => format!("the row has {found} cells, expected {expected}"),
            NotANumber { label, found } => format!("column `{label}`: found `{found}`, expected a number"),
            InfiniteCell { label, found } => format!("column `{label}`: found `{found}`, expected a finite number"),
            EmptyCell { label } => format!("column `{label}`: found an empty cell, expected a number"),
            WrongComponents { label, found, expected } => format!("column `{label}`: found {found} components, expected {expected}"),
            OpenQuote => "a quotation mark is never closed".into(),
            AfterQuote { found } => format!("found `{found}` after a closing quotation mark, expected a comma or the end of the line"),
            ImplausibleAngle { label, range } => format!("column `{label}` is said to be in radians and covers {range:.3} rad"),
            TimeNotIncreasing { time, previous, line } => {
                format!("time {time:?} s does not come after {previous:?} s of line {line}")
            }
            NotMarkers { found } => format!("the file begins with `{found}`, expected `PathFileType`"),
            NoMarkers => "the fourth line names no marker".into(),
            UnknownLength { found } => format!("`{found}` is no unit of length"),
            NoRate => "the header says no rate, and the times show none".into(),
            NoTables { format } => format!("{format} files hold no tables with named columns"),
            Table(fault) => fault.message(),
            CannotReadBytes { byte, reason } => format!("byte {byte} cannot be read: {reason}"),
            OnlyZeros { scanned, length } => {
                format!("the first {scanned} of {length} bytes are all zero, expected the header of a C3D file")
            }
            WrongMark { byte, found, expected, what } => format!("byte {byte} is {found:#04x}, expected {expected:#04x}, {what}"),
            UnknownProcessor { byte, found } => format!("byte {byte} names processor {found}, expected 84 (Intel), 85 (DEC) or 86 (SGI)"),
            CutOff { byte, what, needed, held } => {
                format!("the file ends inside {what}: {needed} bytes are needed from byte {byte}, {held} are there")
            }
            NoWholeFrame { byte, announced, frame, held } => {
                format!("{announced} frames of {frame} bytes are announced from byte {byte}, {held} bytes are there: not one frame")
            }
            NothingMeasured { byte } => format!("the header at byte {byte} counts neither points nor channels"),
            NoFrameRate { byte } => format!("no frame rate, neither in the header at byte {byte} nor in POINT:RATE"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            UnknownEnding { known, .. } => Some(format!("known endings: {}", known.join(", "))),
            TableNotUtf8 { .. } => Some("save the file as UTF-8 text".into()),
            NoEndheader => {
                Some("the header of a .sto or .mot file ends with a line that says `endheader`; the names of the columns follow".into())
            }
            NoLabels => Some("the names of the columns stand in one row, the first is `time`".into()),
            NotTheRate { .. } => Some("give the rate at which the samples were taken, or leave it out".into()),
            FirstColumnNotTime { found } if found.contains(';') => Some("cells are separated by commas, not by semicolons".into()),
            FirstColumnNotTime { found } if found.contains('\t') => Some("cells are separated by commas, not by tabs".into()),
            FirstColumnNotTime { found } if found.contains(',') => Some("cells are separated by tabs or blanks, not by commas".into()),
            BadLabel { .. } => Some("every column has a name of one line, and only the first is called `time`".into()),
            UnknownDataType { known, .. } => Some(format!("known types: {}", known.join(", "))),
            RaggedRow { found, expected } if found > expected => {
                Some("every row has one cell per column name; the decimal mark is a point, never a comma".into())
            }
            RaggedRow { .. } => Some("every row has one cell per column name; the file may have been cut off".into()),
            NotANumber { found, .. } if found.contains(',') => Some("the decimal mark is a point: `0.5`".into()),
            NotANumber { .. } | EmptyCell { .. } => Some("a missing value is written NaN".into()),
            OpenQuote => Some("a quotation mark inside a quoted cell is written twice".into()),
            ImplausibleAngle { .. } => Some("if the numbers are degrees, the header must say inDegrees=yes".into()),
            NotText { .. } => {
                Some("tables are UTF-8 text; is this another kind of file, UTF-16, or one that was not copied completely?".into())
            }
            LineTooLong { .. } => Some("is this a table? rows end with a line break".into()),
            TimeNotIncreasing { .. } => Some("a table holds one row per time, in their order".into()),
            NotMarkers { .. } => Some("a .trc file begins with a line `PathFileType 4 (X/Y/Z) NAME`".into()),
            NoMarkers => Some("the fourth line is `Frame#`, `Time`, then a name for every three columns, separated by tabs".into()),
            UnknownLength { .. } => Some("known units: m, cm, mm, inches".into()),
            NoRate => Some("give DataRate in the third line, or two rows at least".into()),
            NoTables { .. } => Some("read it as a recording".into()),
            Table(fault) => fault.hint(),
            OnlyZeros { .. } => Some("the file was reserved but never filled, or it is no C3D file; copy it again from its source".into()),
            WrongMark { .. } => Some("the file is no C3D file, or its beginning is damaged".into()),
            UnknownProcessor { .. } => Some("the file is damaged, or it is no C3D file".into()),
            CutOff { .. } | NoWholeFrame { .. } => Some("the file was cut off; copy it again from its source".into()),
            NothingMeasured { .. } => Some("there is nothing to read in this file".into()),
            NoFrameRate { .. } => Some("set POINT:RATE in the program that wrote the file".into()),
            _ => None,
        }
    }
}

impl fmt::Display for FormatFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        for place in [self.line, self.column].iter().take_while(|&&place| place > 0) {
            write!(f, "{place}:")?;
        }
        write!(f, " error[{}]: {}", self.kind.code(), self.kind.message())?;
        self.kind.hint().map_or(Ok(()), |hint| write!(f, "\n  hint: {hint}"))
    }
}

impl std::error::Error for FormatFault {}

/// Why angles of a file were taken to be in degrees or in radians.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AngleBasis {
    /// The header says so.
    Header,
    /// Version 0 with the ending `.mot` means degrees.
    OldMotion,
    /// The header is silent, which means radians.
    Silence,
}

/// Something a reader decided or saw that the user should know.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum ReadNote {
    /// How the columns declared rotational were understood; those named now carry a unit of angle.
    Angles { degrees: bool, basis: AngleBasis, columns: Vec<String> },
    /// Nobody said which columns are angles, so that names decided.
    ByName,
    /// A column without a unit that is called like an angle covers more than an angle in radians can.
    SuspectAngle { column: String, range: f64 },
    /// A column was converted to SI.
    Converted { column: String, from: String, to: String },
    /// A column lacks values.
    Missing { column: String, count: usize },
    /// The header counts rows or columns otherwise than the data, which are right.
    WrongCount { key: String, said: String, found: usize },
    /// Cells of vectors were spread over columns.
    Spread { data_type: String, columns: usize },
    /// A key of the header stands twice; the last one holds.
    RepeatedKey { key: String },
    /// A column that only counts frames was left out.
    FrameNumbers { label: String },
    /// Names of columns ended with their units.
    UnitsOfNames { count: usize },
}

impl Explain for ReadNote {
    fn code(&self) -> &'static str {
        match self {
            ReadNote::Angles { .. } => "angles",
            ReadNote::ByName => "angles-by-name",
            ReadNote::SuspectAngle { .. } => "suspect-angle",
            ReadNote::Converted { .. } => "converted",
            ReadNote::Missing { .. } => "missing-values",
            ReadNote::WrongCount { .. } => "wrong-count",
            ReadNote::Spread { .. } => "spread-vectors",
            ReadNote::RepeatedKey { .. } => "repeated-key",
            ReadNote::FrameNumbers { .. } => "frame-numbers",
            ReadNote::UnitsOfNames { .. } => "units-of-names",
        }
    }

    fn message(&self) -> String {
        match self {
            ReadNote::Angles { degrees, basis, columns } => {
                let unit = if *degrees { "degrees" } else { "radians" };
                let why = match basis {
                    AngleBasis::Header => "the header says so",
                    AngleBasis::OldMotion => "as in every .mot file of version 0",
                    AngleBasis::Silence => "the header does not say otherwise",
                };
                let done = match (columns.len(), degrees) {
                    (0, _) => "no column without a unit is known to be an angle, so none was changed".to_string(),
                    (n, true) => format!("{n} columns were converted to radians: {}", columns.join(", ")),
                    (n, false) => format!("{n} columns: {}", columns.join(", ")),
                };
                format!("angles are in {unit} ({why}); {done}")
            }
            ReadNote::ByName => "no model says which columns are angles, so their names decided: all but translations (_tx, _ty, _tz), \
                                 forces (_force), _beta, vectors and ground reactions"
                .into(),
            ReadNote::SuspectAngle { column, range } => {
                format!("column `{column}` covers {range:.3} although the file says radians; are these degrees?")
            }
            ReadNote::Converted { column, from, to } => format!("column `{column}` was converted from {from} to {to}"),
            ReadNote::Missing { column, count } => format!("column `{column}` lacks {count} values"),
            ReadNote::WrongCount { key, said, found } => format!("the header says {key} = {said}, the data have {found}"),
            ReadNote::Spread { data_type, columns } => format!("cells of type {data_type} became {columns} columns of numbers"),
            ReadNote::RepeatedKey { key } => format!("the header says `{key}` more than once; the last one holds"),
            ReadNote::FrameNumbers { label } => format!("column `{label}` only counts frames"),
            ReadNote::UnitsOfNames { count } => format!("{count} names of columns end with a unit, as in `time_s`"),
        }
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }
}
