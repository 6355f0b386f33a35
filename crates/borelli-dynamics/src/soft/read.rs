//! Materials and soft bodies of a model file.
//! Not here: what holds and loads them (`attach`); what they do to each other (`check`).
//! In: elements of sections `material` and `soft`. Out: the recipe `Soft` with parameter slots; every fault at its place.

use super::define::field_of;
use super::kinds::{MATERIALS, SHAPES, SOFT};
use super::{MaterialPart, Outline, Soft, SoftBodyPart, SoftFault, attach, check};
use crate::compile::{Context, Fault};
use crate::contact::Contacts;
use crate::parts::{Named, Orientation, PlacePart, Slot};
use borelli_model::{Element, Fields, Findings, Kind, Model, ReadFault, Span, suggest};
use borelli_soft::element;
use borelli_soft::material::{Material, Plane};
use borelli_soft::mesh::{CellFault, EdgeFault, Mesh, Part, Shape, gmsh};
use std::sync::Arc;

/// What is known of a soft part while a model is read: its name, and its mesh for the numbers of the file; nothing where it is at fault, which has been
/// reported.
pub(super) struct Known {
    pub name: String,
    pub at: Span,
    /// Index of the body and its mesh.
    pub body: Option<(usize, Mesh)>,
}

/// Reads all soft parts and what holds, loads and touches them.
pub(crate) fn read(model: &Model, contacts: &Contacts<Slot>, context: &mut Context, findings: &mut Findings) -> Soft {
    let mut soft = Soft { carriers: vec![Named { name: "world".into(), item: 0 }], ..Soft::default() };
    let sections = [&model.materials, &model.softs, &model.ties, &model.supports, &model.tractions, &model.soft_contacts];
    if !context.planar() {
        for first in sections.iter().filter_map(|section| section.first()) {
            findings.push(first.at, first, "", &SoftFault::InSpace);
        }
        return soft;
    }
    let before = findings.counts().0;
    // Materials at fault keep their names, so that soft parts are not blamed for them.
    let mut materials: Vec<(String, Option<u32>)> = Vec::new();
    for element in &model.materials {
        let material = read_material(element, context, findings);
        materials.push((element.name.clone(), material.is_some().then_some(soft.materials.len() as u32)));
        soft.materials.extend(material.map(|item| Named { name: element.name.clone(), item }));
    }
    let mut known = Vec::new();
    let mut used = vec![false; materials.len()];
    for element in &model.softs {
        let body = read_body(element, &materials, &mut used, &mut soft, context, findings);
        known.push(Known {
            name: element.name.clone(),
            at: element.at,
            body: body.as_ref().map(|(_, mesh)| (soft.bodies.len(), mesh.clone())),
        });
        soft.bodies.extend(body.map(|(item, _)| Named { name: element.name.clone(), item }));
    }
    for (element, _) in model.materials.iter().zip(&used).filter(|(_, used)| !**used) {
        findings.push(element.at, element, "", &SoftFault::UnusedMaterial { name: element.name.clone() });
    }
    attach::read(model, contacts, &known, &mut soft, context, findings);
    if findings.counts().0 == before {
        check::shared_nodes(model, &soft, &known, context, findings);
        check::held(&soft, &known, findings);
    }
    soft
}

fn read_material(element: &Element, context: &mut Context, findings: &mut Findings) -> Option<MaterialPart> {
    let kinds: Vec<&Kind> = MATERIALS.iter().collect();
    let kind = Kind::find(element, &kinds, context.dimension, findings)?;
    let law = Material::KINDS.iter().find(|law| law.name == kind.name)?;
    let fields = Fields::read(element, &[kind.fields], context.dimension, findings);
    let numbers: Vec<Option<Slot>> = law.parameters.iter().map(|number| context.quantity(&fields, number.name, number.unit)).collect();
    Some(MaterialPart { law, numbers: numbers.into_iter().collect::<Option<_>>()? })
}

