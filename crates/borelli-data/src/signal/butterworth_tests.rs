//! Checks of the Butterworth filter: closed gains, lines and constants, published coefficients and samples.

use super::*;
use crate::signal::tests::columns;
use std::f64::consts::{FRAC_1_SQRT_2, TAU};

fn low_pass(order: usize, cutoff: f64, rate: f64, passes: usize, correction: Correction) -> Butterworth {
    Butterworth::low_pass(order, cutoff, rate, passes, correction).expect("a filter")
}

#[test]
fn a_constant_and_a_line_pass_unchanged() {
    for order in 1..=8 {
        let filter = low_pass(order, 6.0, 100.0, 2, Correction::Exact);
        let level = filter.filter(&[3.7; 50], None);
        assert!(level.iter().all(|y| (y - 3.7).abs() < 1e-12), "{order}");
        let line: Vec<f64> = (0..400).map(|k| 1.0 - 0.02 * f64::from(k)).collect();
        let filtered = filter.filter(&line, Some(399));
        assert!((100..300).all(|k| (filtered[k] - line[k]).abs() < 1e-9), "{order}");
    }
}

#[test]
fn a_sine_at_the_cutoff_keeps_its_phase_and_the_root_of_one_half() {
    let rate = 200.0;
    let sine: Vec<f64> = (0..4000).map(|k| (TAU * 6.0 * f64::from(k) / rate).sin()).collect();
    for order in 1..=6 {
        for (correction, gain) in [(Correction::Exact, FRAC_1_SQRT_2), (Correction::None, 0.5)] {
            let filter = low_pass(order, 6.0, rate, 2, correction);
            let filtered = filter.filter(&sine, None);
            let worst = (1500..2500).map(|k| (filtered[k] - gain * sine[k]).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-10, "{order} {correction:?} {worst:e}");
            assert!((filter.gain(6.0) - gain).abs() < 1e-14);
        }
        let exact = low_pass(order, 6.0, rate, 2, Correction::Exact);
        assert!((exact.cutoff() - 6.0).abs() < 1e-12);
        // One pass has no correction to make.
        assert_eq!(low_pass(order, 6.0, rate, 1, Correction::Exact), low_pass(order, 6.0, rate, 1, Correction::None));
        assert!((low_pass(order, 6.0, rate, 1, Correction::None).gain(6.0) - FRAC_1_SQRT_2).abs() < 1e-14);
    }
}

#[test]
fn a_response_to_any_sine_is_the_gain_it_says() {
    let filter = low_pass(4, 10.0, 100.0, 2, Correction::Frequency);
    for frequency in [1.0, 9.0, 20.0, 40.0] {
        let sine: Vec<f64> = (0..2000).map(|k| (TAU * frequency * f64::from(k) / 100.0 + 0.3).sin()).collect();
        let filtered = filter.filter(&sine, None);
        let worst = (900..1100).map(|k| (filtered[k] - filter.gain(frequency) * sine[k]).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-12, "{frequency} {worst:e}");
    }
}

#[test]
fn the_classic_coefficients_of_a_second_order_filter_come_out() {
    // Winter's recursion for two passes, written out: C, K1, K2, K3.
    let (cutoff, rate) = (6.0, 60.0);
    let C = (2.0_f64.sqrt() - 1.0).powf(0.25);
    assert!((C - 0.802243262923150).abs() < 1e-15);
    let wc = (PI * cutoff / rate).tan() / C;
    let (K1, K2) = (2.0_f64.sqrt() * wc, wc * wc);
    let a0 = K2 / (1.0 + K1 + K2);
    let K3 = 2.0 * a0 / K2;
    let (b, a) = low_pass(2, cutoff, rate, 2, Correction::Exact).coefficients();
    let expected = [a0, 2.0 * a0, a0, 1.0, 2.0 * a0 - K3, -(1.0 - 2.0 * a0 - K3)];
    assert!(b.iter().chain(&a).zip(expected).all(|(got, expected)| (got - expected).abs() < 1e-14));
    // The other form of the correction differs by 0.3 % of the first coefficient at 6 Hz of 200 Hz.
    let first = |correction| low_pass(2, 6.0, 200.0, 2, correction).coefficients().0[0];
    let ratio = first(Correction::Frequency) / first(Correction::Exact);
    assert!((ratio - 1.0).abs() > 2e-3 && (ratio - 1.0).abs() < 4e-3, "{ratio}");
}

