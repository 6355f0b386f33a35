//! Elements along paths over nodes, against the same element on a small body that is tied to the node, and against energy.

use super::{Begin, movement, newmark, run, system};
use crate::coupled::RestOptions;
use crate::integrate::Residual;

/// A block on a floor and a pendulum beside it; `more` is what joins them.
fn scene(more: &str) -> String {
    format!(
        r#"
borelli = 1
dimension = "planar"
[body.rod]
mass = "1 kg"
inertia = "0.02 kg m^2"
center = [0, -0.15]
point = {{ tip = [0, -0.3] }}
[world.point]
nail = [0.2, 0.35]
[joint.swing]
type = "hinge"
parent = "world.nail"
child = "rod"
coordinates = ["angle"]
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
{more}"#
    )
}

/// A spring and a dashpot from the tip of the rod to a place.
fn joined(place: &str) -> String {
    format!(
        "[path.rope]\npoints = [\"rod.tip\", \"{place}\"]\n[force.spring]\ntype = \"spring\"\npath = \"rope\"\nstiffness = \"300 N/m\"\n\
         length = \"5 cm\"\n[force.damper]\ntype = \"dashpot\"\npath = \"rope\"\ndamping = \"4 N s/m\"\n[initial]\ncoordinates = {{ angle = -0.2 }}\n"
    )
}

/// A body that swings and turns freely with a block tied to it, pulled by a spring and a dashpot at a place of it.
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
    let [node, point] = ["block.bottom.last", "raft.corner"].map(|place| {
        let system = system(&towed(place));
        let mut movement = movement(&system);
        assert_eq!(movement.problem().lines(), usize::from(place.starts_with("block")));
        run(&system, &mut movement, newmark(0.3025, 0.6), Begin::Consistent, 0.4, 0.005).unwrap()
    });
    for (one, other) in node.iter().zip(&point) {
        for (a, b) in one.q.iter().zip(&other.q) {
            assert!((a - b).abs() < 1e-8, "t = {}: {:?} and {:?}", one.t, one.q, other.q);
        }
    }
    let last = node.last().unwrap();
    assert!((last.q[0].hypot(last.q[1])) > 0.05 && last.q[2].abs() > 0.1, "it moves: {:?}", last.q);
}

/// Rest of a block pulled by an actuator with a given force on a node, and by the same force as a traction in the limit of one node's share.
#[test]
fn pull_of_an_actuator_on_a_node_is_carried_by_the_support() {
    let pull = "[world.point]\nnail = [0.2, 0.35]\nhook = [0.1, 0.25]\n";
    let more = "[path.rope]\npoints = [\"world.hook\", \"block.top.middle\"]\n[force.pull]\ntype = \"actuator\"\npath = \"rope\"\ntension = \"3 N\"\n\
                [force.hold]\ntype = \"coordinate-spring\"\ncoordinate = \"angle\"\nstiffness = \"10 N m/rad\"\n";
    let system = system(&scene(more).replace("[world.point]\nnail = [0.2, 0.35]\n", pull));
    let mut movement = movement(&system);
    let nodes = movement.problem().dofs();
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(&system, &system.start.q, &system.start.v, &mut x, &mut v);
    let mut q = [&system.start.q[..], &x].concat();
    let mut lambda = vec![0.0; movement.of(&system).rows()];
    movement
        .of(&system)
        .rest(0.0, &mut q, &mut lambda, &RestOptions::default(), &mut |_, _, _, _| true)
        .unwrap_or_else(|fault| panic!("{fault}"));
    // The node in the middle of the top, and the unit vector from it to the hook.
    let node = (0..nodes / 2).find(|k| (x[2 * k] - 0.05).abs() < 1e-9 && (x[2 * k + 1] - 0.05).abs() < 1e-9).unwrap();
    let (dx, dy) = (0.1 - q[1 + 2 * node], 0.25 - q[2 + 2 * node]);
    let length = dx.hypot(dy);
    let held = movement.problem().support_force(0);
    assert!((held[0] + 3.0 * dx / length).abs() < 1e-9 && (held[1] + 3.0 * dy / length).abs() < 1e-9, "{held:?}");
    assert!(q[1 + 2 * node] > 0.0501, "the node gives way: {}", q[1 + 2 * node]);
    // The iteration is Newton's: the last steps before rounding fall at least like a power of 1.6.
    let history = movement.history();
    let falls: Vec<f64> =
        history.windows(3).filter(|w| w[2] > 1e-9 && w[1] < w[0]).map(|w| (w[2] / w[1]).ln() / (w[1] / w[0]).ln()).collect();
    assert!(history.len() <= 8, "{history:?} {falls:?}");
}

#[test]
fn residual_of_a_path_over_nodes_falls_quadratically_in_motion() {
    let system = system(&scene(&joined("block.right.last")));
    let mut movement = movement(&system).with_full_newton();
    run(&system, &mut movement, newmark(0.3025, 0.6), Begin::Consistent, 0.02, 0.02).unwrap();
    let history = movement.history();
    // Exact slopes: between 1e-2 and rounding each iteration at least squares what is left, up to a factor.
    let small: Vec<f64> = history.iter().copied().skip_while(|open| *open > 1.0).collect();
    assert!(small.len() <= 4, "{history:?}");
    for pair in small.windows(2).filter(|pair| pair[0] < 1e-2) {
        assert!(pair[1] < 1e-3 * pair[0], "{history:?}");
    }
}
