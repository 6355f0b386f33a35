//! What is written is read as the same model; numbers are found by their paths.

use crate::model::Model;
use crate::value::{Data, Element};

const TEXT: &str = r#"
borelli = 1
name = "a \"leg\"\\"
description = "two\tparts"
dimension = "spatial"
gravity = [0, "-9.81 m/s^2", 0]
[subject]
mass = "70 kg"
[body.thigh_r]
mass = 8
inertia = [0.1, 0.05, 0.1, 0.01, 0, 0]
point = { knee = [0, "-40 cm", 1e-7] }
frame.hip = { origin = [0.1, 0, 0], angles = ["5 deg", 0, 0] }
[joint.hip_r]
type = "function"
parent = "world"
child = "thigh_r"
rotations = [{ axis = [0, 0, 1], function = { type = "polynomial", coefficients = [0, 1] } }]
[marker.knee_r]
body = "thigh_r"
location = [0, -0.4, 0.05]
label = "R.Knee"
fixed = true
[measurement.thigh_r]
pairs = [["knee_r", "R.Knee"]]
bodies = ["thigh_r"]
[mirror.sides]
from = "_r"
to = "_l"
[report]
sign = { hip = -1 }
"#;

/// Elements without their places.
fn plain(elements: &[Element]) -> Vec<String> {
    fn shown(data: &Data) -> String {
        match data {
            Data::List(list) => format!("[{}]", list.iter().map(|v| shown(&v.data)).collect::<Vec<_>>().join(",")),
            Data::Table(table) => {
                format!("{{{}}}", table.iter().map(|e| format!("{}={}", e.key, shown(&e.value.data))).collect::<Vec<_>>().join(","))
            }
            other => format!("{other:?}"),
        }
    }
    let fields = |e: &Element| e.fields.iter().map(|f| format!("{}={}", f.key, shown(&f.value.data))).collect::<Vec<_>>().join(";");
    elements.iter().map(|e| format!("{}: {}", e.path(), fields(e))).collect()
}

#[test]
fn a_model_that_is_written_reads_as_the_same_model() {
    let model = Model::parse("leg.toml", TEXT).unwrap_or_else(|rejected| panic!("{rejected}"));
    let text = model.text(&|path| path.to_string());
    let again = Model::parse("again.toml", &text).unwrap_or_else(|rejected| panic!("{rejected}\n{text}"));
    assert_eq!((&again.name, &again.description), (&model.name, &model.description));
    for (a, b) in [
        (&model.bodies, &again.bodies),
        (&model.joints, &again.joints),
        (&model.markers, &again.markers),
        (&model.measurements, &again.measurements),
    ] {
        assert_eq!((a.len() > 1, plain(a)), (true, plain(b)));
    }
    let one = |e: &Option<Element>| plain(e.as_slice());
    assert_eq!((one(&again.subject), one(&again.report)), (one(&model.subject), one(&model.report)));
    assert_eq!(again.measurements[1].name, "thigh_l");
    assert_eq!(
        plain(&again.measurements)[1],
        "measurement.thigh_l: pairs=[[Text(\"knee_l\"),Text(\"R.Knee\")]];bodies=[Text(\"thigh_l\")]"
    );
}

#[test]
fn numbers_are_set_by_the_paths_of_parameters() {
    let mut model = Model::parse("leg.toml", TEXT).unwrap_or_else(|rejected| panic!("{rejected}"));
    for path in [
        "gravity.y",
        "subject.mass",
        "body.thigh_l.mass",
        "body.thigh_l.inertia.yz",
        "body.thigh_r.point.knee.y",
        "body.thigh_r.frame.hip.origin.x",
        "joint.hip_r.rotations.1",
        "marker.knee_l.location.z",
        "body.none.mass",
        "body.thigh_r.length",
        "gravity.w",
    ] {
        let there = !["joint.hip_r.rotations.1", "body.none.mass", "body.thigh_r.length", "gravity.w"].contains(&path);
        assert_eq!(model.set(path, 0.125), there, "{path}");
    }
    let text = model.text(&|path| path.to_string());
    assert_eq!(text.matches("0.125").count(), 7, "{text}");
    assert!(text.contains("point = { knee = [0.0, 0.125, 1e-7] }") && text.contains("gravity = [0.0, 0.125, 0.0]"), "{text}");
}

#[test]
fn files_of_numbers_are_named_as_they_are_asked_for() {
    let text = "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 1\ninertia = 1\n[function.f]\ntype = \"table\"\nfile = \"walk.csv\"\ncolumn = \"x\"\n";
    let load = |_: &str| Ok(b"time [s],x [m]\n0,1\n1,2\n".to_vec());
    let model = Model::parse_with("deep/model.toml", text, &load).unwrap_or_else(|rejected| panic!("{rejected}"));
    assert!(model.text(&|path| format!("../{path}")).contains("file = \"../deep/walk.csv\""));
}
