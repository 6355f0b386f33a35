//! Mechanics that every force law must obey.
//! Not here: what is particular to one law (`single`); accelerations, since nothing here solves equations of motion.
//! A law without an example in `EXAMPLES` fails `every_law_has_an_example`; with one it takes part in the tests of all laws.

pub(crate) mod bent;
mod formula;
mod load;
mod single;

use crate::compile::compile;
use crate::force::kinds;
use crate::frames::Frames;
use crate::scene::{Loads, Scene};
use crate::system::{Numbers, Skeleton, System};
use borelli_math::{Constant, Dual, Real, Vec3};
use borelli_model::Model;
use borelli_testkit::differences::{assert_close, central_difference};
use borelli_testkit::random::Random;

/// A chain on three coordinates, a hinge and a slider, with frames that are turned against each other and paths with and without via points.
const PLANAR: &str = r#"
borelli = 1
dimension = "planar"
[world.point]
anchor = [0.3, 0.7]
[body.a]
mass = 2
inertia = 0.1
point = { near = [0.12, -0.1], origin = [0.03, 0.02] }
frame = { tilted = { origin = [0.02, -0.4], angle = 0.4 } }
[body.b]
mass = 1
inertia = 0.1
point = { top = [0.01, 0.2], side = [0.15, 0.05] }
[body.c]
mass = 1
inertia = 0.1
point = { end = [0.1, -0.3] }
[joint.base]
type = "planar"
parent = "world"
child = "a.origin"
[joint.knee]
type = "hinge"
parent = "a.tilted"
child = "b.top"
[joint.rail]
type = "slider"
parent = "b.side"
child = "c"
axis = [0.6, -0.8]
[path.line]
points = ["a.near", "b.side"]
[path.back]
points = ["b.side", "a.near"]
[path.bent]
points = ["world.anchor", "a.near", "b.side", "c.end"]
"#;

/// The same in space, on three angles.
const SPATIAL: &str = r#"
borelli = 1
dimension = "spatial"
[world.point]
anchor = [0.3, 0.7, 0.2]
[body.a]
mass = 2
inertia = [0.1, 0.1, 0.1]
point = { near = [0.12, -0.1, 0.05], origin = [0.03, 0.02, -0.04] }
frame = { tilted = { origin = [0.02, -0.4, 0.06], rotation = [0.3, -0.5, 0.4] } }
[body.b]
mass = 1
inertia = [0.1, 0.1, 0.1]
point = { top = [0.01, 0.2, 0.03], side = [0.15, 0.05, -0.1] }
[body.c]
mass = 1
inertia = [0.1, 0.1, 0.1]
point = { end = [0.1, -0.3, 0.2] }
[joint.base]
type = "gimbal"
parent = "world.anchor"
child = "a.origin"
[joint.knee]
type = "hinge"
parent = "a.tilted"
child = "b.top"
axis = [0.48, -0.6, 0.64]
[joint.rail]
type = "slider"
parent = "b.side"
child = "c"
axis = [0.36, -0.8, 0.48]
[path.line]
points = ["a.near", "b.side"]
[path.back]
points = ["b.side", "a.near"]
[path.bent]
points = ["world.anchor", "a.near", "b.side", "c.end"]
"#;

const BOTH: [&str; 2] = [PLANAR, SPATIAL];

