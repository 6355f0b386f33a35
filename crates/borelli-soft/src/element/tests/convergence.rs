//! Bodies with known answers: Lamé's thick cylinder and Cook's membrane.

use super::*;

/// n × n quadrilaterals between four curves, by a map of the unit square; nodes run fastest along v.
fn grid(n: usize, map: impl Fn(f64, f64) -> [f64; 2]) -> (Vec<[f64; 2]>, Vec<Cell>) {
    let part = |i: usize| i as f64 / n as f64;
    let points = (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))).map(|(i, j)| map(part(i), part(j))).collect();
    let node = |i: usize, j: usize| (i * (n + 1) + j) as u32;
    let square = |i, j| cell(Shape::Q4, &[node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]);
    (points, (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| square(i, j)).collect())
}

fn flat(points: &[[f64; 2]]) -> Vec<f64> {
    points.as_flattened().to_vec()
}

/// Radial displacement of the inner wall of a cylinder with radii 1 and 2 under an inner pressure of 10, on a quarter of n × n cells.
fn cylinder(n: usize, nu: f64, kind: Kind) -> (f64, Solid, Vec<f64>) {
    let (points, cells) = grid(n, |u, v| {
        let (sine, cosine) = (v * std::f64::consts::FRAC_PI_2).sin_cos();
        [(1.0 + u) * cosine, (1.0 + u) * sine]
    });
    let law = vec![material("linear", &[("young", 200.0), ("poisson", nu)])];
    let solid = Solid::new(&points, &cells, law, vec![0.0], 1.0, Plane::Strain, kind).expect("good cells");
    let mut load = vec![0.0; 2 * points.len()];
    for j in 0..n {
        // Pressure along the radius, at two points of Gauss on the chord of each edge: the rule of the table below.
        let (p, q) = (points[j], points[j + 1]);
        let chord = (q[0] - p[0]).hypot(q[1] - p[1]);
        for share in [0.5 - 0.5 / 3.0f64.sqrt(), 0.5 + 0.5 / 3.0f64.sqrt()] {
            let at = [(1.0 - share) * p[0] + share * q[0], (1.0 - share) * p[1] + share * q[1]];
            for (a, part) in [(j, 1.0 - share), (j + 1, share)] {
                load[2 * a] += 5.0 * chord * part * at[0] / at[0].hypot(at[1]);
                load[2 * a + 1] += 5.0 * chord * part * at[1] / at[0].hypot(at[1]);
            }
        }
    }
    let fixed: Vec<bool> = (0..points.len()).flat_map(|a| [a % (n + 1) == n, a % (n + 1) == 0]).collect();
    let mut x = flat(&points);
    solve(&solid, &mut x, &fixed, &load);
    (x[0] - 1.0, solid, x)
}

#[test]
fn the_thick_cylinder_converges_to_lame() {
    // u(r) = (1 + ν)/E k ((1 − 2ν) r + b²/r), k = p a²/(b² − a²)
    let exact = |nu: f64| (1.0 + nu) / 200.0 * (10.0 / 3.0) * ((1.0 - 2.0 * nu) + 4.0);
    let got: Vec<f64> = [4, 8, 16].iter().map(|&n| cylinder(n, 0.3, Kind::Plain).0).collect();
    // From another program with the same cells, six digits.
    for (got, table) in got.iter().zip([0.0938898, 0.0949641, 0.0952405]) {
        assert!((got - table).abs() < 6e-8, "{got} instead of {table}");
    }
    for pair in got.windows(2) {
        let order = ((pair[0] - exact(0.3)) / (pair[1] - exact(0.3))).log2();
        assert!((order - 2.0).abs() < 0.15, "order {order}");
    }
    assert!((got[2] / exact(0.3) - 1.0).abs() < 1e-3);
    // Nearly incompressible: the plain element locks, the mean of volume does not.
    let (plain, mean) = (cylinder(16, 0.4999, Kind::Plain).0, cylinder(16, 0.4999, Kind::FBar).0);
    assert!((mean / exact(0.4999) - 1.0).abs() < 0.01, "{mean} instead of {}", exact(0.4999));
    assert!(plain < 0.9 * exact(0.4999), "{plain}");
}

