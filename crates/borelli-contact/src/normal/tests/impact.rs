//! Free impacts: the relation of restitution against its published table, and each law against the impact computed step by step.

use super::*;

/// Speed of return over speed of impact of a unit mass that strikes at `v`, by fourth-order Runge-Kutta.
fn rebound(law: &Normal<f64>, v: f64, step: f64) -> f64 {
    let acceleration = |x: f64, rate: f64| -law.push(Touch { depth: x, rate, impact_speed: v }).force;
    let (mut x, mut u) = (0.0, v);
    loop {
        let h = step;
        let (k1, l1) = (u, acceleration(x, u));
        let (k2, l2) = (u + 0.5 * h * l1, acceleration(x + 0.5 * h * k1, u + 0.5 * h * l1));
        let (k3, l3) = (u + 0.5 * h * l2, acceleration(x + 0.5 * h * k2, u + 0.5 * h * l2));
        let (k4, l4) = (u + h * l3, acceleration(x + h * k3, u + h * l3));
        x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        u += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
        if x <= 0.0 && u < 0.0 {
            return -u / v;
        }
    }
}

fn by_restitution(kind: &str, c: f64, exponent: f64) -> Normal<f64> {
    Normal::new(kind, &[("stiffness", 3e4), ("exponent", exponent), ("restitution", c)]).unwrap()
}

/// Damping number of each law by restitution, written again.
fn number(kind: &str, c: f64) -> f64 {
    match kind {
        "hunt-crossley-restitution" => 1.5 * (1.0 - c),
        "lankarani-nikravesh" => 0.75 * (1.0 - c * c),
        "flores" => 1.6 * (1.0 - c) / c,
        other => panic!("{other}"),
    }
}

#[test]
fn the_restitution_table_is_met() {
    let inputs = [0.1, 0.3, 0.5, 0.7, 0.9];
    let table = [
        ("hunt-crossley-restitution", [0.516, 0.581, 0.663, 0.768, 0.909]),
        ("lankarani-nikravesh", [0.665, 0.684, 0.725, 0.796, 0.913]),
        ("flores", [0.069, 0.256, 0.470, 0.683, 0.894]),
    ];
    for (kind, outputs) in table {
        for (c, e) in inputs.into_iter().zip(outputs) {
            let got = restitution(number(kind, c));
            assert!((got - e).abs() <= 5.0e-4, "{kind} {c}: {got}");
        }
    }
    assert!((restitution(1.5) - 0.488).abs() < 5e-4 && (restitution(0.75) - 0.663).abs() < 5e-4);
    // Ends of Flores: slope 16/15 at one, 0.625 at zero.
    assert!(((1.0 - restitution(number("flores", 1.0 - 1e-6))) / 1e-6 - 16.0 / 15.0).abs() < 1e-5);
    assert!((restitution(number("flores", 1e-4)) / 1e-4 - 0.625).abs() < 1e-3);
}

#[test]
fn the_relation_of_restitution_holds_and_its_inverse_undoes_it() {
    for lambda in [1e-12, 1e-8, 1e-5, 1e-3, 0.05, 0.0999, 0.1001, 0.5, 1.0, 3.0, 10.0, 30.0] {
        let e = restitution(lambda);
        // Where the logarithms carry digits, the relation itself.
        if (0.05..20.0).contains(&lambda) {
            assert!(((1.0 + e) * lambda - ((1.0 + lambda) / (1.0 - lambda * e)).ln()).abs() < 3e-9, "{lambda}");
        }
        let series = 1.0 - lambda * 2.0 / 3.0 + lambda * lambda * 4.0 / 9.0;
        assert!(lambda > 1e-3 || (e - series).abs() < lambda.powi(3) + 2e-16, "{lambda} {e}");
        // λ carries the absolute error of e; large λ is flat in e.
        assert!((restitution(damping_number(e)) - e).abs() < 4e-15, "{lambda}");
    }
    for k in 1..=1000 {
        let e = k as f64 / 1000.0;
        assert!((restitution(damping_number(e)) - e).abs() < 4e-15, "{e} {:e}", restitution(damping_number(e)) - e);
    }
    for e in [0.02, 0.1, 0.3, 0.6, 0.9, 0.99, 0.999_999, 1.0 - 1e-9] {
        let (dual, h) = (damping_number(Dual::<1>::variable(e, 0)), 1e-4 * e * (1.0 - e));
        let difference = (damping_number(e + h) - damping_number(e - h)) / (2.0 * h);
        // The difference itself is blurred by the rounding of e over its step.
        assert!((dual.eps[0] - difference).abs() < 1e-6 * difference.abs() + 2e-16 / h, "{e} {} {difference}", dual.eps[0]);
    }
    assert_eq!((damping_number(1.0), restitution(0.0)), (0.0, 1.0));
}

#[test]
fn restitution_is_that_of_a_computed_impact() {
    let step = 1e-5;
    for exponent in [1.0, 1.5, 2.5] {
        for c in [0.3, 0.7, 0.9] {
            for kind in ["hunt-crossley-restitution", "lankarani-nikravesh", "flores"] {
                let got = rebound(&by_restitution(kind, c, exponent), 0.5, step);
                assert!((got - restitution(number(kind, c))).abs() < 1e-6, "{kind} {c} {exponent}: {got}");
            }
            let exact = rebound(&by_restitution("exact-restitution", c, exponent), 0.5, step);
            assert!((exact - c).abs() < 1e-6, "{c} {exponent}: {exact}");
            let plain = Normal::new("hunt-crossley", &[("stiffness", 3e4), ("exponent", exponent), ("dissipation", 2.0 * c)]).unwrap();
            assert!((rebound(&plain, 0.5, step) - restitution(1.5 * 2.0 * c * 0.5)).abs() < 1e-6, "{c} {exponent}");
            // Far above its transition speed: c is the ratio of energies.
            let fraction = [("stiffness", 3e4), ("exponent", exponent), ("return_fraction", c), ("transition", 1e-4)];
            let got = rebound(&Normal::new("ambrosio-pombo", &fraction).unwrap(), 0.5, step);
            assert!((got - c.sqrt()).abs() < 1e-4, "{c} {exponent}: {got}");
        }
        let hertz = Normal::new("hertz", &[("stiffness", 3e4), ("exponent", exponent)]).unwrap();
        assert!((rebound(&hertz, 0.5, step) - 1.0).abs() < 1e-6);
    }
    let hooke = Normal::new("hooke", &[("stiffness", 3e4)]).unwrap();
    assert!((rebound(&hooke, 0.5, step) - 1.0).abs() < 1e-6);
}

/// e = exp(−(β/ω)(π − atan2(2βω, ω² − β²))), β = d/2m, ω² = k/m − β²: the force of a spring and damper reaches zero before the depth
/// does (Schwager & Pöschel 2007, Granular Matter 9:465-469).
#[test]
fn a_damped_spring_that_lets_go_has_its_closed_form() {
    let k = 3e4_f64;
    for damping in [10.0, 60.0, 200.0, 300.0] {
        let law = Normal::new("kelvin-voigt", &[("stiffness", k), ("damping", damping)]).unwrap();
        let beta = 0.5 * damping;
        let omega = (k - beta * beta).sqrt();
        let angle = std::f64::consts::PI - (2.0 * beta * omega).atan2(omega * omega - beta * beta);
        let wanted = (-beta / omega * angle).exp();
        let got = rebound(&law, 0.5, 1e-6);
        // The first step begins with the jump of the damper: first order there.
        assert!((got - wanted).abs() < 1e-4, "{damping}: {got} {wanted}");
    }
}
