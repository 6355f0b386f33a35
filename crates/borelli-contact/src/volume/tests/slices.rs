//! The overlap as a stack of ellipses: Gauss-Legendre quadrature over horizontal slices, in axes of the plane.

use super::*;

/// Nodes and weights of Gauss-Legendre quadrature on (-1, 1), by Newton's iteration on the polynomial.
fn gauss(count: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut before, mut p) = (1.0, x);
        for k in 2..=count {
            let k = k as f64;
            (before, p) = (p, ((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k);
        }
        (p, count as f64 * (x * p - before) / (x * x - 1.0))
    };
    let node = |i: usize| {
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (count as f64 + 0.5)).cos();
        (0..50).for_each(|_| x -= legendre(x).0 / legendre(x).1);
        let slope = legendre(x).1;
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).map(node).collect()
}

/// Volume, centroid and in-plane second moment (about the centroid) of the ellipsoid below the plane, in its axes.
///
/// In axes (t, b, n) of the plane the surface is xᵀQx = 1, Q = Tᵀ S⁻² T. At height z the slice is an ellipse about −z Q₂⁻¹ r with matrix
/// Q₂/(1 − z²(ζ − rᵀQ₂⁻¹r)), where Q₂ is the block of the plane, r the mixed column and ζ the last entry. Area, centre and second
/// moment of an ellipse are elementary; the stack is integrated. Nothing here knows of a unit sphere.
pub(super) fn stacked(shape: &SemiAxes<f64>, n: Vec3<f64>, q: f64) -> (f64, Vec3<f64>, Sym3<f64>) {
    let helper = if n.x.abs() < 0.6 { vec3(1.0, 0.0, 0.0) } else { vec3(0.0, 1.0, 0.0) };
    let t = n.cross(helper).scale(1.0 / n.cross(helper).norm());
    let b = n.cross(t);
    let Q = |u: Vec3<f64>, v: Vec3<f64>| u.x * v.x / shape.a.powi(2) + u.y * v.y / shape.b.powi(2) + u.z * v.z / shape.c.powi(2);
    let (tt, tb, bb, tn, bn, nn) = (Q(t, t), Q(t, b), Q(b, b), Q(t, n), Q(b, n), Q(n, n));
    let det = tt * bb - tb * tb;
    // Centre of the slice per height, and the rest of the height's square.
    let (ct, cb) = (-(bb * tn - tb * bn) / det, -(tt * bn - tb * tn) / det);
    let zeta = nn + ct * tn + cb * bn;
    let top = 1.0 / zeta.sqrt();

    let (low, high) = (-top, q.min(top));
    let (mut V, mut first, mut second) = (0.0, [0.0; 3], [0.0; 3]);
    for (x, w) in gauss(12) {
        let z = low + (high - low) * 0.5 * (x + 1.0);
        let w = w * 0.5 * (high - low);
        let left = 1.0 - z * z * zeta;
        let area = std::f64::consts::PI * left / det.sqrt();
        V += w * area;
        for (sum, coordinate) in first.iter_mut().zip([ct * z, cb * z, z]) {
            *sum += w * area * coordinate;
        }
        // ∫ρρᵀ over an ellipse with ρᵀEρ ≤ 1 about its centre is area/4 E⁻¹.
        second[0] += w * area * (left * bb / det / 4.0 + (ct * z).powi(2));
        second[1] += w * area * (left * tt / det / 4.0 + (cb * z).powi(2));
        second[2] += w * area * (-left * tb / det / 4.0 + ct * cb * z * z);
    }
    let c = first.map(|x| x / V);
    let in_plane = [second[0] - V * c[0] * c[0], second[1] - V * c[1] * c[1], second[2] - V * c[0] * c[1]];
    let centroid = t.scale(c[0]) + b.scale(c[1]) + n.scale(c[2]);
    let mixed = Sym3::outer(t + b) - Sym3::outer(t) - Sym3::outer(b);
    let M = Sym3::outer(t).scale(in_plane[0]) + Sym3::outer(b).scale(in_plane[1]) + mixed.scale(in_plane[2]);
    (V, centroid, M)
}

#[test]
fn overlaps_are_those_of_integrated_slices() {
    let mut random = Random::new(1);
    let (mut worst, mut oblique) = ([0.0_f64; 3], Vec::new());
    for trial in 0..2000 {
        let range = if trial % 2 == 0 { (0.01, 0.3) } else { (0.01, 2.0) };
        let (shape, n, q) = draw(&mut random, range);
        let got = shape.overlap(n, q, SecondMoment::Weighted).unwrap();
        let (V, c, M) = stacked(&shape, n, q);
        worst[0] = worst[0].max((got.volume / V - 1.0).abs());
        worst[1] = worst[1].max((got.centroid - c).norm() / got.support);
        let error = (got.second_moment - M).to_mat();
        worst[2] = worst[2].max(error.x.norm().max(error.y.norm()).max(error.z.norm()) / M.trace());
        let source = shape.overlap(n, q, SecondMoment::Oblique).unwrap();
        if trial % 2 == 1 {
            oblique.push(1.0 - source.second_moment.trace() / M.trace());
        }
        assert!((got.centroid_depth - (q - n.dot(c))).abs() < 1e-12 * got.support);
    }
    // Closed forms and a quadrature that is exact for the degree: rounding only.
    assert!(worst.iter().all(|&error| error < 1e-10), "{worst:?}");
    // The moment of the source is small by 2 % in the median, over half in the worst of these shapes (axes up to 1 : 8), and never large.
    oblique.sort_by(f64::total_cmp);
    assert!(oblique[0] > -1e-10 && (0.015..0.03).contains(&oblique[500]) && oblique[999] > 0.5, "{} {}", oblique[500], oblique[999]);
}

#[test]
fn the_second_moment_of_the_source_is_right_only_where_nothing_is_oblique() {
    let both = |shape: &SemiAxes<f64>, n: Vec3<f64>, q: f64| {
        let M = |which| entries(&shape.overlap(n, q, which).unwrap().second_moment);
        let (right, source) = (M(SecondMoment::Weighted), M(SecondMoment::Oblique));
        right.iter().zip(source).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / right.iter().map(|x| x.abs()).fold(0.0, f64::max)
    };
    let tilted = vec3(0.6, 0.0, 0.8);
    let sphere = SemiAxes { a: 0.03, b: 0.03, c: 0.03 };
    let long = SemiAxes { a: 0.06, b: 0.03, c: 0.02 };
    assert!(both(&sphere, tilted, -0.01) < 1e-14);
    assert!(both(&long, vec3(0.0, 0.0, 1.0), -0.01) < 1e-14);
    assert!(both(&long, tilted, -0.01) > 0.02);
    // Wholly inside: the moment of the whole ellipsoid is 4πabc/15 S², without its part along the normal.
    let inside = long.overlap(tilted, 1.0, SecondMoment::Weighted).unwrap().second_moment.trace();
    let abc = 4.0 * std::f64::consts::PI / 15.0 * 0.06 * 0.03 * 0.02;
    let along = 0.36 * 0.06_f64.powi(2) + 0.64 * 0.02_f64.powi(2);
    let whole = abc * (0.06_f64.powi(2) + 0.03_f64.powi(2) + 0.02_f64.powi(2) - along);
    assert!((inside / whole - 1.0).abs() < 1e-14);
}
