//! Checks of the smoothing spline: its cost, full matrices, noisy sines, weights, uneven times.

use super::*;
use borelli_math::random::Random;
use nalgebra::{DMatrix, DVector};

/// Root mean squares of position and second derivative left by a spline through a noisy sine of 1 Hz, the ends left out.
fn noisy_sine(seed: u64, jitter: f64, drop: bool) -> [f64; 2] {
    let mut random = Random::new(seed);
    let t: Vec<f64> = (0..200).map(|k| f64::from(k) * 0.01 + random.uniform(-jitter, jitter)).collect();
    // Even noise of half width 0.01 has the standard deviation 0.0058.
    let y: Vec<f64> = t.iter().map(|t| (TAU * t).sin() + random.uniform(-0.01, 0.01)).collect();
    let weights: Vec<f64> = (0..200).map(|k| if drop && k % 7 == 3 { 0.0 } else { 1.0 }).collect();
    let spline = SmoothingSpline::gcv_weighted(&t, &y, &weights).expect("a spline");
    let inner: Vec<f64> = t.iter().copied().filter(|t| (0.1..=1.89).contains(t)).collect();
    let rms = |order: usize, truth: fn(f64) -> f64| {
        let squares: f64 = inner.iter().map(|t| (spline.derivatives(*t)[order] - truth(*t)).powi(2)).sum();
        (squares / inner.len() as f64).sqrt()
    };
    [rms(0, |t| (TAU * t).sin()), rms(2, |t| -TAU * TAU * (TAU * t).sin())]
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    0.5 * (list[(list.len() - 1) / 2] + list[list.len() / 2])
}

#[test]
fn a_noisy_sine_is_found_again_with_its_acceleration() {
    let found: Vec<[f64; 2]> = (1..=20).map(|seed| noisy_sine(seed, 0.0, false)).collect();
    let [position, acceleration] = [0, 1].map(|k| median(found.iter().map(|f| f[k]).collect()));
    assert!(position <= 0.002 && acceleration <= 1.5, "{position} {acceleration}");
    // Uneven times and missing samples cost little.
    let found: Vec<[f64; 2]> = (1..=20).map(|seed| noisy_sine(seed, 0.004, true)).collect();
    let [position, acceleration] = [0, 1].map(|k| median(found.iter().map(|f| f[k]).collect()));
    assert!(position <= 0.002 && acceleration <= 1.5, "uneven: {position} {acceleration}");
}

#[test]
fn without_smoothing_it_passes_through_its_samples() {
    let t = [0.0, 0.11, 0.19, 0.32, 0.4, 0.55, 0.6];
    let y = [1.0, -0.5, 0.3, 0.9, 0.2, 0.1, 0.7];
    let spline = natural_quintic(&t, &y).expect("a spline");
    assert!(t.iter().zip(&y).all(|(t, y)| (spline.derivatives(*t)[0] - y).abs() < 1e-14));
    assert_eq!((spline.lambda(), spline.noise(), spline.parameters(), spline.cutoff()), (0.0, 0.0, 7.0, f64::INFINITY));
    // Strong smoothing leaves the parabola of least squares.
    let flat = SmoothingSpline::with(&t, &y, 1e3).expect("a spline");
    let powers = DMatrix::from_fn(7, 3, |i, k| t[i].powi(k as i32));
    let fit = (powers.transpose() * &powers).try_inverse().expect("regular") * powers.transpose() * DVector::from_row_slice(&y);
    assert!((flat.derivatives(0.3)[0] - (fit[0] + 0.3 * fit[1] + 0.09 * fit[2])).abs() < 1e-6);
    assert!((flat.parameters() - 3.0).abs() < 1e-5);
}

