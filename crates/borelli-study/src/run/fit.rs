//! `fit`: parameters for which another analysis agrees with what was measured, then that analysis with them.
//! Not here: residuals and searches (`fit` of this crate), the analysis itself (`evaluate`), fits of runs (`fit_runs`).
//! In: a system, a plan with a fit whose motion is a table or that of guides. Out: the `Outcome` of the analysis at the best parameters, with a record of the fit.
//!
//! Unknowns on which guides, loops and corrections depend move the motion, and are followed with exact slopes. With markers those of joints and of
//! places of markers are refused: coordinates would have to be found anew.

use super::evaluate::{Following, times};
use super::fit_health::health;
use super::fit_numbers::scalars;
use super::motion::{Motion, corrections};
use super::{Along, EndState, Outcome, Ready, Status, Watch, channels};
use crate::channels::Channels;
use crate::fit::{
    Again, Fit, FitFault, FitRecord, Given, Lines, Mover, Problem, RefitProgress, SearchProgress, SearchWatch, Way, afterwards, check,
    search,
};
use crate::measured::motion_file;
use crate::plan::{Derivatives, Motion as PlannedMotion, MotionFile, MotionSource, Plan, Time};
use crate::plan_fault::PlanFault;
use borelli_dynamics::System;
use borelli_model::{Findings, Span};
use std::sync::Arc;

/// Setting that tells what J is, and what begins those that tell of its terms.
pub const OBJECTIVE: &str = "objective of the fit";
/// See [`OBJECTIVE`].
pub const TERM: &str = "term of the fit: ";

/// The plan of the analysis that is fitted.
pub(super) fn fitted(plan: &Plan, fit: &Fit) -> Plan {
    Plan { analysis: fit.of, fit: None, ..plan.clone() }
}

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, _from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    let Some(fit) = &plan.fit else {
        findings.push(None, "fit", "", &FitFault::NoTrial);
        return Err(findings);
    };
    let fit = Arc::new(fit.expanded(system));
    let own = fitted(plan, &fit);
    refuse(system, plan, &mut findings);
    if findings.has_errors() {
        return Err(findings);
    }
    let mut outline = Following::new(system, &own)?.outline();
    if let Some((_, problem)) = problem(system, &own, &fit, Way::Parts, &mut findings) {
        check(&problem, &fit, &mut findings);
        if plan.markers.is_some() {
            for slot in problem.changing_markers() {
                findings.push(None, "fit", "unknown", &FitFault::ChangesMotion { path: system.parameters[slot].path.clone() });
            }
        }
    }
    if findings.has_errors() {
        return Err(findings);
    }
    outline.scalars.extend(scalars(system, &fit, None));
    Ok(Ready { outline, go: Box::new(move |watch| go(system, own, &fit, watch)) })
}

/// What cannot be fitted yet.
fn refuse(system: &System, plan: &Plan, findings: &mut Findings) {
    let model = |reason: &str| FitFault::Model { reason: reason.into() };
    if !system.names.states.is_empty() {
        let reason = "its force elements have states, which have to be integrated anew for every value: give derivatives = \"differences\", or take a method \
                      without slopes, such as \"cma-es\"";
        findings.push(None, "fit", "of", &model(reason));
    }
    if let Some(PlannedMotion { source: MotionSource::Simulated { .. }, .. }) = &plan.motion {
        findings.push(None, "motion", "from", &model("its motion is simulated, and would change with the unknowns"));
    }
    if !plan.events.is_empty() {
        findings.push(None, "event", "", &PlanFault::NoSlopes { reason: "a fit sees no events".into() });
    }
}

/// A motion at all its samples, without its corrections; why not is reported.
fn follow(system: &System, plan: &Plan, findings: &mut Findings) -> Option<Along> {
    let plan = Plan { corrections: Vec::new(), ..plan.clone() };
    let motion = Motion::new(system, &plan, findings)?;
    match Along::new(motion, times(&plan)) {
        Ok(along) => Some(along),
        Err((t, reason)) => {
            findings.push(None, "motion", "", &FitFault::Model { reason: format!("the motion cannot be followed to {t} s: {reason}") });
            None
        }
    }
}

/// The plan with the motion of a trial, at its rows unless samples are asked for.
pub(super) fn along_trial(system: &System, plan: &Plan, (file, at): &(MotionFile, Span), findings: &mut Findings) -> Option<Plan> {
    if plan.motion.is_none() {
        let reason = "a trial has a motion of its own, and the study has none; give [motion] file".to_string();
        findings.push(*at, "fit.trial", "motion", &FitFault::Model { reason });
        return None;
    }
    match motion_file::settle(file, system) {
        Ok(settled) => {
            let time = settled.table.time();
            let (start, end) = (*time.first()?, *time.last()?);
            let derivatives = plan.motion.as_ref().map_or(Derivatives::Spline, |motion| motion.derivatives);
            let motion = Some(PlannedMotion { source: MotionSource::Table(settled.table), derivatives });
            Some(Plan { motion, at_rows: plan.time.sample.is_none(), time: Time { start, end, ..plan.time }, ..plan.clone() })
        }
        Err(fault) => {
            findings.push(*at, "fit.trial", "motion", &fault);
            None
        }
    }
}

