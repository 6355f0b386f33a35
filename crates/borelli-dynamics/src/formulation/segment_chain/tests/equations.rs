//! Solutions of the equations against closed forms and against Lagrange's equations of the same chain.

use super::super::Direction::{X, Y};
use super::super::Variable::{AngularAcceleration, BaseAcceleration, Force, JointForce, JointMoment, Moment, Support};
use super::super::{Posture, Problem, Row, Segment, Variable};
use super::{consistent, random_posture, random_segments, setup, value};
use borelli_math::random::Random;
use nalgebra::{DMatrix, DVector};

const G: f64 = 9.81;

/// Two uniform rods of mass m and length l, level and at rest, the first hinged to the ground, let go. Lagrange by hand, with φ̈ in units of g/l:
///
///     4/3 φ̈_1 + 1/2 φ̈_2 = −3/2        1/2 φ̈_1 + 1/3 φ̈_2 = −1/2
///
/// so φ̈ = (−9/7, 3/7); the first hinge carries m (2g + φ̈_1 l/2 + φ̈_1 l + φ̈_2 l/2) = 2/7 m g, the second m (g + φ̈_1 l + φ̈_2 l/2) = −1/14 m g.
#[test]
fn two_rods_let_go_fall_as_by_hand() {
    let (m, l) = (3.0, 0.8);
    let rod = Segment { mass: m, length: l, center: [l / 2.0, 0.0], inertia: m * l * l / 12.0 };
    let mut forward = setup(&[rod; 2]);
    forward.forward(true);
    let mut problem = Problem::new(&forward).unwrap();
    let mut values = vec![0.0; problem.layout().all()];
    for i in 0..2 {
        values[problem.layout().index(Force(i, Y))] = -m * G;
    }
    problem.solve(&Posture::straight(2), &[], &mut values).unwrap();
    let expected = [
        (AngularAcceleration(0), -9.0 / 7.0 * G / l),
        (AngularAcceleration(1), 3.0 / 7.0 * G / l),
        (JointForce(0, X), 0.0),
        (JointForce(0, Y), 2.0 / 7.0 * m * G),
        (JointForce(1, Y), -m * G / 14.0),
    ];
    for (variable, expected) in expected {
        let found = value(&problem, &values, variable);
        assert!((found - expected).abs() < 1e-13 * m * G, "{variable}: {found}, by hand {expected}");
    }
    assert!(problem.residual(&Posture::straight(2), &values) < 1e-15);
}

/// Lagrange's equations of a chain on a fixed base with absolute angles, written from its kinetic energy:
///
///     Σ_l (A_kl cos(φ_k − φ_l) + B_kl sin(φ_k − φ_l)) φ̈_l + (A_kl sin(φ_k − φ_l) − B_kl cos(φ_k − φ_l)) ω_l² = Q_k
///
/// with A, B sums over segments of m r_k·r_l and m r_k × r_l, r_k the vector of segment k in its own axes (to the next joint, or to the mass centre).
fn by_lagrange(segments: &[Segment], angle: &[f64], rate: &[f64], moments: &[f64]) -> Vec<f64> {
    let n = segments.len();
    let arm = |i: usize, k: usize| if k < i { [segments[k].length, 0.0] } else { segments[k].center };
    let mut mass = DMatrix::zeros(n, n);
    let mut right = DVector::from_fn(n, |k, _| moments[k] - moments.get(k + 1).unwrap_or(&0.0));
    for (i, segment) in segments.iter().enumerate() {
        mass[(i, i)] += segment.inertia;
        for k in 0..=i {
            let r_k = arm(i, k);
            // Height of the mass centre falls or rises with φ_k.
            right[k] -= segment.mass * G * (r_k[0] * angle[k].cos() - r_k[1] * angle[k].sin());
            for l in 0..=i {
                let r_l = arm(i, l);
                let (sine, cosine) = (angle[k] - angle[l]).sin_cos();
                let (a, b) = (segment.mass * (r_k[0] * r_l[0] + r_k[1] * r_l[1]), segment.mass * (r_k[0] * r_l[1] - r_k[1] * r_l[0]));
                mass[(k, l)] += a * cosine + b * sine;
                right[k] -= (a * sine - b * cosine) * rate[l] * rate[l];
            }
        }
    }
    mass.lu().solve(&right).unwrap().iter().copied().collect()
}

