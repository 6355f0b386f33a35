//! Paths and what they bend around: elements of the sections `wrap` and `path`.
//! Not here: where a path lies (`force::path`, `wrap`).
//! In: elements. Out: wraps and lists of stops with parameter slots; then, with the start's pose, the sense in which strings go round cylinders.

use super::context::{Context, SoftPath, SoftPathPoint};
use super::fault::Fault;
use crate::force::{Lines, Paths, Stop, Wrap};
use crate::frames::Frames;
use crate::parts::{Named, Slot};
use crate::scene::{Inside, Point, Scene};
use crate::system::{Measure, Numbers, Skeleton};
use crate::wrap::{MOST, Manner, Obstacle, sense};
use borelli_math::function::Continuity;
use borelli_math::vec3;
use borelli_model::{Element, Field, FieldKind, Fields, Findings, Kind, Need, Range, Span, StopRef, number, number_of};

/// Fields of a path.
pub(super) static PATH: &[Field] = &[Field {
    name: "points",
    kind: FieldKind::Stops(STOP),
    need: Need::Required,
    doc: "two or more places in order, and tables for what lies between the first and the last: wraps, moving and conditional points",
}];

/// Fields of every wrap.
pub(super) static WRAP: &[Field] = &[Field {
    name: "at",
    kind: FieldKind::Place,
    need: Need::Required,
    doc: "place of its centre; a frame gives its axes, a cylinder is about Z",
}];

const fn length(name: &'static str, doc: &'static str) -> Field {
    number(name, "m", Range::POSITIVE, Need::Required, doc)
}

/// Shapes of wraps.
pub(super) static WRAPS: &[Kind] = &[
    Kind { name: "sphere", doc: "A sphere about its place", fields: &[length("radius", "radius")], planar: false, spatial: true },
    Kind {
        name: "cylinder",
        doc: "A cylinder about the axis Z of its place, as long as need be",
        fields: &[length("radius", "radius")],
        planar: false,
        spatial: true,
    },
    Kind { name: "circle", doc: "A circle about its place", fields: &[length("radius", "radius")], planar: true, spatial: false },
    Kind {
        name: "ellipsoid",
        doc: "An ellipsoid about its place",
        fields: &[length("a", "semi-axis along X"), length("b", "semi-axis along Y"), length("c", "semi-axis along Z")],
        planar: false,
        spatial: true,
    },
    Kind {
        name: "torus",
        doc: "A ring about the axis Z of its place, through which the path goes",
        fields: &[length("ring", "radius of the middle of the tube"), length("tube", "radius of the tube, less than that of the ring")],
        planar: false,
        spatial: true,
    },
];

const fn optional(name: &'static str, kind: FieldKind, doc: &'static str) -> Field {
    Field { name, kind, need: Need::Optional, doc }
}

/// Fields of a stop that is no plain place.
static STOP: &[Field] = &[
    optional("wrap", FieldKind::Wrap, "a wrap: the path bends around it where it is in the way"),
    optional("side", FieldKind::Direction, "of a wrap: direction in its frame in which the path goes round it"),
    number(
        "least_turn",
        "rad",
        Range::between(-std::f64::consts::TAU, 0.0),
        Need::Default(-std::f64::consts::FRAC_PI_3),
        "of a cylinder or circle: the angle about it from the point before to the point behind lies between this and a full turn more",
    ),
    optional("at", FieldKind::Place, "a place that the path passes only while `when` holds"),
    optional("when", FieldKind::Table(WHEN), "of a place: the range of a coordinate in which the path passes it"),
    optional("on", FieldKind::Body, "a point that moves on this body: `x`, `y` and, in space, `z` are functions of the coordinate `of`"),
    optional("x", FieldKind::Function { value: "m" }, "of a moving point: its place along X of the body"),
    optional("y", FieldKind::Function { value: "m" }, "of a moving point: along Y"),
    optional("z", FieldKind::Function { value: "m" }, "of a moving point: along Z"),
    optional("of", FieldKind::Coordinate, "of a moving point: the coordinate that it moves with"),
];

