//! A string over an ellipsoid: where the search for its geodesic begins, and exactly whether it touches.
//!
//! Divided by the semi-axes the ellipsoid is a sphere of radius 1. Straight lines stay straight and tangents stay tangents, so a string is free of the one where
//! it is free of the other; arcs of the sphere are no geodesics, but are near. Without a side the search begins at the string over the sphere, with one at the string
//! in the plane through both points and the side, a string over a circle, which does not swing to the other side where the sphere's would. Limits: without a side only below 180°.
//! Tests: `an_ellipsoid_of_equal_axes_is_a_sphere_and_a_long_one_a_cylinder`, `the_table_of_an_ellipsoid_is_met`.

use super::{Bend, Trouble, cylinder, sense, sphere};
use borelli_math::{Real, Vec3, vec3};
use std::f64::consts::FRAC_PI_3;

#[inline(always)]
pub(super) fn guess<S: Real>(axes: [S; 3], side: Option<Vec3<f64>>, P: Vec3<S>, Q: Vec3<S>) -> Result<Option<Bend<S>>, Trouble> {
    let [a, b, c] = axes.map(Real::value);
    let scaled = |p: Vec3<f64>| vec3(p.x / a, p.y / b, p.z / c);
    let back = |p: Vec3<f64>| Vec3::from_array([p.x * a, p.y * b, p.z * c].map(S::from_f64));
    let (P, Q) = (scaled(P.values()), scaled(Q.values()));
    let found = match side.and_then(|side| in_plane(scaled(side), P, Q)) {
        Some(found) => found,
        None => sphere::bend(1.0, None, P, Q)?,
    };
    Ok(found.map(|bend| {
        let [first, last] = bend.ends.map(back);
        // On the arc between them, about as long as its chord and the bulge over it.
        let (chord, half) = ((last - first).values().norm(), 0.5 * bend.turn);
        Bend { ends: [first, last], arc: S::from_f64(chord * half / half.sin().max(1e-3)), turn: bend.turn }
    }))
}

/// The string over the circle that the plane through both points along `side` cuts out of the unit sphere; nothing where there is no such plane or circle.
fn in_plane(side: Vec3<f64>, P: Vec3<f64>, Q: Vec3<f64>) -> Option<Option<Bend<f64>>> {
    let unit = |v: Vec3<f64>| (v.norm() > 0.0).then(|| v.scale(1.0 / v.norm()));
    let u = unit(Q - P)?;
    let across = side - u.scale(u.dot(side));
    let w = unit(across).filter(|_| across.norm() > 1e-6 * side.norm())?;
    // The middle of the circle is the foot of the centre on the plane.
    let foot = P - u.scale(P.dot(u)) - w.scale(P.dot(w));
    let square = 1.0 - foot.dot(foot);
    let flat = |p: Vec3<f64>| vec3((p - foot).dot(u), (p - foot).dot(w), 0.0);
    let (from, to) = (flat(P), flat(Q));
    if square <= 0.0 {
        return Some(None);
    }
    let sense = sense(from, vec3(0.0, 1.0, 0.0))?;
    let found = cylinder::bend(square.sqrt(), sense, -FRAC_PI_3, from, to);
    Some(found.map(|bend| Bend { ends: bend.ends.map(|x| foot + u.scale(x.x) + w.scale(x.y)), ..bend }))
}
