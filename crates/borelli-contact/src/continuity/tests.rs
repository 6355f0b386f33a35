//! The scanned tables against the published ones.

use super::Verdict::{No, OnlyWithout, Yes};
use super::*;
use crate::friction::Friction;
use crate::normal::{Normal, restitution};

/// Brown 2017, chapter 4, for the laws he compares; by their equations for the others.
#[test]
fn continuity_is_as_published() {
    let wet = OnlyWithout("viscosity");
    // Continuous in slip, with its slope, and where contact begins while slipping; number of parameters.
    let table = [
        ("coulomb", No, No, Yes, 1),
        ("tanh", Yes, Yes, Yes, 2),
        ("tanh-viscous", Yes, Yes, wet, 3),
        ("odd-cubic", Yes, Yes, wet, 3),
        ("smoothstep", Yes, Yes, wet, 3),
        ("quartic", Yes, Yes, wet, 3),
        ("andersson", Yes, Yes, wet, 6),
        ("hollars", Yes, No, Yes, 4),
        ("specker", Yes, Yes, wet, 5),
        ("five-parameter", Yes, Yes, Yes, 5),
        ("three-parameter", Yes, Yes, Yes, 3),
        ("stepwise", Yes, Yes, Yes, 3),
    ];
    let rows = friction_rows().unwrap();
    assert_eq!(rows.iter().map(|row| (row.law, row.force, row.slope, row.touch, row.parameters)).collect::<Vec<_>>(), table);
    for row in &rows {
        assert_eq!(row.opposes, if row.law == "specker" { wet } else { Yes }, "{}", row.law);
    }
}

/// Where the breaks are, not only that they are: Coulomb by 2 μ F_n at rest, Hollars by −F_n μ_s/v_t of slope at ±v_t, drag by μ_v v at the touch.
#[test]
fn breaks_stand_where_the_equations_have_them() {
    let law = |kind: &str, given: &[(&str, f64)]| Friction::new(kind, given).unwrap();
    let coulomb = law("coulomb", &[("friction", 0.6)]);
    let [rest] = scan::jumps(|v| coulomb.drag(v, 50.0).force, -0.05, 0.05, 1e-14)[..] else { panic!() };
    assert!(rest.at.abs() < 1e-13 && (rest.size - 60.0).abs() < 1e-12, "{rest:?}");

    let hollars = law("hollars", &[("static_friction", 0.8), ("dynamic_friction", 0.6), ("transition", 0.01)]);
    let [back, there] = scan::slope_jumps(|v| hollars.drag(v, 50.0).force, -0.05, 0.05)[..] else { panic!() };
    let wanted = -50.0 * 0.8 / 0.01;
    assert!((there.at - 0.01).abs() < 1e-7 && (there.size / wanted - 1.0).abs() < 1e-5, "{there:?}");
    assert!((back.at + 0.01).abs() < 1e-7 && (back.size / -wanted - 1.0).abs() < 1e-5, "{back:?}");

    let viscous = law("tanh-viscous", &[("friction", 0.6), ("transition", 0.01), ("viscosity", 40.0)]);
    let [touch] = scan::jumps(|F_n| viscous.drag(0.03, F_n).force, -10.0, 100.0, 1e-11)[..] else { panic!() };
    assert!(touch.at.abs() < 1e-10 && (touch.size - 1.2).abs() < 1e-9, "{touch:?}");
}

