//! Pressure mats of a model file.
//! Not here: what a mat shows (`mat`).
//! In: elements of section `sensor`, surfaces and contacts already read. Out: `Contacts::mats`; every fault at its place.

use super::mat::{Mat, UPRIGHT, lean};
use super::mat_fault::MatFault;
use super::{Contacts, NormalLaw};
use crate::compile::{Context, Fault};
use crate::parts::{Named, Slot};
use borelli_contact::shape::Shape;
use borelli_model::{Element, Field, FieldKind, Fields, Findings, Kind, Need, Range, ReadFault, number, suggest};

/// Most cells of a mat: 500 by 500.
const MOST_CELLS: f64 = 250_000.0;
/// Most points along each side of a cell.
const MOST_SAMPLES: f64 = 100.0;

/// All sensors.
pub(crate) static SENSORS: &[Kind] = &[Kind {
    name: "pressure-mat",
    doc: "Cells in the plane of a half-space, each with the mean pressure of the volumetric contacts on it",
    fields: &[
        Field { name: "on", kind: FieldKind::Surface, need: Need::Required, doc: "half-space it lies on" },
        Field {
            name: "at",
            kind: FieldKind::Place,
            need: Need::Required,
            doc: "place over its corner, on the body of the half-space; it spans X and Z of that place, whose Y is the normal",
        },
        Field {
            name: "cells",
            kind: FieldKind::Numbers { unit: "1", least: 2 },
            need: Need::Required,
            doc: "number of cells along X and Z",
        },
        Field {
            name: "pitch",
            kind: FieldKind::Numbers { unit: "m", least: 1 },
            need: Need::Required,
            doc: "size of a cell; two numbers where it differs along X and Z",
        },
        Field { name: "samples", kind: FieldKind::Count { least: 1 }, need: Need::Default(3.0), doc: "points along each side of a cell" },
        number("least_force", "N", Range::NON_NEGATIVE, Need::Default(20.0), "force below which there is no centre of pressure"),
    ],
    planar: false,
    spatial: true,
}];

/// Reads one sensor; `known` are the surfaces with their numbers, nothing for one that is at fault.
pub(super) fn read(
    element: &Element,
    known: &[(String, Option<u32>)],
    contacts: &mut Contacts<Slot>,
    context: &mut Context,
    findings: &mut Findings,
) {
    let kinds: Vec<&Kind> = SENSORS.iter().collect();
    let Some(kind) = Kind::find(element, &kinds, context.dimension, findings) else { return };
    let mut fields = Fields::read(element, &[kind.fields], context.dimension, findings);
    let surface = surface(&mut fields, known);
    let place = context.place(&mut fields, "at");
    let (cells, pitch, samples) = (cells(&mut fields), pitch(&mut fields, context), samples(&mut fields));
    let least_force = fields.quantity("least_force").map(|q| q.value);
    let (Some(surface), Some(place)) = (surface, place) else { return };
    if !fits(&mut fields, contacts, surface, place, context) {
        return;
    }
    warn(&mut fields, contacts, surface);
    if let (Some(cells), Some(pitch), Some(samples), Some(least_force)) = (cells, pitch, samples, least_force) {
        contacts.mats.push(Named { name: element.name.clone(), item: Mat { surface, place, cells, pitch, samples, least_force } });
    }
}

fn surface(fields: &mut Fields, known: &[(String, Option<u32>)]) -> Option<u32> {
    let (found, _) = fields.name("on")?;
    if let Some((_, index)) = known.iter().find(|(own, _)| *own == found) {
        return *index;
    }
    let nearest = suggest(&found, known.iter().map(|(own, _)| own.as_str())).map(str::to_string);
    fields.fault("on", &Fault::UnknownSurface { found, nearest });
    None
}

fn cells(fields: &mut Fields) -> Option<[usize; 2]> {
    let list = fields.numbers("cells")?;
    let &[x, z] = list.as_slice() else {
        fields.fault("cells", &ReadFault::WrongLength { found: list.len(), expected: "2".into() });
        return None;
    };
    let range = Range::between(1.0, MOST_CELLS);
    for count in [x, z] {
        fields.check("cells", &count, "1", range)?;
        if count.value.fract() != 0.0 {
            fields.fault("cells", &ReadFault::WrongType { expected: "two whole numbers".into(), found: "a number with a fraction" });
            return None;
        }
    }
    let found = x.value * z.value;
    if found > MOST_CELLS {
        fields.fault("cells", &MatFault::TooManyCells { found, limit: MOST_CELLS });
        return None;
    }
    Some([x.value as usize, z.value as usize])
}

/// One number is one parameter, two are two.
fn pitch(fields: &mut Fields, context: &mut Context) -> Option<[Slot; 2]> {
    let list = fields.numbers("pitch")?;
    if list.len() > 2 {
        fields.fault("pitch", &ReadFault::WrongLength { found: list.len(), expected: "1 or 2".into() });
        return None;
    }
    let mut slots = Vec::new();
    for (pitch, part) in list.iter().zip(if list.len() == 1 { ["", ""] } else { [".x", ".z"] }) {
        let value = fields.check("pitch", pitch, "m", Range::POSITIVE)?;
        let path = format!("{}.pitch{part}", fields.element().path());
        slots.push(context.parameter_in(path, value, "m", Range::POSITIVE));
    }
    Some([*slots.first()?, *slots.last()?])
}

fn samples(fields: &mut Fields) -> Option<usize> {
    let count = fields.quantity("samples")?;
    fields.check("samples", &count, "1", Range::between(1.0, MOST_SAMPLES)).map(|count| count as usize)
}

/// Whether a place can be the corner of a mat on a surface; reports why not.
fn fits(fields: &mut Fields, contacts: &Contacts<Slot>, surface: u32, place: u32, context: &Context) -> bool {
    let Named { name, item } = &contacts.surfaces[surface as usize];
    let Shape::HalfSpace(half_space) = &item.shape else {
        fields.fault("on", &MatFault::NotAHalfSpace { surface: name.clone() });
        return false;
    };
    let bodies = [place, item.place].map(|place| context.body_of(place));
    if bodies[0] != bodies[1] {
        let [mat, plane] = bodies.map(|body| context.body_name(body));
        fields.fault("at", &MatFault::OnOtherBody { mat, surface: name.clone(), plane });
        return false;
    }
    let values = context.values();
    let [mat, plane] = [place, item.place].map(|place| context.axes_in_body(place, &values));
    let lean = lean(&mat, &plane, half_space.normal.map(|slot| slot.get(&values)));
    // A normal that is none is the fault of the surface, which is then not read.
    if !(lean < UPRIGHT) {
        fields.fault("at", &MatFault::Leans { degrees: lean.to_degrees() });
        return false;
    }
    true
}

/// Says what a mat will not show.
fn warn(fields: &mut Fields, contacts: &Contacts<Slot>, surface: u32) {
    let on = |volume: bool| {
        let of = |contact: u32| matches!(contacts.manners[contact as usize].item.normal, NormalLaw::Volume { .. });
        contacts.pairs.iter().find(move |pair| pair.second == surface && of(pair.contact) == volume)
    };
    if let Some(pair) = on(false) {
        let contact = contacts.manners[pair.contact as usize].name.clone();
        fields.fault("on", &MatFault::NotShown { contact });
    } else if on(true).is_none() {
        fields.fault("on", &MatFault::Empty { surface: contacts.surfaces[surface as usize].name.clone() });
    }
}
