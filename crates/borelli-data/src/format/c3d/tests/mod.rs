//! Tests of C3D files: reference tables, files made byte by byte, damage, round trips.
//! Not here: numbers, names and units, which are tested where they stand.

mod builder;
mod copies;
mod damage;
mod plates;
mod reference;
mod repairs;
mod round_trip;

use super::{C3dOptions, Reader, read_from};
use crate::format::FormatFault;
use crate::recording::Recording;
use std::io::Cursor;

/// Reads bytes as a file.
fn try_read(bytes: &[u8], options: &C3dOptions) -> Result<Recording, FormatFault> {
    read_from(&mut Reader::new(Cursor::new(bytes), "trial.c3d")?, options)
}

/// Reads bytes that must be readable.
fn read_bytes(bytes: &[u8]) -> Recording {
    try_read(bytes, &C3dOptions::default()).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Asserts that a repair at a place speaks of something.
fn assert_told(recording: &Recording, at: &str, found: &str, done: &str) {
    let told = recording.repairs.iter().any(|r| r.at == at && r.found.contains(found) && r.done.contains(done));
    assert!(told, "{at}: {found}: {done}\n{:#?}", recording.repairs);
}
