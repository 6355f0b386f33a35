//! Every surface of the list against differences, duals and scans; wrong parameters answered by facts.

use super::kind::EXPONENT;
use super::*;
use borelli_math::random::Random;
use borelli_math::{Dual, Range, vec3};

/// A surface of each kind of the list with random parameters, exponents up to `most`.
pub(crate) fn any_surfaces(random: &mut Random, most: f64) -> Vec<Smooth<f64>> {
    let smooth = KINDS.iter().filter(|kind| !["point", "half-space"].contains(&kind.name));
    smooth
        .map(|kind| {
            let numbers: Vec<f64> = kind
                .parameters
                .iter()
                .map(|p| if p.unit == "m" { random.uniform(0.01, 0.08) } else { random.uniform(2.2, most) })
                .collect();
            match Shape::build(kind, &numbers) {
                Ok(Shape::Smooth(surface)) => surface,
                other => panic!("{other:?}"),
            }
        })
        .collect()
}

fn random_point(random: &mut Random, surface: &Smooth<f64>, low: f64, high: f64) -> Vec3<f64> {
    let direction = Vec3::from_array(random.direction());
    let size = random.uniform(low, high);
    direction.scale(size / surface.gauge(direction))
}

fn duals(p: Vec3<f64>) -> Vec3<Dual<3>> {
    vec3(Dual::variable(p.x, 0), Dual::variable(p.y, 1), Dual::variable(p.z, 2))
}

#[test]
fn gradient_and_hessian_are_the_slopes_of_value_and_gradient() {
    let mut random = Random::new(11);
    for _ in 0..40 {
        for surface in any_surfaces(&mut random, 10.0) {
            let p = random_point(&mut random, &surface, 0.5, 1.5);
            let (value, gradient, hessian) = (surface.value(duals(p)), surface.gradient(p), surface.hessian(p).to_mat());
            let by_duals = surface.gradient(duals(p)).to_array();
            // Central differences as well: duals of `value` use the same formulas of the norms as the gradient.
            let h = 1e-6 * surface.bounding_radius();
            let steps = [vec3(h, 0.0, 0.0), vec3(0.0, h, 0.0), vec3(0.0, 0.0, h)];
            let scale = gradient.norm();
            for k in 0..3 {
                let column = [hessian.x, hessian.y, hessian.z][k];
                let g = gradient.to_array()[k];
                let difference = (surface.value(p + steps[k]) - surface.value(p - steps[k])) / (2.0 * h);
                assert!((value.eps[k] - g).abs() < 1e-12 * scale, "{surface:?} {p:?}");
                assert!((difference - g).abs() < 1e-7 * scale, "{surface:?} {p:?} {difference} {g}");
                let slope = vec3(by_duals[0].eps[k], by_duals[1].eps[k], by_duals[2].eps[k]);
                let size = hessian.x.norm() + hessian.y.norm() + hessian.z.norm();
                assert!((slope - column).norm() < 1e-11 * size, "{surface:?} {p:?} {slope:?} {column:?}");
                let difference = (surface.gradient(p + steps[k]) - surface.gradient(p - steps[k])).scale(0.5 / h);
                assert!((difference - column).norm() < 1e-7 * size, "{surface:?} {p:?} {difference:?} {column:?}");
            }
        }
    }
}

#[test]
fn derivatives_exist_on_axes_and_planes_where_curvature_vanishes() {
    let mut random = Random::new(12);
    for surface in any_surfaces(&mut random, 6.0) {
        let e = surface.half_extents();
        for p in
            [vec3(e.x, 0.0, 0.0), vec3(0.0, -e.y, 0.0), vec3(0.0, 0.0, e.z), vec3(0.5 * e.x, 0.5 * e.y, 0.0), vec3(0.0, 0.3 * e.y, e.z)]
        {
            let p = p.scale(1.0 / surface.gauge(p));
            let (g, h) = (surface.gradient(p), surface.hessian(p).to_mat());
            assert!(g.norm().is_finite() && g.norm() > 0.0, "{surface:?} {p:?}");
            let step = 1e-7 * e.x;
            let difference = (surface.gradient(p + vec3(step, 0.0, 0.0)) - surface.gradient(p - vec3(step, 0.0, 0.0))).scale(0.5 / step);
            // Exponents just above two have unbounded third derivatives here: a step of 1e-7 leaves (1e-7)^0.2 at worst.
            let size = g.norm() / e.x;
            assert!((difference - h.x).norm() < 0.1 * size, "{surface:?} {p:?} {difference:?} {:?}", h.x);
        }
    }
}

