//! A finished folder of results read again: everything that its page shows, without computing anything.
//! Not here: writing the folder (`folder`, `files`), the page itself (`report`).
//! In: a folder. Out: a `Record`, which gives the same report as the run did; or why it cannot be had.
//! Every file that is read must be the one that the run wrote: the summary has their hashes.

use super::events::{read_events, rows};
use super::files::place_of;
use super::fit::{FIT_TABLES, read_block};
use super::folder::{RUNNING, SUMMARY};
use super::hash;
use super::page::PageTexts;
use super::pressure::read_pressure_npz;
use super::record_fault::RecordFault;
use super::soft::{SOFT, read_soft_json};
use super::uncertainty::{UNCERTAINTY_TABLES, read_block as read_uncertainty};
use crate::figure::{Courses, Figure};
use crate::report::fit::FitPage;
use crate::report::read::{Wrong, each, field, optional_number, text};
use crate::report::uncertainty::UncertaintyPage;
use crate::report::{Case, Change, Expectation, Facts, Health, Report, Scalar, courses_of, figure_of, gather};
use borelli_data::{FORMATS, ReadOptions, Trajectory, read_table};
use borelli_study::pressure::PressureMap;
use borelli_study::run::{Occurrence, Status, Verdict};
use borelli_study::soft_record::SoftRecord;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// File of a figure in the place of its case.
pub const FIGURE: &str = "figure.json";
/// File of where paths of a case lie, where that is more than fixed places.
pub(super) const COURSES: &str = "paths.json";
/// File of the events of a case.
pub(super) const EVENTS: &str = "events.csv";

/// One case of a finished folder.
#[derive(Clone, Debug)]
pub struct RecordedCase {
    name: String,
    figure: Figure,
    facts: Facts,
    courses: Courses,
    trajectory: Trajectory,
    pressure: Vec<PressureMap>,
    soft: SoftRecord,
    fit: Option<FitPage>,
    uncertainty: Option<UncertaintyPage>,
    events: Vec<Occurrence>,
    status: Status,
    scalars: Vec<Scalar>,
    health: Vec<Health>,
    method: Vec<(String, String)>,
}

/// A finished folder.
#[derive(Clone, Debug)]
pub struct Record {
    texts: PageTexts,
    changes: Vec<Change>,
    expectations: Vec<Expectation>,
    cases: Vec<RecordedCase>,
}

/// A folder of results whose summary could be read.
struct Opened<'f> {
    folder: &'f Path,
    summary: Value,
    /// Path inside the folder and SHA-256 of what the run wrote.
    outputs: Vec<(String, String)>,
}

