//! Study files: from text to cases, plans, expectations, plots.
//! Not here: models, running, judging. Paths of parameters are checked against the compiled model later (`settings`).
//! In: a file, or its text. Out: a [`StudyFile`], or every fault at once with file, line, field and hint.

mod cases;
mod expectations;
mod external_loads;
mod fault;
mod fields;
mod fit;
mod formula;
mod interpret;
mod measured;
mod mixed;
mod recording;
mod sensitivity;
mod show;
#[cfg(test)]
mod tests;
mod uncertainty;

pub use cases::{Case, MAX_CASES};
pub use fault::StudyFault;
pub use fields::{
    AGAINST, COLUMN, DRIFT, EVENT, EXPECT, FILTER, FIT, FIT_CONSTRAINT, FIT_FADE, FIT_NUMBER, FIT_TERM, FIT_TRIAL, FIT_UNKNOWN, INTEGRATOR,
    KNOWN, LOAD, LOADS, MARKERS, MIXED, MOTION, PICTURE, PLOT, PRESSURE, ROW, SENSITIVITY, SENSITIVITY_BY, SENSITIVITY_OF, SHOOT, START,
    TARGET, TASK, TIME, TOP, UNCERTAINTY, UNCERTAINTY_CORRELATION, UNCERTAINTY_INPUT, UNCERTAINTY_NOISE, UNCERTAINTY_RESULT,
};
pub use fields::{Place, methods, place_of, setting_paths, study_schema};
pub use recording::{Loaded, RecordingFault, Wanted, load_recording};
pub use show::{Instants, Over, Picture, Plot};

use crate::expect::Expect;
use crate::plan::{Analysis, ControlSetting, ModelSource, Plan, Setting};
use borelli_model::document::read_bytes;
use borelli_model::{Data, Dimension, Document, Element, Entry, Fields, Finding, Findings, Rejected, Sources, Span, Value};
use interpret::Context;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The option of the command line that sets anything by its path.
const SET: &str = "--set";

/// A setting of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The option that it was given with; faults are said of it.
    pub option: &'static str,
    /// What it sets.
    pub path: String,
    /// The value as it is written.
    pub text: String,
}

impl Override {
    /// Given by path, with `--set PATH=VALUE`.
    pub fn set(path: impl Into<String>, text: impl Into<String>) -> Override {
        Override { option: SET, path: path.into(), text: text.into() }
    }
}

/// Whether the path of a text says that it is no file: an option of the command line stands for it.
pub fn is_option(path: &str) -> bool {
    path.starts_with("--")
}

type Load = dyn Fn(&str) -> io::Result<Vec<u8>> + Send + Sync;

/// Where the files come from that a study names: the file system, or the program itself.
#[derive(Clone)]
pub struct Files(Arc<Load>);

impl Files {
    /// Files by a function from path to bytes.
    pub fn new(load: impl Fn(&str) -> io::Result<Vec<u8>> + Send + Sync + 'static) -> Files {
        Files(Arc::new(load))
    }

    /// The file system.
    pub fn on_disk() -> Files {
        Files::new(|path| read_bytes(Path::new(path)))
    }

    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        (self.0)(path)
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Files")
    }
}

/// A study as it is written: all cases can be planned.
#[derive(Clone, Debug)]
pub struct StudyFile {
    /// Name: that of the file, or of its folder if the file is called `study.toml`.
    pub id: String,
    /// Title.
    pub title: String,
    /// Description, or empty.
    pub description: String,
    /// Where the problem comes from, or empty.
    pub source: String,
    /// Cases; one without a name where nothing is swept.
    pub cases: Vec<Case>,
    /// Plots for the report.
    pub plots: Vec<Plot>,
    /// Picture of the study.
    pub picture: Option<Picture>,
    /// Time that the still picture of the report shows, s.
    pub poster: Option<f64>,
    /// Expectations.
    pub expects: Vec<Expect>,
    /// The text.
    pub sources: Arc<Sources>,
    path: String,
    root: Element,
    files: Files,
}

/// True for a model named by its file (`x.toml`, `folder/x`), false for a model of the gallery.
pub fn is_model_file(word: &str) -> bool {
    word.ends_with(".toml") || word.contains(['/', '\\'])
}

/// True when a file's text is a study: it names a model at its top level, which no model does.
pub fn is_study(document: &Document) -> bool {
    let own = |name: &str| document.entries.iter().any(|entry| entry.key == name);
    let model_only = ["dimension", "body", "joint"];
    own("model") || (!model_only.iter().any(|key| own(key)) && TOP.iter().any(|field| field.name != "description" && own(field.name)))
}

