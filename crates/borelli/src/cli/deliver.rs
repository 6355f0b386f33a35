//! From a job to a closed folder of results, and what is said of it at the end.
//! Not here: the command line that asks for it, computing, judging, drawing.
//! In: a job and an order. Out: the folder, or an exit code when what went wrong has been said.

use super::conduct::{Reference, judgements, outcomes};
use super::verdicts::{Count, as_json, table};
use super::watch::{Keeping, StopFlag};
use super::{Exit, Output, drawing, input};
use borelli::job::Job;
use borelli::report::{Clock, Report, html, significant};
use borelli::results::{
    CHECKPOINT, Case, CheckpointFault, Closed, FolderFault, Kept, Leftover, PAGE, RunFolder, Summary, find_checkpoint, page_json, place_of,
    question, read_checkpoint, stamp, write_case, write_checkpoint,
};
use borelli_data::Format;
use borelli_dynamics::System;
use borelli_dynamics::system::Measure;
use borelli_math::with_unit;
use borelli_study::expect::{Elsewhere, Judgement};
use borelli_study::fit::Lines;
use borelli_study::plan::Analysis;
use borelli_study::run::{EndState, Outcome, Status};
use serde_json::json;
use std::f64::consts::TAU;
use std::fmt::Write;
use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// What is to be done with a job.
pub struct Order {
    pub out: PathBuf,
    pub force: bool,
    /// Go on with searches that were interrupted or killed.
    pub resume: bool,
    pub command: String,
    pub formats: Vec<&'static dyn Format>,
    /// Patterns of columns of each picture.
    pub plots: Vec<Vec<String>>,
    pub report: bool,
    pub threads: NonZero<usize>,
    pub from: Option<EndState>,
}

/// A job that was run, and its closed folder.
pub struct Done {
    pub job: Job,
    pub outcomes: Vec<Outcome>,
    pub judgements: Vec<Judgement>,
    pub folder: PathBuf,
    pub summary: serde_json::Value,
    pub seconds: f64,
}

