//! Mats in scenes: against the closed forms of the contacts that press on them.

use super::{Gaps, MatReading, Touching, resultant};
use crate::compile;
use crate::formulation::{Evaluation, FORMULATIONS, Input};
use crate::frames::Frames;
use crate::scene::Scene;
use crate::system::System;
use crate::twin::parse;
use borelli_model::Model;
use borelli_testkit::{Random, assert_close};

/// Heel and ball of a foot over a plate that floats, with a mat on it whose corner is shifted and turned on the plate.
fn model(sensor: &str) -> String {
    format!(
        r#"borelli = 1
dimension = "spatial"
[body.plate]
mass = 3.0
inertia = [0.1, 0.12, 0.09]
[body.plate.frame.top]
origin = [0.02, 0.05, -0.01]
angles = [0.2, 0.0, -0.1]
[body.plate.frame.mat]
origin = [-0.2, 0.3, -0.1]
angles = [0.2, 0.0, -0.1]
[joint.base]
type = "free"
parent = "world"
child = "plate"
[body.foot]
mass = 1.0
inertia = [0.02, 0.01, 0.02]
[body.foot.frame.heel]
origin = [0.0479, 0.0004, 0.0037]
angles = [0.101, 0.329, 0.201]
[body.foot.frame.ball]
origin = [0.167, -0.0006, 0.02]
angles = [0.528, -0.235, 0.191]
[joint.foot]
type = "free"
parent = "plate.top"
child = "foot"
[surface.floor]
type = "half-space"
at = "plate.top"
[surface.heel]
type = "ellipsoid"
at = "foot.heel"
a = 0.054
b = 0.0226
c = 0.0354
[surface.ball]
type = "ellipsoid"
at = "foot.ball"
a = 0.0338
b = 0.024
c = 0.0632
[contact.ground]
a = ["heel", "ball"]
b = "floor"
normal = {{ type = "volumetric", stiffness = 1.6e7, dissipation = 0.565 }}
[sensor.mat]
{sensor}
"#
    )
}

const SENSOR: &str = "type = \"pressure-mat\"\non = \"floor\"\nat = \"plate.mat\"\ncells = [100, 60]\npitch = \"7.5 mm\"\nsamples = 1";

/// What the mat shows, and what the contacts do, at a state.
fn look(system: &System, q: &[f64], v: &[f64]) -> (MatReading, Vec<Touching<f64>>) {
    let mut frames = Frames::new(&system.skeleton);
    frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, q, v, &[]);
    frames.fill_points(&system.skeleton);
    let scene = Scene {
        skeleton: &system.skeleton,
        numbers: &system.numbers,
        frames: &frames,
        q,
        v,
        vdot: &[],
        t: 0.0,
        inside: crate::scene::Inside::NONE,
    };
    let mat = &system.numbers.contacts.mats[0].item;
    let mut reading = MatReading::new(mat);
    reading.look(mat, &scene);
    let mut out = Evaluation::new(system);
    let tau = vec![0.0; v.len()];
    let mut formulation = (FORMULATIONS[0].build)(system).expect("a formulation");
    formulation.evaluate(system, Input { t: 0.0, q, v, tau: &tau, ..Input::default() }, &mut out).expect("a state");
    (reading, out.touching)
}

/// A state with the plate at a pose or at rest in the origin, and the foot on it: heel and ball pressed in, the whole shifted along the plate.
fn state(system: &System, plate: Option<&mut Random>, shift: [f64; 2]) -> (Vec<f64>, Vec<f64>) {
    let (mut q, mut v) = (system.start.q.clone(), vec![0.0; system.skeleton.dofs()]);
    if let Some(random) = plate {
        q[..3].copy_from_slice(&random.uniforms(3, -1.0, 1.0));
        q[3..7].copy_from_slice(&random.unit_quaternion());
        v[..6].copy_from_slice(&random.uniforms(6, -2.0, 2.0));
    }
    // 9 deg toe down about Z.
    q[7..14].copy_from_slice(&[0.02 + shift[0], 0.022, 0.01 + shift[1], 0.08_f64.cos(), 0.0, 0.0, -0.08_f64.sin()]);
    v[6..12].copy_from_slice(&[0.1, -0.15, -0.2, 0.5, -0.3, 0.6]);
    (q, v)
}

