//! Formulations with multipliers for every joint against the oracle, other programs, closed forms and the balances of momentum and energy.
//! Exists in tests only. Not here: comparison of formulations on the gallery, which the suite makes.

use crate::compile;
use crate::constraint::Rows;
use crate::formulation::{Evaluation, FORMULATIONS, Failure, Formulation, Input};
use crate::frames::Frames;
use crate::joint_motion::{self, Shape};
use crate::scene::Scene;
use crate::system::{DofClass, Motion, System};
use crate::twin::{Twin, parse, random_state};
use borelli_math::{Quat, Vec3, vec3};
use borelli_model::Model;
use borelli_testkit::oracle::{self, Tree};
use borelli_testkit::{Random, assert_close, central_difference, peers};

/// The formulations judged here.
const JUDGED: [&str; 2] = ["cartesian", "natural"];

fn gallery(name: &str) -> System {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

fn build<'a>(formulation: &str, system: &'a System) -> Box<dyn Formulation + 'a> {
    let entry = FORMULATIONS.iter().find(|entry| entry.name == formulation).expect("registered");
    (entry.build)(system).expect("takes every model")
}

fn evaluate(formulation: &str, system: &System, q: &[f64], v: &[f64], tau: &[f64]) -> Result<Evaluation, Failure> {
    let mut out = Evaluation::new(system);
    build(formulation, system).evaluate(system, Input { t: 0.0, q, v, tau, ..Input::default() }, &mut out).map(|()| out)
}

/// Coordinates a time `h` later at the speeds v.
fn moved(system: &System, q: &[f64], v: &[f64], h: f64) -> Vec<f64> {
    let mut q = q.to_vec();
    for motion in &system.skeleton.motions {
        match *motion {
            Motion::Ball { coord, dof } => {
                let (coord, dof) = (coord as usize, dof as usize);
                let step = Quat::from_rotation_vector(vec3(v[dof], v[dof + 1], v[dof + 2]).scale(h));
                let turned = Quat::from_slice(&q[coord..coord + 4]).product(step);
                q[coord..coord + 4].copy_from_slice(&turned.to_array());
            }
            Motion::Turn { coord, dof, .. } | Motion::Slide { coord, dof, .. } | Motion::Function { coord, dof, .. } => {
                q[coord as usize] += h * v[dof as usize];
            }
            Motion::Fixed { .. } => {}
        }
    }
    q
}

#[test]
fn every_type_of_joint_accelerates_as_the_oracle_says() {
    for formulation in JUDGED {
        let mut random = Random::new(21);
        for round in 0..20 {
            let twin = Twin::all_joints(&mut random, round % 2 == 0);
            let system = parse(&twin.text);
            let (q, v, tau) = random_state(&system, &mut random);
            let out = evaluate(formulation, &system, &q, &v, &tau).unwrap();
            assert_close(&out.vdot, &twin.tree.accelerations(&q, &v, &tau), 1e-9, "accelerations");
            assert_close(&[out.kinetic_energy], &[twin.tree.kinetic_energy(&q, &v)], 1e-13, "kinetic energy");
            assert_close(&[out.gravity_energy], &[twin.tree.potential_energy(&q)], 1e-13, "potential energy");
            let (linear, angular) = twin.tree.momentum(&q, &v);
            assert_close(&out.momentum.to_array(), &linear, 1e-13, "momentum");
            assert_close(&out.angular_momentum.to_array(), &angular, 1e-13, "angular momentum");
        }
    }
}

/// All formulations that take a system, against the first, in all that they report.
fn all_alike(system: &System, q: &[f64], v: &[f64], tau: &[f64], single_reactions: bool) -> usize {
    let report = |formulation: &str| {
        let out = evaluate(formulation, system, q, v, tau).unwrap_or_else(|failure| panic!("{formulation}: {failure}"));
        let reactions: Vec<f64> = out.reaction_force.iter().chain(&out.reaction_moment).flat_map(|x| x.to_array()).collect();
        (out.vdot, reactions, [out.kinetic_energy, out.gravity_energy, out.stored_energy], out.row_force)
    };
    let takers: Vec<&str> = FORMULATIONS.iter().filter(|entry| (entry.build)(system).is_ok()).map(|entry| entry.name).collect();
    let first = report(takers[0]);
    for other in &takers[1..] {
        let found = report(other);
        assert_close(&found.0, &first.0, 1e-9, &format!("accelerations, {other}"));
        assert_close(&found.2, &first.2, 1e-12, &format!("energies, {other}"));
        if single_reactions {
            assert_close(&found.1, &first.1, 1e-9, &format!("reactions, {other}"));
            assert_close(&found.3, &first.3, 1e-9, &format!("forces of rows, {other}"));
        }
    }
    takers.len()
}

