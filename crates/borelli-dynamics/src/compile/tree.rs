//! The tree of joints: which body hangs on which, in what order, with which coordinates.
//! Not here: what a joint type is (`joint`).
//! In: elements of section `joint`. Out: bodies in tree order (parents first, depth first), joint parts, coordinates.

use super::context::{Context, Coordinate};
use super::fault::Fault;
use crate::joint::{JOINTS, JointKind, Shape};
use crate::parts::{JointPart, MotionPart, PlacePart, Slot};
use crate::system::{CoordinateName, Measure};
use borelli_model::{Element, Field, FieldKind, Fields, Findings, Kind, Need, PlaceRef, suggest};
use std::collections::HashMap;

/// Fields of every joint.
pub static COMMON: &[Field] = &[
    Field {
        name: "parent",
        kind: FieldKind::Place,
        need: Need::Required,
        doc: "place on the parent: world, body, body.point or body.frame",
    },
    Field { name: "child", kind: FieldKind::Place, need: Need::Required, doc: "place on the child: body, body.point or body.frame" },
    Field { name: "coordinates", kind: FieldKind::Names, need: Need::Optional, doc: "names of the coordinates" },
    Field {
        name: "speeds",
        kind: FieldKind::Names,
        need: Need::Optional,
        doc: "names of the speeds, where they differ from the coordinates",
    },
];

/// One joint as read, before the order of bodies is known.
struct Read<'m> {
    element: &'m Element,
    kind: &'static JointKind,
    parent: PlaceRef,
    child: PlaceRef,
    shape: Shape,
    coordinates: Vec<String>,
    speeds: Option<Vec<String>>,
}

/// Bodies in tree order.
pub(super) struct Tree {
    /// File index of each body in tree order.
    pub order: Vec<usize>,
    /// Parent of each body in tree order, world first.
    pub parent: Vec<u32>,
    pub joints: Vec<JointPart<Slot>>,
    pub joint_names: Vec<String>,
    pub coordinates: Vec<CoordinateName>,
    pub speeds: Vec<CoordinateName>,
}

/// Reads all joints and orders the bodies; `None` when the tree cannot be built.
pub(super) fn read(bodies: &[Element], joints: &[Element], context: &mut Context, findings: &mut Findings) -> Option<Tree> {
    let file_index: HashMap<&str, usize> = bodies.iter().enumerate().map(|(i, b)| (b.name.as_str(), i)).collect();
    let mut carried: Vec<Option<Read>> = bodies.iter().map(|_| None).collect();
    let mut complete = true;
    for element in joints {
        let Some(joint) = read_joint(element, &file_index, context, findings) else {
            complete = false;
            // A joint at fault still carries its child: do not report the body as hanging free.
            if let Some(child) = element.text("child").and_then(|c| c.split('.').next()).and_then(|c| file_index.get(c)) {
                context.excused.insert(*child);
            }
            continue;
        };
        let body = file_index[joint.child.body.as_str()];
        if let Some(first) = &carried[body] {
            let fault = Fault::BodyWithTwoJoints {
                body: joint.child.body.clone(),
                first: first.element.name.clone(),
                second: element.name.clone(),
            };
            findings.push(element.value("child").map(|v| v.at), element, "child", &fault);
            complete = false;
            continue;
        }
        carried[body] = Some(joint);
    }
    for (body, joint) in bodies.iter().zip(&carried).enumerate().filter(|(i, _)| !context.excused.contains(i)).map(|(_, x)| x) {
        if joint.is_none() {
            // A mirror image stands where its original does.
            let original = bodies.iter().position(|other| other.at == body.at && other.name != body.name);
            let image = original.and_then(|k| Some([bodies[k].name.clone(), carried[k].as_ref()?.element.name.clone()]));
            findings.push(body.at, body, "", &Fault::BodyWithoutJoint { body: body.name.clone(), image });
            complete = false;
        }
    }
    if !complete {
        return None;
    }
    let order = order(bodies, &carried, &file_index, findings)?;
    build(order, carried, context, findings)
}

