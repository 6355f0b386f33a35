//! `fit`: parameters for which another analysis agrees with what was measured, then that analysis with them.
//! Not here: residuals and searches (`fit` of this crate), the analysis itself (`evaluate`).
//! In: a system, a plan with a fit whose motion is a table or that of guides. Out: the `Outcome` of the analysis at the best parameters, with a record of the fit.
//!
//! Unknowns on which guides, loops and corrections depend move the motion, and are followed with exact slopes. With markers those of joints and of
//! places of markers are refused: coordinates would have to be found anew.

use super::evaluate::{Following, times};
use super::motion::{Motion, corrections};
use super::outcome::{HealthLine, Verdict};
use super::{Along, EndState, Outcome, Ready, Scalar, Status, Watch, channels};
use crate::channels::Channels;
use crate::fit::{Fit, FitFault, FitRecord, Lines, Method, Mover, NAMED, Problem, SearchProgress, SearchWatch, Way, check, search};
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

/// Generations without growth after which a front is worth a look.
const STAGNANT: usize = 20;

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
        findings.push(None, "fit", "of", &model("its force elements have states, which would have to be integrated anew for every value"));
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
fn along_trial(system: &System, plan: &Plan, (file, at): &(MotionFile, Span), findings: &mut Findings) -> Option<Plan> {
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
    let problem = Problem::new(system, fit, &channels, (motions, mover, plan.touchdown), way, findings)?;
    Some((channels, problem))
}

/// Numbers of a fit; without a record their names only.
fn scalars(system: &System, fit: &Fit, record: Option<&FitRecord>) -> Vec<Scalar> {
    let scalar = |name: String, value: Option<f64>, unit: &str| Scalar {
        name: format!("fit.{name}"),
        value: value.unwrap_or(f64::NAN),
        unit: if unit.is_empty() { "1".into() } else { unit.into() },
    };
    let mut list = vec![
        scalar("objective".into(), record.map(|record| record.objective), "1"),
        scalar("objective_at_start".into(), record.map(|record| record.objective_at_start), "1"),
        scalar("extra".into(), record.map(|record| record.extra), "1"),
        scalar("evaluations".into(), record.map(|record| record.evaluations as f64), "1"),
        scalar("jacobians".into(), record.map(|record| record.jacobians as f64), "1"),
        scalar("condition".into(), record.and_then(|record| record.condition), "1"),
    ];
    if fit.methods.contains(&Method::Nsga2) {
        fronts(fit, record, &mut |name, value| list.push(scalar(name, value, "1")));
    }
    for (k, term) in fit.terms.iter().enumerate() {
        list.push(scalar(format!("term.{}", term.name), record.map(|record| record.terms[k].2), "1"));
        list.push(scalar(format!("term_at_start.{}", term.name), record.map(|record| record.terms[k].1), "1"));
    }
    for term in fit.terms.iter().filter(|term| term.mat.is_some()) {
        let found = record.and_then(|record| record.mismatches.iter().find(|(name, ..)| *name == term.name));
        list.push(scalar(format!("mismatch.{}", term.name), found.map(|found| found.2), "1"));
        list.push(scalar(format!("mismatch_at_start.{}", term.name), found.map(|found| found.1), "1"));
    }
    for (k, unknown) in fit.unknowns.iter().enumerate() {
        let path = unknown.paths.first().map(|(path, _)| path);
        let unit =
            system.parameters.iter().find(|parameter| Some(&parameter.path) == path).map_or("1", |parameter| parameter.unit.as_str());
        list.push(scalar(format!("unknown.{}", unknown.name), record.map(|record| record.unknowns[k].best), unit));
    }
    list
}

/// Numbers of a front: its volume after each stage, its ends, and its point nearest the least values of all objectives.
fn fronts(fit: &Fit, record: Option<&FitRecord>, add: &mut dyn FnMut(String, Option<f64>)) {
    let objectives = fit.terms.iter().map(|term| term.objective).max().unwrap_or(1);
    if fit.reference.is_some() {
        for stage in 1..=fit.stages() {
            let volume = record.map(|record| record.volumes.get(stage - 1).copied().unwrap_or(f64::NAN));
            add(format!("hypervolume_of_stage.{stage}"), volume);
            if stage == fit.stages() {
                add("hypervolume".into(), volume);
            }
        }
    }
    let allowed = |record: &FitRecord| -> Vec<usize> { (0..record.front.len()).filter(|k| record.front[*k].violation <= 0.0).collect() };
    let end = |record: &FitRecord, m: usize| {
        let value = |k: &usize| record.front[*k].objectives[m];
        allowed(record).into_iter().min_by(|a, b| value(a).total_cmp(&value(b)))
    };
    for m in 0..objectives {
        let of = |point: Option<usize>| record.map(|record| point.map_or(f64::NAN, |k| record.front[k].objectives[m]));
        for own in 0..objectives {
            add(format!("end.{}.objective.{}", own + 1, m + 1), of(record.and_then(|record| end(record, own))));
        }
        add(format!("middle.objective.{}", m + 1), of(record.and_then(|record| record.middle)));
    }
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

    fn known(&mut self) -> Option<Lines> {
        self.watch.kept()
    }
}

