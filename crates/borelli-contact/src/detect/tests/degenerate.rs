//! Input without an answer is answered by facts.

use crate::detect::{Cause, Memory, Settings, detect};
use crate::shape::{Circle, Ellipsoid, HalfSpace, Point, Pose, Shape, ShapeFault, Sphere, Superellipsoid};
use borelli_math::{Mat3, Vec3, vec3};

const SETTINGS: Settings = Settings { tangents: crate::detect::Tangents::Householder };

fn cause(first: impl Into<Shape<f64>>, X: &Pose<f64>, second: impl Into<Shape<f64>>) -> Cause {
    let (first, second) = (first.into(), second.into());
    let fault = detect(&first, X, &second, &Pose::IDENTITY, &SETTINGS, None).unwrap_err();
    assert_eq!(fault.shapes[0].kind, first.kind());
    // As bits, because NaN is to be told as it was.
    assert_eq!(fault.shapes[1].parameters.map(f64::to_bits), second.parameters().map(f64::to_bits));
    assert!(fault.to_string().contains(second.kind().name));
    fault.cause
}

const BALL: Sphere<f64> = Sphere { radius: 0.1 };
const EGG: Ellipsoid<f64> = Ellipsoid { semi_axes: [0.1, 0.2, 0.3] };
const GROUND: HalfSpace<f64> = HalfSpace { normal: [0.0, 1.0, 0.0], height: 0.0 };

#[test]
fn wrong_parameters_are_named_with_their_shape() {
    let X = Pose { p: vec3(1.0, 0.0, 0.0), R: Mat3::IDENTITY };
    for (value, shape) in [(0.0, Ellipsoid { semi_axes: [0.1, 0.0, 0.3] }), (-0.1, Ellipsoid { semi_axes: [0.1, -0.1, 0.3] })] {
        for second in [Shape::from(BALL), EGG.into(), GROUND.into()] {
            let Cause::Shape(0, ShapeFault::OutOfRange { parameter, value: found, .. }) = cause(shape, &X, second) else { panic!() };
            assert_eq!((parameter.name, found), ("b", value));
        }
    }
    let nan = Sphere { radius: f64::NAN };
    assert!(matches!(cause(EGG, &X, Ellipsoid { semi_axes: [0.1, f64::NAN, 0.3] }), Cause::Shape(1, ShapeFault::OutOfRange { .. })));
    assert!(matches!(cause(nan, &X, BALL), Cause::Shape(0, ShapeFault::OutOfRange { .. })));
    for (p, r) in [(1.5, 4.0), (4.0, 1.0), (200.0, 4.0)] {
        let shape = Superellipsoid { semi_axes: [0.1; 3], p, r };
        assert!(matches!(cause(shape, &X, EGG), Cause::Shape(0, ShapeFault::OutOfRange { .. })));
    }
    let rough = Superellipsoid { semi_axes: [0.1; 3], p: 4.0, r: 2.0 };
    assert!(matches!(cause(rough, &X, EGG), Cause::Shape(0, ShapeFault::RoughPole { .. })));
}

#[test]
fn a_pose_that_is_none_is_refused() {
    let mut stretched = Mat3::IDENTITY;
    stretched.x.x = 1.1;
    let mut mirrored = Mat3::IDENTITY;
    mirrored.z.z = -1.0;
    for (p, R) in [
        (vec3(f64::NAN, 0.0, 0.0), Mat3::IDENTITY),
        (vec3(0.0, f64::INFINITY, 0.0), Mat3::IDENTITY),
        (vec3(1.0, 0.0, 0.0), stretched),
        (vec3(1.0, 0.0, 0.0), mirrored),
        (vec3(1.0, 0.0, 0.0), Mat3::ZERO),
    ] {
        for second in [Shape::from(BALL), EGG.into(), GROUND.into()] {
            assert_eq!(cause(EGG, &Pose { p, R }, second), Cause::Pose(0));
            assert_eq!(cause(BALL, &Pose { p, R }, second), Cause::Pose(0));
        }
    }
}

#[test]
fn round_shapes_about_one_centre_need_a_former_normal() {
    assert_eq!(cause(BALL, &Pose::IDENTITY, BALL), Cause::CoincidentCentres);
    assert_eq!(cause(Point::new(), &Pose::IDENTITY, BALL), Cause::CoincidentCentres);
    let memory = Memory { points: [Vec3::ZERO; 2], normal: vec3(0.0, 0.6, 0.8), seat: Pose::IDENTITY };
    let contact = detect(&BALL.into(), &Pose::IDENTITY, &Shape::from(BALL), &Pose::IDENTITY, &SETTINGS, Some(&memory)).unwrap().contact;
    assert_eq!((contact.gap, contact.normal), (-0.2, memory.normal));
}

#[test]
fn pairs_without_a_method_are_refused() {
    let X = Pose { p: vec3(1.0, 0.0, 0.0), R: Mat3::IDENTITY };
    assert_eq!(cause(GROUND, &X, GROUND), Cause::UnsupportedPair);
    assert_eq!(cause(Circle { radius: 0.1 }, &X, BALL), Cause::UnsupportedPair);
    assert_eq!(cause(Circle { radius: 0.1 }, &X, EGG), Cause::UnsupportedPair);
}