#[test]
fn all_formulations_agree_on_every_type_of_joint() {
    let mut random = Random::new(28);
    for round in 0..20 {
        let twin = Twin::all_joints(&mut random, round % 2 == 0);
        for kind in crate::joint::JOINTS {
            assert!(twin.text.contains(&format!("type = \"{}\"", kind.kind.name)), "no {}", kind.kind.name);
        }
        let system = parse(&twin.text);
        for _ in 0..5 {
            let (q, v, tau) = random_state(&system, &mut random);
            assert!(all_alike(&system, &q, &v, &tau, true) > JUDGED.len(), "compared with none other");
        }
    }
}

#[test]
fn all_formulations_agree_where_loops_say_the_same_twice() {
    let mut random = Random::new(29);
    for dimension in ["planar", "spatial"] {
        for _ in 0..10 {
            let s = random.uniforms(3, -1.2, 1.2);
            let (q, v) = ([s[0], -s[0], s[0]], [s[1], -s[1], s[1]]);
            let tau = random.uniforms(3, -5.0, 5.0);
            assert!(all_alike(&four_bar(dimension, 1), &q, &v, &tau, dimension == "planar") > JUDGED.len());
            assert!(all_alike(&four_bar(dimension, 2), &q, &v, &tau, false) > JUDGED.len());
        }
    }
}

#[test]
fn the_velocity_part_of_joint_accelerations_equals_that_of_the_tree_kinematics() {
    let mut random = Random::new(22);
    for round in 0..6 {
        let system = parse(&Twin::all_joints(&mut random, round % 2 == 0).text);
        let (q, v, _) = random_state(&system, &mut random);
        let System { skeleton, numbers, .. } = &system;
        let mut frames = Frames::new(skeleton);
        frames.fill::<f64, false>(skeleton, &numbers.tree, &q, &v, &[]);
        for b in 1..skeleton.parent.len() {
            let P = skeleton.parent[b] as usize;
            let (linear, angular) = joint_motion::bias(&Shape::of(skeleton, b), b, P, &frames, &numbers.tree, &q, &v);
            let (w_P, r) = (frames.w[P], frames.r[b]);
            let carried = frames.a[P] + frames.al[P].cross(r) + w_P.cross(w_P.cross(r));
            assert_close(&linear.to_array(), &(frames.a[b] - carried).to_array(), 1e-12, "linear part");
            assert_close(&angular.to_array(), &(frames.al[b] - frames.al[P]).to_array(), 1e-12, "angular part");
        }
    }
}

