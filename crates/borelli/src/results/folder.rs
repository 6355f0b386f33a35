//! A folder that appears only when it is whole: work in `<out>.partial`, then one rename.
//! Not here: what is in the files.
//! In: a path and bytes. Out: the folder, or `.partial` where the process was killed or could not write.
//!
//! Two more folders stand beside `<out>` for a while: `<out>.partial`, marked by `running.json` from beginning to end, and `<out>.replaced`, the old one, marked by
//! `replaced.json` before it is renamed. A folder without such a mark belongs to the user, whatever its name: it is never removed or renamed. The same holds for files
//! inside a replaced folder that no run wrote: they are moved to the new one (`foreign`). Nothing is removed by a run that is refused.

use super::clock::utc;
use super::fault::FolderFault;
use super::foreign::{Kept, carry_over};
use super::hash::Hashing;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// In the working folder: who writes. The file is locked as long as its process lives, so that a process number which has been given to
/// another process since does not mislead.
pub(super) const RUNNING: &str = "running.json";
/// In a folder on its way out, from before it is renamed until it is gone.
const REPLACED: &str = "replaced.json";
/// In both: who wrote them.
const WRITER: (&str, &str) = ("writer", "borelli");
/// Both marks.
pub(super) const MARKS: [&str; 2] = [RUNNING, REPLACED];
/// In every closed folder.
pub(super) const SUMMARY: &str = "summary.json";
/// The page, which is made from the other files and can be made again.
pub const PAGE: &str = "report.html";

/// A run that was killed or could not write its files: what its working folder says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// The working folder, which has been removed.
    pub partial: PathBuf,
    /// The command; empty if it ended before it could say.
    pub command: String,
    /// When it began, UTC.
    pub started: String,
    /// Process number.
    pub pid: Option<u64>,
}

/// A folder that is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed {
    /// Where it is, as it was asked for.
    pub folder: PathBuf,
    /// Files of the user in the folder that it replaced; they are in this one now.
    pub kept: Vec<Kept>,
}

/// A folder being written.
pub struct RunFolder {
    /// As asked for; perhaps a link.
    given: PathBuf,
    /// Where it will be: where a link leads.
    out: PathBuf,
    partial: PathBuf,
    replace: bool,
    /// Held for its lock.
    _running: File,
    subfolders: Vec<PathBuf>,
    /// Path inside the folder and SHA-256 of every file, in the order of writing.
    written: Vec<(String, String)>,
}

/// The path with more at the end of its last part.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Where a folder is to be: where the path leads if it is a link. A link stays a link.
fn target(given: &Path) -> Result<PathBuf, FolderFault> {
    if !fs::symlink_metadata(given).is_ok_and(|entry| entry.is_symlink()) {
        return Ok(given.to_path_buf());
    }
    fs::canonicalize(given).map_err(|_| FolderFault::BrokenLink { out: given.into(), to: fs::read_link(given).unwrap_or_default() })
}

/// Whether a run of this program wrote a folder: its summary says so. Other people's folders may hold a `summary.json` too.
fn is_run(path: &Path) -> bool {
    let summary = fs::read(path.join(SUMMARY)).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    summary.is_some_and(|summary| summary["borelli"].is_string())
}

impl RunFolder {
    /// Where a folder that is asked for will be, as far as that can be known before it is begun.
    pub fn place(out: &Path) -> PathBuf {
        let given: PathBuf = out.components().collect();
        target(&given).unwrap_or(given)
    }

    /// Where a run that was killed has left its files, if it did.
    pub fn unfinished(out: &Path) -> PathBuf {
        with_ending(&RunFolder::place(out), ".partial")
    }