fn read_joint<'m>(element: &'m Element, bodies: &HashMap<&str, usize>, context: &mut Context, findings: &mut Findings) -> Option<Read<'m>> {
    let kinds: Vec<&Kind> = JOINTS.iter().map(|j| &j.kind).collect();
    let found = Kind::find(element, &kinds, context.dimension, findings)?;
    let kind = *JOINTS.iter().find(|j| j.kind.name == found.name)?;
    let mut fields = Fields::read(element, &[COMMON, kind.kind.fields], context.dimension, findings);
    let shape = (kind.build)(&mut fields, context);
    let (parent, child) = (fields.place("parent"), fields.place("child"));
    let ((parent, _), (child, _)) = (parent?, child?);
    let mut good = true;
    for (name, place) in [("parent", &parent), ("child", &child)] {
        if place.body != "world" && !bodies.contains_key(place.body.as_str()) {
            let nearest = suggest(&place.body, bodies.keys().copied().chain(["world"])).map(str::to_string);
            let fault = Fault::UnknownBody { found: place.body.clone(), nearest, known: context.body_names.clone() };
            fields.fault(name, &fault);
            good = false;
        } else if let Err(fault) = context.spot(place) {
            fields.fault(name, &fault);
            good = false;
        }
    }
    if child.body == "world" {
        fields.fault("child", &Fault::WorldAsChild);
        return None;
    }
    if good && parent.body == child.body {
        fields.fault("parent", &Fault::SameBody { body: parent.body.clone() });
        return None;
    }
    let shape = shape?;
    let coordinates = names(&mut fields, "coordinates", &element.name, &shape.coordinates)?;
    let speeds = match &shape.speeds {
        Some(list) => Some(names(&mut fields, "speeds", &element.name, list)?),
        None if fields.has("speeds") => {
            fields.fault("speeds", &Fault::NoSpeeds);
            return None;
        }
        None => None,
    };
    good.then_some(Read { element, kind, parent, child, shape, coordinates, speeds })
}

/// Names given by the file, or the joint's name with the default ends.
fn names(fields: &mut Fields, field: &'static str, joint: &str, defaults: &[(&'static str, Measure)]) -> Option<Vec<String>> {
    if !fields.has(field) {
        return Some(defaults.iter().map(|(end, _)| format!("{joint}{end}")).collect());
    }
    let given: Vec<String> = fields.names(field)?.into_iter().map(|(name, _)| name).collect();
    if given.len() != defaults.len() {
        let what = if field == "speeds" { "names of speeds" } else { "names of coordinates" };
        fields.fault(field, &Fault::WrongCount { what, expected: defaults.len(), found: given.len() });
        return None;
    }
    Some(given)
}

/// Depth-first order of the file's bodies.
fn order(bodies: &[Element], carried: &[Option<Read>], index: &HashMap<&str, usize>, findings: &mut Findings) -> Option<Vec<usize>> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    let mut roots = Vec::new();
    for (body, joint) in carried.iter().enumerate() {
        let parent = &joint.as_ref()?.parent.body;
        match index.get(parent.as_str()) {
            Some(p) => children[*p].push(body),
            None => roots.push(body),
        }
    }
    let mut order = Vec::with_capacity(bodies.len());
    let mut stack: Vec<usize> = roots.into_iter().rev().collect();
    while let Some(body) = stack.pop() {
        order.push(body);
        stack.extend(children[body].iter().rev());
    }
    if order.len() < bodies.len() {
        let mut reached = vec![false; bodies.len()];
        order.iter().for_each(|b| reached[*b] = true);
        let lost: Vec<usize> = (0..bodies.len()).filter(|b| !reached[*b]).collect();
        let names = lost.iter().map(|b| bodies[*b].name.clone()).collect();
        let first = &carried[lost[0]].as_ref()?.element;
        findings.push(first.value("parent").map(|v| v.at), *first, "parent", &Fault::TreeCycle { bodies: names });
        return None;
    }
    Some(order)
}