#[test]
fn momentum_changes_by_gravity_root_reactions_and_root_efforts() {
    for formulation in JUDGED {
        let mut random = Random::new(23);
        for _ in 0..4 {
            let mut twin = Twin::new();
            let axis = random.direction();
            let turn = |axis| vec![oracle::Motion::Turn { axis }];
            twin.add(&mut random, None, &format!("type = \"hinge\"\naxis = {axis:?}"), turn(axis), false);
            twin.add(&mut random, Some(0), "type = \"ball\"", vec![oracle::Motion::Ball], false);
            twin.add(&mut random, Some(1), "type = \"slider\"", vec![oracle::Motion::Slide { axis: [1.0, 0.0, 0.0] }], false);
            let system = parse(&twin.text);
            let (q, v, tau) = random_state(&system, &mut random);
            let out = evaluate(formulation, &system, &q, &v, &tau).unwrap();
            let rates = central_difference(
                &mut |h| {
                    let v_h: Vec<f64> = v.iter().zip(&out.vdot).map(|(v, a)| v + h * a).collect();
                    let later = evaluate(formulation, &system, &moved(&system, &q, &v, h), &v_h, &tau).unwrap();
                    let energy = later.kinetic_energy + later.gravity_energy;
                    [later.momentum.to_array(), later.angular_momentum.to_array(), [energy, 0.0, 0.0]].concat()
                },
                1e-3,
            );
            // The motion of mass centres is needed for the moment of gravity only.
            let mut frames = Frames::new(&system.skeleton);
            let tree = &system.numbers.tree;
            frames.fill::<f64, false>(&system.skeleton, tree, &q, &v, &[]);
            frames.fill_points(&system.skeleton);
            let (mut force, mut moment) = (out.reaction_force[1], out.reaction_moment[1]);
            moment += frames.p[1].cross(force) + frames.s_ang[0].scale(tau[0]);
            for b in 1..4 {
                let weight = tree.gravity.scale(tree.mass[b]);
                force += weight;
                moment += (frames.p[b] + frames.R[b].mul_const(tree.mc_B[b]).scale(1.0 / tree.mass[b])).cross(weight);
            }
            assert_close(&force.to_array(), &rates[..3], 1e-9, "force and rate of momentum");
            assert_close(&moment.to_array(), &rates[3..6], 1e-9, "moment and rate of angular momentum");
            let power: f64 = tau.iter().zip(&v).map(|(tau, v)| tau * v).sum();
            assert_close(&[rates[6]], &[power], 1e-9, "power and rate of energy");
        }
    }
}

/// Rates of momentum and angular momentum of a part of the bodies, by differences of what the oracle says along the motion.
fn momentum_rates(system: &System, tree: &mut Tree, part: &[bool], q: &[f64], v: &[f64], vdot: &[f64]) -> Vec<f64> {
    let kept: Vec<(f64, [[f64; 3]; 3])> = tree.bodies.iter().map(|b| (b.mass, b.inertia)).collect();
    for (body, keep) in tree.bodies.iter_mut().zip(part) {
        if !keep {
            (body.mass, body.inertia) = (0.0, [[0.0; 3]; 3]);
        }
    }
    let rates = central_difference(
        &mut |h| {
            let v_h: Vec<f64> = v.iter().zip(vdot).map(|(v, a)| v + h * a).collect();
            let (linear, angular) = tree.momentum(&moved(system, q, v, h), &v_h);
            [linear, angular].concat()
        },
        5e-4,
    );
    for (body, (mass, inertia)) in tree.bodies.iter_mut().zip(kept) {
        (body.mass, body.inertia) = (mass, inertia);
    }
    rates
}

