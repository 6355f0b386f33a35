//! Events: zeros of functions g(t, y), located on the dense output of each step, reported in order of time.
//! Not here: what an event changes. A terminal event ends the run at its time; the caller changes the state and starts again.
//! In: rules and functions of (t, y). Out: a list of located zeros; the steps go on to an inner observer.

use super::observe::{Flow, Found, Observer, Step};

/// Which way g must pass zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From below to above.
    Rising,
    /// From above to below.
    Falling,
    /// Either.
    Any,
}

/// How one event function is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Which way.
    pub direction: Direction,
    /// Whether the run ends there.
    pub terminal: bool,
}

/// A located zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// Number of the event function.
    pub event: usize,
    /// Time, s: the first known time at which the new sign (or an exact zero) holds.
    pub t: f64,
    /// Whether g rises there.
    pub rising: bool,
}

/// The functions whose zeros are wanted. Any `FnMut(event, t, y) -> f64` is one.
pub trait EventFunctions {
    /// Lists those of `count` functions that may pass zero within a step between two times and states, in increasing order; the others stay on the
    /// side of zero they are on.
    fn choose(&mut self, count: usize, _ends: [(f64, &[f64]); 2], list: &mut Vec<usize>) {
        list.extend(0..count);
    }

    /// Called before values and rates at another time and state are asked for.
    fn look(&mut self, _t: f64, _y: &[f64]) {}

    /// Value of one of them; NaN where it has none, which is passed over. `found` is what an implicit scheme found over the step beside the state.
    fn value(&mut self, event: usize, t: f64, y: &[f64], found: Option<&Found>) -> f64;

    /// Its rate, where that is known: then a function that comes to zero and goes back within a piece of a step is followed to where it turns.
    fn rate(&mut self, _event: usize, _t: f64, _y: &[f64]) -> Option<f64> {
        None
    }

    /// Called for each located event, in order of time, with the state there.
    fn located(&mut self, _located: &Located, _y: &[f64]) {}
}

impl<F: FnMut(usize, f64, &[f64]) -> f64> EventFunctions for F {
    fn value(&mut self, event: usize, t: f64, y: &[f64], _found: Option<&Found>) -> f64 {
        self(event, t, y)
    }
}

impl EventFunctions for &mut dyn EventFunctions {
    fn choose(&mut self, count: usize, ends: [(f64, &[f64]); 2], list: &mut Vec<usize>) {
        (**self).choose(count, ends, list);
    }

    fn look(&mut self, t: f64, y: &[f64]) {
        (**self).look(t, y);
    }

    fn value(&mut self, event: usize, t: f64, y: &[f64], found: Option<&Found>) -> f64 {
        (**self).value(event, t, y, found)
    }

    fn rate(&mut self, event: usize, t: f64, y: &[f64]) -> Option<f64> {
        (**self).rate(event, t, y)
    }

    fn located(&mut self, located: &Located, y: &[f64]) {
        (**self).located(located, y);
    }
}

/// An observer that locates events. See `with_events`.
pub struct WithEvents<'a, G> {
    rules: &'a [Rule],
    g: G,
    inner: &'a mut dyn Observer,
    found: Vec<Located>,
    /// Functions that may pass zero within the step that is looked at.
    chosen: Vec<usize>,
    /// What is known of each function at the end of the last piece.
    seen: Vec<Seen>,
    /// Values and rates at the end of the piece that is looked at.
    now: Vec<(f64, Option<f64>)>,
    /// End of the last step; NaN before the first.
    t_last: f64,
    y: Vec<f64>,
}

/// A function at the last time at which it had a value.
#[derive(Clone, Copy, Default)]
struct Seen {
    t: f64,
    /// Its sign there, before corrections of the state; zero when it stands at zero.
    sign: f64,
    value: Option<f64>,
    rate: Option<f64>,
    /// End of the last step for which it was chosen.
    until: f64,
}

/// Each step is looked at in this many pieces, so that a function that dips below zero and comes back is not missed easily.
const PIECES: usize = 4;
/// Zeros are located to this part of the step.
const RESOLUTION: f64 = 1e-12;

