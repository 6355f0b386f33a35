//! Whether a fit can be searched for as it is asked: methods against terms, constraints and bounds; stages; terms that count together.
//! Not here: whether parameters and columns exist (`problem`), what is wrong with the text (`read`).
//! In: a problem and its fit. Out: faults at their places.

use super::afterwards::blocks;
use super::definition::{Fit, Method, Reduce, Unknown};
use super::fault::FitFault;
use super::problem::Problem;
use crate::pattern::fits;
use borelli_fit::Scale;
use borelli_fit::covariance::Noise;
use borelli_model::{Findings, suggest};

/// Blocks of a trial below which draws of them are all but the same.
const FEWEST_BLOCKS: usize = 5;

/// Whether the methods of a fit can take it, and its stages and terms make sense; faults are reported.
pub(crate) fn check(problem: &Problem, fit: &Fit, findings: &mut Findings) {
    for method in &fit.methods {
        methods(problem, fit, *method, findings);
    }
    let objectives = problem.objectives();
    if let Some(found) = fit.reference.as_ref().map(Vec::len).filter(|found| *found != objectives || !(2..=3).contains(found)) {
        findings.push(None, "fit", "reference", &FitFault::Reference { found, objectives });
    }
    stages(problem, fit, findings);
    together(fit, findings);
    afterwards(problem, fit, findings);
}

/// Whether what is asked after the search can be had.
fn afterwards(problem: &Problem, fit: &Fit, findings: &mut Findings) {
    let mut refuse = |field: &'static str, reason: &str, hint: &str| {
        findings.push(None, "fit", field, &FitFault::Afterwards { field, reason: reason.into(), hint: hint.into() });
    };
    let means = fit.terms.iter().any(|term| term.reduce == Reduce::Mean);
    if fit.noise == Noise::Known && (fit.power != 2.0 || fit.scale != 1.0 || means) {
        let reason = "known noise asks for a plain sum of squares, each difference over the standard deviation of its noise";
        refuse(
            "noise",
            reason,
            "leave `power`, `scale` and `reduce` out, and give each term normalise = the standard deviation of its noise",
        );
    }
    let sums = fit.terms.iter().all(|term| term.reduce != Reduce::Max) && problem.objectives() == 1 && !problem.has_free_constraints();
    for field in fit.afterwards.fields().into_iter().filter(|_| !sums) {
        let reason = "further searches take one sum of powers, without maxima and without constraints that no unknown meets";
        refuse(field, reason, "leave it out, or give terms reduce = \"sum\" and constraints `met_by`");
    }
    if !fit.afterwards.profile.is_empty() && fit.power != 2.0 {
        refuse("profile", "the rise of J that ends an interval is known for squares only", "take power = 2, or bootstrap = 200");
    }
    for field in fit.afterwards.fields().into_iter().filter(|_| problem.slope_rule().is_none()) {
        let reason = "further searches go by slopes, and these runs have no exact ones";
        refuse(field, reason, "give [fit] derivatives = \"differences\", or leave it out");
    }
    if let Some((_, block)) = fit.afterwards.bootstrap.filter(|(_, block)| sums && blocks(problem, *block) < FEWEST_BLOCKS) {
        let reason = format!("no trial has as many as {FEWEST_BLOCKS} blocks of {block} s to draw from");
        refuse(
            "bootstrap",
            &reason,
            "give a shorter `block`, or leave it out; where each trial is one sample, nothing can be drawn within it",
        );
    }
    if fit.afterwards.leave_one_out && fit.trials.iter().filter(|trial| trial.is_fitted).count() < 2 {
        refuse("leave_one_out", "without its only trial there is nothing to fit", "give another [[fit.trial]] with role = \"fit\"");
    }
    if fit.afterwards.leave_one_out && fit.unknowns.iter().any(|unknown| unknown.per_trial) {
        refuse("leave_one_out", "nothing else tells the unknowns that a trial has for itself", "leave it out, or `per_trial`");
    }
    for (name, at) in &fit.afterwards.profile {
        if !fit.unknowns.iter().any(|unknown| fits(name, &unknown.name)) {
            let nearest = suggest(name, fit.unknowns.iter().map(|unknown| unknown.name.as_str())).map(str::to_string);
            findings.push(*at, "fit", "profile", &FitFault::NoProfile { name: name.clone(), nearest });
        }
    }
}

