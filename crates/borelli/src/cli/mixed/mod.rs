//! `borelli mixed`: the equations of a planar chain at the start of a model, with any of its variables known or unknown.
//! Not here: the equations (`segment_chain`), reading what is typed (`typed`), the table (`answer`); motion in time, which a study asks for with
//! `analysis = "mixed"`.
//! Out: a table of all variables, or JSON; exit code 2 when the choice of unknowns is wrong, with the reason by name.

mod answer;
mod typed;

use super::{Entry, Exit, Output, input};
use answer::{Answer, Line};
use borelli_dynamics::System;
use borelli_dynamics::assemble::assemble;
use borelli_dynamics::formulation::segment_chain::{Given, Labels, Mixed, Preset, Quantity, Task, TaskFault, Variable};
use borelli_dynamics::formulation::{Evaluation, Failure, Input};
use borelli_dynamics::system::Measure;
use borelli_model::suggest;
use borelli_study::plan_fault::PlanFault;
use clap::{ArgMatches, Args, FromArgMatches};
use std::io;
use typed::{Assigned, Equation, Refusal, assigned};

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
    #[arg(long, value_name = "EQUATION", allow_hyphen_values = true)]
    row: Vec<String>,
    /// Acceleration of a coordinate, for those that are known; zero if left out
    #[arg(long, value_name = "COORDINATE=VALUE")]
    accel: Vec<String>,
    /// Leave loops and guides of the model out; the inverse presets always do, since all motion is known there
    #[arg(long)]
    without_loops: bool,
    /// Take unknowns that are not as many as the equations, and find the least squares; of infinitely many answers, the smallest
    #[arg(long)]
    least_squares: bool,
    /// Body that the chain begins with: at its joint to the world if it has one, else at its mass centre
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
        Err(refusal) => {
            output.complain(&input::refused(&refusal).to_string());
            Ok(Exit::BadInput)
        }
    }
}

fn solve(args: &Arguments, system: &System) -> Result<Answer, Refusal> {
    let preset = Preset::ALL.iter().find(|(name, _)| *name == args.preset).map_or(Preset::Forward, |(_, preset)| *preset);
    let known = assigned("--known", &args.known, "VARIABLE=VALUE", "joint.knee.moment='12.5 N m'")?;
    let extra = assigned("--extra", &args.extra, "VARIABLE=VALUE", "body.hat.force.x='50 N'")?;
    let equations = args.row.iter().map(|text| Equation::read(text)).collect::<Result<Vec<_>, _>>()?;
    let bare = Task {
        preset,
        // Where all motion is known, loops and guides ask for nothing that could be changed.
        without_rows: args.without_loops || preset != Preset::Forward,
        least_squares: args.least_squares,
        base: args.base.clone(),
        end: args.end.clone(),
        ..Task::default()
    };
    let given = |list: &[Assigned], way: Given| list.iter().map(|own| (own.name.clone(), way)).collect::<Vec<_>>();
    let task = Task {
        unknown: args.unknown.clone(),
        known: [given(&known, Given::Whole), given(&extra, Given::Extra)].concat(),
        rows: equations.iter().map(|equation| equation.row.clone()).collect(),
        ..bare.clone()
    };
    let values: Vec<&Assigned> = known.iter().chain(&extra).collect();
    // The chain alone, to know what names mean before anything is asked of them.
    let chain = Mixed::new(system, &bare).map_err(|fault| blamed(&fault, &values, &equations))?;
    meant_once(chain.labels(), &values, &args.unknown, &equations)?;
    let mut mixed = Mixed::new(system, &task).map_err(|fault| blamed(&fault, &values, &equations))?;
    // Terms that are no variables are accelerations of joints and mass centres.
    let unit_of = |name: &str| mixed.labels().find(name).map_or(Quantity::Acceleration, Variable::quantity).unit();
    let given: Vec<f64> = values.iter().map(|own| own.si(unit_of(&own.name))).collect::<Result<_, _>>()?;
    let rights: Vec<f64> = equations.iter().map(|equation| equation.right(unit_of)).collect::<Result<_, _>>()?;

    let start = assemble(system, 0.0, &system.start.q, &system.start.v, &system.start.held)
        .map_err(|fault| Refusal::at("", &PlanFault::Unassembled { reason: fault.to_string() }, ""))?;
    let vdot = accelerations(args, system)?;
    let (tau, mut out) = (vec![0.0; vdot.len()], Evaluation::new(system));
    let state = Input { t: 0.0, q: &start.q, v: &start.v, tau: &tau, ..Input::default() };
    let evaluated = mixed.evaluate(system, state, &vdot, &given, &rights, &mut out);
    let examined = mixed.examine().map_err(|fault| blamed(&TaskFault::Choice(fault), &values, &equations));
    evaluated.map_err(|failure| examined.as_ref().err().cloned().unwrap_or_else(|| not_computed(&failure)))?;
    let condition = examined?.condition;
    let (labels, layout) = (mixed.labels().clone(), mixed.labels().layout());
    let line = |variable: Variable| Line {
        name: labels.name(variable),
        symbol: variable.to_string(),
        value: mixed.values()[layout.index(variable)],
        quantity: variable.quantity(),
        unknown: mixed.unknowns().contains(&variable),
    };
    let lines: Vec<Line> = layout
        .variables()
        .into_iter()
        .map(line)
        .enumerate()
        // Supports that hold nothing only make the table longer.
        .filter(|(k, line)| *k < layout.open() || line.unknown || line.value != 0.0)
        .map(|(_, line)| line)
        .collect();
    Ok(Answer {
        model: system.name.clone(),
        segments: layout.segments,
        rows: equations.len(),
        unknowns: mixed.unknowns().len(),
        loops_left_out: task.without_rows && !system.names.rows.is_empty(),
        condition: (!args.least_squares).then_some(condition),
        residual: mixed.residual(),
        fit: args.least_squares.then(|| mixed.fit()),
        lines,
    })
}

