//! Point contact: where two surfaces meet, and what they do to each other there.
//! Not here: patches (`patch`).
//! In: two surfaces in a scene, the manner, what is remembered of the touch. Out: a `Touching`.
//!
//! With n out of the second surface into the first, X the point of action, v = v_first(X) − v_second(X):
//!
//!     δ̇ = −n·v        F = F_n(δ, δ̇, v₀) n + T(v_t, F_n)        v_t = v − n (n·v)                     (1)
//!     P_lost = −F·v − U'(δ) δ̇                                                                      (2)
//!
//! δ̇ is the same at every point of the normal through both surfaces, so the choice of X changes slip only, by ω times the depth. With slip at the same X as the
//! force friction never feeds energy into a motion; slip at the centre of the first shape (`slip_at = "centre"`) may.
//!
//! Over a half-space the flats of superellipsoids are rounded a little (`Smooth::rounded_support`), else the point of contact would jump from edge to edge.
//!
//! Tests: `pairs_act_and_react_and_lose_what_they_say`, `a_swapped_pair_does_the_same`.

use super::{ForceAt, Manner, Surface, Touching};
use crate::memory;
use crate::scene::Scene;
use borelli_contact::detect::{self, Contact, Memory, Settings};
use borelli_contact::normal::{Normal, Touch};
use borelli_contact::shape::{HalfSpace, Pose, Shape, Support, Surface as _};
use borelli_contact::volume::Immersion;
use borelli_math::{Constant, Real, Vec3};

/// Pose of a surface's axes.
pub(super) fn pose<S: Real, C: Constant<S>>(scene: &Scene<S, C>, surface: &Surface<C>) -> Pose<S> {
    Pose { p: scene.point(surface.place).p_W, R: scene.axes(surface.place) }
}

/// Unit normal of a half-space and its height over the world's origin, world axes.
#[inline]
pub(super) fn plane<S: Real, C: Constant<S>>(scene: &Scene<S, C>, surface: &Surface<C>, half_space: &HalfSpace<C>) -> (Vec3<S>, S) {
    match surface.plane {
        Some((n, height)) => (Vec3::lift(n), height.lift()),
        None => half_space.in_world(&pose(scene, surface)),
    }
}

/// Velocity at a point of the world of the material of a surface's body.
#[inline]
pub(super) fn velocity<S: Real, C: Constant<S>>(scene: &Scene<S, C>, surface: &Surface<C>, at: Vec3<S>) -> Vec3<S> {
    let body = scene.numbers.place_body[surface.place as usize] as usize;
    if body == 0 {
        return Vec3::ZERO;
    }
    scene.frames.v[body] + scene.frames.w[body].cross(at - scene.frames.p[body])
}

/// δ̇ of a pair as it was found, also where its surfaces are apart.
pub(super) fn approach<S: Real, C: Constant<S>>(scene: &Scene<S, C>, first: &Surface<C>, second: &Surface<C>, found: &Touching<S>) -> S {
    -found.normal.dot(velocity(scene, first, found.point) - velocity(scene, second, found.point))
}

/// How far apart curved surfaces are still searched for where they are nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Up to the size of both; beyond it the distance of their bounding spheres stands for theirs.
    Near,
    /// Always.
    Far,
}

/// Where two surfaces meet or are nearest; nothing when that cannot be found.
#[inline]
pub(super) fn meet<S: Real, C: Constant<S>>(
    scene: &Scene<S, C>,
    first: &Surface<C>,
    second: &Surface<C>,
    reach: Reach,
    following: &mut Option<Memory>,
) -> Option<Contact<S>> {
    let Shape::HalfSpace(half_space) = &second.shape else { return meet_curved(scene, first, second, reach, following) };
    let (normal, height) = plane(scene, second, half_space);
    let centre = scene.point(first.place).p_W;
    // A round shape needs no axes.
    let Support { distance, point } = match &first.shape {
        Shape::Point(_) => Support { distance: S::ZERO, point: Vec3::ZERO },
        Shape::Smooth(smooth) => match smooth.radius() {
            Some(radius) => Support { distance: radius.lift(), point: normal.scale(-radius.lift()) },
            None => {
                let R = scene.axes(first.place);
                let Support { distance, point } = smooth.rounded_support(R.transpose_mul(-normal));
                Support { distance, point: R * point }
            }
        },
        Shape::HalfSpace(_) => return None,
    };
    let gap = normal.dot(centre) - distance - height;
    let p_first = centre + point;
    Some(Contact { gap, p_first, p_second: p_first - normal.scale(gap), normal })
}

