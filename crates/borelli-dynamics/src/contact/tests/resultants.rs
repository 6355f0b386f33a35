//! What the pairs of a contact do together: centre of pressure, free moment and central axis against their definitions and closed forms.

use super::super::{Resultant, resultant};
use super::*;
use borelli_math::{Vec3, vec3};
use borelli_testkit::assert_close;

/// A free body with balls at two places, over a floor.
fn feet(contact: &str, floor: &str) -> System {
    parse(&format!(
        "borelli = 1\ndimension = \"spatial\"\n[body.trunk]\nmass = 3\ninertia = [0.1, 0.12, 0.09]\n\
         point.left = [-0.3, 0, 0.1]\npoint.right = [0.3, 0, 0.1]\n[joint.base]\ntype = \"free\"\nparent = \"world\"\nchild = \"trunk\"\n\
         [surface.left]\ntype = \"sphere\"\nat = \"trunk.left\"\nradius = 0.2\n[surface.right]\ntype = \"sphere\"\nat = \"trunk.right\"\nradius = 0.2\n\
         [surface.floor]\ntype = \"half-space\"\nat = \"world\"\n{floor}\n[contact.feet]\n{contact}\n"
    ))
}

const SPRING: &str = "a = [\"left\", \"right\"]\nb = \"floor\"\nnormal = { type = \"hooke\", stiffness = 1e4 }\n";

fn reduced(system: &System, q: &[f64], v: &[f64]) -> (Resultant, Sight<f64>) {
    let sight = look(system, q, v, &[]);
    (resultant(&system.numbers.contacts, 0, &sight.loads.pairs.touching), sight)
}

/// Moment of all pairs about a point, from each of them.
fn moment_about(sight: &Sight<f64>, at: Vec3<f64>) -> Vec3<f64> {
    let pairs = sight.loads.pairs.touching.iter().filter(|pair| pair.normal_force > 0.0);
    pairs.fold(Vec3::ZERO, |sum, pair| sum + (pair.point - at).cross(pair.force()) + pair.couple)
}

#[test]
fn a_single_pair_has_its_own_point_as_centre_of_pressure() {
    let mut random = Random::new(41);
    for one in [BALL, EGG, SOAP, DOT] {
        let system = pairing("spatial", one, BOARD).system(&format!("normal = {ELASTIC}\nfriction = {RUB}\nleast_force = 1"));
        for _ in 0..5 {
            let (q, v) = meeting(&system, &mut random);
            let (found, sight) = reduced(&system, &q, &v);
            let pair = touching(&sight);
            let centre = found.centre.expect("a force");
            assert_close(&centre.point.to_array(), &pair.point.to_array(), 1e-12, one);
            assert!(centre.free_moment.abs() < 1e-12 * pair.normal_force.max(1.0), "{one}: {}", centre.free_moment);
            // A single force has its own line as axis and no moment along it.
            let (at, along) = found.axis.expect("a force");
            let off = (at - pair.point).cross(found.force).norm() / found.force.norm();
            assert!(off < 1e-12 && along.abs() < 1e-12 * found.force.norm(), "{one}: {off} {along}");
        }
    }
}

#[test]
fn the_resultant_is_equivalent_to_its_pairs() {
    let mut random = Random::new(42);
    let point = feet(&format!("{SPRING}friction = {RUB}"), "nx = 0.2\nnz = -0.1");
    let bed = "a = [\"left\", \"right\"]\nb = \"floor\"\nnormal = { type = \"volumetric\", stiffness = 1e6, dissipation = 0.2 }\n";
    let patch = feet(&format!("{bed}friction = {RUB}\nspin = {{ type = \"coupled\" }}"), "nx = 0.2\nnz = -0.1");
    let mut both = 0;
    for _ in 0..400 {
        let (mut q, v, _) = random_state(&point, &mut random);
        q[1] = random.uniform(0.0, 0.3);
        for system in [&point, &patch] {
            let (found, sight) = reduced(system, &q, &v);
            let pairs = &sight.loads.pairs.touching;
            both += usize::from(pairs.iter().all(|pair| pair.normal_force > 0.0));
            let (Some(centre), Some((at, along))) = (found.centre, found.axis) else {
                let normal: f64 = pairs.iter().map(|pair| pair.normal_force).sum();
                assert!(normal <= 20.0, "{normal} N have no centre of pressure");
                continue;
            };
            let scale = 1e-11 * found.force.norm();
            let place = Vec3::from_array(random.direction());
            // The same moment about any point ...
            let rest = found.moment - place.cross(found.force) - moment_about(&sight, place);
            assert!(rest.norm() < scale, "{rest:?}");
            // ... about the centre of pressure, which lies in the plane, along the normal only ...
            let n = pairs[0].normal;
            let rest = moment_about(&sight, centre.point) - n.scale(centre.free_moment);
            assert!(rest.norm() < scale && n.dot(centre.point).abs() < 1e-12, "{rest:?}");
            // ... and about the axis, at its point nearest to the origin, along the force only.
            let rest = moment_about(&sight, at) - found.force.scale(along / found.force.norm());
            assert!(rest.norm() < scale && at.dot(found.force).abs() < scale, "{rest:?}");
        }
    }
    assert!(both > 50, "states with two feet down: {both}");
}

