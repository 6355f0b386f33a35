//! Contacts of a mirrored side: against the same side written by hand, and against the reflection of whole motions.
//! Not here: how fields are renamed and reflected (`borelli-model`).

use crate::System;
use crate::formulation::{Evaluation, FORMULATIONS, Input};
use crate::twin::{parse, random_state};
use borelli_testkit::{Random, assert_close};

/// A trunk that is symmetric about its XY plane, a floor, and laws for both sides.
const TRUNK: &str = r#"
borelli = 1
dimension = "spatial"
[body.trunk]
mass = 3.0
center = [0.1, 0.05, 0.0]
inertia = [0.1, 0.12, 0.09, 0.01, 0.0, 0.0]
point = { hip_r = [0.02, -0.1, 0.15], hip_l = [0.02, -0.1, -0.15] }
[joint.base]
type = "free"
parent = "world"
child = "trunk"
[surface.floor]
type = "half-space"
at = "world"
nx = 0.1
[law.soft_r]
type = "hunt-crossley"
stiffness = 4e4
dissipation = 0.3
[law.grip]
type = "tanh"
friction = 0.7
transition = 0.1
"#;

/// The right side: frames given in each way, round and edged shapes, a ramp beside the floor, laws of points and of volumes.
const RIGHT: &str = r#"
[body.leg_r]
mass = 1.0
center = [0.01, -0.2, 0.03]
inertia = [0.02, 0.01, 0.02, 0.001, 0.002, -0.001]
point.heel = [-0.05, -0.4, 0.04]
[body.leg_r.frame.sole_r]
origin = [0.05, -0.4, 0.02]
angles = [0.3, -0.4, 0.7]
[body.leg_r.frame.toe]
origin = [0.15, -0.4, -0.03]
rotation = [0.2, 0.5, -0.3]
[joint.hip_r]
type = "hinge"
parent = "trunk.hip_r"
child = "leg_r"
axis = [0.2, 0.1, 1.0]
[surface.ramp_r]
type = "half-space"
at = "world"
nx = -0.2
ny = 1.0
nz = -0.5
height = 0.1
[surface.sole_r]
type = "ellipsoid"
at = "leg_r.sole_r"
a = "30 cm"
b = "20 cm"
c = "10 cm"
[surface.toe_r]
type = "superellipsoid"
at = "leg_r.toe"
a = 0.2
b = 0.1
c = 0.15
p = 3
r = 4
[surface.heel_r]
type = "sphere"
at = "leg_r.heel"
radius = 0.1
[contact.foot_r]
a = ["sole_r", "toe_r"]
b = ["floor", "ramp_r"]
normal = "soft_r"
friction = "grip"
[contact.bed_r]
a = "heel_r"
b = "floor"
normal = { type = "volumetric", stiffness = 1e6, dissipation = 0.4 }
friction = "grip"
"#;

/// The left side by hand: S = diag(1, 1, -1) on points and normals, turns about X and Y the other way.
const LEFT: &str = r#"
[body.leg_l]
mass = 1.0
center = [0.01, -0.2, -0.03]
inertia = [0.02, 0.01, 0.02, 0.001, -0.002, 0.001]
point.heel = [-0.05, -0.4, -0.04]
[body.leg_l.frame.sole_l]
origin = [0.05, -0.4, -0.02]
angles = [-0.3, 0.4, 0.7]
[body.leg_l.frame.toe]
origin = [0.15, -0.4, 0.03]
rotation = [-0.2, -0.5, -0.3]
[joint.hip_l]
type = "hinge"
parent = "trunk.hip_l"
child = "leg_l"
axis = [-0.2, -0.1, 1.0]
[surface.ramp_l]
type = "half-space"
at = "world"
nx = -0.2
ny = 1.0
nz = 0.5
height = 0.1
[surface.sole_l]
type = "ellipsoid"
at = "leg_l.sole_l"
a = 0.3
b = 0.2
c = 0.1
[surface.toe_l]
type = "superellipsoid"
at = "leg_l.toe"
a = 0.2
b = 0.1
c = 0.15
p = 3
r = 4
[surface.heel_l]
type = "sphere"
at = "leg_l.heel"
radius = 0.1
[contact.foot_l]
a = ["sole_l", "toe_l"]
b = ["floor", "ramp_l"]
normal = "soft_l"
friction = "grip"
[contact.bed_l]
a = "heel_l"
b = "floor"
normal = { type = "volumetric", stiffness = 1e6, dissipation = 0.4 }
friction = "grip"
"#;