/// Watches `g(event, t, y)` for each of the `rules`, before handing steps to `inner`.
///
/// A zero exactly at the start of the run is not an event (one has to arrive at zero); a zero exactly at the end of a step is one.
/// Two zeros of the same function within a quarter of a step are missed unless its rate is known: `Settings::max_step` bounds that. Zeros are located to
/// 1e-12 of the step on the interpolant, whose own error is that of the method's dense output.
pub fn with_events<'a, G: FnMut(usize, f64, &[f64]) -> f64>(
    rules: &'a [Rule],
    dim: usize,
    g: G,
    inner: &'a mut dyn Observer,
) -> WithEvents<'a, G> {
    WithEvents::new(rules, dim, g, inner)
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

impl<'a, G: EventFunctions> WithEvents<'a, G> {
    /// As `with_events`, for functions that also want to be told of each located event.
    pub fn new(rules: &'a [Rule], dim: usize, g: G, inner: &'a mut dyn Observer) -> Self {
        let (seen, now) = (vec![Seen::default(); rules.len()], vec![(0.0, None); rules.len()]);
        WithEvents {
            rules,
            g,
            inner,
            found: Vec::new(),
            chosen: Vec::with_capacity(rules.len()),
            seen,
            now,
            t_last: f64::NAN,
            y: vec![0.0; dim],
        }
    }

    /// Everything located so far, in order of time.
    pub fn found(&self) -> &[Located] {
        &self.found
    }

    fn value(&mut self, event: usize, step: &Step, t: f64) -> f64 {
        self.look(step, t);
        self.g.value(event, t, &self.y, step.found.as_ref())
    }

    /// Goes to a time within a step.
    fn look(&mut self, step: &Step, t: f64) {
        step.interpolant.eval(t, &mut self.y);
        self.g.look(t, &self.y);
    }

    /// The zero between `a` and `b`, where g has opposite signs, by the Illinois variant of false position; every third trial
    /// halves the bracket. Returns the end of the last bracket on the side of `b`.
    fn locate(&mut self, event: usize, step: &Step, mut a: f64, mut ga: f64, mut b: f64, mut gb: f64) -> f64 {
        // Not below what times can tell apart, else a trial beside an end would round to it and end the search early.
        let width = (RESOLUTION * (step.t1 - step.t0)).max(2.0 * f64::EPSILON * b.abs());
        let mut kept = 0.0;
        for trial in 1.. {
            if b - a <= width {
                break;
            }
            let secant = b - gb * (b - a) / (gb - ga);
            let t = if trial % 3 == 0 || !secant.is_finite() { 0.5 * (a + b) } else { secant };
            let margin = 0.5 * width.min(b - a);
            let mut t = t.clamp(a + margin, b - margin);
            if !(t > a && t < b) {
                t = 0.5 * (a + b);
            }
            if !(t > a && t < b) {
                break;
            }
            let g = self.value(event, step, t);
            if g == 0.0 {
                return t;
            }
            if g.is_nan() {
                break;
            }
            if sign(g) == sign(ga) {
                (a, ga) = (t, g);
                if kept < 0.0 {
                    gb *= 0.5;
                }
                kept = -1.0;
            } else {
                (b, gb) = (t, g);
                if kept > 0.0 {
                    ga *= 0.5;
                }
                kept = 1.0;
            }
        }
        b
    }

    /// A time between `a` and `b` at which a function has crossed zero, of which it is on the same side at both: it comes nearer at `a` and goes away at `b`, so that
    /// halving on its rate ends where it turns.
    fn turn(&mut self, event: usize, step: &Step, mut a: f64, mut b: f64, side: f64) -> Option<(f64, f64)> {
        let width = RESOLUTION * (step.t1 - step.t0);
        while b - a > width {
            let t = 0.5 * (a + b);
            if !(t > a && t < b) {
                break;
            }
            let g = self.value(event, step, t);
            if g.is_nan() {
                break;
            }
            if sign(g) == -side {
                return Some((t, g));
            }
            let rate = self.g.rate(event, t, &self.y)?;
            if rate * side < 0.0 { a = t } else { b = t }
        }
        None
    }

