//! Names of pairs, and that every formulation sees the same contact at the same state.

use super::super::Prescribed;
use super::{BED, HERTZ, REMEMBER, RUB, look};
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
                formulation.evaluate(Input { t: 0.0, q: &q, v: &v, tau: &tau }, &mut out).expect("a state");
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
            formulation.evaluate(Input { t: 0.0, q: &q, v: &v, tau: &tau }, &mut out).expect("a state");
            out.touching
        };
        let exact = look(&closed);
        for (error, system) in errors.iter_mut().zip(&summed) {
            for (sum, exact) in look(system).iter().zip(&exact).filter(|(_, exact)| exact.volume > 0.005) {
                touched += 1;
                assert_eq!((sum.depth, sum.volume, sum.stored), (exact.depth, exact.volume, exact.stored));
                let lever = exact.area.sqrt();
                let off = (sum.force() - exact.force()).norm() + (sum.couple - exact.couple).norm() / lever;
                *error = error.max(off / exact.normal_force);
                // What is lost is small beside what is stored and given back, and so are its errors.
                assert!((sum.dissipation - exact.dissipation).abs() < 0.02 * exact.normal_force, "{sum:?} {exact:?}");
            }
        }
    }
    assert!(touched > 10 && errors[1] < 0.4 * errors[0] && errors[1] < 2e-3, "{touched} {errors:?}");
}

#[test]
fn a_prescribed_motion_has_the_contacts_of_the_dynamics() {
    for normal in [REMEMBER, BED] {
        let system = parse(&model(normal, RUB));
        let (mut random, mut touched) = (Random::new(4), 0);
        let mut prescribed = Prescribed::new(&system);
        for speeds in [[0.0, 0.0], [0.3, 1.1], [2.0, 0.0]] {
            prescribed.remember(&speeds);
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
