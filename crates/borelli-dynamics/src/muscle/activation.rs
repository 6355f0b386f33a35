//! Activation dynamics: how calcium follows excitation.
//! Not here: what activation does to the force.
//! In: excitation u and activation a. Out: rate of a.
//!
//! u is kept to [`least_activation`, 1], so that activation comes to rest in that range; the law of first order sees a kept to it too.
//! Tests: `activation_follows_its_closed_form`.

use super::portrait::CurvePanel;
use super::read::{FALL, RISE, SMOOTHING};
use borelli_math::Real;
use borelli_model::{Field, Kind};

/// Which of the laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dynamics {
    /// a = u.
    None,
    /// See [`LAWS`].
    FirstOrder,
    /// See [`LAWS`].
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

const fn law(name: &'static str, doc: &'static str, fields: &'static [Field]) -> Kind {
    Kind { name, doc, fields, planar: true, spatial: true }
}

/// Laws of activation as words of the field `activation`, with what pages say of them.
pub static LAWS: [(Kind, &str); 2] = [
    (
        law("first-order", "Activation follows excitation faster up than down, with time constants that depend on activation", &[RISE, FALL]),
        "Activation follows excitation: calcium comes faster than it goes, and the more slowly the more there is of it.

```text
ȧ = (u − a)/τ,   τ = τ_a (0.5 + 1.5 a) for u > a,   τ_d/(0.5 + 1.5 a) else                     (1)
```

| u excitation | a activation | τ_a `rise` s | τ_d `fall` s |

u is kept between `least_activation` and 1. For a constant u (1) has closed forms: rising, −1.5 (a − a₀) − (0.5 + 1.5 u) ln((u − a)/(u − a₀)) = t/τ_a; falling,
a = (u + 0.5 r)/(1 − 1.5 r) with r = (a₀ − u)/(0.5 + 1.5 a₀) exp(−(0.5 + 1.5 u) t/τ_d).

Source: Thelen 2003, J Biomech Eng 125:70. Limits: a kink at u = a. Tests: `activation_follows_its_closed_form`,
`muscles_held_at_a_length_follow_a_step_of_excitation_as_the_table_says`.",
    ),
    (
        law("smooth", "The same with a smooth change between rise and fall", &[RISE, FALL, SMOOTHING]),
        "Activation follows excitation as in first-order, with a hyperbolic tangent between rise and fall, so that nothing has a kink.

```text
ȧ = [(f + ½)/(τ_a z) + (½ − f) z/τ_d] (u − a),   f = ½ tanh(b (u − a)),   z = 0.5 + 1.5 a       (1)
```

| u excitation | a activation | τ_a `rise` s | τ_d `fall` s | b `smoothing` |

Source: De Groote, Kinney, Rao & Fregly 2016, Ann Biomed Eng 44:2922. Departures: b is 10 unless given, because with the published 0.1 rise and fall hardly differ.
Limits: activation is not cut at its bounds. Tests: `slopes_by_states_and_parameters_are_those_of_differences`,
`muscles_held_at_a_length_follow_a_step_of_excitation_as_the_table_says`.",
    ),
];

/// Curves of a law by name: activation along a step of excitation up and down.
pub fn portrait(name: &str) -> Vec<CurvePanel> {
    const UP: f64 = 0.12;
    const END: f64 = 0.4;
    let dynamics = Dynamics::of(name);
    let excited = |t: f64| if t < UP { 1.0 } else { 0.01 };
    let follow = |label: &str, times: Times<f64>| {
        let (mut a, mut last) = (0.01, 0.0);
        CurvePanel::curve(label, 0.0, END, |t| {
            // Heun's method in steps far shorter than the time constants; a step of the curve does not end within one of them.
            const PARTS: usize = 40;
            let h = (t - last) / PARTS as f64;
            for k in 0..PARTS {
                let u = excited(last + (k as f64 + 0.5) * h);
                let first = rate(dynamics, &times, u, a);
                a += 0.5 * h * (first + rate(dynamics, &times, u, a + h * first));
            }
            last = t;
            a
        })
    };
    let times = |rise: f64, fall: f64, smoothing: f64| Times { rise, fall, smoothing };
    let own = match dynamics {
        Dynamics::Smooth => [follow("smoothing 10", times(0.015, 0.060, 10.0)), follow("smoothing 0.1", times(0.015, 0.060, 0.1))],
        _ => [follow("rise 10 ms, fall 40 ms", times(0.010, 0.040, 10.0)), follow("rise 15 ms, fall 60 ms", times(0.015, 0.060, 10.0))],
    };
    let caption = if dynamics == Dynamics::Smooth { "a step of excitation; rise 15 ms, fall 60 ms" } else { "a step of excitation" };
    let curves = [CurvePanel::curve("excitation", 0.0, END, excited)].into_iter().chain(own).collect();
    vec![CurvePanel { caption, x: ["time", "s"], y: ["activation", "1"], curves }]
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