#[test]
fn every_joint_carries_what_the_bodies_behind_it_need() {
    for formulation in JUDGED {
        let mut random = Random::new(26);
        for _ in 0..3 {
            let mut twin = Twin::all_joints(&mut random, false);
            let system = parse(&twin.text);
            let System { skeleton, numbers, .. } = &system;
            let (q, v, tau) = random_state(&system, &mut random);
            let out = evaluate(formulation, &system, &q, &v, &tau).unwrap();
            let mut frames = Frames::new(skeleton);
            frames.fill::<f64, false>(skeleton, &numbers.tree, &q, &v, &[]);
            frames.fill_points(skeleton);
            for b in 1..skeleton.parent.len() {
                let mut behind = vec![false; skeleton.parent.len()];
                behind[b] = true;
                (b + 1..behind.len()).for_each(|k| behind[k] |= behind[skeleton.parent[k] as usize]);
                let rates = momentum_rates(&system, &mut twin.tree, &behind[1..], &q, &v, &out.vdot);
                // The wrench of the joint at its origin: what momentum needs beyond gravity.
                let mut force = vec3(rates[0], rates[1], rates[2]);
                let mut moment = vec3(rates[3], rates[4], rates[5]);
                for k in (b..behind.len()).filter(|k| behind[*k]) {
                    let weight = numbers.tree.gravity.scale(numbers.tree.mass[k]);
                    force -= weight;
                    moment -= frames.p[k].cross(weight) + frames.R[k].mul_const(numbers.tree.mc_B[k]).cross(numbers.tree.gravity);
                }
                moment -= frames.p[b].cross(force);
                // The children hung on the world or elsewhere do not matter; those behind b act on each other only.
                let (reaction, couple) = (out.reaction_force[b], out.reaction_moment[b]);
                let (rest_force, rest_moment) = (force - reaction, moment - couple);
                let scale = 1.0 + force.norm() + moment.norm();
                for dof in skeleton.dofs_of(b) {
                    let (s, e) = (frames.s_ang[dof], frames.s_lin[dof]);
                    assert!((s.dot(couple) + e.dot(reaction)).abs() < 1e-10 * scale, "the reaction does no work");
                    assert!((s.dot(rest_moment) + e.dot(rest_force) - tau[dof]).abs() < 1e-7 * scale, "the rest is the effort");
                }
                // And nothing of the rest lies where the joint holds.
                let (mut turns, mut slides) = (0, 0);
                for dof in skeleton.dofs_of(b) {
                    turns += usize::from(skeleton.class[dof] != DofClass::Slide);
                    slides += usize::from(skeleton.class[dof] == DofClass::Slide);
                }
                let axes: Vec<Vec3<f64>> = skeleton.dofs_of(b).map(|dof| frames.s_ang[dof]).collect();
                let outside = match turns {
                    0 => rest_moment.norm(),
                    1 => rest_moment.cross(axes[slides]).norm() / axes[slides].norm(),
                    2 => rest_moment.dot(axes[slides].cross(axes[slides + 1])).abs(),
                    _ => 0.0,
                };
                assert!(outside < 1e-7 * scale, "joint {}: moment {outside:e} of {scale:e}", system.names.joints[b]);
                let outside = match slides {
                    0 => rest_force.norm(),
                    1 => rest_force.cross(frames.s_lin[skeleton.dofs_of(b).start]).norm(),
                    2 => {
                        let first = skeleton.dofs_of(b).start;
                        rest_force.dot(frames.s_lin[first].cross(frames.s_lin[first + 1])).abs()
                    }
                    _ => 0.0,
                };
                assert!(outside < 1e-7 * scale, "joint {}: force {outside:e} of {scale:e}", system.names.joints[b]);
            }
        }
    }
}

#[test]
fn accelerations_equal_those_of_the_peers() {
    for formulation in JUDGED {
        for name in peers::MODELS {
            let Some(states) = peers::states(name) else { return };
            let system = gallery(&format!("{name}.toml"));
            for system in [system.clone(), system.spatial()] {
                for state in &states {
                    let out = evaluate(formulation, &system, &state.q, &state.v, &state.tau).unwrap();
                    assert_close(&out.vdot, &state.qdd, 1e-9, name);
                }
            }
        }
    }
}

#[test]
fn a_pendulum_swings_and_pulls_by_its_textbook_equations() {
    for formulation in JUDGED {
        let system = parse(
            "borelli = 1\ndimension = \"planar\"\n[body.rod]\nmass = 1.7\ncenter = [0, -0.6]\ninertia = 0.08\n\
         [joint.pivot]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"rod\"\n",
        );
        let (m, l, I, q, w, tau, g) = (1.7, 0.6, 0.08, 0.9f64, 3.0, 2.3, 9.81);
        let expected = (tau - m * g * l * q.sin()) / (I + m * l * l);
        let (along, across) = (m * l * w * w + m * g * q.cos(), m * l * expected + m * g * q.sin());
        for system in [system.clone(), system.spatial()] {
            let out = evaluate(formulation, &system, &[q], &[w], &[tau]).unwrap();
            assert_close(&out.vdot, &[expected], 1e-14, "acceleration");
            let pull = [across * q.cos() - along * q.sin(), across * q.sin() + along * q.cos(), 0.0];
            assert_close(&out.reaction_force[1].to_array(), &pull, 1e-14, "reaction");
            assert_close(&out.reaction_moment[1].to_array(), &[0.0; 3], 1e-14, "moment of the reaction");
        }
    }
}

