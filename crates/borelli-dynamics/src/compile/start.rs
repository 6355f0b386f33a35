//! The start: given coordinates and speeds, and what assembling must not change.
//! Not here: assembling (`assemble`).
//! In: the table `[initial]`. Out: `Start`.

use super::context::{Context, StartValue};
use super::fault::Fault;
use crate::muscle::MuscleFault;
use crate::system::{CoordinateName, Measure, Start};
use borelli_model::{Dim, Element, Field, FieldKind, Fields, Findings, Model, Need, Range, in_range, suggest};

/// Fields of `[initial]`.
pub static INITIAL: &[Field] = &[
    Field { name: "coordinates", kind: FieldKind::Coefficients, need: Need::Optional, doc: "start values of coordinates, by name" },
    Field { name: "speeds", kind: FieldKind::Coefficients, need: Need::Optional, doc: "start values of speeds, by name" },
    Field { name: "hold", kind: FieldKind::Names, need: Need::Optional, doc: "coordinates that assembling must not change" },
    Field {
        name: "activations",
        kind: FieldKind::Coefficients,
        need: Need::Optional,
        doc: "start values of activations, by muscle; else the excitation",
    },
    Field {
        name: "fibres",
        kind: FieldKind::Coefficients,
        need: Need::Optional,
        doc: "lengths of fibres at the start, by muscle; else in equilibrium",
    },
];

/// Tables of start values of elements, with unit and range.
const INSIDE: [(&str, &str, Range); 2] = [("activations", "1", Range::UNIT), ("fibres", "m", Range::POSITIVE)];

/// Start values of states of elements; elements ask for them as they are read.
pub(super) fn read_inside(element: Option<&Element>, context: &mut Context, findings: &mut Findings) {
    let Some(element) = element else { return };
    // What is wrong with the table itself is told where coordinates are read.
    let mut told_there = Findings::new();
    let fields = Fields::read(element, &[INITIAL], context.dimension, &mut told_there);
    for (table, unit, range) in INSIDE {
        for (name, at, quantity) in fields.coefficients(table).unwrap_or_default() {
            match quantity.expect(Dim::of(unit)).and_then(|value| in_range(value, range, unit)) {
                Ok(value) => {
                    let slot = context.parameter_in(format!("initial.{table}.{name}"), value, unit, range);
                    context.starts.push(StartValue { table, element: name, at, slot, used: false });
                }
                Err(fault) => findings.push(quantity.at, element, table, &fault),
            }
        }
    }
}

/// Reports start values that no element took.
pub(super) fn check_inside(model: &Model, context: &Context, findings: &mut Findings) {
    let Some(element) = &model.initial else { return };
    for own in context.starts.iter().filter(|own| !own.used) {
        // A muscle of that name lacks the state; another name would not help.
        let known = model.muscles.iter().map(|muscle| muscle.name.as_str());
        let nearest = suggest(&own.element, known).filter(|near| *near != own.element).map(str::to_string);
        findings.push(own.at, element, own.table, &MuscleFault::Unknown { found: own.element.clone(), nearest });
    }
}

pub(super) fn read(
    element: Option<&Element>,
    coordinates: &[CoordinateName],
    speeds: &[CoordinateName],
    joints: &[String],
    context: &Context,
    findings: &mut Findings,
) -> Option<Start> {
    let mut start = Start { q: vec![0.0; coordinates.len()], v: vec![0.0; speeds.len()], held: vec![false; speeds.len()] };
    // A quaternion starts as no rotation.
    for k in 0..coordinates.len() {
        if coordinates[k].measure == Measure::Quaternion && (k == 0 || !same_quaternion(coordinates, k - 1, k)) {
            start.q[k] = 1.0;
        }
    }
    let Some(element) = element else {
        return Some(start);
    };
    let mut fields = Fields::read(element, &[INITIAL], context.dimension, findings);
    let mut complete = true;
    for (field, names, values, units) in
        [("coordinates", coordinates, &mut start.q, ["rad", "m", "1"]), ("speeds", speeds, &mut start.v, ["rad/s", "m/s", "1"])]
    {
        for (name, at, quantity) in fields.coefficients(field).unwrap_or_default() {
            let Some(index) = names.iter().position(|c| c.name == name) else {
                let nearest = suggest(&name, names.iter().map(|c| c.name.as_str())).map(str::to_string);
                fields.findings().push(at, element, field, &Fault::UnknownCoordinate { found: name, nearest });
                complete = false;
                continue;
            };
            let unit = units[names[index].measure as usize];
            match fields.check(field, &quantity, unit, Range::ANY) {
                Some(value) => values[index] = value,
                None => complete = false,
            }
        }
    }
    for (name, at) in fields.names("hold").unwrap_or_default() {
        match context.coordinate_named(&name) {
            Ok(coordinate) => start.held[coordinate.dof as usize] = true,
            Err(fault) => {
                fields.findings().push(at, element, "hold", &fault);
                complete = false;
            }
        }
    }
    // Quaternions need only be of some length: they are normalised here.
    let mut k = 0;
    while k < coordinates.len() {
        if coordinates[k].measure == Measure::Quaternion {
            let length = start.q[k..k + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
            if length < 1e-9 {
                let joint = joints[coordinates[k].joint as usize - 1].clone();
                fields.fault("coordinates", &Fault::ZeroQuaternion { joint });
                complete = false;
            } else {
                start.q[k..k + 4].iter_mut().for_each(|x| *x /= length);
            }
            k += 4;
        } else {
            k += 1;
        }
    }
    complete.then_some(start)
}

fn same_quaternion(coordinates: &[CoordinateName], a: usize, b: usize) -> bool {
    coordinates[a].measure == Measure::Quaternion && coordinates[a].joint == coordinates[b].joint
}
