//! A generic model made as large as a person who stands still, its markers put where they were measured.
//! Not here: what factors do to a model and how markers move (`borelli_dynamics::kinematics::scaling`), reading and writing files.
//! In: a system with measurements, a static trial in borelli's axes, the mass of the person. Out: parameters by path, and what was measured.

use super::fault::{SubjectFault, SubjectNotice};
use crate::measured::markers::{Pair, pair};
use crate::measured::{Frames, Markers, Method};
use borelli_data::Recording;
use borelli_dynamics::System;
use borelli_dynamics::kinematics::scaling::{self, InertiaRule, Measured, Measurement, Request};
use borelli_dynamics::kinematics::{Options, Solver, Target, Task};
use borelli_math::{Mat3, Vec3};
use borelli_model::Explain;
use std::sync::Arc;

/// Spread of a marker about its mean from which on a person does not stand still, m.
const SWAY: f64 = 0.02;

/// A marker that is moved farther than this is told, m.
const FAR: f64 = 0.05;

/// Who stands there.
#[derive(Clone, Debug)]
pub struct Person<'a> {
    /// The static trial, in borelli's axes.
    pub recording: &'a Recording,
    /// Its name, for messages.
    pub name: &'a str,
    /// Labels of the recording and those of the model that they mean.
    pub names: Vec<(String, String)>,
    /// Mass, kg; nothing: masses follow volumes.
    pub mass: Option<f64>,
    /// Bodies keep their shares of the mass.
    pub preserve_distribution: bool,
    /// How inertias follow unequal factors.
    pub inertia: InertiaRule,
}

/// A model of a person.
#[derive(Clone, Debug)]
pub struct ScaledModel {
    /// Parameters that changed, with their SI values.
    pub changes: Vec<(String, f64)>,
    /// What was measured, with the names of the pairs.
    pub measured: Vec<(Measured, Vec<String>)>,
    /// Root mean square distance of markers in the static pose, before they were moved, m.
    pub rms: f64,
    /// How far each marker was moved, m, the farthest first.
    pub moved: Vec<(String, f64)>,
    /// What is worth a look.
    pub notices: Vec<(String, Option<String>)>,
}

/// Scales a model by its measurements and puts its markers where the static trial has them.
pub fn scale_to_person(system: &System, person: &Person) -> Result<ScaledModel, SubjectFault> {
    let recording = person.recording;
    let present = |name: &String| recording.points.iter().any(|point| point.name == *name);
    let ask = Markers {
        path: person.name.into(),
        recording: Arc::new(recording.clone()),
        R_ML: Mat3::IDENTITY,
        weights: Vec::new(),
        names: person.names.iter().filter(|(lab, _)| present(lab)).cloned().collect(),
        max_gap: 0.0,
        tasks: Vec::new(),
        frames: Frames::Single,
        method: Method::Markers,
        mend_swaps: false,
        notes: Vec::new(),
    };
    let refused = |fault: &dyn Explain| SubjectFault::Scaling { message: fault.message(), hint: fault.hint() };
    let (pairs, _) = pair(system, &ask).map_err(|fault| refused(&fault))?;
    let mut notices: Vec<(String, Option<String>)> = Vec::new();
    let mut told = |notice: &dyn Explain| notices.push((notice.message(), notice.hint()));
    let request = Request {
        measurements: measurements(system, recording, &pairs, &mut told),
        mass: person.mass,
        preserve_distribution: person.preserve_distribution,
        inertia: person.inertia,
        ..Request::default()
    };
    let scaled = scaling::scale(system, &request).map_err(|fault| refused(&fault))?;
    scaled.notices.iter().for_each(|notice| told(notice));
    let large = system.with_parameters(&scaled.values);
    let targets = standing(system, recording, &pairs, &mut told);
    let (q, rms) = pose(&large, &targets).map_err(|message| SubjectFault::Scaling { message, hint: None })?;
    let mut values = scaled.values;
    for (path, value) in scaling::move_markers(&large, &q, &targets) {
        if let Some(k) = system.parameter(&path) {
            values[k] = value;
        }
    }
    let moved = moved(&large, &large.with_parameters(&values));
    for (marker, distance) in moved.iter().filter(|(_, distance)| *distance > FAR) {
        told(&SubjectNotice::MarkerMovedFar { marker: marker.clone(), distance: *distance });
    }
    let changed = system.parameters.iter().zip(&values).filter(|(parameter, value)| parameter.value != **value);
    let changes = changed.map(|(parameter, value)| (parameter.path.clone(), *value)).collect();
    let names = request.measurements.iter().map(|own| own.pairs.iter().map(|(a, b, _)| format!("{a} to {b}")).collect::<Vec<_>>());
    Ok(ScaledModel { changes, measured: scaled.measured.into_iter().zip(names).collect(), rms, moved, notices })
}

