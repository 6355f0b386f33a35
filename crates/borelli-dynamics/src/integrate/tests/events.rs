//! Events against closed forms: a bouncing ball, an oscillator, functions that touch or dip.
//! Not here: what touchdown does to a model.

use super::*;
use crate::integrate::{Direction, EventFunctions, Flow, Found, Located, Rule, Step, WithEvents, with_events};

const FALL: Equation = Equation {
    dim: 2,
    rates: |_, y, dy| dy.copy_from_slice(&[y[1], -9.81]),
    jacobian: Some(|_, _, jac, dt| {
        jac.copy_from_slice(&[0.0, 1.0, 0.0, 0.0]);
        dt.fill(0.0);
    }),
    breakpoints: &[],
};

/// y' = 1.
const CLOCK: Equation =
    Equation { dim: 1, rates: |_, _, dy| dy[0] = 1.0, jacobian: Some(|_, _, jac, dt| (jac[0], dt[0]) = (0.0, 0.0)), breakpoints: &[] };

const fn rule(direction: Direction, terminal: bool) -> Rule {
    Rule { direction, terminal }
}

/// Everything `g` finds on an equation.
fn found(
    entry: &Entry,
    equation: Equation,
    t1: f64,
    start: &[f64],
    settings: &Settings,
    rules: &[Rule],
    g: impl FnMut(usize, f64, &[f64]) -> f64,
) -> (End, Vec<f64>, Vec<Located>) {
    let mut inner = Unobserved;
    let mut watch = with_events(rules, start.len(), g, &mut inner);
    let (end, y, _) = observed(entry, equation, (0.0, t1), start, settings, &mut watch);
    (end.expect("a run without failure"), y, watch.found().to_vec())
}

#[test]
fn a_ball_that_keeps_four_fifths_of_its_speed_bounces_at_the_times_of_the_closed_form() {
    let rules = [rule(Direction::Falling, true)];
    for entry in INTEGRATORS {
        let settings = Settings { step: Some(0.013), ..Settings::tolerance(1e-11) };
        let (mut built, mut equation, mut statistics) = ((entry.build)(2), FALL.solved(), Statistics::default());
        let (mut t, mut y) = (0.0, [1.0, 0.0]);
        let first = (2.0_f64 / 9.81).sqrt();
        let (mut expected, mut flight) = (first, 2.0 * first);
        for bounce in 0..15 {
            let mut inner = Unobserved;
            let mut watch = with_events(&rules, 2, |_, _, y| y[0], &mut inner);
            let end = integrate(&mut *built, &mut equation, (t, 5.0), &mut y, &settings, &mut statistics, &mut watch).expect("a flight");
            assert!(end.stopped && watch.found().len() == 1, "{} bounce {bounce}: {:?}", entry.name, watch.found());
            assert!((end.t - expected).abs() < 1e-9, "{} bounce {bounce}: {} for {expected}", entry.name, end.t);
            (t, y) = (end.t, [0.0, -0.8 * y[1]]);
            flight *= 0.8;
            expected += flight;
        }
    }
}

#[test]
fn zeros_of_an_oscillator_come_in_order_of_time_with_their_directions() {
    // cos t and its rate -sin t, in steps that hold several zeros of the two together.
    let rules = [rule(Direction::Any, false), rule(Direction::Any, false)];
    for entry in adaptive() {
        let (end, _, list) = found(entry, OSCILLATOR, 20.0, &[1.0, 0.0], &Settings::tolerance(1e-11), &rules, |k, _, y| y[k]);
        assert!(!end.stopped);
        let quarter = std::f64::consts::FRAC_PI_2;
        assert_eq!(list.len(), 12, "{}: {list:?}", entry.name);
        for (k, located) in list.iter().enumerate() {
            assert!((located.t - quarter * (k + 1) as f64).abs() < 1e-9, "{}: {located:?}", entry.name);
            assert_eq!((located.event, located.rising), (k % 2, k % 4 == 1 || k % 4 == 2), "{}: {located:?}", entry.name);
        }
        for (direction, count) in [(Direction::Rising, 3), (Direction::Falling, 3)] {
            let (_, _, list) =
                found(entry, OSCILLATOR, 20.0, &[1.0, 0.0], &Settings::tolerance(1e-11), &[rule(direction, false)], |_, _, y| y[0]);
            assert_eq!(list.len(), count, "{}: {list:?}", entry.name);
            assert!(list.iter().all(|located| located.rising == (direction == Direction::Rising)));
        }
    }
}

