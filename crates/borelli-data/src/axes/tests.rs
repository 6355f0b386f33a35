//! Names of axes, turning recordings, headings, and the look at the vertical.

use super::*;
use crate::landmark::Landmarks;
use crate::recording::{Channel, ChannelGroup, ChannelKind, Clock, Plate, PlateKind, PointSeries};
use borelli_math::rotation_vector;

fn series(name: &str, position: Vec<Vec3<f64>>) -> PointSeries {
    PointSeries { name: name.into(), seen: vec![true; position.len()], position, residual: Vec::new() }
}

/// A person of four pelvis markers and two heels who goes straight from the origin; axes own.
fn person(step: Vec3<f64>, turn: Mat3<f64>) -> Recording {
    let places = [
        ("RASI", vec3(0.1, 1.0, 0.12)),
        ("LASI", vec3(0.1, 1.0, -0.12)),
        ("RPSI", vec3(-0.1, 1.0, 0.05)),
        ("LPSI", vec3(-0.1, 1.0, -0.05)),
        ("RHEE", vec3(0.0, 0.05, 0.1)),
        ("LHEE", vec3(0.0, 0.05, -0.1)),
    ];
    let points = places.map(|(name, at)| series(name, (0..11).map(|k| turn * (at + step.scale(f64::from(k)))).collect()));
    Recording { clock: Clock::even(10.0, 0.0, 11), points: points.into(), ..Recording::default() }
}

fn found(recording: &Recording) -> Heading {
    heading(recording, &Landmarks::of(recording, None), None).expect("a heading")
}

#[test]
fn there_are_24_rotations_and_each_reads_its_own_name() {
    let mut list: Vec<Axes> = Vec::new();
    for forward in Direction::ALL {
        for up in Direction::ALL {
            if let Ok(axes) = Axes::new(forward, up) {
                assert_eq!(Axes::parse(&axes.to_string()), Ok(axes));
                let R = axes.rotation();
                assert_eq!(R.determinant(), 1.0);
                assert_eq!(R * forward.vector(), vec3(1.0, 0.0, 0.0));
                assert_eq!(R * up.vector(), vec3(0.0, 1.0, 0.0));
                list.push(axes);
            }
        }
    }
    assert_eq!(list.len(), 24);
    assert_eq!(Axes::OWN.rotation(), Mat3::IDENTITY);
    // The custom of C3D files: x to X, z to Y, y to -Z.
    assert_eq!(Axes::Z_UP.rotation() * vec3(1.0, 2.0, 3.0), vec3(1.0, 3.0, -2.0));
    for same in
        ["z-up, y-left", "z-up,x-forward,y-left", "y-left, X-Forward", "-z-down, -x-backward", "+x forward, z up", "x-forward, -y-right"]
    {
        assert_eq!(Axes::parse(same), Ok(Axes::Z_UP), "{same}");
    }
}

#[test]
fn nonsense_is_refused() {
    let codes = [
        ("x-up, x-forward", "axis-used-twice"),
        ("x-up", "wrong-axis-count"),
        ("", "wrong-axis-count"),
        ("x-up, y-forward, z-left, x-right", "wrong-axis-count"),
        ("x-up, y-down", "axis-line-named-twice"),
        ("w-up, y-forward", "bad-axis-term"),
        ("x-upwards, y-forward", "bad-axis-term"),
        ("up, forward", "bad-axis-term"),
        ("x-forward, z-up, y-right", "left-handed-axes"),
        ("é-up, x-forward", "bad-axis-term"),
    ];
    for (text, code) in codes {
        let fault = Axes::parse(text).expect_err(text);
        assert_eq!(fault.code(), code, "{text}");
        assert!(!fault.message().is_empty() && fault.hint().is_some());
    }
    assert_eq!(Direction::parse(" -Y ").map(|d| d.to_string()), Ok("-y".into()));
    assert_eq!(Direction::parse("north").map_err(|fault| fault.code()), Err("bad-direction"));
    assert_eq!(Axes::new(Direction::Y, Direction::Y.reversed()).map_err(|fault| fault.code()), Err("forward-is-vertical"));
}

