//! Steps that are cut, and what equations hear of steps: wishes before and after a step, failures that a shorter step mends, order with changing
//! steps, commits.
//! Not here: schemes with steps that are all alike (`implicit`).

use super::implicit::{Solved, System, pendulum_exactly, schemes};
use super::*;
use crate::integrate::{
    Direction, Flow, Implicit, Linearised, MOST_CUTS, Motion, Newton, Residual, Rule, Scheme, Step, Trial, Trouble, generalised_alpha,
    integrate_implicit, newmark, with_events,
};

type Give<T> = Result<T, formulation::Failure>;

const PENDULUM: System = System::Pendulum { rows: 1, scale: 1.0 };
const ASIDE: [f64; 4] = [0.6, -0.8, 0.0, 0.0];

/// An equation that notes what it is asked and told, and has wishes.
struct Noting {
    inner: Solved,
    /// Times at which accelerations were asked for.
    looked: Vec<f64>,
    /// Times and states of commits.
    heard: Vec<(f64, Vec<f64>)>,
    /// Whether commits are noted, which takes memory.
    notes: bool,
    /// Longest step from a time.
    longest: Box<dyn Fn(f64) -> f64>,
    /// Whether a step that ends here may stand, of which the length is given.
    admits: Box<dyn Fn(f64, f64) -> bool>,
    /// Where the step began.
    since: f64,
    /// No coordinate may move further in a trial.
    reach: f64,
    may_help: bool,
}

fn noting(system: System) -> Noting {
    Noting {
        inner: system.solved(),
        looked: Vec::new(),
        heard: Vec::new(),
        notes: true,
        longest: Box::new(|_| f64::INFINITY),
        admits: Box::new(|_, _| true),
        since: 0.0,
        reach: f64::INFINITY,
        may_help: false,
    }
}

impl Residual for Noting {
    fn coords(&self) -> usize {
        self.inner.coords()
    }
    fn dofs(&self) -> usize {
        self.inner.dofs()
    }
    fn rows(&self) -> usize {
        self.inner.rows()
    }
    fn rate(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        self.inner.rate(q, v, qdot);
    }
    fn retract(&self, q: &mut [f64], step: &[f64]) {
        self.inner.retract(q, step);
    }
    fn accelerations(&mut self, t: f64, q: &[f64], v: &[f64], a: &mut [f64], lambda: &mut [f64]) -> Give<()> {
        self.looked.push(t);
        self.since = t;
        self.inner.accelerations(t, q, v, a, lambda)
    }
    fn residual(&mut self, t: f64, at: Motion, lambda: &[f64], force: &mut [f64], position: &mut [f64]) -> Give<()> {
        self.inner.residual(t, at, lambda, force, position)
    }
    fn linearise(&mut self, trial: &Trial) -> Result<Linearised, Trouble> {
        if trial.step.iter().any(|s| s.abs() > self.reach) {
            return Err(formulation::Failure::Undetermined { reason: "an element is turned inside out".into() }.into());
        }
        self.inner.linearise(trial)
    }
    fn solve(&mut self, correction: &mut [f64], multipliers: &mut [f64]) -> Result<bool, Trouble> {
        self.inner.solve(correction, multipliers)
    }
    fn longest_step(&mut self, t: f64, _: &[f64]) -> f64 {
        (self.longest)(t)
    }
    fn admits(&mut self, t: f64, _: &[f64]) -> bool {
        (self.admits)(t, t - self.since)
    }
    fn shorter_step_may_help(&self, _: &Trouble) -> bool {
        self.may_help
    }
    fn commit(&mut self, t: f64, y: &[f64]) {
        if self.notes {
            self.heard.push((t, y.to_vec()));
        }
        self.since = t;
    }
    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.inner.next_breakpoint(t)
    }
}

/// A run with what observers saw: ends of steps, the last multiplier.
struct Ran {
    end: Result<End, Failure>,
    y: [f64; 4],
    lambda: f64,
    ends: Vec<f64>,
    statistics: Statistics,
}

