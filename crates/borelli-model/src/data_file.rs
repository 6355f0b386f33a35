//! Files of numbers that a model names: tables whose points are a column of a file, meshes of soft parts, surfaces that bodies are drawn with.
//! Not here: formats (`borelli_data::format`; of meshes, who uses them), what the columns are used for.
//! In: elements, and how files are had. Out: every file read once, found again by the place that names it.

use crate::fault::ReadFault;
use crate::finding::Findings;
use crate::source::{Sources, Span, beside};
use crate::value::{Element, Entry, Value};
use borelli_data::format::{ReadNote, format_for};
use borelli_data::{Explain, ReadOptions, Trajectory};
use std::collections::BTreeMap;
use std::io::{Cursor, ErrorKind};
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

/// The file of a mesh or a surface, as it stands.
#[derive(Clone, Debug)]
pub struct MeshFile {
    /// Path as it was found from the file that names it.
    pub path: String,
    /// Its content.
    pub content: Vec<u8>,
}

/// The files of numbers of a model.
#[derive(Clone, Debug, Default)]
pub struct DataFiles {
    files: Vec<Content>,
    /// Place of a `file = "..."` to its file.
    named: BTreeMap<Span, usize>,
}

#[derive(Clone, Debug)]
enum Content {
    Table(Arc<DataFile>),
    Mesh(Arc<MeshFile>),
}

impl DataFiles {
    /// The table that the text at this place names; nothing where it could not be read, which has been reported.
    pub fn at(&self, place: Span) -> Option<&Arc<DataFile>> {
        self.named.get(&place).and_then(|k| if let Content::Table(table) = &self.files[*k] { Some(table) } else { None })
    }

    /// The mesh that the text at this place names; nothing where it could not be read, which has been reported.
    pub fn mesh_at(&self, place: Span) -> Option<&Arc<MeshFile>> {
        self.named.get(&place).and_then(|k| if let Content::Mesh(mesh) = &self.files[*k] { Some(mesh) } else { None })
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

/// Files that were read or could not be, meshes told apart from tables.
type Tried = BTreeMap<(bool, String), Option<usize>>;

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
    /// Reads every file that a function of type `table` names, as an element or written in place, or a soft part of type `file`, or the `mesh` of a body.
    pub fn gather<'e>(mut self, elements: impl Iterator<Item = &'e Element>) -> DataFiles {
        let mut data = DataFiles::default();
        let mut tried = Tried::new();
        for element in elements {
            self.look(&element.fields, element, &mut tried, &mut data);
        }
        data
    }

    fn look(&mut self, fields: &[Entry], element: &Element, tried: &mut Tried, data: &mut DataFiles) {
        let text = |key: &str| fields.iter().find(|f| f.key == key).and_then(|f| f.value.as_text().map(|text| (text, f.value.at)));
        let mesh = match text("type") {
            Some(("table", _)) => Some(false),
            Some(("file", _)) if element.section == "soft" => Some(true),
            None if element.section == "body" => Some(true),
            _ => None,
        };
        if let (Some(mesh), Some((name, at))) = (mesh, text("file")) {
            let path = beside(self.sources.path(at.file), name);
            let known = match tried.get(&(mesh, path.clone())) {
                Some(known) => *known,
                None => {
                    let read = if mesh { self.read_mesh(&path) } else { self.read_table(&path) };
                    let index = read.map_err(|fault| self.findings.push(at, element, "file", &fault)).ok().map(|file| {
                        data.files.push(file);
                        data.files.len() - 1
                    });
                    tried.insert((mesh, path), index);
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

    fn look_into(&mut self, value: &Value, element: &Element, tried: &mut Tried, data: &mut DataFiles) {
        if let Some(fields) = value.as_table() {
            self.look(fields, element, tried, data);
        }
        for item in value.as_list().unwrap_or_default() {
            self.look_into(item, element, tried, data);
        }
    }

    fn read_table(&mut self, path: &str) -> Result<Content, ReadFault> {
        let format = format_for(Path::new(path)).map_err(|fault| bad(path, &fault))?;
        let bytes = self.bytes(path)?;
        // Angles stay as they stand: only who uses a column knows whether it is one.
        let reading = format.read_from(&mut Cursor::new(&bytes), path, &ReadOptions::default()).map_err(|fault| bad(path, &fault))?;
        let degrees = reading.notes.iter().any(|note| matches!(note, ReadNote::Angles { degrees: true, .. }));
        self.sources.add_data(path, bytes);
        Ok(Content::Table(Arc::new(DataFile { path: path.to_string(), table: reading.trajectory, degrees })))
    }

    fn read_mesh(&mut self, path: &str) -> Result<Content, ReadFault> {
        let content = self.bytes(path)?;
        self.sources.add_data(path, content.clone());
        Ok(Content::Mesh(Arc::new(MeshFile { path: path.to_string(), content })))
    }

    /// The bytes of a file, as far as there is room for them.
    fn bytes(&mut self, path: &str) -> Result<Vec<u8>, ReadFault> {
        let too_large = || ReadFault::DataFileTooLarge { path: path.into(), limit: self.limit };
        let bytes = (self.load)(path).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => too_large(),
            _ => ReadFault::MissingDataFile { path: path.into(), reason: error.to_string() },
        })?;
        self.room = self.room.checked_sub(bytes.len()).ok_or_else(too_large)?;
        Ok(bytes)
    }
}

fn bad(path: &str, fault: &borelli_data::FormatFault) -> ReadFault {
    let line = (fault.line > 0).then_some(fault.line);
    ReadFault::BadDataFile { path: path.into(), line, reason: fault.kind.message(), advice: fault.kind.hint() }
}
