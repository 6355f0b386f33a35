//! What a tree joint holds: directions across its free ones at the state, in the world's axes.
//! Not here: how they act on the unknowns (`held_bodies`), what the free directions are (`joint_motion`), function joints (there too).
//! In: `Frames` (free directions). Out: directions, linear and angular, one per row.

use crate::frames::Frames;
use crate::joint_motion::Shape;
use borelli_math::Vec3;

const X: Vec3<f64> = Vec3 { x: 1.0, y: 0.0, z: 0.0 };
const Y: Vec3<f64> = Vec3 { x: 0.0, y: 1.0, z: 0.0 };
const Z: Vec3<f64> = Vec3 { x: 0.0, y: 0.0, z: 1.0 };

/// A basis of what the joint's free directions leave out, `row` by row.
#[inline(always)]
pub(super) fn across<const D: usize>(shape: &Shape, frames: &Frames<f64>, mut row: impl FnMut(Vec3<f64>, Vec3<f64>)) {
    let (middle, end) = (shape.first + shape.slides, shape.first + shape.slides + shape.turns);
    let (linear, n) = complement::<D>(&frames.s_lin[shape.first..middle]);
    for direction in linear.into_iter().take(n) {
        row(direction, Vec3::ZERO);
    }
    let (angular, n) = if D == 3 { ([Z; 3], 1 - shape.turns) } else { complement::<D>(&frames.s_ang[middle..end]) };
    for direction in angular.into_iter().take(n) {
        row(Vec3::ZERO, direction);
    }
}

/// Unit directions at right angles to all of `s`, and their number; in the plane those of the plane.
#[inline(always)]
fn complement<const D: usize>(s: &[Vec3<f64>]) -> ([Vec3<f64>; 3], usize) {
    match *s {
        [] => ([X, Y, Z], if D == 3 { 2 } else { 3 }),
        [a] if D == 3 => ([unit(Z.cross(a)); 3], 1),
        [a] => {
            let first = unit(a.cross(if a.x.abs() < 0.6 * a.norm() { X } else { Y }));
            ([first, unit(a.cross(first)), first], 2)
        }
        [a, b] if D == 6 => ([unit(a.cross(b)); 3], 1),
        _ => ([X, Y, Z], 0),
    }
}

#[inline(always)]
fn unit(v: Vec3<f64>) -> Vec3<f64> {
    v.scale(1.0 / v.norm())
}