fn methods(problem: &Problem, fit: &Fit, method: Method, findings: &mut Findings) {
    if fit.eases() && method == Method::LeastSquares {
        return;
    }
    let name = method.name();
    let most = fit.terms.iter().find(|term| term.reduce == Reduce::Max);
    if let (Method::LeastSquares, Some(term)) = (method, most) {
        findings.push(term.at, format!("fit.term.{}", term.name), "reduce", &FitFault::MaxTerm { term: term.name.clone() });
    }
    let several = problem.objectives() > 1;
    if several != (method == Method::Nsga2) {
        findings.push(None, "fit", "method", &FitFault::Objectives { found: problem.objectives(), method: name });
    }
    if method == Method::LeastSquares && problem.has_free_constraints() {
        findings.push(None, "fit", "method", &FitFault::FreeConstraint { method: name });
    }
    let open = (0..problem.len()).find(|k| is_open(problem, *k));
    if let (Method::Nsga2, Some(k)) = (method, open) {
        let fault = FitFault::Unbounded { unknown: fit.unknowns[k].name.clone(), method: name };
        findings.push(fit.unknowns[k].at, "fit.unknown", "low", &fault);
    }
}

/// Whether an unknown has no bounds.
fn is_open(problem: &Problem, k: usize) -> bool {
    matches!(problem.unknowns.list[k].scale, Scale::Free { .. })
}

/// Every stage searches for something new, and who follows another before its stage can.
fn stages(problem: &Problem, fit: &Fit, findings: &mut Findings) {
    let list = &fit.unknowns;
    for stage in (1..=fit.stages()).filter(|stage| !list.iter().any(|unknown| unknown.stage == *stage)) {
        let at = list.iter().find(|unknown| unknown.stage > stage).map(|unknown| unknown.at);
        findings.push(at, "fit.unknown", "stage", &FitFault::IdleStage { stage });
    }
    for (k, unknown) in list.iter().enumerate() {
        let Some(before) = &unknown.before else { continue };
        let leader = list.iter().position(|other| other.name == *before);
        let Err((reason, hint)) = follows(unknown, before, leader.map(|own| &list[own]), list) else {
            if [Some(k), leader].into_iter().flatten().any(|own| is_open(problem, own)) {
                let reason = "both need bounds, between which their places are compared".to_string();
                let fault = FitFault::Before { unknown: unknown.name.clone(), reason, hint: "give `low` and `high` to both".into() };
                findings.push(unknown.at, "fit.unknown", "before", &fault);
            }
            continue;
        };
        findings.push(unknown.at, "fit.unknown", "before", &FitFault::Before { unknown: unknown.name.clone(), reason, hint });
    }
}

/// Why an unknown cannot follow another before its stage, and what to do.
fn follows(unknown: &Unknown, before: &str, leader: Option<&Unknown>, list: &[Unknown]) -> Result<(), (String, String)> {
    if unknown.stage == 1 {
        return Err(("it has no stage, so that there is no before".into(), "give it stage = 2 or more, or leave `before` out".into()));
    }
    let Some(leader) = leader else {
        let nearest = suggest(before, list.iter().map(|other| other.name.as_str()));
        let hint = nearest.map_or("name an unknown that is searched for".into(), |near| format!("did you mean `{near}`?"));
        return Err((format!("there is no unknown `{before}`"), hint));
    };
    if leader.stage >= unknown.stage {
        let reason = format!("`{before}` is not searched for before stage {}", leader.stage);
        return Err((reason, format!("name an unknown of a stage before {}", unknown.stage)));
    }
    if unknown.trial != leader.trial && leader.trial.is_some() {
        return Err((format!("`{before}` belongs to one trial only"), "name an unknown of all trials, or of the same one".into()));
    }
    Ok(())
}

/// Terms that count together are maxima of one objective, and more than one.
fn together(fit: &Fit, findings: &mut Findings) {
    for term in &fit.terms {
        let Some(name) = &term.together else { continue };
        let others = || fit.terms.iter().filter(|other| other.name != term.name);
        let first = fit.terms.iter().find(|other| other.together.as_ref() == Some(name));
        let (reason, hint) = if term.reduce != Reduce::Max {
            ("only maxima do; sums are added up anyway".to_string(), "give it reduce = \"max\", or leave `together` out".to_string())
        } else if !others().any(|other| other.together.as_ref() == Some(name)) {
            let nearest = suggest(name, others().filter_map(|other| other.together.as_deref()));
            let hint = nearest.map(|near| format!("did you mean `{near}`?"));
            ("no other term has this name".to_string(), hint.unwrap_or("leave `together` out, or give it to another term as well".into()))
        } else if let Some(first) = first.filter(|first| first.objective != term.objective) {
            let reason = format!("`{}` belongs to objective {}, this one to objective {}", first.name, first.objective, term.objective);
            (reason, "give terms that count together one objective".to_string())
        } else {
            continue;
        };
        let fault = FitFault::Together { term: term.name.clone(), name: name.clone(), reason, hint };
        findings.push(term.at, format!("fit.term.{}", term.name), "together", &fault);
    }
}
