//! Patch contact: an ellipsoid or a sphere pressed into a half-space, by the volume of the overlap.
//! Not here: the volume and the law (`borelli_contact::volume`).
//! In: the two surfaces in a scene. Out: a `Touching` at the centroid of the overlap.
//!
//! Tests: `pairs_act_and_react_and_lose_what_they_say`, and those of the law.

use super::press::{plane, velocity};
use super::{Manner, Surface, Touching};
use crate::scene::Scene;
use borelli_contact::friction::spin::Spin;
use borelli_contact::shape::{Shape, Smooth};
use borelli_contact::volume::{PatchMotion, SecondMoment, SemiAxes, Volumetric};
use borelli_math::{Constant, Mat3, Real, Vec3};

/// Semi-axes of a shape that has a patch, and whether it is round.
pub(crate) fn semi_axes<N: Copy>(shape: &Shape<N>) -> Option<(SemiAxes<N>, bool)> {
    match shape {
        Shape::Smooth(Smooth::Sphere(sphere)) => Some((SemiAxes { a: sphere.radius, b: sphere.radius, c: sphere.radius }, true)),
        Shape::Smooth(Smooth::Ellipsoid(ellipsoid)) => {
            let [a, b, c] = ellipsoid.semi_axes;
            Some((SemiAxes { a, b, c }, false))
        }
        _ => None,
    }
}

/// What a patch does.
#[inline]
pub(super) fn press<S: Real, C: Constant<S>>(
    scene: &Scene<S, C>,
    manner: &Manner<C>,
    law: &Volumetric<C>,
    moment: SecondMoment,
    first: &Surface<C>,
    second: &Surface<C>,
) -> Touching<S> {
    let (Some((axes, round)), Shape::HalfSpace(half_space)) = (semi_axes(&first.shape), &second.shape) else {
        // Other pairs are refused when the model is read.
        return Touching::NONE;
    };
    let (n, height) = plane(scene, second, half_space);
    let centre = scene.point(first.place).p_W;
    let q = height - n.dot(centre);
    let foot = centre + n.scale(q);
    let R = if round { Mat3::IDENTITY } else { scene.axes(first.place) };
    let n_E = if round { n } else { R.transpose_mul(n) };
    let Some(overlap) = axes.overlap(n_E, q, moment) else {
        let reach = Vec3 { x: axes.a.times(n_E.x), y: axes.b.times(n_E.y), z: axes.c.times(n_E.z) }.norm();
        return Touching { depth: reach + q, normal: n, point: foot, foot, ..Touching::NONE };
    };
    let overlap = if round { overlap } else { overlap.rotated(&R) };
    let point = centre + overlap.centroid;
    let v = velocity(scene, first, point) - velocity(scene, second, point);
    let body = |surface: &Surface<C>| scene.numbers.place_body[surface.place as usize] as usize;
    let angular = scene.frames.w[body(first)] - scene.frames.w[body(second)];
    let friction = manner.friction.as_ref().zip(manner.spin.as_ref());
    let friction: Option<(_, &Spin<C>)> = friction;
    let load = law.load(&overlap, &PatchMotion { normal: n, velocity: v, angular }, friction);
    let along = n.dot(v);
    Touching {
        depth: overlap.support + q,
        rate: -along,
        normal: n,
        point,
        foot,
        slip: v - n.scale(along),
        normal_force: load.normal_force,
        friction: load.friction,
        couple: load.moment,
        volume: overlap.volume,
        area: overlap.area,
        stored: load.stored,
        dissipation: load.dissipated,
        clipped: load.clipped,
        immersion: overlap.immersion,
    }
}
