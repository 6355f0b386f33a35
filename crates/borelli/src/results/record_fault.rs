//! Why a finished folder of results cannot be read again.
//! Not here: finding out.

use borelli_model::{Explain, suggest};
use std::path::PathBuf;

/// Why a finished folder of results cannot be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordFault {
    /// There is no such folder.
    NoFolder {
        /// As given.
        folder: PathBuf,
    },
    /// A folder that no run wrote.
    NotARun {
        /// Where.
        folder: PathBuf,
    },
    /// A folder that a run is writing, or left when it was killed.
    Unfinished {
        /// Where.
        folder: PathBuf,
    },
    /// As the run wrote it, and yet not to be read: another version of the program writes other things.
    OtherVersion {
        /// The folder, or a file in it.
        place: PathBuf,
        /// The version that the summary names.
        version: String,
        /// What this version does not find.
        reason: String,
    },
    /// A file that the run wrote is gone.
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// A file is not the one that the run wrote.
    Changed {
        /// The file.
        file: PathBuf,
    },
    /// A file of which no hash is known cannot be understood.
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A case that the folder does not have.
    NoCase {
        /// As asked for.
        name: String,
        /// Those that it has; empty where it has but one without a name.
        known: Vec<String>,
    },
}

impl Explain for RecordFault {
    fn code(&self) -> &'static str {
        match self {
            RecordFault::NoFolder { .. } => "no-such-folder",
            RecordFault::NotARun { .. } => "not-a-run-folder",
            RecordFault::Unfinished { .. } => "unfinished-run",
            RecordFault::OtherVersion { .. } => "other-version",
            RecordFault::Missing { .. } => "missing-file",
            RecordFault::Changed { .. } => "changed-file",
            RecordFault::Damaged { .. } => "damaged-run",
            RecordFault::NoCase { .. } => "no-such-case",
        }
    }

    fn message(&self) -> String {
        match self {
            RecordFault::NoFolder { folder } if folder.is_file() => format!("`{}` is a file, and no folder of results", folder.display()),
            RecordFault::NoFolder { folder } => format!("there is no folder `{}`", folder.display()),
            RecordFault::NotARun { folder } => format!("`{}` holds no summary.json: it is not a folder of results", folder.display()),
            RecordFault::Unfinished { folder } => {
                format!("`{}` is not finished: a run is still writing it, or was killed", folder.display())
            }
            RecordFault::OtherVersion { place, version, reason } => {
                format!("`{}` was written by another build of borelli ({version}), and this one cannot read it: {reason}", place.display())
            }
            RecordFault::Missing { file } => format!("`{}` is missing: the run wrote it, and summary.json lists it", file.display()),
            RecordFault::Changed { file } => {
                format!("`{}` is not the file that this run wrote: its SHA-256 differs from the one in summary.json", file.display())
            }
            RecordFault::Damaged { file, reason } => format!("`{}`: {reason}", file.display()),
            RecordFault::NoCase { name, known } if known.is_empty() => format!("there is no case `{name}`: the run has no cases"),
            RecordFault::NoCase { name, .. } => format!("there is no case `{name}`"),
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            RecordFault::NoFolder { folder } if folder.is_file() => match folder.parent().filter(|parent| !parent.as_os_str().is_empty()) {
                Some(parent) => format!("give its folder: {}", parent.display()),
                None => "give its folder: .".into(),
            },
            RecordFault::NoFolder { .. } | RecordFault::NotARun { .. } => {
                "give the folder that `borelli run` or `borelli gait` left, for instance ballistic-gait-run".into()
            }
            RecordFault::Unfinished { .. } => "wait until the folder has its name without `.partial`, or run again".into(),
            RecordFault::Missing { .. } | RecordFault::Changed { .. } => {
                "put back the file that the run wrote, or run again with the command in summary.json".into()
            }
            RecordFault::OtherVersion { .. } => "make the run again with the command in summary.json".into(),
            RecordFault::Damaged { .. } => {
                "it was changed, or another build of borelli wrote it: make the run again with the command in summary.json".into()
            }
            RecordFault::NoCase { known, .. } if known.is_empty() => "leave out --case".into(),
            RecordFault::NoCase { name, known } => match suggest(name, known.iter().map(String::as_str)) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("cases are {}", known.join(", ")),
            },
        })
    }
}
