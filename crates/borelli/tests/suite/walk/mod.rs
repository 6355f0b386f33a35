//! A walk of our own making: markers, forces of the ground and the truth behind them, so that measured motion can be tried with nothing from outside.
//! Not here: the study that reads the files (`studies/45-synthetic-walk`).
//! In: the gallery's model `lower-limb`. Out: the files of the study, which `BORELLI_BLESS=1` writes anew; tests of the engine on them.
//!
//! Coordinates, loads and efforts come from closed forms and from Newton's and Euler's equations over jets (`path`, `leg`, `ground`); of the engine only
//! the numbers of the model are used.

mod files;
mod ground;
mod leg;
mod path;
mod perturbed;
mod space;

use crate::system;
use borelli::System;
use borelli::dynamics::MeasuredLoad;
use borelli::dynamics::formulation::articulated::Articulated;
use borelli::math::function::Function;
use borelli_testkit::jet::Jet;
use borelli_testkit::{assert_close, central_difference};
use ground::{GRAVITY, Instant, Mass, Person, stand, walk};
use leg::Lengths;
use path::{HEEL, SPEED, STANCE, STRIDE, TOE, phase, share};
use space::{Vector, add, fixed, now, turn};
use std::f64::consts::TAU;

/// The model of the walk.
const MODEL: &str = "lower-limb";
/// Bodies in the order of [`Instant::frames`].
const BODIES: [&str; 8] = ["pelvis", "trunk", "thigh_r", "shank_r", "foot_r", "thigh_l", "shank_l", "foot_l"];
/// Coordinates in the order of [`Instant::q`].
const COORDINATES: [&str; 21] = [
    "pelvis_tx",
    "pelvis_ty",
    "pelvis_tz",
    "pelvis_tilt",
    "pelvis_list",
    "pelvis_rotation",
    "lumbar_extension",
    "lumbar_bending",
    "lumbar_rotation",
    "hip_flexion_r",
    "hip_adduction_r",
    "hip_rotation_r",
    "knee_angle_r",
    "ankle_angle_r",
    "subtalar_angle_r",
    "hip_flexion_l",
    "hip_adduction_l",
    "hip_rotation_l",
    "knee_angle_l",
    "ankle_angle_l",
    "subtalar_angle_l",
];

fn body(system: &System, name: &str) -> usize {
    system.names.bodies.iter().position(|body| body == name).unwrap_or_else(|| panic!("no body {name}"))
}

/// For each entry of the system's q: the coordinate of the walk.
fn order(system: &System) -> Vec<usize> {
    let place = |name: &str| COORDINATES.iter().position(|c| *c == name).unwrap_or_else(|| panic!("the walk does not know {name}"));
    system.names.coordinates.iter().map(|c| place(&c.name)).collect()
}

/// A named place on a body: its parameters.
fn point(system: &System, path: &str) -> [f64; 3] {
    ["x", "y", "z"].map(|axis| {
        let index = system.parameter(&format!("{path}.{axis}")).unwrap_or_else(|| panic!("no {path}"));
        system.parameters[index].value
    })
}

/// The person that the model is.
fn person(system: &System) -> Person {
    let tree = &system.numbers.tree;
    let mass = |name: &str| {
        let b = body(system, name);
        let (mass, inertia) = (tree.mass[b], tree.I_Bo_B[b]);
        let center = tree.mc_B[b].to_array().map(|mc| mc / mass);
        let square: f64 = center.iter().map(|x| x * x).sum();
        let about_origin = [inertia.xx, inertia.yy, inertia.zz];
        Mass { mass, center, inertia: [0, 1, 2].map(|k| about_origin[k] - mass * (square - center[k] * center[k])) }
    };
    let lengths = Lengths {
        hip: point(system, "body.pelvis.point.hip_r")[2],
        thigh: -point(system, "body.thigh_r.point.knee")[1],
        shank: -point(system, "body.shank_r.point.ankle")[1],
        ankle: -HEEL[1],
    };
    assert_eq!(point(system, "body.foot_r.point.heel"), HEEL);
    assert_eq!(point(system, "body.foot_r.point.toe"), TOE);
    assert!((tree.gravity.y + GRAVITY).abs() < 1e-12);
    Person {
        lengths,
        lumbar: point(system, "body.pelvis.point.lumbar"),
        bodies: ["pelvis", "trunk", "thigh_r", "shank_r", "foot_r"].map(mass),
    }
}

