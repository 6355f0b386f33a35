//! `fit` of analyses whose motion is not prescribed: plans that are run for every value of the unknowns, then a run with the best ones.
//! Not here: runs as functions of the unknowns (`fit::runs`), fits along a prescribed motion and what is told of any fit (`fit`).
//! In: a system, a plan with a fit. Out: the `Outcome` of the analysis at the best parameters, with a record of the fit.

use super::evaluate::times;
use super::fit::{along_trial, fitted, searched, tell};
use super::fit_numbers::scalars;
use super::looker::{Samples, interval};
use super::outcome::{CheckWords, HealthLine, Verdict};
use super::simulate::Simulation;
use super::{Ready, Status, Watch, channels, measured};
use crate::channels::Channels;
use crate::fit::{Again, Fit, FitFault, Given, Problem, SlopeRule, Trip, check as check_fit};
use crate::plan::{Analysis, MotionSource, Plan};
use crate::settings::apply_settings;
use borelli_dynamics::System;
use borelli_model::Findings;
use std::sync::Arc;

/// Tolerance of an integrator above which differences over so small a step are mostly its error.
const ROUGH: f64 = 1e-9;

/// Whether a plan asks for a fit of runs.
pub(super) fn are_made(system: &System, plan: &Plan) -> bool {
    let Some(fit) = plan.fit.as_ref().filter(|_| plan.analysis == Analysis::Fit) else { return false };
    match fit.of {
        // A motion that is followed once is quicker, and has exact slopes; states of force elements are not followed along it.
        Analysis::Evaluate | Analysis::Inverse => {
            fit.derivatives == SlopeRule::Differences || !fit.takes_slopes() && !system.names.states.is_empty()
        }
        _ => true,
    }
}

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    let Some(fit) = &plan.fit else {
        findings.push(None, "fit", "", &FitFault::NoTrial);
        return Err(findings);
    };
    let fit = Arc::new(fit.expanded(system));
    let own = fitted(plan, &fit);
    refuse(&own, &fit, &mut findings);
    if findings.has_errors() {
        return Err(findings);
    }
    let (settled, settled_plan) = measured::settled(system, &own, None)?;
    // The run that is left is that of a trial.
    let Some(shown) = plans(&settled, &settled_plan, &fit, &mut findings) else { return Err(findings) };
    let shown = &shown[fit.first_fitted()];
    let mut outline = super::check(&apply_settings(settled.clone(), &shown.settings)?, shown)?;
    if let Some((_, problem)) = problem(&settled, &settled_plan, &fit, &mut findings) {
        check_fit(&problem, &fit, &mut findings);
    }
    if findings.has_errors() {
        return Err(findings);
    }
    outline.scalars.extend(scalars(system, &fit, None));
    Ok(Ready { outline, go: Box::new(move |watch| go(system, &own, &fit, watch)) })
}

/// What cannot be fitted by runs.
fn refuse(plan: &Plan, fit: &Fit, findings: &mut Findings) {
    if plan.motion.as_ref().is_some_and(|motion| matches!(motion.source, MotionSource::Markers)) {
        let reason = "its motion follows from markers, and would have to be found anew for every value".into();
        findings.push(None, "motion", "", &FitFault::Model { reason });
    }
    for term in fit.terms.iter().filter(|term| term.mat.is_some()) {
        let reason = "cells of a pressure mat are compared along a prescribed motion only, with exact slopes".into();
        findings.push(term.at, format!("fit.term.{}", term.name), "mat", &FitFault::Model { reason });
    }
}

/// The channels of the analysis, and the problem over the runs of its trials; all faults are reported.
pub(super) fn problem<'s>(system: &'s System, plan: &Plan, fit: &'s Fit, findings: &mut Findings) -> Option<(Channels<'s>, Problem<'s>)> {
    let channels = channels(system, plan, plan.analysis == Analysis::Simulate, findings)?;
    let trip = |plan: Plan| Trip { times: sample_times(&plan), plan };
    let trips = plans(system, plan, fit, findings)?.into_iter().map(trip).collect();
    let problem = Problem::new(system, fit, &channels, Given::Runs(trips), findings)?;
    Some((channels, problem))
}

