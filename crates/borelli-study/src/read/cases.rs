//! The cases of a sweep: which value every swept path has in each of them, what they are called, and what is said of them.
//! Not here: what the values mean (`interpret`).
//! In: the tables `[sweep]` and `[about]`. Out: cases; a single one without a name where nothing is swept.

use super::fault::StudyFault;
use super::fields::{Place, place_of};
use borelli_model::{Data, Entry, Findings, ReadFault, Span, Value};

/// Most cases of a sweep.
pub const MAX_CASES: usize = 1000;

/// One run of a study: its name, and the values of what is swept.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Name; empty where nothing is swept.
    pub name: String,
    /// What it is, in a sentence; may be empty.
    pub about: String,
    /// Path and value of everything that is swept, in the order of the file.
    pub settings: Vec<(String, Value)>,
}

impl Case {
    /// The value of a swept path as it is written.
    pub fn value(&self, path: &str) -> Option<&Value> {
        self.settings.iter().find(|(known, _)| known == path).map(|(_, value)| value)
    }
}

/// A path of `[set]` or `[sweep]`, where it stands, and its value.
pub(super) struct Leaf<'e> {
    pub path: String,
    pub key_at: Span,
    pub value: &'e Value,
}

/// All paths of a table: `"body.a.mass" = 1` and `body.a.mass = 1` mean the same. Reports paths given both ways.
pub(super) fn leaves<'e>(table: &'e [Entry], section: &str, findings: &mut Findings) -> Vec<Leaf<'e>> {
    fn walk<'e>(entries: &'e [Entry], prefix: &str, out: &mut Vec<Leaf<'e>>) {
        for entry in entries {
            let path = if prefix.is_empty() { entry.key.clone() } else { format!("{prefix}.{}", entry.key) };
            match &entry.value.data {
                Data::Table(inner) => walk(inner, &path, out),
                Data::Faulty => {}
                _ => out.push(Leaf { path, key_at: entry.key_at, value: &entry.value }),
            }
        }
    }
    let mut all = Vec::new();
    walk(table, "", &mut all);
    let mut kept: Vec<Leaf> = Vec::new();
    for leaf in all {
        if kept.iter().any(|known| known.path == leaf.path) {
            findings.push(leaf.key_at, section, "", &StudyFault::PathTwice { path: leaf.path });
        } else {
            kept.push(leaf);
        }
    }
    kept
}

/// Reads `[sweep]`.
pub(super) fn read(sweep: Option<&Value>, findings: &mut Findings) -> Vec<Case> {
    let single = vec![Case { name: String::new(), about: String::new(), settings: Vec::new() }];
    let Some(value) = sweep else { return single };
    let Some(table) = value.as_table() else {
        wrong_type(value, "", "sweep", "a table", findings);
        return single;
    };
    let (mut names, mut grid) = (None, false);
    let mut lists: Vec<(String, &[Value])> = Vec::new();
    for leaf in leaves(table, "sweep", findings) {
        match leaf.path.as_str() {
            "case" => names = texts(leaf.value, findings).map(|list| (list, leaf.value.at)),
            "combine" => match leaf.value.as_text() {
                Some("zip") => {}
                Some("grid") => grid = true,
                Some(found) => {
                    let fault = ReadFault::BadChoice { found: found.into(), choices: vec!["zip", "grid"] };
                    findings.push(leaf.value.at, "sweep", "combine", &fault);
                }
                None => wrong_type(leaf.value, "sweep", "combine", "a text", findings),
            },
            path => {
                if let Place::Nothing(nearest) = place_of(path) {
                    findings.push(leaf.key_at, "sweep", "", &StudyFault::UnknownPath { path: path.into(), nearest });
                }
                match leaf.value.as_list() {
                    Some([]) => findings.push(leaf.value.at, "sweep", path, &StudyFault::EmptySweep),
                    Some(list) => lists.push((leaf.path, list)),
                    None => wrong_type(leaf.value, "sweep", path, "a list of values", findings),
                }
            }
        }
    }
    let Some(combinations) = combine(&lists, grid, value.at, findings) else { return single };
    let count = if grid { combinations.len() } else { lists.iter().map(|(_, list)| list.len()).max().unwrap_or(0) };
    let cases: Vec<Case> = combinations
        .into_iter()
        .map(|picks| {
            let settings: Vec<(String, Value)> = lists.iter().zip(picks).map(|((path, list), k)| (path.clone(), list[k].clone())).collect();
            Case { name: default_name(&settings), about: String::new(), settings }
        })
        .collect();
    named(cases, names, count, value.at, findings)
}

/// Why no case is called so; nothing where one is.
pub(super) fn no_such_case(name: &str, cases: &[Case]) -> Option<StudyFault> {
    let known: Vec<String> = cases.iter().map(|case| case.name.clone()).filter(|name| !name.is_empty()).collect();
    match known.is_empty() {
        true => Some(StudyFault::NoSweep { name: name.into() }),
        false if known.iter().any(|case| case == name) => None,
        false => Some(StudyFault::UnknownCase { name: name.into(), known }),
    }
}

