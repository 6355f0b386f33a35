//! Rows that events hold again: clutches and freewheels in closed form, feet that are put down, what is refused, runs taken up again.

use super::tests::{MASS, good, plan, system, value};
use super::*;
use crate::plan::{Action, EventRule, StartRule, Time};
use borelli_dynamics::formulation::FORMULATIONS;
use borelli_dynamics::integrate::{Direction, Settings};
use borelli_dynamics::memory::Hold;
use borelli_dynamics::movement::DriftControl;

/// Moments of inertia of the two discs, kg m².
const DISCS: [f64; 2] = [2.0, 3.0];

/// Two discs on one axis, the first driven; the second turns at 5 rad/s.
fn clutch(torque: &str) -> System {
    let disc = |name: &str, inertia: f64| {
        format!(
            "[body.{name}]\nmass = 1\ninertia = {inertia}\n[joint.{name}]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"{name}\"\n\
             coordinates = [\"{name}\"]\n"
        )
    };
    system(&format!(
        "borelli = 1\ndimension = \"planar\"\n{}{}[force.motor]\ntype = \"effort\"\ncoordinate = \"driving\"\neffort = {torque}\n\
         [loop.coupling]\ntype = \"relation\"\ncoefficients = {{ driving = 1, driven = -1 }}\n[initial]\nspeeds = {{ driven = 5 }}\n",
        disc("driving", DISCS[0]),
        disc("driven", DISCS[1])
    ))
}

fn rule(name: &str, when: &str, direction: Direction, action: Action) -> EventRule {
    EventRule { name: name.into(), when: when.into(), direction, action, at: None }
}

fn engage(target: &str) -> Action {
    Action::Engage { target: target.into(), tolerance: 1e-6, dim: None }
}

const CONTROLS: [DriftControl; 3] = [DriftControl::None, DriftControl::Baumgarte { alpha: 5.0, beta: 5.0 }, DriftControl::Projection];

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    outcome.scalars.iter().find(|scalar| scalar.name == name).unwrap_or_else(|| panic!("{name}")).value
}

#[test]
fn two_discs_couple_at_equal_speed_and_go_on_as_one() {
    let system = clutch("4");
    // Two bodies on the world are no chain of segments.
    let takes: Vec<&str> = FORMULATIONS.iter().filter(|entry| (entry.build)(&system).is_ok()).map(|entry| entry.name).collect();
    assert_eq!(takes.len() + 1, FORMULATIONS.len());
    for (formulation, drift) in takes.iter().flat_map(|name| CONTROLS.map(|drift| (*name, drift))) {
        let mut plan = Plan { formulation: formulation.into(), drift, released: vec!["loop.coupling".into()], ..plan(4.0) };
        let difference = "coord.driving.rate - coord.driven.rate";
        plan.events = vec![rule("couples", difference, Direction::Any, engage("loop.coupling"))];
        let outcome = good(&system, &plan);
        let text: Vec<&str> = outcome.events.iter().map(|event| event.action.as_str()).collect();
        assert_eq!(text, ["engage loop.coupling"], "{formulation} {drift:?}: once, though the speeds stay equal");
        // 4 N m on 2 kg m² reach 5 rad/s after 2.5 s; then they are on 5 kg m².
        assert!((outcome.events[0].t - 2.5).abs() < 1e-10, "{formulation} {drift:?}: {}", outcome.events[0].t);
        assert_eq!((scalar(&outcome, "event.couples.count"), scalar(&outcome, "event.couples.time")), (1.0, outcome.events[0].t));
        for (k, t) in outcome.trajectory.time().iter().copied().enumerate() {
            let of = |column: &str| value(&outcome.trajectory, column, k);
            let coupled = t > 2.5 + 1e-9;
            let s = t - 2.5;
            let exact = if coupled {
                let (speed, turned) = (5.0 + 0.8 * s, 5.0 * s + 0.4 * s * s);
                [speed, speed, 6.25 + turned, 12.5 + turned, -0.8 * DISCS[1]]
            } else {
                [2.0 * t, 5.0, t * t, 5.0 * t, 0.0]
            };
            let columns =
                ["coord.driving.rate", "coord.driven.rate", "coord.driving.value", "coord.driven.value", "loop.coupling.reaction.sum"];
            for (column, exact) in columns.into_iter().zip(exact) {
                assert!((of(column) - exact).abs() < 1e-9, "{formulation} {drift:?} {column} at {t}: {} {exact}", of(column));
            }
            assert!((of("system.angular_momentum.z") - (15.0 + 4.0 * t)).abs() < 1e-9, "momentum at {t}");
            assert!(of("system.energy.balance").abs() < 1e-9, "coupling at equal speeds takes no energy");
            if coupled {
                assert!(of("loop.coupling.drift.sum").abs() < 1e-9, "drift counts from where it was held");
            } else {
                assert_eq!(of("loop.coupling.reaction.sum"), 0.0, "nothing acts on what is let go");
                assert_eq!(of("constraint.drift.position"), 0.0, "its drift does not count");
            }
        }
        let end = outcome.end.expect("an end");
        assert!(!end.memory.is_released(0) && (end.memory.offset(0) + 6.25).abs() < 1e-9, "{end:?}");
    }
}

