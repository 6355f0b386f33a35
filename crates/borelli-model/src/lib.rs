//! What can be written in a model file: text with positions, units, places, includes, mirrors, and all that can be wrong with them.
//! Not here: mechanics, and any list of joints, laws or functions; those declare their fields and hand them in.
//! In: files. Out: a [`Model`] of named elements whose values remember where they stood (or a plain [`Document`]), or every fault found.

pub mod column_formula;
pub mod data_file;
pub mod document;
pub mod fault;
pub mod field;
pub mod fields;
pub mod finding;
pub mod formula_dimension;
pub mod mirror;
pub mod model;
mod parse;
mod replace;
pub mod schema;
pub mod source;
pub mod value;
mod write;

// Words of files that data and models share.
pub use borelli_data::{Dim, Explain, Exponent, Severity, UnitFault, parse_quantity, parse_unit, split_quantity, suggest};
pub use data_file::{DataFile, DataFiles, MeshFile};
pub use document::Document;
pub use fault::{ReadFault, range_in_words};
pub use field::{Declaration, Field, FieldKind, Kind, Need, Range, number, number_of};
pub use fields::{FULL_TURN, Fields, FunctionRef, LawRef, PlaceRef, Quantity, StopRef, in_range};
pub use finding::{Finding, Findings};
pub use model::{Dimension, Model, Rejected};
pub use schema::{SectionSpec, json_schema, json_schema_of};
pub use source::{Location, Sources, Span, beside};
pub use value::{Data, Element, Entry, Value};
