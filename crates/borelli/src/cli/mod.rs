//! The command line: one command per file, one line in the list below.
//! Not here: computing; a command reads, asks the library, and prints.
//! Out: exit code 0 when all is well, 1 when a check or a computation failed, 2 for wrong use or bad input.

mod bench;
mod check;
mod check_muscle;
mod check_paths;
mod check_soft;
mod check_study;
mod compare;
mod completions;
mod conduct;
mod convert;
mod data;
mod deliver;
mod demo;
mod drawing;
mod gait;
mod input;
mod laws;
mod mixed;
mod output;
mod paths;
mod plot;
mod report;
mod reproduce;
mod run;
mod schema;
mod text;
mod verdicts;
mod watch;

use borelli::report::Change;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use output::Output;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

/// A command of the program.
struct Entry {
    name: &'static str,
    about: &'static str,
    /// Adds its arguments.
    args: fn(Command) -> Command,
    run: fn(&ArgMatches, &mut Output) -> io::Result<Exit>,
}

/// All commands, in the order of the help.
static COMMANDS: &[&Entry] = &[
    &demo::ENTRY,
    &run::ENTRY,
    &gait::ENTRY,
    &report::ENTRY,
    &plot::ENTRY,
    &check::ENTRY,
    &paths::ENTRY,
    &compare::ENTRY,
    &mixed::ENTRY,
    &reproduce::ENTRY,
    &data::ENTRY,
    &convert::ENTRY,
    &laws::ENTRY,
    &bench::ENTRY,
    &schema::ENTRY,
    &completions::ENTRY,
];

/// How a command ended. Later ones are worse: of several files the worst counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    /// All is well.
    Good,
    /// A check or a computation failed.
    Failed,
    /// Wrong use or bad input.
    BadInput,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// The words of this call, as they can be typed again; what is not text in them is replaced.
fn spoken_command() -> String {
    let words = std::env::args_os().skip(1).map(|word| quoted(&word.to_string_lossy()));
    std::iter::once("borelli".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_string() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Options given in this call, as they were typed, but for those named in `others`, which change nothing in the computation.
/// Of several `--set` of one path the last one counts.
fn changes(entry: &Entry, matches: &ArgMatches, others: &[&str]) -> Vec<Change> {
    let mut list: Vec<Change> = Vec::new();
    for arg in (entry.args)(Command::new(entry.name)).get_arguments() {
        let id = arg.get_id().as_str();
        let typed = matches.value_source(id) == Some(ValueSource::CommandLine);
        let Some(option) = arg.get_long().filter(|_| typed && !others.contains(&id)) else { continue };
        let change = |value: String| Change { option: format!("--{option}"), value };
        if !arg.get_action().takes_values() {
            list.push(change(String::new()));
        }
        for value in matches.get_raw(id).into_iter().flatten().filter(|_| arg.get_action().takes_values()) {
            let value = value.to_string_lossy().into_owned();
            let path = |value: &str| value.split_once('=').map(|(path, _)| path.trim().to_string());
            let new = change(value);
            list.retain(|known| new.option != Change::SET || known.option != Change::SET || path(&known.value) != path(&new.value));
            list.push(new);
        }
    }
    list
}

/// The whole command line as clap sees it.
fn command() -> Command {
    let base = Command::new("borelli")
        .version(env!("CARGO_PKG_VERSION"))
        .about(env!("CARGO_PKG_DESCRIPTION"))
        .after_help("Exit code: 0 all well, 1 a check or a computation failed, 2 wrong use or bad input.")
        .subcommand_required(true)
        .arg_required_else_help(true);
    COMMANDS.iter().fold(base, |base, entry| base.subcommand((entry.args)(Command::new(entry.name).about(entry.about))))
}

/// Runs the command that the arguments name.
pub fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    let matches = match command().try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version count as errors in clap; a closed pipe is no reason to complain.
            let _ = error.print();
            return ExitCode::from(error.exit_code().clamp(0, 2) as u8);
        }
    };
    let Some((name, matches)) = matches.subcommand() else { return Exit::BadInput.into() };
    let Some(entry) = COMMANDS.iter().find(|entry| entry.name == name) else { return Exit::BadInput.into() };
    let mut output = Output::new();
    let ended = (entry.run)(matches, &mut output).and_then(|exit| output.flush().map(|()| exit));
    match ended {
        Ok(exit) => exit.into(),
        // Who reads us has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Good.into(),
        Err(error) => {
            output.complain(&format!("error: cannot write: {error}\n"));
            Exit::Failed.into()
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_well_formed() {
        super::command().debug_assert();
    }
}