#[test]
fn stresses_of_the_cylinder_are_those_of_lame() {
    let (nu, k) = (0.3, 10.0 / 3.0);
    for kind in [Kind::Plain, Kind::FBar] {
        let mut worst = [0.0f64; 2];
        for (n, worst) in [16, 32].into_iter().zip(&mut worst) {
            let (_, solid, x) = cylinder(n, nu, kind);
            let mut nodes = Vec::new();
            solid.stress_at_nodes(&x, None, &mut nodes).expect("linear");
            // Inside, where the errors of the cells around a node cancel to second order; at the walls they are of first order.
            for s in nodes.iter().filter(|s| (1..n).contains(&(s.node as usize / (n + 1)))) {
                let [px, py] = [x[2 * s.node as usize], x[2 * s.node as usize + 1]];
                let r = 1.0 + (s.node as usize / (n + 1)) as f64 / n as f64;
                let (cosine, sine) = (px / px.hypot(py), py / px.hypot(py));
                let radial = s.stress.xx * cosine * cosine + 2.0 * s.stress.xy * sine * cosine + s.stress.yy * sine * sine;
                let hoop = s.stress.xx + s.stress.yy - radial;
                let lame = [k * (1.0 - 4.0 / (r * r)), k * (1.0 + 4.0 / (r * r)), 2.0 * nu * k];
                for (got, exact) in [radial, hoop, s.stress.zz].iter().zip(lame) {
                    *worst = worst.max((got - exact).abs() / 10.0);
                }
            }
        }
        assert!(worst[1] < 0.02 && worst[1] < 0.65 * worst[0], "{kind:?}: {worst:?}");
    }
}

struct Cook {
    law: &'static str,
    young: f64,
    nu: f64,
    plane: Plane,
    /// Upward force on the right edge, of length 16.
    load: f64,
    steps: usize,
}

const C1: Cook = Cook { law: "linear", young: 1.0, nu: 1.0 / 3.0, plane: Plane::Stress, load: 1.0, steps: 1 };
const C2: Cook = Cook { plane: Plane::Strain, ..C1 };
const C3: Cook = Cook { nu: 0.4999, ..C2 };
const C4: Cook = Cook { law: "neo-hookean", young: 200.0, nu: 0.35, plane: Plane::Strain, load: 64.0, steps: 4 };
const C5: Cook = Cook { law: "robust", ..C4 };
const C6: Cook = Cook { nu: 0.499, ..C5 };

impl Cook {
    /// Displacement of the upper right corner on n × n cells.
    fn corner(&self, n: usize, kind: Kind) -> [f64; 2] {
        let (points, cells) = grid(n, |u, v| [48.0 * u, 44.0 * u * (1.0 - v) + v * (44.0 + 16.0 * u)]);
        let law = vec![material(self.law, &[("young", self.young), ("poisson", self.nu)])];
        let solid = Solid::new(&points, &cells, law, vec![0.0], 1.0, self.plane, kind).expect("good cells");
        let fixed: Vec<bool> = (0..points.len()).flat_map(|a| [a <= n; 2]).collect();
        let mut x = flat(&points);
        for step in 1..=self.steps {
            let mut load = vec![0.0; x.len()];
            for j in 0..n {
                for a in [n * (n + 1) + j, n * (n + 1) + j + 1] {
                    load[2 * a + 1] += 0.5 * self.load / n as f64 * step as f64 / self.steps as f64;
                }
            }
            solve(&solid, &mut x, &fixed, &load);
        }
        let last = x.len() - 2;
        [x[last] - 48.0, x[last + 1] - 60.0]
    }
}

#[test]
fn cook_plain_quadrilaterals_reproduce_the_table() {
    // Corner on uniform cells with 2 × 2 points, from another program, nine digits.
    let table = [
        (C1, 8, [-16.4664972, 22.672619]),
        (C2, 8, [-14.3913864, 20.0884059]),
        (C2, 16, [-15.8768969, 21.6793711]),
        (C3, 16, [-0.704587188, 5.77858647]),
        (C4, 4, [-3.36615076, 4.62367049]),
        (C4, 8, [-4.48973817, 5.57537392]),
        (C5, 8, [-4.48728325, 5.51493699]),
        (C6, 8, [-0.479943169, 2.03600461]),
    ];
    for (case, n, expected) in table {
        let got = case.corner(n, Kind::Plain);
        for (got, expected) in got.iter().zip(expected) {
            assert!((got / expected - 1.0).abs() < 1e-7, "{} n = {n}: {got} instead of {expected}", case.law);
        }
    }
}

#[test]
fn f_bar_does_not_lock_in_cook() {
    // Converged values of the corner, from cells of order 4 to 6; the plain element has 5.78 and 2.71 for the first two.
    for (case, converged) in [(C3, 19.428), (C6, 5.508), (C2, 22.610), (C4, 6.147), (C5, 6.051)] {
        let got = case.corner(16, Kind::FBar)[1];
        assert!((got / converged - 1.0).abs() < 0.03, "{} ν = {}: {got} instead of {converged}", case.law, case.nu);
        // Cells are halved: the rest falls.
        let coarse = case.corner(8, Kind::FBar)[1];
        assert!((got - converged).abs() < 0.6 * (coarse - converged).abs(), "{}: {coarse}, {got}", case.law);
    }
}