/// Runs a job and writes its folder. What went wrong before the folder was closed has been said.
pub fn deliver(job: Job, order: Order, output: &mut Output) -> io::Result<Result<Done, Exit>> {
    let stop = StopFlag::listen()?;
    let questions: Vec<String> = job.tasks.iter().map(|task| question(&job.inputs, &job.changes, &task.name)).collect();
    let known = match known(&job, &order, &questions) {
        Ok(known) => known,
        Err(fault) => {
            output.complain(&input::refused(&fault).to_string());
            return Ok(Err(Exit::BadInput));
        }
    };
    // What is taken up again takes the place of what it was.
    let mut folder = match RunFolder::begin(&order.out, order.force || order.resume, &order.command) {
        Ok((folder, leftover)) => {
            // What a killed search has kept is taken up, so that nothing of it is lost.
            leftover.iter().filter(|_| !order.resume).for_each(|leftover| output.complain(&remains(leftover)));
            folder
        }
        Err(fault) => return Ok(Err(trouble(&fault, output))),
    };
    // A case that comes late must not lose what it knew when this run is killed, too.
    for ((task, question), lines) in job.tasks.iter().zip(&questions).zip(&known) {
        if let Some(lines) = lines {
            write_checkpoint(folder.working(), &task.name, question, lines.clone())?;
        }
    }
    let (started, clock) = (SystemTime::now(), Instant::now());
    let keeping = |k: usize| Keeping {
        folder: folder.working().to_path_buf(),
        case: job.tasks[k].name.clone(),
        question: questions[k].clone(),
        known: known[k].clone(),
    };
    let mut outcomes = match outcomes(&job, order.from.as_ref(), order.threads, &stop, keeping) {
        Ok(outcomes) => outcomes,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Err(folder.abandon().err().map_or(Exit::BadInput, |fault| trouble(&fault, output))));
        }
    };
    let seconds = clock.elapsed();
    let reference = Reference::new(None);
    let elsewhere = Elsewhere { table: &|path| reference.table(path), study: &|_, _| None };
    let interrupted = outcomes.iter().any(|outcome| matches!(outcome.status, Status::Interrupted { .. }));
    let judgements = if interrupted { Vec::new() } else { judgements(&job, &outcomes, &elsewhere) };
    output.complain(&reference.faults());
    for (task, outcome) in job.tasks.iter().zip(&mut outcomes) {
        let study = job.study.as_ref().map_or("", |study| study.id.as_str());
        let said = |name: &str| outcome.settings.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
        let (formulation, integrator) = (said("formulation"), said("integrator").unwrap_or_default());
        let facts = [
            ("model", task.system.name.as_str()),
            ("study", study),
            ("case", &task.name),
            ("formulation", formulation.as_deref().unwrap_or(&task.plan.formulation)),
            ("integrator", &integrator),
        ];
        stamp(&mut outcome.trajectory, &facts, &job.inputs);
    }
    let summary = Summary {
        command: order.command.clone(),
        study: job.study.as_ref().map(|study| study.id.clone()),
        model: job.tasks.first().map_or(String::new(), |task| task.system.name.clone()),
        options: job.changes.clone(),
        inputs: job.inputs.clone(),
        expectations: judgements.iter().map(as_json).collect(),
        started,
        took: seconds,
    };
    let cases: Vec<Case> =
        job.tasks.iter().zip(&outcomes).map(|(task, outcome)| Case { name: &task.name, plan: &task.plan, outcome }).collect();
    let mut summary = summary.to_json(&cases);
    let report = drawing::report(&job, &outcomes, &judgements);
    summary["page"] = page_json(&report);
    let written = keep_checkpoints(&mut folder, &job, interrupted)
        .and_then(|()| fill(&mut folder, &job, &outcomes, &report, &order, &mut summary, output))
        .and_then(|()| folder.close());
    match written {
        Ok(Closed { folder, kept }) => {
            output.complain(&kept_files(&kept));
            summary["folder"] = json!(folder.to_string_lossy());
            Ok(Ok(Done { job, outcomes, judgements, folder, summary, seconds: seconds.as_secs_f64() }))
        }
        Err(fault) => Ok(Err(trouble(&fault, output))),
    }
}

/// What searches of an earlier run knew, by case; nothing without `resume`. What a killed search has left is not lost by a run that only forgot `resume`.
fn known(job: &Job, order: &Order, questions: &[String]) -> Result<Vec<Option<Lines>>, CheckpointFault> {
    let killed = RunFolder::unfinished(&order.out);
    if !order.resume {
        let left = find_checkpoint(&killed, job.tasks.iter().map(|task| task.name.as_str())).filter(|_| !order.force);
        return left.map_or_else(|| Ok(vec![None; job.tasks.len()]), |path| Err(CheckpointFault::InTheWay { path }));
    }
    let folder = if killed.is_dir() { killed } else { RunFolder::place(&order.out) };
    let cases = job.tasks.iter().zip(questions).map(|(task, question)| read_checkpoint(&folder, &task.name, question));
    let known: Vec<Option<Lines>> = cases.collect::<Result<_, _>>()?;
    if known.iter().all(Option::is_none) { Err(CheckpointFault::Missing { folder: order.out.clone() }) } else { Ok(known) }
}

/// Lets checkpoints stay in the folder of a run that was interrupted; those of one that is over are of no use.
fn keep_checkpoints(folder: &mut RunFolder, job: &Job, interrupted: bool) -> Result<(), FolderFault> {
    for task in &job.tasks {
        let name = format!("{}{CHECKPOINT}", place_of(&task.name));
        let Ok(bytes) = fs::read(folder.working().join(&name)) else { continue };
        if interrupted {
            folder.write(&name, |out| out.write_all(&bytes))?;
        } else {
            folder.discard(&name)?;
        }
    }
    Ok(())
}

/// Says what is wrong with a folder.
pub fn trouble(fault: &FolderFault, output: &mut Output) -> Exit {
    output.complain(&input::refused(fault).to_string());
    if fault.is_bad_input() { Exit::BadInput } else { Exit::Failed }
}

