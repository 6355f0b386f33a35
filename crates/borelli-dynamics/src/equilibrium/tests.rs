//! Equilibria against closed forms: springs, pendulums, a chain between two pins, linkages, a body on a ball joint; and what has none.
//! Not here: studies.

use super::*;
use crate::assemble::assemble;
use crate::compile;
use crate::formulation::articulated::Articulated;
use crate::formulation::{Evaluation, Formulation, Input};
use crate::implicit_movement::{ImplicitMovement, ImplicitOptions};
use crate::system::System;
use borelli_model::Model;

const G: f64 = 9.81;

fn parse(text: &str) -> System {
    compile(&Model::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}\n{text}"))).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn read(name: &str) -> System {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).with_extension("toml");
    compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

fn solve(system: &System, q: &[f64]) -> Result<Equilibrium, EquilibriumFault> {
    let mut movement = ImplicitMovement::new(system, ImplicitOptions::default()).unwrap();
    equilibrium(&mut movement.of(system), 0.0, q, &system.numbers.states, &Seek::default())
}

fn found(system: &System, q: &[f64]) -> Equilibrium {
    let found = solve(system, q).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(found.unbalanced < 1e-9 && found.open < 1e-12, "{found:?}");
    found
}

/// The zero of a rising function, by halving.
fn zero(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[test]
fn a_mass_on_a_spring_sags_by_weight_over_stiffness() {
    let system = parse(
        r#"
borelli = 1
name = "sagging"
dimension = "planar"
[body.mass]
mass = 2
inertia = 1
[joint.rail]
type = "slider"
parent = "world"
child = "mass"
axis = [0, 1]
[force.spring]
type = "coordinate-spring"
coordinate = "rail"
stiffness = "50 N/m"
rest = 0.3
"#,
    );
    // From 30 m away in steps of 0.5 m; the last one is whole.
    for start in [0.0, 30.0, -2.0] {
        let found = found(&system, &[start]);
        assert!((found.q[0] - (0.3 - 2.0 * G / 50.0)).abs() < 1e-13, "{found:?}");
        assert!((found.lowest.expect("one direction") - 25.0).abs() < 1e-12 && found.stable() && found.free == 1, "{found:?}");
    }
}

#[test]
fn a_mass_between_two_springs_hangs_where_their_pull_equals_its_weight() {
    let system = parse(
        r#"
borelli = 1
name = "two springs"
dimension = "planar"
[world.point]
left = [-1, 0]
right = [1, 0]
[body.mass]
mass = 3
inertia = 1
[joint.place]
type = "planar"
parent = "world"
child = "mass"
coordinates = ["x", "y", "angle"]
[path.left]
points = ["world.left", "mass"]
[path.right]
points = ["world.right", "mass"]
[force.left]
type = "spring"
path = "left"
stiffness = "100 N/m"
length = 0.8
[force.right]
type = "spring"
path = "right"
stiffness = "100 N/m"
length = 0.8
"#,
    );
    let pull = |y: f64| 2.0 * 100.0 * (1.0_f64.hypot(y) - 0.8) * y / 1.0_f64.hypot(y) - 3.0 * G;
    let depth = zero(0.0, 5.0, pull);
    for start in [[0.1, 0.2, 0.5], [0.7, -1.5, 0.0], [-3.0, 2.0, 1.0]] {
        let found = found(&system, &start);
        assert!(found.q[0].abs() < 1e-11 && (found.q[1] + depth).abs() < 1e-11, "{found:?}");
        // Nothing turns the mass: neutral, and left as it was.
        assert_eq!((found.q[2], found.lowest), (start[2], Some(0.0)));
        assert!(!found.stable());
    }
}

#[test]
fn a_degree_of_freedom_that_is_fixed_stays_whatever_that_takes() {
    // The mass between two springs of the test above, held aside: its height is the root of one equation, and no force is told for the side.
    let system = parse(
        r#"
borelli = 1
name = "held aside"
dimension = "planar"
[world.point]
left = [-1, 0]
[body.mass]
mass = 3
inertia = 1
[joint.place]
type = "planar"
parent = "world"
child = "mass"
coordinates = ["x", "y", "angle"]
[path.left]
points = ["world.left", "mass"]
[force.left]
type = "spring"
path = "left"
stiffness = "100 N/m"
length = 0.8
"#,
    );
    let height = zero(0.0, 5.0, |y| 100.0 * (1.5_f64.hypot(y) - 0.8) * y / 1.5_f64.hypot(y) - 3.0 * G);
    let fixed = |dofs: Vec<usize>| ImplicitMovement::new(&system, ImplicitOptions { fixed: dofs, ..ImplicitOptions::default() });
    let mut movement = fixed(vec![0]).unwrap_or_else(|declined| panic!("{}", declined.reason));
    let found =
        equilibrium(&mut movement.of(&system), 0.0, &[0.5, 0.2, 0.1], &[], &Seek::default()).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(found.q[0] == 0.5 && (found.q[1] + height).abs() < 1e-11 && found.free == 2, "{found:?}");
    assert!(found.unbalanced < 1e-9 && found.lambda.is_empty(), "{found:?}");
    assert!(fixed(vec![3]).is_err());
}

#[test]
fn a_pendulum_with_a_spring_hangs_at_the_root_of_its_moment() {
    let text = |stiffness: f64| {
        format!(
            r#"
borelli = 1
name = "pendulum with a spring"
dimension = "planar"
[body.bob]
mass = 2
center = [0, -0.5]
inertia = 0
[joint.pin]
type = "hinge"
parent = "world"
child = "bob"
[force.spring]
type = "coordinate-spring"
coordinate = "pin"
stiffness = "{stiffness} N m/rad"
rest = "90 deg"
"#
        )
    };
    let (k, rest) = (6.0, std::f64::consts::FRAC_PI_2);
    let angle = zero(0.0, 1.6, |q| 2.0 * G * 0.5 * q.sin() + k * (q - rest));
    let stiff = parse(&text(k));
    for start in [0.0, 1.5, -0.4, 3.0] {
        let found = found(&stiff, &[start]);
        assert!((found.q[0] - angle).abs() < 1e-12, "{found:?} {angle}");
        let square = (2.0 * G * 0.5 * angle.cos() + k) / (2.0 * 0.25);
        assert!((found.lowest.expect("one direction") / square - 1.0).abs() < 1e-11, "{found:?} {square}");
    }
    // Without a spring: from nearly upright it falls, from exactly upright it stays and is called unstable.
    let loose = parse(&text(0.0));
    for start in [3.0, 0.01, -2.0] {
        assert!(found(&loose, &[start]).q[0].abs() < 1e-11);
    }
    let upright = found(&loose, &[std::f64::consts::PI]);
    assert!((upright.lowest.expect("one direction") + G / 0.5).abs() < 1e-9 && !upright.stable(), "{upright:?}");
}

#[test]
fn a_chain_between_two_pins_has_slopes_in_equal_steps() {
    // Link k of a chain of equal links: the rise over run changes by m g / H from one to the next, H the horizontal pull (statics of each link).
    let (links, length, mass) = (8, 0.25, 0.5);
    let mut text = "borelli = 1\nname = \"chain\"\ndimension = \"planar\"\n[world.point]\nend = [1.2, 0]\n".to_string();
    for k in 0..links {
        let parent = if k == 0 { "world".to_string() } else { format!("link{}.end", k - 1) };
        text += &format!("[body.link{k}]\nmass = {mass}\ncenter = [{}, 0]\ninertia = 0.003\npoint.end = [{length}, 0]\n", 0.5 * length);
        text += &format!("[joint.j{k}]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"link{k}\"\n");
    }
    text += &format!("[loop.far]\ntype = \"coincident\"\na = \"world.end\"\nb = \"link{}.end\"\n", links - 1);
    let system = parse(&text);
    // A rough polygon, open at its end.
    let mut start = vec![0.0; links];
    start[0] = -0.9;
    start[links / 2] = 1.7;
    let found = found(&system, &start);
    assert!(found.stable() && found.free == links - 2, "{found:?}");
    let [pull, lift] = [found.lambda[0], found.lambda[1]];
    assert!((lift - 0.5 * mass * G * links as f64).abs() < 1e-10 && pull > 0.0, "half the weight on either pin: {:?}", found.lambda);
    let mut angle = 0.0;
    let slopes: Vec<f64> = found.q.iter().map(|q| (angle += q, angle.tan()).1).collect();
    for k in 0..links {
        let expected = mass * G / pull * (k as f64 - 0.5 * (links - 1) as f64);
        assert!((slopes[k] - expected).abs() < 1e-10, "{k}: {slopes:?}");
    }
}

#[test]
fn a_linkage_rests_where_its_energy_is_least_also_with_redundant_rows() {
    for name in ["four-bar", "redundant-loop"] {
        let system = read(name);
        let rest = found(&system, &system.start.q);
        assert!(rest.stable() && rest.free == 1, "{rest:?}");
        let mut energy = |crank: f64| {
            let mut q = rest.q.clone();
            q[0] += crank;
            let closed = assemble(&system, 0.0, &q, &[0.0; 3], &[true, false, false]).unwrap();
            let (mut articulated, mut out) = (Articulated::new(&system), Evaluation::new(&system));
            articulated
                .evaluate(&system, Input { t: 0.0, q: &closed.q, v: &[0.0; 3], tau: &[0.0; 3], ..Input::default() }, &mut out)
                .unwrap();
            out.gravity_energy
        };
        let [below, here, above] = [-1e-3, 0.0, 1e-3].map(&mut energy);
        assert!(below > here && above > here, "{name}");
        // A slope that is left would show as a difference of the two: 2e-3 times it.
        assert!((above - below).abs() < 2e-3 * (above - here), "{name}: {below} {here} {above}");
    }
}

#[test]
fn a_top_on_its_tip_comes_to_hang_and_may_turn_freely() {
    // Centre 1 m along the body's Y, gravity along -Z: q turns Y to -Z.
    let system = read("heavy-top");
    let found = found(&system, &system.start.q);
    let p = borelli_math::Quat::from_slice(&found.q);
    let down = p.to_rotation() * borelli_math::vec3(0.0, 1.0, 0.0);
    assert!((down.z + 1.0).abs() < 1e-14 && (p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z - 1.0).abs() < 1e-14, "{down:?}");
    // Two swings, and a turn about the vertical that nothing resists.
    assert_eq!((found.free, found.lowest), (3, Some(0.0)));
}

#[test]
fn what_cannot_balance_is_named() {
    // A body that only falls; 5 kg, vertical coordinate second.
    let system = read("projectile");
    match solve(&system, &system.start.q) {
        Err(EquilibriumFault::Unbalanced { dof: 1, force, .. }) => assert!((force - 5.0 * G).abs() < 1e-9, "{force}"),
        other => panic!("{other:?}"),
    }
    assert!(solve(&system, &[0.0]).is_err_and(|fault| fault.to_string().contains("3")));
    let fault = solve(&system, &system.start.q).expect_err("falls");
    assert!(fault.to_string().contains("hint"), "{fault}");
    // A rod that cannot reach its pin.
    let far = parse(
        r#"
borelli = 1
name = "out of reach"
dimension = "planar"
[world.point]
far = [0, -3]
[body.rod]
mass = 1
center = [0, -0.5]
inertia = 0.1
point.end = [0, -1]
[joint.pin]
type = "hinge"
parent = "world"
child = "rod"
[loop.stretch]
type = "coincident"
a = "world.far"
b = "rod.end"
"#,
    );
    // The end comes within 2 m of it at best.
    let fault = solve(&far, &[0.4]).expect_err("out of reach");
    assert!(matches!(fault, EquilibriumFault::RowOpen { row: 1, left } if (2.0..2.2).contains(&left)), "{fault}");
}

/// A mass on a vertical rail that hangs on a spring beside an element with a state, both straight up to the ceiling at 2 m.
fn hung(element: &str, more: &str) -> System {
    parse(&format!(
        "borelli = 1\ndimension = \"planar\"\n[world.point]\nceiling = [0, 2]\n[body.mass]\nmass = 2\ninertia = 1\n\
         [joint.rail]\ntype = \"slider\"\nparent = \"world\"\nchild = \"mass\"\naxis = [0, 1]\n\
         [path.line]\npoints = [\"world.ceiling\", \"mass\"]\n[force.tie]\npath = \"line\"\n{element}\n{more}"
    ))
}

const SPRING: &str = "[force.spring]\ntype = \"spring\"\npath = \"line\"\nstiffness = 500\nlength = 1.5\n";

#[test]
fn states_of_elements_come_to_rest_with_the_coordinates() {
    // A Maxwell element forgets its tension: the spring alone carries the weight, and the dashpot has crept by the whole stretch.
    let system = hung("type = \"maxwell\"\nstiffness = 400\ndamping = 80\nlength = 1.2\ncreep = 0.3", SPRING);
    let length = 1.5 + 2.0 * G / 500.0;
    let balance = found(&system, &[0.1]);
    assert!((balance.q[0] - (2.0 - length)).abs() < 1e-12 && (balance.z[0] - (length - 1.2)).abs() < 1e-12, "{balance:?}");
    // Slow displacements feel the spring only.
    assert!((balance.lowest.unwrap() - 250.0).abs() < 1e-9 && balance.stable(), "{balance:?}");
    // An actuator with a lag pulls with its command.
    let system = hung("type = \"lag-actuator\"\ntime_constant = 0.2\ncommand = 7\ntension = -3", SPRING);
    let balance = found(&system, &[0.1]);
    let length = 1.5 + (2.0 * G - 7.0) / 500.0;
    assert!((balance.q[0] - (2.0 - length)).abs() < 1e-12 && (balance.z[0] - 7.0).abs() < 1e-12, "{balance:?}");
    // The same from a control that the caller gives.
    let options = ImplicitOptions { controls: vec![11.0], ..ImplicitOptions::default() };
    let mut movement = ImplicitMovement::new(&system, options).unwrap();
    let balance = equilibrium(&mut movement.of(&system), 0.0, &[0.1], &[0.0], &Seek::default()).unwrap();
    let length = 1.5 + (2.0 * G - 11.0) / 500.0;
    assert!((balance.q[0] - (2.0 - length)).abs() < 1e-12 && (balance.z[0] - 11.0).abs() < 1e-12, "{balance:?}");
}

#[test]
fn states_at_rest_have_no_rate_and_every_formulation_agrees() {
    // A pendulum on a bent path with both elements, whose forces turn with it: what is found must stay in every formulation.
    let system = parse(
        "borelli = 1\ndimension = \"planar\"\n[world.point]\nanchor = [0.5, 0.3]\n[body.rod]\nmass = 3\ncenter = [0, -0.4]\ninertia = 0.2\n\
         point = { mid = [0.05, -0.5] }\n[joint.pin]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"rod\"\n[path.line]\npoints = [\"world.anchor\", \"rod.mid\"]\n\
         [force.tendon]\ntype = \"maxwell\"\npath = \"line\"\nstiffness = 300\ndamping = 40\nlength = 0.4\n\
         [force.motor]\ntype = \"lag-actuator\"\npath = \"line\"\ncommand = 20\ntime_constant = 0.1\n",
    );
    let balance = found(&system, &[0.2]);
    // Moments about the pin: m g 0.4 sin θ = 20 N times the lever of the line.
    let moment = |angle: f64| {
        let (s, c) = angle.sin_cos();
        let end = [0.05 * c + 0.5 * s, 0.05 * s - 0.5 * c];
        let to = [0.5 - end[0], 0.3 - end[1]];
        3.0 * G * 0.4 * s - 20.0 * (end[0] * to[1] - end[1] * to[0]) / to[0].hypot(to[1])
    };
    assert!((balance.q[0] - zero(0.0, 1.2, moment)).abs() < 1e-10, "{balance:?}");
    let mut seen = 0;
    for entry in crate::formulation::FORMULATIONS {
        let Ok(mut formulation) = (entry.build)(&system) else { continue };
        let mut out = Evaluation::new(&system);
        let inside = crate::scene::Inside { z: &balance.z, u: &[] };
        formulation.evaluate(&system, Input { t: 0.0, q: &balance.q, v: &[0.0], inside, tau: &[0.0] }, &mut out).unwrap();
        assert!(out.vdot[0].abs() < 1e-9 && out.zdot.iter().all(|rate| rate.abs() < 1e-9), "{}: {:?} {:?}", entry.name, out.vdot, out.zdot);
        seen += 1;
    }
    assert!(seen >= 3);
}

#[test]
fn what_states_cannot_balance_is_told() {
    // Nothing but a Maxwell element: it creeps for ever under the weight.
    let system = hung("type = \"maxwell\"\nstiffness = 400\ndamping = 80\nlength = 1.2", "");
    assert!(matches!(solve(&system, &[0.1]), Err(EquilibriumFault::Unbalanced { dof: 0, .. })), "{:?}", solve(&system, &[0.1]));
    // Without stiffness its state has no slope and no rate: it stays.
    let system = hung("type = \"maxwell\"\nstiffness = 0\ndamping = 80\nlength = 1.2\ncreep = 0.25", SPRING);
    let balance = found(&system, &[0.1]);
    assert!((balance.q[0] - 0.5 + 2.0 * G / 500.0).abs() < 1e-12 && balance.z == [0.25], "{balance:?}");
    // An integral of the user goes on at rest; it is held where it was.
    let system = hung(
        "type = \"lag-actuator\"\ntime_constant = 0.2\ncommand = 7",
        &format!("{SPRING}[integral.y]\nrate = \"coord.rail.value\"\nunit = \"m s\"\nstart = 4\n"),
    );
    let balance = found(&system, &[0.1]);
    assert!((balance.z[0] - 7.0).abs() < 1e-12 && balance.z[1] == 4.0, "{balance:?}");
}
