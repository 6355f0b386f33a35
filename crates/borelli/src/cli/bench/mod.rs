//! `borelli bench`: nanoseconds per evaluation on standard models, or on a user's model over the states of a table.
//! Not here: the clock (`clock`), what is timed (`subject`), the table (`table`), the chains (`chain`).

mod chain;
mod clock;
mod contact;
mod convergence;
mod fits;
mod growth;
mod loops;
mod markers;
mod muscles;
mod soft;
mod soft_table;
mod spheres;
mod subject;
mod table;

use super::{Entry, Exit, Output, input};
use borelli_dynamics::formulation::FORMULATIONS;
use borelli_dynamics::formulation::articulated::Articulated;
use borelli_dynamics::{System, compile};
use borelli_math::random::Random;
use borelli_model::{Findings, Model, Rejected, Sources};
use borelli_study::states::{State, scatter};
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use serde_json::{Value, json};
use std::io;
use subject::{Operation, Unmeasured};

pub static ENTRY: Entry =
    Entry { name: "bench", about: "Time evaluations on standard models or on your own", args: Bench::augment_args, run };

#[derive(Args)]
struct Bench {
    /// Time this model over the states of a table
    #[arg(long, value_name = "FILE", requires = "over")]
    model: Option<String>,
    /// Table with columns q.NAME, qd.NAME, tau.NAME, qdd.NAME
    #[arg(long, value_name = "CSV", requires = "model", group = "over")]
    states: Option<String>,
    /// Instead of timing, evaluate this often at random states and print a checksum; for counting instructions from outside
    #[arg(long, value_name = "N", requires = "model", group = "over", hide = true)]
    calls: Option<usize>,
    /// Count everything that this formulation computes, not an operation of the recursive one
    #[arg(long, value_name = "NAME", requires = "calls", conflicts_with = "op", hide = true)]
    #[arg(value_parser = PossibleValuesParser::new(FORMULATIONS.iter().map(|entry| entry.name)))]
    formulation: Option<String>,
    /// What to time: forward dynamics, inverse dynamics, or all derivatives of forward dynamics
    #[arg(long, value_name = "OP", requires = "model", default_value = "fd")]
    op: Op,
    /// Instead of timing, answer a fit of three circles this often, with slopes, and print a checksum; for counting instructions from outside
    #[arg(long, value_name = "N", conflicts_with = "model", hide = true)]
    answers: Option<usize>,
    /// One group of rows of the standard models
    #[arg(long, value_name = "GROUP", conflicts_with = "model")]
    only: Option<Group>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Group {
    /// Evaluations of models and chains, in all formulations
    Models,
    /// Four-bar linkages in a row: growth of an evaluation with loops, in all formulations
    Loops,
    /// Balls in a box: growth of an evaluation with pairs that touch
    Spheres,
    /// Kernels and motions of contact
    Contact,
    /// Muscles, strings over obstacles, and a person moved by 80 muscles
    Muscles,
    /// Inverse kinematics and inverse dynamics per frame
    Measured,
    /// Soft parts: a step of gait on an elastic hip, and one factorisation as the mesh grows
    Soft,
    /// Fits: an answer with and without slopes, searches, searches of studies
    Fits,
    /// Soft parts: forces that each iteration of Newton's method in full leaves open, and the exponent with which they fall
    Convergence,
}

#[derive(Clone, Copy, ValueEnum)]
enum Op {
    /// Forward dynamics
    Fd,
    /// Inverse dynamics
    Id,
    /// Derivatives of forward dynamics
    Jac,
}

impl Bench {
    /// What is counted.
    fn counted(&self) -> Operation {
        let named = FORMULATIONS.iter().find(|entry| self.formulation.as_deref() == Some(entry.name));
        named.map_or(self.op.operation(), Operation::Evaluate)
    }
}

impl Op {
    fn operation(self) -> Operation {
        match self {
            Op::Fd => Operation::Forward,
            Op::Id => Operation::Inverse,
            Op::Jac => Operation::Jacobian,
        }
    }
}

/// Distinct states of a standard model.
const STATES: usize = 1024;
/// Bodies of the chains: doubled thrice, so that growth is seen, and many.
const CHAINS: [usize; 5] = [16, 32, 64, 128, 1000];
/// Distinct states for counting instructions.
const DISTINCT: usize = 64;

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Bench::from_arg_matches(matches).map_err(io::Error::other)?;
    if let Some(calls) = args.answers {
        return match fits::repeat(calls) {
            Ok(checksum) => output.text(&format!("{checksum:e}\n")).map(|()| Exit::Good),
            Err(unfit) => {
                output.complain(&unfit.to_string());
                Ok(Exit::Failed)
            }
        };
    }
    match (&args.model, &args.states, args.calls) {
        (Some(model), Some(states), _) => own(model, states, &args, output),
        (Some(model), _, Some(calls)) => repeat(model, args.counted(), calls, output),
        _ => standard(&args, output),
    }
}

