//! Closed forms and all kinds together: derivatives by the argument and by the constants.

use super::super::*;
use super::{close, difference};
use crate::dual::Dual;

fn expression(text: &str) -> Function<f64> {
    Function::Expression(Arc::new(Expression::parse(text).unwrap()))
}

fn table(interpolation: Interpolation, outside: Outside) -> Function<f64> {
    let x = vec![-1.0, -0.4, 0.1, 0.9, 1.7, 2.0];
    let y = vec![0.3, -0.2, 0.5, 0.7, 1.9, 0.3];
    Function::Table(Arc::new(Table::new(x, y, interpolation, outside).unwrap()))
}

fn every_kind() -> Vec<Function<f64>> {
    let mut all = vec![
        Function::Constant(-2.5),
        Function::Polynomial { origin: 0.4, coefficients: vec![1.0, -2.0, 0.5, 3.0, -0.7] },
        Function::Polynomial { origin: 0.4, coefficients: vec![] },
        Function::Sine { amplitude: 0.6, frequency: 0.9, phase: 0.3, offset: -0.1 },
        Function::Fourier { period: 1.3, mean: 0.2, cosines: vec![0.5, -0.1, 0.02], sines: vec![-0.3, 0.4] },
        expression("0.6*sin(2*pi*0.9*x) + x^3/(1 + x^2)"),
    ];
    for interpolation in [Interpolation::Linear, Interpolation::Spline, Interpolation::Pchip, Interpolation::Makima] {
        for outside in [Outside::Error, Outside::Hold, Outside::Extrapolate, Outside::Periodic] {
            all.push(table(interpolation, outside));
        }
    }
    all
}

#[test]
fn each_derivative_is_the_slope_of_the_one_before() {
    for f in every_kind() {
        for x in [-1.6, -0.7, -0.123, 0.45, 1.234, 1.88, 2.3] {
            let [_, slope, bend] = f.eval(x);
            // All these are cubics or entire functions near the point, so that a sixth-order difference is nearly exact.
            close(slope, difference(|x| f.eval(x)[0], x, 1e-3), 1e-11, &format!("{f:?} at {x}"));
            close(bend, difference(|x| f.eval(x)[1], x, 1e-3), 1e-11, &format!("{f:?} at {x}"));
        }
    }
}

#[test]
fn duals_carry_the_next_derivative() {
    for f in every_kind() {
        for x in [-1.6, -0.7, -0.123, 0.45, 1.234, 1.88, 2.3] {
            let plain = f.eval(x);
            let dual = f.eval(Dual::<1>::variable(x, 0));
            for k in 0..3 {
                close(dual[k].re, plain[k], 1e-15, "value");
            }
            close(dual[0].eps[0], plain[1], 1e-14, "slope");
            close(dual[1].eps[0], plain[2], 1e-14, "bend");
            close(dual[2].eps[0], difference(|x| f.eval(x)[2], x, 1e-3), 1e-10, &format!("third derivative of {f:?} at {x}"));
        }
    }
}

#[test]
fn derivatives_by_the_constants_equal_differences() {
    let x = 0.37;
    for f in every_kind() {
        let mut count = 0;
        f.map(|c: f64| {
            count += 1;
            c
        });
        for which in 0..count {
            let shifted = |by: f64| {
                let mut k = 0;
                f.map(|c| {
                    k += 1;
                    if k == which + 1 { c + by } else { c }
                })
            };
            let mut k = 0;
            let dual = f.map(|c| {
                k += 1;
                if k == which + 1 { Dual::<1>::variable(c, 0) } else { Dual::from_f64(c) }
            });
            let by_dual = dual.eval(Dual::from_f64(x));
            for order in 0..3 {
                close(by_dual[order].re, f.eval(x)[order], 1e-14, "value");
                let by_difference = difference(|by| shifted(by).eval(x)[order], 0.0, 1e-3);
                close(by_dual[order].eps[0], by_difference, 1e-10, &format!("constant {which} of {f:?}, derivative {order}"));
            }
        }
    }
}

#[test]
fn a_polynomial_counts_its_powers_from_the_origin() {
    let f = Function::Polynomial { origin: 2.0, coefficients: vec![1.0, 0.0, 0.0, 4.0] };
    assert_eq!(f.eval(2.5), [1.0 + 4.0 * 0.125, 12.0 * 0.25, 24.0 * 0.5]);
}

#[test]
fn a_single_harmonic_is_a_sine() {
    let (amplitude, phase, offset) = (0.7, 0.4_f64, 1.1);
    let sine = Function::Sine { amplitude, frequency: 3.0 / 0.8, phase, offset };
    let (s, c) = phase.sin_cos();
    let fourier =
        Function::Fourier { period: 0.8, mean: offset, cosines: vec![0.0, 0.0, amplitude * s], sines: vec![0.0, 0.0, amplitude * c] };
    for x in [-3.3, -0.2, 0.0, 0.11, 5.7] {
        let (a, b) = (sine.eval(x), fourier.eval(x));
        let w = TAU * 3.0 / 0.8;
        for k in 0..3 {
            close(a[k] / w.powi(k as i32), b[k] / w.powi(k as i32), 5e-14, "harmonic");
        }
    }
}

#[test]
fn harmonics_by_rotation_equal_their_own_sines() {
    let sines: Vec<f64> = (1..=40).map(|k| 1.0 / f64::from(k)).collect();
    let f = Function::Fourier { period: 1.0, mean: 0.0, cosines: vec![], sines: sines.clone() };
    for x in [-0.3, 0.07, 0.61] {
        let direct: f64 = (1..=40).map(|k| (TAU * f64::from(k) * x).sin() / f64::from(k)).sum();
        close(f.eval(x)[0], direct, 1e-13, "saw tooth");
    }
}

#[test]
fn only_tables_have_breakpoints_domains_and_periods() {
    for f in every_kind() {
        if let Function::Table(table) = &f {
            assert_eq!(f.breakpoints(), [-1.0, -0.4, 0.1, 0.9, 1.7, 2.0]);
            assert_eq!(f.domain(), (table.outside() == Outside::Error).then_some((-1.0, 2.0)));
            assert_eq!(f.period(), (table.outside() == Outside::Periodic).then_some(3.0));
        } else {
            assert!(f.breakpoints().is_empty() && f.domain().is_none() && f.period().is_none());
            assert_eq!(f.continuity(), Continuity::Smooth);
        }
    }
    assert!(Continuity::C0 < Continuity::C1 && Continuity::C1 < Continuity::C2 && Continuity::C2 < Continuity::Smooth);
}
