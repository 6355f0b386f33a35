//! Fixed-size blocks: packing of spatial vectors, Cholesky factors and substitutions for D = 3 (plane) and D = 6 (space).
//! Not here: what the blocks mean (`tree`, `joint`).
//! In and out: arrays. A block that is not positive definite gives numbers that are not finite, never a panic.

use borelli_math::{Sym3, Vec3, vec3};

/// A D x D block by rows.
pub(super) type Block<const D: usize> = [[f64; D]; D];

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

/// Scalar product.
#[inline(always)]
pub(super) fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    let mut sum = 0.0;
    for k in 0..D {
        sum += a[k] * b[k];
    }
    sum
}

/// Lower Cholesky factor in place, with the reciprocals of its diagonal on the diagonal; false if a pivot is not positive.
#[inline(always)]
pub(super) fn factor<const D: usize>(a: &mut Block<D>) -> bool {
    let mut definite = true;
    for j in 0..D {
        let mut pivot = a[j][j];
        for k in 0..j {
            pivot -= a[j][k] * a[j][k];
        }
        definite &= pivot > 0.0;
        let inverse = 1.0 / pivot.sqrt();
        a[j][j] = inverse;
        for i in j + 1..D {
            let mut sum = a[i][j];
            for k in 0..j {
                sum -= a[i][k] * a[j][k];
            }
            a[i][j] = sum * inverse;
        }
    }
    definite
}

/// `L⁻¹ x` in place.
#[inline(always)]
pub(super) fn forward<const D: usize>(l: &Block<D>, x: &mut [f64; D]) {
    for i in 0..D {
        let mut sum = x[i];
        for k in 0..i {
            sum -= l[i][k] * x[k];
        }
        x[i] = sum * l[i][i];
    }
}

/// `L⁻ᵀ x` in place.
#[inline(always)]
pub(super) fn backward<const D: usize>(l: &Block<D>, x: &mut [f64; D]) {
    for i in (0..D).rev() {
        let mut sum = x[i];
        for k in i + 1..D {
            sum -= l[k][i] * x[k];
        }
        x[i] = sum * l[i][i];
    }
}

/// `L⁻¹ X` in place, whole rows of X at a time.
#[inline(always)]
pub(super) fn forward_rows<const D: usize>(l: &Block<D>, x: &mut Block<D>) {
    for i in 0..D {
        let mut row = x[i];
        for k in 0..i {
            for c in 0..D {
                row[c] -= l[i][k] * x[k][c];
            }
        }
        for c in 0..D {
            x[i][c] = row[c] * l[i][i];
        }
    }
}

/// Lower half of `Xᵀ X`.
#[inline(always)]
pub(super) fn gram<const D: usize>(x: &Block<D>) -> Block<D> {
    let mut product = [[0.0; D]; D];
    for row in x {
        for i in 0..D {
            for j in 0..=i {
                product[i][j] += row[i] * row[j];
            }
        }
    }
    product
}

/// `Xᵀ y`.
#[inline(always)]
pub(super) fn transpose_mul<const D: usize>(x: &Block<D>, y: &[f64; D]) -> [f64; D] {
    let mut product = [0.0; D];
    for k in 0..D {
        for c in 0..D {
            product[c] += x[k][c] * y[k];
        }
    }
    product
}

/// `X y`.
#[inline(always)]
pub(super) fn mul<const D: usize>(x: &Block<D>, y: &[f64; D]) -> [f64; D] {
    let mut product = [0.0; D];
    for i in 0..D {
        product[i] = dot(&x[i], y);
    }
    product
}