fn go(system: &System, plan: Plan, fit: &Fit, watch: &mut dyn Watch) -> Result<Outcome, Findings> {
    let mut findings = Findings::new();
    let Some((channels, problem)) = problem(system, &plan, fit, Way::Parts, &mut findings) else { return Err(findings) };
    let mut looking = Looking { watch: &mut *watch, stopped: false };
    let found = search(system, &problem, &channels, fit, &mut looking);
    let stopped = looking.stopped;
    let (values, record) = found.map_err(|fault| {
        findings.push(None, "fit", "", &fault);
        findings.clone()
    })?;
    let best = system.with_parameters(&problem.parameters(&values));
    let mut outcome = Following::new(&best, &plan)?.go(&plan, watch);
    if stopped {
        outcome.status = Status::Interrupted { t: plan.time.start };
    }
    outcome.scalars.extend(scalars(system, fit, Some(&record)));
    outcome.health.extend(health(fit, &record));
    outcome.settings.insert(0, ("fit".into(), record.methods.join(", then ")));
    outcome.settings.push((OBJECTIVE.into(), fit.words()));
    outcome.settings.extend(fit.terms.iter().map(|term| (format!("{TERM}{}", term.name), term.words())));
    outcome.settings.push(("search ended".into(), record.stop.into()));
    outcome.fit = Some(Box::new(record));
    Ok(outcome)
}

/// Whether the search found what it looked for, which bounds it met, and what data do not determine.
fn health(fit: &Fit, record: &FitRecord) -> Vec<HealthLine> {
    let line = |key: &'static str, label: &str, value: f64, verdict: Verdict, text: String| HealthLine {
        key,
        label: label.into(),
        value: Some(value),
        unit: "1".into(),
        verdict,
        part: None,
        text,
    };
    let mut lines = vec![line(
        "fit_search",
        "search",
        record.objective,
        Verdict::good_if(record.found),
        format!("It ended because {}. {} evaluations, {} of them with slopes.", record.stop, record.evaluations, record.jacobians),
    )];
    if let (Some(volume), Some(last)) = (record.volumes.last(), record.history.last()) {
        // Stages count their generations anew.
        let rounds = record.history.iter().rev().take(last.iterations + 1);
        let quiet = rounds.take_while(|round| round.volume == last.volume).count().saturating_sub(1);
        let verdict = if quiet >= STAGNANT { Verdict::Look } else { Verdict::None };
        let points = record.front.len();
        let text = format!(
            "The front of {points} points dominates a volume of {volume:.4} before the reference point, the same for the last {quiet} generations."
        );
        lines.push(line("fit_front", "front", *volume, verdict, text));
    }
    for (name, over) in &record.exceeded {
        let text = format!("The constraint `{name}` does not hold at the end: it is exceeded by {over:e}, SI.");
        lines.push(line("fit_constraint", "constraint", *over, Verdict::Bad, text));
    }
    let held: Vec<&str> = record.unknowns.iter().filter(|own| own.at_bound.is_some()).map(|own| own.name.as_str()).collect();
    if !held.is_empty() {
        let text = format!("{} of {} unknowns ended at a bound: {}.", held.len(), fit.unknowns.len(), held.join(", "));
        lines.push(line("fit_bounds", "unknowns at a bound", held.len() as f64, Verdict::None, text));
    }
    let free = record.unknowns.len() - held.len();
    // Maxima leave no residuals that could be counted.
    if record.residual_count > 0 && record.residual_count < free {
        let text = format!("There are {} residuals for {free} unknowns: many values fit equally well.", record.residual_count);
        lines.push(line("fit_residuals", "residuals", record.residual_count as f64, Verdict::Look, text));
    }
    if let Some(weak) = record.weak.first() {
        let words: Vec<String> = weak.parts.iter().map(|(name, part)| format!("{part:.2} {name}")).collect();
        let what = if weak.undetermined { "do not determine" } else { "hardly determine" };
        let count = record.weak.len();
        let least = if count == NAMED { "at least " } else { "" };
        let intervals = if record.unknowns.iter().any(|own| own.spread.is_some()) {
            " Intervals are those of a linear model, and may be far too narrow along them."
        } else {
            ""
        };
        let text = format!("The data {what} {least}{count} of {free} directions; the weakest is {}.{intervals}", words.join(", "));
        lines.push(line("fit_identifiability", "directions that data do not determine", record.weak.len() as f64, Verdict::Look, text));
    }
    lines
}
