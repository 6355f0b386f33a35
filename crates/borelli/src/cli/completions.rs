//! `borelli completions SHELL`: a script that lets a shell complete the command line.
//! Not here: the command line itself.

use super::{Entry, Exit, Output};
use clap::{ArgMatches, Args, FromArgMatches};
use clap_complete::{Shell, generate};
use std::io;

pub static ENTRY: Entry =
    Entry { name: "completions", about: "Print a completion script for a shell", args: Completions::augment_args, run };

#[derive(Args)]
struct Completions {
    /// The shell
    shell: Shell,
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Completions::from_arg_matches(matches).map_err(io::Error::other)?;
    let mut script = Vec::new();
    generate(args.shell, &mut super::command(), "borelli", &mut script);
    output.text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Good)
}
