//! Random pairs of every class, separated and overlapping, without a former contact.

use super::reference::{THOROUGH, largest_gap};
use super::{CLASSES, Class, Placed, any_rotation, any_shape, report, slow};
use crate::detect::pair::Pair;
use crate::detect::solve::Search;
use crate::detect::{Detection, Method, Scope, Settings, Tangents, between_boxes, between_spheres, further_than};
use crate::shape::{Ellipsoid, Pose, SeparableSuperellipsoid, Smooth, Sphere, Superellipsoid, Surface};
use borelli_math::random::Random;
use borelli_math::{Mat3, Vec3, vec3};

/// Distances are of order 0.1 m, so round-off is of order 1e-16 m.
const ROUND_OFF: f64 = 1e-14;

/// What every contact must satisfy, from the implicit functions and support functions alone.
fn assert_contact(placed: &Placed, found: &Detection<f64>) {
    let contact = &found.contact;
    let Placed { first, X_first, second, X_second } = placed;
    let (s1, s2) = (X_first.R.transpose_mul(contact.p_first - X_first.p), X_second.R.transpose_mul(contact.p_second - X_second.p));
    assert!(first.value(s1).abs() < 1e-12 && second.value(s2).abs() < 1e-12, "{placed:?} {found:?}");
    let (f, g) = (X_first.R * first.gradient(s1), X_second.R * second.gradient(s2));
    let n = contact.normal;
    assert!((f.scale(1.0 / f.norm()) + n).norm() < 1e-11 && (g.scale(1.0 / g.norm()) - n).norm() < 1e-11, "{placed:?} {found:?}");
    assert!((contact.p_first - contact.p_second - n.scale(contact.gap)).norm() < 1e-12, "{placed:?} {found:?}");
    assert!((placed.gap(n) - contact.gap).abs() < ROUND_OFF, "{placed:?} {found:?}");
    let scope = found.certificate.scope;
    let overlap = matches!(scope, Scope::Enclosed | Scope::Scanned);
    assert!(if contact.gap > 0.0 || found.certificate.method == Method::ClosedForm { scope == Scope::All } else { overlap });
}

#[test]
fn no_search_over_directions_finds_a_larger_gap() {
    let count = if slow() { 2000 } else { 20 };
    for class in CLASSES {
        for overlapping in [false, true] {
            let mut random = Random::new(31 + overlapping as u64);
            let mut worst = f64::NEG_INFINITY;
            for _ in 0..count {
                let placed = Placed::any(&mut random, class, overlapping);
                let found = placed.find().unwrap_or_else(|fault| panic!("{fault}"));
                assert_contact(&placed, &found);
                // The gap found is that of one direction (asserted above), so it cannot be too large; here: not too small.
                let reference = largest_gap(&|m| placed.gap(m), THOROUGH).1;
                worst = worst.max(reference - found.contact.gap);
                assert!(found.contact.gap > reference - ROUND_OFF, "{class:?} {placed:?} {found:?} {reference}");
            }
            report(format_args!("{class:?}, overlapping {overlapping}: {count} pairs, reference larger by at most {worst:.1e} m"));
        }
    }
}

#[test]
fn needles_sharp_boxes_and_far_bodies_are_solved_too() {
    let count = if slow() { 100 } else { 6 };
    // Semi-axes, exponents, distance in reaches of the two.
    for (lengths, exponents, far) in [
        ((0.001, 0.2), (2.2, 5.0), 1.0),
        ((0.001, 0.2), (5.0, 10.0), 1.0),
        ((0.01, 0.08), (2.0001, 2.1), 1.0),
        ((0.01, 0.08), (10.0, 30.0), 1.0),
        ((0.01, 0.08), (30.0, 100.0), 1.0),
        ((0.01, 0.08), (2.2, 10.0), 1000.0),
    ] {
        for overlapping in [false, true] {
            let mut random = Random::new(201);
            let mut fallbacks = 0;
            for _ in 0..count {
                let mut shape = || {
                    let semi_axes = std::array::from_fn(|_| lengths.0 * f64::powf(lengths.1 / lengths.0, random.uniform(0.0, 1.0)));
                    let exponents: [f64; 3] = std::array::from_fn(|_| random.uniform(exponents.0, exponents.1));
                    if random.uniform(0.0, 1.0) < 0.5 {
                        Smooth::from(SeparableSuperellipsoid { semi_axes, exponents })
                    } else {
                        Smooth::from(Superellipsoid { semi_axes, p: exponents[0], r: exponents[1] })
                    }
                };
                let shapes = (shape(), shape());
                let far = if overlapping { 1.0 } else { far };
                let placed = Placed::apart(&mut random, shapes, overlapping, far);
                let found = placed.find().unwrap_or_else(|fault| panic!("{fault}"));
                fallbacks += (found.certificate.method == Method::Fallback) as u32;
                let reference = largest_gap(&|m| placed.gap(m), THOROUGH).1;
                // On flat faces the gap is as uncertain as the normal, whose tolerance is 1e-12, times the half side of a face.
                let uncertain = 1e-12 * lengths.1 * far;
                assert!(found.contact.gap > reference - uncertain, "{placed:?} {found:?} {reference}");
                assert!((placed.gap(found.contact.normal) - found.contact.gap).abs() < uncertain, "{placed:?} {found:?}");
            }
            report(format_args!(
                "axes {lengths:?}, exponents {exponents:?}, overlapping {overlapping}: {fallbacks} of {count} by the fallback"
            ));
        }
    }
}

