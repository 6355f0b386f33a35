//! Runs with measured data against closed forms and against the same motion found another way.

use super::tests::{good, system, value};
use super::*;
use crate::measured::{Correction, Cutoff, Filter, FilterOf, FilterRule, LoadCutoff, LoadFile, LoadInterpolation, LoadRule};
use crate::plan::{Angles, Derivatives, Motion, MotionFile, MotionSource, Time};
use borelli_data::recording::{Clock, Plate, PlateKind};
use borelli_data::{Recording, Trajectory};
use borelli_math::{Mat3, Vec3, vec3};
use std::sync::Arc;

/// A trunk on two legs with feet; all coordinates are angles but two.
const WALKER: &str = r#"
borelli = 1
dimension = "spatial"
[body.trunk]
mass = 40
center = [0, 0.3, 0]
inertia = [1.5, 0.8, 1.4]
point = { hip_r = [0, 0, 0.09], hip_l = [0, 0, -0.09] }
[body.leg_r]
mass = 9
center = [0, -0.4, 0]
inertia = [0.6, 0.03, 0.6]
point = { ankle = [0, -0.85, 0] }
[body.leg_l]
mass = 9
center = [0, -0.4, 0]
inertia = [0.6, 0.03, 0.6]
point = { ankle = [0, -0.85, 0] }
[body.calcn_r]
mass = 1.2
center = [0.05, -0.04, 0]
inertia = [0.001, 0.004, 0.004]
[body.calcn_l]
mass = 1.2
center = [0.05, -0.04, 0]
inertia = [0.001, 0.004, 0.004]
[joint.root]
type = "free"
rotation = "angles"
sequence = "zxy"
parent = "world"
child = "trunk"
coordinates = ["tx", "ty", "tz", "tilt", "list", "turn"]
[joint.hip_r]
type = "hinge"
parent = "trunk.hip_r"
child = "leg_r"
axis = [0, 0, 1]
[joint.hip_l]
type = "hinge"
parent = "trunk.hip_l"
child = "leg_l"
axis = [0, 0, 1]
[joint.ankle_r]
type = "hinge"
parent = "leg_r.ankle"
child = "calcn_r"
axis = [0, 0, 1]
[joint.ankle_l]
type = "hinge"
parent = "leg_l.ankle"
child = "calcn_l"
axis = [0, 0, 1]
[marker.r_heel]
body = "calcn_r"
location = [-0.05, -0.05, 0]
label = "R.Heel"
[marker.r_toe]
body = "calcn_r"
location = [0.2, -0.05, 0]
label = "R.Toe.Tip"
[marker.l_heel]
body = "calcn_l"
location = [-0.05, -0.05, 0]
label = "L.Heel"
[marker.l_toe]
body = "calcn_l"
location = [0.2, -0.05, 0]
label = "L.Toe.Tip"
"#;

/// Coordinates of the walker over time: mean, amplitude and frequency of a sine, and a phase.
const WAYS: [(&str, [f64; 4]); 10] = [
    ("tx", [0.1, 0.02, 1.0, 0.3]),
    ("ty", [0.9, 0.02, 2.0, 0.1]),
    ("tz", [0.0, 0.02, 1.0, 1.0]),
    ("tilt", [-0.05, 0.05, 1.0, 0.0]),
    ("list", [0.02, 0.04, 1.0, 2.0]),
    ("turn", [0.0, 0.06, 1.0, 0.5]),
    ("hip_r", [0.1, 0.3, 1.0, 0.0]),
    ("hip_l", [0.1, 0.3, 1.0, 3.1]),
    ("ankle_r", [0.0, 0.2, 1.0, 0.7]),
    ("ankle_l", [0.0, 0.2, 1.0, 3.9]),
];
/// Rows per second.
const RATE: f64 = 100.0;

fn way([mean, amplitude, frequency, phase]: [f64; 4], t: f64) -> f64 {
    mean + amplitude * (std::f64::consts::TAU * frequency * t + phase).sin()
}

