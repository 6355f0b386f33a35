//! A generic model made as large as a person: factors of bodies from distances between markers, and what they do to the numbers of the model.
//! Not here: measuring distances in a recording, fitting the static pose.
//! In: a `System`, measured distances, factors by hand, the mass of the person. Out: new values of parameters by path, so that a scaled model is
//! `System::with_parameters` and can be written down as settings.
//!
//! A measurement's factor is the mean over its pairs of measured over modelled distance, the latter in the default pose. Factors s = (s_x, s_y, s_z) of a body
//! multiply what is written in its axes: points, origins of frames, markers, mass centre. Translations of function joints grow with the parent's factor along
//! them; translations that are coordinates stay. Several measurements for one body and axis: the last counts.

mod inertia;

use crate::frames::Frames;
use crate::kinematics::Target;
use crate::parts::{Amount, BodyPart, Center, Inertia, MotionPart, Slot};
use crate::system::{Marker, System};
use borelli_math::{Sym3, Vec3};
use borelli_model::{Explain, Severity};
pub use inertia::InertiaRule;

/// Factors beyond these ends are told.
const USUAL: (f64, f64) = (0.8, 1.25);
/// Sides that differ by more than this are told.
const SIDES: f64 = 0.03;

/// Distances between markers that give the factor of bodies.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Name, for messages.
    pub name: String,
    /// Pairs of markers (by name or label), and how far they were measured apart, m.
    pub pairs: Vec<(String, String, f64)>,
    /// Bodies, and which axes of them.
    pub bodies: Vec<(String, [bool; 3])>,
}

/// What a model is scaled by.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Measurements, in order.
    pub measurements: Vec<Measurement>,
    /// Factors of bodies by hand.
    pub manual: Vec<(String, [f64; 3])>,
    /// Factors by hand come first, and measurements override them; else the other way round.
    pub manual_first: bool,
    /// Mass of the whole model, kg; as the model has it, if none.
    pub mass: Option<f64>,
    /// Bodies keep their shares of the mass; else each first changes with its volume.
    pub preserve_distribution: bool,
    /// How inertias follow unequal factors.
    pub inertia: InertiaRule,
}

/// A measurement held against the model.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Name of the measurement.
    pub name: String,
    /// Measured and modelled distance of each pair, m.
    pub distances: Vec<(f64, f64)>,
    /// The factor.
    pub factor: f64,
}

/// A scaled model.
#[derive(Clone, Debug)]
pub struct Scaled {
    /// Factors of each body, world first.
    pub factors: Vec<[f64; 3]>,
    /// Values of all parameters, for [`System::with_parameters`].
    pub values: Vec<f64>,
    /// Those that changed: path and SI value.
    pub changes: Vec<(String, f64)>,
    /// Measurements.
    pub measured: Vec<Measured>,
    /// What is worth a look.
    pub notices: Vec<Notice>,
}

/// Why a model cannot be scaled, or what is worth a look.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // each variant's message says what its fields are
pub enum Notice {
    NoMarker { measurement: String, marker: String },
    NoPairs { measurement: String },
    BadDistance { measurement: String, pair: (String, String), measured: f64, model: f64 },
    BadFactor { body: String, factor: f64 },
    BadMass { mass: f64 },
    NoBody { by: String, body: String },
    FactorUnusual { measurement: String, factor: f64 },
    SidesDiffer { right: String, left: String, axis: char, factors: [f64; 2] },
    OneGyration { body: String },
    ObliqueLength { body: String },
    PlanarInertia { body: String },
}