impl<'f> Opened<'f> {
    fn of(folder: &'f Path) -> Result<Opened<'f>, RecordFault> {
        if !folder.is_dir() {
            return Err(RecordFault::NoFolder { folder: folder.into() });
        }
        let partial = folder.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".partial"));
        if partial || folder.join(RUNNING).exists() {
            return Err(RecordFault::Unfinished { folder: folder.into() });
        }
        if !folder.join(SUMMARY).exists() {
            return Err(RecordFault::NotARun { folder: folder.into() });
        }
        let file = folder.join(SUMMARY);
        let content = fs::read(&file).map_err(|error| unreadable(&file, &error))?;
        let summary = json(&content).map_err(|reason| RecordFault::Damaged { file: file.clone(), reason })?;
        if summary.get("outputs").is_none() {
            return Err(other_version(&summary, folder, "it has no hashes and no texts of a page".into()));
        }
        let output = |own: &Value| Ok((text(own, "path")?, text(own, "sha256")?));
        let outputs = each(&summary, "outputs", output).map_err(|wrong| RecordFault::Damaged { file, reason: wrong })?;
        Ok(Opened { folder, summary, outputs })
    }

    /// The hash of a file that the run wrote, given by its path inside the folder; nothing if the run wrote none of that name.
    fn hash(&self, name: &str) -> Option<&str> {
        self.outputs.iter().find(|(path, _)| path == name).map(|(_, sha256)| sha256.as_str())
    }

    /// Refuses a file with this hash if it is not the one that the run wrote.
    fn verify(&self, name: &str, found: &str) -> Result<(), RecordFault> {
        match self.hash(name) {
            Some(expected) if expected == found => Ok(()),
            Some(_) => Err(RecordFault::Changed { file: self.folder.join(name) }),
            None => Err(self.damaged(format!("`outputs` does not list {name}"))),
        }
    }

    /// What a file says that the run wrote. It is as it was written: what cannot be understood is of another version.
    fn read<T>(&self, name: &str, read: impl FnOnce(Vec<u8>) -> Result<T, Wrong>) -> Result<T, RecordFault> {
        let file = self.folder.join(name);
        let content = fs::read(&file).map_err(|error| unreadable(&file, &error))?;
        self.verify(name, &hash::of_bytes(&content))?;
        read(content).map_err(|wrong| other_version(&self.summary, &file, wrong))
    }

    fn damaged(&self, wrong: Wrong) -> RecordFault {
        RecordFault::Damaged { file: self.folder.join(SUMMARY), reason: wrong }
    }

    /// What the summary says of each case, with its name; empty where there is but one.
    fn cases(&self) -> Result<Vec<(String, &Value)>, RecordFault> {
        let Some(list) = self.summary.get("cases") else { return Ok(vec![(String::new(), &self.summary)]) };
        let list = list.as_array().ok_or_else(|| self.damaged("`cases` is not a list".into()))?;
        let named = |case| -> Result<(String, &Value), Wrong> {
            let name = text(case, "name")?;
            // a name is a folder inside this one
            let inside = !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\\']);
            if inside { Ok((name, case)) } else { Err(format!("`{name}` is not the name of a case")) }
        };
        list.iter().map(|case| named(case).map_err(|wrong| self.damaged(wrong))).collect()
    }

    /// Samples of a case.
    fn trajectory(&self, name: &str, case: &Value) -> Result<Trajectory, RecordFault> {
        let place = place_of(name);
        let mut files = FORMATS.iter().filter_map(|format| Some(format!("{place}trajectory.{}", format.endings().first()?)));
        let name = files.find(|file| self.hash(file).is_some());
        let name = name.ok_or_else(|| self.damaged(format!("`outputs` lists no {place}trajectory file")))?;
        let file = self.folder.join(&name);
        // Samples may be many: they are hashed piece by piece before they are read.
        self.verify(&name, &hash::of_file(&file).map_err(|error| unreadable(&file, &error))?)?;
        let read = read_table(&file, &ReadOptions::default());
        let trajectory = read.map_err(|fault| other_version(&self.summary, &file, fault.to_string()))?.trajectory;
        match case.get("samples").and_then(Value::as_u64) {
            Some(samples) if samples == trajectory.len() as u64 => Ok(trajectory),
            Some(samples) => {
                Err(RecordFault::Damaged { reason: format!("it holds {} samples, and the summary says {samples}", trajectory.len()), file })
            }
            None => Err(self.damaged("`samples` is missing".into())),
        }
    }
}

fn unreadable(file: &Path, error: &std::io::Error) -> RecordFault {
    let file = file.to_path_buf();
    if error.kind() == std::io::ErrorKind::NotFound {
        RecordFault::Missing { file }
    } else {
        RecordFault::Damaged { file, reason: error.to_string() }
    }
}

fn other_version(summary: &Value, place: &Path, reason: Wrong) -> RecordFault {
    let version = summary.get("borelli").and_then(Value::as_str).unwrap_or("of an unknown version").to_string();
    RecordFault::OtherVersion { place: place.into(), version, reason }
}

fn json(content: &[u8]) -> Result<Value, Wrong> {
    serde_json::from_slice(content).map_err(|error| format!("it is not JSON: {error}"))
}

/// The rows of a table with commas, its head among them.
fn table(content: Vec<u8>) -> Option<Vec<Vec<String>>> {
    String::from_utf8(content).ok().and_then(|text| rows(&text)).filter(|rows| !rows.is_empty())
}

/// Names of all cases of a finished folder with their samples.
pub fn trajectories(folder: &Path, wanted: Option<&str>) -> Result<Vec<(String, Trajectory)>, RecordFault> {
    let opened = Opened::of(folder)?;
    let cases = opened.cases()?;
    if let Some(wanted) = wanted.filter(|wanted| cases.iter().all(|(name, _)| name != wanted)) {
        let known = cases.iter().map(|(name, _)| name.clone()).filter(|name| !name.is_empty()).collect();
        return Err(RecordFault::NoCase { name: wanted.into(), known });
    }
    let chosen = cases.iter().filter(|(name, _)| wanted.is_none_or(|wanted| wanted == name));
    chosen.map(|(name, case)| Ok((name.clone(), opened.trajectory(name, case)?))).collect()
}

