//! `borelli schema`: a JSON schema of model or study files, for completion and checking in an editor.
//! Not here: the schemas themselves; they are made from the registries of the engine and of studies.

use super::{Entry, Exit, Output};
use borelli_dynamics::compile::sections;
use borelli_model::json_schema;
use borelli_study::read::study_schema;
use clap::{Arg, ArgAction, ArgMatches};
use std::io;

pub static ENTRY: Entry = Entry {
    name: "schema",
    about: "Print a JSON schema of model files, for editors",
    args: |command| command.arg(Arg::new("study").long("study").action(ArgAction::SetTrue).help("Of study files instead")),
    run,
};

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let text = if matches.get_flag("study") { study_schema() } else { json_schema(&sections()) };
    output.text(&text)?;
    Ok(Exit::Good)
}
