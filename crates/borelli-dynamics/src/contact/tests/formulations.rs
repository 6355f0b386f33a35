//! Names of pairs, and that every formulation sees the same contact at the same state.

use super::super::Prescribed;
use super::{BED, HERTZ, REMEMBER, RUB, look, struck};
use crate::formulation::{Evaluation, FORMULATIONS, Input};
use crate::twin::{parse, random_state};
use borelli_testkit::Random;

/// A ball over a floor, with friction, on a stick that is hinged to a body that floats.
fn model(normal: &str, friction: &str) -> String {
    format!(
        r#"borelli = 1
dimension = "spatial"
[body.trunk]
mass = 3.0
center = [0.1, 0.05, -0.02]
inertia = [0.1, 0.12, 0.09]
[joint.base]
type = "free"
parent = "world"
child = "trunk"
[body.limb]
mass = 1.0
center = [0.0, -0.2, 0.0]
inertia = [0.02, 0.01, 0.02]
[body.limb.frame.tip]
origin = [0.05, -0.4, 0.02]
angles = [0.3, -0.4, 0.7]
[joint.knee]
type = "hinge"
parent = "trunk"
child = "limb"
axis = [0.2, 0.1, 1.0]
[surface.floor]
type = "half-space"
at = "world"
[surface.tip]
type = "ellipsoid"
at = "limb.tip"
a = 0.3
b = 0.5
c = 0.4
[surface.back]
type = "sphere"
at = "trunk"
radius = 0.6
[contact.ground]
a = ["tip", "back"]
b = "floor"
normal = {normal}
friction = {friction}
"#
    )
}

#[test]
fn pairs_have_the_names_of_their_surfaces() {
    let system = parse(&model(HERTZ, RUB));
    assert_eq!(system.names.pairs, ["ground.tip", "ground.back"]);
    assert!(system.parameter("contact.ground.normal.stiffness").is_some());
}

#[test]
fn all_formulations_see_the_same_contact() {
    for normal in [HERTZ, BED] {
        let system = parse(&model(normal, RUB));
        let mut random = Random::new(3);
        let mut touched = 0;
        for _ in 0..20 {
            let (mut q, v, tau) = random_state(&system, &mut random);
            q[1] = random.uniform(0.2, 0.6);
            let mut first: Option<Evaluation> = None;
            for entry in FORMULATIONS {
                let Ok(mut formulation) = (entry.build)(&system) else { continue };
                let mut out = Evaluation::new(&system);
                formulation.evaluate(&system, Input { t: 0.0, q: &q, v: &v, tau: &tau, ..Input::default() }, &mut out).expect("a state");
                touched += out.touching.iter().filter(|t| t.normal_force > 0.0).count();
                match &first {
                    None => first = Some(out),
                    Some(first) => {
                        assert_eq!(first.touching, out.touching);
                        borelli_testkit::assert_close(&out.vdot, &first.vdot, 1e-9, entry.name);
                    }
                }
            }
        }
        assert!(touched > 20, "{touched}");
    }
}