#[test]
fn bands_give_the_least_order_that_meets_them() {
    // 5 Hz, 20 Hz, a factor of ten in amplitude, 128 Hz, two passes: 1.05 rounded up.
    let filter = Butterworth::from_bands(5.0, 3.0103, 20.0, 20.0, 128.0, 2).expect("a filter");
    assert_eq!(filter.order(), 2);
    assert!((filter.gain(5.0) - 10.0_f64.powf(-0.150515)).abs() < 1e-12 && filter.gain(20.0) < 0.1);
    for (pass, stop, loss, passes) in [(10.0, 20.0, 40.0, 1), (10.0, 14.0, 60.0, 2), (1.0, 30.0, 20.0, 1)] {
        let filter = Butterworth::from_bands(pass, 1.0, stop, loss, 100.0, passes).expect("a filter");
        let db = |f: f64| -20.0 * filter.gain(f).log10();
        assert!((db(pass) - 1.0).abs() < 1e-10 && db(stop) >= loss - 1e-9);
        if filter.order() > 1 {
            // One order less, meeting the pass band, would miss the stop band.
            let analog = |f: f64| (PI * f / 100.0).tan();
            let n = (filter.order() - 1) as f64;
            let edge = analog(pass) / (10.0_f64.powf(0.1 / passes as f64) - 1.0).powf(0.5 / n);
            let reached = 10.0 * passes as f64 * (1.0 + (analog(stop) / edge).powf(2.0 * n)).log10();
            assert!(reached < loss, "{reached}");
        }
    }
}

#[test]
fn impossible_filters_are_refused_with_the_reason() {
    let exact = |order, cutoff, rate, passes| Butterworth::low_pass(order, cutoff, rate, passes, Correction::Exact).unwrap_err();
    assert_eq!(exact(2, 50.0, 100.0, 2), SignalFault::CutoffTooHigh { cutoff: 50.0, highest: 50.0, rate: 100.0 });
    assert_eq!(exact(2, 0.0, 100.0, 2), SignalFault::BadCutoff { cutoff: 0.0 });
    assert!(matches!(exact(2, f64::NAN, 100.0, 2), SignalFault::BadCutoff { .. }));
    assert_eq!(exact(0, 5.0, 100.0, 2), SignalFault::BadOrder { order: 0, most: 20 });
    assert_eq!(exact(2, 5.0, 100.0, 3), SignalFault::BadPasses { passes: 3 });
    assert_eq!(exact(2, 5.0, -1.0, 2), SignalFault::BadRate { rate: -1.0 });
    let frequency = Butterworth::low_pass(2, 45.0, 100.0, 2, Correction::Frequency).unwrap_err();
    assert!(matches!(frequency, SignalFault::CutoffTooHigh { highest, .. } if (highest - 40.112).abs() < 1e-3), "{frequency:?}");
    assert!(matches!(Butterworth::from_bands(20.0, 3.0, 5.0, 20.0, 128.0, 2), Err(SignalFault::BadBands { .. })));
    assert!(matches!(Butterworth::from_bands(5.0, 3.0, 20.0, 2.0, 128.0, 2), Err(SignalFault::BadLosses { .. })));
    assert!(matches!(Butterworth::from_bands(5.0, 0.1, 5.01, 80.0, 128.0, 2), Err(SignalFault::BadOrder { .. })));
    let filter = low_pass(2, 6.0, 100.0, 2, Correction::Exact);
    assert_eq!(filter.try_filter(&[1.0], None), Err(SignalFault::TooFewSamples { found: 1, needed: 2 }));
    assert!(matches!(filter.try_filter(&[1.0, f64::NAN], None), Err(SignalFault::SampleNotFinite { sample: 1, .. })));
    // Short records are filtered with as much padding as there is.
    assert_eq!(filter.filter(&[], None), [0.0; 0]);
    assert!((filter.filter(&[2.0], None)[0] - 2.0).abs() < 1e-15);
    assert_eq!(filter.filter(&[1.0, 2.0, 3.0], None).len(), 3);
}

#[test]
fn sections_multiply_to_the_published_coefficients() {
    let Some(rows) = columns("benchmarks/data/filter_coefficients.csv") else { return };
    let filters = [low_pass(2, 6.0, 200.0, 2, Correction::Frequency), low_pass(4, 10.0, 200.0, 2, Correction::None)];
    for (k, filter) in filters.iter().enumerate() {
        let (b, a) = filter.coefficients();
        for (letter, got) in [("b", b), ("a", a)] {
            for (power, got) in got.iter().enumerate() {
                assert!((got - rows[&format!("{letter}{power}")][k]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn filtered_samples_are_those_of_the_reference() {
    let Some(rows) = columns("benchmarks/data/filter_signal.csv") else { return };
    let filters = [
        ("bw2_6Hz_dualpass_corrected", low_pass(2, 6.0, 200.0, 2, Correction::Frequency)),
        ("bw4_10Hz_plain", low_pass(4, 10.0, 200.0, 2, Correction::None)),
    ];
    for (name, filter) in filters {
        let filtered = filter.filter(&rows["raw"], None);
        let worst = filtered.iter().zip(&rows[name]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-11 && filtered.len() > 100, "{name} {worst:e}");
    }
}
