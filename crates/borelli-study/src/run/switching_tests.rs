//! A conditional point that goes in mid-run: when, and what energy it brings, against closed forms.

use super::tests::{good, plan, system, value};
use super::*;

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
        let after = t >= event.t;
        assert!((of("system.work.switches", sample) - if after { brought } else { 0.0 }).abs() < 1e-12, "{t}");
        let (kinetic, spring) = (of("system.energy.kinetic", sample), of("system.energy.stored", sample));
        assert!((spring - stored(if after { straight(x) } else { hook(x) })).abs() < 1e-10, "{t}");
        // Nobody else brings energy: what moves and what is stored, less what the switch brought, is kept.
        assert!((kinetic + spring - of("system.work.switches", sample) - begin).abs() < 1e-8, "{t}: {kinetic} {spring}");
        assert!(of("system.energy.balance", sample).abs() < 1e-8, "{t}");
    }
    let line = outcome.health.iter().find(|line| line.key == "switched_energy").expect("a line");
    assert!((line.value.expect("a number") - brought).abs() < 1e-12 && line.text.contains("path.line.2.goes"), "{}", line.text);
    // The monitor sees the jump whoever caused it, and tells the pose.
    let gap = hook(0.1) - straight(0.1);
    let line = outcome.health.iter().find(|line| line.key == "path_jump").expect("a line");
    assert!((line.value.expect("a number") - gap).abs() < 1e-3 && line.text.contains("rail is 0.1"), "{gap} {line:?}");
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
