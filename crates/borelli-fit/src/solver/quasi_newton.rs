//! Bounded minimisation of any smooth objective by a quasi-Newton method of limited memory.
//! Not here: constraints (`constrained.rs`).
//! Source: Nocedal (1980), Math Comp 35:773 (limited memory); Bertsekas (1982), SIAM J Control Optim 20:221 (projection on bounds).

use super::rounds::Elsewhere;
use super::{Answer, Best, Progress, Query, Solver, Stop, Wanted, keep_stop};
use crate::checkpoint::Page;
use crate::unknown::Bounds;

/// Pairs of steps and changes of the gradient that are remembered.
const MEMORY: usize = 10;
/// Share of the promised decrease that a step must bring (Armijo).
const DECREASE: f64 = 1e-4;
/// Share of the slope that may remain at its end (Wolfe).
const SLOPE: f64 = 0.9;

/// How a quasi-Newton search goes about its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Largest number of evaluations.
    pub evaluations: usize,
    /// Stop when the projected gradient is below this times 1 + |J|.
    pub gradient: f64,
    /// Stop when three steps in a row lower J by less than this share of 1 + |J|.
    pub decrease: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { evaluations: 100_000, gradient: 1e-10, decrease: 1e-15 }
    }
}

/// Minimises a smooth objective between bounds.
///
/// Unknowns that press against a bound are held; the others move along d = -H g, H from the last ten steps in which y's > 0. A trial lies at
/// clip(z + t d); t is halved while the decrease is too small, and doubled while the slope is still steep and no bound was met.
#[derive(Clone, Debug)]
pub struct QuasiNewton {
    bounds: Bounds,
    settings: Settings,
    z: Vec<f64>,
    gradient: Vec<f64>,
    objective: f64,
    direction: Vec<f64>,
    /// Length along the direction, and the ends of the interval it is looked for in.
    t: f64,
    lower: f64,
    upper: f64,
    steps: Vec<Vec<f64>>,
    changes: Vec<Vec<f64>>,
    idle: usize,
    begun: bool,
    best: Best,
    progress: Progress,
    stop: Option<Stop>,
}

impl QuasiNewton {
    /// A search from `start`, which is moved inside the bounds.
    pub fn new(bounds: Bounds, mut start: Vec<f64>, settings: Settings) -> QuasiNewton {
        bounds.clip(&mut start);
        let n = start.len();
        QuasiNewton {
            bounds,
            settings,
            z: start,
            gradient: vec![0.0; n],
            objective: f64::NAN,
            direction: vec![0.0; n],
            t: 0.0,
            lower: 0.0,
            upper: f64::INFINITY,
            steps: Vec::new(),
            changes: Vec::new(),
            idle: 0,
            begun: false,
            best: Best::none(),
            progress: Progress { objective: f64::INFINITY, ..Progress::default() },
            stop: None,
        }
    }

    fn trial(&self) -> Vec<f64> {
        (0..self.z.len()).map(|k| self.bounds.clipped(k, self.z[k] + self.t * self.direction[k])).collect()
    }

    /// Chooses the direction of the next search, or stops.
    fn begin_search(&mut self) {
        self.progress.gradient = self.bounds.projected_gradient(&self.z, &self.gradient);
        if self.progress.gradient <= self.settings.gradient * (1.0 + self.objective.abs()) {
            self.stop = Some(Stop::Gradient);
            return;
        }
        if self.idle >= 3 {
            self.stop = Some(Stop::Decrease);
            return;
        }
        let free: Vec<bool> = (0..self.z.len()).map(|k| self.bounds.is_free(k, self.z[k], self.gradient[k])).collect();
        self.direction = self.two_loops(&free);
        if dot(&self.direction, &self.gradient) >= 0.0 {
            self.forget();
            self.direction = self.two_loops(&free);
        }
        // Without memory the first step is short: the size of the gradient says nothing about distances.
        let longest = self.direction.iter().fold(0.0, |a: f64, d| a.max(d.abs()));
        self.t = if self.steps.is_empty() { 0.1f64.min(1.0 / longest) } else { 1.0 };
        (self.lower, self.upper) = (0.0, f64::INFINITY);
    }

    fn forget(&mut self) {
        self.steps.clear();
        self.changes.clear();
    }

