//! What holds, loads and touches soft parts: ties, supports, loads, contacts of a model file.
//! Not here: the parts themselves (`read`), whether conditions contradict each other (`check`).
//! In: elements of sections `tie`, `support`, `traction` and `soft_contact`. Out: their recipes; every fault at its place.

use super::kinds::{SOFT_CONTACT, SUPPORT, TIE, TRACTION};
use super::read::{Known, carrier, place};
use super::{ContactPart, LinePart, LinePointPart, LoadFunctions, LoadPart, Soft, SoftFault, SupportPart, TargetPart, TiePart};
use crate::compile::{Context, Fault, SoftPath, SoftPathPoint};
use crate::contact::Contacts;
use crate::parts::{FunctionPart, Named, Slot};
use borelli_contact::shape::{Shape, Smooth};
use borelli_model::{Element, Fields, Findings, Model, Span, suggest};
use borelli_soft::definition::{BoundaryIndex, Method, Partner};
use std::sync::Arc;

/// Reads everything that is attached to soft parts.
pub(super) fn read(
    model: &Model,
    contacts: &Contacts<Slot>,
    known: &[Known],
    soft: &mut Soft,
    context: &mut Context,
    findings: &mut Findings,
) {
    for element in &model.ties {
        let item = read_tie(element, known, soft, context, findings);
        soft.ties.extend(item.map(|item| Named { name: element.name.clone(), item }));
    }
    for element in &model.supports {
        let item = read_support(element, known, context, findings);
        soft.supports.extend(item.map(|item| Named { name: element.name.clone(), item }));
    }
    for element in &model.tractions {
        let item = read_load(element, known, context, findings);
        soft.loads.extend(item.map(|item| Named { name: element.name.clone(), item }));
    }
    let paths = std::mem::take(&mut context.soft_paths);
    for SoftPath { name, path, points } in paths {
        let Some(element) = model.paths.iter().find(|element| element.name == name) else { continue };
        let found: Vec<Option<LinePointPart>> =
            points.iter().map(|(point, at)| read_point(element, point, *at, known, soft, context, findings)).collect();
        // Springs, cords and actuators pull by length and time, all others may see the rate.
        let still = |force: &Element| matches!(force.text("type"), Some("spring" | "cord" | "actuator" | "lag-actuator"));
        let here = |force: &&Element| force.text("path") == Some(name.as_str());
        let tissues = model.muscles.iter().chain(&model.ligaments);
        let damped = model.forces.iter().filter(|force| !still(force)).chain(tissues).any(|force| here(&force));
        if let Some(points) = found.into_iter().collect::<Option<Vec<_>>>() {
            if let Some(k) = (1..points.len()).find(|k| points[k - 1] == points[*k]) {
                let at = element.value("points").map(|value| value.at);
                findings.push(at, element, "points", &Fault::CoincidentPathPoints { first: k });
            }
            soft.lines.push(Named { name, item: LinePart { path, points, damped } });
        }
    }
    for element in &model.soft_contacts {
        let item = read_contact(element, model, contacts, known, soft, context, findings);
        soft.contacts.extend(item.map(|item| Named { name: element.name.clone(), item }));
    }
}

/// What a text such as `liner.outer` names.
enum Found {
    Boundary(BoundaryIndex),
    /// A boundary of a soft part that has been reported.
    Reported,
    Missing(SoftFault),
}

/// A point of a path over nodes.
fn read_point(
    element: &Element,
    point: &SoftPathPoint,
    at: Span,
    known: &[Known],
    soft: &mut Soft,
    context: &Context,
    findings: &mut Findings,
) -> Option<LinePointPart> {
    let (name, spot) = match point {
        SoftPathPoint::Place(place) => {
            return Some(LinePointPart::Place { place: *place, carrier: carrier(context.body_of(*place), soft, context) });
        }
        SoftPathPoint::Node(name, spot) => (name, spot),
    };
    let (boundary, which) = spot.rsplit_once('.').unwrap_or((spot, ""));
    let index = match find(&format!("{name}.{boundary}"), known) {
        Found::Boundary(index) => index,
        Found::Reported => return None,
        Found::Missing(fault) => {
            findings.push(at, element, "points", &fault);
            return None;
        }
    };
    let (_, mesh) = known.iter().find(|part| part.name == *name)?.body.as_ref()?;
    let nodes = mesh.boundaries[index.boundary].nodes();
    let number = match which {
        "first" => Some(0),
        "middle" => Some(nodes.len() / 2),
        "last" => nodes.len().checked_sub(1),
        number => number.parse().ok(),
    };
    match number.and_then(|number| nodes.get(number)) {
        Some(node) => Some(LinePointPart::Node { body: index.body, node: *node }),
        None => {
            let fault = SoftFault::NoNode { boundary: format!("{name}.{boundary}"), found: which.into(), nodes: nodes.len() };
            findings.push(at, element, "points", &fault);
            None
        }
    }
}

