//! `borelli schema`: a JSON schema of model files, for completion and checking in an editor.
//! Not here: the schema itself; it is made from the registries of the engine.

use super::{Entry, Exit, Output};
use borelli_dynamics::compile::sections;
use borelli_model::json_schema;
use clap::ArgMatches;
use std::io;

pub static ENTRY: Entry = Entry { name: "schema", about: "Print a JSON schema of model files, for editors", args: |command| command, run };

fn run(_: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    output.text(&json_schema(&sections()))?;
    Ok(Exit::Good)
}
