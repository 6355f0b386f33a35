//! Where a run ended, as a file: enough to go on from with the same bits.
//! Not here: the state itself (`borelli-study`), going on.
//! In: a system and its end. Out: JSON, and back.

use super::inputs::Input;
use borelli_dynamics::constraint::RowKind;
use borelli_dynamics::integrate::Carried;
use borelli_dynamics::memory::{Hold, Touch};
use borelli_dynamics::{Memory, System};
use borelli_model::Explain;
use borelli_study::run::{EndState, Passed};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// An end with the names of what its numbers belong to, so that it is not put to another model.
#[derive(Clone, Debug, PartialEq)]
pub struct Restart {
    /// Name of the model.
    pub model: String,
    /// Names of coordinates, speeds and rows.
    names: [Vec<String>; 5],
    /// The end.
    pub end: EndState,
}

/// Version of the file's content; a file of another version is refused. 1 (without the number): speeds of first touch with numbers that stood for words. 2: without
/// the events that happened at the end. 3: without conditional points of paths.
const FORMAT: u64 = 4;

/// Words for the lists of names.
const LISTS: [&str; 5] = ["coordinates", "speeds", "rows", "pairs", "states"];

/// Why a run cannot go on from a folder.
#[derive(Clone, Debug, PartialEq)]
pub enum RestartFault {
    /// No file.
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Written by another version of the program, whose files say other things.
    OtherFormat {
        /// Which.
        path: PathBuf,
        /// Version of the program that wrote it; empty where it does not say.
        by: String,
    },
    /// Not what a run writes.
    Malformed {
        /// Which.
        path: PathBuf,
        /// Key with a missing or wrong value.
        key: &'static str,
    },
    /// The state of another model.
    OtherModel {
        /// Which.
        path: PathBuf,
        /// Model of the file.
        of: String,
        /// What differs: `coordinates`.
        list: &'static str,
        /// Names in the file.
        found: Vec<String>,
        /// Names in the model.
        expected: Vec<String>,
    },
}

impl Explain for RestartFault {
    fn code(&self) -> &'static str {
        match self {
            RestartFault::Unreadable { .. } => "cannot-read-file",
            RestartFault::OtherFormat { .. } => "restart-of-another-version",
            RestartFault::Malformed { .. } => "restart-malformed",
            RestartFault::OtherModel { .. } => "restart-of-another-model",
        }
    }

    fn message(&self) -> String {
        match self {
            RestartFault::Unreadable { path, reason } => format!("cannot read `{}`: {reason}", path.display()),
            RestartFault::OtherFormat { path, by } => {
                let by = if by.is_empty() { "another version".into() } else { format!("version {by}") };
                format!(
                    "`{}` was written by {by} of the program in a form that this one ({}) does not read",
                    path.display(),
                    env!("CARGO_PKG_VERSION")
                )
            }
            RestartFault::Malformed { path, key } => format!("`{}` has no proper `{key}`", path.display()),
            RestartFault::OtherModel { path, of, list, found, expected } => format!(
                "`{}` is the end of model `{of}`, whose {list} are [{}]; here they are [{}]",
                path.display(),
                found.join(", "),
                expected.join(", ")
            ),
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            RestartFault::Unreadable { .. } => "give the folder of a finished run, or of one case of a sweep (cases/NAME)".into(),
            RestartFault::OtherFormat { .. } => "run the first part again with this version, or go on with the one that wrote it".into(),
            RestartFault::Malformed { .. } => "restart.json is written by `borelli run`; it is not meant to be edited".into(),
            RestartFault::OtherModel { .. } => "restart with the model that the folder was computed from".into(),
        })
    }
}

fn names_of(system: &System) -> [Vec<String>; 5] {
    let names = &system.names;
    let row = |row: &borelli_dynamics::constraint::RowName| {
        let kind = if row.kind == RowKind::Loop { "loop" } else { "guide" };
        format!("{kind}.{}.{}", row.name, row.part)
    };
    [
        names.coordinates.iter().map(|c| c.name.clone()).collect(),
        names.speeds.iter().map(|s| s.name.clone()).collect(),
        names.rows.iter().map(row).collect(),
        names.pairs.clone(),
        names.states.iter().map(|state| state.column()).collect(),
    ]
}

impl Restart {
    /// File name in a folder of results.
    pub const FILE: &str = "restart.json";

    /// The end of a run of this system.
    pub fn new(system: &System, end: EndState) -> Restart {
        Restart { model: system.name.clone(), names: names_of(system), end }
    }

    /// As JSON; numbers are the shortest text that reads back to the same bits.
    pub fn to_json(&self) -> Value {
        let end = &self.end;
        let mut map = Map::new();
        map.insert("borelli".into(), json!(env!("CARGO_PKG_VERSION")));
        map.insert("format".into(), json!(FORMAT));
        map.insert("model".into(), json!(self.model));
        for (list, names) in LISTS.iter().zip(&self.names) {
            map.insert((*list).into(), json!(names));
        }
        map.insert("t".into(), json!(end.t));
        map.insert("q".into(), json!(end.q));
        map.insert("v".into(), json!(end.v));
        map.insert("z".into(), json!(end.z));
        map.insert("work".into(), json!(end.work));
        map.insert("held".into(), end.memory.rows.iter().map(hold_to_json).collect());
        map.insert("carried".into(), end.carried.as_ref().map_or(Value::Null, carried_to_json));
        map.insert("integrator".into(), json!(end.integrator));
        map.insert("events".into(), end.events.iter().map(passed_to_json).collect());
        map.insert("touch".into(), end.memory.touch.iter().map(touch_to_json).collect());
        map.insert("points".into(), json!(end.memory.points));
        Value::Object(map)
    }

