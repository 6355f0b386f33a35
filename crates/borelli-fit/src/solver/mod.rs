//! What all solvers have in common: they ask for values at numbered points, and are told them in the same order.
//! Not here: who evaluates, on how many threads, and when a checkpoint is written.
//! `ask` changes nothing: asked again, also after a checkpoint, a solver asks the same. A new solver is one file and one line here.

pub mod cma_es;
pub mod constrained;
#[cfg(test)]
mod ending_tests;
pub mod least_squares;
pub mod multi_start;
pub mod nsga2;
#[cfg(test)]
mod problems;
pub mod quasi_newton;
pub mod rounds;

pub use cma_es::CmaEs;
pub use constrained::Constrained;
pub use least_squares::LeastSquares;
pub use multi_start::MultiStart;
pub use nsga2::Nsga2;
pub use quasi_newton::QuasiNewton;
pub use rounds::Rounds;

use crate::checkpoint::Page;

/// What a solver wants to know at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Objectives and constraints.
    Objectives,
    /// The first objective and the constraints, with their gradients.
    Gradient,
    /// Residuals and what is added to their sum.
    Residuals,
    /// The same with their slopes.
    Jacobian,
}

/// A point at which something is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// What.
    pub wanted: Wanted,
    /// Scaled values of all unknowns.
    pub point: Vec<f64>,
}

/// What was found at a point; what was not wanted stays empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Numbers to be small.
    pub objectives: Vec<f64>,
    /// Residuals e, of which sum |e|^p is to be small.
    pub residuals: Vec<f64>,
    /// What is added to that sum.
    pub extra: f64,
    /// Numbers g that must not be above zero.
    pub constraints: Vec<f64>,
    /// Derivatives by the scaled unknowns.
    pub slopes: Slopes,
}

impl Answer {
    /// How far constraints are violated in all: the sum of those above zero; without end where one of them is no number.
    pub fn violation(&self) -> f64 {
        self.constraints.iter().map(|g| if g.is_nan() { f64::INFINITY } else { g.max(0.0) }).sum()
    }
}

/// Derivatives of an answer by the scaled unknowns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slopes {
    /// Of the first objective.
    pub objective: Vec<f64>,
    /// Of residuals, row after row.
    pub residuals: Vec<f64>,
    /// Of what is added.
    pub extra: Vec<f64>,
    /// Of constraints, row after row.
    pub constraints: Vec<f64>,
}

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// No small step inside the bounds lowers the objective.
    Gradient,
    /// The last steps lowered it by nothing that counts.
    Decrease,
    /// Steps became too small to matter.
    Step,
    /// No step lowers it though its gradient is not zero: the objective has an edge here, or its gradient is wrong.
    Stuck,
    /// As many values as were allowed.
    Evaluations,
    /// As many generations as were allowed.
    Generations,
    /// All restarts are used.
    Restarts,
    /// The objective reached what was asked for.
    Target,
    /// The covariance of a search became too stretched to go on.
    Condition,
    /// The objective is not a number at the start.
    NotANumber,
}

impl Stop {
    const ALL: [Stop; 10] = [
        Stop::Gradient,
        Stop::Decrease,
        Stop::Step,
        Stop::Stuck,
        Stop::Evaluations,
        Stop::Generations,
        Stop::Restarts,
        Stop::Target,
        Stop::Condition,
        Stop::NotANumber,
    ];

    /// Whether the solver found what it looked for, as far as it can tell.
    pub fn is_success(self) -> bool {
        matches!(self, Stop::Gradient | Stop::Decrease | Stop::Step | Stop::Target)
    }

    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Stop::Gradient => "the gradient inside the bounds is below what `tolerance` asks for",
            Stop::Decrease => "the objective no longer falls",
            Stop::Step => "steps are too small to matter",
            Stop::Stuck => "no step lowers the objective, though its gradient is not zero",
            Stop::Evaluations => "the allowed number of evaluations is used",
            Stop::Generations => "the allowed number of generations is used",
            Stop::Restarts => "all restarts are used",
            Stop::Target => "the objective reached its target",
            Stop::Condition => "the search distribution became too stretched",
            Stop::NotANumber => "the objective is not a number at the start",
        }
    }
}

