//! The walk as a laboratory would see it: markers of the stored file, with noise, with a marker lost, with a model whose thigh is too long.
//! Not here: tests of the solver by itself (`borelli-dynamics`, `kinematics`).
//! In: the file of the study. Out: how well inverse kinematics finds the coordinates, and whether it reports the errors that were put in.

use super::files::{FRAMES, RATE, folder};
use super::ground::{Instant, walk};
use super::{MODEL, order, person};
use crate::system;
use borelli::System;
use borelli::data::format::{RecordingOptions, read_recording};
use borelli::dynamics::kinematics::{Options, Solver, Target};
use borelli::math::Vec3;
use borelli_testkit::Random;
use std::f64::consts::TAU;

/// Positions of the markers of the model, in its order, frame by frame; nothing where a marker was not seen.
type Trial = Vec<Vec<Option<[f64; 3]>>>;

/// The stored file.
fn measured(system: &System) -> Trial {
    let path = folder().join("walk.trc");
    let recording = read_recording(&path, &RecordingOptions::default()).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(recording.repairs.is_empty(), "{:?}", recording.repairs);
    assert_eq!(recording.clock.count, FRAMES);
    let points: Vec<_> = system.markers.iter().map(|m| recording.point(&m.label).unwrap_or_else(|| panic!("no {}", m.label))).collect();
    (0..FRAMES).map(|k| points.iter().map(|p| p.seen[k].then(|| p.position[k].to_array())).collect()).collect()
}

/// White noise on every component, m (Box and Muller 1958).
fn noisy(trial: &Trial, deviation: f64, seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let mut normal = || (-2.0 * random.uniform(f64::MIN_POSITIVE, 1.0).ln()).sqrt() * (TAU * random.uniform(0.0, 1.0)).cos();
    let mut frame = |frame: &Vec<Option<[f64; 3]>>| frame.iter().map(|p| p.map(|p| p.map(|x| x + deviation * normal()))).collect();
    trial.iter().map(&mut frame).collect()
}

/// The same without a marker for some frames.
fn without(system: &System, trial: &Trial, label: &str, frames: std::ops::Range<usize>) -> Trial {
    let marker = system.markers.iter().position(|m| m.label == label).unwrap_or_else(|| panic!("no {label}"));
    let mut trial = trial.clone();
    trial[frames].iter_mut().for_each(|frame| frame[marker] = None);
    trial
}

/// The model with a longer right thigh; its markers move with it.
fn with_long_thigh(system: &System, factor: f64) -> System {
    let mut values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
    for path in ["body.thigh_r.point.knee.y", "marker.RTHI.location.y", "marker.RKNE.location.y", "marker.RKNEM.location.y"] {
        values[system.parameter(path).unwrap_or_else(|| panic!("no {path}"))] *= factor;
    }
    system.with_parameters(&values)
}

/// What inverse kinematics found.
struct Found {
    /// Largest difference from the true coordinates, rad or m, by coordinate of the model.
    worst: Vec<f64>,
    /// Square of every marker's distance, mean over the frames in which it was seen, m².
    square: Vec<f64>,
    /// Mean square of the distances of all markers over all frames, m².
    mean_square: f64,
}

fn find(system: &System, trial: &Trial) -> Found {
    let truth: Vec<Instant> = {
        let person = person(&crate::system(MODEL));
        (0..FRAMES).map(|k| walk(k as f64 / RATE, &person)).collect()
    };
    let order = order(system);
    let mut solver = Solver::new(system, Options::default());
    let mut q = system.start.q.clone();
    let count = system.markers.len();
    let (mut worst, mut square, mut seen) = (vec![0.0_f64; q.len()], vec![0.0; count], vec![0.0; count]);
    for (k, frame) in trial.iter().enumerate() {
        let target = |(marker, p): (usize, &Option<[f64; 3]>)| {
            p.map(|p| Target { marker: marker as u32, position: Vec3::from_array(p), weight: 1.0 })
        };
        let targets: Vec<Target> = frame.iter().enumerate().filter_map(target).collect();
        if k == 0 {
            solver.begin(system, &targets, &mut q).unwrap_or_else(|refusal| panic!("{refusal:?}"));
        }
        let fit = solver.solve(system, k as f64 / RATE, &targets, &[], &mut q).unwrap_or_else(|refusal| panic!("{refusal:?}"));
        assert!(fit.converged && fit.unobserved.is_empty() && fit.at_bound.is_empty() && fit.swap.is_none(), "frame {k}: {fit:?}");
        assert_eq!(fit.error.len(), targets.len());
        for (target, error) in targets.iter().zip(&fit.error) {
            square[target.marker as usize] += error.norm().powi(2);
            seen[target.marker as usize] += 1.0;
        }
        for (c, own) in order.iter().enumerate() {
            worst[c] = worst[c].max((q[c] - truth[k].q[*own].value).abs());
        }
    }
    let mean_square = square.iter().sum::<f64>() / seen.iter().sum::<f64>();
    Found { worst, square: square.iter().zip(&seen).map(|(s, n)| s / n).collect(), mean_square }
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |most, x| most.max(*x))
}