fn find(text: &str, known: &[Known]) -> Found {
    let (name, boundary) = text.split_once('.').unwrap_or((text, ""));
    let Some(part) = known.iter().find(|part| part.name == name) else {
        let names: Vec<String> = known.iter().map(|part| part.name.clone()).collect();
        let nearest = suggest(name, names.iter().map(String::as_str)).map(str::to_string);
        return Found::Missing(SoftFault::UnknownSoft { found: name.into(), nearest, known: names });
    };
    let Some((body, mesh)) = &part.body else { return Found::Reported };
    match mesh.boundaries.iter().position(|own| own.name == boundary) {
        Some(index) => Found::Boundary(BoundaryIndex { body: *body, boundary: index }),
        None => {
            let names: Vec<String> = mesh.boundaries.iter().map(|own| own.name.clone()).collect();
            let nearest = suggest(boundary, names.iter().map(String::as_str)).map(str::to_string);
            Found::Missing(SoftFault::UnknownBoundary { soft: name.into(), found: boundary.into(), nearest, known: names })
        }
    }
}

/// The boundary that a field names.
fn boundary(fields: &mut Fields, known: &[Known]) -> Option<BoundaryIndex> {
    let (text, _) = fields.text("boundary")?;
    match find(text, known) {
        Found::Boundary(index) => Some(index),
        Found::Reported => None,
        Found::Missing(fault) => {
            fields.fault("boundary", &fault);
            None
        }
    }
}

/// Method and stiffness; zero for plain multipliers.
fn manner(fields: &mut Fields, context: &mut Context) -> Option<(Method, Slot)> {
    let (method, word) = match fields.choice("method") {
        Some("penalty") => (Method::Penalty, "penalty"),
        Some("lagrange") => (Method::Lagrange, "lagrange"),
        _ => (Method::Augmented, "augmented"),
    };
    match (method, fields.has("stiffness")) {
        (Method::Lagrange, true) => fields.fault("stiffness", &SoftFault::StiffnessUnused),
        (Method::Lagrange, false) => return Some((method, Slot::Const(0.0))),
        (_, true) => return context.quantity(fields, "stiffness", "N/m").map(|slot| (method, slot)),
        (_, false) => {
            let element = fields.element();
            fields.findings().push(element.at, element, "", &SoftFault::NoStiffness { method: word });
        }
    }
    None
}

fn read_tie(element: &Element, known: &[Known], soft: &mut Soft, context: &mut Context, findings: &mut Findings) -> Option<TiePart> {
    let is_body = |text: &str| context.body_index(text.split('.').next().unwrap_or(text)).is_some();
    let is_soft = |text: &str| known.iter().any(|part| Some(part.name.as_str()) == text.split('.').next());
    // Two rigid bodies, whichever way they are written.
    for (one, other) in [("a", "b"), ("boundary", "to")] {
        if let (Some(a), Some(b)) = (element.text(one), element.text(other))
            && [a, b].iter().all(|text| is_body(text) && !is_soft(text))
        {
            let at = element.value(one).map(|value| value.at);
            findings.push(at, element, one, &SoftFault::TieOfBodies { one: a.into(), other: b.into() });
            return None;
        }
    }
    let mut fields = Fields::read(element, &[TIE], context.dimension, findings);
    let of = boundary(&mut fields, known);
    let manner = manner(&mut fields, context);
    let (text, _) = fields.text("to")?;
    let to = match find(text, known) {
        Found::Boundary(index) => Partner::Boundary(index),
        Found::Reported => return None,
        Found::Missing(fault) => {
            let (name, spot) = text.split_once('.').map_or((text, None), |(name, spot)| (name, Some(spot)));
            match (context.body_index(name), spot) {
                (Some(body), None) => Partner::Carrier(carrier(body, soft, context)),
                (Some(_), Some(_)) => {
                    fields.fault("to", &SoftFault::TieToPlace { found: text.into(), body: name.into() });
                    return None;
                }
                // A name without a point that is no soft part was meant for a body.
                (None, None) if !is_soft(name) => {
                    fields.fault("to", &context.unknown_body(name));
                    return None;
                }
                (None, _) => {
                    fields.fault("to", &fault);
                    return None;
                }
            }
        }
    };
    let (of, (method, stiffness)) = (of?, manner?);
    if to == Partner::Boundary(of) {
        fields.fault("to", &SoftFault::TieToItself { boundary: text.into() });
        return None;
    }
    Some(TiePart { of, to, method, stiffness })
}

fn read_support(element: &Element, known: &[Known], context: &mut Context, findings: &mut Findings) -> Option<SupportPart> {
    let mut fields = Fields::read(element, &[SUPPORT], context.dimension, findings);
    let of = boundary(&mut fields, known);
    let held = match fields.choice("fix") {
        Some("x") => [true, false],
        Some("y") => [false, true],
        _ => [true, true],
    };
    let mut displacement = [None; 2];
    if fields.has("displacement") {
        let functions = context.functions(&mut fields, "displacement", "s", "m")?;
        for (k, function) in functions.into_iter().enumerate().take(2) {
            let zero = matches!(context.function_part(function), FunctionPart::Constant(slot) if context.value(*slot) == 0.0);
            match held[k] {
                true => displacement[k] = Some(function),
                false if zero => {}
                false => fields.fault("displacement", &SoftFault::FreeDirection { direction: ["x", "y"][k] }),
            }
        }
    }
    Some(SupportPart { of: of?, held, displacement })
}

