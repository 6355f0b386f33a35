//! `borelli check`: reads and compiles model files, brings their start to satisfy loops and guides, and explains. Studies: `check_study`.
//! Not here: reading, compiling, assembling themselves.
//! Out: a summary of each good file on the standard output, every fault of each bad one on the standard error.

use super::check_study::Examined;
use super::input::Meaning;
use super::{Entry, Exit, Output, check_muscle, check_paths, check_soft, input};
use borelli_dynamics::System;
use borelli_dynamics::assemble::{self, Assembled, Branch};
use borelli_dynamics::coupled;
use borelli_dynamics::system::{CoordinateName, Measure};
use borelli_model::{Element, Findings, Model, Rejected, Severity, Sources, Span};
use clap::{ArgMatches, Args, FromArgMatches};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io;

pub static ENTRY: Entry =
    Entry { name: "check", about: "Read models and studies, check them without running, and explain them", args: Check::augment_args, run };

#[derive(Args)]
struct Check {
    /// Models (files, or names in the gallery) and studies (files, folders, or names of those of the program)
    #[arg(required = true, value_name = "STUDY|MODEL")]
    files: Vec<String>,
    /// Names of the program are those of models, not of studies
    #[arg(long)]
    model: bool,
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
    match input::meaning(file, args.model) {
        Ok(Meaning::Model) => check_model(file, args, output),
        Ok(Meaning::Study { path, studies, note }) => {
            note.iter().for_each(|note| output.complain(note));
            match input::assignments(&args.set).and_then(|set| Examined::new(&path, &studies, &set)) {
                Ok(study) => study.tell(file, args.json, args.parameters, output),
                Err(rejected) => Ok(refuse(file, &[rejected], args.json, output)),
            }
        }
        Err(rejected) => Ok(refuse(file, &[rejected], args.json, output)),
    }
}

/// Tells all faults.
pub(super) fn refuse(file: &str, rejected: &[Rejected], as_json: bool, output: &mut Output) -> (Exit, Value) {
    if !as_json {
        output.complain(&faults(file, rejected));
    }
    let found: Vec<Value> = rejected.iter().flat_map(|one| findings(&one.findings, &one.sources)).collect();
    (Exit::BadInput, json!({ "file": file, "ok": false, "findings": found }))
}

fn check_model(file: &str, args: &Check, output: &mut Output) -> io::Result<(Exit, Value)> {
    let checked = match examine(file, &args.set) {
        Ok(checked) => checked,
        Err(rejected) => return Ok(refuse(file, &[rejected], args.json, output)),
    };
    if args.json {
        let mut value = as_json(file, &checked);
        if args.parameters {
            value["parameters"] = parameters_json(&checked.system);
        }
        return Ok((Exit::Good, value));
    }
    output.text(&summary(file, &checked))?;
    if !checked.warnings.is_empty() {
        output.complain(&checked.warnings.render(&checked.system.sources));
    }
    if args.parameters {
        output.text(&parameters(&checked.system))?;
    }
    Ok((Exit::Good, Value::Null))
}

/// A good file and all that is known of it.
struct Checked {
    model: Model,
    system: System,
    warnings: Findings,
    /// The start that satisfies loops and guides.
    start: Assembled,
    /// Ways to close the loops, the one taken first; empty without loops.
    branches: Vec<Branch>,
    /// Gaps that ties close at the start.
    gaps: check_soft::Gaps,
}

/// Starts from which other branches are looked for.
const TRIES: usize = 24;
/// Larger models are not searched for branches.
const SEARCHED: usize = 60;

fn examine(file: &str, settings: &[String]) -> Result<Checked, Rejected> {
    let Sound { model, system, warnings, start, gaps } = sound(file, settings)?;
    let search = !model.loops.is_empty() && system.skeleton.dofs() <= SEARCHED;
    let branches = if search { assemble::branches(&system, 0.0, &system.start.q, &system.start.held, TRIES) } else { Vec::new() };
    Ok(Checked { model, system, warnings, start, branches, gaps })
}

/// A model in which nothing is at fault.
pub(super) struct Sound {
    model: Model,
    pub(super) system: System,
    warnings: Findings,
    /// The start that satisfies loops and guides.
    pub(super) start: Assembled,
    gaps: check_soft::Gaps,
}