#[test]
fn a_summed_bed_does_what_the_closed_form_does() {
    // Damping so weak that no part of a patch is in tension: there the sum would cut point by point, which the closed form does not.
    let without_friction = |bed: &str| parse(&model(bed, RUB).replace("friction = ", "# "));
    let closed = without_friction(r#"{ type = "volumetric", stiffness = 1e5, dissipation = 0.05 }"#);
    let summed = [0.02, 0.01]
        .map(|pitch| without_friction(&format!(r#"{{ type = "foundation", stiffness = 1e5, dissipation = 0.05, pitch = {pitch} }}"#)));
    let mut random = Random::new(8);
    let (mut errors, mut touched) = ([0.0_f64; 2], 0);
    for _ in 0..20 {
        let (mut q, v, tau) = random_state(&closed, &mut random);
        q[1] = random.uniform(0.3, 0.6);
        let look = |system: &crate::System| {
            let mut out = Evaluation::new(system);
            let mut formulation = (FORMULATIONS[0].build)(system).expect("a model");
            formulation.evaluate(system, Input { t: 0.0, q: &q, v: &v, tau: &tau, ..Input::default() }, &mut out).expect("a state");
            out.touching
        };
        let exact = look(&closed);
        for (error, system) in errors.iter_mut().zip(&summed) {
            for (sum, exact) in look(system).iter().zip(&exact).filter(|(_, exact)| exact.volume > 0.005) {
                touched += 1;
                assert_eq!((sum.depth, sum.volume), (exact.depth, exact.volume));
                let lever = exact.area.sqrt();
                let off = (sum.force() - exact.force()).norm() + (sum.couple - exact.couple).norm() / lever;
                *error = error.max(off / exact.normal_force);
                let stored = (sum.stored - exact.stored).abs() / exact.stored;
                let lost = (sum.dissipation - exact.dissipation).abs() / exact.dissipation.max(1e-3 * exact.normal_force);
                *error = error.max(stored).max(lost);
            }
        }
    }
    assert!(touched > 10 && errors[1] < 0.4 * errors[0] && errors[1] < 5e-3, "{touched} {errors:?}");
}

/// A ball on a table that turns with it, both rigidly about the vertical.
#[test]
fn what_turns_together_does_not_slip() {
    for slip_at in ["point", "centre"] {
        let system = parse(&format!(
            r#"borelli = 1
dimension = "spatial"
[body.table]
mass = 1
inertia = [1, 1, 1]
[joint.table]
type = "free"
parent = "world"
child = "table"
[body.ball]
mass = 1
inertia = [1, 1, 1]
[joint.ball]
type = "free"
parent = "world"
child = "ball"
[surface.top]
type = "half-space"
at = "table"
[surface.ball]
type = "sphere"
at = "ball"
radius = 0.1
[contact.both]
a = "ball"
b = "top"
normal = {HERTZ}
friction = {RUB}
slip_at = "{slip_at}"
force_at = "a"
"#
        ));
        let mut out = Evaluation::new(&system);
        let mut formulation = (FORMULATIONS[0].build)(&system).expect("a model");
        // Position, quaternion; velocity of the origin in world axes, angular velocity in body axes. The spin has a part along the table, so that heights matter.
        let w = borelli_math::vec3(0.7, 2.0, -0.4);
        let p = borelli_math::vec3(0.5, 0.09, 0.2);
        let v = w.cross(p);
        let q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, p.x, p.y, p.z, 1.0, 0.0, 0.0, 0.0];
        let v = [0.0, 0.0, 0.0, w.x, w.y, w.z, v.x, v.y, v.z, w.x, w.y, w.z];
        formulation.evaluate(&system, Input { t: 0.0, q: &q, v: &v, tau: &[0.0; 12], ..Input::default() }, &mut out).expect("a state");
        let touching = &out.touching[0];
        assert!(touching.normal_force > 1.0 && touching.slip.norm() < 1e-15 && touching.friction.norm() < 1e-12, "{slip_at}: {touching:?}");
    }
}

#[test]
fn the_sides_of_a_contact_are_those_of_the_file() {
    // The half-space is the second of the pair whatever it is called, and `force_at` speaks of the names in the file.
    let text = model(HERTZ, RUB);
    let sides = [("\"tip\"", "\"floor\"", "a"), ("\"floor\"", "\"tip\"", "b")];
    let points = sides.map(|(a, b, at)| {
        let text =
            text.replace("a = [\"tip\", \"back\"]", &format!("a = {a}")).replace("b = \"floor\"", &format!("b = {b}\nforce_at = \"{at}\""));
        let system = parse(&text);
        let mut out = Evaluation::new(&system);
        let mut formulation = (FORMULATIONS[0].build)(&system).expect("a model");
        let mut q = system.start.q.clone();
        q[1] = 0.5;
        formulation
            .evaluate(
                &system,
                Input { t: 0.0, q: &q, v: &system.start.v, tau: &vec![0.0; system.skeleton.dofs()], ..Input::default() },
                &mut out,
            )
            .expect("a state");
        out.touching[0]
    });
    assert_eq!(points[0], points[1]);
    assert!(points[0].point.y < -0.1, "on the tip, below the floor: {:?}", points[0].point);
}

#[test]
fn a_prescribed_motion_has_the_contacts_of_the_dynamics() {
    for normal in [REMEMBER, BED] {
        let system = parse(&model(normal, RUB));
        let (mut random, mut touched) = (Random::new(4), 0);
        let mut prescribed = Prescribed::new(&system);
        for speeds in [[0.0, 0.0], [0.3, 1.1], [2.0, 0.0]] {
            prescribed.recall(&struck(&speeds).touch);
            for _ in 0..10 {
                let (mut q, v, _) = random_state(&system, &mut random);
                q[1] = random.uniform(0.2, 0.6);
                let found = prescribed.look(&system, 0.0, &q, &v);
                assert_eq!(found, look(&system, &q, &v, &speeds).loads.pairs.touching);
                touched += found.iter().filter(|pair| pair.normal_force > 0.0).count();
            }
        }
        assert!(touched > 20, "{touched}");
    }
}