fn read_load(element: &Element, known: &[Known], context: &mut Context, findings: &mut Findings) -> Option<LoadPart> {
    let mut fields = Fields::read(element, &[TRACTION], context.dimension, findings);
    let of = boundary(&mut fields, known);
    let kind = match (fields.has("force"), fields.has("pressure")) {
        (true, true) => {
            fields.fault("pressure", &Fault::BothGiven { one: "force", other: "pressure" });
            None
        }
        (false, false) => {
            fields.findings().push(element.at, element, "", &Fault::NeitherGiven { one: "force", other: "pressure" });
            None
        }
        (true, false) => {
            let functions = context.functions(&mut fields, "force", "s", "Pa")?;
            <[u32; 2]>::try_from(functions).ok().map(LoadFunctions::Traction)
        }
        (false, true) => context.function(&mut fields, "pressure", "s", "Pa").map(LoadFunctions::Pressure),
    };
    Some(LoadPart { of: of?, kind: kind? })
}

fn read_contact(
    element: &Element,
    model: &Model,
    contacts: &Contacts<Slot>,
    known: &[Known],
    soft: &mut Soft,
    context: &mut Context,
    findings: &mut Findings,
) -> Option<ContactPart> {
    let mut fields = Fields::read(element, &[SOFT_CONTACT], context.dimension, findings);
    let of = boundary(&mut fields, known);
    let manner = manner(&mut fields, context);
    if let Some(of) = of
        && let Some((_, mesh)) = known.iter().filter_map(|part| part.body.as_ref()).find(|(body, _)| *body == of.body)
        && mesh.boundaries[of.boundary].edges.iter().any(|edge| edge.middle.is_some())
    {
        let boundary = fields.text("boundary").map_or_else(String::new, |(text, _)| text.into());
        fields.fault("boundary", &SoftFault::QuadraticContact { boundary });
        return None;
    }
    let target = match (fields.has("target"), fields.has("points")) {
        (true, true) => {
            fields.fault("points", &Fault::BothGiven { one: "target", other: "points" });
            None
        }
        (false, false) => {
            fields.findings().push(element.at, element, "", &Fault::NeitherGiven { one: "target", other: "points" });
            None
        }
        (true, false) => surface(&mut fields, model, contacts, context),
        (false, true) => curve(&mut fields, context),
    };
    let ((body, target), (method, stiffness)) = (target?, manner?);
    let cavity = fields.flag("cavity").unwrap_or(false);
    let open = match &target {
        TargetPart::Surface(k) => matches!(contacts.surfaces[*k as usize].item.shape, Shape::HalfSpace(_)),
        TargetPart::Curve { closed, .. } => !closed,
    };
    if cavity && open {
        fields.fault("cavity", &SoftFault::OpenCavity);
        return None;
    }
    Some(ContactPart { of: of?, carrier: carrier(body, soft, context), target, cavity, method, stiffness })
}

/// A surface of the model, and the body it is on.
fn surface(fields: &mut Fields, model: &Model, contacts: &Contacts<Slot>, context: &Context) -> Option<(u32, TargetPart)> {
    for field in ["at", "closed", "alpha"] {
        if fields.has(field) {
            fields.fault(field, &SoftFault::OnlyWithPoints { field });
        }
    }
    let (name, _) = fields.name("target")?;
    let Some(index) = contacts.surfaces.iter().position(|surface| surface.name == name) else {
        // A surface at fault has been reported.
        if !model.surfaces.iter().any(|element| element.name == name) {
            let nearest = suggest(&name, model.surfaces.iter().map(|element| element.name.as_str())).map(str::to_string);
            fields.fault("target", &Fault::UnknownSurface { found: name, nearest });
        }
        return None;
    };
    let item = &contacts.surfaces[index].item;
    match &item.shape {
        Shape::HalfSpace(_) | Shape::Smooth(Smooth::Circle(_) | Smooth::Ellipse(_)) => {
            Some((context.body_of(item.place), TargetPart::Surface(index as u32)))
        }
        other => {
            fields.fault("target", &SoftFault::NoTarget { surface: name, shape: other.kind().name });
            None
        }
    }
}

/// A curve through points, and the body it is on. Like the points of a table these are no parameters.
fn curve(fields: &mut Fields, context: &mut Context) -> Option<(u32, TargetPart)> {
    let place = place(fields, "at", context);
    let points: Arc<[[f64; 2]]> = fields.vectors("points")?.iter().map(|point| [point[0].value, point[1].value]).collect();
    let closed = fields.flag("closed").unwrap_or(false);
    let alpha = if fields.has("alpha") { context.quantity(fields, "alpha", "1") } else { Some(Slot::Const(0.5)) };
    let (place, alpha) = (place?, alpha?);
    Some((place.body, TargetPart::Curve { place, points, closed, alpha }))
}
