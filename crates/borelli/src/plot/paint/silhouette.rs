//! Outlines of solids as they are seen, and where light falls on them.
//! Not here: colours, pens.
//! In: a solid, the pose of its body, a view. Out: a closed line in the picture's plane, with the axes of its shading.
//!
//! Seen along a unit vector w, the outline of a surface is where its normal is across w. On a cone with the axis u and a unit vector e across it in the
//! plane of u and w, the normal at the angle φ from e over the slice s is e cos φ + e' sin φ − (r'/L) u, hence
//!
//! ```text
//! cos φ = (r'(s)/L) (u·w)/(e·w)                                                               (1)
//! ```

use super::view::View;
use crate::figure::{Cone, Ellipsoid, Hull, Mesh, Pose, Solid, polygon};
use borelli_math::{Mat3, Vec3};
use std::f64::consts::{PI, TAU};

/// A closed line and how it is shaded.
#[derive(Clone, Debug)]
pub(in crate::plot) struct Silhouette {
    pub outline: Vec<[f64; 2]>,
    pub shade: Shade,
    /// How near its middle is.
    pub near: f64,
}

/// How light changes over a shape, in the picture's plane.
#[derive(Clone, Copy, Debug)]
pub(in crate::plot) enum Shade {
    /// From the lit edge to the dark one.
    Across([[f64; 2]; 2]),
    /// From the lit spot outward: the middle of an ellipse, and where it carries the ends of the unit vectors of the picture.
    Round { middle: [f64; 2], axes: [[f64; 2]; 2] },
}

/// Light comes from the upper left.
const LIGHT: [f64; 2] = [-0.55, 0.83];

/// The lit spot of a unit circle.
pub(in crate::plot) const SPOT: [f64; 2] = [0.45 * LIGHT[0], 0.45 * LIGHT[1]];

/// Points on an arc of half a circle, over a side of a cone, around an ellipsoid and around a ball.
const ARC: usize = 12;
const SIDE: usize = 6;
const AROUND: usize = 40;
const BALL: usize = 24;

/// Cones that point at the viewer more than this have no sides to speak of.
const END_ON: f64 = 0.85;

/// The outline of a solid.
pub(in crate::plot) fn silhouette(solid: &Solid, pose: &Pose, view: &View) -> Silhouette {
    match solid {
        Solid::Cone(cone) => of_cone(cone, pose, view),
        Solid::Ellipsoid(ellipsoid) => of_ellipsoid(ellipsoid, pose, view),
        Solid::Hull(hull) => of_hull(hull, pose, view),
        Solid::Mesh(mesh) => of_mesh(mesh, pose, view),
    }
}

/// Two unit vectors across a third.
fn across(w: Vec3<f64>) -> [Vec3<f64>; 2] {
    let [x, y, z] = w.to_array().map(f64::abs);
    let least = if x <= y && x <= z {
        Mat3::IDENTITY.x
    } else if y <= z {
        Mat3::IDENTITY.y
    } else {
        Mat3::IDENTITY.z
    };
    let u = w.cross(least);
    let u = u.scale(1.0 / u.norm());
    [u, w.cross(u)]
}

/// Points on a circle across a direction.
fn circle(at: Vec3<f64>, radius: f64, w: Vec3<f64>) -> impl Iterator<Item = Vec3<f64>> {
    let [u, v] = across(w);
    (0..BALL).map(move |k| {
        let (sine, cosine) = (k as f64 * TAU / BALL as f64).sin_cos();
        at + u.scale(radius * cosine) + v.scale(radius * sine)
    })
}

