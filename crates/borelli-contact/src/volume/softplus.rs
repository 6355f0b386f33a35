//! A smooth replacement for the cut at zero.

use borelli_math::Real;

/// w ln(1 + exp(x/w)) and its slope: max(0, x) with its corner rounded over the width w; for w = 0 the corner itself.
#[inline]
pub(crate) fn softplus<S: Real>(x: S, w: S) -> (S, S) {
    if !(w.value() > 0.0) {
        return if x.value() > 0.0 { (x, S::ONE) } else { (S::ZERO, S::ZERO) };
    }
    let z = x / w;
    let y = z.value();
    // Each side in the form that cannot overflow.
    let tail = (-y.abs()).exp();
    let (value, slope) = (y.max(0.0) + tail.ln_1p(), if y > 0.0 { 1.0 / (1.0 + tail) } else { tail / (1.0 + tail) });
    (z.chain(value, slope) * w, z.chain(slope, tail / ((1.0 + tail) * (1.0 + tail))))
}

/// Damping factor g(1 − a v) of a bed and its slope g': 1 at rest, never negative, max(0, x) for w = 0.
///
/// ```text
/// g(x) = σ_w(x)/σ_w(1),   σ_w(x) = w ln(1 + exp(x/w))                                             (1)
/// ```
///
/// Divided by its value at rest, so that a bed at rest carries exactly its elastic force and damping only takes power.
#[inline]
pub(crate) fn damping_factor<S: Real>(x: S, w: S) -> (S, S) {
    let (value, slope) = softplus(x, w);
    if !(w.value() > 0.0) {
        return (value, slope);
    }
    let scale = softplus(S::ONE, w).0.recip();
    (value * scale, slope * scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::Dual;

    #[test]
    fn the_rounded_corner_has_the_slope_of_differences_and_tends_to_the_corner() {
        for at in [-40.0_f64, -1.0, -0.1, 0.0, 0.2, 1.0, 50.0] {
            let (value, slope) = softplus(Dual::<1>::variable(at, 0), Dual::from_f64(0.3));
            assert!((value.eps[0] - slope.re).abs() < 1e-15);
            let f = |x: f64| if x > 10.0 { x } else { 0.3 * (1.0 + (x / 0.3).exp()).ln() };
            let difference = (f(at + 1e-5) - f(at - 1e-5)) / 2e-5;
            assert!((slope.re - difference).abs() < 1e-9, "{at}");
            let curvature = (softplus(at + 1e-5, 0.3).1 - softplus(at - 1e-5, 0.3).1) / 2e-5;
            assert!((slope.eps[0] - curvature).abs() < 1e-8, "{at}");
            assert!((softplus(at, 1e-3).0 - at.max(0.0)).abs() < 1e-3);
            assert_eq!(softplus(at, 0.0).0, at.max(0.0));
        }
        assert_eq!(damping_factor(1.0, 0.2).0, 1.0);
    }
}