impl Explain for Notice {
    fn code(&self) -> &'static str {
        use Notice::*;
        match self {
            NoMarker { .. } => "unknown-marker",
            NoPairs { .. } => "no-pairs",
            BadDistance { .. } => "bad-distance",
            BadFactor { .. } => "bad-factor",
            BadMass { .. } => "bad-mass",
            NoBody { .. } => "unknown-body",
            FactorUnusual { .. } => "unusual-factor",
            SidesDiffer { .. } => "sides-differ",
            OneGyration { .. } => "one-gyration-fraction",
            ObliqueLength { .. } => "oblique-length",
            PlanarInertia { .. } => "planar-inertia",
        }
    }

    fn message(&self) -> String {
        use Notice::*;
        match self {
            NoMarker { measurement, marker } => format!("measurement `{measurement}`: the model has no marker `{marker}`"),
            NoPairs { measurement } => format!("measurement `{measurement}` has no pair of markers"),
            BadDistance { measurement, pair: (a, b), measured, model } => {
                format!("measurement `{measurement}`: `{a}` and `{b}` are {measured} m apart, in the model {model} m")
            }
            BadFactor { body, factor } => format!("body `{body}` cannot be scaled by {factor}"),
            BadMass { mass } => format!("the mass of the person is {mass} kg"),
            NoBody { by, body } => format!("{by}: the model has no body `{body}`"),
            FactorUnusual { measurement, factor } => format!("measurement `{measurement}` gives a factor of {factor:.3}"),
            SidesDiffer { right, left, axis, factors: [r, l] } => {
                format!("`{right}` and `{left}` are scaled by {r:.3} and {l:.3} along {axis}")
            }
            OneGyration { body } => format!("`{body}` has one gyration fraction for all axes: unequal factors change it by their mean"),
            ObliqueLength { body } => format!("the length of `{body}` is along none of its axes: unequal factors would turn it"),
            PlanarInertia { body } => {
                format!("the inertia of `{body}` does not say how much of it lies along x and y: half each is assumed")
            }
        }
    }

    fn hint(&self) -> Option<String> {
        use Notice::*;
        let text = match self {
            NoMarker { .. } => "name markers as in the model or in the recording",
            NoPairs { .. } => "give at least one pair",
            BadDistance { .. } => "both distances must be positive: check the markers and the static trial",
            BadFactor { .. } => "factors are positive and finite",
            BadMass { .. } => "a mass is positive and finite",
            NoBody { .. } => "nothing is scaled by it",
            FactorUnusual { .. } => "below 0.8 or above 1.25: look for exchanged markers, wrong units or another person's trial",
            SidesDiffer { .. } => "more than 3 %: look at the markers of both sides",
            OneGyration { .. } => "give three gyration fractions or an inertia",
            ObliqueLength { .. } => "give mass centre and inertia in numbers",
            PlanarInertia { .. } => "equal factors along x and y leave no doubt",
        };
        Some(text.into())
    }

    fn severity(&self) -> Severity {
        use Notice::*;
        match self {
            NoMarker { .. } | NoPairs { .. } | BadDistance { .. } | BadFactor { .. } | BadMass { .. } => Severity::Error,
            _ => Severity::Warning,
        }
    }
}

/// Scales a model; the first error if it cannot be.
pub fn scale(system: &System, request: &Request) -> Result<Scaled, Notice> {
    let mut notices = Vec::new();
    let measured = measure(system, &request.measurements, &mut notices)?;
    let factors = factors(system, request, &measured, &mut notices)?;
    compare_sides(system, &factors, &mut notices);
    let old: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
    let mut values = old.clone();
    scale_places(system, &factors, &mut values);
    scale_functions(system, &factors, &old, &mut values);
    scale_masses(system, request, &factors, &old, &mut values, &mut notices)?;
    let changed = (0..old.len()).filter(|k| values[*k] != old[*k]);
    let changes = changed.map(|k| (system.parameters[k].path.clone(), values[k])).collect();
    Ok(Scaled { factors, values, changes, measured, notices })
}

