//! `inverse` along tables: what it records by default, and that efforts, loads, energies and momenta go together.

use super::tests::{good, plan, system, value};
use super::*;
use crate::plan::{Derivatives, Motion, MotionSource};
use borelli_data::{Column, Trajectory};
use borelli_dynamics::System;
use borelli_dynamics::system::Measure;

/// A floating body with a knee that glides and a rail, a spring across the knee and a load that runs over the far body.
const PLANAR: &str = r#"
borelli = 1
dimension = "planar"
[body.a]
mass = "3 kg"
inertia = "0.2 kg m^2"
center = [0.05, -0.1]
point = { knee = [0.02, -0.4], near = [0.1, -0.1] }
[body.b]
mass = "2 kg"
inertia = "0.1 kg m^2"
center = [0.01, -0.2]
point = { far = [0.05, -0.3] }
[body.c]
mass = "1 kg"
inertia = "0.05 kg m^2"
[joint.root]
type = "planar"
parent = "world"
child = "a"
coordinates = ["x", "y", "angle"]
[joint.knee]
type = "function"
parent = "a.knee"
child = "b"
x = { type = "polynomial", coefficients = [0, 0.02, -0.01] }
y = { type = "polynomial", coefficients = [0, 0.01, 0.03] }
angle = { type = "polynomial", coefficients = [0, 1] }
[joint.rail]
type = "slider"
parent = "b.far"
child = "c"
axis = [0.6, -0.8]
[path.band]
points = ["a.near", "b.far"]
[force.band]
type = "spring"
path = "band"
stiffness = "500 N/m"
length = "0.3 m"
[force.plate]
type = "load"
body = "c"
force = [{ type = "sine", amplitude = 40, frequency = 0.8 }, { type = "polynomial", coefficients = [300, 80, -60] }]
point = [{ type = "polynomial", coefficients = [0.2, 0.9] }, "-0.9 m"]
moment = { type = "sine", amplitude = 6, frequency = 0.5 }
"#;

/// The same kind of chain in space, hanging on three angles.
const SPATIAL: &str = r#"
borelli = 1
dimension = "spatial"
[body.a]
mass = "3 kg"
inertia = [0.2, 0.1, 0.25]
center = [0.05, -0.1, 0.02]
point = { knee = [0.02, -0.4, 0.03], near = [0.1, -0.1, 0] }
[body.b]
mass = "2 kg"
inertia = [0.1, 0.02, 0.11]
center = [0.01, -0.2, 0]
point = { far = [0.05, -0.3, 0.02] }
[joint.root]
type = "gimbal"
parent = "world"
child = "a"
[joint.knee]
type = "function"
parent = "a.knee"
child = "b"
x = { type = "polynomial", coefficients = [0, 0.02, -0.01] }
z = { type = "polynomial", coefficients = [0, 0.01, 0.03] }
rotations = [{ axis = [0, 0, 1], function = { type = "polynomial", coefficients = [0, 1] } }, { axis = [1, 0, 0], function = { type = "polynomial", coefficients = [0, 0.1, 0.2] } }]
[path.band]
points = ["a.near", "b.far"]
[force.band]
type = "spring"
path = "band"
stiffness = "500 N/m"
length = "0.3 m"
[force.plate]
type = "load"
body = "b"
force = [{ type = "sine", amplitude = 40, frequency = 0.8 }, { type = "polynomial", coefficients = [300, 80, -60] }, 25]
point = [{ type = "polynomial", coefficients = [0.2, 0.9] }, "-0.9 m", 0.1]
moment = [3, { type = "sine", amplitude = 6, frequency = 0.5 }, -2]
"#;

/// Time between samples, s.
const STEP: f64 = 1e-3;

/// Coordinates that swing, with their exact rates and accelerations.
fn swinging(system: &System) -> Trajectory {
    let unit = |measure: Measure, angle: &str, length: &str| if measure == Measure::Angle { angle.to_string() } else { length.to_string() };
    let mut columns = Vec::new();
    for c in &system.names.coordinates {
        columns.push(Column::new(format!("coord.{}.value", c.name), unit(c.measure, "rad", "m")));
        columns.push(Column::new(format!("coord.{}.rate", c.name), unit(c.measure, "rad/s", "m/s")));
        columns.push(Column::new(format!("coord.{}.accel", c.name), unit(c.measure, "rad/s^2", "m/s^2")));
    }
    let mut table = Trajectory::new(columns).expect("columns");
    for sample in 0..=40 {
        let t = 0.3 + (0.34 - 0.3) * (f64::from(sample) / 40.0);
        let mut row = vec![t];
        for k in 0..system.names.coordinates.len() {
            let (size, rate, phase) = (0.3 + 0.1 * k as f64, 2.0 + 0.7 * k as f64, 0.4 * k as f64);
            let (s, c) = (rate * t + phase).sin_cos();
            row.extend([size * s, size * rate * c, -size * rate * rate * s]);
        }
        table.push_row(&row).expect("a row");
    }
    table
}

