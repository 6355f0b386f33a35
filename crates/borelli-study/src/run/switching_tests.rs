//! A conditional point that goes in mid-run: when, and what energy it brings, against closed forms.

use super::tests::{good, plan, system, value};
use super::*;
use crate::plan::{Action, Change, EventRule, Peak, Sensitivities, Setting};
use borelli_dynamics::integrate::Direction;

/// A mass on a rail along X that a spring pulls back to a place above the start, over a hook while x ≤ 0.1 m.
const HOOKED: &str = r#"
borelli = 1
dimension = "planar"
gravity = [0, 0]
[world.point]
top = [0, 0.3]
hook = [-0.1, 0.1]
[body.cart]
mass = 2
inertia = 1
[joint.rail]
type = "slider"
parent = "world"
child = "cart"
axis = [1, 0]
[path.line]
points = ["world.top", { at = "world.hook", when = { coordinate = "rail", from = "-1 m", to = "0.1 m", jump = "accept" } }, "cart"]
[force.spring]
type = "spring"
path = "line"
stiffness = 20
length = 0.2
[initial]
coordinates = { rail = 0 }
speeds = { rail = 1 }
"#;

#[test]
fn the_energy_that_a_switch_brings_is_that_of_the_closed_form() {
    let mut plan = plan(0.3);
    plan.time.sample = Some(1e-3);
    let outcome = good(&system(HOOKED), &plan);
    let hook = |x: f64| (0.1f64.powi(2) + 0.2f64.powi(2)).sqrt() + (x + 0.1).hypot(0.1);
    let stored = |length: f64| 10.0 * (length - 0.2).powi(2);
    let straight = |x: f64| x.hypot(0.3);
    let brought = stored(straight(0.1)) - stored(hook(0.1));
    assert!(brought < -0.3, "a jump worth the name: {brought} J");
    // The mass passes the end of the range once, with the energy that the hooked spring has left it.
    let [event] = &outcome.events[..] else { panic!("{:?}", outcome.events) };
    assert_eq!((event.name.as_str(), event.action.as_str()), ("path.line.2.goes", "switch"));
    let table = &outcome.trajectory;
    let of = |name: &str, sample: usize| value(table, name, sample);
    let begin = 1.0 + stored(hook(0.0));
    let last = table.len() - 1;
    assert!(of("coord.rail.value", last) > 0.15);
    for sample in 0..=last {
        let (t, x) = (table.time()[sample], of("coord.rail.value", sample));
        // The sample at the event is the last one before it.
        let after = t > event.t;
        assert!((of("system.work.switches", sample) - if after { brought } else { 0.0 }).abs() < 1e-12, "{t}");
        let (kinetic, spring) = (of("system.energy.kinetic", sample), of("system.energy.stored", sample));
        assert!((spring - stored(if after { straight(x) } else { hook(x) })).abs() < 1e-10, "{t}");
        // Nobody else brings energy: what moves and what is stored, less what the switch brought, is kept.
        assert!((kinetic + spring - of("system.work.switches", sample) - begin).abs() < 1e-8, "{t}: {kinetic} {spring}");
        assert!(of("system.energy.balance", sample).abs() < 1e-8, "{t}");
    }
    let line = outcome.health.iter().find(|line| line.key == "switched_energy").expect("a line");
    assert!((line.value.expect("a number") - brought).abs() < 1e-12 && line.text.contains("path.line.2.goes"), "{}", line.text);
    // The jump is accounted for: what the monitor of lengths finds is of the samples' making.
    let gap = hook(0.1) - straight(0.1);
    assert!(gap > 0.1 && line.text.contains(&format!("{:.3} mm", 1e3 * gap)), "{gap} {}", line.text);
    let line = outcome.health.iter().find(|line| line.key == "path_jump").expect("a line");
    assert!(line.value.expect("a number") < 1e-6 && line.verdict == Verdict::Good, "{line:?}");
}

