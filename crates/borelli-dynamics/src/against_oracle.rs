//! Every tree of the gallery against the oracle of the testkit, and the proof that this guard can fail. Exists in tests only.
//! Not here: forces and constraints, which are taken off the models; the oracle knows rigid trees alone.
//! In: gallery files. The oracle gets body frames, joint frames and motions as the file states them, before the change to kernel frames.

use crate::constraint::Constraints;
use crate::contact::Contacts;
use crate::fault_injection::with_flipped_coriolis;
use crate::force::Forces;
use crate::formulation::{Evaluation, FORMULATIONS, Failure, Input};
use crate::parts::{MotionPart, Orientation, PlacePart, Slot};
use crate::system::{Measure, System};
use crate::{compile, parts};
use borelli_math::{Mat3, Vec3, rotation_vector};
use borelli_model::Model;
use borelli_testkit::oracle::{Body, FunctionOf, IDENTITY, Motion, Tree};
use borelli_testkit::{Random, assert_close, peers};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// Names of the gallery, sorted.
fn gallery() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("the gallery");
    let files = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = files.filter_map(|file| file.strip_suffix(".toml").map(str::to_string)).collect();
    names.sort();
    names
}

/// A model of the gallery without forces, contacts, loops and guides.
fn bare(name: &str) -> System {
    let model = Model::read(&folder().join(format!("{name}.toml"))).unwrap_or_else(|rejected| panic!("{rejected}"));
    let mut system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
    (system.parts.forces, system.parts.constraints) = (Forces::default(), Constraints::default());
    (system.numbers.forces, system.numbers.constraints) = (Forces::default(), Constraints::default());
    (system.parts.contacts, system.numbers.contacts) = (Contacts::default(), Contacts::default());
    [&mut system.names.contacts, &mut system.names.pairs, &mut system.names.sensors].into_iter().for_each(Vec::clear);
    system.names.rows.clear();
    system.bounds.retain(|bound| bound.coord.is_some());
    system
}

type Rows = [[f64; 3]; 3];

fn transposed(m: Rows) -> Rows {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| m[j][i]))
}

fn times(m: Rows, v: [f64; 3]) -> [f64; 3] {
    m.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
}

