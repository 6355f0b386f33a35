//! The oracle against closed forms of mechanics, Lagrange's equations by differences, and conservation laws.
//! Not here: the comparison with other programs (`peers`).

use super::*;
use crate::differences::{assert_close, central_difference};
use crate::random::Random;

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const G: f64 = 9.81;
const DOWN: [f64; 3] = [0.0, -G, 0.0];

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn product(A: &[[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    A.map(|row| dot(row, x))
}

fn transposed(A: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|j| [A[0][j], A[1][j], A[2][j]])
}

fn constant(value: f64) -> FunctionOf {
    Box::new(move |_| [value, 0.0, 0.0])
}

/// `a sin(k x) + b x`.
fn wave(a: f64, k: f64, b: f64) -> FunctionOf {
    Box::new(move |x| [a * (k * x).sin() + b * x, a * k * (k * x).cos() + b, -a * k * k * (k * x).sin()])
}

fn random_inertia(random: &mut Random) -> [[f64; 3]; 3] {
    // Second moments of three point masses and a ball: a tensor that a real body can have.
    let mut inertia = IDENTITY.map(|row| row.map(|x| 0.02 * x));
    for _ in 0..3 {
        let u = random.uniforms(3, -0.3, 0.3);
        let square: f64 = u.iter().map(|x| x * x).sum();
        (0..3).for_each(|i| (0..3).for_each(|j| inertia[i][j] += IDENTITY[i][j] * square - u[i] * u[j]));
    }
    inertia
}

fn random_vector(random: &mut Random, size: f64) -> [f64; 3] {
    [0; 3].map(|_| random.uniform(-size, size))
}

fn random_body(random: &mut Random, parent: Option<usize>, motions: Vec<Motion>) -> Body {
    Body {
        parent,
        offset: random_vector(random, 0.4),
        rest: quaternion(random.unit_quaternion()),
        motions,
        child: (random_vector(random, 0.2), quaternion(random.unit_quaternion())),
        mass: random.uniform(0.5, 3.0),
        center: random_vector(random, 0.2),
        inertia: random_inertia(random),
    }
}

/// A branched tree of turns, slides and function joints (no balls, so that q' = v).
fn mechanism(random: &mut Random) -> Tree {
    let mut axis = || random.direction();
    let motions = vec![
        vec![Motion::Turn { axis: axis() }, Motion::Slide { axis: axis() }],
        vec![Motion::Turn { axis: axis() }, Motion::Turn { axis: axis() }],
        vec![Motion::Function {
            translation: [wave(0.1, 2.0, 0.3), wave(-0.2, 1.3, 0.0), constant(0.05)],
            turns: vec![(axis(), wave(0.3, 1.7, 1.0)), (axis(), wave(0.2, 0.8, -0.4))],
        }],
        vec![],
        vec![Motion::Slide { axis: axis() }],
    ];
    let parents = [None, Some(0), Some(1), Some(2), Some(0)];
    let bodies = parents.into_iter().zip(motions).map(|(parent, motions)| random_body(random, parent, motions)).collect();
    Tree { gravity: [0.7, -9.5, 1.2], bodies }
}

/// The mechanism without support: a free body, a ball, a turn.
fn floating(random: &mut Random) -> Tree {
    let axis = random.direction();
    let motions = vec![Motion::free(), vec![Motion::Ball], vec![Motion::Turn { axis }]];
    let parents = [None, Some(0), Some(0)];
    let bodies = parents.into_iter().zip(motions).map(|(parent, motions)| random_body(random, parent, motions)).collect();
    Tree { gravity: DOWN, bodies }
}

fn floating_state(random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    let mut q = random.uniforms(3, -1.0, 1.0);
    q.extend(random.unit_quaternion());
    q.extend(random.unit_quaternion());
    q.push(random.uniform(-1.0, 1.0));
    (q, random.uniforms(10, -2.0, 2.0))
}

/// Classical Runge-Kutta of order four without forces.
fn integrate(tree: &Tree, q: &mut [f64], v: &mut [f64], step: f64, steps: usize) {
    let tau = vec![0.0; v.len()];
    let moved = |x: &[f64], k: &[f64], h: f64| -> Vec<f64> { x.iter().zip(k).map(|(x, k)| x + h * k).collect() };
    for _ in 0..steps {
        let mut slopes: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        for part in [0.0, 0.5, 0.5, 1.0] {
            let (q_stage, v_stage) = match slopes.last() {
                Some((dq, dv)) => (moved(q, dq, part * step), moved(v, dv, part * step)),
                None => (q.to_vec(), v.to_vec()),
            };
            slopes.push((tree.coordinate_rates(&q_stage, &v_stage), tree.accelerations(&q_stage, &v_stage, &tau)));
        }
        for ((dq, dv), weight) in slopes.iter().zip([1.0, 2.0, 2.0, 1.0]) {
            q.iter_mut().zip(dq).for_each(|(q, d)| *q += step * weight / 6.0 * d);
            v.iter_mut().zip(dv).for_each(|(v, d)| *v += step * weight / 6.0 * d);
        }
    }
}

#[test]
fn a_pendulum_swings_by_its_textbook_equation() {
    let (mass, length, inertia, q, tau) = (1.7, 0.6, 0.08, 0.9f64, 2.3);
    let tensor = [[0.05, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, inertia]];
    let bob = Body { motions: vec![Motion::Turn { axis: Z }], mass, center: [0.0, -length, 0.0], inertia: tensor, ..Body::default() };
    let tree = Tree { gravity: DOWN, bodies: vec![bob] };
    let about_pivot = inertia + mass * length * length;
    let expected = (tau - mass * G * length * q.sin()) / about_pivot;
    assert_close(&tree.accelerations(&[q], &[3.0], &[tau]), &[expected], 1e-14, "acceleration");
    assert_close(tree.mass_matrix(&[q]).as_slice(), &[about_pivot], 1e-15, "inertia about the pivot");
    assert_close(&[tree.kinetic_energy(&[q], &[3.0])], &[4.5 * about_pivot], 1e-15, "kinetic energy");
    assert_close(&[tree.potential_energy(&[q])], &[-mass * G * length * q.cos()], 1e-15, "potential energy");
    let (linear, angular) = tree.momentum(&[q], &[3.0]);
    let speed = mass * length * 3.0;
    assert_close(&linear, &[speed * q.cos(), speed * q.sin(), 0.0], 1e-15, "momentum");
    assert_close(&angular, &[0.0, 0.0, 3.0 * about_pivot], 1e-15, "angular momentum");
}

#[test]
fn two_point_masses_on_rods_move_by_the_double_pendulum_equations() {
    let (m1, m2, l1, l2) = (1.2, 0.7, 0.5, 0.8);
    let bob = |parent, offset, mass, length: f64| Body {
        parent,
        offset,
        motions: vec![Motion::Turn { axis: Z }],
        mass,
        center: [0.0, -length, 0.0],
        ..Body::default()
    };
    let tree = Tree { gravity: DOWN, bodies: vec![bob(None, [0.0; 3], m1, l1), bob(Some(0), [0.0, -l1, 0.0], m2, l2)] };
    let mut random = Random::new(3);
    for _ in 0..5 {
        let (a, b, a1, b1) = (random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0), random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0));
        // Absolute angles a, b from the vertical:
        // (m1 + m2) l1 a'' + m2 l2 cos(a - b) b'' = -m2 l2 sin(a - b) b'^2 - (m1 + m2) g sin a
        // l1 cos(a - b) a'' + l2 b''              =  l1 sin(a - b) a'^2 - g sin b
        let (s, c) = (a - b).sin_cos();
        let (e, f) = (-m2 * l2 * s * b1 * b1 - (m1 + m2) * G * a.sin(), l1 * s * a1 * a1 - G * b.sin());
        let determinant = (m1 + m2) * l1 * l2 - m2 * l2 * c * l1 * c;
        let a2 = (e * l2 - m2 * l2 * c * f) / determinant;
        let b2 = ((m1 + m2) * l1 * f - l1 * c * e) / determinant;
        let got = tree.accelerations(&[a, b - a], &[a1, b1 - a1], &[0.0; 2]);
        assert_close(&got, &[a2, b2 - a2], 1e-13, "double pendulum");
    }
}

