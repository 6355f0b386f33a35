//! Bodies: mass properties and named places.
//! Not here: which joint carries them (`tree`).
//! In: elements of section `body`, `world`, `subject`. Out: `BodyPart`s with parameter slots, places per body.

use super::body_mesh::MESH;
use super::context::{Context, Spots};
use super::fault::{Fault, InertiaReason};
use crate::parts::{Amount, BodyPart, Center, Inertia, JointPart, MotionPart, Orientation, Slot};
use borelli_model::{Element, Field, FieldKind, Fields, Findings, Need, Quantity, Range, Span, Value, number};
use nalgebra::Matrix3;

/// Fields of `[subject]`.
pub static SUBJECT: &[Field] = &[
    number("mass", "kg", Range::POSITIVE, Need::Optional, "mass of the subject"),
    number("height", "m", Range::POSITIVE, Need::Optional, "height of the subject"),
];

/// Fields of a body.
pub static BODY: &[Field] = &[
    number("mass", "kg", Range::POSITIVE, Need::Optional, "mass"),
    number("mass_fraction", "1", Range::FRACTION, Need::Optional, "mass as a fraction of subject.mass"),
    number("length", "m", Range::POSITIVE, Need::Optional, "length that fractions refer to"),
    number("length_fraction", "1", Range::FRACTION, Need::Optional, "length as a fraction of subject.height"),
    Field { name: "along", kind: FieldKind::Direction, need: Need::Optional, doc: "direction of the length in body axes; default down" },
    Field {
        name: "center",
        kind: FieldKind::Vector { unit: "m" },
        need: Need::Optional,
        doc: "mass centre in body axes; default the origin",
    },
    number("center_fraction", "1", Range::ANY, Need::Optional, "mass centre as a fraction of the length along `along`"),
    Field { name: "inertia", kind: FieldKind::Inertia, need: Need::Optional, doc: "inertia about the mass centre, body axes" },
    Field {
        name: "gyration_fraction",
        kind: FieldKind::Numbers { unit: "1", least: 1 },
        need: Need::Optional,
        doc: "radius of gyration over the length: one number, or three for the axes",
    },
    Field { name: "point", kind: FieldKind::Points { unit: "m" }, need: Need::Optional, doc: "named points" },
    Field { name: "frame", kind: FieldKind::Tables, need: Need::Optional, doc: "named frames" },
    Field { name: "mesh", kind: FieldKind::Table(MESH), need: Need::Optional, doc: "a surface from a file that the body is drawn with" },
];

/// Fields of `[world]`.
pub static WORLD: &[Field] = &[
    Field { name: "point", kind: FieldKind::Points { unit: "m" }, need: Need::Optional, doc: "named points" },
    Field { name: "frame", kind: FieldKind::Tables, need: Need::Optional, doc: "named frames" },
];

/// Fields of a frame.
pub static FRAME: &[Field] = &[
    Field { name: "origin", kind: FieldKind::Vector { unit: "m" }, need: Need::Optional, doc: "origin; default that of the body" },
    number("angle", "rad", Range::ANY, Need::Optional, "planar: turned by this angle about Z"),
    Field { name: "rotation", kind: FieldKind::Numbers { unit: "rad", least: 1 }, need: Need::Optional, doc: "spatial: rotation vector" },
    Field {
        name: "angles",
        kind: FieldKind::Numbers { unit: "rad", least: 1 },
        need: Need::Optional,
        doc: "spatial: turned about X, then Y, then Z of the frame reached so far",
    },
    Field { name: "x", kind: FieldKind::Direction, need: Need::Optional, doc: "spatial: first axis" },
    Field { name: "y", kind: FieldKind::Direction, need: Need::Optional, doc: "spatial: second axis" },
];

/// Slots of the subject's mass and height.
pub(super) struct Subject {
    mass: Option<Slot>,
    height: Option<Slot>,
}

