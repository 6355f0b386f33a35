//! `borelli mixed`: the equations of a planar chain at the start of a model, with any of its variables known or unknown.
//! Not here: the equations (`segment_chain`); motion in time, which a study asks for with `analysis = "mixed"`.
//! Out: a table of all variables, or JSON; exit code 2 when the choice of unknowns is wrong, with the reason by name.

use super::{Entry, Exit, Output, input};
use borelli_dynamics::System;
use borelli_dynamics::assemble::assemble;
use borelli_dynamics::formulation::segment_chain::{Given, Mixed, Preset, Quantity, Task, TaskRow};
use borelli_dynamics::formulation::{Evaluation, Input};
use borelli_model::{parse_quantity, parse_unit};
use borelli_study::settings::assignment;
use clap::{ArgMatches, Args, FromArgMatches};
use serde_json::json;
use std::fmt::Write;
use std::io;

pub static ENTRY: Entry = Entry {
    name: "mixed",
    about: "Solve the equations of a planar chain at the start of a model, with any variables known or unknown",
    args: Arguments::augment_args,
    run,
};

#[derive(Args)]
#[command(after_help = "Examples:\n  borelli mixed squat4 --preset inverse --accel toe='2 rad/s^2'\n  \
    borelli mixed squat4 --known body.feet.angular_acceleration=0 --unknown body.feet.moment\n  \
    borelli mixed squat4 --row 'joint.hip.acceleration.y = 0 frees body.hat.support.y'")]
struct Arguments {
    /// Model file, or name of a model of the gallery
    #[arg(value_name = "MODEL")]
    model: String,
    /// What is unknown to begin with: `forward` (motion from forces), `inverse` (forces from motion), `inverse-from-base` (force and moment at the base known)
    #[arg(long, value_name = "NAME", default_value = "forward", value_parser = Preset::ALL.map(|(name, _)| name))]
    preset: String,
    /// A variable that is unknown beside those of the preset, by its name or its symbol
    #[arg(long, value_name = "VARIABLE")]
    unknown: Vec<String>,
    /// A variable that is known, with the whole of its value
    #[arg(long, value_name = "VARIABLE=VALUE")]
    known: Vec<String>,
    /// A value beside what the model exerts (weight, force elements)
    #[arg(long, value_name = "VARIABLE=VALUE")]
    extra: Vec<String>,
    /// An equation of your own: `0.5*NAME - NAME = VALUE frees VARIABLE`; names are variables, or `joint.NAME.acceleration.x`, `body.NAME.acceleration.x`
    #[arg(long, value_name = "EQUATION")]
    row: Vec<String>,
    /// Acceleration of a coordinate, for those that are known; zero if left out
    #[arg(long, value_name = "COORDINATE=VALUE")]
    accel: Vec<String>,
    /// Leave loops and guides of the model out
    #[arg(long)]
    without_loops: bool,
    /// Take unknowns that are not as many as the equations, and find the least squares
    #[arg(long)]
    least_squares: bool,
    /// Body that the chain begins with
    #[arg(long, value_name = "BODY")]
    base: Option<String>,
    /// Body that the chain ends with, at its mass centre
    #[arg(long, value_name = "BODY")]
    end: Option<String>,
    /// Give a parameter or start value of the model another value, as often as wanted
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Arguments::from_arg_matches(matches).map_err(io::Error::other)?;
    let system = match input::load(&args.model, &args.set) {
        Ok((_, system)) => system,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Exit::BadInput);
        }
    };
    match solve(&args, &system) {
        Ok(answer) if args.json => output.json(&answer.as_json()).map(|()| Exit::Good),
        Ok(answer) => output.text(&answer.as_table()).map(|()| Exit::Good),
        Err(reason) => {
            output.complain(&format!("error[mixed]: {}: {reason}\n", system.name));
            Ok(Exit::BadInput)
        }
    }
}

/// One line of the table.
struct Line {
    name: String,
    symbol: String,
    value: f64,
    quantity: Quantity,
    unknown: bool,
}