#[test]
fn a_free_body_obeys_newton_and_euler() {
    let mut random = Random::new(4);
    for _ in 0..5 {
        let (mass, inertia) = (random.uniform(0.5, 3.0), random_inertia(&mut random));
        let tree = Tree { gravity: DOWN, bodies: vec![Body { motions: Motion::free(), mass, inertia, ..Body::default() }] };
        let mut q = random.uniforms(3, -1.0, 1.0);
        q.extend(random.unit_quaternion());
        let (v, tau) = (random.uniforms(6, -5.0, 5.0), random.uniforms(6, -5.0, 5.0));
        let got = tree.accelerations(&q, &v, &tau);
        for k in 0..3 {
            assert!((got[k] - (DOWN[k] + tau[k] / mass)).abs() < 1e-13 * 20.0, "Newton, axis {k}");
        }
        // Euler: I w' + w x I w = moment, body axes. Multiplied out, so that no inverse is needed.
        let (w, rate) = ([v[3], v[4], v[5]], [got[3], got[4], got[5]]);
        let (left, gyro) = (product(&inertia, rate), cross(w, product(&inertia, w)));
        assert_close(&[0, 1, 2].map(|k| left[k] + gyro[k]), &tau[3..], 1e-13, "Euler");
        let spin = product(&quaternion([q[3], q[4], q[5], q[6]]), product(&inertia, w));
        let orbital = cross([q[0], q[1], q[2]], [v[0], v[1], v[2]].map(|x| mass * x));
        let (linear, angular) = tree.momentum(&q, &v);
        assert_close(&linear, &[v[0], v[1], v[2]].map(|x| mass * x), 1e-14, "linear momentum");
        assert_close(&angular, &[0, 1, 2].map(|k| spin[k] + orbital[k]), 1e-14, "angular momentum");
    }
}

