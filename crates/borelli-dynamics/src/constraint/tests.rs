//! Guards of loops and guides: every kind in the registry, at states that need not satisfy it.

use super::{KINDS, RowKind, Rows, fill_jacobian};
use crate::compile;
use crate::frames::Frames;
use crate::retract::{rate, retract};
use crate::scene::Scene;
use crate::system::{Measure, System};
use borelli_math::{Constant, Dual, Real};
use borelli_model::Model;
use borelli_testkit::{Random, assert_close, central_difference};

/// A planar tree with slides, turns and frames at odd angles.
const PLANAR: &str = r#"
borelli = 1
name = "planar"
dimension = "planar"
[world.frame]
corner = { origin = [0.3, -0.2], angle = 0.4 }
[body.cart]
mass = 2
inertia = 0.1
point = { pin = [0.2, 0.1] }
[body.arm]
mass = 1
inertia = 0.05
center = [0.1, -0.3]
frame = { tip = { origin = [0.4, -0.1], angle = -0.7 } }
[body.slide]
mass = 1
inertia = 0.02
frame = { side = { origin = [0.1, 0.3], angle = 1.1 } }
[joint.rail]
type = "planar"
parent = "world.corner"
child = "cart"
[joint.elbow]
type = "hinge"
parent = "cart.pin"
child = "arm"
[joint.column]
type = "slider"
parent = "world"
child = "slide"
axis = [1, 2]
"#;

/// A spatial tree with quaternions, angles and slides.
const SPATIAL: &str = r#"
borelli = 1
name = "spatial"
dimension = "spatial"
[world.frame]
corner = { origin = [0.3, -0.2, 0.1], rotation = [0.4, 0.2, -0.5] }
[body.trunk]
mass = 2
inertia = [0.1, 0.2, 0.15]
point = { pin = [0.2, 0.1, -0.3] }
[body.arm]
mass = 1
inertia = [0.05, 0.06, 0.07]
frame = { tip = { origin = [0.4, -0.1, 0.2], rotation = [0.3, -0.6, 0.2] } }
[body.hand]
mass = 1
inertia = [0.05, 0.06, 0.07]
frame = { palm = { origin = [0.1, 0.3, -0.1], rotation = [-0.2, 0.5, 0.9] } }
[body.slide]
mass = 1
inertia = [0.05, 0.06, 0.07]
frame = { side = { origin = [0.1, 0.3, 0.2], rotation = [0.7, -0.1, 0.3] } }
[joint.root]
type = "free"
parent = "world.corner"
child = "trunk"
[joint.shoulder]
type = "ball"
parent = "trunk.pin"
child = "arm"
[joint.wrist]
type = "gimbal"
parent = "arm.tip"
child = "hand"
[joint.column]
type = "slider"
parent = "world.corner"
child = "slide"
axis = [1, 2, -1]
"#;

const SWAY: &str = r#"{ type = "expression", expression = "0.4*sin(3*t) + 0.2*t^2" }"#;
const LIFT: &str = r#"{ type = "sine", amplitude = 0.5, frequency = 0.6, phase = 0.3 }"#;

