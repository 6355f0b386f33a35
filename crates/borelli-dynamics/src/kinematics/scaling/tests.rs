//! Scaling against closed forms.

use super::super::tests::{gallery, parsed, positions, seen};
use super::*;

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-13 * a.abs().max(b.abs()).max(1e-3)
}

#[test]
fn an_affine_stretch_of_a_box_is_exact() {
    // A box of sides a, b, c: I_xx = m (b² + c²)/12 ...; turned into other axes it stays what a stretch of all its points makes of it.
    let block = |m: f64, [a, b, c]: [f64; 3]| {
        let side = |p: f64, q: f64| m * (p * p + q * q) / 12.0;
        Sym3 { xx: side(b, c), yy: side(a, c), zz: side(a, b), ..Sym3::ZERO }
    };
    let (sides, s) = ([0.3, 0.5, 0.2], [1.2, 0.9, 1.5]);
    let scaled = InertiaRule::Affine.scaled(&block(4.0, sides), 4.0, s, 5.0);
    let expected = block(5.0, [sides[0] * s[0], sides[1] * s[1], sides[2] * s[2]]);
    assert!(close(scaled.xx, expected.xx) && close(scaled.yy, expected.yy) && close(scaled.zz, expected.zz) && scaled.xy == 0.0);
    // Point masses anywhere, with products of inertia.
    let points = [[0.1, 0.2, -0.3], [-0.2, 0.1, 0.2], [0.1, -0.3, 0.1]];
    let inertia = |s: [f64; 3], m: f64| {
        let point = |p: &[f64; 3]| {
            let v = Vec3::from_array([p[0] * s[0], p[1] * s[1], p[2] * s[2]]);
            (Sym3::diagonal(v.dot(v)) - Sym3::outer(v)).scale(m / 3.0)
        };
        points.iter().map(point).fold(Sym3::ZERO, |sum, I| sum + I)
    };
    let (found, expected) = (InertiaRule::Affine.scaled(&inertia([1.0; 3], 6.0), 6.0, s, 7.5), inertia(s, 7.5));
    for (a, b) in [
        (found.xx, expected.xx),
        (found.yy, expected.yy),
        (found.zz, expected.zz),
        (found.xy, expected.xy),
        (found.xz, expected.xz),
        (found.yz, expected.yz),
    ] {
        assert!(close(a, b), "{a} {b}");
    }
}

#[test]
fn a_cylinder_stays_a_cylinder() {
    let cylinder = |m: f64, r2: f64, l: f64| Sym3 {
        xx: m * (r2 / 4.0 + l * l / 12.0),
        yy: 0.5 * m * r2,
        zz: m * (r2 / 4.0 + l * l / 12.0),
        ..Sym3::ZERO
    };
    let found = InertiaRule::Cylinder.scaled(&cylinder(3.0, 0.0025, 0.4), 3.0, [1.1, 1.3, 0.9], 3.5);
    let expected = cylinder(3.5, 0.0025 * 1.1 * 0.9, 0.4 * 1.3);
    assert!(close(found.xx, expected.xx) && close(found.yy, expected.yy) && close(found.zz, expected.zz));
    // Equal factors: both rules multiply by the square.
    let I = Sym3 { xx: 0.3, yy: 0.1, zz: 0.35, xy: 0.01, xz: -0.02, yz: 0.005 };
    for rule in [InertiaRule::Cylinder, InertiaRule::Affine] {
        let found = rule.scaled(&I, 2.0, [1.1; 3], 3.0);
        for (a, b) in [(found.xx, I.xx), (found.zz, I.zz), (found.xy, I.xy), (found.yz, I.yz)] {
            assert!(close(a, b * 1.21 * 1.5));
        }
    }
}

fn measurement(system: &System, name: &str, pairs: &[(&str, &str)], bodies: &[&str], longer: f64) -> Measurement {
    let q: Vec<f64> = system.coordinates.iter().map(|rule| rule.default).collect();
    let at = positions(system, &q);
    let marker = |name: &str| at[system.names.markers.iter().position(|m| m == name).expect("a marker")];
    Measurement {
        name: name.into(),
        pairs: pairs.iter().map(|(a, b)| ((*a).into(), (*b).into(), longer * (marker(a) - marker(b)).norm())).collect(),
        bodies: bodies.iter().map(|body| ((*body).into(), [true; 3])).collect(),
    }
}

