//! Derivatives of contacts by poses and parameters, against differences.

use super::{Class, Placed};
use crate::detect::{Contact, Settings, detect};
use crate::shape::{HalfSpace, Pose, Shape, Smooth, Surface};
use borelli_math::random::Random;
use borelli_math::{Dual, Mat3, Real, Vec3, rotation_vector, vec3};

/// Twelve coordinates of the two poses, then up to six parameters of each shape.
const ALL: usize = 24;
type D = Dual<ALL>;

fn turned<S: Real>(pose: &Pose<f64>, x: &[S]) -> Pose<S> {
    let R = rotation_vector(vec3(x[3], x[4], x[5])) * Mat3::lift(&pose.R);
    Pose { p: Vec3::lift(pose.p) + vec3(x[0], x[1], x[2]), R }
}

/// Two shapes changed by `x`.
fn changed<S: Real>(placed: &Placed, x: &[S]) -> (Smooth<S>, Pose<S>, Smooth<S>, Pose<S>) {
    let with = |shape: &Smooth<f64>, offset: usize| {
        let mut k = offset;
        shape.map(&mut |&number| {
            k += 1;
            x[k - 1] + number
        })
    };
    (with(&placed.first, 12), turned(&placed.X_first, &x[..6]), with(&placed.second, 18), turned(&placed.X_second, &x[6..12]))
}

fn numbers<S: Real>(c: &Contact<S>) -> [S; 10] {
    let (p, q, n) = (c.p_first, c.p_second, c.normal);
    [c.gap, p.x, p.y, p.z, q.x, q.y, q.z, n.x, n.y, n.z]
}

/// Compares all derivatives of a contact with central differences; tolerances for the gap, and for points and normal.
fn compare(dual: &Contact<D>, plain: &dyn Fn(&[f64; ALL]) -> Contact<f64>, used: &[usize], tolerances: (f64, f64)) {
    let dual = numbers(dual);
    for &k in used {
        // Fourth order: the error is of order h⁴ and round-off of points 1e-14/h.
        let h = 1e-5;
        let at = |h: f64| {
            let mut x = [0.0; ALL];
            x[k] = h;
            numbers(&plain(&x))
        };
        let (near, far) = ((at(h), at(-h)), (at(2.0 * h), at(-2.0 * h)));
        for i in 0..10 {
            let difference = (8.0 * (near.0[i] - near.1[i]) - (far.0[i] - far.1[i])) / (12.0 * h);
            let tolerance = (if i == 0 { tolerances.0 } else { tolerances.1 }) * (1.0 + difference.abs());
            assert!((dual[i].eps[k] - difference).abs() < tolerance, "number {i} by {k}: {} {difference}", dual[i].eps[k]);
        }
    }
}

fn variables() -> [D; ALL] {
    std::array::from_fn(|k| Dual::variable(0.0, k))
}

#[test]
fn contacts_of_curved_surfaces_have_the_slopes_of_their_differences() {
    for (class, tolerances) in [(Class::Ellipsoids, (1e-9, 1e-6)), (Class::ExponentsTo5, (1e-8, 1e-4))] {
        let mut random = Random::new(131);
        let mut compared = 0;
        for k in 0..24 {
            let placed = Placed::any(&mut random, class, k % 2 == 0);
            let found = placed.find().unwrap();
            let (a, X, b, Y) = changed(&placed, &variables());
            let (settings, memory) = (Settings::default(), Some(&found.memory));
            let dual = detect(&Shape::Smooth(a), &X, &Shape::Smooth(b), &Y, &settings, memory).unwrap().contact;
            assert!((dual.gap.re - found.contact.gap).abs() < 1e-15);
            let plain = |x: &[f64; ALL]| {
                let (a, X, b, Y) = changed(&placed, x);
                detect(&Shape::Smooth(a), &X, &Shape::Smooth(b), &Y, &settings, memory).unwrap().contact
            };
            let mut used: Vec<usize> = (0..12).collect();
            used.extend((0..placed.first.kind().parameters.len()).map(|k| 12 + k));
            used.extend((0..placed.second.kind().parameters.len()).map(|k| 18 + k));
            // Points run fast over nearly flat places; only contacts where the differences can follow are compared.
            if numbers(&dual)[1..].iter().all(|x| x.eps.iter().all(|e| e.abs() < 20.0)) {
                compared += 1;
                compare(&dual, &plain, &used, tolerances);
            }
        }
        assert!(compared >= 10, "{compared}");
    }
}

#[test]
fn the_gap_has_derivatives_where_points_have_none() {
    // Aligned flat faces: the points may jump, the gap moves with the faces.
    let semi_axes = [0.03, 0.04, 0.02];
    let box_like = Smooth::from(crate::shape::Superellipsoid { semi_axes, p: 8.0, r: 8.0 });
    let X_first = Pose { p: vec3(0.0, 0.0, 0.045), R: Mat3::IDENTITY };
    let placed = Placed { first: box_like, X_first, second: box_like, X_second: Pose::IDENTITY };
    let (a, X, b, Y) = changed(&placed, &variables());
    let gap = detect(&Shape::Smooth(a), &X, &Shape::Smooth(b), &Y, &Settings::default(), None).unwrap().contact.gap;
    assert!((gap.re - 0.005).abs() < 1e-16);
    let mut expected = [0.0; ALL];
    (expected[2], expected[8], expected[14], expected[20]) = (1.0, -1.0, -1.0, -1.0);
    (0..ALL).for_each(|k| assert!((gap.eps[k] - expected[k]).abs() < 1e-9, "{k}: {} {}", gap.eps[k], expected[k]));
}

#[test]
fn contacts_by_formula_have_the_slopes_of_their_differences() {
    let mut random = Random::new(141);
    let settings = Settings::default();
    for class in [Class::Spheres, Class::Ellipsoids, Class::ExponentsTo5] {
        let placed = Placed::any(&mut random, class, true);
        let ground = HalfSpace { normal: [0.1, 1.0, -0.2], height: -0.25 };
        let flat = |x: &[f64; ALL]| {
            let (a, X, _, Y) = changed(&placed, x);
            detect(&Shape::Smooth(a), &X, &ground.into(), &Y, &settings, None).unwrap().contact
        };
        let (a, X, b, Y) = changed(&placed, &variables());
        let ground = Shape::from(ground).map(&mut |&number| Dual::from_f64(number));
        let dual = detect(&Shape::Smooth(a), &X, &ground, &Y, &settings, None).unwrap().contact;
        let mut used: Vec<usize> = (0..12).collect();
        used.extend((0..placed.first.kind().parameters.len()).map(|k| 12 + k));
        compare(&dual, &flat, &used, (1e-9, 1e-7));
        if class == Class::Spheres {
            let round = |x: &[f64; ALL]| {
                let (a, X, b, Y) = changed(&placed, x);
                detect(&Shape::Smooth(a), &X, &Shape::Smooth(b), &Y, &settings, None).unwrap().contact
            };
            let dual = detect(&Shape::Smooth(a), &X, &Shape::Smooth(b), &Y, &settings, None).unwrap().contact;
            used.push(18);
            compare(&dual, &round, &used, (1e-9, 1e-9));
        }
    }
}
