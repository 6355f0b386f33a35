//! Many starts side by side: all go a little way, the best go to the end.
//! Not here: where starts come from (`sample.rs`), the solver that runs from each.

use super::{Answer, Best, Progress, Query, Solver, Stop};
use crate::checkpoint::Page;

/// Iterations that every start is given.
const SURVEY: usize = 30;

/// Solvers of one kind from several starts.
#[derive(Clone, Debug)]
pub struct MultiStart<S> {
    runs: Vec<S>,
    /// Which runs go on.
    going: Vec<usize>,
    survey: bool,
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
        MultiStart { going: (0..runs.len()).collect(), survey: runs.len() > 3, runs, best: Best::none() }
    }

    /// How every start ended, in their order.
    pub fn endings(&self) -> Vec<Ending> {
        self.runs.iter().map(|run| Ending { objective: run.best().objective, stop: run.stop() }).collect()
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
        self.going
            .iter()
            .copied()
            .filter(|&k| self.runs[k].stop().is_none() && !(self.survey && self.runs[k].progress().iterations >= SURVEY))
    }

    /// After the survey the best tenth goes on, at least three.
    fn thin_out(&mut self) {
        let key = |run: &S| (run.best().violation, run.best().objective);
        let mut order: Vec<usize> = (0..self.runs.len()).collect();
        order.sort_by(|&a, &b| {
            let (x, y) = (key(&self.runs[a]), key(&self.runs[b]));
            x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)).then(a.cmp(&b))
        });
        order.truncate(self.runs.len().div_ceil(10).max(3));
        order.sort_unstable();
        self.going = order;
        self.survey = false;
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
        if self.survey && self.active().next().is_none() {
            self.thin_out();
        }
    }

    fn stop(&self) -> Option<Stop> {
        if self.survey || self.active().next().is_some() { None } else { self.leader().stop().or(Some(Stop::Evaluations)) }
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
        page.flag("survey", &mut self.survey);
        for (k, run) in self.runs.iter_mut().enumerate() {
            page.inner(&k.to_string(), |page| run.keep(page));
        }
        self.best.keep(page);
    }
}