#[test]
fn a_sine_keeps_the_share_it_should() {
    let (h, frequency) = (0.01, 4.0);
    let t: Vec<f64> = (0..1000).map(|k| f64::from(k) * h).collect();
    let y: Vec<f64> = t.iter().map(|t| (TAU * frequency * t).sin()).collect();
    let lambda = 1.0 / (h * (TAU * frequency).powi(6));
    let spline = SmoothingSpline::with(&t, &y, lambda).expect("a spline");
    assert!((spline.cutoff() - frequency).abs() < 1e-9);
    let worst = (400..600).map(|k| (spline.derivatives(t[k])[0] - 0.5 * y[k]).abs()).fold(0.0, f64::max);
    // Samples instead of the continuous sine: (2 pi f h)^6 of relative size.
    assert!(worst < 1e-4, "{worst:e}");
}

#[test]
fn the_spline_is_the_minimum_of_its_cost() {
    let mut random = Random::new(2);
    let t: Vec<f64> = (0..12).map(|k| f64::from(k) + random.uniform(-0.3, 0.3)).collect();
    let (y, weights) = (random.uniforms(12, -1.0, 1.0), random.uniforms(12, 0.5, 2.0));
    let lambda = 0.7;
    let spline = SmoothingSpline::with_weights(&t, &y, &weights, lambda).expect("a spline");
    // Cost (1) of a natural spline through given values, by summing over a fine grid; every other function costs more than the spline of its values.
    let cost = |g: &[f64]| {
        let through = natural_quintic(&t, g).expect("a spline");
        let (first, last, steps) = (t[0], t[11], 20_000);
        let step = (last - first) / f64::from(steps);
        let rough: f64 = (0..steps).map(|k| through.derivatives(first + (f64::from(k) + 0.5) * step)[3].powi(2) * step).sum();
        (0..12).map(|i| weights[i] * (y[i] - g[i]).powi(2)).sum::<f64>() + lambda * rough
    };
    let g: Vec<f64> = t.iter().map(|t| spline.derivatives(*t)[0]).collect();
    let best = cost(&g);
    for i in 0..12 {
        for step in [-1e-3, 1e-3] {
            let mut other = g.clone();
            other[i] += step;
            assert!(cost(&other) > best, "{i}");
        }
    }
}

#[test]
fn cross_validation_by_bands_is_that_of_full_matrices() {
    let mut random = Random::new(8);
    let t: Vec<f64> = (0..15).map(|k| f64::from(k) * 0.1 + random.uniform(-0.02, 0.02)).collect();
    let (y, weights) = (random.uniforms(15, -1.0, 1.0), random.uniforms(15, 0.5, 2.0));
    let problem = Problem::new(&t, &y, Some(&weights)).expect("a problem");
    for lambda in [1e-9, 1e-6, 1e-3] {
        // Column j of A is the spline of the j-th unit vector.
        let column = |j: usize| {
            let unit: Vec<f64> = (0..15).map(|i| f64::from(u8::from(i == j))).collect();
            let spline = SmoothingSpline::with_weights(&t, &unit, &weights, lambda).expect("a spline");
            DVector::from_fn(15, |i, _| spline.derivatives(t[i])[0])
        };
        let A = DMatrix::from_columns(&(0..15).map(column).collect::<Vec<_>>());
        let left = DVector::from_row_slice(&y) - &A * DVector::from_row_slice(&y);
        let squares: f64 = (0..15).map(|i| weights[i] * left[i] * left[i]).sum();
        let trace = 15.0 - A.trace();
        let score = 15.0 * squares / (trace * trace);
        // The bands hold the score without its factors of lambda.
        assert!((problem.score(lambda) / score - 1.0).abs() < 1e-7, "{lambda}: {} {score}", problem.score(lambda));
        let spline = problem.spline(lambda).expect("a spline");
        assert!((spline.parameters() - A.trace()).abs() < 1e-8);
        assert!((spline.noise() - (squares / trace).sqrt()).abs() < 1e-8);
    }
}

