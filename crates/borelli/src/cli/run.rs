//! `borelli run`: a study or a model computed, and a folder that holds all of it.
//! Not here: computing, judging, the files themselves.
//! Out: how it ended and what was expected; exit code 1 when a run failed or an expectation was not met.

use super::deliver::{Order, deliver};
use super::input::Meaning;
use super::{Entry, Exit, Output, changes, input, spoken_command};
use borelli::job::Job;
use borelli::parallel::available;
use borelli::results::Restart;
use borelli_data::FORMATS;
use borelli_model::{Explain, Findings, Rejected, suggest};
use borelli_study::pattern::fits;
use borelli_study::plan::Analysis;
use borelli_study::read::Override;
use borelli_study::run::{EndState, check};
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub static ENTRY: Entry =
    Entry { name: "run", about: "Run a study or a model, and write a folder with its results", args: Run::augment_args, run };

#[derive(Clone, Copy, ValueEnum)]
enum Formats {
    Sto,
    Csv,
    Both,
}

#[derive(Args)]
struct Run {
    /// A study (file, folder, or name of one of the program) or a model (file, or name in the gallery)
    #[arg(value_name = "STUDY|MODEL")]
    what: String,
    /// The name is that of a model, not of a study
    #[arg(long)]
    model: bool,
    /// Formulation of the equations of motion
    #[arg(long, value_name = "NAME")]
    formulation: Option<String>,
    /// How time is advanced
    #[arg(long, value_name = "NAME")]
    integrator: Option<String>,
    /// Time at which the run ends, in s or with a unit
    #[arg(long, visible_alias = "time", value_name = "TIME", allow_negative_numbers = true)]
    end: Option<String>,
    /// Folder for the results; NAME-run if left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace an earlier folder of results
    #[arg(long)]
    force: bool,
    /// Change a parameter, a start value or a setting of the study: a number in SI, with its unit, or a word
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Go on from where the run in this folder ended
    #[arg(long, value_name = "FOLDER")]
    restart: Option<PathBuf>,
    /// Go on with a fit that was interrupted or killed, from the last checkpoint in its folder
    #[arg(long, conflicts_with = "restart")]
    resume: bool,
    /// Record only columns that fit, such as 'coord.*'; may be repeated
    #[arg(long, value_name = "PATTERN")]
    columns: Vec<String>,
    /// Format of the trajectory
    #[arg(long, value_enum, default_value = "sto")]
    format: Formats,
    /// Draw columns, separated by commas and with patterns, as plot-N.svg; may be repeated
    #[arg(long, value_name = "COLUMNS")]
    plot: Vec<String>,
    /// Write no report.html
    #[arg(long)]
    no_report: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Cases of a sweep computed at once; as many as the machine has cores if left out
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

/// Options that change nothing in the computation: where results go, in which form, how fast they come.
const OF_FOLDER: [&str; 9] = ["model", "out", "force", "resume", "format", "plot", "no_report", "json", "threads"];

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Run::from_arg_matches(matches).map_err(io::Error::other)?;
    let plots: Vec<Vec<String>> = args.plot.iter().map(|list| list.split(',').map(|word| word.trim().to_string()).collect()).collect();
    let prepared = overrides(&args).and_then(|overrides| {
        let mut job = job(&args, &overrides, output)?;
        if !args.columns.is_empty() {
            job.tasks.iter_mut().for_each(|task| task.plan.columns = args.columns.clone());
        }
        let from = start(&args, &overrides, &mut job)?;
        drawable(&job, &plots)?;
        job.changes = changes(&ENTRY, matches, &OF_FOLDER);
        Ok((job, from))
    });
    let (job, from) = match prepared {
        Ok(prepared) => prepared,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Exit::BadInput);
        }
    };
    let order = Order {
        out: args.out.unwrap_or_else(|| PathBuf::from(format!("{}-run", job.name))),
        force: args.force,
        resume: args.resume,
        command: spoken_command(),
        formats: match args.format {
            Formats::Sto => vec![FORMATS[0]],
            Formats::Csv => vec![FORMATS[1]],
            Formats::Both => FORMATS[..2].to_vec(),
        },
        plots,
        report: !args.no_report,
        threads: args.threads.unwrap_or_else(available),
        from,
    };
    match deliver(job, order, output)? {
        Err(exit) => Ok(exit),
        Ok(done) => {
            if args.json {
                output.json(&done.summary)?;
            } else {
                output.text(&done.text())?;
            }
            Ok(done.exit())
        }
    }
}

