//! A figure as JSON and back: the same object stands in the page and in `figure.json` of a folder of results.
//! Not here: motion, what a run adds to a figure (`facts`).
//! In: a figure. Out: JSON with places `[body, x, y, z]`, and the figure again, bit for bit.

use super::packed::{f32s_of, f32s_value, u32s_of, u32s_value};
use super::read::{Wrong, each, field, index, number, numbers, numbers_of, plain_text, text, truth};
use crate::figure::{
    Cone, Ellipsoid, Figure, FigureBody, FigureHold, FigureJoint, FigureMarker, FigurePair, FigurePath, FigureSurface, FigureTurn,
    FigureWrap, Hull, Mesh, Solid, Spot,
};
use crate::label::{Given, Side, Sides, element, words_of};
use borelli_contact::shape::Shape;
use borelli_math::{Mat3, Vec3};
use serde_json::{Value, json};
use std::sync::Arc;

/// A side as JSON.
pub(super) fn side_json(side: Option<Side>) -> Value {
    side.map_or(Value::Null, |side| json!(side.word()))
}

/// A side again.
fn side_from(value: &Value) -> Result<Option<Side>, Wrong> {
    match value.as_str() {
        _ if value.is_null() => Ok(None),
        Some("left") => Ok(Some(Side::Left)),
        Some("right") => Ok(Some(Side::Right)),
        _ => Err(format!("there is no side {value}")),
    }
}

fn spot_json(spot: &Spot) -> Value {
    json!([spot.body, spot.at[0], spot.at[1], spot.at[2]])
}

/// Rows of a matrix, one after the other.
fn rows(matrix: &Mat3<f64>) -> [[f64; 3]; 3] {
    let rows = matrix.transpose();
    [rows.x, rows.y, rows.z].map(Vec3::to_array)
}

fn of_rows(rows: [[f64; 3]; 3]) -> Mat3<f64> {
    let [x, y, z] = rows.map(Vec3::from_array);
    Mat3 { x, y, z }.transpose()
}

/// The meshes of a figure as they are met, and where.
#[derive(Default)]
struct Meshes(Vec<Value>);

impl Meshes {
    /// Its number among the meshes.
    fn add(&mut self, mesh: &Mesh) -> usize {
        let triangles = mesh.triangles.as_flattened();
        self.0.push(json!({ "vertices": f32s_value(mesh.vertices.as_flattened()), "triangles": u32s_value(triangles) }));
        self.0.len() - 1
    }
}

/// A mesh again.
fn mesh_of(value: &Value) -> Result<Arc<Mesh>, Wrong> {
    let wrong = || "`meshes` hold no triangles of finite corners".to_string();
    let vertices = f32s_of(field(value, "vertices")?).filter(|list| list.iter().all(|x| x.is_finite())).ok_or_else(wrong)?;
    let triangles = u32s_of(field(value, "triangles")?).ok_or_else(wrong)?;
    let ((vertices, rest), (triangles, others)) = (vertices.as_chunks::<3>(), triangles.as_chunks::<3>());
    let known = triangles.as_flattened().iter().all(|k| (*k as usize) < vertices.len());
    if !(rest.is_empty() && others.is_empty() && known) {
        return Err(wrong());
    }
    Ok(Arc::new(Mesh { vertices: vertices.to_vec(), triangles: triangles.to_vec() }))
}

fn solid_json(solid: &Solid, meshes: &mut Meshes) -> Value {
    match solid {
        Solid::Cone(Cone { a, b, ra, rb, belly }) => json!({ "kind": "cone", "a": a, "b": b, "ra": ra, "rb": rb, "belly": belly }),
        Solid::Ellipsoid(Ellipsoid { at, axes, half, power }) => {
            json!({ "kind": "ellipsoid", "at": at, "axes": rows(axes).concat(), "half": half, "power": power })
        }
        Solid::Hull(Hull { points, radius }) => json!({ "kind": "hull", "points": points, "radius": radius }),
        Solid::Mesh(mesh) => {
            json!({ "kind": "mesh", "mesh": meshes.add(mesh), "at": [0.0, 0.0, 0.0], "axes": rows(&Mat3::IDENTITY).concat() })
        }
    }
}