/// A motion as another program writes it: plain names, angles in degrees.
fn degrees() -> MotionFile {
    let columns = WAYS.map(|(name, _)| borelli_data::Column { name: name.into(), unit: None, optional: false }).to_vec();
    let mut table = Trajectory::foreign(columns).unwrap_or_else(|fault| panic!("{fault}"));
    for k in 0..=100 {
        let t = f64::from(k) / RATE;
        let cell = |(name, numbers): (&str, [f64; 4])| {
            let x = way(numbers, t);
            if name.starts_with('t') && name.len() == 2 { x } else { x.to_degrees() }
        };
        let row: Vec<f64> = std::iter::once(t).chain(WAYS.iter().map(|own| cell(*own))).collect();
        table.push_row(&row).unwrap_or_else(|fault| panic!("{fault}"));
    }
    MotionFile { path: "walk.mot".into(), table, angles: Angles { degrees: true, basis: Some(borelli_data::format::AngleBasis::Header) } }
}

/// Where the feet of the walker are at a time, by body columns of an evaluation.
fn plate(name: &str, point: impl Fn(f64) -> Vec3<f64>, on: impl Fn(f64) -> bool) -> Plate {
    let clock = Clock::even(1000.0, 0.0, 1001);
    let times = clock.times();
    let force = |t: f64| if on(t) { vec3(30.0 * (6.0 * t).sin(), 300.0 + 80.0 * (5.0 * t).cos(), 12.0) } else { Vec3::ZERO };
    let cop: Vec<Vec3<f64>> = times.iter().map(|t| if on(*t) { point(*t) } else { Vec3::ZERO }).collect();
    let forces: Vec<Vec3<f64>> = times.iter().map(|t| force(*t)).collect();
    let free: Vec<Vec3<f64>> = times.iter().map(|t| if on(*t) { vec3(0.0, 4.0 * t.cos(), 0.0) } else { Vec3::ZERO }).collect();
    let moment = (0..times.len()).map(|k| cop[k].cross(forces[k]) + free[k]).collect();
    Plate {
        name: name.into(),
        kind: PlateKind::Columns,
        corners: None,
        R_LP: Mat3::IDENTITY,
        center: Vec3::ZERO,
        loaded: times.iter().map(|t| on(*t)).collect(),
        clock,
        force: forces,
        moment,
        cop,
        free_moment: free,
        threshold: 20.0,
        baseline: None,
    }
}

fn loads(plates: Vec<Plate>, rules: Vec<LoadRule>) -> LoadFile {
    LoadFile {
        path: "forces.mot".into(),
        recording: Arc::new(Recording { plates, ..Recording::default() }),
        R_ML: Mat3::IDENTITY,
        threshold: Some(20.0),
        interpolation: LoadInterpolation::Linear,
        cutoff: LoadCutoff::None,
        outside: crate::measured::LoadOutside::Refused,
        rules,
        notes: Vec::new(),
        noise: Vec::new(),
    }
}

fn on(plate: &str, body: &str) -> LoadRule {
    LoadRule { plate: plate.into(), body: Some(body.into()), at: None }
}

fn followed(analysis: Analysis) -> Plan {
    let motion = Some(Motion { source: MotionSource::File(degrees()), derivatives: Derivatives::Quintic });
    Plan { analysis, motion, time: Time { start: 0.0, end: 1.0, sample: None }, ..Plan::default() }
}

/// Under the middle of each foot: as the kinematics of the plan have it.
fn steps() -> Vec<Plate> {
    let feet = good(&system(WALKER), &followed(Analysis::Evaluate)).trajectory;
    let under = |body: &str| {
        let columns: Vec<Vec<f64>> =
            ["x", "z"].map(|axis| feet.column(&format!("body.{body}.{axis}")).expect("a column").to_vec()).to_vec();
        let time = feet.time().to_vec();
        move |t: f64| {
            let k = time.iter().position(|own| *own + 0.5 / RATE > t).unwrap_or(time.len() - 1);
            vec3(columns[0][k] + 0.05, 0.0, columns[1][k])
        }
    };
    vec![plate("ground_force_r_", under("calcn_r"), |t| t < 0.6), plate("ground_force_l_", under("calcn_l"), |t| t > 0.4)]
}

