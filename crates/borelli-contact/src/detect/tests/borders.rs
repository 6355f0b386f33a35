//! At the borders of what a pair can be: one centre, one inside the other, just touching, needles and pancakes, far apart.

use super::reference::{THOROUGH, largest_gap};
use super::{CLASSES, Class, Placed, any_rotation, any_shape};
use crate::detect::{Detection, Scope};
use crate::shape::{Ellipsoid, Pose, Smooth, Sphere, Superellipsoid};
use borelli_math::random::Random;
use borelli_math::{Mat3, Vec3, vec3};

fn find(placed: &Placed) -> Detection<f64> {
    placed.find().unwrap_or_else(|fault| panic!("{fault}"))
}

fn at(p: Vec3<f64>) -> Pose<f64> {
    Pose { p, R: Mat3::IDENTITY }
}

#[test]
fn bodies_about_one_centre_part_along_the_sum_of_their_shortest_axes() {
    let axes = [[0.05, 0.02, 0.04], [0.06, 0.03, 0.07]];
    let ellipsoids = axes.map(|semi_axes| Smooth::from(Ellipsoid { semi_axes }));
    let boxes = axes.map(|semi_axes| Smooth::from(Superellipsoid { semi_axes, p: 6.0, r: 8.0 }));
    for [first, second] in [ellipsoids, boxes] {
        let placed = Placed { first, X_first: Pose::IDENTITY, second, X_second: Pose::IDENTITY };
        let found = find(&placed);
        assert!((found.contact.gap + 0.05).abs() < 1e-15, "{found:?}");
        assert!((found.contact.normal.y.abs() - 1.0).abs() < 1e-15);
        // Both ends of the axis are equally good, and both are allowed for.
        assert_eq!(found.certificate.scope, Scope::Enclosed);
        // Centres apart by round-off, whose direction means nothing.
        for p in [vec3(1e-17, 0.0, 0.0), vec3(0.0, 0.0, -1e-300), vec3(5e-324, 0.0, 0.0)] {
            let found = find(&Placed { X_first: at(p), ..placed });
            assert!((found.contact.gap + 0.05).abs() < 1e-15, "{found:?}");
        }
    }
    // Ellipsoids that are spheres about one centre: any direction will do.
    let ball = |radius: f64| Smooth::from(Ellipsoid { semi_axes: [radius; 3] });
    let placed = Placed { first: ball(0.03), X_first: Pose::IDENTITY, second: ball(0.02), X_second: Pose::IDENTITY };
    assert!((find(&placed).contact.gap + 0.05).abs() < 1e-15);
}

#[test]
fn a_small_body_deep_in_a_large_one_leaves_by_the_shortest_way() {
    let mut random = Random::new(501);
    for class in [Class::Ellipsoids, Class::ExponentsTo5, Class::ExponentsTo10] {
        for k in 0..12 {
            let second = any_shape(&mut random, class).map(&mut |&x| if x < 1.0 { 10.0 * x } else { x });
            let p = Vec3::from_array(random.direction()).scale(random.uniform(0.0, 0.1));
            let placed = Placed {
                first: if k % 3 == 0 { Sphere { radius: 0.004 }.into() } else { any_shape(&mut random, class) },
                X_first: Pose { p, R: any_rotation(&mut random) },
                second,
                X_second: Pose::IDENTITY,
            };
            let found = find(&placed);
            let reference = largest_gap(&|m| placed.gap(m), THOROUGH).1;
            // Sizes are ten times those of other tests, and so is round-off.
            assert!((found.contact.gap - placed.gap(found.contact.normal)).abs() < 1e-14, "{placed:?} {found:?}");
            assert!(found.contact.gap > reference - 1e-13, "{placed:?} {found:?} {reference}");
        }
    }
}

