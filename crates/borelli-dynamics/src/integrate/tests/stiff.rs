//! Stiff equations with the L-stable method: Van der Pol, Robertson, Prothero and Robinson.
//! Sources of digits: Mazzia, Magherini, Test Set for IVP Solvers (2008); Hairer, Wanner, Solving ODEs II.

use super::*;
use crate::integrate::{Flow, Step};

/// y1' = y2, y2' = μ ((1 - y1²) y2 - y1), μ = 10⁶ (scaled time).
const VAN_DER_POL: Equation = Equation {
    dim: 2,
    rates: |_, y, dy| dy.copy_from_slice(&[y[1], 1e6 * ((1.0 - y[0] * y[0]) * y[1] - y[0])]),
    jacobian: Some(|_, y, jac, dt| {
        jac.copy_from_slice(&[0.0, 1.0, 1e6 * (-2.0 * y[0] * y[1] - 1.0), 1e6 * (1.0 - y[0] * y[0])]);
        dt.fill(0.0);
    }),
    breakpoints: &[],
};

#[test]
fn van_der_pol_with_a_million_arrives_at_the_published_state_in_few_steps() {
    let published = [1.706167732170483, -0.8928097010247975];
    for (tolerance, most) in [(1e-4, 2500), (1e-6, 8_000), (1e-8, 27_000), (1e-10, 95_000)] {
        let settings = Settings::tolerance(tolerance);
        let (y, statistics) = run(method("rosenbrock"), VAN_DER_POL, (0.0, 2.0), &[2.0, 0.0], &settings);
        let error = largest_difference(&y, &published);
        assert!(error < 3.0 * tolerance, "{tolerance:e}: {error:e}");
        assert_eq!(statistics.jacobians, statistics.accepted);
        assert_eq!(statistics.factorisations, statistics.accepted + statistics.rejected);
        // An explicit method is bound to steps near 3/μ on the slow branches: over a million evaluations.
        assert!(statistics.evaluations < most, "{tolerance:e}: {statistics:?}");
    }
}

#[test]
fn an_explicit_method_runs_out_of_steps_on_van_der_pol() {
    let settings = Settings { max_steps: 2000, ..Settings::tolerance(1e-6) };
    let (end, ..) = observed(method("dopri5"), VAN_DER_POL, (0.0, 2.0), &[2.0, -0.66], &settings, &mut Unobserved);
    assert!(matches!(end, Err(Failure::TooManySteps { limit: 2000, .. })), "{end:?}");
}

#[test]
fn the_robertson_reaction_keeps_its_mass_and_ends_as_published_after_1e11_seconds() {
    let robertson = Equation {
        dim: 3,
        rates: |_, y, dy| {
            let (slow, fast, middle) = (0.04 * y[0], 3e7 * y[1] * y[1], 1e4 * y[1] * y[2]);
            dy.copy_from_slice(&[middle - slow, slow - middle - fast, fast]);
        },
        jacobian: Some(|_, y, jac, dt| {
            let (a, b, c) = (1e4 * y[2], 1e4 * y[1], 6e7 * y[1]);
            jac.copy_from_slice(&[-0.04, a, b, 0.04, -a - c, -b, 0.0, c, 0.0]);
            dt.fill(0.0);
        }),
        breakpoints: &[],
    };
    let settings = Settings { rtol: 1e-8, atol: 1e-18, ..Settings::default() };
    let (y, statistics) = run(method("rosenbrock"), robertson, (0.0, 1e11), &[1.0, 0.0, 0.0], &settings);
    let published = [2.083340149701255e-8, 8.333360770334713e-14, 0.999999979166505];
    for i in 0..3 {
        assert!((y[i] / published[i] - 1.0).abs() < 1e-6, "entry {i}: {} for {}", y[i], published[i]);
    }
    assert!((y.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(statistics.accepted < 3000 && statistics.largest_step > 1e9, "{statistics:?}");
}

#[test]
fn a_stiff_spring_dragged_along_a_curve_is_followed_with_third_order() {
    // y' = λ (y - sin t) + cos t with λ = -10⁶, exactly sin t; the product of λ and the step is far from zero.
    let dragged = Equation {
        dim: 1,
        rates: |t, y, dy| dy[0] = -1e6 * (y[0] - t.sin()) + t.cos(),
        jacobian: Some(|t, _, jac, dt| (jac[0], dt[0]) = (-1e6, 1e6 * t.cos() - t.sin())),
        breakpoints: &[],
    };
    let error = |n: usize| {
        let (y, _) = run(method("rosenbrock"), dragged, (0.0, 2.0), &[0.0], &equal_steps(2.0 / n as f64));
        (y[0] - 2.0_f64.sin()).abs()
    };
    let (coarse, fine) = (error(10), error(20));
    assert!(coarse < 1e-10 && (coarse / fine / 8.0 - 1.0).abs() < 0.15, "{coarse:e} to {fine:e}");
}

#[test]
fn strain_is_the_step_times_the_rate_that_is_damped_fastest() {
    // One rate of 1000/s: exactly, in whatever steps.
    let decay = Equation { dim: 1, rates: |_, y, dy| dy[0] = -1e3 * y[0], jacobian: None, breakpoints: &[] };
    for longest in [1e-4, 1e-3, 2.5e-3] {
        let settings = Settings { max_step: longest, ..Settings::tolerance(1e-4) };
        let mut largest: f64 = 0.0;
        let mut watch = |step: &Step| {
            let (strain, expected) = (step.strain.expect("told"), 1e3 * (step.t1 - step.t0));
            assert!((strain / expected - 1.0).abs() < 1e-9, "{strain} for {expected}");
            largest = largest.max(strain);
            Flow::Continue
        };
        observed(method("dopri5"), decay, (0.0, 0.05), &[1.0], &settings, &mut watch).0.expect("an end");
        assert!((largest / (1e3 * longest) - 1.0).abs() < 1e-6, "{largest}");
    }
    // Beside a slow rate of 1/s the fast one shows as long as stability chooses the steps.
    let two = Equation { dim: 2, rates: |_, y, dy| dy.copy_from_slice(&[-y[0], -1e4 * (y[1] - y[0])]), jacobian: None, breakpoints: &[] };
    let (mut limited, mut all) = (0, 0);
    let mut watch = |step: &Step| {
        if step.t1 > 0.1 {
            let strain = step.strain.expect("told");
            limited += usize::from(strain > 1.0 && (strain / (1e4 * (step.t1 - step.t0)) - 1.0).abs() < 0.1);
            all += 1;
        }
        Flow::Continue
    };
    observed(method("dopri5"), two, (0.0, 1.0), &[1.0, 1.0], &Settings::default(), &mut watch).0.expect("an end");
    assert!(all > 1000 && limited * 4 > all * 3, "{limited} of {all}");
    // Others do not tell.
    let mut none = |step: &Step| {
        assert!(step.strain.is_none());
        Flow::Continue
    };
    observed(method("adams"), decay, (0.0, 0.01), &[1.0], &Settings::default(), &mut none).0.expect("an end");
}
