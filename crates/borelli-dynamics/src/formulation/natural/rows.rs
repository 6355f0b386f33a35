//! Rows of a body's rigidity and of tree joints in natural coordinates: distances, products of vectors, points that coincide.
//! Not here: elimination (`block_tree`), function joints (`held_bodies`), loops and guides (`constraint`).
//! In: `Basics` of child and parent. Out: rows N q̈_b − N' q̈_P = γ, those of rigidity first.
//!
//!     rigid:    x_k·x_l = δ_kl                        x_k·ẍ_l + x_l·ẍ_k = −2 ẋ_k·ẋ_l                      (1)
//!     point:    r_b = r_F(P)                          linear with constant coefficients, γ = 0               (2)
//!     along:    (r_b − r_F)·t = 0, t of P             t·(r̈_b − r̈_F) + (r_b − r_F)·ẗ = −2 (ṙ_b − ṙ_F)·ṫ        (3)
//!     product:  a·t = const, a of b, t of P           t·ä + a·ẗ = −2 ȧ·ṫ                                     (4)
//!
//! | joint | rows |
//! | --- | --- |
//! | ball, gimbal | (2) |
//! | universal | (2), one product of its two axes |
//! | hinge | (2), its axis at right angles to two vectors of the parent |
//! | weld | (2), three products that keep the vectors parallel |
//! | slider | two of (3), products as a weld |
//! | planar | one of (3), products as a hinge |
//! | free | none |
//! | function | none here: across its free direction (`held_bodies`) |
//!
//! Source: García de Jalón & Bayo 1994, Kinematic and Dynamic Simulation of Multibody Systems, ch. 2. Tests: the oracle.

use super::basics::Basics;
use crate::block_tree::BodyRows;
use crate::frames::Frames;
use crate::joint_motion::{Shape, is_screw};
use crate::system::Skeleton;
use borelli_math::Vec3;

const AXES: [Vec3<f64>; 3] = [Vec3 { x: 1.0, y: 0.0, z: 0.0 }, Vec3 { x: 0.0, y: 1.0, z: 0.0 }, Vec3 { x: 0.0, y: 0.0, z: 1.0 }];

/// One row of a joint; vectors are constant components in the child's (a) or the parent's (t) unit vectors.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tie {
    /// Equation (2) along a world axis.
    Point(Vec3<f64>),
    /// Equation (3).
    Along(Vec3<f64>),
    /// Equation (4), divided by the sine of the angle between the two, which is constant.
    Product { a: Vec3<f64>, t: Vec3<f64>, scale: f64 },
}

/// Writes the rows of a body's joint but for those of a screw. `frames` at any position: the components do not depend on it.
pub(super) fn fill_ties<const D: usize>(skeleton: &Skeleton, body: usize, frames: &Frames<f64>, list: &mut Vec<Tie>) {
    list.clear();
    let shape = Shape::of(skeleton, body);
    if is_screw(&shape) {
        return;
    }
    let (R, R_P) = (&frames.R[body], &frames.R[skeleton.parent[body] as usize]);
    let (middle, end) = (shape.first + shape.slides, shape.first + shape.slides + shape.turns);
    let slides = &frames.s_lin[shape.first..middle];
    match slides {
        [] => list.extend(AXES[..if D == 4 { 2 } else { 3 }].iter().map(|axis| Tie::Point(*axis))),
        _ => list.extend(across::<D>(slides).map(|t| Tie::Along(R_P.transpose_mul(t)))),
    }
    let mut product = |a: Vec3<f64>, t: Vec3<f64>| {
        list.push(Tie::Product { a: R.transpose_mul(a), t: R_P.transpose_mul(t), scale: 1.0 / a.cross(t).norm() });
    };
    let turns = &frames.s_ang[middle..end];
    match *turns {
        [] if D == 4 => product(R.x, R.y),
        [] => [(R.x, R.y), (R.y, R.z), (R.z, R.x)].into_iter().for_each(|(a, t)| product(a, t)),
        [axis] if D == 12 => across::<D>(&[axis]).for_each(|t| product(axis, t)),
        [first, last] => product(last, first),
        _ => {}
    }
}

/// Unit vectors at right angles to all of one or more directions, in the plane those of the plane.
fn across<const D: usize>(directions: &[Vec3<f64>]) -> impl Iterator<Item = Vec3<f64>> {
    let unit = |v: Vec3<f64>| v.scale(1.0 / v.norm());
    let found = match *directions {
        [a] if D == 4 => [Some(unit(AXES[2].cross(a))), None],
        [a] => {
            let first = unit(a.cross(if a.x.abs() < 0.6 * a.norm() { AXES[0] } else { AXES[1] }));
            [Some(first), Some(unit(a.cross(first)))]
        }
        [a, b] if D == 12 => [Some(unit(a.cross(b))), None],
        _ => [None; 2],
    };
    found.into_iter().flatten()
}

/// Number of rows of rigidity.
pub(super) const fn rigid<const D: usize>() -> usize {
    if D == 4 { 1 } else { 6 }
}

/// The rows of rigidity, equation (1).
#[inline(always)]
pub(super) fn rigidity<const D: usize>(b: &Basics) -> BodyRows<D> {
    let mut rows = BodyRows::NONE;
    let (x, rate) = ([b.x.x, b.x.y, b.x.z], [b.x_rate.x, b.x_rate.y, b.x_rate.z]);
    if D == 4 {
        // The second vector follows the first and needs no row.
        (rows.child[2][0], rows.child[3][0], rows.gamma[0], rows.count) = (x[0].x, x[0].y, -rate[0].dot(rate[0]), 1);
        return rows;
    }
    for (k, l) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)] {
        let i = rows.count;
        let (on_k, on_l) = (x[l].to_array(), x[k].to_array());
        for axis in 0..3 {
            rows.child[3 + 3 * k + axis][i] = on_k[axis];
            rows.child[3 + 3 * l + axis][i] = on_l[axis];
        }
        // The square of one vector is taken by half.
        rows.gamma[i] = -rate[k].dot(rate[l]) * if k == l { 1.0 } else { 2.0 };
        rows.count += 1;
    }
    rows
}

/// A row of a joint; `joint` holds the components of its origin on the parent.
#[inline(always)]
pub(super) fn push_tie<const D: usize>(rows: &mut BodyRows<D>, tie: &Tie, b: &Basics, parent: &Basics, joint: Vec3<f64>) {
    match *tie {
        Tie::Point(axis) => rows.push(Basics::on_point(Vec3::ZERO, axis), Basics::on_point(joint, axis), 0.0),
        Tie::Along(t) => {
            let (apart, t_W) = (b.r - parent.r - parent.x * joint, parent.x * t);
            let (apart_rate, t_rate) = (b.r_rate - parent.r_rate - parent.x_rate * joint, parent.x_rate * t);
            let (mut on_parent, turning): ([f64; D], [f64; D]) = (Basics::on_point(joint, t_W), Basics::on_vector(t, apart));
            for k in 0..D {
                on_parent[k] -= turning[k];
            }
            rows.push(Basics::on_point(Vec3::ZERO, t_W), on_parent, -2.0 * apart_rate.dot(t_rate));
        }
        Tie::Product { a, t, scale } => {
            let (a_W, t_W) = (b.x * a, parent.x * t);
            let gamma = -2.0 * scale * (b.x_rate * a).dot(parent.x_rate * t);
            rows.push(Basics::on_vector(a, t_W.scale(scale)), Basics::on_vector(t, a_W.scale(-scale)), gamma);
        }
    }
}
