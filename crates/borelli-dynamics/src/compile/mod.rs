//! From a `Model` to a `System`: names to indices, quantities to parameters, and all faults at once.
//! Not here: what joints, forces, loops and functions are; they are looked up in their registries.
//! In: a `Model`. Out: a `System`, or every fault with file and line.

mod body;
mod body_mesh;
mod context;
mod fault;
mod formula;
mod function;
mod integral;
mod marker;
mod measurement;
mod path;
mod relation;
mod report_label;
mod start;
mod tree;

pub use context::{Context, Coordinate};
pub(crate) use context::{SoftPath, SoftPathPoint};
pub(crate) use fault::in_words;
pub use fault::{Fault, FunctionSide, InertiaReason};
pub(crate) use formula::{FormulaOf, named_numbers};
pub use function::{FunctionInfo, MOST_POINTS};
pub use relation::{Misfit, misfits};
pub(crate) use relation::{bad_shape, out_of_order};

use crate::constraint::{self, Constraints, RowKind};
use crate::contact;
use crate::force::{self, Forces, Paths, Stop};
use crate::joint::JOINTS;
use crate::joint_angles;
use crate::parts::{MotionPart, Parts, Slot};
use crate::soft;
use crate::system::{Bound, InsideName, Motion, Names, Numbers, Skeleton, System};
use borelli_model::{Element, Field, FieldKind, Fields, Findings, Kind, Model, Need, Rejected, SectionSpec, Span};
use std::sync::Arc;

/// Compiles a model. All faults are reported together, with two exceptions: a broken tree of joints hides what hangs on it
/// (paths, forces, loops, guides, start), and a model that cannot be assembled is found by [`assemble`](crate::assemble) only.
pub fn compile(model: &Model) -> Result<System, Rejected> {
    let mut findings = model.findings.clone();
    let system = compile_into(model, &mut findings);
    match system {
        Some(mut system) if !findings.has_errors() => {
            system.warnings = findings;
            system.resolve_references(|_, _| true);
            Ok(system)
        }
        _ => Err(Rejected { findings, sources: model.sources.clone() }),
    }
}

