//! Lower bounds of the distance, cheap enough to ask of every pair: bounding spheres, then oriented boxes.
//! Not here: the distance itself.
//! In: smooth shapes in their poses. Out: a bound that the gap is never below, m.

use crate::shape::{Pose, Surface};
use borelli_math::Vec3;

/// True when two surfaces are certainly further apart than a margin.
///
/// Spheres first, boxes only when those do not decide. A caller that skips the pair keeps its memory: the last normal is still the best
/// start when the shapes come near again.
pub fn further_than(margin: f64, first: &impl Surface, X_first: &Pose<f64>, second: &impl Surface, X_second: &Pose<f64>) -> bool {
    between_spheres(first, X_first, second, X_second) > margin || between_boxes(first, X_first, second, X_second) > margin
}

/// Distance of the bounding spheres; below zero when they overlap.
pub fn between_spheres(first: &impl Surface, X_first: &Pose<f64>, second: &impl Surface, X_second: &Pose<f64>) -> f64 {
    (X_first.p - X_second.p).norm() - first.bounding_radius() - second.bounding_radius()
}

/// Largest gap of the two oriented boxes along their face normals and the products of their edges.
///
/// The gap of the boxes along any unit vector is a lower bound of their distance, and that one of the bodies inside them.
///
/// Source: Gottschalk, Lin and Manocha 1996, for the fifteen directions. Limits: below zero it says only that the boxes overlap.
pub fn between_boxes(first: &impl Surface, X_first: &Pose<f64>, second: &impl Surface, X_second: &Pose<f64>) -> f64 {
    let line = X_first.p - X_second.p;
    let (a, b) = (first.half_extents(), second.half_extents());
    let (R1, R2) = (&X_first.R, &X_second.R);
    let reach = |e: Vec3<f64>, local: Vec3<f64>| e.x * local.x.abs() + e.y * local.y.abs() + e.z * local.z.abs();
    let gap = |m: Vec3<f64>| m.dot(line).abs() - reach(a, R1.transpose_mul(m)) - reach(b, R2.transpose_mul(m));
    let (axes1, axes2) = ([R1.x, R1.y, R1.z], [R2.x, R2.y, R2.z]);
    let mut most = f64::NEG_INFINITY;
    for m in axes1.into_iter().chain(axes2) {
        most = most.max(gap(m));
    }
    for u in axes1 {
        for v in axes2 {
            let m = u.cross(v);
            let length = m.norm();
            // Parallel edges: their product has no direction, and the face normals decide.
            if length > 1e-6 {
                most = most.max(gap(m.scale(1.0 / length)));
            }
        }
    }
    most
}
