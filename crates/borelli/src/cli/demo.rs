//! `borelli demo`: a walk, from markers and ground forces to joint moments and a report, in seconds.
//! Not here: the study itself (`studies`), running, drawing.
//! Out: what was done, what came out, and the path of the report.

use super::deliver::{Order, deliver};
use super::text::wrapped;
use super::verdicts::{Count, table};
use super::{Entry, Exit, Output, input};
use borelli::job::Job;
use borelli::parallel::available;
use borelli::studies::Studies;
use borelli_data::FORMATS;
use borelli_study::read::StudyFile;
use clap::{ArgMatches, Args, FromArgMatches};
use std::io;
use std::path::PathBuf;

pub static ENTRY: Entry = Entry {
    name: "demo",
    about: "From markers and ground forces of a walk to joint moments and a report, in seconds",
    args: Demo::augment_args,
    run,
};

#[derive(Args)]
struct Demo {
    /// Folder for the results; an earlier demonstration there is replaced
    #[arg(long, value_name = "DIR", default_value = "borelli-demo")]
    out: PathBuf,
}

/// The study that is shown.
const STUDY: &str = "synthetic-walk";

/// How it is computed.
const HOW: &str = "Each frame, the program finds the pose whose markers come nearest to the measured ones. It smooths and differentiates the joint angles and solves the \
    equations of motion with the ground forces for the moments at the joints.";

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
        resume: false,
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
    output.text(&format!("Computed, and known in advance:\n{}", table(&done.judgements)))?;
    output.text(&format!("{}\n", Count::of(&done.judgements).line()))?;
    output.text(&format!(
        "Computed in {:.2} s. Open the report in a browser to see the person walk and to plot any column:\n{}\n",
        done.seconds,
        done.folder.join("report.html").display()
    ))?;
    Ok(done.exit())
}
