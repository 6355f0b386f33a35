//! Breakpoints, corrections after steps, and every way in which a run can fail.
//! Not here: the text of each message.

use super::*;
use crate::integrate::{Flow, Step};

/// Settings that suit every method.
fn settings() -> Settings {
    Settings { step: Some(0.01), ..Settings::tolerance(1e-9) }
}

#[test]
fn a_jump_at_a_breakpoint_is_met_exactly_and_costs_no_accuracy() {
    // y' = ±1 changing sign at 0.3 and 1.1: a polygon.
    let polygon = Equation {
        dim: 1,
        rates: |t, _, dy| dy[0] = if (0.3..1.1).contains(&t) { -1.0 } else { 1.0 },
        jacobian: Some(|_, _, jac, dt| (jac[0], dt[0]) = (0.0, 0.0)),
        breakpoints: &[0.3, 1.1],
    };
    for entry in INTEGRATORS {
        let (mut ends, mut height) = (Vec::new(), Vec::new());
        let mut note = |step: &Step| {
            ends.push(step.t1);
            height.push(step.y[0]);
            Flow::Continue
        };
        let (_, y, statistics) = observed(entry, polygon, (0.0, 2.0), &[0.0], &settings(), &mut note);
        for (t, expected) in [(0.3, 0.3), (1.1, -0.5), (2.0, 0.4)] {
            let k = ends.iter().position(|end| *end == t).unwrap_or_else(|| panic!("{} passes {t}", entry.name));
            assert!((height[k] - expected).abs() < 1e-13, "{} at {t}: {}", entry.name, height[k]);
        }
        assert!((y[0] - 0.4).abs() < 1e-13);
        assert_eq!((statistics.starts, statistics.rejected), (3, 0), "{}", entry.name);
        assert!(ends.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

#[test]
fn a_rate_that_turns_nan_ends_the_run_there_and_names_the_entry() {
    let broken = Equation {
        dim: 2,
        rates: |t, _, dy| dy.copy_from_slice(&[1.0, (0.777 - t).sqrt()]),
        jacobian: Some(|t, _, jac, dt| {
            jac.fill(0.0);
            dt.copy_from_slice(&[0.0, -0.5 / (0.777 - t).sqrt()]);
        }),
        breakpoints: &[],
    };
    for entry in INTEGRATORS {
        let (end, y, _) = observed(entry, broken, (0.0, 2.0), &[0.0, 0.0], &settings(), &mut Unobserved);
        let failure = end.expect_err(entry.name);
        let t = failure.time().expect("a time");
        let near = if entry.kind == Kind::Fixed { 0.01 } else { 1e-4 };
        assert!(t <= 0.777 && 0.777 - t < near, "{}: {failure}", entry.name);
        assert_eq!(failure.entry(), Some(1), "{}: {failure}", entry.name);
        assert!((y[0] - t).abs() < 1e-9, "{}: the last good state is kept", entry.name);
        assert!(failure.to_string().contains("t = 0.77"), "{failure}");
    }
}

#[test]
fn a_solution_that_grows_beyond_all_bounds_is_stopped_at_its_pole() {
    // y' = y² from 1 has its pole at 1.
    let pole = Equation {
        dim: 1,
        rates: |_, y, dy| dy[0] = y[0] * y[0],
        jacobian: Some(|_, y, jac, dt| (jac[0], dt[0]) = (2.0 * y[0], 0.0)),
        breakpoints: &[],
    };
    for entry in adaptive() {
        let (end, ..) = observed(entry, pole, (0.0, 2.0), &[1.0], &settings(), &mut Unobserved);
        let failure = end.expect_err(entry.name);
        assert!((failure.time().expect("a time") - 1.0).abs() < 1e-6 && failure.entry() == Some(0), "{}: {failure}", entry.name);
    }
    for entry in INTEGRATORS.iter().filter(|entry| entry.kind == Kind::Fixed) {
        let (end, ..) = observed(entry, pole, (0.0, 2.0), &[1.0], &settings(), &mut Unobserved);
        assert!(matches!(end, Err(Failure::NotFinite { entry: 0, t }) if t > 1.0 && t < 1.3), "{}: {end:?}", entry.name);
    }
}

/// An equation that refuses beyond a time.
#[derive(Default)]
struct Refusing {
    slopes: DenseSlopes,
}

impl Ode for Refusing {
    fn dim(&self) -> usize {
        1
    }

    fn rates(&mut self, t: f64, _: &[f64], dy: &mut [f64]) -> Result<(), formulation::Failure> {
        dy[0] = 1.0;
        if t > 0.5 {
            Err(formulation::Failure::OutsideTable {
                function: "hip".into(),
                element: "function.hip".into(),
                unit: "s",
                at: t,
                range: (0.0, 0.5),
            })
        } else {
            Ok(())
        }
    }

    fn jacobian(&mut self, _: f64, _: &[f64], jac: &mut [f64], dt: &mut [f64]) -> Result<bool, formulation::Failure> {
        (jac[0], dt[0]) = (0.0, 0.0);
        Ok(true)
    }

    fn dense(&mut self) -> Option<&mut DenseSlopes> {
        Some(&mut self.slopes)
    }
}

#[test]
fn the_reason_of_an_equation_that_refuses_is_handed_on_with_the_time() {
    for entry in INTEGRATORS {
        let (mut built, mut y, mut statistics) = ((entry.build)(1), [0.0], Statistics::default());
        let end = integrate(&mut *built, &mut Refusing::default(), (0.0, 1.0), &mut y, &settings(), &mut statistics, &mut Unobserved);
        let Err(Failure::Refused { t, cause: formulation::Failure::OutsideTable { function, .. } }) = end else {
            panic!("{}: {end:?}", entry.name)
        };
        assert!(t <= 0.5 && t > 0.48 && function == "hip", "{}: {t}", entry.name);
    }
}

#[test]
fn a_tolerance_below_rounding_and_too_few_steps_are_said() {
    for entry in adaptive() {
        let strict = Settings { rtol: 1e-18, atol: 0.0, ..Settings::default() };
        let (end, ..) = observed(entry, KEPLER, (0.0, 1.0), &KEPLER_START, &Settings { min_step: 1e-6, ..strict }, &mut Unobserved);
        assert!(matches!(end, Err(Failure::StepTooSmall { step, .. }) if step < 1e-6), "{}: {end:?}", entry.name);
    }
    for entry in INTEGRATORS {
        let few = Settings { max_steps: 7, ..settings() };
        let (end, ..) = observed(entry, KEPLER, (0.0, 20.0), &KEPLER_START, &few, &mut Unobserved);
        assert!(matches!(end, Err(Failure::TooManySteps { limit: 7, t }) if t > 0.0 && t < 20.0), "{}: {end:?}", entry.name);
    }
}

#[test]
fn an_empty_interval_does_nothing_and_a_reversed_one_is_refused() {
    for entry in INTEGRATORS {
        let (y, statistics) = run(entry, KEPLER, (1.5, 1.5), &KEPLER_START, &settings());
        assert_eq!((y, statistics), (KEPLER_START.to_vec(), Statistics::default()));
        let (end, y, _) = observed(entry, KEPLER, (1.0, 0.0), &KEPLER_START, &settings(), &mut Unobserved);
        assert_eq!(end, Err(Failure::ReversedInterval { from: 1.0, to: 0.0 }));
        assert_eq!(y, KEPLER_START);
        let (end, ..) = observed(entry, KEPLER, (0.0, f64::NAN), &KEPLER_START, &settings(), &mut Unobserved);
        assert!(matches!(end, Err(Failure::ReversedInterval { .. })));
    }
}

#[test]
fn wrong_input_is_refused_with_its_name() {
    for entry in INTEGRATORS {
        let refused = |settings: Settings, start: &[f64]| {
            let (end, ..) = observed(entry, KEPLER, (0.0, 1.0), start, &settings, &mut Unobserved);
            end.expect_err(entry.name)
        };
        assert_eq!(refused(settings(), &[1.0]), Failure::WrongLength { expected: 4, found: 1 });
        assert_eq!(refused(settings(), &[0.4, f64::NAN, 0.0, 2.0]), Failure::StartNotFinite { t: 0.0, entry: 1 });
        for (name, wrong) in [
            ("rtol", Settings { rtol: -1.0, ..settings() }),
            ("rtol", Settings { rtol: f64::NAN, ..settings() }),
            ("atol", Settings { rtol: 0.0, atol: 0.0, ..settings() }),
            ("step", Settings { step: Some(0.0), ..settings() }),
            ("max_step", Settings { max_step: 0.0, ..settings() }),
            ("min_step", Settings { min_step: 1.0, max_step: 0.1, ..settings() }),
        ] {
            let failure = refused(wrong, &KEPLER_START);
            assert!(matches!(failure, Failure::BadSetting { name: found, .. } if found == name), "{name}: {failure}");
            assert!(failure.to_string().contains(name));
        }
    }
    let missing = observed(method("heun"), KEPLER, (0.0, 1.0), &KEPLER_START, &Settings::default(), &mut Unobserved).0;
    assert!(matches!(missing, Err(Failure::BadSetting { name: "step", .. })), "{missing:?}");
    let without = Equation { jacobian: None, ..KEPLER };
    let end = observed(method("rosenbrock"), without, (0.0, 1.0), &KEPLER_START, &Settings::default(), &mut Unobserved).0;
    assert_eq!(end, Err(Failure::NoJacobian));
}

/// A direction that turns, kept at unit length after each step.
struct Turning {
    corrections: usize,
    anew: bool,
    slopes: DenseSlopes,
}

impl Ode for Turning {
    fn dim(&self) -> usize {
        2
    }

    fn rates(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), formulation::Failure> {
        dy.copy_from_slice(&[-y[1], y[0]]);
        Ok(())
    }

    fn jacobian(&mut self, _: f64, _: &[f64], jac: &mut [f64], dt: &mut [f64]) -> Result<bool, formulation::Failure> {
        jac.copy_from_slice(&[0.0, -1.0, 1.0, 0.0]);
        dt.fill(0.0);
        Ok(true)
    }

    fn dense(&mut self) -> Option<&mut DenseSlopes> {
        Some(&mut self.slopes)
    }

    fn accepted(&mut self, _: f64, y: &mut [f64]) -> bool {
        let length = y[0].hypot(y[1]);
        y[0] /= length;
        y[1] /= length;
        self.corrections += 1;
        self.anew
    }
}

#[test]
fn a_direction_corrected_after_every_step_keeps_unit_length() {
    for entry in INTEGRATORS {
        for anew in [false, true] {
            let mut turning = Turning { corrections: 0, anew, slopes: DenseSlopes::default() };
            let (mut built, mut y, mut statistics) = ((entry.build)(2), [1.0, 0.0], Statistics::default());
            let mut unit = |step: &Step| {
                assert!((step.y[0].hypot(step.y[1]) - 1.0).abs() < 1e-15);
                Flow::Continue
            };
            let settings = Settings { step: Some(0.01), ..Settings::tolerance(1e-6) };
            integrate(&mut *built, &mut turning, (0.0, 30.0), &mut y, &settings, &mut statistics, &mut unit).expect("a turn");
            assert_eq!(turning.corrections, statistics.accepted, "{}", entry.name);
            let error = largest_difference(&y, &[30.0_f64.cos(), 30.0_f64.sin()]);
            assert!(error < 6e-4, "{}: {error:e}", entry.name);
        }
    }
}