/// One element of each law: name of the law, its fields in a planar model, in a spatial one.
const EXAMPLES: &[(&str, &str, &str)] = &[
    ("formula", FORMULA, FORMULA),
    (
        "force",
        r#"at = "b.side"
           force = [{ type = "sine", amplitude = 20, frequency = 0.7 }, { type = "polynomial", coefficients = [3, -40] }]
           axes = "body""#,
        r#"at = "b.side"
           force = [{ type = "sine", amplitude = 20, frequency = 0.7 }, { type = "polynomial", coefficients = [3, -40] }, "7 N"]
           axes = "body""#,
    ),
    (
        "torque",
        r#"body = "a"
           torque = { type = "sine", amplitude = 20, frequency = 0.7 }"#,
        r#"body = "a"
           torque = [{ type = "sine", amplitude = 20, frequency = 0.7 }, "2 N m", -6]
           axes = "body""#,
    ),
    (
        "load",
        r#"body = "b"
           force = [{ type = "sine", amplitude = 20, frequency = 0.7 }, { type = "polynomial", coefficients = [3, -40] }]
           point = [{ type = "polynomial", coefficients = [0.2, 0.6] }, "-0.4 m"]
           moment = { type = "sine", amplitude = 5, frequency = 0.4 }"#,
        r#"body = "b"
           force = [{ type = "sine", amplitude = 20, frequency = 0.7 }, { type = "polynomial", coefficients = [3, -40] }, "7 N"]
           point = [{ type = "polynomial", coefficients = [0.2, 0.6] }, "-0.4 m", { type = "sine", amplitude = 0.3, frequency = 0.5 }]
           moment = [1, { type = "sine", amplitude = 5, frequency = 0.4 }, "-2 N m"]"#,
    ),
    ("moment-actuator", MOMENT_ACTUATOR, MOMENT_ACTUATOR),
    (
        "effort",
        r#"coordinate = "rail"
           effort = { type = "sine", amplitude = "20 N", frequency = 0.7 }"#,
        r#"coordinate = "knee"
           effort = { type = "sine", amplitude = "20 N m", frequency = 0.7 }"#,
    ),
    (
        "coordinate-spring",
        "coordinate = \"knee\"\nstiffness = 30\ndamping = 2\nrest = 0.2",
        "coordinate = \"rail\"\nstiffness = 30\ndamping = 2\nrest = 0.2",
    ),
    ("joint-resistance", RESISTANCE, RESISTANCE),
    ("spring", "path = \"bent\"\nstiffness = 800\nlength = 0.6", "path = \"bent\"\nstiffness = 800\nlength = 0.6"),
    ("cord", "path = \"bent\"\nstiffness = 800\nlength = 0.2", "path = \"bent\"\nstiffness = 800\nlength = 0.2"),
    ("dashpot", "path = \"bent\"\ndamping = 50", "path = \"bent\"\ndamping = 50"),
    (
        "maxwell",
        "path = \"bent\"\nstiffness = 300\ndamping = 40\nlength = 0.4\ncreep = 0.05",
        "path = \"bent\"\nstiffness = 300\ndamping = 40\nlength = 0.4\ncreep = 0.05",
    ),
    ("actuator", ACTUATOR, ACTUATOR),
    (
        "lag-actuator",
        "path = \"bent\"\ncommand = { type = \"sine\", amplitude = 20, frequency = 0.7 }\ntime_constant = 0.1\ntension = 12",
        "path = \"bent\"\ncommand = { type = \"sine\", amplitude = 20, frequency = 0.7 }\ntime_constant = 0.1\ntension = 12",
    ),
];

/// With these ends the states of `states` are in the lower transition, in the free range and in the upper transition.
const RESISTANCE: &str = r#"
coordinate = "knee"
lower = -0.2
upper = 0.2
transition = 1.1
moment = 60
damping = 0.4
neutral = 0.15
"#;
const ACTUATOR: &str = r#"
path = "bent"
tension = { type = "polynomial", coefficients = ["120 N", "300 N/s"] }
"#;
const MOMENT_ACTUATOR: &str = r#"
path = "line"
moment = { type = "polynomial", coefficients = ["3 N m", "2 N m/s", "5 N m/s^2"] }
joint = "knee"
"#;
const FORMULA: &str = r#"
path = "bent"
tension = "k*(path.bent.length - slack)^2 + [9 N s/m]*path.line.rate*sin(coord.knee.value) + [30 N/s]*time"
numbers = { k = "200 N/m^2", slack = 0.4 }
"#;
const PATH_LAWS: [&str; 8] = ["formula", "spring", "cord", "dashpot", "maxwell", "actuator", "lag-actuator", "moment-actuator"];