impl Record {
    /// Reads a finished folder.
    pub fn read(folder: &Path) -> Result<Record, RecordFault> {
        let opened = Opened::of(folder)?;
        let page = field(&opened.summary, "page").map_err(|wrong| opened.damaged(wrong))?;
        let texts = PageTexts::from_json(page).map_err(|wrong| opened.damaged(format!("`page`: {wrong}")))?;
        let expectations =
            expectations(&opened.summary, &texts.bounds).map_err(|wrong| opened.damaged(format!("`expectations`: {wrong}")))?;
        let change = |own: &Value| Ok(Change { option: text(own, "option")?, value: text(own, "value")? });
        let changes = each(&opened.summary, "options", change).map_err(|wrong| opened.damaged(wrong))?;
        let named = opened.cases()?;
        if let Some(count) = [texts.mats.len(), texts.about.len(), texts.unmeasured.len()].into_iter().find(|count| *count != named.len()) {
            return Err(opened.damaged(format!("`page` has {count} cases, and there are {}", named.len())));
        }
        let cases =
            named.iter().zip(&texts.mats).map(|((name, case), mats)| recorded(&opened, name, case, mats)).collect::<Result<_, _>>()?;
        Ok(Record { texts, changes, expectations, cases })
    }

    /// What the run reported.
    pub fn report(&self) -> Report<'_> {
        let texts = self.texts.clone();
        let case = |own: &'_ RecordedCase| (own.name.clone(), own.figure.clone(), own.facts.clone());
        let told = self.texts.about.iter().zip(&self.texts.unmeasured);
        let cases = self.cases.iter().zip(told).map(|(own, (about, unmeasured))| {
            let (name, figure, facts) = case(own);
            Case {
                name,
                about: about.clone(),
                figure,
                facts,
                courses: own.courses.clone(),
                trajectory: &own.trajectory,
                pressure: &own.pressure,
                soft: &own.soft,
                fit: own.fit.clone(),
                uncertainty: own.uncertainty.clone(),
                events: own.events.iter().map(gather::event).collect(),
                scalars: own.scalars.clone(),
                health: own.health.clone(),
                method: own.method.clone(),
                unmeasured: unmeasured.clone(),
                notice: gather::notice(&own.status, gather::Clock::of(&own.method, &own.soft)),
            }
        });
        Report {
            title: texts.title,
            description: texts.description,
            outcome: texts.outcome,
            source: texts.source,
            cases: cases.collect(),
            expectations: self.expectations.clone(),
            changes: self.changes.clone(),
            method: texts.method,
            groups: texts.groups,
            poster: texts.poster,
            gait: texts.gait,
        }
    }
}

/// One case.
fn recorded(opened: &Opened, name: &str, case: &Value, mats: &[String]) -> Result<RecordedCase, RecordFault> {
    let place = place_of(name);
    let (figure, facts) = opened.read(&format!("{place}{FIGURE}"), |content| {
        let drawn = json(&content)?;
        let figure = figure_of(&drawn)?;
        let facts = Facts::from_json(field(&drawn, "facts")?, &figure)?;
        Ok((figure, facts))
    })?;
    let events = opened.read(&format!("{place}{EVENTS}"), |content| {
        let told = String::from_utf8(content).ok().and_then(|text| read_events(&text));
        told.ok_or_else(|| "it is not a table of events".into())
    })?;
    let map = |mat: &String| {
        if mat.contains(['/', '\\']) {
            return Err(opened.damaged(format!("`{mat}` is not the name of a mat")));
        }
        opened.read(&format!("{place}pressure.{mat}.npz"), |content| read_pressure_npz(mat, &content))
    };
    let pressure = mats.iter().map(map).collect::<Result<_, _>>()?;
    let soft = soft_parts(opened, &format!("{place}{SOFT}"))?;
    let fit = case.get("fit").map(|block| fitted(opened, &place, block)).transpose()?;
    let uncertainty = case.get("uncertainty").map(|block| uncertain(opened, &place, block)).transpose()?;
    let trajectory = opened.trajectory(name, case)?;
    let courses = courses(opened, &format!("{place}{COURSES}"), &figure, trajectory.len())?;
    let (status, scalars, health, method) = told_of(case).map_err(|wrong| opened.damaged(wrong))?;
    Ok(RecordedCase {
        name: name.to_string(),
        figure,
        facts,
        courses,
        trajectory,
        pressure,
        soft,
        fit,
        uncertainty,
        events,
        status,
        scalars,
        health,
        method,
    })
}

/// What a case that was a fit tells of it: a block of the summary, and tables.
fn fitted(opened: &Opened, place: &str, block: &Value) -> Result<FitPage, RecordFault> {
    let mut page = read_block(block).map_err(|wrong| opened.damaged(format!("`fit`: {wrong}")))?;
    for (name, read) in FIT_TABLES {
        let name = format!("{place}{name}.csv");
        if opened.hash(&name).is_none() {
            continue;
        }
        opened.read(&name, |content| {
            let told = table(content).and_then(|rows| read(&mut page, &rows[1..]));
            told.ok_or_else(|| "it is not a table of a fit".into())
        })?;
    }
    Ok(page)
}