/// Point masses: bodies without inertia of their own.
fn point_masses() -> System {
    let zero = "[0, 0, 0]";
    parse(&format!(
        "borelli = 1\ndimension = \"spatial\"\n\
         [body.a]\nmass = 1.2\ncenter = [0, -0.5, 0]\ninertia = {zero}\npoint = {{ end = [0, -0.5, 0] }}\n\
         [body.b]\nmass = 0.7\ncenter = [0, -0.8, 0]\ninertia = {zero}\npoint = {{ end = [0, -0.8, 0] }}\n\
         [body.bob]\nmass = 0.4\ninertia = {zero}\n\
         [joint.first]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\n\
         [joint.second]\ntype = \"hinge\"\nparent = \"a.end\"\nchild = \"b\"\n\
         [joint.third]\ntype = \"weld\"\nparent = \"b.end\"\nchild = \"bob\"\n"
    ))
}

#[test]
fn point_masses_on_rods_move_by_the_double_pendulum_equations() {
    for formulation in JUDGED {
        let spatial = point_masses();
        let mut random = Random::new(24);
        let (m1, m2, l1, l2, g) = (1.2, 1.1, 0.5, 0.8, 9.81);
        for _ in 0..5 {
            let s = random.uniforms(4, -3.0, 3.0);
            let (a, b, a1, b1) = (s[0], s[1], s[2], s[3]);
            // Absolute angles a, b from the vertical.
            let (s, c) = (a - b).sin_cos();
            let (e, f) = (-m2 * l2 * s * b1 * b1 - (m1 + m2) * g * a.sin(), l1 * s * a1 * a1 - g * b.sin());
            let determinant = (m1 + m2) * l1 * l2 - m2 * l2 * c * l1 * c;
            let (a2, b2) = ((e * l2 - m2 * l2 * c * f) / determinant, ((m1 + m2) * l1 * f - l1 * c * e) / determinant);
            let out = evaluate(formulation, &spatial, &[a, b - a], &[a1, b1 - a1], &[0.0; 2]).unwrap();
            assert_close(&out.vdot, &[a2, b2 - a2], 1e-12, "double pendulum");
            // The weld carries the bob: its mass times acceleration less gravity.
            let x2 = l1 * (a2 * a.cos() - a1 * a1 * a.sin()) + l2 * (b2 * b.cos() - b1 * b1 * b.sin());
            let y2 = l1 * (a2 * a.sin() + a1 * a1 * a.cos()) + l2 * (b2 * b.sin() + b1 * b1 * b.cos());
            assert_close(&out.reaction_force[3].to_array(), &[0.4 * x2, 0.4 * (y2 + g), 0.0], 1e-11, "force on the bob");
            assert_close(&out.reaction_moment[3].to_array(), &[0.0; 3], 1e-11, "moment on the bob");
        }
    }
}

/// A parallelogram of rods, closed at the far corner by so many equal loops; in space a loop has a row too many.
fn four_bar(dimension: &str, loops: usize) -> System {
    let inertia = if dimension == "planar" { "0.02" } else { "[0.001, 0.02, 0.02]" };
    let zero = if dimension == "planar" { "" } else { ", 0" };
    let rod = |name: &str, mass: f64, length: f64, along: &str| {
        let (x, y) = if along == "x" { (length, 0.0) } else { (0.0, length) };
        format!(
            "[body.{name}]\nmass = {mass}\ncenter = [{}, {}{zero}]\ninertia = {inertia}\npoint = {{ end = [{x}, {y}{zero}] }}\n",
            x / 2.0,
            y / 2.0
        )
    };
    let hinge = |name: &str, parent: &str| format!("[joint.{name}]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"{name}\"\n");
    let mut text = format!("borelli = 1\ndimension = \"{dimension}\"\n[world.point]\nright = [0.7, 0{zero}]\n");
    text += &(rod("crank", 0.8, 0.3, "y") + &rod("coupler", 1.5, 0.7, "x") + &rod("rocker", 0.9, 0.3, "y"));
    text += &(hinge("crank", "world") + &hinge("coupler", "crank.end") + &hinge("rocker", "world.right"));
    for k in 0..loops {
        text += &format!("[loop.corner{k}]\ntype = \"coincident\"\na = \"coupler.end\"\nb = \"rocker.end\"\n");
    }
    text += "[force.spring]\ntype = \"coordinate-spring\"\ncoordinate = \"crank\"\nstiffness = 12\nrest = 0.2\n";
    parse(&text)
}

