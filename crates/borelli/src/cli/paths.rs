//! `borelli paths`: lengths and moment arms of a model's paths over the range of a coordinate, as a table, as data, as a picture.
//! Not here: paths themselves (`borelli_dynamics::force`), drawing (`borelli::plot`).
//! Out: a table on the standard output, CSV or JSON instead; SVG in a file.

use super::deliver::replace;
use super::text::Table;
use super::{Entry, Exit, Output, input};
use borelli::plot::{Axis, Plot, Series, panels};
use borelli_dynamics::System;
use borelli_dynamics::assemble::assemble;
use borelli_dynamics::force::{PathView, Stop};
use borelli_dynamics::system::Measure;
use borelli_model::{Explain, suggest};
use borelli_study::pattern::fits;
use clap::{ArgMatches, Args, FromArgMatches};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io;
use std::path::PathBuf;

pub static ENTRY: Entry =
    Entry { name: "paths", about: "Lengths and moment arms of paths over the range of a coordinate", args: Paths::augment_args, run };

#[derive(Args)]
#[command(
    after_help = "Other coordinates stay at the start of the model; where it has loops or guides, they follow so that these are met.\nA moment arm is positive where the path pulls the coordinate up: minus the slope of its length."
)]
struct Paths {
    /// Model: a file, or a name in the gallery
    #[arg(value_name = "MODEL")]
    model: String,
    /// Coordinate to be changed; the first of the model if left out
    #[arg(long, value_name = "COORDINATE")]
    over: Option<String>,
    /// First value, in degrees or millimetres
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    from: Option<f64>,
    /// Last value, in degrees or millimetres
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    to: Option<f64>,
    /// Number of values
    #[arg(long, value_name = "COUNT", default_value_t = 19)]
    points: usize,
    /// Only these paths, by name or pattern; may be repeated
    #[arg(long, value_name = "PATTERN")]
    path: Vec<String>,
    /// Change a parameter: a number in SI, or with its unit
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Print CSV in SI units
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON in SI units
    #[arg(long)]
    json: bool,
    /// File for a picture
    #[arg(long, value_name = "FILE.svg")]
    out: Option<PathBuf>,
}

/// What cannot be done.
enum Refusal {
    NoPaths,
    UnknownCoordinate { found: String, nearest: Option<String> },
    UnknownPath { found: String, nearest: Option<String> },
    Points { found: usize },
    EmptyRange { from: f64, to: f64 },
    NotMet { at: f64, unit: &'static str, why: String },
}

impl Explain for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Refusal::NoPaths => "no-paths",
            Refusal::UnknownCoordinate { .. } => "unknown-coordinate",
            Refusal::UnknownPath { .. } => "unknown-path",
            Refusal::Points { .. } => "too-few-points",
            Refusal::EmptyRange { .. } => "empty-range",
            Refusal::NotMet { .. } => "unreachable-assembly",
        }
    }

    fn message(&self) -> String {
        match self {
            Refusal::NoPaths => "the model has no paths".into(),
            Refusal::UnknownCoordinate { found, .. } => format!("--over: coordinate `{found}` does not exist, or is part of a quaternion"),
            Refusal::UnknownPath { found, .. } => format!("--path: no path is called `{found}`"),
            Refusal::Points { found } => format!("--points: {found} is no range of values"),
            Refusal::EmptyRange { from, to } => format!("--from {from} is not below --to {to}"),
            Refusal::NotMet { at, unit, why } => format!("loops and guides cannot be met at {at} {unit}: {why}"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Refusal::NoPaths => Some("paths are tables [path.NAME] with `points`".into()),
            Refusal::UnknownCoordinate { nearest, .. } | Refusal::UnknownPath { nearest, .. } => {
                nearest.as_ref().map(|near| format!("did you mean `{near}`?"))
            }
            Refusal::Points { .. } => Some("give two or more, at most 100000".into()),
            Refusal::EmptyRange { .. } => Some("give them in degrees or millimetres, the smaller one first".into()),
            Refusal::NotMet { .. } => Some("take a smaller range".into()),
        }
    }
}

/// The numbers of one path, one for each value of the coordinate.
struct Traced {
    name: String,
    length: Vec<f64>,
    arm: Vec<f64>,
    /// Wraps that are touched.
    touched: Vec<Vec<String>>,
}