#[test]
fn the_fallback_alone_finds_the_same_contacts() {
    let count = if slow() { 2000 } else { 40 };
    for class in CLASSES {
        for overlapping in [false, true] {
            let mut random = Random::new(51 + overlapping as u64);
            let mut worst = 0.0_f64;
            for _ in 0..count {
                let placed = Placed::any(&mut random, class, overlapping);
                let pair = Pair::new(placed.first, &placed.X_first, placed.second, &placed.X_second);
                let settings = Settings::default();
                let fallen = Search::new(&pair, &settings).fall_back(&mut crate::detect::directional_gap::Scan::new(&pair));
                let fallen = fallen.unwrap_or_else(|unsolved| panic!("{placed:?} {unsolved:?}"));
                assert_eq!(fallen.certificate.method, Method::Fallback);
                worst = worst.max(fallen.certificate.residual);
                let found = placed.find().unwrap().contact;
                let gap = pair.normals(fallen.points)[1].dot(pair.between(fallen.points));
                assert!((gap - found.gap).abs() < 1e-13, "{placed:?} {gap} {found:?}");
            }
            report(format_args!("{class:?}, overlapping {overlapping}: fallback residual at most {worst:.1e}"));
        }
    }
}

#[test]
fn exchanging_the_shapes_mirrors_the_contact() {
    for class in CLASSES {
        for overlapping in [false, true] {
            let mut random = Random::new(61 + overlapping as u64);
            for _ in 0..30 {
                let placed = Placed::any(&mut random, class, overlapping);
                let (one, other) = (placed.find().unwrap().contact, placed.swapped().find().unwrap().contact.swapped());
                assert!((one.gap - other.gap).abs() < ROUND_OFF, "{placed:?}");
                assert!((one.normal - other.normal).norm() < 1e-11, "{placed:?} {one:?} {other:?}");
                // Points on flat faces are determined less sharply than the normal: x ~ angle^(1/(g-1)).
                let points = if matches!(class, Class::Spheres | Class::Ellipsoids) { 1e-13 } else { 1e-7 };
                let apart = (one.p_first - other.p_first).norm() + (one.p_second - other.p_second).norm();
                assert!(apart < points, "{class:?} {apart:e} {placed:?}");
            }
        }
    }
}

#[test]
fn both_constructions_of_tangents_lead_to_the_same_contact() {
    let auxiliary = Settings { tangents: Tangents::Auxiliary };
    for class in CLASSES {
        let mut random = Random::new(71);
        for k in 0..40 {
            let placed = Placed::any(&mut random, class, k % 2 == 0);
            let (one, other) = (placed.find().unwrap().contact, placed.find_with(&auxiliary, None).unwrap().contact);
            assert!((one.gap - other.gap).abs() < ROUND_OFF && (one.normal - other.normal).norm() < 1e-11, "{placed:?}");
        }
    }
}

#[test]
fn ellipsoids_with_parallel_axes_on_a_line_touch_at_their_poles() {
    let first = Smooth::from(Ellipsoid { semi_axes: [0.03, 0.05, 0.02] });
    let second = Smooth::from(Ellipsoid { semi_axes: [0.04, 0.06, 0.03] });
    for (offset, gap) in [(0.08, 0.01), (0.07, 0.0), (0.065, -0.005)] {
        let X_first = Pose { p: vec3(offset, 0.0, 0.0), R: Mat3::IDENTITY };
        let placed = Placed { first, X_first, second, X_second: Pose::IDENTITY };
        let contact = placed.find().unwrap().contact;
        assert!((contact.gap - gap).abs() < 1e-16, "{contact:?}");
        assert!((contact.normal - vec3(1.0, 0.0, 0.0)).norm() < 1e-12);
        assert!((contact.p_second - vec3(0.04, 0.0, 0.0)).norm() < 1e-13);
    }
}

