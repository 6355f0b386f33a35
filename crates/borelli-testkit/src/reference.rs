//! Where reference files are, and how often they were missing.
//! Not here: what is in them.
//! In: a path inside the reference folder. Out: the full path, or nothing and a line `SKIPPED: ...`.

use std::env;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

static SKIPPED: AtomicUsize = AtomicUsize::new(0);

/// Full path of a file or folder of the reference data, for instance `reference("peers/squat4.json")`.
///
/// The folder is the environment's `BORELLI_REFERENCE`, else `../shared`; both are taken from the root of the workspace. When the file is
/// absent a line `SKIPPED: ...` goes to the standard error (past the capture of the test runner, which would hide it), the skip
/// is counted, and the caller returns.
pub fn reference(relative: &str) -> Option<PathBuf> {
    let folder = env::var_os("BORELLI_REFERENCE").filter(|v| !v.is_empty()).unwrap_or_else(|| "../shared".into());
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    look(&workspace.join(folder), relative, &SKIPPED, &mut stderr())
}

/// How often this process asked for a reference that was absent.
pub fn skipped() -> usize {
    SKIPPED.load(Ordering::Relaxed)
}

/// A table of the reference data: a row of names, then rows of cells, all separated by commas.
#[derive(Clone, Debug)]
pub struct ReferenceTable {
    /// Names of the columns.
    pub names: Vec<String>,
    /// Cells by row.
    pub rows: Vec<Vec<String>>,
}

impl ReferenceTable {
    /// Reads a table; nothing where it is absent.
    pub fn read(relative: &str) -> Option<ReferenceTable> {
        reference(relative).map(|path| ReferenceTable::open(&path))
    }

    /// Reads a table from a file that must be there.
    pub fn open(path: &Path) -> ReferenceTable {
        let text = std::fs::read_to_string(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let mut rows = text.lines().map(|line| line.split(',').map(str::to_string).collect::<Vec<String>>());
        ReferenceTable { names: rows.next().unwrap_or_default(), rows: rows.collect() }
    }

    /// Number of a column.
    pub fn column(&self, name: &str) -> usize {
        self.names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no column `{name}` in {:?}", self.names))
    }

    /// A number of a row.
    pub fn number(&self, row: usize, name: &str) -> f64 {
        let cell = &self.rows[row][self.column(name)];
        cell.parse().unwrap_or_else(|_| panic!("`{cell}` in column `{name}` is no number"))
    }

    /// All numbers of a column.
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        (0..self.rows.len()).map(|row| self.number(row, name)).collect()
    }
}

fn look(folder: &Path, relative: &str, count: &AtomicUsize, log: &mut dyn Write) -> Option<PathBuf> {
    let path = folder.join(relative);
    if path.exists() {
        return Some(path);
    }
    let skips = count.fetch_add(1, Ordering::Relaxed) + 1;
    let line = format!("SKIPPED: no reference `{relative}` in {} ({skips} skipped; set BORELLI_REFERENCE)\n", folder.display());
    // In one piece, so that lines of parallel tests do not mix; a closed standard error is no reason to fail a test.
    let _ = log.write_all(line.as_bytes());
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_reference_is_said_and_counted_and_a_present_one_is_found() {
        let (here, count, mut log) = (Path::new(env!("CARGO_MANIFEST_DIR")), AtomicUsize::new(0), Vec::new());
        assert_eq!(look(here, "Cargo.toml", &count, &mut log), Some(here.join("Cargo.toml")));
        assert!(log.is_empty());
        assert_eq!(look(here, "no/such.csv", &count, &mut log), None);
        assert_eq!(look(here, "nor/this.csv", &count, &mut log), None);
        assert_eq!(count.load(Ordering::Relaxed), 2);
        let text = String::from_utf8(log).expect("text");
        assert!(text.starts_with("SKIPPED: no reference `no/such.csv`"), "{text}");
        assert!(text.contains("(2 skipped;"), "{text}");
    }
}
