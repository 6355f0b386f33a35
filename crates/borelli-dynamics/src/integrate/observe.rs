//! Who looks on: accepted steps with their dense output go to an observer, which may end the run. Also samples at chosen times.
//! Not here: located events (`events`), files.
//! In: a step and its interpolant. Out: go on, or stop at a time inside the step.

use super::ode::Statistics;

/// A continuous solution over the last accepted step.
pub trait Interpolant {
    /// State at a time of the step; between the ends it is not corrected by `Ode::accepted` (normalise quaternions before use).
    fn eval(&self, t: f64, y: &mut [f64]);
}

/// One accepted step.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Start, s.
    pub t0: f64,
    /// End, s.
    pub t1: f64,
    /// State at the end.
    pub y: &'a [f64],
    /// The solution between.
    pub interpolant: &'a dyn Interpolant,
    /// Counters so far.
    pub statistics: &'a Statistics,
    /// What an implicit scheme found beside the state; none for methods that know only rates.
    pub found: Option<Found<'a>>,
    /// h |λ| of the method's step, with the rate λ of the direction that is damped fastest; none for methods that do not tell (`Method::strain`).
    pub strain: Option<f64>,
}

/// Accelerations and multipliers as an implicit scheme found them at the two ends of its step.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Start and end of the scheme's step, s; an event may have shortened the `Step` it comes with.
    pub t: (f64, f64),
    /// Rates of the velocities at both ends.
    pub a: [&'a [f64]; 2],
    /// Multipliers of the rows at both ends.
    pub lambda: [&'a [f64]; 2],
}

impl Found<'_> {
    /// Both at a time of the step, linear between the ends.
    pub fn eval(&self, t: f64, a: &mut [f64], lambda: &mut [f64]) {
        let s = if t >= self.t.1 { 1.0 } else { (t - self.t.0) / (self.t.1 - self.t.0) };
        for (out, [before, after]) in [(a, self.a), (lambda, self.lambda)] {
            for i in 0..out.len() {
                out[i] = (1.0 - s) * before[i] + s * after[i];
            }
        }
    }
}

/// What an observer wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the run at this time of the step (its `t1` to keep all of it), with the state of the interpolant there.
    StopAt(f64),
}

/// Sees every accepted step in order: progress, stop flag, recording.
pub trait Observer {
    /// Called once per accepted step.
    fn step(&mut self, step: &Step) -> Flow;
}

/// Nobody looks on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn step(&mut self, _step: &Step) -> Flow {
        Flow::Continue
    }
}

impl<F: FnMut(&Step) -> Flow> Observer for F {
    fn step(&mut self, step: &Step) -> Flow {
        self(step)
    }
}

/// Hands the state at given times, from the dense output, to a function. See `at_times`.
pub struct AtTimes<'a, F> {
    times: &'a [f64],
    next: usize,
    y: Vec<f64>,
    record: F,
}

/// An observer that calls `record(t, y)` at each of the increasing `times`; those before the first step are passed over.
pub fn at_times<F: FnMut(f64, &[f64])>(times: &[f64], dim: usize, record: F) -> AtTimes<'_, F> {
    AtTimes { times, next: 0, y: vec![0.0; dim], record }
}

impl<F: FnMut(f64, &[f64])> Observer for AtTimes<'_, F> {
    fn step(&mut self, step: &Step) -> Flow {
        while let Some(&t) = self.times.get(self.next).filter(|t| **t <= step.t1) {
            if t >= step.t0 {
                step.interpolant.eval(t, &mut self.y);
                (self.record)(t, &self.y);
            }
            self.next += 1;
        }
        Flow::Continue
    }
}
