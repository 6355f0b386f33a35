//! Formulas against the general solver, and planar pairs.

use super::{Class, Placed, any_rotation, any_shape};
use crate::detect::common_normal::newton;
use crate::detect::pair::Pair;
use crate::detect::{Method, Settings, Tangents, detect, detect_surfaces};
use crate::shape::{
    Circle, Ellipse, Form, HalfSpace, MOST_PARAMETERS, Point, Pose, Shape, ShapeFault, ShapeKind, Sphere, Support, Surface,
};
use borelli_math::random::Random;
use borelli_math::{Constant, Mat3, Real, Sym3, Vec3, rotation_about, vec3};

/// A plane z = 1 as an implicit surface: not bounded, so it has no support, but the six equations do not ask for it.
#[derive(Clone, Copy, Debug)]
struct Plane;

impl Surface for Plane {
    type Number = f64;
    type Plain = Plane;
    fn plain(&self) -> Plane {
        Plane
    }
    fn kind(&self) -> &'static ShapeKind {
        &const { <HalfSpace<f64> as Form<f64>>::KIND }
    }
    fn parameters(&self) -> [f64; MOST_PARAMETERS] {
        [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    }
    fn check(&self) -> Result<(), ShapeFault> {
        Ok(())
    }
    fn value<S: Real>(&self, point: Vec3<S>) -> S
    where
        f64: Constant<S>,
    {
        point.z - 1.0
    }
    fn gradient<S: Real>(&self, _: Vec3<S>) -> Vec3<S>
    where
        f64: Constant<S>,
    {
        vec3(S::ZERO, S::ZERO, S::ONE)
    }
    fn hessian<S: Real>(&self, _: Vec3<S>) -> Sym3<S>
    where
        f64: Constant<S>,
    {
        Sym3::ZERO
    }
    fn gauge<S: Real>(&self, point: Vec3<S>) -> S
    where
        f64: Constant<S>,
    {
        point.z
    }
    fn support<S: Real>(&self, _: Vec3<S>) -> Support<S>
    where
        f64: Constant<S>,
    {
        panic!("a plane is not bounded")
    }
    fn half_extents(&self) -> Vec3<f64> {
        vec3(1.0, 1.0, 1.0)
    }
    fn bounding_radius(&self) -> f64 {
        f64::INFINITY
    }
}

#[test]
fn the_lowest_point_over_a_plane_is_where_newton_ends() {
    let mut random = Random::new(151);
    let ground = Shape::from(HalfSpace { normal: [0.0, 0.0, 2.0], height: 1.0 });
    for class in [Class::Spheres, Class::Ellipsoids, Class::ExponentsTo5, Class::ExponentsTo10] {
        let mut solved = 0;
        for _ in 0..100 {
            let shape = any_shape(&mut random, class);
            let p = vec3(0.1, 0.2, 1.0 + random.uniform(-0.02, 0.1));
            let X = Pose { p, R: any_rotation(&mut random) };
            let found = detect(&Shape::Smooth(shape), &X, &ground, &Pose::IDENTITY, &Settings::default(), None).unwrap();
            assert_eq!(found.certificate.method, Method::ClosedForm);
            let contact = found.contact;
            assert!((contact.p_second.z - 1.0).abs() < 1e-15 && (contact.normal - vec3(0.0, 0.0, 1.0)).norm() < 1e-15);
            // From a start a few degrees off, because Newton on a flat face may wander to the far side.
            let off = X.R.transpose_mul(vec3(0.05, -0.03, -1.0));
            let start = [shape.support(off).point, vec3(p.x, p.y, 1.0)];
            let pair = Pair::new(shape, &X, Plane, &Pose::IDENTITY);
            let attempt = newton(&pair, start, Tangents::Householder);
            if attempt.converged() {
                solved += 1;
                let lowest = X.place(attempt.points[0]);
                assert!((contact.p_first.z - lowest.z).abs() < 1e-14, "{shape:?} {contact:?} {lowest:?}");
                assert!((contact.gap - (lowest.z - 1.0)).abs() < 1e-14, "{shape:?} {contact:?} {lowest:?}");
            }
        }
        assert!(solved >= 80, "{class:?}: {solved}");
    }
}

#[test]
fn the_formula_for_spheres_agrees_with_the_general_solver() {
    let mut random = Random::new(161);
    for k in 0..60 {
        let placed = Placed::any(&mut random, Class::Spheres, k % 2 == 0);
        let Placed { first, X_first, second, X_second } = &placed;
        let formula = placed.find().unwrap();
        assert_eq!(formula.certificate.method, Method::ClosedForm);
        let solved = detect_surfaces(first, X_first, second, X_second, &Settings::default(), None).unwrap();
        assert_ne!(solved.certificate.method, Method::ClosedForm);
        let (a, b) = (formula.contact, solved.contact);
        assert!((a.gap - b.gap).abs() < 1e-15 && (a.normal - b.normal).norm() < 1e-11);
        assert!((a.p_first - b.p_first).norm() + (a.p_second - b.p_second).norm() < 1e-12);
    }
}