#[test]
fn the_gauge_puts_points_on_the_surface_and_is_homogeneous() {
    let mut random = Random::new(13);
    for _ in 0..100 {
        for surface in any_surfaces(&mut random, 10.0) {
            let p = Vec3::from_array(random.direction()).scale(random.uniform(1e-3, 1e3));
            let G = surface.gauge(p);
            assert!(surface.value(p.scale(1.0 / G)).abs() < 1e-13, "{surface:?} {p:?}");
            assert!((surface.gauge(p.scale(7.0)) - 7.0 * G).abs() < 1e-12 * G);
            assert_eq!(surface.value(p) < 0.0, G < 1.0);
        }
        assert_eq!(any_surfaces(&mut random, 10.0).iter().map(|s| s.gauge(Vec3::<f64>::ZERO)).sum::<f64>(), 0.0);
    }
}

#[test]
fn no_point_of_the_surface_lies_further_out_than_the_support_point() {
    let mut random = Random::new(14);
    for _ in 0..20 {
        for surface in any_surfaces(&mut random, 10.0) {
            let n = Vec3::from_array(random.direction());
            let Support { distance, point } = surface.support(n);
            assert!(surface.value(point).abs() < 1e-12, "{surface:?} {n:?}");
            assert!((n.dot(point) - distance).abs() < 1e-15, "{surface:?} {n:?}");
            let normal = surface.gradient(point);
            assert!((normal.scale(1.0 / normal.norm()) - n).norm() < 1e-12, "{surface:?} {n:?}");
            // A scan, coarse over the whole surface and fine about the point, which is reached from below.
            let mut best = f64::NEG_INFINITY;
            for k in 0..2000 {
                let spread = if k % 2 == 0 { 1.0 } else { 1e-3 };
                let to = point.scale(1.0 / point.norm()) + Vec3::from_array(random.direction()).scale(spread * random.uniform(0.0, 2.0));
                best = best.max(n.dot(to.scale(1.0 / surface.gauge(to))));
            }
            assert!(best <= distance * (1.0 + 1e-14), "{surface:?} {n:?} {best} {distance}");
            assert!(best > distance * (1.0 - 1e-4), "{surface:?} {n:?} {best} {distance}");
        }
    }
}

#[test]
fn the_slope_of_the_support_function_is_the_support_point() {
    let mut random = Random::new(15);
    for _ in 0..50 {
        for surface in any_surfaces(&mut random, 10.0) {
            let n = Vec3::from_array(random.direction());
            let (slope, point) = (surface.support(duals(n)).distance.eps, surface.support(n).point.to_array());
            (0..3).for_each(|k| assert!((slope[k] - point[k]).abs() < 1e-13, "{surface:?} {n:?} {slope:?} {point:?}"));
        }
    }
}

#[test]
fn support_by_parameters_has_the_slope_of_its_differences() {
    let mut random = Random::new(16);
    for surface in any_surfaces(&mut random, 6.0) {
        let n = Vec3::from_array(random.direction());
        let mut k = 0;
        let parameters = surface.kind().parameters.len();
        let dual: Smooth<Dual<6>> = surface.map(&mut |&x| {
            k += 1;
            Dual::variable(x, k - 1)
        });
        let by_duals = dual.support(Vec3::lift(n));
        for varied in 0..parameters {
            let nudge = |h: f64| {
                let mut k = 0;
                let changed: Smooth<f64> = surface.map(&mut |&x| {
                    k += 1;
                    if k - 1 == varied { x + h } else { x }
                });
                changed.support(n)
            };
            let h = 1e-6 * surface.parameters()[varied];
            let difference = (nudge(h).distance - nudge(-h).distance) / (2.0 * h);
            let moved = (nudge(h).point - nudge(-h).point).scale(0.5 / h);
            let point = by_duals.point.to_array().map(|x| x.eps[varied]);
            assert!((by_duals.distance.eps[varied] - difference).abs() < 1e-8, "{surface:?} {varied}");
            assert!((Vec3::from_array(point) - moved).norm() < 1e-7, "{surface:?} {varied}");
        }
    }
}

