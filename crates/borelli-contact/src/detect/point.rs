//! A point against a smooth surface: the nearest point of the surface, from outside or from inside.
//! Not here: round shapes, which have a formula (`closed_form`).
//! In: where the point is, a surface in its pose, perhaps a former contact. Out: the verified contact, the point as first shape.

use super::lift::lift;
use super::pair::Pair;
use super::solve::{Unsolved, solve};
use super::{Detection, Memory, Settings};
use crate::shape::{Pose, Smooth, Sphere, Surface};
use borelli_math::{Constant, Real, Vec3};

/// A point in a ball of radius r has the common normals of the ball, because all gaps are smaller by the same r:
///
///     g_ball(m) = m·(c₁ − c₂) − r − h₂(m) = g_point(m) − r
///
/// The radius is that of the surface's smallest half extent, so that the equations are well scaled. Whether point and body overlap, and
/// what is handed out, is told without it (`Pair::skin`); the proof of the least overlap is that of the ball.
///
/// Source: elementary. Test: `a_point_is_as_far_from_a_surface_as_a_search_over_it_says`.
pub(super) fn against_surface<N: Constant<S>, S: Real>(
    X_point: &Pose<S>,
    surface: &Smooth<N>,
    X_surface: &Pose<S>,
    settings: &Settings,
    memory: Option<&Memory>,
) -> Result<Detection<S>, Unsolved> {
    let e = surface.half_extents();
    let radius = e.x.min(e.y).min(e.z);
    let ball = Smooth::from(Sphere { radius: N::from_f64(radius) });
    let (X1, X2) = (X_point.values(), X_surface.values());
    let plain = Pair { skin: radius, ..Pair::new(ball.plain(), &X1, surface.plain(), &X2) };
    let on_ball = |normal: Vec3<f64>| X1.R.transpose_mul(X2.R * normal).scale(-radius);
    let memory = memory.map(|&memory| Memory { points: [on_ball(memory.normal), memory.points[1]], ..memory });
    let verified = solve(&plain, settings, memory.as_ref())?;
    let mut contact = lift(&Pair::new(ball, X_point, *surface, X_surface), &plain, verified.points);
    contact.gap += S::from_f64(radius);
    contact.p_first = X_point.p;
    let normal = X2.R.transpose_mul(contact.normal.values());
    let memory = Memory { points: [Vec3::ZERO, verified.points[1]], normal, seat: verified.seat };
    Ok(Detection { contact, certificate: verified.certificate, memory })
}
