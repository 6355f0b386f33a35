//! A walk made of known curves: events, cycles, signs and powers come back as they were put in.

use super::curves::CURVES;
use super::*;
use borelli_data::Column;
use borelli_data::gait::ChosenEvent;
use borelli_data::recording::{Event, Plate, PlateKind, PointSeries};
use borelli_math::{Mat3, Vec3, vec3};
use std::f64::consts::TAU;

const RATE: f64 = 100.0;
const STRIDE: f64 = 1.0;
const SPEED: f64 = 1.2;
const MASS: f64 = 70.0;

/// Knee, hip and ankle of both sides on a pelvis.
fn system() -> System {
    let mut text = String::from(
        "borelli = 1\nname = \"legs\"\ndimension = \"planar\"\n[report.sign]\nknee_angle_r = -1\nknee_angle_l = -1\n\
         [body.pelvis]\nmass = 40\ninertia = 1\ncenter = [0, 0.1]\n[joint.root]\ntype = \"free\"\nparent = \"world\"\nchild = \"pelvis\"\n",
    );
    for side in ["r", "l"] {
        text.push_str(&format!(
            "[body.thigh_{side}]\nmass = 10\ninertia = 0.1\ncenter = [0, -0.2]\npoint = {{ knee = [0, -0.4] }}\n\
             [body.shank_{side}]\nmass = 5\ninertia = 0.05\ncenter = [0, -0.2]\n\
             [joint.hip_{side}]\ntype = \"hinge\"\nparent = \"pelvis\"\nchild = \"thigh_{side}\"\ncoordinates = [\"hip_flexion_{side}\"]\n\
             [joint.knee_{side}]\ntype = \"hinge\"\nparent = \"thigh_{side}.knee\"\nchild = \"shank_{side}\"\ncoordinates = [\"knee_angle_{side}\"]\n"
        ));
    }
    let model = borelli_model::Model::parse("legs.toml", &text).unwrap_or_else(|rejected| panic!("{rejected}"));
    borelli_dynamics::compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

fn phase(t: f64, side: Side) -> f64 {
    let late = if side == Side::Left { 0.5 } else { 0.0 };
    (t / STRIDE - late).rem_euclid(1.0)
}

/// Strikes of the right foot at 0.25 s, 1.25 s ..., of the left half a stride later; 60 per cent stance.
fn strike(side: Side, k: i32) -> f64 {
    0.25 + STRIDE * (f64::from(k) + if side == Side::Left { 0.5 } else { 0.0 })
}

fn recording() -> Recording {
    let clock = Clock::even(RATE, 0.0, 301);
    let mut points = Vec::new();
    for (side, z) in [(Side::Right, 0.1), (Side::Left, -0.1)] {
        let letter = if side == Side::Right { 'R' } else { 'L' };
        for (name, ahead) in [("HEE", 0.0), ("TOE", 0.2)] {
            let place = |k: usize| {
                let t = clock.time(k) - 0.25;
                // Still for 60 per cent of a stride, then ahead by a whole one.
                let u = phase(t, side);
                let strides = (t / STRIDE - if side == Side::Left { 0.5 } else { 0.0 }).floor();
                let x = if u < 0.6 { 0.0 } else { SPEED * STRIDE * (u - 0.6) / 0.4 };
                vec3(strides * SPEED * STRIDE + x + ahead + if side == Side::Left { 0.6 } else { 0.0 }, 0.05, z)
            };
            points.push(PointSeries {
                name: format!("{letter}{name}"),
                position: (0..301).map(place).collect(),
                seen: vec![true; 301],
                residual: Vec::new(),
            });
        }
    }
    let mut events = Vec::new();
    for side in Side::BOTH {
        for k in 0..3 {
            events.push(Event { time: strike(side, k), kind: EventKind::FootStrike, side: Some(side) });
            events.push(Event { time: strike(side, k) + 0.6 * STRIDE, kind: EventKind::FootOff, side: Some(side) });
        }
    }
    events.retain(|event| event.time <= 3.0);
    Recording { name: "made".into(), clock, points, events, ..Recording::default() }
}

fn table(system: &System) -> Trajectory {
    let coordinates: Vec<&str> = system.names.coordinates.iter().map(|c| c.name.as_str()).collect();
    let mut columns: Vec<Column> = coordinates.iter().map(|name| Column::new(format!("coord.{name}.value"), "rad")).collect();
    columns.extend(coordinates.iter().map(|name| Column::new(format!("coord.{name}.effort"), "N m")));
    columns.extend(system.names.joints[1..].iter().map(|joint| Column::new(format!("joint.{joint}.power"), "W")));
    let mut table = Trajectory::new(columns).expect("columns");
    for k in 0..301 {
        let t = k as f64 / RATE;
        let wave = TAU * (t - 0.25) / STRIDE;
        let mut row = vec![t];
        row.extend(coordinates.iter().map(|name| if name.starts_with("knee") { -0.5 - 0.3 * wave.cos() } else { 0.2 * wave.sin() }));
        row.extend(coordinates.iter().map(|name| if name.starts_with("knee") { 21.0 * wave.sin() } else { 7.0 }));
        row.extend(system.names.joints[1..].iter().map(|_| 35.0 * wave.cos()));
        table.push_row(&row).expect("a row");
    }
    table
}

/// A plate that carries the right foot in its second stance.
fn plate() -> Plate {
    let clock = Clock::even(1000.0, 0.0, 3001);
    let (from, to) = (strike(Side::Right, 1), strike(Side::Right, 1) + 0.6);
    let load = |k: usize| {
        let t = clock.time(k);
        // Rises and falls by 700 N within a hundredth of a second.
        (70_000.0 * (t - from)).min(70_000.0 * (to - t)).clamp(0.0, 700.0)
    };
    let loaded: Vec<bool> = (0..3001).map(|k| load(k) > 20.0).collect();
    let cop = vec3(SPEED * STRIDE + 0.1, 0.0, 0.1);
    Plate {
        name: "1".into(),
        kind: PlateKind::Columns,
        corners: None,
        R_LP: Mat3::IDENTITY,
        center: Vec3::ZERO,
        force: (0..3001).map(|k| vec3(0.1 * load(k), load(k), 0.0)).collect(),
        moment: (0..3001).map(|k| cop.cross(vec3(0.1 * load(k), load(k), 0.0))).collect(),
        cop: loaded.iter().map(|on| if *on { cop } else { Vec3::ZERO }).collect(),
        free_moment: vec![Vec3::ZERO; 3001],
        loaded,
        threshold: 20.0,
        baseline: None,
        clock,
    }
}

fn made<R>(with_plate: bool, look: impl FnOnce(&Walk, &Recording) -> R) -> R {
    walked(if with_plate { vec![plate()] } else { Vec::new() }, 1.0, look)
}

/// The walk on plates; places along the floor are taken times `way`.
fn walked<R>(plates: Vec<Plate>, way: f64, look: impl FnOnce(&Walk, &Recording) -> R) -> R {
    let (system, mut recording) = (system(), recording());
    recording.plates = plates;
    let pelvis = |k: usize| vec3(way * SPEED * k as f64 / RATE, 1.0, 0.0);
    recording.points.push(PointSeries {
        name: "SACR".into(),
        position: (0..301).map(pelvis).collect(),
        seen: vec![true; 301],
        residual: Vec::new(),
    });
    let landmarks = Landmarks::of(&recording, None);
    let trajectory = table(&system);
    let trial = Trial {
        name: "made".into(),
        recording: &recording,
        landmarks: &landmarks,
        system: &system,
        trajectory: &trajectory,
        errors: None,
        mass: MASS,
        threshold: 20.0,
    };
    look(&walk(&trial), &recording)
}

fn curve<'w>(walk: &'w Walk, key: &str, quantity: Quantity, side: Side) -> Vec<&'w CycleCurve> {
    walk.curves.iter().filter(|c| c.key == key && c.quantity == quantity && c.side == side).collect()
}

