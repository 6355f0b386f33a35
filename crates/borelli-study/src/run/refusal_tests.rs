//! What runs refuse, and what they say and keep when they fail.

use super::simulate::{Halt, failed};
use super::tests::{MASS, PINNED, good, on_rail, plan, system, value};
use super::*;
use crate::plan::{Action, Derived, EventRule, Shoot, Target};
use borelli_dynamics::Memory;
use borelli_dynamics::integrate::{Direction, Failure, Settings};

/// A pendulum of 1 m that hangs at zero; upright at π.
const PENDULUM: &str = r#"
borelli = 1
dimension = "planar"
[body.bob]
mass = "1 kg"
center = [0, "-1 m"]
inertia = 0
[joint.pivot]
type = "hinge"
parent = "world"
child = "bob"
"#;

fn codes(system: &System, plan: &Plan, from: Option<&EndState>) -> Vec<&'static str> {
    let refused = run(system, plan, from, &mut Unwatched).expect_err("a plan that is refused");
    assert!(refused.iter().all(|finding| finding.hint.is_some()), "{:?}", refused.iter().collect::<Vec<_>>());
    refused.iter().map(|finding| finding.code).collect()
}

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    outcome.scalars.iter().find(|scalar| scalar.name == name).unwrap_or_else(|| panic!("{name}")).value
}

/// The pendulum shot at an angle, from the speed it starts with.
fn shot(end: f64, target: &str, tolerance: f64) -> Plan {
    let mut plan = plan(end);
    plan.analysis = Analysis::Shoot;
    plan.integrator.settings = Settings::tolerance(tolerance);
    plan.shoot = Some(Shoot {
        unknowns: vec!["initial.speeds.pivot".into()],
        targets: vec![Target { formula: "coord.pivot.value".into(), value: target.into(), at: None }],
        tolerance: 1e-9,
        iterations: 20,
    });
    plan
}

#[test]
fn shooting_refuses_events_that_stop_or_change_the_motion_and_takes_notes() {
    let system = system(&format!("{MASS}{PINNED}"));
    let mut plan = plan(0.5);
    plan.analysis = Analysis::Shoot;
    plan.shoot = Some(Shoot {
        unknowns: vec!["initial.speeds.angle".into()],
        targets: vec![Target { formula: "coord.angle.value".into(), value: "1".into(), at: None }],
        tolerance: 1e-8,
        iterations: 20,
    });
    let event = |name: &str, action| EventRule {
        name: name.into(),
        when: "coord.angle.value - 1.2".into(),
        direction: Direction::Any,
        action,
        at: None,
    };
    plan.events = vec![event("ends", Action::Stop), event("parts", Action::Release("loop.pin".into())), event("seen", Action::Note)];
    assert_eq!(codes(&system, &plan, None), ["event-while-shooting"; 2]);
    plan.events.drain(..2);
    assert_eq!(good(&system, &plan).events.len(), 1);
}

/// A ball on a slide over a floor, 0.5 m up, with laws of its own.
fn ball(laws: &str) -> System {
    system(&format!(
        r#"
borelli = 1
dimension = "planar"
[body.ball]
mass = 1
inertia = 1
[joint.up]
type = "slider"
axis = [0, 1]
parent = "world"
child = "ball"
[surface.floor]
type = "half-space"
at = "world"
height = "-0.6 m"
[surface.ball]
type = "circle"
at = "ball"
radius = "0.1 m"
[surface.foot]
type = "point"
at = "ball"
[contact.sole]
a = ["ball", "foot"]
b = "floor"
{laws}
"#
    ))
}

