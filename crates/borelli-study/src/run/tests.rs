//! Runs against closed forms: a falling body, a guided coordinate, a rod that lets go, a boundary-value problem, a balance.

use super::*;
use crate::plan::{Action, Derivatives, Derived, EventRule, Motion, MotionSource, Shoot, StartRule, Target, Time};
use borelli_data::Trajectory;
use borelli_dynamics::compile;
use borelli_dynamics::integrate::{Direction, Settings};
use borelli_dynamics::movement::DriftControl;
use borelli_model::Model;

pub(super) fn system(text: &str) -> System {
    let model = Model::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    compile(&model).unwrap_or_else(|e| panic!("{e}"))
}

pub(super) const MASS: &str = r#"
borelli = 1
dimension = "planar"
[body.ball]
mass = "2 kg"
inertia = "1 kg m^2"
[joint.place]
type = "planar"
parent = "world"
child = "ball"
coordinates = ["x", "y", "angle"]
"#;

/// A mass of 2 kg on a rail, with a path to it from the world's origin, and what a test adds.
macro_rules! on_rail {
    ($more:literal) => {
        concat!(
            "borelli = 1\ndimension = \"planar\"\n[body.mass]\nmass = 2\ninertia = 0.1\n[joint.rail]\ntype = \"slider\"\n",
            "parent = \"world\"\nchild = \"mass\"\naxis = [1, 0]\n[path.line]\npoints = [\"world\", \"mass\"]\n",
            $more
        )
    };
}
pub(super) use on_rail;

pub(super) fn plan(end: f64) -> Plan {
    let mut plan = Plan { time: Time { start: 0.0, end, sample: Some(end / 10.0) }, ..Plan::default() };
    plan.integrator.settings = Settings::tolerance(1e-11);
    plan
}

pub(super) fn value(table: &Trajectory, column: &str, sample: usize) -> f64 {
    table.column(column).unwrap_or_else(|| panic!("{column}"))[sample]
}

pub(super) fn good(system: &System, plan: &Plan) -> Outcome {
    let outcome = run(system, plan, None, &mut Unwatched).unwrap_or_else(|findings| panic!("{:?}", findings.iter().collect::<Vec<_>>()));
    assert!(outcome.status.is_good(), "{:?}", outcome.status);
    outcome
}

#[test]
fn a_thrown_body_is_where_galileo_says_and_its_energy_balances() {
    let system = system(&format!("{MASS}[initial]\nspeeds = {{ x = 3, y = 5, angle = 1 }}\n"));
    let mut plan = plan(2.0);
    plan.derived =
        vec![Derived { name: "speed".into(), formula: "sqrt(body.ball.vx^2 + body.ball.vy^2)".into(), unit: Some("m/s".into()), at: None }];
    let outcome = good(&system, &plan);
    assert_eq!(outcome.trajectory.len(), 11);
    for (k, t) in outcome.trajectory.time().to_vec().into_iter().enumerate() {
        let exact = [("body.ball.x", 3.0 * t), ("body.ball.y", 5.0 * t - 4.905 * t * t), ("body.ball.angle", t), ("coord.y.accel", -9.81)];
        let speed = (9.0 + (5.0 - 9.81 * t).powi(2)).sqrt();
        for (column, exact) in
            exact.into_iter().chain([("derived.speed", speed), ("system.center.x", 3.0 * t), ("system.energy.balance", 0.0)])
        {
            assert!((value(&outcome.trajectory, column, k) - exact).abs() < 1e-10, "{column} at {t}");
        }
    }
}

#[test]
fn an_event_stops_the_run_where_the_body_lands() {
    let system = system(&format!("{MASS}[initial]\nspeeds = {{ y = 9.81 }}\n"));
    let mut plan = plan(5.0);
    let rule =
        |name: &str, when: &str, action| EventRule { name: name.into(), when: when.into(), direction: Direction::Any, action, at: None };
    plan.events = vec![
        rule("top", "coord.y.rate < 0", Action::Note),
        rule("landing", "coord.y.value < 0", Action::Stop),
        rule("never", "coord.y.value > 100", Action::Note),
    ];
    let outcome = good(&system, &plan);
    let times: Vec<(String, f64)> = outcome.events.iter().map(|event| (event.name.clone(), event.t)).collect();
    assert_eq!(times.len(), 2);
    assert!(times[0].0 == "top" && (times[0].1 - 1.0).abs() < 1e-10, "{times:?}");
    assert!(times[1].0 == "landing" && (times[1].1 - 2.0).abs() < 1e-10, "{times:?}");
    assert_eq!(outcome.status.word(), "stopped");
    assert_eq!(outcome.trajectory.time().last(), Some(&times[1].1));
    let scalar = |name: &str| outcome.scalars.iter().find(|scalar| scalar.name == name).map(|scalar| scalar.value);
    assert_eq!((scalar("event.landing.count"), scalar("event.landing.time")), (Some(1.0), Some(times[1].1)));
    assert_eq!((scalar("event.never.count"), scalar("event.never.time")), (Some(0.0), None));
}