#[test]
fn a_symmetric_top_precesses_at_the_closed_rate() {
    let (across, about) = (0.4, 0.7);
    let inertia = [[across, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, about]];
    let tree = Tree { gravity: DOWN, bodies: vec![Body { motions: vec![Motion::Ball], mass: 2.0, inertia, ..Body::default() }] };
    let (mut q, mut v) = (Random::new(5).unit_quaternion(), [0.8, 0.0, 2.0]);
    integrate(&tree, &mut q, &mut v, 5e-3, 200);
    // In body axes the transverse part turns at (about - across) / across times the axial speed.
    let (s, c) = ((about - across) / across * 2.0f64).sin_cos();
    assert_close(&v, &[0.8 * c, 0.8 * s, 2.0], 1e-9, "angular velocity after one second");
}

#[test]
fn a_block_slides_down_an_incline_and_a_bead_along_a_parabola() {
    let (mass, push, slope) = (1.5, 0.4, 0.6f64);
    let axis = [slope.cos(), -slope.sin(), 0.0];
    let block = Body { motions: vec![Motion::Slide { axis }], mass, ..Body::default() };
    let tree = Tree { gravity: DOWN, bodies: vec![block] };
    let expected = G * slope.sin() + push / mass;
    assert_close(&tree.accelerations(&[0.3], &[2.0], &[push]), &[expected], 1e-15, "block");

    // y = k x^2: (1 + 4 k^2 x^2) x'' + 4 k^2 x x'^2 + 2 g k x = push / m
    let (k, x, rate) = (0.9, 0.7, 1.3);
    let wire = [Box::new(|x| [x, 1.0, 0.0]) as FunctionOf, Box::new(move |x| [k * x * x, 2.0 * k * x, 2.0 * k]), constant(0.0)];
    let bead = Body { motions: vec![Motion::Function { translation: wire, turns: vec![] }], mass, ..Body::default() };
    let tree = Tree { gravity: DOWN, bodies: vec![bead] };
    let expected = (push / mass - 4.0 * k * k * x * rate * rate - 2.0 * G * k * x) / (1.0 + 4.0 * k * k * x * x);
    assert_close(&tree.accelerations(&[x], &[rate], &[push]), &[expected], 1e-14, "bead");
}

