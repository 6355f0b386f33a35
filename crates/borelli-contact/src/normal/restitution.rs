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
/// With λ = (1 − exp(−t))/e the relation is H(t) = t − (1 − exp(−t)) − φ(λ) = 0, negative below the root and positive above; Newton
/// inside a bracket. The slope by e follows from (2), so that duals pass.
/// Limits: costs a few exponentials and logarithms, about as much as ten force laws. e = 0 would need λ = ∞.
pub fn damping_number<S: Real>(e: S) -> S {
    let c = e.value();
    let lambda = damping_number_value(c);
    // From (2): dλ/de = e λ/((1 − e λ)/(1 + λ) − e²), −3/2 at e = 1.
    let slope = if lambda < 1e-7 { -1.5 } else { c * lambda / ((1.0 - c * lambda) / (1.0 + lambda) - c * c) };
    e.chain(lambda, slope)
}

fn damping_number_value(e: f64) -> f64 {
    // 1 − e = 2λ/3 − 4λ²/9 + … near one.
    if 1.0 - e < 1e-7 {
        return 1.5 * (1.0 - e);
    }
    let lambda_of = |t: f64| -(-t).exp_m1() / e;
    // λ lies above 3(1 − e)/2, which is below 1/e; at t = 1 + φ(1/e) the function is positive.
    let (mut low, mut high) = (-(-1.5 * (1.0 - e) * e).ln_1p(), 1.0 + phi(1.0 / e));
    let mut t = high;
    for _ in 0..100 {
        let lambda = lambda_of(t);
        let value = lag(t) - phi(lambda);
        if value > 0.0 {
            high = t;
        } else {
            low = t;
        }
        let slope = -(-t).exp_m1() - (-t).exp() / e * lambda / (1.0 + lambda);
        let newton = t - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let done = (next - t).abs() <= 2e-16 * t;
        t = next;
        if done {
            break;
        }
    }
    lambda_of(t)
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