/// Parameters (path and SI value) that put each marker which is not fixed and has a location of its own where it was measured, the model standing at `q`.
pub fn move_markers(system: &System, q: &[f64], targets: &[Target]) -> Vec<(String, f64)> {
    let frames = stand(system, q);
    let mut changes = Vec::new();
    for target in targets {
        let Some(marker) = system.markers.get(target.marker as usize).filter(|marker| !marker.fixed) else { continue };
        let place = &system.parts.places[marker.place as usize];
        let (b, tree) = (place.body as usize, &system.numbers.tree);
        let from_kernel = frames.R[b].transpose_mul(target.position - frames.p[b]);
        let location = tree.R_KB[b].transpose_mul(from_kernel - tree.p_KB[b]).to_array();
        for (slot, value) in place.position.iter().zip(location) {
            if let Slot::Param(k) = slot
                && system.parameters[*k as usize].path.starts_with("marker.")
            {
                changes.push((system.parameters[*k as usize].path.clone(), value));
            }
        }
    }
    changes
}

/// The tree at a pose.
fn stand(system: &System, q: &[f64]) -> Frames<f64> {
    let mut frames = Frames::new(&system.skeleton);
    frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, q, &vec![0.0; system.skeleton.dofs()], &[]);
    frames.fill_points(&system.skeleton);
    frames
}

/// Factors of measurements, distances of the model in its default pose.
fn measure(system: &System, measurements: &[Measurement], notices: &mut Vec<Notice>) -> Result<Vec<Measured>, Notice> {
    let q: Vec<f64> = system.coordinates.iter().map(|rule| rule.default).collect();
    let frames = stand(system, &q);
    let position = |marker: &Marker| -> Vec3<f64> {
        let body = system.numbers.place_body[marker.place as usize] as usize;
        frames.p[body] + frames.R[body] * system.numbers.tree.place_p[marker.place as usize]
    };
    let mut list = Vec::with_capacity(measurements.len());
    for Measurement { name, pairs, .. } in measurements {
        let find = |wanted: &String| {
            let named = system.names.markers.iter().position(|marker| marker == wanted);
            let found = named.or_else(|| system.markers.iter().position(|marker| marker.label == *wanted));
            found
                .map(|k| position(&system.markers[k]))
                .ok_or_else(|| Notice::NoMarker { measurement: name.clone(), marker: wanted.clone() })
        };
        let mut distances = Vec::with_capacity(pairs.len());
        for (a, b, measured) in pairs {
            let model = (find(a)? - find(b)?).norm();
            if !(*measured > 0.0 && measured.is_finite() && model > 1e-9) {
                return Err(Notice::BadDistance { measurement: name.clone(), pair: (a.clone(), b.clone()), measured: *measured, model });
            }
            distances.push((*measured, model));
        }
        if distances.is_empty() {
            return Err(Notice::NoPairs { measurement: name.clone() });
        }
        let factor = distances.iter().map(|(measured, model)| measured / model).sum::<f64>() / distances.len() as f64;
        if !(USUAL.0..=USUAL.1).contains(&factor) {
            notices.push(Notice::FactorUnusual { measurement: name.clone(), factor });
        }
        list.push(Measured { name: name.clone(), distances, factor });
    }
    Ok(list)
}

/// Factors of every body.
fn factors(system: &System, request: &Request, measured: &[Measured], notices: &mut Vec<Notice>) -> Result<Vec<[f64; 3]>, Notice> {
    let mut factors = vec![[1.0; 3]; system.names.bodies.len()];
    let body = |by: String, name: &String, notices: &mut Vec<Notice>| {
        let found = system.names.bodies.iter().skip(1).position(|body| body == name).map(|k| k + 1);
        if found.is_none() {
            notices.push(Notice::NoBody { by, body: name.clone() });
        }
        found
    };
    let by_hand = |factors: &mut Vec<[f64; 3]>, notices: &mut Vec<Notice>| -> Result<(), Notice> {
        for (name, given) in &request.manual {
            if let Some(factor) = given.iter().find(|factor| !(**factor > 0.0 && factor.is_finite())) {
                return Err(Notice::BadFactor { body: name.clone(), factor: *factor });
            }
            if let Some(b) = body("factors by hand".into(), name, notices) {
                factors[b] = *given;
            }
        }
        Ok(())
    };
    if request.manual_first {
        by_hand(&mut factors, notices)?;
    }
    for (measurement, measured) in request.measurements.iter().zip(measured) {
        for (name, axes) in &measurement.bodies {
            if let Some(b) = body(format!("measurement `{}`", measurement.name), name, notices) {
                (0..3).filter(|k| axes[*k]).for_each(|k| factors[b][k] = measured.factor);
            }
        }
    }
    if !request.manual_first {
        by_hand(&mut factors, notices)?;
    }
    Ok(factors)
}