/// The channels of the analysis, and the problem along the motions of its trials; all faults are reported.
pub(super) fn problem<'s>(
    system: &'s System,
    plan: &Plan,
    fit: &'s Fit,
    way: Way,
    findings: &mut Findings,
) -> Option<(Channels<'s>, Problem<'s>)> {
    let channels = channels(system, plan, false, findings)?;
    let given = follow(system, plan, findings)?;
    let mut motions = Vec::new();
    for trial in &fit.trials {
        if let Some((_, at)) = trial.rest_at {
            let reason = format!("a trial has a time of rest, and `{}` does not rest", plan.analysis.name());
            findings.push(at, "fit.trial", "rest_at", &FitFault::Model { reason });
        }
        motions.push(match &trial.motion {
            Some(motion) => follow(system, &along_trial(system, plan, motion, findings)?, findings)?,
            None => given.clone(),
        });
    }
    if motions.is_empty() {
        motions.push(given);
    }
    let mover = match plan.motion {
        Some(_) => Mover::Table(corrections(system, &plan.corrections, findings)),
        None => Mover::Guides,
    };
    let given = Given::Motions(motions, mover, plan.touchdown, way);
    let problem = Problem::new(system, fit, &channels, given, findings)?;
    Some((channels, problem))
}

/// The watch of a run, as a search sees it.
struct Looking<'w> {
    watch: &'w mut dyn Watch,
    stopped: bool,
}

impl SearchWatch for Looking<'_> {
    fn round(&mut self, progress: SearchProgress, state: &mut dyn FnMut() -> Lines) -> bool {
        self.watch.search(&progress);
        self.watch.keep(state);
        self.stopped = self.watch.stop();
        !self.stopped
    }

    fn refits(&mut self, progress: RefitProgress) -> bool {
        self.watch.refits(&progress);
        self.stopped |= self.watch.stop() && progress.done.0 < progress.done.1;
        !self.stopped
    }

    fn known(&mut self) -> Option<Lines> {
        self.watch.kept()
    }
}

/// The search of a fit and what is asked after it, looked at by the watch of a run: the best values, what is known, and whether the watch stopped it.
pub(super) fn searched<'s>(
    (problem, channels, again): (&Problem<'s>, &Channels, &dyn Again),
    fit: &Fit,
    watch: &mut dyn Watch,
) -> Result<(Vec<f64>, FitRecord, bool), Findings> {
    let mut looking = Looking { watch, stopped: false };
    let found = search(problem, channels, fit, &mut looking);
    let (point, values, mut record) = found.map_err(|fault| {
        let mut findings = Findings::new();
        findings.push(None, "fit", "", &fault);
        findings
    })?;
    if !looking.stopped {
        record.wider = afterwards((problem, channels, again), fit, &point, &record, &mut looking);
    }
    Ok((values, record, looking.stopped))
}

/// Adds what is known of a fit to the run that it leaves.
pub(super) fn tell(system: &System, fit: &Fit, record: FitRecord, outcome: &mut Outcome) {
    outcome.scalars.extend(scalars(system, fit, Some(&record)));
    outcome.health.extend(health(fit, &record));
    outcome.settings.insert(0, ("fit".into(), record.methods.join(", then ")));
    outcome.settings.push((OBJECTIVE.into(), fit.words()));
    outcome.settings.extend(fit.terms.iter().map(|term| (format!("{TERM}{}", term.name), term.words())));
    outcome.settings.push(("search ended".into(), record.stop.into()));
    outcome.fit = Some(Box::new(record));
}

fn go(system: &System, plan: Plan, fit: &Fit, watch: &mut dyn Watch) -> Result<Outcome, Findings> {
    let mut findings = Findings::new();
    let Some((channels, problem)) = problem(system, &plan, fit, Way::Parts, &mut findings) else { return Err(findings) };
    let again = Choice { system, plan: &plan };
    let (values, record, stopped) = searched((&problem, &channels, &again), fit, watch)?;
    let best = problem.system_at(&values)?;
    let mut outcome = Following::new(&best, &plan)?.go(&plan, watch);
    if stopped {
        outcome.status = Status::Interrupted { t: plan.time.start };
    }
    tell(system, fit, record, &mut outcome);
    Ok(outcome)
}

/// The plan of a fit with another choice of trials.
struct Choice<'c> {
    system: &'c System,
    plan: &'c Plan,
}

impl Again for Choice<'_> {
    fn problem<'f>(&'f self, fit: &'f Fit) -> Option<(Channels<'f>, Problem<'f>)> {
        problem(self.system, self.plan, fit, Way::Parts, &mut Findings::new())
    }
}
