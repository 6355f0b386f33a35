//! Tests of units: a table of good texts with values from the definitions of the units, and a table of bad ones.

use super::*;
use crate::dim::SHOWN;
use std::f64::consts::PI;

#[test]
fn quantities_have_the_value_and_dimension_of_their_definition() {
    let good: &[(&str, f64, &str)] = &[
        ("20 deg", 20.0 * PI / 180.0, "rad"),
        ("1.4 cm", 0.014, "m"),
        ("974 MPa", 974e6, "N/m^2"),
        ("2e9 N/m^3", 2e9, "N/m^3"),
        ("40000 N/m^1.5", 40000.0, "N/m^1.5"),
        ("40000 N/m^(3/2)", 40000.0, "N/m^1.5"),
        ("38400 kg cm^2", 3.84, "kg m^2"),
        ("38400 kg*cm^2", 3.84, "kg m^2"),
        ("250 N/mm", 250e3, "N/m"),
        ("3 N s/m", 3.0, "N s/m"),
        ("3 N/(m s)", 3.0, "N/m/s"),
        ("3 N/m/s", 3.0, "N/m/s"),
        ("3 N/m s", 3.0, "N s/m"),
        ("5 N m/rad", 5.0, "N m/rad"),
        ("5 N m s/rad", 5.0, "N m s/rad"),
        ("90deg", PI / 2.0, "rad"),
        ("-0.25 m", -0.25, "m"),
        ("+.5m", 0.5, "m"),
        ("1 in", 0.0254, "m"),
        ("1 ft", 0.3048, "m"),
        ("1 lb", 0.45359237, "kg"),
        ("2 t", 2000.0, "kg"),
        ("7 g", 0.007, "kg"),
        ("7 mg", 7e-6, "kg"),
        ("5 ms", 0.005, "s"),
        ("2 min", 120.0, "s"),
        ("1 h", 3600.0, "s"),
        ("2 Hz", 2.0, "1/s"),
        ("2 kHz", 2000.0, "1/s"),
        ("1 rev", 2.0 * PI, "rad"),
        ("3 dN", 0.3, "N"),
        ("3 mN", 0.003, "N"),
        ("3 kN", 3000.0, "N"),
        ("3 MN", 3e6, "N"),
        ("1 GPa", 1e9, "N/m^2"),
        ("1 kPa", 1e3, "N/m^2"),
        ("2 kJ", 2000.0, "N m"),
        ("2 W", 2.0, "W"),
        ("45.8 %", 0.458, "no unit"),
        ("12", 12.0, "no unit"),
        ("12 1", 12.0, "no unit"),
        ("3 1/s", 3.0, "1/s"),
        ("3 µm", 3e-6, "m"),
        ("1 km", 1000.0, "m"),
        ("3 m^-1", 3.0, "1/m"),
        ("1 cm^0.5", 0.1, "m^0.5"),
        ("8 N/cm^1.5", 8000.0, "N/m^1.5"),
        ("1 (N m)^2", 1.0, "kg^2 m^4/s^4"),
        ("1e-3 m", 0.001, "m"),
        ("1E3 N", 1000.0, "N"),
    ];
    for (text, value, shown) in good {
        let (si, dim) = parse_quantity(text).unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        assert_eq!(si, *value, "{text}");
        assert_eq!(dim.to_string(), *shown, "{text}");
    }
}

#[test]
fn what_is_no_quantity_is_refused_for_the_right_reason() {
    let reason = |text: &str| match parse_quantity(text).expect_err(text) {
        UnitFault::NoNumber { .. } => "number",
        UnitFault::NotFinite { .. } => "finite",
        UnitFault::UnknownUnit { .. } => "unit",
        UnitFault::BadExponent { .. } => "exponent",
        UnitFault::BadUnit { .. } => "form",
    };
    let bad = [
        ("", "number"),
        ("m", "number"),
        ("- 3 m", "number"),
        (".", "number"),
        ("e5 m", "number"),
        ("nan m", "finite"),
        ("-inf", "finite"),
        ("1e999 m", "finite"),
        ("3 furlong", "unit"),
        ("3 mins", "unit"),
        ("3 M", "unit"),
        ("3 kmin", "unit"),
        ("1.2.3 m", "unit"),
        ("3 m^", "exponent"),
        ("3 m^x", "exponent"),
        ("3 m^(1/0)", "exponent"),
        ("3 m^99999", "exponent"),
        ("3 m^1.23456", "exponent"),
        ("3 m/", "form"),
        ("3 /m", "form"),
        ("3 m//s", "form"),
        ("3 N/(m s", "form"),
        ("3 ((m))", "form"),
        ("3 m)", "form"),
        ("3 m^2^2", "form"),
    ];
    for (text, why) in bad {
        assert_eq!(reason(text), why, "{text}");
    }
    let long = format!("1 {}", "m^999 ".repeat(2000));
    assert!(parse_quantity(&long).is_err());
    assert!(parse_quantity(&format!("1 {}", "(".repeat(100_000))).is_err());
}

#[test]
fn an_unknown_unit_suggests_a_known_one() {
    let nearest = |text: &str| match parse_unit(text) {
        Err(UnitFault::UnknownUnit { nearest, .. }) => nearest,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(nearest("dge").as_deref(), Some("deg"));
    assert_eq!(nearest("degrees").as_deref(), Some("deg"));
    assert_eq!(nearest("Nm").as_deref(), Some("N m"));
    assert_eq!(nearest("mpa").as_deref(), Some("MPa"));
    assert_eq!(nearest("parsec"), None);
}

#[test]
fn angle_may_be_dropped_only_where_mass_is_expected() {
    let fits = |found: &str, expected: &str| Dim::of(found).fits(Dim::of(expected));
    assert!(fits("N m", "N m/rad") && fits("N m/rad", "N m") && fits("N m s", "N m s/rad"));
    assert!(!fits("1/s", "rad/s") && !fits("rad/s", "1/s") && !fits("1", "rad") && !fits("rad", "1"));
    assert!(!fits("N", "N m") && !fits("m", "m/rad"));
}

#[test]
fn a_unit_gives_its_factor() {
    assert_eq!(parse_unit("deg").unwrap().0, PI / 180.0);
    assert_eq!(parse_unit("").unwrap(), (1.0, Dim::NONE));
    assert_eq!(parse_unit("kg cm^2").unwrap(), (1e-4, Dim::of("kg m^2")));
}

#[test]
fn every_shown_dimension_reads_back_as_itself() {
    for (text, dim) in &SHOWN[1..] {
        assert_eq!(Dim::of(text), *dim, "{text}");
    }
    for text in ["N/m^1.5", "kg^2 m^4/s^4", "N s/m^2", "kg s", "rad^2/s^(1/3)", "1/s^3", "N/m/s"] {
        let shown = Dim::of(text).to_string();
        assert_eq!(Dim::of(&shown), Dim::of(text), "{text} shown as {shown}");
    }
}