#[test]
fn degrees_of_another_program_give_the_motion_in_radians() {
    let outcome = good(&system(WALKER), &followed(Analysis::Evaluate));
    // Its own rows are the samples.
    assert_eq!(outcome.trajectory.len(), 101);
    for (name, numbers) in WAYS {
        for k in [0, 37, 100] {
            let found = value(&outcome.trajectory, &format!("coord.{name}.value"), k);
            assert!((found - way(numbers, k as f64 / RATE)).abs() < 1e-12, "{name}");
        }
    }
    let told = outcome.settings.iter().find(|(key, _)| key == "motion file").expect("what was decided");
    assert!(told.1.contains("converted: tilt, list, turn, hip_r"), "{}", told.1);
}

/// Guides along the same splines, with the same loads, need the efforts of inverse dynamics.
#[test]
fn guided_forward_dynamics_gives_the_moments_of_inverse_dynamics() {
    let file = degrees();
    let mut guided = WALKER.to_string();
    let mut start = String::new();
    for (k, (name, numbers)) in WAYS.iter().enumerate() {
        let knots: Vec<String> = file.table.time().iter().map(|t| format!("{t:?}")).collect();
        let scale = if k < 3 { 1.0 } else { std::f64::consts::PI / 180.0 };
        let column = file.table.column(name).expect("a column");
        let values: Vec<String> = column.iter().map(|x| format!("{:?}", x * scale)).collect();
        guided.push_str(&format!(
            "[guide.{name}]\ntype = \"coordinate\"\ncoordinate = \"{name}\"\nfunction = {{ type = \"table\", x = [{}], y = [{}], interpolation = \"quintic\", outside = \"extrapolate\" }}\n",
            knots.join(", "),
            values.join(", ")
        ));
        start.push_str(&format!("{name} = {:?}, ", way(*numbers, 0.0)));
    }
    guided.push_str(&format!("[initial]\ncoordinates = {{ {} }}\n", start.trim_end_matches(", ")));
    let rules = vec![on("ground_force_r_", "calcn_r"), on("ground_force_l_", "calcn_l")];
    let inverse = Plan { loads: Some(loads(steps(), rules.clone())), ..followed(Analysis::Inverse) };
    let inverse = good(&system(WALKER), &inverse);
    let mut forward = Plan {
        time: Time { start: 0.0, end: 1.0, sample: Some(1.0 / RATE) },
        loads: Some(loads(steps(), rules)),
        columns: vec!["coord.*".into()],
        ..Plan::default()
    };
    forward.integrator.settings = borelli_dynamics::integrate::Settings::tolerance(1e-9);
    let forward = good(&system(&guided), &forward);
    assert_eq!(forward.trajectory.len(), inverse.trajectory.len());
    let mut worst = 0.0_f64;
    for (name, _) in WAYS {
        for k in 0..inverse.trajectory.len() {
            let [a, b] = [&forward, &inverse].map(|own| value(&own.trajectory, &format!("coord.{name}.effort"), k));
            worst = worst.max((a - b).abs());
        }
    }
    // Efforts reach 700 N and 300 N m; guides hold the state to rounding after every step.
    assert!(worst < 1e-7, "{worst:e}");
}

fn line<'o>(outcome: &'o Outcome, key: &str) -> &'o HealthLine {
    outcome.health.iter().find(|line| line.key == key).unwrap_or_else(|| panic!("no line `{key}`: {:?}", outcome.health))
}