#[test]
fn a_run_taken_up_again_after_a_switch_knows_what_it_brought() {
    let system = system(HOOKED);
    let straight = good(&system, &plan(0.3)).end.expect("an end");
    let half = good(&system, &plan(0.2)).end.expect("an end");
    assert!(half.work[half.work.len() - 1] < -0.3 && half.work.len() == 4);
    let rest = run(&system, &plan(0.3), Some(&half), &mut Unwatched).expect("a run").end.expect("an end");
    assert!((rest.work[3] - straight.work[3]).abs() < 1e-14 && (rest.q[0] - straight.q[0]).abs() < 1e-6);
}

/// No stage of a step lies on the other side of a switch than the step began: what is kept is kept to the error of the method on smooth motion, however often
/// the point comes and goes.
#[test]
fn steps_over_switches_are_as_exact_as_steps_beside_them() {
    for (method, step, allowed) in
        [("rk4", Some(2e-3), 2e-9), ("heun", Some(1e-4), 2e-8), ("dopri5", None, 2e-7), ("rosenbrock", None, 5e-5)]
    {
        let mut plan = plan(6.0);
        plan.time.sample = Some(0.05);
        plan.integrator.method = Some(method.into());
        plan.integrator.settings.step = step;
        let outcome = good(&system(HOOKED), &plan);
        assert!(outcome.events.len() == 5, "{method}: {:?}", outcome.events);
        let table = &outcome.trajectory;
        let kept = |sample: usize| {
            let of = |name: &str| value(table, name, sample);
            of("system.energy.kinetic") + of("system.energy.stored") - of("system.work.switches")
        };
        for sample in 1..table.len() {
            let off = kept(sample) - kept(0);
            assert!(off.abs() < allowed, "{method}, {} switches: {off:e} J at {} s", outcome.events.len(), table.time()[sample]);
        }
    }
}

/// Two points of one path that go at the same instant bring one energy, that from both to none.
#[test]
fn points_that_go_together_bring_one_energy() {
    let when = "when = { coordinate = \"rail\", from = \"-1 m\", to = \"0.1 m\", jump = \"accept\" }";
    let second = format!("{{ at = \"world.second\", {when} }}, \"cart\"]");
    let text = HOOKED.replace("\"cart\"]", &second).replace("hook = [-0.1, 0.1]", "hook = [-0.1, 0.1]\nsecond = [0, -0.05]");
    let outcome = good(&system(&text), &plan(0.3));
    let names: Vec<&str> = outcome.events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["path.line.2.goes", "path.line.3.goes"]);
    let stored = |length: f64| 10.0 * (length - 0.2f64).powi(2);
    let hooked = 0.1f64.hypot(0.2) + 0.1f64.hypot(0.15) + 0.1f64.hypot(0.05);
    let brought = stored(0.1f64.hypot(0.3)) - stored(hooked);
    let table = &outcome.trajectory;
    let found = value(table, "system.work.switches", table.len() - 1);
    assert!((found - brought).abs() < 1e-9, "{found} {brought}");
}

/// Carts on rails of their own, each with a path over a hook that it leaves after a tenth of a second, whatever its speed.
fn carts(speeds: &[f64]) -> String {
    let mut text =
        String::from("borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[world.point]\ntop = [0, 0.3]\nhook = [-0.1, 0.1]\n");
    let (mut own, mut all) = (String::new(), Vec::new());
    for (k, speed) in speeds.iter().enumerate() {
        own += &format!(
            "[body.c{k}]\nmass = 1\ninertia = 1\n[joint.x{k}]\ntype = \"slider\"\nparent = \"world\"\nchild = \"c{k}\"\naxis = [1, 0]\n[path.p{k}]\npoints = [\"world.top\", \
             {{ at = \"world.hook\", when = {{ coordinate = \"x{k}\", from = \"-100 m\", to = \"{:?} m\", jump = \"accept\" }} }}, \"c{k}\"]\n",
            0.1 * speed
        );
        all.push(format!("x{k} = {speed:?}"));
    }
    text += &own;
    text + &format!("[initial]\nspeeds = {{ {} }}\n", all.join(", "))
}

