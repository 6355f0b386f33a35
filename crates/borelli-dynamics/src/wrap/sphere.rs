//! A string over a sphere, in closed form.
//!
//! With p = |P|, q = |Q| ≥ r and θ the angle between P and Q, about n = P × Q/|P × Q|:
//!
//! ```text
//! cos α = r/p    cos β = r/q    φ = θ − α − β           φ ≤ 0: free                                    (1)
//! T1 = r Rot(n, α) P/p          T2 = r Rot(n, −β) Q/q          arc = r φ                               (2)
//! ```
//!
//! The long way round has θ → 2π − θ and n → −n. It is taken where a side is given and the middle of the short way is on the other one, so that a string that
//! is carried on beyond θ = 180° stays where it is; below 60° such a string is free of the sphere.
//!
//! Limits: at θ = 180° the plane is undefined, and near it the string swings with any sideways motion of its ends. Source: elementary.
//! Tests: `the_table_of_a_sphere_is_met`, `strings_are_tight_everywhere`.

use super::{Bend, Trouble, draw, leg};
use borelli_math::arc_tangent::atan2_all;
use borelli_math::{Real, Vec3};
use std::f64::consts::{FRAC_PI_3, TAU};

/// Sine of the angle between two rays that counts as zero.
const IN_LINE: f64 = 1e-12;

#[inline(always)]
pub(super) fn bend<S: Real>(radius: S, side: Option<Vec3<f64>>, P: Vec3<S>, Q: Vec3<S>) -> Result<Option<Bend<S>>, Trouble> {
    let (pp, qq) = (P.dot(P), Q.dot(Q));
    let (t1, t2) = (leg(pp, radius), leg(qq, radius));
    let (cross, dot) = (P.cross(Q), P.dot(Q));
    let square = cross.dot(cross);
    // Where points and centre are in line to rounding, rounding would choose the plane.
    if square.value() <= IN_LINE * IN_LINE * pp.value() * qq.value() {
        // On one ray the string is free; through the centre it may go anywhere.
        return if dot.value() > 0.0 || side.is_some() && dot.value() == 0.0 { Ok(None) } else { Err(Trouble::ThroughCentre) };
    }
    let sine = square.sqrt();
    // α + β as the angle of (r + i t1)(r + i t2).
    let [mut theta, legs] = atan2_all([sine, radius * (t1 + t2)], [dot, radius * radius - t1 * t2]);
    let mut n = cross.scale(sine.recip());
    let long = side.is_some_and(|side| {
        let middle = P.values().scale(1.0 / pp.value().sqrt()) + Q.values().scale(1.0 / qq.value().sqrt());
        middle.dot(side) < 0.0
    });
    if long {
        if theta.value() < FRAC_PI_3 {
            return Ok(None);
        }
        theta = S::from_f64(TAU) - theta;
        n = -n;
    }
    let phi = theta - legs;
    if phi.value() <= 0.0 {
        return Ok(None);
    }
    let (ip, iq) = (draw(pp, radius), draw(qq, radius));
    let first = P.scale(radius * ip) + n.cross(P).scale(t1 * ip);
    let last = Q.scale(radius * iq) - n.cross(Q).scale(t2 * iq);
    Ok(Some(Bend { ends: [first, last], arc: radius * phi, turn: phi.value() }))
}