#[test]
fn chains_on_a_fixed_base_move_as_lagrange_says() {
    let mut random = Random::new(41);
    for n in 1..=8 {
        for _ in 0..20 {
            let segments = random_segments(&mut random, n);
            let (angle, rate) = (random.uniforms(n, -3.0, 3.0), random.uniforms(n, -5.0, 5.0));
            let moments = random.uniforms(n, -50.0, 50.0);
            let mut forward = setup(&segments);
            forward.forward(true);
            let mut problem = Problem::new(&forward).unwrap();
            let mut values = vec![0.0; problem.layout().all()];
            for i in 0..n {
                values[problem.layout().index(Force(i, Y))] = -segments[i].mass * G;
                values[problem.layout().index(JointMoment(i))] = moments[i];
            }
            problem.solve(&Posture::new(&angle, &rate), &[], &mut values).unwrap();
            let expected = by_lagrange(&segments, &angle, &rate, &moments);
            let largest = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for i in 0..n {
                let found = value(&problem, &values, AngularAcceleration(i));
                assert!((found - expected[i]).abs() < 1e-10 * largest, "n {n}, segment {i}: {found}, Lagrange {}", expected[i]);
            }
        }
    }
}

/// Without a base and without weight the mass centre keeps its velocity, and the moment of momentum about it changes by outside moments alone.
#[test]
fn a_free_chain_keeps_its_momentum() {
    let mut random = Random::new(42);
    for n in 1..=8 {
        let segments = random_segments(&mut random, n);
        let posture = random_posture(&mut random, n);
        let mut forward = setup(&segments);
        forward.forward(false);
        let mut problem = Problem::new(&forward).unwrap();
        let mut values = vec![0.0; problem.layout().all()];
        for i in 1..n {
            values[problem.layout().index(JointMoment(i))] = random.uniform(-50.0, 50.0);
        }
        problem.solve(&posture, &[], &mut values).unwrap();
        let mut joint = [BaseAcceleration(X), BaseAcceleration(Y)].map(|variable| value(&problem, &values, variable));
        let (mut place, mut force, mut spin, mut size) = ([0.0; 2], [0.0; 2], 0.0, 0.0);
        for (i, segment) in segments.iter().enumerate() {
            let (c, s, w) = (posture.cos[i], posture.sin[i], posture.rate[i]);
            let turn = value(&problem, &values, AngularAcceleration(i));
            let moved = |a: [f64; 2], r: [f64; 2]| [a[0] - turn * r[1] - w * w * r[0], a[1] + turn * r[0] - w * w * r[1]];
            let [d, e] = segment.center;
            let arm = [d * c - e * s, d * s + e * c];
            let own = moved(joint, arm).map(|a| segment.mass * a);
            spin += segment.inertia * turn + (place[0] + arm[0]) * own[1] - (place[1] + arm[1]) * own[0];
            force = [force[0] + own[0], force[1] + own[1]];
            // What turning alone does to the mass centre.
            size += segment.mass * w * w * (arm[0].abs() + arm[1].abs());
            let next = [segment.length * c, segment.length * s];
            joint = moved(joint, next);
            place = [place[0] + next[0], place[1] + next[1]];
        }
        assert!(force[0].abs() + force[1].abs() + spin.abs() < 1e-12 * size, "n {n}: {force:?}, {spin}, of {size}");
    }
}

#[test]
fn forward_after_inverse_after_forward_is_the_same() {
    let mut random = Random::new(43);
    for n in 1..=8 {
        let segments = random_segments(&mut random, n);
        let posture = random_posture(&mut random, n);
        let known = consistent(&mut random, &segments, &posture);
        for inverse in [
            |s: &mut super::super::Setup| {
                s.inverse();
            },
            |s: &mut super::super::Setup| {
                s.inverse_from_base();
            },
        ] {
            let mut own = setup(&segments);
            inverse(&mut own);
            let mut problem = Problem::new(&own).unwrap();
            let mut values = known.clone();
            for variable in own.unknowns() {
                values[problem.layout().index(variable)] = f64::NAN;
            }
            problem.solve(&posture, &[], &mut values).unwrap();
            for variable in own.unknowns() {
                let (found, was) = (value(&problem, &values, variable), value(&problem, &known, variable));
                assert!((found - was).abs() < 1e-10 * was.abs().max(1e3), "n {n}, {variable}: {found}, was {was}");
            }
            assert!(problem.residual(&posture, &values) < 1e-13);
        }
    }
}