/// When a conditional point is there.
static WHEN: &[Field] = &[
    Field { name: "coordinate", kind: FieldKind::Coordinate, need: Need::Required, doc: "coordinate" },
    number_of("from", ["rad", "m"], Range::ANY, Need::Required, "first value at which the path passes the place"),
    number_of("to", ["rad", "m"], Range::ANY, Need::Required, "last value"),
    optional("jump", FieldKind::Choice(&["accept"]), "`accept`: the length of the path may jump where the place comes or goes"),
];

pub(super) fn read_wrap(element: &Element, context: &mut Context, findings: &mut Findings) {
    // The name is known even where the rest is at fault, so that paths are not blamed for it.
    let index = context.wraps.len() as u32;
    let kinds: Vec<&Kind> = WRAPS.iter().collect();
    let kind = Kind::find(element, &kinds, context.dimension, findings);
    let read = kind.and_then(|kind| {
        let mut fields = Fields::read(element, &[WRAP, kind.fields], context.dimension, findings);
        let at = context.place(&mut fields, "at");
        let obstacle = match kind.name {
            "sphere" => context.quantity(&fields, "radius", "m").map(|radius| Obstacle::Sphere { radius }),
            "ellipsoid" => {
                let axes = ["a", "b", "c"].map(|name| context.quantity(&fields, name, "m"));
                if let [Some(a), Some(b), Some(c)] = axes { Some(Obstacle::Ellipsoid { axes: [a, b, c] }) } else { None }
            }
            "torus" => match ["ring", "tube"].map(|name| context.quantity(&fields, name, "m")) {
                [Some(ring), Some(tube)] if context.value(tube) < context.value(ring) => Some(Obstacle::Torus { ring, tube }),
                [Some(_), Some(_)] => {
                    let (reason, advice) = ("the tube leaves no hole in the ring", "make `tube` smaller than `ring`");
                    fields.fault("tube", &Fault::BadShape { reason: reason.into(), advice: advice.into() });
                    None
                }
                _ => None,
            },
            _ => context.quantity(&fields, "radius", "m").map(|radius| Obstacle::Cylinder { radius }),
        };
        at.zip(obstacle)
    });
    let (at, obstacle) = read.unwrap_or((0, Obstacle::Sphere { radius: Slot::Const(1.0) }));
    context.wraps.push(Named { name: element.name.clone(), item: Wrap { at, obstacle } });
    context.wrap_index.insert(element.name.clone(), index);
}

pub(super) fn read_path(element: &Element, softs: &[String], context: &mut Context, findings: &mut Findings) {
    read_points(element, softs, context, findings);
    // What pulls along a path that is at fault is not blamed for it.
    if !context.paths.contains_key(&element.name) {
        context.faulty_paths.push(element.name.clone());
    }
}

fn read_points(element: &Element, softs: &[String], context: &mut Context, findings: &mut Findings) {
    let fields = Fields::read(element, &[PATH], context.dimension, findings);
    let Some(list) = fields.stops("points") else { return };
    if list.iter().any(|stop| matches!(stop, StopRef::Place(place, _) if softs.contains(&place.body))) {
        return read_soft_path(element, &list, softs, context, findings);
    }
    let (mut stops, mut spans) = (Vec::with_capacity(list.len()), Vec::with_capacity(list.len()));
    let mut complete = true;
    for (k, stop) in list.iter().enumerate() {
        let (found, at) = match stop {
            StopRef::Place(place, at) => {
                let found = context.place_at(place).map_err(|fault| findings.push(*at, element, "points", &fault)).ok();
                (found.map(Stop::Place), *at)
            }
            StopRef::Table(table) => (read_stop(table, k + 1, context, findings), table.at),
        };
        let ends = k == 0 || k + 1 == list.len();
        match found {
            Some(Stop::Wrap { .. } | Stop::When { .. }) if ends => {
                let wrap = matches!(found, Some(Stop::Wrap { .. }));
                findings.push(at, element, "points", &Fault::BadPathEnd { wrap, first: k == 0 });
                complete = false;
            }
            Some(stop) => stops.push(stop),
            None => complete = false,
        }
        spans.push(at);
    }
    if !complete {
        return;
    }
    let twice = (1..stops.len()).find(|k| stops[k - 1] == stops[*k] && matches!(stops[*k], Stop::Place(_)));
    if let Some(first) = twice {
        return findings.push(fields_span(element), element, "points", &Fault::CoincidentPathPoints { first });
    }
    let mut waiting = 0;
    for (stop, at) in stops.iter().zip(&spans) {
        match stop {
            Stop::Wrap { .. } => waiting += 1,
            Stop::When { .. } => {}
            Stop::Place(_) | Stop::Moving { .. } => waiting = 0,
        }
        if waiting > MOST {
            return findings.push(*at, element, "points", &Fault::TooManyWraps { most: MOST });
        }
    }
    let index = context.path_stops.len() as u32;
    context.path_stops.push(stops);
    context.path_spans.push(spans);
    context.paths.insert(element.name.clone(), index);
}

