//! Files of numbers that a model names: tables whose points are a column of a file.
//! Not here: formats (`borelli_data::format`), what the columns are used for.
//! In: elements, and how files are had. Out: every file read once, found again by the place that names it.

use crate::fault::ReadFault;
use crate::finding::Findings;
use crate::source::{Sources, Span, beside};
use crate::value::{Element, Entry, Value};
use borelli_data::format::{ReadNote, format_for};
use borelli_data::{Explain, ReadOptions, Trajectory};
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

/// A file of numbers.
#[derive(Clone, Debug)]
pub struct DataFile {
    /// Path as it was found from the file that names it.
    pub path: String,
    /// The table: SI where columns have units, numbers as they stand where not.
    pub table: Trajectory,
    /// True when the file says that its angles are in degrees; columns without a unit are left as they stand.
    pub degrees: bool,
}

/// The files of numbers of a model.
#[derive(Clone, Debug, Default)]
pub struct DataFiles {
    files: Vec<Arc<DataFile>>,
    /// Place of a `file = "..."` to its file.
    named: BTreeMap<Span, usize>,
}

impl DataFiles {
    /// The file that the text at this place names; nothing where it could not be read, which has been reported.
    pub fn at(&self, place: Span) -> Option<&Arc<DataFile>> {
        self.named.get(&place).map(|k| &self.files[*k])
    }

    /// These and others.
    pub(crate) fn joined(&self, others: DataFiles) -> DataFiles {
        let mut all = self.clone();
        let own = all.files.len();
        all.files.extend(others.files);
        all.named.extend(others.named.into_iter().map(|(place, k)| (place, own + k)));
        all
    }
}

/// How the bytes of a file are had.
pub type Load<'l> = &'l dyn Fn(&str) -> Result<Vec<u8>, std::io::Error>;

/// Files being gathered.
pub(crate) struct Gathering<'g> {
    pub load: Load<'g>,
    pub sources: &'g mut Sources,
    pub findings: &'g mut Findings,
    /// Bytes that may still be read.
    pub room: usize,
    /// What all files may have together.
    pub limit: usize,
}

impl Gathering<'_> {
    /// Reads every file that a function of type `table` names, as an element or written in place.
    pub fn gather<'e>(mut self, elements: impl Iterator<Item = &'e Element>) -> DataFiles {
        let mut data = DataFiles::default();
        let mut tried: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for element in elements {
            self.look(&element.fields, element, &mut tried, &mut data);
        }
        data
    }

    fn look(&mut self, fields: &[Entry], element: &Element, tried: &mut BTreeMap<String, Option<usize>>, data: &mut DataFiles) {
        let text = |key: &str| fields.iter().find(|f| f.key == key).and_then(|f| f.value.as_text().map(|text| (text, f.value.at)));
        if text("type").is_some_and(|(kind, _)| kind == "table")
            && let Some((name, at)) = text("file")
        {
            let path = beside(self.sources.path(at.file), name);
            let known = match tried.get(&path) {
                Some(known) => *known,
                None => {
                    let read = self.read(&path).map_err(|fault| self.findings.push(at, element, "file", &fault)).ok();
                    let index = read.map(|file| {
                        data.files.push(Arc::new(file));
                        data.files.len() - 1
                    });
                    tried.insert(path, index);
                    index
                }
            };
            if let Some(index) = known {
                data.named.insert(at, index);
            }
        }
        for field in fields {
            self.look_into(&field.value, element, tried, data);
        }
    }

    fn look_into(&mut self, value: &Value, element: &Element, tried: &mut BTreeMap<String, Option<usize>>, data: &mut DataFiles) {
        if let Some(fields) = value.as_table() {
            self.look(fields, element, tried, data);
        }
        for item in value.as_list().unwrap_or_default() {
            self.look_into(item, element, tried, data);
        }
    }

    fn read(&mut self, path: &str) -> Result<DataFile, ReadFault> {
        let format = format_for(Path::new(path)).map_err(|fault| bad(path, &fault))?;
        let missing = |error: std::io::Error| ReadFault::MissingDataFile { path: path.into(), reason: error.to_string() };
        let bytes = (self.load)(path).map_err(missing)?;
        if bytes.len() > self.room {
            return Err(ReadFault::FileTooLarge { limit: self.limit });
        }
        self.room -= bytes.len();
        // Angles stay as they stand: only who uses a column knows whether it is one.
        let reading = format.read_from(&mut Cursor::new(&bytes), path, &ReadOptions::default()).map_err(|fault| bad(path, &fault))?;
        let degrees = reading.notes.iter().any(|note| matches!(note, ReadNote::Angles { degrees: true, .. }));
        self.sources.add_data(path, bytes);
        Ok(DataFile { path: path.to_string(), table: reading.trajectory, degrees })
    }
}

fn bad(path: &str, fault: &borelli_data::FormatFault) -> ReadFault {
    let line = (fault.line > 0).then_some(fault.line);
    ReadFault::BadDataFile { path: path.into(), line, reason: fault.kind.message(), advice: fault.kind.hint() }
}
