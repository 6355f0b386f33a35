//! Checks of the residual analysis: the reference's numbers, and a signal whose noise is known.

use super::*;
use crate::signal::tests::columns;
use borelli_math::random::Random;
use std::f64::consts::TAU;

#[test]
fn the_proposed_cutoff_is_that_of_the_reference() {
    let files = ["signal", "residuals", "result"].map(|file| columns(&format!("benchmarks/data/residual_{file}.csv")));
    let [Some(signal), Some(residuals), Some(result)] = files else { return };
    let cutoffs: Vec<f64> = (2..=50).map(|k| 0.5 * f64::from(k)).collect();
    let options = ResidualOptions { correction: Correction::Frequency, cutoffs, fit: Some((12.0, 24.0)), ..ResidualOptions::default() };
    let found = analyse_residuals(&signal["raw"], 100.0, &options).expect("an analysis");
    assert_eq!(found.curve.len(), residuals["fc_Hz"].len());
    for ((f, R), (expected_f, expected)) in found.curve.iter().zip(residuals["fc_Hz"].iter().zip(&residuals["rms_residual"])) {
        assert!(f == expected_f && (R - expected).abs() < 1e-12, "{f} {R} {expected}");
    }
    assert!((found.intercept - result["intercept"][0]).abs() < 1e-12);
    assert!((found.slope - result["slope_per_Hz"][0]).abs() < 1e-12);
    assert!((found.cutoff - result["cutoff_Hz"][0]).abs() < 1e-9);
    assert_eq!(found.fitted, (12.0, 24.0));
    assert!(found.r_squared > 0.9 && found.straight);
    // Left to itself it proposes nearly the same.
    let own = propose_cutoff(&signal["raw"], 100.0).expect("an analysis");
    assert!(own.straight && (own.cutoff - found.cutoff).abs() < 1.0, "{} {:?}", own.cutoff, own.fitted);
}

#[test]
fn the_intercept_is_the_noise_of_a_noisy_sine() {
    let mut random = Random::new(9);
    for rate in [60.0, 100.0, 250.0] {
        let noise = 0.02;
        let x: Vec<f64> =
            (0..1000).map(|k| (TAU * 1.1 * f64::from(k) / rate).sin() + random.uniform(-1.0, 1.0) * noise * 3.0_f64.sqrt()).collect();
        let found = propose_cutoff(&x, rate).expect("an analysis");
        assert!(found.straight && found.straightness <= 0.02 && found.slope < 0.0, "{rate}: {found:?}");
        // The line of a real filter meets zero a little above or below the noise itself.
        assert!((found.intercept / noise - 1.0).abs() < 0.25, "{rate}: {}", found.intercept);
        assert!(found.cutoff > 1.5 && found.cutoff < 8.0, "{rate}: {}", found.cutoff);
    }
}

#[test]
fn a_signal_without_a_straight_part_is_told() {
    // Noise in a narrow band: the curve has a cliff in its upper half.
    let x: Vec<f64> = (0..500).map(|k| f64::from(k) / 100.0).map(|t| (TAU * t).sin() + 0.3 * (TAU * 25.0 * t + 0.4).sin()).collect();
    let found = propose_cutoff(&x, 100.0).expect("an analysis");
    assert!(!found.straight && found.straightness > 0.02, "{:?} {:?}", found.fitted, found.straightness);
    assert!(matches!(propose_cutoff(&[1.0; 5], 100.0), Err(SignalFault::TooFewSamples { .. })));
    let few = ResidualOptions { fit: Some((1.0, 1.5)), ..ResidualOptions::default() };
    assert!(matches!(analyse_residuals(&x, 100.0, &few), Err(SignalFault::TooFewCutoffs { .. })));
    let still = propose_cutoff(&[1.0; 50], 100.0).expect("an analysis");
    assert!(still.cutoff.is_finite() && still.intercept.abs() < 1e-12);
}
