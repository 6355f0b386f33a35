//! Labels by example, and over every column of the gallery and of the studies.

use super::*;
use crate::job::{Job, Survey};
use crate::studies::Studies;
use crate::{compile, gallery};
use borelli_data::Column;
use borelli_study::run::check;
use std::collections::BTreeMap;

const UPRIGHT: Axes = Axes { upright: true, planar: false };

fn one(name: &str, unit: &str, axes: Axes) -> ColumnLabel {
    columns(&[Column::new(name, unit)], axes, Given::default()).remove(0)
}

#[test]
fn a_side_is_a_word_of_its_own() {
    for (name, side) in [
        ("thigh_r", Some(Side::Right)),
        ("left-shank", Some(Side::Left)),
        ("contact.heel_L.force", Some(Side::Left)),
        ("right", Some(Side::Right)),
        ("r", None),
        ("lower leg", None),
        ("crank", None),
    ] {
        assert_eq!(side_of(name), side, "{name}");
    }
}

#[test]
fn words_have_the_side_last_and_are_spelt_out() {
    for (name, text) in [
        ("thigh_r", "thigh right"),
        ("left-upper_arm", "upper arm left"),
        ("torso", "torso"),
        ("hip_flex_r", "hip flexion right"),
        ("hat", "head, arms and trunk"),
        ("specker4", "specker4"),
        ("th1", "angle 1"),
        ("knee.knee_r", "knee right"),
        ("ball.2.2", "ball 2 2"),
    ] {
        assert_eq!(words(name), text);
    }
    assert_eq!((element("foot.heel_l"), capital(""), capital("été")), ("Foot heel left".into(), String::new(), "Été".into()));
}

#[test]
fn hyphens_of_case_names_are_spaces_unless_they_are_signs() {
    for (name, text) in [
        ("step-0.60", "Step 0.60"),
        ("step-0.60-from-rest", "Step 0.60 from rest"),
        ("2.5-mm", "2.5 mm"),
        ("rtol-1e-3", "Rtol 1e-3"),
        ("whole_leg", "Whole leg"),
        ("fall", "Fall"),
        ("x-1", "X-1"),
        ("-1", "-1"),
        ("", ""),
    ] {
        assert_eq!(case(name), text);
    }
    assert_eq!(event("contact.foot.heel_r.touchdown"), "Foot heel right: touchdown");
    assert_eq!(event("toe_off"), "Toe off");
}

#[test]
fn columns_are_called_as_people_call_them() {
    for (name, unit, text, path) in [
        ("coord.hip_flex_r.value", "rad", "Hip flexion, right", "Joint angles > Hip right > flexion"),
        ("coord.hip_flex_r.rate", "rad/s", "Hip flexion, right: angular velocity", "Joint velocities > Hip right > flexion"),
        ("coord.hip_flex_r.effort", "N m", "Hip flexion moment, right", "Joint moments > Hip right > flexion moment"),
        ("coord.knee_angle_r.effort", "N m", "Knee moment, right", "Joint moments > Knee right > moment"),
        ("coord.knee_angle_l.value", "rad", "Knee angle, left", "Joint angles > Knee left > angle"),
        ("coord.knee_l.value", "rad", "Knee angle, left", "Joint angles > Knee left > angle"),
        ("coord.knee_l.rate", "rad/s", "Knee angular velocity, left", "Joint velocities > Knee left > angular velocity"),
        ("coord.pelvis_tx.value", "m", "Pelvis forward position", "Joint displacements > Pelvis > forward position"),
        ("coord.ty.rate", "m/s", "Upward velocity", "Joint velocities > upward velocity"),
        ("coord.pelvis_tilt.value", "rad", "Pelvis tilt", "Joint angles > Pelvis > tilt"),
        ("coord.wrist_qx.value", "1", "Wrist quaternion x", "Quaternions > Wrist > quaternion x"),
        (
            "coord.wrist_wx.accel",
            "rad/s^2",
            "Wrist angular acceleration about own x",
            "Joint accelerations > Wrist > angular acceleration about own x",
        ),
        ("coord.th2.value", "rad", "Angle 2", "Joint angles > angle 2"),
        ("coord.y1.value", "m", "Height 1", "Joint displacements > height 1"),
        ("coord.rz.value", "rad", "Rotation about Z", "Joint angles > rotation about Z"),
        ("contact.heel_r.normal_force", "N", "Heel right: normal force", "Ground and contact > Heel right > normal force"),
        (
            "contact.foot.heel_r.friction.x",
            "N",
            "Foot heel right: friction, forward",
            "Ground and contact > Foot heel right > friction, forward",
        ),
        ("joint.knee_r.reaction.force.y", "N", "Knee right: joint force, up", "Joint forces > Knee right > up"),
        ("joint.knee_r.reaction.moment.y", "N m", "Knee right: reaction moment, about Y", "Joint reaction moments > Knee right > about Y"),
        ("body.thigh_r.vz", "m/s", "Thigh right: velocity, right", "Bodies > Thigh right > velocity, right"),
        ("body.thigh_r.qw", "1", "Thigh right: quaternion w", "Bodies > Thigh right > quaternion w"),
        (
            "loop.pedal_l.drift_rate.x",
            "m/s",
            "Pedal left: speed of the gap of the loop, forward",
            "Loops and guides > Pedal left > speed of the gap of the loop, forward",
        ),
        ("loop.rod.reaction.length", "N", "Rod: loop force along the rod", "Loops and guides > Rod > loop force along the rod"),
        ("guide.knee.reaction.coordinate", "N m", "Knee: guide effort", "Loops and guides > Knee > guide effort"),
        ("marker.RASI.error.norm", "m", "Marker RASI: size of the error", "Markers > Marker RASI > size of the error"),
        ("system.center.y", "m", "Mass centre, up", "Whole body > Mass centre, up"),
        ("derived.hip.rotation.z", "rad", "Hip: rotation, about Z", "Joint rotations > Hip > rotation, about Z"),
        ("derived.cop_error_x", "m", "Centre of pressure error, X", "From this study > Centre of pressure error, X"),
        ("derived.x", "m", "X", "From this study > X"),
    ] {
        let label = one(name, unit, UPRIGHT);
        assert_eq!((label.text.as_str(), label.path.join(" > ").as_str()), (text, path), "{name}");
    }
    assert_eq!(one("joint.knee_r.reaction.force.y", "N", Axes { upright: false, planar: false }).text, "Knee right: joint force, Y");
    assert_eq!(one("joint.knee_r.reaction.moment.z", "N m", Axes { upright: true, planar: true }).text, "Knee right: reaction moment");
    assert_eq!(one("coord.pelvis_tx.value", "m", Axes { upright: false, planar: false }).text, "Pelvis position along X");
    let foreign = Column { name: "/jointset/hip_r/hip_flexion_r/value".into(), unit: None, optional: false };
    assert_eq!(columns(&[foreign], UPRIGHT, Given::default())[0].text, "Jointset hip hip flexion value, right");
}