    /// Begins a folder: makes `<out>.partial` and says in it who writes. Also gives what a killed run left there.
    ///
    /// An existing `out` is refused, or with `force` replaced when the new folder is whole, provided a run wrote it.
    pub fn begin(out: &Path, force: bool, command: &str) -> Result<(RunFolder, Option<Leftover>), FolderFault> {
        if out.file_name().is_none() {
            return Err(FolderFault::NoName { out: out.into() });
        }
        // `a/` and `a` are the same folder, and endings go to the name.
        let given: PathBuf = out.components().collect();
        let out = target(&given)?;
        let (partial, old) = (with_ending(&out, ".partial"), with_ending(&out, ".replaced"));
        restore(&out, &old)?;
        // An empty folder holds nothing to lose: it is taken with `force` or without.
        if exists(&out) && !is_empty(&out) {
            if !force {
                return Err(FolderFault::Exists { out: given });
            }
            if !is_run(&out) {
                return Err(FolderFault::NotARun { out: given });
            }
            if exists(&old) && !is_marked(&old.join(REPLACED)) {
                return Err(FolderFault::InTheWay { path: old });
            }
        }
        if let Some(parent) = out.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(FolderFault::disk("create", parent))?;
        }
        let leftover = if exists(&partial) { Some(clear(&partial)?) } else { None };
        if is_marked(&old.join(REPLACED)) {
            // The rest of a run that was killed after the second rename.
            discard(&old, &out)?;
        }
        // Fails where another run has been quicker.
        fs::create_dir(&partial).map_err(FolderFault::disk("create", &partial))?;
        let running = sign(&partial.join(RUNNING), command)?;
        let folder = RunFolder { given, out, partial, replace: force, _running: running, subfolders: Vec::new(), written: Vec::new() };
        Ok((folder, leftover))
    }

    /// Where the folder will be: where a link leads.
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// Where its files are as long as it is being written.
    pub fn working(&self) -> &Path {
        &self.partial
    }

    /// Whether a path is that of a file which was written into the folder.
    pub fn wrote(&self, path: &str) -> bool {
        Path::new(path).strip_prefix(&self.out).is_ok_and(|inside| self.written.iter().any(|(name, _)| Path::new(name) == inside))
    }

    /// Writes one file, given by its path inside the folder, down to the disk. It is hashed on the way.
    pub fn write(&mut self, name: &str, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), FolderFault> {
        let path = self.partial.join(name);
        if let Some(folder) = path.parent().filter(|folder| *folder != self.partial && !self.subfolders.iter().any(|f| f == folder)) {
            fs::create_dir_all(folder).map_err(FolderFault::disk("create", folder))?;
            let above = folder.ancestors().skip(1).take_while(|a| *a != self.partial).map(Path::to_path_buf);
            self.subfolders.extend(std::iter::once(folder.to_path_buf()).chain(above));
        }
        let file = File::create(&path).map_err(FolderFault::disk("create", &path))?;
        let mut out = BufWriter::new(Hashing::new(file));
        let written = fill(&mut out).and_then(|()| out.flush()).and_then(|()| out.get_ref().inner().sync_all());
        let fault = FolderFault::disk("write", &path);
        written.map_err(&fault)?;
        let sha256 = out.into_inner().map_err(|error| fault(error.into_error()))?.finish();
        self.written.retain(|(known, _)| known != name);
        self.written.push((name.to_string(), sha256));
        Ok(())
    }

    /// Removes a file that was put beside those of the folder while it was being written.
    pub fn discard(&self, name: &str) -> Result<(), FolderFault> {
        let path = self.partial.join(name);
        fs::remove_file(&path).map_err(FolderFault::disk("remove", &path))
    }

    /// What the folder holds so far: path and SHA-256 of every file but the page, which another version may make again in other words.
    pub fn outputs(&self) -> Value {
        let listed = self.written.iter().filter(|(name, _)| name != PAGE);
        listed.map(|(path, sha256)| json!({ "path": path, "sha256": sha256 })).collect()
    }

    /// Gives the folder its name. Until then it can be told from a whole one.
    pub fn close(self) -> Result<Closed, FolderFault> {
        let old = with_ending(&self.out, ".replaced");
        let replacing = self.replace && is_run(&self.out);
        if is_empty(&self.out) {
            fs::remove_dir(&self.out).map_err(FolderFault::disk("remove", &self.out))?;
        }
        if exists(&self.out) && !replacing {
            // It came while we were running.
            return Err(FolderFault::Exists { out: self.given });
        }
        if replacing && exists(&old) {
            return Err(FolderFault::InTheWay { path: old });
        }
        if replacing {
            mark(&self.out.join(REPLACED), &going(false))?;
            fs::rename(&self.out, &old).map_err(FolderFault::disk("rename", &self.out))?;
        }
        let running = self.partial.join(RUNNING);
        fs::remove_file(&running).map_err(FolderFault::disk("remove", &running))?;
        for folder in self.subfolders.iter().chain([&self.partial]) {
            sync_folder(folder)?;
        }
        fs::rename(&self.partial, &self.out).map_err(FolderFault::disk("rename", &self.partial))?;
        if let Some(parent) = self.out.parent() {
            sync_folder(if parent.as_os_str().is_empty() { Path::new(".") } else { parent })?;
        }
        let kept = if replacing { discard(&old, &self.out)? } else { Vec::new() };
        Ok(Closed { folder: self.given, kept })
    }

    /// Removes the working folder: nothing was computed.
    pub fn abandon(self) -> Result<(), FolderFault> {
        fs::remove_dir_all(&self.partial).map_err(FolderFault::disk("remove", &self.partial))
    }
}