#[test]
fn cycles_go_from_strike_to_strike_and_angles_have_the_signs_of_reports() {
    made(false, |walk, _| {
        let right: Vec<&Cycle> = walk.cycles.iter().map(|(c, _)| c).filter(|c| c.side == Side::Right).collect();
        assert_eq!(right.len(), 2);
        assert!((right[0].start - 0.25).abs() < 1e-12 && (right[1].end - 2.25).abs() < 1e-12);
        let knee = curve(walk, "knee_flexion", Quantity::Angle, Side::Right);
        assert_eq!(knee.len(), 2);
        // -(-0.5 - 0.3 cos 0) rad at the strike; splines through 100 Hz are good to microradians away from the ends.
        assert!((knee[1].values[0] - 0.8_f64.to_degrees()).abs() < 1e-4, "{}", knee[1].values[0]);
        assert!((knee[1].values[50] - 0.2_f64.to_degrees()).abs() < 1e-4);
        assert!(curve(walk, "knee_flexion", Quantity::Moment, Side::Right).is_empty(), "no plate, no moments");
        assert!(curve(walk, "hip_flexion", Quantity::Angle, Side::Left).len() == 2);
    });
}

#[test]
fn numbers_of_walking_are_those_of_the_feet() {
    made(false, |walk, _| {
        let own = walk.numbers.iter().find(|n| n.side == Side::Right).expect("numbers");
        assert!((own.get("stride_time").expect("a time") - STRIDE).abs() < 1e-12);
        assert!((own.get("stride_length").expect("a length") - SPEED * STRIDE).abs() < 1e-9);
        assert!((own.get("stance").expect("a share") - 60.0).abs() < 1e-9);
    });
}