fn build(order: Vec<usize>, mut carried: Vec<Option<Read>>, context: &mut Context, findings: &mut Findings) -> Option<Tree> {
    let mut tree =
        Tree { order, parent: vec![0], joints: Vec::new(), joint_names: Vec::new(), coordinates: Vec::new(), speeds: Vec::new() };
    context.bodies.insert("world".into(), 0);
    let file_names = std::mem::take(&mut context.body_names);
    let mut owner = Owners::default();
    let mut complete = true;
    for (k, &file) in tree.order.iter().enumerate() {
        let joint = carried[file].take()?;
        let body = k as u32 + 1;
        context.bodies.insert(joint.child.body.clone(), body);
        context.body_names.push(file_names[file].clone());
        let parent = context.bodies[&joint.parent.body];
        tree.parent.push(parent);
        let place = |place: &PlaceRef, body: u32| {
            let (position, orientation) = context.spot(place).ok()?;
            Some(PlacePart { body, position, orientation })
        };
        tree.joints.push(JointPart {
            parent: place(&joint.parent, parent)?,
            child: place(&joint.child, body)?,
            motions: joint.shape.motions.clone(),
        });
        context.joints.insert(joint.element.name.clone(), body);
        context.joint_names.push(joint.element.name.clone());
        context.joint_kinds.push(joint.kind.kind.name);
        tree.joint_names.push(joint.element.name.clone());

        let speeds = joint.speeds.clone().unwrap_or_else(|| joint.coordinates.clone());
        let speed_measures = joint.shape.speeds.as_ref().unwrap_or(&joint.shape.coordinates);
        for (name, (_, measure)) in speeds.iter().zip(speed_measures) {
            tree.speeds.push(CoordinateName { name: name.clone(), measure: *measure, joint: body });
        }
        complete &= owner.enter(&joint, findings);
        let mut dof = tree.speeds.len() as u32 - speeds.len() as u32;
        for (name, (_, measure)) in joint.coordinates.iter().zip(&joint.shape.coordinates) {
            let coord = tree.coordinates.len() as u32;
            tree.coordinates.push(CoordinateName { name: name.clone(), measure: *measure, joint: body });
            if *measure == Measure::Quaternion {
                context.quaternions.push(name.clone());
                // The three speeds of a quaternion stand behind those of the coordinates before it.
                if context.quaternions.len() % 4 == 1 {
                    for speed in 0..3 {
                        let own = Coordinate { coord, dof: dof + speed, measure: Measure::Angle };
                        context.turning.insert(tree.speeds[own.dof as usize].name.clone(), own);
                    }
                    dof += 3;
                }
            } else {
                context.coordinates.insert(name.clone(), Coordinate { coord, dof, measure: *measure });
                dof += 1;
            }
        }
        debug_assert!(slides_first(&joint.shape.motions), "a joint's slides must come before its turns");
    }
    context.parent = tree.parent.clone();
    complete.then_some(tree)
}

/// Which joint has which names of coordinates and speeds.
#[derive(Default)]
struct Owners {
    coordinates: HashMap<String, String>,
    speeds: HashMap<String, String>,
}

impl Owners {
    /// Enters the names of a joint; false when one is taken. A speed may share its name with a coordinate of its own joint only.
    fn enter(&mut self, joint: &Read, findings: &mut Findings) -> bool {
        let element = joint.element;
        let mut good = true;
        let mut taken = |field: &'static str, name: &String, first: String| {
            let fault = Fault::DuplicateCoordinate { what: field.trim_end_matches('s'), name: name.clone(), first };
            findings.push(element.value(field).map_or(element.at, |v| v.at), element, field, &fault);
            good = false;
        };
        for name in &joint.coordinates {
            let first = self.coordinates.insert(name.clone(), element.name.clone());
            if let Some(first) = first.or_else(|| self.speeds.get(name).cloned()) {
                taken("coordinates", name, first);
            }
        }
        for name in joint.speeds.iter().flatten() {
            let first = self.speeds.insert(name.clone(), element.name.clone());
            let other = || self.coordinates.get(name).filter(|owner| **owner != element.name).cloned();
            if let Some(first) = first.or_else(other) {
                taken("speeds", name, first);
            }
        }
        good
    }
}

/// Kernels take the child's origin as the point of all its turns, so displacements must come first.
fn slides_first(motions: &[MotionPart]) -> bool {
    let last_slide = motions.iter().rposition(|m| matches!(m, MotionPart::Slide(_)));
    let first_turn = motions.iter().position(|m| !matches!(m, MotionPart::Slide(_)));
    !matches!((last_slide, first_turn), (Some(s), Some(t)) if s > t)
}