/// The two ways to the residual force and the balance of power hold to rounding; the residual is what the loads leave of the weight.
#[test]
fn residuals_of_the_root_are_what_loads_leave_of_newtons_law() {
    let rules = vec![on("ground_force_r_", "calcn_r"), on("ground_force_l_", "calcn_l")];
    let plan = Plan { loads: Some(loads(steps(), rules)), ..followed(Analysis::Inverse) };
    let outcome = good(&system(WALKER), &plan);
    for key in ["newton", "power_balance"] {
        let own = line(&outcome, key);
        assert_eq!(own.verdict, Verdict::Good, "{key}: {own:?}");
        assert!(own.value.is_some_and(|gap| gap < 1e-9), "{key}: {own:?}");
    }
    // Loads that have nothing to do with the motion are no ground reaction of it.
    assert_eq!((line(&outcome, "residual_force").verdict, line(&outcome, "residual_moment").verdict), (Verdict::Look, Verdict::Look));
    let table = &outcome.trajectory;
    let k = 20;
    let weight = 60.4 * 9.81;
    let h = 1.0 / RATE;
    let y = |k: usize| value(table, "system.center.y", k);
    // Differences of fourth order: of 2 Hz at 100 frames a second they miss 1e-4 of the acceleration.
    let accel = (-y(k + 2) + 16.0 * y(k + 1) - 30.0 * y(k) + 16.0 * y(k - 1) - y(k - 2)) / (12.0 * h * h);
    let load = value(table, "load.ground_force_r.force.y", k) + value(table, "load.ground_force_l.force.y", k);
    let residual = value(table, "root.residual.force.y", k);
    let expected = 60.4 * accel + weight - load;
    assert!((residual - expected).abs() < 0.02, "{residual} {expected}");
}

#[test]
fn contacts_are_given_to_the_feet_that_stand_there_whatever_plates_are_called() {
    let mut plates = steps();
    plates[0].name = "1".into();
    plates[1].name = "2".into();
    let free = good(&system(WALKER), &Plan { loads: Some(loads(plates.clone(), Vec::new())), ..followed(Analysis::Inverse) });
    assert_eq!(line(&free, "plate_assignment").verdict, Verdict::Good, "{:?}", line(&free, "plate_assignment"));
    let told = good(
        &system(WALKER),
        &Plan { loads: Some(loads(plates.clone(), vec![on("1", "calcn_r"), on("2", "calcn_l")])), ..followed(Analysis::Inverse) },
    );
    for column in ["coord.ankle_r.effort", "coord.hip_l.effort", "root.residual.moment.z"] {
        for k in 0..told.trajectory.len() {
            let [a, b] = [&free, &told].map(|own| value(&own.trajectory, column, k));
            assert!((a - b).abs() < 1e-9, "{column} {k}: {a} {b}");
        }
    }
    assert_eq!(line(&told, "load_under_foot").verdict, Verdict::Good);
    let wrong = good(
        &system(WALKER),
        &Plan { loads: Some(loads(plates, vec![on("1", "calcn_l"), on("2", "calcn_r")])), ..followed(Analysis::Inverse) },
    );
    assert_eq!(line(&wrong, "load_under_foot").verdict, Verdict::Look, "{:?}", line(&wrong, "load_under_foot"));
    // The whole body does not feel which foot is loaded.
    for k in [5, 50, 95] {
        let [a, b] = [&wrong, &told].map(|own| value(&own.trajectory, "root.residual.moment.z", k));
        assert!((a - b).abs() < 1e-9);
    }
    let columns: Vec<&str> = told.trajectory.columns().iter().map(|column| column.name.as_str()).collect();
    for column in
        ["plate.plate_1.force.y", "plate.plate_1.cop.x", "plate.plate_1.cop.valid", "plate.plate_1.free_moment", "load.plate_1.power"]
    {
        assert!(columns.contains(&column), "{column}");
    }
}

/// 1 Hz passes a filter at 6 Hz but for (1/6)^4 of itself, 30 Hz do not; what was done is told.
#[test]
fn a_filter_takes_noise_from_the_coordinates_and_says_so() {
    let mut file = degrees();
    let clean = file.table.clone();
    let mut noisy = Trajectory::foreign(clean.columns().to_vec()).expect("columns");
    let mut row = vec![0.0; clean.columns().len() + 1];
    for k in 0..clean.len() {
        clean.fill_row(k, &mut row);
        row[7] += 0.5 * (std::f64::consts::TAU * 30.0 * row[0]).sin();
        noisy.push_row(&row).expect("a row");
    }
    file.table = noisy;
    let filter = Filter {
        of: FilterOf::Coordinates,
        rule: FilterRule::Butterworth { cutoff: Cutoff::At(6.0), order: 2, correction: crate::measured::Correction::Exact, pad: None },
    };
    let plan = Plan {
        motion: Some(Motion { source: MotionSource::File(file), derivatives: Derivatives::Quintic }),
        filter: Some(filter),
        ..followed(Analysis::Evaluate)
    };
    let outcome = good(&system(WALKER), &plan);
    let (_, numbers) = WAYS[6];
    for k in 20..80 {
        let found = value(&outcome.trajectory, "coord.hip_r.value", k);
        assert!((found - way(numbers, k as f64 / RATE)).abs() < 1e-3, "{k}: {found}");
    }
    let told = &outcome.settings.iter().find(|(key, _)| key == "filter").expect("told").1;
    assert!(told.starts_with("Butterworth, order 2 forward and backward, 6 Hz: tx, ty, tz"), "{told}");
}

