//! What a muscle law is made of: curves of the fibre and the tendon, over any scalar, and the fibre's speed under a load.
//! Not here: lengths in metres, pennation, activation (`element`, `activation`); bodies and paths.
//! In: lengths, speeds and forces divided by those of the muscle. Out: the same, with their slopes where the scalar carries them.
//!
//! | n fibre length / l₀ | λ tendon length / l_s | ν lengthening speed / (v_m l₀) | a activation | f_L, f_V, f_P, f_T forces / F₀ |
//! | --- | --- | --- | --- | --- |
//! | β damping, force / F₀ per ν | R load on what contracts, f_T/cos α − f_P | | | |

use borelli_math::exponential::exp_all;
use borelli_math::{Constant, Real};
use std::fmt::Debug;

/// What the contracting part sees beside its speed.
#[derive(Clone, Copy, Debug)]
pub struct Contraction<S> {
    /// Activation a.
    pub activation: S,
    /// Active force at rest f_L(n) of full activation.
    pub active: S,
    /// β.
    pub damping: S,
}

/// The curves of one law with the numbers of one muscle.
pub trait Curves<C: Real>: Clone + Debug + Send + Sync + 'static {
    /// f_L(n).
    fn active<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>;

    /// f_P(n).
    fn passive<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>;

    /// The integral of f_P from where it is without force, up to n.
    fn passive_energy<S: Real>(&self, n: S) -> S
    where
        C: Constant<S>;

    /// f_T(λ), never negative.
    fn tendon<S: Real>(&self, lambda: S) -> S
    where
        C: Constant<S>;

    /// f_L(n), f_P(n) and f_T(λ), for laws that find them together at less cost.
    #[inline(always)]
    fn all<S: Real>(&self, n: S, lambda: S) -> [S; 3]
    where
        C: Constant<S>,
    {
        [self.active(n), self.passive(n), self.tendon(lambda)]
    }

    /// The integral of f_T from the slack length, up to λ.
    fn tendon_energy<S: Real>(&self, lambda: S) -> S
    where
        C: Constant<S>;

    /// Active force at a speed: a f_L f_V(ν), or what the law has in its place; without damping.
    fn contractile<S: Real>(&self, part: &Contraction<S>, nu: S) -> S
    where
        C: Constant<S>;

    /// The one speed ν at which `contractile + β ν = load`.
    fn speed<S: Real>(&self, part: &Contraction<S>, load: S) -> S
    where
        C: Constant<S>;

    /// Shortest fibre, n.
    fn least_length(&self) -> C;

    /// Takes over tables from an older version of itself, whose numbers were the same or not.
    fn inherit(&mut self, _old: &mut Self, _same: bool) {}

    /// Whether tables are there, or none are needed.
    fn is_settled(&self) -> bool {
        true
    }

    /// Makes tables, or shares those of curves with the same numbers.
    fn settle(&mut self, _like: Option<&Self>) {}
}

/// Value and slope of a curve over plain numbers.
#[cfg(test)]
pub(super) fn with_slope(curve: impl Fn(borelli_math::Dual<1>) -> borelli_math::Dual<1>, x: f64) -> [f64; 2] {
    let y = curve(borelli_math::Dual { re: x, eps: [1.0] });
    [y.re, y.eps[0]]
}

/// exp.
#[inline(always)]
pub(super) fn exp<S: Real>(x: S) -> S {
    exps([x])[0]
}

/// exp of several numbers.
#[inline(always)]
pub(super) fn exps<S: Real, const N: usize>(numbers: [S; N]) -> [S; N] {
    let found = exp_all(numbers.map(S::value));
    std::array::from_fn(|k| numbers[k].chain(found[k], found[k]))
}

/// Natural logarithm.
#[inline(always)]
pub(super) fn ln<S: Real>(x: S) -> S {
    let value = x.value();
    x.chain(value.ln(), 1.0 / value)
}

/// The root of an increasing function between two bounds, by Newton's method kept between what is known to be below and above it. `function` gives value and
/// slope.
#[inline(always)]
pub(super) fn root_between([mut low, mut high]: [f64; 2], start: f64, function: impl Fn(f64) -> [f64; 2]) -> f64 {
    let mut x = start;
    for _ in 0..100 {
        let [value, slope] = function(x);
        *(if value > 0.0 { &mut high } else { &mut low }) = x;
        let mut next = x - value / slope;
        if !(next >= low && next <= high) {
            next = 0.5 * (low + high);
        }
        let step = (next - x).abs();
        x = next;
        // The next step would be of the order of this one squared.
        if step < 1e-8 {
            break;
        }
    }
    x
}

/// `x` not below `least`; constant there.
#[inline(always)]
pub(super) fn at_least<S: Real>(x: S, least: S) -> S {
    // Written so that what is not a number stays so.
    if x.value() < least.value() { least } else { x }
}

/// `x` not above `most`; constant there.
#[inline(always)]
pub(super) fn at_most<S: Real>(x: S, most: S) -> S {
    if x.value() > most.value() { most } else { x }
}