#[test]
fn what_a_model_calls_its_elements_comes_before_the_words_of_names() {
    let own = |key: &str, label: &str| (key.to_string(), label.to_string());
    let labels = [
        own("joint.knee_r", "Right knee"),
        own("coordinate.knee_r", "Bending of the right knee"),
        own("marker.RASI", "Pelvis front"),
        own("loop.pin", "Pin"),
    ];
    let given = Given(&labels);
    for (name, unit, text) in [
        ("joint.knee_r.reaction.force.y", "N", "Right knee: joint force, up"),
        ("chain.joint.knee_r.moment", "N m", "Right knee: joint moment of the chain"),
        ("derived.knee_r.rotation.x", "rad", "Right knee: rotation, about X"),
        ("coord.knee_r.value", "rad", "Bending of the right knee"),
        ("coord.knee_r.effort", "N m", "Bending of the right knee: moment"),
        ("marker.RASI.valid", "1", "Pelvis front: seen"),
        ("loop.pin.reaction.x", "N", "Pin: loop force, forward"),
        ("body.knee_r.x", "m", "Knee right: position, forward"),
    ] {
        let label = columns(&[Column::new(name, unit)], UPRIGHT, given).remove(0);
        assert_eq!((label.text.as_str(), label.side), (text, side_of(name)), "{name}");
    }
    assert_eq!(
        (given.element("joint", "knee_r", Some(Side::Right)), given.element("joint", "knee_l", Some(Side::Left))),
        ("Right knee".into(), "Knee left".into())
    );
}

#[test]
fn columns_that_would_be_called_alike_keep_their_names() {
    let list = [Column::new("coord.knee_r.value", "rad"), Column::new("coord.r-knee.value", "rad"), Column::new("coord.hip.value", "rad")];
    let texts: Vec<String> = columns(&list, UPRIGHT, Given::default()).into_iter().map(|label| label.text).collect();
    assert_eq!(texts, ["Knee angle, right (coord.knee_r.value)", "Knee angle, right (coord.r-knee.value)", "Hip angle"]);
}

