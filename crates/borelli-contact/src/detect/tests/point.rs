//! Points against smooth surfaces, against a search over the surface itself.

use super::any_rotation;
use super::reference::{THOROUGH, largest_gap};
use crate::detect::{Detection, Memory, Method, Scope, Settings, detect};
use crate::shape::tests::any_surfaces;
use crate::shape::{Ellipse, Ellipsoid, Point, Pose, Shape, Smooth, Surface};
use borelli_math::random::Random;
use borelli_math::{Dual, Mat3, Real, Vec3, rotation_about, vec3};

const POINT: Shape<f64> = Shape::Point(Point::new());

fn find(p: Vec3<f64>, surface: &Smooth<f64>, X: &Pose<f64>, memory: Option<&Memory>) -> Detection<f64> {
    let at = Pose { p, R: rotation_about(vec3(0.0, 0.0, 1.0), 0.4) };
    let found = detect(&POINT, &at, &Shape::Smooth(*surface), X, &Settings::default(), memory);
    found.unwrap_or_else(|fault| panic!("{fault}"))
}

/// Distance from the surface, below zero inside, by a search over directions from its centre; it knows the gauge and nothing else.
fn searched(p: Vec3<f64>, surface: &Smooth<f64>, X: &Pose<f64>) -> f64 {
    let local = X.R.transpose_mul(p - X.p);
    let planar = surface.kind().planar;
    let nearness = |u: Vec3<f64>| {
        // In the plane for planar shapes, of which the search then sees every direction many times.
        let u = if planar { vec3(u.x, u.y, 0.0) } else { u };
        -(u.scale(1.0 / surface.gauge(u)) - local).norm()
    };
    let distance = -largest_gap(&nearness, THOROUGH).1;
    if surface.gauge(local) < 1.0 { -distance } else { distance }
}

#[test]
fn a_point_is_as_far_from_a_surface_as_a_search_over_it_says() {
    let mut random = Random::new(401);
    for _ in 0..if super::slow() { 100 } else { 4 } {
        for surface in any_surfaces(&mut random, 10.0) {
            let planar = surface.kind().planar;
            for depth in [0.02, 0.5, 0.95, 1.05, 2.0, 20.0] {
                let R = if planar { rotation_about(vec3(0.0, 0.0, 1.0), random.uniform(0.0, 6.0)) } else { any_rotation(&mut random) };
                let X = Pose { p: vec3(0.1, -0.2, 0.0), R };
                let u = Vec3::from_array(random.direction());
                let u = if planar { vec3(u.x, u.y, 0.0) } else { u };
                let p = X.place(u.scale(depth / surface.gauge(u)));
                let found = find(p, &surface, &X, None);
                let contact = found.contact;
                let reference = searched(p, &surface, &X);
                assert!((contact.gap - reference).abs() < 1e-13, "{surface:?} {p:?} {} {reference}", contact.gap);
                assert_eq!(contact.gap > 0.0, depth > 1.0);
                assert_eq!(contact.p_first, p);
                assert!((contact.p_first - contact.p_second - contact.normal.scale(contact.gap)).norm() < 1e-12);
                let s = X.R.transpose_mul(contact.p_second - X.p);
                let n = X.R * surface.gradient(s);
                assert!((surface.gauge(s) - 1.0).abs() < 1e-13 && (contact.normal - n.scale(1.0 / n.norm())).norm() < 1e-12);
                assert!(!planar || contact.normal.z.abs() < 1e-12, "{contact:?}");
                let certificate = found.certificate;
                let round = certificate.method == Method::ClosedForm;
                assert!(if depth > 1.0 || round { certificate.scope == Scope::All } else { certificate.overlap_proven }, "{certificate:?}");
            }
        }
    }
}

#[test]
fn exchanging_point_and_surface_mirrors_the_contact_and_its_memory() {
    let mut random = Random::new(411);
    let X = Pose { p: vec3(0.1, -0.2, 0.3), R: any_rotation(&mut random) };
    let point_at = |p| Pose { p, R: Mat3::IDENTITY };
    for surface in any_surfaces(&mut random, 6.0).into_iter().filter(|surface| surface.kind().spatial) {
        let p = X.place(vec3(0.01, 0.005, -0.004));
        let one = detect(&POINT, &point_at(p), &Shape::Smooth(surface), &X, &Settings::default(), None).unwrap();
        let other = detect(&Shape::Smooth(surface), &X, &POINT, &point_at(p), &Settings::default(), None).unwrap();
        assert_eq!(one.contact, other.contact.swapped());
        // Followed from either memory, both ways round.
        let p = p + vec3(1e-4, -2e-4, 1e-4);
        let cold = find(p, &surface, &X, None).contact;
        let one = find(p, &surface, &X, Some(&one.memory));
        let other = detect(&Shape::Smooth(surface), &X, &POINT, &point_at(p), &Settings::default(), Some(&other.memory)).unwrap();
        for (contact, certificate) in [(one.contact, one.certificate), (other.contact.swapped(), other.certificate)] {
            assert!((contact.gap - cold.gap).abs() < 1e-14, "{contact:?} {cold:?}");
            assert!(
                certificate.method == Method::ClosedForm || matches!(certificate.scope, Scope::Nearby | Scope::Enclosed),
                "{certificate:?}"
            );
        }
    }
}