pub(super) fn read_subject(element: Option<&Element>, context: &mut Context, findings: &mut Findings) -> Subject {
    let Some(element) = element else {
        return Subject { mass: None, height: None };
    };
    let fields = Fields::read(element, &[SUBJECT], context.dimension, findings);
    Subject { mass: context.quantity(&fields, "mass", "kg"), height: context.quantity(&fields, "height", "m") }
}

/// Points and frames of a body or of the world.
pub(super) fn read_spots(element: &Element, fields: &Fields, context: &mut Context) -> (Spots, Vec<(String, Span, Element)>) {
    let mut spots = Spots::default();
    for (name, _, values) in fields.points("point").unwrap_or_default() {
        let position = context.vector_parameters(&format!("{}.point.{name}", element.path()), &values, "m");
        spots.names.push(name);
        spots.places.push((position, Orientation::Body));
    }
    // Places at fault have been reported; who names them is not at fault too.
    for kind in ["point", "frame"] {
        for entry in element.value(kind).and_then(Value::as_table).unwrap_or_default() {
            let good = if kind == "point" { spots.names.contains(&entry.key) } else { entry.value.as_table().is_some() };
            if !good {
                spots.add_faulty(&entry.key);
            }
        }
    }
    (spots, fields.tables("frame").unwrap_or_default())
}

pub(super) fn read_frames(
    owner: &Element,
    frames: &[(String, Span, Element)],
    spots: &mut Spots,
    context: &mut Context,
    findings: &mut Findings,
) {
    for (name, _, frame) in frames {
        let path = format!("{}.frame.{name}", owner.path());
        let mut fields = Fields::read(frame, &[FRAME], context.dimension, findings);
        let origin = match fields.vector("origin") {
            Some(values) => context.vector_parameters(&format!("{path}.origin"), &values, "m"),
            None => [Slot::Const(0.0); 3],
        };
        match read_orientation(&mut fields, &path, context) {
            Some(orientation) => {
                spots.names.push(name.clone());
                spots.places.push((origin, orientation));
            }
            None => spots.add_faulty(name),
        }
    }
}

fn read_orientation(fields: &mut Fields, path: &str, context: &mut Context) -> Option<Orientation<Slot>> {
    let planar = context.planar();
    if planar && let Some(field) = ["rotation", "angles", "x", "y"].into_iter().find(|f| fields.has(f)) {
        context.only_spatial(fields, field);
        return None;
    }
    if !planar && fields.has("angle") {
        context.only_planar(fields, "angle");
        return None;
    }
    let ways = [fields.has("rotation"), fields.has("angles"), fields.has("x") || fields.has("y")];
    if ways.into_iter().filter(|given| *given).count() > 1 {
        fields.fault(if ways[0] { "rotation" } else { "angles" }, &Fault::FrameTwoWays);
        return None;
    }
    if fields.has("angle") {
        let angle = fields.quantity("angle")?;
        return Some(Orientation::Angle(context.parameter(format!("{path}.angle"), angle.value, "rad")));
    }
    if let Some(field) = ["rotation", "angles"].into_iter().find(|field| fields.has(field)) {
        let values = fields.numbers(field)?;
        if values.len() != 3 {
            fields.fault(field, &Fault::WrongCount { what: "entries", expected: 3, found: values.len() });
            return None;
        }
        let slots = context.vector_parameters(&format!("{path}.{field}"), &values, "rad");
        return Some(if field == "angles" { Orientation::Turns(slots) } else { Orientation::Vector(slots) });
    }
    if fields.has("x") || fields.has("y") {
        let (Some(x), Some(y)) = (fields.direction("x"), fields.direction("y")) else {
            if !(fields.has("x") && fields.has("y")) {
                let missing = if fields.has("x") { "y" } else { "x" };
                fields.fault(missing, &Fault::NeitherGiven { one: if missing == "x" { "x" } else { "y" }, other: "rotation" });
            }
            return None;
        };
        let x = nalgebra::Vector3::from_row_slice(&x).normalize();
        let y = nalgebra::Vector3::from_row_slice(&y).normalize();
        let cosine = x.dot(&y);
        if cosine.abs() > 1e-6 {
            fields.fault("y", &Fault::FrameNotOrthogonal { cosine });
            return None;
        }
        let y = (y - x * cosine).normalize();
        return Some(Orientation::Axes([x.into(), y.into(), x.cross(&y).into()]));
    }
    Some(Orientation::Body)
}