#[test]
fn points_circles_and_ellipses_stand_over_the_ground_as_drawn() {
    let ground = Shape::from(HalfSpace { normal: [0.0, 1.0, 0.0], height: 0.0 });
    let settings = Settings::default();
    let at = |shape: Shape<f64>, x: f64, y: f64, angle: f64| {
        let X = Pose { p: vec3(x, y, 0.0), R: rotation_about(vec3(0.0, 0.0, 1.0), angle) };
        let one = detect(&shape, &X, &ground, &Pose::IDENTITY, &settings, None).unwrap().contact;
        let other = detect(&ground, &Pose::IDENTITY, &shape, &X, &settings, None).unwrap().contact;
        assert_eq!(one, other.swapped());
        one
    };
    let point = at(Shape::from(Point::new()), 0.3, -0.01, 0.7);
    assert_eq!((point.depth(), point.p_first, point.p_second), (0.01, vec3(0.3, -0.01, 0.0), vec3(0.3, 0.0, 0.0)));
    let circle = at(Shape::from(Circle { radius: 0.03 }), 0.2, 0.02, -1.0);
    assert!((circle.depth() - 0.01).abs() < 1e-17 && (circle.p_first - vec3(0.2, -0.01, 0.0)).norm() < 1e-16);
    // An ellipse turned by a right angle stands on its long axis; turned by 30 degrees its height is √(a² sin² + b² cos²).
    let ellipse = Shape::from(Ellipse { semi_axes: [0.05, 0.02] });
    assert!((at(ellipse, 0.0, 0.06, std::f64::consts::FRAC_PI_2).gap - 0.01).abs() < 1e-16);
    let (s, c) = 0.5_f64.sin_cos();
    let height = ((0.05 * s).powi(2) + (0.02 * c).powi(2)).sqrt();
    assert!((at(ellipse, 0.0, 0.06, 0.5).gap - (0.06 - height)).abs() < 1e-16);
}

#[test]
fn planar_pairs_touch_in_the_plane() {
    let mut random = Random::new(171);
    let mut length = || random.uniform(0.01, 0.08);
    for k in 0..60 {
        let (a, b) = ([length(), length()], [length(), length()]);
        let circle = k % 3 == 0;
        let first = if circle { Shape::from(Circle { radius: a[0] }) } else { Shape::from(Ellipse { semi_axes: a }) };
        let second = Shape::from(Ellipse { semi_axes: b });
        let axis = vec3(0.0, 0.0, 1.0);
        let (angle1, angle2) = (80.0 * length(), 80.0 * length());
        let p = vec3(length() - 0.03, length() + if k % 2 == 0 { 0.1 } else { 0.0 }, 0.0);
        let (X, Y) = (Pose { p, R: rotation_about(axis, angle1) }, Pose { p: Vec3::ZERO, R: rotation_about(axis, angle2) });
        let contact = detect(&first, &X, &second, &Y, &Settings::default(), None).unwrap().contact;
        assert!(contact.normal.z.abs() < 1e-12 && contact.p_first.z.abs() + contact.p_second.z.abs() < 1e-13, "{contact:?}");
        // Brute force over directions of the plane, refined three times.
        let gap = |angle: f64| {
            let m = vec3(angle.cos(), angle.sin(), 0.0);
            let h = |[a, b]: [f64; 2], R: &Mat3<f64>| {
                let n = R.transpose_mul(m);
                ((a * n.x).powi(2) + (b * n.y).powi(2)).sqrt()
            };
            let h1 = if circle { a[0] } else { h(a, &X.R) };
            m.dot(p) - h1 - h(b, &Y.R)
        };
        let (mut best, mut at, mut width) = (f64::NEG_INFINITY, 0.0, std::f64::consts::PI);
        for _ in 0..6 {
            let centre = at;
            for step in -500..=500 {
                let angle = centre + width * step as f64 / 500.0;
                if gap(angle) > best {
                    (best, at) = (gap(angle), angle);
                }
            }
            width /= 100.0;
        }
        assert!((contact.gap - best).abs() < 1e-14, "{first:?} {X:?} {second:?} {Y:?} {contact:?} {best}");
    }
}

#[test]
fn a_point_over_a_sphere_is_as_far_as_its_distance_says() {
    let (point, ball) = (Shape::from(Point::new()), Shape::from(Sphere { radius: 0.05 }));
    let X = Pose { p: vec3(0.03, 0.0, 0.04), R: Mat3::IDENTITY };
    let contact = detect(&point, &X, &ball, &Pose::IDENTITY, &Settings::default(), None).unwrap().contact;
    assert!(contact.gap.abs() < 1e-17 && (contact.normal - vec3(0.6, 0.0, 0.8)).norm() < 1e-15);
    assert_eq!(contact.p_first, X.p);
}