const MIRROR: &str = "[mirror.sides]\nfrom = \"_r\"\nto = \"_l\"\n";

/// A law for the left side, with the stiffness of its own.
fn soft_left(stiffness: f64) -> String {
    format!("[law.soft_l]\ntype = \"hunt-crossley\"\nstiffness = {stiffness:e}\ndissipation = 0.3\n")
}

/// Accelerations at a state, and how many pairs press.
fn look(system: &System, (q, v, tau): &(Vec<f64>, Vec<f64>, Vec<f64>)) -> (Vec<f64>, usize) {
    let mut formulation = (FORMULATIONS[0].build)(system).expect("a model");
    let mut out = Evaluation::new(system);
    formulation.evaluate(system, Input { t: 0.0, q, v, tau, ..Input::default() }, &mut out).expect("a state");
    let pressing = out.touching.iter().filter(|t| t.normal_force > 0.0).count();
    (out.vdot, pressing)
}

/// A state with its feet in the ground.
fn standing(system: &System, random: &mut Random) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (mut q, v, tau) = random_state(system, random);
    let place = |name: &str| system.names.coordinates.iter().position(|c| c.name == name).expect("a coordinate");
    // Nearly upright, so that it is the feet that press.
    for (name, size) in [("base_qx", 0.2), ("base_qy", 1.0), ("base_qz", 0.2)] {
        q[place(name)] *= size;
    }
    let turn = place("base_qw")..place("base_qw") + 4;
    let length = q[turn.clone()].iter().map(|x| x * x).sum::<f64>().sqrt();
    q[turn].iter_mut().for_each(|x| *x /= length);
    q[place("base_py")] = random.uniform(0.35, 0.6);
    (q, v, tau)
}

#[test]
fn a_mirrored_side_touches_as_one_that_is_written_for_both_sides() {
    // The left law differs, so that taking that of the right side would show.
    let soft = soft_left(6e4);
    let mirrored = parse(&format!("{TRUNK}{soft}{RIGHT}{MIRROR}"));
    let by_hand = parse(&format!("{TRUNK}{soft}{RIGHT}{LEFT}"));
    assert_eq!(mirrored.names.pairs, by_hand.names.pairs);
    let mut random = Random::new(5);
    let mut pressed = 0;
    for _ in 0..40 {
        let state = standing(&by_hand, &mut random);
        let ((found, pressing), (expected, _)) = (look(&mirrored, &state), look(&by_hand, &state));
        assert_eq!(found, expected);
        pressed += pressing;
    }
    assert!(pressed > 100, "{pressed}");
}

#[test]
fn reflected_states_have_reflected_accelerations() {
    let system = parse(&format!("{TRUNK}{}{RIGHT}{MIRROR}", soft_left(4e4)));
    // A vector changes its Z, a turn its X and Y; the sides are exchanged.
    let reflect = |values: &[f64], names: &[crate::system::CoordinateName]| -> Vec<f64> {
        let other = |name: &str| match name.rsplit_once('_') {
            Some((stem, "r")) => format!("{stem}_l"),
            Some((stem, "l")) => format!("{stem}_r"),
            _ => name.to_string(),
        };
        let turned = ["base_pz", "base_vz", "base_qx", "base_qy", "base_wx", "base_wy"];
        let source = |name: &str| names.iter().position(|c| c.name == other(name)).expect("its other side");
        names.iter().map(|c| values[source(&c.name)] * if turned.contains(&c.name.as_str()) { -1.0 } else { 1.0 }).collect()
    };
    let (coordinates, speeds) = (&system.names.coordinates, &system.names.speeds);
    let mut random = Random::new(6);
    let (mut pressed, mut uneven) = (0, 0);
    for _ in 0..40 {
        let state = standing(&system, &mut random);
        let (q, v, tau) = &state;
        let image = (reflect(q, coordinates), reflect(v, speeds), reflect(tau, speeds));
        let ((vdot, pressing), (image, pressing_image)) = (look(&system, &state), look(&system, &image));
        assert_eq!(pressing, pressing_image);
        assert_close(&image, &reflect(&vdot, speeds), 1e-12, "accelerations");
        pressed += pressing;
        uneven += usize::from((vdot[2] - image[2]).abs() > 1.0);
    }
    assert!(pressed > 100 && uneven > 20, "{pressed} {uneven}");
}