impl StudyFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<StudyFile, Rejected> {
        StudyFile::of(&path.to_string_lossy(), Document::read(path)?, Files::on_disk())
    }

    /// Reads a text; `name` stands for its path, and files it names come from `files`, by their path seen from where `name` is.
    pub fn parse(name: &str, text: &str, files: Files) -> Result<StudyFile, Rejected> {
        StudyFile::of(name, Document::of(name, text.as_bytes().to_vec())?, files)
    }

    /// A study of a document; `name` is its path.
    pub fn of(name: &str, document: Document, files: Files) -> Result<StudyFile, Rejected> {
        let Document { entries, sources, mut findings } = document;
        let at = Span { file: 0, start: 0, end: 0 };
        let fields = entries.into_iter().filter(|entry| entry.key != "borelli").collect();
        let root = Element { section: "", name: String::new(), at, fields };
        let mut found = Findings::new();
        let mut cases = cases::read(root.value("sweep"), &mut found);
        cases::tell(root.value("about"), &mut cases, &mut found);
        idle_tables(&root, &mut found);
        let head = Fields::read(&root, &[TOP], Dimension::Planar, &mut found);
        let text = |name| head.text(name).map_or(String::new(), |(text, _)| text.to_string());
        let (title, description, source) = (text("title"), text("description"), text("source"));
        let [plots, expects] = ["plot", "expect"].map(|name| head.tables(name).unwrap_or_default());
        let (picture, poster) = (head.table("picture"), head.quantity("poster").map(|q| q.value));
        let plots: Vec<Plot> = plots.iter().map(|(_, _, element)| show::plot(element, &cases, &mut found)).collect();
        let picture = picture.and_then(|element| show::picture(&element, &plots, &cases, &mut found));
        let expects = expects.iter().filter_map(|(_, _, element)| expectations::read(element, &cases, &mut found)).collect();
        let study = StudyFile {
            id: id_of(name),
            title,
            description,
            source,
            cases,
            plots,
            picture,
            poster,
            expects,
            sources: Arc::new(sources),
            path: name.to_string(),
            root,
            files,
        };
        for case in &study.cases {
            study.lay(case, &[], &mut found);
        }
        // cases share most of their text, and with it their faults
        let mut told: Vec<&Finding> = Vec::new();
        for finding in found.iter() {
            if !told.contains(&finding) {
                told.push(finding);
                findings.add(finding.clone());
            }
        }
        if findings.has_errors() { Err(Rejected { findings, sources: study.sources }) } else { Ok(study) }
    }

    /// The plan of a case, with settings of the command line on top: path and value as they are written there.
    ///
    /// Parameters and start values are checked by [`apply_settings`](crate::settings::apply_settings), when there is a model.
    pub fn plan(&self, case: &str, overrides: &[Override]) -> Result<Plan, Rejected> {
        let mut findings = Findings::new();
        let Some(case) = self.cases.iter().find(|known| known.name == case) else {
            if let Some(fault) = cases::no_such_case(case, &self.cases) {
                findings.push(None, "", "", &fault);
            }
            return Err(Rejected { findings, sources: self.sources.clone() });
        };
        let plan = self.lay(case, overrides, &mut findings);
        if findings.has_errors() { Err(Rejected { findings, sources: plan.sources }) } else { Ok(plan) }
    }

    /// Lays a case and settings over the file and interprets the whole.
    fn lay(&self, case: &Case, overrides: &[Override], findings: &mut Findings) -> Plan {
        let mut sources = Sources::clone(&self.sources);
        let mut root = self.root.clone();
        let mut parameters: Vec<Setting> = Vec::new();
        let mut controls: Vec<ControlSetting> = Vec::new();
        let mut put = |path: &str, value: &Value, element: &str, findings: &mut Findings| match place_of(path) {
            Place::Setting => overlay(&mut root, path, value.clone()),
            Place::Parameter => parameters.extend(interpret::parameter(path, value, element, findings)),
            Place::Control(path) => controls.push(ControlSetting { path, value: value.clone() }),
            Place::Nothing(nearest) if element.is_empty() => {
                findings.push(value.at, "", "", &StudyFault::UnknownPath { path: path.into(), nearest });
            }
            // told when the sweep was read
            Place::Nothing(_) => {}
        };
        for (path, value) in &case.settings {
            put(path, value, "sweep", findings);
        }
        for Override { option, path, text } in overrides {
            let (path, text) = (path.trim(), text.trim());
            // As it was typed: with its path only where that was given.
            let before = if *option == SET { format!("{path}=") } else { String::new() };
            let file = sources.add(option, &format!("{before}{text}"));
            let start = before.len() as u32;
            put(path, &value_of(text, Span { file, start, end: start + text.len() as u32 }), "", findings);
        }
        let mut context = Context { path: &self.path, files: &self.files, findings };
        Plan { sources: Arc::new(sources), ..context.plan(&root, parameters, controls) }
    }
}

