//! Linkages through, from and up to singular positions: what is passed is told, what nothing decides ends the run.
//! Not here: rows that follow from others at one state (the engine), the same linkages over methods and tolerances (studies 89 to 91).

use super::singular_watch::SingularWatch;
use super::tests::{good, plan, system};
use super::*;
use crate::plan::{Action, EventRule, StartRule, Time};
use borelli_dynamics::integrate::{Direction, Settings};
use borelli_dynamics::movement::{DriftControl, Layout};

/// Moment of inertia of the one freedom of a parallelogram of three rods of 1 m and 1 kg, and its mass times lever.
const I: f64 = 5.0 / 3.0;
const M: f64 = 2.0;
const G: f64 = 9.81;

/// The parallelogram with its cranks at an angle, turning.
fn parallelogram(angle: f64, rate: f64) -> System {
    let rod = |name: &str, parent: &str| {
        format!(
            "[body.{name}]\nmass = 1\ncenter = [0.5, 0]\ninertia = 0.08333333333333333\npoint.tip = [1, 0]\n\
             [joint.{name}]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"{name}\"\n"
        )
    };
    system(&format!(
        "borelli = 1\ndimension = \"planar\"\n[world.point]\nA = [0, 0]\nB = [1, 0]\n{}{}{}[loop.closed]\ntype = \"coincident\"\na = \"bar.tip\"\nb = \"right.tip\"\n\
         [initial]\ncoordinates = {{ left = {angle:?}, right = {angle:?}, bar = {:?} }}\nspeeds = {{ left = {rate:?}, right = {rate:?}, bar = {:?} }}\n",
        rod("left", "world.A"),
        rod("right", "world.B"),
        rod("bar", "left.tip"),
        -angle,
        -rate
    ))
}

/// As given, at the default tolerance, and told where the left crank passes the line of the ground.
fn watched(end: f64) -> Plan {
    let mut plan = Plan { time: Time { start: 0.0, end, sample: Some(end / 100.0) }, start: StartRule::AsGiven, ..plan(end) };
    plan.integrator.settings = Settings::default();
    plan.events = vec![EventRule {
        name: "flat".into(),
        when: "sin(coord.left.value)".into(),
        direction: Direction::Any,
        action: Action::Note,
        at: None,
    }];
    plan
}

fn line<'a>(outcome: &'a Outcome, key: &str) -> Option<&'a HealthLine> {
    outcome.health.iter().find(|line| line.key == key)
}

#[test]
fn a_singular_position_that_is_passed_with_speed_is_told() {
    for (formulation, method) in [("articulated", None), ("natural", None), ("articulated", Some("rosenbrock"))] {
        let mut plan = watched(2.5);
        plan.formulation = formulation.into();
        plan.integrator.method = method.map(str::to_string);
        let outcome = good(&parallelogram(std::f64::consts::FRAC_PI_2, -1.0), &plan);
        let told = line(&outcome, "singular_passages").expect("a line");
        assert!(outcome.events.len() >= 2);
        assert_eq!(told.value, Some(outcome.events.len() as f64), "{}", told.text);
        assert!(told.is_told() && told.text.contains("`loop.closed`"), "{}", told.text);
        // One of the instants at which all bars lie in one line.
        let at: f64 = told.text.split("t = ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a time").parse().expect("a time");
        assert!(outcome.events.iter().any(|event| (event.t - at).abs() < 1e-3), "{at} {:?}", outcome.events);
    }
}

#[test]
fn a_start_at_rest_in_a_singular_position_ends_the_run() {
    let outcome = run(&parallelogram(0.0, 0.0), &watched(1.0), None, &mut Unwatched).expect("a run");
    let Status::Failed { element, reason, t } = &outcome.status else { panic!("{:?}", outcome.status) };
    assert_eq!(element, "loop.closed");
    assert!(reason.contains("singular position at t = 0.0000 s") && reason.contains("next to no speed") && *t < 0.2, "{t} {reason}");
    // With speed the branch is the one that it moves on.
    let moving = good(&parallelogram(0.0, -2.0), &watched(0.2));
    assert!(line(&moving, "singular_passages").is_some_and(|line| line.value == Some(1.0)));
}

#[test]
fn who_arrives_without_speed_has_lost_the_way_and_who_turns_before_has_not() {
    // Speed with which the cranks come to rest at an angle: I ω²/2 = M g (sin angle + sin 1).
    let to = |angle: f64| parallelogram(-1.0, (2.0 * M * G * (angle.sin() + 1f64.sin()) / I).sqrt());
    let outcome = run(&to(0.0), &watched(2.0), None, &mut Unwatched).expect("a run");
    let Status::Failed { element, reason, t } = &outcome.status else { panic!("{:?}", outcome.status) };
    assert!(element == "loop.closed" && reason.contains("next to no speed"), "{reason}");
    assert!((0.2..1.0).contains(t), "{t}");
    let turned = good(&to(-0.05), &watched(2.0));
    assert!(line(&turned, "singular_passages").is_none() && turned.events.is_empty());
}

/// Without projection a passage leads to another branch, at any tolerance or nearly so, with energy kept.
#[test]
fn a_passage_without_projection_is_not_believed() {
    for drift in [DriftControl::None, DriftControl::Baumgarte { alpha: 10.0, beta: 10.0 }] {
        let outcome = run(&parallelogram(0.3, -2.0), &Plan { drift, ..watched(1.0) }, None, &mut Unwatched).expect("a run");
        let Status::Failed { element, reason, .. } = &outcome.status else { panic!("{drift:?}: {:?}", outcome.status) };
        assert!(element == "loop.closed" && reason.contains("drift control"), "{element}: {reason}");
        assert!(line(&outcome, "singular_passages").is_none());
    }
}

#[test]
fn a_linkage_with_a_bar_too_many_passes_nothing() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/redundant-loop.toml");
    let system = borelli_dynamics::compile(&borelli_model::Model::read(&file).unwrap_or_else(|e| panic!("{e}"))).expect("compiles");
    let outcome = good(&system, &plan(1.0));
    assert!(line(&outcome, "singular_passages").is_none(), "{:?}", line(&outcome, "singular_passages"));
    assert!(line(&outcome, "redundant_rows").is_some_and(|line| line.value > Some(0.0)));
}

#[test]
fn a_jump_of_the_energy_in_a_passage_is_another_branch() {
    let system = parallelogram(0.3, 1.0);
    let mut watch = SingularWatch::new(&system, Layout::new(&system, true), &Settings::default(), true, None);
    let passage = watch.passage(0.5, 0, 1e-9, [4.0, 5.0]);
    assert!(watch.judge(&passage, Some(0.4)).is_none());
    for jump in [0.6, -0.6, f64::NAN] {
        let lost = watch.judge(&passage, Some(jump)).expect("lost");
        assert!(
            lost.element == "loop.closed" && lost.reason.contains("another branch") && lost.reason.contains("t = 0.5000 s"),
            "{}",
            lost.reason
        );
    }
}
