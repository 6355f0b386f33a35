//! `borelli reproduce`: studies computed, and every expected number beside the one that came out.
//! Not here: running and judging one study.
//! Out: a table or JSON; exit code 1 when an expectation is not met, or a run failed that was not expected to.

use super::conduct::{Reference, carry_out, judgements, results};
use super::deliver::notice;
use super::verdicts::{Count, as_json, table, unjudged};
use super::watch::{Progress, StopFlag};
use super::{Entry, Exit, Output, drawing, input};
use borelli::job::{Job, Task};
use borelli::parallel::{available, parallel};
use borelli::studies::Studies;
use borelli_model::Rejected;
use borelli_study::expect::{CaseResult, Elsewhere, Judgement, expects_failure};
use borelli_study::run::{Outcome, Status};
use clap::{ArgMatches, Args, FromArgMatches};
use serde_json::{Value, json};
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};

pub static ENTRY: Entry =
    Entry { name: "reproduce", about: "Compute studies, and compare with what is expected of them", args: Reproduce::augment_args, run };

#[derive(Args)]
struct Reproduce {
    /// Names of studies, or parts that only one name has
    #[arg(required_unless_present_any = ["all", "list"], value_name = "ID")]
    ids: Vec<String>,
    /// All studies
    #[arg(long, conflicts_with = "ids")]
    all: bool,
    /// Name the studies and compute nothing
    #[arg(long)]
    list: bool,
    /// Take the studies of this folder
    #[arg(long, value_name = "DIR")]
    studies: Option<PathBuf>,
    /// Folder with reference data; else the environment's BORELLI_REFERENCE
    #[arg(long, value_name = "DIR")]
    reference: Option<PathBuf>,
    /// Draw the picture of each study into its folder
    #[arg(long, requires = "studies")]
    pictures: bool,
    /// Runs computed at once; as many as the machine has cores if left out
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A study whose data are not there: its name, and the files it lacks.
type Lacking<'a> = (&'a str, Vec<String>);

/// A study that was run: its job, and the outcome of each case or why there is none.
struct Ran {
    job: Job,
    outcomes: Result<Vec<Outcome>, Rejected>,
}

impl Ran {
    /// How many cases the user interrupted. A study with one is not judged: nothing is wrong with it, and nothing is known of it.
    fn interrupted(&self) -> usize {
        self.outcomes.iter().flatten().filter(|outcome| matches!(outcome.status, Status::Interrupted { .. })).count()
    }
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Reproduce::from_arg_matches(matches).map_err(io::Error::other)?;
    let reference = Reference::new(args.reference.clone());
    let library = args.studies.clone().map_or(Studies::EMBEDDED, Studies::folder).with_reference(reference.folder());
    let names = match names(&args, &library) {
        Ok(names) => names,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Exit::BadInput);
        }
    };
    if names.is_empty() {
        output.complain("error[no-studies]: there are no studies\n  hint: a study is a folder with a study.toml; give the folder above with --studies\n");
        return Ok(Exit::BadInput);
    }
    let (mut exit, mut jobs, mut lacking) = (Exit::Good, Vec::new(), Vec::new());
    for name in &names {
        let lacks = library.lacks(name);
        if !lacks.is_empty() {
            lacking.push((name.as_str(), lacks));
            continue;
        }
        match Job::of_study(&library.path(name), &library, &[]) {
            Ok(job) => jobs.push(job),
            Err(rejected) => {
                output.complain(&rejected.to_string());
                exit = Exit::BadInput;
            }
        }
    }
    if args.list {
        list(&names, &jobs, &library, args.json, output)?;
        return Ok(exit);
    }
    let asked = jobs.len();
    add_named(&mut jobs, &library);
    let stop = StopFlag::listen()?;
    let all = compute(jobs, args.threads.unwrap_or_else(available), &stop);
    let judged = judge_all(&all, asked, &reference);
    output.complain(&reference.faults());
    exit = exit.max(show(&all[..asked], &judged, &lacking, args.json, output)?);
    if let (true, Some(folder)) = (args.pictures, &args.studies) {
        exit = exit.max(draw(&all[..asked], folder, output));
    }
    Ok(if stop.is_set() { exit.max(Exit::Failed) } else { exit })
}