fn inverse(text: &str) -> (System, Trajectory) {
    let system = system(text);
    let motion = Motion { source: MotionSource::Table(swinging(&system)), derivatives: Derivatives::Exact };
    let plan = Plan {
        analysis: Analysis::Inverse,
        motion: Some(motion),
        time: crate::plan::Time { start: 0.3, end: 0.34, sample: None },
        ..plan(1.0)
    };
    let outcome = good(&system, &plan);
    // No formulation solves anything here: the outcome does not claim one.
    let formulation = outcome.settings.iter().find(|(key, _)| key == "formulation").map(|(_, value)| value.as_str());
    assert!(formulation.is_some_and(|words| words.starts_with("recursive Newton-Euler")), "{formulation:?}");
    (system, outcome.trajectory)
}

/// Slope of a column at a sample by five points: right to h⁴.
fn slope(table: &Trajectory, column: &str, k: usize) -> f64 {
    let at = |j: usize| value(table, column, j);
    (8.0 * (at(k + 1) - at(k - 1)) - (at(k + 2) - at(k - 2))) / (12.0 * STEP)
}

#[test]
fn inverse_records_what_evaluate_does() {
    for text in [PLANAR, SPATIAL] {
        let (_, table) = inverse(text);
        for column in
            ["path.band.force", "path.band.length", "load.plate.force.x", "load.plate.power", "joint.knee.power", "system.energy.total"]
        {
            assert!(table.column(column).is_some(), "{column}");
        }
    }
}

#[test]
fn powers_of_joints_and_loads_are_the_rate_of_the_energy() {
    for text in [PLANAR, SPATIAL] {
        let (system, table) = inverse(text);
        for k in [2, 11, 20, 31, 38] {
            let joints: f64 = system.names.joints[1..].iter().map(|joint| value(&table, &format!("joint.{joint}.power"), k)).sum();
            let power = joints + value(&table, "load.plate.power", k);
            let rate = slope(&table, "system.energy.total", k);
            // Differences of 100 J over 1 ms lose eleven digits of 1e-16; the power is some 100 W.
            assert!((power - rate).abs() < 1e-9 * (joints.abs() + power.abs() + 10.0), "{power} {rate}");
            assert!(power.abs() > 1.0 && value(&table, "path.band.force", k).abs() > 1.0);
        }
    }
}

#[test]
fn momenta_change_by_root_load_and_weight() {
    let (_, table) = inverse(PLANAR);
    for k in [2, 20, 38] {
        let at = |column: &str| value(&table, column, k);
        let (fx, fy) = (at("coord.x.effort") + at("load.plate.force.x"), at("coord.y.effort") + at("load.plate.force.y") - 6.0 * 9.81);
        assert!((slope(&table, "system.momentum.x", k) - fx).abs() < 1e-8 * (1.0 + fx.abs()));
        assert!((slope(&table, "system.momentum.y", k) - fy).abs() < 1e-8 * (1.0 + fy.abs()));
        let root = at("coord.angle.effort") + at("coord.x.value") * at("coord.y.effort") - at("coord.y.value") * at("coord.x.effort");
        let arm = at("load.plate.point.x") * at("load.plate.force.y") - at("load.plate.point.y") * at("load.plate.force.x");
        let moment = root + arm + at("load.plate.moment.z") - at("system.center.x") * 6.0 * 9.81;
        assert!((slope(&table, "system.angular_momentum.z", k) - moment).abs() < 1e-8 * (1.0 + moment.abs()));
    }
    // In space the root holds its place: the reaction is the whole force there, and its moment and the efforts the whole moment.
    let (_, table) = inverse(SPATIAL);
    for k in [2, 20, 38] {
        for (axis, weight) in [("x", 0.0), ("y", -5.0 * 9.81), ("z", 0.0)] {
            let at = |column: &str| value(&table, &format!("{column}.{axis}"), k);
            let force = at("joint.root.reaction.force") + at("load.plate.force") + weight;
            assert!((slope(&table, &format!("system.momentum.{axis}"), k) - force).abs() < 1e-8 * (1.0 + force.abs()), "{axis}");
        }
    }
}