/// Points of several paths that go at one instant, each coordinate with rounding of its own: none is forgotten.
#[test]
fn no_switch_of_several_at_one_instant_is_forgotten() {
    let speeds = [1.0, 3.0, 0.7, 1.1, std::f64::consts::PI, 0.3, 7.0 / 3.0, 0.123, 12.7];
    let system = system(&carts(&speeds));
    for (method, step) in [("dopri5", None), ("rk4", Some(7e-3)), ("adams", None), ("rosenbrock", None)] {
        for end in [0.15, 0.17, 0.3] {
            let mut plan = plan(end);
            plan.integrator.method = Some(method.into());
            plan.integrator.settings.step = step;
            let outcome = good(&system, &plan);
            let mut names: Vec<&str> = outcome.events.iter().map(|event| event.name.as_str()).collect();
            names.sort_unstable();
            let expected: Vec<String> = (0..speeds.len()).map(|k| format!("path.p{k}.2.goes")).collect();
            assert_eq!(names, expected, "{method} {end}");
            assert!(outcome.events.iter().all(|event| (event.t - 0.1).abs() < 1e-9));
            let last = outcome.trajectory.len() - 1;
            for (k, speed) in speeds.iter().enumerate() {
                let found = value(&outcome.trajectory, &format!("path.p{k}.length"), last);
                assert!((found - (speed * end).hypot(0.3)).abs() < 1e-9, "{method} {end} {k}: {found}");
            }
        }
    }
}

/// A run that ends within rounding of a switch, on either side of it, or by an event of the plan there, and is taken up again: the point goes once.
#[test]
fn a_run_that_ends_at_a_switch_is_taken_up_again_with_one_switch() {
    let system = system(HOOKED);
    let whole = good(&system, &plan(0.3));
    let [event] = &whole.events[..] else { panic!("{:?}", whole.events) };
    let whole_end = whole.end.as_ref().expect("an end");
    let begun = |plan: &Plan| good(&system, plan);
    let stop = EventRule {
        name: "stop".into(),
        when: "coord.rail.value - [0.1 m]".into(),
        direction: Direction::Rising,
        action: Action::Stop,
        at: None,
    };
    let mut halves: Vec<(String, Outcome)> = [-1e-9, -1e-13, -1e-15, -3e-17, 0.0, 3e-17, 1e-15, 1e-13, 1e-9]
        .map(|shift| (format!("{shift:e}"), begun(&plan(event.t + shift))))
        .into_iter()
        .collect();
    halves.push(("stop".into(), begun(&Plan { events: vec![stop], ..plan(0.3) })));
    for (name, half) in halves {
        let end = half.end.expect("an end");
        let rest = run(&system, &plan(0.3), Some(&end), &mut Unwatched).expect("a run");
        let count = half.events.iter().chain(&rest.events).filter(|found| found.name == event.name).count();
        assert_eq!(count, 1, "{name}: {:?} {:?}", half.events, rest.events);
        let end = rest.end.expect("an end");
        assert!((end.q[0] - whole_end.q[0]).abs() < 1e-7 && (end.work[3] - whole_end.work[3]).abs() < 1e-8, "{name}: {end:?}");
    }
}

