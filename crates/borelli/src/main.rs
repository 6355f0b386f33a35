//! The `borelli` program: reads the command line, runs one command, ends with its exit code.
//! Not here: the commands (`cli`), computing (the other crates).
//! Out: results on the standard output, faults and progress on the standard error.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}
