//! What a page must know of a model beside its figure: where measured loads act, which coordinates are quaternions, where pressure mats lie, what muscles can do.
//! Not here: what can be drawn (`figure`), samples.
//! In: a system and the settings of its run. Out: facts, as JSON too.

use super::packed::{f64s_of, f64s_value};
use super::read::{Wrong, each, field, index, number, numbers_of, plain_text, text};
use crate::figure::{Figure, Pose, Spot};
use crate::label::Given;
use borelli_dynamics::System;
use borelli_dynamics::muscle::CurveSamples;
use borelli_dynamics::soft::{ContactPart, TargetPart};
use borelli_dynamics::system::Measure;
use borelli_math::{Mat3, Vec3};
use serde_json::{Value, json};

/// A pressure mat on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct MatPlace {
    /// Name.
    pub name: String,
    /// The half-space it lies on, among the surfaces of the figure.
    pub surface: usize,
    /// Place whose foot on the plane is the corner.
    pub spot: Spot,
    /// From the mat's axes to the body's.
    pub R_BM: Mat3<f64>,
}

impl MatPlace {
    /// Corner and directions of the two cell axes in the world, at the poses of a sample; none where the plane is none or bodies have no pose.
    pub fn in_world(&self, figure: &Figure, pose: impl Fn(usize) -> Option<Pose>) -> Option<(Vec3<f64>, [Vec3<f64>; 2])> {
        let (surface, body) = (&figure.surfaces[self.surface], pose(self.spot.body)?);
        let (n, height) = surface.plane(&pose(surface.spot.body)?)?;
        let place = Vec3::from_array(body.place(self.spot.at));
        let R = body.R * self.R_BM;
        Some((place - n.scale(n.dot(place) - height), [R.x, R.z]))
    }
}

/// What a muscle can do.
#[derive(Clone, Debug, PartialEq)]
pub struct MuscleFacts {
    /// Name; its columns begin with `muscle.NAME.`.
    pub name: String,
    /// Largest isometric force, N.
    pub force: f64,
    /// Optimal length of the fibres, m.
    pub fibre_length: f64,
    /// Largest shortening speed, optimal lengths per second.
    pub speed: f64,
    /// Its curves.
    pub curves: CurveSamples,
}

impl MuscleFacts {
    fn all(system: &System) -> Vec<MuscleFacts> {
        let forces = &system.numbers.forces;
        let samples = forces.muscle_samples().into_iter().map(|(_, curves)| curves);
        let of = |((name, size), curves): ((&str, borelli_dynamics::muscle::MuscleSize), CurveSamples)| MuscleFacts {
            name: name.to_string(),
            force: size.force,
            fibre_length: size.fibre_length,
            speed: size.speed,
            curves,
        };
        forces.muscles().into_iter().zip(samples).map(of).collect()
    }

    fn to_json(&self) -> Value {
        let CurveSamples { active, passive, speed } = &self.curves;
        let [active, passive, by_speed] = [active, passive, speed].map(|list| f64s_value(list));
        let (name, force, fibre_length, speed) = (&self.name, self.force, self.fibre_length, self.speed);
        json!({ "name": name, "force": force, "fibre_length": fibre_length, "speed": speed, "active": active, "passive": passive, "by_speed": by_speed })
    }

    fn from_json(value: &Value) -> Result<MuscleFacts, Wrong> {
        let curve = |key: &str| {
            let list = f64s_of(field(value, key)?).filter(|list| list.len() == CurveSamples::STEPS + 1);
            list.ok_or_else(|| format!("`{key}` is not a list of {} numbers", CurveSamples::STEPS + 1))
        };
        Ok(MuscleFacts {
            name: text(value, "name")?,
            force: number(value, "force")?,
            fibre_length: number(value, "fibre_length")?,
            speed: number(value, "speed")?,
            curves: CurveSamples { active: curve("active")?, passive: curve("passive")?, speed: curve("by_speed")? },
        })
    }
}

/// How gait laboratories show a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Clinical {
    /// The coordinate of the model.
    pub coordinate: String,
    /// What its angle is called, and positive in the direction of: `Hip flexion`.
    pub title: String,
    /// What turns the coordinate into that angle, 1 or -1.
    pub factor: f64,
    /// What its internal moment is called, `Hip extension moment`, positive against the angle; empty where none is shown.
    pub moment: String,
}

/// What a page must know of a model beside its figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Bodies that the loads of columns `load.NAME.…` act on.
    pub loads: Vec<(String, usize)>,
    /// Joints that turn every way, with the names of the four coordinates of their quaternions.
    pub rotations: Vec<(String, [String; 4])>,
    /// Pressure mats.
    pub mats: Vec<MatPlace>,
    /// Muscles, in the order of the model's laws.
    pub muscles: Vec<MuscleFacts>,
    /// Contacts of soft parts with the surface that each may touch, among those of the figure.
    pub soft_contacts: Vec<(String, usize)>,
    /// What the model calls its elements, by `section.NAME`.
    pub labels: Vec<(String, String)>,
    /// Coordinates with clinical signs, of a gait session; its page knows them, so they are not in the JSON.
    pub clinical: Vec<Clinical>,
}

