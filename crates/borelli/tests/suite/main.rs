//! The one integration binary of the workspace: what the program does, and whether the house is in order.
//! Not here: tests of single laws and kernels; they stand beside the code.
//! Every test of this binary runs under the counting allocator.

mod allocation;
mod arms;
mod asked;
mod book;
mod broken;
mod chains;
mod check_study;
mod cli;
mod columns;
mod controls;
mod coverage;
mod data;
mod derivatives;
mod fits;
mod five_ellipsoids;
mod foot_on_a_mat;
mod gait;
mod guides;
mod instructions;
mod markers;
mod measured;
mod mixed;
mod muscles;
mod opensim;
mod pages;
mod path_table;
mod person;
mod reference;
mod reproduce;
mod runs;
mod soft;
mod three_ellipsoids;
mod tidy;
mod viewer;
mod walk;
mod winter;

use borelli::{System, compile, gallery};
use borelli_testkit::CountingAllocator;
use std::path::PathBuf;
use std::process::{Command, Output};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Root of the workspace.
fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Every model of the gallery, compiled.
fn systems() -> impl Iterator<Item = (&'static str, System)> {
    gallery::names().map(|name| (name, system(name)))
}

/// One model of the gallery, compiled.
fn system(name: &str) -> System {
    let model = gallery::read(name).unwrap_or_else(|| panic!("no {name}")).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// The program with arguments, ready to run.
fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_borelli"));
    command.args(args).env("NO_COLOR", "1");
    command
}

/// Runs the program in the root of the workspace.
fn borelli(args: &[&str]) -> Output {
    program(args).current_dir(root()).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text on the standard output")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text on the standard error")
}
