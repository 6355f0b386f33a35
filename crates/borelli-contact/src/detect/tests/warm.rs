//! Pairs that move: each instant starts from the contact of the last.

use super::{CLASSES, Class, Placed, any_rotation, report, slow};
use crate::detect::directional_gap::{MOST_STEPS, ascend};
use crate::detect::pair::Pair;
use crate::detect::{Memory, Method, Settings, Start};
use crate::shape::{Motion, Pose, Surface};
use borelli_math::random::Random;
use borelli_math::{Vec3, rotation_vector};

/// Moves a pose for a time.
pub(super) fn moved(pose: &Pose<f64>, motion: &Motion<f64>, time: f64) -> Pose<f64> {
    Pose { p: pose.p + motion.v.scale(time), R: rotation_vector(motion.w.scale(time)) * pose.R }
}

pub(super) fn any_motion(random: &mut Random, v: f64, w: f64) -> Motion<f64> {
    Motion {
        v: Vec3::from_array(random.direction()).scale(random.uniform(0.0, v)),
        w: Vec3::from_array(random.direction()).scale(random.uniform(0.0, w)),
    }
}

#[test]
fn a_moving_pair_is_followed_without_fallback() {
    // A millisecond at 1 m/s and 10 rad/s, faster than a foot meets the ground.
    let (runs, steps) = if slow() { (200, 200) } else { (8, 100) };
    for class in CLASSES {
        if class == Class::Spheres {
            continue; // they have a formula
        }
        let mut random = Random::new(111);
        let (mut followed, mut newton, mut iterations) = (0, 0, 0);
        for run in 0..runs {
            let mut placed = Placed::any(&mut random, class, run % 2 == 0);
            let (one, other) = (any_motion(&mut random, 1.0, 10.0), any_motion(&mut random, 1.0, 10.0));
            let mut memory = placed.find().unwrap().memory;
            for _ in 0..steps {
                placed.X_first = moved(&placed.X_first, &one, 1e-3);
                placed.X_second = moved(&placed.X_second, &other, 1e-3);
                let found = placed.find_with(&Settings::default(), Some(&memory)).unwrap_or_else(|fault| panic!("{fault}"));
                followed += (found.certificate.method == Method::Newton(Start::Former)) as u32;
                newton += matches!(found.certificate.method, Method::Newton(_)) as u32;
                iterations += found.certificate.iterations;
                memory = found.memory;
                let cold = placed.find().unwrap().contact.gap;
                // Separated: the same contact. Overlapping: perhaps another one, which overlaps more.
                assert!(found.contact.gap < cold + 1e-13, "{} {cold} {placed:?}", found.contact.gap);
                assert!(cold < 0.0 || found.contact.gap > cold - 1e-13, "{} {cold} {placed:?}", found.contact.gap);
            }
        }
        let share = |k: u32| 100.0 * k as f64 / (runs * steps) as f64;
        let mean = iterations as f64 / (runs * steps) as f64;
        report(format_args!("{class:?}: {:.3} % followed, {:.3} % by Newton, {mean:.1} steps", share(followed), share(newton)));
        assert!(share(newton) >= 99.9, "{class:?}: {} %", share(newton));
    }
}

#[test]
fn a_misleading_memory_does_not_make_separated_bodies_overlap() {
    for class in CLASSES {
        let mut random = Random::new(115);
        for _ in 0..50 {
            let placed = Placed::any(&mut random, class, false);
            let right = placed.find().unwrap();
            // The gap also has an optimum on the far side, where it is below zero.
            let pair = Pair::new(placed.first, &placed.X_first, placed.second, &placed.X_second);
            let (m, far, _) = ascend(&pair, -right.contact.normal, MOST_STEPS);
            let memory = Memory { points: far.points, normal: placed.X_second.R.transpose_mul(m), seat: right.memory.seat };
            let found = placed.find_with(&Settings::default(), Some(&memory)).unwrap().contact;
            assert!((found.gap - right.contact.gap).abs() < 1e-14, "{placed:?} {found:?}");
        }
    }
}

