//! The text of a lower-limb model: readable, with where its numbers come from.
//! Not here: the numbers.
//! In: bodies, markers and what was assumed. Out: a model file.

use super::fault::SubjectNotice;
use super::lower_limb::SubjectOptions;
use super::survey::{Leg, Survey};
use borelli_data::Explain;
use borelli_data::landmark::Landmarks;
use borelli_data::recording::{Recording, Side};
use borelli_math::Vec3;
use std::fmt::Write as _;

/// A body.
pub struct BodyText {
    /// Its name.
    pub name: String,
    /// kg.
    pub mass: f64,
    /// Mass centre, m.
    pub center: Vec3<f64>,
    /// Principal moments, kg m².
    pub moments: [f64; 3],
    /// Named points, m.
    pub points: Vec<(String, Vec3<f64>)>,
    /// Named frames: origin, m, and turns about X, Y, Z, rad.
    pub frames: Vec<(String, Vec3<f64>, Vec3<f64>)>,
}

/// A marker.
pub struct MarkerText {
    /// Name of the element.
    name: String,
    /// Name in recordings.
    pub label: String,
    body: String,
    location: Vec3<f64>,
    /// Weight in inverse kinematics.
    pub weight: f64,
}

impl MarkerText {
    /// A marker whose element has a name that model files accept and no other marker has.
    pub fn new(label: &str, body: String, location: Vec3<f64>, others: &[MarkerText]) -> MarkerText {
        let bare = label.rsplit_once(':').map_or(label, |(_, rest)| rest);
        let mut name: String = bare.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert_str(0, "m_");
        }
        let mut free = name.clone();
        let mut number = 2;
        while others.iter().any(|other| other.name == free) {
            free = format!("{name}_{number}");
            number += 1;
        }
        MarkerText { name: free, label: label.into(), body, location, weight: 1.0 }
    }
}

/// Everything a model file says.
pub struct ModelText {
    name: String,
    mass: f64,
    height: Option<f64>,
    comments: Vec<String>,
    /// Bodies, the root first.
    pub bodies: Vec<BodyText>,
    /// Markers.
    pub markers: Vec<MarkerText>,
}

impl ModelText {
    /// A model without bodies, with its comments.
    pub fn new(options: &SubjectOptions, survey: &Survey, recording: &Recording, landmarks: &Landmarks) -> ModelText {
        let frames = survey.pelvis.iter().flatten().count();
        let comments = vec![
            format!(
                "Pelvis, trunk with head and arms, and {} built from the markers of a recording. X forward, Y up, Z right.",
                legs_text(survey)
            ),
            format!(
                "Recording: {} ({frames} of {} frames serve, {} points).",
                plain(&recording.name),
                recording.clock.count,
                landmarks.names().len()
            ),
            format!("Body mass: {:.2} kg ({}).", options.mass, plain(&options.mass_source)),
            format!("Hips: {}. Segments: {}.", survey.hip_source, plain(&options.anthropometry.source)),
        ];
        ModelText {
            name: element_name(&options.name),
            mass: options.mass,
            height: options.height,
            comments,
            bodies: Vec::new(),
            markers: Vec::new(),
        }
    }
}

fn legs_text(survey: &Survey) -> String {
    match survey.legs.as_slice() {
        [one] => format!("the {} leg", one.side.word()),
        _ => "both legs".into(),
    }
}

/// Text on one line, without what would end a comment or a string.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn element_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).collect()
}

/// A quoted string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in plain(text).chars() {
        if c == '"' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

/// Hundredths of a millimetre are more than any marker is worth.
fn vector(v: Vec3<f64>) -> String {
    // Adding zero turns -0 into 0.
    let [x, y, z] = v.to_array().map(|c| (c * 1e5).round() / 1e5 + 0.0);
    format!("[{x}, {y}, {z}]")
}