fn ran(equation: &mut Noting, (scheme, newton): (Scheme, Newton), (h, end): (f64, f64)) -> Ran {
    let (mut method, mut statistics, mut y) = (Implicit::new(scheme, newton, equation), Statistics::default(), ASIDE);
    let (mut ends, mut lambda) = (Vec::new(), 0.0);
    let mut look = |step: &Step| {
        ends.push(step.t1);
        lambda = step.found.expect("multipliers").lambda[1][0];
        Flow::Continue
    };
    let end = integrate_implicit(&mut method, equation, (0.0, end), &mut y, &Settings::fixed(h), &mut statistics, &mut look);
    Ran { end, y, lambda, ends, statistics }
}

fn how(scheme: Scheme) -> (Scheme, Newton) {
    (scheme, Newton::default())
}

#[test]
fn a_look_ahead_at_the_start_leaves_the_choice_of_rows_to_the_start() {
    // Accelerations decide which rows are redundant: whoever asks last, decides.
    let mut equation = noting(PENDULUM);
    let mut method = Implicit::new(generalised_alpha(0.8), Newton::default(), &equation);
    let mut y = ASIDE;
    integrate_implicit(&mut method, &mut equation, (2.0, 2.1), &mut y, &Settings::fixed(0.02), &mut Statistics::default(), &mut Unobserved)
        .unwrap();
    let looked = &equation.looked;
    assert!(looked.len() == 3 && looked[1] > 2.0 && looked[1] < 2.02, "{looked:?}");
    assert_eq!((looked[0], looked[2]), (2.0, 2.0));
}

#[test]
fn an_equation_that_asks_for_a_shorter_step_once_gets_it_and_the_grid_stays() {
    for scheme in schemes() {
        let whole = ran(&mut noting(PENDULUM), how(scheme), (0.125, 1.0));
        assert_eq!((whole.ends.len(), whole.statistics.cuts, whole.statistics.rejected), (8, 0, 0));
        // Before the third step; and after it was solved.
        let mut before = noting(PENDULUM);
        before.longest = Box::new(|t| if t == 0.25 { 0.07 } else { f64::INFINITY });
        let mut after = noting(PENDULUM);
        after.admits = Box::new(|t, h| t != 0.375 || h < 0.1);
        for (mut equation, rejected) in [(before, 0), (after, 1)] {
            let cut = ran(&mut equation, how(scheme), (0.125, 1.0));
            assert_eq!(cut.end, Ok(End { t: 1.0, stopped: false }));
            assert_eq!((cut.statistics.cuts, cut.statistics.rejected, cut.statistics.accepted), (1, rejected, 9), "{scheme:?}");
            assert_eq!(cut.ends, [0.125, 0.25, 0.3125, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]);
            // The same bits up to the step that is cut, and nearly the same motion after it.
            let [a, b] = [&cut, &whole].map(|run| run.y);
            assert!(a != b && largest_difference(&a, &b) < 0.02, "{scheme:?}: {a:?} {b:?}");
        }
    }
}

#[test]
fn what_an_equation_wants_is_met_to_its_limit_and_said_beyond_it() {
    // Steps are halved until they fit: 1/8 → 1/32 s, in each step of the grid.
    let mut equation = noting(PENDULUM);
    equation.longest = Box::new(|_| 0.04);
    let run = ran(&mut equation, how(generalised_alpha(0.8)), (0.125, 1.0));
    assert_eq!((run.statistics.accepted, run.statistics.largest_step), (32, 0.03125));
    // A wish that is exactly a half costs one halving, whatever rounding says of times.
    equation = noting(PENDULUM);
    equation.longest = Box::new(|_| 0.05);
    let run = ran(&mut equation, how(generalised_alpha(0.8)), (0.1, 1.0));
    assert_eq!(run.statistics.accepted, 20);
    for wish in [1e-9, 0.0, f64::NAN] {
        equation = noting(PENDULUM);
        equation.longest = Box::new(move |t| if t < 0.5 { f64::INFINITY } else { wish });
        let run = ran(&mut equation, how(generalised_alpha(0.8)), (0.125, 1.0));
        let shortest = 0.125 / f64::from(1 << MOST_CUTS);
        let cause = Box::new(Failure::StepTooLong { t: 0.5, step: shortest });
        assert_eq!(run.end, Err(Failure::CutInVain { step: shortest, cause }));
        assert_eq!((run.ends.len(), equation.heard.len(), run.statistics.cuts), (4, 4, MOST_CUTS as usize));
        let text = run.end.expect_err("too long").to_string();
        assert!(text.contains("t = 0.5 s: the equations ask for a step shorter than 1.2") && text.contains("hint"), "{text}");
    }
    // One that admits nothing.
    equation = noting(PENDULUM);
    equation.admits = Box::new(|_, _| false);
    let run = ran(&mut equation, how(newmark(0.25, 0.5)), (0.125, 1.0));
    assert!(matches!(run.end, Err(Failure::CutInVain { .. })) && run.ends.is_empty() && equation.heard.is_empty(), "{:?}", run.end);
    assert_eq!((run.statistics.rejected, run.y), (1 + MOST_CUTS as usize, ASIDE));
}

