//! Runs with contacts: touchdown and lift-off, speeds of first touch, what is told of them, in every integrator.
//! Not here: laws and loads (`borelli-contact`, the engine).

use super::tests::{good, plan, system, value};
use super::*;
use crate::plan::{Derivatives, Motion, MotionSource};
use borelli_data::Trajectory;
use borelli_dynamics::integrate::{INTEGRATORS, Kind, SCHEMES};
use borelli_dynamics::memory::Touch;

/// Balls of 2 kg over a floor, side by side, each with its own height, speed and law.
fn balls(list: &[(&str, f64, f64, &str)]) -> String {
    let mut text = "borelli = 1\ndimension = \"planar\"\n[surface.floor]\ntype = \"half-space\"\nat = \"world\"\n".to_string();
    let (mut places, mut speeds) = (Vec::new(), Vec::new());
    for (name, height, speed, law) in list {
        text += &format!(
            "[body.{name}]\nmass = 2\ninertia = 1\n[joint.{name}]\ntype = \"planar\"\nparent = \"world\"\nchild = \"{name}\"\n\
             coordinates = [\"{name}_x\", \"{name}_y\", \"{name}_turn\"]\n[surface.{name}]\ntype = \"circle\"\nat = \"{name}\"\nradius = 0.1\n\
             [contact.{name}]\na = \"{name}\"\nb = \"floor\"\nnormal = {law}\n"
        );
        places.push(format!("{name}_y = {}", height + 0.1));
        speeds.push(format!("{name}_y = {speed}"));
    }
    text + &format!("[initial]\ncoordinates = {{ {} }}\nspeeds = {{ {} }}\n", places.join(", "), speeds.join(", "))
}

const EXACT: &str = r#"{ type = "exact-restitution", stiffness = 1e6, restitution = 0.8 }"#;
const HERTZ: &str = r#"{ type = "hertz", stiffness = 1e6 }"#;

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    outcome.scalars.iter().find(|scalar| scalar.name == name).unwrap_or_else(|| panic!("no {name}")).value
}

#[test]
fn a_ball_keeps_its_restitution_in_every_integrator() {
    // Without gravity a ball that comes at 3 m/s leaves at 2.4 m/s, whatever the stiffness.
    let system = system(&balls(&[("ball", 0.003, -3.0, EXACT)]).replace("dimension", "gravity = [0, 0]\ndimension"));
    let names =
        INTEGRATORS.iter().map(|entry| (entry.name, entry.kind == Kind::Fixed)).chain(SCHEMES.iter().map(|entry| (entry.name, true)));
    for (name, fixed) in names {
        let mut plan = plan(0.02);
        plan.integrator.method = Some(name.into());
        plan.integrator.settings.step = fixed.then_some(2e-6);
        (plan.integrator.beta, plan.integrator.gamma) = (0.25, 0.5);
        let outcome = good(&system, &plan);
        let speed = value(&outcome.trajectory, "coord.ball_y.rate", outcome.trajectory.len() - 1);
        // Fixed steps: the error of their order; generalised-α damps.
        let allowed = match name {
            "newmark" | "generalised-alpha" | "heun" => 2e-6,
            _ => 1e-8,
        };
        assert!((speed - 2.4).abs() < allowed, "{name}: {speed}");
        assert_eq!(scalar(&outcome, "run.remembered_touchdowns"), 1.0, "{name}");
        let touchdown = outcome.events.iter().find(|event| event.name == "contact.ball.touchdown").expect("a touchdown");
        assert!((touchdown.t - 1e-3).abs() < 1e-12, "{name}: {}", touchdown.t);
    }
}

#[test]
fn the_check_of_depth_tells_how_deep_a_surface_may_be() {
    // A ball of 0.1 m: three quarters of its height are 0.15 m. Held 0.16 m deep it is too deep, 0.14 m are borne.
    let soft = r#"{ type = "hertz", stiffness = 1e3 }"#;
    for (depth, verdict) in [(0.14, Verdict::Good), (0.16, Verdict::Look)] {
        let outcome = good(&system(&balls(&[("ball", -depth, 0.0, soft)])), &plan(1e-3));
        let line = outcome.health.iter().find(|line| line.key == "deepest_contact").expect("a check of the depth");
        assert_eq!(line.verdict, verdict, "{}", line.text);
        assert!(line.text.contains("three quarters of the height of a surface, 0.1500 m for `ball`"), "{}", line.text);
    }
}