/// Which studies are meant.
fn names(args: &Reproduce, library: &Studies) -> Result<Vec<String>, Rejected> {
    let unreadable = |error: io::Error| {
        let path = args.studies.as_deref().unwrap_or(Path::new("")).to_string_lossy().into_owned();
        input::refused(&borelli_model::ReadFault::CannotReadFile { path, reason: error.to_string() })
    };
    if args.ids.is_empty() {
        return library.names().map_err(unreadable);
    }
    let mut names = Vec::new();
    for id in &args.ids {
        let name = library.find(id).map_err(unreadable)?.map_err(|fault| input::refused(&fault))?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

fn list(names: &[String], jobs: &[Job], library: &Studies, as_json: bool, output: &mut Output) -> io::Result<()> {
    // Of a study without its reference data only the text is known.
    let known = |name: &String| {
        let study = jobs.iter().filter_map(|job| job.study.as_ref()).find(|study| study.id == *name);
        match study {
            Some(study) => (
                study.title.clone(),
                json!({ "study": study.id, "title": study.title, "source": study.source, "expectations": study.expects.len() }),
            ),
            None => {
                let [title, source] = ["title", "source"].map(|key| library.text(name, key).unwrap_or_default());
                (title.clone(), json!({ "study": name, "title": title, "source": source, "expectations": Value::Null }))
            }
        }
    };
    if as_json {
        return output.json(&names.iter().map(|name| known(name).1).collect());
    }
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for name in names {
        output.text(&format!("{name:<width$}  {}\n", known(name).0))?;
    }
    Ok(())
}

/// Adds the studies that the others are compared with. One that cannot be read leaves an expectation that cannot be judged.
fn add_named(jobs: &mut Vec<Job>, library: &Studies) {
    let mut k = 0;
    while k < jobs.len() {
        let expects = jobs[k].study.iter().flat_map(|study| &study.expects);
        let named: Vec<String> = expects.filter_map(|expect| expect.against.as_ref()?.study.clone()).collect();
        for name in named {
            if jobs.iter().all(|job| job.name != name) {
                jobs.extend(Job::of_study(&library.path(&name), library, &[]));
            }
        }
        k += 1;
    }
}

/// Runs every case of every study. Each is computed by one thread, so the number of threads changes nothing but the time.
fn compute(jobs: Vec<Job>, threads: NonZero<usize>, stop: &StopFlag) -> Vec<Ran> {
    let tasks: Vec<&Task> = jobs.iter().flat_map(|job| &job.tasks).collect();
    let work = |k: usize| carry_out(tasks[k], None, &mut Progress::silent(stop.clone(), tasks[k].plan.time));
    let mut outcomes = parallel(tasks.len(), threads, work).into_iter();
    let counts: Vec<usize> = jobs.iter().map(|job| job.tasks.len()).collect();
    let parts: Vec<_> = counts.into_iter().map(|count| outcomes.by_ref().take(count).collect()).collect();
    jobs.into_iter().zip(parts).map(|(job, outcomes)| Ran { job, outcomes }).collect()
}

/// Judgements of the first studies; the others are there to be compared with.
fn judge_all(all: &[Ran], asked: usize, reference: &Reference) -> Vec<Vec<Judgement>> {
    let known: Vec<(&str, Vec<CaseResult>)> = all
        .iter()
        .filter(|ran| ran.interrupted() == 0)
        .filter_map(|ran| Some((ran.job.name.as_str(), results(&ran.job.tasks, ran.outcomes.as_ref().ok()?))))
        .collect();
    let study = |name: &str, case: &str| {
        let (_, cases) = known.iter().find(|(known, _)| *known == name)?;
        cases.iter().find(|result| result.name == case).copied()
    };
    let elsewhere = Elsewhere { table: &|path| reference.table(path), study: &study };
    let judge = |ran: &Ran| match &ran.outcomes {
        Ok(outcomes) if ran.interrupted() == 0 => judgements(&ran.job, outcomes, &elsewhere),
        _ => Vec::new(),
    };
    all[..asked].iter().map(judge).collect()
}

/// Prints everything in the order of the studies.
fn show(all: &[Ran], judged: &[Vec<Judgement>], lacking: &[Lacking], as_array: bool, output: &mut Output) -> io::Result<Exit> {
    let mut exit = Exit::Good;
    if !as_array {
        for (name, files) in lacking {
            output.text(&format!("{name}: not computed, reference data absent: {}\n", files.join(", ")))?;
        }
    }
    for (ran, judgements) in all.iter().zip(judged) {
        if let Err(rejected) = &ran.outcomes {
            output.complain(&rejected.to_string());
            exit = exit.max(Exit::BadInput);
            continue;
        }
        if ran.interrupted() > 0 {
            if !as_array {
                output.text(&format!("{}: interrupted, not judged\n", ran.job.name))?;
            }
            continue;
        }
        if !as_array {
            let title = ran.job.study.as_ref().map_or("", |study| study.title.as_str());
            output.text(&format!("{}: {title}\n{}", ran.job.name, table(judgements)))?;
        }
        for failure in failures(ran) {
            output.complain(&failure);
            exit = exit.max(Exit::Failed);
        }
    }
    let mut count = Count::of(judged.iter().flatten());
    count.unjudged += lacking.len();
    if count.failed > 0 {
        exit = exit.max(Exit::Failed);
    }
    if as_array {
        let absent = lacking.iter().map(|(name, files)| unjudged(name, &format!("reference data absent: {}", files.join(", "))));
        output.json(&judged.iter().flatten().map(as_json).chain(absent).collect::<Value>())?;
        // the array holds nothing but expectations
        output.complain(&count.line());
    } else {
        output.text(&count.line())?;
    }
    let cut = all.iter().filter(|ran| ran.interrupted() > 0).count();
    if cut > 0 {
        output.complain(&format!("{cut} of {} studies interrupted by the user and not judged\n", all.len()));
    }
    Ok(exit)
}

/// Runs that failed although their study does not expect it: whatever else came out, nothing is known of what they did not reach.
fn failures(ran: &Ran) -> Vec<String> {
    let (Some(study), Ok(outcomes)) = (&ran.job.study, &ran.outcomes) else { return Vec::new() };
    let told = |(task, outcome): (&Task, &Outcome)| {
        let unexpected = matches!(outcome.status, Status::Failed { .. }) && !expects_failure(&study.expects, &task.name);
        let case = if task.name.is_empty() { String::new() } else { format!(", case `{}`", task.name) };
        notice(outcome).filter(|_| unexpected).map(|why| format!("error[run-failed]: {}{case}: {why}\n", ran.job.name))
    };
    ran.job.tasks.iter().zip(outcomes).filter_map(told).collect()
}

/// Writes the pictures of the studies into their folders.
fn draw(all: &[Ran], folder: &Path, output: &mut Output) -> Exit {
    let mut exit = Exit::Good;
    for ran in all.iter().filter(|ran| ran.interrupted() == 0) {
        let (Some(study), Ok(outcomes)) = (&ran.job.study, &ran.outcomes) else { continue };
        let path = folder.join(&ran.job.name).join("picture.svg");
        let drawn = match drawing::picture(study, &ran.job, outcomes) {
            Ok(None) => Ok(()),
            Ok(Some(svg)) => std::fs::write(&path, svg).map_err(|error| error.to_string()),
            Err(unknown) => Err(unknown.to_string()),
        };
        if let Err(reason) = drawn {
            output.complain(&format!("error[cannot-draw]: `{}`: {reason}\n", path.display()));
            exit = Exit::Failed;
        }
    }
    exit
}
