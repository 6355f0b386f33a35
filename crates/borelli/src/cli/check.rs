//! `borelli check`: reads and compiles model files, brings their start to satisfy loops and guides, and explains.
//! Not here: reading, compiling, assembling themselves.
//! Out: a summary of each good file on the standard output, every fault of each bad one on the standard error.

use super::{Entry, Exit, Output, input};
use borelli_dynamics::System;
use borelli_dynamics::system::{CoordinateName, Measure};
use borelli_model::{Element, Findings, Model, Rejected, Severity, Sources};
use clap::{ArgMatches, Args, FromArgMatches};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io;

pub static ENTRY: Entry = Entry { name: "check", about: "Read and compile model files, and explain them", args: Check::augment_args, run };

#[derive(Args)]
struct Check {
    /// Model files, or names of models of the gallery
    #[arg(required = true)]
    files: Vec<String>,
    /// List the parameters that can be set
    #[arg(long)]
    parameters: bool,
    /// Change a parameter: a number in SI, or with its unit
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Names shown of a long list.
const SHOWN: usize = 40;

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Check::from_arg_matches(matches).map_err(io::Error::other)?;
    let mut worst = Exit::Good;
    let mut list = Vec::new();
    for file in &args.files {
        let (exit, value) = check(file, &args, output)?;
        worst = worst.max(exit);
        list.push(value);
    }
    if args.json {
        output.json(&Value::Array(list))?;
    }
    Ok(worst)
}

fn check(file: &str, args: &Check, output: &mut Output) -> io::Result<(Exit, Value)> {
    let (model, system) = match input::load(file, &args.set) {
        Ok(loaded) => loaded,
        Err(rejected) => {
            if !args.json {
                output.complain(&faults(file, &rejected));
            }
            let found = findings(&rejected.findings, &rejected.sources);
            return Ok((Exit::BadInput, json!({ "file": file, "ok": false, "findings": found })));
        }
    };
    if args.json {
        let mut value = as_json(file, &model, &system);
        if args.parameters {
            value["parameters"] = parameters_json(&system);
        }
        return Ok((Exit::Good, value));
    }
    output.text(&summary(file, &model, &system))?;
    if !system.warnings.is_empty() {
        output.complain(&system.warnings.render(&system.sources));
    }
    if args.parameters {
        output.text(&parameters(&system))?;
    }
    Ok((Exit::Good, Value::Null))
}

/// All faults and a line with their number.
fn faults(file: &str, rejected: &Rejected) -> String {
    let (errors, warnings) = rejected.findings.counts();
    let mut text = rejected.findings.render(&rejected.sources);
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let _ = write!(text, "{file}: {}", plural(errors, "error"));
    if warnings > 0 {
        let _ = write!(text, ", {}", plural(warnings, "warning"));
    }
    text.push('\n');
    text
}

fn unit(measure: Measure) -> &'static str {
    match measure {
        Measure::Angle => "rad",
        Measure::Length => "m",
        Measure::Quaternion => "1",
    }
}

/// How many of each type, in order of appearance.
fn census<'a>(kinds: impl Iterator<Item = &'a str>) -> Vec<(&'a str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for kind in kinds {
        match counts.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, n)) => *n += 1,
            None => counts.push((kind, 1)),
        }
    }
    counts
}

fn kinds(elements: &[Element]) -> Vec<(&str, usize)> {
    census(elements.iter().map(|e| e.text("type").unwrap_or("")))
}

/// `3 (2 hinge, 1 slider)`.
fn counted(counts: &[(&str, usize)]) -> String {
    let total: usize = counts.iter().map(|(_, n)| n).sum();
    let parts: Vec<String> = counts.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    if total == 0 { "none".into() } else { format!("{total} ({})", parts.join(", ")) }
}

fn named(names: &[CoordinateName], per: &str) -> String {
    let shown: Vec<String> = names.iter().take(SHOWN).map(|c| format!("{} [{}{per}]", c.name, unit(c.measure))).collect();
    let more = names.len().saturating_sub(SHOWN);
    let tail = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{}{tail}", shown.join(", "))
}