#[test]
fn shooting_refuses_laws_that_need_a_located_touchdown_and_takes_those_that_grow_from_zero() {
    let mut plan = plan(0.5);
    plan.analysis = Analysis::Shoot;
    plan.shoot = Some(Shoot {
        unknowns: vec!["initial.speeds.up".into()],
        targets: vec![Target { formula: "coord.up.value".into(), value: "-0.1".into(), at: None }],
        tolerance: 1e-8,
        iterations: 20,
    });
    let soft = r#"normal = { type = "hunt-crossley", stiffness = 1e4, dissipation = 0.2 }"#;
    let viscous = r#"friction = { type = "tanh-viscous", friction = 0.5, transition = 0.01, viscosity = 3 }"#;
    for (laws, said) in [
        (r#"normal = { type = "flores", stiffness = 1e4, restitution = 0.8 }"#, "remembers"),
        (r#"normal = { type = "kelvin-voigt", stiffness = 1e4, damping = 20 }"#, "jump"),
        (&format!("{soft}\n{viscous}"), "jump"),
    ] {
        let system = ball(laws);
        assert_eq!(codes(&system, &plan, None), ["touchdown-while-shooting"]);
        let refused = check(&system, &plan).map(|_| ()).expect_err("refused before it runs");
        let finding = refused.iter().next().expect("one");
        assert_eq!(finding.element, "contact.sole");
        assert!(finding.message.contains("`sole.ball`, `sole.foot`") && finding.message.contains(said), "{finding:?}");
    }
    // The motion that is handed over has its touchdown located, the trials did not; both end at the target.
    let outcome = good(&ball(soft), &plan);
    let last = outcome.trajectory.len() - 1;
    assert!(outcome.events.iter().any(|event| event.name == "contact.sole.ball.touchdown"), "{:?}", outcome.events);
    assert!((value(&outcome.trajectory, "coord.up.value", last) + 0.1).abs() < 1e-7);
}

#[test]
fn the_residual_of_shooting_is_that_of_the_motion_it_hands_over() {
    let system = system(PENDULUM);
    let mut plan = shot(1.0, "0.5", 1e-5);
    plan.integrator.method = Some("rosenbrock".into());
    let outcome = good(&system, &plan);
    let last = outcome.trajectory.len() - 1;
    let (residual, off) = (scalar(&outcome, "shoot.residual"), (value(&outcome.trajectory, "coord.pivot.value", last) - 0.5).abs());
    assert_eq!(residual, off);
    // The trials are met to 1e-9, by another integrator.
    assert!(residual > 1e-8 && residual < 1e-3, "{residual:e}");
    let said = outcome.settings.iter().find(|(key, _)| key == "shooting").map(|(_, text)| text.as_str());
    assert!(said.is_some_and(|text| text.contains("by dopri5")), "{said:?}");
}

#[test]
fn a_start_from_which_the_motion_does_not_arrive_is_no_solution() {
    // Upright the errors of a step grow as exp(sqrt(g) t), 2.7e5 fold in 4 s: far beyond a hundred tolerances.
    let upright = std::f64::consts::PI;
    // On the separatrix the angle from upright falls at 2 sqrt(g) sin(angle/2).
    let (start, speed) = (upright + 0.3, -2.0 * 9.81_f64.sqrt() * 0.15_f64.sin());
    let system = system(&format!("{PENDULUM}[initial]\ncoordinates = {{ pivot = {start} }}\nspeeds = {{ pivot = {speed} }}\n"));
    let mut plan = shot(4.0, &upright.to_string(), 1e-6);
    plan.integrator.method = Some("rosenbrock".into());
    let outcome = run(&system, &plan, None, &mut Unwatched).expect("a run");
    let Status::Failed { t, element, reason } = &outcome.status else { panic!("{:?}", outcome.status) };
    assert_eq!((*t, element.as_str()), (4.0, "shoot"));
    assert!(reason.contains("misses `coord.pivot.value`"), "{reason}");
    assert!(scalar(&outcome, "shoot.residual") > 1e-3);
}

#[test]
fn a_failed_run_ends_at_the_time_of_its_last_state() {
    let system = system(&format!("{MASS}[initial]\nspeeds = {{ x = 3, y = -5, angle = 1 }}\n"));
    let mut plan = plan(2.0);
    plan.integrator.settings = Settings { max_steps: 7, max_step: 0.1, ..Settings::tolerance(1e-11) };
    let outcome = run(&system, &plan, None, &mut Unwatched).expect("a run");
    let Status::Failed { t, element, .. } = &outcome.status else { panic!("{:?}", outcome.status) };
    let end = outcome.end.as_ref().expect("a state");
    assert!(*t > 0.0 && *t == end.t && *t == scalar(&outcome, "run.end"), "{t} {}", end.t);
    assert!((end.q[0] - 3.0 * t).abs() < 1e-12 && (end.v[1] - (-5.0 - 9.81 * t)).abs() < 1e-12, "{end:?}");
    assert_eq!(element, "coord.y.rate", "the fastest");
    assert!(outcome.trajectory.time().last().is_some_and(|last| last <= t));
}

#[test]
fn a_sample_that_cannot_be_recorded_ends_the_run_at_the_last_good_one() {
    let system = system(&format!("{MASS}[initial]\nspeeds = {{ x = 1 }}\n"));
    let mut plan = plan(1.0);
    // One step, so that good samples and the bad one are inside the same.
    plan.integrator.settings.step = Some(1.0);
    plan.derived = vec![Derived { name: "root".into(), formula: "sqrt(0.45 - time)".into(), unit: None, at: None }];
    let outcome = run(&system, &plan, None, &mut Unwatched).expect("a run");
    let Status::Failed { t, element, .. } = &outcome.status else { panic!("{:?}", outcome.status) };
    let end = outcome.end.as_ref().expect("a state");
    assert_eq!((*t, element.as_str(), outcome.trajectory.time().last()), (end.t, "derived.root", Some(t)));
    assert!((t - 0.4).abs() < 1e-15 && (end.q[0] - t).abs() < 1e-12, "{end:?}");
}

#[test]
fn every_failure_of_a_method_names_an_element() {
    let system = system(&format!("{MASS}{PINNED}"));
    let y = [0.0, 0.0, 0.0, 1.0, -3.0, 2.0, 0.0, 0.0, 0.0];
    let t = 0.5;
    for (failure, element, said) in [
        (Failure::StartNotFinite { t, entry: 1 }, "coord.y.value", "`coord.y.value`"),
        (Failure::NotFinite { t, entry: 5 }, "coord.angle.rate", "`coord.angle.rate`"),
        (Failure::NotFinite { t, entry: 7 }, "coord.y.rate", "the work done"),
        (Failure::Singular { t, entry: 3 }, "coord.x.rate", "`coord.x.rate`"),
        (Failure::StepTooSmall { t, step: 1e-17, entry: 2 }, "coord.angle.value", "`coord.angle.value`"),
        (Failure::TooManySteps { t, limit: 9 }, "coord.y.rate", "9 steps"),
        (Failure::RowNotFinite { t, row: 0 }, "loop.pin.x", "`loop.pin.x`"),
        (Failure::SingularRow { t, row: 1 }, "loop.pin.y", "`loop.pin.y`"),
        (Failure::NotConverged { t, iterations: 25, entry: 4, row: Some(1) }, "coord.y.rate", "`loop.pin.y` is open most"),
        (Failure::NotConverged { t, iterations: 25, entry: 4, row: None }, "coord.y.rate", "`coord.y.rate` still moves most"),
        (Failure::NoJacobian, "integrator", "needs a Jacobian"),
        (Failure::StepTooLong { t, step: 0.25 }, "integrator", "shorter than 2.5e-1 s"),
        (
            Failure::CutInVain { step: 1e-5, cause: Box::new(Failure::SingularRow { t, row: 1 }) },
            "loop.pin.y",
            "singular in `loop.pin.y`; the step was cut down to 1e-5 s",
        ),
        (Failure::BadSetting { name: "step", value: -1.0 }, "integrator", "`step`"),
    ] {
        let Status::Failed { t: at, element: blamed, reason } =
            failed(&system, &failure, &y, &Halt { t, step: None, method: "dopri5", memory: &Memory::default() })
        else {
            panic!("{failure:?}")
        };
        assert_eq!((at, blamed.as_str()), (t, element), "{reason}");
        assert!(reason.contains(said) && !reason.contains("entry 4") && !reason.contains("row 1"), "{reason}");
    }
}

#[test]
fn more_samples_than_fit_into_memory_are_refused_before_anything_moves() {
    let system = system(MASS);
    let mut plan = plan(1.0);
    for (method, sample, step) in [(None, Some(1e-12), None), (None, Some(1e-300), None), (Some("newmark"), None, Some(1e-12))] {
        plan.integrator.method = method.map(str::to_string);
        (plan.time.sample, plan.integrator.settings.step) = (sample, step);
        let findings = check(&system, &plan).map(|outline| outline.columns.len()).expect_err("too many");
        assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["too-many-samples"]);
    }
}

/// Wants the run to end from the start.
struct Impatient;

impl Watch for Impatient {
    fn stop(&self) -> bool {
        true
    }
}

#[test]
fn a_run_can_be_ended_between_the_samples_of_one_step() {
    let system = system(&format!("{MASS}[initial]\nspeeds = {{ x = 3 }}\n"));
    let mut plan = plan(1.0);
    (plan.time.sample, plan.integrator.settings.step) = (Some(1e-3), Some(0.5));
    let outcome = run(&system, &plan, None, &mut Impatient).expect("a run");
    assert_eq!((outcome.status.word(), outcome.trajectory.len()), ("interrupted", 2));
    let end = outcome.end.expect("a state");
    assert!(end.t == 1e-3 && (end.q[0] - 3e-3).abs() < 1e-14, "{end:?}");
}

#[test]
fn analyses_that_do_not_go_on_from_a_saved_state_refuse_one_and_statics_searches_from_it() {
    let system = system(&format!("{PENDULUM}[initial]\ncoordinates = {{ pivot = 1 }}\n"));
    let turn = std::f64::consts::TAU;
    let from = EndState {
        t: 0.3,
        q: vec![turn + 1.0],
        v: vec![0.0],
        z: vec![],
        work: vec![0.0; 3],
        memory: Memory::default(),
        events: vec![],
        carried: None,
        integrator: None,
    };
    for analysis in [Analysis::Shoot, Analysis::Evaluate, Analysis::Inverse] {
        assert_eq!(codes(&system, &Plan { analysis, ..shot(1.0, "0.5", 1e-8) }, Some(&from)), ["no-restart"], "{analysis:?}");
    }
    let plan = Plan { analysis: Analysis::Statics, ..plan(1.0) };
    let balance = |from| value(&run(&system, &plan, from, &mut Unwatched).expect("a run").trajectory, "coord.pivot.value", 0);
    assert!(balance(None).abs() < 1e-9 && (balance(Some(&from)) - turn).abs() < 1e-9, "{} {}", balance(None), balance(Some(&from)));
}

/// A muscle whose excitation is a root that ends at half a second, with activation as a state and without, by adaptive and by fixed steps.
#[test]
fn an_excitation_that_is_no_number_is_named_with_its_time() {
    let pulled = |excitation: &str, more: &str| {
        system(&format!(
            "{}excitation = {{ type = \"expression\", expression = \"{excitation}\" }}\n{more}",
            on_rail!(
                "[initial]\ncoordinates = { rail = 0.3 }\n[muscle.pull]\ntype = \"millard\"\npath = \"line\"\nforce = 100\nfibre_length = 0.1\ntendon_length = 0.2\n"
            )
        ))
    };
    for more in ["", "activation = \"none\"", "activation = \"none\"\ntendon = \"rigid\""] {
        let system = pulled("sqrt(0.5 - t)", more);
        for (method, step) in [("dopri5", None), ("rosenbrock", None), ("rk4", Some(1e-3))] {
            let mut plan = plan(1.0);
            plan.integrator.method = Some(method.into());
            plan.integrator.settings = Settings { step, ..Settings::tolerance(1e-6) };
            let outcome = run(&system, &plan, None, &mut Unwatched).expect("a run");
            let Status::Failed { t, element, reason } = &outcome.status else { panic!("{method} {more}: {:?}", outcome.status) };
            assert_eq!(element, "muscle.pull.excitation", "{method} {more}: {reason}");
            // With a rigid tendon that is slack by then nothing but the next sample shows it.
            let (latest, told) = if more.contains("rigid") { (0.601, "is NaN at 0.") } else { (0.502, "is NaN at 0.50") };
            assert!((0.498..latest).contains(t) && reason.contains(told), "{method} {more}: {t} {reason}");
        }
        // One that is none at the start is refused before.
        assert_eq!(codes(&pulled("ln(t - 1)", more), &plan(1.0), None), ["control-not-finite"], "{more}");
    }
}
