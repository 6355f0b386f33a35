//! Markers on bodies, rules for coordinates, and the signs that reports use.
//! Not here: fitting a pose to measured markers (`kinematics`).
//! In: elements of sections `marker` and `coordinate`, the table `[report]`. Out: markers, one rule for every entry of q, signs by name.

use super::context::Context;
use super::fault::Fault;
use crate::parts::{MarkerPart, Slot};
use crate::system::{CoordinateName, CoordinateRule, Measure, Start};
use borelli_model::{Element, Field, FieldKind, Fields, Findings, Need, Range, number, number_of, suggest};
use std::collections::HashMap;

/// Fields of a marker.
pub static MARKER: &[Field] = &[
    Field { name: "at", kind: FieldKind::Place, need: Need::Optional, doc: "place of the marker: body.point" },
    Field { name: "body", kind: FieldKind::Body, need: Need::Optional, doc: "body that carries it, instead of `at`" },
    Field { name: "location", kind: FieldKind::Vector { unit: "m" }, need: Need::Optional, doc: "with `body`: where, in body axes" },
    Field { name: "label", kind: FieldKind::Text, need: Need::Optional, doc: "its name in recordings; default its own" },
    number("weight", "1", Range::NON_NEGATIVE, Need::Default(1.0), "weight of its distance from where it was measured"),
    Field {
        name: "fixed",
        kind: FieldKind::Flag,
        need: Need::Optional,
        doc: "true: stays where it is on its body when others are moved to where they were measured",
    },
];

/// Fields of a rule for a coordinate.
pub static COORDINATE: &[Field] = &[
    Field { name: "range", kind: FieldKind::Numbers { unit: "*", least: 2 }, need: Need::Optional, doc: "smallest and largest value" },
    Field { name: "clamp", kind: FieldKind::Flag, need: Need::Optional, doc: "true: inverse kinematics keeps to the range" },
    Field { name: "lock", kind: FieldKind::Flag, need: Need::Optional, doc: "true: inverse kinematics does not change it" },
    number_of("default", ["rad", "m"], Range::ANY, Need::Optional, "value in the default pose; also the start unless [initial] gives one"),
    number("static_weight", "1", Range::NON_NEGATIVE, Need::Default(0.0), "how strongly the fit of a static trial draws it to its default"),
];

/// Fields of `[report]`.
pub static REPORT: &[Field] = &[
    Field {
        name: "sign",
        kind: FieldKind::Coefficients,
        need: Need::Optional,
        doc: "1 or -1 by coordinate, or by a word that names of coordinates contain",
    },
    Field {
        name: "label",
        kind: FieldKind::Any,
        need: Need::Optional,
        doc: "what reports call elements: tables body, joint, coordinate, loop, guide, path, surface, contact, sensor, marker with a text for a name",
    },
];

/// Markers with their names.
pub(super) fn read_markers(elements: &[Element], context: &mut Context, findings: &mut Findings) -> Vec<MarkerPart<Slot>> {
    let mut labels: HashMap<String, String> = HashMap::new();
    let mut list = Vec::with_capacity(elements.len());
    for element in elements {
        let mut fields = Fields::read(element, &[MARKER], context.dimension, findings);
        let place = read_place(&mut fields, context);
        let weight = context.quantity(&fields, "weight", "1");
        let label = fields.text("label").map_or(element.name.as_str(), |(text, _)| text).to_string();
        if let Some(first) = labels.insert(label.clone(), element.name.clone()) {
            fields.fault("label", &Fault::DuplicateLabel { label, first });
            continue;
        }
        let fixed = fields.flag("fixed").unwrap_or(false);
        if let (Some(place), Some(weight)) = (place, weight) {
            list.push(MarkerPart { name: element.name.clone(), label, place, weight, fixed });
        }
    }
    list
}

