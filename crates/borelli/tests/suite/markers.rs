//! Inverse kinematics and scaling against another program, on two walking models that the test translates.
//! Not here: the translator (`borelli_testkit::osim`), dynamics of the same models (`opensim`).
//! Without the reference folder the tests say `SKIPPED`.

use borelli::data::format::{RecordingOptions, read_recording};
use borelli::data::recording::Recording;
use borelli::dynamics::kinematics::scaling::{InertiaRule, Request, scale};
use borelli::dynamics::kinematics::{Options, Solver, Target, Task};
use borelli::{Model, System, compile};
use borelli_testkit::{ReferenceTable, assert_close, osim, reference};

const MODELS: [(&str, &str); 2] = [("opensim-gait10dof", "subject01_pipeline.osim"), ("opensim-gait2354", "subject01_simbody.osim")];

/// What stands before names of coordinates, among markers, in tables of weights.
const DRAWN: &str = "coordinate:";

fn translated(folder: &str, file: &str) -> Option<System> {
    let path = reference(&format!("data/{folder}/{file}"))?;
    let text = osim::translate(&std::fs::read_to_string(path).expect("readable")).unwrap_or_else(|what| panic!("{folder}: {what}"));
    let model = Model::parse("translated.toml", &text).unwrap_or_else(|rejected| panic!("{rejected}"));
    Some(compile(&model).unwrap_or_else(|rejected| panic!("{rejected}")))
}

fn walk() -> Option<Recording> {
    let path = reference("data/opensim-gait10dof/subject01_walk.trc")?;
    Some(read_recording(&path, &RecordingOptions::default()).unwrap_or_else(|fault| panic!("{fault:?}")))
}

/// Markers of one frame that have a weight and were seen.
fn targets(system: &System, weights: &ReferenceTable, recording: &Recording, frame: usize) -> Vec<Target> {
    let mut list = Vec::new();
    for row in (0..weights.rows.len()).filter(|row| !weights.rows[*row][0].starts_with(DRAWN)) {
        let label = &weights.rows[row][0];
        let marker = system.markers.iter().position(|marker| marker.label == *label).unwrap_or_else(|| panic!("no marker {label}"));
        let Some(point) = recording.point(label).filter(|point| point.seen[frame]) else { continue };
        list.push(Target { marker: marker as u32, position: point.position[frame], weight: weights.number(row, "weight") });
    }
    list
}

#[test]
fn walking_poses_are_those_of_the_other_program() {
    let Some(recording) = walk() else { return };
    for (folder, file) in MODELS {
        let Some(system) = translated(folder, file) else { continue };
        let table = |name: &str| ReferenceTable::read(&format!("data/{folder}/reference/{name}.csv")).expect("beside the model");
        let (weights, expected, errors) = (table("ik_weights"), table("ik"), table("ik_errors"));
        let drawn = |row: usize| {
            let name = weights.rows[row][0].strip_prefix(DRAWN)?;
            let coordinate = system.names.coordinates.iter().position(|c| c.name == name).unwrap_or_else(|| panic!("no {name}"));
            let (weight, value) = (weights.number(row, "weight"), system.coordinates[coordinate].default);
            Some(Task { coordinate: coordinate as u32, weight, value })
        };
        let tasks: Vec<Task> = (0..weights.rows.len()).filter_map(drawn).collect();
        let mut solver = Solver::new(&system, Options { swaps: false, ..Options::default() });
        let mut q: Vec<f64> = system.coordinates.iter().map(|rule| rule.default).collect();
        solver.begin(&targets(&system, &weights, &recording, 0), &mut q).expect("finite markers");
        let mut furthest = 0.0_f64;
        for row in 0..expected.rows.len() {
            let seen = targets(&system, &weights, &recording, row);
            let fit = solver.solve(0.0, &seen, &tasks, &mut q).expect("finite markers");
            assert!(fit.converged && fit.unobserved.is_empty(), "{folder} {row}: {fit:?}");
            for (name, x) in system.names.coordinates.iter().zip(&q) {
                let off = (x - expected.number(row, &name.name)).abs();
                furthest = furthest.max(off);
            }
            // The other program prints eight decimals.
            assert!((fit.rms - errors.number(row, "marker_error_RMS")).abs() < 1e-6, "{folder} {row}: {}", fit.rms);
            assert!((fit.largest - errors.number(row, "marker_error_max")).abs() < 1e-6, "{folder} {row}: {}", fit.largest);
        }
        assert!(furthest < 1e-6, "{folder}: {furthest:e} rad or m");
        // Every fifth marker lost in every third frame: still a pose near to the other.
        for row in 0..expected.rows.len() {
            let mut seen = targets(&system, &weights, &recording, row);
            if row % 3 == 0 {
                let mut k = 0;
                seen.retain(|_| {
                    k += 1;
                    k % 5 != 0
                });
            }
            let fit = solver.solve(0.0, &seen, &tasks, &mut q).expect("finite markers");
            assert!(fit.converged && fit.rms < 0.05 && q.iter().all(|x| x.is_finite()), "{folder} {row}: {fit:?}");
            assert_eq!(fit.error.len(), seen.len());
        }
    }
}

#[test]
fn a_scaled_model_is_that_of_the_other_program() {
    let Some(system) = translated("opensim-gait2354", "gait2354_simbody.osim") else { return };
    let expected = ReferenceTable::read("data/opensim-gait2354/reference/scaling.csv").expect("beside the model");
    let numbers = |row: usize, names: &[&str]| names.iter().map(|name| expected.number(row, name)).collect::<Vec<f64>>();
    let factors = |row: usize| [expected.number(row, "sx"), expected.number(row, "sy"), expected.number(row, "sz")];
    let request = Request {
        manual: (0..expected.rows.len()).map(|row| (expected.rows[row][0].clone(), factors(row))).collect(),
        mass: Some(72.6),
        preserve_distribution: true,
        inertia: InertiaRule::Cylinder,
        ..Request::default()
    };
    let scaled = scale(&system, &request).unwrap_or_else(|notice| panic!("{notice:?}"));
    for row in 0..expected.rows.len() {
        let name = &expected.rows[row][0];
        let body = system.names.bodies.iter().position(|body| body == name).unwrap_or_else(|| panic!("no body {name}"));
        let (mass, center, I) = system.parts.bodies[body - 1].properties(&scaled.values);
        let found = [&[mass][..], &center.to_array(), &[I.xx, I.yy, I.zz, I.xy, I.xz, I.yz]].concat();
        assert_close(&found, &numbers(row, &["mass", "cx", "cy", "cz", "ixx", "iyy", "izz", "ixy", "ixz", "iyz"]), 1e-12, name);
    }
}