/// Reads and compiles a model and looks at its start.
pub(super) fn sound(file: &str, settings: &[String]) -> Result<Sound, Rejected> {
    let (model, system) = input::load(file, settings)?;
    let mut found = system.warnings.clone();
    let (findings, assembled) = assemble::examine(&system);
    found.merge(findings);
    let mut gaps = Vec::new();
    if let Some(assembled) = assembled.as_ref().filter(|_| system.has_soft()) {
        let (findings, of_ties) = coupled::inspect(&system, &assembled.q);
        found.merge(findings);
        gaps = of_ties;
    }
    found.locate(|finding| place(&model, &finding.element, &finding.field));
    match assembled {
        Some(start) if !found.has_errors() => Ok(Sound { model, system, warnings: found, start, gaps }),
        _ => Err(Rejected { findings: found, sources: model.sources.clone() }),
    }
}

/// Where an element stands, by its path, or its field where the finding names one that the file has.
fn place(model: &Model, path: &str, field: &str) -> Option<Span> {
    let sections = [
        &model.bodies,
        &model.joints,
        &model.loops,
        &model.guides,
        &model.functions,
        &model.wraps,
        &model.paths,
        &model.forces,
        &model.muscles,
        &model.ligaments,
        &model.surfaces,
        &model.laws,
        &model.contacts,
        &model.materials,
        &model.softs,
        &model.ties,
        &model.supports,
        &model.tractions,
        &model.soft_contacts,
    ];
    let element = sections.into_iter().flatten().find(|e| e.path() == path)?;
    Some(element.value(field).map_or(element.at, |value| value.at))
}

/// All faults and a line with their number.
fn faults(file: &str, rejected: &[Rejected]) -> String {
    let counts = rejected.iter().map(|one| one.findings.counts());
    let (errors, warnings) = counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let mut text: String = rejected.iter().map(|one| one.findings.render(&one.sources)).collect();
    let _ = write!(text, "{file}: {}", plural(errors, "error", "errors"));
    if warnings > 0 {
        let _ = write!(text, ", {}", plural(warnings, "warning", "warnings"));
    }
    text.push('\n');
    text
}

fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
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

/// Words in lines of readable length; of a long list the first.
pub(super) fn listed(words: impl ExactSizeIterator<Item = String>) -> String {
    const WIDTH: usize = 100;
    let more = words.len().saturating_sub(SHOWN);
    let tail = (more > 0).then(|| format!("and {more} more"));
    let (mut text, mut length) = (String::new(), 0);
    for word in words.take(SHOWN).chain(tail) {
        if length + word.len() > WIDTH {
            text.push_str(",\n               ");
            length = 0;
        } else if !text.is_empty() {
            text.push_str(", ");
        }
        length += word.len() + 2;
        text.push_str(&word);
    }
    text
}

/// Names with units.
fn named(names: &[CoordinateName], per: &str) -> String {
    listed(names.iter().map(|c| format!("{} [{}{per}]", c.name, unit(c.measure))))
}

fn joint_census(system: &System) -> Vec<(&str, usize)> {
    census(system.names.joint_kinds.iter().skip(1).copied())
}

fn total_mass(system: &System) -> f64 {
    system.numbers.tree.mass.iter().sum()
}