#[test]
fn an_overlap_does_not_depend_on_the_pose_looked_at_before() {
    let jumps = if slow() { 10_000 } else { 300 };
    for class in CLASSES {
        let (mut random, mut overlaps, mut deep) = (Random::new(119), 0, 0);
        let mut placed = Placed::any(&mut random, class, true);
        let mut memory = None;
        for jump in 0..jumps {
            if jump % 20 == 0 {
                // Other shapes, of which nothing is known.
                (placed, memory) = (Placed::any(&mut random, class, true), None);
            }
            // Far apart, near, shallow and deep in turn as chance will have it.
            let (kind, m) = (random.uniform(0.0, 1.0), Vec3::from_array(random.direction()));
            let (R1, R2) = (any_rotation(&mut random), any_rotation(&mut random));
            let reach = placed.first.support(R1.transpose_mul(-m)).distance + placed.second.support(R2.transpose_mul(m)).distance;
            let part = if kind < 0.2 { random.uniform(1.0, 20.0) } else { random.uniform(0.15, 1.0) };
            placed.X_first = Pose { p: placed.X_second.p + m.scale(part * reach), R: R1 };
            placed.X_second.R = R2;
            let warm = placed.find_with(&Settings::default(), memory.as_ref()).unwrap_or_else(|fault| panic!("{fault}"));
            let cold = placed.find().unwrap_or_else(|fault| panic!("{fault}"));
            assert!((warm.contact.gap - cold.contact.gap).abs() < 1e-12, "{} {} {placed:?}", warm.contact.gap, cold.contact.gap);
            if cold.contact.gap < -1e-9 {
                assert!((warm.contact.normal - cold.contact.normal).norm() < 1e-9, "{placed:?}");
                overlaps += 1;
            }
            deep += u32::from(cold.contact.gap < -0.01);
            memory = Some(warm.memory);
        }
        assert!(2 * overlaps > jumps && deep > 0, "{class:?}: {overlaps} {deep} of {jumps}");
    }
}

#[test]
fn approach_is_the_rate_of_the_depth() {
    for class in CLASSES {
        for overlapping in [false, true] {
            let mut random = Random::new(121);
            for _ in 0..20 {
                let placed = Placed::any(&mut random, class, overlapping);
                let (one, other) = (any_motion(&mut random, 1.0, 5.0), any_motion(&mut random, 1.0, 5.0));
                let found = placed.find().unwrap();
                let at = |time: f64| {
                    let X_first = moved(&placed.X_first, &one, time);
                    let X_second = moved(&placed.X_second, &other, time);
                    Placed { X_first, X_second, ..placed }.find_with(&Settings::default(), Some(&found.memory)).unwrap().contact.depth()
                };
                let sliding = found.contact.sliding((&placed.X_first, &one), (&placed.X_second, &other));
                let h = 1e-5;
                let difference = (at(h) - at(-h)) / (2.0 * h);
                // Points race over flat faces, so that the depth has large third derivatives: 1e-4 at worst for exponents up to 10.
                let tolerance = if matches!(class, Class::Spheres | Class::Ellipsoids) { 1e-7 } else { 1e-3 };
                assert!((sliding.approach - difference).abs() < tolerance, "{placed:?} {sliding:?} {difference}");
                assert!(sliding.slip.dot(found.contact.normal).abs() < 1e-14);
            }
        }
    }
}

#[test]
fn slip_of_a_rolling_sphere_vanishes_and_exchange_turns_it_round() {
    use crate::detect::detect;
    use crate::shape::{HalfSpace, Shape, Sphere};
    use borelli_math::{Mat3, vec3};
    let (ball, ground) = (Shape::from(Sphere { radius: 0.1 }), Shape::from(HalfSpace { normal: [0.0, 1.0, 0.0], height: 0.0 }));
    let X = Pose { p: vec3(0.3, 0.099, 0.2), R: Mat3::IDENTITY };
    let motion = Motion { v: vec3(1.0, -0.2, 0.0), w: vec3(0.0, 0.0, -10.0) };
    let settings = Settings::default();
    let contact = detect(&ball, &X, &ground, &Pose::IDENTITY, &settings, None).unwrap().contact;
    let rolling = contact.sliding((&X, &motion), (&Pose::IDENTITY, &Motion::REST));
    assert!((rolling.approach - 0.2).abs() < 1e-15 && rolling.slip.norm() < 1e-15, "{rolling:?}");
    let motion = Motion { w: Vec3::ZERO, ..motion };
    let sliding = contact.sliding((&X, &motion), (&Pose::IDENTITY, &Motion::REST));
    let mirrored = contact.swapped().sliding((&Pose::IDENTITY, &Motion::REST), (&X, &motion));
    assert!((sliding.slip - vec3(1.0, 0.0, 0.0)).norm() < 1e-15);
    assert!((mirrored.slip + sliding.slip).norm() < 1e-15 && (mirrored.approach - sliding.approach).abs() < 1e-15);
}
