//! `borelli plot`: columns of a finished folder over time, as a picture.
//! Not here: reading the folder (`borelli::results`), drawing (`borelli::plot`).
//! Out: SVG text on the standard output or in a file; exit code 2 when folder, case or column are not there.

use super::deliver::replace;
use super::{Entry, Exit, Output, drawing, input};
use borelli::columns::UnknownColumn;
use borelli::results::trajectories;
use borelli_data::Trajectory;
use borelli_model::Explain;
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgMatches, Args, FromArgMatches};
use std::io;
use std::path::PathBuf;

pub static ENTRY: Entry = Entry { name: "plot", about: "Draw columns of a finished folder of results", args: Columns::augment_args, run };

#[derive(Args)]
struct Columns {
    /// Folder that `borelli run` or `borelli gait` left
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// Columns by name or pattern, such as coord.knee.value or 'coord.*'; also several with commas between them
    #[arg(required = true, value_name = "COLUMNS", value_delimiter = ',')]
    columns: Vec<String>,
    /// Only this case; all in one picture if left out
    #[arg(long, value_name = "NAME")]
    case: Option<String>,
    /// File for the picture; the standard output if left out
    #[arg(long, value_name = "FILE.svg", value_parser = PathBufValueParser::new().try_map(input::svg_file))]
    out: Option<PathBuf>,
}

/// A column that no chosen case has.
struct NoColumn(UnknownColumn);

impl Explain for NoColumn {
    fn code(&self) -> &'static str {
        "no-such-column"
    }

    fn message(&self) -> String {
        format!("no column is called `{}`", self.0.name)
    }

    fn hint(&self) -> Option<String> {
        Some(self.0.hint())
    }
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Columns::from_arg_matches(matches).map_err(io::Error::other)?;
    let patterns: Vec<String> = args.columns.iter().map(|word| word.trim().to_string()).collect();
    let cases = match trajectories(&args.folder, args.case.as_deref()) {
        Ok(cases) => cases,
        Err(fault) => {
            output.complain(&input::refused(&fault).to_string());
            return Ok(Exit::BadInput);
        }
    };
    let svg = match picture(&patterns, &cases) {
        Ok(svg) => svg,
        Err(unknown) => {
            output.complain(&input::refused(&NoColumn(unknown)).to_string());
            return Ok(Exit::BadInput);
        }
    };
    match &args.out {
        None => output.text(&svg)?,
        Some(file) => {
            if let Err(error) = replace(file, svg.as_bytes()) {
                output.complain(&format!("error[cannot-write]: cannot write `{}`: {error}\n", file.display()));
                return Ok(Exit::Failed);
            }
            output.text(&format!("{}\n", file.display()))?;
        }
    }
    Ok(Exit::Good)
}

/// All cases that have the columns in one picture; cases of a sweep may be of different models.
fn picture(patterns: &[String], cases: &[(String, Trajectory)]) -> Result<String, UnknownColumn> {
    let words: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let mut shown = Vec::new();
    let mut unknown = None;
    for (name, trajectory) in cases {
        match borelli::columns::matching(trajectory, &words) {
            Ok(_) => shown.push((name.as_str(), trajectory)),
            Err(fault) => unknown = unknown.or(Some(fault)),
        }
    }
    match unknown {
        Some(fault) if shown.is_empty() => Err(fault),
        _ => drawing::plot("", patterns, &shown),
    }
}
