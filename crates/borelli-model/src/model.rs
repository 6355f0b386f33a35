//! A model as it is written: named elements in sections, merged from a file and all it includes, mirrors expanded.
//! Not here: what the fields of an element mean; no mechanics.
//! In: files. Out: [`Model`], or [`Rejected`] with every fault found.

use crate::data_file::{DataFiles, Gathering, Load};
use crate::document::{cannot_read, open, read_bytes, start_of};
use crate::fault::ReadFault;
use crate::finding::Findings;
use crate::mirror;
use crate::source::{Sources, Span, beside, normal};
use crate::value::{Data, Element, Entry, Value};
use borelli_data::{Severity, suggest};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

pub use crate::document::MAX_BYTES;
pub use borelli_data::is_name;

/// Bodies of a model, mirrored ones included.
pub const MAX_BODIES: usize = 100_000;
/// Files that include one another.
pub const MAX_INCLUDE_DEPTH: usize = 16;
/// Mirrors of a model.
pub const MAX_MIRRORS: usize = 16;

/// Sections of named elements.
pub(crate) const NAMED: [&str; 26] = [
    "body",
    "joint",
    "loop",
    "guide",
    "function",
    "wrap",
    "path",
    "force",
    "muscle",
    "ligament",
    "surface",
    "law",
    "contact",
    "sensor",
    "joint_angles",
    "marker",
    "coordinate",
    "measurement",
    "integral",
    "material",
    "soft",
    "tie",
    "support",
    "traction",
    "soft_contact",
    "mirror",
];
/// Sections of which there is one.
const SINGLE: [&str; 4] = ["subject", "world", "initial", "report"];
/// Keys that are no tables.
const KEYS: [&str; 6] = ["borelli", "name", "description", "dimension", "gravity", "include"];

/// Faults that take nothing from the rest of the model, so that it can be compiled to find more.
const HARMLESS: [&str; 7] =
    ["unknown-table", "unknown-key", "not-finite", "date", "missing-data-file", "bad-data-file", "data-file-too-large"];

/// Whether a model lies in the X-Y plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// In the X-Y plane, turning about +Z.
    Planar,
    /// In space.
    Spatial,
}

impl Dimension {
    /// As it is written in a file.
    pub fn word(self) -> &'static str {
        match self {
            Dimension::Planar => "planar",
            Dimension::Spatial => "spatial",
        }
    }
}

/// A model as it is written. Elements are in the order of the files (included files first); copies made by mirrors
/// come last in their section. Fields are not yet checked: see [`Fields`](crate::Fields).
#[derive(Clone, Debug)]
pub struct Model {
    /// Name; the file's name if none is given.
    pub name: String,
    /// Description, or empty.
    pub description: String,
    /// Planar or spatial.
    pub dimension: Dimension,
    /// Gravity, if given.
    pub gravity: Option<Value>,
    /// `[subject]`.
    pub subject: Option<Element>,
    /// `[world]`: places on the ground.
    pub world: Option<Element>,
    /// `[body.NAME]`.
    pub bodies: Vec<Element>,
    /// `[joint.NAME]`.
    pub joints: Vec<Element>,
    /// `[loop.NAME]`.
    pub loops: Vec<Element>,
    /// `[guide.NAME]`.
    pub guides: Vec<Element>,
    /// `[function.NAME]`.
    pub functions: Vec<Element>,
    /// `[wrap.NAME]`: what paths bend around.
    pub wraps: Vec<Element>,
    /// `[path.NAME]`.
    pub paths: Vec<Element>,
    /// `[force.NAME]`.
    pub forces: Vec<Element>,
    /// `[muscle.NAME]`.
    pub muscles: Vec<Element>,
    /// `[ligament.NAME]`.
    pub ligaments: Vec<Element>,
    /// `[surface.NAME]`.
    pub surfaces: Vec<Element>,
    /// `[law.NAME]`.
    pub laws: Vec<Element>,
    /// `[contact.NAME]`.
    pub contacts: Vec<Element>,
    /// `[sensor.NAME]`.
    pub sensors: Vec<Element>,
    /// `[joint_angles.NAME]`.
    pub joint_angles: Vec<Element>,
    /// `[marker.NAME]`.
    pub markers: Vec<Element>,
    /// `[coordinate.NAME]`.
    pub coordinates: Vec<Element>,
    /// `[measurement.NAME]`.
    pub measurements: Vec<Element>,
    /// `[integral.NAME]`.
    pub integrals: Vec<Element>,
    /// `[material.NAME]`: what soft parts are made of.
    pub materials: Vec<Element>,
    /// `[soft.NAME]`: soft parts.
    pub softs: Vec<Element>,
    /// `[tie.NAME]`: boundaries of soft parts held to something.
    pub ties: Vec<Element>,
    /// `[support.NAME]`: boundaries of soft parts whose displacement is given.
    pub supports: Vec<Element>,
    /// `[traction.NAME]`: loads on boundaries of soft parts.
    pub tractions: Vec<Element>,
    /// `[soft_contact.NAME]`: boundaries of soft parts that may touch rigid bodies.
    pub soft_contacts: Vec<Element>,
    /// `[initial]`.
    pub initial: Option<Element>,
    /// `[report]`: what reports are to show in another way than the model has it.
    pub report: Option<Element>,
    /// Files of numbers that elements name.
    pub data: Arc<DataFiles>,
    /// The texts, for positions.
    pub sources: Arc<Sources>,
    /// What was found and does not hinder reading on: warnings, and faults of the kinds in `HARMLESS`. With a fault among
    /// them the model must not be used; compiling adds its own findings and refuses it.
    pub findings: Findings,
}