#[test]
fn implicit_schemes_couple_too() {
    let system = clutch("4");
    for method in ["newmark", "generalised-alpha"] {
        let mut plan = Plan { released: vec!["loop.coupling".into()], ..plan(4.0) };
        plan.integrator.method = Some(method.into());
        plan.integrator.settings = Settings::fixed(0.01);
        plan.events = vec![rule("couples", "coord.driving.rate - coord.driven.rate", Direction::Rising, engage("loop.coupling"))];
        let outcome = good(&system, &plan);
        let last = outcome.trajectory.len() - 1;
        let of = |column: &str| value(&outcome.trajectory, column, last);
        assert!((outcome.events[0].t - 2.5).abs() < 1e-9, "{method}: {:?}", outcome.events);
        // Both are exact for constant accelerations.
        for (column, exact) in [("coord.driving.rate", 6.2), ("coord.driven.rate", 6.2), ("loop.coupling.reaction.sum", -2.4)] {
            assert!((of(column) - exact).abs() < 1e-8, "{method} {column}: {}", of(column));
        }
        assert!((of("coord.driving.value") - of("coord.driven.value") + 6.25).abs() < 1e-9, "{method}");
    }
}

/// The zero of a function that rises from `low` to `high`.
fn zero(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[test]
fn a_freewheel_lets_go_and_couples_again_and_again() {
    // The torque 1 + 3 cos 2t lets the second disc run on where it turns negative, and catches up with it.
    let (mean, swing, w) = (1.0, 3.0, 2.0);
    let system = clutch("{ type = \"expression\", expression = \"1 + 3*cos(2*x)\" }");
    let mut plan = plan(10.0);
    // The start makes both turn at one speed; momentum of the torque from a to b.
    let given = |a: f64, b: f64| mean * (b - a) + swing / w * ((w * b).sin() - (w * a).sin());
    let (start, whole) = (good(&system, &Plan { time: Time { end: 0.1, ..plan.time }, ..plan.clone() }), DISCS[0] + DISCS[1]);
    let mut speed = value(&start.trajectory, "coord.driven.rate", 0);
    assert_eq!(speed, value(&start.trajectory, "coord.driving.rate", 0));
    let (mut expected, mut now) = (Vec::new(), 0.0);
    let quarter = (-mean / swing).acos() / w;
    for turn in 0..3 {
        let period = std::f64::consts::TAU / w;
        let slack = quarter + turn as f64 * period;
        speed += given(now, slack) / whole;
        let lowest = (turn + 1) as f64 * period - quarter;
        now = zero(|t| given(slack, t), lowest, lowest + 0.5 * period);
        expected.extend([("slack", slack), ("tight", now)]);
    }
    speed += given(now, 10.0) / whole;
    // Without a direction, too: right after it is let go the difference of speeds is zero but for rounding, or for drift.
    let cases = [Direction::Rising, Direction::Any].into_iter().flat_map(|direction| CONTROLS.map(|drift| (direction, drift)));
    for (direction, drift) in cases {
        plan.drift = drift;
        plan.events = vec![
            rule("slack", "loop.coupling.reaction.sum", direction, Action::Release("loop.coupling".into())),
            rule("tight", "coord.driving.rate - coord.driven.rate", direction, engage("loop.coupling")),
        ];
        let outcome = good(&system, &plan);
        assert_eq!(outcome.events.len(), expected.len(), "{:?}", outcome.events);
        for (event, (name, t)) in outcome.events.iter().zip(&expected) {
            assert!(event.name == *name && (event.t - t).abs() < 1e-8, "{event:?}, not {name} at {t}");
        }
        assert_eq!((scalar(&outcome, "event.slack.count"), scalar(&outcome, "event.tight.count")), (3.0, 3.0));
        let last = outcome.trajectory.len() - 1;
        for disc in ["driving", "driven"] {
            let found = value(&outcome.trajectory, &format!("coord.{disc}.rate"), last);
            assert!((found - speed).abs() < 1e-8, "{disc}: {found} {speed}");
        }
        let allowed = if drift == DriftControl::Projection { 1e-12 } else { 1e-9 };
        assert!(scalar(&outcome, "run.energy_balance") < 1e-8 && scalar(&outcome, "run.drift_position") < allowed, "{drift:?}");
    }
}

/// A body that can be pinned to the origin.
fn ball(initial: &str) -> System {
    system(&format!("{MASS}[loop.sole]\ntype = \"coincident\"\na = \"world\"\nb = \"ball\"\n[initial]\n{initial}\n"))
}

#[test]
fn a_foot_put_down_at_rest_elsewhere_is_held_there() {
    let system = ball("coordinates = { x = 0.3, y = 0.2 }\nspeeds = { y = 2, angle = 1.5 }");
    let (top, height) = (2.0 / 9.81, 0.2 + 2.0 / 9.81);
    for (formulation, drift) in FORMULATIONS.iter().flat_map(|entry| CONTROLS.map(|drift| (entry.name, drift))) {
        let mut plan = Plan { formulation: formulation.into(), drift, released: vec!["loop.sole".into()], ..plan(1.0) };
        plan.events = vec![rule("down", "body.ball.vy", Direction::Falling, engage("loop.sole"))];
        let outcome = good(&system, &plan);
        assert!((outcome.events[0].t - top).abs() < 1e-10);
        let last = outcome.trajectory.len() - 1;
        let exact = [
            ("body.ball.x", 0.3),
            ("body.ball.y", height),
            ("body.ball.angle", 1.5),
            ("loop.sole.reaction.x", 0.0),
            ("loop.sole.reaction.y", 2.0 * 9.81),
            ("loop.sole.drift.y", 0.0),
        ];
        for (column, exact) in exact {
            let found = value(&outcome.trajectory, column, last);
            assert!((found - exact).abs() < 1e-9, "{formulation} {drift:?} {column}: {found}, not {exact}");
        }
    }
}

#[test]
fn a_foot_that_lands_with_speed_is_refused_and_what_was_found_is_kept() {
    let system = ball("coordinates = { y = 1 }");
    let mut plan = Plan { released: vec!["loop.sole".into()], ..plan(1.0) };
    plan.events = vec![rule("lands", "body.ball.y", Direction::Falling, engage("loop.sole"))];
    let outcome = run(&system, &plan, None, &mut Unwatched).expect("a run that begins");
    let t = (2.0f64 / 9.81).sqrt();
    let Status::Failed { t: found, element, reason } = &outcome.status else { panic!("{:?}", outcome.status) };
    assert!((found - t).abs() < 1e-10 && element == "loop.sole.y", "{found} {element}");
    for part in ["event `lands`", "`loop.sole.y`", "-4.4294 m/s", "1e-6 m/s", "no model", "hint: put the event where the speeds are equal"]
    {
        assert!(reason.contains(part), "{part} not in {reason}");
    }
    let table = &outcome.trajectory;
    assert_eq!((value(table, "body.ball.y", 0), table.time().last()), (1.0, Some(found)), "the start is not pulled down, the end is kept");
    assert!(value(table, "body.ball.y", table.len() - 1).abs() < 1e-10);
    assert_eq!((scalar(&outcome, "run.completed"), outcome.end.expect("an end").memory.rows), (0.0, vec![Hold::LetGo; 2]));
}

#[test]
fn what_is_left_of_a_rate_below_the_limit_is_drift() {
    let rail = |speed: f64| {
        system(&format!("{MASS}[loop.rail]\ntype = \"relation\"\ncoefficients = {{ x = 1 }}\n[initial]\nspeeds = {{ x = {speed} }}\n"))
    };
    let stop = |tolerance, drift| {
        let mut plan = Plan { drift, released: vec!["loop.rail".into()], ..plan(1.0) };
        let action = Action::Engage { target: "loop.rail".into(), tolerance, dim: None };
        plan.events = vec![rule("brake", "time - 0.5", Direction::Any, action)];
        plan
    };
    for (drift, left) in [(DriftControl::None, 5e-7), (DriftControl::Projection, 0.0)] {
        let outcome = good(&rail(5e-7), &stop(1e-6, drift));
        let found = value(&outcome.trajectory, "coord.x.rate", outcome.trajectory.len() - 1);
        assert!((found - left).abs() < 1e-15, "{drift:?}: {found}");
    }
    let refused = run(&rail(2e-6), &stop(1e-6, DriftControl::Projection), None, &mut Unwatched).expect("a run");
    assert_eq!(refused.status.word(), "failed");
    good(&rail(2e-6), &stop(1e-5, DriftControl::Projection));
}

#[test]
fn a_run_taken_up_again_at_an_event_goes_on_with_the_same_bits() {
    let model = ball("coordinates = { x = 0.3, y = 0.2 }\nspeeds = { y = 2, angle = 1.5 }");
    let [down, up] = [("body.ball.vy", Direction::Falling), ("time - 0.55", Direction::Any)];
    for (method, step) in [("rk4", 0.03), ("heun", 0.03), ("dopri5", 0.01), ("adams", 0.01)] {
        let mut plan = Plan { released: vec!["loop.sole".into()], ..plan(1.0) };
        plan.integrator.method = Some(method.into());
        plan.integrator.settings.step = Some(step);
        plan.events = vec![rule("down", down.0, down.1, engage("loop.sole")), rule("up", up.0, up.1, Action::Release("loop.sole".into()))];
        let straight = good(&model, &plan);
        assert_eq!(straight.events.len(), 2, "{method}: {:?}", straight.events);
        for ((when, direction), released) in [(down, false), (up, true)] {
            let mut first = plan.clone();
            first.events.push(rule("pause", when, direction, Action::Stop));
            let pause = good(&model, &first).end.expect("an end");
            assert!((0..2).all(|row| pause.memory.is_released(row) == released));
            assert_eq!(pause.memory.offset(1) != 0.0, !released, "where it is held is kept, where it was is not: {pause:?}");
            let rest = run(&model, &plan, Some(&pause), &mut Unwatched).expect("a run");
            assert_eq!(rest.end, straight.end, "{method}, from {}", pause.t);
        }
    }
}

#[test]
fn a_balance_is_found_without_what_is_let_go() {
    let hung = ball("coordinates = { y = 0.1 }");
    let mut plan = Plan { analysis: Analysis::Statics, ..plan(1.0) };
    assert!(value(&good(&hung, &plan).trajectory, "body.ball.y", 0).abs() < 1e-12, "pinned");
    let spring = "[force.spring]\ntype = \"coordinate-spring\"\ncoordinate = \"y\"\nstiffness = 100\n[force.side]\ntype = \"coordinate-spring\"\n\
        coordinate = \"x\"\nstiffness = 100\n";
    let hung = system(&format!("{MASS}{spring}[loop.sole]\ntype = \"coincident\"\na = \"world\"\nb = \"ball\"\n"));
    plan.released = vec!["loop.sole".into()];
    let outcome = good(&hung, &plan);
    assert!((value(&outcome.trajectory, "body.ball.y", 0) + 2.0 * 9.81 / 100.0).abs() < 1e-10);
    assert_eq!(value(&outcome.trajectory, "constraint.drift.position", 0), 0.0);
}

#[test]
fn what_begins_free_must_exist_and_be_of_use() {
    let model = ball("coordinates = { y = 1 }");
    let fault = |plan: &Plan| {
        let findings = check(&model, plan).expect_err("a fault");
        findings.iter().map(|found| (found.code, found.element.clone(), found.field.clone())).collect::<Vec<_>>()
    };
    let at = |code, element: &str, field: &str| vec![(code, element.to_string(), field.to_string())];
    let start = Plan { released: vec!["loop.heel".into()], ..plan(1.0) };
    assert_eq!(fault(&start), at("unknown-row", "start", "released"));
    let mut event = plan(1.0);
    event.events = vec![rule("now", "time - 0.5", Direction::Any, engage("loop.heel"))];
    assert_eq!(fault(&event), at("unknown-row", "event.now", "engage"));
    for analysis in [Analysis::Evaluate, Analysis::Inverse, Analysis::Shoot] {
        let idle = Plan { analysis, released: vec!["loop.sole".into()], ..plan(1.0) };
        assert_eq!(fault(&idle), at("released-not-used", "start", "released"), "{analysis:?}");
    }
    // Nothing is made to fit what is let go, whatever the rule.
    for rule in [StartRule::Assemble, StartRule::Positions, StartRule::Speeds, StartRule::AsGiven] {
        let outcome = good(&model, &Plan { start: rule, released: vec!["loop.sole".into()], ..plan(0.1) });
        assert_eq!(value(&outcome.trajectory, "body.ball.y", 0), 1.0, "{rule:?}");
    }
}

/// A limit is written as the rows move: those of the coupling turn, those of a pin move and turn.
#[test]
fn a_tolerance_has_the_unit_of_the_rows_or_none() {
    use crate::read::{Files, StudyFile};
    let refused = |system: &System, target: &str, tolerance: &str| {
        let text = format!(
            "borelli = 1\ntitle = \"\"\nmodel = \"given\"\n[time]\nend = 1\n[start]\nreleased = [\"{target}\"]\n[[event]]\nname = \"held\"\nwhen = \"time - [0.5 s]\"\n\
             action = \"engage\"\nengage = \"{target}\"\ntolerance = {tolerance}\n"
        );
        let study = StudyFile::parse("study.toml", &text, Files::on_disk()).unwrap_or_else(|rejected| panic!("{rejected}"));
        let plan = study.plan("", &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
        let Action::Engage { tolerance, .. } = plan.events[0].action else { panic!("{:?}", plan.events) };
        assert!((tolerance - 1e-3).abs() < 1e-18);
        check(system, &plan).err().map(|findings| findings.iter().map(|f| (f.code, f.message.clone())).collect::<Vec<_>>())
    };
    let coupling = clutch("4");
    for good in ["1e-3", "\"1e-3\"", "\"1e-3 rad/s\"", "\"1 mrad/s\""] {
        assert_eq!(refused(&coupling, "loop.coupling", good), None, "{good}");
    }
    let faults = refused(&coupling, "loop.coupling", "\"1 mm/s\"").expect("faults");
    assert_eq!(faults[0].0, "wrong-unit");
    assert!(faults[0].1.contains("rad/s") && faults[0].1.contains("m/s"), "{faults:?}");
    let pinned = system(&format!("{MASS}[loop.pin]\ntype = \"weld\"\na = \"world\"\nb = \"ball\"\n"));
    for good in ["1e-3", "\"1 mm/s\"", "\"1e-3 rad/s\""] {
        assert_eq!(refused(&pinned, "loop.pin", good), None, "{good}");
    }
    assert_eq!(refused(&pinned, "loop.pin", "\"1e-3 kg\"").expect("faults")[0].0, "wrong-unit");
}
