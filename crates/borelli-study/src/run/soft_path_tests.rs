//! Elements along paths over nodes of soft parts, against the same elements on a body, against balance, and Newton's iteration itself.

use super::tests::{good, system, value};
use crate::plan::{Analysis, Plan, Time};
use borelli_dynamics::coupled::{CoupledMovement, RestOptions, exponents};
use borelli_dynamics::implicit_movement::ImplicitOptions;
use borelli_dynamics::integrate::Residual;

/// A body that floats with a block glued to it, pulled by a spring and a dashpot at a place.
fn towed(place: &str) -> String {
    format!(
        r#"
borelli = 1
dimension = "planar"
[body.raft]
mass = "2 kg"
inertia = "0.01 kg m^2"
point = {{ corner = [0.06, 0.02] }}
[world.point]
hook = [0.5, 0.3]
[joint.free]
type = "planar"
parent = "world"
child = "raft"
coordinates = ["x", "y", "turn"]
[material.gel]
type = "robust"
young = "1 MPa"
poisson = 0.3
[soft.block]
type = "block"
at = "raft"
corner = [-0.04, 0.02]
size = [0.1, 0.05]
divisions = [4, 2]
depth = 0.02
material = "gel"
[tie.deck]
boundary = "block.bottom"
to = "raft"
stiffness = "1 N/mm"
[path.rope]
points = ["world.hook", "{place}"]
[force.spring]
type = "spring"
path = "rope"
stiffness = "300 N/m"
length = "30 cm"
[force.damper]
type = "dashpot"
path = "rope"
damping = "8 N s/m"
[initial]
speeds = {{ turn = 3, x = 0.5 }}
"#
    )
}

#[test]
fn pull_on_a_tied_node_is_the_pull_on_the_body_it_is_tied_to() {
    let mut plan = Plan { formulation: "coupled".into(), time: Time { start: 0.0, end: 0.4, sample: Some(0.01) }, ..Plan::default() };
    plan.integrator.method = Some("newmark".into());
    plan.integrator.settings.step = Some(0.005);
    let spring = |place: &str| towed(place).replace("damping = \"8 N s/m\"", "damping = \"0 N s/m\"");
    let [node, point] = ["block.bottom.last", "raft.corner"].map(|place| good(&system(&spring(place)), &plan));
    for column in [
        "coord.x.value",
        "coord.y.value",
        "coord.turn.value",
        "path.rope.length",
        "path.rope.force",
        "system.energy.stored",
        "system.work.forces",
    ] {
        for k in 0..node.trajectory.len() {
            let [a, b] = [&node, &point].map(|outcome| value(&outcome.trajectory, column, k));
            assert!((a - b).abs() < 1e-6 * b.abs().max(1.0), "{column} at sample {k}: {a} and {b}");
        }
    }
    let last = node.trajectory.len() - 1;
    assert!(value(&node.trajectory, "coord.x.value", last).abs() > 0.05, "it moves");
    // The rate of a node is that of the scheme, of first order with a damped set: with a dashpot both agree in the limit of short steps.
    let mut distance = |step: f64| {
        plan.integrator.settings.step = Some(step);
        let [a, b] = ["block.bottom.last", "raft.corner"]
            .map(|place| value(&good(&system(&towed(place)), &plan).trajectory, "coord.turn.value", last));
        (a - b).abs()
    };
    let (long, short) = (distance(0.005), distance(0.00125));
    assert!(short < 0.3 * long && short < 2e-3, "{long} and {short}");
}

/// A block on a floor with a spring of given length from its top to a hook.
const HOOKED: &str = r#"
borelli = 1
dimension = "planar"
[world.point]
hook = [0.1, 0.25]
[material.gel]
type = "robust"
young = "200 kPa"
poisson = 0.3
[soft.block]
type = "block"
size = [0.1, 0.05]
divisions = [4, 2]
depth = 0.02
material = "gel"
[support.floor]
boundary = "block.bottom"
[path.rope]
points = ["world.hook", "block.top.middle"]
[force.pull]
type = "spring"
path = "rope"
stiffness = "60 N/m"
length = "10 cm"
"#;

#[test]
fn pull_of_a_spring_on_a_node_is_carried_by_the_support() {
    let system = system(HOOKED);
    let outcome = good(&system, &Plan { formulation: "coupled".into(), analysis: Analysis::Statics, ..Plan::default() });
    let at = |column: &str| value(&outcome.trajectory, column, 0);
    let frame = &outcome.soft.frames[0].bodies[0];
    let start = &outcome.soft.bodies[0].points;
    let node = start.iter().position(|[x, y]| (x - 0.05).abs() < 1e-9 && (y - 0.05).abs() < 1e-9).expect("a node in the middle of the top");
    let [x, y] = frame.points[node];
    let length = (0.1 - x).hypot(0.25 - y);
    assert!((at("path.rope.length") / length - 1.0).abs() < 1e-12 && length < (0.05_f64).hypot(0.2), "{length}");
    let tension = 60.0 * (length - 0.1);
    assert!((at("path.rope.force") / tension - 1.0).abs() < 1e-12);
    let force = [tension * (0.1 - x) / length, tension * (0.25 - y) / length];
    assert!((at("support.floor.force.x") + force[0]).abs() < 1e-9 && (at("support.floor.force.y") + force[1]).abs() < 1e-9);
}

#[test]
fn search_for_rest_with_a_path_over_nodes_converges_quadratically() {
    let system = system(&HOOKED.replace("60 N/m", "600 N/m"));
    let mut movement = CoupledMovement::new(&system, ImplicitOptions::default()).unwrap_or_else(|declined| panic!("{}", declined.reason));
    let nodes = movement.problem().dofs();
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(&system, &[], &[], &mut x, &mut v);
    let mut lambda = vec![0.0; movement.of(&system).rows()];
    movement
        .of(&system)
        .rest(0.0, &mut x, &mut lambda, &RestOptions::default(), &mut |_, _, _, _| true)
        .unwrap_or_else(|fault| panic!("{fault}"));
    let history = movement.history();
    // With slopes that are not those of the path the last iterations would only fall by a factor.
    let exponents = exponents(history);
    assert!(history.len() >= 5 && exponents.last().is_some_and(|exponent| *exponent > 1.7), "{history:?}: {exponents:?}");
}