#[test]
fn a_failure_is_mended_by_a_shorter_step_only_where_the_equation_allows_that() {
    for scheme in schemes() {
        // Few iterations are enough for short steps only.
        let few = Newton { max_iterations: 3, ..Newton::default() };
        let mut strict = noting(PENDULUM);
        let run = ran(&mut strict, (scheme, few), (0.25, 1.0));
        let failure = run.end.expect_err("too few iterations");
        assert!(matches!(failure, Failure::NotConverged { t: 0.0, iterations: 3, row: Some(0), .. }), "{failure}");
        assert_eq!((run.statistics.cuts, run.statistics.rejected), (0, 0));
        // And an element that must not move far: refused in a trial.
        for (newton, reach) in [(few, f64::INFINITY), (Newton::default(), 0.04)] {
            let mut equation = Noting { may_help: true, reach, ..noting(PENDULUM) };
            let run = ran(&mut equation, (scheme, newton), (0.25, 2.0));
            assert_eq!(run.end, Ok(End { t: 2.0, stopped: false }), "{scheme:?}");
            assert!(run.statistics.cuts > 0 && run.statistics.rejected == run.statistics.cuts, "{:?}", run.statistics);
            for k in 1..=8 {
                assert!(run.ends.contains(&(0.25 * f64::from(k))), "{:?}", run.ends);
            }
            // Steps grow again: not all are as short as the shortest.
            assert!(reach.is_infinite() || run.statistics.largest_step > 1.5 * run.statistics.smallest_step, "{:?}", run.statistics);
            assert!((run.y[0].hypot(run.y[1]) - 1.0).abs() < 1e-9, "the rod keeps its length");
        }
    }
    // What no step mends is named with how short the last one was.
    let mut equation = Noting { may_help: true, reach: 0.0, ..noting(PENDULUM) };
    let failure = ran(&mut equation, how(generalised_alpha(0.8)), (0.25, 1.0)).end.expect_err("it never moves");
    assert!(matches!(failure.cause(), Failure::Refused { t: 0.0, .. }) && failure.time() == Some(0.0), "{failure:?}");
    assert!(failure.to_string().contains("turned inside out; the step was cut down to 2.4"), "{failure}");
    let hopeless = Newton { max_iterations: 1, ..Newton::default() };
    let mut equation = Noting { may_help: true, ..noting(PENDULUM) };
    let failure = ran(&mut equation, (generalised_alpha(0.8), hopeless), (0.25, 1.0)).end.expect_err("one iteration");
    assert_eq!((failure.row(), failure.entry().is_some_and(|entry| entry >= 2)), (Some(0), true), "{failure}");
    let text = failure.to_string();
    assert!(text.contains("row 0 of the constraints is open most; the step was cut down to") && text.contains("\n  hint: "), "{text}");
}

/// Errors of coordinates, velocities and the multiplier of a pendulum at 2 s, of which steps before `until` change their length all the time:
/// every other step of the grid is made in quarters.
fn errors(scheme: Scheme, h: f64, until: f64) -> [f64; 3] {
    let (exact, pull) = pendulum_exactly(2.0, 0.6_f64.asin());
    let mut equation = noting(PENDULUM);
    equation.longest = Box::new(move |t| if t < until && (t / h + 1e-6).floor() % 2.0 == 0.0 { 0.25 * h } else { h });
    let run = ran(&mut equation, how(scheme), (h, 2.0));
    assert!(run.end.is_ok() && run.statistics.smallest_step < 0.3 * run.statistics.largest_step, "{:?}", run.statistics);
    assert!(run.statistics.cuts as f64 >= until / h, "{:?}", run.statistics);
    [largest_difference(&run.y[..2], &exact[..2]), largest_difference(&run.y[2..], &exact[2..]), (run.lambda - pull).abs()]
}

