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
    equilibrium(&mut movement.of(system), 0.0, q, &Seek::default())
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
