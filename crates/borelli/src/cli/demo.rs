//! `borelli demo`: one step of passive walking, from shooting to a report, in seconds.
//! Not here: the study itself (`studies`), running, drawing.
//! Out: what was done, what came out, and the path of the report.

use super::deliver::{Done, Order, deliver};
use super::text::wrapped;
use super::verdicts::{Count, table};
use super::{Entry, Exit, Output, input};
use borelli::job::Job;
use borelli::parallel::available;
use borelli::studies::Studies;
use borelli_data::FORMATS;
use borelli_study::expect::Judgement;
use borelli_study::read::StudyFile;
use clap::{ArgMatches, Args, FromArgMatches};
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

pub static ENTRY: Entry =
    Entry { name: "demo", about: "Find a passive step of walking, and show it in a report, in seconds", args: Demo::augment_args, run };

#[derive(Args)]
struct Demo {
    /// Folder for the results; an earlier demonstration there is replaced
    #[arg(long, value_name = "DIR", default_value = "borelli-demo")]
    out: PathBuf,
}

/// The study that is shown.
const STUDY: &str = "ballistic-gait";

/// How it is computed.
const HOW: &str = "From a guess of the speeds the program integrates the step together with its exact derivatives by them, corrects the guess by \
    Newton's method, and repeats until the step ends as asked.";

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Demo::from_arg_matches(matches).map_err(io::Error::other)?;
    let embedded = Studies::EMBEDDED;
    let found = embedded.find(STUDY)?.map_err(|fault| input::refused(&fault));
    let job = match found.and_then(|name| Job::of_study(&embedded.path(&name), &embedded, &[])) {
        Ok(job) => job,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Exit::Failed);
        }
    };
    let text = |field: fn(&StudyFile) -> &String| job.study.as_ref().map_or("", |study| field(study).as_str());
    output.text(&format!("{}\n\n{}\n{}\n", text(|study| &study.title), wrapped(text(|study| &study.description)), wrapped(HOW)))?;
    output.flush()?;
    let order = Order {
        out: args.out,
        force: true,
        command: "borelli demo".into(),
        formats: vec![FORMATS[0]],
        plots: Vec::new(),
        report: true,
        threads: available(),
        from: None,
    };
    let done = match deliver(job, order, output)? {
        Ok(done) => done,
        Err(exit) => return Ok(exit),
    };
    output.text(&found_speeds(&done))?;
    let published: Vec<Judgement> = done.judgements.iter().filter(|judgement| judgement.basis == "published").cloned().collect();
    output.text(&format!("Beside what is published:\n{}", table(&published)))?;
    output.text(&format!("Of all that the study expects: {}\n", Count::of(&done.judgements).line()))?;
    output.text(&format!(
        "Computed in {:.2} s. Open the report in a browser: the figure moves, and every column can be plotted.\n{}\n",
        done.seconds,
        done.folder.join("report.html").display()
    ))?;
    Ok(done.exit())
}

/// What shooting found, case by case.
fn found_speeds(done: &Done) -> String {
    let mut text = String::new();
    for (task, outcome) in done.job.tasks.iter().zip(&done.outcomes) {
        let found: Vec<String> = outcome
            .scalars
            .iter()
            .filter(|scalar| scalar.name.starts_with("shoot.initial."))
            .map(|s| format!("{} = {:.6} {}", s.name.trim_start_matches("shoot.initial."), s.value, s.unit))
            .collect();
        if !found.is_empty() {
            let case = if task.name.is_empty() { String::new() } else { format!(" ({})", task.name) };
            let _ = writeln!(text, "found{case}: {}", found.join(", "));
        }
    }
    text.push('\n');
    text
}
