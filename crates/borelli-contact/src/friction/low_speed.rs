//! What three laws share: dry and viscous friction above a threshold speed, a polynomial below it.
//! Not here: the polynomials, each in its law.

use super::{Resistance, Slip};
use borelli_math::{Constant, Real};

/// The polynomial below the threshold, by powers s, s², s³, s⁴ of s = v/v_s: one row for the dry part, one for the viscous part.
///
/// With D = μ F_n and V = μ_v v_s the force is the sum of both rows, D p_D(s) + V p_V(s). It joins D + V s with value and slope if
/// p_D(1) = 1, p_D'(1) = 0, p_V(1) = 1, p_V'(1) = 1. Written so, nothing is divided by D + V, which may be zero.
pub(super) struct Below {
    pub dry: [f64; 4],
    pub viscous: [f64; 4],
}

/// μ F_n + μ_v v from the threshold v_s on, the polynomial below.
#[inline]
pub(super) fn resist<S: Real, C: Constant<S>>(below: &Below, friction: C, viscosity: C, threshold: C, slip: Slip<S>) -> Resistance<S> {
    let (dry, v_s) = (friction.times(slip.normal), threshold.lift());
    if slip.speed.value() >= v_s.value() {
        let per_speed = dry / slip.speed + viscosity.lift();
        return Resistance { per_speed, by_speed: viscosity.lift(), by_normal: friction.lift() };
    }
    let viscous = viscosity.times(v_s);
    let s = slip.speed / v_s;
    // Horner for p(s)/s and p'(s) of each row.
    let row = |c: &[f64; 4]| {
        let (mut over, mut slope) = (S::ZERO, S::ZERO);
        for k in (0..4).rev() {
            over = over * s + c[k];
            slope = slope * s + c[k] * (k + 1) as f64;
        }
        (over, slope)
    };
    let ((dry_over, dry_slope), (viscous_over, viscous_slope)) = (row(&below.dry), row(&below.viscous));
    Resistance {
        per_speed: (dry * dry_over + viscous * viscous_over) / v_s,
        by_speed: (dry * dry_slope + viscous * viscous_slope) / v_s,
        by_normal: friction.times(dry_over * s),
    }
}