#[test]
fn a_pendulum_geared_by_a_function_obeys_the_chain_rule() {
    let (mass, length, inertia, q, rate, tau) = (1.1, 0.4, 0.03, 0.8, -1.9, 0.7);
    let gear = wave(0.5, 1.3, 0.6);
    let [angle, slope, curve] = gear(q);
    let motion = Motion::Function { translation: [0.0; 3].map(constant), turns: vec![(Z, gear)] };
    let tensor = IDENTITY.map(|row| row.map(|x| inertia * x));
    let bob = Body { motions: vec![motion], mass, center: [0.0, -length, 0.0], inertia: tensor, ..Body::default() };
    let tree = Tree { gravity: DOWN, bodies: vec![bob] };
    // J (f' q'' + f'' q'^2) f' + m g l sin(f) f' = tau
    let J = inertia + mass * length * length;
    let expected = (tau - mass * G * length * angle.sin() * slope - J * curve * rate * rate * slope) / (J * slope * slope);
    assert_close(&tree.accelerations(&[q], &[rate], &[tau]), &[expected], 1e-14, "geared pendulum");
}

#[test]
fn moving_the_body_frame_does_not_change_the_motion() {
    let mut random = Random::new(6);
    let (inertia, center, axis) = (random_inertia(&mut random), random_vector(&mut random, 0.3), random.direction());
    let (p, R) = (random_vector(&mut random, 0.5), quaternion(random.unit_quaternion()));
    let tree = |child: Pose, center, inertia| {
        let motions = vec![Motion::Slide { axis }, Motion::Ball];
        Tree { gravity: DOWN, bodies: vec![Body { motions, child, mass: 1.3, center, inertia, ..Body::default() }] }
    };
    // The same mass, described in a frame B with p_MB = p and R_MB = R: c_B = R^T (c - p), I_B = R^T I R.
    let back = transposed(&R);
    let center_B = product(&back, [0, 1, 2].map(|k| center[k] - p[k]));
    let inertia_B = transposed(&transposed(&R).map(|column| product(&back, product(&inertia, column))));
    let mut q = vec![0.4];
    q.extend(random.unit_quaternion());
    let (v, tau) = (random.uniforms(4, -3.0, 3.0), random.uniforms(4, -3.0, 3.0));
    let plain = tree(([0.0; 3], IDENTITY), center, inertia).accelerations(&q, &v, &tau);
    let moved = tree((p, R), center_B, inertia_B).accelerations(&q, &v, &tau);
    assert_close(&moved, &plain, 1e-12, "accelerations");
}

