//! Powers and norms of non-negative scalars, with derivatives by base and exponent, safe at zero.
//! Not here: shapes.
//! In: scalars x, y >= 0, exponents. Out: x^e, (x^p + y^p)^(1/p) without overflow.

use borelli_math::Real;

/// |x|.
#[inline(always)]
pub(super) fn absolute<S: Real>(x: S) -> S {
    if x.value() < 0.0 { -x } else { x }
}

/// -1 or 1; 1 for zero.
#[inline(always)]
pub(super) fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

/// x^e for x >= 0 and e >= 0.
///
/// At x = 0 the slope e x^(e-1) does not exist for e < 1. It is taken as zero: such powers place a support point on a flat face, whose
/// centre is where the point is by symmetry.
#[inline(always)]
pub(super) fn power<S: Real>(x: S, e: S) -> S {
    let (x0, e0) = (x.value(), e.value());
    if x0 == 0.0 {
        return if e0 == 0.0 {
            S::ONE
        } else if e0 == 1.0 {
            x
        } else {
            S::ZERO
        };
    }
    let y = x0.powf(e0);
    x.chain2(e, y, e0 * y / x0, y * x0.ln())
}

/// (x^p + y^p)^(1/p) for x, y >= 0 and p >= 1.
///
///     N_x = (x/N)^(p-1),  N_y = (y/N)^(p-1),  N_p = N/p (α^p ln α + β^p ln β),  α = x/N, β = y/N
///
/// Source: elementary; the larger of the two is taken out first, so nothing overflows.
#[inline(always)]
pub(super) fn norm<S: Real>(x: S, y: S, p: S) -> S {
    let (x0, y0, p0) = (x.value(), y.value(), p.value());
    let (low, high) = if x0 < y0 { (x0, y0) } else { (y0, x0) };
    if high == 0.0 {
        return S::ZERO;
    }
    let n = high * (1.0 + (low / high).powf(p0)).powf(1.0 / p0);
    let (alpha, beta) = (x0 / n, y0 / n);
    let (a, b) = (alpha.powf(p0 - 1.0), beta.powf(p0 - 1.0));
    let entropy = if low == 0.0 { 0.0 } else { a * alpha * alpha.ln() + b * beta * beta.ln() };
    x.chain2(y, n, a, b) + p.chain(0.0, n / p0 * entropy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::Dual;

    #[test]
    fn powers_and_norms_have_the_slopes_of_their_differences() {
        let (x, y, p) = (0.7, 1.9, 3.3);
        let (dx, dy, dp) = (Dual::<3>::variable(x, 0), Dual::variable(y, 1), Dual::variable(p, 2));
        let h = 1e-6;
        let slope = |f: &dyn Fn(f64) -> f64, at: f64| (f(at + h) - f(at - h)) / (2.0 * h);
        let n = norm(dx, dy, dp).eps;
        // Central differences of step 1e-6 on numbers of size one are good to about 1e-10.
        assert!((n[0] - slope(&|x| norm(x, y, p), x)).abs() < 1e-9);
        assert!((n[1] - slope(&|y| norm(x, y, p), y)).abs() < 1e-9);
        assert!((n[2] - slope(&|p| norm(x, y, p), p)).abs() < 1e-9);
        let q = power(dx, dp).eps;
        assert!((q[0] - slope(&|x: f64| x.powf(p), x)).abs() < 1e-9);
        assert!((q[2] - slope(&|p| x.powf(p), p)).abs() < 1e-9);
        assert!((norm(3e200, 4e200, 2.0) - 5e200).abs() < 1e186);
        assert_eq!(norm(0.0, 0.0, 3.0), 0.0);
    }
}
