//! What one cell adds, against differences of its forces and of its energy, and against sums that must hold.

use super::*;
use borelli_testkit::{assert_close, central_difference};

const YOUNG: f64 = 3.0;
const DENSITY: f64 = 1.7;
const DEPTH: f64 = 0.4;

/// One crooked cell of a shape, with its points.
fn single(name: &str, viscosity: f64, shape: Shape, kind: Kind, plane: Plane, random: &mut Random) -> (Solid, Vec<[f64; 2]>) {
    let points = crooked(shape, random);
    let nodes: Vec<u32> = (0..points.len() as u32).collect();
    let material = material(name, &[("young", YOUNG), ("poisson", 0.35), ("viscosity", viscosity)]);
    let solid = Solid::new(&points, &[cell(shape, &nodes)], vec![material], vec![DENSITY], DEPTH, plane, kind).expect("a good cell");
    (solid, points)
}

fn force(solid: &Solid, x: &[f64], v: Option<&[f64]>, a: Option<&[f64]>) -> Vec<f64> {
    let mut work = CellWork::default();
    solid.fill(0, x, v, a, None, &mut work).expect("not inside out");
    work.f[..x.len()].to_vec()
}

fn tangent(solid: &Solid, x: &[f64], v: Option<&[f64]>, weights: CellWeights) -> Vec<f64> {
    let mut work = CellWork::default();
    solid.fill(0, x, v, None, Some(weights), &mut work).expect("not inside out");
    assert_eq!(work.f[..x.len()], force(solid, x, v, None), "forces do not depend on what else is asked");
    work.k[..x.len() * x.len()].to_vec()
}

/// Every law, shape and kind of element in a few random states; plane stress where there is one.
fn each(viscosity: f64, mut check: impl FnMut(&Solid, &[[f64; 2]], Vec<f64>, String)) {
    let mut random = Random::new(21);
    for kind in Material::KINDS {
        for (shape, element) in pairs() {
            for plane in [Plane::Strain, Plane::Stress] {
                if !material(kind.name, &[("young", 1.0), ("poisson", 0.3), ("viscosity", viscosity)]).allows(plane) {
                    continue;
                }
                for _ in 0..3 {
                    let (solid, points) = single(kind.name, viscosity, shape, element, plane, &mut random);
                    let x = deformed(&points, [1.1, 0.3, -0.2, 0.85], 0.06, &mut random);
                    check(&solid, &points, x, format!("{} {shape:?} {element:?} {plane:?}", kind.name));
                }
            }
        }
    }
}

#[test]
fn tangents_are_slopes_of_forces() {
    // Moving x, v and a together along one unknown asks for all three slopes at once.
    let weights = CellWeights { damping: 1.3, mass: 2.1 };
    for viscosity in [0.0, 0.8] {
        let mut random = Random::new(22);
        each(viscosity, |solid, _, x, what| {
            let n = x.len();
            let (v, a) = (random.uniforms(n, -1.0, 1.0), random.uniforms(n, -1.0, 1.0));
            let k = tangent(solid, &x, Some(&v), weights);
            for j in 0..n {
                let moved = |from: &[f64], h: f64| {
                    let mut to = from.to_vec();
                    to[j] += h;
                    to
                };
                let slope = central_difference(
                    &mut |h| force(solid, &moved(&x, h), Some(&moved(&v, weights.damping * h)), Some(&moved(&a, weights.mass * h))),
                    1e-3,
                );
                let column: Vec<f64> = (0..n).map(|i| k[i * n + j]).collect();
                assert_close(&column, &slope, 1e-9, &format!("{what}, viscosity {viscosity}, column {j}"));
            }
        });
    }
}

#[test]
fn forces_are_slopes_of_the_energy() {
    each(0.0, |solid, _, x, what| {
        let slopes: Vec<f64> = (0..x.len())
            .flat_map(|j| {
                central_difference(
                    &mut |h| {
                        let mut moved = x.clone();
                        moved[j] += h;
                        vec![solid.energy(&moved)]
                    },
                    1e-3,
                )
            })
            .collect();
        assert_close(&force(solid, &x, None, None), &slopes, 1e-10, &what);
    });
}

#[test]
fn tangents_are_symmetric_without_viscosity_and_not_with_it() {
    let asymmetry = |k: &[f64], n: usize| {
        let scale = k.iter().fold(0.0f64, |s, x| s.max(x.abs()));
        (0..n * n).map(|e| (k[e] - k[(e % n) * n + e / n]).abs() / scale).fold(0.0f64, f64::max)
    };
    let mut random = Random::new(23);
    each(0.0, |solid, _, x, what| {
        assert!(solid.symmetric());
        let k = tangent(solid, &x, None, CellWeights { damping: 0.0, mass: 1.0 });
        assert!(asymmetry(&k, x.len()) < 1e-15, "{what}");
    });
    each(0.8, |solid, _, x, what| {
        assert!(!solid.symmetric());
        let v = random.uniforms(x.len(), -1.0, 1.0);
        let k = tangent(solid, &x, Some(&v), CellWeights::default());
        // Summed in full here, so this also tests that the elastic half was mirrored rightly above; the linear law is symmetric all the same.
        let linear = what.starts_with("linear");
        assert_eq!(asymmetry(&k, x.len()) < 1e-14, linear, "{what}");
        let still = tangent(solid, &x, None, CellWeights::default());
        assert!(asymmetry(&still, x.len()) < 1e-14, "{what} at rest");
    });
}