/// Writes the file.
pub fn write_model(model: &ModelText, survey: &Survey, notices: &[SubjectNotice]) -> String {
    let mut text = String::new();
    let out = &mut text;
    for comment in &model.comments {
        line(out, &format!("# {comment}"));
    }
    for notice in notices {
        line(out, &format!("# Note: {}.", plain(&notice.message())));
    }
    line(out, "borelli = 1");
    line(out, &format!("name = {}", quoted(&model.name)));
    line(out, "description = \"Lower-limb model built from markers\"");
    line(out, "dimension = \"spatial\"");
    line(out, "gravity = [0, -9.80665, 0]\n");
    line(out, "[subject]");
    line(out, &format!("mass = \"{:.4} kg\"", model.mass));
    if let Some(height) = model.height {
        line(out, &format!("height = \"{height:.3} m\""));
    }
    for body in &model.bodies {
        write_body(out, body);
    }
    write_root(out, survey);
    for leg in &survey.legs {
        write_leg(out, leg);
    }
    write_rules(out, survey);
    for marker in &model.markers {
        line(out, &format!("\n[marker.{}]", marker.name));
        if marker.name != marker.label {
            line(out, &format!("label = {}", quoted(&marker.label)));
        }
        line(out, &format!("body = \"{}\"", marker.body));
        line(out, &format!("location = {}", vector(marker.location)));
        if marker.weight != 1.0 {
            line(out, &format!("weight = {}", marker.weight));
        }
    }
    text
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn write_body(out: &mut String, body: &BodyText) {
    let [x, y, z] = body.moments.map(|moment| (moment * 1e7).round() / 1e7);
    line(out, &format!("\n[body.{}]", body.name));
    line(out, &format!("mass = \"{:.5} kg\"", body.mass));
    line(out, &format!("center = {}", vector(body.center)));
    line(out, &format!("inertia = [{x}, {y}, {z}]"));
    for (name, place) in &body.points {
        line(out, &format!("point.{name} = {}", vector(*place)));
    }
    for (name, origin, angles) in &body.frames {
        line(out, &format!("frame.{name} = {{ origin = {}, angles = {} }}", vector(*origin), vector(*angles)));
    }
}

fn write_joint(out: &mut String, name: &str, kind: &str, parent: &str, child: &str, fields: &[String]) {
    line(out, &format!("\n[joint.{name}]\ntype = \"{kind}\"\nparent = \"{parent}\"\nchild = \"{child}\""));
    fields.iter().for_each(|field| line(out, field));
}

fn write_root(out: &mut String, survey: &Survey) {
    let coordinates = "coordinates = [\"pelvis_tx\", \"pelvis_ty\", \"pelvis_tz\", \"pelvis_tilt\", \"pelvis_list\", \"pelvis_rotation\"]";
    let fields = ["rotation = \"angles\"", "sequence = \"zxy\"", coordinates].map(String::from);
    write_joint(out, "root", "free", "world", "pelvis", &fields);
    if survey.trunk.is_some() {
        let fields = ["coordinates = [\"lumbar_extension\", \"lumbar_bending\", \"lumbar_rotation\"]".to_string()];
        write_joint(out, "lumbar", "gimbal", "pelvis.lumbar", "torso", &fields);
    } else {
        write_joint(out, "lumbar", "weld", "pelvis.lumbar", "torso", &[]);
    }
}

/// Joints of a leg. Positive are flexion, adduction, internal rotation, dorsiflexion and inversion on both sides: axes of the left are mirrored.
fn write_leg(out: &mut String, leg: &Leg) {
    let s = leg.side.letter();
    let one = if leg.side == Side::Right { 1 } else { -1 };
    let hip = [
        format!("axes = [[0, 0, 1], [{one}, 0, 0], [0, {one}, 0]]"),
        format!("coordinates = [\"hip_flexion_{s}\", \"hip_adduction_{s}\", \"hip_rotation_{s}\"]"),
    ];
    write_joint(out, &format!("hip_{s}"), "gimbal", &format!("pelvis.hip_{s}"), &format!("thigh_{s}"), &hip);
    let knee = ["axis = [0, 0, -1]".to_string(), format!("coordinates = [\"knee_angle_{s}\"]")];
    write_joint(out, &format!("knee_{s}"), "hinge", &format!("thigh_{s}.knee"), &format!("shank_{s}.knee"), &knee);
    let ankle = [format!("axes = [[0, 0, 1], [{one}, 0, 0]]"), format!("coordinates = [\"ankle_angle_{s}\", \"subtalar_angle_{s}\"]")];
    write_joint(out, &format!("ankle_{s}"), "universal", &format!("shank_{s}.ankle"), &format!("foot_{s}"), &ankle);
}

/// Ranges that hardly any walk leaves, the height of the pelvis, and signs for reports.
fn write_rules(out: &mut String, survey: &Survey) {
    let mut rules: Vec<(String, [i32; 2])> = Vec::new();
    for leg in &survey.legs {
        let ranges = [
            ("hip_flexion", [-60, 140]),
            ("hip_adduction", [-60, 60]),
            ("hip_rotation", [-70, 70]),
            ("knee_angle", [-20, 160]),
            ("ankle_angle", [-70, 60]),
            ("subtalar_angle", [-60, 60]),
        ];
        rules.extend(ranges.map(|(name, range)| (format!("{name}_{}", leg.side.letter()), range)));
    }
    for (name, [least, most]) in rules {
        line(out, &format!("\n[coordinate.{name}]\nrange = [\"{least} deg\", \"{most} deg\"]"));
    }
    let heights: Vec<f64> = survey.pelvis.iter().flatten().map(|pose| pose.p.y).collect();
    let height = heights.iter().sum::<f64>() / heights.len().max(1) as f64;
    line(out, &format!("\n[coordinate.pelvis_ty]\ndefault = \"{height:.4} m\""));
    let mut signs = String::from("pelvis_tilt = -1, pelvis_list = -1, pelvis_rotation = 1");
    for leg in &survey.legs {
        let s = leg.side.letter();
        for name in ["hip_flexion", "hip_adduction", "hip_rotation", "knee_angle", "ankle_angle", "subtalar_angle"] {
            let _ = write!(signs, ", {name}_{s} = 1");
        }
    }
    line(
        out,
        "\n# Reports show anterior tilt, the right side of the pelvis up and forward, flexion, adduction, internal rotation, dorsiflexion and inversion positive.",
    );
    line(out, &format!("[report]\nsign = {{ {signs} }}"));
}
