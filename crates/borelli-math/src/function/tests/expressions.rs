//! Expressions: grammar, the derivatives of every operator, and hostile text.

use super::super::*;
use super::{close, difference};

fn parse(text: &str) -> Expression {
    Expression::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn fault(text: &str) -> ExpressionFault {
    Expression::parse(text).unwrap_err()
}

fn value(text: &str, x: f64) -> f64 {
    parse(text).derivatives(x)[0]
}

#[test]
fn operators_bind_as_in_print() {
    for (text, expected) in [
        ("1 - 2 - 3", -4.0),
        ("8/4/2", 1.0),
        ("2 + 3*4", 14.0),
        ("(2 + 3)*4", 20.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("2*-3", -6.0),
        ("--3", 3.0),
        ("-x^2", -9.0),
        ("(-x)^2", 9.0),
        ("-x*x", -9.0),
        ("1e3 + 2.5E-1 + .5 + 5.", 1005.75),
        ("1e+2", 100.0),
        ("2*e", 2.0 * std::f64::consts::E),
        ("2*pi", TAU),
        ("min(x, 2) - max(1, x)", -1.0),
        ("\tx \n", 3.0),
    ] {
        assert_eq!(value(text, 3.0), expected, "{text}");
    }
    assert_eq!(parse("t^2 + t"), parse("x^2 + x"));
    assert_eq!(value("0.6*sin(2*pi*0.9*x)", 0.3), 0.6 * crate::real::sin_cos(2.0 * std::f64::consts::PI * 0.9 * 0.3).0);
}

#[test]
fn functions_have_the_values_of_the_standard_library() {
    let names = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "ln", "sqrt", "abs"];
    let functions: [fn(f64) -> f64; 13] = [
        f64::sin,
        f64::cos,
        f64::tan,
        f64::asin,
        f64::acos,
        f64::atan,
        f64::sinh,
        f64::cosh,
        f64::tanh,
        f64::exp,
        f64::ln,
        f64::sqrt,
        f64::abs,
    ];
    for (name, f) in names.into_iter().zip(functions) {
        for x in [0.07, 0.4, 0.93] {
            close(value(&format!("{name}(x)"), x), f(x), 2e-16, name);
            close(value(&format!("{name}({x})"), 0.0), f(x), 2e-16, name);
        }
    }
    for (y, x) in [(0.3, 0.8), (0.3, -0.8), (-0.3, -0.8), (-0.3, 0.8)] {
        assert_eq!(value(&format!("atan2({y}, x)"), x), y.atan2(x));
    }
}

#[test]
fn every_operator_has_three_derivatives() {
    let inner = "(0.3 + 0.4*x + 0.2*x^2)";
    let mut texts: Vec<String> = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "ln", "sqrt", "abs"]
        .iter()
        .map(|name| format!("{name}({inner})"))
        .collect();
    texts.extend(
        [
            "x + exp(x)",
            "exp(x) - x^3",
            "-exp(2*x)",
            "exp(x)*sin(3*x)",
            "sin(3*x)/exp(x)",
            "1/(1 + x^2)",
            "x^5",
            "x^-2",
            "x^2.5",
            "2^x",
            "(1 + x)^sin(x)",
            "min(x^3, 5 + x)",
            "max(x^3, x - 5)",
            "abs(x - 9)",
            "atan2(sin(x) + x^3, 0.2 + x^2)",
            "atan2(sin(x) - x, -1 - x^2)",
            "atan2(x, 2)",
            "atan2(2, x)",
            "ln(x)^3 * sqrt(1 + cos(x)^2)",
        ]
        .map(String::from),
    );
    for text in &texts {
        let f = parse(text);
        for x in [0.17, 0.55, 0.81] {
            for order in 1..4 {
                let by_difference = difference(|x| f.derivatives(x)[order - 1], x, 1e-3);
                close(f.derivatives(x)[order], by_difference, 1e-10, &format!("derivative {order} of {text} at {x}"));
            }
        }
    }
}

