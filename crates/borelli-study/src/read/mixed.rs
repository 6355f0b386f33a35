//! Reading `[mixed]`: what is known and unknown of a chain.
//! Not here: whether a variable exists (`mixed_solver`; the model knows).
//! In: the element, whether a motion is prescribed. Out: a `Mixed`.

use super::cases::{leaves, wrong_type};
use super::fault::StudyFault;
use super::fields::{KNOWN, MIXED, ROW};
use super::formula;
use super::interpret::written;
use crate::plan::{KnownValue, Mixed};
use borelli_dynamics::formulation::segment_chain::{Given, Preset, TaskRow};
use borelli_model::{Data, Dim, Dimension, Element, Fields, Findings, ReadFault, parse_quantity};

/// The choice of unknowns of a study.
pub(super) fn read(element: &Element, follows: bool, findings: &mut Findings) -> Mixed {
    let fields = Fields::read(element, &[MIXED], Dimension::Planar, findings);
    let mut mixed = Mixed::default();
    let preset = fields.choice("preset").and_then(|word| Preset::ALL.iter().find(|(name, _)| *name == word));
    mixed.task.preset = preset.map_or(Preset::Forward, |(_, preset)| *preset);
    for (name, at) in fields.texts("unknown").unwrap_or_default() {
        mixed.task.unknown.push(name);
        mixed.places.unknown.push(at);
    }
    mixed.task.without_rows = fields.choice("loops").map_or(follows, |word| word == "leave-out");
    mixed.task.least_squares = fields.flag("least_squares").unwrap_or(false);
    let text = |name: &str| fields.text(name).map(|(text, _)| text.to_string());
    (mixed.task.base, mixed.task.end) = (text("base"), text("end"));
    let (known, rows) = (fields.tables("known").unwrap_or_default(), fields.tables("row").unwrap_or_default());
    for (_, _, element) in &known {
        read_known(element, &mut mixed, findings);
    }
    for (_, _, element) in &rows {
        read_row(element, &mut mixed, findings);
    }
    mixed
}

/// One `[[mixed.known]]`.
fn read_known(element: &Element, mixed: &mut Mixed, findings: &mut Findings) {
    let mut fields = Fields::read(element, &[KNOWN], Dimension::Planar, findings);
    let ways: Vec<&str> = ["value", "extra", "column"].into_iter().filter(|way| fields.has(way)).collect();
    let Some((variable, at)) = fields.text("variable") else { return };
    if let Some(second) = ways.get(1) {
        fields.fault(second, &StudyFault::TwoValues);
        return;
    }
    let way = ways.first().copied().unwrap_or("");
    let value_at = fields.span_of(if way.is_empty() { "variable" } else { way });
    let value = match way {
        "" => Some(KnownValue::OfMotion),
        "column" => fields.text("column").map(|(column, _)| KnownValue::Column(column.to_string())),
        way => number_or_formula(&mut fields, way).map(KnownValue::Formula),
    };
    let Some(value) = value else { return };
    // Accelerations of a motion are in place before anything is added to them.
    let given = if way == "extra" || way.is_empty() { Given::Extra } else { Given::Whole };
    mixed.task.known.push((variable.to_string(), given));
    mixed.known.push(value);
    mixed.places.known.push((at, value_at));
}

/// One `[[mixed.row]]`.
fn read_row(element: &Element, mixed: &mut Mixed, findings: &mut Findings) {
    let mut fields = Fields::read(element, &[ROW], Dimension::Planar, findings);
    let name = fields.text("name").map_or(String::new(), |(name, _)| name.to_string());
    if !name.is_empty() && mixed.task.rows.iter().any(|row| row.name == name) {
        fields.fault("name", &StudyFault::NameTwice { what: "rows", name: name.clone() });
    }
    let (mut terms, mut weights) = (Vec::new(), Vec::new());
    if let Some(value) = fields.value("terms") {
        let path = fields.element().path();
        match value.as_table() {
            None => wrong_type(value, &path, "terms", "a table of variables with their weights", fields.findings()),
            Some(entries) => {
                for leaf in leaves(entries, &path, fields.findings()) {
                    let (weight, dim) = match &leaf.value.data {
                        Data::Number(weight) => (*weight, Dim::NONE),
                        Data::Text(text) => match parse_quantity(text) {
                            Ok(read) => read,
                            Err(fault) => {
                                fields.findings().push(leaf.value.at, &path, &leaf.path, &ReadFault::of_unit(text, "*", fault));
                                continue;
                            }
                        },
                        _ => {
                            wrong_type(leaf.value, &path, &leaf.path, "a number, or text with a number and a unit", fields.findings());
                            continue;
                        }
                    };
                    terms.push((leaf.path, weight));
                    weights.push(dim);
                }
                if entries.is_empty() {
                    fields.fault("terms", &StudyFault::NothingListed { what: "term" });
                }
            }
        }
    }
    let right = if fields.has("right") { number_or_formula(&mut fields, "right") } else { Some("0".into()) };
    let frees = fields.text("frees").map(|(name, _)| name.to_string());
    mixed.places.rows.push((fields.span_of("terms"), fields.span_of("frees"), fields.span_of("right")));
    mixed.weights.push(weights);
    mixed.task.rows.push(TaskRow { name, terms, frees });
    mixed.rights.push(right.unwrap_or_else(|| "0".into()));
}

/// A number, a quantity or a formula, as it is written.
fn number_or_formula(fields: &mut Fields, name: &str) -> Option<String> {
    let value = fields.value(name)?;
    match &value.data {
        Data::Number(_) => Some(written(value)),
        Data::Text(text) => {
            if parse_quantity(text).is_err() {
                formula::check(fields, name);
            }
            Some(written(value))
        }
        _ => {
            let path = fields.element().path();
            wrong_type(value, &path, name, "a number, a quantity or a formula", fields.findings());
            None
        }
    }
}