/// What was asked for.
struct Trace {
    coordinate: String,
    angle: bool,
    at: Vec<f64>,
    paths: Vec<Traced>,
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Paths::from_arg_matches(matches).map_err(io::Error::other)?;
    let system = match input::load(&args.model, &args.set) {
        Ok((_, system)) => system,
        Err(rejected) => {
            output.complain(&rejected.to_string());
            return Ok(Exit::BadInput);
        }
    };
    let trace = match trace(&system, &args) {
        Ok(trace) => trace,
        Err(refusal) => {
            output.complain(&input::refused(&refusal).to_string());
            return Ok(Exit::BadInput);
        }
    };
    if args.json {
        output.json(&as_json(&trace))?;
    } else if args.csv {
        output.text(&as_csv(&trace))?;
    } else {
        output.text(&as_table(&trace).text())?;
    }
    if let Some(file) = &args.out {
        if let Err(error) = replace(file, picture(&trace).as_bytes()) {
            output.complain(&format!("error[cannot-write]: cannot write `{}`: {error}\n", file.display()));
            return Ok(Exit::Failed);
        }
        output.complain(&format!("{}\n", file.display()));
    }
    Ok(Exit::Good)
}

fn trace(system: &System, args: &Paths) -> Result<Trace, Refusal> {
    let names: Vec<&str> = system.names.paths.iter().map(String::as_str).collect();
    let chosen: Vec<usize> = match args.path.is_empty() {
        true => (0..names.len()).collect(),
        false => {
            if let Some(unknown) = args.path.iter().find(|word| !names.iter().any(|name| fits(word, name))) {
                let nearest = suggest(unknown, names.iter().copied()).map(str::to_string);
                return Err(Refusal::UnknownPath { found: unknown.clone(), nearest });
            }
            (0..names.len()).filter(|k| args.path.iter().any(|word| fits(word, names[*k]))).collect()
        }
    };
    if chosen.is_empty() {
        return Err(Refusal::NoPaths);
    }
    let plain = |k: &usize| system.names.coordinates[*k].measure != Measure::Quaternion;
    let wanted = |k: &usize| args.over.as_ref().is_none_or(|name| *name == system.names.coordinates[*k].name);
    let Some(coord) = (0..system.names.coordinates.len()).filter(plain).find(wanted) else {
        let found = args.over.clone().unwrap_or_default();
        let nearest = suggest(&found, system.names.coordinates.iter().map(|c| c.name.as_str())).map(str::to_string);
        return Err(Refusal::UnknownCoordinate { found, nearest });
    };
    let name = system.names.coordinates[coord].name.clone();
    let angle = system.names.coordinates[coord].measure == Measure::Angle;
    let Some(dof) = system.names.speeds.iter().position(|speed| speed.name == name) else {
        return Err(Refusal::UnknownCoordinate { found: name, nearest: None });
    };
    let unit = if angle { std::f64::consts::PI / 180.0 } else { 1e-3 };
    let (low, high) = system.coordinates[coord].range.unwrap_or((-90.0 * unit, 90.0 * unit));
    let (from, to) = (args.from.map_or(low, |x| x * unit), args.to.map_or(high, |x| x * unit));
    if !(2..=100_000).contains(&args.points) {
        return Err(Refusal::Points { found: args.points });
    }
    if !(from < to) {
        return Err(Refusal::EmptyRange { from: from / unit, to: to / unit });
    }
    let at: Vec<f64> = (0..args.points).map(|k| from + (to - from) * k as f64 / (args.points - 1) as f64).collect();
    let traced = |k: &usize| Traced { name: names[*k].to_string(), length: Vec::new(), arm: Vec::new(), touched: Vec::new() };
    let mut paths: Vec<Traced> = chosen.iter().map(traced).collect();
    let mut view = PathView::new(system);
    let (mut q, mut held) = (system.start.q.clone(), system.start.held.clone());
    held[dof] = true;
    for x in &at {
        q[coord] = *x;
        if !system.names.rows.is_empty() {
            let still = vec![0.0; system.skeleton.dofs()];
            let met = assemble(system, 0.0, &q, &still, &held);
            let fault = |fault: &dyn std::fmt::Display| Refusal::NotMet {
                at: x / unit,
                unit: if angle { "deg" } else { "mm" },
                why: fault.to_string().lines().next().unwrap_or_default().to_string(),
            };
            q = met.map_err(|why| fault(&why))?.q;
        }
        view.look(system, &q);
        for (own, &k) in paths.iter_mut().zip(&chosen) {
            own.length.push(view.lines().length[k]);
            own.arm.push(view.arm(system, k, dof));
            let touched = system.numbers.paths.list[k].iter().enumerate().filter_map(|(stop, what)| match what {
                Stop::Wrap { wrap, .. } if view.lines().touching(k, stop).is_some() => {
                    Some(system.numbers.paths.wraps[*wrap as usize].name.clone())
                }
                _ => None,
            });
            own.touched.push(touched.collect());
        }
    }
    Ok(Trace { coordinate: name, angle, at, paths })
}