/// Position and rotation of a place in its body.
fn pose(place: &PlacePart<Slot>, p: &[f64]) -> ([f64; 3], Rows) {
    let columns = |vector: [f64; 3]| {
        let R = rotation_vector(Vec3::from_array(vector));
        [R.x.to_array(), R.y.to_array(), R.z.to_array()]
    };
    let rotation = match &place.orientation {
        Orientation::Body => IDENTITY,
        Orientation::Angle(angle) => {
            let (s, c) = angle.get(p).sin_cos();
            [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
        }
        Orientation::Vector(vector) => transposed(columns(vector.map(|slot| slot.get(p)))),
        Orientation::Turns(turns) => {
            let R = (0..3).fold(Mat3::IDENTITY, |R, k| {
                let mut about = [0.0; 3];
                about[k] = turns[k].get(p);
                R * rotation_vector(Vec3::from_array(about))
            });
            transposed([R.x.to_array(), R.y.to_array(), R.z.to_array()])
        }
        Orientation::Axes(columns) => transposed(*columns),
    };
    (place.position.map(|slot| slot.get(p)), rotation)
}

fn motion(part: &MotionPart, system: &System) -> Motion {
    let p: Vec<f64> = system.parameters.iter().map(|parameter| parameter.value).collect();
    let function = |f: u32| -> FunctionOf {
        let function = system.numbers.functions[f as usize].clone();
        Box::new(move |x| function.eval(x))
    };
    match part {
        MotionPart::Turn(axis) => Motion::Turn { axis: *axis },
        MotionPart::Slide(axis) => Motion::Slide { axis: *axis },
        MotionPart::Ball => Motion::Ball,
        MotionPart::Function { slides, turns } => Motion::Function {
            translation: IDENTITY.map(|axis| -> FunctionOf {
                match slides.iter().find(|(along, _, _)| *along == axis) {
                    Some((_, f, scale)) => {
                        let (function, scale) = (function(*f), scale.get(&p));
                        Box::new(move |x| function(x).map(|value| scale * value))
                    }
                    None => Box::new(|_| [0.0; 3]),
                }
            }),
            turns: turns.iter().map(|(axis, f)| (*axis, function(*f))).collect(),
        },
    }
}

/// The tree of a system for the oracle.
fn tree(system: &System) -> Tree {
    let p: Vec<f64> = system.parameters.iter().map(|parameter| parameter.value).collect();
    let parts::Parts { gravity, bodies, joints, .. } = &system.parts;
    let body = |(k, (body, joint)): (usize, (&parts::BodyPart<Slot>, &parts::JointPart<Slot>))| {
        let (mass, center, I) = body.properties(&p);
        let ((offset, rest), (grip, R_BM)) = (pose(&joint.parent, &p), pose(&joint.child, &p));
        Body {
            parent: (system.skeleton.parent[k + 1] as usize).checked_sub(1),
            offset,
            rest,
            motions: joint.motions.iter().map(|part| motion(part, system)).collect(),
            child: (times(transposed(R_BM), grip).map(|x| -x), transposed(R_BM)),
            mass,
            center: center.to_array(),
            inertia: [[I.xx, I.xy, I.xz], [I.xy, I.yy, I.yz], [I.xz, I.yz, I.zz]],
        }
    };
    Tree { gravity: gravity.map(|slot| slot.get(&p)), bodies: bodies.iter().zip(joints).enumerate().map(body).collect() }
}

/// Coordinates about the start (rotations anywhere), speeds, generalised forces.
fn scatter(system: &System, random: &mut Random) -> [Vec<f64>; 3] {
    let (mut q, mut k) = (system.start.q.clone(), 0);
    while k < q.len() {
        match system.names.coordinates[k].measure {
            Measure::Angle => q[k] += random.uniform(-1.0, 1.0),
            Measure::Length => q[k] += random.uniform(-0.3, 0.3),
            Measure::Quaternion => {
                q[k..k + 4].copy_from_slice(&random.unit_quaternion());
                k += 3;
            }
        }
        k += 1;
    }
    let n = system.skeleton.dofs();
    [q, random.uniforms(n, -2.0, 2.0), random.uniforms(n, -10.0, 10.0)]
}

/// The model by the planar kernel where it is planar, by the spatial kernel, and by all other formulations that take it.
fn evaluate(system: &System, [q, v, tau]: &[Vec<f64>; 3]) -> Result<Vec<(&'static str, Evaluation)>, Failure> {
    let spatial = system.spatial();
    let mut list = Vec::new();
    for entry in FORMULATIONS {
        for (name, system) in [(entry.name, system), ("articulated-spatial", &spatial)] {
            if entry.name != "articulated" && name != entry.name {
                continue;
            }
            let mut out = Evaluation::new(system);
            let mut formulation = match (entry.build)(system) {
                Ok(formulation) => formulation,
                // What it declines is a golden list of the suite.
                Err(_) if name == "segment-chain" || name == "coupled" => continue,
                Err(declined) => panic!("{name}: {}", declined.reason),
            };
            formulation.evaluate(system, Input { t: 0.0, q, v, tau, ..Input::default() }, &mut out)?;
            list.push((name, out));
        }
    }
    Ok(list)
}

/// Largest difference over the largest expected entry (or one).
fn apart(got: &[f64], expected: &[f64]) -> f64 {
    assert!(got.iter().chain(expected).all(|x| x.is_finite()), "{got:?} {expected:?}");
    let scale = expected.iter().fold(1.0, |max: f64, x| max.max(x.abs()));
    got.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale
}

#[test]
fn trees_of_the_gallery_move_as_lagranges_equations_say() {
    let mut random = Random::new(31);
    let (mut trees, mut chains) = (0, 0);
    for name in gallery() {
        let system = bare(&name);
        if system.has_soft() || system.skeleton.coords() > 12 && !peers::MODELS.contains(&name.as_str()) {
            continue;
        }
        trees += 1;
        let oracle = tree(&system);
        assert_eq!((oracle.coordinates(), oracle.speeds()), (system.skeleton.coords(), system.skeleton.dofs()));
        let (mut states, mut draws) = (0, 0);
        while states < 20 {
            draws += 1;
            assert!(draws < 2000, "{name}: states lie outside the tables of its joints");
            let state = scatter(&system, &mut random);
            let list = match evaluate(&system, &state) {
                Err(Failure::OutsideTable { .. }) => continue,
                result => result.unwrap_or_else(|failure| panic!("{name}: {failure}")),
            };
            states += 1;
            let [q, v, tau] = &state;
            let vdot = oracle.accelerations(q, v, tau);
            let (linear, angular) = oracle.momentum(q, v);
            for (formulation, out) in list {
                chains += usize::from(formulation == "segment-chain");
                let what = |quantity: &str| format!("{name}, {formulation}: {quantity}");
                assert_close(&out.vdot, &vdot, 1e-9, &what("accelerations"));
                assert_close(&[out.kinetic_energy], &[oracle.kinetic_energy(q, v)], 1e-12, &what("kinetic energy"));
                assert_close(&[out.gravity_energy], &[oracle.potential_energy(q)], 1e-12, &what("gravity energy"));
                assert_close(&out.momentum.to_array(), &linear, 1e-12, &what("momentum"));
                assert_close(&out.angular_momentum.to_array(), &angular, 1e-12, &what("angular momentum"));
            }
        }
    }
    assert!(trees >= 20 && chains >= 10 * 20, "{trees} trees, {chains} states of chains");
}

#[test]
fn flipping_the_sign_of_one_coriolis_term_makes_the_guards_fail() {
    let mut random = Random::new(32);
    for name in peers::MODELS {
        let flat = bare(name);
        let oracle = tree(&flat);
        let mut states: Vec<[Vec<f64>; 3]> = (0..3).map(|_| scatter(&flat, &mut random)).collect();
        let mut expected: Vec<Vec<f64>> = states.iter().map(|[q, v, tau]| oracle.accelerations(q, v, tau)).collect();
        for state in peers::states(name).unwrap_or_default() {
            states.push([state.q, state.v, state.tau]);
            expected.push(state.qdd);
        }
        for (state, expected) in states.iter().zip(&expected) {
            let right = evaluate(&flat, state).unwrap();
            let wrong = with_flipped_coriolis(|| evaluate(&flat, state)).unwrap();
            for ((formulation, right), (_, wrong)) in right.iter().zip(&wrong) {
                let miss = (apart(&right.vdot, expected), apart(&wrong.vdot, expected));
                assert!(miss.0 <= 1e-9, "{name}, {formulation}: {miss:?}");
                // The fault is in the kinematics of the tree, which open equations share: absolute coordinates stay right, so `compare` sees it too.
                if formulation.starts_with("articulated") || *formulation == "coupled" {
                    assert!(miss.1 > 1e-4, "{name}, {formulation}: {miss:?}");
                } else {
                    assert_eq!(wrong.vdot, right.vdot);
                }
            }
        }
    }
}