/// Evaluates and does little else, so that the difference of two numbers of calls is the cost of evaluating.
fn repeat(model: &str, operation: Operation, calls: usize, output: &mut Output) -> io::Result<Exit> {
    let system = match input::load(model, &[]) {
        Ok((_, system)) => system,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Exit::BadInput);
        }
    };
    let mut random = Random::new(1);
    let states: Vec<State> = (0..DISTINCT).map(|_| scatter(&system, &mut random)).collect();
    match subject::repeat(&system, operation, &states, calls) {
        Ok(checksum) => {
            output.text(&format!("{checksum:e}\n"))?;
            Ok(Exit::Good)
        }
        Err(Unmeasured::Declined(reason)) => {
            output.complain(&format!("error: {reason}\n"));
            Ok(Exit::Failed)
        }
        Err(Unmeasured::Failed(failure)) => {
            output.complain(&format!("error: {failure}\n"));
            Ok(Exit::Failed)
        }
    }
}

/// Models of the gallery and chains, by name.
fn subjects() -> Result<Vec<(String, System)>, Rejected> {
    let mut list = Vec::new();
    for name in ["squat4", "cyclist-leg", "walker7", "human3d"] {
        list.push((name.to_string(), compile(&input::read(name)?)?));
    }
    for planar in [true, false] {
        for bodies in CHAINS {
            let name = format!("{} chain of {bodies}", if planar { "planar" } else { "spatial" });
            list.push((name, compile(&Model::parse("chain.toml", &chain::text(bodies, planar))?)?));
        }
    }
    Ok(list)
}

fn standard(args: &Bench, output: &mut Output) -> io::Result<Exit> {
    let (mut list, mut exit) = (Vec::new(), Exit::Good);
    let wanted = |group| args.only.is_none_or(|only| only == group);
    // First, for the peak of memory is that of the whole program.
    if wanted(Group::Soft) {
        list.extend(softness(args, output)?);
    }
    if wanted(Group::Convergence) {
        list.extend(converging(args, output)?);
    }
    if wanted(Group::Models) {
        exit = models(args, output, &mut list)?;
    }
    if wanted(Group::Loops) {
        list.extend(looped(args, output)?);
    }
    if wanted(Group::Spheres) {
        list.extend(boxed(args, output)?);
    }
    if wanted(Group::Contact) {
        list.extend(contacts(args, output)?);
    }
    if wanted(Group::Muscles) {
        list.extend(muscular(args, output)?);
    }
    if wanted(Group::Measured) {
        list.extend(measured(args, output)?);
    }
    if wanted(Group::Fits) {
        match fits::lines() {
            Ok(lines) if args.json => list.extend(lines.iter().map(fits::Line::json)),
            Ok(lines) => output.text(&fits::text(&lines))?,
            Err(unfit) => {
                output.complain(&unfit.to_string());
                exit = Exit::Failed;
            }
        }
    }
    if args.json {
        output.json(&Value::Array(list))?;
    }
    Ok(exit)
}