/// Plans of all trials; why not is reported.
fn plans(system: &System, plan: &Plan, fit: &Fit, findings: &mut Findings) -> Option<Vec<Plan>> {
    let mut plans = Vec::new();
    for trial in fit.trials_or_run() {
        let mut own = plan.clone();
        if let Some(motion) = &trial.motion {
            if !matches!(plan.analysis, Analysis::Evaluate | Analysis::Inverse) {
                let reason = format!("a trial has a motion of its own, and `{}` follows none", plan.analysis.name());
                findings.push(motion.1, "fit.trial", "motion", &FitFault::Model { reason });
                return None;
            }
            own = along_trial(system, plan, motion, findings)?;
        }
        if let Some((time, at)) = trial.rest_at {
            if plan.analysis != Analysis::Statics {
                let reason = format!("a trial has a time of rest, and `{}` does not rest", plan.analysis.name());
                findings.push(at, "fit.trial", "rest_at", &FitFault::Model { reason });
                return None;
            }
            own.time.start = time;
        }
        own.settings.extend(trial.settings.iter().cloned());
        plans.push(own);
    }
    Some(plans)
}

/// Times at which a run is recorded, if nothing ends it.
fn sample_times(plan: &Plan) -> Vec<f64> {
    match plan.analysis {
        Analysis::Statics => vec![plan.time.start],
        Analysis::Evaluate | Analysis::Inverse => times(plan),
        _ => {
            let mut samples = Samples::new(plan.time, interval(plan), plan.time.start);
            let mut list = Vec::new();
            while let Some(t) = samples.peek() {
                list.push(t);
                samples.pass();
            }
            list
        }
    }
}

/// The plan of a fit with another choice of trials.
struct Choice<'c> {
    system: &'c System,
    plan: &'c Plan,
}

impl Again for Choice<'_> {
    fn problem<'f>(&'f self, fit: &'f Fit) -> Option<(Channels<'f>, Problem<'f>)> {
        problem(self.system, self.plan, fit, &mut Findings::new())
    }
}

fn go(system: &System, plan: &Plan, fit: &Fit, watch: &mut dyn Watch) -> Result<super::Outcome, Findings> {
    let mut findings = Findings::new();
    // What was measured is settled once, and not by every run.
    let (settled, settled_plan) = measured::settled(system, plan, None)?;
    let (system, plan) = (&settled, &settled_plan);
    let Some((channels, problem)) = problem(system, plan, fit, &mut findings) else { return Err(findings) };
    let again = Choice { system, plan };
    let (values, record, stopped) = searched((&problem, &channels, &again), fit, watch)?;
    let best = problem.system_at(&values)?;
    let Some(plans) = plans(system, plan, fit, &mut findings) else { return Err(findings) };
    let shown = plans[fit.first_fitted()].clone();
    let mut outcome = super::prepare(&best, &shown, None).and_then(|ready| (ready.go)(watch))?;
    if stopped {
        outcome.status = Status::Interrupted { t: plan.time.start };
    }
    let words = match problem.slope_rule() {
        Some(SlopeRule::Exact) => "exact",
        Some(SlopeRule::Differences) => "central differences of runs",
        None => "none, and so no intervals",
    };
    outcome.settings.insert(0, ("slopes of the fit".into(), words.into()));
    outcome.health.extend(rough(system, plan, problem.slope_rule()));
    tell(system, fit, record, &mut outcome);
    Ok(outcome)
}

/// Differences over small steps of runs that are only as exact as the integrator; nothing where they are sharp enough.
fn rough(system: &System, plan: &Plan, by: Option<SlopeRule>) -> Option<HealthLine> {
    let integrates = plan.analysis == Analysis::Simulate;
    let tolerance = plan.integrator.settings.rtol;
    let adaptive = || Simulation::new(system, plan, None).is_ok_and(|own| own.is_adaptive());
    if by != Some(SlopeRule::Differences) || !integrates || tolerance <= ROUGH || !adaptive() {
        return None;
    }
    let words = CheckWords {
        found: format!("slopes are differences over a millionth of the range of an unknown, of runs with a tolerance of {tolerance:e}"),
        allowed: "1e-9",
        advice: "set [integrator] rtol = 1e-10, or take a method of fixed steps",
    };
    Some(HealthLine::judged("fit_differences", "tolerance of runs that are differenced", (tolerance, "1"), Verdict::Look, words))
}
