//! Measured data in study files: `[markers]`, `[[task]]`, `[filter]`, `[loads]`, `[[load]]`.
//! Not here: how files of recordings are found and turned (`recording`), what becomes of them (`measured`).
//! In: tables of a study. Out: plain parts of a plan; faults among the findings.

use super::Files;
use super::cases::wrong_type;
use super::external_loads::{self, ExternalLoads};
use super::fault::StudyFault;
use super::fields::{FILTER, LOAD, LOADS, MARKERS, TASK};
use super::interpret::{Context, pick, written};
use super::recording::{Wanted, load_recording};
use crate::measured::{
    CoordinateTask, Correction, Cutoff, Filter, FilterOf, FilterRule, Frames, LoadCutoff, LoadFile, LoadInterpolation, LoadOutside,
    LoadRule, Markers, Method, TaskValue,
};
use borelli_data::format::c3d::BaselineRule;
use borelli_data::gait::THRESHOLD;
use borelli_data::recording::{Plate, PlateKind};
use borelli_data::{Recording, parse_quantity};
use borelli_model::{Data, Dim, Element, Fields, Findings, Range, Span, Value, beside, parse_unit};
use std::sync::Arc;

/// Entries of a table list, as they are read.
type Tables = [(String, Span, Element)];

/// A value that is a quantity of a unit, or one of some words.
enum Worded {
    Quantity(f64),
    Word,
}

/// Reads a field that is a quantity or a word; a fault is reported.
fn worded(fields: &mut Fields, name: &'static str, unit: &'static str, range: Range, words: &'static [&'static str]) -> Option<Worded> {
    let value = fields.value(name)?;
    let text = written(value);
    if words.contains(&text.as_str()) {
        return Some(Worded::Word);
    }
    let expected = parse_unit(unit).map_or(Dim::NONE, |(_, dim)| dim);
    let number = match &value.data {
        Data::Number(x) => Some(*x),
        Data::Text(text) => parse_quantity(text).ok().filter(|(_, dim)| *dim == expected || *dim == Dim::NONE).map(|(x, _)| x),
        _ => None,
    };
    match number.filter(|x| range.contains(*x)) {
        Some(number) => Some(Worded::Quantity(number)),
        None => {
            fields.fault(name, &StudyFault::BadWord { found: text, unit, words });
            None
        }
    }
}

/// A table from names to values; entries of another kind are reported.
fn named<T>(
    value: Option<&Value>,
    table: &'static str,
    field: &'static str,
    wanted: &'static str,
    read: impl Fn(&Value) -> Option<T>,
    findings: &mut Findings,
) -> Vec<(String, T)> {
    let Some(value) = value else { return Vec::new() };
    let Some(entries) = value.as_table() else {
        wrong_type(value, table, field, "a table", findings);
        return Vec::new();
    };
    let mut list = Vec::new();
    for entry in entries {
        match read(&entry.value) {
            Some(own) => list.push((entry.key.clone(), own)),
            None => wrong_type(&entry.value, table, &format!("{field}.{}", entry.key), wanted, findings),
        }
    }
    list
}

