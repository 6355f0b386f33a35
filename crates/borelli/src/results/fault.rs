//! Why a folder of results cannot be begun, written or closed.
//! Not here: finding out.

use borelli_model::Explain;
use std::path::{Path, PathBuf};

/// Why a folder of results cannot be begun, written or closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FolderFault {
    /// Something of that name is there.
    Exists {
        /// Where.
        out: PathBuf,
    },
    /// What is to be replaced was not written by a run.
    NotARun {
        /// Where.
        out: PathBuf,
    },
    /// A link that leads nowhere.
    BrokenLink {
        /// As given.
        out: PathBuf,
        /// Where it leads.
        to: PathBuf,
    },
    /// The path has no last part that could be the name of a new folder.
    NoName {
        /// As given.
        out: PathBuf,
    },
    /// Another run is writing there, or nobody can tell whether one is.
    Busy {
        /// Its working folder.
        partial: PathBuf,
        /// Its command.
        command: String,
        /// When it began.
        started: String,
    },
    /// A folder that a run needs for itself is there, and no run has marked it.
    InTheWay {
        /// It.
        path: PathBuf,
    },
    /// The disk refuses.
    Disk {
        /// What was tried: `create`, `write`, `rename`.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

impl FolderFault {
    /// A fault of the disk, with what was tried.
    pub(super) fn disk(doing: &'static str, path: &Path) -> impl Fn(std::io::Error) -> FolderFault {
        move |error| FolderFault::Disk { doing, path: path.to_path_buf(), reason: error.to_string() }
    }

    /// True when the user can mend it by other words; false when the machine failed.
    pub fn is_bad_input(&self) -> bool {
        !matches!(self, FolderFault::Disk { .. })
    }
}

impl Explain for FolderFault {
    fn code(&self) -> &'static str {
        match self {
            FolderFault::Exists { .. } => "folder-exists",
            FolderFault::NotARun { .. } => "not-a-run-folder",
            FolderFault::BrokenLink { .. } => "broken-link",
            FolderFault::NoName { .. } => "folder-without-name",
            FolderFault::Busy { .. } => "folder-busy",
            FolderFault::InTheWay { .. } => "folder-in-the-way",
            FolderFault::Disk { .. } => "cannot-write",
        }
    }

    fn message(&self) -> String {
        match self {
            FolderFault::Exists { out } => format!("`{}` already exists", out.display()),
            FolderFault::NotARun { out } => {
                format!("`{}` holds no summary.json of a run: it was not written by borelli and is not replaced", out.display())
            }
            FolderFault::BrokenLink { out, to } => {
                format!("`{}` is a symbolic link to `{}`, which does not exist", out.display(), to.display())
            }
            FolderFault::NoName { out } => format!("`{}` cannot be the name of a new folder", out.display()),
            FolderFault::Busy { partial, command, started } => {
                format!("another run is writing into `{}`: {command}, begun {started}", partial.display())
            }
            FolderFault::InTheWay { path } => {
                format!("the run needs the name `{}` while it works, and something that no run has left is there", path.display())
            }
            FolderFault::Disk { doing, path, reason } => format!("cannot {doing} `{}`: {reason}", path.display()),
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            FolderFault::Exists { .. } => "give another folder with --out DIR, or replace it with --force".into(),
            FolderFault::NotARun { .. } => "give another folder with --out DIR, or remove it yourself".into(),
            FolderFault::BrokenLink { .. } => "remove the link, or give another folder with --out DIR".into(),
            FolderFault::NoName { .. } => "give a folder to be made, for instance --out runs/first".into(),
            FolderFault::Busy { partial, .. } => {
                format!("wait for it, give another folder with --out DIR, or remove `{}` if no such run exists", partial.display())
            }
            FolderFault::InTheWay { .. } => "give another folder with --out DIR, or rename what is there".into(),
            FolderFault::Disk { .. } => return None,
        })
    }
}