#[test]
fn a_derived_column_that_is_a_pure_number_has_the_unit_one() {
    let system = system(MASS);
    let mut plan = plan(0.5);
    plan.derived = vec![Derived { name: "seconds".into(), formula: "time/(1 + 0*time)".into(), unit: None, at: None }];
    let table = good(&system, &plan).trajectory;
    let column = table.columns().iter().find(|column| column.name == "derived.seconds").expect("the column");
    assert_eq!(column.unit.as_deref(), Some("1"));
    assert_eq!(table.column("derived.seconds"), Some(table.time()));
}

/// A point mass on a rod, starting at the top at a speed that makes the rod's push vanish at a known angle.
pub(super) const BEAD: &str = r#"
borelli = 1
dimension = "planar"
[body.bead]
mass = "1 kg"
inertia = "1 kg m^2"
[joint.place]
type = "planar"
parent = "world"
child = "bead"
coordinates = ["x", "y", "angle"]
[loop.dome]
type = "rod"
a = "world"
b = "bead"
length = "1 m"
[initial]
coordinates = { x = 0, y = 1 }
speeds = { x = 1 }
"#;

#[test]
fn the_angle_of_a_body_counts_the_turns_of_function_joints() {
    // A thigh turned by 0.3, a shank whose joint turns by 0.2 + 1.5 q², q = 0.8, and a foot behind it.
    let system = system(
        "borelli = 1\ndimension = \"planar\"\n[body.thigh]\nmass = 1\ninertia = 1\n[body.shank]\nmass = 1\ninertia = 1\n[body.foot]\nmass = 1\ninertia = 1\n\
         [joint.hip]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"thigh\"\n[joint.knee]\ntype = \"function\"\nparent = \"thigh\"\nchild = \"shank\"\n\
         x = { type = \"polynomial\", coefficients = [0, 0.1] }\nangle = { type = \"polynomial\", coefficients = [0.2, 0, 1.5] }\n\
         [joint.ankle]\ntype = \"hinge\"\nparent = \"shank\"\nchild = \"foot\"\n[initial]\ncoordinates = { hip = 0.3, knee = 0.8, ankle = -0.1 }\n",
    );
    let table = good(&system, &plan(0.01)).trajectory;
    for (body, exact) in [("thigh", 0.3), ("shank", 0.3 + 0.2 + 1.5 * 0.64), ("foot", 0.2 + 0.2 + 1.5 * 0.64)] {
        let found = value(&table, &format!("body.{body}.angle"), 0);
        assert!((found - exact).abs() < 1e-14, "{body}: {found} {exact}");
    }
}

#[test]
fn a_bead_leaves_the_dome_where_its_push_vanishes_and_then_flies() {
    let system = system(BEAD);
    let mut plan = plan(0.6);
    plan.events = vec![EventRule {
        name: "leaves".into(),
        when: "loop.dome.reaction.length".into(),
        direction: Direction::Any,
        action: Action::Release("loop.dome".into()),
        at: None,
    }];
    let outcome = good(&system, &plan);
    assert_eq!(outcome.events.len(), 1, "{:?}", outcome.events);
    // m v²/r = m g cos θ with v² = 1 + 2 g (1 − cos θ): cos θ = (1/g + 2)/3.
    let (g, t) = (9.81, outcome.events[0].t);
    let cos = (1.0 / g + 2.0) / 3.0;
    let k = outcome.trajectory.time().iter().position(|time| *time == t).expect("a sample at the event");
    assert!((value(&outcome.trajectory, "body.bead.y", k) - cos).abs() < 1e-8);
    let (x, y) = (value(&outcome.trajectory, "body.bead.x", k), value(&outcome.trajectory, "body.bead.y", k));
    let (vx, vy) = (value(&outcome.trajectory, "body.bead.vx", k), value(&outcome.trajectory, "body.bead.vy", k));
    let last = outcome.trajectory.len() - 1;
    let s = 0.6 - t;
    assert!((value(&outcome.trajectory, "body.bead.x", last) - (x + vx * s)).abs() < 1e-9);
    assert!((value(&outcome.trajectory, "body.bead.y", last) - (y + vy * s - 0.5 * g * s * s)).abs() < 1e-9);
}

