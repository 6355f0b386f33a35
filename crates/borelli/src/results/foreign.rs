//! Files in a folder of results that no run wrote: notes, pictures of the user. They go over to the folder that replaces it.
//! Not here: replacing the folder (`folder`).
//! In: the old folder and the new one. Out: where every such file is now.

use super::fault::FolderFault;
use super::folder::{MARKS, PAGE, SUMMARY};
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of the user in a folder that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Where it was, inside the folder.
    pub name: PathBuf,
    /// Where it is, inside the folder: elsewhere only where the new run has written a file of that name.
    pub now: PathBuf,
}

/// Files that the run of a folder wrote, by their paths inside it: those its summary lists, the summary itself and the page.
///
/// Folders of earlier versions have no such list; all their files count as the user's, of which those that the next run writes again are no loss.
fn written(folder: &Path) -> Option<Vec<PathBuf>> {
    let summary: Value = serde_json::from_slice(&fs::read(folder.join(SUMMARY)).ok()?).ok()?;
    let listed = summary["outputs"].as_array()?.iter().filter_map(|output| output["path"].as_str()).map(PathBuf::from);
    Some(listed.collect())
}

/// Everything in a folder but folders that hold something, by paths inside it, in order of their names.
fn contents(root: &Path, inside: &Path, list: &mut Vec<PathBuf>) -> Result<(), FolderFault> {
    let folder = root.join(inside);
    let fault = FolderFault::disk("read", &folder);
    let entries = fs::read_dir(&folder).map_err(&fault)?.collect::<Result<Vec<_>, _>>().map_err(&fault)?;
    let mut names: Vec<(OsString, bool)> = Vec::new();
    for entry in entries {
        // a link is moved as a link, wherever it leads
        names.push((entry.file_name(), entry.file_type().map_err(&fault)?.is_dir()));
    }
    names.sort();
    if names.is_empty() && !inside.as_os_str().is_empty() {
        list.push(inside.to_path_buf());
    }
    for (name, is_folder) in names {
        let path = inside.join(name);
        if is_folder {
            contents(root, &path, list)?;
        } else {
            list.push(path);
        }
    }
    Ok(())
}

/// Moves what no run wrote from a folder to the one that takes its place. Nothing is overwritten; what has been moved before is not missed.
pub(super) fn carry_over(old: &Path, new: &Path) -> Result<Vec<Kept>, FolderFault> {
    let (known, mut own) = (written(old), Vec::new());
    let mut all = Vec::new();
    contents(old, Path::new(""), &mut all)?;
    let ours = |path: &PathBuf| {
        let by_name = MARKS.iter().chain(&[SUMMARY, PAGE]).any(|name| path == Path::new(name));
        // without a list, what the new run wrote too is taken for a file of the old one
        by_name || known.as_ref().map_or_else(|| new.join(path).exists(), |known| known.contains(path))
    };
    let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|entry| entry.is_dir());
    let there = |path: &PathBuf| is_folder(&old.join(path)) && is_folder(&new.join(path));
    for name in all.into_iter().filter(|path| !ours(path) && !there(path)) {
        let now = free(new, &name);
        let (from, to) = (old.join(&name), new.join(&now));
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(FolderFault::disk("create", parent))?;
        }
        fs::rename(&from, &to).map_err(FolderFault::disk("rename", &from))?;
        own.push(Kept { name, now });
    }
    Ok(own)
}

/// The name, or the first one with an ending that nothing in a folder has.
fn free(folder: &Path, name: &Path) -> PathBuf {
    let ending = |k: usize| match k {
        0 => String::new(),
        1 => ".kept".into(),
        k => format!(".kept-{k}"),
    };
    let numbered = |k: usize| {
        let mut path = OsString::from(name.as_os_str());
        path.push(ending(k));
        PathBuf::from(path)
    };
    let taken = |path: &PathBuf| fs::symlink_metadata(folder.join(path)).is_ok();
    (0..).map(numbered).find(|path| !taken(path)).unwrap_or_else(|| name.to_path_buf())
}