/// With so many places; what rounds to nothing is not negative.
fn fixed(x: f64, places: usize) -> String {
    let text = format!("{x:.places$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|c| matches!(c, b'0' | b'.')) => rest.to_string(),
        _ => text,
    }
}

fn as_table(trace: &Trace) -> Table {
    let mut table = Table { heads: vec!["path", "coordinate", "length mm", "arm mm", "touching"], rows: Vec::new() };
    if !trace.angle {
        table.heads[3] = "arm";
    }
    let (unit, arm) = if trace.angle { (std::f64::consts::PI / 180.0, 1e3) } else { (1e-3, 1.0) };
    for path in &trace.paths {
        for (k, x) in trace.at.iter().enumerate() {
            let shown = format!("{} {} {}", trace.coordinate, fixed(x / unit, 3), if trace.angle { "deg" } else { "mm" });
            let [length, arm] = [path.length[k] * 1e3, path.arm[k] * arm].map(|x| fixed(x, 6));
            table.rows.push(vec![path.name.clone(), shown, length, arm, path.touched[k].join(", ")]);
        }
    }
    table
}

fn as_csv(trace: &Trace) -> String {
    let unit = if trace.angle { ("rad", "m") } else { ("m", "1") };
    let mut text = format!("{} [{}]", trace.coordinate, unit.0);
    for path in &trace.paths {
        let _ = write!(text, ",path.{}.length [m],path.{}.arm.{} [{}]", path.name, path.name, trace.coordinate, unit.1);
    }
    text.push('\n');
    for (k, x) in trace.at.iter().enumerate() {
        let _ = write!(text, "{x}");
        for path in &trace.paths {
            let _ = write!(text, ",{},{}", path.length[k], path.arm[k]);
        }
        text.push('\n');
    }
    text
}

fn as_json(trace: &Trace) -> Value {
    let path = |own: &Traced| json!({ "path": own.name, "length": own.length, "arm": own.arm, "touching": own.touched });
    json!({ "coordinate": trace.coordinate, "values": trace.at, "paths": trace.paths.iter().map(path).collect::<Vec<_>>() })
}

fn picture(trace: &Trace) -> String {
    let (unit, word, arm) = if trace.angle { (180.0 / std::f64::consts::PI, "deg", 1e3) } else { (1e3, "mm", 1.0) };
    let x: Vec<f64> = trace.at.iter().map(|x| x * unit).collect();
    let plot = |title: &str, label: &str, y_unit: &str, of: &dyn Fn(&Traced) -> Vec<f64>| Plot {
        title: title.into(),
        x: Axis::new(trace.coordinate.clone(), word),
        y: Axis::new(label, y_unit),
        series: trace.paths.iter().map(|own| Series { label: own.name.clone(), x: x.clone(), y: of(own), marks: false }).collect(),
    };
    let times = |list: &[f64], factor: f64| list.iter().map(|y| y * factor).collect::<Vec<f64>>();
    panels(&[
        plot("lengths", "length", "mm", &|own| times(&own.length, 1e3)),
        plot("moment arms", "arm", if trace.angle { "mm" } else { "1" }, &|own| times(&own.arm, arm)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_not_negative() {
        assert_eq!([fixed(-1e-9, 6), fixed(-0.0, 3), fixed(-2e-6, 6), fixed(1.5, 1)], ["0.000000", "0.000", "-0.000002", "1.5"]);
    }
}