fn compile_into(model: &Model, findings: &mut Findings) -> Option<System> {
    let mut context = Context::new(model);
    let gravity = read_gravity(model, &mut context, findings);

    // Functions first: joints may need them.
    for element in &model.functions {
        if let Some(index) = function::read(element, &element.path(), model.dimension, &mut context, findings) {
            context.function_index.insert(element.name.clone(), index);
        }
    }

    // Bodies and places.
    let subject = body::read_subject(model.subject.as_ref(), &mut context, findings);
    context.spots.insert("world".into(), Default::default());
    if let Some(world) = &model.world {
        let fields = Fields::read(world, &[body::WORLD], model.dimension, findings);
        let (mut spots, frames) = body::read_spots(world, &fields, &mut context);
        body::read_frames(world, &frames, &mut spots, &mut context, findings);
        context.spots.insert("world".into(), spots);
    }
    let mut bodies = Vec::with_capacity(model.bodies.len());
    let mut meshes = Vec::with_capacity(model.bodies.len());
    for element in &model.bodies {
        let mut fields = Fields::read(element, &[body::BODY], model.dimension, findings);
        bodies.push(body::read_body(&mut fields, &subject, &mut context));
        meshes.push(body_mesh::read(&mut fields, &mut context));
        let (mut spots, frames) = body::read_spots(element, &fields, &mut context);
        body::read_frames(element, &frames, &mut spots, &mut context, findings);
        context.spots.insert(element.name.clone(), spots);
        context.body_names.push(element.name.clone());
    }
    if model.bodies.is_empty() && model.softs.is_empty() && model.integrals.is_empty() {
        findings.push(Span { file: 0, start: 0, end: 0 }, "", "", &Fault::NoBodies);
    }

    // The tree. Without it nothing further can be checked.
    let tree = tree::read(&model.bodies, &model.joints, &mut context, findings)?;
    body::tree_needs_inertia(&model.bodies, &tree.joints, &tree.parent, &context, findings);
    let bodies: Option<Vec<_>> = tree.order.iter().map(|i| bodies[*i]).collect();
    let meshes = tree.order.iter().map(|i| meshes[*i].take()).collect();

    // What hangs on it.
    let softs: Vec<String> = model.softs.iter().map(|soft| soft.name.clone()).collect();
    for element in &model.wraps {
        path::read_wrap(element, &mut context, findings);
    }
    for element in &model.paths {
        path::read_path(element, &softs, &mut context, findings);
    }
    start::read_inside(model.initial.as_ref(), &mut context, findings);
    let mut forces = Forces::default();
    for (section, elements) in [("force", &model.forces), ("muscle", &model.muscles)] {
        let (kinds, common) = (force::kinds(section), force::common(section));
        for element in elements {
            if let Some(kind) = Kind::find(element, &kinds, model.dimension, findings) {
                let mut fields = Fields::read(element, &[common, kind.fields], model.dimension, findings);
                forces.read(section, kind.name, &mut fields, &mut context);
            }
        }
    }
    for element in &model.ligaments {
        let mut fields = Fields::read(element, &[force::common("ligament")], model.dimension, findings);
        forces.read("ligament", "ligament", &mut fields, &mut context);
    }
    start::check_inside(model, &context, findings);
    let mut constraints = Constraints::default();
    for (family, elements) in [(RowKind::Loop, &model.loops), (RowKind::Guide, &model.guides)] {
        for element in elements {
            read_constraint(family, element, &mut constraints, &mut context, findings);
        }
    }
    let integrals = integral::read(&model.integrals, &mut context, findings);
    let formulas = formula::read(&tree.speeds, &forces, &mut context, findings);
    let contacts = contact::read(model, &mut context, findings);
    let soft = soft::read(model, &contacts, &mut context, findings);
    let joint_angles = joint_angles::read(&model.joint_angles, &mut context, findings);
    let markers = marker::read_markers(&model.markers, &mut context, findings);
    let measurements = measurement::read(&model.measurements, &markers, &mut context, findings);
    let mut start = start::read(model.initial.as_ref(), &tree.coordinates, &tree.speeds, &tree.joint_names, &context, findings);
    let coordinates = start
        .as_mut()
        .map(|start| marker::read_coordinates(&model.coordinates, &tree.coordinates, model.initial.as_ref(), start, &context, findings));
    let report_signs = marker::read_report(model.report.as_ref(), &tree.coordinates, &context, findings);
    let coordinate_names: Vec<&str> = tree.coordinates.iter().chain(&tree.speeds).map(|own| own.name.as_str()).collect();
    let report_labels = report_label::read(model, &coordinate_names, findings);

    if findings.has_errors() {
        return None;
    }
    let planar = context.planar();
    let mut parts = Parts {
        gravity: gravity?,
        bodies: bodies?,
        joints: tree.joints,
        places: context.places,
        functions: context.functions,
        paths: Paths { list: context.path_stops, wraps: context.wraps },
        forces,
        constraints,
        contacts,
        soft: Arc::new(soft),
        markers,
        states: context.states.iter().map(|(_, start)| *start).collect(),
        controls: context.controls.iter().map(|(_, function)| *function).collect(),
        outputs: context.outputs.len(),
        integrals: Arc::new(integrals),
        formulas: Arc::new(formulas),
        named: context.named,
    };
    let skeleton = parts.skeleton(planar, tree.parent);
    let values: Vec<f64> = context.parameters.iter().map(|p| p.value).collect();
    let mut numbers = parts.numbers(&skeleton, &values);
    let controls: Vec<InsideName> = context.controls.into_iter().map(|(name, _)| name).collect();
    let mut paths = vec![String::new(); parts.paths.len()];
    context.paths.into_iter().for_each(|(name, index)| paths[index as usize] = name);
    let start = start?;
    path::settle(&mut parts.paths, &skeleton, &mut numbers, &start.q, &context.path_spans, &paths, findings);
    path::look_for_jumps(&skeleton, &numbers, &start.q, &context.path_spans, &context.accepted_jumps, &paths, findings);
    if findings.has_errors() {
        return None;
    }
    let world = |name: &str| vec![name.to_string()];
    let names = Names {
        bodies: world("world").into_iter().chain(context.body_names).collect(),
        joints: world("").into_iter().chain(tree.joint_names).collect(),
        joint_kinds: [""].into_iter().chain(context.joint_kinds).collect(),
        coordinates: tree.coordinates,
        speeds: tree.speeds,
        rows: parts.constraints.row_names(),
        paths,
        contacts: parts.contacts.manners.iter().map(|contact| contact.name.clone()).collect(),
        pairs: parts.contacts.pair_names(),
        sensors: parts.contacts.mats.iter().map(|mat| mat.name.clone()).collect(),
        functions: context.function_info.iter().map(|info| info.name.clone()).collect(),
        markers: parts.markers.iter().map(|marker| marker.name.clone()).collect(),
        states: context.states.into_iter().map(|(name, _)| name).collect(),
        outputs: context.outputs.into_iter().chain(controls.iter().cloned()).collect(),
        controls,
    };
    let bounds = bounds(&parts, &skeleton, &numbers, &context.of_time, &context.function_info);
    Some(System {
        name: model.name.clone(),
        bounds,
        of_time: context.of_time,
        markers: parts.markers(&values),
        coordinates: coordinates?,
        report_signs,
        measurements,
        joint_angles,
        report_labels,
        meshes,
        skeleton: Arc::new(skeleton),
        parts,
        parameters: context.parameters,
        numbers,
        names,
        start,
        warnings: Findings::default(),
        sources: model.sources.clone(),
    })
}

