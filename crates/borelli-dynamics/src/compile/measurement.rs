//! Distances between markers that tell how large the bodies of a person are.
//! Not here: measuring them, what factors do to a model (`kinematics::scaling`).
//! In: elements of section `measurement`, markers. Out: rules with indices.

use super::context::Context;
use super::fault::Fault;
use crate::parts::{MarkerPart, Slot};
use crate::system::MeasurementRule;
use borelli_model::{Element, Field, FieldKind, Fields, Findings, Need, Span, suggest};

/// Fields of a measurement.
pub static MEASUREMENT: &[Field] = &[
    Field { name: "pairs", kind: FieldKind::Pairs, need: Need::Required, doc: "pairs of markers, by name or label" },
    Field { name: "bodies", kind: FieldKind::NameOrNames, need: Need::Required, doc: "bodies that grow with their distances" },
    Field {
        name: "axes",
        kind: FieldKind::Choice(&["xyz", "x", "y", "z", "xy", "xz", "yz"]),
        need: Need::Optional,
        doc: "along which of their axes; default all",
    },
];

/// Measurements, in the order of the file: of several for one body and axis the last counts.
pub(super) fn read(
    elements: &[Element],
    markers: &[MarkerPart<Slot>],
    context: &mut Context,
    findings: &mut Findings,
) -> Vec<MeasurementRule> {
    elements.iter().filter_map(|element| one(element, markers, context, findings)).collect()
}

fn one(element: &Element, markers: &[MarkerPart<Slot>], context: &Context, findings: &mut Findings) -> Option<MeasurementRule> {
    let mut fields = Fields::read(element, &[MEASUREMENT], context.dimension, findings);
    let (pairs, bodies) = (fields.pairs("pairs")?, fields.names("bodies")?);
    for (what, none) in [("pairs", pairs.is_empty()), ("bodies", bodies.is_empty())] {
        if none {
            fields.fault(what, &Fault::NothingMeasured { what });
        }
    }
    let find = |(name, at): &(String, Span), fields: &mut Fields| {
        let found = markers.iter().position(|marker| marker.name == *name);
        let found = found.or_else(|| markers.iter().position(|marker| marker.label == *name)).map(|k| k as u32);
        if found.is_none() {
            let known = markers.iter().flat_map(|marker| [marker.name.as_str(), marker.label.as_str()]);
            let nearest = suggest(name, known).map(str::to_string);
            fields.findings().push(*at, element, "pairs", &Fault::UnknownMarker { found: name.clone(), nearest });
        }
        found
    };
    let mut list = Vec::with_capacity(pairs.len());
    for [a, b] in &pairs {
        let (first, second) = (find(a, &mut fields), find(b, &mut fields));
        let (Some(first), Some(second)) = (first, second) else { continue };
        if first == second {
            fields.findings().push(b.1, element, "pairs", &Fault::SameMarker { marker: b.0.clone() });
        }
        list.push([first, second]);
    }
    let mut grown = Vec::with_capacity(bodies.len());
    for (name, at) in &bodies {
        match context.body_named(name).ok().filter(|body| *body > 0) {
            Some(body) => grown.push(body),
            None => fields.findings().push(*at, element, "bodies", &context.unknown_body(name)),
        }
    }
    let axes = fields.choice("axes").unwrap_or("xyz");
    Some(MeasurementRule { name: element.name.clone(), pairs: list, bodies: grown, axes: ['x', 'y', 'z'].map(|axis| axes.contains(axis)) })
}