#[test]
fn balls_that_touch_down_together_each_remember_their_own_speed() {
    // All arrive at 1 ms; the last remembers nothing and is not to be disturbed.
    let list = [("one", 1e-3, -1.0, EXACT), ("two", 2e-3, -2.0, EXACT), ("three", 3e-3, -3.0, EXACT), ("four", 2e-3, -2.0, HERTZ)];
    let system = system(&balls(&list).replace("dimension", "gravity = [0, 0]\ndimension"));
    let outcome = good(&system, &plan(0.05));
    let last = outcome.trajectory.len() - 1;
    for (name, _, speed, law) in list {
        let kept = if law == EXACT { 0.8 } else { 1.0 };
        let found = value(&outcome.trajectory, &format!("coord.{name}_y.rate"), last);
        assert!((found + kept * speed).abs() < 1e-8, "{name}: {found}");
        assert_eq!(scalar(&outcome, &format!("event.contact.{name}.touchdown.count")), 1.0);
        assert_eq!(scalar(&outcome, &format!("event.contact.{name}.liftoff.count")), 1.0);
    }
    assert_eq!(scalar(&outcome, "run.remembered_touchdowns"), 3.0);
}

#[test]
fn what_contacts_lose_closes_the_balance() {
    let system = system(&balls(&[("ball", 0.2, 0.0, EXACT), ("other", 0.3, -1.0, HERTZ)]));
    let outcome = good(&system, &plan(1.5));
    let table = &outcome.trajectory;
    let sum = |sample: usize| {
        let lost: f64 = ["ball", "other"].iter().map(|name| value(table, &format!("contact.{name}.dissipated"), sample)).sum();
        value(table, "system.energy.total", sample) + lost
    };
    assert!(value(table, "contact.ball.dissipated", table.len() - 1) > 1.0);
    assert_eq!(value(table, "contact.other.dissipated", table.len() - 1), 0.0);
    for sample in 0..table.len() {
        assert!((sum(sample) - sum(0)).abs() < 1e-7, "{}", sum(sample) - sum(0));
    }
}