#[test]
fn a_stance_on_its_own_plate_has_moments_powers_and_forces() {
    made(true, |walk, recording| {
        let on: Vec<bool> = walk.cycles.iter().filter(|(c, _)| c.side == Side::Right).map(|(_, on)| *on).collect();
        assert_eq!(on, [false, true]);
        // The model's flexion is negative: extension upward is the effort itself.
        let moment = curve(walk, "knee_flexion", Quantity::Moment, Side::Right);
        assert_eq!(moment.len(), 1);
        assert!((moment[0].values[25] - 21.0 / MASS).abs() < 1e-4, "{}", moment[0].values[25]);
        let hip = curve(walk, "hip_flexion", Quantity::Moment, Side::Right);
        assert!((hip[0].values[50] + 7.0 / MASS).abs() < 1e-9);
        let power = curve(walk, "knee_flexion", Quantity::Power, Side::Right);
        assert!((power[0].values[0] - 35.0 / MASS).abs() < 1e-4);
        assert_eq!(walk.stances.len(), 1);
        let weight = MASS * 9.81;
        assert!((walk.stances[0].force[1][50] - 100.0 * 700.0 / weight).abs() < 1e-6);
        let page = page(std::slice::from_ref(walk), &[recording], SessionFacts::default());
        assert!(page.kinetics.iter().any(Option::is_some) && page.ground.iter().all(Option::is_some) && page.vectors.len() == 1);
        let json = session_json(std::slice::from_ref(walk), &page);
        assert!(json["curves"].as_array().is_some_and(|list| list.len() >= 6), "{json}");
        let rows = curves_csv(std::slice::from_ref(walk)).lines().count();
        assert_eq!(rows, 1 + 101 * walk.curves.len());
    });
}

#[test]
fn a_foot_on_two_plates_at_once_is_one_contact() {
    let share = |part: f64, name: &str| {
        let mut own = plate();
        own.name = name.into();
        for list in [&mut own.force, &mut own.moment] {
            list.iter_mut().for_each(|x| *x = x.scale(part));
        }
        own
    };
    walked(vec![share(0.6, "1"), share(0.4, "2")], 1.0, |walk, recording| {
        let force = |own: &borelli_data::gait::ChosenEvent| own.method == Method::Force;
        assert!(walk.events.events.iter().filter(|own| force(own)).count() <= 2, "one strike and one off");
        assert!(walk.stances.is_empty(), "neither plate tells the whole load");
        let stances: Vec<_> = owned(&walk.assignments).map(|(side, a)| (side, &recording.plates[a.plate], a.contact)).collect();
        let both = borelli_data::gait::mass_from_stances(&stances, STRIDE).expect("a mass").mass;
        made(true, |walk, recording| {
            let stances: Vec<_> = owned(&walk.assignments).map(|(side, a)| (side, &recording.plates[a.plate], a.contact)).collect();
            let one = borelli_data::gait::mass_from_stances(&stances, STRIDE).expect("a mass").mass;
            assert!((both / one - 1.0).abs() < 1e-3, "{both} {one}");
        });
    });
}

#[test]
fn a_walk_on_a_treadmill_has_neither_speed_nor_stride_length() {
    walked(Vec::new(), 0.0, |walk, _| {
        assert!(
            walk.numbers
                .iter()
                .all(|own| own.get("speed").is_none() && own.get("stride_length").is_none() && own.get("stride_time").is_some())
        );
        assert!(walk.remarks.iter().any(|remark| remark.text.contains("treadmill")));
    });
    walked(Vec::new(), -1.0, |walk, _| assert!(walk.remarks.iter().any(|remark| remark.text.contains("backward"))));
}