    /// -H g over free unknowns.
    fn two_loops(&self, free: &[bool]) -> Vec<f64> {
        let held = |x: &[f64]| -> Vec<f64> { x.iter().zip(free).map(|(x, &free)| if free { *x } else { 0.0 }).collect() };
        let pairs: Vec<(Vec<f64>, Vec<f64>, f64)> = self
            .steps
            .iter()
            .zip(&self.changes)
            .map(|(s, y)| (held(s), held(y)))
            .map(|(s, y)| (dot(&s, &y), s, y))
            .filter(|(sy, s, y)| *sy > 1e-12 * (dot(s, s) * dot(y, y)).sqrt())
            .map(|(sy, s, y)| (s, y, sy))
            .collect();
        let mut q = held(&self.gradient);
        let mut weights = vec![0.0; pairs.len()];
        for (k, (s, y, sy)) in pairs.iter().enumerate().rev() {
            weights[k] = dot(s, &q) / sy;
            q.iter_mut().zip(y).for_each(|(q, y)| *q -= weights[k] * y);
        }
        if let Some((_, y, sy)) = pairs.last() {
            let scale = sy / dot(y, y);
            q.iter_mut().for_each(|q| *q *= scale);
        }
        for (k, (s, y, sy)) in pairs.iter().enumerate() {
            let weight = weights[k] - dot(y, &q) / sy;
            q.iter_mut().zip(s).for_each(|(q, s)| *q += weight * s);
        }
        q.iter_mut().for_each(|q| *q = -*q);
        q
    }

    fn judge(&mut self, answer: &Answer) {
        let value = answer.objectives.first().copied().unwrap_or(f64::NAN);
        let trial = self.trial();
        let step: Vec<f64> = trial.iter().zip(&self.z).map(|(a, b)| a - b).collect();
        let slope = dot(&self.gradient, &step);
        let length = step.iter().fold(0.0, |a: f64, d| a.max(d.abs()));
        if !(value <= self.objective + DECREASE * slope) {
            self.upper = self.t;
            self.t = 0.5 * (self.lower + self.upper);
            if length < 1e-15 {
                self.give_up();
            }
            return;
        }
        let clipped = trial.iter().zip(&self.z).zip(&self.direction).any(|((a, z), d)| *a != z + self.t * d);
        if !clipped && dot(&answer.slopes.objective, &self.direction) < SLOPE * dot(&self.gradient, &self.direction) && self.t < 1e10 {
            self.lower = self.t;
            self.t = if self.upper.is_finite() { 0.5 * (self.lower + self.upper) } else { 2.0 * self.t };
            if self.upper - self.lower > 1e-12 * self.lower {
                return;
            }
        }
        let change: Vec<f64> = answer.slopes.objective.iter().zip(&self.gradient).map(|(a, b)| a - b).collect();
        if dot(&step, &change) > 0.0 {
            if self.steps.len() == MEMORY {
                self.steps.remove(0);
                self.changes.remove(0);
            }
            self.steps.push(step);
            self.changes.push(change);
        }
        self.idle = if self.objective - value < self.settings.decrease * (1.0 + value.abs()) { self.idle + 1 } else { 0 };
        (self.z, self.objective) = (trial, value);
        self.gradient.clone_from(&answer.slopes.objective);
        self.progress.iterations += 1;
        (self.progress.step, self.progress.control) = (length, self.t);
        self.begin_search();
    }

    /// Where no step along the direction helps: along the gradient without memory, then no more.
    fn give_up(&mut self) {
        if self.steps.is_empty() {
            self.stop = Some(Stop::Stuck);
        } else {
            self.forget();
            self.begin_search();
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Elsewhere for QuasiNewton {
    fn begun_at(&self, start: Vec<f64>) -> QuasiNewton {
        QuasiNewton::new(self.bounds.clone(), start, self.settings)
    }
}

impl Solver for QuasiNewton {
    fn ask(&self) -> Vec<Query> {
        if self.stop.is_some() {
            return Vec::new();
        }
        let point = if self.begun { self.trial() } else { self.z.clone() };
        vec![Query { wanted: Wanted::Gradient, point }]
    }

    fn tell(&mut self, answers: &[Answer]) {
        let asked = self.ask();
        let [answer] = answers else { return };
        self.progress.count(&asked);
        let value = answer.objectives.first().copied().unwrap_or(f64::NAN);
        self.best.offer(&asked[0].point, value, 0.0);
        self.progress.objective = self.best.objective;
        if self.begun {
            self.judge(answer);
        } else {
            self.begun = true;
            self.objective = value;
            self.gradient.clone_from(&answer.slopes.objective);
            if value.is_finite() { self.begin_search() } else { self.stop = Some(Stop::NotANumber) }
        }
        if self.stop.is_none() && self.progress.evaluations >= self.settings.evaluations {
            self.stop = Some(Stop::Evaluations);
        }
    }

    fn stop(&self) -> Option<Stop> {
        self.stop
    }

    fn best(&self) -> &Best {
        &self.best
    }

    fn progress(&self) -> Progress {
        self.progress
    }

    fn keep(&mut self, page: &mut Page) {
        page.numbers("z", &mut self.z);
        page.numbers("gradient", &mut self.gradient);
        page.number("objective", &mut self.objective);
        page.numbers("direction", &mut self.direction);
        page.number("t", &mut self.t);
        page.number("lower", &mut self.lower);
        page.number("upper", &mut self.upper);
        page.rows("steps", &mut self.steps);
        page.rows("changes", &mut self.changes);
        page.count("idle", &mut self.idle);
        page.flag("begun", &mut self.begun);
        self.best.keep(page);
        self.progress.keep(page);
        keep_stop(&mut self.stop, page);
    }
}