#[test]
fn bodies_moved_together_by_their_gap_just_touch() {
    let mut random = Random::new(511);
    for class in CLASSES {
        for _ in 0..30 {
            let mut placed = Placed::any(&mut random, class, false);
            let before = find(&placed).contact;
            placed.X_first.p -= before.normal.scale(before.gap);
            let after = find(&placed).contact;
            assert!(after.gap.abs() < 1e-15 && (after.normal - before.normal).norm() < 1e-10, "{placed:?} {after:?}");
            // A hair further in and out, on both sides of the border between proofs.
            for hair in [1e-12, -1e-12] {
                let moved = Placed { X_first: Pose { p: placed.X_first.p + before.normal.scale(hair), ..placed.X_first }, ..placed };
                let gap = find(&moved).contact.gap;
                assert!((gap - hair).abs() < 1e-15, "{moved:?} {gap} {hair}");
            }
        }
    }
}

#[test]
fn needles_and_pancakes_have_their_hand_values_and_no_better_direction() {
    let (long, thin) = (0.5, 5e-4);
    let needle = Smooth::from(Ellipsoid { semi_axes: [long, thin, thin] });
    let pancake = Smooth::from(Ellipsoid { semi_axes: [long, long, thin] });
    let across = Mat3 { x: vec3(0.0, 1.0, 0.0), y: vec3(-1.0, 0.0, 0.0), z: vec3(0.0, 0.0, 1.0) };
    for (first, R) in [(needle, across), (pancake, Mat3::IDENTITY), (pancake, across)] {
        for second in [needle, pancake] {
            for gap in [0.1, 1e-6, 0.0, -1e-6, -9e-4] {
                let X_first = Pose { p: vec3(0.0, 0.0, 2.0 * thin + gap), R };
                let found = find(&Placed { first, X_first, second, X_second: Pose::IDENTITY });
                assert!((found.contact.gap - gap).abs() < 1e-15, "{first:?} {second:?} {gap} {found:?}");
                assert!((found.contact.normal - vec3(0.0, 0.0, 1.0)).norm() < 1e-9);
            }
        }
    }
    let mut random = Random::new(521);
    for k in 0..40 {
        let shapes = [(needle, needle), (needle, pancake), (pancake, needle), (pancake, pancake)][k % 4];
        let placed = Placed::apart(&mut random, shapes, k % 8 < 4, 1.0);
        let found = find(&placed).contact;
        let reference = largest_gap(&|m| placed.gap(m), THOROUGH).1;
        assert!((found.gap - placed.gap(found.normal)).abs() < 1e-14, "{placed:?} {found:?}");
        // Peaks of the gap are as sharp as the needles, so the search may end below them, never above.
        assert!(found.gap > reference - 1e-13, "{placed:?} {found:?} {reference}");
    }
}

#[test]
fn a_pair_a_million_metres_apart_is_solved_to_round_off() {
    let mut random = Random::new(531);
    for class in CLASSES {
        for _ in 0..20 {
            let mut placed = Placed::any(&mut random, class, false);
            let u = Vec3::from_array(random.direction());
            placed.X_first.p = placed.X_second.p + u.scale(1e6);
            let found = find(&placed);
            let contact = found.contact;
            // A number of 1e6 has a round-off of 1e-10. The normal may turn by the size of the bodies over their distance.
            assert!((contact.gap - placed.gap(contact.normal)).abs() < 1e-9, "{placed:?} {contact:?}");
            assert!((contact.gap - (contact.p_first - contact.p_second).norm()).abs() < 1e-9);
            assert!((contact.normal - u).norm() < 1e-6);
            assert!(found.certificate.scope == Scope::All && found.certificate.without_fallback());
        }
    }
}

#[test]
fn a_pair_far_from_the_origin_has_the_contact_of_one_near_it() {
    let mut random = Random::new(541);
    for class in CLASSES {
        for k in 0..20 {
            let placed = Placed::any(&mut random, class, k % 2 == 0);
            let offset = vec3(1e6, -2e6, 5e5);
            let moved = |X: Pose<f64>| Pose { p: X.p + offset, ..X };
            let far = Placed { X_first: moved(placed.X_first), X_second: moved(placed.X_second), ..placed };
            let (near, far) = (find(&placed).contact, find(&far).contact);
            // The places themselves are round to 2e-10 here.
            assert!((near.gap - far.gap).abs() < 2e-9, "{placed:?} {near:?} {far:?}");
        }
    }
}