#[test]
fn a_scaled_model_has_the_measured_size_and_mass() {
    let system = gallery("lower-limb-markers");
    let request = Request {
        measurements: vec![
            measurement(&system, "pelvis", &[("asis_r", "asis_l"), ("psis_r", "psis_l")], &["pelvis"], 1.1),
            measurement(&system, "thigh", &[("thigh_front_r", "knee_lateral_r")], &["thigh_r", "thigh_l"], 0.95),
            measurement(&system, "shank", &[("shank_upper_r", "malleolus_lateral_r")], &["shank_r", "patella"], 1.3),
        ],
        manual: vec![("foot_l".into(), [1.2, 1.0, 0.9])],
        mass: Some(80.0),
        preserve_distribution: true,
        ..Request::default()
    };
    let scaled = scale(&system, &request).unwrap();
    assert!(close(scaled.measured[0].factor, 1.1) && scaled.measured[0].distances.len() == 2);
    let body = |name: &str| system.names.bodies.iter().position(|b| b == name).expect("a body");
    assert!(scaled.factors[body("thigh_l")].iter().all(|s| close(*s, 0.95)) && scaled.factors[body("foot_l")] == [1.2, 1.0, 0.9]);
    // Told: the shank (1.3 is much, and its other side differs), a body that is not there.
    let codes: Vec<&str> = scaled.notices.iter().map(Explain::code).collect();
    assert_eq!(codes, ["unusual-factor", "unknown-body", "sides-differ", "sides-differ"], "{:?}", scaled.notices);
    let new = system.with_parameters(&scaled.values);
    let mass: f64 = new.numbers.tree.mass.iter().sum();
    assert!(close(mass, 80.0));
    let old: f64 = system.numbers.tree.mass.iter().sum();
    for b in 1..new.numbers.tree.mass.len() {
        assert!(close(new.numbers.tree.mass[b] / system.numbers.tree.mass[b], 80.0 / old));
    }
    // Distances on one body grow by its factor; hip to knee by that of the thigh.
    let q: Vec<f64> = system.coordinates.iter().map(|rule| rule.default).collect();
    let again = scale(&new, &Request { measurements: request.measurements.clone(), ..Request::default() }).unwrap();
    assert!(again.measured.iter().all(|m| close(m.factor, 1.0)), "{:?}", again.measured);
    assert!(close(new.numbers.tree.p_PF_P[body("shank_r")].y, -0.95 * 0.41));
    // Translations of the knee are those of its parent, the thigh.
    let scale_of = |path: &str| new.parameters[new.parameter(path).expect("the path")].value;
    assert!(close(scale_of("joint.knee_l.scale.x"), 0.95) && close(scale_of("joint.knee_r.scale.y"), 0.95));
    // Changes by path say the same as all values.
    let mut values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
    for (path, value) in &scaled.changes {
        values[system.parameter(path).expect("the path")] = *value;
    }
    assert_eq!(values, scaled.values);
    // Markers moved to where they were measured are there.
    let mut targets = seen(&new, &q);
    targets.iter_mut().for_each(|t| t.position.z += 0.01 * f64::from(t.marker % 3));
    for (path, value) in move_markers(&new, &q, &targets) {
        values[system.parameter(&path).expect("the path")] = value;
    }
    let moved = positions(&system.with_parameters(&values), &q);
    for (target, p) in targets.iter().zip(&moved) {
        let own = !system.names.markers[target.marker as usize].starts_with("knee");
        assert!(!own || (*p - target.position).norm() < 1e-12);
    }
}

#[test]
fn masses_follow_volumes_unless_their_distribution_is_kept() {
    let system = parsed(
        "borelli = 1\ndimension = \"spatial\"\n[subject]\nmass = 50\nheight = 1.5\n[body.a]\nmass_fraction = 0.4\nlength = 0.5\ncenter_fraction = 0.4\ngyration_fraction = [0.3, 0.1, 0.3]\n\
         [body.b]\nmass = 10\ncenter = [0.1, -0.2, 0]\ninertia = [1, 2, 2.5]\n[joint.a]\ntype = \"free\"\nparent = \"world\"\nchild = \"a\"\n[joint.b]\ntype = \"ball\"\nparent = \"a\"\nchild = \"b\"\n",
    );
    let manual = vec![("a".to_string(), [1.2, 1.1, 1.2])];
    let scaled = scale(&system, &Request { manual: manual.clone(), mass: Some(60.0), ..Request::default() }).unwrap();
    let new = system.with_parameters(&scaled.values);
    let a = 20.0 * 1.2 * 1.1 * 1.2;
    assert!(close(new.numbers.tree.mass[1], 60.0 * a / (a + 10.0)) && close(new.numbers.tree.mass[1] + new.numbers.tree.mass[2], 60.0));
    // Fractions of the length: centre at 0.4 of 0.55 m; second moments as an affine stretch has them.
    let mass = new.numbers.tree.mass[1];
    let (_, center, I) = new.parts.bodies[0].properties(&scaled.values);
    assert!(close(center.y, -0.4 * 0.55));
    let old = Sym3 { xx: 0.0225, yy: 0.0025, zz: 0.0225, ..Sym3::ZERO };
    let expected = InertiaRule::Affine.scaled(&old, 1.0, [1.2, 1.1, 1.2], mass);
    assert!(close(I.xx, expected.xx) && close(I.yy, expected.yy) && close(I.zz, expected.zz));
    for bad in [0.0, -1.0, f64::NAN] {
        assert!(scale(&system, &Request { manual: vec![("a".into(), [bad, 1.0, 1.0])], ..Request::default() }).is_err());
        assert!(scale(&system, &Request { mass: Some(bad), ..Request::default() }).is_err());
    }
    let unknown = Measurement { name: "m".into(), pairs: vec![("x".into(), "y".into(), 1.0)], bodies: vec![] };
    assert_eq!(
        scale(&system, &Request { measurements: vec![unknown], ..Request::default() }).unwrap_err(),
        Notice::NoMarker { measurement: "m".into(), marker: "x".into() }
    );
}