#[test]
fn several_events_inside_one_step_are_sorted_and_a_terminal_one_hides_the_later() {
    let (rules, zeros) = ([rule(Direction::Any, false), rule(Direction::Any, true), rule(Direction::Any, false)], [0.15, 0.6, 0.4]);
    let settings = equal_steps(1.0);
    for entry in INTEGRATORS {
        let (end, y, list) = found(entry, CLOCK, 1.0, &[0.0], &settings, &rules, |k, _, y| y[0] - zeros[k]);
        assert!(end.stopped);
        let order: Vec<usize> = list.iter().map(|located| located.event).collect();
        assert_eq!(order, [0, 2, 1], "{}", entry.name);
        assert!((end.t - 0.6).abs() < 1e-12 && (y[0] - 0.6).abs() < 1e-12, "{}: {} {y:?}", entry.name, end.t);
    }
}

#[test]
fn a_zero_at_the_start_is_no_event_and_one_at_the_end_is() {
    let rules = [rule(Direction::Any, false), rule(Direction::Rising, false), rule(Direction::Any, false)];
    for entry in INTEGRATORS {
        let settings = Settings { step: Some(0.125), ..Settings::default() };
        let (_, _, list) = found(entry, CLOCK, 1.0, &[0.0], &settings, &rules, |k, t, _| [t, t - 1.0, 2.0][k]);
        assert_eq!(list, [Located { event: 1, t: 1.0, rising: true }], "{}", entry.name);
    }
}

#[test]
fn a_zero_at_the_seam_of_two_steps_is_reported_once() {
    let settings = Settings::fixed(0.25);
    for direction in [Direction::Any, Direction::Rising] {
        let (_, _, list) = found(method("rk4"), CLOCK, 1.0, &[0.0], &settings, &[rule(direction, false)], |_, t, _| t - 0.5);
        assert_eq!(list, [Located { event: 0, t: 0.5, rising: true }]);
    }
}