/// A soft body and its mesh for the numbers of the file.
fn read_body(
    element: &Element,
    materials: &[(String, Option<u32>)],
    used: &mut [bool],
    soft: &mut Soft,
    context: &mut Context,
    findings: &mut Findings,
) -> Option<(SoftBodyPart, Mesh)> {
    let kinds: Vec<&Kind> = SHAPES.iter().collect();
    let kind = Kind::find(element, &kinds, context.dimension, findings)?;
    let mut fields = Fields::read(element, &[SOFT, kind.fields], context.dimension, findings);
    let before = fields.findings().counts().0;
    let place = place(&mut fields, "at", context);
    let depth = context.quantity(&fields, "depth", "m");
    let outline = read_outline(kind.name, &mut fields, context);
    let cells = match fields.choice("cells") {
        Some("t3") => Shape::T3,
        Some("t6") => Shape::T6,
        Some("q8") => Shape::Q8,
        _ => Shape::Q4,
    };
    let plane = if fields.choice("plane") == Some("stress") { Plane::Stress } else { Plane::Strain };
    let chosen = fields.choice("element");
    let element_kind = element::KINDS.iter().find(|kind| Some(kind.name) == chosen).map_or(element::Kind::Plain, |kind| kind.kind);
    // Names of materials count as used even where the mesh is at fault.
    let named = named_materials(&mut fields, materials, used);
    let (place, depth, outline, named) = (place?, depth?, outline?, named?);
    let carrier = carrier(place.body, soft, context);
    let mut part = SoftBodyPart { outline, cells, carrier, place, materials: Vec::new(), depth, plane, element: element_kind };
    let mesh = match part.mesh(&context.values()) {
        Ok(mesh) => mesh,
        Err(bad) => {
            let field = field_of(&bad);
            let fault = SoftFault::BadMesh { soft: element.name.clone(), field, value: bad.found, expected: bad.expected };
            fields.fault(field, &fault);
            return None;
        }
    };
    part.materials = by_region(&mut fields, &mesh, &named)?;
    if let Outline::File { .. } = part.outline {
        check_file(&mut fields, &mesh);
    }
    if plane == Plane::Stress {
        for k in &part.materials {
            let Named { name, item } = &soft.materials[*k as usize];
            if item.material(name, &context.values()).is_ok_and(|material| !material.allows(plane)) {
                fields.fault("plane", &SoftFault::PlaneStress { material: name.clone(), law: item.law.name });
                break;
            }
        }
    }
    if element_kind == element::Kind::FBar
        && let Some(cell) = mesh.cells.iter().find(|cell| cell.shape != Shape::Q4)
    {
        fields.fault("element", &SoftFault::Remedy { cells: word(cell.shape) });
    }
    (fields.findings().counts().0 == before).then_some((part, mesh))
}

fn word(shape: Shape) -> &'static str {
    match shape {
        Shape::T3 => "t3",
        Shape::Q4 => "q4",
        Shape::T6 => "t6",
        Shape::Q8 => "q8",
    }
}

/// The place that a field names; the world's origin where it is left out.
pub(super) fn place(fields: &mut Fields, field: &'static str, context: &Context) -> Option<PlacePart<Slot>> {
    if !fields.has(field) {
        return Some(PlacePart { body: 0, position: [Slot::Const(0.0); 3], orientation: Orientation::Body });
    }
    let (place, _) = fields.place(field)?;
    context.place_part(&place).map_err(|fault| fields.fault(field, &fault)).ok()
}

/// The carrier that a body is, by index.
pub(super) fn carrier(body: u32, soft: &mut Soft, context: &Context) -> usize {
    soft.carriers.iter().position(|carrier| carrier.item == body).unwrap_or_else(|| {
        soft.carriers.push(Named { name: context.body_name(body), item: body });
        soft.carriers.len() - 1
    })
}

