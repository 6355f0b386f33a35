//! The true relation between damping number and restitution for forces k δⁿ (1 + λ δ̇/v₀).
//! In: λ or e, both pure numbers. Out: the other.

use borelli_math::Real;

/// Restitution e of a body that strikes with any speed, for any stiffness, mass and exponent.
///
/// ```text
/// m v dv/dδ = −k δⁿ (1 + λ v/v₀)   integrated from (0, v₀) to (0, −e v₀):                            (1)
/// (1 + e) λ = ln((1 + λ)/(1 − λ e))                                                               (2)
/// with φ(x) = x − ln(1 + x):   φ(λ) = φ(−λ e);   with 1 − λ e = exp(−t):   t − (1 − exp(−t)) = φ(λ)    (3)
/// ```
///
/// λ ≥ 0; e = 1 for λ = 0, e → 1/λ for large λ. The left side of (3) is convex, so Newton's iteration comes down to the root from any start.
/// Source: ours; expansion e = 1 − 2λ/3 + 4λ²/9 − … . Tests: `the_restitution_table_is_met`, `restitution_is_that_of_a_computed_impact`.
pub fn restitution(lambda: f64) -> f64 {
    if lambda < 1e-9 {
        return 1.0 - lambda * (2.0 / 3.0);
    }
    let target = phi(lambda);
    let mut t = target + (2.0 * target).sqrt();
    for _ in 0..60 {
        let step = (lag(t) - target) / -(-t).exp_m1();
        t -= step;
        if step.abs() <= 1e-16 * t {
            break;
        }
    }
    -(-t).exp_m1() / lambda
}

/// Damping number λ whose impact has the restitution e, 0 < e ≤ 1: (2) solved for the root that is not zero.
///
/// Explicit near one, where (2) has a double root at zero close by; Newton's iteration from a fitted start below; and for small e the
/// iteration λ ← (1 − (1 + λ) exp(−(1 + e) λ))/e, whose correction of 1/e is minute. The slope by e follows from (2), so that duals pass.
/// Limits: right to 4e-15; e = 0 would need λ = ∞. Test: `the_relation_of_restitution_holds_and_its_inverse_undoes_it`.
pub fn damping_number<S: Real>(e: S) -> S {
    let c = e.value();
    let lambda = damping_number_value(c);
    // From (2): dλ/de = e λ/((1 − e λ)/(1 + λ) − e²), −3/2 at e = 1.
    let slope = if lambda < 1e-7 { -1.5 } else { c * lambda / ((1.0 - c * lambda) / (1.0 + lambda) - c * c) };
    e.chain(lambda, slope)
}

/// Power series of λ in 1 − e, from φ(λ) = φ(−λ e) in powers, in rational arithmetic; to 0.08 the rest is 2e-17.
const NEAR_ONE: [f64; 15] = [
    3.0 / 2.0,
    3.0 / 2.0,
    27.0 / 20.0,
    6.0 / 5.0,
    759.0 / 700.0,
    351.0 / 350.0,
    6639.0 / 7000.0,
    1599.0 / 1750.0,
    192_537.0 / 215_600.0,
    190_221.0 / 215_600.0,
    10_993_971.0 / 12_512_500.0,
    308_346_453.0 / 350_350_000.0,
    6_203_405_379.0 / 7_007_000_000.0,
    894_162_999.0 / 1_001_000_000.0,
    41_382_469_053.0 / 45_815_000_000.0,
];

/// λ e/(1 − e) as a polynomial of e, fitted from 0.15 to 0.95; error 5e-4. Only a start.
const START: [f64; 5] = [0.927_98, 1.999_17, -2.794_73, 1.895_22, -0.528_40];

fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

fn damping_number_value(e: f64) -> f64 {
    let short = 1.0 - e;
    if short < 0.08 {
        return short * polynomial(&NEAR_ONE, short);
    }
    if e < 0.15 {
        let mut lambda = 1.0 / e;
        for _ in 0..12 {
            let next = (1.0 - (1.0 + lambda) * (-(1.0 + e) * lambda).exp()) / e;
            if next == lambda {
                break;
            }
            lambda = next;
        }
        return lambda;
    }
    let mut lambda = short / e * polynomial(&START, e);
    for _ in 0..8 {
        let (value, slope) =
            ((1.0 + e) * lambda - lambda.ln_1p() + (-e * lambda).ln_1p(), 1.0 + e - 1.0 / (1.0 + lambda) - e / (1.0 - e * lambda));
        let change = value / slope;
        lambda -= change;
        if change.abs() < 1e-15 * lambda {
            break;
        }
    }
    lambda
}

/// φ(x) = x − ln(1 + x) for x ≥ 0, without cancellation.
fn phi(x: f64) -> f64 {
    if x > 0.1 { x - x.ln_1p() } else { alternating(x, |k| 1.0 / k) }
}

/// t − (1 − exp(−t)) for t ≥ 0, without cancellation.
fn lag(t: f64) -> f64 {
    let mut factorial = 1.0;
    if t > 0.1 {
        t + (-t).exp_m1()
    } else {
        alternating(t, |k| {
            factorial *= k;
            1.0 / factorial
        })
    }
}

/// c₂ x² − c₃ x³ + c₄ x⁴ − …, until the terms no longer count.
fn alternating(x: f64, mut coefficient: impl FnMut(f64) -> f64) -> f64 {
    let (mut sum, mut power) = (0.0, -x);
    for k in 2..24 {
        power *= -x;
        sum += coefficient(k as f64) * power;
    }
    sum
}