#[test]
fn a_mat_carries_the_force_of_its_contacts() {
    let system = parse(&model(SENSOR));
    let pitch = system.parameter("sensor.mat.pitch").expect("a parameter");
    let mut values: Vec<f64> = system.parameters.iter().map(|parameter| parameter.value).collect();
    // Root mean square over shifts of a fifth of a cell of the errors in force and centre of pressure.
    let mut errors = Vec::new();
    for size in [8e-3, 4e-3, 2e-3, 1e-3] {
        values[pitch] = size;
        // The mat stays as large as it is.
        let mut system = system.with_parameters(&values);
        system.numbers.contacts.mats[0].item.cells = [(0.75 / size) as usize, (0.45 / size) as usize];
        let mut squares = [0.0; 2];
        for k in 0..25 {
            let (q, v) = state(&system, None, [f64::from(k % 5) * 0.2 * size, f64::from(k / 5) * 0.2 * size]);
            let (reading, touching) = look(&system, &q, &v);
            assert!(touching.iter().all(|touching| touching.normal_force > 50.0), "{touching:?}");
            let sum = resultant(&system.numbers.contacts, 0, &touching);
            let force = touching.iter().map(|touching| touching.normal_force).sum::<f64>();
            // The corner of the mat is the foot of its place on the plane.
            let place = system.numbers.tree.place_R[system.numbers.contacts.mats[0].item.place as usize];
            let corner = system.numbers.tree.place_p[system.numbers.contacts.mats[0].item.place as usize];
            let centre = place.transpose_mul(sum.centre.expect("a centre").point - corner);
            let [x, z] = reading.centre.expect("a centre");
            squares[0] += (reading.force / force - 1.0).powi(2) / 25.0;
            squares[1] += ((x - centre.x).powi(2) + (z - centre.z).powi(2)) / 25.0;
            assert_eq!(reading.peak, reading.pressures.iter().copied().fold(0.0, f64::max));
        }
        errors.push(squares.map(f64::sqrt));
    }
    for k in 0..2 {
        let slope = (errors[0][k] / errors[3][k]).log2() / 3.0;
        assert!(slope > 1.9, "{k}: order {slope}, {errors:?}");
    }
    // At 1 mm: a hundredth of a percent, a hundredth of a millimetre.
    assert!(errors[3][0] < 1e-4 && errors[3][1] < 1e-5, "{errors:?}");
}

#[test]
fn a_mat_on_a_moving_tilted_plate_sees_what_a_mat_on_the_ground_sees() {
    let system = parse(&model(SENSOR));
    let (q, v) = state(&system, None, [0.0, 0.0]);
    let (still, _) = look(&system, &q, &v);
    let mut random = Random::new(5);
    for _ in 0..10 {
        let (q, v) = state(&system, Some(&mut random), [0.0, 0.0]);
        let (moving, _) = look(&system, &q, &v);
        assert_close(&moving.pressures, &still.pressures, 1e-9, "pressures");
        assert_close(&moving.centre.unwrap(), &still.centre.unwrap(), 1e-12, "centre");
    }
    assert!(still.force > 100.0);
}

