//! Recordings that a study names: found, read in their format, turned to the axes of models.
//! Not here: the formats (`borelli-data`), what is made of a recording (`measured`).
//! In: a path, where files come from, what the study says of axes. Out: a recording in the axes of models, and what was decided.

use super::Files;
use super::fault::StudyFault;
use borelli_data::axes::{Axes, Direction, heading};
use borelli_data::format::{c3d::BaselineRule, format_for};
use borelli_data::landmark::Landmarks;
use borelli_data::recording::Recording;
use borelli_data::{Explain, RecordingOptions};
use borelli_math::Mat3;
use std::io::Cursor;
use std::path::Path;

/// Repairs that are told one by one; of more only the number.
const REPAIRS: usize = 12;

/// What a study says of a recording beside its path.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Axes of the laboratory: `x-forward, z-up`.
    pub axes: Option<String>,
    /// Walking direction as an axis of the laboratory, or `auto`.
    pub forward: Option<String>,
    /// Whether names lose what stands before a colon.
    pub strip_prefix: bool,
    /// Normal load below which a centre of pressure has no meaning, N.
    pub threshold: Option<f64>,
    /// What an unloaded plate shows.
    pub baseline: Option<BaselineRule>,
    /// Samples per second of a table whose times are rounded, Hz.
    pub rate: Option<f64>,
    /// The rotation to the axes of models, where another part of the same file has told it.
    pub turn: Option<Mat3<f64>>,
}

/// A recording in the axes of models.
pub struct Loaded {
    /// What was measured.
    pub recording: Recording,
    /// Rotation from the axes of the laboratory.
    pub R_ML: Mat3<f64>,
    /// What was decided, for people.
    pub notes: Vec<(String, String)>,
}

/// What is wrong, and with which field.
pub struct RecordingFault {
    /// Field of `[markers]` or `[loads]`.
    pub field: &'static str,
    /// What is wrong with it.
    pub fault: StudyFault,
}

/// Reads a recording through the files of a study.
pub fn load_recording(path: &str, files: &Files, wanted: &Wanted) -> Result<Loaded, RecordingFault> {
    if wanted.rate.is_some() && format_for(Path::new(path)).is_ok_and(|format| !format.keeps_tables()) {
        return Err(RecordingFault { field: "rate", fault: StudyFault::IdleRate { path: path.into() } });
    }
    let mut recording = read(path, files, wanted).map_err(|(reason, advice)| {
        let advice = advice.unwrap_or_else(|| "give a .trc, .c3d, .mot, .sto or .csv file".into());
        RecordingFault { field: "file", fault: StudyFault::BadRecording { path: path.into(), reason, advice } }
    })?;
    if wanted.strip_prefix {
        for point in &mut recording.points {
            if let Some((_, name)) = point.name.split_once(':') {
                point.name = name.to_string();
            }
        }
    }
    let (R, told) = match wanted.turn {
        Some(R) => (R, "those of the markers".to_string()),
        None => rotation(path, &recording, wanted)?,
    };
    let mut recording = if R == Mat3::IDENTITY { recording } else { recording.turned(&R) };
    // Only now is it known which way is up.
    recording.turn_reversed_columns();
    let mut notes = Vec::new();
    if !recording.repairs.is_empty() {
        let shown: Vec<String> =
            recording.repairs.iter().take(REPAIRS).map(|repair| format!("{}: {}, {}", repair.at, repair.found, repair.done)).collect();
        let more = recording.repairs.len().saturating_sub(REPAIRS);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        notes.push((format!("repairs of {path}"), format!("{}{more}", shown.join("; "))));
    }
    notes.push((format!("axes of {path}"), told));
    Ok(Loaded { recording, R_ML: R, notes })
}

/// The recording as it is, or why not and what to do.
fn read(path: &str, files: &Files, wanted: &Wanted) -> Result<Recording, (String, Option<String>)> {
    let told = |fault: borelli_data::FormatFault| {
        let place = if fault.line > 0 { format!("line {}: ", fault.line) } else { String::new() };
        (format!("{place}{}", fault.kind.message()), fault.kind.hint())
    };
    let format = format_for(Path::new(path)).map_err(told)?;
    let bytes = files.load(path).map_err(|error| (error.to_string(), None))?;
    let mut options = RecordingOptions::default();
    options.threshold = wanted.threshold.unwrap_or(0.0);
    options.baseline = wanted.baseline.unwrap_or(options.baseline);
    options.rate = wanted.rate;
    format.record(&mut Cursor::new(bytes), path, &options).map_err(told)
}

/// The rotation from the axes of a recording to those of models, and how it was found.
fn rotation(path: &str, recording: &Recording, wanted: &Wanted) -> Result<(Mat3<f64>, String), RecordingFault> {
    let bad = |field: &'static str, found: &str, fault: &dyn Explain| RecordingFault {
        field,
        fault: StudyFault::BadAxes { found: found.into(), reason: fault.message() },
    };
    let is_c3d = Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("c3d"));
    let (axes, how) = match &wanted.axes {
        Some(text) => (Axes::parse(text).map_err(|fault| bad("axes", text, &fault))?, "as told"),
        None if recording.up.is_some() => (Axes::of_recording(recording, Direction::Z), "as the file says"),
        None if is_c3d => (Axes::Z_UP, "as usual in such files"),
        None => (Axes::OWN, "as usual in such files"),
    };
    let R = axes.rotation();
    let Some(forward) = &wanted.forward else { return Ok((R, format!("{axes}, {how}"))) };
    let given = match forward.as_str() {
        "auto" => None,
        text => Some(R * Direction::parse(text).map_err(|fault| bad("forward", text, &fault))?.vector()),
    };
    let upright = recording.turned(&R);
    let found = heading(&upright, &Landmarks::of(&upright, None), given).map_err(|fault| bad("forward", forward, &fault))?;
    let notice = found.notice().map_or(String::new(), |notice| format!("; {notice}"));
    let along =
        Direction::nearest(R.transpose() * found.forward).map_or(String::new(), |d| format!("; the walk goes along {d} of the laboratory"));
    Ok((found.turn * R, format!("{}-up, {how}{along}{notice}", axes.up())))
}