struct Answer {
    model: String,
    segments: usize,
    rows: usize,
    unknowns: usize,
    condition: Option<f64>,
    residual: f64,
    left_over: Option<f64>,
    lines: Vec<Line>,
}

fn solve(args: &Arguments, system: &System) -> Result<Answer, String> {
    let preset = Preset::ALL.iter().find(|(name, _)| *name == args.preset).map_or(Preset::Forward, |(_, preset)| *preset);
    let mut task = Task {
        preset,
        unknown: args.unknown.clone(),
        without_rows: args.without_loops,
        least_squares: args.least_squares,
        base: args.base.clone(),
        end: args.end.clone(),
        ..Task::default()
    };
    let mut texts = Vec::new();
    for (list, way) in [(&args.known, Given::Whole), (&args.extra, Given::Extra)] {
        for text in list {
            let (name, value) = assignment(text).map_err(|_| format!("`{text}` is not of the form VARIABLE=VALUE"))?;
            task.known.push((name, way));
            texts.push(value);
        }
    }
    let mut right_texts = Vec::new();
    for text in &args.row {
        let (row, right) = equation(text)?;
        task.rows.push(row);
        right_texts.push(right);
    }
    let mut mixed = Mixed::new(system, &task).map_err(|fault| fault.to_string())?;
    let unit_of = |name: &str| mixed.labels().find(name).map_or(Quantity::Acceleration, |variable| variable.quantity()).unit();
    let given: Vec<f64> =
        task.known.iter().zip(&texts).map(|((name, _), text)| quantity(name, text, unit_of(name))).collect::<Result<_, _>>()?;
    let unit_of_row = |row: &TaskRow| row.terms.first().map_or("", |(name, _)| unit_of(name));
    let rights: Vec<f64> =
        task.rows.iter().zip(&right_texts).map(|(row, text)| quantity(&row.name, text, unit_of_row(row))).collect::<Result<_, _>>()?;

    let start = assemble(system, 0.0, &system.start.q, &system.start.v, &system.start.held).map_err(|fault| fault.to_string())?;
    let vdot = accelerations(args, system)?;
    let (tau, mut out) = (vec![0.0; vdot.len()], Evaluation::new(system));
    let state = Input { t: 0.0, q: &start.q, v: &start.v, tau: &tau };
    mixed.evaluate(state, &vdot, &given, &rights, &mut out).map_err(|failure| failure.to_string())?;
    let condition = if args.least_squares { None } else { Some(mixed.examine().map_err(|fault| fault.to_string())?.condition) };
    let residual = mixed.residual();
    let (labels, layout) = (mixed.labels(), mixed.labels().layout());
    let lines = layout.variables().into_iter().map(|variable| Line {
        name: labels.name(variable),
        symbol: variable.to_string(),
        value: mixed.values()[layout.index(variable)],
        quantity: variable.quantity(),
        unknown: mixed.unknowns().contains(&variable),
    });
    Ok(Answer {
        model: system.name.clone(),
        segments: layout.segments,
        rows: task.rows.len(),
        unknowns: mixed.unknowns().len(),
        condition,
        residual,
        left_over: args.least_squares.then(|| mixed.left_over()),
        // Supports that hold nothing only make the table longer.
        lines: lines
            .enumerate()
            .filter(|(k, line)| *k < layout.open() || line.unknown || line.value != 0.0)
            .map(|(_, line)| line)
            .collect(),
    })
}

/// Accelerations of the coordinates.
fn accelerations(args: &Arguments, system: &System) -> Result<Vec<f64>, String> {
    let names = &system.names.speeds;
    let mut vdot = vec![0.0; names.len()];
    for text in &args.accel {
        let (name, value) = assignment(text).map_err(|_| format!("`{text}` is not of the form COORDINATE=VALUE"))?;
        let known = || names.iter().map(|speed| speed.name.as_str()).collect::<Vec<_>>().join(", ");
        let index = names.iter().position(|speed| speed.name == name);
        let index = index.ok_or_else(|| format!("there is no coordinate `{name}`\n  hint: there are {}", known()))?;
        let unit = if names[index].measure == borelli_dynamics::system::Measure::Angle { "rad/s^2" } else { "m/s^2" };
        vdot[index] = quantity(&name, &value, unit)?;
    }
    Ok(vdot)
}