fn summary(file: &str, checked: &Checked) -> String {
    let Checked { model, system, start, branches, .. } = checked;
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
    line("freedom", format!("{} of the tree", plural(system.skeleton.dofs(), "degree of freedom", "degrees of freedom")));
    if !system.names.coordinates.is_empty() {
        line("coordinates", named(&system.names.coordinates, ""));
    }
    if system.names.speeds.iter().zip(&system.names.coordinates).any(|(s, c)| s.name != c.name) {
        line("speeds", named(&system.names.speeds, "/s"));
    }
    line("loops", counted(&kinds(&model.loops)));
    line("guides", counted(&kinds(&model.guides)));
    line("forces", counted(&kinds(&model.forces)));
    for (label, value) in check_muscle::lines(system, start) {
        line(label, value);
    }
    if !model.surfaces.is_empty() {
        line("surfaces", counted(&kinds(&model.surfaces)));
        line("contacts", if system.names.pairs.is_empty() { "none".into() } else { system.names.pairs.join(", ") });
    }
    for (k, value) in check_paths::lines(system, &start.q).into_iter().enumerate() {
        line(if k == 0 { "wraps" } else { "" }, value);
    }
    for (label, value) in check_soft::lines(system, &checked.gaps) {
        line(label, value);
    }
    line("parameters", format!("{}", system.parameters.len()));
    if !system.names.rows.is_empty() {
        let rows = system.names.rows.len();
        line(
            "free",
            format!(
                "{} of {} left by {}",
                start.free,
                plural(system.skeleton.dofs(), "degree of freedom", "degrees of freedom"),
                plural(rows, "row", "rows")
            ),
        );
        let (before, after) = (start.position_before, start.position_after);
        line("assembled", format!("residual {before:.1e} before, {after:.1e} after {}", plural(start.iterations, "step", "steps")));
        line("", format!("velocity residual {:.1e} before, {:.1e} after", start.velocity_before, start.velocity_after));
    }
    match branches.len() {
        0 if !model.loops.is_empty() => {
            line("branches", format!("not looked for: the model has more than {SEARCHED} degrees of freedom"));
        }
        0 => {}
        1 => line("branches", "no other way to close the loops found".into()),
        n => {
            line("branches", format!("{n} ways to close the loops found; the nearest to the start is taken"));
            for (k, branch) in branches.iter().enumerate() {
                line("", branch_text(k, branch, system));
            }
        }
    }
    format!("{file}: good\n{text}")
}

/// Where a branch is: the coordinates in which it differs from the one taken.
fn branch_text(k: usize, branch: &Branch, system: &System) -> String {
    let values: Vec<String> =
        system.names.coordinates.iter().zip(&branch.q).take(8).map(|(c, x)| format!("{} = {}", c.name, number(*x))).collect();
    let more = if branch.q.len() > 8 { ", ..." } else { "" };
    let mark = if k == 0 { "taken" } else { "other" };
    format!("{mark}, {:.3} from the start: {}{more}", branch.distance, values.join(", "))
}

/// Six digits, without a tail of zeros.
fn number(x: f64) -> String {
    let text = format!("{x:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.to_string() }
}

pub(super) fn parameters(system: &System) -> String {
    let width = system.parameters.iter().map(|p| p.path.len()).max().unwrap_or(0);
    let mut text = String::new();
    for p in &system.parameters {
        let unit = if p.unit == "1" || p.unit == "*" { "" } else { p.unit.as_str() };
        let _ = writeln!(text, "  {:<width$}  {} {unit}", p.path, p.value);
    }
    text
}

pub(super) fn parameters_json(system: &System) -> Value {
    system.parameters.iter().map(|p| json!({ "path": p.path, "value": p.value, "unit": p.unit })).collect()
}

fn findings(findings: &Findings, sources: &Sources) -> Vec<Value> {
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

fn as_json(file: &str, checked: &Checked) -> Value {
    let Checked { model, system, start, branches, warnings, gaps } = checked;
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
        "free": start.free,
        "coordinates": names(&system.names.coordinates, &start.q, ""),
        "speeds": names(&system.names.speeds, &start.v, "/s"),
        "loops": elements(&model.loops),
        "guides": elements(&model.guides),
        "forces": elements(&model.forces),
        "muscles": check_muscle::muscles(system, start),
        "ligaments": check_muscle::ligaments(system),
        "surfaces": elements(&model.surfaces),
        "contacts": system.names.pairs.clone(),
        "wraps": check_paths::as_json(system, &start.q),
        "soft": check_soft::json(system, gaps),
        "rows": system.names.rows.len(),
        "parameter_count": system.parameters.len(),
        "assembled": {
            "position_before": start.position_before,
            "position_after": start.position_after,
            "velocity_before": start.velocity_before,
            "velocity_after": start.velocity_after,
            "iterations": start.iterations,
            "redundant": start.redundant,
        },
        "branches_searched": model.loops.is_empty() || !branches.is_empty(),
        "branches": branches.iter().map(|b| json!({ "q": b.q, "distance": b.distance, "sign": b.sign })).collect::<Vec<_>>(),
        "findings": findings(warnings, &system.sources),
    })
}