#[test]
fn a_run_taken_up_inside_a_contact_remembers_how_it_began() {
    let system = system(&balls(&[("ball", 0.003, -3.0, EXACT)]));
    let mut plan = plan(0.02);
    let whole = good(&system, &plan).end.expect("an end");
    plan.time.end = 0.004;
    let half = good(&system, &plan).end.expect("an end");
    assert!(matches!(half.memory.touch[0], Touch::Touching { speed: Some(v) } if v > 3.0), "{:?}", half.memory);
    plan.time.end = 0.02;
    let rest = run(&system, &plan, Some(&half), &mut Unwatched).expect("a run").end.expect("an end");
    for (a, b) in whole.q.iter().chain(&whole.v).chain(&whole.work).zip(rest.q.iter().chain(&rest.v).chain(&rest.work)) {
        // Both have errors of the tolerance, 1e-11 a step, in a contact whose rate is a thousand times its speed.
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
}

#[test]
fn a_touch_from_the_start_is_told_and_one_that_just_arrives_is_a_touchdown() {
    let line = |outcome: &Outcome| outcome.health.iter().find(|line| line.key == "touching_at_start").map(|line| line.text.clone());
    let inside = good(&system(&balls(&[("ball", -1e-4, 0.0, EXACT)])), &plan(0.01));
    assert!(line(&inside).is_some_and(|text| text.contains("ball")), "{:?}", line(&inside));
    let arriving = good(&system(&balls(&[("ball", 0.0, -1.0, EXACT)])), &plan(0.01));
    assert_eq!(line(&arriving), None);
    assert_eq!(scalar(&arriving, "run.remembered_touchdowns"), 1.0);
}

#[test]
fn along_a_prescribed_motion_laws_see_the_speed_of_the_touchdown_between_samples() {
    // A fall through the floor by its closed form, sampled every 10 ms; touchdown is at 0.2 s, at 1.962 m/s.
    let system = system(&balls(&[("ball", 0.0, 0.0, EXACT)]));
    let columns = ["ball_x", "ball_y", "ball_turn"]
        .map(|name| borelli_data::Column::new(format!("coord.{name}.value"), if name == "ball_turn" { "rad" } else { "m" }));
    let mut motion = Trajectory::foreign(columns.to_vec()).expect("columns");
    let fallen = 0.5 * 9.81 * 0.2 * 0.2;
    for k in 0..=30 {
        let t = 0.01 * f64::from(k);
        motion.push_row(&[t, 0.0, 0.1 + fallen - 0.5 * 9.81 * t * t, 0.0]).expect("a row");
    }
    let mut plan = Plan {
        analysis: Analysis::Evaluate,
        motion: Some(Motion { source: MotionSource::Table(motion), derivatives: Derivatives::Spline }),
        ..plan(0.25)
    };
    plan.time.sample = Some(0.007);
    let outcome = good(&system, &plan);
    let table = &outcome.trajectory;
    let damping = borelli_contact::normal::damping_number(0.8);
    let mut pressed = 0;
    for sample in 0..table.len() {
        let (depth, rate) = (value(table, "contact.ball.depth", sample), value(table, "contact.ball.rate", sample));
        if depth > 0.0 {
            pressed += 1;
            let exact = 1e6 * depth.powf(1.5) * (1.0 + damping * rate / (9.81 * 0.2));
            let found = value(table, "contact.ball.normal_force", sample);
            assert!((found - exact).abs() < 1e-6 * exact, "{found} {exact}");
        }
    }
    assert!(pressed > 4, "{pressed}");
}

#[test]
fn a_law_that_jumps_at_touchdown_does_not_stall_tight_steps() {
    // A dashpot of 200 N s/m at 3 m/s is 600 N at once, and drag of 10 N s/m beside it; both are held open until touchdown is located.
    let damper = r#"{ type = "kelvin-voigt", stiffness = 1e6, damping = 200 }"#;
    let text = balls(&[("ball", 0.003, -3.0, damper)])
        .replace("dimension", "gravity = [0, 0]\ndimension")
        .replace("speeds = {", "speeds = { ball_x = 1,")
        .replace("[initial]", "friction = { type = \"tanh-viscous\", friction = 0.2, transition = 0.1, viscosity = 10 }\n[initial]");
    let system = system(&text);
    for method in ["dopri5", "rosenbrock", "adams"] {
        let mut plan = plan(0.02);
        plan.integrator.method = Some(method.into());
        (plan.integrator.settings.rtol, plan.integrator.settings.atol) = (1e-10, 1e-13);
        let outcome = good(&system, &plan);
        let table = &outcome.trajectory;
        let last = table.len() - 1;
        let lost = value(table, "contact.ball.dissipated", last);
        let left = value(table, "system.energy.total", last) - value(table, "system.energy.total", 0);
        // No step ends at the kink where the dashpot would begin to pull, and no method keeps its order there.
        assert!(lost > 0.1 && (lost + left).abs() < 1e-6 * lost, "{method}: {lost} {left}");
    }
}

#[test]
fn a_body_that_rests_on_the_floor_from_the_start_stays_on_it() {
    // Touching to the last digit, without a speed: nothing arrives, and all the same it must not fall through.
    for law in [EXACT, HERTZ, r#"{ type = "kelvin-voigt", stiffness = 1e6, damping = 200 }"#] {
        let outcome = good(&system(&balls(&[("ball", 0.0, 0.0, law)])), &plan(0.5));
        let table = &outcome.trajectory;
        for sample in 0..table.len() {
            let height = value(table, "coord.ball_y.value", sample);
            assert!((0.0985..0.1001).contains(&height), "{law}: {height}");
        }
    }
}

#[test]
fn a_pair_at_rest_at_zero_depth_touches_from_the_start_and_does_not_arrive() {
    let outcome = good(&system(&balls(&[("ball", 0.0, 0.0, EXACT), ("other", 0.0, 0.0, HERTZ)])), &plan(0.05));
    // No touchdown of its own: its speed is not known, and that is told.
    let first = outcome.events.first().map(|event| event.name.as_str());
    assert!(first.is_none_or(|name| !name.ends_with("touchdown")), "{:?}", outcome.events);
    let line = outcome.health.iter().find(|line| line.key == "touching_at_start").expect("a line");
    assert!(line.text.contains("ball") && !line.text.contains("other"), "{}", line.text);
    assert_eq!(scalar(&outcome, "run.remembered_touchdowns"), scalar(&outcome, "event.contact.ball.touchdown.count"));
}

#[test]
fn bodies_that_meet_within_one_step_do_not_pass_through_each_other() {
    // Without gravity nothing bends the motion, and a method would go from start to end in a few steps.
    let text = r#"borelli = 1
dimension = "planar"
gravity = [0, 0]
[body.left]
mass = 1
inertia = 1
[body.right]
mass = 1
inertia = 1
[joint.left]
type = "slider"
parent = "world"
child = "left"
[joint.right]
type = "slider"
parent = "world"
child = "right"
[surface.left]
type = "circle"
at = "left"
radius = 0.05
[surface.right]
type = "circle"
at = "right"
radius = 0.05
[contact.both]
a = "left"
b = "right"
normal = LAW
[initial]
coordinates = { left = -3, right = 3 }
speeds = { left = 1, right = -1 }
"#;
    for (law, kept) in [(EXACT, 0.8), (HERTZ, 1.0)] {
        let outcome = good(&system(&text.replace("LAW", law)), &plan(10.0));
        let last = outcome.trajectory.len() - 1;
        let speed = value(&outcome.trajectory, "coord.right.rate", last);
        assert!((speed - kept).abs() < 1e-7, "{law}: {speed}");
    }
}
