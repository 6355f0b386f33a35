//! Names and units of tables of motion, for a model with plain, curved and straight uses of coordinates.

use super::*;
use crate::plan::Angles;
use borelli_dynamics::compile;
use borelli_model::Model;

/// A trunk that slides and turns, a knee whose centre wanders with a straight angle, a patella whose every use is curved.
const LEG: &str = r#"
borelli = 1
dimension = "planar"
[body.trunk]
mass = 10
inertia = 1
point = { hip = [0, -0.2] }
[body.shank]
mass = 3
inertia = 0.1
[body.patella]
mass = 0.1
inertia = 0.001
[joint.root]
type = "planar"
parent = "world"
child = "trunk"
coordinates = ["pelvis_tx", "pelvis_ty", "pelvis_tilt"]
[joint.knee]
type = "function"
parent = "trunk.hip"
child = "shank"
coordinates = ["knee_angle_r"]
x = { type = "table", x = [-2, -1, 0, 1], y = [0.01, 0.02, 0, 0.01], interpolation = "spline", outside = "extrapolate" }
angle = { type = "polynomial", coefficients = [0, 1] }
[joint.patella]
type = "function"
parent = "shank"
child = "patella"
coordinates = ["knee_angle_pat_r"]
x = { type = "table", x = [-2, -1, 0, 1], y = [0.01, 0.02, 0, 0.01], interpolation = "spline", outside = "extrapolate" }
angle = { type = "table", x = [-2, -1, 0, 1], y = [0.3, 0.1, 0, 0.1], interpolation = "spline", outside = "extrapolate" }
"#;

fn leg() -> System {
    let model = Model::parse("leg.toml", LEG).unwrap_or_else(|e| panic!("{e}"));
    compile(&model).unwrap_or_else(|e| panic!("{e}"))
}

fn file(names: [&str; 5], rows: [[f64; 6]; 2], degrees: bool) -> MotionFile {
    let columns = names.map(|name| Column { name: name.into(), unit: None, optional: false }).to_vec();
    let mut table = Trajectory::foreign(columns).unwrap_or_else(|fault| panic!("{fault}"));
    rows.iter().for_each(|row| table.push_row(row).unwrap_or_else(|fault| panic!("{fault}")));
    MotionFile { path: "walk.mot".into(), table, angles: Angles { degrees, basis: Some(AngleBasis::Header) } }
}

const PLAIN: [&str; 5] = ["pelvis_tilt", "pelvis_tx", "pelvis_ty", "knee_angle_r", "knee_angle_pat_r"];

#[test]
fn degrees_speak_of_plain_rotations_only() {
    let rows = [[0.0, 10.0, 0.5, 0.9, 40.0, 0.2], [0.1, 12.0, 0.6, 0.9, 45.0, 0.25]];
    let settled = settle(&file(PLAIN, rows, true), &leg()).unwrap_or_else(|fault| panic!("{fault:?}"));
    let value = |name: &str| settled.table.column(&format!("coord.{name}.value")).unwrap_or_else(|| panic!("{name}"))[0];
    for (name, exact) in [
        ("pelvis_tilt", 10f64.to_radians()),
        ("pelvis_tx", 0.5),
        ("pelvis_ty", 0.9),
        ("knee_angle_r", 40f64.to_radians()),
        ("knee_angle_pat_r", 0.2),
    ] {
        assert!((value(name) - exact).abs() < 1e-15, "{name}: {}", value(name));
    }
    assert_eq!(
        settled.told,
        "walk.mot: angles are in degrees as its header says, converted: pelvis_tilt, knee_angle_r; kept in radians: knee_angle_pat_r"
    );
    assert_eq!(settled.doubt, None);
}

#[test]
fn paths_of_newer_files_and_own_names_mean_the_same() {
    let rows = [[0.0, 0.1, 0.5, 0.9, -0.4, 0.2], [0.1, 0.2, 0.6, 0.9, -0.5, 0.25]];
    let paths = [
        "/jointset/root/pelvis_tilt/value",
        "/jointset/root/pelvis_tx/value",
        "root/pelvis_ty/value",
        "coord.knee_angle_r.value",
        "/jointset/patella/knee_angle_pat_r/value",
    ];
    let (plain, newer) = (settle(&file(PLAIN, rows, false), &leg()), settle(&file(paths, rows, false), &leg()));
    let (Ok(plain), Ok(newer)) = (plain, newer) else { panic!("both are motions of this model") };
    assert!(plain.table.same_bits(&newer.table));
}

/// `inDegrees=no` above an elbow at 40: forty radians are six turns.
#[test]
fn angles_that_cannot_be_meant_are_told() {
    let rows = [[0.0, 0.1, 0.5, 0.9, 40.0, 0.2], [0.1, 0.2, 0.6, 0.9, 41.0, 0.25]];
    let fault = settle(&file(PLAIN, rows, false), &leg()).err();
    assert_eq!(fault, Some(PlanFault::MotionAngle { column: "knee_angle_r".into(), extent: 41.0 }));
    let small = [[0.0, 0.1, 0.5, 0.9, 0.4, 0.2], [0.1, 0.2, 0.6, 0.9, 1.1, 0.25]];
    let doubt = settle(&file(PLAIN, small, true), &leg()).ok().and_then(|settled| settled.doubt);
    assert!(doubt.as_ref().is_some_and(|text| text.contains("are they radians?")), "{doubt:?}");
}

#[test]
fn a_motion_of_another_model_is_refused_with_both_lists() {
    let rows = [[0.0; 6], [0.1, 0.0, 0.0, 0.0, 0.0, 0.0]];
    let fault = settle(&file(["a", "b", "c", "d", "e"], rows, false), &leg()).err();
    assert!(matches!(fault, Some(PlanFault::MotionOfAnother { .. })), "{fault:?}");
}