fn solid_of(value: &Value, meshes: &[Arc<Mesh>]) -> Result<Solid, Wrong> {
    let kind = text(value, "kind")?;
    match kind.as_str() {
        "cone" => Ok(Solid::Cone(Cone {
            a: numbers(value, "a")?,
            b: numbers(value, "b")?,
            ra: number(value, "ra")?,
            rb: number(value, "rb")?,
            belly: number(value, "belly")?,
        })),
        "ellipsoid" => {
            let [a, b, c, d, e, f, g, h, i] = numbers(value, "axes")?;
            let (at, half, power) = (numbers(value, "at")?, numbers(value, "half")?, number(value, "power")?);
            Ok(Solid::Ellipsoid(Ellipsoid { at, axes: of_rows([[a, b, c], [d, e, f], [g, h, i]]), half, power }))
        }
        "hull" => {
            Ok(Solid::Hull(Hull { points: each(value, "points", |point| numbers_of(point, "points"))?, radius: number(value, "radius")? }))
        }
        "mesh" => Ok(Solid::Mesh(meshes[index(value, "mesh", meshes.len())?].clone())),
        _ => Err(format!("there is no solid `{kind}`")),
    }
}

fn body_json(body: &FigureBody, given: Given, meshes: &mut Meshes) -> Value {
    let points: Vec<Value> = body.points.iter().map(|(name, at)| json!({ "name": name, "label": element(name), "at": at })).collect();
    json!({
        "name": body.name,
        "label": given.element("body", &body.name, body.side),
        "side": side_json(body.side),
        "mass": body.mass,
        "center": body.center,
        "inertia": body.inertia,
        "points": points,
        "depth": body.depth,
        "solids": body.solids.iter().map(|solid| solid_json(solid, meshes)).collect::<Vec<_>>(),
    })
}

fn body_of(value: &Value, meshes: &[Arc<Mesh>]) -> Result<FigureBody, Wrong> {
    let (name, side) = (text(value, "name")?, side_from(field(value, "side")?)?);
    Ok(FigureBody {
        label: words_of(&name, side),
        side,
        mass: number(value, "mass")?,
        center: numbers(value, "center")?,
        inertia: numbers(value, "inertia")?,
        depth: number(value, "depth")?,
        solids: each(value, "solids", |solid| solid_of(solid, meshes))?,
        points: each(value, "points", |point| Ok((text(point, "name")?, numbers(point, "at")?)))?,
        name,
    })
}

fn surface_json(surface: &FigureSurface, side: Option<Side>, given: Given) -> Value {
    let kind = surface.shape.kind();
    json!({
        "name": surface.name,
        "label": given.element("surface", &surface.name, side),
        "side": side_json(side),
        "kind": kind.name,
        "spot": spot_json(&surface.spot),
        "axes": rows(&surface.R_BS),
        "parameters": surface.shape.parameters()[..kind.parameters.len()],
    })
}