/// Settings in the order in which they count: the last one wins.
fn overrides(args: &Run) -> Result<Vec<Override>, Rejected> {
    let mut list = input::assignments(&args.set)?;
    let named = [
        ("--formulation", "formulation", &args.formulation),
        ("--integrator", "integrator.method", &args.integrator),
        ("--end", "time.end", &args.end),
    ];
    list.extend(named.into_iter().filter_map(|(option, path, value)| Some(Override { option, path: path.into(), text: value.clone()? })));
    Ok(list)
}

/// A study or a model, ready to run.
fn job(args: &Run, overrides: &[Override], output: &mut Output) -> Result<Job, Rejected> {
    let word = args.what.as_str();
    match input::meaning(word, args.model)? {
        Meaning::Study { path, studies, note } => {
            note.iter().for_each(|note| output.complain(note));
            Job::of_study(&path, &studies, overrides)
        }
        Meaning::Model => {
            let file = Path::new(word);
            let name = file.file_stem().filter(|_| file.exists()).map_or(word.into(), |stem| stem.to_string_lossy());
            Job::of_model(&name, &input::read(word)?, overrides)
        }
    }
}

/// A word of `--plot` that fits no column of any case.
struct NothingToPlot {
    word: String,
    nearest: Option<String>,
}

impl Explain for NothingToPlot {
    fn code(&self) -> &'static str {
        "no-such-column"
    }

    fn message(&self) -> String {
        format!("--plot: no column is called `{}`", self.word)
    }

    fn hint(&self) -> Option<String> {
        Some(match &self.nearest {
            Some(name) => format!("did you mean `{name}`?"),
            None => "`borelli check --json STUDY` names the columns of a study; `coord.*` stands for all that begin so".into(),
        })
    }
}

/// Whether every word of `--plot` fits a column that some case will record: better known before a long run than after it.
fn drawable(job: &Job, plots: &[Vec<String>]) -> Result<(), Rejected> {
    if plots.is_empty() {
        return Ok(());
    }
    let mut names = Vec::new();
    for task in &job.tasks {
        let refused = |findings| Rejected { findings, sources: task.plan.sources.clone() };
        let outline = check(&task.system, &task.plan).map_err(refused)?;
        names.extend(outline.columns.into_iter().map(|column| column.name));
    }
    let mut findings = Findings::new();
    for word in plots.iter().flatten().filter(|word| !names.iter().any(|name| fits(word, name))) {
        let nearest = suggest(word, names.iter().map(String::as_str)).map(str::to_string);
        findings.push(None, "", "", &NothingToPlot { word: word.clone(), nearest });
    }
    if findings.is_empty() { Ok(()) } else { Err(Rejected { findings, sources: Arc::default() }) }
}

/// A saved state that leaves nothing to run.
struct NothingLeft {
    t: f64,
    end: f64,
}

impl Explain for NothingLeft {
    fn code(&self) -> &'static str {
        "restart-at-the-end"
    }

    fn message(&self) -> String {
        format!("the saved state is at t = {} s, and the run is to end at {} s", self.t, self.end)
    }

    fn hint(&self) -> Option<String> {
        Some("give a later end with --end".into())
    }
}

/// A start value beside a saved state, which would have no effect.
struct StartGivenTwice {
    path: String,
}

impl Explain for StartGivenTwice {
    fn code(&self) -> &'static str {
        "start-given-twice"
    }

    fn message(&self) -> String {
        format!("`{}` is set, but --restart already gives the start", self.path)
    }

    fn hint(&self) -> Option<String> {
        Some("leave out one of the two".into())
    }
}

/// Where to go on from.
fn start(args: &Run, overrides: &[Override], job: &mut Job) -> Result<Option<EndState>, Rejected> {
    let (Some(folder), Some(task)) = (&args.restart, job.tasks.first()) else { return Ok(None) };
    if let Some(Override { path, .. }) = overrides.iter().find(|own| own.path.starts_with("initial.")) {
        return Err(input::refused(&StartGivenTwice { path: path.clone() }));
    }
    let (end, file) = Restart::read(folder, &task.system).map_err(|fault| input::refused(&fault))?;
    let last = task.plan.time.end;
    // A balance takes no time.
    let over = end.t >= last && task.plan.analysis != Analysis::Statics;
    job.inputs.push(file);
    if over { Err(input::refused(&NothingLeft { t: end.t, end: last })) } else { Ok(Some(end)) }
}
