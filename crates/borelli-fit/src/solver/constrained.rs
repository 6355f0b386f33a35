//! Minimisation under smooth constraints g <= 0, by an augmented Lagrangian around a quasi-Newton search.
//! Not here: bounds, which the inner search keeps; linear constraints that a problem can meet by itself.
//! Source: Nocedal, Wright (2006), Numerical optimization, 17.3 and 17.4.

use super::quasi_newton::{QuasiNewton, Settings};
use super::{Answer, Best, Progress, Query, Solver, Stop, Wanted, keep_stop};
use crate::checkpoint::Page;
use crate::unknown::Bounds;

/// Constraints and complementarity are met when below this.
const FEASIBLE: f64 = 1e-8;
const LARGEST_PENALTY: f64 = 1e12;

/// Minimises J under g <= 0 between bounds:
///
/// ```text
/// L = J + 1/(2ρ) Σ (max(0, μ + ρ g)² - μ²)         inner search
/// μ ← max(0, μ + ρ g),  ρ ← 10 ρ where |max(g, -μ/ρ)| has not fallen to a quarter
/// ```
#[derive(Clone, Debug)]
pub struct Constrained {
    bounds: Bounds,
    settings: Settings,
    inner: QuasiNewton,
    multipliers: Vec<f64>,
    penalty: f64,
    /// |max(g, -μ/ρ)| after the last inner search.
    gap: f64,
    /// The inner search has ended: its constraints are wanted once more.
    between: bool,
    best: Best,
    progress: Progress,
    stop: Option<Stop>,
}

impl Constrained {
    /// A search from `start`, which is moved inside the bounds.
    pub fn new(bounds: Bounds, start: Vec<f64>, settings: Settings) -> Constrained {
        Constrained {
            inner: QuasiNewton::new(bounds.clone(), start, settings),
            bounds,
            settings,
            multipliers: Vec::new(),
            penalty: 10.0,
            gap: f64::INFINITY,
            between: false,
            best: Best::none(),
            progress: Progress { objective: f64::INFINITY, ..Progress::default() },
            stop: None,
        }
    }

    /// Multipliers of the constraints at the end: how much J falls when one is loosened by one.
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    fn lagrangian(&self, answer: &Answer) -> Answer {
        let mut value = answer.objectives.first().copied().unwrap_or(f64::NAN);
        let mut gradient = answer.slopes.objective.clone();
        let n = gradient.len();
        for (i, &g) in answer.constraints.iter().enumerate() {
            let multiplier = self.multipliers.get(i).copied().unwrap_or(0.0);
            let force = (multiplier + self.penalty * g).max(0.0);
            value += (force * force - multiplier * multiplier) / (2.0 * self.penalty);
            let row = &answer.slopes.constraints[i * n..(i + 1) * n];
            gradient.iter_mut().zip(row).for_each(|(total, slope)| *total += force * slope);
        }
        Answer { objectives: vec![value], slopes: super::Slopes { objective: gradient, ..Default::default() }, ..Answer::default() }
    }

    fn update(&mut self, answer: &Answer) {
        self.multipliers.resize(answer.constraints.len(), 0.0);
        let mut gap: f64 = 0.0;
        for (multiplier, &g) in self.multipliers.iter_mut().zip(&answer.constraints) {
            gap = gap.max(g.max(-*multiplier / self.penalty).abs());
            *multiplier = (*multiplier + self.penalty * g).max(0.0);
        }
        self.progress.iterations += 1;
        self.progress.control = self.penalty;
        if gap <= FEASIBLE {
            self.stop = self.inner.stop();
            return;
        }
        if gap > 0.25 * self.gap {
            self.penalty *= 10.0;
        }
        if self.penalty > LARGEST_PENALTY {
            self.stop = Some(Stop::Stuck);
            return;
        }
        self.gap = gap;
        self.between = false;
        self.inner = QuasiNewton::new(self.bounds.clone(), self.inner.best().point.clone(), self.settings);
    }
}

impl Solver for Constrained {
    fn ask(&self) -> Vec<Query> {
        if self.stop.is_some() {
            Vec::new()
        } else if self.between {
            vec![Query { wanted: Wanted::Gradient, point: self.inner.best().point.clone() }]
        } else {
            self.inner.ask()
        }
    }

    fn tell(&mut self, answers: &[Answer]) {
        let asked = self.ask();
        let [answer] = answers else { return };
        self.progress.count(&asked);
        // A point that misses its constraints by rounding is as good as one that meets them.
        let missed = |&g: &f64| match g {
            g if g.is_nan() => f64::INFINITY,
            g if g > FEASIBLE => g,
            _ => 0.0,
        };
        let violation = answer.constraints.iter().map(missed).sum();
        self.best.offer(&asked[0].point, answer.objectives.first().copied().unwrap_or(f64::NAN), violation);
        self.progress.objective = self.best.objective;
        if self.between {
            self.update(answer);
        } else {
            let lagrangian = self.lagrangian(answer);
            self.inner.tell(&[lagrangian]);
            let inner = self.inner.progress();
            (self.progress.step, self.progress.gradient) = (inner.step, inner.gradient);
            match self.inner.stop() {
                Some(Stop::NotANumber) => self.stop = Some(Stop::NotANumber),
                Some(_) => self.between = true,
                None => {}
            }
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
        page.inner("inner", |page| self.inner.keep(page));
        page.numbers("multipliers", &mut self.multipliers);
        page.number("penalty", &mut self.penalty);
        page.number("gap", &mut self.gap);
        page.flag("between", &mut self.between);
        self.best.keep(page);
        self.progress.keep(page);
        keep_stop(&mut self.stop, page);
    }
}