#[test]
fn the_distance_of_a_point_has_the_slopes_of_its_differences() {
    let mut random = Random::new(421);
    type D = Dual<6>;
    for surface in any_surfaces(&mut random, 5.0).into_iter().filter(|surface| surface.kind().spatial) {
        for depth in [0.7, 1.6] {
            let X = Pose { p: Vec3::ZERO, R: any_rotation(&mut random) };
            let u = Vec3::from_array(random.direction());
            let p = X.place(u.scale(depth / surface.gauge(u)));
            let plain = find(p, &surface, &X, None);
            let variable = |k: usize, x: f64| D::variable(x, k);
            let at = Pose { p: vec3(variable(0, p.x), variable(1, p.y), variable(2, p.z)), R: Mat3::IDENTITY };
            let moved = Pose { p: vec3(variable(3, 0.0), variable(4, 0.0), variable(5, 0.0)), R: Mat3::lift(&X.R) };
            let shape = Shape::Smooth(surface).map(&mut |&number| D::from_f64(number));
            let point: Shape<D> = Point::new().into();
            let dual = detect(&point, &at, &shape, &moved, &Settings::default(), Some(&plain.memory)).unwrap().contact;
            assert!((dual.gap.re - plain.contact.gap).abs() < 1e-15);
            for (k, axis) in [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)].into_iter().enumerate() {
                // The distance changes by the normal, whichever of the two moves.
                let n = plain.contact.normal.dot(axis);
                assert!((dual.gap.eps[k] - n).abs() + (dual.gap.eps[k + 3] + n).abs() < 1e-12);
                // So does the normal, by the difference of two of them: a step of 1e-6 of the size leaves 1e-8 of its rate.
                let h = 1e-7;
                let normal = |h: f64| find(p + axis.scale(h), &surface, &X, Some(&plain.memory)).contact.normal;
                let difference = (normal(h) - normal(-h)).scale(0.5 / h);
                let slope = vec3(dual.normal.x.eps[k], dual.normal.y.eps[k], dual.normal.z.eps[k]);
                assert!((slope - difference).norm() < 1e-4 * (1.0 + difference.norm()), "{surface:?} {slope:?} {difference:?}");
            }
        }
    }
}

#[test]
fn points_on_the_axes_of_ellipses_and_ellipsoids_have_their_hand_values() {
    let egg = Smooth::from(Ellipsoid { semi_axes: [0.05, 0.03, 0.02] });
    let flat = Smooth::from(Ellipse { semi_axes: [0.05, 0.02] });
    // At the centre the way out is along the shortest axis, either way; the foot of the evolute, b²/a from the centre, is further out.
    for surface in [egg, flat] {
        let centre = find(Vec3::ZERO, &surface, &Pose::IDENTITY, None).contact;
        assert!((centre.gap + 0.02).abs() < 1e-16, "{centre:?}");
        assert!((if surface == egg { centre.normal.z } else { centre.normal.y }.abs() - 1.0).abs() < 1e-15);
        // Outside on the long axis, on the pole, and near it inside, where the pole is nearest beyond a − b²/a.
        for x in [0.07, 0.05, 0.046] {
            let contact = find(vec3(x, 0.0, 0.0), &surface, &Pose::IDENTITY, None).contact;
            assert!((contact.gap - (x - 0.05)).abs() < 1e-16 && (contact.normal - vec3(1.0, 0.0, 0.0)).norm() < 1e-11, "{contact:?}");
        }
        let far = find(vec3(1e6, 0.0, 0.0), &surface, &Pose::IDENTITY, None).contact;
        assert!((far.gap - (1e6 - 0.05)).abs() < 1e-9 && (far.normal - vec3(1.0, 0.0, 0.0)).norm() < 1e-12);
    }
}
