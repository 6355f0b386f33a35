//! Runs: a plan put to a system. One analysis per file, one line in the list below.
//! Not here: reading plans (`read`), writing results, printing.
//! In: a system whose parameters and start are set, and a plan. Out: an `Outcome`, also of a run that failed; or why the plan does not fit.

mod along;
mod balance;
mod continuity;
mod coupled;
mod coupled_failure;
mod engine;
mod evaluate;
mod events;
mod exact;
mod fit;
mod fit_health;
mod fit_numbers;
mod fit_probe;
mod fit_runs;
mod health;
mod holding;
mod linear;
mod looker;
mod measured;
mod middle_watch;
mod mixed;
mod motion;
mod muscle_health;
pub mod outcome;
mod path_health;
mod pinch_watch;
mod recorder;
mod replay;
mod root_check;
mod sensitivity;
mod shoot;
mod simulate;
mod singular_watch;
mod slopes;
mod start;
mod states_along;
mod statics;
mod stick_watch;
mod stiff_watch;
mod switching;
mod touchdown;
mod touches;
mod uncertainty;

#[cfg(test)]
mod balance_tests;
#[cfg(test)]
mod coincidence_tests;
#[cfg(test)]
mod contact_tests;
#[cfg(test)]
mod coupled_tests;
#[cfg(test)]
mod engage_tests;
#[cfg(test)]
mod fit_further_tests;
#[cfg(test)]
mod fit_map_tests;
#[cfg(test)]
mod fit_motion_tests;
#[cfg(test)]
mod fit_runs_tests;
#[cfg(test)]
mod fit_stage_tests;
#[cfg(test)]
mod fit_tests;
#[cfg(test)]
mod fit_ways_tests;
#[cfg(test)]
mod formula_tests;
#[cfg(test)]
mod implicit_tests;
#[cfg(test)]
mod inside_tests;
#[cfg(test)]
mod integral_tests;
#[cfg(test)]
mod inverse_tests;
#[cfg(test)]
mod marker_tests;
#[cfg(test)]
mod measured_tests;
#[cfg(test)]
mod mixed_tests;
#[cfg(test)]
mod mixed_value_tests;
#[cfg(test)]
mod pressure_tests;
#[cfg(test)]
mod refusal_tests;
#[cfg(test)]
mod sensitivity_tests;
#[cfg(test)]
mod singular_tests;
#[cfg(test)]
mod soft_path_tests;
#[cfg(test)]
mod stiff_tests;
#[cfg(test)]
mod surface_tests;
#[cfg(test)]
mod switching_tests;
#[cfg(test)]
mod telling_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod uncertainty_tests;

pub(crate) use along::Along;
pub(crate) use exact::{Exact, why_not as why_no_slopes};
pub use fit::{OBJECTIVE as FIT_OBJECTIVE, TERM as FIT_TERM};
pub use fit_probe::probe_fit;
pub use outcome::{CheckWords, EndState, HealthLine, Occurrence, Outcome, Passed, Scalar, Status, Verdict};
pub use root_check::residual_lines;
pub(crate) use slopes::{Change, Starts};
pub(crate) use touchdown::speed_of_touchdown;

use crate::channels::Channels;
use crate::columns::Columns;
use crate::control;
use crate::fit::{Lines, RefitProgress, SearchProgress};
use crate::mixed_solver::MixedSolver;
use crate::plan::{Analysis, Derivatives, Plan};
use crate::plan_fault::PlanFault;
use crate::pressure::{self, Maps};
use crate::uncertainty::RunsProgress;
use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::integrate::Statistics;
use borelli_model::Findings;
use looker::Samples;
use recorder::Recorder;

/// Most numbers that a run may record: 1.6 GB.
const MOST_NUMBERS: f64 = 2e8;

/// Who looks on while a run goes: shows how far it is, and may end it.
pub trait Watch {
    /// Called after every accepted step, or every sample where there are no steps.
    fn progress(&mut self, _t: f64, _statistics: &Statistics) {}

    /// Called after every round of a search.
    fn search(&mut self, _progress: &SearchProgress) {}

    /// Called now and then while further searches are made from the best point of a fit.
    fn refits(&mut self, _progress: &RefitProgress) {}

    /// Called now and then while many runs are made.
    fn runs(&mut self, _progress: &RunsProgress) {}

    /// Called after every round of a search with a way to know all that it knows, so that a later run can take it up.
    fn keep(&mut self, _state: &mut dyn FnMut() -> Lines) {}

    /// What an earlier run of the same search kept last, if this one is to go on from there.
    fn kept(&mut self) -> Option<Lines> {
        None
    }

    /// True when the run is to end.
    fn stop(&self) -> bool {
        false
    }
}

/// Nobody looks on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {}

/// What a run would leave: known before anything moves.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Columns of the trajectory.
    pub columns: Vec<Column>,
    /// Numbers of the whole run, with their units; the values mean nothing yet. An event that never happens leaves no time.
    pub scalars: Vec<Scalar>,
}

/// The rest of a run, once its plan is known to fit.
type Go<'a> = Box<dyn FnOnce(&mut dyn Watch) -> Result<Outcome, Findings> + 'a>;

/// A plan that fits its system, ready to be carried out.
struct Ready<'a> {
    outline: Outline,
    go: Go<'a>,
}

/// How an analysis is made ready.
type Prepare = for<'a> fn(&'a System, &'a Plan, Option<&EndState>) -> Result<Ready<'a>, Findings>;