/// Tells sides that differ: bodies whose names end in `_r` and `_l`.
fn compare_sides(system: &System, factors: &[[f64; 3]], notices: &mut Vec<Notice>) {
    for (right, name) in system.names.bodies.iter().enumerate() {
        let Some(stem) = name.strip_suffix("_r") else { continue };
        let other = format!("{stem}_l");
        let Some(left) = system.names.bodies.iter().position(|body| *body == other) else { continue };
        for (k, axis) in "xyz".chars().enumerate() {
            let (r, l) = (factors[right][k], factors[left][k]);
            if (r / l - 1.0).abs() > SIDES {
                notices.push(Notice::SidesDiffer { right: name.clone(), left: other.clone(), axis, factors: [r, l] });
                break;
            }
        }
    }
}

/// Points, origins of frames, meshes and markers.
fn scale_places(system: &System, factors: &[[f64; 3]], values: &mut [f64]) {
    let of_body = |name: &str| system.names.bodies.iter().position(|body| body == name);
    let of_marker = |name: &str| {
        let k = system.names.markers.iter().position(|marker| marker == name)?;
        Some(system.numbers.place_body[system.markers[k].place as usize] as usize)
    };
    for (parameter, value) in system.parameters.iter().zip(values) {
        let parts: Vec<&str> = parameter.path.split('.').collect();
        let (body, axis) = match parts[..] {
            ["body", body, "point", _, axis]
            | ["body", body, "frame", _, "origin", axis]
            | ["body", body, "mesh", "origin" | "scale", axis] => (of_body(body), axis),
            ["marker", marker, "location", axis] => (of_marker(marker), axis),
            _ => continue,
        };
        if let (Some(b), Some(k)) = (body, ["x", "y", "z"].iter().position(|a| *a == axis)) {
            *value *= factors[b][k];
        }
    }
}

/// Translations that are functions, by the factors of the parent along their directions.
fn scale_functions(system: &System, factors: &[[f64; 3]], old: &[f64], values: &mut [f64]) {
    for joint in &system.parts.joints {
        let (_, R) = joint.parent.pose(old);
        let s = factors[joint.parent.body as usize];
        for motion in &joint.motions {
            let MotionPart::Function { slides, .. } = motion else { continue };
            for (along, _, scale) in slides {
                let axis = (R * Vec3::from_array(*along)).to_array();
                // Along an axis of the parent its factor, else a mean weighted by the squares of direction cosines.
                let whole: f64 = axis.iter().map(|a| a * a).sum();
                let factor = axis.iter().zip(s).map(|(a, s)| a * a * s).sum::<f64>() / whole;
                if let Slot::Param(k) = scale {
                    values[*k as usize] *= factor;
                }
            }
        }
    }
}

/// Sets a parameter; constants of the format have nothing to set.
fn set(values: &mut [f64], slot: Slot, value: f64) {
    if let Slot::Param(k) = slot {
        values[k as usize] = value;
    }
}