#[test]
fn a_four_bar_linkage_keeps_its_loop_closed_and_its_energy() {
    for formulation in JUDGED {
        for dimension in ["planar", "spatial"] {
            let system = four_bar(dimension, 1);
            for (angle, rate) in [(0.3, 2.0), (-0.8, -3.0), (1.1, 0.5)] {
                let (q, v) = ([angle, -angle, angle], [rate, -rate, rate]);
                let out = evaluate(formulation, &system, &q, &v, &[0.0; 3]).unwrap();
                // A parallelogram: all bars turn alike.
                assert_close(&out.vdot, &[out.vdot[0], -out.vdot[0], out.vdot[0]], 1e-12, "parallel rods");
                let worst = loop_acceleration(&system, &q, &v, &out.vdot).into_iter().fold(0.0f64, |m, x| m.max(x.abs()));
                assert!(worst < 1e-10, "{worst:e}");
                let energy = central_difference(
                    &mut |h| {
                        let v_h: Vec<f64> = v.iter().zip(&out.vdot).map(|(v, a)| v + h * a).collect();
                        let later = evaluate(formulation, &system, &moved(&system, &q, &v, h), &v_h, &[0.0; 3]).unwrap();
                        vec![later.kinetic_energy + later.gravity_energy + later.stored_energy]
                    },
                    1e-3,
                );
                assert_close(&energy, &[0.0], 1e-9, "rate of energy");
                if dimension == "spatial" {
                    assert_eq!(out.row_force[2], 0.0, "nothing can move the loop out of its plane");
                }
            }
        }
    }
}

/// Φ̈ of all rows for given accelerations, by the shared kinematics.
fn loop_acceleration(system: &System, q: &[f64], v: &[f64], vdot: &[f64]) -> Vec<f64> {
    let System { skeleton, numbers, .. } = system;
    let mut frames = Frames::new(skeleton);
    frames.fill::<f64, true>(skeleton, &numbers.tree, q, v, vdot);
    frames.fill_points(skeleton);
    let mut rows = Rows::new(system.names.rows.len(), numbers.constraints.entries());
    numbers
        .constraints
        .fill(&Scene { skeleton, numbers, frames: &frames, q, v, vdot, t: 0.0, inside: crate::scene::Inside::NONE }, &mut rows);
    rows.acceleration
}

#[test]
fn a_loop_between_any_joints_is_held_and_does_no_work() {
    for formulation in JUDGED {
        let mut random = Random::new(25);
        for _ in 0..6 {
            let mut twin = Twin::all_joints(&mut random, false);
            twin.text += "[loop.tie]\ntype = \"coincident\"\na = \"b5\"\nb = \"b8\"\n[loop.tie2]\ntype = \"coincident\"\na = \"b10\"\nb = \"b5.m\"\n";
            let system = parse(&twin.text);
            let (q, v, tau) = random_state(&system, &mut random);
            let out = evaluate(formulation, &system, &q, &v, &tau).unwrap();
            let scale = out.vdot.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            let worst = loop_acceleration(&system, &q, &v, &out.vdot).into_iter().fold(0.0f64, |m, x| m.max(x.abs()));
            assert!(worst < 1e-10 * scale, "{worst:e} of {scale:e}");
            // The same motion from the oracle, with the loop's forces as loads at the places they act on.
            let mut loads = tau.clone();
            let n = vec3(out.row_force[0], out.row_force[1], out.row_force[2]);
            let m = vec3(out.row_force[3], out.row_force[4], out.row_force[5]);
            let grip = system.parts.joints[5].child.position.map(|slot| match slot {
                crate::parts::Slot::Param(i) => system.parameters[i as usize].value,
                crate::parts::Slot::Const(x) => x,
            });
            // Bodies of the file in the order of the tree.
            for (name, point, force) in [("b8", [0.0; 3], n), ("b5", [0.0; 3], -n), ("b5", grip, m), ("b10", [0.0; 3], -m)] {
                let body = system.names.bodies.iter().position(|b| b == name).unwrap() - 1;
                for (sum, more) in loads.iter_mut().zip(twin.tree.generalized_force(&q, body, point, force.to_array(), [0.0; 3])) {
                    *sum += more;
                }
            }
            assert_close(&out.vdot, &twin.tree.accelerations(&q, &v, &loads), 1e-9, "accelerations with the loop's forces");
        }
    }
}