/// What a figure looks like. `height`: the measure in which sizes of what is drawn are told, m; `given`: what the model calls its elements.
pub fn figure_json(figure: &Figure, height: f64, given: Given) -> Value {
    let named = |section: &str, name: &str, sides: &Sides| {
        let side = sides.of(name);
        (json!(name), json!(given.element(section, name, side)), side_json(side))
    };
    let [joints, paths, rods, pairs, markers] = [
        Sides::among(figure.joints.iter().map(|joint| joint.name.as_str())),
        Sides::among(figure.paths.iter().map(|path| path.name.as_str())),
        Sides::among(figure.rods.iter().map(|rod| rod.name.as_str())),
        Sides::among(figure.pairs.iter().map(|pair| pair.name.as_str())),
        Sides::among(figure.markers.iter().map(|marker| marker.name.as_str())),
    ];
    let wraps = Sides::among(figure.wraps.iter().map(|wrap| wrap.name.as_str()));
    let held = Sides::among(figure.holds.iter().map(|hold| hold.element.as_str()));
    let surfaces = figure.surface_sides();
    let line = |section: &str, path: &FigurePath, sides: &Sides| {
        let (name, label, side) = named(section, &path.name, sides);
        let points: Vec<Value> = path.points.iter().map(spot_json).collect();
        json!({ "name": name, "label": label, "side": side, "element": path.element, "points": points })
    };
    let joint = |joint: &FigureJoint| {
        let ((name, label, side), kind) = (named("joint", &joint.name, &joints), &joint.kind);
        let turn = |turn: &FigureTurn| json!({ "speed": turn.speed, "coordinate": turn.coordinate, "axis": turn.axis });
        let turns: Vec<Value> = joint.turns.iter().map(turn).collect();
        let (parent, child) = (spot_json(&joint.parent), spot_json(&joint.child));
        json!({ "name": name, "label": label, "side": side, "kind": kind, "parent": parent, "child": child, "turns": turns })
    };
    let hold = |hold: &FigureHold| {
        let (section, name) = hold.element.split_once('.').unwrap_or(("loop", &hold.element));
        let label = given.element(section, name, held.of(&hold.element));
        json!({ "element": hold.element, "label": label, "kind": hold.kind, "a": hold.a.as_ref().map(spot_json), "b": spot_json(&hold.b) })
    };
    let pair = |pair: &FigurePair| {
        let (name, label, side) = named("contact", &pair.name, &pairs);
        json!({ "name": name, "label": label, "side": side, "first": pair.first, "second": pair.second })
    };
    let marker = |marker: &FigureMarker| {
        // names of markers such as LASI hide the side, which their body may tell
        let own = markers.of(&marker.name);
        let side = own.or(figure.bodies[marker.spot.body].side);
        json!({ "name": marker.name, "label": given.element("marker", &marker.name, own), "side": side_json(side), "at": spot_json(&marker.spot) })
    };
    let mut meshes = Meshes::default();
    let bodies: Vec<Value> = figure.bodies.iter().map(|body| body_json(body, given, &mut meshes)).collect();
    let wrap = |own: &FigureWrap| {
        let (name, label, side) = named("wrap", &own.name, &wraps);
        let solids: Vec<Value> = own.solids.iter().map(|solid| solid_json(solid, &mut meshes)).collect();
        json!({ "name": name, "label": label, "side": side, "body": own.body, "solids": solids })
    };
    let wraps: Vec<Value> = figure.wraps.iter().map(wrap).collect();
    json!({
        "planar": figure.planar,
        "up": figure.up,
        "forward": figure.forward,
        "right": figure.right,
        "gravity": figure.gravity,
        "height": height,
        "machine": figure.machine,
        "sided": figure.sided,
        "bodies": bodies,
        "meshes": meshes.0,
        "notes": figure.notes,
        "joints": figure.joints.iter().map(joint).collect::<Vec<_>>(),
        "paths": figure.paths.iter().map(|path| line("path", path, &paths)).collect::<Vec<_>>(),
        "rods": figure.rods.iter().map(|rod| line("loop", rod, &rods)).collect::<Vec<_>>(),
        "wraps": wraps,
        "holds": figure.holds.iter().map(hold).collect::<Vec<_>>(),
        "surfaces": figure.surfaces.iter().map(|surface| surface_json(surface, surfaces.of(&surface.name), given)).collect::<Vec<_>>(),
        "pairs": figure.pairs.iter().map(pair).collect::<Vec<_>>(),
        "markers": figure.markers.iter().map(marker).collect::<Vec<_>>(),
    })
}

/// Kinds of what holds places, as figures call them.
const HOLDS: [&str; 5] = ["coincident", "ball", "hinge", "weld", "point"];

