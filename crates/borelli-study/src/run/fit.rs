//! `fit`: parameters for which another analysis agrees with what was measured, then that analysis with them.
//! Not here: residuals and searches (`fit` of this crate), the analysis itself (`evaluate`).
//! In: a system, a plan with a fit whose motion is a table or that of guides. Out: the `Outcome` of the analysis at the best parameters, with a record of the fit.
//!
//! The motion is followed once, with the parameters of the model: unknowns that loops and guides depend on are refused. Coordinates that follow from markers
//! stay those of the model's own sizes, whatever unknowns do to them.

use super::evaluate::{Following, times};
use super::motion::Motion;
use super::outcome::{HealthLine, Verdict};
use super::{Along, EndState, Outcome, Ready, Scalar, Status, Watch, channels};
use crate::fit::{Fit, FitFault, FitRecord, Problem, check, search};
use crate::plan::{Motion as PlannedMotion, MotionSource, Plan};
use crate::plan_fault::PlanFault;
use borelli_dynamics::System;
use borelli_model::Findings;

/// The plan of the analysis that is fitted.
fn fitted(plan: &Plan, fit: &Fit) -> Plan {
    Plan { analysis: fit.of, fit: None, ..plan.clone() }
}

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, _from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    let Some(fit) = &plan.fit else {
        findings.push(None, "fit", "", &FitFault::NoTrial);
        return Err(findings);
    };
    let own = fitted(plan, fit);
    refuse(system, plan, &mut findings);
    if findings.has_errors() {
        return Err(findings);
    }
    let mut outline = Following::new(system, &own)?.outline();
    let Some(channels) = channels(system, &own, false, &mut findings) else { return Err(findings) };
    let along = follow(system, &own, &mut findings);
    let problem = along.and_then(|along| Problem::new(system, fit, &channels, along, &mut findings));
    if let Some(problem) = &problem {
        check(problem, fit, &mut findings);
        for slot in problem.changing_motion(&channels) {
            findings.push(None, "fit", "unknown", &FitFault::ChangesMotion { path: system.parameters[slot].path.clone() });
        }
    }
    if findings.has_errors() {
        return Err(findings);
    }
    outline.scalars.extend(scalars(fit, None));
    Ok(Ready { outline, go: Box::new(move |watch| go(system, own, fit, watch)) })
}

/// What cannot be fitted yet.
fn refuse(system: &System, plan: &Plan, findings: &mut Findings) {
    let model = |reason: &str| FitFault::Model { reason: reason.into() };
    if !system.names.states.is_empty() {
        findings.push(None, "fit", "of", &model("its force elements have states, which would have to be integrated anew for every value"));
    }
    let contacts = &system.numbers.contacts;
    if let Some(pair) = (0..contacts.pairs.len()).find(|pair| contacts.remembers(*pair)) {
        let reason = format!("the law of `{}` remembers the speed of touchdown, which a fit does not follow", system.names.pairs[pair]);
        findings.push(None, "fit", "of", &model(&reason));
    }
    if let Some(PlannedMotion { source: MotionSource::Simulated { .. }, .. }) = &plan.motion {
        findings.push(None, "motion", "from", &model("its motion is simulated, and would change with the unknowns"));
    }
    if !plan.events.is_empty() {
        findings.push(None, "event", "", &PlanFault::NoSlopes { reason: "a fit sees no events".into() });
    }
}

/// The motion at all samples; why not is reported.
fn follow(system: &System, plan: &Plan, findings: &mut Findings) -> Option<Along> {
    let motion = Motion::new(system, plan, findings)?;
    match Along::new(motion, times(plan)) {
        Ok(along) => Some(along),
        Err((t, reason)) => {
            findings.push(None, "motion", "", &FitFault::Model { reason: format!("the motion cannot be followed to {t} s: {reason}") });
            None
        }
    }
}

/// Numbers of a fit; without a record their names only.
fn scalars(fit: &Fit, record: Option<&FitRecord>) -> Vec<Scalar> {
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
    for (k, term) in fit.terms.iter().enumerate() {
        list.push(scalar(format!("term.{}", term.name), record.map(|record| record.terms[k].2), "1"));
        list.push(scalar(format!("term_at_start.{}", term.name), record.map(|record| record.terms[k].1), "1"));
    }
    for (k, unknown) in fit.unknowns.iter().enumerate() {
        let own = record.map(|record| &record.unknowns[k]);
        list.push(scalar(format!("unknown.{}", unknown.name), own.map(|own| own.best), own.map_or("1", |own| own.unit.as_str())));
    }
    list
}

fn go(system: &System, plan: Plan, fit: &Fit, watch: &mut dyn Watch) -> Result<Outcome, Findings> {
    let mut findings = Findings::new();
    let Some(channels) = channels(system, &plan, false, &mut findings) else { return Err(findings) };
    let along = follow(system, &plan, &mut findings);
    let Some(problem) = along.and_then(|along| Problem::new(system, fit, &channels, along, &mut findings)) else { return Err(findings) };
    let mut stopped = false;
    let found = search(system, &problem, &channels, fit, &mut |progress| {
        watch.search(&progress);
        stopped = watch.stop();
        !stopped
    });
    let (values, record) = found.map_err(|fault| {
        findings.push(None, "fit", "", &fault);
        findings.clone()
    })?;
    let best = system.with_parameters(&problem.parameters(&values));
    let mut outcome = Following::new(&best, &plan)?.go(&plan, watch);
    if stopped {
        outcome.status = Status::Interrupted { t: plan.time.start };
    }
    outcome.scalars.extend(scalars(fit, Some(&record)));
    outcome.health.extend(health(fit, &record));
    outcome.settings.insert(0, ("fit".into(), record.methods.join(", then ")));
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
    if record.residual_count < free {
        let text = format!("There are {} residuals for {free} unknowns: many values fit equally well.", record.residual_count);
        lines.push(line("fit_residuals", "residuals", record.residual_count as f64, Verdict::Look, text));
    }
    if let Some(weak) = record.weak.first() {
        let words: Vec<String> = weak.parts.iter().map(|(name, part)| format!("{part:.2} {name}")).collect();
        let what = if weak.undetermined { "do not determine" } else { "hardly determine" };
        let text = format!("The data {what} {} of {free} directions; the weakest is {}.", record.weak.len(), words.join(", "));
        lines.push(line("fit_identifiability", "directions that data do not determine", record.weak.len() as f64, Verdict::Look, text));
    }
    lines
}
