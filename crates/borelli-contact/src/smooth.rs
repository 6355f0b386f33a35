//! The few functions that laws need beyond arithmetic, for every scalar: value and slope by the chain rule.
//! Not here: sine, cosine, root; the scalar has them itself.

use borelli_math::{Real, Vec3};

/// Hyperbolic tangent.
#[inline]
pub(crate) fn tanh<S: Real>(x: S) -> S {
    let t = x.value().tanh();
    x.chain(t, 1.0 - t * t)
}

/// tanh(x)/x, one at zero.
///
/// Below 0.1 by its series (next term 1.5e-17 there); above, the slope loses two digits to cancellation at most.
#[inline]
pub(crate) fn tanh_over<S: Real>(x: S) -> S {
    const SERIES: [f64; 7] = [1.0, -1.0 / 3.0, 2.0 / 15.0, -17.0 / 315.0, 62.0 / 2835.0, -1382.0 / 155_925.0, 21844.0 / 6_081_075.0];
    let y = x.value();
    if y.abs() < 0.1 {
        let u = y * y;
        let (mut value, mut slope) = (0.0, 0.0);
        for c in SERIES.iter().rev() {
            slope = slope * u + value;
            value = value * u + c;
        }
        return x.chain(value, slope * 2.0 * y);
    }
    let t = y.tanh();
    x.chain(t / y, (1.0 - t * t - t / y) / y)
}

/// Exponential.
#[inline]
pub(crate) fn exp<S: Real>(x: S) -> S {
    let e = x.value().exp();
    x.chain(e, e)
}

/// xⁿ for x ≥ 0. At x = 0 all slopes are given as zero, also where they are infinite (n < 1): every use multiplies them by zero.
#[inline]
pub(crate) fn pow<S: Real>(x: S, n: S) -> S {
    let (y, m) = (x.value(), n.value());
    if !(y > 0.0) {
        return S::from_f64(y.powf(m));
    }
    // The exponents of Hertz and of the impact benchmark, at a tenth of the price of a power.
    let value = match m {
        1.5 => y * y.sqrt(),
        2.0 => y * y,
        _ => y.powf(m),
    };
    x.chain2(n, value, m * value / y, value * y.ln())
}

/// Absolute value; slope zero at zero.
#[inline]
pub(crate) fn abs<S: Real>(x: S) -> S {
    let y = x.value();
    x.chain(y.abs(), sign(y))
}

/// -1, 0 or 1.
#[inline]
pub(crate) fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// Root of x ≥ 0, with slope zero at zero: right wherever the root only enters in a product that vanishes there.
#[inline]
pub(crate) fn root_at_rest<S: Real>(x: S) -> S {
    if x.value() > 0.0 { x.sqrt() } else { S::ZERO }
}

/// Length of a vector, see `root_at_rest`.
#[inline]
pub(crate) fn speed<S: Real>(v: Vec3<S>) -> S {
    root_at_rest(v.dot(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::Dual;

    #[test]
    fn slopes_are_those_of_differences_and_both_sides_of_a_switch_agree() {
        let x = |v: f64| Dual::<1>::variable(v, 0);
        for at in [0.03, 0.0999, 0.1001, 0.7, 3.0] {
            let h = 1e-5;
            let difference = |f: &dyn Fn(f64) -> f64| (f(at - 2.0 * h) - 8.0 * f(at - h) + 8.0 * f(at + h) - f(at + 2.0 * h)) / (12.0 * h);
            assert!((tanh_over(x(at)).eps[0] - difference(&|y| y.tanh() / y)).abs() < 1e-10);
            assert!((tanh(x(at)).eps[0] - difference(&f64::tanh)).abs() < 1e-10);
            let n = Dual::<1>::from_f64(1.5);
            assert!((pow(x(at), n).eps[0] - difference(&|y| y.powf(1.5))).abs() < 1e-9);
        }
        let (below, above) = (tanh_over(x(0.1 - 1e-15)), tanh_over(x(0.1 + 1e-15)));
        assert!((below.re - above.re).abs() < 5e-16 && (below.eps[0] - above.eps[0]).abs() < 5e-15, "{below:?} {above:?}");
        assert_eq!((tanh_over(x(0.0)).re, tanh_over(x(0.0)).eps[0]), (1.0, 0.0));
    }
}