#[test]
fn nested_and_concentric_bodies_overlap_along_the_shortest_way_out() {
    // A small sphere inside an ellipsoid: out along the shortest axis, 0.02 m away.
    let second = Smooth::from(Ellipsoid { semi_axes: [0.05, 0.06, 0.02] });
    let first = Smooth::from(Sphere { radius: 0.004 });
    let X_first = Pose { p: vec3(0.0, 0.0, 0.003), R: Mat3::IDENTITY };
    let nested = Placed { first, X_first, second, X_second: Pose::IDENTITY }.find().unwrap().contact;
    assert!((nested.gap - (0.003 - 0.004 - 0.02)).abs() < 1e-15, "{nested:?}");
    assert!((nested.normal - vec3(0.0, 0.0, 1.0)).norm() < 1e-12);
    let mut random = Random::new(81);
    for class in [Class::Ellipsoids, Class::ExponentsTo5, Class::ExponentsTo10] {
        for _ in 0..10 {
            let R = any_rotation(&mut random);
            let (first, second) = (any_shape(&mut random, class), any_shape(&mut random, class));
            let placed = Placed { first, X_first: Pose::IDENTITY, second, X_second: Pose { p: Vec3::ZERO, R } };
            let found = placed.find().unwrap_or_else(|fault| panic!("{fault}"));
            assert_contact(&placed, &found);
            assert!(found.contact.gap > largest_gap(&|m| placed.gap(m), THOROUGH).1 - ROUND_OFF, "{placed:?}");
        }
    }
}

#[test]
fn aligned_flat_faces_touch_with_the_gap_of_boxes() {
    let mut random = Random::new(91);
    for _ in 0..30 {
        let (first, second) = (any_shape(&mut random, Class::ExponentsTo10), any_shape(&mut random, Class::ExponentsTo10));
        let R = any_rotation(&mut random);
        let gap = random.uniform(-0.003, 0.01);
        let height = first.half_extents().z + second.half_extents().z + gap;
        let X_first = Pose { p: R * vec3(0.0, 0.0, height), R };
        let placed = Placed { first, X_first, second, X_second: Pose { p: Vec3::ZERO, R } };
        let contact = placed.find().unwrap_or_else(|fault| panic!("{fault}")).contact;
        assert!((contact.gap - gap).abs() < ROUND_OFF, "{placed:?} {contact:?} {gap}");
        assert!((contact.normal - R.z).norm() < 1e-10);
        // Moved sideways by half a body, faces still look at each other: points are found between the centres.
        let X_first = Pose { p: R * vec3(0.2 * first.half_extents().x, 0.0, height), R };
        let placed = Placed { X_first, ..placed };
        let found = placed.find().unwrap_or_else(|fault| panic!("{fault}"));
        assert!(found.contact.gap > largest_gap(&|m| placed.gap(m), THOROUGH).1 - ROUND_OFF, "{placed:?} {found:?}");
    }
}

#[test]
fn broad_bounds_are_never_above_the_gap() {
    for class in CLASSES {
        let mut random = Random::new(101);
        let (mut skipped_by_spheres, mut skipped_by_boxes) = (0, 0);
        for _ in 0..200 {
            let mut placed = Placed::any(&mut random, class, false);
            placed.X_first.p += Vec3::from_array(random.direction()).scale(random.uniform(0.0, 0.1));
            let Placed { first, X_first, second, X_second } = &placed;
            let gap = placed.find().unwrap().contact.gap;
            let spheres = between_spheres(first, X_first, second, X_second);
            let boxes = between_boxes(first, X_first, second, X_second);
            assert!(spheres <= gap + ROUND_OFF && boxes <= gap.max(0.0) + ROUND_OFF, "{placed:?} {spheres} {boxes} {gap}");
            skipped_by_spheres += (spheres > 0.01) as u32;
            skipped_by_boxes += (boxes > 0.01) as u32;
            assert_eq!(further_than(0.01, first, X_first, second, X_second), spheres > 0.01 || boxes > 0.01);
        }
        assert!(skipped_by_spheres > 10 && skipped_by_boxes > 10, "{class:?} {skipped_by_spheres} {skipped_by_boxes}");
    }
}
