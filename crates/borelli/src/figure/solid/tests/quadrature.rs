//! Integrals over solids from what they are, not from formulas: slices and rays whose ends are searched for.

use super::super::{Cone, Ellipsoid, Solid, Sym3, Vec3, vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Whether a place is inside a cone, by its definition.
fn in_cone(cone: &Cone, p: Vec3<f64>) -> bool {
    let (a, b) = (Vec3::from_array(cone.a), Vec3::from_array(cone.b));
    let s = (p - a).dot(b - a) / (b - a).dot(b - a);
    if s < 0.0 {
        (p - a).norm() < cone.ra
    } else if s > 1.0 {
        (p - b).norm() < cone.rb
    } else {
        let radius = cone.ra + (cone.rb - cone.ra) * s + cone.belly * s * (1.0 - s).powi(2);
        (p - a - (b - a).scale(s)).norm() < radius
    }
}

/// The distance along a ray at which one leaves something, which is at most a distance.
fn exit(inside: impl Fn(f64) -> bool, most: f64) -> f64 {
    let (mut low, mut high) = (0.0, most);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if inside(middle) { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Two directions across a third.
fn across(u: Vec3<f64>) -> [Vec3<f64>; 2] {
    let other = if u.x.abs() < 0.7 { vec3(1.0, 0.0, 0.0) } else { vec3(0.0, 1.0, 0.0) };
    let v = u.cross(other);
    let v = v.scale(1.0 / v.norm());
    [v, u.cross(v)]
}

/// Volume and distance of the centroid from `a`, by slices.
pub fn cone(cone: &Cone) -> (f64, f64) {
    const SLICES: usize = 3000;
    let (a, u, length) = (Vec3::from_array(cone.a), cone.direction(), cone.length());
    let v = across(u)[0];
    let (mut volume, mut first) = (0.0, 0.0);
    for [from, to] in [[-cone.ra, 0.0], [0.0, length], [length, length + cone.rb]] {
        let step = (to - from) / SLICES as f64;
        for k in 0..SLICES {
            let x = from + (k as f64 + 0.5) * step;
            let radius = exit(|r| in_cone(cone, a + u.scale(x) + v.scale(r)), 3.0 * cone.ra.max(cone.rb));
            volume += PI * radius * radius * step;
            first += PI * radius * radius * step * x;
        }
    }
    (volume, first / volume)
}

/// Volume, and second moments about the middle in the body's axes, by rays from the middle: dV = ρ³/3 dΩ.
pub fn superellipsoid(solid: &Ellipsoid) -> (f64, Sym3<f64>) {
    const PANELS: usize = 60;
    // Gauss and Legendre, two nodes a panel; octants apart, because curvature jumps between them.
    let nodes: Vec<f64> = (0..PANELS)
        .flat_map(|k| [0.5 - 0.5 / 3.0_f64.sqrt(), 0.5 + 0.5 / 3.0_f64.sqrt()].map(|x| (k as f64 + x) / PANELS as f64))
        .collect();
    let weight = (0.5 / PANELS as f64).powi(2) * FRAC_PI_2 * FRAC_PI_2;
    let [a, b, c] = solid.half;
    let (mut volume, mut squares) = (0.0, [0.0; 3]);
    for turn in nodes.iter().map(|x| x * FRAC_PI_2) {
        for rise in nodes.iter().map(|x| x * FRAC_PI_2) {
            let n = [rise.cos() * turn.cos(), rise.cos() * turn.sin(), rise.sin()];
            let sum = (n[0] / a).powf(solid.power) + (n[1] / b).powf(solid.power) + (n[2] / c).powf(solid.power);
            let ray = sum.powf(-1.0 / solid.power);
            let solid_angle = 8.0 * weight * rise.cos();
            volume += solid_angle * ray.powi(3) / 3.0;
            squares.iter_mut().zip(n).for_each(|(sum, n)| *sum += solid_angle * ray.powi(5) / 5.0 * n * n);
        }
    }
    let part = |k: usize| Sym3::outer([solid.axes.x, solid.axes.y, solid.axes.z][k]).scale(squares[k]);
    let add = |p: Sym3<f64>, q: Sym3<f64>| Sym3 {
        xx: p.xx + q.xx,
        yy: p.yy + q.yy,
        zz: p.zz + q.zz,
        xy: p.xy + q.xy,
        xz: p.xz + q.xz,
        yz: p.yz + q.yz,
    };
    (volume, add(add(part(0), part(1)), part(2)))
}

/// Points on the surface of a solid, all around.
pub fn points(solid: &Solid) -> Vec<[f64; 3]> {
    const TURNS: usize = 120;
    let turn = |k: usize| k as f64 * TAU / TURNS as f64;
    let sphere = || (0..TURNS).flat_map(move |i| (0..=TURNS).map(move |j| (turn(i), (j as f64 / TURNS as f64 - 0.5) * PI)));
    let ball = |at: [f64; 3], radius: f64| {
        let middle = Vec3::from_array(at);
        sphere().map(move |(turn, rise)| middle + vec3(rise.cos() * turn.cos(), rise.cos() * turn.sin(), rise.sin()).scale(radius))
    };
    let list: Vec<Vec3<f64>> = match solid {
        Solid::Mesh(mesh) => mesh.corners().collect(),
        Solid::Hull(hull) => hull.points.iter().flat_map(|at| ball(*at, hull.radius)).collect(),
        Solid::Ellipsoid(solid) => {
            let middle = Vec3::from_array(solid.at);
            let on = |n: Vec3<f64>| middle + (solid.axes * n).scale(1.0 / solid.gauge(middle + solid.axes * n));
            // More of them near the ends of the half-axes, where flat ones reach farthest.
            let [a, b, c] = solid.half;
            sphere().map(|(turn, rise)| on(vec3(a * rise.cos() * turn.cos(), b * rise.cos() * turn.sin(), c * rise.sin()))).collect()
        }
        Solid::Cone(cone) => {
            let (a, u, length) = (Vec3::from_array(cone.a), cone.direction(), cone.length());
            let [v, w] = across(u);
            let slices = (0..=TURNS).map(|k| -cone.ra + (length + cone.ra + cone.rb) * k as f64 / TURNS as f64);
            let slices: Vec<f64> = slices.chain([0.0, length]).collect();
            let most = 3.0 * cone.ra.max(cone.rb);
            let ring = |x: f64| {
                let radius = exit(|r| in_cone(cone, a + u.scale(x) + v.scale(r)), most);
                (0..TURNS).map(move |k| a + u.scale(x) + v.scale(radius * turn(k).cos()) + w.scale(radius * turn(k).sin()))
            };
            slices.into_iter().flat_map(ring).collect()
        }
    };
    list.into_iter().map(Vec3::to_array).collect()
}