/// Where markers are, in the order of the system.
fn markers(system: &System, instant: &Instant) -> Vec<[f64; 3]> {
    let numbers = &system.numbers;
    let place = |marker: &borelli::dynamics::system::Marker| {
        let on = numbers.place_body[marker.place as usize] as usize;
        let frame = BODIES.iter().position(|name| body(system, name) == on).expect("a body of the walk");
        let frame = &instant.frames[frame];
        now(add(frame.origin, turn(&frame.axes, fixed(numbers.tree.place_p[marker.place as usize].to_array()))))
    };
    system.markers.iter().map(place).collect()
}

/// The system with the loads of an instant on its feet.
fn loaded(system: &System, instant: &Instant) -> System {
    let loads = [(0, "foot_r"), (1, "foot_l")].map(|(k, foot)| {
        let load = &instant.loads[k];
        MeasuredLoad {
            name: format!("ground_{foot}"),
            body: body(system, foot) as u32,
            force: load.force.map(Function::Constant),
            point: load.point.map(Function::Constant),
            moment: [0.0, load.couple, 0.0].map(Function::Constant),
        }
    });
    system.with_loads(&loads).unwrap_or_else(|fault| panic!("{fault:?}"))
}

/// With the loads of the ground nothing is left for the root to do, and the efforts of joints are those of the bodies' own equations.
#[test]
fn the_engine_finds_the_efforts_of_the_walk_and_no_residual() {
    let system = system(MODEL);
    let (person, order) = (person(&system), order(&system));
    for k in 0..48 {
        let instant = if k < 40 { walk(0.061 * k as f64, &person) } else { stand(0.11 * k as f64, &person) };
        let list = |of: fn(&Jet) -> f64| order.iter().map(|c| of(&instant.q[*c])).collect::<Vec<f64>>();
        let (q, v, vdot) = (list(|x| x.value), list(|x| x.first), list(|x| x.second));
        let with = loaded(&system, &instant);
        let mut tau = vec![0.0; v.len()];
        Articulated::new(&with).inverse(&with, 0.0, &q, &v, &vdot, &mut tau).unwrap_or_else(|failure| panic!("{failure}"));
        let expected: Vec<f64> = order.iter().map(|c| if *c < 6 { 0.0 } else { instant.efforts[c - 6] }).collect();
        assert_close(&tau, &expected, 1e-9, &format!("instant {k}"));
    }
}

/// Rates and accelerations of the jets are those of the paths; both are continuous from phase to phase.
#[test]
fn derivatives_of_the_walk_are_those_of_its_course() {
    let person = person(&system(MODEL));
    for k in 0..60 {
        let t = 0.0377 * k as f64 + 0.0017;
        let instant = walk(t, &person);
        let values = |t: f64, of: fn(&Jet) -> f64| walk(t, &person).q.iter().map(of).collect::<Vec<f64>>();
        let rates = central_difference(&mut |h| values(t + h, |x| x.value), 1e-4);
        let seconds = central_difference(&mut |h| values(t + h, |x| x.first), 1e-4);
        assert_close(&instant.q.map(|x| x.first), &rates, 1e-6, &format!("rates at {t}"));
        assert_close(&instant.q.map(|x| x.second), &seconds, 1e-4, &format!("accelerations at {t}"));
    }
    // from stride to stride, from stance to swing, where the foot lies flat and where its heel rises
    for s in [0.0, 0.12, 0.22, 0.32, 0.5, STANCE, 0.64, 0.78, 0.999_999_999] {
        let [before, after] = [-1e-9, 1e-9].map(|d| walk(path::FIRST_STRIKE + s * STRIDE + d, &person));
        for c in 0..COORDINATES.len() {
            let jump = after.q[c].second - before.q[c].second;
            assert!(jump.abs() < 1e-3, "{} at {s}: {jump}", COORDINATES[c]);
        }
    }
}

