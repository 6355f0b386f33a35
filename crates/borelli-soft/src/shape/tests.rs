//! Shape functions against what defines them: one at their node, partition of unity, slopes by differences, exact integrals.

use super::*;
use borelli_math::random::Random;
use borelli_testkit::differences::{assert_close, central_difference};

/// ∫rᵃsᵇ over the shape in natural coordinates: a!b!/(a+b+2)! on the triangle, a product of ∫x over −1..1 on the square.
fn monomial(shape: Shape, a: i32, b: i32) -> f64 {
    let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
    let line = |n: i32| if n % 2 == 0 { 2.0 / f64::from(n + 1) } else { 0.0 };
    if shape.corners() == 3 { factorial(a) * factorial(b) / factorial(a + b + 2) } else { line(a) * line(b) }
}

fn integral(points: &[Gauss], a: i32, b: i32) -> f64 {
    points.iter().map(|p| p.weight * p.at[0].powi(a) * p.at[1].powi(b)).sum()
}

#[test]
fn a_shape_function_is_one_at_its_node_and_zero_at_the_others() {
    for &shape in Shape::ALL {
        for (a, &at) in shape.places().iter().enumerate() {
            let mut expected = [0.0; 8];
            expected[a] = 1.0;
            assert_close(&shape.values(at), &expected, 1e-15, &format!("{shape:?} at node {a}"));
        }
    }
}

#[test]
fn values_add_to_one_and_give_back_the_place() {
    let mut random = Random::new(3);
    for &shape in Shape::ALL {
        for _ in 0..20 {
            let at = [random.uniform(0.0, 0.5), random.uniform(0.0, 0.5)];
            let (values, slopes) = (shape.values(at), shape.slopes(at));
            let sums = [
                values.iter().sum::<f64>(),
                shape.places().iter().zip(values).map(|(p, N)| p[0] * N).sum(),
                shape.places().iter().zip(values).map(|(p, N)| p[1] * N).sum(),
                slopes.iter().map(|d| d[0]).sum(),
                slopes.iter().map(|d| d[1]).sum(),
            ];
            assert_close(&sums, &[1.0, at[0], at[1], 0.0, 0.0], 1e-14, &format!("{shape:?}"));
        }
    }
}

#[test]
fn slopes_are_those_of_the_values() {
    let mut random = Random::new(4);
    for &shape in Shape::ALL {
        let at = [random.uniform(0.0, 0.5), random.uniform(0.0, 0.5)];
        let slopes = shape.slopes(at);
        for k in 0..2 {
            let difference = central_difference(
                &mut |h| {
                    let mut moved = at;
                    moved[k] += h;
                    shape.values(moved).to_vec()
                },
                1e-2,
            );
            assert_close(&slopes.map(|d| d[k]), &difference, 1e-12, &format!("{shape:?} by {k}"));
        }
    }
}

#[test]
fn points_integrate_to_the_degree_that_the_shape_needs() {
    for &shape in Shape::ALL {
        // Degree in all on triangles, along each coordinate on quadrilaterals.
        let (degree, mass) = match shape {
            Shape::T3 => (1, 2),
            Shape::T6 => (2, 4),
            Shape::Q4 => (3, 3),
            Shape::Q8 => (5, 5),
        };
        for (points, degree) in [(shape.points(), degree), (shape.mass_points(), mass)] {
            for (a, b) in (0..=degree).flat_map(|a| (0..=degree).map(move |b| (a, b))) {
                if shape.corners() == 3 && a + b > degree {
                    continue;
                }
                let (got, expected) = (integral(points, a, b), monomial(shape, a, b));
                assert!((got - expected).abs() < 2e-15, "{shape:?} r^{a} s^{b}: {got} instead of {expected}");
            }
        }
    }
}

#[test]
fn a_field_of_the_trusted_degree_is_carried_to_any_place_and_the_rest_is_a_best_fit() {
    let fields: [fn([f64; 2]) -> f64; 3] = [|_| 3.0, |[r, s]| 1.0 - 2.0 * r + 5.0 * s, |[r, s]| r * s - r + 0.5];
    for &shape in Shape::ALL {
        let exact = match shape {
            Shape::T3 => 1,
            Shape::T6 => 2,
            _ => 3,
        };
        let carried = |field: &dyn Fn([f64; 2]) -> f64, at| -> f64 {
            shape.points().iter().enumerate().map(|(p, gauss)| shape.extrapolation(p, at) * field(gauss.at)).sum()
        };
        for field in &fields[..exact] {
            for &at in shape.places() {
                assert!((carried(field, at) - field(at)).abs() < 1e-14, "{shape:?} at {at:?}");
            }
        }
    }
    // Best line to r² over −1..1 is its mean 1/3.
    let at = [1.0, -1.0];
    let got: f64 = Shape::Q8.points().iter().enumerate().map(|(p, g)| Shape::Q8.extrapolation(p, at) * g.at[0] * g.at[0]).sum();
    assert!((got - 1.0 / 3.0).abs() < 1e-14, "{got}");
}

#[test]
fn edge_weights_are_integrals_of_the_shape_functions_along_a_side() {
    // Side 1-2 of the quadrilaterals, s = −1; Gauss of three points along r, over a length of 2.
    for (shape, nodes) in [(Shape::Q4, vec![0, 1]), (Shape::Q8, vec![0, 1, 4])] {
        let shares: Vec<f64> =
            nodes.iter().map(|&a| quadrilateral::THREE.iter().map(|(r, w)| w * shape.values([*r, -1.0])[a]).sum::<f64>() / 2.0).collect();
        assert_close(&shares, &edge_weights(nodes.len() == 3)[..nodes.len()], 1e-15, &format!("{shape:?}"));
    }
}
