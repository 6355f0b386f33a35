//! Markers, rules for coordinates and report signs as they are read, mirrored and set.

use crate::compile::compile;
use crate::system::{MeasurementRule, System};
use borelli_model::Model;

const LEG: &str = r#"
borelli = 1
dimension = "spatial"

[body.pelvis]
mass = 10
inertia = [0.1, 0.1, 0.1]
point = { hip_r = [0, -0.1, 0.08], asis_r = [0.1, 0.02, 0.12] }
[body.thigh_r]
mass = 8
inertia = [0.1, 0.05, 0.1]
[joint.root]
type = "free"
parent = "world"
child = "pelvis"
[joint.hip_r]
type = "gimbal"
parent = "pelvis.hip_r"
child = "thigh_r"

[marker.asis_r]
at = "pelvis.asis_r"
label = "R.ASIS_r"
weight = 2
fixed = true
[marker.knee_r]
body = "thigh_r"
location = [0, -0.4, "5 cm"]
[coordinate.hip_r_1]
range = ["-30 deg", "120 deg"]
clamp = true
default = "10 deg"
[coordinate.hip_r_2]
lock = true
static_weight = 3
[measurement.thigh_r]
pairs = [["knee_r", "R.ASIS_r"]]
bodies = "thigh_r"
axes = "xz"
[mirror.sides]
from = "_r"
to = "_l"
[initial]
coordinates = { hip_l_1 = 0.5 }
[report]
sign = { hip_r_1 = -1, hip = 1 }
"#;

fn system(text: &str) -> System {
    compile(&Model::parse("leg.toml", text).expect("the text is well formed")).expect("the model compiles")
}

#[test]
fn markers_and_rules_are_read_and_mirrored() {
    // the hip of the other side hangs on a point that only a mirrored pelvis would have
    let text =
        LEG.replace("asis_r = [0.1, 0.02, 0.12] }", "asis_r = [0.1, 0.02, 0.12], hip_l = [0, -0.1, -0.08], asis_l = [0.1, 0.02, -0.12] }");
    let system = system(&text);
    assert_eq!(system.names.markers, ["asis_r", "knee_r", "asis_l", "knee_l"]);
    let labels: Vec<&str> = system.markers.iter().map(|m| m.label.as_str()).collect();
    assert_eq!(labels, ["R.ASIS_r", "knee_r", "R.ASIS_l", "knee_l"]);
    assert_eq!(
        system.markers.iter().map(|m| (m.weight, m.fixed)).collect::<Vec<_>>(),
        [(2.0, true), (1.0, false), (2.0, true), (1.0, false)]
    );
    let knee_l = system.numbers.tree.place_p[system.markers[3].place as usize];
    assert_eq!(knee_l.to_array(), [0.0, -0.4, -0.05]);
    let rule = |name: &str| {
        let k = system.names.coordinates.iter().position(|c| c.name == name).expect("the coordinate exists");
        (system.coordinates[k], system.start.q[k])
    };
    let ten = 10_f64.to_radians();
    assert_eq!(rule("hip_r_1").0.range, rule("hip_l_1").0.range);
    assert!(rule("hip_l_1").0.clamp && rule("hip_l_2").0.lock);
    assert_eq!((rule("hip_l_2").0.static_weight, rule("hip_l_1").0.static_weight), (3.0, 0.0));
    // The start takes the default where [initial] is silent.
    assert_eq!((rule("hip_r_1").0.default, rule("hip_r_1").1), (ten, ten));
    assert_eq!((rule("hip_l_1").0.default, rule("hip_l_1").1), (ten, 0.5));
    let thigh = |name: &str, body: u32, pairs| MeasurementRule { name: name.into(), pairs, bodies: vec![body], axes: [true, false, true] };
    assert_eq!(system.measurements, [thigh("thigh_r", 2, vec![[1, 0]]), thigh("thigh_l", 3, vec![[3, 2]])]);
    assert_eq!(system.report_signs, [("hip_r_1".to_string(), -1.0), ("hip".to_string(), 1.0)]);
}

#[test]
fn a_marker_moves_with_its_parameters() {
    let text = LEG.replace("[mirror.sides]\nfrom = \"_r\"\nto = \"_l\"\n", "").replace("{ hip_l_1 = 0.5 }", "{ hip_r_2 = 0.5 }");
    let system = system(&text);
    let mut values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
    for (path, value) in [("marker.knee_r.location.y", -0.5), ("marker.knee_r.weight", 3.0), ("body.pelvis.point.asis_r.x", 0.2)] {
        values[system.parameter(path).expect("the path exists")] = value;
    }
    let moved = system.with_parameters(&values);
    let place = |k: usize| moved.numbers.tree.place_p[moved.markers[k].place as usize].to_array();
    assert_eq!(place(1), [0.0, -0.5, 0.05]);
    assert_eq!(place(0)[0], 0.2);
    assert_eq!(moved.markers[1].weight, 3.0);
}
