//! Running all cases of a job and judging them.
//! Not here: one run, one verdict (`borelli-study`), files of results.
//! In: a job. Out: outcomes in the order of its cases, judgements in the order of its expectations.

use super::watch::{Keeping, Progress, StopFlag};
use borelli::job::{Job, Task};
use borelli::parallel::parallel;
use borelli_data::{ReadOptions, Trajectory, format_of};
use borelli_model::Rejected;
use borelli_study::expect::{CaseResult, Elsewhere, Judgement, judge};
use borelli_study::run::{EndState, Outcome, Status, run};
use std::borrow::Cow;
use std::cell::RefCell;
use std::num::NonZero;
use std::path::PathBuf;

/// Runs one case; faults point into the texts of its plan.
pub fn carry_out(task: &Task, from: Option<&EndState>, progress: &mut Progress) -> Result<Outcome, Rejected> {
    run(&task.system, &task.plan, from, progress).map_err(|findings| Rejected { findings, sources: task.plan.sources.clone() })
}

/// Runs all cases, with a place for each where its search keeps what it knows. What is shown on the way does not depend on the results, nor these on
/// the number of threads.
pub fn outcomes(
    job: &Job,
    from: Option<&EndState>,
    threads: NonZero<usize>,
    stop: &StopFlag,
    keeping: impl Fn(usize) -> Keeping + Sync,
) -> Result<Vec<Outcome>, Rejected> {
    let count = job.tasks.len();
    let work = |k: usize| {
        let task = &job.tasks[k];
        let label = if count > 1 { format!("case {} of {count}, {}: ", k + 1, task.name) } else { String::new() };
        let progress = if threads.get() > 1 && count > 1 {
            Progress::silent(stop.clone(), task.plan.time)
        } else {
            Progress::new(stop.clone(), &label, task.plan.time)
        };
        carry_out(task, from, &mut progress.keeping(keeping(k)))
    };
    parallel(count, threads, work).into_iter().collect()
}

/// Results of cases as expectations see them.
pub fn results<'a>(tasks: &'a [Task], outcomes: &'a [Outcome]) -> Vec<CaseResult<'a>> {
    let failure = |outcome: &'a Outcome| match &outcome.status {
        Status::Failed { reason, .. } => Some(reason.as_str()),
        Status::Interrupted { .. } => Some("the run was interrupted"),
        Status::Completed | Status::Stopped { .. } => None,
    };
    let result = |(task, outcome): (&'a Task, &'a Outcome)| CaseResult {
        name: &task.name,
        trajectory: &outcome.trajectory,
        scalars: &outcome.scalars,
        failure: failure(outcome),
    };
    tasks.iter().zip(outcomes).map(result).collect()
}

/// Judges what the study of a job expects; nothing without a study.
pub fn judgements(job: &Job, outcomes: &[Outcome], elsewhere: &Elsewhere) -> Vec<Judgement> {
    let Some(study) = &job.study else { return Vec::new() };
    judge(&study.id, &study.expects, &study.cases, &results(&job.tasks, outcomes), elsewhere)
}

/// The folder of reference data: as given, or as the environment says.
pub struct Reference {
    folder: Option<PathBuf>,
    faults: RefCell<Vec<String>>,
}

impl Reference {
    pub fn new(given: Option<PathBuf>) -> Reference {
        let set = || std::env::var_os("BORELLI_REFERENCE").filter(|value| !value.is_empty()).map(PathBuf::from);
        Reference { folder: given.or_else(set), faults: RefCell::default() }
    }

    /// Where it is; nothing where none is given.
    pub fn folder(&self) -> Option<PathBuf> {
        self.folder.clone()
    }

    /// A table of the folder; nothing if it is not there. One that cannot be read counts as absent, and is noted.
    pub fn table(&self, path: &str) -> Option<Trajectory> {
        let file = self.folder.as_ref()?.join(path);
        let text = std::fs::read_to_string(&file).ok()?;
        let format = format_of(&file)?;
        match format.read(&called_time(&text), &file.to_string_lossy(), &ReadOptions::default()) {
            Ok(reading) => Some(reading.trajectory),
            Err(fault) => {
                let said = format!("warning[bad-reference]: {fault}\n");
                let mut faults = self.faults.borrow_mut();
                if !faults.contains(&said) {
                    faults.push(said);
                }
                None
            }
        }
    }

    /// What was wrong with tables that are there.
    pub fn faults(&self) -> String {
        self.faults.borrow().concat()
    }
}

/// Reference tables call their first column `t` or `t_s` where ours say `time`.
fn called_time(text: &str) -> Cow<'_, str> {
    match ["t_s,", "t,"].iter().find_map(|label| text.strip_prefix(label)) {
        Some(rest) => Cow::Owned(format!("time,{rest}")),
        None => Cow::Borrowed(text),
    }
}