#[test]
fn the_order_stays_however_often_steps_change() {
    for (scheme, order) in
        [(newmark(0.3025, 0.6), 1), (generalised_alpha(0.8), 2), (generalised_alpha(0.2), 2), (generalised_alpha(0.0), 2)]
    {
        let (coarse, fine) = (errors(scheme, 0.01, 2.0), errors(scheme, 0.005, 2.0));
        for k in 0..2 {
            let ratio = coarse[k] / fine[k];
            assert!((ratio / 2.0_f64.powi(order) - 1.0).abs() < 0.15, "{scheme:?} {k}: {coarse:?} {fine:?}");
        }
        // Multipliers right after a change are of order 1, no less.
        assert!(coarse[2] / fine[2] > 1.8, "{scheme:?}: {coarse:?} {fine:?}");
        // Once steps are alike again, they have the order of the scheme.
        let (coarse, fine) = (errors(scheme, 0.01, 1.0), errors(scheme, 0.005, 1.0));
        for k in 0..3 {
            let ratio = coarse[k] / fine[k];
            assert!((ratio / 2.0_f64.powi(order) - 1.0).abs() < 0.15, "{scheme:?} {k}: {coarse:?} {fine:?}");
        }
    }
}

#[test]
fn a_run_taken_up_again_on_the_grid_has_the_same_bits_also_where_steps_are_cut() {
    let wish = |t: f64| if (0.4..0.74).contains(&t) { 0.04 } else { f64::INFINITY };
    for scheme in schemes() {
        let go = |method: &mut Implicit, interval: (f64, f64), y: &mut [f64; 4]| {
            let (mut equation, mut statistics) = (Noting { longest: Box::new(wish), ..noting(PENDULUM) }, Statistics::default());
            integrate_implicit(method, &mut equation, interval, y, &Settings::fixed(0.125), &mut statistics, &mut Unobserved).unwrap();
            assert_eq!(statistics.cuts > 0, interval.0 < 0.7 && interval.1 > 0.4);
            method.carried()
        };
        let new = || Implicit::new(scheme, Newton::default(), &noting(PENDULUM));
        let mut straight = ASIDE;
        let end = go(&mut new(), (0.0, 1.0), &mut straight);
        assert!(end.is_some());
        // After the first break steps go on as they are; the second comes where the last step was cut, the third where all are whole.
        for middle in [0.25, 0.75, 0.875] {
            let (mut broken, mut method) = (ASIDE, new());
            let half = go(&mut new(), (0.0, middle), &mut broken);
            assert_eq!(half.is_none(), middle == 0.75 && scheme.lead() != 0.0, "{scheme:?}");
            assert!(half.is_none_or(|half| method.resume(&half)));
            assert_eq!((go(&mut method, (middle, 1.0), &mut broken), broken), (end.clone(), straight), "{scheme:?} {middle}");
        }
    }
}

#[test]
fn steps_that_are_cut_ask_for_no_memory() {
    let wish = |t| if t < 0.5 { 0.02 } else { f64::INFINITY };
    let mut equation = Noting { notes: false, longest: Box::new(wish), looked: Vec::with_capacity(99), ..noting(PENDULUM) };
    equation.admits = Box::new(|t, h| t < 0.75 || h < 0.05);
    let (mut method, mut statistics) = (Implicit::new(generalised_alpha(0.8), Newton::default(), &equation), Statistics::default());
    let mut y = ASIDE;
    let settings = Settings::fixed(0.125);
    let (end, requests) = borelli_testkit::count_allocations(|| {
        integrate_implicit(&mut method, &mut equation, (0.0, 1.0), &mut y, &settings, &mut statistics, &mut Unobserved)
    });
    assert!(end.is_ok() && statistics.cuts > 0 && statistics.rejected > 0, "{end:?}");
    assert_eq!(requests, 0);
}

/// Ends of the steps that an observer saw, each cut where a terminal event ended it.
fn stopping<'a>(ends: &'a mut Vec<f64>, stop: Option<f64>) -> impl FnMut(&Step) -> Flow + 'a {
    move |step| match stop.filter(|stop| *stop <= step.t1) {
        Some(stop) => {
            ends.push(stop);
            Flow::StopAt(stop)
        }
        None => {
            ends.push(step.t1);
            Flow::Continue
        }
    }
}