#[test]
fn a_dip_inside_one_step_is_seen_on_both_flanks() {
    let (_, _, list) =
        found(method("rk4"), CLOCK, 1.0, &[0.0], &Settings::fixed(1.0), &[rule(Direction::Any, false)], |_, t, _| (t - 0.3) * (t - 0.7));
    let times: Vec<f64> = list.iter().map(|located| located.t).collect();
    assert!(times.len() == 2 && (times[0] - 0.3).abs() < 1e-12 && (times[1] - 0.7).abs() < 1e-12, "{list:?}");
    assert_eq!(list.iter().map(|located| located.rising).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a_run_taken_up_again_after_a_terminal_event_does_not_find_it_twice() {
    let rules = [rule(Direction::Any, true)];
    for entry in adaptive() {
        let (mut built, mut equation, mut statistics) = ((entry.build)(2), OSCILLATOR.solved(), Statistics::default());
        let (mut t, mut y, mut times) = (0.0, [1.0, 0.0], Vec::new());
        while t < 20.0 {
            let mut inner = Unobserved;
            let mut watch = with_events(&rules, 2, |_, _, y| y[0], &mut inner);
            let settings = Settings::tolerance(1e-10);
            let end = integrate(&mut *built, &mut equation, (t, 20.0), &mut y, &settings, &mut statistics, &mut watch).expect("a swing");
            t = end.t;
            if end.stopped {
                times.push(t);
            }
        }
        assert_eq!(times.len(), 6, "{}: {times:?}", entry.name);
        for (k, t) in times.iter().enumerate() {
            assert!((t - std::f64::consts::PI * (k as f64 + 0.5)).abs() < 1e-8, "{}: {t}", entry.name);
        }
    }
}

/// The height of a thrown ball; notes the state at each zero.
struct Height {
    states: Vec<(f64, Vec<f64>)>,
}

impl EventFunctions for Height {
    fn value(&mut self, _: usize, t: f64, y: &[f64], _: Option<&Found>) -> f64 {
        // No value during a while around the apex.
        if (0.4..0.6).contains(&t) { f64::NAN } else { y[0] - 1.0 }
    }

    fn located(&mut self, located: &Located, y: &[f64]) {
        self.states.push((located.t, y.to_vec()));
    }
}

#[test]
fn a_located_event_is_told_with_its_state_and_missing_values_are_passed_over() {
    let rules = [rule(Direction::Any, false)];
    for entry in INTEGRATORS {
        let (mut inner, mut height) = (Unobserved, Height { states: Vec::new() });
        let settings = Settings { step: Some(0.05), max_step: 0.05, ..Settings::tolerance(1e-10) };
        let mut watch = WithEvents::new(&rules, 2, &mut height as &mut dyn EventFunctions, &mut inner);
        observed(entry, FALL, (0.0, 1.0), &[0.0, 4.905], &settings, &mut watch).0.expect("a flight");
        // 4.905 t (1 - t) = 1.
        let root = (0.25 - 1.0_f64 / 4.905).sqrt();
        assert_eq!(height.states.len(), 2, "{}", entry.name);
        for ((t, y), expected) in height.states.iter().zip([0.5 - root, 0.5 + root]) {
            assert!((t - expected).abs() < 1e-10 && (y[0] - 1.0).abs() < 1e-10, "{}: {t} {y:?}", entry.name);
            assert!((y[1] - 4.905 * (1.0 - 2.0 * expected)).abs() < 1e-9, "{}: {t} {y:?}", entry.name);
        }
    }
}

#[test]
fn a_steep_and_a_flat_function_are_located_to_the_same_resolution() {
    for g in [|t: f64| (t - 0.377).powi(3), |t: f64| (1e3 * (t - 0.377)).tanh(), |t: f64| if t < 0.377 { -1e-3 } else { 5.0 }] {
        let (_, _, list) = found(method("rk4"), CLOCK, 1.0, &[0.0], &Settings::fixed(1.0), &[rule(Direction::Any, false)], |_, t, _| g(t));
        assert!(list.len() == 1 && (list[0].t - 0.377).abs() < 2e-12, "{list:?}");
    }
}

/// A function with its rate.
struct Rated<F>(F);

impl<F: Fn(f64) -> (f64, f64)> EventFunctions for Rated<F> {
    fn value(&mut self, _event: usize, t: f64, _y: &[f64], _found: Option<&Found>) -> f64 {
        self.0(t).0
    }
    fn rate(&mut self, _event: usize, t: f64, _y: &[f64]) -> Option<f64> {
        Some(self.0(t).1)
    }
}

#[test]
fn a_short_visit_beyond_zero_is_seen_where_the_rate_is_known() {
    // A cap of a few thousandths of the step, and a wedge as of two bodies that pass through each other.
    let cap = |t: f64| (1e-6 - (t - 0.413) * (t - 0.413), -2.0 * (t - 0.413));
    let wedge = |t: f64| (1e-3 - (t - 0.413).abs(), -(t - 0.413).signum());
    for g in [cap, wedge] {
        let (rules, mut inner) = ([rule(Direction::Any, false)], Unobserved);
        let mut watch = WithEvents::new(&rules, 1, Rated(g), &mut inner);
        let (end, ..) = observed(method("rk4"), CLOCK, (0.0, 1.0), &[0.0], &Settings::fixed(1.0), &mut watch);
        end.expect("a run");
        let list = watch.found();
        assert!(list.len() == 2 && list[0].rising && !list[1].rising, "{list:?}");
        assert!((list[0].t - 0.412).abs() < 1e-11 && (list[1].t - 0.414).abs() < 1e-11, "{list:?}");
    }
}

#[test]
fn a_zero_in_steps_shorter_than_times_can_tell_apart_is_located_all_the_same() {
    // At 2 s times are 4.4e-16 s apart, and a resolution of 1e-12 of these steps is less.
    for k in 1..200 {
        let zero = 2.0 + 1e-4 * (f64::from(k) * 0.618).fract();
        let g = |_: usize, t: f64, _: &[f64]| (t - zero) * (1.0 + 1e4 * (t - zero));
        let (rules, mut inner) = ([rule(Direction::Rising, false)], Unobserved);
        let mut watch = with_events(&rules, 1, g, &mut inner);
        let (end, ..) = observed(method("rk4"), CLOCK, (2.0, 2.0002), &[0.0], &Settings::fixed(3e-5), &mut watch);
        end.expect("a run");
        assert!(watch.found().iter().any(|found| (found.t - zero).abs() < 1e-15), "{zero}: {:?}", watch.found());
    }
}

#[test]
fn the_observer_inside_sees_the_step_cut_at_a_terminal_event_and_may_stop_earlier() {
    let rules = [rule(Direction::Any, true), rule(Direction::Any, false)];
    let mut last = (0.0, 0.0);
    let mut inner = |step: &Step| {
        last = (step.t1, step.y[0]);
        Flow::Continue
    };
    let mut watch = with_events(&rules[..1], 1, |_, t, _| t - 0.6, &mut inner);
    let (end, ..) = observed(method("rk4"), CLOCK, (0.0, 1.0), &[0.0], &Settings::fixed(0.25), &mut watch);
    let t = end.expect("a run").t;
    assert!((t - 0.6).abs() < 1e-12 && last.0 == t && (last.1 - t).abs() < 1e-14, "{t} {last:?}");

    let mut early = |_: &Step| Flow::StopAt(0.1);
    let mut watch = with_events(&rules, 1, |k, t, _| t - [0.2, 0.05][k], &mut early);
    let (end, y, _) = observed(method("rk4"), CLOCK, (0.0, 1.0), &[0.0], &Settings::fixed(0.25), &mut watch);
    assert_eq!(end, Ok(End { t: 0.1, stopped: true }));
    assert!((y[0] - 0.1).abs() < 1e-15);
    assert_eq!(watch.found().iter().map(|located| located.event).collect::<Vec<_>>(), [1]);
}