#[test]
fn shooting_finds_the_throw_that_arrives_where_asked() {
    let system = system(&format!("{MASS}[initial]\nspeeds = {{ x = 0.1, y = 0.1 }}\n"));
    let mut plan = plan(1.5);
    plan.analysis = Analysis::Shoot;
    let target = |formula: &str, value: &str| Target { formula: formula.into(), value: value.into(), at: None };
    plan.shoot = Some(Shoot {
        unknowns: vec!["initial.speeds.x".into(), "initial.speeds.y".into()],
        targets: vec![target("coord.x.value", "3 m"), target("coord.y.value", "50 cm")],
        tolerance: 1e-10,
        iterations: 10,
    });
    let outcome = good(&system, &plan);
    let scalar = |name: &str| outcome.scalars.iter().find(|scalar| scalar.name == name).expect(name).value;
    assert!((scalar("shoot.initial.speeds.x") - 2.0).abs() < 1e-9);
    assert!((scalar("shoot.initial.speeds.y") - (0.5 / 1.5 + 0.5 * 9.81 * 1.5)).abs() < 1e-9);
    // The problem is linear: one step of Newton's.
    assert!(scalar("shoot.iterations") <= 2.0);
}

#[test]
fn velocities_that_contradict_a_guide_decay_as_baumgarte_says() {
    let guided =
        format!("{MASS}[guide.x]\ntype = \"coordinate\"\ncoordinate = \"x\"\nfunction = \"0 m\"\n[initial]\nspeeds = {{ x = 0.2 }}\n");
    let system = system(&guided);
    let mut plan = plan(1.0);
    plan.start = StartRule::Positions;
    plan.drift = DriftControl::Baumgarte { alpha: 3.0, beta: 5.0 };
    let outcome = good(&system, &plan);
    for (k, t) in outcome.trajectory.time().iter().enumerate() {
        let exact = 0.2 * (-3.0 * t).exp() * (4.0 * t).sin() / 4.0;
        assert!((value(&outcome.trajectory, "guide.x.drift.coordinate", k) - exact).abs() < 1e-9, "{t}");
    }
}

/// A rod that swings about a pin, of three coordinates and two rows.
pub(super) const PINNED: &str = "[body.ball.point]\ntop = [0, 1]\n[loop.pin]\ntype = \"coincident\"\na = \"world\"\nb = \"ball.top\"\n[initial]\n\
    coordinates = { x = 1, y = 0, angle = \"90 deg\" }\n";

#[test]
fn samples_between_steps_meet_loops_as_the_ends_of_steps_do_and_change_nothing() {
    let system = system(&format!("{MASS}{PINNED}"));
    let mut coarse = plan(2.0);
    coarse.integrator.settings = Settings::tolerance(1e-6);
    let mut fine = coarse.clone();
    fine.time.sample = Some(0.01);
    let (few, many) = (good(&system, &coarse), good(&system, &fine));
    assert_eq!((&few.end, few.statistics), (&many.end, many.statistics), "recording has no effect on the motion");
    let peak = |outcome: &Outcome, name: &str| {
        outcome.trajectory.column(name).unwrap_or_else(|| panic!("{name}")).iter().fold(0.0_f64, |most, x| most.max(x.abs()))
    };
    assert!(many.statistics.accepted < 100, "most samples are between steps");
    // Projection ends at a few roundings of coordinates and velocities of size 1 to 5.
    assert!(peak(&many, "constraint.drift.position") < 1e-14 && peak(&many, "constraint.drift.velocity") < 1e-13);
    // Without projection the dense output is recorded as it is.
    fine.drift = DriftControl::None;
    assert!(peak(&good(&system, &fine), "constraint.drift.position") > 1e-9);
}

#[test]
fn a_plan_is_checked_without_moving_anything_and_says_what_it_would_leave() {
    let system = system(MASS);
    let mut plan = plan(1.0);
    plan.events =
        vec![EventRule { name: "apex".into(), when: "body.ball.vy < 0".into(), direction: Direction::Any, action: Action::Note, at: None }];
    let outline = check(&system, &plan).unwrap_or_else(|findings| panic!("{:?}", findings.iter().collect::<Vec<_>>()));
    let outcome = good(&system, &plan);
    assert_eq!(outline.columns, outcome.trajectory.columns());
    let names = |list: &[Scalar]| list.iter().map(|scalar| (scalar.name.clone(), scalar.unit.clone())).collect::<Vec<_>>();
    // The event happens never, so that it leaves a count and no time.
    let [left, promised] = [&outcome.scalars, &outline.scalars].map(|list| names(list));
    assert_eq!([left, vec![("event.apex.time".into(), "s".into())]].concat(), promised);
    plan.columns = vec!["coord.z.*".into()];
    plan.events[0].when = "body.bal.vy < 0".into();
    let codes: Vec<&str> = check(&system, &plan).expect_err("two faults").iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["no-such-column", "bad-formula"]);
}