    /// Reads the file of a folder and sees that it belongs to the system. Also gives the file with its hash.
    pub fn read(folder: &Path, system: &System) -> Result<(EndState, Input), RestartFault> {
        let path = folder.join(Self::FILE);
        let bytes = fs::read(&path).map_err(|error| RestartFault::Unreadable { path: path.clone(), reason: error.to_string() })?;
        let value: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let malformed = |key| RestartFault::Malformed { path: path.clone(), key };
        if value.is_object() && value["format"] != FORMAT {
            return Err(RestartFault::OtherFormat { path, by: value["borelli"].as_str().unwrap_or_default().into() });
        }
        let restart = Restart::from_json(&value).map_err(malformed)?;
        for ((list, found), expected) in LISTS.iter().zip(restart.names).zip(names_of(system)) {
            if found != expected {
                return Err(RestartFault::OtherModel { path, of: restart.model, list, found, expected });
            }
        }
        Ok((restart.end, Input::of(&path.to_string_lossy(), &bytes)))
    }

    /// From JSON, or the key that is wrong.
    fn from_json(value: &Value) -> Result<Restart, &'static str> {
        let text = |v: &Value| v.as_str().map(str::to_string);
        let [coordinates, speeds, rows, pairs, states] = LISTS.map(|key| each(value, key, text));
        let names = [coordinates?, speeds?, rows?, pairs?, states?];
        let numbers = |key, wanted: usize| {
            let list = each(value, key, Value::as_f64)?;
            if list.len() == wanted { Ok(list) } else { Err(key) }
        };
        let rows = each(value, "held", hold_from_json)?;
        let touch = each(value, "touch", touch_from_json)?;
        for (key, found, expected) in [("held", rows.len(), names[2].len()), ("touch", touch.len(), names[3].len())] {
            if found != expected {
                return Err(key);
            }
        }
        let end = EndState {
            t: value["t"].as_f64().ok_or("t")?,
            q: numbers("q", names[0].len())?,
            v: numbers("v", names[1].len())?,
            z: numbers("z", names[4].len())?,
            // Whoever starts from it compares their number with that of the model.
            work: each(value, "work", Value::as_f64)?,
            // As above.
            memory: Memory { rows, touch, points: each(value, "points", Value::as_bool)? },
            events: each(value, "events", passed_from_json)?,
            carried: carried_from_json(value.get("carried").ok_or("carried")?, [names[1].len() + names[4].len(), names[2].len()])?,
            // Folders of earlier versions do not say.
            integrator: text(&value["integrator"]),
        };
        Ok(Restart { model: text(&value["model"]).ok_or("model")?, names, end })
    }
}

/// Where a row is held; nothing where it is let go.
fn hold_to_json(hold: &Hold) -> Value {
    match hold {
        Hold::At(offset) => json!(offset),
        Hold::LetGo => Value::Null,
    }
}

fn hold_from_json(value: &Value) -> Option<Hold> {
    if value.is_null() { Some(Hold::LetGo) } else { value.as_f64().map(Hold::At) }
}

/// An event that happened at the end.
fn passed_to_json(passed: &Passed) -> Value {
    json!({ "event": passed.name, "rising": passed.rising })
}

fn passed_from_json(value: &Value) -> Option<Passed> {
    Some(Passed { name: value["event"].as_str()?.into(), rising: value["rising"].as_bool()? })
}

/// A word, or the speed with which a touch began.
fn touch_to_json(touch: &Touch) -> Value {
    match touch {
        Touch::Open => json!("open"),
        Touch::HeldOpen => json!("held-open"),
        Touch::Touching { speed: None } => json!("touching"),
        Touch::Touching { speed: Some(speed) } => json!(speed),
    }
}

fn touch_from_json(value: &Value) -> Option<Touch> {
    match value.as_str() {
        Some("open") => Some(Touch::Open),
        Some("held-open") => Some(Touch::HeldOpen),
        Some("touching") => Some(Touch::Touching { speed: None }),
        Some(_) => None,
        None => value.as_f64().map(Touch::at),
    }
}

/// What an implicit scheme had at the end of its last step.
fn carried_to_json((method, carried): &(String, Carried)) -> Value {
    json!({ "method": method, "rates": carried.rates, "average": carried.average, "multipliers": carried.multipliers })
}

/// The same from JSON: nothing for null; so many rates and multipliers.
fn carried_from_json(value: &Value, [rates, multipliers]: [usize; 2]) -> Result<Option<(String, Carried)>, &'static str> {
    if value.is_null() {
        return Ok(None);
    }
    let list = |key: &'static str, wanted: usize| {
        let list = each(value, key, Value::as_f64).ok().filter(|list| list.len() == wanted);
        list.ok_or("carried")
    };
    let method = value["method"].as_str().ok_or("carried")?.to_string();
    let carried =
        Carried { rates: list("rates", rates)?, average: list("average", rates)?, multipliers: list("multipliers", multipliers)? };
    Ok(Some((method, carried)))
}

/// A list of one type.
fn each<T>(value: &Value, key: &'static str, read: impl Fn(&Value) -> Option<T>) -> Result<Vec<T>, &'static str> {
    let list = value.get(key).and_then(Value::as_array).ok_or(key)?;
    list.iter().map(|item| read(item).ok_or(key)).collect()
}