/// Refuses a variable that is given two values, or one beside being unknown: one of them would be dropped unnoticed.
fn meant_once(labels: &Labels, values: &[&Assigned], unknown: &[String], equations: &[Equation]) -> Result<(), Refusal> {
    // A name and a symbol may mean the same variable. Names that mean nothing are refused with the task.
    let same = |one: &str, other: &str| labels.find(one).is_some_and(|variable| labels.find(other) == Some(variable));
    for (k, value) in values.iter().enumerate() {
        if let Some(before) = values[..k].iter().find(|before| same(&before.name, &value.name)) {
            return Err(Refusal {
                code: "known-twice",
                message: format!("`{}` and `{}` give the same variable a value", before.option, value.option),
                hint: "leave one of them out; --known is the whole of a value, --extra comes beside what the model exerts".into(),
            });
        }
        let named = unknown.iter().find(|name| same(name, &value.name)).map(|name| format!("--unknown {name}"));
        let frees = |equation: &&Equation| equation.row.frees.as_ref().is_some_and(|name| same(name, &value.name));
        if let Some(other) = named.or_else(|| equations.iter().find(frees).map(|equation| equation.option.clone())) {
            return Err(Refusal {
                code: "known-and-unknown",
                message: format!("`{}` gives a value to what `{other}` makes unknown", value.option),
                hint: "leave one of them out; a variable of the preset that is given a value is known by itself".into(),
            });
        }
    }
    Ok(())
}

/// A fault of the task, with the option that is to blame.
fn blamed(fault: &TaskFault, values: &[&Assigned], equations: &[Equation]) -> Refusal {
    let option = match fault {
        TaskFault::UnknownName { found, place, .. }
        | TaskFault::Reserved { name: found, place }
        | TaskFault::BaseHeld { name: found, place, .. } => match place.as_str() {
            "known" => values.iter().find(|value| value.name == *found).map(|value| value.option.clone()),
            "unknown" => Some(format!("--unknown {found}")),
            "base" | "end" => Some(format!("--{place} {found}")),
            row => equations.iter().find(|equation| row == format!("row `{}`", equation.row.name)).map(|equation| equation.option.clone()),
        },
        _ => None,
    };
    Refusal::at(&option.unwrap_or_default(), &PlanFault::from(fault), "")
}

/// Why the start could not be computed, where the choice is not to blame.
fn not_computed(failure: &Failure) -> Refusal {
    let text = failure.to_string();
    let (message, hint) =
        text.split_once("\n  hint: ").unwrap_or((&text, "make another variable unknown, or take another start with --set"));
    // The unknowns could be had, but not with the values that are known.
    let code = if matches!(failure, Failure::Undetermined { .. }) { "contradiction" } else { "not-computed" };
    Refusal { code, message: message.into(), hint: hint.into() }
}

/// Accelerations of the coordinates.
fn accelerations(args: &Arguments, system: &System) -> Result<Vec<f64>, Refusal> {
    let names = &system.names.speeds;
    let mut vdot = vec![0.0; names.len()];
    let list = assigned("--accel", &args.accel, "COORDINATE=VALUE", "knee='2 rad/s^2'")?;
    for (k, own) in list.iter().enumerate() {
        let Some(index) = names.iter().position(|speed| speed.name == own.name) else {
            let known = || names.iter().map(|speed| speed.name.as_str());
            let near = suggest(&own.name, known()).map_or(String::new(), |near| format!("did you mean `{near}`? "));
            return Err(Refusal {
                code: "unknown-coordinate",
                message: format!("`{}`: there is no coordinate `{}`", own.option, own.name),
                hint: format!("{near}there are {}", known().collect::<Vec<_>>().join(", ")),
            });
        };
        if let Some(before) = list[..k].iter().find(|before| before.name == own.name) {
            return Err(Refusal {
                code: "known-twice",
                message: format!("`{}` and `{}` give the same coordinate an acceleration", before.option, own.option),
                hint: "leave one of them out".into(),
            });
        }
        vdot[index] = own.si(if names[index].measure == Measure::Angle { "rad/s^2" } else { "m/s^2" })?;
    }
    Ok(vdot)
}