/// A number in SI, or with a unit of the right dimension.
fn quantity(name: &str, text: &str, unit: &str) -> Result<f64, String> {
    if let Ok(value) = text.parse::<f64>() {
        return if value.is_finite() { Ok(value) } else { Err(format!("`{name}`: {text} is not a finite number")) };
    }
    let (value, dim) = parse_quantity(text)
        .map_err(|_| format!("`{name}`: `{text}` is no quantity\n  hint: write a number with its unit, such as '12.5 {unit}'"))?;
    let wanted = parse_unit(unit).map(|(_, dim)| dim);
    if wanted.is_ok_and(|wanted| wanted == dim) {
        Ok(value)
    } else {
        Err(format!("`{name}`: `{text}` has the wrong dimension\n  hint: it is measured in {unit}"))
    }
}

/// An equation as it is typed, and its right side.
fn equation(text: &str) -> Result<(TaskRow, String), String> {
    let wrong = || {
        format!(
            "row `{text}` is not of the form 'NAME - 0.5*NAME = VALUE frees VARIABLE'\n  hint: signs stand between spaces, since names may have hyphens"
        )
    };
    let (sum, frees) = match text.split_once(" frees ") {
        Some((sum, frees)) => (sum, Some(frees.trim().to_string())),
        None => (text, None),
    };
    let (left, right) = sum.split_once('=').ok_or_else(wrong)?;
    let (mut terms, mut sign) = (Vec::new(), 1.0);
    for word in left.split_whitespace() {
        match word {
            "+" => {}
            "-" => sign = -sign,
            _ => {
                let (weight, name) = match word.split_once('*') {
                    Some((weight, name)) => (weight.parse::<f64>().map_err(|_| wrong())?, name),
                    None => (1.0, word),
                };
                terms.push((name.to_string(), sign * weight));
                sign = 1.0;
            }
        }
    }
    if terms.is_empty() || right.trim().is_empty() {
        return Err(wrong());
    }
    Ok((TaskRow { name: left.trim().to_string(), terms, frees }, right.trim().to_string()))
}

impl Answer {
    fn as_table(&self) -> String {
        let width = self.lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
        let equations = 3 * self.segments;
        let rows = if self.rows > 0 { format!(" and {} of yours", self.rows) } else { String::new() };
        let mut text = format!("{}: {} segments, {equations} equations{rows}, {} unknowns\n", self.model, self.segments, self.unknowns);
        if let Some(condition) = self.condition {
            let _ = writeln!(text, "condition {condition:.1e}; equations met to {:.1e} of their largest term", self.residual);
        }
        if let Some(left_over) = self.left_over {
            let _ = writeln!(text, "least squares leave {left_over:.3e} (root mean square of the equations, SI)");
        }
        for line in &self.lines {
            let state = if line.unknown { "unknown" } else { "known" };
            let _ = writeln!(text, "{:<width$}  {:<8}  {state:<7}  {:>16.6} {}", line.name, line.symbol, line.value, line.quantity.unit());
        }
        text
    }

    fn as_json(&self) -> serde_json::Value {
        let lines = self.lines.iter().map(|line| {
            json!({ "name": line.name, "symbol": line.symbol, "value": line.value, "unit": line.quantity.unit(), "unknown": line.unknown })
        });
        json!({
            "model": self.model,
            "segments": self.segments,
            "condition": self.condition,
            "residual": self.residual,
            "left_over": self.left_over,
            "variables": lines.collect::<Vec<_>>(),
        })
    }
}