fn system(text: &str) -> System {
    compile(&Model::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

fn with_force(model: &str, kind: &str, fields: &str) -> String {
    format!("{model}[force.f]\ntype = \"{kind}\"\n{fields}\n")
}

/// The two models of a law's example.
fn examples(wanted: &str) -> [System; 2] {
    let (kind, planar, spatial) = EXAMPLES.iter().find(|(kind, ..)| *kind == wanted).expect("an example");
    [system(&with_force(PLANAR, kind, planar)), system(&with_force(SPATIAL, kind, spatial))]
}

fn evaluate<S: Real, C: Constant<S>>(skeleton: &Skeleton, numbers: &Numbers<C>, q: &[S], v: &[S], t: f64) -> (Frames<S>, Loads<S>) {
    let mut frames = Frames::new(skeleton);
    frames.fill::<C, false>(skeleton, &numbers.tree, q, v, &[]);
    frames.fill_points(skeleton);
    let mut loads = Loads::new(skeleton, numbers);
    numbers.forces.apply(
        &Scene { skeleton, numbers, frames: &frames, q, v, vdot: &[], t: S::from_f64(t), inside: crate::scene::Inside::NONE },
        &mut loads,
    );
    (frames, loads)
}

/// Generalised forces of all loads.
fn generalised(system: &System, frames: &Frames<f64>, loads: &Loads<f64>) -> Vec<f64> {
    let (mut moment, mut force) = (loads.moment.clone(), loads.force.clone());
    let mut tau = vec![0.0; system.skeleton.dofs()];
    frames.project(&system.skeleton, &mut moment, &mut force, &mut tau);
    tau.iter().zip(&loads.tau).map(|(a, b)| a + b).collect()
}

fn generalised_at(system: &System, q: &[f64], v: &[f64], t: f64) -> Vec<f64> {
    let (frames, loads) = evaluate(&system.skeleton, &system.numbers, q, v, t);
    generalised(system, &frames, &loads)
}

/// Everything that laws write, in one list.
fn everything<S: Real>(loads: &Loads<S>) -> Vec<S> {
    let vectors = loads.moment.iter().chain(&loads.force).flat_map(|v| v.to_array());
    let scalars = loads.tau.iter().chain(&loads.lines.length).chain(&loads.lines.tension).copied();
    vectors.chain(scalars).chain([loads.stored]).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn moved(x: &[f64], direction: &[f64], s: f64) -> Vec<f64> {
    x.iter().zip(direction).map(|(x, d)| x + s * d).collect()
}

fn lifted(x: &[f64], direction: &[f64]) -> Vec<Dual<1>> {
    x.iter().zip(direction).map(|(x, d)| Dual { re: *x, eps: [*d] }).collect()
}

/// Random states whose knee angle goes from one side of its range to the other.
fn states(system: &System) -> Vec<(Vec<f64>, Vec<f64>, f64)> {
    let mut random = Random::new(7);
    let knee = system.names.coordinates.iter().position(|c| c.name == "knee").expect("a knee");
    [-0.9, -0.4, 0.1, 0.2, 0.7, 1.1]
        .into_iter()
        .map(|angle| {
            let mut q = random.uniforms(system.skeleton.coords(), -0.5, 0.5);
            q[knee] = angle;
            (q, random.uniforms(system.skeleton.dofs(), -2.0, 2.0), random.uniform(0.1, 1.0))
        })
        .collect()
}

fn norm(v: Vec3<f64>) -> f64 {
    v.dot(v).sqrt()
}

/// Codes of the errors of a model, sorted.
fn faults(text: &str) -> Vec<&'static str> {
    let rejected = compile(&Model::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"))).expect_err("must be refused");
    let mut codes: Vec<&'static str> = rejected.findings.iter().map(|f| f.code).collect();
    codes.sort_unstable();
    codes
}

#[test]
fn every_law_has_an_example() {
    let names: Vec<&str> = kinds("force").iter().map(|kind| kind.name).collect();
    let shown: Vec<&str> = EXAMPLES.iter().map(|(kind, ..)| *kind).collect();
    assert_eq!(names, shown);
    for kind in kinds("force") {
        assert!(kind.planar && kind.spatial, "{}", kind.name);
        for system in examples(kind.name) {
            let (q, v, t) = states(&system).remove(0);
            let (_, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
            let acts = loads.force.iter().chain(&loads.moment).any(|v| norm(*v) > 0.1) || loads.tau.iter().any(|x| x.abs() > 0.1);
            assert!(acts, "the example of {} does nothing", kind.name);
        }
    }
}

#[test]
fn duals_of_the_state_through_every_law_equal_differences() {
    for kind in kinds("force") {
        for system in examples(kind.name) {
            let (skeleton, numbers) = (&system.skeleton, &system.numbers);
            let mut random = Random::new(3);
            for (q, v, t) in states(&system) {
                let (dq, dv) = (random.uniforms(q.len(), -1.0, 1.0), random.uniforms(v.len(), -1.0, 1.0));
                let (_, loads) = evaluate(skeleton, numbers, &lifted(&q, &dq), &lifted(&v, &dv), t);
                let exact: Vec<f64> = everything(&loads).iter().map(|x| x.eps[0]).collect();
                let mut f = |s: f64| everything(&evaluate(skeleton, numbers, &moved(&q, &dq, s), &moved(&v, &dv, s), t).1);
                assert_close(&exact, &central_difference(&mut f, 1e-3), 1e-10, kind.name);
            }
        }
    }
}

#[test]
fn duals_of_the_parameters_through_every_law_equal_differences() {
    for kind in kinds("force") {
        for system in examples(kind.name) {
            let skeleton = &system.skeleton;
            let values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
            let mut random = Random::new(5);
            for (q, v, t) in states(&system) {
                let change: Vec<f64> = values.iter().map(|x| x * random.uniform(-1.0, 1.0)).collect();
                let still = vec![0.0; q.len()];
                let numbers = system.parts.numbers(skeleton, &lifted(&values, &change));
                let (_, loads) = evaluate(skeleton, &numbers, &lifted(&q, &still), &lifted(&v, &still), t);
                let exact: Vec<f64> = everything(&loads).iter().map(|x| x.eps[0]).collect();
                let mut f = |s: f64| {
                    let numbers = system.parts.numbers(skeleton, &moved(&values, &change, s));
                    everything(&evaluate(skeleton, &numbers, &q, &v, t).1)
                };
                assert_close(&exact, &central_difference(&mut f, 1e-3), 1e-10, kind.name);
            }
        }
    }
}

/// Loads at rest with the slopes of all they hold along `direction`; the tests above compare such slopes with differences.
fn slopes_along(system: &System, q: &[f64], direction: &[f64], t: f64) -> Loads<Dual<1>> {
    let still = vec![Dual::ZERO; system.skeleton.dofs()];
    evaluate(&system.skeleton, &system.numbers, &lifted(q, direction), &still, t).1
}

#[test]
fn elastic_forces_are_minus_the_slope_of_the_stored_energy() {
    for kind in ["coordinate-spring", "joint-resistance", "spring", "cord"] {
        for system in examples(kind) {
            let still = vec![0.0; system.skeleton.dofs()];
            for (q, direction, t) in states(&system) {
                let power = dot(&generalised_at(&system, &q, &still, t), &direction);
                let slope = slopes_along(&system, &q, &direction, t).stored.eps[0];
                assert_close(&[-power], &[slope], 1e-13, kind);
            }
        }
    }
}

#[test]
fn every_path_law_acts_and_reacts() {
    for kind in PATH_LAWS {
        for system in examples(kind) {
            for (q, v, t) in states(&system) {
                let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
                let bodies = 0..loads.force.len();
                let size: f64 = loads.force.iter().map(|f| norm(*f)).sum();
                let force = bodies.clone().fold(Vec3::ZERO, |sum, b| sum + loads.force[b]);
                let moment = bodies.fold(Vec3::ZERO, |sum, b| sum + loads.moment[b] + frames.p[b].cross(loads.force[b]));
                assert!(size > 0.1, "{kind}");
                assert!(norm(force) < 1e-14 * size && norm(moment) < 1e-14 * size, "{kind}: {force:?} {moment:?}");
            }
        }
    }
}

#[test]
fn the_power_of_every_path_law_is_minus_tension_times_rate() {
    for kind in PATH_LAWS {
        for system in examples(kind) {
            for (q, v, t) in states(&system) {
                let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
                let rates: Vec<f64> = slopes_along(&system, &q, &v, t).lines.length.iter().map(|l| l.eps[0]).collect();
                let power = dot(&generalised(&system, &frames, &loads), &v);
                assert_close(&[power], &[-dot(&loads.lines.tension, &rates)], 1e-13, kind);
            }
        }
    }
}

#[test]
fn the_rate_of_a_path_is_the_slope_of_its_length() {
    for system in examples("dashpot") {
        for (q, v, t) in states(&system) {
            let (_, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
            let slope = slopes_along(&system, &q, &v, t).lines.length[2].eps[0];
            assert_close(&[loads.lines.tension[2] / 50.0], &[slope], 1e-14, "rate");
        }
    }
}

#[test]
fn lengths_of_paths_without_elements_are_reported() {
    for model in BOTH {
        let system = system(model);
        let (q, v, t) = states(&system).remove(2);
        let (frames, loads) = evaluate(&system.skeleton, &system.numbers, &q, &v, t);
        let scene = Scene {
            skeleton: &system.skeleton,
            numbers: &system.numbers,
            frames: &frames,
            q: &q,
            v: &v,
            vdot: &[],
            t,
            inside: crate::scene::Inside::NONE,
        };
        let far = |pair: &[u32]| norm(scene.point(pair[1]).p_W - scene.point(pair[0]).p_W);
        let expected: Vec<f64> = (0..3).map(|path| system.numbers.paths.places(path).expect("places").windows(2).map(far).sum()).collect();
        assert_close(&loads.lines.length, &expected, 1e-15, "lengths");
        assert!(expected.iter().all(|l| *l > 0.1));
        assert_eq!(loads.lines.tension, [0.0; 3]);
        assert!(loads.force.iter().all(|f| norm(*f) == 0.0));
    }
}