fn of_cone(cone: &Cone, pose: &Pose, view: &View) -> Silhouette {
    let place = |p: [f64; 3]| Vec3::from_array(pose.place(p));
    let (a, b, u, length) = (place(cone.a), place(cone.b), pose.R * cone.direction(), cone.length());
    let middle = (a + b).scale(0.5);
    let near = view.near(middle);
    let w = view.toward(middle);
    let toward = u.dot(w);
    if toward.abs() > END_ON || !(length > 0.0) {
        let slices = (0..=SIDE).map(|k| k as f64 / SIDE as f64);
        let rings = slices.flat_map(|s| circle(a + (b - a).scale(s), cone.radius(s), u));
        let points = rings.chain(circle(a, cone.ra, w)).chain(circle(b, cone.rb, w)).map(|p| view.flat(p)).collect::<Vec<_>>();
        return round(polygon(&points), near);
    }
    let (e, side) = {
        let e = w - u.scale(toward);
        let e = e.scale(1.0 / e.norm());
        (e, u.cross(e))
    };
    let facing = e.dot(w);
    let at = |s: f64, sign: f64| {
        let cosine = (cone.slope(s) / length * toward / facing).clamp(-1.0, 1.0);
        let sine = (1.0 - cosine * cosine).sqrt();
        a + (b - a).scale(s) + (e.scale(cosine) + side.scale(sign * sine)).scale(cone.radius(s))
    };
    // In the plane of the picture: along the axis as it is seen, across it.
    let along = u - w.scale(toward);
    let along = along.scale(1.0 / along.norm());
    let cap = |middle: Vec3<f64>, radius: f64, from: f64, out: f64| {
        (0..=ARC).map(move |k| {
            let (sine, cosine) = (PI * k as f64 / ARC as f64).sin_cos();
            middle + side.scale(from * radius * cosine) + along.scale(out * radius * sine)
        })
    };
    let parts = || (1..SIDE).map(|k| k as f64 / SIDE as f64);
    let there = parts().map(|s| at(s, 1.0));
    let back = parts().rev().map(|s| at(s, -1.0));
    let line = there.chain(cap(b, cone.rb, 1.0, 1.0)).chain(back).chain(cap(a, cone.ra, -1.0, -1.0));
    let outline = line.map(|p| view.flat(p)).collect();
    let widest = side.scale(cone.ra.max(cone.rb));
    let [left, right] = [view.flat(middle + widest), view.flat(middle - widest)];
    let lit = (left[0] - right[0]) * LIGHT[0] + (left[1] - right[1]) * LIGHT[1] > 0.0;
    Silhouette { outline, shade: Shade::Across(if lit { [left, right] } else { [right, left] }), near }
}

fn of_ellipsoid(ellipsoid: &Ellipsoid, pose: &Pose, view: &View) -> Silhouette {
    let middle = Vec3::from_array(pose.place(ellipsoid.at));
    let w = view.toward(middle);
    let [u, v] = across(w);
    let point = |k: usize| {
        let (sine, cosine) = (k as f64 * TAU / AROUND as f64).sin_cos();
        let n = pose.R.transpose_mul(u.scale(cosine) + v.scale(sine));
        view.flat(Vec3::from_array(pose.place(ellipsoid.support(n).to_array())))
    };
    round((0..AROUND).map(point).collect(), view.near(middle))
}

fn of_hull(hull: &Hull, pose: &Pose, view: &View) -> Silhouette {
    let places: Vec<Vec3<f64>> = hull.points.iter().map(|p| Vec3::from_array(pose.place(*p))).collect();
    let middle = places.iter().fold(Vec3::ZERO, |sum, p| sum + *p).scale(1.0 / places.len().max(1) as f64);
    let w = view.toward(middle);
    let points: Vec<[f64; 2]> = places.iter().flat_map(|p| circle(*p, hull.radius, w)).map(|p| view.flat(p)).collect();
    round(polygon(&points), view.near(middle))
}

/// The hull of what is seen of it: bones are nearly convex, and a picture is small.
fn of_mesh(mesh: &Mesh, pose: &Pose, view: &View) -> Silhouette {
    let places: Vec<Vec3<f64>> = mesh.corners().map(|p| Vec3::from_array(pose.place(p.to_array()))).collect();
    let middle = places.iter().fold(Vec3::ZERO, |sum, p| sum + *p).scale(1.0 / places.len().max(1) as f64);
    let points: Vec<[f64; 2]> = places.iter().map(|p| view.flat(*p)).collect();
    round(polygon(&points), view.near(middle))
}

/// A shape that is lit from a spot, with the ellipse that has the same spread: points around a unit circle have the covariance 1/2, so A = √2 Cov^½ maps it to
/// the ellipse. Unlike its half-axes that map does not leap where the ellipse becomes round.
fn round(outline: Vec<[f64; 2]>, near: f64) -> Silhouette {
    let count = outline.len().max(1) as f64;
    let mean = [0, 1].map(|k| outline.iter().map(|p| p[k]).sum::<f64>() / count);
    let second = |i: usize, j: usize| 2.0 * outline.iter().map(|p| (p[i] - mean[i]) * (p[j] - mean[j])).sum::<f64>() / count;
    let (xx, xy, yy) = (second(0, 0), second(0, 1), second(1, 1));
    // Cayley and Hamilton: the root of a positive 2 × 2 matrix M is (M + s I)/t with s² = det M, t² = tr M + 2 s.
    let s = (xx * yy - xy * xy).max(0.0).sqrt();
    let t = (xx + yy + 2.0 * s).sqrt().max(f64::MIN_POSITIVE);
    let axes = [[(xx + s) / t, xy / t], [xy / t, (yy + s) / t]];
    Silhouette { outline, shade: Shade::Round { middle: mean, axes }, near }
}
