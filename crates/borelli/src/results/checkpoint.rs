//! What a search knew, as a file in the folder of a run that is not over: enough to take it up with the same bits.
//! Not here: what is kept (`borelli-study`), when.
//! In: lines of names and hexadecimal numbers, and what the question was. Out: JSON, and back.
//!
//! The question is told by a hash over the version of the program, all files that were read, what the command line changed, and the case: a
//! checkpoint of another question is refused.

use super::files::place_of;
use super::hash::of_bytes;
use super::inputs::Input;
use crate::report::Change;
use borelli_model::Explain;
use borelli_study::fit::Lines;
use serde_json::{Map, Value, json};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the file in the folder of a case.
pub const CHECKPOINT: &str = "checkpoint.json";

/// Version of the file's content.
const FORMAT: u64 = 1;

/// Why a search cannot be taken up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointFault {
    /// No file.
    Missing {
        /// The folder of the run.
        folder: PathBuf,
    },
    /// Not what a run writes.
    Malformed {
        /// Which.
        path: PathBuf,
    },
    /// That of another question.
    OtherQuestion {
        /// Which.
        path: PathBuf,
    },
    /// It would be lost.
    InTheWay {
        /// Where a killed run has left it.
        path: PathBuf,
    },
}

impl Explain for CheckpointFault {
    fn code(&self) -> &'static str {
        match self {
            CheckpointFault::Missing { .. } => "no-checkpoint",
            CheckpointFault::Malformed { .. } => "checkpoint-malformed",
            CheckpointFault::OtherQuestion { .. } => "checkpoint-of-another-question",
            CheckpointFault::InTheWay { .. } => "checkpoint-in-the-way",
        }
    }

    fn message(&self) -> String {
        match self {
            CheckpointFault::Missing { folder } => format!("no search has left a checkpoint in `{}`", folder.display()),
            CheckpointFault::Malformed { path } => format!("`{}` is not a checkpoint that a run has written", path.display()),
            CheckpointFault::OtherQuestion { path } => {
                format!(
                    "`{}` belongs to another question: the study, a file it reads, an option or the program has changed",
                    path.display()
                )
            }
            CheckpointFault::InTheWay { path } => format!("a fit that was killed has left `{}`, and would be lost", path.display()),
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            CheckpointFault::Missing { .. } => {
                "--resume goes on with a fit that was interrupted or killed; give --out as in that run, or run without --resume".into()
            }
            CheckpointFault::Malformed { .. } => "run with --force instead of --resume".into(),
            CheckpointFault::OtherQuestion { .. } => {
                "give the same study and options as before, or run with --force instead of --resume".into()
            }
            CheckpointFault::InTheWay { .. } => "go on with it by --resume, give another --out, or begin anew with --force".into(),
        })
    }
}

/// What a question is told by.
pub fn question(inputs: &[Input], changes: &[Change], case: &str) -> String {
    let files: Vec<Value> = inputs.iter().map(|input| json!([input.path, input.sha256])).collect();
    let changes: Vec<Value> = changes.iter().map(|change| json!([change.option, change.value])).collect();
    let text = json!([env!("CARGO_PKG_VERSION"), files, changes, case]).to_string();
    of_bytes(text.as_bytes())
}

/// Writes a file that appears when it is whole, into the working folder of a run.
pub fn write_checkpoint(folder: &Path, case: &str, question: &str, lines: Lines) -> io::Result<()> {
    let place = folder.join(place_of(case));
    fs::create_dir_all(&place)?;
    let (path, side) = (place.join(CHECKPOINT), place.join(format!("{CHECKPOINT}.new")));
    fs::write(&side, format!("{:#}\n", to_json(question, lines)))?;
    fs::rename(&side, &path)
}

/// As JSON.
fn to_json(question: &str, lines: Lines) -> Value {
    let state: Map<String, Value> = lines.into_iter().map(|(name, line)| (name, Value::String(line))).collect();
    json!({ "format": FORMAT, "question": question, "state": state })
}

/// A checkpoint of one of these cases in a folder, if there is one.
pub fn find_checkpoint<'c>(folder: &Path, mut cases: impl Iterator<Item = &'c str>) -> Option<PathBuf> {
    cases.find_map(|case| Some(folder.join(place_of(case)).join(CHECKPOINT)).filter(|path| path.exists()))
}

/// What a case had kept in a folder; nothing where it had kept nothing.
pub fn read_checkpoint(folder: &Path, case: &str, question: &str) -> Result<Option<Lines>, CheckpointFault> {
    let path = folder.join(place_of(case)).join(CHECKPOINT);
    let Ok(bytes) = fs::read(&path) else { return Ok(None) };
    let value: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    let state = value["state"].as_object().filter(|_| value["format"] == FORMAT);
    let lines = state.and_then(|state| state.iter().map(|(name, line)| Some((name.clone(), line.as_str()?.to_string()))).collect());
    let Some(lines) = lines else { return Err(CheckpointFault::Malformed { path }) };
    if value["question"] == question { Ok(Some(lines)) } else { Err(CheckpointFault::OtherQuestion { path }) }
}