/// Evaluations of models and chains.
fn models(args: &Bench, output: &mut Output, list: &mut Vec<Value>) -> io::Result<Exit> {
    let subjects = match subjects() {
        Ok(subjects) => subjects,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Exit::Failed);
        }
    };
    let others = FORMULATIONS.iter().filter(|entry| entry.name != "articulated").map(Operation::Evaluate);
    let operations: Vec<Operation> = [Operation::Forward, Operation::Inverse, Operation::Jacobian].into_iter().chain(others).collect();
    let model_width = subjects.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let width = operations.iter().map(|operation| operation.name().len()).max().unwrap_or(0);
    if !args.json {
        output.text(&format!(
            "{:<model_width$}  {:<width$} {:>12} {:>12} {:>12}  checksum\n",
            "model", "operation", "best ns", "median ns", "ns per body"
        ))?;
    }
    let mut exit = Exit::Good;
    for (name, system) in &subjects {
        let mut random = Random::new(1);
        let states: Vec<State> = (0..STATES).map(|_| scatter(system, &mut random)).collect();
        let bodies = system.skeleton.bodies();
        for &operation in &operations {
            // Enough to witness the work without spending minutes on long chains.
            let summed = match operation {
                Operation::Forward | Operation::Inverse => STATES,
                _ if bodies <= 128 => 64,
                _ => 1,
            };
            let base = json!({ "model": name, "bodies": bodies, "operation": operation.name(), "states": STATES });
            match subject::time(system, operation, &states, summed) {
                Ok(measured) => {
                    let (best, median) = (1e9 * measured.timing.best(), 1e9 * measured.timing.median());
                    if args.json {
                        let mut value = base;
                        value["ns_best"] = json!(best);
                        value["ns_median"] = json!(median);
                        value["ns_per_body"] = json!(best / bodies as f64);
                        value["checksum"] = json!(measured.checksum);
                        list.push(value);
                    } else {
                        output.text(&format!(
                            "{name:<model_width$}  {:<width$} {best:>12.1} {median:>12.1} {:>12.1}  {:.9e}\n",
                            operation.name(),
                            best / bodies as f64,
                            measured.checksum
                        ))?;
                        output.flush()?;
                    }
                }
                Err(Unmeasured::Declined(reason)) if args.json => {
                    let mut value = base;
                    value["declined"] = json!(reason);
                    list.push(value);
                }
                Err(Unmeasured::Declined(reason)) => {
                    output.text(&format!("{name:<model_width$}  {:<width$} declined: {reason}\n", operation.name()))?
                }
                Err(Unmeasured::Failed(failure)) => {
                    exit = Exit::Failed;
                    output.complain(&format!("error: {name}, {}: {failure}\n", operation.name()));
                }
            }
        }
    }
    Ok(exit)
}

/// Kernels and motions of contact.
fn contacts(args: &Bench, output: &mut Output) -> io::Result<Vec<Value>> {
    let mut list = Vec::new();
    let mut show = |line: contact::Line, output: &mut Output| {
        let (best, median) = (line.timing.best(), line.timing.median());
        let mut value = json!({ "contact": line.name, "ns_best": 1e9 * best, "ns_median": 1e9 * median, "checksum": line.checksum });
        let mut text = format!("{:<46} {:>14.1} {:>14.1}", line.name, 1e9 * best, 1e9 * median);
        if let Some(cost) = &line.motion {
            let (ratio, per_step) = (cost.lasts / best, 1e9 * best / cost.steps as f64);
            value["seconds"] = json!(cost.lasts);
            value["steps"] = json!(cost.steps);
            value["ns_per_step"] = json!(per_step);
            value["times_real_time"] = json!(ratio);
            value["error"] = json!(cost.error);
            let error = cost.error.map_or_else(|| "-".to_string(), |error| format!("{error:.1e}"));
            text += &format!(" {:>12.0} {:>7} {:>9.0} {error:>9}", ratio, cost.steps, per_step);
        }
        list.push(value);
        if args.json { Ok(()) } else { output.text(&format!("{text}  {:.9e}\n", line.checksum)).and_then(|()| output.flush()) }
    };
    if !args.json {
        output.text(&format!("\n{:<46} {:>14} {:>14}  checksum\n", "contact", "best ns", "median ns"))?;
    }
    for line in contact::kernels() {
        show(line, output)?;
    }
    if !args.json {
        output.text(&format!(
            "\n{:<46} {:>14} {:>14} {:>12} {:>7} {:>9} {:>9}  checksum\n",
            "motion", "best ns", "median ns", "x real time", "steps", "ns/step", "error"
        ))?;
    }
    match contact::motions() {
        Ok(lines) => lines.into_iter().try_for_each(|line| show(line, output))?,
        Err(rejected) => output.complain(&rejected.to_string()),
    }
    Ok(list)
}