/// A path that runs over nodes of soft parts: to the tree it is one of given length, and its nodes are found when soft parts are read.
fn read_soft_path(element: &Element, list: &[StopRef], softs: &[String], context: &mut Context, findings: &mut Findings) {
    let mut points = Vec::with_capacity(list.len());
    for stop in list {
        let found = match stop {
            StopRef::Place(place, at) if softs.contains(&place.body) && !context.bodies.contains_key(&place.body) => {
                Ok((SoftPathPoint::Node(place.body.clone(), place.spot.clone().unwrap_or_default()), *at))
            }
            StopRef::Place(place, at) => {
                context.place_at(place).map(|index| (SoftPathPoint::Place(index), *at)).map_err(|fault| (fault, *at))
            }
            StopRef::Table(table) => Err((Fault::TableOnSoftPath, table.at)),
        };
        match found {
            Ok(point) => points.push(point),
            Err((fault, at)) => findings.push(at, element, "points", &fault),
        }
    }
    if points.len() < list.len() {
        return;
    }
    let path = context.path_stops.len() as u32;
    context.soft_paths.push(SoftPath { name: element.name.clone(), path, points });
    context.path_stops.push(Vec::new());
    context.path_spans.push(Vec::new());
    context.paths.insert(element.name.clone(), path);
}

fn fields_span(element: &Element) -> Span {
    element.value("points").map_or(element.at, |value| value.at)
}