impl Context<'_> {
    /// `[markers]` with its tasks.
    pub(super) fn markers(&mut self, element: Option<&Element>, tasks: &Tables) -> Option<Markers> {
        let Some(element) = element else {
            if let Some((_, at, _)) = tasks.first() {
                self.findings.push(*at, "task", "", &StudyFault::ListWithoutTable { list: "task", table: "markers" });
            }
            return None;
        };
        let (path, files) = (self.path, self.files);
        let mut fields = self.read(element, MARKERS);
        let file = fields.text("file").map(|(file, _)| beside(path, file));
        let text = |name| fields.text(name).map(|(text, _)| text.to_string());
        let wanted = Wanted {
            axes: text("axes"),
            forward: text("forward"),
            strip_prefix: fields.flag("strip_prefix").unwrap_or(false),
            threshold: Some(THRESHOLD),
            baseline: None,
            rate: fields.quantity("rate").map(|q| q.value),
            turn: None,
        };
        let max_gap = fields.quantity("max_gap").map_or(0.1, |q| q.value);
        let noise = fields.quantity("noise").map(|q| q.value);
        let frames = pick(fields.choice("trajectory"), &[("smooth", Frames::Smooth { noise })], Frames::Single);
        let method = pick(fields.choice("method"), &[("angles", Method::Angles)], Method::Markers);
        let mend_swaps = fields.choice("swaps") == Some("mend");
        let (weights, names) = (element.value("weights"), element.value("names"));
        let weight = |value: &Value| value.as_number().filter(|weight| *weight >= 0.0 && weight.is_finite());
        let weights = named(weights, "markers", "weights", "a number that is not negative", weight, fields.findings());
        let names = named(names, "markers", "names", "text", |value| value.as_text().map(str::to_string), fields.findings());
        let loaded = file.and_then(|file| match load_recording(&file, files, &wanted) {
            Ok(loaded) if loaded.recording.points.is_empty() => {
                fields.fault("file", &StudyFault::NothingMeasured { path: file, what: "markers" });
                None
            }
            Ok(loaded) => Some((file, loaded)),
            Err(fault) => {
                fields.fault(fault.field, &fault.fault);
                None
            }
        });
        let tasks = tasks.iter().map(|(_, at, element)| self.task(*at, element)).collect();
        let (path, loaded) = loaded?;
        let (recording, R_ML, notes) = (Arc::new(loaded.recording), loaded.R_ML, loaded.notes);
        Some(Markers { path, recording, R_ML, weights, names, max_gap, tasks, frames, method, mend_swaps, notes })
    }

    fn task(&mut self, at: Span, element: &Element) -> CoordinateTask {
        let fields = self.read(element, TASK);
        let coordinate = fields.text("coordinate").map_or("", |(name, _)| name).to_string();
        let weight = fields.quantity("weight").map_or(1.0, |q| q.value);
        let value = match fields.value("value").map(written) {
            None => TaskValue::Default,
            Some(word) if word == "default" => TaskValue::Default,
            Some(text) => TaskValue::Quantity(text),
        };
        CoordinateTask { coordinate, weight, value, at }
    }

    /// `[filter]`.
    pub(super) fn filter(&mut self, element: Option<&Element>, markers: bool) -> Option<Filter> {
        let element = element?;
        let mut fields = self.read(element, FILTER);
        let kind = fields.choice("kind").unwrap_or("butterworth");
        let of = pick(fields.choice("of"), &[("markers", FilterOf::Markers)], FilterOf::Coordinates);
        if of == FilterOf::Markers && !markers {
            fields.fault("of", &StudyFault::NoMarkersToFilter);
        }
        let idle: &[&'static str] = match kind {
            "butterworth" => &[],
            "opensim" => &["pass", "stop", "loss", "order", "correction", "pad"],
            _ => &["cutoff", "pass", "stop", "loss", "order", "correction", "pad"],
        };
        for field in idle.iter().filter(|field| element.get(field).is_some()) {
            fields.fault(field, &StudyFault::IdleFilter { field, kind });
        }
        let cutoff = self::cutoff(&mut fields, kind);
        let corrections = [("frequency", Correction::Frequency), ("none", Correction::None)];
        let rule = match (kind, cutoff) {
            ("none", _) => FilterRule::None,
            ("spline", _) => FilterRule::Spline,
            ("opensim", Some(Cutoff::At(cutoff))) => FilterRule::Foreign { cutoff },
            ("butterworth", Some(cutoff)) => FilterRule::Butterworth {
                cutoff,
                order: fields.count("order").unwrap_or(2),
                correction: pick(fields.choice("correction"), &corrections, Correction::Exact),
                pad: fields.count("pad"),
            },
            // What is missing has been told.
            _ => FilterRule::None,
        };
        Some(Filter { of, rule })
    }

    /// `[loads]` with its assignments.
    pub(super) fn loads(&mut self, element: Option<&Element>, loads: &Tables, markers: Option<&Markers>) -> Option<LoadFile> {
        let Some(element) = element else {
            if let Some((_, at, _)) = loads.first() {
                self.findings.push(*at, "load", "", &StudyFault::ListWithoutTable { list: "load", table: "loads" });
            }
            return None;
        };
        let (path, files) = (self.path, self.files);
        let mut fields = self.read(element, LOADS);
        let file = fields.text("file").map(|(file, _)| beside(path, file));
        let text = |name| fields.text(name).map(|(text, _)| text.to_string());
        let (axes, forward) = (text("axes"), text("forward"));
        let threshold = match worded(&mut fields, "threshold", "N", Range::NON_NEGATIVE, &["none"]) {
            Some(Worded::Word) => None,
            Some(Worded::Quantity(x)) => Some(x),
            None => Some(THRESHOLD),
        };
        let cutoff = match worded(&mut fields, "cutoff", "Hz", Range::POSITIVE, &["none"]) {
            Some(Worded::Word) => LoadCutoff::None,
            Some(Worded::Quantity(x)) => LoadCutoff::At(x),
            None => LoadCutoff::OfMotion,
        };
        let interpolation = pick(fields.choice("interpolation"), &[("natural", LoadInterpolation::Natural)], LoadInterpolation::Linear);
        let baseline = baseline(&mut fields);
        let rate = fields.quantity("rate").map(|q| q.value);
        let mut file = file?;
        let mut told = Vec::new();
        if file.ends_with(".xml") {
            match external(&file, files) {
                Ok(read) => (file, told) = (beside(&file, &read.table), read.loads),
                Err(fault) => {
                    fields.fault("file", &fault);
                    return None;
                }
            }
        }
        let outside = pick(fields.choice("outside"), &[("unloaded", LoadOutside::Unloaded)], LoadOutside::Refused);
        // Loads of the markers' own file lie in the same axes unless they say otherwise.
        let same = markers.filter(|markers| markers.path == file && axes.is_none() && forward.is_none());
        let turn = same.map(|markers| markers.R_ML);
        let same = same.filter(|_| baseline.is_none() && rate.is_none() && threshold == Some(THRESHOLD));
        let (recording, R_ML, notes) = match same {
            Some(markers) => (markers.recording.clone(), markers.R_ML, Vec::new()),
            None => {
                let wanted = Wanted { axes, forward, threshold, baseline, rate, turn, strip_prefix: false };
                match load_recording(&file, files, &wanted) {
                    Ok(loaded) => (Arc::new(loaded.recording), loaded.R_ML, loaded.notes),
                    Err(fault) => {
                        fields.fault(fault.field, &fault.fault);
                        return None;
                    }
                }
            }
        };
        if recording.plates.is_empty() {
            fields.fault("file", &StudyFault::NothingMeasured { path: file, what: "force plates" });
            return None;
        }
        let nowhere = |plate: &&Plate| {
            let pressed = plate.force.iter().any(|f| f.norm() > plate.threshold);
            plate.kind == PlateKind::Columns && pressed && !plate.loaded.contains(&true)
        };
        if let Some(plate) = recording.plates.iter().find(nowhere) {
            fields.fault("file", &StudyFault::ForcesWithoutPoints { path: file, plate: plate.name.clone() });
            return None;
        }
        let mut rules: Vec<LoadRule> = loads.iter().filter_map(|(_, at, element)| self.load(*at, element, &recording)).collect();
        // Lists of the study itself have the last word.
        if loads.is_empty() {
            rules = told.into_iter().map(|(plate, body)| LoadRule { plate, body: Some(body), at: None }).collect();
        }
        Some(LoadFile { path: file, recording, R_ML, threshold, interpolation, cutoff, outside, rules, notes, noise: Vec::new() })
    }

    fn load(&mut self, at: Span, element: &Element, recording: &Recording) -> Option<LoadRule> {
        let mut fields = self.read(element, LOAD);
        let ways = ["plate", "columns"].iter().filter(|way| fields.has(way)).count();
        if ways != 1 {
            fields.fault("plate", &StudyFault::PlateCount { found: ways });
            return None;
        }
        let field = if fields.has("plate") { "plate" } else { "columns" };
        let plate = fields.value(field).map(written)?;
        let known: Vec<String> = recording.plates.iter().map(|plate| plate.name.clone()).collect();
        // A plate of columns may be called by its number, too.
        let number = plate.parse::<usize>().ok().filter(|_| field == "plate").and_then(|k| known.get(k.checked_sub(1)?));
        let Some(name) = known.iter().find(|name| **name == plate).or(number) else {
            fields.fault(field, &StudyFault::UnknownPlate { found: plate, known });
            return None;
        };
        let body = fields.text("body").map(|(body, _)| body.to_string());
        Some(LoadRule { plate: name.clone(), body, at: Some(at) })
    }
}