#[test]
fn two_feet_share_the_load_as_levers_do() {
    // Turned by a small angle about Z the left foot is deeper; F = k δ at x = ∓0.3 cos φ.
    let (height, angle, k) = (0.19, 0.02f64, 1e4);
    let system = feet(SPRING, "");
    let q = [0.05, height, 0.2, (0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()];
    let (found, sight) = reduced(&system, &q, &[0.0; 6]);
    let lift = 0.3 * angle.sin();
    let [left, right] = [k * (0.2 - height + lift), k * (0.2 - height - lift)];
    assert_close(&found.force.to_array(), &[0.0, left + right, 0.0], 1e-12, "weight");
    let x = 0.05 + 0.3 * angle.cos() * (right - left) / (left + right);
    let centre = found.centre.expect("a force");
    assert_close(&centre.point.to_array(), &[x, 0.0, 0.3], 1e-13, "centre of pressure");
    assert!(centre.free_moment.abs() < 1e-12);
    assert_eq!(sight.loads.pairs.touching.len(), 2);
}

#[test]
fn feet_that_slide_round_each_other_leave_a_free_moment() {
    // Turning at ω about the vertical through the midpoint both feet slip against each other: a couple of μ F times their distance.
    let system = feet(&format!("{SPRING}friction = {{ type = \"coulomb\", friction = 0.4 }}"), "");
    let (q, turning) = ([0.1, 0.19, -0.1, 1.0, 0.0, 0.0, 0.0], 2.0);
    // The origin of the body moves so that the point midway between the feet stands still: v = −ω × (0, 0, 0.1).
    let v = [-turning * 0.1, 0.0, 0.0, 0.0, turning, 0.0];
    let (found, _) = reduced(&system, &q, &v);
    let load = 1e4 * 0.01;
    let centre = found.centre.expect("a force");
    assert_close(&found.force.to_array(), &[0.0, 2.0 * load, 0.0], 1e-12, "force");
    assert_close(&centre.point.to_array(), &[0.1, 0.0, 0.0], 1e-13, "centre of pressure");
    assert_close(&[centre.free_moment], &[-2.0 * 0.3 * 0.4 * load], 1e-12, "free moment");
    let (at, along) = found.axis.expect("a force");
    assert_close(&at.to_array(), &[0.1, 0.0, 0.0], 1e-13, "axis");
    assert_close(&[along], &[centre.free_moment], 1e-12, "along a vertical force both are one");
}

#[test]
fn a_small_force_or_two_planes_have_no_centre_of_pressure() {
    let (q, v) = ([0.0, 0.1999, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0; 6]);
    // Twice 1e4 N/m times 0.1 mm is 2 N, below the usual 20 N.
    let (found, _) = reduced(&feet(SPRING, ""), &q, &v);
    assert!(found.centre.is_none() && found.axis.is_none());
    let (found, _) = reduced(&feet(&format!("{SPRING}least_force = 1"), ""), &q, &v);
    assert!(found.centre.is_some() && found.axis.is_some());
    let (nothing, _) = reduced(&feet(&format!("{SPRING}least_force = 0"), ""), &[0.0, 0.3, 0.0, 1.0, 0.0, 0.0, 0.0], &v);
    assert!(nothing.centre.is_none() && nothing.axis.is_none() && nothing.force == vec3(0.0, 0.0, 0.0));
    let walls = SPRING.replace("b = \"floor\"", "b = [\"floor\", \"wall\"]")
        + "[surface.wall]\ntype = \"half-space\"\nat = \"world\"\nnx = 1\nny = 0\nheight = -0.45\n";
    let (found, sight) = reduced(&feet(&walls, ""), &[0.0, 0.15, 0.0, 1.0, 0.0, 0.0, 0.0], &v);
    let pressed = sight.loads.pairs.touching.iter().filter(|pair| pair.normal_force > 0.0).count();
    assert!(pressed == 3 && found.centre.is_none() && found.axis.is_some(), "{pressed}");
}
