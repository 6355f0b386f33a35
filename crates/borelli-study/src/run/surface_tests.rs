//! Runs of surfaces through each other, past each other and at rest on flats.
//! Not here: laws and loads (`borelli-contact`, the engine); touchdown and lift-off (`contact_tests`).

use super::tests::{good, plan, system, value};
use super::*;
use crate::plan::{Derivatives, Motion, MotionSource};
use borelli_data::{Column, Trajectory};
use std::fmt::Write;

/// A ball of 2 cm that is shot along X at a flat ellipsoid 1 cm thick, without gravity. Half of that is the middle.
fn shot(speed: f64, law: &str) -> System {
    shot_by("type = \"sphere\"\nradius = 0.02", speed, law)
}

/// The same of another shape.
fn shot_by(shape: &str, speed: f64, law: &str) -> System {
    system(&format!(
        "borelli = 1\ndimension = \"spatial\"\ngravity = [0, 0, 0]\n[body.ball]\nmass = 0.1\ninertia = [1e-5, 1e-5, 1e-5]\n\
         [body.disc]\nmass = 1\ninertia = [1e-2, 1e-2, 1e-2]\n[joint.ball]\ntype = \"free\"\nparent = \"world\"\nchild = \"ball\"\n\
         [joint.disc]\ntype = \"free\"\nparent = \"world\"\nchild = \"disc\"\n[surface.ball]\n{shape}\nat = \"ball\"\n\
         [surface.disc]\ntype = \"ellipsoid\"\nat = \"disc\"\na = 0.005\nb = 0.2\nc = 0.2\n[contact.hit]\na = \"ball\"\nb = \"disc\"\nnormal = {law}\n\
         [initial]\ncoordinates = {{ ball_px = -0.125, ball_py = 0.01 }}\nspeeds = {{ ball_vx = {speed} }}\n"
    ))
}

/// Columns of a motion of all coordinates.
fn given_columns(names: &[String]) -> Vec<Column> {
    names.iter().map(|name| Column::new(format!("coord.{name}.value"), if name.contains("_q") { "1" } else { "m" })).collect()
}

const HERTZ: &str = "{ type = \"hertz\", stiffness = 1e7 }";

