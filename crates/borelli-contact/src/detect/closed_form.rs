//! Contacts that have a formula: anything against a half-space, round shapes against each other.
//! Not here: pairs that need iteration.
//! In: shapes in their poses. Out: the contact.

use super::contact::Contact;
use crate::shape::{HalfSpace, Pose, Shape, Support, Surface};
use borelli_math::{Constant, Real, Vec3};

/// A point or smooth shape against a half-space n·x ≤ h, from the support point s along −n:
///
/// ```text
/// gap = n·c − h_S(−n) − h,  P₁ = c + s,  P₂ = P₁ − gap n                                        (1)
/// ```
///
/// Nothing for a half-space as first. This is what [`detect`](super::detect) does for such a pair once it has checked it: for a caller
/// that has checked shapes and poses itself. A simulation, which knows planes that do not move, has (1) of its own. Wrong parameters give wrong
/// numbers, never a panic.
///
/// Source: elementary. Test: `the_lowest_point_over_a_plane_is_where_newton_ends`.
pub fn against_half_space<N: Constant<S>, S: Real>(
    first: &Shape<N>,
    X_first: &Pose<S>,
    half_space: &HalfSpace<N>,
    X_second: &Pose<S>,
) -> Option<Contact<S>> {
    let (normal, height) = half_space.in_world(X_second);
    let Support { distance, point } = match first {
        Shape::Point(_) => Support { distance: S::ZERO, point: Vec3::ZERO },
        Shape::Smooth(smooth) => smooth.support(X_first.R.transpose_mul(-normal)),
        Shape::HalfSpace(_) => return None,
    };
    let gap = normal.dot(X_first.p) - distance - height;
    let p_first = X_first.place(point);
    Some(Contact { gap, p_first, p_second: p_first - normal.scale(gap), normal })
}

/// Two round shapes (spheres, circles, points) of radii r₁, r₂:
///
///     n = (c₁ − c₂)/|c₁ − c₂|,  gap = |c₁ − c₂| − r₁ − r₂
///
/// With centres so close that the line between them is round-off, along the former normal; nothing without one.
pub(super) fn between_round<S: Real>(c1: Vec3<S>, r1: S, c2: Vec3<S>, r2: S, former: Option<Vec3<S>>) -> Option<Contact<S>> {
    let line = c1 - c2;
    let (reach, distance) = (r1.value() + r2.value(), line.values().norm());
    let (normal, distance) = if distance > 1e-14 * (reach + c1.values().norm() + c2.values().norm()) {
        let distance = line.norm();
        (line.scale(distance.recip()), distance)
    } else {
        let normal = former?;
        (normal, normal.dot(line))
    };
    Some(Contact { gap: distance - r1 - r2, p_first: c1 - normal.scale(r1), p_second: c2 + normal.scale(r2), normal })
}