#[test]
fn powers_with_whole_exponents_hold_at_zero_and_below() {
    assert_eq!(parse("x^2").derivatives(0.0), [0.0, 0.0, 2.0, 0.0]);
    assert_eq!(parse("x^3").derivatives(-2.0), [-8.0, 12.0, -12.0, 6.0]);
    assert_eq!(parse("x^1").derivatives(0.0), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(parse("x^0").derivatives(0.0), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(parse("x^(1 + 1)").derivatives(-3.0), [9.0, -6.0, 2.0, 0.0]);
}

#[test]
fn outside_the_domain_values_are_not_finite() {
    for text in
        ["1/x", "ln(x)", "x^-1", "sqrt(x - 1)", "asin(x + 2)", "(x - 1)^0.5", "0/x", "1/0", "exp(1e3 + x)", "min(0/x, 1)", "max(1, 0/x)"]
    {
        assert!(!value(text, 0.0).is_finite(), "{text}");
    }
    // A constant branch keeps its derivatives even at the end of the domain.
    assert_eq!(parse("sqrt(max(0, x))").derivatives(-1.0), [0.0; 4]);
}

#[test]
fn kinks_are_only_continuous() {
    for text in ["abs(x)", "2 + min(x, 1)", "sin(max(x, 0))"] {
        assert_eq!(parse(text).continuity(), Continuity::C0);
    }
    for text in ["abs(-3)*x", "x^2*sin(x)", "max(1, 2)"] {
        assert_eq!(parse(text).continuity(), Continuity::Smooth);
    }
}

#[test]
fn a_fault_says_where_and_what_is_expected() {
    let unexpected = |position, found: &str, expected| ExpressionFault::Unexpected { position, found: found.into(), expected };
    let operand = "a number, a name, `-` or `(`";
    for (text, expected) in [
        ("", unexpected(0, "the end", operand)),
        ("  ", unexpected(2, "the end", operand)),
        ("1 +", unexpected(3, "the end", operand)),
        ("2 x", unexpected(2, "`x`", "an operator or the end")),
        ("2e", unexpected(1, "`e`", "an operator or the end")),
        ("x)", unexpected(1, "`)`", "an operator or the end")),
        ("(x 2", unexpected(3, "`2`", "an operator or `)`")),
        ("sin x", unexpected(4, "`x`", "`(`")),
        ("min(1)", unexpected(5, "`)`", "an operator or `,`")),
        ("sin(1, 2)", unexpected(5, "`,`", "an operator or `)`")),
        ("x ** 2", unexpected(3, "`*`", operand)),
        ("1.2.3", unexpected(0, "`1.2.3`", "a number")),
        ("x \u{2212} 1", unexpected(2, "`\u{2212}`", "an operator or the end")),
        ("3*.", unexpected(2, "`.`", operand)),
        ("1 + foo(x)", ExpressionFault::UnknownName { position: 4, name: "foo".into() }),
        ("x + t", ExpressionFault::MixedVariables { position: 4 }),
        ("x*1e999", ExpressionFault::NumberTooLarge { position: 2, text: "1e999".into() }),
    ] {
        assert_eq!(fault(text), expected, "{text}");
    }
    assert_eq!(fault("log(x)").to_string().lines().next(), Some("byte 0: unknown name `log`"));
    assert!(fault("log(x)").to_string().contains("hint: known are x (or t) pi e sin cos"));
}

#[test]
fn hostile_text_is_refused_without_overflow() {
    for text in ["(".repeat(8000), "-".repeat(8000), "sin(".repeat(2000), "x^".repeat(4000), "min(x,".repeat(1300)] {
        assert!(matches!(fault(&text), ExpressionFault::TooDeep { .. }), "{}", &text[..6]);
    }
    assert_eq!(fault(&"1+(".repeat(33)), ExpressionFault::TooDeep { position: 96, limit: 32 });
    assert_eq!(fault(&" ".repeat(10_000)), ExpressionFault::TooLong { length: 10_000, limit: 8192 });
    // Long but shallow is fine.
    assert_eq!(value(&vec!["x"; 4000].join("+"), 1.0), 4000.0);
}

#[test]
fn random_text_never_panics() {
    let pieces = [
        "x", "t", "(", ")", ",", "+", "-", "*", "/", "^", "sin", "min(", "atan2", "1", ".5", "e", "1e", "2.", " ", "pi", "abs(", "\u{e9}",
        "_", "0",
    ];
    let mut state = 12345_u64;
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..5 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        if let Ok(f) = Expression::parse(&text) {
            accepted += 1;
            for x in [-1.0, 0.0, 2.5, f64::NAN, f64::INFINITY] {
                f.derivatives(x);
            }
        }
    }
    assert!(accepted > 50);
}

#[test]
fn a_scaled_expression_follows_the_chain_rule() {
    let (value, argument) = (0.25, 0.5);
    let plain = parse("exp(-x)*sin(3*x)");
    let scaled = plain.clone().scaled(value, argument);
    for x in [-0.7, 0.0, 1.3] {
        let (e, f) = (plain.derivatives(x / argument), scaled.derivatives(x));
        let expected = [value * e[0], value / argument * e[1], value / argument.powi(2) * e[2], value / argument.powi(3) * e[3]];
        assert_eq!(f, expected, "x = {x}");
    }
    assert_eq!(plain.clone().scaled(1.0, 1.0), plain);
}
