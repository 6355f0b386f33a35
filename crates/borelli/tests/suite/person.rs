//! `borelli gait --model --static`: a generic model becomes a person of other proportions, whose factors the test knows.
//! Not here: what factors do to single bodies (`borelli_dynamics::kinematics::scaling`), another program's factors (`markers`).

use crate::runs::Place;
use crate::{root, stderr, stdout};
use borelli::dynamics::frames::Frames;
use borelli::{Model, System, compile};
use serde_json::Value;
use std::fmt::Write;
use std::fs;

/// How much larger each body of the person is, along its axes.
const FACTORS: [(&str, [f64; 3]); 10] = [
    ("pelvis", [1.08, 1.08, 1.08]),
    ("trunk", [1.05, 1.05, 0.97]),
    ("thigh_r", [0.94, 0.94, 0.94]),
    ("thigh_l", [0.94, 0.94, 0.94]),
    ("shank_r", [1.1, 1.1, 1.1]),
    ("shank_l", [1.02, 1.02, 1.02]),
    ("foot_r", [0.9, 0.9, 0.9]),
    ("foot_l", [0.9, 0.9, 0.9]),
    ("toes_r", [0.9, 0.9, 0.9]),
    ("toes_l", [0.9, 0.9, 0.9]),
];
/// Where the sternum marker of the person sits, against where the scaled model has it, m.
const SHIFT: [f64; 3] = [0.011, -0.02, 0.006];
/// Mass of the person, kg.
const MASS: f64 = 80.0;

fn factor(body: &str) -> [f64; 3] {
    FACTORS.iter().find(|(name, _)| *name == body).unwrap_or_else(|| panic!("no {body}")).1
}

/// The gallery's model with a sternum marker that says nothing about the pose.
fn generic() -> (String, System) {
    let text = fs::read_to_string(root().join("models/lower-limb-markers.toml")).expect("the model");
    let text = text.replace("location = [0.1, 0.3, 0]\n", "location = [0.1, 0.3, 0]\nweight = 0\n");
    let model = Model::parse("generic.toml", &text).unwrap_or_else(|rejected| panic!("{rejected}"));
    let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
    (text, system)
}

/// What every place of the person's model must be: points and markers grow with their body, the wandering of a knee with the thigh.
fn person(system: &System) -> Vec<(String, f64)> {
    let mut list = Vec::new();
    for parameter in &system.parameters {
        let parts: Vec<&str> = parameter.path.split('.').collect();
        let axis = |axis: &str| "xyz".find(axis).expect("an axis");
        let value = match parts[..] {
            ["body", body, "point", _, k] | ["body", body, "center", k] => parameter.value * factor(body)[axis(k)],
            ["marker", marker, "location", k] => {
                let own = system.names.markers.iter().position(|name| name == marker).expect("a marker");
                let body = system.numbers.place_body[system.markers[own].place as usize] as usize;
                let shift = if marker == "sternum" { SHIFT[axis(k)] } else { 0.0 };
                parameter.value * factor(&system.names.bodies[body])[axis(k)] + shift
            }
            ["joint", joint @ ("knee_r" | "knee_l"), "scale", k] => factor(&joint.replace("knee", "thigh"))[axis(k)],
            _ => continue,
        };
        list.push((parameter.path.clone(), value));
    }
    list
}

/// Coordinates over time: somebody who walks along x, and bends everything a little.
fn pose(system: &System, t: f64) -> Vec<f64> {
    let wave = |phase: f64| (std::f64::consts::TAU * t / 1.1 + phase).sin();
    let one = |name: &str, default: f64| {
        let phase = if name.ends_with("_l") { std::f64::consts::PI } else { 0.0 };
        match name.trim_end_matches("_r").trim_end_matches("_l") {
            "pelvis_tx" => 1.2 * t,
            "pelvis_ty" => default + 0.02 * wave(1.0),
            "hip_flexion" => 0.1 + 0.35 * wave(phase),
            "knee_angle" => -0.5 + 0.35 * wave(phase + 0.8),
            "ankle_angle" => 0.15 * wave(phase + 0.3),
            "mtp_angle" | "subtalar_angle" => 0.05 * wave(phase),
            _ => 0.04 * wave(phase + name.len() as f64),
        }
    };
    system.names.coordinates.iter().zip(&system.coordinates).map(|(name, rule)| one(&name.name, rule.default)).collect()
}