#[test]
fn accelerations_satisfy_lagranges_equations_taken_by_differences_of_the_energies() {
    let mut random = Random::new(7);
    let tree = mechanism(&mut random);
    let n = tree.speeds();
    for _ in 0..3 {
        let (q, v, tau) = (random.uniforms(n, -1.0, 1.0), random.uniforms(n, -2.0, 2.0), random.uniforms(n, -5.0, 5.0));
        let a = tree.accelerations(&q, &v, &tau);
        let on = |x: &[f64], d: &[f64], s: f64| -> Vec<f64> { x.iter().zip(d).map(|(x, d)| x + s * d).collect() };
        // dT/dv is linear in v, so one plain central difference of T is exact but for rounding.
        let momenta = |s: f64| -> Vec<f64> {
            let (q, v) = (on(&q, &v, s), on(&v, &a, s));
            let along = |i: usize| {
                let d = unit(n, i);
                0.5 * (tree.kinetic_energy(&q, &on(&v, &d, 1.0)) - tree.kinetic_energy(&q, &on(&v, &d, -1.0)))
            };
            (0..n).map(along).collect()
        };
        // d/dt at s = 0 along the motion: the term s^2 a / 2 of its path has no slope there and is left out.
        let rate_of_momenta = central_difference(&mut { momenta }, 1e-3);
        let mut lagrangian_slope = Vec::new();
        for i in 0..n {
            let d = unit(n, i);
            let mut lagrangian = |s: f64| {
                let q = on(&q, &d, s);
                vec![tree.kinetic_energy(&q, &v) - tree.potential_energy(&q)]
            };
            lagrangian_slope.extend(central_difference(&mut lagrangian, 1e-3));
        }
        let residual: Vec<f64> = (0..n).map(|i| rate_of_momenta[i] - lagrangian_slope[i]).collect();
        assert_close(&residual, &tau, 1e-10, "d/dt dT/dv - dL/dq");
    }
}

#[test]
fn the_mass_matrix_gives_the_kinetic_energy() {
    let mut random = Random::new(8);
    let tree = floating(&mut random);
    let (q, v) = floating_state(&mut random);
    let speeds = DVector::from_column_slice(&v);
    let energy = 0.5 * speeds.dot(&(tree.mass_matrix(&q) * &speeds));
    assert_close(&[energy], &[tree.kinetic_energy(&q, &v)], 1e-14, "T = v M v / 2");
}

#[test]
fn a_mechanism_keeps_its_energy() {
    let mut random = Random::new(9);
    let tree = mechanism(&mut random);
    let n = tree.speeds();
    let (mut q, mut v) = (random.uniforms(n, -1.0, 1.0), random.uniforms(n, -1.0, 1.0));
    let energy = |q: &[f64], v: &[f64]| tree.kinetic_energy(q, v) + tree.potential_energy(q);
    let (start, kinetic) = (energy(&q, &v), tree.kinetic_energy(&q, &v));
    integrate(&tree, &mut q, &mut v, 5e-4, 400);
    assert!((tree.kinetic_energy(&q, &v) - kinetic).abs() > 0.1, "the run must exchange energy to mean anything");
    assert_close(&[energy(&q, &v)], &[start], 1e-9, "energy after 0.2 s");
}

#[test]
fn a_floating_tree_falls_with_its_energy_and_momentum_balanced() {
    let mut random = Random::new(10);
    let tree = floating(&mut random);
    let (mut q, mut v) = floating_state(&mut random);
    let mass: f64 = tree.bodies.iter().map(|b| b.mass).sum();
    let center_moment = |q: &[f64]| {
        let mut sum = [0.0; 3];
        for (body, (p, R)) in tree.bodies.iter().zip(tree.body_pose(q)) {
            (0..3).for_each(|k| sum[k] += body.mass * (p[k] + dot(R[k], body.center)));
        }
        sum
    };
    let energy = |q: &[f64], v: &[f64]| tree.kinetic_energy(q, v) + tree.potential_energy(q);
    let (energy_before, (linear, angular), moment) = (energy(&q, &v), tree.momentum(&q, &v), center_moment(&q));
    let time = 0.2;
    integrate(&tree, &mut q, &mut v, 1e-3, 200);
    assert_close(&[energy(&q, &v)], &[energy_before], 1e-9, "energy");
    let (linear_after, angular_after) = tree.momentum(&q, &v);
    assert_close(&linear_after, &[0, 1, 2].map(|k| linear[k] + mass * DOWN[k] * time), 1e-10, "linear momentum");
    // d/dt of the angular momentum about the origin is (sum m r) x g, and sum m r moves on a parabola.
    let swept = [0, 1, 2].map(|k| moment[k] * time + linear[k] * time * time / 2.0 + mass * DOWN[k] * time.powi(3) / 6.0);
    let torque = cross(swept, DOWN);
    assert_close(&angular_after, &[0, 1, 2].map(|k| angular[k] + torque[k]), 1e-10, "angular momentum");
}