/// Reads `[about]`: a sentence for each of some cases.
pub(super) fn tell(about: Option<&Value>, cases: &mut [Case], findings: &mut Findings) {
    let Some(value) = about else { return };
    let Some(table) = value.as_table() else { return wrong_type(value, "", "about", "a table", findings) };
    for leaf in leaves(table, "about", findings) {
        if let Some(fault) = no_such_case(&leaf.path, cases) {
            findings.push(leaf.key_at, "about", "", &fault);
        }
        match leaf.value.as_text() {
            Some(text) => cases.iter_mut().filter(|case| case.name == leaf.path).for_each(|case| case.about = text.trim().to_string()),
            None => wrong_type(leaf.value, "about", &leaf.path, "a text", findings),
        }
    }
}

/// Which entry of every list each case takes.
fn combine(lists: &[(String, &[Value])], grid: bool, at: Span, findings: &mut Findings) -> Option<Vec<Vec<usize>>> {
    let Some((first, list)) = lists.first() else {
        // lists that were at fault have been told
        if !findings.has_errors() {
            findings.push(at, "sweep", "", &StudyFault::EmptySweep);
        }
        return None;
    };
    let expected = list.len();
    let found = if grid { lists.iter().fold(1, |n: usize, (_, list)| n.saturating_mul(list.len())) } else { expected };
    if found > MAX_CASES {
        findings.push(at, "sweep", "", &StudyFault::TooManyCases { found, limit: MAX_CASES });
        return None;
    }
    if grid {
        let mut all = vec![Vec::new()];
        for (_, list) in lists {
            all = all.iter().flat_map(|picks: &Vec<usize>| (0..list.len()).map(|k| [&picks[..], &[k]].concat())).collect();
        }
        return Some(all);
    }
    for (path, list) in lists.iter().filter(|(_, list)| list.len() != expected) {
        let place = list.first().map_or(at, |v| v.at);
        let fault = StudyFault::UnequalSweep { path: path.clone(), found: list.len(), first: first.clone(), expected };
        findings.push(place, "sweep", path, &fault);
    }
    // of unequal lists the common part is looked at for further faults
    let common = lists.iter().map(|(_, list)| list.len()).min().unwrap_or(0);
    Some((0..common).map(|k| vec![k; lists.len()]).collect())
}

/// Gives cases their names, of which there should be `count`, and reports what cannot be one.
fn named(mut cases: Vec<Case>, names: Option<(Vec<(String, Span)>, Span)>, count: usize, at: Span, findings: &mut Findings) -> Vec<Case> {
    let mut places = vec![at; cases.len()];
    if let Some((names, at)) = names {
        if names.len() != count {
            findings.push(at, "sweep", "case", &StudyFault::UnequalCases { found: names.len(), expected: count });
        }
        for (k, (name, at)) in names.into_iter().enumerate().take(cases.len()) {
            cases[k].name = name;
            places[k] = at;
        }
    }
    for k in 0..cases.len() {
        let name = cases[k].name.clone();
        let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
        if name.is_empty() || !name.chars().all(plain) || name.chars().all(|c| c == '.') {
            findings.push(places[k], "sweep", "case", &StudyFault::BadCaseName { name });
        } else if cases[..k].iter().any(|other| other.name == name) {
            findings.push(places[k], "sweep", "case", &StudyFault::DuplicateCase { name });
        }
    }
    cases
}

/// The values of a case, made fit for the name of a folder: `5_20`, `1e-6`, `20-deg`.
fn default_name(settings: &[(String, Value)]) -> String {
    let word = |value: &Value| -> String {
        let text = match &value.data {
            Data::Text(text) => text.trim_end_matches(".toml").to_string(),
            Data::Number(x) if *x != 0.0 && !(1e-3..1e6).contains(&x.abs()) => format!("{x:e}"),
            Data::Number(x) => x.to_string(),
            Data::Bool(flag) => flag.to_string(),
            _ => String::new(),
        };
        text.chars().map(|c| if c.is_ascii_alphanumeric() || "._+-".contains(c) { c } else { '-' }).collect()
    };
    settings.iter().map(|(_, value)| word(value)).collect::<Vec<_>>().join("_")
}

fn texts(value: &Value, findings: &mut Findings) -> Option<Vec<(String, Span)>> {
    let list = value.as_list().and_then(|list| list.iter().map(|v| v.as_text().map(|text| (text.to_string(), v.at))).collect());
    if list.is_none() {
        wrong_type(value, "sweep", "case", "a list of texts", findings);
    }
    list
}

pub(super) fn wrong_type(value: &Value, element: &str, field: &str, expected: &str, findings: &mut Findings) {
    if value.data != Data::Faulty {
        let fault = ReadFault::WrongType { expected: expected.into(), found: value.data.kind() };
        findings.push(value.at, element, field, &fault);
    }
}