/// Printed digits of Brown 2017 for μ_d = 0.8 μ_s: the peak of Specker's law at 1.15 and 1.01 transition speeds, of Brown's at 1.01 and 0.9995.
#[test]
fn peaks_stand_where_they_are_said_to() {
    let stribeck = [("static_friction", 0.8), ("dynamic_friction", 0.64), ("transition", 0.01)];
    let of = |kind: &str, rest: &[(&str, f64)]| peak(&Friction::new(kind, &[&stribeck[..], rest].concat()).unwrap()).unwrap();
    let (half, quarter) = (of("specker", &[("dynamic_transition", 0.005)]), of("specker", &[("dynamic_transition", 0.0025)]));
    assert!((half.speed / 0.01 - 1.15).abs() < 0.005 && half.size > 1.0, "{half:?}");
    assert!((quarter.speed / 0.01 - 1.01).abs() < 0.005 && quarter.size > 1.0 && quarter.size < half.size, "{quarter:?}");
    for brown in [of("three-parameter", &[]), of("five-parameter", &[("viscosity", 0.0)])] {
        assert!((brown.speed / 0.01 - 1.01).abs() < 0.005 && (brown.size - 0.9995).abs() < 5e-5, "{brown:?}");
    }
    // At a corner golden section closes in from both sides; at a flat top to the root of the rounding.
    for (kind, near) in [("hollars", 1e-8), ("stepwise", 1e-5)] {
        let exact = of(kind, &[]);
        assert!((exact.speed / 0.01 - 1.0).abs() < near && (exact.size - 1.0).abs() < 2e-8, "{kind} {exact:?}");
    }
    let rows = friction_rows().unwrap();
    let falls: Vec<&str> = rows.iter().filter(|row| row.peak.is_some()).map(|row| row.law).collect();
    assert_eq!(falls, ["andersson", "hollars", "specker", "five-parameter", "three-parameter", "stepwise"]);
    let andersson = rows.iter().find(|row| row.law == "andersson").and_then(|row| row.peak).unwrap();
    assert!(andersson.size < 1.0, "{andersson:?}");
    // Slope at rest of the three-parameter law, closed form.
    let slope = Friction::new("three-parameter", &stribeck).unwrap().per_speed(0.0, 100.0);
    assert!((slope - 100.0 * (4.0 * 0.64 + 16.0 / 9.0 * 0.16) / 0.01).abs() < 1e-10 * slope);
}

#[test]
fn normal_laws_begin_end_and_let_go_as_their_equations_say() {
    let damped = OnlyWithout("damping");
    // Continuous where contact begins, where it ends; lets go on a fast retreat, in a free impact; remembers; number of parameters.
    let table = [
        ("hooke", Yes, Yes, false, false, false, 1),
        ("kelvin-voigt", damped, Yes, true, true, false, 2),
        ("hertz", Yes, Yes, false, false, false, 2),
        ("hunt-crossley", Yes, Yes, true, false, false, 3),
        ("hunt-crossley-restitution", Yes, Yes, true, false, true, 3),
        ("lankarani-nikravesh", Yes, Yes, true, false, true, 3),
        ("flores", Yes, Yes, true, false, true, 3),
        ("exact-restitution", Yes, Yes, true, false, true, 3),
        ("ambrosio-pombo", Yes, Yes, false, false, false, 4),
        ("volumetric", Yes, Yes, true, false, false, 3),
    ];
    let rows = normal_rows().unwrap();
    let found = rows.iter().map(|r| (r.law, r.touch_down, r.separation, r.clips, r.clips_in_impact, r.remembers, r.parameters));
    assert_eq!(found.collect::<Vec<_>>(), table);
    assert_eq!(rows.len(), Normal::<f64>::KINDS.len() + 1);
    // λ of each law with its typical numbers, written again: c = 0.7, and a v = 0.8·³⁄₂ and 0.565 times 0.5 m/s.
    let c = 0.7;
    let wanted = [
        ("hooke", 1.0),
        ("hertz", 1.0),
        ("hunt-crossley", restitution(1.5 * 0.8 * 0.5)),
        ("hunt-crossley-restitution", restitution(1.5 * (1.0 - c))),
        ("lankarani-nikravesh", restitution(0.75 * (1.0 - c * c))),
        ("flores", restitution(1.6 * (1.0 - c) / c)),
        ("exact-restitution", c),
        ("volumetric", restitution(0.565 * 0.5)),
    ];
    for (law, e) in wanted {
        let row = rows.iter().find(|row| row.law == law).unwrap();
        // Steps of 1 µs; the corner of the linear spring at the last touch costs most.
        assert!((row.restitution - e).abs() < 1e-8, "{law} {} {e}", row.restitution);
    }
}
