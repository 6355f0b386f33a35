//! What the doc comments of the laws promise: published values, continuity, peaks, joins.

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

/// Largest step between neighbours of a scan over ±5 transition speeds, relative to its range.
fn largest_step(f: impl Fn(f64) -> f64, points: usize) -> f64 {
    let values: Vec<f64> = (0..=points).map(|k| f(0.05 * (2.0 * k as f64 / points as f64 - 1.0))).collect();
    let range = values.iter().cloned().fold(f64::MIN, f64::max) - values.iter().cloned().fold(f64::MAX, f64::min);
    values.windows(2).map(|w| (w[1] - w[0]).abs()).fold(0.0, f64::max) / range
}

/// A continuous curve has its largest step cut to a tenth by ten times as many points; a jump stays.
/// The counts are odd and not multiples of each other, so that no point falls on a kink.
fn continuous(f: impl Fn(f64) -> f64) -> bool {
    largest_step(&f, 40_009) / largest_step(&f, 4_001) < 0.3
}

#[test]
fn continuity_is_as_published() {
    // Continuous in speed, with its slope, and in the normal force at the first touch with slip.
    let table = [
        ("coulomb", false, false, true),
        ("tanh", true, true, true),
        ("tanh-viscous", true, true, false),
        ("odd-cubic", true, true, false),
        ("smoothstep", true, true, false),
        ("quartic", true, true, false),
        ("andersson", true, true, false),
        ("hollars", true, false, true),
        ("specker", true, true, false),
        ("five-parameter", true, true, true),
        ("three-parameter", true, true, true),
        ("stepwise", true, true, true),
    ];
    assert_eq!(table.map(|row| row.0).to_vec(), Friction::<f64>::KINDS.iter().map(|k| k.name).collect::<Vec<_>>());
    for (kind, (name, value, slope, touch)) in Friction::<f64>::KINDS.iter().zip(table) {
        let usual = |name: &str| match name {
            "static_friction" | "friction" => 0.8,
            "dynamic_friction" => 0.6,
            "steepness" => 400.0,
            "dynamic_transition" => 0.005,
            "exponent" => 2.0,
            "viscosity" => 3.0,
            "normal_transition" => 20.0,
            _ => 0.01,
        };
        let law = law(name, &kind.parameters.iter().map(|p| (p.name, usual(p.name))).collect::<Vec<_>>());
        // The slope by differences of the force: what is scanned is not what the law says of itself.
        let h = 1e-9;
        let difference = |v: f64| (law.drag(v + h, 50.0).force - law.drag(v - h, 50.0).force) / (2.0 * h);
        assert_eq!(continuous(|v| law.drag(v, 50.0).force), value, "{name}: value");
        assert_eq!(value && continuous(difference), slope, "{name}: slope");
        // An infinitesimal normal force: an infinitesimal friction force, or a jump.
        assert_eq!(law.drag(0.03, 1e-9).force < 1e-7, touch, "{name}: touch");
    }
}

/// Speed (in transition speeds) and size (in static forces) of the greatest force below 4 transition speeds.
fn peak(law: &Friction<f64>) -> (f64, f64) {
    let best = (1..400_000).map(|k| k as f64 * 1e-5).map(|x| (x, law.drag(x * 0.01, 100.0).force / 80.0));
    best.fold((0.0, 0.0), |a, b| if b.1 > a.1 { b } else { a })
}

#[test]
fn peaks_stand_where_they_are_said_to() {
    let stribeck = [("static_friction", 0.8), ("dynamic_friction", 0.64), ("transition", 0.01)];
    let specker = |v_d: f64| law("specker", &[&stribeck[..], &[("dynamic_transition", v_d)]].concat());
    // Printed digits: 1.15 and 1.01 transition speeds.
    let (half, quarter) = (peak(&specker(0.005)), peak(&specker(0.0025)));
    assert!((half.0 - 1.15).abs() < 0.005 && half.1 > 1.0, "{half:?}");
    assert!((quarter.0 - 1.01).abs() < 0.005 && quarter.1 > 1.0 && quarter.1 < half.1, "{quarter:?}");
    let brown = peak(&law("three-parameter", &stribeck));
    assert!((brown.0 - 1.01).abs() < 0.005 && (brown.1 - 0.9995).abs() < 1e-4, "{brown:?}");
    for (kind, extra) in [("hollars", 0), ("stepwise", 0)] {
        let (x, size) = peak(&law(kind, &stribeck[extra..]));
        assert!((x - 1.0).abs() < 2e-5 && (size - 1.0).abs() < 1e-9, "{kind} {x} {size}");
    }
    let andersson = law(
        "andersson",
        &[("static_friction", 0.8), ("dynamic_friction", 0.64), ("stribeck", 0.01), ("exponent", 2.0), ("steepness", 1000.0)],
    );
    assert!(peak(&andersson).1 < 1.0);
    // Slope at rest of the three-parameter law, closed form.
    let slope = law("three-parameter", &stribeck).per_speed(0.0, 100.0);
    assert!((slope - 100.0 * (4.0 * 0.64 + 16.0 / 9.0 * 0.16) / 0.01).abs() < 1e-10 * slope);
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
