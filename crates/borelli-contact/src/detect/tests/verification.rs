//! The equations, what is verified, and what is refused.

use super::{CLASSES, Class, Placed};
use crate::detect::certificate::{Known, Refusal, verify};
use crate::detect::common_normal::{equations, newton, residual};
use crate::detect::directional_gap::{MOST_STEPS, Scan, ascend};
use crate::detect::linear::Factored;
use crate::detect::pair::Pair;
use crate::detect::tangent::auxiliary;
use crate::detect::{Cause, Method, Settings, Tangents, detect_surfaces};
use crate::shape::{Ellipsoid, MOST_PARAMETERS, Pose, ShapeFault, ShapeKind, Smooth, Superellipsoid, Support, Surface};
use borelli_math::random::Random;
use borelli_math::{Constant, Mat3, Real, Sym3, Vec3, vec3};

#[test]
fn derivatives_of_the_six_equations_are_those_of_differences() {
    for class in CLASSES {
        let mut random = Random::new(181);
        for _ in 0..20 {
            let placed = Placed::any(&mut random, class, false);
            let pair = Pair::new(placed.first, &placed.X_first, placed.second, &placed.X_second);
            let points = [placed.first, placed.second].map(|surface| {
                let p = Vec3::from_array(random.direction());
                p.scale(random.uniform(0.9, 1.1) / surface.gauge(p))
            });
            for tangents in [Tangents::Auxiliary, Tangents::Householder] {
                let u = auxiliary(pair.normals(points)[1]);
                let (C, J) = equations(&pair, points, tangents, u);
                if tangents == Tangents::Householder {
                    let again = residual(&pair, points);
                    (0..6).for_each(|i| assert!((C[i] - again[i]).abs() < 1e-14));
                }
                for k in 0..6 {
                    let h = 1e-6;
                    let at = |h: f64| {
                        let mut step = [0.0; 6];
                        step[k] = h * pair.size;
                        let [a, b] = points;
                        let moved = [a + vec3(step[0], step[1], step[2]), b + vec3(step[3], step[4], step[5])];
                        equations(&pair, moved, tangents, u).0
                    };
                    let (plus, minus) = (at(h), at(-h));
                    // The last two rows are divided by |∇F|, taken as constant: their slopes are exact on the surface only.
                    for i in 0..4 {
                        let difference = (plus[i] - minus[i]) / (2.0 * h);
                        let scale = 1.0 + J[i].iter().fold(0.0, |most: f64, x| x.abs().max(most));
                        assert!((difference - J[i][k]).abs() < 1e-6 * scale, "{tangents:?} row {i} by {k}: {difference} {}", J[i][k]);
                    }
                }
            }
        }
    }
}

#[test]
fn a_start_without_curvature_is_left_by_a_damped_step() {
    // Boxes face to face, one moved sideways: at the centres of the faces no normal turns, and the matrix is singular.
    let shape = Smooth::from(Superellipsoid { semi_axes: [0.03, 0.04, 0.02], p: 8.0, r: 6.0 });
    let pair = Pair::new(shape, &Pose { p: vec3(0.02, 0.01, 0.05), R: Mat3::IDENTITY }, shape, &Pose::IDENTITY);
    let start = [vec3(0.0, 0.0, -0.02), vec3(0.0, 0.0, 0.02)];
    for tangents in [Tangents::Auxiliary, Tangents::Householder] {
        let (_, J) = equations(&pair, start, tangents, vec3(1.0, 0.0, 0.0));
        assert!(Factored::new(J).is_none());
        let attempt = newton(&pair, start, tangents);
        assert!(attempt.converged(), "{attempt:?}");
        // By symmetry the points lie on either side of the middle.
        assert!((attempt.points[0] + attempt.points[1]).norm() < 1e-9, "{attempt:?}");
    }
}

/// Two ellipsoids with parallel axes, centres close together on X: long axes along X, short ones along Z.
fn overlapping_ellipsoids() -> Pair<Smooth<f64>, Smooth<f64>, f64> {
    let first = Smooth::from(Ellipsoid { semi_axes: [0.06, 0.04, 0.02] });
    let second = Smooth::from(Ellipsoid { semi_axes: [0.07, 0.05, 0.03] });
    Pair::new(first, &Pose { p: vec3(0.01, 0.0, 0.0), R: Mat3::IDENTITY }, second, &Pose::IDENTITY)
}

