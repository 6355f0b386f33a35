//! Muscles and ligaments in `borelli laws`: the list, a page of one law, its curves.
//! Not here: the laws (`borelli_dynamics::muscle`), drawing (`picture`).

use crate::cli::text::Table;
use borelli::report::significant;
use borelli_contact::catalogue::{Curve, Panel, Quantity};
use borelli_dynamics::force::{common, kinds, muscle_curves};
use borelli_model::{Field, FieldKind, Kind};
use serde_json::{Value, json};
use std::fmt::Write;

/// The section of each, and what it is for.
pub const SECTIONS: [(&str, &str); 2] = [
    ("muscle", "tension along a path, from its length, rate and excitation"),
    ("ligament", "tension along a path, from its length and rate"),
];

/// Laws of muscles and ligaments, with their section.
pub fn laws() -> impl Iterator<Item = (&'static str, &'static Kind)> {
    SECTIONS.iter().flat_map(|(section, _)| kinds(section).into_iter().map(|kind| (*section, kind)))
}

/// A law by name.
pub fn find(name: &str) -> Option<(&'static str, &'static Kind)> {
    laws().find(|(_, kind)| kind.name == name)
}

/// Laws of one section.
pub fn list(section: &str) -> Table {
    let row = |kind: &&Kind| vec![kind.name.to_string(), kind.doc.to_string()];
    Table { heads: vec!["law", "what it is"], rows: kinds(section).iter().map(row).collect() }
}

/// Curves of a muscle law with its published numbers; none of a ligament's.
pub fn portrait(kind: &Kind) -> Vec<Panel> {
    let pure = |label: &'static str| Quantity { label, unit: "1" };
    let curve = |(label, points): (String, Vec<[f64; 2]>)| {
        let (x, y) = points.into_iter().map(|[x, y]| (x, y)).unzip();
        Curve { label, x, y }
    };
    let panels = muscle_curves(kind.name).unwrap_or_default().into_iter();
    panels
        .map(|own| Panel {
            caption: own.caption.into(),
            x: pure(own.x),
            y: pure(own.y),
            curves: own.curves.into_iter().map(curve).collect(),
        })
        .collect()
}

fn fields(list: &[Field]) -> Table {
    let row = |field: &Field| {
        let (unit, range) = match field.kind {
            FieldKind::Quantity { unit, range } => (unit, range.to_string()),
            FieldKind::QuantityOf { angle, length, .. } => (if angle == length { angle } else { length }, "-".into()),
            _ => ("-", "-".into()),
        };
        let default = field.need.default().map_or("-".into(), |x| significant(x, 6));
        vec![field.name.to_string(), unit.to_string(), range, default, field.doc.to_string()]
    };
    Table { heads: vec!["field", "unit", "range", "default", "meaning"], rows: list.iter().map(row).collect() }
}

/// The page of a law.
pub fn page(section: &str, kind: &Kind) -> String {
    let mut text = format!("{} ({section}): {}\n\n", kind.name, kind.doc);
    if !kind.fields.is_empty() {
        let _ = writeln!(text, "numbers of its curves\n{}", fields(kind.fields).text());
    }
    let _ = writeln!(text, "fields of every {section}\n{}", fields(common(section)).text());
    for panel in portrait(kind) {
        let _ = writeln!(text, "{}", super::picture::sketch(&panel));
    }
    text
}

/// A law as JSON.
pub fn facts(section: &str, kind: &Kind) -> Value {
    let field = |field: &Field| json!({ "name": field.name, "default": field.need.default(), "doc": field.doc });
    let all: Vec<Value> = common(section).iter().chain(kind.fields).map(field).collect();
    json!({ "name": kind.name, "family": section, "doc": kind.doc, "parameters": all })
}