/// The end of a run that fails: time, element and reason.
fn failed(system: &System, plan: &Plan) -> (f64, String, String) {
    let outcome = run(system, plan, None, &mut Unwatched).unwrap_or_else(|findings| panic!("{:?}", findings.iter().collect::<Vec<_>>()));
    match outcome.status {
        Status::Failed { t, element, reason } => (t, element, reason),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_ball_shot_through_a_thin_body_is_an_error_in_every_method() {
    // Its front passes the middle of the disc 10.5 us after the start; the law hardly slows it.
    let system = shot(1e4, HERTZ);
    let middle = (0.125 - 0.02) / 1e4;
    for (method, step) in
        [("dopri5", None), ("rosenbrock", None), ("adams", None), ("rk4", Some(1e-7)), ("rk4", Some(2e-5)), ("newmark", Some(1e-7))]
    {
        let mut plan = plan(4e-5);
        plan.integrator.method = Some(method.into());
        plan.integrator.settings.step = step;
        let (t, element, reason) = failed(&system, &plan);
        assert_eq!(element, "contact.hit", "{method}");
        assert!(reason.contains("surfaces `ball` and `disc`") && reason.contains("deeper than the middle"), "{method}: {reason}");
        assert!(reason.contains("0.0050 m") && reason.contains("stiffer law"), "{method}: {reason}");
        // Long steps pass over the disc from its first touch to its last: the middle is found on their dense output.
        assert!((t - middle).abs() < if step == Some(2e-5) { 2e-6 } else { 2e-8 }, "{method} {step:?}: {t:e} {middle:e}");
    }
    // A step that holds many samples: those up to there are kept.
    let mut long = plan(4e-5);
    (long.integrator.method, long.integrator.settings.step, long.time.sample) = (Some("rk4".into()), Some(2e-5), Some(1e-6));
    let outcome = run(&system, &long, None, &mut Unwatched).expect("a run");
    let Status::Failed { t, .. } = outcome.status else { panic!("{:?}", outcome.status) };
    let last = *outcome.trajectory.time().last().expect("samples");
    assert!(last < t && last > t - 1.1e-6, "{last:e} {t:e}");
    // A ball that is stopped before the middle comes back with the energy it had.
    let outcome = good(&shot(8.0, HERTZ), &plan(0.03));
    let energy = |sample: usize| value(&outcome.trajectory, "system.energy.kinetic", sample);
    let last = outcome.trajectory.len() - 1;
    assert!(value(&outcome.trajectory, "coord.ball_vx.rate", last) < 0.0 && (energy(last) / energy(0) - 1.0).abs() < 1e-6);
}

#[test]
fn depth_beyond_the_middle_ends_given_motions_and_starts_too() {
    let system = shot(0.0, HERTZ);
    let names: Vec<String> = system.names.coordinates.iter().map(|own| own.name.clone()).collect();
    let mut motion = Trajectory::foreign(given_columns(&names)).expect("columns");
    for k in 0..=20 {
        let mut row = system.start.q.clone();
        row[names.iter().position(|name| name == "ball_px").expect("a place")] = -0.125 + 0.01 * f64::from(k);
        motion.push_row(&[&[0.1 * f64::from(k)][..], &row].concat()).expect("a row");
    }
    let mut given = Plan {
        analysis: Analysis::Evaluate,
        motion: Some(Motion { source: MotionSource::Table(motion), derivatives: Derivatives::Spline }),
        ..plan(2.0)
    };
    given.time.sample = Some(0.1);
    // 0.02 m before the centre its front is in the middle: at 1.05 s, between two samples; the disc is a little thinner off its axis.
    let (t, element, _) = failed(&system, &given);
    assert!(element == "contact.hit" && (t - 1.05).abs() < 5e-4, "{element} {t}");
    let kept = run(&system, &given, None, &mut Unwatched).expect("a run").trajectory;
    assert_eq!(kept.time().last(), Some(&1.0), "no sample past the failure");
    // A point goes through without ever being deeper than the middle; the samples at 1.2 s and 1.3 s are 2 mm inside, on both sides.
    let point = shot_by("type = \"point\"", 0.0, HERTZ);
    let mut rows = Trajectory::foreign(given_columns(&names)).expect("columns");
    for k in 0..=20 {
        let mut row = point.start.q.clone();
        row[names.iter().position(|name| name == "ball_px").expect("a place")] = -0.003 + 0.06 * (0.1 * f64::from(k) - 1.2);
        rows.push_row(&[&[0.1 * f64::from(k)][..], &row].concat()).expect("a row");
    }
    given.motion = Some(Motion { source: MotionSource::Table(rows), derivatives: Derivatives::Spline });
    let (t, element, reason) = failed(&point, &given);
    assert!(element == "contact.hit" && (t - 1.25).abs() < 1e-6 && reason.contains("all at once"), "{element} {t} {reason}");
    let mut begun = shot(0.0, HERTZ);
    begun.start.q[names.iter().position(|name| name == "ball_px").expect("a place")] = -0.019;
    let (t, element, reason) = failed(&begun, &plan(1.0));
    assert!(t == 0.0 && element == "contact.hit" && reason.contains("0.0060 m in each other"), "{t} {element} {reason}");
}

#[test]
fn normals_that_turn_with_spinning_bodies_are_no_jump() {
    // Two ellipses on hinges that turn in each other all the time, by more than a right angle in a step of fixed length.
    let text = "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[world.point]\nP = [0.199, 0]\n[body.one]\nmass = 1\ninertia = 0.1\n[body.two]\nmass = 1\ninertia = 0.1\n\
        [joint.one]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"one\"\n[joint.two]\ntype = \"hinge\"\nparent = \"world.P\"\nchild = \"two\"\n\
        [surface.one]\ntype = \"ellipse\"\nat = \"one\"\na = 0.14\nb = 0.1\n[surface.two]\ntype = \"ellipse\"\nat = \"two\"\na = 0.14\nb = 0.1\n\
        [contact.both]\na = \"one\"\nb = \"two\"\nnormal = { type = \"hertz\", stiffness = 100 }\n[initial]\nspeeds = { one = 50, two = -37 }\n";
    let system = system(text);
    for (method, step) in [("dopri5", None), ("rk4", Some(0.06)), ("rk4", Some(0.002))] {
        let mut plan = plan(3.0);
        plan.integrator.method = Some(method.into());
        plan.integrator.settings.step = step;
        let outcome = good(&system, &plan);
        assert!(outcome.events.is_empty(), "always in touch: {:?}", outcome.events.first());
    }
}

/// A soapbox of 2 kg on the floor or a little above it, turned about Z.
fn soapbox(tilt: f64, height: f64, law: &str) -> System {
    let (cos, sin) = ((0.5 * tilt).cos(), (0.5 * tilt).sin());
    system(&format!(
        "borelli = 1\ndimension = \"spatial\"\n[body.box]\nmass = 2\ninertia = [0.0083, 0.0133, 0.0083]\n[joint.box]\ntype = \"free\"\nparent = \"world\"\nchild = \"box\"\n\
         [surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[surface.box]\ntype = \"superellipsoid\"\nat = \"box\"\na = 0.1\nb = 0.05\nc = 0.1\np = 8\nr = 6\n\
         [contact.ground]\na = \"box\"\nb = \"floor\"\n{law}\n\
         [initial]\ncoordinates = {{ box_py = {height:?}, box_qw = {cos:?}, box_qz = {sin:?} }}\n"
    ))
}

const DAMPED: &str = "normal = { type = \"kelvin-voigt\", stiffness = 1e5, damping = 400 }\n\
    friction = { type = \"tanh\", friction = 0.5, transition = \"1 cm/s\" }";
const ELASTIC: &str = "normal = { type = \"hertz\", stiffness = 1e6 }";

#[test]
fn a_flat_superellipsoid_rests_for_ten_seconds_in_few_steps() {
    // As deep as its weight presses it, and dropped on an edge.
    let weight = 2.0 * 9.81;
    for (tilt, height) in [(0.0, 0.05 - weight / 1e5), (1e-3, 0.0502)] {
        let system = soapbox(tilt, height, DAMPED);
        for (method, most) in [("dopri5", 40_000), ("rosenbrock", 3_000)] {
            let mut plan = plan(10.0);
            plan.integrator.method = Some(method.into());
            plan.integrator.settings.rtol = 1e-6;
            plan.integrator.settings.atol = 1e-9;
            let outcome = good(&system, &plan);
            let table = &outcome.trajectory;
            let last = table.len() - 1;
            let told = format!("{method}, tilt {tilt}: {:?}", outcome.statistics);
            assert!(outcome.statistics.accepted < most, "{told}");
            let force = value(table, "contact.ground.normal_force", last);
            assert!((force / weight - 1.0).abs() < 1e-4, "{told}: {force}");
            // It lies flat, on a body that reaches further than the shape by some millionths.
            let lowered = 0.05 - value(table, "coord.box_py.value", last);
            assert!((lowered / (weight / 1e5) - 1.0).abs() < 1e-2, "{told}: {lowered}");
            let part = outcome.health.iter().find(|line| line.key == "energy_balance").and_then(|line| line.part);
            assert!(part.is_some_and(|part| part < 1e-3), "{told}: {part:?}");
        }
    }
}

#[test]
fn a_box_that_rocks_keeps_its_energy() {
    // Set down on its edge at 5 degrees: 0.1 sin θ + 0.05 cos θ of a box with sharp edges, less for round ones.
    let tilt = 5.0_f64.to_radians();
    let system = soapbox(tilt, 0.1 * tilt.sin() + 0.05 * tilt.cos(), ELASTIC);
    for method in ["dopri5", "rosenbrock"] {
        let mut plan = plan(1.0);
        plan.integrator.method = Some(method.into());
        (plan.integrator.settings.rtol, plan.integrator.settings.atol) = (1e-8, 1e-11);
        let outcome = good(&system, &plan);
        let table = &outcome.trajectory;
        let energy = |sample: usize| value(table, "system.energy.total", sample);
        let moved = 2.0 * 9.81 * 0.009;
        for sample in 0..table.len() {
            assert!((energy(sample) - energy(0)).abs() < 1e-4 * moved, "{method}: {:?}", outcome.statistics);
        }
    }
}

#[test]
fn a_row_of_balls_hands_its_speed_on_and_only_neighbours_touch() {
    // Gaps of half a metre, elastic, without gravity: steps in between are as long as the way. One set against itself, ten pairs.
    let mut text = String::from("borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n");
    for k in 0..5 {
        let _ = write!(
            text,
            "[body.b{k}]\nmass = 1\ninertia = 1\n[joint.b{k}]\ntype = \"slider\"\nparent = \"world\"\nchild = \"b{k}\"\n\
             [surface.b{k}]\ntype = \"circle\"\nat = \"b{k}\"\nradius = 0.05\n"
        );
    }
    let all = "[\"b0\", \"b1\", \"b2\", \"b3\", \"b4\"]";
    let law = "{ type = \"exact-restitution\", stiffness = 1e6, restitution = 1 }";
    let _ = write!(
        text,
        "[contact.row]\na = {all}\nb = {all}\nnormal = {law}\n[initial]\n\
         coordinates = {{ b1 = 0.6, b2 = 1.2, b3 = 1.8, b4 = 2.4 }}\nspeeds = {{ b0 = 1 }}\n"
    );
    let system = system(&text);
    assert_eq!(system.names.pairs.len(), 10);
    for method in ["dopri5", "adams", "rosenbrock"] {
        let mut plan = plan(20.0);
        plan.integrator.method = Some(method.into());
        let outcome = good(&system, &plan);
        let last = outcome.trajectory.len() - 1;
        for k in 0..5 {
            let speed = value(&outcome.trajectory, &format!("coord.b{k}.rate"), last);
            assert!((speed - if k == 4 { 1.0 } else { 0.0 }).abs() < 1e-7, "{method} {k}: {speed}");
        }
        let names: Vec<&str> = outcome.events.iter().map(|event| event.name.as_str()).collect();
        let wanted: Vec<String> =
            (0..4).flat_map(|k| ["touchdown", "liftoff"].map(|what| format!("contact.row.b{k}.b{}.{what}", k + 1))).collect();
        assert_eq!(names, wanted, "{method}");
        assert!((outcome.events[0].t - 0.5).abs() < 1e-10, "{method}: {}", outcome.events[0].t);
    }
}
