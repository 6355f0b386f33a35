//! Where the resultant of a plate acts.

use borelli_math::{Real, Vec3};

/// Centre of pressure and what remains about it.
#[derive(Clone, Copy, Debug)]
pub struct Centre<S> {
    /// Point of the plane, m.
    pub point: Vec3<S>,
    /// Free moment about the normal, N m.
    pub free_moment: S,
}

/// Centre of pressure on the plane through `g` with unit normal `n`, from the resultant force and its moment about `g`.
///
/// ```text
/// P = g + n × M_g/(n·F),   T = n·(M_g − (P − g) × F)                                              (1)
/// ```
///
/// The point of the plane about which the moment has a part along n only, as a force plate reports it. Nothing when n·F does not exceed
/// `least` (N), where the point means nothing.
/// Source: elementary. Departures: Marques 2015 inverts the skew matrix of F, which has no inverse.
/// Test: `only_a_free_moment_is_left_at_the_centre_of_pressure`.
pub fn centre_of_pressure<S: Real>(force: Vec3<S>, moment: Vec3<S>, g: Vec3<S>, n: Vec3<S>, least: f64) -> Option<Centre<S>> {
    let normal = n.dot(force);
    if !(normal.value() > least.max(0.0)) {
        return None;
    }
    let arm = n.cross(moment).scale(normal.recip());
    Some(Centre { point: g + arm, free_moment: n.dot(moment - arm.cross(force)) })
}
