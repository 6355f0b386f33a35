//! Two movements with known ends: a mass on a belt that sticks and slips, and a ball that strikes at an angle and leaves rolling.

use super::*;
use crate::normal::{Normal, Touch};

/// The laws of Brown 2017, chapter 4, with his numbers, and the stepwise law with the same.
fn stribeck_laws(viscosity: f64) -> Vec<(&'static str, Friction<f64>)> {
    let common = [("static_friction", 0.2), ("dynamic_friction", 0.15)];
    let with = |kind: &'static str, rest: &[(&str, f64)]| {
        let given = [&common[..], rest].concat();
        (kind, Friction::new(kind, &given).unwrap())
    };
    let v_t = ("transition", 0.001);
    let wet = ("viscosity", viscosity);
    vec![
        with("three-parameter", &[v_t]),
        with("five-parameter", &[v_t, wet]),
        with("specker", &[v_t, ("dynamic_transition", 0.0005), wet]),
        with("specker", &[v_t, ("dynamic_transition", 0.00025), wet]),
        with("hollars", &[v_t, ("viscosity", if viscosity > 0.0 { 0.0154 } else { 0.0 })]),
        with("stepwise", &[v_t]),
        with("andersson", &[("stribeck", 0.001), ("exponent", 2.0), ("steepness", 1e4), wet]),
    ]
}

/// One step of the classical Runge-Kutta method.
fn step<const D: usize>(y: &mut [f64; D], h: f64, rate: impl Fn(&[f64; D]) -> [f64; D]) {
    let moved = |k: &[f64; D], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    let k1 = rate(y);
    let k2 = rate(&moved(&k1, 0.5 * h));
    let k3 = rate(&moved(&k2, 0.5 * h));
    let k4 = rate(&moved(&k3, h));
    for i in 0..D {
        y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
}

/// Mass 1 kg on a belt at 0.1 m/s, held by 10 N/m. With ideal friction it first slips at 1.962 s, and again every 2.337 s.
#[test]
fn a_mass_on_a_belt_sticks_and_slips_with_nearly_the_ideal_period() {
    let (k, belt, F_n) = (10.0_f64, 0.1, 9.81);
    let omega = k.sqrt();
    let A1 = 0.05 * F_n / k;
    let ideal = 2.0 * A1 / belt + (std::f64::consts::PI + 2.0 * (belt / (omega * A1)).atan()) / omega;
    assert!((ideal - 2.337).abs() < 5e-4);
    for (kind, law) in stribeck_laws(0.0) {
        let (mut y, mut starts, h) = ([0.0, 0.0], Vec::new(), 5e-5);
        let mut last = belt;
        for i in 0..160_000 {
            step(&mut y, h, |y| [y[1], -k * y[0] + law.drag(belt - y[1], F_n).force]);
            let slip = belt - y[1];
            // A slip begins when half the speed of the belt is passed.
            if slip > 0.05 && last <= 0.05 {
                starts.push(i as f64 * h);
            }
            last = slip;
        }
        // A smooth law has extra work above its dynamic value and lets the belt overtake slowly: up to 2.5 % longer. The peak of
        // Andersson's law is 3 % short of the static force: 2 % shorter.
        let [first, second, third] = starts[..] else { panic!("{kind}: {starts:?}") };
        let longer = (third - second) / ideal - 1.0;
        let expected = if kind == "andersson" { -0.025..-0.015 } else { 0.009..0.025 };
        assert!(expected.contains(&longer) && first > 1.962, "{kind}: {starts:?} {longer}");
        assert!(((second - first) / (third - second) - 1.0).abs() < 1e-3, "{kind}: {starts:?}");
    }
}

/// Ball of 0.5 kg and 5 cm that strikes at 7 m/s under 45°, F = kδ². Every law has it roll before it leaves, so that all laws end alike:
/// 5/7 of the tangential speed, and the spin that goes with it.
#[test]
fn a_ball_that_strikes_at_an_angle_leaves_rolling() {
    let (m, r, v) = (0.5, 0.05, 7.0 * std::f64::consts::FRAC_1_SQRT_2);
    let inertia = 0.4 * m * r * r;
    let bed = Normal::new("hertz", &[("stiffness", 1e7), ("exponent", 2.0)]).unwrap();
    for (kind, law) in stribeck_laws(10.0) {
        let push = |depth: f64, rate: f64| bed.push(Touch { depth, rate, impact_speed: 1.0 }).force;
        let (mut y, h, mut t, mut deepest) = ([0.0, v, v, 0.0], 1e-7, 0.0, 0.0_f64);
        while y[0] >= 0.0 {
            step(&mut y, h, |y| {
                let F_n = push(y[0], y[1]);
                let drag = law.drag(y[2] - y[3] * r, F_n).force;
                [y[1], -F_n / m, -drag / m, drag * r / inertia]
            });
            t += h;
            deepest = deepest.max(y[0]);
        }
        assert!((t - 6.939e-3).abs() < 1e-6 && (deepest - 12.248e-3).abs() < 1e-6, "{kind}: {t} {deepest}");
        assert!((y[1] + v).abs() < 1e-6, "{kind}");
        assert!((y[2] - 5.0 / 7.0 * v).abs() < 1e-5 && (y[3] - 5.0 / 7.0 * v / r).abs() < 2e-4, "{kind}: {y:?}");
        // Drag that does not grow with the normal force is there at once.
        let jump = law.drag(v, 1e-9).force;
        let jumps = ["specker", "andersson"].contains(&kind);
        assert!((jump - if jumps { 10.0 * v } else { 0.0 }).abs() < 1e-3, "{kind}: {jump}");
    }
}
