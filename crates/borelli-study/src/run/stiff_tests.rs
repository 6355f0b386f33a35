//! The default integrator on stiff motion: steps beside the best method, a method exchanged in the middle of a run, what is told of it.
//! Not here: rates of elements (`borelli_dynamics::stiffness`), methods.

use super::tests::{MASS, good, plan, system, value};
use super::*;
use crate::plan::{Action, EventRule, Time};
use borelli_dynamics::compile;
use borelli_dynamics::integrate::{Direction, Settings};
use borelli_model::Model;

/// A block of 2 kg that falls 1 mm, slides, and comes to rest after a quarter of a second; friction is 2.5e4/s there.
const THROWN: &str = "borelli = 1\ndimension = \"planar\"\n[body.block]\nmass = 2\ninertia = 1\n[joint.place]\ntype = \"planar\"\nparent = \"world\"\nchild = \"block\"\n\
    coordinates = [\"x\", \"y\", \"turn\"]\n[surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[surface.foot]\ntype = \"point\"\nat = \"block\"\n\
    [contact.foot]\na = \"foot\"\nb = \"floor\"\nnormal = { type = \"kelvin-voigt\", stiffness = 1e5, damping = 300 }\n\
    friction = { type = \"tanh\", friction = 0.5, transition = \"0.2 mm/s\" }\nforce_at = \"a\"\n\
    [initial]\ncoordinates = { y = 0.001 }\nspeeds = { x = 1.2 }\n";

fn by(method: Option<&str>, end: f64) -> Plan {
    let mut plan = Plan { time: Time { start: 0.0, end, sample: Some(end / 50.0) }, ..Plan::default() };
    plan.integrator.method = method.map(str::to_string);
    plan
}

fn attempts(outcome: &Outcome) -> usize {
    outcome.statistics.accepted + outcome.statistics.rejected
}

fn said<'a>(outcome: &'a Outcome, key: &str) -> &'a str {
    outcome.settings.iter().find(|(known, _)| known == key).map_or("", |(_, text)| text)
}

fn told(outcome: &Outcome) -> Option<&HealthLine> {
    outcome.health.iter().find(|line| line.key == "stiffness")
}

/// When a run went on with another method, s.
fn switched_at(outcome: &Outcome) -> f64 {
    let text = said(outcome, "integrator");
    let from = text.strip_prefix("dopri5, from ").and_then(|rest| rest.strip_suffix(" s on rosenbrock"));
    from.unwrap_or_else(|| panic!("{text}")).parse().expect("a time")
}