fn joint_census(system: &System) -> Vec<(&str, usize)> {
    census(system.names.joint_kinds.iter().skip(1).copied())
}

fn total_mass(system: &System) -> f64 {
    system.numbers.tree.mass.iter().sum()
}

fn summary(file: &str, model: &Model, system: &System) -> String {
    let mut text = String::new();
    let mut line = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<12} {value}");
    };
    line("model", format!("{}, {}", system.name, model.dimension.word()));
    if !model.description.is_empty() {
        line("about", model.description.trim().replace('\n', "\n               "));
    }
    line("bodies", format!("{}, {} kg in all", system.skeleton.bodies(), number(total_mass(system))));
    line("joints", counted(&joint_census(system)));
    line("freedom", format!("{} degrees of freedom of the tree", system.skeleton.dofs()));
    line("coordinates", named(&system.names.coordinates, ""));
    if system.names.speeds.iter().zip(&system.names.coordinates).any(|(s, c)| s.name != c.name) {
        line("speeds", named(&system.names.speeds, "/s"));
    }
    line("loops", counted(&kinds(&model.loops)));
    line("guides", counted(&kinds(&model.guides)));
    line("forces", counted(&kinds(&model.forces)));
    line("parameters", format!("{}", system.parameters.len()));
    format!("{file}: good\n{text}")
}

/// Six digits, without a tail of zeros.
fn number(x: f64) -> String {
    let text = format!("{x:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn parameters(system: &System) -> String {
    let width = system.parameters.iter().map(|p| p.path.len()).max().unwrap_or(0);
    let mut text = String::new();
    for p in &system.parameters {
        let unit = if p.unit == "1" || p.unit == "*" { "" } else { p.unit.as_str() };
        let _ = writeln!(text, "  {:<width$}  {} {unit}", p.path, p.value);
    }
    text
}

fn parameters_json(system: &System) -> Value {
    system.parameters.iter().map(|p| json!({ "path": p.path, "value": p.value, "unit": p.unit })).collect()
}

fn findings(findings: &Findings, sources: &Sources) -> Value {
    let one = |f: &borelli_model::Finding| {
        let place = f.at.map(|at| sources.locate(at));
        json!({
            "severity": if f.severity == Severity::Error { "error" } else { "warning" },
            "code": f.code,
            "file": place.map(|p| p.path),
            "line": place.map(|p| p.line),
            "column": place.map(|p| p.column),
            "element": f.element,
            "field": f.field,
            "message": f.message,
            "hint": f.hint,
        })
    };
    findings.iter().map(one).collect()
}

fn as_json(file: &str, model: &Model, system: &System) -> Value {
    let names = |list: &[CoordinateName], values: &[f64], per: &str| -> Value {
        let one = |(c, value): (&CoordinateName, &f64)| {
            let joint = &system.names.joints[c.joint as usize];
            json!({ "name": c.name, "unit": format!("{}{per}", unit(c.measure)), "joint": joint, "start": value })
        };
        list.iter().zip(values).map(one).collect()
    };
    let elements = |list: &[Element]| -> Value { list.iter().map(|e| json!({ "name": e.name, "type": e.text("type") })).collect() };
    let joints: Value = (1..system.names.joints.len())
        .map(|b| {
            let parent = &system.names.bodies[system.skeleton.parent[b] as usize];
            json!({ "name": system.names.joints[b], "type": system.names.joint_kinds[b], "parent": parent, "child": system.names.bodies[b] })
        })
        .collect();
    json!({
        "file": file,
        "ok": true,
        "name": system.name,
        "dimension": model.dimension.word(),
        "mass": total_mass(system),
        "bodies": &system.names.bodies[1..],
        "joints": joints,
        "degrees_of_freedom": system.skeleton.dofs(),
        "coordinates": names(&system.names.coordinates, &system.start.q, ""),
        "speeds": names(&system.names.speeds, &system.start.v, "/s"),
        "loops": elements(&model.loops),
        "guides": elements(&model.guides),
        "forces": elements(&model.forces),
        "rows": system.names.rows.len(),
        "parameter_count": system.parameters.len(),
        "findings": findings(&system.warnings, &system.sources),
    })
}
