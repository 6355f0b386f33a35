//! Order of convergence with equal steps, at the ends of steps and between them.
//! Not here: Adams, whose order varies (`accuracy`).

use super::*;
use crate::integrate::{Flow, Step};

/// Largest error at the ends of n equal steps, and of the dense output inside them.
fn errors(entry: &Entry, n: usize) -> [f64; 2] {
    let (t1, settings) = (1.0, equal_steps(1.0 / n as f64));
    let (mut worst, mut y) = ([0.0_f64; 2], [0.0; 2]);
    let mut compare = |step: &Step| {
        worst[0] = worst[0].max(largest_difference(step.y, &driven_exactly(step.t1)));
        for part in [0.15, 0.3, 0.5, 0.65, 0.85] {
            let t = step.t0 + part * (step.t1 - step.t0);
            step.interpolant.eval(t, &mut y);
            worst[1] = worst[1].max(largest_difference(&y, &driven_exactly(t)));
        }
        Flow::Continue
    };
    let (end, _, statistics) = observed(entry, DRIVEN, (0.0, t1), &[1.0, 1.0], &settings, &mut compare);
    assert_eq!(end, Ok(End { t: t1, stopped: false }));
    assert_eq!(statistics.accepted, n, "{}", entry.name);
    worst
}

#[test]
fn halving_the_step_divides_the_error_by_two_to_the_order() {
    for (name, order, dense, n) in [("heun", 2, 2, 200), ("rk4", 4, 4, 100), ("dopri5", 5, 5, 30), ("rosenbrock", 4, 4, 100)] {
        let (coarse, fine) = (errors(method(name), n), errors(method(name), 2 * n));
        for (k, power) in [order, dense].into_iter().enumerate() {
            let (ratio, expected) = (coarse[k] / fine[k], 2.0_f64.powi(power));
            assert!(
                (ratio / expected - 1.0).abs() < 0.15,
                "{name}, place {k}: {:e} to {:e}, ratio {ratio} for {expected}",
                coarse[k],
                fine[k]
            );
        }
    }
}

#[test]
fn the_dense_output_joins_both_ends_of_every_step() {
    for entry in INTEGRATORS {
        let mut settings = Settings::tolerance(1e-8);
        settings.step = Some(0.01);
        let (mut y, mut before) = (vec![0.0; 4], KEPLER_START.to_vec());
        let mut check = |step: &Step| {
            step.interpolant.eval(step.t0, &mut y);
            assert!(largest_difference(&y, &before) < 1e-14, "{} at {}", entry.name, step.t0);
            step.interpolant.eval(step.t1, &mut y);
            assert_eq!(y, step.y, "{} at {}", entry.name, step.t1);
            step.interpolant.eval(step.t1 - 1e-9 * (step.t1 - step.t0), &mut y);
            assert!(largest_difference(&y, step.y) < 1e-7, "{} at {}", entry.name, step.t1);
            before.copy_from_slice(step.y);
            Flow::Continue
        };
        let (end, ..) = observed(entry, KEPLER, (0.0, 3.0), &KEPLER_START, &settings, &mut check);
        assert!(end.is_ok(), "{}", entry.name);
    }
}