/// Two curved surfaces.
#[inline(never)]
fn meet_curved<S: Real, C: Constant<S>>(
    scene: &Scene<S, C>,
    first: &Surface<C>,
    second: &Surface<C>,
    reach: Reach,
    following: &mut Option<Memory>,
) -> Option<Contact<S>> {
    let size = |shape: &Shape<C>| if let Shape::Smooth(smooth) = shape { smooth.bounding_radius() } else { 0.0 };
    let (c1, c2) = (scene.point(first.place).p_W, scene.point(second.place).p_W);
    let line = c1 - c2;
    let (distance, together) = (line.values().norm(), size(&first.shape) + size(&second.shape));
    if reach == Reach::Near && distance > 2.0 * together {
        let distance = line.norm();
        let normal = line.scale(distance.recip());
        let gap = distance - together;
        return Some(Contact { gap, p_first: c1, p_second: c1 - normal.scale(gap), normal });
    }
    let (X_first, X_second) = (pose(scene, first), pose(scene, second));
    let found = detect::detect(&first.shape, &X_first, &second.shape, &X_second, &Settings::default(), following.as_ref()).ok()?;
    *following = Some(found.memory);
    Some(found.contact)
}

/// Whether a shape is more than three quarters of its height inside the other: no law of a point is meant for that.
#[inline]
fn immersion<C: Real>(shape: &Shape<C>, depth: f64) -> Immersion {
    match shape {
        Shape::Smooth(smooth) if depth > 1.5 * smooth.bounding_radius() => Immersion::Deep,
        _ => Immersion::Partial,
    }
}

/// What a pair does where it meets. Equations (1) and (2).
#[inline]
pub(super) fn press<S: Real, C: Constant<S>>(
    scene: &Scene<S, C>,
    manner: &Manner<C>,
    law: &Normal<C>,
    first: &Surface<C>,
    second: &Surface<C>,
    contact: &Contact<S>,
    force_at: ForceAt,
    (touch, impact): (memory::Touch, Option<S>),
    out: &mut Touching<S>,
) {
    let (depth, n) = (contact.depth(), contact.normal);
    let point = match force_at {
        ForceAt::First => contact.p_first,
        ForceAt::Second => contact.p_second,
        ForceAt::Middle => (contact.p_first + contact.p_second).scale(S::from_f64(0.5)),
    };
    let at_zero = touch.is_touching() && depth.value() > -memory::AT_ZERO;
    if !(depth.value() > 0.0 || at_zero) || touch == memory::Touch::HeldOpen {
        *out = Touching { depth, normal: n, point, foot: contact.p_second, ..Touching::NONE };
        return;
    }
    let v = velocity(scene, first, point) - velocity(scene, second, point);
    let along = n.dot(v);
    let rate = -along;
    let v_t = v - n.scale(along);
    let slip = if manner.slip_at_centre {
        let centre = scene.point(first.place);
        let v = centre.v_W - velocity(scene, second, centre.p_W);
        v - n.scale(n.dot(v))
    } else {
        v_t
    };
    let v_0 = match touch {
        memory::Touch::Touching { speed: Some(grazing) } if !(grazing >= manner.least_speed.value()) => manner.least_speed.lift(),
        memory::Touch::Touching { speed: Some(speed) } => impact.unwrap_or(S::from_f64(speed)),
        _ => manner.start_speed.lift(),
    };
    let inside = if depth.value() > 0.0 { depth } else { S::from_f64(f64::MIN_POSITIVE) };
    let push = law.push(Touch { depth: inside, rate, impact_speed: v_0 });
    let friction = match &manner.friction {
        Some(law) => law.traction(slip, push.force),
        None => Vec3::ZERO,
    };
    // Field by field: of duals the whole is kilobytes, and would be copied from place to place.
    (out.depth, out.rate) = (depth, rate);
    (out.normal, out.point, out.foot, out.slip) = (n, point, contact.p_second, slip);
    (out.normal_force, out.friction, out.couple) = (push.force, friction, Vec3::ZERO);
    (out.volume, out.area) = (S::ZERO, S::ZERO);
    out.stored = push.stored;
    out.dissipation = (push.force - push.elastic) * rate - friction.dot(v_t);
    (out.clipped, out.immersion) = (push.clipped, immersion(&first.shape, depth.value()));
}