/// A residual that is not zero is seen: a value that does not belong is as large as what it upsets.
#[test]
fn the_residual_tells_values_that_do_not_belong() {
    let mut random = Random::new(44);
    let (segments, posture) = (random_segments(&mut random, 3), random_posture(&mut random, 3));
    let mut values = consistent(&mut random, &segments, &posture);
    let mut forward = setup(&segments);
    forward.forward(false);
    let mut problem = Problem::new(&forward).unwrap();
    assert!(problem.residual(&posture, &values) < 1e-14);
    values[problem.layout().index(Moment(1))] += 10.0;
    assert!(problem.residual(&posture, &values) > 1e-3);
    values[problem.layout().index(Moment(1))] = f64::NAN;
    assert!(problem.residual(&posture, &values).is_nan());
}

/// An intermediate joint held still, the paper's plain way and by supports of the solver: one motion, and the support is the plain external force less
/// the weight where the last segment does not turn (Casius et al. 2004).
#[test]
fn plain_way_and_supports_hold_a_joint_alike() {
    let mut random = Random::new(45);
    let n = 5;
    let segments = random_segments(&mut random, n);
    let mut posture = random_posture(&mut random, n);
    posture.rate[n - 1] = 0.0;
    let solve = |force: fn(usize, super::super::Direction) -> Variable| {
        let mut own = setup(&segments);
        own.forward(true);
        own.constrain(Row::segment("trunk", n - 1), Moment(n - 1)).unwrap();
        own.constrain(Row::joint("hip x", n - 1, X), force(n - 1, X)).unwrap();
        own.constrain(Row::joint("hip y", n - 1, Y), force(n - 1, Y)).unwrap();
        let mut problem = Problem::new(&own).unwrap();
        let mut values = vec![0.0; problem.layout().all()];
        for i in 0..n {
            values[problem.layout().index(Force(i, Y))] = -segments[i].mass * G;
            values[problem.layout().index(JointMoment(i))] = 20.0 - 10.0 * i as f64;
        }
        problem.solve(&posture, &[0.0; 3], &mut values).unwrap();
        (problem, values)
    };
    let (plain, plain_values) = solve(Force);
    let (owned, owned_values) = solve(Support);
    for i in 0..n {
        let (a, b) = (value(&plain, &plain_values, AngularAcceleration(i)), value(&owned, &owned_values, AngularAcceleration(i)));
        assert!((a - b).abs() < 1e-9 * a.abs().max(1.0), "segment {i}: {a}, {b}");
    }
    let weight = segments[n - 1].mass * G;
    let (external, support) = (value(&plain, &plain_values, Force(n - 1, Y)), value(&owned, &owned_values, Support(n - 1, Y)));
    assert!((support - (external + weight)).abs() < 1e-9 * weight, "{support}, {external} + {weight}");
    assert_eq!(value(&owned, &owned_values, Force(n - 1, Y)), -weight);
}

/// Rows on a mass centre and between joints, with right sides from the kinematics of a chain written out here: the motion they came from is found again.
#[test]
fn rows_on_mass_centres_and_between_joints_are_met() {
    let mut random = Random::new(46);
    for n in 2..=5 {
        let segments = random_segments(&mut random, n);
        let posture = random_posture(&mut random, n);
        let known = consistent(&mut random, &segments, &posture);
        let layout = setup(&segments).layout();
        let at = |variable: Variable| known[layout.index(variable)];
        let (mut joints, mut centers) = (vec![[at(BaseAcceleration(X)), at(BaseAcceleration(Y))]], Vec::new());
        for (k, segment) in segments.iter().enumerate() {
            let (c, s, w, turn) = (posture.cos[k], posture.sin[k], posture.rate[k], at(AngularAcceleration(k)));
            let moved = |r: [f64; 2]| [joints[k][0] - turn * r[1] - w * w * r[0], joints[k][1] + turn * r[0] - w * w * r[1]];
            let [d, e] = segment.center;
            centers.push(moved([d * c - e * s, d * s + e * c]));
            joints.push(moved([segment.length * c, segment.length * s]));
        }
        let mut own = setup(&segments);
        own.forward(false);
        own.constrain(Row::center("center", n - 1, X), Moment(0)).unwrap();
        own.constrain(Row::between_joints("end over joint", n, n - 1, Y), Moment(n - 1)).unwrap();
        let mut problem = Problem::new(&own).unwrap();
        let mut values = known.clone();
        own.unknowns().iter().for_each(|variable| values[layout.index(*variable)] = f64::NAN);
        let rights = [centers[n - 1][0], joints[n][1] - joints[n - 1][1]];
        problem.solve(&posture, &rights, &mut values).unwrap();
        for variable in own.unknowns() {
            let (found, was) = (value(&problem, &values, variable), at(variable));
            assert!((found - was).abs() < 1e-8 * was.abs().max(100.0), "n {n}, {variable}: {found}, was {was}");
        }
    }
}