#[test]
fn the_generalised_force_of_a_dead_force_is_the_slope_of_its_work() {
    let mut random = Random::new(11);
    let tree = mechanism(&mut random);
    let n = tree.speeds();
    let (q, point, force) = (random.uniforms(n, -1.0, 1.0), random_vector(&mut random, 0.5), random_vector(&mut random, 4.0));
    for body in 0..tree.bodies.len() {
        let slope = |i: usize| {
            let mut work = |s: f64| {
                let mut q = q.clone();
                q[i] += s;
                let (p, R) = tree.body_pose(&q)[body];
                vec![dot(force, [0, 1, 2].map(|k| p[k] + dot(R[k], point)))]
            };
            central_difference(&mut work, 4e-3)[0]
        };
        let expected: Vec<f64> = (0..n).map(slope).collect();
        assert_close(&tree.generalized_force(&q, body, point, force, [0.0; 3]), &expected, 1e-11, "force");
    }
}

#[test]
fn a_moment_works_on_the_axes_it_turns_about() {
    let mut random = Random::new(12);
    let moment = random_vector(&mut random, 3.0);
    let motions = vec![Motion::Turn { axis: Z }, Motion::Turn { axis: X }, Motion::Slide { axis: Y }, Motion::Ball];
    let tree = Tree { gravity: DOWN, bodies: vec![Body { motions, mass: 1.0, ..Body::default() }] };
    let (a, ball) = (0.7f64, random.unit_quaternion());
    let q = [a, 0.3, 0.2, ball[0], ball[1], ball[2], ball[3]];
    let R = tree.body_pose(&q)[0].1;
    let own = product(&transposed(&R), moment);
    let expected = [moment[2], moment[0] * a.cos() + moment[1] * a.sin(), 0.0, own[0], own[1], own[2]];
    assert_close(&tree.generalized_force(&q, 0, [0.1, 0.2, 0.3], [0.0; 3], moment), &expected, 1e-14, "moment");
}

#[test]
fn weights_applied_as_forces_do_what_gravity_does() {
    let mut random = Random::new(13);
    let mut tree = floating(&mut random);
    let (q, v) = floating_state(&mut random);
    let n = tree.speeds();
    let heavy = tree.accelerations(&q, &v, &vec![0.0; n]);
    let mut tau = vec![0.0; n];
    for (k, body) in tree.bodies.iter().enumerate() {
        let weight = tree.generalized_force(&q, k, body.center, DOWN.map(|g| body.mass * g), [0.0; 3]);
        tau.iter_mut().zip(weight).for_each(|(t, w)| *t += w);
    }
    tree.gravity = [0.0; 3];
    assert_close(&tree.accelerations(&q, &v, &tau), &heavy, 1e-12, "accelerations");
}

#[test]
#[should_panic(expected = "every coordinate must move some mass of its own")]
fn two_coordinates_for_the_same_motion_are_refused() {
    let motions = vec![Motion::Turn { axis: Y }, Motion::Ball];
    let inertia = random_inertia(&mut Random::new(14));
    let tree = Tree { gravity: DOWN, bodies: vec![Body { motions, mass: 1.0, inertia, ..Body::default() }] };
    tree.accelerations(&[0.4, 0.5, 0.5, -0.5, 0.5], &[0.0; 4], &[0.0; 4]);
}