/// Muscles, strings over obstacles, and a person moved by muscles.
fn muscular(args: &Bench, output: &mut Output) -> io::Result<Vec<Value>> {
    let lines = match muscles::lines() {
        Ok(lines) => lines,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Vec::new());
        }
    };
    if !args.json {
        output.text(&format!("\n{:<66} {:>14} {:>14}  checksum\n", "muscles and paths", "best ns", "median ns"))?;
    }
    let mut list = Vec::new();
    for contact::Line { name, timing, checksum, .. } in lines {
        let (best, median) = (1e9 * timing.best(), 1e9 * timing.median());
        if !args.json {
            output.text(&format!("{name:<66} {best:>14.1} {median:>14.1}  {checksum:.9e}\n"))?;
        }
        list.push(json!({ "muscles": name, "ns_best": best, "ns_median": median, "checksum": checksum }));
    }
    Ok(list)
}

/// Soft parts: whole computations with what their time goes to, then one factorisation as the mesh grows.
fn softness(args: &Bench, output: &mut Output) -> io::Result<Vec<Value>> {
    let (wholes, meshes) = match soft::wholes().and_then(|wholes| Ok((wholes, soft::meshes()?))) {
        Ok(found) => found,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Vec::new());
        }
    };
    let mut list: Vec<Value> = wholes.iter().map(soft_table::whole).collect();
    list.extend(meshes.iter().map(soft_table::mesh));
    list.push(soft_table::growth(&meshes));
    if !args.json {
        output.text(&soft_table::text(&wholes, &meshes))?;
    }
    Ok(list)
}

/// Evaluations as loops become more.
fn looped(args: &Bench, output: &mut Output) -> io::Result<Vec<Value>> {
    let lines = match loops::lines() {
        Ok(lines) => lines,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Vec::new());
        }
    };
    if !args.json {
        output.text(&loops::text_of(&lines))?;
    }
    Ok(lines.iter().map(loops::json_of).collect())
}

/// Evaluations as pairs that touch become more.
fn boxed(args: &Bench, output: &mut Output) -> io::Result<Vec<Value>> {
    let table = match spheres::table() {
        Ok(table) => table,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Vec::new());
        }
    };
    if !args.json {
        output.text(&table.text())?;
    }
    Ok(table.json())
}

/// Newton's method in full, iteration by iteration.
fn converging(args: &Bench, output: &mut Output) -> io::Result<Vec<Value>> {
    let lines = match convergence::lines() {
        Ok(lines) => lines,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Vec::new());
        }
    };
    if !args.json {
        output.text(&convergence::text(&lines))?;
    }
    Ok(lines.iter().map(convergence::Line::json).collect())
}

/// Measured motion, frame by frame.
fn measured(args: &Bench, output: &mut Output) -> io::Result<Vec<Value>> {
    let lines = match markers::lines() {
        Ok(lines) => lines,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Vec::new());
        }
    };
    if !args.json {
        output.text(&format!(
            "\n{:<66} {:>14} {:>14} {:>18}  checksum\n",
            "measured motion, per frame", "best ns", "median ns", "OpenSim / best"
        ))?;
    }
    let mut list = Vec::new();
    for line in lines {
        let (best, median) = (line.timing.best(), line.timing.median());
        let ratio = line.other / best;
        if !args.json {
            output.text(&format!(
                "{:<66} {:>14.1} {:>14.1} {ratio:>18.0}  {:.9e}\n",
                line.name,
                1e9 * best,
                1e9 * median,
                line.checksum
            ))?;
        }
        list.push(json!({
            "measured": line.name, "ns_best": 1e9 * best, "ns_median": 1e9 * median, "ns_opensim": 1e9 * line.other, "ratio": ratio, "checksum": line.checksum
        }));
    }
    Ok(list)
}