/// A foot that carries load stands still where it touches, no part of it is ever below the floor, and the load acts under its sole.
#[test]
fn feet_stand_on_the_floor_and_are_loaded_under_their_soles() {
    let person = person(&system(MODEL));
    for k in 0..1000 {
        let t = 0.0024 * k as f64 + 0.0007;
        let instant = walk(t, &person);
        for (foot, side) in [(0, 1.0), (1, -1.0)] {
            let frame = &instant.frames[4 + 3 * foot];
            let sole: [Vector; 2] = [HEEL, TOE].map(|p| add(frame.origin, turn(&frame.axes, fixed(p))));
            assert!(sole.iter().all(|p| p[1].value > -1e-12), "foot {foot} in the floor at {t}");
            let (n, s) = phase(Jet::constant(t), side);
            let load = &instant.loads[foot];
            assert_eq!(s.value < STANCE, load.force[1] > 0.0, "foot {foot} at {t}");
            if s.value < STANCE {
                let still = sole.iter().any(|p| p[1].value < 1e-9 && p.iter().all(|x| x.first.abs() < 1.01 * TAU / STRIDE * path::GIVE));
                assert!(still, "foot {foot} slides at {t}");
                let heel = path::heel_print(n, side);
                let [ahead, aside] = [load.point[0] - heel[0], load.point[2] - heel[2]];
                assert!((0.0..TOE[0] - HEEL[0] + 0.02).contains(&ahead), "{ahead} before the heel at {t}");
                assert!((-0.02..0.045).contains(&(side * aside)), "{aside} beside the heel at {t}");
                assert!(load.force[1] < 1.5 * 70.0 * GRAVITY);
            }
        }
        let whole: f64 = [1.0, -1.0].map(|side| share(Jet::constant(t), side)).iter().sum();
        assert!((whole - 1.0).abs() < 1e-12);
    }
}

/// The mean of the vertical force over a stride is the weight, and the person walks on at the same speed.
#[test]
fn a_stride_carries_the_weight_and_goes_its_length() {
    let person = person(&system(MODEL));
    let n = 400;
    let stride: Vec<Instant> = (0..n).map(|k| walk(0.3 + STRIDE * k as f64 / n as f64, &person)).collect();
    let mean = |of: &dyn Fn(&Instant) -> f64| stride.iter().map(of).sum::<f64>() / n as f64;
    let total = |axis: usize| mean(&|i: &Instant| i.loads[0].force[axis] + i.loads[1].force[axis]);
    let weight = person.bodies.iter().enumerate().map(|(k, b)| b.mass * if k > 1 { 2.0 } else { 1.0 }).sum::<f64>() * GRAVITY;
    assert!((weight - 70.0 * GRAVITY).abs() < 1e-9);
    // the periodic part has kinks in its fourth derivative; 400 samples leave this
    assert_close(&[total(0), total(1), total(2)], &[0.0, weight, 0.0], 1e-3, "mean force");
    let speed = mean(&|i: &Instant| i.q[0].first);
    assert!((speed - SPEED).abs() < 1e-9, "{speed}");
    // the tuned harmonics of the distance from the planned centre of pressure are gone
    for (axis, harmonics) in [(0, [2.0, 4.0, 6.0, 8.0]), (2, [1.0, 3.0, 5.0, 7.0])] {
        for k in harmonics {
            let wave = |turn: fn(f64) -> f64| {
                2.0 * (0..n).map(|i| stride[i].off_plan[axis] * turn(TAU * k * i as f64 / n as f64)).sum::<f64>() / n as f64
            };
            let left = wave(f64::cos).hypot(wave(f64::sin));
            assert!(left < 2e-3, "harmonic {k} along axis {axis}: {left} m");
        }
    }
}
