//! Statics with soft parts: liner under a pressed head, loads in steps, massless parts that hang on a moving body.

use super::{Begin, movement, newmark, run, system};
use crate::coupled::RestOptions;
use crate::integrate::Residual;

/// A liner that a head on a slider presses.
const PRESSED: &str = r#"
borelli = 1
dimension = "planar"
gravity = [0, 0]

[body.head]
mass = "1 kg"
inertia = "1 kg m^2"

[joint.up]
type = "slider"
axis = [0, 1]
parent = "world"
child = "head"

[force.push]
type = "effort"
coordinate = "up"
effort = "3000 N"

[material.poly]
type = "robust"
young = "1400 MPa"
poisson = 0.3

[soft.liner]
type = "annulus"
inner_radius = "14 mm"
outer_radius = "22 mm"
divisions = [48, 8]
depth = "10 mm"
material = "poly"

[support.cup]
boundary = "liner.outer"

[surface.ball]
type = "circle"
at = "head"
radius = "14 mm"

[soft_contact.hip]
boundary = "liner.inner"
target = "ball"
stiffness = "20 N/mm"
"#;

/// The coordinates at rest, the largest pressure, and the steps that were needed.
fn pressed(text: &str, load_steps: usize) -> (f64, f64, usize) {
    let system = system(text);
    let mut movement = movement(&system);
    let nodes = movement.problem().dofs();
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(&system, &system.start.q, &system.start.v, &mut x, &mut v);
    let mut q = [&system.start.q[..], &x].concat();
    let mut lambda = vec![0.0; movement.of(&system).rows()];
    let mut steps = 0;
    let options = RestOptions { load_steps, ..RestOptions::default() };
    movement
        .of(&system)
        .rest(0.0, &mut q, &mut lambda, &options, &mut |_, _, _, _| {
            steps += 1;
            true
        })
        .unwrap_or_else(|fault| panic!("{fault}"));
    let force = movement.problem().contact(0).force[1];
    assert!((force + 3000.0).abs() < 3e-6, "the liner pushes back: {force}");
    assert!((movement.problem().support_force(0)[1] + 3000.0).abs() < 3e-6, "the cup holds");
    (q[0], movement.problem().contact(0).peak, steps)
}

#[test]
fn pressed_liner_is_that_of_the_soft_problem_alone() {
    let (travel, peak, steps) = pressed(PRESSED, 1);
    assert!((travel - 0.05261e-3).abs() < 1e-8 && (peak - 13.671e6).abs() < 1e3, "{travel} {peak}");
    assert!(steps >= 1);
    let (again, same, _) = pressed(PRESSED, 5);
    assert!((again / travel - 1.0).abs() < 1e-9 && (same / peak - 1.0).abs() < 1e-9, "the way of loading does not matter");
}

#[test]
fn a_coordinate_that_nothing_holds_is_refused() {
    let text = PRESSED.replace("type = \"slider\"\naxis = [0, 1]", "type = \"planar\"\ncoordinates = [\"x\", \"up\", \"turn\"]");
    let system = system(&text);
    let mut movement = movement(&system);
    let nodes = movement.problem().dofs();
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(&system, &system.start.q, &system.start.v, &mut x, &mut v);
    let mut q = [&system.start.q[..], &x].concat();
    let mut lambda = vec![0.0; movement.of(&system).rows()];
    let fault = movement.of(&system).rest(0.0, &mut q, &mut lambda, &RestOptions::default(), &mut |_, _, _, _| true).unwrap_err();
    assert!(fault.to_string().contains("moves without resistance"), "{fault}");
}

/// Two rods on pins, and the same with a square without mass tied to the free end.
const PINS: &str = include_str!("../../../../../models/double-pendulum-pins.toml");
const SQUARE: &str = r#"
[material.any]
type = "robust"
young = "1 MPa"
poisson = 0.3

[soft.square]
type = "block"
at = "second"
corner = [-0.25, -0.75]
size = [0.5, 0.5]
divisions = [1, 1]
depth = 1
material = "any"

[tie.end]
boundary = "square.top"
to = "second"
stiffness = "1 N/m"
"#;

#[test]
fn a_square_without_mass_changes_nothing() {
    let with = system(&format!("{PINS}\n{SQUARE}"));
    let mut coupled = movement(&with);
    let noted = run(&with, &mut coupled, newmark(0.3025, 0.6), Begin::Consistent, 1.0, 0.01).unwrap();
    let without = system(PINS);
    let mut rigid = crate::implicit_movement::ImplicitMovement::new(&without, Default::default()).unwrap();
    let mut method = crate::integrate::Implicit::new(newmark(0.3025, 0.6), Default::default(), &rigid.of(&without));
    let mut y = [&without.start.q[..], &without.start.v].concat();
    let settings = crate::integrate::Settings { step: Some(0.01), ..Default::default() };
    let (statistics, observer) = (&mut Default::default(), &mut crate::integrate::Unobserved);
    crate::integrate::integrate_implicit(&mut method, &mut rigid.of(&without), (0.0, 1.0), &mut y, &settings, statistics, observer)
        .unwrap();
    for (found, expected) in noted.last().unwrap().q.iter().zip(&y) {
        assert!((found - expected).abs() < 1e-9, "{found} and {expected}");
    }
    // The square moves as a rigid one: no force in its ties.
    let forces = coupled.problem().wrench();
    assert!(forces.iter().all(|f| f.abs() < 1e-6), "{forces:?}");
}

/// A block with mass above a floor that it never reaches.
const FALLING: &str = r#"
borelli = 1
dimension = "planar"

[material.any]
type = "robust"
young = "1 MPa"
poisson = 0.3
density = "1000 kg/m^3"

[soft.block]
type = "block"
size = [0.1, 0.05]
divisions = [2, 1]
depth = 0.01
material = "any"

[world.point]
floor = [0, -10]

[surface.floor]
type = "half-space"
at = "world.floor"

[soft_contact.floor]
boundary = "block.bottom"
target = "floor"
stiffness = "1 N/mm"
"#;

#[test]
fn a_block_with_mass_falls_from_the_first_step_on() {
    let system = system(FALLING);
    let mut movement = movement(&system);
    let nodes = movement.problem().dofs();
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(&system, &[], &[], &mut x, &mut v);
    let mut y = [&x[..], &v].concat();
    let mut method = crate::integrate::Implicit::new(newmark(0.25, 0.5), Default::default(), &movement.of(&system));
    let settings = crate::integrate::Settings { step: Some(0.05), ..Default::default() };
    let (statistics, observer) = (&mut Default::default(), &mut crate::integrate::Unobserved);
    crate::integrate::integrate_implicit(&mut method, &mut movement.of(&system), (0.0, 0.3), &mut y, &settings, statistics, observer)
        .unwrap();
    // The trapezoidal rule is exact under a constant acceleration.
    for k in 0..nodes / 2 {
        let fall = y[2 * k + 1] - x[2 * k + 1];
        assert!((fall + 0.5 * 9.81 * 0.09).abs() < 1e-9, "{fall}");
    }
    assert_eq!(movement.problem().folded(&y[..nodes]), None);
    y[1] = 1.0;
    assert!(movement.problem().folded(&y[..nodes]).is_some(), "a corner above the block is folded over");
}