/// A ball that is on the floor at the instant at which a point of a path goes, and a table of excitation that bends there: each is noted once, and
/// energy balances.
#[test]
fn a_switch_at_a_touchdown_and_a_breakpoint_balances() {
    let model = "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[world.point]\ntop = [0, 0.3]\nhook = [-0.1, 0.1]\nfar = [5, 0]\n\
        [body.cart]\nmass = 2\ninertia = 1\n[joint.rail]\ntype = \"slider\"\nparent = \"world\"\nchild = \"cart\"\naxis = [1, 0]\n\
        [body.ball]\nmass = 1\ninertia = 1\n[joint.fall]\ntype = \"slider\"\nparent = \"world.far\"\nchild = \"ball\"\naxis = [0, 1]\n\
        [surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[surface.ball]\ntype = \"circle\"\nat = \"ball\"\nradius = 0.1\n\
        [contact.step]\na = \"ball\"\nb = \"floor\"\nnormal = { type = \"flores\", stiffness = 1e6, restitution = 0.8 }\n\
        [path.line]\npoints = [\"world.top\", { at = \"world.hook\", when = { coordinate = \"rail\", from = \"-1 m\", to = \"0.1 m\", jump = \"accept\" } }, \"cart\"]\n\
        [path.other]\npoints = [\"world.far\", \"cart\"]\n[force.spring]\ntype = \"spring\"\npath = \"line\"\nstiffness = 1e-9\nlength = 0.2\n\
        [force.drive]\ntype = \"actuator\"\npath = \"other\"\ntension = { type = \"table\", interpolation = \"linear\", x = [0, 0.1, 0.3], y = [0, 0, 5], outside = \"hold\" }\n\
        [initial]\ncoordinates = { rail = 0, fall = 0.37 }\nspeeds = { rail = 1, fall = -2.7 }\n";
    let outcome = good(&system(model), &plan(0.2));
    let of = |name: &str| outcome.events.iter().filter(|event| event.name == name).map(|event| event.t).collect::<Vec<f64>>();
    for name in ["path.line.2.goes", "contact.step.touchdown"] {
        let times = of(name);
        assert!(times.len() == 1 && (times[0] - 0.1).abs() < 1e-9, "{name}: {:?}", outcome.events);
    }
    let table = &outcome.trajectory;
    for sample in 0..table.len() {
        assert!(value(table, "system.energy.balance", sample).abs() < 1e-8, "{sample}");
    }
}

#[test]
fn derivatives_of_a_motion_across_a_switch_are_refused_with_its_time_and_name() {
    let by = vec![Change {
        name: "stiffness".into(),
        settings: vec![Setting { path: "force.spring.stiffness".into(), text: "1 N/m".into(), at: None }],
    }];
    let of = vec![Peak { name: "speed".into(), column: "coord.rail.rate".into(), from: None, to: None, at: None }];
    let asked = |end: f64| {
        let sensitivity = Some(Sensitivities { of: of.clone(), by: by.clone(), differences: false });
        let plan = Plan { analysis: Analysis::Sensitivity, sensitivity, ..plan(end) };
        run(&system(HOOKED), &plan, None, &mut Unwatched).unwrap_or_else(|_| panic!("runs")).status
    };
    assert!(asked(0.05).is_good(), "before the switch: {:?}", asked(0.05));
    let Status::Failed { t, element, reason } = asked(0.3) else { panic!("{:?}", asked(0.3)) };
    assert!((0.1..0.12).contains(&t) && element == "path.line.2.goes" && reason.contains("has no derivatives"), "{t} {element}: {reason}");
}

/// A point that comes to lie inside a wrap of its path when it comes: the run ends there, and names both.
#[test]
fn a_conditional_point_that_comes_inside_a_wrap_ends_the_run_with_both_names() {
    let system = system(
        "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[world.point]\ntop = [-1, 0]\ninside = [0.02, 0]\nfar = [1, 0.2]\n\
         [body.cart]\nmass = 2\ninertia = 1\n[joint.rail]\ntype = \"slider\"\nparent = \"world\"\nchild = \"cart\"\naxis = [1, 0]\n\
         [wrap.pin]\ntype = \"circle\"\nat = \"world\"\nradius = 0.1\n\
         [path.line]\npoints = [\"world.top\", { wrap = \"pin\", side = [0, 1] }, \
         { at = \"world.inside\", when = { coordinate = \"rail\", from = \"0.1 m\", to = \"5 m\", jump = \"accept\" } }, \"world.far\", \"cart\"]\n\
         [force.s]\ntype = \"spring\"\npath = \"line\"\nstiffness = 10\nlength = 1\n[initial]\nspeeds = { rail = 1 }\n",
    );
    let outcome = run(&system, &plan(1.0), None, &mut Unwatched).expect("a run");
    let Status::Failed { t, element, reason } = &outcome.status else { panic!("{:?}", outcome.status) };
    assert!(element == "path.line" && (0.05..0.2).contains(t), "{t} {element}");
    assert!(reason.contains("`path.line.3.comes`") && reason.contains("wrap `pin`") && reason.contains("inside"), "{reason}");
}
