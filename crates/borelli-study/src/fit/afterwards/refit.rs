//! A search from the best point of a fit, with some unknowns held or residuals weighted anew.
//! Not here: why. In: a start, unknowns that stay, weights of residuals. Out: where it ended; nothing where it was stopped.

use super::super::answer::Evaluator;
use super::super::definition::Fit;
use super::super::problem::Problem;
use super::super::staging::Staging;
use borelli_fit::solver::{LeastSquares, least_squares};
use borelli_fit::{Answer, Best, Query, Solver, Wanted};
use std::sync::atomic::{AtomicBool, Ordering};

/// What all further searches have in common.
pub(super) struct Refit<'r, 's> {
    pub problem: &'r Problem<'s>,
    pub fit: &'r Fit,
    pub stop: &'r AtomicBool,
}

/// Where a search ended.
pub(super) struct Refitted {
    pub point: Vec<f64>,
    pub objective: f64,
    pub found: bool,
}

/// Residuals and their slopes as often as each counts.
fn weigh(answer: &mut Answer, counts: &[f64], power: f64, n: usize) {
    for (row, count) in counts.iter().enumerate().filter(|(_, count)| **count != 1.0) {
        let factor = count.powf(1.0 / power);
        answer.residuals[row] *= factor;
        if !answer.slopes.residuals.is_empty() {
            answer.slopes.residuals[row * n..][..n].iter_mut().for_each(|slope| *slope *= factor);
        }
    }
}

impl<'s> Refit<'_, 's> {
    /// Searches from `start` with `held` unknowns where they are; `counts` says how often each residual counts, and is empty where all count once.
    pub(super) fn search(&self, evaluator: &mut Evaluator<'s>, start: &[f64], held: &[usize], counts: &[f64]) -> Option<Refitted> {
        let Refit { problem, fit, stop } = self;
        let staging = Staging::holding(start, held);
        let settings =
            least_squares::Settings { power: fit.power, evaluations: fit.evaluations, gradient: fit.tolerance, ..Default::default() };
        let mut answer = |query: &Query| {
            let mut answer = Answer::default();
            problem.answer(evaluator, &Query { wanted: query.wanted, point: staging.widened(&query.point) }, &mut answer);
            weigh(&mut answer, counts, fit.power, start.len());
            staging.narrow(&mut answer);
            answer
        };
        let begin = staging.narrowed(start);
        if begin.is_empty() {
            let only = answer(&Query { wanted: Wanted::Residuals, point: begin });
            let objective = only.residuals.iter().map(|e| e.abs().powf(fit.power)).sum::<f64>() + only.extra;
            return Some(Refitted { point: start.to_vec(), objective, found: objective.is_finite() });
        }
        let mut solver = LeastSquares::new(staging.narrowed_bounds(&problem.bounds()), begin, settings);
        while solver.stop().is_none() {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let answers: Vec<Answer> = solver.ask().iter().map(&mut answer).collect();
            solver.tell(&answers);
        }
        let Best { point, objective, .. } = solver.best().clone();
        let found = !point.is_empty() && solver.stop().is_some_and(|stop| stop.is_success());
        let point = if point.is_empty() { start.to_vec() } else { staging.widened(&point) };
        Some(Refitted { point, objective, found })
    }
}
