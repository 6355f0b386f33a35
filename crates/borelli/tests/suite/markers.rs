//! Inverse kinematics and scaling against another program, on two walking models that the test translates.
//! Not here: the translator (`borelli_testkit::osim`), dynamics of the same models (`opensim`).
//! Without the reference folder the tests say `SKIPPED`.

use borelli::data::format::{RecordingOptions, read_recording};
use borelli::data::recording::Recording;
use borelli::dynamics::frames::Frames;
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

/// The objective by its definition: mean of weighted squared distances, and tasks.
fn objective(system: &System, seen: &[Target], tasks: &[Task], q: &[f64]) -> f64 {
    let mut frames = Frames::new(&system.skeleton);
    frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, q, &vec![0.0; system.skeleton.dofs()], &[]);
    frames.fill_points(&system.skeleton);
    let (mut sum, mut whole) = (0.0, 0.0);
    for target in seen {
        let place = system.markers[target.marker as usize].place as usize;
        let body = system.numbers.place_body[place] as usize;
        let error = frames.p[body] + frames.R[body] * system.numbers.tree.place_p[place] - target.position;
        sum += target.weight * error.dot(error);
        whole += target.weight;
    }
    let drawn = |task: &Task| task.weight * (q[task.coordinate as usize] - task.value).powi(2);
    sum / whole + tasks.iter().map(drawn).sum::<f64>()
}

/// The other program was asked for an accuracy of 1e-9. In two frames of the spatial model it stopped 3 and 4 µrad short of the minimum along the rotation of
/// the trunk: its own objective there is above ours, by more than rounding. Everywhere else poses agree to 1e-6.
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
        solver.begin(&system, &targets(&system, &weights, &recording, 0), &mut q).expect("finite markers");
        let mut short = 0;
        for row in 0..expected.rows.len() {
            let seen = targets(&system, &weights, &recording, row);
            let fit = solver.solve(&system, 0.0, &seen, &tasks, &mut q).expect("finite markers");
            assert!(fit.converged && fit.unobserved.is_empty(), "{folder} {row}: {fit:?}");
            let theirs: Vec<f64> = system.names.coordinates.iter().map(|c| expected.number(row, &c.name)).collect();
            let apart = q.iter().zip(&theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let (mine, other) = (objective(&system, &seen, &tasks, &q), objective(&system, &seen, &tasks, &theirs));
            assert!((fit.objective - mine).abs() < 1e-15 && mine < other + 1e-15, "{folder} {row}: {mine:e} {other:e}");
            if apart >= 1e-6 {
                assert!(apart < 5e-6 && other - mine > 1e-15, "{folder} {row}: {apart:e} rad or m, {mine:e} {other:e}");
                short += 1;
            }
            // The other program prints eight decimals.
            assert!((fit.rms - errors.number(row, "marker_error_RMS")).abs() < 1e-6, "{folder} {row}: {}", fit.rms);
            assert!((fit.largest - errors.number(row, "marker_error_max")).abs() < 1e-6, "{folder} {row}: {}", fit.largest);
        }
        assert!(short <= 2, "{folder}: {short} frames");
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
            let fit = solver.solve(&system, 0.0, &seen, &tasks, &mut q).expect("finite markers");
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