/// A file of external loads, through the files of a study.
fn external(path: &str, files: &Files) -> Result<ExternalLoads, StudyFault> {
    let advice = "write [loads] file with the table, and [[load]] with columns and body".to_string();
    let read = files.load(path).map_err(|error| error.to_string()).and_then(|bytes| {
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_string()).and_then(|text| external_loads::read(&text))
    });
    read.map_err(|reason| StudyFault::BadRecording { path: path.into(), reason, advice })
}

fn cutoff(fields: &mut Fields, kind: &str) -> Option<Cutoff> {
    if !matches!(kind, "butterworth" | "opensim") {
        return None;
    }
    let bands = fields.has("pass") || fields.has("stop");
    let ways = usize::from(fields.has("cutoff")) + usize::from(bands);
    let whole = !bands || (fields.has("pass") && fields.has("stop"));
    if ways != 1 || !whole {
        fields.fault("cutoff", &StudyFault::CutoffCount { found: if whole { ways } else { 0 } });
        return None;
    }
    if bands {
        let si = |name| fields.quantity(name).map(|q| q.value);
        return Some(Cutoff::Bands { pass: si("pass")?, stop: si("stop")?, loss: si("loss").unwrap_or(20.0) });
    }
    let words: &'static [&'static str] = if kind == "butterworth" { &["residual"] } else { &[] };
    worded(fields, "cutoff", "Hz", Range::POSITIVE, words).map(|cutoff| match cutoff {
        Worded::Word => Cutoff::Residual,
        Worded::Quantity(x) => Cutoff::At(x),
    })
}

/// What an unloaded plate shows, as `[loads] baseline` says.
fn baseline(fields: &mut Fields) -> Option<BaselineRule> {
    let value = fields.value("baseline")?;
    let words = [("auto", BaselineRule::Auto), ("file", BaselineRule::File), ("none", BaselineRule::None)];
    if let Some(text) = value.as_text()
        && let Some((_, rule)) = words.iter().find(|(word, _)| *word == text)
    {
        return Some(*rule);
    }
    let second = |value: &Value| match &value.data {
        Data::Number(x) => Some(*x),
        Data::Text(text) => parse_quantity(text).ok().filter(|(_, dim)| *dim == Dim::TIME || *dim == Dim::NONE).map(|(x, _)| x),
        _ => None,
    };
    let ends: Option<Vec<f64>> = value.as_list().and_then(|list| list.iter().map(second).collect());
    match ends.as_deref() {
        Some([from, to]) if from < to => Some(BaselineRule::Window(*from, *to)),
        _ => {
            wrong_type(value, "loads", "baseline", "\"auto\", \"file\", \"none\", or two times", fields.findings());
            None
        }
    }
}
