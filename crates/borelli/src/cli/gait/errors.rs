//! Errors of measurement of a gait session: what is asked for, and what is said of the runs that drew them.
//! Not here: sizes of errors (`borelli::gait::errors`), drawing them (`borelli-study`).
//! In: options; outcomes. Out: tables of studies; remarks, sentences and a table for the page.

use super::Gait;
use borelli::gait::errors::{RUNS, table};
use borelli::job::Task;
use borelli::report::gait::{PlainTable, Remark, Weight};
use borelli_data::Trajectory;
use borelli_study::run::Outcome;

/// Most numbers that runs keep for bands, with some room: what `borelli-study` allows is 5e7.
const KEPT: f64 = 4e7;

/// Errors that are asked for.
pub(super) struct Errors {
    /// Runs; nothing: as many as are usual.
    runs: Option<usize>,
    /// A file with errors in place of the usual ones, and its text.
    given: Option<(String, String)>,
}

/// What stands for the option without a number.
pub(super) const USUAL: &str = "usual";

impl Errors {
    /// What the command line asks for; or what is wrong with it.
    pub(super) fn asked(args: &Gait) -> Result<Option<Errors>, String> {
        let runs = match (args.uncertainty.as_deref(), &args.errors) {
            (None, None) => return Ok(None),
            (None, Some(_)) => {
                let hint = "say --uncertainty too, or leave it out";
                return Err(format!("error[idle-option]: --errors has no effect without --uncertainty\n  hint: {hint}\n"));
            }
            (Some(USUAL), _) => None,
            (Some(text), _) => match text.parse::<usize>() {
                Ok(runs) if runs >= 2 => Some(runs),
                found => {
                    let what = if found.is_ok() { "fewer than two runs have no band" } else { "that is no number of runs" };
                    return Err(format!("error[too-few-runs]: --uncertainty: {text}: {what}\n  hint: give two or more, such as 100\n"));
                }
            },
        };
        let read = |path: &std::path::PathBuf| {
            let text = std::fs::read_to_string(path).map_err(|error| {
                format!("error[cannot-read-file]: cannot read `{}`: {error}\n  hint: give a file with [[uncertainty.noise]] and [[uncertainty.input]]\n", path.display())
            })?;
            Ok::<_, String>((path.to_string_lossy().into_owned(), text))
        };
        Ok(Some(Errors { runs, given: args.errors.as_ref().map(read).transpose()? }))
    }

    /// The table of a trial whose run without errors left a trajectory.
    pub(super) fn table(&self, task: &Task, trajectory: &Trajectory) -> String {
        let numbers = (trajectory.len() * trajectory.columns().len()).max(1);
        let runs = self.runs.unwrap_or_else(|| RUNS.min((KEPT / numbers as f64) as usize).max(2));
        table(&task.system, &task.plan, runs, self.given.as_ref().map(|(_, text)| text.as_str()))
    }

    /// What is wrong, with the file that it comes from.
    pub(super) fn told(&self, text: &str) -> String {
        self.given.as_ref().map_or(text.to_string(), |(path, _)| format!("{text}  note: errors are those of `{path}`\n"))
    }
}

/// What is to be said of runs that failed or were not made.
pub(super) fn remark(trial: &str, outcome: &Outcome) -> Option<Remark> {
    let [all, made, failed] = outcome.uncertainty.as_ref()?.runs;
    let text = match (made < all, failed) {
        (true, _) => format!("{made} of {all} runs with errors drawn were made before the end was asked for: bands are those of these"),
        (false, 0) => return None,
        (false, _) => format!("{failed} of {all} runs with errors drawn failed and are not in the bands"),
    };
    Some(Remark { weight: Weight::Warning, trial: trial.into(), text })
}

/// Errors that were drawn, as a table.
pub(super) fn drawn(trial: &str, outcome: &Outcome) -> Option<PlainTable> {
    let record = outcome.uncertainty.as_ref()?;
    let rows = record.inputs.iter().map(|own| vec![own.name.clone(), own.words.clone()]).collect();
    Some(PlainTable { caption: format!("Errors that were drawn: {trial}"), heads: vec!["error".into(), "distribution".into()], rows })
}

/// What bands hold; empty where no errors were drawn.
pub(super) fn words<'o>(outcomes: impl Iterator<Item = &'o Outcome>) -> String {
    let runs: Vec<usize> = outcomes.filter_map(|own| own.uncertainty.as_ref()).map(|own| own.runs[1] - own.runs[2]).collect();
    let (Some(least), Some(most)) = (runs.iter().min(), runs.iter().max()) else { return String::new() };
    let count = if least == most { least.to_string() } else { format!("{least} to {most}") };
    format!("Bands hold 95 % of {count} runs with errors of measurement drawn; of several cycles they are the mean of theirs.")
}
