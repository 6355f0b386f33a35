//! `evaluate` and `inverse`: everything along a prescribed motion, without integrating.
//! Not here: the motion itself (`motion`).
//! In: a system, a plan with a motion or guides that leave nothing free. Out: an `Outcome`.
//!
//! Along a table the accelerations are given and `coord.NAME.effort` is what actuators must supply beside the model's own forces; along guides the
//! equations of motion give accelerations, row forces and efforts. Loops and guides of a model exert nothing along a table; the health block says
//! so, and how well the table meets them. The two analyses differ in what they record by default: `inverse` keeps coordinates with their efforts
//! and the reactions of joints.

use super::health::{self, Peaks};
use super::looker::Samples;
use super::motion::Motion;
use super::recorder::{Recorder, RowFault};
use super::simulate::row_failure;
use super::{EndState, Outcome, Outline, Ready, Scalar, Status, Watch, recorder};
use crate::columns::{Look, Source};
use crate::plan::{Analysis, Plan};
use borelli_dynamics::System;
use borelli_dynamics::integrate::Statistics;
use borelli_model::Findings;

/// What `inverse` records where the plan does not say.
const OF_INVERSE: [&str; 3] = ["coord.*", "joint.*", "body.*"];

/// Makes either analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, _from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    let mut own = plan.clone();
    if plan.analysis == Analysis::Inverse && plan.columns.is_empty() {
        own.columns = OF_INVERSE.map(str::to_string).to_vec();
    }
    let recorder = recorder(system, &own, false, &mut findings);
    let motion = Motion::new(system, plan, &mut findings);
    let (Some(recorder), Some(motion), false) = (recorder, motion, findings.has_errors()) else { return Err(findings) };
    let outline = Outline { columns: recorder.columns(), scalars: scalars(&Status::Completed, 0) };
    Ok(Ready { outline, go: Box::new(|watch| Ok(go(system, plan, recorder, motion, watch))) })
}

/// Numbers of the whole run.
fn scalars(status: &Status, evaluations: u32) -> Vec<Scalar> {
    let scalar = |name: &str, value: f64, unit: &str| Scalar { name: format!("run.{name}"), value, unit: unit.into() };
    vec![scalar("completed", if status.is_good() { 1.0 } else { 0.0 }, "1"), scalar("evaluations", f64::from(evaluations), "1")]
}

/// Follows the motion from sample to sample.
fn go<'a>(system: &'a System, plan: &Plan, mut recorder: Recorder<'a>, mut motion: Motion<'a>, watch: &mut dyn Watch) -> Outcome {
    let (mut samples, mut peaks) = (Samples::new(plan.time, plan.time.sample, plan.time.start), Peaks::new(recorder.channels()));
    let (mut now, mut status) = (motion.begin(), Status::Completed);
    let (no_force, statistics) = (vec![0.0; system.names.rows.len()], Statistics::default());
    let mut evaluations = 0;
    while let Some(t) = samples.peek() {
        if watch.stop() {
            status = Status::Interrupted { t: recorder.last().unwrap_or(plan.time.start) };
            break;
        }
        if let Err(reason) = motion.advance(t, &mut now) {
            status = Status::Failed { t, element: String::new(), reason };
            break;
        }
        let source = if now.vdot.is_empty() { Source::Forward } else { Source::Given { vdot: &now.vdot, row_force: &no_force } };
        let pushed: Result<(), RowFault> = recorder.push(Look { t, q: &now.q, v: &now.v, source, work: None });
        if let Err(fault) = pushed {
            status = row_failure(t, &fault);
            break;
        }
        evaluations += 1;
        peaks.note(recorder.channels().values());
        watch.progress(t, &statistics);
        samples.pass();
    }
    let mut health = health::lines(&peaks, &statistics, false);
    if plan.motion.is_some() && !no_force.is_empty() {
        health.push(health::left_out(&peaks, no_force.len()));
    }
    Outcome {
        health,
        scalars: scalars(&status, evaluations),
        settings: vec![
            ("analysis".into(), plan.analysis.name().into()),
            ("formulation".into(), plan.formulation.clone()),
            ("motion".into(), if plan.motion.is_some() { "a table, by cubic splines" } else { "guides of the model" }.into()),
        ],
        trajectory: recorder.finish(),
        events: Vec::new(),
        status,
        statistics,
        end: None,
    }
}