#[test]
fn inner_forces_balance_and_their_moment_does() {
    let mut random = Random::new(24);
    each(0.8, |solid, _, x, what| {
        let v = random.uniforms(x.len(), -1.0, 1.0);
        let f = force(solid, &x, Some(&v), None);
        let sum = |k: usize| f.iter().skip(k).step_by(2).sum::<f64>();
        let moment: f64 = (0..f.len() / 2).map(|a| x[2 * a] * f[2 * a + 1] - x[2 * a + 1] * f[2 * a]).sum();
        // The small-strain law balances moments about the reference placement only.
        let moment = if what.starts_with("linear") { 0.0 } else { moment };
        assert_close(&[sum(0), sum(1), moment], &[0.0; 3], 1e-13, &what);
    });
}

#[test]
fn a_rigid_turn_gives_no_force_except_in_the_linear_law() {
    each(0.0, |solid, points, _, what| {
        let (sine, cosine) = 2.0f64.sin_cos();
        let x = deformed(points, [cosine, -sine, sine, cosine], 0.0, &mut Random::new(0));
        let f = force(solid, &x, None, None);
        if what.starts_with("linear") {
            assert!(f.iter().any(|f| f.abs() > 0.1), "{what}");
        } else {
            assert_close(&f, &vec![0.0; x.len()], 1e-13, &what);
        }
    });
}

#[test]
fn masses_add_to_density_times_volume_and_move_as_one() {
    each(0.0, |solid, points, x, what| {
        // Area by the corners of the polygon; crooked sides of quadratic shapes bulge by 2/3 of the offset of their middle.
        let corners = pairs().iter().map(|p| p.0).find(|s| s.nodes() == points.len()).expect("a shape").corners();
        let cross = |a: [f64; 2], b: [f64; 2]| 0.5 * (a[0] * b[1] - a[1] * b[0]);
        let side = |a: usize| {
            let (p, q) = (points[a], points[(a + 1) % corners]);
            let chord = cross(p, q);
            if corners == points.len() {
                return chord;
            }
            let m = points[corners + a];
            // Between a chord and its parabola lie 4/3 of the triangle with the middle.
            chord + 4.0 / 3.0 * (cross(p, m) + cross(m, q) - chord)
        };
        let area: f64 = (0..corners).map(side).sum();
        assert_close(&[solid.volume(), solid.mass()], &[area * DEPTH, DENSITY * area * DEPTH], 1e-13, &what);

        // Uniform acceleration: each node takes the share of its weight.
        let n = x.len();
        let a: Vec<f64> = (0..n).map(|i| [0.3, -9.81][i % 2]).collect();
        let (still, moving) = (force(solid, &x, None, None), force(solid, &x, None, Some(&a)));
        let inertia: Vec<f64> = moving.iter().zip(&still).map(|(m, s)| m - s).collect();
        let mut weight = vec![0.0; n];
        solid.weight([0.3, -9.81], &mut weight);
        assert_close(&inertia, &weight, 1e-12, &what);
        assert_close(&[weight.iter().skip(1).step_by(2).sum()], &[-9.81 * solid.mass()], 1e-13, &what);

        // A velocity that grows with x has twice the energy ρ∫x², which a polygon has in closed form.
        if corners == points.len() {
            let m = solid.mass_of(0).expect("has density");
            let pairs = (0..corners).flat_map(|a| (0..corners).map(move |b| (a, b)));
            let got: f64 = pairs.map(|(a, b)| points[a][0] * m[a * corners + b] * points[b][0]).sum();
            let side = |a: usize| {
                let (p, q) = (points[a], points[(a + 1) % corners]);
                cross(p, q) * (p[0] * p[0] + p[0] * q[0] + q[0] * q[0]) / 6.0
            };
            let second: f64 = (0..corners).map(side).sum();
            assert_close(&[got], &[DENSITY * DEPTH * second], 1e-13, &what);
        }
    });
}

#[test]
fn the_mass_of_a_straight_triangle_is_a_twelfth_of_ones_and_twos() {
    let points = [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]];
    let law = vec![material("linear", &[("young", 1.0), ("poisson", 0.0)])];
    let solid = Solid::new(&points, &[cell(Shape::T3, &[0, 1, 2])], law, vec![12.0], 1.0, Plane::Strain, Kind::Plain).expect("good");
    assert_close(solid.mass_of(0).expect("has density"), &[2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 2.0], 1e-15, "area one");
}

#[test]
fn a_cell_inside_out_is_named_and_the_linear_law_goes_on() {
    let mut random = Random::new(25);
    for kind in Material::KINDS {
        for (shape, element) in pairs() {
            let (solid, points) = single(kind.name, 0.0, shape, element, Plane::Strain, &mut random);
            let x = deformed(&points, [-1.0, 0.0, 0.0, 1.0], 0.0, &mut random);
            let got = solid.fill(0, &x, None, None, Some(CellWeights::default()), &mut CellWork::default());
            if kind.name == "linear" {
                assert_eq!(got, Ok(()));
                assert!(solid.energy(&x).is_finite());
            } else {
                let Inverted { cell, point, jacobian } = got.expect_err("inside out");
                assert_eq!((cell, point), (0, 0));
                assert!((jacobian + 1.0).abs() < 1e-12);
                assert_eq!(solid.energy(&x), f64::INFINITY);
                let lost: Vec<f64> = x.iter().map(|_| f64::NAN).collect();
                assert!(solid.fill(0, &lost, None, None, None, &mut CellWork::default()).is_err(), "NaN is inside out");
            }
        }
    }
}