/// Most files of the user that are named.
const TOLD: usize = 5;

/// What is said of files of the user in a folder that was replaced.
pub fn kept_files(kept: &[Kept]) -> String {
    let one = |Kept { name, now }: &Kept| {
        if name == now { name.display().to_string() } else { format!("{}, now called {}", name.display(), now.display()) }
    };
    let mut list: Vec<String> = kept.iter().take(TOLD).map(one).collect();
    if kept.len() > TOLD {
        list.push(format!("{} more", kept.len() - TOLD));
    }
    if list.is_empty() { String::new() } else { format!("note: kept from the replaced folder: {}\n", list.join("; ")) }
}

/// Writes a file that appears when it is whole. A link stays a link, and the file that it leads to is written.
pub fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let is_link = fs::symlink_metadata(file).is_ok_and(|entry| entry.is_symlink());
    let file = &if is_link { fs::canonicalize(file)? } else { file.to_path_buf() };
    let mut name = file.as_os_str().to_owned();
    name.push(".partial");
    let partial = PathBuf::from(name);
    fs::write(&partial, content).and_then(|()| fs::rename(&partial, file)).inspect_err(|_| {
        // what could not be written is of no use; whether it can be removed changes nothing
        let _ = fs::remove_file(&partial);
    })
}

/// What is said of a run that left its working folder.
pub fn remains(leftover: &Leftover) -> String {
    let Leftover { partial, command, started, pid } = leftover;
    let who = pid.map_or(String::new(), |pid| format!(" (process {pid})"));
    let what = if command.is_empty() { "a run".into() } else { format!("`{command}`") };
    let when = if started.is_empty() { String::new() } else { format!(", started {started},") };
    format!(
        "note: {what}{who}{when} was killed or could not write its files; its unfinished folder `{}` has been removed\n",
        partial.display()
    )
}

/// Writes all files.
fn fill(
    folder: &mut RunFolder,
    job: &Job,
    outcomes: &[Outcome],
    report: &Report,
    order: &Order,
    summary: &mut serde_json::Value,
    output: &mut Output,
) -> Result<(), FolderFault> {
    for (task, outcome) in job.tasks.iter().zip(outcomes) {
        write_case(folder, &task.name, &task.system, outcome, &order.formats)?;
        for (k, patterns) in order.plots.iter().enumerate() {
            match drawing::plot("", patterns, &[(&task.name, &outcome.trajectory)]) {
                Ok(svg) => {
                    folder.write(&format!("{}plot-{}.svg", place_of(&task.name), k + 1), |out| out.write_all(svg.as_bytes()))?;
                }
                // columns of another case: some case has each of them
                Err(unknown) => output.complain(&format!("warning[unknown-column]: --plot: {unknown}\n")),
            }
        }
    }
    if order.report {
        let page = html(report);
        folder.write(PAGE, |out| out.write_all(page.as_bytes()))?;
    }
    summary["outputs"] = folder.outputs();
    folder.write("summary.json", |out| writeln!(out, "{summary:#}"))
}

impl Done {
    /// How the command ends.
    pub fn exit(&self) -> Exit {
        let good = self.outcomes.iter().all(|outcome| outcome.status.is_good());
        if good && Count::of(&self.judgements).failed == 0 { Exit::Good } else { Exit::Failed }
    }

    /// What people want to know at the end.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (task, outcome) in self.job.tasks.iter().zip(&self.outcomes) {
            let name = if task.name.is_empty() { self.job.name.clone() } else { format!("{} {}", self.job.name, task.name) };
            let _ = writeln!(text, "{name}: {}", ended(outcome));
            if task.plan.analysis == Analysis::Statics {
                text.push_str(&balance(&task.system, outcome));
            }
            // A healthy run needs no words.
            for line in outcome.health.iter().filter(|line| line.is_told()) {
                let word = if line.verdict.warns() { line.verdict.word() } else { "note" };
                let value = line.value.map_or(String::new(), |value| format!(" {}", with_unit(significant(value, 4), &line.unit)));
                let _ = writeln!(text, "  {word}: {}{value}: {}", line.label, line.text);
            }
        }
        if !self.judgements.is_empty() {
            text.push_str(&table(&self.judgements));
            text.push_str(&Count::of(&self.judgements).line());
        }
        let report = self.folder.join(PAGE);
        let shown = if report.exists() { report } else { self.folder.clone() };
        let _ = writeln!(text, "computed in {:.2} s: {}", self.seconds, shown.display());
        text
    }
}