#[test]
fn the_vertical_of_a_file_chooses_the_axes() {
    let with = |up| Recording { up, ..Recording::default() };
    assert_eq!(Axes::of_recording(&with(Some(vec3(0.0, 0.0, 1.0))), Direction::Y), Axes::Z_UP);
    assert_eq!(Axes::of_recording(&with(Some(vec3(0.0, 1.0, 0.0))), Direction::Z), Axes::OWN);
    assert_eq!(Axes::of_recording(&with(None), Direction::Z), Axes::Z_UP);
    assert_eq!(Axes::of_recording(&with(Some(vec3(1.0, 0.0, 0.0))), Direction::Z).to_string(), "y-forward, x-up");
}

fn plate() -> Plate {
    let force = vec![vec3(10.0, -20.0, 700.0)];
    let cop = vec![vec3(0.4, 0.1, 0.0)];
    let center = vec3(0.3, 0.2, 0.0);
    let free_moment = vec![vec3(0.0, 0.0, 3.0)];
    let moment = vec![(cop[0] - center).cross(force[0]) + free_moment[0]];
    Plate {
        name: "1".into(),
        kind: PlateKind::Platform(2),
        corners: Some([center; 4]),
        R_LP: Mat3 { x: vec3(0.0, 1.0, 0.0), y: vec3(1.0, 0.0, 0.0), z: vec3(0.0, 0.0, -1.0) },
        center,
        clock: Clock::even(1000.0, 0.0, 1),
        force,
        moment,
        cop,
        free_moment,
        loaded: vec![true],
        threshold: 20.0,
        baseline: None,
    }
}

#[test]
fn the_wrench_of_a_plate_turns_with_it() {
    let recording = Recording { plates: vec![plate()], up: Some(vec3(0.0, 0.0, 1.0)), ..Recording::default() };
    assert_eq!(plate().normal_load(), [700.0]);
    let turned = recording.turned(&Axes::Z_UP.rotation());
    let plate = &turned.plates[0];
    assert_eq!(plate.force[0], vec3(10.0, 700.0, 20.0));
    assert_eq!(plate.normal_load(), [700.0]);
    assert_eq!(turned.up, Some(vec3(0.0, 1.0, 0.0)));
    let rebuilt = (plate.cop[0] - plate.center).cross(plate.force[0]) + plate.free_moment[0];
    assert!((rebuilt - plate.moment[0]).norm() < 1e-13);
    assert_eq!(plate.corners, Some([vec3(0.3, 0.0, -0.2); 4]));
    assert_eq!(plate.R_LP.z, vec3(0.0, -1.0, 0.0));
}

#[test]
fn turning_and_turning_back_changes_nothing() {
    let channel = |name: &str, unit: &str, value: f64| Channel {
        name: name.into(),
        unit: Some(unit.into()),
        kind: ChannelKind::Derived,
        samples: vec![value],
        seen: Vec::new(),
    };
    let names = [("RGroundReactionForce", "N"), ("RKneeAngles", "rad"), ("CentreOfMass", "m")];
    let triple = |(name, unit): (&str, &str)| -> Vec<Channel> {
        ["x", "y", "z"].iter().zip([1.0, 2.0, 3.0]).map(|(axis, v)| channel(&format!("{name}.{axis}"), unit, v)).collect()
    };
    let channels: Vec<Channel> = names.into_iter().flat_map(triple).collect();
    let group = ChannelGroup { clock: Clock::even(1.0, 0.0, 1), channels };
    let recording = Recording { channels: vec![group], plates: vec![plate()], ..person(vec3(0.1, 0.0, 0.0), Mat3::IDENTITY) };
    let R = Axes::Z_UP.rotation();
    let turned = recording.turned(&R);
    let values: Vec<f64> = turned.channels[0].channels.iter().map(|channel| channel.samples[0]).collect();
    assert_eq!(values, [1.0, 3.0, -2.0, 1.0, 2.0, 3.0, 1.0, 3.0, -2.0]);
    assert_eq!(turned.turned(&R.transpose()), recording);
}