#[test]
fn an_implicit_equation_hears_of_each_step_that_is_kept_once() {
    for scheme in schemes() {
        // A breakpoint at 0.73 s, rejected and cut steps, a stop inside a step, one at its end, one at its start, and a restart after each.
        let mut equation = noting(System::Pushed { jump: 0.73 });
        equation.admits = Box::new(|t, h| !(0.4..0.9).contains(&t) || h < 0.03);
        let (mut method, mut statistics) = (Implicit::new(scheme, Newton::default(), &equation), Statistics::default());
        let (mut t, mut y, mut ends) = (0.0, [0.0; 4], Vec::new());
        for stop in [Some(0.234), Some(0.434), Some(0.434), Some(1.1), None] {
            let mut watch = stopping(&mut ends, stop);
            let settings = Settings::fixed(0.1);
            let end = integrate_implicit(&mut method, &mut equation, (t, 2.0), &mut y, &settings, &mut statistics, &mut watch).unwrap();
            t = end.t;
            let (last, state) = equation.heard.last().expect("a step");
            assert_eq!((*last, &state[..]), (t, &y[..]), "{scheme:?}");
        }
        // The stop at the start of a step keeps nothing of it.
        let again = ends.iter().position(|t| *t == 0.434).expect("a stop") + 1;
        assert_eq!(ends.remove(again), 0.434);
        let heard: Vec<f64> = equation.heard.iter().map(|(t, _)| *t).collect();
        assert_eq!(heard, ends, "{scheme:?}");
        assert!(heard.windows(2).all(|pair| pair[0] < pair[1]) && heard.contains(&0.73), "{heard:?}");
        assert!(statistics.rejected > 0 && statistics.starts == 6, "{statistics:?}");
    }
}

/// An explicit equation that notes its commits.
struct Hearing {
    inner: super::Solved,
    heard: Vec<(f64, Vec<f64>)>,
}

impl Ode for Hearing {
    fn dim(&self) -> usize {
        self.inner.dim()
    }
    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Give<()> {
        self.inner.rates(t, y, dy)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64], dt: &mut [f64]) -> Give<bool> {
        self.inner.jacobian(t, y, jac, dt)
    }
    fn dense(&mut self) -> Option<&mut DenseSlopes> {
        self.inner.dense()
    }
    fn commit(&mut self, t: f64, y: &[f64]) {
        self.heard.push((t, y.to_vec()));
    }
    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.inner.next_breakpoint(t)
    }
}

#[test]
fn an_explicit_equation_hears_of_each_step_that_is_kept_once() {
    let mut rejected = 0;
    for entry in INTEGRATORS {
        let mut equation = Hearing { inner: Equation { breakpoints: &[0.7, 1.9], ..KEPLER }.solved(), heard: Vec::new() };
        let (mut method, mut statistics) = ((entry.build)(4), Statistics::default());
        let (mut t, mut y, mut ends) = (0.0, KEPLER_START, Vec::new());
        let settings = Settings { step: Some(0.03), ..Settings::tolerance(1e-8) };
        // Twice an event ends the run inside a step; what goes on starts afresh.
        for _ in 0..3 {
            let (rules, mut inner) = ([Rule { direction: Direction::Any, terminal: true }], stopping(&mut ends, None));
            let mut watch = with_events(&rules, 4, |_, _, y| y[1], &mut inner);
            let end = integrate(&mut *method, &mut equation, (t, 8.0), &mut y, &settings, &mut statistics, &mut watch).unwrap();
            t = end.t;
            let (last, state) = equation.heard.last().expect("a step");
            assert_eq!((*last, &state[..]), (t, &y[..]), "{}", entry.name);
        }
        assert_eq!(t, 8.0, "{}", entry.name);
        let heard: Vec<f64> = equation.heard.iter().map(|(t, _)| *t).collect();
        assert_eq!(heard, ends, "{}", entry.name);
        assert_eq!(heard.len(), statistics.accepted, "{}", entry.name);
        assert!(heard.windows(2).all(|pair| pair[0] < pair[1]) && heard.contains(&0.7), "{}", entry.name);
        rejected += statistics.rejected;
    }
    assert!(rejected > 0);
}