fn own(model: &str, table: &str, args: &Bench, output: &mut Output) -> io::Result<Exit> {
    let system = match input::load(model, &[]) {
        Ok((_, system)) => system,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Exit::BadInput);
        }
    };
    let text = match std::fs::read_to_string(table) {
        Ok(text) => text,
        Err(error) => {
            output.complain(&format!("error[cannot-read-file]: cannot read `{table}`: {error}\n  hint: give the path of a CSV file\n"));
            return Ok(Exit::BadInput);
        }
    };
    let table = match table::read(&text, &system) {
        Ok(read) => read,
        Err(fault) => {
            let mut findings = Findings::new();
            findings.push(None, "", "", &fault);
            output.complain(&format!("{table}: {}", findings.render(&Sources::default())));
            return Ok(Exit::BadInput);
        }
    };
    if !table.by_order.is_empty() {
        output.complain(&format!("note: columns {} carry no name of the model and are taken in order\n", table.by_order.join(", ")));
    }
    match measure_own(&system, &table, args.op) {
        Ok(mut value) => {
            value["model"] = json!(model);
            if args.json {
                output.json_line(&value)?
            } else {
                output.text(&own_text(&value))?
            }
            Ok(Exit::Good)
        }
        Err(Unmeasured::Declined(reason)) => {
            output.complain(&format!("error: {reason}\n"));
            Ok(Exit::Failed)
        }
        Err(Unmeasured::Failed(failure)) => {
            output.complain(&format!("error: {failure}\n"));
            Ok(Exit::Failed)
        }
    }
}

fn own_text(value: &Value) -> String {
    let number = |key: &str| value[key].as_f64().map_or_else(|| "-".to_string(), |x| format!("{x:.4}"));
    let (of, key) = if value["op"] == "id" { ("tau", "max_rel_err_tau") } else { ("qdd", "max_rel_err_qdd") };
    let error = match (value[key].as_f64(), of) {
        (Some(error), _) => format!("{error:.2e}"),
        (None, "tau") => "not known with loops or guides".to_string(),
        (None, _) => "no column qdd".to_string(),
    };
    format!(
        "{}: {} best {} us, median {} us over {} states; largest relative error in {of}: {error}\n",
        value["model"].as_str().unwrap_or(""),
        value["op"].as_str().unwrap_or(""),
        number("us_best"),
        number("us_median"),
        value["states"]
    )
}

/// The largest error of some numbers, each relative to its own size or to one, beside what was known before.
fn largest_error(known: Option<f64>, found: &[f64], expected: &[f64]) -> Option<f64> {
    let errors = found.iter().zip(expected).map(|(x, y)| (x - y).abs() / y.abs().max(1.0));
    // Not a number must not pass for small.
    errors.map(|e| if e.is_finite() { e } else { f64::MAX }).chain(known).reduce(f64::max)
}

fn measure_own(system: &System, table: &table::Table, op: Op) -> Result<Value, Unmeasured> {
    let mut articulated = Articulated::new(system);
    let (mut vdot, mut tau) = (vec![0.0; system.skeleton.dofs()], vec![0.0; system.skeleton.dofs()]);
    let (mut error, mut error_of_tau): (Option<f64>, Option<f64>) = (None, None);
    let mut states = Vec::with_capacity(table.rows.len());
    for row in &table.rows {
        articulated.forward(system, 0.0, &row.q, &row.v, &row.tau, &mut vdot)?;
        if let Some(expected) = &row.vdot {
            error = largest_error(error, &vdot, expected);
        }
        // Inverse dynamics starts from accelerations: those of the table, or those just found. It must lead back to the efforts, but for those of loops and
        // guides, which it counts among them.
        let third = match op {
            Op::Id => row.vdot.clone().unwrap_or_else(|| vdot.clone()),
            Op::Fd | Op::Jac => row.tau.clone(),
        };
        if matches!(op, Op::Id) {
            articulated.inverse(system, 0.0, &row.q, &row.v, &third, &mut tau)?;
            if system.names.rows.is_empty() {
                error_of_tau = largest_error(error_of_tau, &tau, &row.tau);
            }
        }
        states.push(State { t: 0.0, q: row.q.clone(), v: row.v.clone(), z: Vec::new(), tau: third });
    }
    let name = match op {
        Op::Fd => "fd",
        Op::Id => "id",
        Op::Jac => "jac",
    };
    let measured = subject::time(system, op.operation(), &states, states.len())?;
    let us = |s: f64| 1e6 * s;
    Ok(json!({
        "model": "",
        "op": name,
        "states": states.len(),
        "us_best": us(measured.timing.best()),
        "us_median": us(measured.timing.median()),
        "us_all": measured.timing.all.iter().map(|s| us(*s)).collect::<Vec<f64>>(),
        "max_rel_err_qdd": error,
        "max_rel_err_tau": error_of_tau,
        "checksum": measured.checksum,
    }))
}
