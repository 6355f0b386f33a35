//! Error against tolerance, and cost against accuracy, for the adaptive methods.
//! Not here: stiff equations.

use super::*;
use crate::integrate::at_times;

/// Slope of the straight line through points, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (mx, my) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let above: f64 = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    above / points.iter().map(|p| (p.0 - mx).powi(2)).sum::<f64>()
}

#[test]
fn the_error_is_proportional_to_the_tolerance_over_six_decades() {
    for entry in adaptive() {
        for (what, equation, start, t1, exact) in [
            ("oscillator", OSCILLATOR, vec![1.0, 0.0], 20.0, vec![20.0_f64.cos(), -20.0_f64.sin()]),
            ("Kepler", KEPLER, KEPLER_START.to_vec(), 10.0, kepler_exactly(10.0).to_vec()),
        ] {
            let points: Vec<(f64, f64)> = (0..=24)
                .map(|k| {
                    let exponent = -4.0 - 0.25 * f64::from(k);
                    let (y, _) = run(entry, equation, (0.0, t1), &start, &Settings::tolerance(10.0_f64.powf(exponent)));
                    (exponent, largest_difference(&y, &exact).log10())
                })
                .collect();
            let slope = slope(&points);
            assert!((0.8..=1.2).contains(&slope), "{} on {what}: slope {slope}, {points:?}", entry.name);
        }
    }
}

#[test]
fn the_dense_output_is_as_accurate_as_the_steps() {
    let times: Vec<f64> = (1..500).map(|k| 0.02 * f64::from(k)).collect();
    for entry in adaptive() {
        for tolerance in [1e-5, 1e-8, 1e-11] {
            let (mut count, mut worst) = (0, 0.0_f64);
            let mut samples = at_times(&times, 2, |t, y| {
                count += 1;
                worst = worst.max(largest_difference(y, &[t.cos(), -t.sin()]));
            });
            let (_, y, _) = observed(entry, OSCILLATOR, (0.0, 10.0), &[1.0, 0.0], &Settings::tolerance(tolerance), &mut samples);
            assert_eq!(count, times.len());
            let at_end = largest_difference(&y, &[10.0_f64.cos(), -10.0_f64.sin()]);
            assert!(worst < 5.0 * at_end.max(2.0 * tolerance), "{} at {tolerance:e}: {worst:e} between, {at_end:e} at the end", entry.name);
        }
    }
}

#[test]
fn adams_on_an_ellipse_reaches_order_eight_and_needs_under_sixty_percent_of_the_evaluations_of_dormand_prince() {
    let exact = kepler_exactly(20.0);
    let cost = |name, tolerance| {
        let (y, statistics) = run(method(name), KEPLER, (0.0, 20.0), &KEPLER_START, &Settings::tolerance(tolerance));
        (largest_difference(&y, &exact), statistics)
    };
    let (error, adams) = cost("adams", 1e-10);
    assert!(adams.highest_order >= 8, "order {}", adams.highest_order);
    assert!(error < 1e-7, "{error:e}");
    // Dormand-Prince at the loosest tolerance that is as accurate as Adams was, and at the same tolerance.
    let (equal_error, equal) = (0..60)
        .map(|k| cost("dopri5", 10.0_f64.powf(-7.0 - 0.1 * f64::from(k))))
        .find(|(e, _)| *e <= error)
        .expect("an equal accuracy is in reach");
    let (same_error, same) = cost("dopri5", 1e-10);
    let text = format!(
        "adams {error:e} with {} (order {}); dopri5 {equal_error:e} with {}; at 1e-10 {same_error:e} with {}",
        adams.evaluations, adams.highest_order, equal.evaluations, same.evaluations
    );
    assert!(10 * adams.evaluations < 6 * equal.evaluations, "{text}");
    assert!(10 * adams.evaluations < 6 * same.evaluations, "{text}");
}

#[test]
fn the_energy_of_ten_orbits_stays_when_the_tolerance_is_tight() {
    let energy = |y: &[f64]| 0.5 * (y[2] * y[2] + y[3] * y[3]) - 1.0 / y[0].hypot(y[1]);
    for entry in adaptive() {
        let mut drift = 0.0_f64;
        let mut watch = |step: &crate::integrate::Step| {
            drift = drift.max((energy(step.y) + 0.5).abs());
            crate::integrate::Flow::Continue
        };
        let (end, ..) = observed(entry, KEPLER, (0.0, 62.8), &KEPLER_START, &Settings::tolerance(1e-12), &mut watch);
        // The largest kinetic energy is 2.
        assert!(end.is_ok() && drift < 2e-9, "{}: {drift:e}", entry.name);
    }
}

#[test]
fn two_runs_give_the_same_bits() {
    for entry in INTEGRATORS {
        let settings = Settings { step: Some(0.01), ..Settings::default() };
        let once = run(entry, KEPLER, (0.0, 5.0), &KEPLER_START, &settings);
        let again = run(entry, KEPLER, (0.0, 5.0), &KEPLER_START, &settings);
        assert_eq!(once, again, "{}", entry.name);
    }
}

#[test]
fn a_used_method_gives_the_same_bits_as_a_new_one() {
    for entry in INTEGRATORS {
        let (settings, mut built, mut equation) = (Settings { step: Some(0.01), ..Settings::default() }, (entry.build)(4), KEPLER.solved());
        let mut once = |interval| {
            let (mut y, mut statistics) = (KEPLER_START, Statistics::default());
            let end = integrate(&mut *built, &mut equation, interval, &mut y, &settings, &mut statistics, &mut Unobserved);
            assert!(end.is_ok());
            (y.to_vec(), statistics)
        };
        once((0.0, 2.3));
        assert_eq!(once((0.0, 5.0)), run(entry, KEPLER, (0.0, 5.0), &KEPLER_START, &settings), "{}", entry.name);
    }
}

#[test]
fn counters_count_what_was_done() {
    for entry in INTEGRATORS {
        let settings = Settings { step: Some(0.02), ..Settings::tolerance(1e-6) };
        let mut steps = 0;
        let mut count = |_: &crate::integrate::Step| {
            steps += 1;
            crate::integrate::Flow::Continue
        };
        let (_, _, statistics) = observed(entry, KEPLER, (0.0, 7.0), &KEPLER_START, &settings, &mut count);
        assert_eq!(statistics.accepted, steps, "{}", entry.name);
        assert!(statistics.smallest_step > 0.0 && statistics.smallest_step <= statistics.largest_step && statistics.largest_step < 7.0);
        let attempts = statistics.accepted + statistics.rejected;
        let (evaluations, jacobians, factorisations) = match entry.name {
            "heun" => (1 + 2 * steps, 0, 0),
            "rk4" => (1 + 4 * steps, 0, 0),
            "dopri5" => (1 + 6 * attempts, 0, 0),
            "adams" => (1 + 2 * statistics.accepted + statistics.rejected, 0, 0),
            "rosenbrock" => (statistics.accepted + 5 * attempts, statistics.accepted, attempts),
            other => panic!("no counts for {other}"),
        };
        assert_eq!(statistics.evaluations, evaluations, "{}", entry.name);
        assert_eq!((statistics.jacobians, statistics.factorisations), (jacobians, factorisations), "{}", entry.name);
        assert_eq!(statistics.starts, 1);
    }
}