/// A number for an optional reason.
fn number_of(stop: Option<Stop>) -> usize {
    stop.map_or(0, |stop| 1 + Stop::ALL.iter().position(|&other| other == stop).unwrap_or(0))
}

/// The reason that a number stands for.
fn stop_of(number: usize) -> Option<Stop> {
    number.checked_sub(1).and_then(|k| Stop::ALL.get(k).copied())
}

/// Keeps an optional reason on a page.
fn keep_stop(stop: &mut Option<Stop>, page: &mut Page) {
    let mut number = number_of(*stop);
    page.count("stop", &mut number);
    *stop = stop_of(number);
}

/// The best point so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Best {
    /// Scaled values of all unknowns.
    pub point: Vec<f64>,
    /// The objective there.
    pub objective: f64,
    /// How far constraints are violated there.
    pub violation: f64,
}

impl Best {
    /// A place for the first point.
    fn none() -> Best {
        Best { point: Vec::new(), objective: f64::INFINITY, violation: f64::INFINITY }
    }

    /// Takes over a better point: one that violates less, or as much with a lower objective. NaN is never better.
    fn offer(&mut self, point: &[f64], objective: f64, violation: f64) -> bool {
        let better = violation < self.violation || (violation == self.violation && objective < self.objective);
        if better {
            self.point.clear();
            self.point.extend_from_slice(point);
            (self.objective, self.violation) = (objective, violation);
        }
        better
    }

    fn keep(&mut self, page: &mut Page) {
        page.inner("best", |page| {
            page.numbers("point", &mut self.point);
            page.number("objective", &mut self.objective);
            page.number("violation", &mut self.violation);
        });
    }
}

/// How far a solver has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Iterations or generations.
    pub iterations: usize,
    /// Values found, with or without slopes.
    pub evaluations: usize,
    /// Of them those with slopes.
    pub jacobians: usize,
    /// Restarts.
    pub restarts: usize,
    /// The best objective so far.
    pub objective: f64,
    /// Length of the last step.
    pub step: f64,
    /// Damping of least squares, width of a search distribution, penalty of constraints.
    pub control: f64,
    /// Projected gradient, where there is one.
    pub gradient: f64,
}

impl Progress {
    fn keep(&mut self, page: &mut Page) {
        page.inner("progress", |page| {
            page.count("iterations", &mut self.iterations);
            page.count("evaluations", &mut self.evaluations);
            page.count("jacobians", &mut self.jacobians);
            page.count("restarts", &mut self.restarts);
            page.number("objective", &mut self.objective);
            page.number("step", &mut self.step);
            page.number("control", &mut self.control);
            page.number("gradient", &mut self.gradient);
        });
    }

    /// Counts answers to `queries`.
    fn count(&mut self, queries: &[Query]) {
        self.evaluations += queries.len();
        self.jacobians += queries.iter().filter(|query| matches!(query.wanted, Wanted::Gradient | Wanted::Jacobian)).count();
    }
}

/// A search.
pub trait Solver {
    /// The points at which something is wanted now; none once it has stopped.
    fn ask(&self) -> Vec<Query>;

    /// Answers to what was asked, in the same order.
    fn tell(&mut self, answers: &[Answer]);

    /// Why it stopped, once it has.
    fn stop(&self) -> Option<Stop>;

    /// The best point so far.
    fn best(&self) -> &Best;

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// Writes all that it knows on a page, or takes it from one.
    fn keep(&mut self, page: &mut Page);
}

/// Asks and tells until the solver stops or `go_on` says no; `go_on` is called after every round.
pub fn drive<S: Solver + ?Sized>(solver: &mut S, mut evaluate: impl FnMut(&Query) -> Answer, mut go_on: impl FnMut(&S) -> bool) {
    while solver.stop().is_none() {
        let answers: Vec<Answer> = solver.ask().iter().map(&mut evaluate).collect();
        solver.tell(&answers);
        if !go_on(solver) {
            return;
        }
    }
}