/// Columns of every model of the gallery and of every case of the studies.
fn everything() -> Vec<(String, bool, Vec<Column>)> {
    let mut list = Vec::new();
    for name in gallery::names() {
        let model = gallery::read(name).expect("it").unwrap_or_else(|rejected| panic!("{rejected}"));
        let job = Job::of_model(name, &model, &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
        let task = &job.tasks[0];
        if let Ok(outline) = check(&task.system, &task.plan) {
            list.push((name.to_string(), compile(&model).is_ok_and(|system| system.skeleton.planar), outline.columns));
        }
    }
    for study in Studies::EMBEDDED.names().expect("studies") {
        let Ok(survey) = Survey::of_study(&Studies::EMBEDDED.path(&study), &Studies::EMBEDDED, &[]) else { continue };
        for task in &survey.job.tasks {
            if let Ok(outline) = check(&task.system, &task.plan) {
                list.push((format!("{study} {}", task.name), task.system.skeleton.planar, outline.columns));
            }
        }
    }
    list
}

#[test]
fn every_column_of_gallery_and_studies_has_a_label_of_its_own() {
    let (mut count, mut families) = (0, BTreeMap::new());
    for (name, planar, list) in everything() {
        for upright in [true, false] {
            let labels = columns(&list, Axes { upright, planar }, Given::default());
            let mut seen = BTreeMap::new();
            for (column, label) in list.iter().zip(&labels) {
                let text = &label.text;
                assert!(!text.is_empty() && *text != column.name, "{name}: {} is `{text}`", column.name);
                // names in brackets are for models that call two things alike; none of ours does
                assert!(!text.contains(['_', '.', '(']), "{name}: {} is `{text}`", column.name);
                assert!(label.path.len() >= 2 && label.path.iter().all(|branch| !branch.is_empty()), "{name}: {label:?}");
                assert!(label.path[0] != "Other columns", "{name}: {} is in no family", column.name);
                if let Some(other) = seen.insert(text.clone(), &column.name) {
                    panic!("{name}: {} and {other} are both `{text}`", column.name);
                }
                families.insert(column.name.split('.').next().unwrap_or_default().to_string(), ());
            }
            count += labels.len();
        }
    }
    assert!(count > 5000, "only {count} columns");
    let families: Vec<String> = families.into_keys().collect();
    let expected = [
        "body",
        "chain",
        "constraint",
        "contact",
        "coord",
        "derived",
        "force",
        "guide",
        "integral",
        "joint",
        "joint_angles",
        "ligament",
        "load",
        "loop",
        "marker",
        "markers",
        "muscle",
        "path",
        "plate",
        "root",
        "sensor",
        "soft",
        "soft_contact",
        "support",
        "system",
        "tie",
        "traction",
    ];
    assert_eq!(families, expected);
}

#[test]
fn every_column_of_the_manual_is_in_a_family() {
    let manual = include_str!("../../../../docs/src/columns.md");
    let columns_only = manual.split("## Numbers of the whole run").next().unwrap_or_default();
    let table_rows = columns_only.lines().filter(|line| line.starts_with("| `"));
    let names = table_rows.flat_map(|line| line.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2));
    let mut count = 0;
    for name in names {
        let label = one(&name.replace(".N.", ".knee_r."), "1", UPRIGHT);
        assert!(label.path[0] != "Other columns" && !label.text.contains(['_', '.']), "{name}: {label:?}");
        count += 1;
    }
    assert!(count > 150, "only {count} columns in the manual");
}

#[test]
fn a_letter_tells_a_side_only_where_that_is_certain() {
    // whole words, and parts that come in pairs
    for (name, side) in [("thigh_r", Side::Right), ("R_Knee_Med", Side::Right), ("path.left", Side::Left), ("metatarsal5_l", Side::Left)] {
        assert_eq!(side_of(name), Some(side), "{name}");
    }
    for name in ["trunk_r", "wheel_r", "r", "coefficient.r", "l_1", "radius_r", "pelvis_l"] {
        assert_eq!(side_of(name), None, "{name}");
    }
    // a counterpart decides where the name itself does not
    let alone = Sides::among(["trunk_r", "wheel_r"]);
    assert_eq!((alone.of("trunk_r"), alone.of("wheel_r")), (None, None));
    let both = Sides::among(["trunk_r", "trunk_l", "wheel.L.x", "wheel.R.x", "r", "rim_r", "rim"]);
    assert_eq!((both.of("trunk_r"), both.of("trunk_l"), both.of("wheel.R.x")), (Some(Side::Right), Some(Side::Left), Some(Side::Right)));
    assert_eq!((both.of("r"), both.of("rim_r"), both.of("rim")), (None, None, None));
    // what tells no side keeps its letter, unless a person has one of it
    assert_eq!((words("wheel_r").as_str(), words("trunk_r").as_str(), words("thigh_r").as_str()), ("wheel r", "trunk", "thigh right"));
}

#[test]
fn one_leg_is_right_and_its_trunk_is_not() {
    let list = |names: &[&str]| names.iter().map(|name| Column::new(*name, "rad")).collect::<Vec<_>>();
    let leg = columns(&list(&["body.thigh_r.angle", "body.trunk_r.angle", "coord.knee_r.value"]), UPRIGHT, Given::default());
    assert_eq!(leg.iter().map(|label| label.side).collect::<Vec<_>>(), [Some(Side::Right), None, Some(Side::Right)]);
    assert_eq!(leg[1].text, "Trunk: angle in space");
    // two one-legged halves side by side do have two trunks
    let halves = columns(&list(&["body.trunk_l.angle", "body.trunk_r.angle"]), UPRIGHT, Given::default());
    assert_eq!(halves.iter().map(|label| label.side).collect::<Vec<_>>(), [Some(Side::Left), Some(Side::Right)]);
    assert_eq!(halves[1].text, "Trunk right: angle in space");
}