/// One minimal model of each kind and dimension; `None` where there is no such kind in that dimension.
fn example(family: RowKind, kind: &str, planar: bool) -> Option<String> {
    let places = if planar { ["arm.tip", "slide.side"] } else { ["hand.palm", "slide.side"] };
    let two = format!("a = \"{}\"\nb = \"{}\"\n", places[0], places[1]);
    let fields = match (family, kind, planar) {
        (RowKind::Loop, "coincident" | "weld", _) | (RowKind::Loop, "ball", false) | (RowKind::Loop, "hinge", true) => two,
        (RowKind::Loop, "hinge", false) => format!("{two}axis = [0.3, -0.4, 0.8]\n"),
        (RowKind::Loop, "rod", _) => format!("{two}length = 0.8\n"),
        (RowKind::Loop, "relation", true) => "coefficients = { elbow = \"0.3 m/rad\", column = -2 }\noffset = \"10 cm\"\n".into(),
        (RowKind::Loop, "relation", false) => "coefficients = { wrist_1 = 1, wrist_3 = -2 }\noffset = \"10 deg\"\n".into(),
        (RowKind::Guide, "coordinate", _) => format!("coordinate = \"column\"\nfunction = {SWAY}\n"),
        (RowKind::Guide, "point", true) => format!("point = \"arm.tip\"\nx = {SWAY}\ny = {LIFT}\n"),
        (RowKind::Guide, "point", false) => format!("point = \"hand.palm\"\nx = {SWAY}\nz = {LIFT}\n"),
        (RowKind::Guide, "orientation", true) => format!("body = \"arm.tip\"\nangle = {SWAY}\n"),
        (RowKind::Guide, "orientation", false) => {
            format!("body = \"hand.palm\"\nangles = [{SWAY}, {LIFT}, {SWAY}]\nsequence = \"xzx\"\n")
        }
        _ => return None,
    };
    let section = if family == RowKind::Loop { "loop" } else { "guide" };
    Some(format!("{}\n[{section}.row]\ntype = \"{kind}\"\n{fields}", if planar { PLANAR } else { SPATIAL }))
}

fn build(text: &str) -> System {
    let model = Model::parse("test.toml", text).unwrap_or_else(|r| panic!("{}", r.findings.render(&r.sources)));
    compile(&model).unwrap_or_else(|r| panic!("{}", r.findings.render(&r.sources)))
}

fn refusal(text: &str) -> String {
    let model = Model::parse("test.toml", text).unwrap_or_else(|r| panic!("{}", r.findings.render(&r.sources)));
    match compile(&model) {
        Ok(system) => system.warnings.render(&system.sources),
        Err(rejected) => rejected.findings.render(&rejected.sources),
    }
}

/// Every kind in every dimension it has; panics for a kind without example.
fn examples() -> Vec<(String, System)> {
    let mut all = Vec::new();
    for (family, kind) in KINDS {
        for (exists, planar) in [(kind.planar, true), (kind.spatial, false)] {
            let name = format!("{family:?} {} planar = {planar}", kind.name);
            match example(*family, kind.name, planar) {
                Some(text) => all.push((name, build(&text))),
                None => assert!(!exists, "{name} has no example"),
            }
        }
    }
    all
}

struct Look<S> {
    frames: Frames<S>,
    rows: Rows<S>,
    G: Vec<S>,
}

fn look<S: Real>(system: &System, t: f64, q: &[S], v: &[S], vdot: &[S]) -> Look<S>
where
    f64: Constant<S>,
{
    let skeleton = &system.skeleton;
    let mut frames = Frames::new(skeleton);
    frames.fill::<f64, true>(skeleton, &system.numbers.tree, q, v, vdot);
    frames.fill_points(skeleton);
    let constraints = &system.numbers.constraints;
    let mut rows = Rows::new(system.names.rows.len(), constraints.entries());
    constraints.fill(
        &Scene { skeleton, numbers: &system.numbers, frames: &frames, q, v, vdot, t: S::from_f64(t), inside: crate::scene::Inside::NONE },
        &mut rows,
    );
    let mut G = vec![S::ZERO; rows.len() * skeleton.dofs()];
    fill_jacobian(skeleton, &frames, &rows, &mut G);
    Look { frames, rows, G }
}

/// A state far from satisfying anything.
fn random_state(system: &System, random: &mut Random) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (n, d) = (system.skeleton.coords(), system.skeleton.dofs());
    let mut q = random.uniforms(n, -1.0, 1.0);
    let mut k = 0;
    while k < n {
        if system.names.coordinates[k].measure == Measure::Quaternion {
            q[k..k + 4].copy_from_slice(&random.unit_quaternion());
            k += 3;
        }
        k += 1;
    }
    (q, random.uniforms(d, -1.5, 1.5), random.uniforms(d, -3.0, 3.0))
}