/// A stop given as a table; `number` counts from one.
fn read_stop(table: &Element, number: usize, context: &mut Context, findings: &mut Findings) -> Option<Stop<Slot>> {
    let mut fields = Fields::read(table, &[STOP], context.dimension, findings);
    let kinds = ["wrap", "at", "on"].map(|name| fields.has(name));
    if kinds.iter().filter(|there| **there).count() != 1 {
        fields.findings().push(table.at, table, "points", &Fault::BadStop);
        return None;
    }
    let own: &[&str] = match kinds {
        [true, ..] => &["wrap", "side", "least_turn"],
        [_, true, _] => &["at", "when"],
        _ => &["on", "x", "y", "z", "of"],
    };
    if let Some(entry) = table.fields.iter().find(|entry| STOP.iter().any(|f| f.name == entry.key) && !own.contains(&entry.key.as_str())) {
        fields.findings().push(
            entry.key_at,
            table,
            "points",
            &Fault::FieldOfOtherStop { field: entry.key.clone(), of: own[0].to_string() },
        );
        return None;
    }
    let path = format!("{}.{number}", table.path());
    match kinds {
        [true, ..] => {
            let (name, at) = fields.name("wrap")?;
            let Some(wrap) = context.wrap_index.get(&name).copied() else {
                let fault = context.unknown_wrap(name);
                fields.findings().push(at, table, "points", &fault);
                return None;
            };
            let side = fields.direction("side").map(|d| vec3(d[0], d[1], d.get(2).copied().unwrap_or(0.0)));
            let round = matches!(context.wraps[wrap as usize].item.obstacle, Obstacle::Cylinder { .. });
            if round && side.is_none() {
                if !fields.has("side") {
                    fields.findings().push(table.at, table, "points", &Fault::SideMissing { wrap: name });
                }
                return None;
            }
            let least_turn = context.quantity_at(&fields, &path, "least_turn", "rad")?;
            Some(Stop::Wrap { wrap, manner: Manner { side, sense: 1.0, least_turn } })
        }
        [_, true, _] => {
            let place = context.place(&mut fields, "at");
            let Some(when) = fields.table("when") else {
                if !fields.has("when") {
                    return place.map(Stop::Place);
                }
                return None;
            };
            // Its faults are told as those of the path.
            let when = Element { section: table.section, name: table.name.clone(), ..when };
            let mut when = Fields::read(&when, &[WHEN], context.dimension, fields.findings());
            let coordinate = context.coordinate(&mut when, "coordinate")?;
            let unit = if coordinate.measure == Measure::Angle { "rad" } else { "m" };
            let ends = ["from", "to"].map(|name| when.quantity_in(name, unit));
            let [Some(from), Some(to)] = ends else { return None };
            if !(from.value < to.value) {
                when.fault("to", &Fault::EmptyRange { lower: from.value, upper: to.value, unit });
                return None;
            }
            let range = [("from", from), ("to", to)].map(|(name, end)| context.parameter(format!("{path}.{name}"), end.value, unit));
            if when.choice("jump").is_some() {
                let own = (context.path_stops.len(), number - 1);
                context.accepted_jumps.push(own);
            }
            Some(Stop::When { place: place?, coord: coordinate.coord, range })
        }
        _ => {
            let body = context.body(&mut fields, "on");
            let of = context.coordinate(&mut fields, "of");
            let names: &[&'static str] = if context.planar() { &["x", "y"] } else { &["x", "y", "z"] };
            if context.planar() && fields.has("z") {
                let at = fields.span_of("z");
                fields.findings().push(at, table, "points", &Fault::FieldOfOtherDimension { field: "z", dimension: "planar" });
                return None;
            }
            let missing = names.iter().chain(&["of"]).find(|name| !fields.has(name));
            if let Some(name) = missing {
                fields.findings().push(table.at, table, "points", &Fault::MovingWithout { field: name });
                return None;
            }
            let mut functions = [None; 3];
            let argument = of.map_or("rad", |of| if of.measure == Measure::Angle { "rad" } else { "m" });
            for (k, name) in names.iter().enumerate() {
                let (reference, at) = (fields.function(name)?, fields.span_of(name));
                functions[k] = context.function_reference(&mut fields, "points", at, &format!("{path}.{name}"), reference, argument, "m");
            }
            if context.planar() {
                functions[2] = Some(context.zero_function());
            }
            let [Some(x), Some(y), Some(z)] = functions else { return None };
            for (name, function) in names.iter().zip([x, y, z]) {
                let info = context.function_info(function);
                if info.continuity < Continuity::C1 {
                    let at = fields.span_of(name);
                    fields.findings().push(at, table, "points", &Fault::MovingPointNotSmooth { axis: name, point: number });
                }
            }
            let (body, of) = (body?, of?);
            Some(Stop::Moving { body, functions: [x, y, z], coord: of.coord, dof: of.dof })
        }
    }
}

/// The sense of every string that goes round a cylinder or circle, from its side and where the point before it is at the start. `spans` are those of the stops.
pub(super) fn settle(
    paths: &mut Paths<Slot>,
    skeleton: &Skeleton,
    numbers: &mut Numbers<f64>,
    q: &[f64],
    spans: &[Vec<Span>],
    names: &[String],
    findings: &mut Findings,
) {
    let still = vec![0.0; skeleton.dofs()];
    let mut frames = Frames::new(skeleton);
    frames.fill::<f64, false>(skeleton, &numbers.tree, q, &still, &[]);
    frames.fill_points(skeleton);
    let mut found = Vec::new();
    {
        let scene = Scene { skeleton, numbers, frames: &frames, q, v: &still, vdot: &[], t: 0.0, inside: Inside::NONE };
        for (path, stops) in numbers.paths.list.iter().enumerate() {
            let mut before: Option<Point<f64>> = None;
            for (k, stop) in stops.iter().enumerate() {
                match stop {
                    Stop::Wrap { wrap, manner } => {
                        let Wrap { at, obstacle } = numbers.paths.wraps[*wrap as usize].item;
                        if let (Obstacle::Cylinder { .. }, Some(side), Some(before)) = (obstacle, manner.side, before) {
                            let from = scene.axes(at).transpose_mul(before.p_W - scene.point(at).p_W);
                            found.push((path, k, sense(from, side), *wrap));
                        }
                    }
                    // A point that is not there at the start says nothing of how the string lies then.
                    Stop::When { coord, range: [from, to], .. } if !(*from <= q[*coord as usize] && q[*coord as usize] <= *to) => {}
                    Stop::Place(place) | Stop::When { place, .. } => before = Some(scene.point(*place)),
                    Stop::Moving { .. } => before = crate::force::moving_point(&scene, stop),
                }
            }
        }
    }
    for (path, k, sense, wrap) in found {
        let Some(sense) = sense else {
            let wrap = paths.wraps[wrap as usize].name.clone();
            let side = if let Stop::Wrap { manner, .. } = &paths.list[path][k] { manner.side } else { None };
            let of_axis = side.is_some_and(|side| side.x.hypot(side.y) <= 1e-9 * side.norm());
            findings.push(spans[path][k], format!("path.{}", names[path]), "points", &Fault::SideAlong { wrap, of_axis });
            continue;
        };
        sense_of(&mut paths.list[path][k]).into_iter().for_each(|own| *own = sense);
        sense_of(&mut numbers.paths.list[path][k]).into_iter().for_each(|own| *own = sense);
    }
}

/// A jump of a length below this, m, is not worth a word; above the second it must be accepted.
const JUMPS: [f64; 2] = [1e-4, 1e-3];

/// How far lengths jump where conditional points come or go, other coordinates as at the start. `accepted`: by path and stop.
pub(super) fn look_for_jumps(
    skeleton: &Skeleton,
    numbers: &Numbers<f64>,
    q: &[f64],
    spans: &[Vec<Span>],
    accepted: &[(usize, usize)],
    names: &[String],
    findings: &mut Findings,
) {
    let still = vec![0.0; skeleton.dofs()];
    let (mut frames, mut lines, mut q) = (Frames::new(skeleton), Lines::new(&numbers.paths), q.to_vec());
    for (path, stops) in numbers.paths.list.iter().enumerate() {
        for (k, stop) in stops.iter().enumerate() {
            let Stop::When { coord, range: [from, to], .. } = *stop else { continue };
            let coord = coord as usize;
            let before = q[coord];
            let mut length = |x: f64| {
                q[coord] = x;
                frames.fill::<f64, false>(skeleton, &numbers.tree, &q, &still, &[]);
                frames.fill_points(skeleton);
                lines.fill(&Scene { skeleton, numbers, frames: &frames, q: &q, v: &still, vdot: &[], t: 0.0, inside: Inside::NONE });
                lines.length[path]
            };
            // Beyond an end by what changes no length.
            const BEYOND: f64 = 1e-9;
            for (end, jump) in [("from", length(from) - length(from - BEYOND)), ("to", length(to) - length(to + BEYOND))] {
                let jump = jump.abs();
                let hard = jump > JUMPS[1] && !accepted.contains(&(path, k));
                if hard || jump > JUMPS[0] {
                    let fault = Fault::ConditionalJump { point: k + 1, end, jump, hard };
                    findings.push(spans[path][k], format!("path.{}", names[path]), "points", &fault);
                }
            }
            q[coord] = before;
        }
    }
}

/// The sense of a stop that is a wrap.
fn sense_of<N>(stop: &mut Stop<N>) -> Option<&mut f64> {
    if let Stop::Wrap { manner, .. } = stop { Some(&mut manner.sense) } else { None }
}
