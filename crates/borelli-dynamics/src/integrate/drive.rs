//! The loop over steps: from breakpoint to breakpoint, exactly to the end, with counters and an observer.
//! Not here: how a step is made (one file per method).
//! In: a method, an `Ode`, an interval, a start. Out: the state at the end or where an observer stopped; or a failure with its time.

use super::failure::{Failure, Trouble};
use super::observe::{Flow, Observer, Step};
use super::ode::{Ode, Settings, Statistics};
use super::{Interpolant, Method};

/// How an integration ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// Time reached, s.
    pub t: f64,
    /// Whether an observer ended it; else the end of the interval is reached exactly.
    pub stopped: bool,
}

/// The equation as a method sees it: evaluations are counted and checked, and times are kept inside the piece between two
/// breakpoints, so that a step ending at a jump takes the value before it and the next one the value after it.
pub struct Guard<'a> {
    ode: &'a mut dyn Ode,
    /// Counters, filled by the methods.
    pub statistics: &'a mut Statistics,
    piece: (f64, f64),
    attempts: usize,
}

impl Guard<'_> {
    fn inside(&self, t: f64) -> f64 {
        t.clamp(self.piece.0, self.piece.1)
    }

    /// Rates, all finite, or why not.
    pub fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Trouble> {
        self.statistics.evaluations += 1;
        let t = self.inside(t);
        self.ode.rates(t, y, dy).map_err(Trouble::Refused)?;
        finite(dy)
    }

    /// Rates and their time derivative, all finite; the equation keeps their slopes by the state for `factor`.
    pub fn prepare(&mut self, t: f64, y: &[f64], dy: &mut [f64], dt: &mut [f64]) -> Result<(), Trouble> {
        self.statistics.evaluations += 1;
        let t = self.inside(t);
        self.ode.prepare(t, y, dy, dt)?;
        self.statistics.jacobians += 1;
        finite(dy)?;
        finite(dt)
    }

    /// Makes the equation ready to solve with its slopes J of the last `prepare`, as `shift` · 1 − J.
    pub fn factor(&mut self, shift: f64) -> Result<(), Trouble> {
        self.statistics.factorisations += 1;
        self.ode.factor(shift)
    }

    /// Solves in place with the matrix of the last `factor`.
    pub fn solve(&mut self, x: &mut [f64]) {
        self.ode.solve(x);
    }

    /// Tells the equation that a step ends here; it may correct the state. `true`: evaluate the rates anew.
    pub fn accepted(&mut self, t: f64, y: &mut [f64]) -> bool {
        self.ode.accepted(t, y)
    }

    /// How many entries of the state, from the first on, the rates depend on.
    pub fn driving(&self) -> usize {
        self.ode.driving()
    }

    /// Counts an attempt of a step from `t`.
    pub fn attempt(&mut self, settings: &Settings, t: f64) -> Result<(), Failure> {
        count_attempt(&mut self.attempts, settings, t)
    }
}

/// Counts an attempt of a step from `t`, up to the limit.
pub(super) fn count_attempt(attempts: &mut usize, settings: &Settings, t: f64) -> Result<(), Failure> {
    *attempts += 1;
    if *attempts > settings.max_steps { Err(Failure::TooManySteps { t, limit: settings.max_steps }) } else { Ok(()) }
}

/// Names the first entry that is not finite.
pub(crate) fn finite(list: &[f64]) -> Result<(), Trouble> {
    match list.iter().position(|x| !x.is_finite()) {
        Some(entry) => Err(Trouble::NotFinite { entry }),
        None => Ok(()),
    }
}

fn check(settings: &Settings) -> Result<(), Failure> {
    let Settings { rtol, atol, step, max_step, min_step, .. } = *settings;
    let ok = |good: bool, name, value| if good { Ok(()) } else { Err(Failure::BadSetting { name, value }) };
    ok((0.0..1.0).contains(&rtol), "rtol", rtol)?;
    ok(atol >= 0.0 && atol.is_finite() && atol + rtol > 0.0, "atol", atol)?;
    ok(step.is_none_or(|h| h > 0.0 && h.is_finite()), "step", step.unwrap_or(f64::NAN))?;
    ok(max_step > 0.0, "max_step", max_step)?;
    ok(min_step >= 0.0 && min_step <= max_step, "min_step", min_step)
}

/// A method at work on its equation, as the loop over steps sees it.
pub(super) trait Stepper {
    /// The first time after `t` at which the equation jumps.
    fn next_breakpoint(&self, t: f64) -> Option<f64>;

    /// Prepares for steps from `t` to `limit`; the equation is to be asked for times inside `piece` only.
    fn start(&mut self, piece: (f64, f64), t: f64, limit: f64, y: &[f64]) -> Result<(), Failure>;