#[test]
fn far_sides_and_greater_overlaps_and_crooked_points_are_refused() {
    let pair = overlapping_ellipsoids();
    let scan = Scan::new(&pair);
    let judge = |points, known| verify(&pair, points, 0.0, Method::Newton(crate::detect::Start::Scan), 0, known);
    let (x1, x2) = (vec3(0.06, 0.0, 0.0), vec3(0.07, 0.0, 0.0));
    // On the X axis all six equations hold four times: twice with normals that agree, and twice along the longest way out.
    assert_eq!(judge([x1, x2], Known::Nothing).unwrap_err(), Refusal::NoContact);
    assert_eq!(judge([-x1, -x2], Known::Nothing).unwrap_err(), Refusal::NoContact);
    for points in [[-x1, x2], [x1, -x2]] {
        assert!(matches!(judge(points, Known::Nothing).unwrap_err(), Refusal::Rival(_)), "a saddle has better neighbours");
    }
    // Along Z the overlap is least; its points lie a little off the axis, because the centres do.
    let least = ascend(&pair, vec3(0.0, 0.0, 1.0), MOST_STEPS).1;
    let verified = judge(least.points, Known::Scan(&scan)).unwrap();
    assert!(verified.certificate.misalignment < 1e-9 && verified.certificate.directions > 50);
    let moved = pair.onto_surfaces([least.points[0] + vec3(1e-3, 0.0, 0.0), least.points[1]]);
    assert_eq!(judge(moved, Known::Scan(&scan)).unwrap_err(), Refusal::NoContact);
    // A local optimum that is not the least overlap: bodies thin along Z, shifted so far along Z that down is worse than up.
    let pair = Pair { X_first: Pose { p: vec3(0.0, 0.0, 0.004), R: Mat3::IDENTITY }, ..pair };
    let down = ascend(&pair, vec3(0.0, 0.0, -1.0), MOST_STEPS).1;
    let verdict = |known| verify(&pair, down.points, 0.0, Method::Fallback, 0, known);
    assert!(verdict(Known::Nothing).is_ok());
    let Err(Refusal::Rival(m)) = verdict(Known::Scan(&Scan::new(&pair))) else { panic!("the way up is shorter") };
    assert!(m.z > 0.99);
}

/// A surface whose support is too far out by a tenth: no contact with it can be verified.
#[derive(Clone, Copy, Debug)]
struct Liar(Smooth<f64>);

impl Surface for Liar {
    type Number = f64;
    type Plain = Liar;
    fn plain(&self) -> Liar {
        *self
    }
    fn kind(&self) -> &'static ShapeKind {
        Surface::kind(&self.0)
    }
    fn parameters(&self) -> [f64; MOST_PARAMETERS] {
        self.0.parameters()
    }
    fn check(&self) -> Result<(), ShapeFault> {
        self.0.check()
    }
    fn value<S: Real>(&self, point: Vec3<S>) -> S
    where
        f64: Constant<S>,
    {
        self.0.value(point)
    }
    fn gradient<S: Real>(&self, point: Vec3<S>) -> Vec3<S>
    where
        f64: Constant<S>,
    {
        self.0.gradient(point)
    }
    fn hessian<S: Real>(&self, point: Vec3<S>) -> Sym3<S>
    where
        f64: Constant<S>,
    {
        self.0.hessian(point)
    }
    fn gauge<S: Real>(&self, point: Vec3<S>) -> S
    where
        f64: Constant<S>,
    {
        self.0.gauge(point)
    }
    fn support<S: Real>(&self, direction: Vec3<S>) -> Support<S>
    where
        f64: Constant<S>,
    {
        let Support { distance, point } = self.0.support(direction);
        Support { distance: distance * 1.1, point: point.scale(S::from_f64(1.1)) }
    }
    fn half_extents(&self) -> Vec3<f64> {
        self.0.half_extents()
    }
    fn bounding_radius(&self) -> f64 {
        self.0.bounding_radius()
    }
}

#[test]
fn what_cannot_be_verified_is_a_fault_with_both_shapes() {
    let mut random = Random::new(191);
    for k in 0..10 {
        let placed = Placed::any(&mut random, Class::Ellipsoids, k % 2 == 0);
        let Placed { first, X_first, second, X_second } = &placed;
        let fault = detect_surfaces(&Liar(*first), X_first, second, X_second, &Settings::default(), None).unwrap_err();
        assert!(matches!(fault.cause, Cause::Unsolved { .. }), "{fault}");
        assert_eq!((fault.shapes[0].parameters, fault.shapes[0].pose), (first.parameters(), *X_first));
        assert_eq!((fault.shapes[1].parameters, fault.shapes[1].pose), (second.parameters(), *X_second));
        assert!(fault.to_string().contains("no common normal"), "{fault}");
    }
}
