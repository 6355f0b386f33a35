//! Runs with drawn inputs, on all cores; what is kept of each.
//! Not here: which runs there are (`design`), what is made of them (`bands`, `ranking`).
//! In: a system, the plan of the analysis, jobs. Out: for each job how it ended, its numbers, and, where bands are taken of it, its samples.

use super::definition::Sought;
use super::design::Job;
use super::inputs::Inputs;
use super::noise::Noises;
use super::numbers::numbers;
use crate::cores::on_all_cores;
use crate::plan::Plan;
use crate::run::{Status, Watch, run};
use crate::settings::apply_settings;
use borelli_dynamics::System;
use borelli_model::Findings;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How far runs with drawn inputs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunsProgress {
    /// Runs that ended, and all that are asked for.
    pub runs: (usize, usize),
    /// How many of them failed.
    pub failed: usize,
}

/// What is kept of a run that ended well.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finished {
    /// By result; NaN where there is none.
    pub numbers: Vec<f64>,
    /// Times of its samples, and all columns; nothing where no band is taken of it.
    pub samples: Option<(Vec<f64>, Vec<Vec<f64>>)>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ended {
    /// It was not made, because the user asked to end.
    Unmade,
    /// Badly, and why.
    Badly(String),
    /// Well.
    Well(Finished),
}

/// Everything that runs with drawn inputs have in common.
pub(crate) struct Experiment<'e> {
    pub system: &'e System,
    pub plan: &'e Plan,
    pub inputs: &'e Inputs,
    pub noises: &'e Noises,
    pub results: &'e [Sought],
}

/// The watch of a run among many: it only asks whether to stop.
struct Quiet<'q>(&'q AtomicBool);

impl Watch for Quiet<'_> {
    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The first of some faults in one line.
fn first(findings: &Findings) -> String {
    findings.iter().next().map_or("it cannot be run".to_string(), |finding| finding.message.clone())
}

impl Experiment<'_> {
    /// The system with values of all inputs.
    ///
    /// # Errors
    /// Values that cannot be, such as a negative mass.
    pub(crate) fn system(&self, values: &[f64]) -> Result<System, Findings> {
        // What the plan sets is said again: numbers that follow others must not follow where they were set themselves.
        let settings = [self.plan.settings.clone(), self.inputs.settings(values)].concat();
        apply_settings(self.system.clone(), &settings)
    }

    fn one(&self, job: &Job, stop: &AtomicBool) -> Ended {
        if stop.load(Ordering::Relaxed) {
            return Ended::Unmade;
        }
        let system = match self.system(&job.values) {
            Ok(system) => system,
            Err(findings) => return Ended::Badly(first(&findings)),
        };
        let plan = self.noises.disturbed(self.plan, &job.keys);
        let outcome = match run(&system, &plan, None, &mut Quiet(stop)) {
            Ok(outcome) => outcome,
            Err(findings) => return Ended::Badly(first(&findings)),
        };
        match outcome.status {
            Status::Completed | Status::Stopped { .. } => {}
            Status::Interrupted { .. } => return Ended::Unmade,
            Status::Failed { t, reason, .. } => return Ended::Badly(format!("at {t} s: {reason}")),
        }
        let table = &outcome.trajectory;
        let found = numbers(self.results, table, &outcome.scalars);
        let columns = || (0..table.columns().len()).map(|k| table.values(k).to_vec()).collect();
        Ended::Well(Finished {
            numbers: found.into_iter().map(|found| found.map_or(f64::NAN, |(value, _)| value)).collect(),
            samples: job.typical.then(|| (table.time().to_vec(), columns())),
        })
    }

    /// Makes all runs, by so many threads; those that were not made before `watch` wanted to stop are left out.
    pub(crate) fn runs(&self, jobs: &[Job], threads: usize, watch: &mut dyn Watch) -> Vec<Ended> {
        let (stop, done, failed) = (AtomicBool::new(watch.stop()), AtomicUsize::new(0), AtomicUsize::new(0));
        let mut list = vec![Ended::Unmade; jobs.len()];
        let work = |(): &mut (), (job, ended): (&Job, &mut Ended)| {
            *ended = self.one(job, &stop);
            done.fetch_add(1, Ordering::Relaxed);
            failed.fetch_add(usize::from(matches!(ended, Ended::Badly(_))), Ordering::Relaxed);
        };
        on_all_cores(&mut vec![(); threads.max(1)], jobs.iter().zip(&mut list), work, || {
            let runs = (done.load(Ordering::Relaxed), jobs.len());
            watch.runs(&RunsProgress { runs, failed: failed.load(Ordering::Relaxed) });
            if watch.stop() {
                stop.store(true, Ordering::Relaxed);
            }
        });
        list
    }
}
