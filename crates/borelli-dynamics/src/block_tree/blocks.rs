//! Fixed-size blocks: Cholesky factors and substitutions.
//! Not here: what the blocks mean.
//! In and out: arrays. A block that is not positive definite gives numbers that are not finite, never a panic.

/// A D x D block by rows.
pub(crate) type Block<const D: usize> = [[f64; D]; D];

/// Scalar product.
#[inline(always)]
pub(crate) fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    let mut sum = 0.0;
    for k in 0..D {
        sum += a[k] * b[k];
    }
    sum
}

/// Where row i of a lower half is worked on up to: small blocks to the diagonal; in large ones whole rows at a time are faster, and what
/// then stands above the diagonal means nothing.
#[inline(always)]
pub(super) const fn reach<const D: usize>(i: usize) -> usize {
    if D > 6 { D } else { i + 1 }
}

/// A pivot below this part of the diagonal it is left of is rounding: some times D units in the last place.
const ROUNDING: f64 = 1e-14;

/// Lower Cholesky factor in place, with the reciprocals of its diagonal on the diagonal; false if a pivot is not positive or only rounding.
#[inline(always)]
pub(crate) fn factor<const D: usize>(a: &mut Block<D>) -> bool {
    let mut definite = true;
    for j in 0..D {
        let diagonal = a[j][j];
        let mut pivot = diagonal;
        for k in 0..j {
            pivot -= a[j][k] * a[j][k];
        }
        definite &= pivot > ROUNDING * diagonal;
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
pub(crate) fn forward<const D: usize>(l: &Block<D>, x: &mut [f64; D]) {
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
pub(crate) fn backward<const D: usize>(l: &Block<D>, x: &mut [f64; D]) {
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
pub(crate) fn forward_rows<const D: usize>(l: &Block<D>, x: &mut Block<D>) {
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
pub(crate) fn gram<const D: usize>(x: &Block<D>) -> Block<D> {
    let mut product = [[0.0; D]; D];
    for row in x {
        for i in 0..D {
            for j in 0..reach::<D>(i) {
                product[i][j] += row[i] * row[j];
            }
        }
    }
    product
}

/// `Xᵀ y`.
#[inline(always)]
pub(crate) fn transpose_mul<const D: usize>(x: &Block<D>, y: &[f64; D]) -> [f64; D] {
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
pub(crate) fn mul<const D: usize>(x: &Block<D>, y: &[f64; D]) -> [f64; D] {
    let mut product = [0.0; D];
    for i in 0..D {
        product[i] = dot(&x[i], y);
    }
    product
}