    /// Adds a zero if it is wanted.
    fn add(&mut self, event: usize, t: f64, rising: bool) {
        let wanted = match self.rules[event].direction {
            Direction::Any => true,
            Direction::Rising => rising,
            Direction::Falling => !rising,
        };
        if wanted {
            self.found.push(Located { event, t, rising });
        }
    }

    /// Adds the zeros of one function in the piece of a step that ends at `b`.
    fn scan(&mut self, event: usize, step: &Step, b: f64) {
        let (value, rate) = self.now[event];
        if value.is_nan() {
            return;
        }
        let Seen { t: a, sign: before, value: known, rate: rate_a, .. } = self.seen[event];
        let after = sign(value);
        if before != 0.0 && after != before {
            let start = known.unwrap_or_else(|| self.value(event, step, a));
            let t = match (after == 0.0, sign(start) == before) {
                (true, _) => b,
                (false, true) => self.locate(event, step, a, start, b, value),
                // The state was corrected between the steps and took g across zero.
                (false, false) => a,
            };
            self.add(event, t, before < 0.0);
        } else if let (Some(rate_a), Some(rate_b)) = (rate_a, rate)
            && rate_a * before < 0.0
            && rate_b * before > 0.0
            && let Some((middle, beyond)) = self.turn(event, step, a, b, before)
        {
            let start = known.unwrap_or_else(|| self.value(event, step, a));
            if sign(start) == before {
                let (there, back) =
                    (self.locate(event, step, a, start, middle, beyond), self.locate(event, step, middle, beyond, b, value));
                self.add(event, there, before < 0.0);
                self.add(event, back, before > 0.0);
            }
        }
        self.seen[event] = Seen { t: b, sign: after, value: Some(value), rate, ..self.seen[event] };
    }

    /// Adds the zeros of all functions inside a step. All are looked at at one time before the next, so that they can share what they find.
    fn scan_all(&mut self, step: &Step) {
        let fresh = step.t0 != self.t_last;
        step.interpolant.eval(step.t0, &mut self.y);
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.clear();
        self.g.choose(self.rules.len(), [(step.t0, &self.y), (step.t1, step.y)], &mut chosen);
        self.g.look(step.t0, &self.y);
        for &event in &chosen {
            let rate = self.g.rate(event, step.t0, &self.y);
            let Seen { sign: before, until, .. } = self.seen[event];
            let anew = fresh || until != step.t0;
            let sign = if anew { sign(self.g.value(event, step.t0, &self.y, step.found.as_ref())) } else { before };
            self.seen[event] = Seen { t: step.t0, sign, value: None, rate, until: step.t1 };
        }
        for piece in 1..=PIECES {
            let b = if piece == PIECES { step.t1 } else { step.t0 + (step.t1 - step.t0) * piece as f64 / PIECES as f64 };
            self.look(step, b);
            for &event in &chosen {
                self.now[event] = (self.g.value(event, b, &self.y, step.found.as_ref()), self.g.rate(event, b, &self.y));
            }
            for &event in &chosen {
                self.scan(event, step, b);
            }
        }
        self.chosen = chosen;
    }
}

impl<G: EventFunctions> Observer for WithEvents<'_, G> {
    fn step(&mut self, step: &Step) -> Flow {
        let old = self.found.len();
        if !self.rules.is_empty() {
            self.scan_all(step);
        }
        self.t_last = step.t1;
        self.found[old..].sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.event.cmp(&b.event)));
        let stop = self.found[old..].iter().find(|located| self.rules[located.event].terminal).map(|located| located.t);
        let flow = match stop {
            None => self.inner.step(step),
            Some(t1) => {
                step.interpolant.eval(t1, &mut self.y);
                match self.inner.step(&Step { t1, y: &self.y, ..*step }) {
                    Flow::Continue => Flow::StopAt(t1),
                    earlier => earlier,
                }
            }
        };
        if let Flow::StopAt(end) = flow {
            let kept = self.found[old..].partition_point(|located| located.t <= end);
            self.found.truncate(old + kept);
            self.t_last = f64::NAN;
        }
        for located in &self.found[old..] {
            step.interpolant.eval(located.t, &mut self.y);
            self.g.located(located, &self.y);
        }
        flow
    }
}