/// The figure again.
pub fn figure_of(value: &Value) -> Result<Figure, Wrong> {
    let meshes = each(value, "meshes", mesh_of)?;
    let bodies: Vec<FigureBody> = each(value, "bodies", |body| body_of(body, &meshes))?;
    let count = bodies.len();
    let spot = |value: &Value| -> Result<Spot, Wrong> {
        let [body, x, y, z] = numbers_of(value, "place")?;
        let found = (0..count).find(|k| *k as f64 == body).ok_or_else(|| format!("there is no body {body}"))?;
        Ok(Spot { body: found, at: [x, y, z] })
    };
    let line = |value: &Value| -> Result<FigurePath, Wrong> {
        let element = field(value, "element")?;
        let element = if element.is_null() { None } else { Some(text(value, "element")?) };
        Ok(FigurePath { name: text(value, "name")?, points: each(value, "points", spot)?, element })
    };
    let wrap = |value: &Value| -> Result<FigureWrap, Wrong> {
        Ok(FigureWrap {
            name: text(value, "name")?,
            body: index(value, "body", count)?,
            solids: each(value, "solids", |solid| solid_of(solid, &meshes))?,
        })
    };
    let joint = |value: &Value| -> Result<FigureJoint, Wrong> {
        let (parent, child) = (spot(field(value, "parent")?)?, spot(field(value, "child")?)?);
        let turn = |value: &Value| -> Result<FigureTurn, Wrong> {
            let own = field(value, "coordinate")?;
            let coordinate = if own.is_null() { None } else { Some(text(value, "coordinate")?) };
            Ok(FigureTurn { speed: text(value, "speed")?, coordinate, axis: numbers(value, "axis")? })
        };
        Ok(FigureJoint { name: text(value, "name")?, kind: text(value, "kind")?, parent, child, turns: each(value, "turns", turn)? })
    };
    let hold = |value: &Value| -> Result<FigureHold, Wrong> {
        let (kind, a) = (text(value, "kind")?, field(value, "a")?);
        let kind = HOLDS.into_iter().find(|known| *known == kind).ok_or_else(|| format!("nothing holds by `{kind}`"))?;
        let a = if a.is_null() { None } else { Some(spot(a)?) };
        Ok(FigureHold { element: text(value, "element")?, kind, a, b: spot(field(value, "b")?)? })
    };
    let surface = |value: &Value| -> Result<FigureSurface, Wrong> {
        let (kind, axes) = (text(value, "kind")?, each(value, "axes", |row| numbers_of::<3>(row, "axes"))?);
        let kind = Shape::<f64>::find(&kind).ok_or_else(|| format!("there is no surface `{kind}`"))?;
        let parameters = each(value, "parameters", |x| x.as_f64().ok_or_else(|| "`parameters` are not numbers".to_string()))?;
        let shape = Some(parameters).filter(|list| list.len() == kind.parameters.len()).and_then(|list| Shape::build(kind, &list).ok());
        let shape = shape.ok_or_else(|| format!("`parameters` make no {}", kind.name))?;
        let axes: [[f64; 3]; 3] = axes.try_into().map_err(|_| "`axes` are not three rows".to_string())?;
        Ok(FigureSurface { name: text(value, "name")?, spot: spot(field(value, "spot")?)?, R_BS: of_rows(axes), shape })
    };
    let surfaces = each(value, "surfaces", surface)?;
    let pair = |value: &Value| -> Result<FigurePair, Wrong> {
        let [first, second] = ["first", "second"].map(|key| index(value, key, surfaces.len()));
        Ok(FigurePair { name: text(value, "name")?, first: first?, second: second? })
    };
    let marker = |value: &Value| -> Result<FigureMarker, Wrong> {
        Ok(FigureMarker { name: text(value, "name")?, spot: spot(field(value, "at")?)? })
    };
    Ok(Figure {
        planar: truth(value, "planar")?,
        up: numbers(value, "up")?,
        forward: numbers(value, "forward")?,
        right: numbers(value, "right")?,
        gravity: truth(value, "gravity")?,
        machine: truth(value, "machine")?,
        sided: truth(value, "sided")?,
        joints: each(value, "joints", joint)?,
        paths: each(value, "paths", line)?,
        rods: each(value, "rods", line)?,
        wraps: each(value, "wraps", wrap)?,
        holds: each(value, "holds", hold)?,
        pairs: each(value, "pairs", pair)?,
        markers: each(value, "markers", marker)?,
        notes: each(value, "notes", plain_text)?,
        surfaces,
        bodies,
    })
}