/// Slope of Φ that follows from the rates of the rows: the rates themselves, but for angles in space, where the head of `push_turn` gives it.
fn slopes(system: &System, position: &[f64], velocity: &[f64]) -> Vec<f64> {
    let mut slopes = velocity.to_vec();
    for k in 0..slopes.len() {
        if system.names.rows[k].part == "turn_x" {
            let (e, w) = (&position[k..k + 3], &velocity[k..k + 3]);
            let scalar = (1.0 - 0.25 * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2])).sqrt();
            for i in 0..3 {
                let (j, l) = ((i + 1) % 3, (i + 2) % 3);
                slopes[k + i] = scalar * w[i] + 0.5 * (w[j] * e[l] - w[l] * e[j]);
            }
        }
    }
    slopes
}

#[test]
fn rates_of_all_kinds_are_the_slopes_of_their_residuals() {
    let mut random = Random::new(11);
    for (name, system) in examples() {
        for _ in 0..5 {
            let (q, v, vdot) = random_state(&system, &mut random);
            let t = random.uniform(0.0, 2.0);
            let here = look(&system, t, &q, &v, &vdot).rows;
            let mut along = |s: f64| {
                let mut moved = q.clone();
                retract(&system.skeleton, &mut moved, &v.iter().map(|x| s * x).collect::<Vec<_>>());
                let faster: Vec<f64> = v.iter().zip(&vdot).map(|(v, a)| v + s * a).collect();
                let rows = look(&system, t + s, &moved, &faster, &vdot).rows;
                [rows.position, rows.velocity].concat()
            };
            let found = central_difference(&mut along, 1e-3);
            let n = here.len();
            assert!(n > 0);
            assert_close(&slopes(&system, &here.position, &here.velocity), &found[..n], 2e-10, &format!("{name}: velocity"));
            assert_close(&here.acceleration, &found[n..], 2e-10, &format!("{name}: acceleration"));
        }
    }
}

#[test]
fn the_wrench_of_each_row_is_the_slope_of_its_rate() {
    let mut random = Random::new(12);
    for (name, system) in examples() {
        for _ in 0..5 {
            let (q, v, vdot) = random_state(&system, &mut random);
            let t = random.uniform(0.0, 2.0);
            let moving = look(&system, t, &q, &v, &vdot);
            let still = look(&system, t, &q, &vec![0.0; v.len()], &vdot);
            let rows = &moving.rows;
            let mut power: Vec<f64> = (0..rows.len())
                .map(|i| {
                    (0..2)
                        .map(|k| {
                            let b = rows.body[i][k] as usize;
                            rows.moment[i][k].dot(moving.frames.w[b]) + rows.force[i][k].dot(moving.frames.v[b])
                        })
                        .sum()
                })
                .collect();
            for &(row, dof, c) in &rows.on_dofs {
                power[row as usize] += c * v[dof as usize];
            }
            let free: Vec<f64> = rows.velocity.iter().zip(&still.rows.velocity).map(|(a, b)| a - b).collect();
            assert_close(&power, &free, 1e-14, &name);
            assert_eq!(rows.on_dofs.len(), system.numbers.constraints.entries(), "{name}");
        }
    }
}

#[test]
fn joint_space_rows_give_the_rate_of_the_residual() {
    let mut random = Random::new(13);
    for (name, system) in examples() {
        let (q, v, vdot) = random_state(&system, &mut random);
        let moving = look(&system, 0.7, &q, &v, &vdot);
        let still = look(&system, 0.7, &q, &vec![0.0; v.len()], &vdot);
        let d = v.len();
        let got: Vec<f64> = (0..moving.rows.len()).map(|i| (0..d).map(|j| moving.G[i * d + j] * v[j]).sum()).collect();
        let free: Vec<f64> = moving.rows.velocity.iter().zip(&still.rows.velocity).map(|(a, b)| a - b).collect();
        assert_close(&got, &free, 1e-14, &name);
    }
}