#[test]
fn a_missing_sample_is_one_without_weight() {
    let mut random = Random::new(3);
    let t: Vec<f64> = (0..40).map(|k| f64::from(k) * 0.02).collect();
    let y: Vec<f64> = t.iter().map(|t| (9.0 * t).sin() + random.uniform(-0.02, 0.02)).collect();
    let mut weights = vec![1.0; 40];
    weights[10..14].fill(0.0);
    let mut spoiled = y.clone();
    spoiled[10..14].fill(77.0);
    let without = SmoothingSpline::gcv_weighted(&t, &spoiled, &weights).expect("a spline");
    let keep = |list: &[f64]| -> Vec<f64> { (0..40).filter(|k| !(10..14).contains(k)).map(|k| list[k]).collect() };
    let shorter = SmoothingSpline::gcv(&keep(&t), &keep(&y)).expect("a spline");
    assert_eq!(without.lambda(), shorter.lambda());
    assert_eq!(without.derivatives(0.23), shorter.derivatives(0.23));
    assert!((without.noise() - 0.0115).abs() < 0.006);
}

#[test]
fn weights_in_another_unit_choose_the_same_spline() {
    let mut random = Random::new(5);
    let t: Vec<f64> = (0..100).map(|k| f64::from(k) * 0.01).collect();
    let y: Vec<f64> = t.iter().map(|t| (9.0 * t).sin() + random.uniform(-0.02, 0.02)).collect();
    let [one, other] = [1.0, 1e6].map(|w| SmoothingSpline::gcv_weighted(&t, &y, &[w; 100]).expect("a spline"));
    assert!((one.derivatives(0.5)[2] - other.derivatives(0.5)[2]).abs() < 1e-3);
    // And so do times in another unit.
    let slow: Vec<f64> = t.iter().map(|t| t * 1000.0).collect();
    let slow = SmoothingSpline::gcv(&slow, &y).expect("a spline");
    assert!((slow.derivatives(500.0)[2] * 1e6 / one.derivatives(0.5)[2] - 1.0).abs() < 1e-4);
}

#[test]
fn a_signal_without_noise_is_left_as_it_is() {
    let t: Vec<f64> = (0..100).map(|k| f64::from(k) * 0.01).collect();
    let y: Vec<f64> = t.iter().map(|t| (9.0 * t).sin()).collect();
    let spline = SmoothingSpline::gcv(&t, &y).expect("a spline");
    assert!(t.iter().zip(&y).all(|(t, y)| (spline.derivatives(*t)[0] - y).abs() < 1e-5));
    let parabola: Vec<f64> = t.iter().map(|t| 1.0 + t * t).collect();
    let spline = SmoothingSpline::gcv(&t, &parabola).expect("a spline");
    assert!((spline.derivatives(0.5)[2] - 2.0).abs() < 1e-6);
    assert!(SmoothingSpline::gcv(&t, &[0.0; 100]).expect("a spline").derivatives(0.5)[0].abs() < 1e-15);
}

#[test]
fn bad_samples_are_named() {
    assert!(matches!(SmoothingSpline::gcv(&[0.0, 1.0, 2.0], &[0.0; 3]), Err(SignalFault::TooFewSamples { needed: 4, .. })));
    assert!(matches!(natural_quintic(&[0.0], &[0.0]), Err(SignalFault::TooFewSamples { needed: 2, .. })));
    assert!(matches!(natural_quintic(&[0.0, 0.0], &[0.0; 2]), Err(SignalFault::SampleTimes { sample: 1, .. })));
    assert!(matches!(natural_quintic(&[0.0, 1.0], &[0.0, f64::NAN]), Err(SignalFault::SampleNotFinite { sample: 1, .. })));
    assert!(matches!(SmoothingSpline::with(&[0.0, 1.0], &[0.0; 2], -1.0), Err(SignalFault::BadSmoothing { .. })));
    let weights = SmoothingSpline::gcv_weighted(&[0.0, 1.0, 2.0, 3.0], &[0.0; 4], &[1.0, -1.0, 1.0, 1.0]);
    assert!(matches!(weights, Err(SignalFault::BadWeight { sample: 1, .. })));
}