#[test]
fn the_bounding_radius_and_box_hold_the_surface_and_are_reached() {
    let mut random = Random::new(17);
    for _ in 0..20 {
        for surface in any_surfaces(&mut random, 10.0) {
            let (radius, e, mut most) = (surface.bounding_radius(), surface.half_extents(), 0.0_f64);
            for _ in 0..4000 {
                let p = Vec3::from_array(random.direction());
                let p = p.scale(1.0 / surface.gauge(p));
                most = most.max(p.norm());
                assert!(p.x.abs() <= e.x * (1.0 + 1e-14) && p.y.abs() <= e.y * (1.0 + 1e-14) && p.z.abs() <= e.z * (1.0 + 1e-14));
            }
            assert!(most <= radius * (1.0 + 1e-14), "{surface:?} {most} {radius}");
            // With unlike exponents the radius is a bound only.
            let tight = !matches!(surface, Smooth::SeparableSuperellipsoid(_));
            assert!(!tight || most > 0.98 * radius, "{surface:?} {most} {radius}");
        }
    }
}

#[test]
fn kinds_build_shapes_that_give_their_numbers_back() {
    for kind in KINDS {
        let numbers: Vec<f64> = (0..kind.parameters.len()).map(|k| 2.5 + k as f64).collect();
        let shape = Shape::build(kind, &numbers).unwrap();
        assert_eq!(shape.kind().name, kind.name);
        assert_eq!(&shape.parameters()[..numbers.len()], &numbers[..]);
        assert_eq!(shape.check(), Ok(()));
        assert_eq!(Shape::<f64>::find(kind.name).unwrap(), kind);
        let count = ShapeFault::Count { kind: kind.name, expected: numbers.len(), found: numbers.len() + 1 };
        assert_eq!(Shape::build(kind, &[&numbers[..], &[1.0]].concat()), Err(count));
    }
    assert_eq!(Shape::<f64>::find("cube"), None);
}

#[test]
fn a_parameter_out_of_its_range_is_named() {
    for kind in KINDS {
        for (k, parameter) in kind.parameters.iter().enumerate() {
            let bad: &[f64] = match parameter.range {
                Range::POSITIVE => &[0.0, -1.0, f64::NAN, f64::INFINITY],
                EXPONENT => &[1.99, -2.0, 101.0, f64::NAN],
                _ => &[f64::NAN, f64::NEG_INFINITY],
            };
            for &value in bad {
                let mut numbers: Vec<f64> = kind.parameters.iter().map(|_| 3.0).collect();
                numbers[k] = value;
                let fault = Shape::build(kind, &numbers).unwrap().check().unwrap_err();
                assert!(matches!(fault, ShapeFault::OutOfRange { parameter: found, .. } if found == parameter), "{fault}");
                assert!(fault.to_string().contains(parameter.name));
            }
        }
    }
    let rough = Superellipsoid { semi_axes: [1.0; 3], p: 3.0, r: 2.0 };
    assert_eq!(Shape::from(rough).check(), Err(ShapeFault::RoughPole { p: 3.0, r: 2.0 }));
    assert_eq!(Shape::from(Superellipsoid { p: 2.0, ..rough }).check(), Ok(()));
    assert_eq!(Shape::from(HalfSpace { normal: [0.0; 3], height: 1.0 }).check(), Err(ShapeFault::ZeroNormal));
    let told = |shape: Shape<f64>| shape.check().unwrap_err().to_string();
    assert_eq!(told(Sphere { radius: -0.1 }.into()), "sphere: radius = -0.1 m\n  hint: it must be above 0 m");
    assert_eq!(told(Superellipsoid { p: 1.5, ..rough }.into()), "superellipsoid: p = 1.5\n  hint: it must be at least 2 and at most 100");
    assert_eq!(
        told(HalfSpace { normal: [0.0, 1.0, 0.0], height: f64::NAN }.into()),
        "half-space: height = NaN m\n  hint: it must be finite"
    );
}

#[test]
fn a_superellipsoid_with_exponents_of_two_is_an_ellipsoid() {
    let mut random = Random::new(18);
    let semi_axes = [0.03, 0.05, 0.02];
    let round = Smooth::from(Ellipsoid { semi_axes });
    for other in [
        Smooth::from(Superellipsoid { semi_axes, p: 2.0, r: 2.0 }),
        Smooth::from(SeparableSuperellipsoid { semi_axes, exponents: [2.0; 3] }),
    ] {
        for k in 0..50 {
            let n = if k == 0 { vec3(0.0, 0.0, 1.0) } else { Vec3::from_array(random.direction()) };
            let p = n.scale(0.04);
            assert!((round.value(p) - other.value(p)).abs() < 1e-13);
            assert!((round.gradient(p) - other.gradient(p)).norm() < 1e-12 * round.gradient(p).norm());
            let (a, b) = (round.hessian(p).to_mat(), other.hessian(p).to_mat());
            assert!((a.x - b.x).norm() + (a.y - b.y).norm() + (a.z - b.z).norm() < 1e-9, "{a:?} {b:?}");
            let (a, b) = (round.support(n), other.support(n));
            assert!((a.distance - b.distance).abs() + (a.point - b.point).norm() < 1e-15 * 4.0);
        }
    }
}

