//! What the doc comments of the laws promise: published values, joins, order of coefficients. Continuity and peaks: `continuity`.

use super::*;

fn law(kind: &str, given: &[(&str, f64)]) -> Friction<f64> {
    Friction::new(kind, given).unwrap()
}

/// Saraiva 2022 for the first; by hand for the stepwise law, whose step is one half at its middle.
#[test]
fn published_scalars_are_met() {
    let smoothed = law("tanh", &[("friction", 0.8), ("transition", 0.01)]);
    assert!((smoothed.drag(0.01, 500.0).force - 304.637_662).abs() < 5e-7);
    let steps = law("stepwise", &[("static_friction", 0.8), ("dynamic_friction", 0.7), ("transition", 0.1)]);
    for (v, mu) in [(0.05, 0.4), (0.1, 0.8), (0.2, 0.75), (0.3, 0.7), (2.0, 0.7)] {
        assert!((steps.drag(v, 10.0).force - 10.0 * mu).abs() < 1e-14, "{v}");
    }
}

#[test]
fn low_speed_laws_join_with_value_and_slope() {
    type P = fn(f64, f64) -> f64;
    let polynomials: [(&str, P); 3] = [
        ("odd-cubic", |s, b| ((3.0 - b) * s - (1.0 - b) * s.powi(3)) / 2.0),
        ("smoothstep", |s, b| (3.0 - b) * s * s + (b - 2.0) * s.powi(3)),
        ("quartic", |s, b| (1.0 - b) * s * s + (2.0 + b) * s.powi(3) - 2.0 * s.powi(4)),
    ];
    let (mu, v_s) = (0.6, 0.02);
    for (kind, P) in polynomials {
        for mu_v in [0.0, 10.0, 1e6] {
            for F_n in [1e-3, 40.0] {
                let law = law(kind, &[("friction", mu), ("viscosity", mu_v), ("threshold", v_s)]);
                let S = mu * F_n + mu_v * v_s;
                let beta = mu_v * v_s / S;
                let mut last = 0.0;
                for k in 1..=100 {
                    let s = k as f64 / 100.0;
                    let force = law.drag(s * v_s, F_n).force;
                    assert!((force - S * P(s, beta)).abs() < 1e-14 * S.max(1.0) * 4.0, "{kind} {s}");
                    assert!(force > last, "{kind}: not monotone at {s}");
                    last = force;
                }
                let above = law.drag(2.0 * v_s, F_n).force;
                assert!((above - (mu * F_n + mu_v * 2.0 * v_s)).abs() < 1e-14 * above, "{kind}");
                let (under, over) = (law.drag(v_s * (1.0 - 1e-13), F_n), law.drag(v_s, F_n));
                assert!((under.force - over.force).abs() < 1e-12 * S, "{kind}");
                assert!((under.by_speed - over.by_speed).abs() < 1e-11 * S / v_s, "{kind}");
            }
        }
    }
}

#[test]
fn a_static_coefficient_below_the_dynamic_one_is_refused_by_name() {
    use crate::law::Fault;
    for kind in Friction::<f64>::KINDS {
        let both = ["static_friction", "dynamic_friction"].iter().all(|name| kind.parameters.iter().any(|p| p.name == *name));
        assert_eq!(kind.orders, if both { &[("static_friction", "dynamic_friction")][..] } else { &[] }, "{}", kind.name);
        let with = |mu_s: f64, mu_d: f64| {
            let values = kind.typical_values().into_iter().map(|(name, x)| match name {
                "static_friction" => (name, mu_s),
                "dynamic_friction" => (name, mu_d),
                _ => (name, x),
            });
            Friction::new(kind.name, &values.collect::<Vec<_>>())
        };
        assert!(with(0.5, 0.5).is_ok() && with(0.0, 0.0).is_ok(), "{}", kind.name);
        match with(0.3, 0.5) {
            Ok(_) => assert!(!both, "{}", kind.name),
            Err(fault) => {
                let (greater, lesser) = ("static_friction", "dynamic_friction");
                assert_eq!(fault, Fault::OutOfOrder { law: kind.name, greater, lesser, values: [0.3, 0.5] });
                assert!(fault.to_string().contains("`static_friction` is 0.3, below `dynamic_friction`, which is 0.5"), "{fault}");
            }
        }
    }
}

/// The bracket of Specker's law takes the viscous part of v_t away, also where there is no dry friction to take it from.
#[test]
fn a_bump_without_load_drives_a_slow_slip() {
    let (mu_s, mu_d, v_t, v_d, mu_v) = (0.8, 0.64, 0.01_f64, 0.005, 100.0);
    let given =
        [("static_friction", mu_s), ("dynamic_friction", mu_d), ("transition", v_t), ("dynamic_transition", v_d), ("viscosity", mu_v)];
    let (specker, root) = (law("specker", &given), 0.5_f64.exp());
    let turning = mu_v * (root - 1.0) / ((mu_s - mu_d * (v_t / v_d).tanh()) * root / v_t + mu_d / v_d);
    assert!((turning - 0.41).abs() < 0.005, "{turning}");
    assert!(specker.per_speed(0.0, turning * (1.0 - 1e-9)) < 0.0 && specker.per_speed(0.0, turning * (1.0 + 1e-9)) > 0.0);
    assert!(specker.drag(0.5 * v_t, 0.1 * turning).force < 0.0 && specker.drag(2.0 * v_t, 0.1 * turning).force > 0.0);
}
