//! Activation dynamics: how calcium follows excitation.
//! Not here: what activation does to the force.
//! In: excitation u and activation a. Out: rate of a.
//!
//! ```text
//! first-order:   ȧ = (u − a)/τ,   τ = τ_a (0.5 + 1.5 a) for u > a,  τ_d/(0.5 + 1.5 a) else                                        (1)
//! smooth:        ȧ = [(f + ½)/(τ_a z) + (½ − f) z/τ_d] (u − a),   f = ½ tanh(b (u − a)),  z = 0.5 + 1.5 a                        (2)
//! ```
//!
//! | τ_a `rise` s | τ_d `fall` s | b `smoothing` |
//!
//! u is kept to [`least_activation`, 1], so that activation comes to rest in that range; (1) sees a kept to it too.
//!
//! Source: (1) Thelen 2003; (2) De Groote et al. 2016. Departure: b is 10 unless given, because with the published 0.1 rise and fall hardly differ.
//! Limits: (1) has a kink at u = a. Tests: `activation_follows_its_closed_form`.

use borelli_math::Real;

/// Which of the laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dynamics {
    /// a = u.
    None,
    /// (1).
    FirstOrder,
    /// (2).
    Smooth,
}

impl Dynamics {
    /// Words in model files.
    pub(super) const WORDS: [&'static str; 3] = ["first-order", "smooth", "none"];

    pub(super) fn of(word: &str) -> Dynamics {
        match word {
            "smooth" => Dynamics::Smooth,
            "none" => Dynamics::None,
            _ => Dynamics::FirstOrder,
        }
    }
}

/// Numbers of activation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times<S> {
    pub(super) rise: S,
    pub(super) fall: S,
    pub(super) smoothing: S,
}

/// ȧ.
#[inline(always)]
pub(super) fn rate<S: Real>(dynamics: Dynamics, times: &Times<S>, u: S, a: S) -> S {
    let (ahead, z) = (u - a, a * 1.5 + 0.5);
    match dynamics {
        Dynamics::None => S::ZERO,
        Dynamics::FirstOrder if ahead.value() > 0.0 => ahead / (times.rise * z),
        Dynamics::FirstOrder => ahead * z / times.fall,
        Dynamics::Smooth => {
            let x = times.smoothing * ahead;
            let tanh = x.value().tanh();
            let f = x.chain(tanh, 1.0 - tanh * tanh) * 0.5;
            ((f + 0.5) / (times.rise * z) + (-f + 0.5) * z / times.fall) * ahead
        }
    }
}