/// A file that cannot be used: all faults, and the texts they point into. Shown as text for people.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The faults.
    pub findings: Findings,
    /// The texts.
    pub sources: Arc<Sources>,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.findings.render(&self.sources))
    }
}

impl std::error::Error for Rejected {}

impl Model {
    /// Reads a file and all it includes.
    pub fn read(path: &Path) -> Result<Model, Rejected> {
        let name = path.to_string_lossy();
        match read_bytes(path) {
            Ok(bytes) => assemble(&name, bytes, &|included| read_bytes(Path::new(included))),
            Err(error) => Err(cannot_read(&name, &error)),
        }
    }

    /// Reads a text; `name` stands for its path. Includes are refused as missing.
    pub fn parse(name: &str, text: &str) -> Result<Model, Rejected> {
        Model::parse_with(name, text, &|_| Err(std::io::Error::new(std::io::ErrorKind::NotFound, "there are no files beside a text")))
    }

    /// Reads a text; included files come from `load`, which gets the path relative to where `name` is.
    pub fn parse_with(name: &str, text: &str, load: &dyn Fn(&str) -> Result<Vec<u8>, std::io::Error>) -> Result<Model, Rejected> {
        assemble(name, text.as_bytes().to_vec(), load)
    }
}

/// Everything gathered while files are merged.
struct Assembly<'l> {
    load: Load<'l>,
    sources: Sources,
    findings: Findings,
    bytes: usize,
    visited: HashSet<String>,
    /// Elements are lost that others may name.
    lost: bool,
    /// Tables of unknown name, and the name they were meant to have.
    misspelt: Vec<(&'static str, Entry)>,
    stack: Vec<String>,
    dimension: Option<(Dimension, Span)>,
    gravity: Option<(Value, Span)>,
    name: Option<String>,
    description: String,
    single: [Option<Element>; SINGLE.len()],
    named: [Vec<Element>; NAMED.len()],
    taken: HashMap<(&'static str, String), Span>,
}

fn assemble(name: &str, bytes: Vec<u8>, load: Load<'_>) -> Result<Model, Rejected> {
    let mut a = Assembly {
        load,
        sources: Sources::default(),
        findings: Findings::new(),
        bytes: 0,
        visited: HashSet::new(),
        lost: false,
        misspelt: Vec::new(),
        stack: Vec::new(),
        dimension: None,
        gravity: None,
        name: None,
        description: String::new(),
        single: Default::default(),
        named: Default::default(),
        taken: HashMap::new(),
    };
    let read = a.file(&normal(name), bytes, None);
    a.recover();
    if a.dimension.is_none() && read && !a.findings.iter().any(|f| f.code == "bad-dimension" || f.field == "dimension") {
        a.findings.push(start_of(0), "", "", &ReadFault::DimensionMissing);
    }
    let gathering =
        Gathering { load, sources: &mut a.sources, findings: &mut a.findings, room: MAX_BYTES.saturating_sub(a.bytes), limit: MAX_BYTES };
    let data = Arc::new(gathering.gather(a.named.iter().flatten()));
    let dimension = a.dimension.map_or(Dimension::Spatial, |(d, _)| d);
    let [
        bodies,
        joints,
        loops,
        guides,
        functions,
        wraps,
        paths,
        forces,
        muscles,
        ligaments,
        surfaces,
        laws,
        contacts,
        sensors,
        joint_angles,
        markers,
        coordinates,
        measurements,
        integrals,
        materials,
        softs,
        ties,
        supports,
        tractions,
        soft_contacts,
        mirrors,
    ] = a.named;
    let [subject, world, initial, report] = a.single;
    let mut model = Model {
        name: a.name.unwrap_or_else(|| Path::new(name).file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())),
        description: a.description,
        dimension,
        gravity: a.gravity.map(|(value, _)| value),
        subject,
        world,
        bodies,
        joints,
        loops,
        guides,
        functions,
        wraps,
        paths,
        forces,
        muscles,
        ligaments,
        surfaces,
        laws,
        contacts,
        sensors,
        joint_angles,
        markers,
        coordinates,
        measurements,
        integrals,
        materials,
        softs,
        ties,
        supports,
        tractions,
        soft_contacts,
        initial,
        report,
        data,
        sources: Arc::default(),
        findings: Findings::new(),
    };
    if model.bodies.len() <= MAX_BODIES {
        mirror::expand(&mut model, &mirrors, &mut a.findings);
    }
    if model.bodies.len() > MAX_BODIES {
        let at = model.bodies[MAX_BODIES].at;
        a.findings.push(at, "", "", &ReadFault::TooManyBodies { found: model.bodies.len(), limit: MAX_BODIES });
    }
    model.sources = Arc::new(a.sources);
    // those beyond what is kept are unknown, and count as grave
    let harmless = a.findings.iter().filter(|f| f.severity == Severity::Error && HARMLESS.contains(&f.code)).count();
    if a.lost || a.findings.counts().0 > harmless {
        return Err(Rejected { findings: a.findings, sources: model.sources });
    }
    model.findings = a.findings;
    Ok(model)
}