#[test]
fn the_default_needs_at_most_twice_the_steps_of_the_best_method() {
    for (model, end) in [("stick-slip", 5.2), ("oblique-impact", 9e-3), ("walker7-contact", 10.0)] {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/{model}.toml"));
        let system = compile(&Model::read(&file).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
        let steps = |method: Option<&str>| attempts(&good(&system, &by(method, end)));
        let (own, others) = (steps(None), ["dopri5", "rosenbrock"].map(|name| steps(Some(name))));
        let best = others.into_iter().min().unwrap_or_default();
        assert!(own <= 2 * best, "{model}: {own}, dopri5 and rosenbrock {others:?}");
    }
}

#[test]
fn a_run_goes_on_with_another_method_where_friction_begins_to_stick() {
    let system = system(THROWN);
    let own = good(&system, &by(None, 1.0));
    let [easy, hard] = ["dopri5", "rosenbrock"].map(|name| good(&system, &by(Some(name), 1.0)));
    // μ g = 4.9 m/s²: it sticks after a quarter of a second.
    let at = switched_at(&own);
    assert!((0.2..0.35).contains(&at), "{at}");
    let line = told(&own).expect("a line");
    assert!(
        line.is_told() && line.text.contains("`contact.foot` is stiff") && line.text.contains("went on with `rosenbrock`"),
        "{}",
        line.text
    );
    assert!(said(&own, "why this integrator").contains("`contact.foot` is later"), "{}", said(&own, "why this integrator"));
    // μ F/(m v_s) = 0.5 · 9.81/2e-4.
    assert!((line.value.expect("a rate") / 24525.0 - 1.0).abs() < 0.05, "{line:?}");
    assert!(attempts(&own) < attempts(&easy) / 5, "{} {}", attempts(&own), attempts(&easy));
    // The same samples as by either method, and energy and work go on.
    for other in [&easy, &hard] {
        // Each has its own touchdown, to rounding.
        let times = own.trajectory.time().iter().zip(other.trajectory.time());
        assert!(own.trajectory.len() == other.trajectory.len() && times.into_iter().all(|(a, b)| (a - b).abs() < 1e-9));
        for (column, allowed) in [("coord.x.value", 2e-6), ("coord.x.rate", 2e-5), ("contact.foot.dissipated", 2e-5)] {
            for k in 0..own.trajectory.len() {
                let [a, b] = [&own, other].map(|outcome| value(&outcome.trajectory, column, k));
                assert!((a - b).abs() < allowed, "{column}, sample {k}: {a} {b}");
            }
        }
    }
    let balance = own.health.iter().find(|line| line.key == "energy_balance").expect("a line");
    assert_eq!(balance.verdict, Verdict::Good, "{}", balance.text);
    let again = good(&system, &by(None, 1.0));
    assert_eq!(own.end, again.end, "the same bits");
}

#[test]
fn who_asked_for_a_method_keeps_it_and_is_told() {
    let outcome = good(&system(THROWN), &by(Some("dopri5"), 0.5));
    assert_eq!(said(&outcome, "integrator"), "dopri5");
    let line = told(&outcome).expect("a line");
    assert!(line.text.contains("`contact.foot` is stiff") && line.text.contains("would need fewer"), "{}", line.text);
    assert!(told(&good(&system(THROWN), &by(Some("rosenbrock"), 0.5))).is_none(), "no advice to who follows it");
}

#[test]
fn what_is_not_stiff_is_left_alone() {
    // A fast spin, a hard fall through the air, a spring that swings for long.
    let swings = "[force.k]\ntype = \"coordinate-spring\"\ncoordinate = \"x\"\nstiffness = 2e4\n";
    let outcome =
        good(&system(&format!("{MASS}{swings}[initial]\ncoordinates = {{ x = 0.1 }}\nspeeds = {{ angle = 900 }}\n")), &by(None, 3.0));
    assert!(told(&outcome).is_none() && said(&outcome, "integrator") == "dopri5", "{:?}", outcome.settings);
}

/// A ball of 0.5 kg that is pressed on a hard damped floor for half a second, 3e4/s, and drawn off; beside it a spring of 20/s swings for long.
const TOUCHED: &str = "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[body.ball]\nmass = 0.5\ninertia = 1\n[joint.fall]\ntype = \"slider\"\nparent = \"world\"\n\
    child = \"ball\"\naxis = [0, 1]\n[body.swing]\nmass = 1\ninertia = 1\n[joint.arm]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"swing\"\n\
    [force.spring]\ntype = \"coordinate-spring\"\ncoordinate = \"arm\"\nstiffness = 400\n\
    [force.draw]\ntype = \"effort\"\ncoordinate = \"fall\"\n\
    effort = { type = \"table\", interpolation = \"linear\", x = [0, 0.5, 0.6], y = [-1, -1, 0.01], outside = \"hold\" }\n\
    [surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[surface.ball]\ntype = \"circle\"\nat = \"ball\"\nradius = 0.1\n\
    [contact.step]\na = \"ball\"\nb = \"floor\"\nnormal = { type = \"kelvin-voigt\", stiffness = 1e4, damping = 15000 }\n\
    [initial]\ncoordinates = { fall = 0.1, arm = 0.5 }\nspeeds = { fall = -0.2 }\n";

#[test]
fn a_run_goes_back_where_nothing_is_stiff_any_more() {
    let system = system(TOUCHED);
    let own = good(&system, &by(None, 30.0));
    let [easy, hard] = ["dopri5", "rosenbrock"].map(|name| good(&system, &by(Some(name), 30.0)));
    let methods = said(&own, "integrator");
    assert!(methods.ends_with("on dopri5") && methods.contains("rosenbrock"), "{methods}");
    let line = told(&own).expect("a line");
    assert!(line.text.contains("`dopri5`") && line.text.contains("`rosenbrock`"), "{}", line.text);
    // Better than either: one is kept short in touch, the other takes three times the steps afterwards.
    assert!(2 * attempts(&own) < attempts(&easy).min(attempts(&hard)), "{} {} {}", attempts(&own), attempts(&easy), attempts(&hard));
    for column in ["coord.arm.value", "coord.fall.value"] {
        let last = own.trajectory.len() - 1;
        let [a, b] = [&own, &hard].map(|outcome| value(&outcome.trajectory, column, last));
        assert!((a - b).abs() < 1e-3, "{column}: {a} {b}");
    }
    assert_eq!(own.end, good(&system, &by(None, 30.0)).end, "the same bits");
}

#[test]
fn a_run_taken_up_after_the_switch_goes_on_with_the_other_method() {
    let system = system(THROWN);
    let whole = good(&system, &by(None, 1.0));
    let half = good(&system, &Plan { time: Time { end: 0.5, ..by(None, 1.0).time }, ..by(None, 1.0) });
    let from = half.end.as_ref().expect("an end");
    assert_eq!(from.integrator.as_deref(), Some("rosenbrock"));
    let rest = run(&system, &by(None, 1.0), Some(from), &mut Unwatched).expect("a run");
    assert_eq!(said(&rest, "integrator"), "rosenbrock");
    let (a, b) = (whole.end.expect("an end"), rest.end.expect("an end"));
    assert!((a.q[0] - b.q[0]).abs() < 1e-6 && (a.work[0] - b.work[0]).abs() < 1e-6, "{a:?} {b:?}");
    // Before it the run has its own method, and the other one is found anew.
    let early = good(&system, &Plan { time: Time { end: 0.1, ..by(None, 1.0).time }, ..by(None, 1.0) });
    let late = run(&system, &by(None, 1.0), early.end.as_ref(), &mut Unwatched).expect("a run");
    assert!((0.2..0.35).contains(&switched_at(&late)));
}

#[test]
fn events_at_and_around_the_switch_happen_once() {
    let system = system(THROWN);
    let mut steps = Ends::default();
    let first = run(&system, &by(None, 1.0), None, &mut steps).expect("a run");
    // The end of a step at which the method is exchanged, to the last bit.
    let about = switched_at(&first);
    let at = steps.0.iter().copied().min_by(|a, b| (a - about).abs().total_cmp(&(b - about).abs())).expect("steps");
    let event =
        |name: &str, when: String, action: Action| EventRule { name: name.into(), when, direction: Direction::Any, action, at: None };
    let mut plan = by(None, 1.0);
    plan.events = vec![
        event("at", format!("time - {at:?}"), Action::Note),
        event("before", format!("time - {:?}", at - 1e-7), Action::Note),
        event("after", format!("time - {:?}", at + 1e-7), Action::Note),
        event("slow", "coord.x.rate - 0.6".into(), Action::Note),
    ];
    let outcome = good(&system, &plan);
    assert_eq!(switched_at(&outcome), about);
    for name in ["at", "before", "after", "slow"] {
        assert_eq!(outcome.events.iter().filter(|event| event.name == name).count(), 1, "{name}");
    }
    assert_eq!((&outcome.end, outcome.trajectory.len()), (&first.end, first.trajectory.len()), "notes change nothing");
    // One that ends the run there ends it there.
    plan.events[0].action = Action::Stop;
    let stopped = good(&system, &plan);
    assert!(stopped.status.word() == "stopped" && (stopped.end.as_ref().expect("an end").t - at).abs() < 1e-12);
    let rest = run(&system, &by(None, 1.0), stopped.end.as_ref(), &mut Unwatched).expect("a run").end.expect("an end");
    assert!((rest.q[0] - first.end.as_ref().expect("an end").q[0]).abs() < 1e-6);
}

/// Remembers where steps ended.
#[derive(Default)]
struct Ends(Vec<f64>);

impl Watch for Ends {
    fn progress(&mut self, t: f64, _statistics: &borelli_dynamics::integrate::Statistics) {
        self.0.push(t);
    }
}

#[test]
fn a_method_that_runs_out_of_steps_is_told_of_the_stiff_element_unless_it_is_made_for_it() {
    let system = system(THROWN);
    let reason = |method: &str, max_steps: usize| {
        let mut plan = by(Some(method), 1.0);
        plan.integrator.settings = Settings { max_steps, ..Settings::default() };
        match run(&system, &plan, None, &mut Unwatched).expect("a run").status {
            Status::Failed { element, reason, .. } => format!("{element}: {reason}"),
            other => format!("{other:?}"),
        }
    };
    let easy = reason("dopri5", 1000);
    assert!(
        easy.starts_with("contact.foot") && easy.contains("`contact.foot` is stiff here") && easy.contains("use `rosenbrock`"),
        "{easy}"
    );
    let hard = reason("rosenbrock", 30);
    assert!(hard.contains("30 steps") && !hard.contains("use `rosenbrock`"), "{hard}");
    let smooth = {
        let mut plan = plan(10.0);
        plan.integrator.settings.max_steps = 3;
        plan.integrator.settings.max_step = 0.1;
        run(&super::tests::system(MASS), &plan, None, &mut Unwatched).expect("a run").status
    };
    assert!(matches!(&smooth, Status::Failed { reason, .. } if !reason.contains("rosenbrock")), "{smooth:?}");
}