/// A place by name, or one of the marker's own.
fn read_place(fields: &mut Fields, context: &mut Context) -> Option<u32> {
    let own = ["body", "location"].into_iter().find(|field| fields.has(field));
    match (fields.has("at"), own) {
        (true, None) => context.place(fields, "at"),
        (true, Some(other)) => {
            fields.fault(other, &Fault::BothGiven { one: "at", other });
            None
        }
        (false, None) => {
            fields.fault("at", &Fault::NeitherGiven { one: "at", other: "body" });
            None
        }
        (false, Some(_)) => {
            if let Some(missing) = ["body", "location"].into_iter().find(|field| !fields.has(field)) {
                fields.fault(missing, &Fault::NeitherGiven { one: missing, other: "at" });
                return None;
            }
            let (body, location) = (context.body(fields, "body"), context.vector(fields, "location", "m"));
            Some(context.own_place(body?, location?))
        }
    }
}

/// One rule for every entry of q. Defaults go into the start wherever `[initial]` is silent; a coordinate without one has its start for a default.
pub(super) fn read_coordinates(
    elements: &[Element],
    names: &[CoordinateName],
    initial: Option<&Element>,
    start: &mut Start,
    context: &Context,
    findings: &mut Findings,
) -> Vec<CoordinateRule> {
    let mut defaults = vec![None; names.len()];
    let mut rules = vec![CoordinateRule::default(); names.len()];
    for element in elements {
        let mut fields = Fields::read(element, &[COORDINATE], context.dimension, findings);
        let coordinate = match context.coordinate_named(&element.name) {
            Ok(coordinate) => coordinate,
            Err(fault) => {
                fields.findings().push(element.at, element, "", &fault);
                continue;
            }
        };
        let unit = if coordinate.measure == Measure::Angle { "rad" } else { "m" };
        let coord = coordinate.coord as usize;
        rules[coord].range = read_range(&mut fields, unit);
        rules[coord].clamp = fields.flag("clamp").unwrap_or(false);
        rules[coord].lock = fields.flag("lock").unwrap_or(false);
        rules[coord].static_weight = fields.quantity("static_weight").map_or(0.0, |q| q.value);
        defaults[coord] = fields.quantity_in("default", unit).map(|q| q.value);
        if rules[coord].clamp && !fields.has("range") {
            fields.fault("clamp", &Fault::NeedsRange);
        }
    }
    let given = |name: &str| {
        let table = initial.and_then(|element| element.value("coordinates")).and_then(|value| value.as_table());
        table.is_some_and(|table| table.iter().any(|entry| entry.key == name))
    };
    for (k, default) in defaults.into_iter().enumerate() {
        if let Some(default) = default.filter(|_| !given(&names[k].name)) {
            start.q[k] = default;
        }
        rules[k].default = default.unwrap_or(start.q[k]);
    }
    rules
}

fn read_range(fields: &mut Fields, unit: &'static str) -> Option<(f64, f64)> {
    let values = fields.numbers("range")?;
    let [lower, upper] = values[..] else {
        fields.fault("range", &Fault::WrongCount { what: "entries", expected: 2, found: values.len() });
        return None;
    };
    let (lower, upper) = (fields.check("range", &lower, unit, Range::ANY), fields.check("range", &upper, unit, Range::ANY));
    let (lower, upper) = (lower?, upper?);
    if lower < upper {
        return Some((lower, upper));
    }
    fields.fault("range", &Fault::EmptyRange { lower, upper, unit });
    None
}

/// Signs of `[report]` by coordinate or by a word in the names of coordinates.
pub(super) fn read_report(
    element: Option<&Element>,
    names: &[CoordinateName],
    context: &Context,
    findings: &mut Findings,
) -> Vec<(String, f64)> {
    let Some(element) = element else { return Vec::new() };
    let mut fields = Fields::read(element, &[REPORT], context.dimension, findings);
    let mut signs = Vec::new();
    for (word, at, quantity) in fields.coefficients("sign").unwrap_or_default() {
        if !names.iter().any(|c| c.name.contains(&word)) {
            let nearest = suggest(&word, names.iter().map(|c| c.name.as_str())).map(str::to_string);
            fields.findings().push(at, element, "sign", &Fault::UnknownCoordinate { found: word, nearest });
        } else if let Some(sign) = fields.check("sign", &quantity, "1", Range::ANY) {
            if sign.abs() == 1.0 {
                signs.push((word, sign));
            } else {
                fields.findings().push(quantity.at, element, "sign", &Fault::NotASign { found: sign });
            }
        }
    }
    signs
}

#[cfg(test)]
#[path = "marker_tests.rs"]
mod tests;