#[test]
fn a_walk_is_snapped_within_20_degrees() {
    for (degrees, along) in [(15.0, vec3(1.0, 0.0, 0.0)), (100.0, vec3(0.0, 0.0, -1.0)), (-170.0, vec3(-1.0, 0.0, 0.0))] {
        let turn = rotation_vector(vec3(0.0, f64::to_radians(degrees), 0.0));
        let recording = person(vec3(0.3, 0.0, 0.0), turn);
        let heading = found(&recording);
        assert!((heading.forward - along).norm() < 1e-15, "{degrees} {heading:?}");
        assert!(matches!(heading.source, HeadingSource::Snapped { angle } if angle < 0.27) && heading.notice().is_none());
        assert!((heading.travelled - 3.0).abs() < 1e-12);
        assert!((heading.turn * along - vec3(1.0, 0.0, 0.0)).norm() < 1e-15);
        assert_eq!(heading.turn * vec3(0.0, 1.0, 0.0), vec3(0.0, 1.0, 0.0));
    }
}

#[test]
fn an_oblique_walk_keeps_its_direction_and_says_so() {
    let turn = rotation_vector(vec3(0.0, 0.6, 0.0));
    let recording = person(vec3(0.3, 0.0, 0.0), turn);
    let heading = found(&recording);
    assert!((heading.forward - turn * vec3(1.0, 0.0, 0.0)).norm() < 1e-14);
    assert!(heading.notice().is_some_and(|text| text.contains("34 degrees")));
    let straight = recording.turned(&heading.turn);
    let moved = straight.points[0].position[10] - straight.points[0].position[0];
    assert!((moved - vec3(3.0, 0.0, 0.0)).norm() < 1e-14);
    // The user's word wins, but not when it points up.
    let landmarks = Landmarks::of(&recording, None);
    let given = super::heading(&recording, &landmarks, Some(vec3(0.0, 0.0, -1.0))).expect("a heading");
    assert_eq!((given.forward, given.source), (vec3(0.0, 0.0, -1.0), HeadingSource::Given));
    assert!(super::heading(&recording, &landmarks, Some(vec3(0.0, 1.0, 0.0))).is_err());
}

#[test]
fn a_person_who_stands_faces_forward() {
    let turn = rotation_vector(vec3(0.0, 1.2, 0.0));
    let heading = found(&person(Vec3::ZERO, turn));
    assert!((heading.forward - turn * vec3(1.0, 0.0, 0.0)).norm() < 1e-14);
    assert_eq!(heading.source, HeadingSource::Facing);
    // Markers without names: the mean of all; without any marker, nothing.
    let mut nameless = person(vec3(0.3, 0.0, 0.0), Mat3::IDENTITY);
    nameless.points.iter_mut().for_each(|point| point.name = "*1".into());
    assert!(matches!(found(&nameless).source, HeadingSource::Snapped { .. }));
    assert_eq!(found(&Recording::default()).source, HeadingSource::Unknown);
}

#[test]
fn an_unturned_z_up_laboratory_is_noticed() {
    let lab = Axes::Z_UP.rotation().transpose();
    let recording = Recording { plates: vec![plate()], ..person(vec3(0.1, 0.0, 0.0), Mat3::IDENTITY).turned(&lab) };
    let recording = Recording { plates: vec![plate()], ..recording };
    let look = look_upright(&recording, &Landmarks::of(&recording, None));
    assert_eq!((look.by_force, look.by_body), (Some(Direction::Z), Some(Direction::Z)));
    let told: Vec<String> = look.objections().iter().map(Explain::message).collect();
    assert_eq!(told.len(), 2);
    assert!(told[1].ends_with("along z"), "{told:?}");
    let turned = recording.turned(&Axes::Z_UP.rotation());
    assert!(look_upright(&turned, &Landmarks::of(&turned, None)).objections().is_empty());
}
