//! Comparing lists of numbers, and derivatives by differences.
//! Not here: exact derivatives (`jet`).
//! In: what was computed and what it should be. Out: nothing, or a panic that names the worst entry.

/// Panics unless `got` equals `expected` to `tolerance` times the largest entry of `expected` (or times one, if that is smaller).
///
/// Lengths and finiteness are tested before any norm, so NaN never passes. `what` opens the message.
#[track_caller]
pub fn assert_close(got: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(got.len(), expected.len(), "{what}: {} entries instead of {}", got.len(), expected.len());
    if let Some(k) = expected.iter().position(|x| !x.is_finite()) {
        panic!("{what}: the expected entry {k} is {}", expected[k]);
    }
    if let Some(k) = got.iter().position(|x| !x.is_finite()) {
        panic!("{what}: entry {k} is {}, expected {:e}", got[k], expected[k]);
    }
    let scale = expected.iter().fold(1.0f64, |s, x| s.max(x.abs()));
    let distance = |k: usize| (got[k] - expected[k]).abs();
    let Some(worst) = (0..got.len()).max_by(|&i, &j| distance(i).total_cmp(&distance(j))) else { return };
    let allowed = tolerance * scale;
    assert!(
        distance(worst) <= allowed,
        "{what}: entry {worst} is {:.17e}, expected {:.17e}: off by {:.3e}, allowed {allowed:.3e} ({tolerance:e} of {scale:.3e})",
        got[worst],
        expected[worst],
        distance(worst),
    );
}

/// Derivative at zero of `f`, by central differences of steps `h` and `h/2` and one Richardson step.
///
/// `D(h) = (f(h) - f(-h)) / 2h = f' + h^2 f'''/6 + h^4 f^(5)/120 + ...`, so `(4 D(h/2) - D(h)) / 3` misses `f'` by
/// `-h^4 f^(5)/480` to leading order; rounding adds about `3e-16 |f| / h`. Near `h = 2e-3` both are below 2e-13 for functions of scale one.
pub fn central_difference(f: &mut dyn FnMut(f64) -> Vec<f64>, h: f64) -> Vec<f64> {
    let mut slope = |h: f64| -> Vec<f64> {
        let (ahead, behind) = (f(h), f(-h));
        assert_eq!(ahead.len(), behind.len(), "the function changed its number of values");
        ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    let (coarse, fine) = (slope(h), slope(0.5 * h));
    fine.iter().zip(&coarse).map(|(f, c)| (4.0 * f - c) / 3.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    fn complaint(got: &'static [f64], expected: &'static [f64], tolerance: f64) -> String {
        let fault = catch_unwind(|| assert_close(got, expected, tolerance, "speed")).expect_err("must be refused");
        fault.downcast_ref::<String>().expect("a message").clone()
    }

    #[test]
    fn the_tolerance_is_relative_to_the_largest_entry_and_absolute_below_one() {
        assert_close(&[1000.0, 0.5], &[1000.0, 0.0], 1e-3, "large");
        assert_close(&[1e-3], &[0.0], 1e-3, "small");
        assert_close(&[], &[], 0.0, "nothing");
        assert!(complaint(&[1.1e-3], &[0.0], 1e-3).contains("entry 0"));
    }

    #[test]
    fn the_worst_entry_is_named() {
        let text = complaint(&[1.0, 2.1, 3.5, 4.2], &[1.0, 2.0, 3.0, 4.0], 1e-6);
        assert!(text.starts_with("speed: entry 2 is 3.5"), "{text}");
    }

    #[test]
    fn what_is_not_finite_never_passes() {
        assert!(complaint(&[0.0, f64::NAN], &[0.0, 0.0], f64::INFINITY).contains("entry 1 is NaN"));
        assert!(complaint(&[f64::INFINITY], &[f64::INFINITY], 1.0).contains("the expected entry 0"));
        assert!(complaint(&[1.0], &[1.0, 2.0], 1.0).contains("1 entries instead of 2"));
    }

    #[test]
    fn the_difference_of_the_exponential_is_its_value_and_its_error_falls_sixteenfold() {
        let mut f = |s: f64| vec![(0.3 + s).exp(), (2.0 * s).sin()];
        assert_close(&central_difference(&mut f, 2e-3), &[0.3f64.exp(), 2.0], 1e-12, "slopes");
        let mut miss = |h: f64| central_difference(&mut f, h)[1] - 2.0;
        let ratio = miss(0.2) / miss(0.1);
        assert!((ratio - 16.0).abs() < 0.2, "{ratio}");
        // Leading error -h^4 f^(5) / 480, with f^(5) = 32.
        assert!((miss(0.1) / (-1e-4 * 32.0 / 480.0) - 1.0).abs() < 0.01);
    }
}