/// Ends of the filter and samples without a ground reaction do not count: one plate only is loaded, up to 0.6 s, and a cut-off of 6 Hz takes a sixth of a second to settle.
#[test]
fn samples_without_a_known_motion_and_a_ground_reaction_are_not_judged() {
    let one = || loads(vec![steps().remove(0)], vec![on("ground_force_r_", "calcn_r")]);
    let rule = FilterRule::Butterworth { cutoff: Cutoff::At(6.0), order: 2, correction: Correction::Exact, pad: None };
    let filter = Some(Filter { rule, of: FilterOf::Coordinates });
    let plan = Plan { loads: Some(one()), filter, ..followed(Analysis::Inverse) };
    let outcome = good(&system(WALKER), &plan);
    let table = &outcome.trajectory;
    let (first, last) = (table.time()[0], table.time()[table.len() - 1]);
    let norm = |stem: &str, k: usize| {
        ["x", "y", "z"].map(|axis| value(table, &format!("{stem}.{axis}"), k)).iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    let expected: Vec<bool> = (0..table.len())
        .map(|k| table.time()[k] > first + 1.0 / 6.0 && table.time()[k] < last - 1.0 / 6.0 && norm("load.ground_force_r.force", k) > 0.0)
        .collect();
    assert_eq!(outcome.judged, expected);
    let count = expected.iter().filter(|judged| **judged).count();
    assert!(count > 20 && count < 50, "{count}");
    let peak = (0..table.len()).filter(|k| expected[*k]).map(|k| norm("root.residual.force", k)).fold(0.0, f64::max);
    let scalar = outcome.scalars.iter().find(|scalar| scalar.name == "run.residual_force_peak").expect("a number").value;
    assert!((scalar - peak).abs() < 1e-9 * peak, "{scalar} {peak}");
    let told = outcome.settings.iter().find(|(key, _)| key == "judged samples").map(|(_, value)| value.as_str()).expect("a setting");
    assert!(told.starts_with(&format!("{count} of {}; left out are ", table.len())), "{told}");
    assert!(line(&outcome, "residual_force").text.starts_with(&format!("Root mean square over {count} of {} samples", table.len())));
    // Identities are those of every sample, and a run all of whose samples count says nothing of it.
    assert_eq!(line(&outcome, "newton").verdict, Verdict::Good);
    let both = Plan {
        loads: Some(loads(steps(), vec![on("ground_force_r_", "calcn_r"), on("ground_force_l_", "calcn_l")])),
        filter: None,
        ..plan
    };
    let whole = good(&system(WALKER), &both);
    assert!(whole.judged.is_empty() && whole.settings.iter().all(|(key, _)| key != "judged samples"));
}

#[test]
fn loads_that_do_not_fit_are_refused_with_what_to_do() {
    let code = |loads: LoadFile, plan: Plan| {
        let plan = Plan { loads: Some(loads), ..plan };
        check(&system(WALKER), &plan).map_or_else(|findings| findings.iter().map(|finding| finding.code).collect(), |_| Vec::new())
    };
    let simulate = Plan { time: Time { start: 0.0, end: 0.5, sample: None }, ..Plan::default() };
    assert_eq!(code(loads(steps(), Vec::new()), simulate.clone()), ["no-feet"]);
    assert_eq!(code(loads(steps(), vec![on("ground_force_r_", "calcn_rr")]), simulate.clone()), ["unknown-load-body"]);
    let long = Plan { time: Time { start: 0.0, end: 2.0, sample: None }, ..simulate };
    assert_eq!(code(loads(steps(), vec![on("ground_force_r_", "calcn_r")]), long), ["loads-too-short"]);
}
