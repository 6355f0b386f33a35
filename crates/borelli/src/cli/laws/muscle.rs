//! Muscles, activation and ligaments in `borelli laws`: the list, a page of one law, its curves.
//! Not here: the laws (`borelli_dynamics::muscle`), drawing (`picture`), pages of the book (`book`).

use crate::cli::text::{Table, wrapped};
use borelli::report::significant;
use borelli_contact::catalogue::{About, Curve, Panel, Quantity};
use borelli_dynamics::force::{about, common, kinds, muscle_curves};
use borelli_dynamics::ligament;
use borelli_dynamics::muscle::{ACTIVATION_LAWS, CurvePanel, activation_curves};
use borelli_model::{Field, FieldKind, Kind, range_in_words};
use serde_json::{Value, json};
use std::fmt::Write;

/// The section of each, what it is called together, and what it is for.
pub const SECTIONS: [(&str, &str, &str); 3] = [
    ("muscle", "muscles", "tension along a path, from its length, rate and excitation"),
    ("activation", "activation", "how the activation of a muscle follows its excitation"),
    ("ligament", "ligaments", "tension along a path, from its length and rate"),
];

/// Laws of one section.
pub fn laws_of(section: &str) -> Vec<&'static Kind> {
    if section == "activation" { ACTIVATION_LAWS.iter().map(|(kind, _)| kind).collect() } else { kinds(section) }
}

/// Laws of muscles, activation and ligaments, with their section.
pub fn laws() -> impl Iterator<Item = (&'static str, &'static Kind)> {
    SECTIONS.iter().flat_map(|(section, ..)| laws_of(section).into_iter().map(|kind| (*section, kind)))
}

/// A law by name.
pub fn find(name: &str) -> Option<(&'static str, &'static Kind)> {
    laws().find(|(_, kind)| kind.name == name)
}

/// What the comment of a law says.
pub fn told(section: &str, kind: &Kind) -> About {
    let of_activation = ACTIVATION_LAWS.iter().find(|(own, _)| section == "activation" && own.name == kind.name);
    About::of(of_activation.map_or_else(|| about(section, kind.name), |(_, text)| text))
}

/// Laws of one section.
pub fn list(section: &str, name: impl Fn(&Kind) -> String) -> Table {
    let row = |kind: &&Kind| vec![name(kind), kind.doc.to_string()];
    Table { heads: vec!["law", "what it is"], rows: laws_of(section).iter().map(row).collect() }
}

/// Curves of a law with its published numbers.
pub fn portrait(section: &str, kind: &Kind) -> Vec<Panel> {
    let quantity = |[label, unit]: [&'static str; 2]| Quantity { label, unit };
    let curve = |(label, points): (String, Vec<[f64; 2]>)| {
        let (x, y) = points.into_iter().map(|[x, y]| (x, y)).unzip();
        Curve { label, x, y }
    };
    let panel = |own: CurvePanel| Panel {
        caption: own.caption.into(),
        x: quantity(own.x),
        y: quantity(own.y),
        curves: own.curves.into_iter().map(curve).collect(),
    };
    let panels = match section {
        "activation" => activation_curves(kind.name),
        "ligament" => ligament::portrait(),
        _ => muscle_curves(kind.name).unwrap_or_default(),
    };
    panels.into_iter().map(panel).collect()
}

/// Unit and range of a field that is a number.
fn measure(field: &Field) -> Option<(String, String)> {
    match field.kind {
        FieldKind::Quantity { unit: "rad", range } => Some(("rad".into(), range_in_words(range, "rad"))),
        FieldKind::Quantity { unit, range } => Some((unit.into(), range.to_string())),
        FieldKind::QuantityOf { angle, length, range } => {
            Some((if angle == length { angle.into() } else { format!("{length} or {angle}") }, range.to_string()))
        }
        FieldKind::Numbers { unit, .. } => Some((unit.into(), "-".into())),
        FieldKind::Function { value } => Some((value.into(), "-".into())),
        _ => None,
    }
}

/// Symbols of a field, as many as it has: what stands before its name in the row of symbols.
fn symbols<'a>(field: &Field, about: &'a About) -> Option<&'a str> {
    let quoted = format!("`{}`", field.name);
    about.symbols.iter().find_map(|entry| Some(entry.split_once(&quoted)?.0.trim())).filter(|symbols| !symbols.is_empty())
}

/// The text of a field, with what it says is taken "unless given" apart.
fn unless_given(doc: &str) -> (Option<&str>, &str) {
    let said = doc.strip_suffix(" unless given");
    let parts = said.and_then(|said| said.rsplit_once("; ").or_else(|| said.rsplit_once(", ")));
    parts.filter(|(_, default)| !default.contains(". ")).map_or((None, doc), |(meaning, default)| (Some(default), meaning))
}

/// Fields with symbol, unit, range, default and meaning.
pub fn fields(list: &[Field], about: &About) -> Table {
    let row = |field: &Field| {
        let (unit, range) = measure(field).unwrap_or(("-".into(), "-".into()));
        let (said, meaning) = unless_given(field.doc);
        let default = field.need.default().map(|x| significant(x, 6)).or(said.map(str::to_string)).unwrap_or("-".into());
        let symbol = symbols(field, about).unwrap_or("-").to_string();
        vec![symbol, field.name.to_string(), unit, range, default, meaning.to_string()]
    };
    Table { heads: vec!["symbol", "field", "unit", "range", "default", "meaning"], rows: list.iter().map(row).collect() }
}

/// The page of a law.
pub fn page(section: &str, kind: &Kind) -> String {
    let about = told(section, kind);
    let mut text = format!("{} ({section}): {}\n\n{}\n", kind.name, kind.doc, wrapped(&about.what));
    for line in &about.equations {
        let _ = writeln!(text, "    {line}");
    }
    for note in &about.notes {
        let _ = write!(text, "\n{}", wrapped(note));
    }
    if !kind.fields.is_empty() {
        let _ = writeln!(text, "\nfields of the law\n{}", fields(kind.fields, &about).text());
    }
    if !common(section).is_empty() {
        let _ = writeln!(text, "\nfields of every {section}\n{}", fields(common(section), &about).text());
    }
    for (head, part) in [("Source", &about.source), ("Departures", &about.departures), ("Limits", &about.limits)] {
        if !part.is_empty() {
            text.push_str(&wrapped(&format!("{head}: {part}")));
        }
    }
    for panel in portrait(section, kind) {
        let _ = write!(text, "\n{}", super::picture::sketch(&panel));
    }
    text
}

/// A law as JSON.
pub fn facts(section: &str, kind: &Kind) -> Value {
    let about = told(section, kind);
    let field = |field: &Field| {
        let (unit, range) = measure(field).unzip();
        json!({ "name": field.name, "symbol": symbols(field, &about), "unit": unit, "range": range, "default": field.need.default(), "doc": field.doc })
    };
    let all: Vec<Value> = common(section).iter().chain(kind.fields).map(field).collect();
    super::facts::with_comment(json!({ "name": kind.name, "family": section, "doc": kind.doc, "parameters": all }), &about)
}