/// Ranges of tables that may not be left, of time and of coordinates.
fn bounds(parts: &Parts<Slot>, skeleton: &Skeleton, numbers: &Numbers<f64>, of_time: &[u32], infos: &[FunctionInfo]) -> Vec<Bound> {
    let bound = |function: u32, coord: Option<u32>| {
        let range = numbers.functions[function as usize].domain()?;
        let FunctionInfo { name, element, .. } = &infos[function as usize];
        Some(Bound { function: name.clone(), element: element.clone(), coord, range })
    };
    let mut list: Vec<Bound> = of_time.iter().filter_map(|f| bound(*f, None)).collect();
    for (b, joint) in parts.joints.iter().enumerate() {
        for (motion, part) in skeleton.motions_of(b + 1).iter().zip(&joint.motions) {
            if let (Motion::Function { coord, .. }, MotionPart::Function { slides, turns }) = (motion, part) {
                let functions = slides.iter().map(|(_, f, _)| f).chain(turns.iter().map(|(_, f)| f));
                list.extend(functions.filter_map(|f| bound(*f, Some(*coord))));
            }
        }
    }
    for stop in parts.paths.list.iter().flatten() {
        if let Stop::Moving { functions, coord, .. } = stop {
            list.extend(functions.iter().filter_map(|f| bound(*f, Some(*coord))));
        }
    }
    list
}

/// Gravity as three parameters `gravity.x` ...; 9.81 m/s² down unless given.
fn read_gravity(model: &Model, context: &mut Context, findings: &mut Findings) -> Option<[Slot; 3]> {
    static GRAVITY: &[Field] =
        &[Field { name: "gravity", kind: FieldKind::Vector { unit: "m/s^2" }, need: Need::Optional, doc: "acceleration of gravity" }];
    let mut slots = [Slot::Const(0.0); 3];
    let Some(value) = &model.gravity else {
        for (k, g) in [0.0, -9.81, 0.0].into_iter().take(if context.planar() { 2 } else { 3 }).enumerate() {
            slots[k] = context.parameter(format!("gravity.{}", ["x", "y", "z"][k]), g, "m/s^2");
        }
        return Some(slots);
    };
    // Read through the same machinery as any field: an element with one entry.
    let entry = borelli_model::Entry { key: "gravity".into(), key_at: value.at, value: value.clone() };
    let element = Element { section: "", name: String::new(), at: value.at, fields: vec![entry] };
    let fields = Fields::read(&element, &[GRAVITY], context.dimension, findings);
    let values = fields.vector("gravity")?;
    slots = context.vector_parameters("gravity", &values, "m/s^2");
    Some(slots)
}