/// The file has five decimals of a millimetre; what is found is as good.
#[test]
fn markers_of_the_file_give_the_coordinates_of_the_walk() {
    let system = system(MODEL);
    let found = find(&system, &measured(&system));
    assert!(largest(&found.worst) < 1e-6, "{:?}", found.worst);
    assert!(largest(&found.square).sqrt() < 1e-8);
}

/// Of 26 markers with three components each and 21 coordinates fitted to them, 78 - 21 of 78 parts of the noise are left: the mean square of the distances is
/// 3 σ² (1 - 21/78) = (2.96 mm)². 241 frames leave it uncertain by 1/sqrt(2 · 241 · 57/3) = 1 %, here by three times that.
#[test]
fn noise_of_two_millimetres_is_reported_as_such() {
    let system = system(MODEL);
    let found = find(&system, &noisy(&measured(&system), 0.002, 45));
    let expected = 3.0 * 0.002f64.powi(2) * (1.0 - 21.0 / 78.0);
    let ratio = found.mean_square / expected;
    assert!((ratio - 1.0).abs() < 0.03, "{ratio}");
    // the feet are small, their angles the least certain
    for (worst, name) in found.worst.iter().zip(&system.names.coordinates) {
        let bound = if name.name.contains("pelvis_t") && name.name != "pelvis_tilt" { 0.008 } else { 0.12 };
        assert!(*worst < bound && *worst > 1e-4, "{}: {worst}", name.name);
    }
}

/// A marker that is gone for a second takes nothing away that the others do not know.
#[test]
fn a_lost_marker_is_not_missed() {
    let system = system(MODEL);
    let trial = without(&system, &measured(&system), "RKNE", 60..160);
    assert_eq!(trial.iter().flatten().filter(|p| p.is_none()).count(), 100);
    let found = find(&system, &trial);
    assert!(largest(&found.worst) < 1e-6, "{:?}", found.worst);
}

/// A right thigh of 45.15 cm instead of 43: with the true coordinates its markers and all below would be off by up to 21.5 mm. The fit
/// spreads that over hip and knee, reports errors of that leg, and leaves the other alone.
#[test]
fn a_thigh_too_long_shows_in_the_markers_of_its_leg() {
    let system = system(MODEL);
    let trial = measured(&system);
    let wrong = with_long_thigh(&system, 1.05);
    let found = find(&wrong, &trial);
    let rms = |labels: &[&str]| {
        let of = |label: &&str| found.square[system.markers.iter().position(|m| m.label == *label).expect("a marker")];
        (labels.iter().map(of).sum::<f64>() / labels.len() as f64).sqrt()
    };
    let injected = {
        // THI, KNE, KNEM by 5 % of their distance from the hip, the six below by 5 % of the thigh
        let squares = [0.22f64, 0.425, 0.425, 0.43, 0.43, 0.43, 0.43, 0.43, 0.43].map(|y| (0.05 * y).powi(2));
        (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
    };
    let right = rms(&["RTHI", "RKNE", "RKNEM", "RTIB", "RANK", "RANKM", "RHEE", "RTOE", "RMT5"]);
    let left = rms(&["LTHI", "LKNE", "LKNEM", "LTIB", "LANK", "LANKM", "LHEE", "LTOE", "LMT5"]);
    assert!(right < injected && right > 0.2 * injected, "{right} m where {injected} m were put in");
    assert!(left < 0.3 * right, "left {left} m, right {right} m");
}