    /// Makes one accepted step, not beyond `limit`; writes the new state and returns the new time.
    fn advance(&mut self, limit: f64, y: &mut [f64]) -> Result<f64, Failure>;

    /// Corrects a state from the dense output.
    fn correct(&mut self, t: f64, y: &mut [f64]);

    /// Tells the equation that a step is kept, which ends here.
    fn commit(&mut self, t: f64, y: &[f64]);

    /// The last step, for observers.
    fn step<'s>(&'s self, t0: f64, t1: f64, y: &'s [f64]) -> Step<'s>;
}

/// The loop over pieces and steps, for any kind of method.
pub(super) fn run(
    stepper: &mut dyn Stepper,
    dim: usize,
    (t0, t1): (f64, f64),
    y: &mut [f64],
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<End, Failure> {
    check(settings)?;
    if !(t0.is_finite() && t1.is_finite() && t1 >= t0) {
        return Err(Failure::ReversedInterval { from: t0, to: t1 });
    }
    if dim != y.len() {
        return Err(Failure::WrongLength { expected: dim, found: y.len() });
    }
    if let Err(Trouble::NotFinite { entry }) = finite(y) {
        return Err(Failure::StartNotFinite { t: t0, entry });
    }
    let mut t = t0;
    while t < t1 {
        let jump = stepper.next_breakpoint(t).filter(|b| *b > t && *b < t1);
        let limit = jump.unwrap_or(t1);
        // Between two jumps times stay strictly inside; at the ends of the run they may touch.
        let from = if t > t0 { t.next_up() } else { t };
        let to = if jump.is_some() { limit.next_down() } else { limit };
        stepper.start((from.min(to), to), t, limit, y)?;
        while t < limit {
            let end = stepper.advance(limit, y)?;
            let step = stepper.step(t, end, y);
            match observer.step(&step) {
                Flow::Continue => {
                    t = end;
                    stepper.commit(t, y);
                }
                Flow::StopAt(stop) => {
                    let stop = stop.clamp(t, end);
                    if stop < end {
                        // The state belongs to `step` no longer: it is taken from the same interpolant.
                        let interpolant = stepper.step(t, end, &[]).interpolant;
                        interpolant.eval(stop, y);
                        stepper.correct(stop, y);
                    }
                    // Nothing is kept of a step that ends where it began.
                    if stop > t {
                        stepper.commit(stop, y);
                    }
                    return Ok(End { t: stop, stopped: true });
                }
            }
        }
    }
    Ok(End { t, stopped: false })
}

/// A method on an `Ode`.
struct Explicit<'a, 'g> {
    method: &'a mut dyn Method,
    guard: Guard<'g>,
    settings: &'a Settings,
}

impl Stepper for Explicit<'_, '_> {
    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.guard.ode.next_breakpoint(t)
    }

    fn start(&mut self, piece: (f64, f64), t: f64, limit: f64, y: &[f64]) -> Result<(), Failure> {
        self.guard.piece = piece;
        self.guard.statistics.starts += 1;
        self.method.start(&mut self.guard, self.settings, t, limit, y)
    }

    fn advance(&mut self, limit: f64, y: &mut [f64]) -> Result<f64, Failure> {
        self.method.advance(&mut self.guard, self.settings, limit, y)
    }

    fn correct(&mut self, t: f64, y: &mut [f64]) {
        self.guard.accepted(t, y);
    }

    fn commit(&mut self, t: f64, y: &[f64]) {
        self.guard.ode.commit(t, y);
    }

    fn step<'s>(&'s self, t0: f64, t1: f64, y: &'s [f64]) -> Step<'s> {
        let interpolant: &dyn Interpolant = &*self.method;
        Step { t0, t1, y, interpolant, statistics: self.guard.statistics, found: None, strain: self.method.strain() }
    }
}

/// Integrates from `t0` to `t1`; `y` is the start and becomes the state reached, also on failure.
///
/// Steps end exactly at breakpoints of the equation and at `t1`. A state where an observer stopped inside a step comes from the
/// dense output and is corrected by `Ode::accepted` like the end of a step. After warm-up (the first call with a method) nothing is
/// allocated. The same input gives the same bits.
pub fn integrate(
    method: &mut dyn Method,
    ode: &mut dyn Ode,
    interval: (f64, f64),
    y: &mut [f64],
    settings: &Settings,
    statistics: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<End, Failure> {
    let dim = ode.dim();
    let guard = Guard { ode, statistics, piece: interval, attempts: 0 };
    run(&mut Explicit { method, guard, settings }, dim, interval, y, settings, observer)
}