/// All analyses.
static ANALYSES: &[(Analysis, Prepare)] = &[
    (Analysis::Simulate, simulate::prepare),
    (Analysis::Evaluate, evaluate::prepare),
    (Analysis::Inverse, evaluate::prepare),
    (Analysis::Shoot, shoot::prepare),
    (Analysis::Statics, statics::prepare),
    (Analysis::Mixed, mixed::prepare),
    (Analysis::Kinematics, evaluate::prepare),
    (Analysis::Sensitivity, sensitivity::prepare),
    (Analysis::Fit, fit::prepare),
    (Analysis::Uncertainty, uncertainty::prepare),
];

/// Carries out a plan. `from` is the end of an earlier run to go on from.
///
/// The system must have the plan's controls (`with_controls`) and settings (`apply_settings`). The same input gives the same bits.
pub fn run(system: &System, plan: &Plan, from: Option<&EndState>, watch: &mut dyn Watch) -> Result<Outcome, Findings> {
    let mut outcome = located(plan, prepare(system, plan, from).and_then(|ready| (ready.go)(watch)))?;
    outcome.settings.extend(control::told(plan));
    Ok(outcome)
}

/// What a plan would leave, or all that does not fit between it and a system: formulas, events, targets, columns, methods, the start. Nothing moves.
pub fn check(system: &System, plan: &Plan) -> Result<Outline, Findings> {
    located(plan, prepare(system, plan, None).map(|ready| ready.outline))
}

fn prepare<'a>(system: &'a System, plan: &'a Plan, from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    // What it is the uncertainty of is made ready by itself, run by run.
    if plan.analysis == Analysis::Uncertainty && from.is_none() {
        return uncertainty::prepare(system, plan, None);
    }
    // And so is what a fit runs for every value.
    if fit_runs::are_made(system, plan) && from.is_none() {
        return fit_runs::prepare(system, plan);
    }
    let time = plan.time;
    if plan.analysis != Analysis::Statics && !(time.end > time.start && time.end.is_finite() && time.start.is_finite()) {
        findings.push(None, "time", "end", &PlanFault::NoTime { start: time.start, end: time.end });
        return Err(findings);
    }
    let takes_up = match plan.analysis {
        Analysis::Simulate | Analysis::Statics => true,
        Analysis::Mixed => plan.integrates(),
        Analysis::Evaluate | Analysis::Inverse | Analysis::Shoot | Analysis::Kinematics => false,
        Analysis::Sensitivity | Analysis::Fit | Analysis::Uncertainty => false,
    };
    if from.is_some() && !takes_up {
        findings.push(None, "", "restart", &PlanFault::NoRestart { analysis: plan.analysis.name() });
        return Err(findings);
    }
    if !plan.released.is_empty() && !matches!(plan.analysis, Analysis::Simulate | Analysis::Statics) {
        findings.push(None, "start", "released", &PlanFault::ReleasedUnused { analysis: plan.analysis.name() });
        return Err(findings);
    }
    // States go on from where they were, and rows of a table are no motion between them.
    let exact = plan.motion.as_ref().is_some_and(|motion| motion.derivatives == Derivatives::Exact);
    if let Some(state) = system.names.states.first().filter(|_| exact && plan.analysis != Analysis::Kinematics) {
        findings.push(None, "motion", "derivatives", &PlanFault::StatesBetweenRows { element: state.element.clone() });
        return Err(findings);
    }
    pressure::check(system, plan, &mut findings);
    balance::check(system, plan, &mut findings);
    if findings.has_errors() {
        return Err(findings);
    }
    if system.has_soft() {
        return coupled::prepare(system, plan, from);
    }
    if measured::is_measured(plan) {
        return measured::prepare(system, plan, from);
    }
    let prepare = ANALYSES.iter().find(|(analysis, _)| *analysis == plan.analysis).map(|(_, prepare)| prepare);
    let Some(prepare) = prepare else { return Err(findings) };
    let ready = prepare(system, plan, from)?;
    // Time is a column, too.
    let (samples, columns) = (Samples::count(plan), ready.outline.columns.len() + 1);
    if samples * columns as f64 > MOST_NUMBERS {
        let interval = (time.end - time.start) * columns as f64 / MOST_NUMBERS;
        findings.push(None, "time", "sample", &PlanFault::TooManySamples { samples, columns, interval });
        return Err(findings);
    }
    Ok(ready)
}

/// Gives findings the places of what the plan says.
fn located<T>(plan: &Plan, result: Result<T, Findings>) -> Result<T, Findings> {
    result.map_err(|mut findings| {
        findings.locate(|finding| plan.place(&finding.element, &finding.field));
        findings
    })
}

/// The channels of a plan, with the work done where it is `audited`; why not is reported.
fn channels<'s>(system: &'s System, plan: &Plan, audited: bool, findings: &mut Findings) -> Option<Channels<'s>> {
    if plan.analysis == Analysis::Mixed {
        let solver = MixedSolver::new(system, plan, findings)?;
        return Some(Channels::new(Columns::of_mixed(system, solver, audited), &plan.beside, &plan.derived, findings));
    }
    match Columns::new(system, &plan.formulation, audited) {
        Ok(columns) => {
            let columns = if plan.analysis == Analysis::Inverse { columns.with_root_residual() } else { columns };
            Some(Channels::new(columns, &plan.beside, &plan.derived, findings))
        }
        Err(declined) => {
            let fault = PlanFault::Declined { formulation: plan.formulation.clone(), reason: declined.reason };
            findings.push(None, "", "formulation", &fault);
            None
        }
    }
}

/// A recorder for a plan; why not is reported.
fn recorder<'s>(system: &'s System, plan: &Plan, audited: bool, findings: &mut Findings) -> Option<Recorder<'s>> {
    channels(system, plan, audited, findings).map(|channels| Recorder::new(channels, &plan.columns, Maps::new(system, plan), findings))
}