/// The plan of a model without a study: a second of simulation, with settings of the command line on top.
pub fn plan_of_model(overrides: &[Override]) -> Result<Plan, Rejected> {
    const ALONE: &str = "borelli = 1\ntitle = \"\"\nmodel = \"given\"\n[time]\nend = 1\n";
    let plan = StudyFile::parse("defaults", ALONE, Files::on_disk())?.plan("", overrides)?;
    Ok(Plan { model: ModelSource::Given, ..plan })
}

/// A value of the command line: a number, true or false, a list or an inline table as in a file, or text.
fn value_of(text: &str, at: Span) -> Value {
    if let Some(list) = list_of(text, at) {
        return list;
    }
    let data = match text {
        "true" => Data::Bool(true),
        "false" => Data::Bool(false),
        _ => text.parse().ok().filter(|x: &f64| x.is_finite()).map_or_else(|| Data::Text(text.to_string()), Data::Number),
    };
    Value { at, data }
}

/// A list or an inline table, written as in a file: `["M_1", "M_2"]`; nothing for other texts.
fn list_of(text: &str, at: Span) -> Option<Value> {
    const BEFORE: &str = "borelli = 1\nlist = ";
    if !text.starts_with(['[', '{']) {
        return None;
    }
    let document = Document::of(SET, format!("{BEFORE}{text}\n").into_bytes()).ok().filter(|document| !document.findings.has_errors())?;
    let mut value = document.entries.into_iter().find(|entry| entry.key == "list")?.value;
    let shift = |place: u32| (place + at.start).saturating_sub(BEFORE.len() as u32);
    value.each_span(&mut |own| *own = Span { file: at.file, start: shift(own.start), end: shift(own.end) });
    Some(value)
}

/// Sets `key` or `table.key`; what the path goes through is there or is made.
fn overlay(root: &mut Element, path: &str, value: Value) {
    fn put(entries: &mut Vec<Entry>, key: &str, value: Value) {
        match entries.iter_mut().find(|entry| entry.key == key) {
            Some(entry) => entry.value = value,
            None => entries.push(Entry { key: key.to_string(), key_at: value.at, value }),
        }
    }
    let Some((table, key)) = path.split_once('.') else { return put(&mut root.fields, path, value) };
    if root.get(table).is_none() {
        put(&mut root.fields, table, Value { at: value.at, data: Data::Table(Vec::new()) });
    }
    let entry = root.fields.iter_mut().find(|entry| entry.key == table);
    if let Some(Data::Table(entries)) = entry.map(|entry| &mut entry.value.data) {
        put(entries, key, value);
    }
}

/// Reports a table that the file's own analysis has no use for; a sweep or the command line may choose another.
fn idle_tables(root: &Element, findings: &mut Findings) {
    let swept = root.value("sweep").and_then(Value::as_table).is_some_and(|table| table.iter().any(|entry| entry.key == "analysis"));
    let analysis = root.text("analysis").unwrap_or("simulate");
    let known = Analysis::ALL.iter().find(|(name, _)| *name == analysis);
    let users: [(&str, &[&str]); 10] = [
        ("shoot", &["shoot"]),
        ("fit", &["fit"]),
        ("uncertainty", &["uncertainty"]),
        ("mixed", &["mixed"]),
        ("motion", &["evaluate", "inverse", "mixed", "fit", "uncertainty"]),
        ("markers", &["kinematics", "inverse", "evaluate", "mixed", "fit", "uncertainty"]),
        ("task", &["kinematics", "inverse", "evaluate", "mixed", "fit", "uncertainty"]),
        ("filter", &["inverse", "evaluate", "mixed", "kinematics", "fit", "uncertainty"]),
        ("loads", &["inverse", "simulate", "evaluate", "mixed", "fit", "uncertainty"]),
        ("load", &["inverse", "simulate", "evaluate", "mixed", "fit", "uncertainty"]),
    ];
    for (table, users) in users {
        if let (Some(entry), Some((analysis, _)), false) = (root.get(table), known, swept || users.contains(&analysis)) {
            findings.push(entry.key_at, table, "", &StudyFault::IdleTable { table, analysis, wanted: users[0] });
        }
    }
}

/// The name of a study by its path.
fn id_of(path: &str) -> String {
    let path = Path::new(path);
    let name = |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    match name(path.file_stem()) {
        Some(stem) if stem != "study" => stem,
        stem => name(path.parent().and_then(Path::file_name)).or(stem).unwrap_or_default(),
    }
}