impl Assembly<'_> {
    /// Merges one file; false when its text could not be understood at all. `from` is where it is included.
    fn file(&mut self, path: &str, bytes: Vec<u8>, from: Option<Span>) -> bool {
        self.bytes += bytes.len();
        if self.bytes > MAX_BYTES {
            let at = from.unwrap_or_else(|| start_of(self.sources.add(path, "")));
            self.findings.push(at, "", "", &ReadFault::FileTooLarge { limit: MAX_BYTES });
            return false;
        }
        self.visited.insert(path.to_string());
        let Some(root) = open(path, bytes, &mut self.sources, &mut self.findings) else {
            return false;
        };
        self.stack.push(path.to_string());
        if let Some(entry) = root.iter().find(|e| e.key == "include") {
            self.includes(entry, path);
        }
        for entry in root {
            self.top_level(entry, from.is_none());
        }
        self.stack.pop();
        true
    }

    fn includes(&mut self, entry: &Entry, path: &str) {
        let Some(list) = entry.value.as_list() else {
            self.wrong_type(&entry.value, "include", "a list of files");
            return;
        };
        for item in list {
            let Some(text) = item.as_text() else {
                self.wrong_type(item, "include", "the path of a file");
                continue;
            };
            let target = beside(path, text);
            if let Some(k) = self.stack.iter().position(|p| *p == target) {
                let chain = self.stack[k..].iter().chain([&target]).cloned().collect();
                self.findings.push(item.at, "", "include", &ReadFault::IncludeCycle { chain });
            } else if self.stack.len() >= MAX_INCLUDE_DEPTH {
                self.findings.push(item.at, "", "include", &ReadFault::IncludeTooDeep { limit: MAX_INCLUDE_DEPTH });
            } else if !self.visited.contains(&target) && self.bytes <= MAX_BYTES {
                match (self.load)(&target) {
                    Ok(bytes) => drop(self.file(&target, bytes, Some(item.at))),
                    Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                        self.findings.push(item.at, "", "include", &ReadFault::FileTooLarge { limit: MAX_BYTES });
                    }
                    Err(error) => {
                        let fault = ReadFault::MissingInclude { path: target, reason: error.to_string() };
                        self.findings.push(item.at, "", "include", &fault);
                    }
                }
            }
        }
    }

    fn wrong_type(&mut self, value: &Value, field: &str, expected: &str) {
        if value.data == Data::Faulty {
            return;
        }
        let fault = ReadFault::WrongType { expected: expected.into(), found: value.data.kind() };
        self.findings.push(value.at, "", field, &fault);
    }

    /// One key or table of a file's top level. Name and description count only in the file named first.
    fn top_level(&mut self, entry: Entry, first: bool) {
        let key = entry.key.as_str();
        if let Some(k) = NAMED.iter().position(|s| *s == key) {
            self.section(k, entry);
        } else if let Some(k) = SINGLE.iter().position(|s| *s == key) {
            self.single(k, entry);
        } else {
            match key {
                "borelli" | "include" => {}
                _ if entry.value.data == Data::Faulty => {}
                "name" | "description" => match entry.value.as_text() {
                    None => self.wrong_type(&entry.value, key, "a text"),
                    Some(_) if !first => {}
                    Some(text) if key == "name" => self.name = Some(text.to_string()),
                    Some(text) => self.description = text.to_string(),
                },
                "dimension" => self.dimension(&entry),
                "gravity" => match &self.gravity {
                    Some((_, at)) => {
                        let at = *at;
                        self.twice("gravity", entry.key_at, at, "");
                    }
                    None => self.gravity = Some((entry.value, entry.key_at)),
                },
                _ => self.unknown(entry),
            }
        }
    }

    fn unknown(&mut self, entry: Entry) {
        let tables = || NAMED.into_iter().chain(SINGLE).collect();
        // A misspelt table is reported and read as the one it was meant to be: else all that names its elements is at fault too.
        let alike = || NAMED.into_iter().find(|section| entry.key.starts_with(&section[..3]));
        let meant = suggest(&entry.key, NAMED.into_iter().chain(SINGLE)).or_else(alike).filter(|_| entry.value.as_table().is_some());
        let list_of_tables = entry.value.as_list().is_some_and(|l| !l.is_empty() && l.iter().all(|v| v.as_table().is_some()));
        let fault = if entry.value.as_table().is_some() || list_of_tables {
            ReadFault::UnknownTable { name: entry.key.clone(), known: tables() }
        } else {
            ReadFault::UnknownKey { name: entry.key.clone(), known: KEYS.to_vec() }
        };
        self.findings.push(entry.key_at, "", "", &fault);
        self.lost |= list_of_tables;
        self.misspelt.extend(meant.map(|meant| (meant, entry)));
    }

    /// Reads misspelt tables as what they were meant to be, where nothing of that name is there.
    fn recover(&mut self) {
        for (meant, mut entry) in std::mem::take(&mut self.misspelt) {
            if let Some(k) = NAMED.iter().position(|s| *s == meant) {
                if let Data::Table(elements) = &mut entry.value.data {
                    elements.retain(|e| !self.taken.contains_key(&(NAMED[k], e.key.clone())));
                }
                self.section(k, entry);
            } else if let Some(k) = SINGLE.iter().position(|s| *s == meant)
                && self.single[k].is_none()
            {
                self.single(k, entry);
            }
        }
    }

    fn dimension(&mut self, entry: &Entry) {
        let dimension = match entry.value.as_text() {
            None => return self.wrong_type(&entry.value, "dimension", "`planar` or `spatial`"),
            Some("planar") => Dimension::Planar,
            Some("spatial") => Dimension::Spatial,
            Some(found) => {
                let fault = ReadFault::BadDimension { found: found.into(), other: None };
                return self.findings.push(entry.value.at, "", "dimension", &fault);
            }
        };
        match self.dimension {
            Some((other, _)) if other != dimension => {
                let fault = ReadFault::BadDimension { found: dimension.word().into(), other: Some(other.word().into()) };
                self.findings.push(entry.value.at, "", "dimension", &fault);
            }
            _ => self.dimension = Some((dimension, entry.value.at)),
        }
    }

    fn twice(&mut self, name: &str, at: Span, first: Span, element: &str) {
        let place = self.sources.locate(first);
        let first = Some(if first.file == at.file { format!("line {}", place.line) } else { format!("{}:{}", place.path, place.line) });
        self.findings.push(at, element, "", &ReadFault::DuplicateName { name: name.into(), first });
    }

    /// `[section.NAME]` for every name.
    fn section(&mut self, k: usize, entry: Entry) {
        let section = NAMED[k];
        let Data::Table(elements) = entry.value.data else {
            let expected = format!("tables `[{section}.NAME]`");
            return self.wrong_type(&entry.value, section, &expected);
        };
        for item in elements {
            let path = format!("{section}.{}", item.key);
            if item.value.data == Data::Faulty {
                continue;
            }
            let Data::Table(fields) = item.value.data else {
                let fault = ReadFault::WrongType { expected: format!("a table `[{section}.NAME]`"), found: item.value.data.kind() };
                self.findings.push(item.key_at, section, &item.key, &fault);
                continue;
            };
            if !is_name(&item.key) {
                self.findings.push(item.key_at, section, "", &ReadFault::BadName { name: item.key });
                continue;
            }
            if section == "body" && item.key == "world" {
                self.findings.push(item.key_at, section, "", &ReadFault::ReservedName { name: item.key });
                continue;
            }
            if let Some(first) = self.taken.get(&(section, item.key.clone())) {
                let first = *first;
                self.twice(&item.key, item.key_at, first, &path);
                continue;
            }
            self.taken.insert((section, item.key.clone()), item.key_at);
            if section == "body" {
                self.spots(&fields, &path);
            }
            self.named[k].push(Element { section, name: item.key, at: item.key_at, fields });
        }
    }

    /// `[section]`; files may share one, each field given once.
    fn single(&mut self, k: usize, entry: Entry) {
        let section = SINGLE[k];
        let Data::Table(fields) = entry.value.data else {
            let expected = format!("a table `[{section}]`");
            return self.wrong_type(&entry.value, section, &expected);
        };
        if section == "world" {
            self.spots(&fields, section);
        }
        let Some(mut element) = self.single[k].take() else {
            self.single[k] = Some(Element { section, name: String::new(), at: entry.key_at, fields });
            return;
        };
        for field in fields {
            self.merge_field(&mut element.fields, field, section);
        }
        self.single[k] = Some(element);
    }

    /// Adds a field of a section that several files share; tables (points, coordinates) are joined, anything else may stand once.
    fn merge_field(&mut self, into: &mut Vec<Entry>, field: Entry, section: &str) {
        let Some(known) = into.iter_mut().find(|f| f.key == field.key) else {
            into.push(field);
            return;
        };
        match (&mut known.value.data, field.value.data) {
            (Data::Table(old), Data::Table(new)) => {
                let taken: HashMap<String, Span> = old.iter().map(|e| (e.key.clone(), e.key_at)).collect();
                for e in new {
                    match taken.get(&e.key) {
                        Some(first) => self.twice(&e.key, e.key_at, *first, section),
                        None => old.push(e),
                    }
                }
            }
            _ => {
                let first = known.key_at;
                self.twice(&field.key, field.key_at, first, section);
            }
        }
    }

    /// Names of the points and frames of a body or of the world; a point and a frame may not share one.
    fn spots(&mut self, fields: &[Entry], element: &str) {
        let mut taken: HashMap<&str, Span> = HashMap::new();
        let tables = fields.iter().filter(|f| f.key == "point" || f.key == "frame").filter_map(|f| f.value.as_table());
        for e in tables.flatten() {
            if !is_name(&e.key) {
                self.findings.push(e.key_at, element, "", &ReadFault::BadName { name: e.key.clone() });
            }
            match taken.get(e.key.as_str()) {
                Some(first) => self.twice(&e.key, e.key_at, *first, element),
                None => drop(taken.insert(&e.key, e.key_at)),
            }
        }
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
