//! A string over a cylinder about Z, in closed form: straight on the developed surface.
//!
//! With the distances ρ from the axis, the angle θ from P to Q about it in the sense s, and Δz = z_Q − z_P:
//!
//! ```text
//! t₁ = √(ρ_P² − r²)    cos α = r/ρ_P    t₂, β likewise    φ = θ − α − β    φ ≤ 0: free                  (1)
//! D = t₁ + r φ + t₂    z₁ = z_P + Δz t₁/D    z₂ = z_Q − Δz t₂/D    arc = r φ √(1 + Δz²/D²)              (2)
//! ```
//!
//! T1 is P turned by s α and drawn in to r; T2 is Q turned by −s β. The sense is data and θ lies in a full turn from `least`, so that the length has
//! no jump over a full turn of motion and needs no memory. Limits: as long as need be; P or Q inside count as where their rays leave the cylinder,
//! for searches; no string ends there. Source: elementary.
//! Tests: `the_table_of_a_cylinder_is_met`, `strings_are_tight_everywhere`.

use super::{Bend, draw, leg};
use borelli_math::arc_tangent::atan2_all;
use borelli_math::{Real, Vec3, vec3};
use std::f64::consts::TAU;

#[inline(always)]
pub(super) fn bend<S: Real>(radius: S, sense: f64, least: f64, P: Vec3<S>, Q: Vec3<S>) -> Option<Bend<S>> {
    let (pp, qq) = (P.x * P.x + P.y * P.y, Q.x * Q.x + Q.y * Q.y);
    let (t1, t2) = (leg(pp, radius), leg(qq, radius));
    let across = [(P.x * Q.y - P.y * Q.x) * sense, radius * (t1 + t2)];
    let [mut theta, straight] = atan2_all(across, [P.x * Q.x + P.y * Q.y, radius * radius - t1 * t2]);
    while theta.value() <= least {
        theta = theta + TAU;
    }
    while theta.value() > least + TAU {
        theta = theta - TAU;
    }
    let phi = theta - straight;
    if phi.value() <= 0.0 || pp.value() == 0.0 || qq.value() == 0.0 {
        return None;
    }
    let around = radius * phi;
    let (D, dz) = (t1 + around + t2, Q.z - P.z);
    let (ip, iq, slope) = (draw(pp, radius), draw(qq, radius), dz * D.recip());
    let turned = |p: Vec3<S>, along: S, across: S, z: S| vec3(p.x * along - p.y * across, p.y * along + p.x * across, z);
    let first = turned(P, radius * ip, t1 * ip * sense, P.z + slope * t1);
    let last = turned(Q, radius * iq, -(t2 * iq * sense), Q.z - slope * t2);
    let stretch = (slope * slope + 1.0).sqrt();
    Some(Bend { ends: [first, last], arc: around * stretch, turn: phi.value() })
}