impl Facts {
    /// Facts of a system. Loads that a study adds to a model are known from the settings of the run, which say what they act on.
    pub fn of(system: &System, settings: &[(String, String)]) -> Facts {
        let bodies = &system.names.bodies;
        let own = system.numbers.forces.load.iter().map(|load| (load.name.clone(), load.item.body()));
        let told = settings.iter().filter_map(|(key, value)| {
            let name = key.strip_prefix("load ")?.strip_suffix(" acts on")?;
            let body = value.strip_prefix('`')?.split('`').next()?;
            Some((name.to_string(), bodies.iter().position(|known| known == body)?))
        });
        // a load that was put on the foot that stands on the plate bears the name of its body
        let feet = bodies.iter().enumerate().skip(1).map(|(k, name)| (name.clone(), k));
        let coordinates = &system.names.coordinates;
        let rotations = coordinates.iter().enumerate().filter(|(k, c)| c.measure == Measure::Quaternion && starts(coordinates, *k));
        let rotation = |(k, _): (usize, &borelli_dynamics::system::CoordinateName)| {
            let names = [0, 1, 2, 3].map(|part| coordinates.get(k + part).map_or(String::new(), |c| c.name.clone()));
            (system.names.joints[coordinates[k].joint as usize].clone(), names)
        };
        let tree = &system.numbers.tree;
        let mat = |named: &borelli_dynamics::parts::Named<borelli_dynamics::contact::Mat<f64>>| {
            let place = named.item.place as usize;
            let body = system.numbers.place_body[place] as usize;
            MatPlace {
                name: named.name.clone(),
                surface: named.item.surface as usize,
                spot: Spot { body, at: tree.R_KB[body].transpose_mul(tree.place_p[place] - tree.p_KB[body]).to_array() },
                R_BM: tree.R_KB[body].transpose() * tree.place_R[place],
            }
        };
        let touched = |contact: &borelli_dynamics::parts::Named<ContactPart>| match contact.item.target {
            TargetPart::Surface(surface) => Some((contact.name.clone(), surface as usize)),
            TargetPart::Curve { .. } => None,
        };
        Facts {
            loads: own.chain(told).chain(feet).collect(),
            rotations: rotations.map(rotation).collect(),
            mats: system.numbers.contacts.mats.iter().map(mat).collect(),
            muscles: MuscleFacts::all(system),
            soft_contacts: system.parts.soft.contacts.iter().filter_map(touched).collect(),
            labels: system.report_labels.clone(),
            clinical: Vec::new(),
        }
    }

    /// What the model calls its elements.
    pub fn given(&self) -> Given<'_> {
        Given(&self.labels)
    }

    /// The body of a load.
    pub fn body_of(&self, load: &str) -> Option<usize> {
        self.loads.iter().find(|(name, _)| name == load).map(|(_, body)| *body)
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        let loads: Vec<Value> = self.loads.iter().map(|(name, body)| json!({ "name": name, "body": body })).collect();
        let rotations: Vec<Value> = self.rotations.iter().map(|(joint, names)| json!({ "joint": joint, "coordinates": names })).collect();
        let mat = |mat: &MatPlace| {
            let axes = [mat.R_BM.x, mat.R_BM.y, mat.R_BM.z].map(Vec3::to_array);
            json!({ "name": mat.name, "surface": mat.surface, "body": mat.spot.body, "at": mat.spot.at, "axes": axes })
        };
        let labels: Vec<Value> = self.labels.iter().map(|(of, label)| json!({ "of": of, "label": label })).collect();
        let (mats, muscles) =
            (self.mats.iter().map(mat).collect::<Vec<_>>(), self.muscles.iter().map(MuscleFacts::to_json).collect::<Vec<_>>());
        let touched: Vec<Value> = self.soft_contacts.iter().map(|(name, surface)| json!({ "name": name, "surface": surface })).collect();
        json!({ "loads": loads, "rotations": rotations, "mats": mats, "muscles": muscles, "soft_contacts": touched, "labels": labels })
    }

    /// From JSON; what they say must fit the figure.
    pub fn from_json(value: &Value, figure: &Figure) -> Result<Facts, Wrong> {
        let bodies = figure.bodies.len();
        let mat = |value: &Value| -> Result<MatPlace, Wrong> {
            let axes = each(value, "axes", |row| numbers_of::<3>(row, "axes"))?;
            let [x, y, z] = <[[f64; 3]; 3]>::try_from(axes).map_err(|_| "`axes` are not three rows".to_string())?.map(Vec3::from_array);
            Ok(MatPlace {
                name: text(value, "name")?,
                surface: index(value, "surface", figure.surfaces.len())?,
                spot: Spot { body: index(value, "body", bodies)?, at: numbers_of(field(value, "at")?, "at")? },
                R_BM: Mat3 { x, y, z },
            })
        };
        let rotation = |value: &Value| -> Result<(String, [String; 4]), Wrong> {
            let names = each(value, "coordinates", plain_text)?;
            Ok((text(value, "joint")?, names.try_into().map_err(|_| "`coordinates` are not four names".to_string())?))
        };
        Ok(Facts {
            loads: each(value, "loads", |load| Ok((text(load, "name")?, index(load, "body", bodies)?)))?,
            rotations: each(value, "rotations", rotation)?,
            mats: each(value, "mats", mat)?,
            muscles: each(value, "muscles", MuscleFacts::from_json)?,
            soft_contacts: each(value, "soft_contacts", |own| Ok((text(own, "name")?, index(own, "surface", figure.surfaces.len())?)))?,
            labels: each(value, "labels", |own| Ok((text(own, "of")?, text(own, "label")?)))?,
            clinical: Vec::new(),
        })
    }
}

/// Whether the first of the four parts of a quaternion stands at a place.
fn starts(coordinates: &[borelli_dynamics::system::CoordinateName], k: usize) -> bool {
    let parts = coordinates[..k].iter().rev().take_while(|c| c.measure == Measure::Quaternion && c.joint == coordinates[k].joint).count();
    parts.is_multiple_of(4)
}