/// Mass properties of a body.
pub(super) fn read_body(fields: &mut Fields, subject: &Subject, context: &mut Context) -> Option<BodyPart<Slot>> {
    let mass = amount(fields, context, ["mass", "mass_fraction"], "kg", (subject.mass, "mass"), true);
    let length = amount(fields, context, ["length", "length_fraction"], "m", (subject.height, "height"), false);
    let center = read_center(fields, context, length);
    let inertia = read_inertia(fields, context, length);
    Some(BodyPart { mass: mass?, center: center?, inertia: inertia? })
}

/// One of two fields: a quantity, or a fraction of something of the subject.
fn amount(
    fields: &mut Fields,
    context: &mut Context,
    [given, fraction]: [&'static str; 2],
    unit: &str,
    (whole, wants): (Option<Slot>, &'static str),
    required: bool,
) -> Option<Amount<Slot>> {
    match (fields.has(given), fields.has(fraction)) {
        (true, true) => {
            fields.fault(fraction, &Fault::BothGiven { one: given, other: fraction });
            None
        }
        (false, false) => {
            if required {
                fields.fault(given, &Fault::NeitherGiven { one: given, other: fraction });
            }
            None
        }
        (true, false) => context.quantity(fields, given, unit).map(Amount::Given),
        (false, true) => {
            let slot = context.quantity(fields, fraction, "1")?;
            match whole {
                Some(of) => Some(Amount::Fraction { fraction: slot, of }),
                None => {
                    fields.fault(fraction, &Fault::NeedsSubject { field: fraction, wants });
                    None
                }
            }
        }
    }
}

fn read_center(fields: &mut Fields, context: &mut Context, length: Option<Amount<Slot>>) -> Option<Center<Slot>> {
    match (fields.has("center"), fields.has("center_fraction")) {
        (true, true) => {
            fields.fault("center_fraction", &Fault::BothGiven { one: "center", other: "center_fraction" });
            None
        }
        (false, false) => Some(Center::Given([Slot::Const(0.0); 3])),
        (true, false) => context.vector(fields, "center", "m").map(Center::Given),
        (false, true) => {
            let fraction = context.quantity(fields, "center_fraction", "1")?;
            let Some(length) = length else {
                fields.fault("center_fraction", &Fault::NeedsLength);
                return None;
            };
            let along = fields.direction("along").unwrap_or_else(|| vec![0.0, -1.0, 0.0]);
            let mut v = nalgebra::Vector3::zeros();
            along.iter().enumerate().for_each(|(k, x)| v[k] = *x);
            Some(Center::Fraction { fraction, length, along: v.normalize().into() })
        }
    }
}

fn read_inertia(fields: &mut Fields, context: &mut Context, length: Option<Amount<Slot>>) -> Option<Inertia<Slot>> {
    let path = fields.element().path();
    let planar = context.planar();
    match (fields.has("inertia"), fields.has("gyration_fraction")) {
        (true, true) => {
            fields.fault("gyration_fraction", &Fault::BothGiven { one: "inertia", other: "gyration_fraction" });
            None
        }
        // A body that cannot turn needs none; whether it can is known when the tree is (`tree_needs_inertia`).
        (false, false) => {
            context.without_inertia.push(fields.element().name.clone());
            Some(Inertia::Given([Slot::Const(0.0); 6]))
        }
        (true, false) => {
            let values = fields.numbers("inertia")?;
            check_inertia(fields, "inertia", &values, planar)?;
            if planar {
                // Out of the plane the moments never act; equal ones keep the spatial kernel regular.
                let zz = context.parameter_in(format!("{path}.inertia"), values[0].value, "kg m^2", Range::NON_NEGATIVE);
                return Some(Inertia::Given([zz, zz, zz, Slot::Const(0.0), Slot::Const(0.0), Slot::Const(0.0)]));
            }
            let mut slots = [Slot::Const(0.0); 6];
            for (k, (value, part)) in values.iter().zip(["xx", "yy", "zz", "xy", "xz", "yz"]).enumerate() {
                slots[k] = context.parameter(format!("{path}.inertia.{part}"), value.value, "kg m^2");
            }
            Some(Inertia::Given(slots))
        }
        (false, true) => {
            let values = fields.numbers("gyration_fraction")?;
            let Some(length) = length else {
                fields.fault("gyration_fraction", &Fault::NeedsLength);
                return None;
            };
            let single = values.len() == 1;
            if !single && (planar || values.len() != 3) {
                let expected = if planar { 1 } else { 3 };
                fields.fault("gyration_fraction", &Fault::WrongCount { what: "gyration fractions", expected, found: values.len() });
                return None;
            }
            let squares: Vec<Quantity> = values.iter().map(|q| Quantity { value: q.value * q.value, ..*q }).collect();
            if !single {
                check_inertia(fields, "gyration_fraction", &squares, false)?;
            }
            let mut fractions = [Slot::Const(0.0); 3];
            for k in 0..3 {
                fractions[k] = match (single, k) {
                    (true, 0) => context.parameter(format!("{path}.gyration_fraction"), values[0].value, "1"),
                    (true, _) => fractions[0],
                    (false, _) => context.parameter(format!("{path}.gyration_fraction.{}", ["x", "y", "z"][k]), values[k].value, "1"),
                };
            }
            Some(Inertia::Gyration { fractions, length })
        }
    }
}

/// Reports bodies without inertia that a joint turns, their own or one that carries them.
pub(super) fn tree_needs_inertia(
    elements: &[Element],
    joints: &[JointPart<Slot>],
    parent: &[u32],
    context: &Context,
    findings: &mut Findings,
) {
    let mut turned: Vec<Option<usize>> = vec![None; parent.len()];
    for (k, joint) in joints.iter().enumerate() {
        let turns = joint.motions.iter().any(|motion| match motion {
            MotionPart::Turn(_) | MotionPart::Ball => true,
            MotionPart::Function { turns, .. } => !turns.is_empty(),
            MotionPart::Slide(_) => false,
        });
        turned[k + 1] = if turns { Some(k) } else { turned[parent[k + 1] as usize] };
        let name = context.body_name(k as u32 + 1);
        let Some(by) = turned[k + 1].filter(|_| context.without_inertia.contains(&name)) else { continue };
        if let Some(element) = elements.iter().find(|element| element.name == name) {
            findings.push(element.at, element, "inertia", &Fault::TurnsWithoutInertia { joint: context.joint_names[by].clone() });
        }
    }
}

/// Principal moments must not be negative, nor one larger than the sum of the others.
fn check_inertia(fields: &mut Fields, name: &str, values: &[Quantity], planar: bool) -> Option<()> {
    let get = |k: usize| values.get(k).map_or(0.0, |q| q.value);
    let (reason, moments) = if planar {
        if get(0) >= 0.0 {
            return Some(());
        }
        (InertiaReason::Negative, vec![get(0)])
    } else {
        let tensor = Matrix3::new(get(0), get(3), get(4), get(3), get(1), get(5), get(4), get(5), get(2));
        let mut moments: Vec<f64> = tensor.symmetric_eigenvalues().iter().copied().collect();
        moments.sort_by(f64::total_cmp);
        // Printed tables are rounded: allow one part in a thousand of the largest.
        let slack = 1e-3 * moments[2].abs();
        if moments[0] < -1e-12 * moments[2].abs() || moments[2] < 0.0 {
            (InertiaReason::Negative, moments)
        } else if moments[2] > moments[0] + moments[1] + slack {
            (InertiaReason::Triangle, moments)
        } else {
            return Some(());
        }
    };
    fields.fault(name, &Fault::ImpossibleInertia { reason, values: moments });
    None
}