/// Most coordinates of a balance that are shown; the trajectory has all.
const SHOWN: usize = 24;

/// The balance that was found: where, and how it answers when it is left a little.
fn balance(system: &System, outcome: &Outcome) -> String {
    let Some(end) = &outcome.end else { return String::new() };
    let mut text = String::new();
    for (coordinate, q) in system.names.coordinates.iter().zip(&end.q).take(SHOWN) {
        let value = match coordinate.measure {
            Measure::Angle => format!("{q:.9} rad, {:.6} deg", q.to_degrees()),
            Measure::Length => format!("{q:.9} m"),
            Measure::Quaternion => format!("{q:.9}"),
        };
        let _ = writeln!(text, "  {} = {value}", coordinate.name);
    }
    if end.q.len() > SHOWN {
        let _ = writeln!(text, "  and {} more coordinates, see the trajectory", end.q.len() - SHOWN);
    }
    let scalar = |name: &str| outcome.scalars.iter().find(|scalar| scalar.name == name).map(|scalar| scalar.value);
    // Of a balance with soft parts stability is not looked at.
    let Some(stable) = scalar("statics.stable") else { return text };
    let kind = if stable == 1.0 { "stable" } else { "not stable" };
    let answer = match scalar("statics.lowest_frequency_squared") {
        Some(square) if square > 0.0 => format!(": lowest frequency {:.6} Hz", square.sqrt() / TAU),
        Some(square) if square < 0.0 => format!(": what leaves it grows by {:.6} 1/s", (-square).sqrt()),
        _ => String::new(),
    };
    let _ = writeln!(text, "  {kind}{answer}");
    text
}

/// How a run ended, in a line.
fn ended(outcome: &Outcome) -> String {
    let time = outcome.trajectory.time();
    let clock = Clock::of(&outcome.settings, &outcome.soft);
    let span = match (time.first(), time.last()) {
        (Some(first), Some(last)) if last > first => format!("{}, {} samples", clock.span(*first, *last), time.len()),
        _ => format!("{} sample{}", time.len(), if time.len() == 1 { "" } else { "s" }),
    };
    let integrator = outcome.settings.iter().find(|(key, _)| key == "integrator").map(|(_, name)| name.as_str());
    let steps = match (integrator, outcome.statistics.accepted) {
        (Some(name), steps) if steps > 0 => format!(", {steps} step{} of {name}", if steps == 1 { "" } else { "s" }),
        _ => String::new(),
    };
    match (&outcome.status, notice(outcome)) {
        (Status::Stopped { event, t }, _) => format!("stopped by event `{event}` at t = {} s; {span}{steps}", significant(*t, 6)),
        (_, Some(why)) => format!("{why}\n  kept: {span}{steps}"),
        _ => format!("completed, {span}{steps}"),
    }
}

/// Why a run ended early, and what can be done about it.
pub fn notice(outcome: &Outcome) -> Option<String> {
    let clock = Clock::of(&outcome.settings, &outcome.soft);
    match &outcome.status {
        Status::Completed | Status::Stopped { .. } => None,
        Status::Interrupted { t } => Some(format!("interrupted by the user at {}", clock.at(*t))),
        Status::Failed { t, element, reason } => {
            let place = if element.is_empty() { String::new() } else { format!(" in {element}") };
            // the reason of an integrator begins with the time, too
            let reason = reason.strip_prefix(&format!("t = {t} s: ")).unwrap_or(reason);
            Some(format!("FAILED at {}{place}: {reason}", clock.at(*t)))
        }
    }
}