/// Markers of a system as a TRC file.
fn trc(system: &System, poses: &[Vec<f64>]) -> String {
    let labels: Vec<&str> = system.markers.iter().map(|marker| marker.label.as_str()).collect();
    let (count, frames) = (labels.len(), poses.len());
    let mut text = format!(
        "PathFileType\t4\t(X/Y/Z)\tperson\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n\
         100\t100\t{frames}\t{count}\tmm\t100\t1\t{frames}\nFrame#\tTime\t{}\n\t\t\n\n",
        labels.join("\t\t\t")
    );
    for (k, q) in poses.iter().enumerate() {
        let mut at = Frames::new(&system.skeleton);
        at.fill::<f64, false>(&system.skeleton, &system.numbers.tree, q, &vec![0.0; system.skeleton.dofs()], &[]);
        at.fill_points(&system.skeleton);
        let _ = write!(text, "{}\t{}", k + 1, k as f64 / 100.0);
        for marker in &system.markers {
            let body = system.numbers.place_body[marker.place as usize] as usize;
            let p = at.p[body] + at.R[body] * system.numbers.tree.place_p[marker.place as usize];
            let _ = write!(text, "\t{:.6}\t{:.6}\t{:.6}", 1e3 * p.x, 1e3 * p.y, 1e3 * p.z);
        }
        text.push('\n');
    }
    text
}

/// A folder with the generic model, the person's static trial and walk.
fn folder(name: &str) -> (Place, System, Vec<(String, f64)>) {
    let place = Place::new(name);
    let (text, system) = generic();
    let wanted = person(&system);
    let mut values: Vec<f64> = system.parameters.iter().map(|parameter| parameter.value).collect();
    wanted.iter().for_each(|(path, value)| values[system.parameter(path).expect("a path")] = *value);
    let large = system.with_parameters(&values);
    place.write("generic.toml", &text);
    place.write("standing.trc", &trc(&large, &vec![pose(&large, 0.3); 5]));
    place.write("walk.trc", &trc(&large, &(0..150).map(|k| pose(&large, k as f64 / 100.0)).collect::<Vec<_>>()));
    (place, system, wanted)
}

const WORDS: [&str; 11] =
    ["gait", "walk.trc", "--model", "generic.toml", "--static", "standing.trc", "--mass", "80", "--forward", "+x", "--json"];

fn session(place: &Place, more: &[&str]) -> (Value, System) {
    let output = place.borelli(&[&WORDS[..], more].concat());
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let summary = serde_json::from_slice(&output.stdout).expect("JSON");
    let model = Model::read(&place.path(more[1]).join("model.toml")).unwrap_or_else(|rejected| panic!("{rejected}"));
    (summary, compile(&model).unwrap_or_else(|rejected| panic!("{rejected}")))
}

fn value(system: &System, path: &str) -> f64 {
    system.parameters[system.parameter(path).unwrap_or_else(|| panic!("no {path}"))].value
}

#[test]
fn a_person_of_other_proportions_is_recovered_from_a_static_trial() {
    let (place, generic, wanted) = folder("person");
    let (summary, scaled) = session(&place, &["--out", "out"]);
    // Factors, each by its measurement.
    let list = summary["gait"]["scaling"]["measurements"].as_array().expect("measurements").clone();
    assert_eq!(list.len(), 9);
    for own in &list {
        let name = own["measurement"].as_str().expect("a name");
        let expected = match name {
            "shoulders" => factor("trunk")[2],
            body => factor(body)[0],
        };
        let found = own["factor"].as_f64().expect("a factor");
        assert!((found - expected).abs() < 1e-6, "{name}: {found} for {expected}");
        for pair in own["pairs"].as_array().expect("pairs") {
            let ratio = pair["measured_m"].as_f64().expect("m") / pair["model_m"].as_f64().expect("m");
            assert!((ratio - expected).abs() < 1e-6, "{pair}");
        }
    }
    // Every place of the model that was written: points, joints, markers; also the marker that sits elsewhere on this person.
    assert!(wanted.len() > 150);
    for (path, expected) in &wanted {
        assert!((value(&scaled, path) - expected).abs() < 1e-6, "{path}: {} for {expected}", value(&scaled, path));
    }
    // Masses by volume, to the mass of the person; inertias of bodies that are stretched: second moments along each axis, J_x = (I_yy + I_zz - I_xx)/2.
    let volume = |body: &str| factor(body).iter().product::<f64>();
    let raw: f64 = FACTORS.iter().map(|(body, _)| value(&generic, &format!("body.{body}.mass")) * volume(body)).sum();
    for (body, s) in FACTORS {
        let (old, new) = (value(&generic, &format!("body.{body}.mass")), value(&scaled, &format!("body.{body}.mass")));
        assert!((new - old * volume(body) * MASS / raw).abs() < 1e-5 * old, "{body}");
        let inertia = |system: &System| ["xx", "yy", "zz"].map(|k| value(system, &format!("body.{body}.inertia.{k}")));
        let (I, found) = (inertia(&generic), inertia(&scaled));
        let second = |k: usize| new / old * s[k] * s[k] * (0.5 * (I[0] + I[1] + I[2]) - I[k]);
        for k in 0..3 {
            let expected = second((k + 1) % 3) + second((k + 2) % 3);
            assert!((found[k] / expected - 1.0).abs() < 1e-5, "{body}: {found:?}");
        }
    }
    // The person fits the model; told are the shanks, which differ by eight per cent, and nothing else of the size.
    let remarks: Vec<&str> = summary["gait"]["remarks"].as_array().expect("remarks").iter().filter_map(|r| r["text"].as_str()).collect();
    let about = |word: &str| remarks.iter().filter(|text| text.contains(word)).count();
    assert_eq!(
        (about("`shank_r` and `shank_l` are scaled by"), about("are scaled by"), about("gives a factor of")),
        (1, 1, 0),
        "{remarks:?}"
    );
    assert_eq!(about("markers of the scaled model lie 0.0 mm (rms)"), 1, "{remarks:?}");
    let scalars = summary["cases"][0]["scalars"].to_string();
    let rms = summary["cases"][0]["scalars"]["markers.rms"]["value"].as_f64().unwrap_or_else(|| panic!("{scalars}"));
    assert!(rms < 1e-7, "{rms}");
    // The page shows both distances, and the study names the scaled model.
    let page = fs::read_to_string(place.path("out/report.html")).expect("a page");
    assert!(["Size of the person against the generic model", "thigh_front_r to knee_lateral_r"].iter().all(|text| page.contains(text)));
    assert!(fs::read_to_string(place.path("out/walk.study.toml")).expect("a study").contains("model = \"model.toml\""));
}

