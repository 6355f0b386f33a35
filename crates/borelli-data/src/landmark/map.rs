//! A user's own names: a file that says which role, or which marker of a model, each name of the laboratory stands for.
//! Not here: names that marker sets have in common (`names.txt`).
//! In: text, one `lab-name = role` or `lab-name, role` a line. Out: the map, or every line that says nothing.

use super::recognise::plain;
use super::role::Role;
use crate::explain::Explain;
use crate::suggest::suggest;

/// What one line of a map says.
#[derive(Clone, Debug, PartialEq)]
enum Meaning {
    Role(Role),
    Marker(String),
    Ignored,
}

/// Names of a laboratory with what they stand for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkerMap {
    /// Plain name, name as written, meaning.
    lines: Vec<(String, String, Meaning)>,
}

/// What is wrong with a line of a map.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum MapFault {
    /// A line that is not a name and a role.
    BadLine { text: String },
    /// A target that is neither a role nor a marker of the model.
    UnknownTarget { target: String, nearest: Option<String> },
    /// One name twice.
    NameTwice { name: String, first_line: usize },
}

impl Explain for MapFault {
    fn code(&self) -> &'static str {
        match self {
            MapFault::BadLine { .. } => "bad-map-line",
            MapFault::UnknownTarget { .. } => "unknown-marker-role",
            MapFault::NameTwice { .. } => "marker-mapped-twice",
        }
    }

    fn message(&self) -> String {
        match self {
            MapFault::BadLine { text } => format!("`{text}` does not say what a marker stands for"),
            MapFault::UnknownTarget { target, .. } => format!("`{target}` is neither an anatomical role nor a marker of the model"),
            MapFault::NameTwice { name, first_line } => format!("`{name}` stands on line {first_line} already"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            MapFault::UnknownTarget { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            MapFault::UnknownTarget { .. } => {
                Some("roles are written like `asis_r`, `knee_lateral_l`, `sacrum`; `none` leaves a marker out".into())
            }
            MapFault::BadLine { .. } => Some("write `name of the laboratory = role`".into()),
            MapFault::NameTwice { .. } => None,
        }
    }
}

/// Reads a map. `markers` are labels of a model that targets may name besides roles. Faults carry their line, counted from one.
///
/// Lines `NAME = role`, `"NAME" = "role"` and `NAME, role` are all read; `#` begins a comment; headings in brackets and a first line `name, role` are passed over.
///
/// Tests: `a_map_is_read_as_toml_and_as_csv`, `every_bad_line_of_a_map_is_told`.
pub fn read_marker_map<S: AsRef<str>>(text: &str, markers: &[S]) -> Result<MarkerMap, Vec<(usize, MapFault)>> {
    let mut map = MarkerMap::default();
    let mut first_lines: Vec<usize> = Vec::new();
    let mut faults = Vec::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate().map(|(k, line)| (k + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') || (line.starts_with('[') && line.ends_with(']')) {
            continue;
        }
        let Some((name, rest)) = split_line(line) else {
            faults.push((number, MapFault::BadLine { text: line.to_string() }));
            continue;
        };
        let target = unquoted(rest);
        if number == 1 && target.eq_ignore_ascii_case("role") {
            continue;
        }
        if name.is_empty() || target.is_empty() {
            faults.push((number, MapFault::BadLine { text: line.to_string() }));
            continue;
        }
        let key = plain(&name);
        if let Some(k) = map.lines.iter().position(|(known, ..)| *known == key) {
            faults.push((number, MapFault::NameTwice { name, first_line: first_lines[k] }));
            continue;
        }
        let label = markers.iter().map(AsRef::as_ref).find(|label| *label == target);
        let meaning = match (label, Role::parse(&target)) {
            (Some(label), _) => Meaning::Marker(label.to_string()),
            (None, Some(role)) => Meaning::Role(role),
            (None, None) if target == "none" => Meaning::Ignored,
            (None, None) => {
                let known: Vec<String> = Role::all_names().into_iter().chain(markers.iter().map(|m| m.as_ref().to_string())).collect();
                let nearest = suggest(&target, known.iter().map(String::as_str)).map(str::to_string);
                faults.push((number, MapFault::UnknownTarget { target, nearest }));
                continue;
            }
        };
        map.lines.push((key, name, meaning));
        first_lines.push(number);
    }
    if faults.is_empty() { Ok(map) } else { Err(faults) }
}

/// Name and target of a line; a quoted name may hold `=` and commas.
fn split_line(line: &str) -> Option<(String, &str)> {
    if let Some((name, rest)) = line.strip_prefix('"').and_then(|inner| inner.split_once('"')) {
        return Some((name.to_string(), rest.trim_start().strip_prefix(['=', ','])?));
    }
    let (name, rest) = line.split_once('=').or_else(|| line.split_once([',', '\t']))?;
    Some((name.trim().to_string(), rest))
}

/// A target without quotes and without a comment after it.
fn unquoted(text: &str) -> String {
    let text = text.split('#').next().unwrap_or_default().trim();
    text.trim_matches('"').trim().to_string()
}

impl MarkerMap {
    /// Role of a plain name.
    pub(super) fn role(&self, plain: &str) -> Option<Role> {
        self.lines.iter().find_map(|(key, _, meaning)| match meaning {
            Meaning::Role(role) if key == plain => Some(*role),
            _ => None,
        })
    }

    /// Whether the map says anything about a plain name.
    pub(super) fn knows(&self, plain: &str) -> bool {
        self.lines.iter().any(|(key, ..)| key == plain)
    }

    /// Label of the model's marker that a name of the laboratory stands for.
    pub fn marker(&self, name: &str) -> Option<&str> {
        let key = plain(name);
        self.lines.iter().find_map(|(known, _, meaning)| match meaning {
            Meaning::Marker(label) if *known == key => Some(label.as_str()),
            _ => None,
        })
    }

    /// Names of the map that a recording does not have.
    pub fn unused<S: AsRef<str>>(&self, names: &[S]) -> Vec<&str> {
        let had: Vec<String> = names.iter().map(|name| plain(name.as_ref())).collect();
        self.lines.iter().filter(|(key, ..)| !had.contains(key)).map(|(_, name, _)| name.as_str()).collect()
    }
}