#[test]
fn a_body_that_nothing_resists_is_named() {
    for formulation in JUDGED {
        let system = parse(
            "borelli = 1\ndimension = \"planar\"\n[body.rod]\nmass = 1\ninertia = 0.1\n[body.dot]\nmass = 1\ninertia = 0\n\
         [joint.pivot]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"rod\"\n[joint.spin]\ntype = \"hinge\"\nparent = \"rod\"\nchild = \"dot\"\n",
        );
        let failure = evaluate(formulation, &system, &[0.1, 0.2], &[0.0; 2], &[0.0; 2]).unwrap_err();
        assert_eq!(failure, Failure::NotFinite { joint: "spin".into() });
        let failure = evaluate(formulation, &system, &[f64::NAN, 0.2], &[0.0; 2], &[0.0; 2]).unwrap_err();
        assert!(matches!(failure, Failure::StateNotFinite { .. }));
    }
}

#[test]
fn one_memory_serves_many_states_in_any_order() {
    for formulation in JUDGED {
        let system = four_bar("spatial", 1);
        let mut formulation = build(formulation, &system);
        let (mut first, mut other, mut again) = (Evaluation::new(&system), Evaluation::new(&system), Evaluation::new(&system));
        let at = |angle: f64| ([angle, -angle, angle], [1.0, -1.0, 1.0], [0.5, 0.0, 0.1]);
        for (angle, out) in [(0.3, &mut first), (-0.9, &mut other), (0.3, &mut again)] {
            let (q, v, tau) = at(angle);
            formulation.evaluate(&system, Input { t: 0.0, q: &q, v: &v, tau: &tau, ..Input::default() }, out).unwrap();
        }
        assert_eq!(first.vdot, again.vdot);
        assert_eq!(first.row_force, again.row_force);
        assert_ne!(first.vdot, other.vdot);
    }
}

#[test]
fn a_slide_given_by_functions_is_held_across_its_direction_only() {
    // A block on a slope of 30 degrees whose way is x = q cos, y = q sin; an effort along it pulls.
    let (sin, cos) = (0.5, 0.75_f64.sqrt());
    let text = format!(
        "borelli = 1\ndimension = \"planar\"\n[body.block]\nmass = 2\ninertia = 0.1\n[joint.slope]\ntype = \"function\"\nparent = \"world\"\nchild = \"block\"\n\
         coordinate = \"length\"\nx = {{ type = \"polynomial\", coefficients = [0, {cos:?}] }}\ny = {{ type = \"polynomial\", coefficients = [0, {sin:?}] }}\n\
         [force.pull]\ntype = \"effort\"\ncoordinate = \"slope\"\neffort = 5\n"
    );
    let system =
        compile(&borelli_model::Model::parse("test.toml", &text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
    for entry in crate::formulation::FORMULATIONS.iter().filter(|entry| (entry.build)(&system).is_ok()) {
        let out = evaluate(entry.name, &system, &[0.4], &[0.7], &[0.0]).expect("a state");
        assert!((out.vdot[0] - (2.5 - 9.81 * sin)).abs() < 1e-12, "{}: {}", entry.name, out.vdot[0]);
        let reaction = out.reaction_force[1];
        let exact = [-sin * 2.0 * 9.81 * cos, cos * 2.0 * 9.81 * cos];
        assert!((reaction.x - exact[0]).abs() < 1e-12 && (reaction.y - exact[1]).abs() < 1e-12, "{}: {reaction:?} {exact:?}", entry.name);
        assert!(out.reaction_moment[1].z.abs() < 1e-12, "{}", entry.name);
    }
}