#[test]
fn a_scaled_model_keeps_its_distribution_of_mass_and_reads_bodies_as_cylinders_when_asked() {
    let (place, generic, _) = folder("person-rules");
    let (_, scaled) = session(&place, &["--out", "out", "--preserve-distribution", "--inertia", "opensim"]);
    for (body, s) in FACTORS {
        let of = |system: &System, what: &str| value(system, &format!("body.{body}.{what}"));
        assert!((of(&scaled, "mass") / of(&generic, "mass") - MASS / 72.0).abs() < 1e-9, "{body}");
        if body == "trunk" {
            // About y: r² = 2 I_yy/m grows with s_x s_z; l² = 12 (I_xx - m r²/4)/m with s_y².
            let (m, new) = (of(&generic, "mass"), of(&scaled, "mass"));
            let r2 = 2.0 * of(&generic, "inertia.yy") / m;
            let l2 = 12.0 * (of(&generic, "inertia.xx") - 0.25 * m * r2) / m;
            let (r2, l2) = (r2 * s[0] * s[2], l2 * s[1] * s[1]);
            assert!((of(&scaled, "inertia.yy") / (0.5 * new * r2) - 1.0).abs() < 1e-5);
            assert!((of(&scaled, "inertia.zz") / (new * (0.25 * r2 + l2 / 12.0)) - 1.0).abs() < 1e-5);
        } else {
            assert!((of(&scaled, "inertia.xx") / of(&generic, "inertia.xx") / (s[0] * s[0] * MASS / 72.0) - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn what_a_static_trial_does_not_show_is_told_and_left_as_it_is() {
    let (place, _, _) = folder("person-gaps");
    let text = fs::read_to_string(place.path("standing.trc")).expect("a file");
    // The markers of one shank under names that nobody knows, and a thigh more than a quarter too short.
    place.write("standing.trc", &text.replace("shank_upper_l", "other").replace("thigh_front_l", "odd"));
    let (summary, scaled) = session(&place, &["--out", "out"]);
    let said = summary["gait"]["remarks"].to_string();
    let shank = "measurement `shank_l`: the static trial does not show shank_upper_l to malleolus_lateral_l and \
                 shank_upper_l to malleolus_medial_l; no pair is left, and body `shank_l` keeps its size";
    for word in [shank, "measurement `thigh_l`"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(!said.contains("its other pairs count"), "{said}");
    assert_eq!(value(&scaled, "body.shank_l.point.ankle.y"), -0.41);
    // A model without measurements keeps its size, and it is told.
    let plain = fs::read_to_string(place.path("generic.toml")).expect("a file");
    place.write("generic.toml", plain.split("# What a trial of standing tells").next().expect("text"));
    let output = place.borelli(&[&WORDS[..], &["--out", "plain"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("has no measurements") && !place.path("plain/model.toml").exists());
}