/// What a case whose results are uncertain tells of that: a block of the summary, and tables.
fn uncertain(opened: &Opened, place: &str, block: &Value) -> Result<UncertaintyPage, RecordFault> {
    let mut page = read_uncertainty(block).map_err(|wrong| opened.damaged(format!("`uncertainty`: {wrong}")))?;
    for (name, read) in UNCERTAINTY_TABLES {
        let name = format!("{place}{name}.csv");
        if opened.hash(&name).is_none() {
            continue;
        }
        opened.read(&name, |content| {
            let told = table(content).and_then(|rows| read(&mut page, &rows));
            told.ok_or_else(|| "it is not a table of uncertain results".into())
        })?;
    }
    Ok(page)
}

/// Where paths of a case lie; empty where the run wrote no file of them.
fn courses(opened: &Opened, name: &str, figure: &Figure, samples: usize) -> Result<Courses, RecordFault> {
    if opened.hash(name).is_none() {
        return Ok(Courses::default());
    }
    opened.read(name, |content| courses_of(&json(&content)?, figure, samples))
}

/// Soft parts of a case; empty where the run wrote no file of them.
fn soft_parts(opened: &Opened, name: &str) -> Result<SoftRecord, RecordFault> {
    if opened.hash(name).is_none() {
        return Ok(SoftRecord::default());
    }
    opened.read(name, |content| read_soft_json(&json(&content)?))
}

type Told = (Status, Vec<Scalar>, Vec<Health>, Vec<(String, String)>);

/// What the summary tells of a case.
fn told_of(case: &Value) -> Result<Told, Wrong> {
    let entries = |key: &str| field(case, key)?.as_object().ok_or_else(|| format!("`{key}` is not a table")).map(|map| map.iter());
    let scalars = entries("scalars")?.map(|(name, own)| {
        let value = optional_number(own, "value")?.unwrap_or(f64::NAN);
        Ok(gather::scalar(name, value, &text(own, "unit")?))
    });
    let health = entries("health")?.map(|(key, own)| {
        let word = text(own, "verdict")?;
        let verdict = Verdict::of_word(&word).ok_or_else(|| format!("no verdict is called `{word}`"))?;
        Ok(Health {
            key: key.clone(),
            label: text(own, "label")?,
            value: optional_number(own, "value")?,
            unit: text(own, "unit")?,
            verdict,
            part: optional_number(own, "part")?,
            text: text(own, "text")?,
        })
    });
    let method = entries("settings")?.map(|(key, value)| Ok((key.clone(), crate::report::read::plain_text(value)?)));
    let (scalars, health) = (scalars.collect::<Result<_, Wrong>>()?, health.collect::<Result<_, Wrong>>()?);
    Ok((status(case)?, scalars, health, method.collect::<Result<_, Wrong>>()?))
}

fn status(case: &Value) -> Result<Status, Wrong> {
    let optional_text = |key: &str| case.get(key).and_then(Value::as_str).unwrap_or_default().to_string();
    let time = || optional_number(case, "time").map(|t| t.unwrap_or(f64::NAN));
    match text(case, "status")?.as_str() {
        "completed" => Ok(Status::Completed),
        "stopped" => Ok(Status::Stopped { event: optional_text("reason"), t: time()? }),
        "interrupted" => Ok(Status::Interrupted { t: time()? }),
        "failed" => Ok(Status::Failed { t: time()?, element: optional_text("element"), reason: optional_text("reason") }),
        other => Err(format!("no run ends as `{other}`")),
    }
}

fn expectations(summary: &Value, bounds: &[&'static str]) -> Result<Vec<Expectation>, Wrong> {
    let one = |row: &Value| {
        let ok = field(row, "ok")?;
        Ok(Expectation {
            quantity: text(row, "quantity")?,
            unit: text(row, "unit")?,
            basis: text(row, "basis")?,
            expected: optional_number(row, "expected")?,
            computed: optional_number(row, "computed")?,
            bound: "",
            tolerance: optional_number(row, "tolerance")?,
            ok: ok.as_bool(),
            source: text(row, "source")?,
            note: text(row, "note")?,
        })
    };
    let mut list = each(summary, "expectations", one)?;
    if list.len() != bounds.len() {
        return Err(format!("there are {} of them, and `page` has {}", list.len(), bounds.len()));
    }
    list.iter_mut().zip(bounds).for_each(|(row, bound)| row.bound = bound);
    Ok(list)
}