fn read_outline(kind: &str, fields: &mut Fields, context: &mut Context) -> Option<Outline> {
    let mut number = |fields: &Fields, name: &str, unit: &str| context.quantity(fields, name, unit);
    match kind {
        "annulus" => {
            let [inner, outer] = ["inner_radius", "outer_radius"].map(|name| number(fields, name, "m"));
            let [span, direction] = ["span", "direction"].map(|name| number(fields, name, "rad"));
            let (grading, divisions) = (number(fields, "grading", "1"), divisions(fields));
            Some(Outline::Annulus {
                inner: inner?,
                outer: outer?,
                direction: direction?,
                span: span?,
                grading: grading?,
                divisions: divisions?,
            })
        }
        "disc" => {
            let (radius, grading) = (number(fields, "radius", "m"), number(fields, "grading", "1"));
            let part = if fields.choice("part") == Some("quarter") { Part::Quarter } else { Part::Half };
            let divisions = divisions(fields);
            Some(Outline::Disc { radius: radius?, part, grading: grading?, divisions: divisions? })
        }
        "file" => {
            let unit = number(fields, "unit", "m");
            let mesh = read_file(fields, context);
            Some(Outline::File { mesh: mesh?, unit: unit? })
        }
        _ => read_block(fields, context),
    }
}

fn read_block(fields: &mut Fields, context: &mut Context) -> Option<Outline> {
    let mut two = |fields: &Fields, name: &str, unit: &str, default: f64| match context.vector(fields, name, unit) {
        Some([x, y, _]) => Some([x, y]),
        None => (!fields.has(name)).then_some([Slot::Const(default); 2]),
    };
    let (grading, divisions) = (two(fields, "grading", "1", 1.0), divisions(fields));
    match (fields.has("size"), fields.has("corners")) {
        (true, true) => fields.fault("corners", &Fault::BothGiven { one: "size", other: "corners" }),
        (false, false) => {
            let fault = Fault::NeitherGiven { one: "size", other: "corners" };
            let element = fields.element();
            fields.findings().push(element.at, element, "", &fault);
        }
        (true, false) => {
            let (corner, size) = (two(fields, "corner", "m", 0.0), two(fields, "size", "m", 0.0));
            return Some(Outline::Rectangle { corner: corner?, size: size?, grading: grading?, divisions: divisions? });
        }
        (false, true) => {
            if fields.has("corner") {
                fields.fault("corner", &Fault::BothGiven { one: "corner", other: "corners" });
            }
            let given = fields.vectors("corners")?;
            if given.len() != 4 {
                fields.fault("corners", &Fault::WrongCount { what: "corners", expected: 4, found: given.len() });
                return None;
            }
            let path = fields.element().path();
            let mut corners = [[Slot::Const(0.0); 2]; 4];
            for (k, (corner, values)) in corners.iter_mut().zip(&given).enumerate() {
                for (axis, value) in values.iter().enumerate() {
                    let name = format!("{path}.corners.{}.{}", k + 1, ["x", "y"][axis]);
                    corner[axis] = context.parameter(name, value.value, "m");
                }
            }
            return Some(Outline::Corners { corners, grading: grading?, divisions: divisions? });
        }
    }
    None
}

/// Two whole numbers, one or more.
fn divisions(fields: &mut Fields) -> Option<[usize; 2]> {
    let found: Vec<f64> = fields.numbers("divisions")?.iter().map(|q| q.value).collect();
    match found[..] {
        [a, b] if [a, b].iter().all(|n| n.fract() == 0.0 && (1.0..=1e6).contains(n)) => Some([a as usize, b as usize]),
        _ => {
            fields.fault("divisions", &SoftFault::BadDivisions { found });
            None
        }
    }
}

/// The mesh of a file, in units of the file.
fn read_file(fields: &mut Fields, context: &Context) -> Option<Arc<Mesh>> {
    let at = fields.value("file")?.at;
    let file = context.mesh_file(at)?;
    let bad = |line: Option<usize>, reason: String, advice: &str| ReadFault::BadDataFile {
        path: file.path.clone(),
        line,
        reason,
        advice: Some(advice.into()),
    };
    let read = match std::str::from_utf8(&file.content) {
        Err(_) => Err(bad(None, "the mesh is not a text".into(), "export a text file: without -bin, or with Mesh.Binary = 0")),
        Ok(text) => gmsh::read(text, 1.0).map_err(|fault| {
            let line = (fault.line() > 0).then(|| fault.line());
            bad(line, format!("found {}, expected {}", fault.found(), fault.expected()), fault.hint())
        }),
    };
    read.map(|reading| Arc::new(reading.mesh)).map_err(|fault| fields.fault("file", &fault)).ok()
}