#[test]
fn a_motion_prescribed_by_a_table_needs_the_efforts_of_its_closed_form() {
    let system = system(MASS);
    let columns =
        ["x", "y", "angle"].map(|name| borelli_data::Column::new(format!("coord.{name}.value"), if name == "angle" { "rad" } else { "m" }));
    let mut table = Trajectory::new(columns.to_vec()).expect("columns");
    for k in 0..=200 {
        let t = 0.01 * f64::from(k);
        table.push_row(&[t, t.sin(), 0.5 * t * t, 2.0 * t]).expect("a row");
    }
    let mut plan = plan(2.0);
    let motion = Motion { source: MotionSource::Table(table), derivatives: Derivatives::Spline };
    (plan.analysis, plan.motion) = (Analysis::Inverse, Some(motion));
    let outcome = good(&system, &plan);
    for (k, t) in outcome.trajectory.time().iter().enumerate().skip(1).take(8) {
        // Second derivatives of a cubic spline are good to h².
        assert!((value(&outcome.trajectory, "coord.x.effort", k) + 2.0 * t.sin()).abs() < 1e-4, "{t}");
        assert!((value(&outcome.trajectory, "coord.y.effort", k) - 2.0 * (1.0 + 9.81)).abs() < 1e-9, "{t}");
    }
}

#[test]
fn a_run_taken_up_again_goes_on_where_it_ended() {
    let system = system(&format!("{MASS}[initial]\nspeeds = {{ x = 3, y = 5, angle = 1 }}\n"));
    let (whole, half) =
        (good(&system, &plan(2.0)), good(&system, &Plan { time: Time { start: 0.0, end: 1.0, sample: Some(0.2) }, ..plan(2.0) }));
    let rest = run(&system, &plan(2.0), half.end.as_ref(), &mut Unwatched).expect("a run");
    assert_eq!(rest.trajectory.time()[0], 1.0);
    let (a, b) = (whole.end.expect("an end"), rest.end.expect("an end"));
    assert!(a.q.iter().chain(&a.v).zip(b.q.iter().chain(&b.v)).all(|(x, y)| (x - y).abs() < 1e-9));
}

#[test]
fn a_mass_hangs_where_its_springs_balance() {
    let hung = format!(
        "{MASS}[world.point]\nleft = [-1, 0]\nright = [1, 0]\n[path.left]\npoints = [\"world.left\", \"ball\"]\n[path.right]\npoints = [\"world.right\", \"ball\"]\n\
         [force.left]\ntype = \"spring\"\npath = \"left\"\nstiffness = \"100 N/m\"\nlength = \"0.5 m\"\n[force.right]\ntype = \"spring\"\npath = \"right\"\n\
         stiffness = \"100 N/m\"\nlength = \"0.5 m\"\n[force.turn]\ntype = \"coordinate-spring\"\ncoordinate = \"angle\"\nstiffness = \"1 N m/rad\"\n\
         [initial]\ncoordinates = {{ x = 0.2, y = -0.4, angle = 0.3 }}\n"
    );
    let outcome = good(&system(&hung), &Plan { analysis: Analysis::Statics, ..plan(1.0) });
    let (x, y) = (value(&outcome.trajectory, "coord.x.value", 0), value(&outcome.trajectory, "coord.y.value", 0));
    // 2 k (l − l0) |y|/l = m g with l = √(1 + y²).
    let l = (1.0 + y * y).sqrt();
    assert!(x.abs() < 1e-9 && y < 0.0 && (200.0 * (l - 0.5) * -y / l - 2.0 * 9.81).abs() < 1e-8, "{x} {y}");
}

#[test]
fn what_does_not_fit_is_told_all_at_once() {
    let system = system(MASS);
    let mut plan = plan(1.0);
    plan.columns = vec!["cord.x.value".into()];
    plan.derived = vec![Derived { name: "odd".into(), formula: "coord.x.value + coord.angle.value".into(), unit: None, at: None }];
    plan.integrator.method = Some("heun".into());
    plan.events = vec![EventRule {
        name: "never".into(),
        when: "body.ball.z".into(),
        direction: Direction::Any,
        action: Action::Release("loop.no".into()),
        at: None,
    }];
    let findings = run(&system, &plan, None, &mut Unwatched).expect_err("faults");
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
    for code in ["no-such-column", "unequal-dimensions", "step-missing", "bad-formula"] {
        assert!(codes.contains(&code), "{code} not in {codes:?}");
    }
}