#[test]
fn duals_carry_the_slope_of_the_residual_along_the_velocity() {
    let mut random = Random::new(14);
    for (name, system) in examples() {
        let (q, v, _) = random_state(&system, &mut random);
        let mut qdot = vec![0.0; q.len()];
        rate(&system.skeleton, &q, &v, &mut qdot);
        let seeded: Vec<Dual<1>> = q.iter().zip(&qdot).map(|(q, rate)| Dual { re: *q, eps: [*rate] }).collect();
        let zero = vec![0.0; v.len()];
        let none = vec![Dual::ZERO; v.len()];
        // Time stands still for duals: what the prescribed motion adds is the rate at rest.
        let dual = look(&system, 0.7, &seeded, &none, &none).rows;
        let (moving, still) = (look(&system, 0.7, &q, &v, &zero).rows, look(&system, 0.7, &q, &zero, &zero).rows);
        let expected: Vec<f64> = slopes(&system, &moving.position, &moving.velocity)
            .iter()
            .zip(slopes(&system, &still.position, &still.velocity))
            .map(|(a, b)| a - b)
            .collect();
        let values: Vec<f64> = dual.position.iter().map(|x| x.re).collect();
        let found: Vec<f64> = dual.position.iter().map(|x| x.eps[0]).collect();
        assert_close(&values, &moving.position, 1e-15, &name);
        assert_close(&found, &expected, 1e-13, &name);
    }
}

#[test]
fn a_planar_model_has_the_same_rows_in_the_spatial_kernel() {
    let mut random = Random::new(15);
    for (name, system) in examples() {
        let (q, v, vdot) = random_state(&system, &mut random);
        let (a, b) = (look(&system, 0.3, &q, &v, &vdot).rows, look(&system.spatial(), 0.3, &q, &v, &vdot).rows);
        assert_eq!(a.position, b.position, "{name}");
        assert_eq!(a.acceleration, b.acceleration, "{name}");
    }
}

#[test]
fn a_hinge_loop_tilted_a_little_shows_the_angles_of_the_tilt() {
    let text = r#"
borelli = 1
name = "door"
dimension = "spatial"
[body.door]
mass = 1
inertia = [1, 1, 1]
[joint.frame]
type = "gimbal"
parent = "world"
child = "door"
axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
[loop.pin]
type = "hinge"
a = "world"
b = "door"
"#;
    let system = build(text);
    let zero = [0.0; 3];
    let (x, y) = (1e-4, -2e-4);
    let rows = look(&system, 0.0, &[x, y, 0.9], &zero, &zero).rows;
    // Axis Z: u = X, w = Y. Terms of second order are left out.
    assert_close(&rows.position, &[0.0, 0.0, 0.0, x, y], 1e-7, "tilt");
    assert_close(&rows.moment[3][1].to_array(), &[1.0, 0.0, 0.0], 1e-3, "moment of tilt_u");
    let parts: Vec<&str> = system.names.rows.iter().map(|row| row.part).collect();
    assert_eq!(parts, ["x", "y", "z", "tilt_u", "tilt_w"]);
}

#[test]
fn a_guided_orientation_counts_whole_turns_as_none() {
    let text = format!("{PLANAR}\n[guide.turn]\ntype = \"orientation\"\nbody = \"cart\"\nangle = \"710 deg\"\n");
    let system = build(&text);
    let zero = [0.0; 5];
    // The cart's absolute angle is its coordinate; the corner's own angle of 0.4 adds to it.
    let q = [0.0, 0.0, -0.5, 0.0, 0.0];
    let rows = look(&system, 0.0, &q, &zero, &zero).rows;
    assert_close(&rows.position, &[(0.4 - 0.5) + 10f64.to_radians()], 1e-14, "angle");
}

#[test]
fn a_rod_without_length_between_its_points_still_has_a_finite_row() {
    let text = r#"
borelli = 1
name = "rod"
dimension = "planar"
[body.ball]
mass = 1
inertia = 1
[joint.float]
type = "planar"
parent = "world"
child = "ball"
[loop.rod]
type = "rod"
a = "world"
b = "ball"
length = "0.5 m"
"#;
    let system = build(text);
    let rows = look(&system, 0.0, &[0.0; 3], &[1.0, 2.0, 0.0], &[0.0; 3]).rows;
    assert_eq!((rows.position[0], rows.velocity[0], rows.acceleration[0]), (-0.5, 1.0, 0.0));
}