/// Reports cells and edges that cannot be computed with, and meshes in pieces.
fn check_file(fields: &mut Fields, mesh: &Mesh) {
    const SHOWN: usize = 5;
    let quality = mesh.quality();
    let file = fields.text("file").map_or_else(String::new, |(text, _)| text.to_string());
    for bad in quality.cells.iter().take(SHOWN) {
        let what = match bad.fault {
            CellFault::Unknown => "names a node that the mesh does not have",
            CellFault::NotFinite => "has a coordinate that is not finite",
            CellFault::Degenerate => "has no area, or a corner of 0 or 180 degrees",
            CellFault::Inverted => "folds over itself, or has a corner of more than 180 degrees",
        };
        fields.fault("file", &SoftFault::BadCell { file: file.clone(), cell: bad.cell, at: bad.at, what });
    }
    for bad in quality.edges.iter().take(SHOWN) {
        let what = match bad.fault {
            EdgeFault::Overlap => "two cells lie on the same side",
            EdgeFault::Hanging => "the cells on both sides do not share the node between its ends",
        };
        fields.fault("file", &SoftFault::BadEdge { file: file.clone(), nodes: bad.ends, what });
    }
    if quality.is_sound() && quality.pieces > 1 {
        fields.fault("file", &SoftFault::Pieces { file, pieces: quality.pieces });
    }
}

/// Materials as a soft part names them.
enum Chosen {
    All(u32),
    ByRegion(Vec<(String, Span, u32)>),
}

/// Looks up the names of materials.
fn named_materials(fields: &mut Fields, materials: &[(String, Option<u32>)], used: &mut [bool]) -> Option<Chosen> {
    let mut look_up =
        |fields: &mut Fields, field: &'static str, name: &str, at: Span| match materials.iter().position(|(own, _)| own == name) {
            Some(k) => {
                used[k] = true;
                materials[k].1
            }
            None => {
                let known: Vec<String> = materials.iter().map(|(own, _)| own.clone()).collect();
                let nearest = suggest(name, known.iter().map(String::as_str)).map(str::to_string);
                let element = fields.element();
                fields.findings().push(at, element, field, &SoftFault::UnknownMaterial { found: name.into(), nearest, known });
                None
            }
        };
    match (fields.has("material"), fields.has("materials")) {
        (true, true) => fields.fault("materials", &Fault::BothGiven { one: "material", other: "materials" }),
        (false, false) => {
            let element = fields.element();
            fields.findings().push(element.at, element, "", &Fault::NeitherGiven { one: "material", other: "materials" });
        }
        (true, false) => {
            let (name, at) = fields.name("material")?;
            return look_up(fields, "material", &name, at).map(Chosen::All);
        }
        (false, true) => {
            let pairs = fields.pairs("materials")?;
            let found: Vec<_> = pairs
                .iter()
                .map(|[(region, at), (name, named)]| Some((region.clone(), *at, look_up(fields, "materials", name, *named)?)))
                .collect();
            return found.into_iter().collect::<Option<_>>().map(Chosen::ByRegion);
        }
    }
    None
}

/// The material of each region of a mesh.
fn by_region(fields: &mut Fields, mesh: &Mesh, chosen: &Chosen) -> Option<Vec<u32>> {
    let table = match chosen {
        Chosen::All(material) => return Some(vec![*material; mesh.regions.len()]),
        Chosen::ByRegion(table) => table,
    };
    for (region, at, _) in table.iter().filter(|(region, ..)| !mesh.regions.contains(region)) {
        let element = fields.element();
        let fault = SoftFault::UnknownRegion { found: region.clone(), known: mesh.regions.clone() };
        fields.findings().push(*at, element, "materials", &fault);
    }
    let of = |region: &String| table.iter().find(|(own, ..)| own == region).map(|(_, _, material)| *material);
    let lacking: Vec<String> = mesh.regions.iter().filter(|region| of(region).is_none()).cloned().collect();
    if !lacking.is_empty() {
        fields.fault("materials", &SoftFault::NoMaterial { regions: lacking });
    }
    mesh.regions.iter().map(of).collect()
}
