//! `borelli report`: the page of a finished folder made again, without computing.
//! Not here: reading the folder (`borelli::results`), the page (`borelli::report`).
//! Out: where the page is; exit code 2 when the folder cannot be read.

use super::deliver::replace;
use super::{Entry, Exit, Output, input};
use borelli::report::html;
use borelli::results::{PAGE, Record};
use clap::{ArgMatches, Args, FromArgMatches};
use std::io;
use std::path::PathBuf;

pub static ENTRY: Entry =
    Entry { name: "report", about: "Make the page of a finished folder of results again", args: Again::augment_args, run };

#[derive(Args)]
struct Again {
    /// Folder that `borelli run` or `borelli gait` left
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// File for the page; report.html in the folder if left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Again::from_arg_matches(matches).map_err(io::Error::other)?;
    let record = match Record::read(&args.folder) {
        Ok(record) => record,
        Err(fault) => {
            output.complain(&input::refused(&fault).to_string());
            return Ok(Exit::BadInput);
        }
    };
    let file = args.out.unwrap_or_else(|| args.folder.join(PAGE));
    if let Err(error) = replace(&file, html(&record.report()).as_bytes()) {
        output.complain(&format!("error[cannot-write]: cannot write `{}`: {error}\n", file.display()));
        return Ok(Exit::Failed);
    }
    output.text(&format!("{}\n", file.display()))?;
    Ok(Exit::Good)
}