/// Masses, mass centres and inertias.
fn scale_masses(
    system: &System,
    request: &Request,
    factors: &[[f64; 3]],
    old: &[f64],
    values: &mut [f64],
    notices: &mut Vec<Notice>,
) -> Result<(), Notice> {
    let properties: Vec<(f64, Vec3<f64>, Sym3<f64>)> = system.parts.bodies.iter().map(|body| body.properties(old)).collect();
    let mut masses: Vec<f64> = properties.iter().map(|p| p.0).collect();
    if !request.preserve_distribution {
        let size = |s: &[f64; 3]| if system.skeleton.planar { s[0] * s[1] } else { s[0] * s[1] * s[2] };
        masses.iter_mut().zip(&factors[1..]).for_each(|(mass, s)| *mass *= size(s));
    }
    if let Some(whole) = request.mass {
        if !(whole > 0.0 && whole.is_finite()) {
            return Err(Notice::BadMass { mass: whole });
        }
        let sum: f64 = masses.iter().sum();
        masses.iter_mut().for_each(|mass| *mass *= whole / sum);
        if let Some(k) = system.parameter("subject.mass") {
            values[k] = whole;
        }
    }
    for (b, (body, (mass, _, I))) in system.parts.bodies.iter().zip(properties).enumerate() {
        let (s, name) = (factors[b + 1], &system.names.bodies[b + 1]);
        match body.mass {
            Amount::Given(slot) => set(values, slot, masses[b]),
            Amount::Fraction { fraction, of } => {
                let whole = of.get(values);
                set(values, fraction, masses[b] / whole);
            }
        }
        scale_length(body, s, name, old, values, notices);
        if let Center::Given(center) = body.center {
            center.iter().zip(s).for_each(|(slot, s)| set(values, *slot, slot.get(old) * s));
        }
        let scaled = if system.skeleton.planar {
            if (s[0] - s[1]).abs() > 1e-12 {
                notices.push(Notice::PlanarInertia { body: name.clone() });
            }
            Sym3 { zz: 0.5 * I.zz * (s[0] * s[0] + s[1] * s[1]) * masses[b] / mass, ..Sym3::ZERO }
        } else {
            request.inertia.scaled(&I, mass, s, masses[b])
        };
        match body.inertia {
            Inertia::Given(slots) => {
                let entries = [scaled.xx, scaled.yy, scaled.zz, scaled.xy, scaled.xz, scaled.yz];
                slots.iter().zip(entries).for_each(|(slot, entry)| set(values, *slot, entry));
            }
            Inertia::Gyration { fractions, length } => {
                let length = amount(&length, values);
                let new = [scaled.xx, scaled.yy, scaled.zz].map(|moment| (moment / masses[b]).max(0.0).sqrt() / length);
                let shared = !system.skeleton.planar && fractions[0] == fractions[1];
                if shared && (new[0] - new[1]).abs().max((new[0] - new[2]).abs()) > 1e-12 * new[0] {
                    notices.push(Notice::OneGyration { body: name.clone() });
                }
                let mean = (new.iter().map(|x| x * x).sum::<f64>() / 3.0).sqrt();
                let of_plane = system.skeleton.planar;
                fractions.iter().zip(new).for_each(|(slot, x)| {
                    let x = if of_plane {
                        new[2]
                    } else if shared {
                        mean
                    } else {
                        x
                    };
                    set(values, *slot, x);
                });
            }
        }
    }
    Ok(())
}

fn amount(amount: &Amount<Slot>, values: &[f64]) -> f64 {
    match amount {
        Amount::Given(slot) => slot.get(values),
        Amount::Fraction { fraction, of } => fraction.get(values) * of.get(values),
    }
}

/// The length of a body, to which fractions refer.
fn scale_length(body: &BodyPart<Slot>, s: [f64; 3], name: &str, old: &[f64], values: &mut [f64], notices: &mut Vec<Notice>) {
    let (length, along) = match (&body.center, &body.inertia) {
        (Center::Fraction { length, along, .. }, _) => (length, *along),
        (_, Inertia::Gyration { length, .. }) => (length, [0.0, 1.0, 0.0]),
        _ => return,
    };
    let stretched: Vec<f64> = along.iter().zip(s).map(|(a, s)| a * s).collect();
    let factor = stretched.iter().map(|x| x * x).sum::<f64>().sqrt();
    let oblique = along.iter().zip(&stretched).any(|(a, x)| (a * factor - x).abs() > 1e-9 * factor);
    if oblique {
        notices.push(Notice::ObliqueLength { body: name.to_string() });
    }
    match length {
        Amount::Given(slot) => set(values, *slot, slot.get(old) * factor),
        Amount::Fraction { fraction, .. } => set(values, *fraction, fraction.get(old) * factor),
    }
}

#[cfg(test)]
mod tests;
