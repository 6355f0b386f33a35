//! A patch of crooked cells must carry a uniform strain exactly, whatever its law, shape and kind of element.

use super::*;
use borelli_testkit::assert_close;

/// Patch of MacNeal & Harder 1985, Finite Elem. Anal. Des. 1:3-20: five quadrilaterals, nodes 0 to 3 outside.
const POINTS: [[f64; 2]; 8] = [[0.0, 0.0], [0.24, 0.0], [0.24, 0.12], [0.0, 0.12], [0.04, 0.02], [0.18, 0.03], [0.16, 0.08], [0.08, 0.08]];
const QUADS: [[u32; 4]; 5] = [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7], [4, 5, 6, 7]];

/// The patch in cells of a shape: triangles halve the quadrilaterals, middle nodes lie on straight sides.
fn patch(shape: Shape) -> (Vec<[f64; 2]>, Vec<Cell>, Vec<bool>) {
    let mut points = POINTS.to_vec();
    let mut sides: Vec<[u32; 2]> = Vec::new();
    let corners: Vec<Vec<u32>> = if shape.corners() == 4 {
        QUADS.iter().map(|q| q.to_vec()).collect()
    } else {
        QUADS.iter().flat_map(|&[a, b, c, d]| [vec![a, b, c], vec![a, c, d]]).collect()
    };
    let mut middle = |a: u32, b: u32| {
        let side = [a.min(b), a.max(b)];
        let k = sides.iter().position(|&s| s == side).unwrap_or_else(|| {
            sides.push(side);
            let (p, q) = (POINTS[a as usize], POINTS[b as usize]);
            points.push([0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])]);
            sides.len() - 1
        });
        8 + k as u32
    };
    let cells = corners
        .into_iter()
        .map(|mut nodes| {
            let n = nodes.len();
            if shape.nodes() > n {
                (0..n).for_each(|k| nodes.push(middle(nodes[k], nodes[(k + 1) % n])));
            }
            cell(shape, &nodes)
        })
        .collect();
    let outside = |p: &[f64; 2]| p[0] == 0.0 || p[0] == 0.24 || p[1] == 0.0 || p[1] == 0.12;
    let fixed = points.iter().flat_map(|p| [outside(p); 2]).collect();
    (points, cells, fixed)
}

/// Stress of the patch, turned as a whole, brought to a uniform deformation in ten steps, after a look at places, forces and stresses.
fn carried(name: &str, shape: Shape, kind: Kind, F: [f64; 4], angle: f64) -> ([f64; 4], String) {
    let (points, cells, fixed) = patch(shape);
    let (sine, cosine) = angle.sin_cos();
    let points: Vec<[f64; 2]> = points.iter().map(|[x, y]| [cosine * x - sine * y, sine * x + cosine * y]).collect();
    let law = material(name, &[("young", 1e6), ("poisson", 0.25)]);
    let solid = Solid::new(&points, &cells, vec![law], vec![0.0], 1.0, Plane::Strain, kind).expect("good cells");
    let affine = |part: f64| {
        let gradient = std::array::from_fn(|k| part * F[k] + (1.0 - part) * [1.0, 0.0, 0.0, 1.0][k]);
        deformed(&points, gradient, 0.0, &mut Random::new(0))
    };
    let (mut x, mut f, mut random) = (Vec::new(), Vec::new(), Random::new(41));
    for step in 1..=10 {
        // Free nodes start beside the uniform state, so that they have somewhere to go.
        x = affine(0.1 * f64::from(step));
        x.iter_mut().zip(&fixed).filter(|(_, fixed)| !**fixed).for_each(|(x, _)| *x += random.uniform(-5e-4, 5e-4));
        f = solve(&solid, &mut x, &fixed, &vec![0.0; fixed.len()]);
    }
    let what = format!("{name} {shape:?} {kind:?} turned by {angle}");
    let exact = affine(1.0);
    assert_close(&x, &exact, 1e-12 * 0.24, &what);
    let sums = [0, 1].map(|k| f.iter().skip(k).step_by(2).sum::<f64>() / 1e6);
    assert_close(&sums, &[0.0; 2], 1e-12, &what);

    let (mut at_points, mut at_nodes) = (Vec::new(), Vec::new());
    solid.stress_at_points(&x, None, &mut at_points).expect("not inside out");
    solid.stress_at_nodes(&x, None, &mut at_nodes).expect("not inside out");
    assert_eq!(at_nodes.len(), points.len());
    let first = at_points[0].stress;
    let all = at_points.iter().map(|p| p.stress).chain(at_nodes.iter().map(|p| p.stress));
    for s in all {
        assert_close(&[s.xx, s.yy, s.xy, s.zz], &[first.xx, first.yy, first.xy, first.zz], 1e-9, &what);
    }
    ([first.xx, first.yy, first.xy, first.zz], what)
}

#[test]
fn a_distorted_patch_carries_a_uniform_strain() {
    let (lambda, mu) = (0.4e6, 0.4e6); // E = 1e6, ν = 1/4
    for (shape, kind) in pairs() {
        for angle in [0.0, 0.9] {
            let small = [1.001, 0.0005, 0.0005, 1.001];
            let (stress, what) = carried("linear", shape, kind, small, angle);
            assert_close(&stress, &[1600.0, 1600.0, 400.0, lambda * 0.002], 1e-9, &what);
            // Closed table of the robust law for two strong deformations; neo-Hookean and Kirchhoff by hand from b = F Fᵀ.
            let cases = [
                ([1.2, 0.3, -0.1, 0.9], [339963.963964, -5441.44144144, 72972.972973]),
                ([0.75, 0.0, 0.4, 1.3], [-74294.8717949, 671794.871795, 173846.153846]),
            ];
            for (F, table) in cases {
                let [a, b, c, d] = F;
                let J: f64 = a * d - b * c;
                let left = [a * a + b * b, c * c + d * d, a * c + b * d];
                let (stress, what) = carried("robust", shape, kind, F, angle);
                assert_close(&stress[..3], &table, 1e-9, &what);
                let (stress, what) = carried("neo-hookean", shape, kind, F, angle);
                let volume = 0.5 * lambda * (J * J - 1.0) / J;
                let neo = [mu * (left[0] - 1.0) / J + volume, mu * (left[1] - 1.0) / J + volume, mu * left[2] / J, volume];
                assert_close(&stress, &neo, 1e-9, &what);
                // Kirchhoff: J σ = (λ tr E − μ) b + μ b².
                let (stress, what) = carried("kirchhoff", shape, kind, F, angle);
                let p = lambda * 0.5 * (left[0] + left[1] - 2.0) - mu;
                let square = [left[0] * left[0] + left[2] * left[2], left[1] * left[1] + left[2] * left[2], left[2] * (left[0] + left[1])];
                let kirchhoff: Vec<f64> = (0..3).map(|k| (p * left[k] + mu * square[k]) / J).collect();
                assert_close(&stress[..3], &kirchhoff, 1e-9, &what);
            }
        }
    }
}
