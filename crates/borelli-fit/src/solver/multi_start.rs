//! Many starts side by side: all go a little way, the better half goes on, the best go to the end.
//! Not here: where starts come from (`sample.rs`), the solver that runs from each.

use super::{Answer, Best, Progress, Query, Solver, Stop};
use crate::checkpoint::Page;

/// Iterations after which the better half of all starts goes on, and after which the best sixth does.
const SURVEY: [usize; 2] = [10, 30];
const SHARES: [usize; 2] = [2, 6];
/// Starts that always go to the end, where there are so many.
const LEAST: usize = 3;

/// Solvers of one kind from several starts.
#[derive(Clone, Debug)]
pub struct MultiStart<S> {
    runs: Vec<S>,
    /// Which runs go on.
    going: Vec<usize>,
    /// Surveys that are over.
    surveys: usize,
    best: Best,
}

/// How one start ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    /// The objective at its end.
    pub objective: f64,
    /// Why it stopped; none where it was left behind after the survey.
    pub stop: Option<Stop>,
}

impl<S: Solver> MultiStart<S> {
    /// One solver for each start.
    pub fn new(runs: Vec<S>) -> MultiStart<S> {
        let surveys = if runs.len() > LEAST { 0 } else { SURVEY.len() };
        MultiStart { going: (0..runs.len()).collect(), surveys, runs, best: Best::none() }
    }

    /// How every start ended, in their order.
    pub fn endings(&self) -> Vec<Ending> {
        self.runs.iter().map(|run| Ending { objective: run.best().objective, stop: run.stop() }).collect()
    }

    /// The best point of every start, in their order.
    pub fn bests(&self) -> impl Iterator<Item = &Best> {
        self.runs.iter().map(Solver::best)
    }

    /// The run that found the best point.
    pub fn leader(&self) -> &S {
        let better = |a: &&S, b: &&S| {
            let (a, b) = (a.best(), b.best());
            a.violation.total_cmp(&b.violation).then(a.objective.total_cmp(&b.objective))
        };
        self.runs.iter().min_by(better).unwrap_or(&self.runs[0])
    }

    fn active(&self) -> impl Iterator<Item = usize> + '_ {
        self.going.iter().copied().filter(|&k| {
            self.runs[k].stop().is_none() && SURVEY.get(self.surveys).is_none_or(|survey| self.runs[k].progress().iterations < *survey)
        })
    }

    /// After a survey the best go on.
    fn thin_out(&mut self) {
        let key = |run: &S| (run.best().violation, run.best().objective);
        let mut order: Vec<usize> = self.going.clone();
        order.sort_by(|&a, &b| {
            let (x, y) = (key(&self.runs[a]), key(&self.runs[b]));
            x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)).then(a.cmp(&b))
        });
        order.truncate(self.runs.len().div_ceil(SHARES[self.surveys]).max(LEAST));
        order.sort_unstable();
        self.going = order;
        self.surveys += 1;
    }
}

impl<S: Solver> Solver for MultiStart<S> {
    fn ask(&self) -> Vec<Query> {
        self.active().flat_map(|k| self.runs[k].ask()).collect()
    }

    fn tell(&mut self, answers: &[Answer]) {
        let mut rest = answers;
        for k in self.active().collect::<Vec<_>>() {
            let n = self.runs[k].ask().len().min(rest.len());
            let (mine, others) = rest.split_at(n);
            rest = others;
            self.runs[k].tell(mine);
            let found = self.runs[k].best();
            self.best.offer(&found.point, found.objective, found.violation);
        }
        while self.surveys < SURVEY.len() && self.active().next().is_none() {
            self.thin_out();
        }
    }

    fn stop(&self) -> Option<Stop> {
        if self.surveys < SURVEY.len() || self.active().next().is_some() { None } else { self.leader().stop().or(Some(Stop::Evaluations)) }
    }

    fn best(&self) -> &Best {
        &self.best
    }

    fn progress(&self) -> Progress {
        let mut total = self.leader().progress();
        let sum = |what: fn(&Progress) -> usize| self.runs.iter().map(|run| what(&run.progress())).sum();
        total.evaluations = sum(|p| p.evaluations);
        total.jacobians = sum(|p| p.jacobians);
        total.objective = self.best.objective;
        total
    }

    fn keep(&mut self, page: &mut Page) {
        page.counts("going", &mut self.going);
        page.count("surveys", &mut self.surveys);
        for (k, run) in self.runs.iter_mut().enumerate() {
            page.inner(&k.to_string(), |page| run.keep(page));
        }
        self.best.keep(page);
    }
}