#[test]
fn faulty_loops_and_guides_are_refused_with_their_reason() {
    let linear = r#"{ type = "table", x = [0, 1, 2], y = [0, 1, 0], interpolation = "linear" }"#;
    let pchip = linear.replace("linear", "pchip");
    let cases = [
        ("[loop.r]\ntype = \"relation\"\ncoefficients = { elbow = 0 }".to_string(), "error[empty-relation]"),
        ("[loop.r]\ntype = \"relation\"\ncoefficients = { elbov = 1 }".to_string(), "did you mean `elbow`"),
        ("[loop.r]\ntype = \"relation\"\ncoefficients = { elbow = \"1 m\" }".to_string(), "error[wrong-unit]"),
        ("[loop.r]\ntype = \"rod\"\na = \"world\"\nb = \"arm\"\nlength = 0".to_string(), "error[out-of-range]"),
        ("[loop.r]\ntype = \"ball\"\na = \"world\"\nb = \"arm\"".to_string(), "error[wrong-dimension]"),
        ("[loop.r]\ntype = \"hinge\"\na = \"world\"\nb = \"arm\"\naxis = [0, 0, 1]".to_string(), "error[field-of-other-dimension]"),
        (format!("[guide.g]\ntype = \"coordinate\"\ncoordinate = \"elbow\"\nfunction = {linear}"), "error[guide-not-smooth]"),
        (format!("[guide.g]\ntype = \"coordinate\"\ncoordinate = \"elbow\"\nfunction = {pchip}"), "warning[guide-only-c1]"),
        ("[guide.g]\ntype = \"coordinate\"\ncoordinate = \"elbow\"\nfunction = \"3 m\"".to_string(), "error[wrong-unit]"),
        ("[guide.g]\ntype = \"point\"\npoint = \"arm.tip\"".to_string(), "error[nothing-guided]"),
        ("[guide.g]\ntype = \"point\"\npoint = \"arm.tip\"\nx = 1\nz = 1".to_string(), "error[field-of-other-dimension]"),
        (format!("[guide.g]\ntype = \"point\"\npoint = \"arm.tip\"\ny = {linear}"), "error[guide-not-smooth]"),
        ("[guide.g]\ntype = \"orientation\"\nbody = \"arm\"".to_string(), "error[missing-field]"),
        ("[guide.g]\ntype = \"orientation\"\nbody = \"arm\"\nangle = 1\nsequence = \"zxy\"".to_string(), "error[field-of-other-dimension]"),
    ];
    for (fields, expected) in cases {
        let text = refusal(&format!("{PLANAR}\n{fields}\n"));
        assert!(text.contains(expected), "{fields}\n{text}");
    }
    for (fields, expected) in [
        ("angles = [0, 0, 0]\nsequence = \"zzx\"", "error[bad-sequence]"),
        ("angles = [0, 0, 0]\nangle = 0", "error[field-of-other-dimension]"),
        ("sequence = \"xyz\"", "error[missing-field]"),
    ] {
        let text = refusal(&format!("{SPATIAL}\n[guide.g]\ntype = \"orientation\"\nbody = \"arm\"\n{fields}\n"));
        assert!(text.contains(expected), "{fields}\n{text}");
    }
}

#[test]
fn coefficients_and_lengths_are_parameters() {
    let system = build(&example(RowKind::Loop, "relation", true).expect("an example"));
    for path in ["loop.row.coefficients.elbow", "loop.row.coefficients.column", "loop.row.offset"] {
        assert!(system.parameter(path).is_some(), "{path}");
    }
    let elbow = system.parameter("loop.row.coefficients.elbow").expect("a parameter");
    let mut values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
    values[elbow] = 7.0;
    let (q, zero) = ([0.0, 0.0, 0.0, 1.0, 0.0], [0.0; 5]);
    let rows = look(&system.with_parameters(&values), 0.0, &q, &zero, &zero).rows;
    assert_close(&rows.position, &[7.0 - 0.1], 1e-15, "sum");
}
