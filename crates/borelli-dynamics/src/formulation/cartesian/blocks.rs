//! A body's unknowns as an array: packing of spatial vectors and the mass block, for D = 3 (plane) and D = 6 (space).
//! Not here: elimination (`block_tree`).
//! In and out: arrays.

use crate::block_tree::Block;
use borelli_math::{Sym3, Vec3, vec3};

/// Entries of a linear and an angular vector that exist in D dimensions: (x, y, angle about Z) or all six.
#[inline(always)]
pub(super) fn pack<const D: usize>(linear: Vec3<f64>, angular: Vec3<f64>) -> [f64; D] {
    let mut packed = [0.0; D];
    if D == 3 {
        packed.copy_from_slice(&[linear.x, linear.y, angular.z]);
    } else {
        packed.copy_from_slice(&[linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]);
    }
    packed
}

/// Linear and angular vector of packed entries; those that do not exist are zero.
#[inline(always)]
pub(super) fn unpack<const D: usize>(packed: &[f64; D]) -> (Vec3<f64>, Vec3<f64>) {
    if D == 3 {
        (vec3(packed[0], packed[1], 0.0), vec3(0.0, 0.0, packed[2]))
    } else {
        (vec3(packed[0], packed[1], packed[2]), vec3(packed[3], packed[4], packed[5]))
    }
}

/// Mass matrix of a body about its mass centre.
#[inline(always)]
pub(super) fn mass_block<const D: usize>(mass: f64, inertia: &Sym3<f64>) -> Block<D> {
    let mut block = [[0.0; D]; D];
    if D == 3 {
        (block[0][0], block[1][1], block[2][2]) = (mass, mass, inertia.zz);
        return block;
    }
    for k in 0..3 {
        block[k][k] = mass;
    }
    let columns = inertia.to_mat();
    for (k, column) in [columns.x, columns.y, columns.z].into_iter().enumerate() {
        for (i, entry) in column.to_array().into_iter().enumerate() {
            block[3 + i][3 + k] = entry;
        }
    }
    block
}
