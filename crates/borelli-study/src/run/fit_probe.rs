//! A fit made ready to be answered at any point, without a search: for who measures what an answer costs.
//! Not here: searches (`fit`), answers themselves (`fit` of this crate).
//! In: a system, a plan with a fit. Out: a function from a scaled point to a checksum of its answer.

use super::fit::{fitted, problem};
use crate::fit::{FitFault, Way};
use crate::plan::Plan;
use borelli_dynamics::System;
use borelli_fit::{Answer, Query, Wanted};
use borelli_model::Findings;

/// Hands `with` the scaled point where the search of a fit begins, and a function that answers at a point, with slopes if they are asked for: the sum of
/// all residuals and slopes.
///
/// # Errors
/// What does not go together.
pub fn probe_fit<T>(
    system: &System,
    plan: &Plan,
    with: impl FnOnce(&[f64], &mut dyn FnMut(&[f64], bool) -> f64) -> T,
) -> Result<T, Findings> {
    let mut findings = Findings::new();
    let Some(fit) = plan.fit.as_ref().map(|fit| fit.expanded(system)) else {
        findings.push(None, "fit", "", &FitFault::NoTrial);
        return Err(findings);
    };
    let Some((channels, problem)) = problem(system, &fitted(plan, &fit), &fit, Way::Parts, &mut findings) else { return Err(findings) };
    let mut evaluator = problem.evaluator(&channels);
    let mut answer = Answer::default();
    let mut query = Query { wanted: Wanted::Residuals, point: Vec::new() };
    Ok(with(&problem.unknowns.start(), &mut |point, sloped| {
        query.wanted = if sloped { Wanted::Jacobian } else { Wanted::Residuals };
        query.point.clear();
        query.point.extend_from_slice(point);
        problem.answer(&mut evaluator, &query, &mut answer);
        answer.residuals.iter().chain(&answer.slopes.residuals[..if sloped { problem.rows() * problem.len() } else { 0 }]).sum()
    }))
}
