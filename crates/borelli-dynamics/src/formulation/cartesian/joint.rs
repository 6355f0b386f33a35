//! Tree joints as constraint rows between two bodies, found from the joint's free directions at the state.
//! Not here: solving (`block_tree`), what the free directions are (`joint_motion`).
//! In: `Frames` (free directions), joint origin and velocity part. Out: rows and right-hand sides.

use super::blocks::pack;
use crate::block_tree::Block;
use crate::frames::Frames;
use crate::joint_motion::{Shape, across_screw, is_screw};
use borelli_math::Vec3;

const X: Vec3<f64> = Vec3 { x: 1.0, y: 0.0, z: 0.0 };
const Y: Vec3<f64> = Vec3 { x: 0.0, y: 1.0, z: 0.0 };
const Z: Vec3<f64> = Vec3 { x: 0.0, y: 0.0, z: 1.0 };

/// Rows of one joint; unused ones are zero.
pub(super) struct Rows<const D: usize> {
    /// On the child's accelerations (mass centre, angular), one column per row.
    pub child: Block<D>,
    /// On the parent's accelerations, to be subtracted, by rows.
    pub parent: Block<D>,
    /// Right-hand sides.
    pub gamma: [f64; D],
    count: usize,
}

/// Where rows refer to: joint origin from both mass centres, and what n·(relative acceleration of the unknowns) must equal.
pub(super) struct Site {
    /// From the child's mass centre to the joint origin, m.
    pub d: Vec3<f64>,
    /// From the parent's mass centre to the joint origin, m.
    pub d_P: Vec3<f64>,
    /// Required linear part.
    pub linear: Vec3<f64>,
    /// Required angular part.
    pub angular: Vec3<f64>,
}

impl<const D: usize> Rows<D> {
    #[inline(always)]
    fn push(&mut self, site: &Site, linear: Vec3<f64>, angular: Vec3<f64>) {
        let i = self.count;
        let child: [f64; D] = pack(linear, site.d.cross(linear) + angular);
        for k in 0..D {
            self.child[k][i] = child[k];
        }
        self.parent[i] = pack(linear, site.d_P.cross(linear) + angular);
        self.gamma[i] = linear.dot(site.linear) + angular.dot(site.angular);
        self.count += 1;
    }
}

/// The rows of a joint: a basis of what its free directions leave out.
#[inline(always)]
pub(super) fn rows<const D: usize>(shape: &Shape, site: &Site, frames: &Frames<f64>) -> Rows<D> {
    let mut rows = Rows { child: [[0.0; D]; D], parent: [[0.0; D]; D], gamma: [0.0; D], count: 0 };
    if is_screw(shape) {
        if D == 3 {
            across_screw::<3>(shape.first, frames, |linear, angular| rows.push(site, linear, angular));
        } else {
            across_screw::<6>(shape.first, frames, |linear, angular| rows.push(site, linear, angular));
        }
        return rows;
    }
    let (middle, end) = (shape.first + shape.slides, shape.first + shape.slides + shape.turns);
    let (linear, n) = complement::<D>(&frames.s_lin[shape.first..middle]);
    for direction in linear.into_iter().take(n) {
        rows.push(site, direction, Vec3::ZERO);
    }
    let (angular, n) = if D == 3 { ([Z; 3], 1 - shape.turns) } else { complement::<D>(&frames.s_ang[middle..end]) };
    for direction in angular.into_iter().take(n) {
        rows.push(site, Vec3::ZERO, direction);
    }
    rows
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