#[test]
fn flats_are_rounded_by_little_and_stay_convex() {
    let mut random = Random::new(17);
    for _ in 0..60 {
        for surface in any_surfaces(&mut random, 10.0) {
            let size = surface.bounding_radius();
            // Directions anywhere, and within some tens of ε of an axis.
            let draw = |random: &mut Random, near: bool| {
                let any = Vec3::from_array(random.direction());
                let axis = [vec3(1.0, 0.0, 0.0), vec3(0.0, -1.0, 0.0), vec3(0.0, 0.0, 1.0)][random.uniform(0.0, 3.0) as usize % 3];
                let n = if near { axis + any.scale(random.uniform(0.0, 40.0) * ROUNDING) } else { any };
                n.scale(n.norm().recip())
            };
            let list: Vec<Vec3<f64>> = (0..40).map(|k| draw(&mut random, k % 2 == 0)).collect();
            let found = list.iter().map(|n| surface.rounded_support(*n)).collect::<Vec<_>>();
            for (n, own) in list.iter().zip(&found) {
                // Furthest along its own direction of all points that are found: those of a convex body.
                assert!((n.dot(own.point) - own.distance).abs() < 1e-14 * size, "{surface:?} {n:?}");
                for other in &found {
                    assert!(n.dot(other.point) <= own.distance + 1e-14 * size, "{surface:?} {n:?} {other:?}");
                }
                // The point is the gradient of the distance: by duals.
                let slopes = surface.rounded_support(duals(*n)).distance.eps;
                assert!((Vec3::from_array(slopes) - own.point).norm() < 1e-10 * size, "{surface:?} {n:?}");
                let exact = surface.support(*n).distance;
                assert!((own.distance - exact).abs() < 2e-5 * size && own.distance >= exact * (1.0 - 1e-14), "{surface:?} {n:?}");
            }
            if !surface.has_flats() {
                assert_eq!(found, list.iter().map(|n| surface.support(*n)).collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn a_rounded_flat_is_what_its_closed_forms_say() {
    let (a, b, p) = (0.2, 0.1, 8.0);
    let cube = |p: f64| Smooth::from(Superellipsoid { semi_axes: [a, b, a], p, r: p });
    // On the flat: h = ((a ε)^p' + b^p' (1 + ε²)^(p'/2) + (a ε)^p')^(1/p'), the point below the centre.
    let dual = p / (p - 1.0);
    let down = cube(p).rounded_support(vec3(0.0, -1.0, 0.0));
    let reach = 2.0 * (a * ROUNDING / b).powf(dual) + (1.0 + ROUNDING * ROUNDING).powf(dual / 2.0);
    assert!((down.distance / (b * reach.powf(1.0 / dual)) - 1.0).abs() < 1e-14);
    assert!(down.point.x == 0.0 && down.point.z == 0.0 && (down.distance - b) / b < 1e-5);
    let tilted = |p: f64, tilt: f64| {
        let n = vec3(-tilt.sin(), -tilt.cos(), 0.0);
        (cube(p).rounded_support(n), cube(p).support(n))
    };
    // A hundred ε away the point is that of the shape; within ε it moves evenly, where that of the shape is halfway to the edge at once.
    let (far, exact) = tilted(p, 100.0 * ROUNDING);
    assert!((far.point - exact.point).norm() < 1e-3 * a, "{:?} {:?}", far.point, exact.point);
    let (near, jump) = tilted(p, 1e-2 * ROUNDING);
    let (twice, _) = tilted(p, 2e-2 * ROUNDING);
    assert!((twice.point.x / near.point.x - 2.0).abs() < 1e-3, "{} {}", near.point.x, twice.point.x);
    assert!(near.point.x.abs() < 0.01 * a && jump.point.x.abs() > 0.08 * a, "{} {}", near.point.x, jump.point.x);
    // The box that it tends to stands on its edge: a lever of a cos θ − b sin θ about its centre.
    let tilt = 5.0_f64.to_radians();
    let (on_edge, _) = tilted(400.0, tilt);
    let lever = on_edge.point.dot(vec3(tilt.cos(), -tilt.sin(), 0.0)).abs();
    assert!((lever / (a * tilt.cos() - b * tilt.sin()) - 1.0).abs() < 0.02, "{lever}");
}