fn read_constraint(
    family: RowKind,
    element: &Element,
    constraints: &mut Constraints<Slot>,
    context: &mut Context,
    findings: &mut Findings,
) {
    let kinds: Vec<&Kind> = constraint::KINDS.iter().filter(|(f, _)| *f == family).map(|(_, k)| k).collect();
    if let Some(kind) = Kind::find(element, &kinds, context.dimension, findings) {
        let mut fields = Fields::read(element, &[kind.fields], context.dimension, findings);
        constraints.read(family, kind.name, &mut fields, context);
    }
}

/// The sections of a model file with their registries, for the schema.
pub fn sections() -> Vec<SectionSpec> {
    let section = |name, doc, named, fields, kinds| SectionSpec { name, doc, named, fields, kinds };
    let of = |family: RowKind| constraint::KINDS.iter().filter(|(f, _)| *f == family).map(|(_, k)| k).collect::<Vec<&'static Kind>>();
    vec![
        section("subject", "What fractions of bodies refer to", false, body::SUBJECT, vec![]),
        section("world", "Places on the ground", false, body::WORLD, vec![]),
        section("body", "Rigid bodies", true, body::BODY, vec![]),
        section("joint", "Joints of the tree", true, tree::COMMON, JOINTS.iter().map(|j| &j.kind).collect()),
        section("loop", "Connections that close loops", true, &[], of(RowKind::Loop)),
        section("guide", "Motion prescribed in time", true, &[], of(RowKind::Guide)),
        section("function", "Functions of one variable", true, function::COMMON, function::KINDS.iter().collect()),
        section("wrap", "What paths bend around", true, path::WRAP, path::WRAPS.iter().collect()),
        section("path", "Lines along which path elements pull", true, path::PATH, vec![]),
        section("force", "Force elements", true, &[], force::kinds("force")),
        section("muscle", "Muscles", true, force::common("muscle"), force::kinds("muscle")),
        section("ligament", "Ligaments", true, force::common("ligament"), vec![]),
        section("surface", "Surfaces of bodies", true, contact::SURFACE, contact::surfaces()),
        section("law", "Laws of contact that several contacts share", true, &[], contact::laws()),
        section("contact", "Surfaces that may touch", true, contact::CONTACT, vec![]),
        section("sensor", "What is read from contacts", true, &[], contact::SENSORS.iter().collect()),
        section("joint_angles", "Angles and displacements between two frames", true, joint_angles::JOINT_ANGLES, vec![]),
        section("material", "What soft parts are made of", true, &[], soft::MATERIALS.iter().collect()),
        section("soft", "Soft parts", true, soft::SOFT, soft::SHAPES.iter().collect()),
        section("tie", "Boundaries of soft parts held to bodies or to each other", true, soft::TIE, vec![]),
        section("support", "Boundaries of soft parts whose displacement is given", true, soft::SUPPORT, vec![]),
        section("traction", "Loads on boundaries of soft parts", true, soft::TRACTION, vec![]),
        section("soft_contact", "Boundaries of soft parts that may touch rigid bodies", true, soft::SOFT_CONTACT, vec![]),
        section("marker", "Points on bodies that are seen in measurements", true, marker::MARKER, vec![]),
        section("coordinate", "Rules for coordinates", true, marker::COORDINATE, vec![]),
        section("measurement", "Distances of markers that tell the size of bodies", true, measurement::MEASUREMENT, vec![]),
        section("integral", "Integrals over the motion", true, integral::INTEGRAL, vec![]),
        section("report", "What reports show in another way than the model has it", false, marker::REPORT, vec![]),
        section("initial", "Start coordinates and speeds", false, start::INITIAL, vec![]),
    ]
}