#[test]
fn a_figure_that_is_carried_along_has_no_cycles_and_is_told() {
    let (system, mut recording) = (system(), recording());
    recording.events.clear();
    recording.points.push(PointSeries { name: "SACR".into(), position: Vec::new(), seen: vec![true; 301], residual: Vec::new() });
    for point in &mut recording.points {
        // What is left is a tenth of a millimetre of noise.
        point.position = (0..301).map(|k| vec3(SPEED * k as f64 / RATE + 1e-4 * ((k * 37) % 11) as f64 / 11.0, 0.05, 0.0)).collect();
    }
    recording.points.last_mut().expect("a pelvis").position = (0..301).map(|k| vec3(SPEED * k as f64 / RATE, 1.0, 0.0)).collect();
    let (landmarks, trajectory) = (Landmarks::of(&recording, None), table(&system));
    let (name, mass, threshold) = ("made".to_string(), MASS, 20.0);
    let walk = walk(&Trial {
        name,
        recording: &recording,
        landmarks: &landmarks,
        system: &system,
        trajectory: &trajectory,
        errors: None,
        mass,
        threshold,
    });
    assert!(walk.events.events.is_empty() && walk.cycles.is_empty());
    let told = "the feet move by at most 0.0 cm relative to the pelvis, less than 5 cm: markers tell no events";
    assert!(walk.remarks.iter().any(|remark| remark.text == told));
    made(false, |walk, _| assert!(walk.remarks.iter().all(|remark| !remark.text.contains("relative to the pelvis"))));
}

#[test]
fn plates_that_carry_nobody_are_told_with_what_may_be_wrong() {
    let told = |turn: fn(Vec3<f64>) -> Vec3<f64>| {
        let mut plate = plate();
        plate.force.iter_mut().for_each(|f| *f = turn(*f));
        walked(vec![plate], 1.0, |walk, _| walk.remarks.iter().map(|remark| remark.text.clone()).collect::<Vec<_>>().join("\n"))
    };
    let right = told(|f| f);
    assert!(!right.contains("largest normal load"), "{right}");
    // Kilonewtons: 700 N are 0.7.
    let small = told(|f| f.scale(1e-3));
    assert!(small.contains("largest normal load 0.7 N, never above 20 N: is the unit right?"), "{small}");
    // Up is the third axis of the file.
    let turned = told(|f| vec3(f.x, f.z, f.y));
    assert!(turned.contains("largest normal load 0.0 N, but 700 N along z of the model"), "{turned}");
}

#[test]
fn every_curve_of_the_grid_has_words_for_both_directions() {
    assert!(CURVES.iter().all(|kind| kind.words.iter().all(|word| !word.is_empty())));
}

#[test]
fn cycles_with_events_of_two_methods_are_told() {
    let event = |kind: EventKind, side, time, method| ChosenEvent { event: Event { time, kind, side: Some(side) }, method };
    let (strike, off) = (EventKind::FootStrike, EventKind::FootOff);
    let mut events = Chosen {
        events: vec![
            event(strike.clone(), Side::Right, 0.0, Method::Force),
            event(off, Side::Right, 0.6, Method::Force),
            event(strike.clone(), Side::Right, 1.0, Method::Force),
            event(strike, Side::Right, 2.0, Method::Zeni),
        ],
        differences: Vec::new(),
    };
    let cycle = |start: f64, off| Cycle { side: Side::Right, start, end: start + 1.0, off, other_off: None, other_strike: None };
    let cycles = [(cycle(0.0, Some(0.6)), true), (cycle(1.0, None), false)];
    assert_eq!(two_methods(&cycles[..1], &events), None);
    let told = two_methods(&cycles, &events).expect("a sentence");
    assert!(told.starts_with("1 of 2 cycles have events of different methods (force and zeni)"), "{told}");
    events.differences.push(borelli_data::gait::Difference {
        time: 0.0,
        kind: EventKind::FootStrike,
        side: Side::Right,
        chosen: Method::Force,
        other: Method::Zeni,
        late: -0.021,
    });
    assert!(two_methods(&cycles, &events).is_some_and(|told| told.contains("differ by up to 21 ms")));
}
