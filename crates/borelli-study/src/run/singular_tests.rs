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

/// Parallelograms beside each other with their cranks at angles, turning; with fields at the head of the file, tables, and further speeds.
fn parallelograms(cranks: &[[f64; 2]], [head, more, speeds]: [&str; 3]) -> System {
    let (mut angles, mut rates) = (vec![], vec![]);
    let mut text = format!("borelli = 1\ndimension = \"planar\"\n{head}[world.point]\nA = [0, 0]\nB = [1, 0]\n");
    for (k, [angle, rate]) in cranks.iter().enumerate() {
        let own = |name: &str| if k == 0 { name.to_string() } else { format!("{name}{k}") };
        let (left, right, bar) = (own("left"), own("right"), own("bar"));
        for (name, parent) in [(&left, "world.A".to_string()), (&right, "world.B".into()), (&bar, format!("{left}.tip"))] {
            text += &format!(
                "[body.{name}]\nmass = 1\ncenter = [0.5, 0]\ninertia = 0.08333333333333333\npoint.tip = [1, 0]\n\
                 [joint.{name}]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"{name}\"\n"
            );
        }
        text += &format!("[loop.{}]\ntype = \"coincident\"\na = \"{bar}.tip\"\nb = \"{right}.tip\"\n", own("closed"));
        for (list, value) in [(&mut angles, *angle), (&mut rates, *rate)] {
            list.push(format!("{left} = {value:?}, {right} = {value:?}, {bar} = {:?}", -value));
        }
    }
    system(&format!("{text}{more}[initial]\ncoordinates = {{ {} }}\nspeeds = {{ {}{speeds} }}\n", angles.join(", "), rates.join(", ")))
}

/// One of them.
fn parallelogram(angle: f64, rate: f64) -> System {
    parallelograms(&[[angle, rate]], [""; 3])
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
    assert!(line(&moving, "singular_passages").is_some_and(|line| line.value == Some(0.0) && line.text.contains("begins in")));
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
    let system = parallelogram(0.0, 2.0);
    let layout = Layout::new(&system, true);
    let mut watch = SingularWatch::new(&system, layout, &Settings::default(), true, None);
    let mut y = [&system.start.q[..], &system.start.v].concat();
    y.resize(layout.dim(), 0.0);
    // I ω²/2 = 10/3 J, of which a tenth may be missing.
    let mut judge = |jump: f64| {
        watch.has_passed(1, (0.5, 1e-9, &y), 2.0);
        watch.judge(0.5, &y, Some(jump))
    };
    assert!(judge(0.33).is_none() && judge(-0.33).is_none());
    for jump in [0.34, -0.34, f64::NAN] {
        let lost = judge(jump).expect("lost");
        assert!(
            lost.element == "loop.closed" && lost.reason.contains("another branch") && lost.reason.contains("t = 0.5000 s"),
            "{}",
            lost.reason
        );
    }
}

/// A flywheel with ten thousand times the energy of a parallelogram that is at rest in its singular position: on the ground, and on its bar.
#[test]
fn a_fast_body_elsewhere_does_not_hide_a_start_that_nothing_decides() {
    for parent in ["world", "bar.tip"] {
        let fly = format!("[body.fly]\nmass = 1\ninertia = 0.1\n[joint.fly]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"fly\"\n");
        let outcome = run(&parallelograms(&[[0.0, 0.0]], ["", &fly, ", fly = 2000"]), &watched(1.0), None, &mut Unwatched).expect("a run");
        let Status::Failed { element, reason, .. } = &outcome.status else { panic!("{parent}: {:?}", outcome.status) };
        assert!(element == "loop.closed" && reason.contains("next to no speed"), "{element}: {reason}");
    }
}

/// What is known of a mechanism outlives an event of another part, and a run that ends on its way says so.
#[test]
fn what_nothing_decides_is_seen_across_an_event_elsewhere_and_at_the_end() {
    let puck = "[body.puck]\nmass = 1\ninertia = 1\n[joint.puck]\ntype = \"slider\"\nparent = \"world\"\nchild = \"puck\"\naxis = [1, 0]\n\
                [guide.puck]\ntype = \"coordinate\"\ncoordinate = \"puck\"\nfunction = { type = \"constant\", constant = \"0 m\" }\n";
    let beside = parallelograms(&[[0.0, 0.0]], ["", puck, ""]);
    for t in [1e-3, 1e-2, 3e-2] {
        let mut plan = watched(1.0);
        plan.events.push(EventRule {
            name: "free".into(),
            when: format!("time - [{t} s]"),
            direction: Direction::Any,
            action: Action::Release("guide.puck".into()),
            at: None,
        });
        let outcome = run(&beside, &plan, None, &mut Unwatched).expect("a run");
        assert!(matches!(&outcome.status, Status::Failed { element, .. } if element == "loop.closed"), "{t}: {:?}", outcome.status);
    }
    let short = good(&parallelogram(0.0, 0.0), &watched(0.02));
    assert!(line(&short, "singular_passages").is_some_and(|line| line.verdict == Verdict::Look && line.text.contains("ends while")));
}

/// Two beside each other: that one passes with speed says nothing of the other, and passages at one instant are as many as there are mechanisms.
#[test]
fn each_mechanism_is_judged_and_counted_by_itself() {
    let both = good(&parallelograms(&[[0.3, -2.0], [0.3, -2.0]], [""; 3]), &watched(0.4));
    assert_eq!(line(&both, "singular_passages").and_then(|line| line.value), Some(2.0));
    for cranks in [[[0.3, -2.0], [0.0, 0.0]], [[0.0, 0.0], [0.01, -9.0]]] {
        let outcome = run(&parallelograms(&cranks, [""; 3]), &watched(1.0), None, &mut Unwatched).expect("a run");
        let Status::Failed { element, reason, .. } = &outcome.status else { panic!("{cranks:?}: {:?}", outcome.status) };
        let stuck = if cranks[0][1] == 0.0 { "loop.closed" } else { "loop.closed1" };
        assert!(element == stuck && reason.contains("next to no speed"), "{element}: {reason}");
    }
}

/// Braked from 300 rad/s within a second to the steady half of a radian per second at which a drive turns it, I ω' = M - d ω.
#[test]
fn a_steady_passage_after_a_fast_phase_is_believed() {
    let (damping, drive) = (12.0 * I, 6.0 * I);
    let more = format!(
        "[force.brake]\ntype = \"coordinate-spring\"\ncoordinate = \"left\"\nstiffness = 0\ndamping = {damping:?}\n\
         [force.drive]\ntype = \"effort\"\ncoordinate = \"left\"\neffort = {drive:?}\n"
    );
    let system = parallelograms(&[[1.0, 300.0]], ["gravity = [0, 0]\n", &more, ""]);
    let outcome = good(&system, &watched(12.0));
    let late: Vec<f64> = outcome.events.iter().map(|event| event.t).filter(|t| *t > 1.0).collect();
    // Half a radian per second: one position each 2π seconds.
    assert!(!late.is_empty() && late.windows(2).all(|pair| (pair[1] - pair[0] - 2.0 * std::f64::consts::PI).abs() < 1e-2), "{late:?}");
    // At first steps are longer than from one position to the next.
    assert!(line(&outcome, "singular_passages").and_then(|line| line.value).is_some_and(|count| count >= late.len() as f64));
}
