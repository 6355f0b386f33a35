//! Surfaces, laws and contacts of a model file.
//! Not here: what shapes and laws are; they are looked up in their registries (`kinds`).
//! In: elements of sections `surface`, `law`, `contact` and `sensor`. Out: `Contacts` with parameter slots; every fault at its place.

use super::kinds::{Family, by_exponent, law_named, laws, surfaces};
use super::patch::{MOST_POINTS, semi_axes};
use super::{Contacts, ForceAt, Manner, NormalLaw, Pair, Partners, Surface, mat_read};
use crate::compile::{Context, Fault, bad_shape};
use crate::parts::{Named, Slot};
use borelli_contact::friction::Friction;
use borelli_contact::friction::spin::Spin;
use borelli_contact::normal::{LEAST_IMPACT_SPEED, Normal, REFERENCE_IMPACT_SPEED};
use borelli_contact::pressure::Foundation;
use borelli_contact::shape::Shape;
use borelli_contact::volume::{SecondMoment, Volumetric};
use borelli_math::Declaration;
use borelli_model::{
    Dimension, Element, Field, FieldKind, Fields, Findings, Kind, LawRef, Model, Need, Range, Span, number, parse_unit, suggest,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Fields of every surface.
pub(crate) static SURFACE: &[Field] =
    &[Field { name: "at", kind: FieldKind::Place, need: Need::Required, doc: "place of its centre; a frame gives its axes" }];

const fn optional(name: &'static str, kind: FieldKind, doc: &'static str) -> Field {
    Field { name, kind, need: Need::Optional, doc }
}

const fn speed(name: &'static str, default: f64, doc: &'static str) -> Field {
    number(name, "m/s", Range::POSITIVE, Need::Default(default), doc)
}

/// Fields of a contact.
pub(crate) static CONTACT: &[Field] = &[
    Field {
        name: "a",
        kind: FieldKind::NameOrNames,
        need: Need::Required,
        doc: "surface, or several, each against each of `b`; the same in both: each two of them",
    },
    Field { name: "b", kind: FieldKind::NameOrNames, need: Need::Required, doc: "surface, or several" },
    Field { name: "normal", kind: FieldKind::Law, need: Need::Required, doc: "law of the normal force" },
    optional("friction", FieldKind::Law, "law of friction; default none"),
    optional("spin", FieldKind::Law, "how a patch shares friction between sliding and spinning; default gyration"),
    optional(
        "force_at",
        FieldKind::Choice(&["a", "b", "middle"]),
        "surface on which the force acts; default the half-space, else midway between the surfaces",
    ),
    optional(
        "slip_at",
        FieldKind::Choice(&["point", "centre"]),
        "slip where the force acts (default), or at the centre of the shape that is no half-space, of two the one of `a`",
    ),
    optional(
        "second_moment",
        FieldKind::Choice(&["weighted", "oblique"]),
        "moment that resists rolling: weighted with depth (default), or as Brown 2017 has it",
    ),
    speed("least_speed", LEAST_IMPACT_SPEED, "smallest speed of impact that laws with restitution see"),
    speed("start_speed", REFERENCE_IMPACT_SPEED, "speed of impact of a touch that is there from the start"),
    number("least_force", "N", Range::NON_NEGATIVE, Need::Default(20.0), "normal force below which there is no centre of pressure"),
];

/// A law of any family.
#[derive(Clone, Copy)]
enum Law {
    Normal(Normal<Slot>),
    Volume(Volumetric<Slot>),
    Foundation(Foundation<Slot>),
    Friction(Friction<Slot>),
    Spin(Spin<Slot>),
}

/// Named laws; nothing for one that is at fault and has been reported.
type Laws = HashMap<String, Option<(Family, Law)>>;

/// Reads all surfaces, laws, contacts and the mats under them.
pub(crate) fn read(model: &Model, context: &mut Context, findings: &mut Findings) -> Contacts<Slot> {
    let mut contacts = Contacts::default();
    // Surfaces at fault keep their names, so that contacts are not blamed for them.
    let mut known: Vec<(String, Option<u32>)> = Vec::new();
    for element in &model.surfaces {
        let surface = read_surface(element, context, findings);
        known.push((element.name.clone(), surface.is_some().then_some(contacts.surfaces.len() as u32)));
        contacts.surfaces.extend(surface.map(|item| Named { name: element.name.clone(), item }));
    }
    let mut named = Laws::new();
    for element in &model.laws {
        named.insert(element.name.clone(), read_law(element, &element.path(), context, findings));
    }
    let mut paired = HashSet::new();
    for element in &model.contacts {
        read_contact(element, &known, &named, &mut paired, &mut contacts, context, findings);
    }
    contacts.partners = Arc::new(Partners::new(&contacts));
    for element in &model.sensors {
        mat_read::read(element, &known, &mut contacts, context, findings);
    }
    contacts
}

fn read_surface(element: &Element, context: &mut Context, findings: &mut Findings) -> Option<Surface<Slot>> {
    let kind = Kind::find(element, &surfaces(), context.dimension, findings)?;
    let mut fields = Fields::read(element, &[SURFACE, kind.fields], context.dimension, findings);
    let place = context.place(&mut fields, "at");
    let shape_kind = Shape::<f64>::find(kind.name)?;
    let mut numbers = Vec::new();
    let mut values = Vec::new();
    for parameter in shape_kind.parameters {
        values.push(fields.quantity(parameter.name).map(|q| q.value));
        numbers.push(slot(&mut fields, parameter, &element.path(), context));
    }
    let numbers: Vec<Slot> = numbers.into_iter().collect::<Option<_>>()?;
    let values: Vec<f64> = values.into_iter().collect::<Option<_>>()?;
    // The numbers are as many as the kind has; what is left to check are relations between them.
    let fault = Shape::build(shape_kind, &values).and_then(|shape| shape.check()).err();
    if let Some(fault) = fault {
        fields.fault("type", &bad_shape(&fault));
        return None;
    }
    if context.dimension == Dimension::Planar && fields.quantity("nz").is_some_and(|nz| nz.value != 0.0) {
        let reason = "its normal leads out of the plane of the model".into();
        fields.fault("nz", &Fault::BadShape { reason, advice: "leave `nz` out".into() });
        return None;
    }
    Some(Surface { place: place?, shape: Shape::build(shape_kind, &numbers).ok()?, plane: None })
}

/// A parameter of a law or shape as a parameter of the model.
fn slot(fields: &mut Fields, parameter: &Declaration, path: &str, context: &mut Context) -> Option<Slot> {
    let name = parameter.name;
    if !by_exponent(parameter) {
        return context.quantity_at(fields, path, name, parameter.unit);
    }
    let exponent = fields.quantity("exponent")?.value;
    // No unit has an exponent such as 1.867: there the number stands alone.
    let unit = Some(format!("N/m^{exponent}")).filter(|unit| parse_unit(unit).is_ok()).unwrap_or_else(|| "1".into());
    fields.quantity_in(name, &unit)?;
    context.quantity_at(fields, path, name, &unit)
}

fn read_law(element: &Element, path: &str, context: &mut Context, findings: &mut Findings) -> Option<(Family, Law)> {
    let kind = Kind::find(element, &laws(), context.dimension, findings)?;
    let (family, declared) = law_named(kind.name)?;
    let mut fields = Fields::read(element, &[kind.fields], context.dimension, findings);
    let number = &mut |parameter: &'static Declaration| slot(&mut fields, parameter, path, context);
    let law = match family {
        Family::Normal => Normal::build(kind.name, number).map(Law::Normal),
        Family::Volume => Volumetric::build(number).map(Law::Volume),
        Family::Foundation => Foundation::build(number).map(Law::Foundation),
        Family::Friction => Friction::build(kind.name, number).map(Law::Friction),
        Family::Spin => Spin::build(kind.name, number).map(Law::Spin),
    }?;
    // Ranges were checked one by one; what is left are relations between numbers.
    let values: Vec<f64> = declared.parameters.iter().map(|p| fields.quantity(p.name).map(|q| q.value)).collect::<Option<_>>()?;
    if let Some((field, fault)) = crate::compile::out_of_order(declared, &values) {
        fields.fault(field, &fault);
        return None;
    }
    Some((family, law))
}

/// The law a field of a contact asks for.
fn law_of(fields: &mut Fields, field: &'static str, wanted: &[Family], named: &Laws, context: &mut Context) -> Option<Law> {
    let (family, law) = match fields.law(field)? {
        LawRef::Inline(element) => {
            let path = format!("{}.{field}", fields.element().path());
            read_law(&element, &path, context, fields.findings())?
        }
        LawRef::Named(name, _) => match named.get(&name) {
            Some(law) => (*law)?,
            None => {
                let nearest = suggest(&name, named.keys().map(String::as_str)).map(str::to_string);
                fields.fault(field, &Fault::UnknownLaw { found: name, nearest });
                return None;
            }
        },
    };
    if !wanted.contains(&family) {
        fields.fault(field, &Fault::LawOfOtherFamily { is: family.word(), wanted: wanted[0].word() });
        return None;
    }
    Some(law)
}

fn read_contact(
    element: &Element,
    known: &[(String, Option<u32>)],
    named: &Laws,
    paired: &mut HashSet<[u32; 2]>,
    contacts: &mut Contacts<Slot>,
    context: &mut Context,
    findings: &mut Findings,
) {
    let mut fields = Fields::read(element, &[CONTACT], context.dimension, findings);
    let before = fields.findings().counts().0;
    let normal = law_of(&mut fields, "normal", &[Family::Normal, Family::Volume, Family::Foundation], named, context);
    let friction = law_of(&mut fields, "friction", &[Family::Friction], named, context);
    let spin = law_of(&mut fields, "spin", &[Family::Spin], named, context);
    let sides = ["a", "b"].map(|side| surfaces_of(&mut fields, side, known));
    let path = element.path();
    let least_speed = context.quantity_at(&fields, &path, "least_speed", "m/s");
    let start_speed = context.quantity_at(&fields, &path, "start_speed", "m/s");
    let least_force = fields.quantity("least_force").map(|q| q.value);
    let (Some(normal), [Some(a), Some(b)], Some(least_speed), Some(start_speed), Some(least_force)) =
        (normal, sides, least_speed, start_speed, least_force)
    else {
        return;
    };
    if fields.findings().counts().0 > before {
        return;
    }
    let closed_form = matches!(normal, Law::Volume(_));
    let volume = closed_form || matches!(normal, Law::Foundation(_));
    for (field, of_volume) in [("spin", true), ("second_moment", true), ("force_at", false), ("slip_at", false)] {
        if fields.has(field) && if of_volume { !closed_form } else { volume } {
            fields.fault(field, &Fault::OnlyWithVolume { field, volume: of_volume });
        }
    }
    let mut pairs = Vec::new();
    let is_one_set = is_one_set(&a, &b);
    for (k, &(one, at)) in a.iter().enumerate() {
        // Of a set against itself each two surfaces once.
        for &(other, _) in if is_one_set { &a[k + 1..] } else { &b[..] } {
            let of_one_body = || {
                context.body_of(contacts.surfaces[one as usize].item.place) == context.body_of(contacts.surfaces[other as usize].item.place)
            };
            if !(is_one_set && of_one_body()) {
                pairs.extend(pair(&mut fields, at, [one, other], volume, contacts, paired, context));
            }
        }
    }
    if pairs.is_empty() && fields.findings().counts().0 == before {
        fields.fault("b", &Fault::NoPairs);
        return;
    }
    if let Law::Foundation(law) = &normal {
        let widest = |pair: &Pair| {
            let axes = semi_axes(&contacts.surfaces[pair.first as usize].item.shape).map(|(axes, _)| [axes.a, axes.b, axes.c]);
            axes.map_or(0.0, |axes| axes.iter().fold(0.0, |most: f64, axis| most.max(context.value(*axis))))
        };
        let width = 2.0 * pairs.iter().map(widest).fold(0.0, f64::max);
        if !(width <= MOST_POINTS * context.value(law.pitch)) {
            fields.fault("normal", &Fault::TooManyPoints { width, pitch: context.value(law.pitch), most: MOST_POINTS });
        }
    }
    let moment = if fields.choice("second_moment") == Some("oblique") { SecondMoment::Oblique } else { SecondMoment::Weighted };
    let normal = match normal {
        Law::Normal(law) => NormalLaw::Point(law),
        Law::Volume(law) => NormalLaw::Volume { law, moment },
        Law::Foundation(law) => NormalLaw::Foundation(law),
        Law::Friction(_) | Law::Spin(_) => return,
    };
    let friction = if let Some(Law::Friction(law)) = friction { Some(law) } else { None };
    let spin = if let Some(Law::Spin(law)) = spin { Some(law) } else { default_spin(closed_form && friction.is_some()) };
    let slip_at_centre = fields.choice("slip_at") == Some("centre");
    contacts
        .manners
        .push(Named { name: element.name.clone(), item: Manner { normal, friction, spin, slip_at_centre, least_speed, start_speed } });
    contacts.pairs.extend(pairs);
    contacts.start.push(contacts.pairs.len() as u32);
    contacts.least_force.push(least_force);
}

/// Spinning friction at the radius of gyration, with its default numbers.
fn default_spin(wanted: bool) -> Option<Spin<Slot>> {
    if wanted { Spin::build("gyration", &mut |p: &'static Declaration| p.need.default().map(Slot::Const)) } else { None }
}

/// Whether both sides name the same surfaces, in any order.
fn is_one_set(a: &[(u32, Span)], b: &[(u32, Span)]) -> bool {
    let set = |side: &[(u32, Span)]| side.iter().map(|(surface, _)| *surface).collect::<BTreeSet<u32>>();
    set(a) == set(b)
}

/// The surfaces that a side of a contact names.
fn surfaces_of(fields: &mut Fields, side: &'static str, known: &[(String, Option<u32>)]) -> Option<Vec<(u32, Span)>> {
    let names = fields.names(side)?;
    let mut list = Vec::with_capacity(names.len());
    let mut complete = !names.is_empty();
    if names.is_empty() {
        fields.fault(side, &Fault::NoSurfaces);
    }
    for (name, at) in names {
        match known.iter().find(|(own, _)| *own == name) {
            Some((_, Some(index))) => list.push((*index, at)),
            Some((_, None)) => complete = false,
            None => {
                complete = false;
                let nearest = suggest(&name, known.iter().map(|(own, _)| own.as_str())).map(str::to_string);
                let element = fields.element();
                fields.findings().push(at, element, side, &Fault::UnknownSurface { found: name, nearest });
            }
        }
    }
    complete.then_some(list)
}

/// Two surfaces as a pair, a half-space second; reports why they cannot be one.
fn pair(
    fields: &mut Fields,
    at: Span,
    [one, other]: [u32; 2],
    volume: bool,
    contacts: &Contacts<Slot>,
    paired: &mut HashSet<[u32; 2]>,
    context: &Context,
) -> Option<Pair> {
    let surface = |k: u32| &contacts.surfaces[k as usize];
    let is_plane = |k: u32| matches!(surface(k).item.shape, Shape::HalfSpace(_));
    let is_point = |k: u32| matches!(surface(k).item.shape, Shape::Point(_));
    let (first, second) = if is_plane(one) { (other, one) } else { (one, other) };
    // The file speaks of the sides as it names them.
    let (on_a, on_b) = if first == one { (ForceAt::First, ForceAt::Second) } else { (ForceAt::Second, ForceAt::First) };
    let force_at = match fields.choice("force_at") {
        Some("a") => on_a,
        Some("b") => on_b,
        Some(_) => ForceAt::Middle,
        None if is_plane(second) => ForceAt::Second,
        None => ForceAt::Middle,
    };
    let bodies = [first, second].map(|k| context.body_of(surface(k).item.place));
    let new = Pair { first, second, contact: contacts.manners.len() as u32, force_at };
    let fault = if bodies[0] == bodies[1] {
        Some(Fault::SameBody { body: context.body_name(bodies[0]) })
    } else if is_plane(first) {
        Some(Fault::PairImpossible { reason: "two half-spaces always overlap", advice: "give one of them a shape" })
    } else if is_point(first) && is_point(second) {
        Some(Fault::PairImpossible { reason: "two points never overlap", advice: "give one of them a shape" })
    } else if volume && (semi_axes(&surface(first).item.shape).is_none() || !is_plane(second)) {
        Some(Fault::PairImpossible {
            reason: "a volume is known for a sphere or an ellipsoid against a half-space only",
            advice: "take another normal law, or other surfaces",
        })
    } else if !paired.insert([first.min(second), first.max(second)]) {
        Some(Fault::PairImpossible { reason: "this pair of surfaces stands in contact already", advice: "name it once" })
    } else {
        None
    };
    match fault {
        Some(fault) => {
            let element = fields.element();
            fields.findings().push(at, element, "a", &fault);
            None
        }
        None => Some(new),
    }
}