#[test]
fn a_mat_reads_cells_along_its_own_axes_and_no_centre_below_the_least_force() {
    let wide = SENSOR.replace("\"7.5 mm\"", "[\"5 mm\", \"10 mm\"]");
    let system = parse(&model(&wide));
    assert!(system.parameter("sensor.mat.pitch.x").is_some() && system.parameter("sensor.mat.pitch.z").is_some());
    assert_eq!(system.names.sensors, ["mat"]);
    let (q, v) = state(&system, None, [0.0, 0.0]);
    let (reading, touching) = look(&system, &q, &v);
    // Only the heel: the cells it covers lie around its centroid.
    let mut heel_only = system.clone();
    heel_only.numbers.contacts.pairs.truncate(1);
    let mut frames = Frames::new(&system.skeleton);
    frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, &q, &v, &[]);
    frames.fill_points(&system.skeleton);
    let numbers = &heel_only.numbers;
    let scene =
        Scene { skeleton: &system.skeleton, numbers, frames: &frames, q: &q, v: &v, vdot: &[], t: 0.0, inside: crate::scene::Inside::NONE };
    let (mat, mut alone) = (&numbers.contacts.mats[0].item, MatReading::new(&numbers.contacts.mats[0].item));
    alone.look(mat, &scene);
    let tree = &system.numbers.tree;
    let at = tree.place_R[mat.place as usize].transpose_mul(touching[0].point - tree.place_p[mat.place as usize]);
    let (i, k) = ((at.x / 0.005) as usize, (at.z / 0.010) as usize);
    let cell = i * mat.cells[1] + k;
    assert!(alone.pressures[cell] > 0.5 * alone.peak, "{} {}", alone.pressures[cell], alone.peak);
    let area = |reading: &MatReading| reading.pressures.iter().filter(|p| **p > 0.0).count() as f64 * 0.005 * 0.010;
    assert!((0.7..1.6).contains(&(area(&alone) / touching[0].area)), "{} {}", area(&alone), touching[0].area);
    // Pressures of two ellipsoids add; what only one of them presses on is as before.
    assert!(alone.pressures.iter().zip(&reading.pressures).all(|(one, both)| one <= both));
    // High above it is empty.
    let (mut q, v) = state(&system, None, [0.0, 0.0]);
    q[8] = 0.3;
    let (empty, _) = look(&system, &q, &v);
    assert_eq!((empty.force, empty.centre, empty.peak), (0.0, None, 0.0));
    // Just touching there is a force, but no centre.
    let mut gaps = Gaps::new(&system);
    gaps.look(&system, &q, &v);
    q[8] -= 1e-3 - gaps.depth().iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (light, _) = look(&system, &q, &v);
    assert!(light.force > 0.0 && light.force < 20.0 && light.centre.is_none(), "{light:?}");
}

#[test]
fn what_is_wrong_with_a_mat_is_said_where_it_stands() {
    let cases: [(&str, &str, &[&str]); 13] = [
        ("on = \"floor\"", "on = \"flor\"", &["unknown-surface"]),
        ("on = \"floor\"", "on = \"heel\"", &["not-a-half-space"]),
        ("at = \"plate.mat\"", "at = \"foot.heel\"", &["mat-on-other-body"]),
        ("at = \"plate.mat\"", "at = \"plate\"", &["mat-leans"]),
        ("cells = [100, 60]", "cells = [100]", &["wrong-length"]),
        ("cells = [100, 60]", "cells = [100, 60, 2]", &["wrong-length"]),
        ("cells = [100, 60]", "cells = [100, 0]", &["out-of-range"]),
        ("cells = [100, 60]", "cells = [10.5, 60]", &["wrong-type"]),
        ("cells = [100, 60]", "cells = [1000, 600]", &["too-many-cells"]),
        ("\"7.5 mm\"", "\"-7.5 mm\"", &["out-of-range"]),
        ("\"7.5 mm\"", "[1, 2, 3]", &["wrong-length"]),
        ("samples = 1", "samples = 0", &["out-of-range"]),
        ("\"pressure-mat\"", "\"pressure-mat\"\npich = 1", &["unknown-field"]),
    ];
    for (from, to, codes) in cases {
        let text = model(&SENSOR.replace(from, to));
        let rejected = compile(&Model::parse("test.toml", &text).expect("a model")).expect_err(to);
        let found: Vec<&str> = rejected.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(found, codes, "{to}");
        assert!(rejected.findings.iter().all(|finding| finding.element == "sensor.mat"), "{to}");
    }
    let point = model(SENSOR).replace("{ type = \"volumetric\", stiffness = 1.6e7,", "{ type = \"hunt-crossley\", stiffness = 1e4,");
    let warnings = |text: &str| parse(text).warnings.iter().map(|finding| finding.code).collect::<Vec<_>>();
    assert_eq!(warnings(&point), ["not-on-mat"]);
    let bare = model(SENSOR).replace("b = \"floor\"", "b = \"wall\"") + "[surface.wall]\ntype = \"half-space\"\nat = \"world\"\n";
    assert_eq!(warnings(&bare), ["nothing-on-mat"]);
    assert_eq!(warnings(&model(SENSOR)), [""; 0]);
    let planar = "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 1\ninertia = 1\n[joint.a]\ntype = \"free\"\nparent = \"world\"\nchild = \"a\"\n\
                  [surface.floor]\ntype = \"half-space\"\nat = \"world\"\n[sensor.mat]\n";
    let rejected = compile(&Model::parse("test.toml", &format!("{planar}{}", SENSOR.replace("plate.mat", "world"))).expect("a model"));
    assert_eq!(rejected.expect_err("planar").findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["wrong-dimension"]);
}
