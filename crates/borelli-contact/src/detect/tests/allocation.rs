//! Detection asks for no memory, whatever the pair, the start and the outcome.

use super::{CLASSES, Placed};
use crate::detect::directional_gap::Scan;
use crate::detect::pair::Pair;
use crate::detect::solve::Search;
use crate::detect::{Memory, Settings, detect};
use crate::shape::tests::any_surfaces;
use crate::shape::{HalfSpace, Point, Pose, Shape};
use borelli_math::random::Random;
use borelli_math::{Dual, Mat3, Real, Vec3, rotation_about, vec3};
use borelli_testkit::{CountingAllocator, count_allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn no_pair_of_shapes_requests_memory() {
    let mut random = Random::new(601);
    let mut shapes: Vec<Shape<f64>> = any_surfaces(&mut random, 10.0).into_iter().map(Shape::Smooth).collect();
    shapes.extend([Shape::from(Point::new()), HalfSpace { normal: [0.0, 1.0, 0.0], height: 0.0 }.into()]);
    let X = Pose { p: vec3(0.02, 0.03, 0.0), R: rotation_about(vec3(0.0, 0.0, 1.0), 0.7) };
    let bad = Pose { p: vec3(f64::NAN, 0.0, 0.0), R: Mat3::IDENTITY };
    let (mut found, mut refused) = (0, 0);
    for first in &shapes {
        for second in &shapes {
            for X in [X, Pose::IDENTITY, bad] {
                // Where it was found, and after a jump.
                for seat in [X, Pose { p: vec3(1.0, 0.0, 0.0), R: Mat3::IDENTITY }] {
                    let settings = Settings::default();
                    let ((cold, warm), requests) = count_allocations(|| {
                        let cold = detect(first, &X, second, &Pose::IDENTITY, &settings, None);
                        let memory = cold.as_ref().ok().map(|found| Memory { seat, ..found.memory });
                        (cold, detect(first, &X, second, &Pose::IDENTITY, &settings, memory.as_ref()))
                    });
                    assert_eq!(requests, 0, "{first:?} {second:?} {X:?}");
                    assert_eq!(cold.is_ok(), warm.is_ok());
                    *(if cold.is_ok() { &mut found } else { &mut refused }) += 1;
                }
            }
        }
    }
    assert!(found > 100 && refused > 100, "{found} {refused}");
}

#[test]
fn scans_fallbacks_and_derivatives_request_no_memory() {
    type D = Dual<6>;
    let mut random = Random::new(611);
    for class in CLASSES {
        for k in 0..20 {
            let placed = Placed::any(&mut random, class, k % 2 == 0);
            let pair = Pair::new(placed.first, &placed.X_first, placed.second, &placed.X_second);
            let (fallen, requests) = count_allocations(|| Search::new(&pair, &Settings::default()).fall_back(&mut Scan::new(&pair)));
            assert!(fallen.is_ok() && requests == 0);
            let [first, second] = [placed.first, placed.second].map(|shape| Shape::Smooth(shape.map(&mut |&x| D::from_f64(x))));
            let lifted = |X: &Pose<f64>| Pose { p: Vec3::<D>::lift(X.p), R: Mat3::lift(&X.R) };
            let (X1, X2) = (lifted(&placed.X_first), lifted(&placed.X_second));
            let (dual, requests) = count_allocations(|| detect(&first, &X1, &second, &X2, &Settings::default(), None));
            assert!(dual.is_ok() && requests == 0);
        }
    }
}