/// Measurements of a model with their distances, means over the frames in which both markers are seen; what is not seen is left out and told.
fn measurements(system: &System, recording: &Recording, pairs: &[Pair], told: &mut dyn FnMut(&dyn Explain)) -> Vec<Measurement> {
    let point = |marker: u32| pairs.iter().find(|pair| pair.marker == marker).map(|pair| &recording.points[pair.point]);
    let distance = |a: u32, b: u32| {
        let (a, b) = (point(a)?, point(b)?);
        let both = (0..recording.clock.count).filter(|k| a.seen[*k] && b.seen[*k]);
        let list: Vec<f64> = both.map(|k| (a.position[k] - b.position[k]).norm()).collect();
        (!list.is_empty()).then(|| list.iter().sum::<f64>() / list.len() as f64)
    };
    let name = |marker: u32| system.names.markers[marker as usize].clone();
    let mut list: Vec<Measurement> = Vec::new();
    let mut unseen = Vec::new();
    for rule in &system.measurements {
        let (mut seen, mut hidden) = (Vec::new(), Vec::new());
        for [a, b] in &rule.pairs {
            match distance(*a, *b) {
                Some(distance) => seen.push((name(*a), name(*b), distance)),
                None => hidden.push(format!("{} to {}", name(*a), name(*b))),
            }
        }
        if !hidden.is_empty() {
            unseen.push((rule, hidden, seen.is_empty()));
        }
        let bodies = rule.bodies.iter().map(|body| (system.names.bodies[*body as usize].clone(), rule.axes)).collect();
        if !seen.is_empty() {
            list.push(Measurement { name: rule.name.clone(), pairs: seen, bodies });
        }
    }
    // Only now is it known which bodies nothing else scales.
    let scaled = |body: &String| list.iter().any(|own| own.bodies.iter().any(|(other, _)| other == body));
    for (rule, pairs, lost) in unseen {
        let bodies = rule.bodies.iter().map(|body| system.names.bodies[*body as usize].clone());
        let kept = lost.then(|| bodies.filter(|body| !scaled(body)).collect());
        told(&SubjectNotice::PairsNotSeen { measurement: rule.name.clone(), pairs, kept });
    }
    list
}

/// Mean places of all markers that are seen; one that moves is told.
fn standing(system: &System, recording: &Recording, pairs: &[Pair], told: &mut dyn FnMut(&dyn Explain)) -> Vec<Target> {
    let mut worst: (f64, &str) = (0.0, "");
    let mut targets = Vec::new();
    for pair in pairs {
        let point = &recording.points[pair.point];
        let seen: Vec<Vec3<f64>> = point.position.iter().zip(&point.seen).filter(|(_, seen)| **seen).map(|(p, _)| *p).collect();
        if seen.is_empty() {
            continue;
        }
        let share = 1.0 / seen.len() as f64;
        let mean = seen.iter().fold(Vec3::ZERO, |sum, p| sum + *p).scale(share);
        let spread = (seen.iter().map(|p| (*p - mean).dot(*p - mean)).sum::<f64>() * share).sqrt();
        if spread > worst.0 {
            worst = (spread, &point.name);
        }
        targets.push(Target { marker: pair.marker, position: mean, weight: system.markers[pair.marker as usize].weight });
    }
    if worst.0 > SWAY {
        told(&SubjectNotice::NotStandingStill { marker: worst.1.into(), spread: worst.0 });
    }
    targets
}

/// The pose of a model that stands with its markers there, and how far they are off.
fn pose(system: &System, targets: &[Target]) -> Result<(Vec<f64>, f64), String> {
    let mut q: Vec<f64> = system.coordinates.iter().map(|rule| rule.default).collect();
    let weighty = system.coordinates.iter().enumerate().filter(|(_, rule)| rule.static_weight > 0.0);
    let tasks: Vec<Task> =
        weighty.map(|(k, rule)| Task { coordinate: k as u32, weight: rule.static_weight, value: rule.default }).collect();
    let mut solver = Solver::new(system, Options { swaps: false, ..Options::default() });
    solver.begin(system, targets, &mut q).map_err(|refusal| refusal.message())?;
    let rms = solver.solve(system, 0.0, targets, &tasks, &mut q).map_err(|refusal| refusal.message())?.rms;
    Ok((q, rms))
}

/// How far markers were moved, the farthest first.
fn moved(before: &System, after: &System) -> Vec<(String, f64)> {
    let place = |system: &System, k: usize| system.numbers.tree.place_p[system.markers[k].place as usize];
    let each = (0..before.markers.len()).map(|k| (before.markers[k].label.clone(), (place(after, k) - place(before, k)).norm()));
    let mut list: Vec<(String, f64)> = each.filter(|(_, distance)| *distance > 0.0).collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1));
    list
}
