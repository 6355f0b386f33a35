//! Rounds of searches: after many starts some more near the best point found, again and again, until the rounds are used.
//! Not here: the searches of a round (`multi_start`), where the first starts come from.
//! Source: Lourenço, Martin, Stützle (2003), Iterated local search, in Handbook of Metaheuristics.
//!
//! A point near the best one has each unknown moved with probability 1/2, by a normal distance whose width is the same for all of them:
//!
//!     z' = z + w range N(0, 1),        w = 0.5 · 10^(-2u),  u uniform in [0, 1)                     (1)
//!
//! and mirrored at bounds. So some stay in its valley, and others leave it in some unknowns only.

use super::multi_start::{Ending, MultiStart};
use super::{Answer, Best, Progress, Query, Solver, Stop};
use crate::checkpoint::Page;
use crate::random::{Purpose, Stream};
use crate::unknown::Bounds;

/// Searches of each round but the first.
pub const PER_ROUND: usize = 8;
/// Widths of (1): the largest, and how many powers of ten they are spread over.
const WIDTH: f64 = 0.5;
const DECADES: f64 = 2.0;

/// A search that can begin elsewhere.
pub trait Elsewhere: Solver + Sized {
    /// The same search from another start, as if nothing had happened.
    fn begun_at(&self, start: Vec<f64>) -> Self;
}

/// Rounds of searches of one kind.
#[derive(Clone, Debug)]
pub struct Rounds<S> {
    bounds: Bounds,
    seed: u32,
    /// Rounds in all, the first included, and the one at hand, from 0.
    rounds: usize,
    round: usize,
    pattern: S,
    now: MultiStart<S>,
    /// How the starts of the first round ended, once it is over.
    endings: Vec<Ending>,
    best: Best,
    /// How the round ended that found the best point.
    reason: Option<Stop>,
    /// Work of rounds that are over.
    spent: Progress,
}

impl<S: Elsewhere> Rounds<S> {
    /// Searches of the first round, and the number of rounds in all.
    pub fn new(bounds: Bounds, runs: Vec<S>, rounds: usize, seed: u32) -> Rounds<S>
    where
        S: Clone,
    {
        Rounds {
            bounds,
            seed,
            rounds,
            round: 0,
            pattern: runs[0].clone(),
            now: MultiStart::new(runs),
            endings: Vec::new(),
            best: Best::none(),
            reason: None,
            spent: Progress::default(),
        }
    }

    /// How the starts of the first round ended.
    pub fn endings(&self) -> Vec<Ending> {
        if self.endings.is_empty() { self.now.endings() } else { self.endings.clone() }
    }

    /// The best point of every search of the round at hand.
    pub fn bests(&self) -> impl Iterator<Item = &Best> {
        self.now.bests()
    }

    /// Points near the best one.
    fn near(&self) -> Vec<Vec<f64>> {
        let point = |individual: usize| {
            let mut stream = Stream::new(self.seed, Purpose::Round, self.round as u32, individual as u32, 0);
            let width = WIDTH * 10f64.powf(-DECADES * stream.uniform());
            let moved = self.best.point.iter().enumerate().map(|(k, z)| {
                let (u, normal) = (stream.uniform(), stream.normal());
                if u < 0.5 { self.mirrored(k, z + width * self.range(k) * normal) } else { *z }
            });
            moved.collect()
        };
        (0..PER_ROUND).map(point).collect()
    }

    fn range(&self, k: usize) -> f64 {
        let range = self.bounds.high[k] - self.bounds.low[k];
        if range.is_finite() { range } else { 1.0 }
    }

    /// A number between the bounds, reached by turning back at them.
    fn mirrored(&self, k: usize, z: f64) -> f64 {
        let (low, high) = (self.bounds.low[k], self.bounds.high[k]);
        if !(high - low).is_finite() {
            return self.bounds.clipped(k, z);
        }
        let folded = (z - low).rem_euclid(2.0 * (high - low));
        self.bounds.clipped(k, low + folded.min(2.0 * (high - low) - folded))
    }

    /// Closes rounds that are over, as long as others follow.
    fn go_on(&mut self) {
        while self.now.stop().is_some() && self.round + 1 < self.rounds {
            if self.round == 0 {
                self.endings = self.now.endings();
            }
            let done = self.now.progress();
            self.spent.iterations += done.iterations;
            self.spent.evaluations += done.evaluations;
            self.spent.jacobians += done.jacobians;
            self.round += 1;
            if self.best.point.is_empty() {
                self.rounds = self.round;
                return;
            }
            self.now = MultiStart::new(self.near().into_iter().map(|point| self.pattern.begun_at(point)).collect());
        }
    }
}

impl<S: Elsewhere> Solver for Rounds<S> {
    fn ask(&self) -> Vec<Query> {
        if self.stop().is_some() { Vec::new() } else { self.now.ask() }
    }

    fn tell(&mut self, answers: &[Answer]) {
        self.now.tell(answers);
        let found = self.now.best();
        self.best.offer(&found.point, found.objective, found.violation);
        if let Some(stop) = self.now.stop()
            && self.now.best().objective <= self.best.objective
        {
            self.reason = Some(stop);
        }
        self.go_on();
    }

    fn stop(&self) -> Option<Stop> {
        if self.round + 1 < self.rounds { None } else { self.now.stop().map(|stop| self.reason.unwrap_or(stop)) }
    }

    fn best(&self) -> &Best {
        &self.best
    }

    fn progress(&self) -> Progress {
        let mut total = self.now.progress();
        total.iterations += self.spent.iterations;
        total.evaluations += self.spent.evaluations;
        total.jacobians += self.spent.jacobians;
        total.objective = self.best.objective;
        total
    }

    fn keep(&mut self, page: &mut Page) {
        page.count("round", &mut self.round);
        page.count("rounds", &mut self.rounds);
        self.best.keep(page);
        super::keep_stop(&mut self.reason, page);
        page.inner("spent", |page| self.spent.keep(page));
        let mut endings: Vec<Vec<f64>> = Vec::new();
        for ending in &self.endings {
            endings.push(vec![ending.objective, super::number_of(ending.stop) as f64]);
        }
        page.rows("endings", &mut endings);
        if page.is_read() {
            let ending = |row: &Vec<f64>| Ending { objective: row[0], stop: super::stop_of(row[1] as usize) };
            self.endings = endings.iter().filter(|row| row.len() == 2).map(ending).collect();
            if self.round > 0 {
                let start = self.best.point.clone();
                self.now = MultiStart::new((0..PER_ROUND).map(|_| self.pattern.begun_at(start.clone())).collect());
            }
        }
        page.inner("now", |page| self.now.keep(page));
    }
}