/// Whether it is a folder with nothing in it.
fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// What a marked file says; nothing where no run has written it.
fn marked(path: &Path) -> Option<Value> {
    let said: Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    (said[WRITER.0] == WRITER.1).then_some(said)
}

fn is_marked(path: &Path) -> bool {
    marked(path).is_some()
}

/// What the mark of a replaced folder says; `emptied`: whether files of the user have gone over to the new one.
fn going(emptied: bool) -> Value {
    json!({ WRITER.0: WRITER.1, "replaced": utc(SystemTime::now()), "emptied": emptied })
}

/// Removes a replaced folder after the files of the user in it have been moved to the new one. A run killed on the way loses none: the mark says how far it came.
fn discard(old: &Path, new: &Path) -> Result<Vec<Kept>, FolderFault> {
    let path = old.join(REPLACED);
    let emptied = marked(&path).is_some_and(|said| said["emptied"] == true);
    let kept = if emptied { Vec::new() } else { carry_over(old, new)? };
    if !kept.is_empty() {
        sync_folder(new)?;
    }
    mark(&path, &going(true))?;
    fs::remove_dir_all(old).map_err(FolderFault::disk("remove", old))?;
    Ok(kept)
}

/// A run killed between the two renames of a replacement has left the old folder under its second name.
fn restore(out: &Path, old: &Path) -> Result<(), FolderFault> {
    let mark = old.join(REPLACED);
    if exists(out) || !is_marked(&mark) {
        return Ok(());
    }
    fs::remove_file(&mark).map_err(FolderFault::disk("remove", &mark))?;
    fs::rename(old, out).map_err(FolderFault::disk("rename", old))
}

/// Removes what a killed run left, unless its process lives. What no run has marked is not touched; an empty folder is that of a run that could not even begin.
fn clear(partial: &Path) -> Result<Leftover, FolderFault> {
    let path = partial.join(RUNNING);
    let Some(said) = marked(&path) else {
        let in_the_way = |_| FolderFault::InTheWay { path: partial.into() };
        fs::remove_dir(partial).map_err(in_the_way)?;
        return Ok(Leftover { partial: partial.into(), command: String::new(), started: String::new(), pid: None });
    };
    let text = |key: &str| said[key].as_str().unwrap_or_default().to_string();
    let (command, started) = (text("command"), text("started"));
    if let Ok(file) = OpenOptions::new().read(true).write(true).open(&path) {
        match file.try_lock() {
            Ok(()) => {}
            // Without locks nobody can tell whether it lives.
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {
                return Err(FolderFault::Busy { partial: partial.into(), command, started });
            }
        }
    }
    fs::remove_dir_all(partial).map_err(FolderFault::disk("remove", partial))?;
    Ok(Leftover { partial: partial.into(), command, started, pid: said["pid"].as_u64() })
}

/// Writes who we are, and keeps the file locked.
fn sign(path: &Path, command: &str) -> Result<File, FolderFault> {
    mark(path, &json!({ WRITER.0: WRITER.1, "pid": std::process::id(), "command": command, "started": utc(SystemTime::now()) }))
}

/// Writes a mark down to the disk under another name and renames it, so that it is there whole and locked, or not at all.
fn mark(path: &Path, says: &Value) -> Result<File, FolderFault> {
    let fresh = with_ending(path, ".new");
    let mut file = File::create(&fresh).map_err(FolderFault::disk("create", &fresh))?;
    // Where files cannot be locked, a second run is still held off by the folder itself.
    let _ = file.try_lock();
    let written = file.write_all(format!("{says:#}\n").as_bytes()).and_then(|()| file.sync_all());
    written.and_then(|()| fs::rename(&fresh, path)).map_err(FolderFault::disk("write", path))?;
    Ok(file)
}

/// Brings the names in a folder to the disk. Only Unix can open a folder for this; elsewhere a rename is written through anyway.
fn sync_folder(folder: &Path) -> Result<(), FolderFault> {
    if cfg!(unix) {
        let fault = FolderFault::disk("write", folder);
        File::open(folder).and_then(|file| file.sync_all()).map_err(fault)?;
    }
    Ok(())
}
