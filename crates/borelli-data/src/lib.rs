//! Measured data: units, recordings of a motion laboratory, tables over time, one file format per file, signals, events and cycles of gait.
//! Not here: models, bodies that move, the command line.
//! In: files and numbers with units. Out: recordings and tables in SI, with every repair made on the way.

pub mod anthropometry;
pub mod axes;
pub mod dim;
pub mod explain;
pub mod format;
pub mod gait;
pub mod landmark;
pub mod recording;
pub mod signal;
pub mod suggest;
pub mod table_fault;
pub mod trajectory;
pub mod triangles;
pub mod units;

pub use axes::{Axes, AxesFault};
pub use dim::{Dim, Exponent};
pub use explain::{Explain, Severity};
pub use format::{
    Angular, FORMATS, Format, FormatFault, ReadOptions, Reading, RecordingOptions, angular_by_name, format_of, open_recording,
    read_recording, read_table,
};
pub use landmark::{RigidFit, rigid_fit};
pub use recording::{Recording, even_times};
pub use suggest::suggest;
pub use table_fault::TableFault;
pub use trajectory::{Column, Trajectory, is_name};
pub use units::{UnitFault, parse_quantity, parse_unit, split_quantity};
