//! `borelli paths`: lengths and moment arms of a model's paths over the range of a coordinate, as a table, as data, as a picture.
//! Not here: paths themselves (`borelli_dynamics::force`), drawing (`borelli::plot`).
//! Out: a table on the standard output, CSV or JSON instead; SVG or CSV in a file; exit code 1 where a path has no place at some values.

use super::deliver::replace;
use super::text::Table;
use super::{Entry, Exit, Output, check, input};
use borelli::plot::{Axis, Plot, Series, panels};
use borelli_dynamics::System;
use borelli_dynamics::assemble::assemble;
use borelli_dynamics::force::{PathView, Stop};
use borelli_dynamics::formulation::{Failure, Input, check_state};
use borelli_dynamics::system::Measure;
use borelli_dynamics::wrap::Trouble;
use borelli_model::{Explain, Findings, Range, Rejected, Severity, suggest};
use borelli_study::pattern::fits;
use borelli_study::settings::si_value;
use clap::builder::{PathBufValueParser, TypedValueParser};
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
    /// First value: with its unit, or a number in degrees or millimetres
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    from: Option<String>,
    /// Last value, likewise
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    to: Option<String>,
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
    /// File for a picture, or for CSV in SI units
    #[arg(long, value_name = "FILE.svg|FILE.csv", value_parser = PathBufValueParser::new().try_map(input::svg_or_csv_file))]
    out: Option<PathBuf>,
}

/// A length that changes by more than this at one value of the coordinate jumps, m.
const JUMP: f64 = 1e-4;

/// What cannot be done.
enum Refusal {
    NoPaths { soft: bool },
    UnknownCoordinate { found: String, nearest: Option<String> },
    UnknownPath { found: String, nearest: Option<String> },
    Points { found: usize },
    EmptyRange { from: String, to: String },
    NotMet { at: String, why: String },
    OutsideTable { why: String },
    WithoutPlace { path: String, values: usize, all: usize, first: String, last: String, why: Option<(String, Trouble)> },
    Jump { path: String, at: String, size: f64 },
}

impl Explain for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Refusal::NoPaths { .. } => "no-paths",
            Refusal::UnknownCoordinate { .. } => "unknown-coordinate",
            Refusal::UnknownPath { .. } => "unknown-path",
            Refusal::Points { .. } => "too-few-points",
            Refusal::EmptyRange { .. } => "empty-range",
            Refusal::NotMet { .. } => "unreachable-assembly",
            Refusal::OutsideTable { .. } => "outside-table",
            Refusal::WithoutPlace { .. } => "path-without-place",
            Refusal::Jump { .. } => "path-jumps",
        }
    }

    fn message(&self) -> String {
        match self {
            Refusal::NoPaths { soft: false } => "the model has no paths".into(),
            Refusal::NoPaths { soft: true } => "paths over nodes of soft parts have no length that coordinates alone determine".into(),
            Refusal::UnknownCoordinate { found, .. } => format!("--over: coordinate `{found}` does not exist, or is part of a quaternion"),
            Refusal::UnknownPath { found, .. } => format!("--path: no path is called `{found}`"),
            Refusal::Points { found } => format!("--points: {found} is no range of values"),
            Refusal::EmptyRange { from, to } => format!("the first value {from} is not below the last, {to}"),
            Refusal::NotMet { at, why } => format!("loops and guides cannot be met at {at}: {why}"),
            Refusal::OutsideTable { why } => why.clone(),
            Refusal::WithoutPlace { path, values, all, first, last, why } => {
                let words = why.as_ref().map_or("has no place".into(), |(wrap, trouble)| trouble.words(wrap));
                let at = if *values == 1 { format!("at {first}") } else { format!("at {values} of {all} values, {first} to {last},") };
                format!("{at} path `{path}` {words}; length and arm are left empty")
            }
            Refusal::Jump { path, at, size } => format!("the length of path `{path}` jumps by {:.3} mm at {at}", size * 1e3),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Refusal::NoPaths { soft: false } => Some("paths are tables [path.NAME] with `points`".into()),
            Refusal::NoPaths { soft: true } => Some("run the model, and look at `path.NAME.length` over time".into()),
            Refusal::UnknownCoordinate { nearest, .. } | Refusal::UnknownPath { nearest, .. } => {
                nearest.as_ref().map(|near| format!("did you mean `{near}`?"))
            }
            Refusal::Points { .. } => Some("give two or more, at most 100000".into()),
            Refusal::EmptyRange { .. } => {
                Some("give --from and --to with their unit, or in degrees or millimetres, the smaller one first".into())
            }
            Refusal::NotMet { .. } => Some("take a smaller range".into()),
            Refusal::OutsideTable { .. } => {
                Some("take a smaller range, lengthen the table, or say outside = \"hold\", \"extrapolate\" or \"periodic\"".into())
            }
            Refusal::Jump { .. } => Some(
                "its arm says nothing there: the string goes over to another side of a wrap, or a conditional point comes or goes off its line; \
                 a cylinder has one side whatever the pose"
                    .into(),
            ),
            Refusal::WithoutPlace { why, .. } => Some(why.as_ref().map_or("take a smaller range", |(_, trouble)| trouble.hint()).into()),
        }
    }

    fn severity(&self) -> Severity {
        if let Refusal::WithoutPlace { .. } | Refusal::Jump { .. } = self { Severity::Warning } else { Severity::Error }
    }
}

/// The numbers of one path, one for each value of the coordinate.
struct Traced {
    name: String,
    length: Vec<f64>,
    arm: Vec<f64>,
    /// Wraps that are touched.
    touched: Vec<Vec<String>>,
    /// Why it has no place, where it has none: the wrap, and what is wrong.
    why: Option<(String, Trouble)>,
    /// Where its length jumps, and by how much, m.
    jumps: Vec<(f64, f64)>,
}

/// What was asked for.
struct Trace {
    coordinate: String,
    shown: Shown,
    at: Vec<f64>,
    paths: Vec<Traced>,
}

/// A coordinate as it is shown.
#[derive(Clone, Copy)]
struct Shown {
    angle: bool,
}

impl Shown {
    /// SI units in one of those that are shown.
    fn unit(self) -> f64 {
        if self.angle { std::f64::consts::PI / 180.0 } else { 1e-3 }
    }

    fn word(self) -> &'static str {
        if self.angle { "deg" } else { "mm" }
    }

    /// A value with its unit; rounding of conversions is not shown.
    fn text(self, x: f64) -> String {
        format!("{} {}", (x / self.unit() * 1e9).round() / 1e9, self.word())
    }
}

fn run(matches: &ArgMatches, output: &mut Output) -> io::Result<Exit> {
    let args = Paths::from_arg_matches(matches).map_err(io::Error::other)?;
    let sound = match check::sound(&args.model, &args.set) {
        Ok(sound) => sound,
        Err(rejected) => return Ok(check::refuse(&args.model, &[rejected], false, output).0),
    };
    let trace = match trace(&sound.system, &sound.start.q, &args) {
        Ok(trace) => trace,
        Err(rejected) => {
            output.complain(&rejected.to_string());
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
        let content =
            if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) { as_csv(&trace) } else { picture(&trace) };
        if let Err(error) = replace(file, content.as_bytes()) {
            output.complain(&format!("error[cannot-write]: cannot write `{}`: {error}\n", file.display()));
            return Ok(Exit::Failed);
        }
        output.complain(&format!("{}\n", file.display()));
    }
    let lost: Vec<Refusal> = trace.paths.iter().filter_map(|own| without_place(own, &trace)).collect();
    let jump = |own: &Traced, (x, size): (f64, f64)| {
        let at = format!("{} = {}", trace.coordinate, trace.shown.text(x));
        Refusal::Jump { path: own.name.clone(), at, size }
    };
    let jumps = trace.paths.iter().flat_map(|own| own.jumps.iter().map(|found| jump(own, *found)));
    lost.iter().for_each(|lost| output.complain(&input::refused(lost).to_string()));
    jumps.for_each(|jump| output.complain(&input::refused(&jump).to_string()));
    Ok(if lost.is_empty() { Exit::Good } else { Exit::Failed })
}

/// What is to be said of a path that has no place at some values.
fn without_place(own: &Traced, trace: &Trace) -> Option<Refusal> {
    let at: Vec<f64> = trace.at.iter().zip(&own.length).filter(|(_, length)| !length.is_finite()).map(|(x, _)| *x).collect();
    let text = |x: &f64| format!("{} = {}", trace.coordinate, trace.shown.text(*x));
    let (first, last) = (text(at.first()?), trace.shown.text(*at.last()?));
    Some(Refusal::WithoutPlace { path: own.name.clone(), values: at.len(), all: trace.at.len(), first, last, why: own.why.clone() })
}

/// A value of the command line in SI units; a bare number is in degrees or millimetres.
fn value(option: &str, text: &str, shown: Shown) -> Result<f64, Rejected> {
    let trimmed = text.trim();
    let text = if trimmed.parse::<f64>().is_ok() { format!("{trimmed} {}", shown.word()) } else { trimmed.to_string() };
    si_value(&text, if shown.angle { "rad" } else { "m" }, Range::ANY).map_err(|fault| {
        let mut findings = Findings::new();
        findings.push(None, option, "", &fault);
        Rejected { findings, sources: Default::default() }
    })
}

/// Paths that are wanted, by index.
fn chosen(system: &System, wanted: &[String]) -> Result<Vec<usize>, Refusal> {
    let names: Vec<&str> = system.names.paths.iter().map(String::as_str).collect();
    if let Some(unknown) = wanted.iter().find(|word| !names.iter().any(|name| fits(word, name))) {
        let nearest = suggest(unknown, names.iter().copied()).map(str::to_string);
        return Err(Refusal::UnknownPath { found: unknown.clone(), nearest });
    }
    let fitting: Vec<usize> = (0..names.len()).filter(|k| wanted.is_empty() || wanted.iter().any(|word| fits(word, names[*k]))).collect();
    // Of a path over nodes of soft parts coordinates do not tell the length.
    let rigid: Vec<usize> = fitting.iter().copied().filter(|k| !system.numbers.paths.list[*k].is_empty()).collect();
    if rigid.is_empty() { Err(Refusal::NoPaths { soft: !fitting.is_empty() }) } else { Ok(rigid) }
}

/// Where values begin and end unless they are given: the range of the coordinate, else a quarter turn both ways or a tenth of a metre from the
/// start, as far as tables go.
fn usual_range(system: &System, coord: usize, start: f64, shown: Shown) -> (f64, f64) {
    let around = if shown.angle { (-90.0 * shown.unit(), 90.0 * shown.unit()) } else { (start - 0.1, start + 0.1) };
    let tables = system.bounds.iter().filter(|bound| bound.coord == Some(coord as u32));
    let range = system.coordinates[coord].range.unwrap_or(around);
    tables.fold(range, |(low, high), bound| (low.max(bound.range.0), high.min(bound.range.1)))
}

/// Puts a model into the poses that are asked for.
struct Poser<'a> {
    system: &'a System,
    name: &'a str,
    shown: Shown,
    coord: usize,
    dof: usize,
    still: Vec<f64>,
    held: Vec<bool>,
    q: Vec<f64>,
    view: PathView,
}

impl Poser<'_> {
    /// Looks at the paths with the coordinate at `x`.
    fn look(&mut self, x: f64) -> Result<(), Rejected> {
        let Poser { system, still, .. } = self;
        self.q[self.coord] = x;
        if !system.names.rows.is_empty() {
            let fault = |why: &dyn std::fmt::Display| {
                let why = why.to_string().lines().next().unwrap_or_default().to_string();
                input::refused(&Refusal::NotMet { at: format!("{} = {}", self.name, self.shown.text(x)), why })
            };
            self.q = assemble(system, 0.0, &self.q, still, &self.held).map_err(|why| fault(&why))?.q;
        }
        // Tables that may be left extend in their own way; of the others nothing is known there.
        let input = Input { q: &self.q, v: still, tau: still, ..Input::default() };
        if let Err(failure @ Failure::OutsideTable { .. }) = check_state(system, &input) {
            let why = failure.to_string().lines().next().unwrap_or_default().to_string();
            return Err(input::refused(&Refusal::OutsideTable { why }));
        }
        self.view.look(system, &self.q);
        Ok(())
    }

    /// Where the length of a path jumps between two values of the coordinate, and by how much: what the arms at both ends do not explain is halved down to a
    /// place. Ends are value, length and arm.
    fn jump(&mut self, path: usize, ends: [[f64; 3]; 2]) -> Option<(f64, f64)> {
        let unexplained = |[x0, l0, arm0]: [f64; 3], [x1, l1, arm1]: [f64; 3]| l1 - l0 + 0.5 * (arm0 + arm1) * (x1 - x0);
        let [mut a, mut b] = ends;
        // Where there is no length there is nothing to compare.
        while unexplained(a, b).abs() > 0.5 * JUMP {
            let x = 0.5 * (a[0] + b[0]);
            if x <= a[0] || x >= b[0] {
                return Some((x, b[1] - a[1])).filter(|(_, size)| size.abs() > JUMP);
            }
            self.look(x).ok()?;
            let middle = [x, self.view.lines().length[path], self.view.arm(self.system, path, self.dof)];
            if unexplained(a, middle).abs() > unexplained(middle, b).abs() { b = middle } else { a = middle }
        }
        None
    }
}

fn trace(system: &System, start: &[f64], args: &Paths) -> Result<Trace, Rejected> {
    let refused = |refusal: Refusal| input::refused(&refusal);
    let chosen = chosen(system, &args.path).map_err(refused)?;
    let plain = |k: &usize| system.names.coordinates[*k].measure != Measure::Quaternion;
    let wanted = |k: &usize| args.over.as_ref().is_none_or(|name| *name == system.names.coordinates[*k].name);
    let Some(coord) = (0..system.names.coordinates.len()).filter(plain).find(wanted) else {
        let found = args.over.clone().unwrap_or_default();
        let nearest = suggest(&found, system.names.coordinates.iter().map(|c| c.name.as_str())).map(str::to_string);
        return Err(refused(Refusal::UnknownCoordinate { found, nearest }));
    };
    let name = system.names.coordinates[coord].name.clone();
    let shown = Shown { angle: system.names.coordinates[coord].measure == Measure::Angle };
    let Some(dof) = system.names.speeds.iter().position(|speed| speed.name == name) else {
        return Err(refused(Refusal::UnknownCoordinate { found: name, nearest: None }));
    };
    let (low, high) = usual_range(system, coord, start[coord], shown);
    let from = args.from.as_ref().map_or(Ok(low), |text| value("--from", text, shown))?;
    let to = args.to.as_ref().map_or(Ok(high), |text| value("--to", text, shown))?;
    if !(2..=100_000).contains(&args.points) {
        return Err(refused(Refusal::Points { found: args.points }));
    }
    if !(from < to) {
        return Err(refused(Refusal::EmptyRange { from: shown.text(from), to: shown.text(to) }));
    }
    let step = |k: usize| if k + 1 == args.points { to } else { from + (to - from) * k as f64 / (args.points - 1) as f64 };
    let at: Vec<f64> = (0..args.points).map(step).collect();
    let traced = |k: &usize| {
        let name = system.names.paths[*k].clone();
        Traced { name, length: Vec::new(), arm: Vec::new(), touched: Vec::new(), why: None, jumps: Vec::new() }
    };
    let mut paths: Vec<Traced> = chosen.iter().map(traced).collect();
    let mut held = system.start.held.clone();
    held[dof] = true;
    let (view, still) = (PathView::new(system), vec![0.0; system.skeleton.dofs()]);
    let mut poser = Poser { system, name: &name, shown, coord, dof, still, held, q: start.to_vec(), view };
    for x in &at {
        poser.look(*x)?;
        let view = &poser.view;
        for (own, &k) in paths.iter_mut().zip(&chosen) {
            own.length.push(view.lines().length[k]);
            own.arm.push(view.arm(system, k, dof));
            if let Some(lost) = view.lines().lost.filter(|lost| lost.path as usize == k) {
                own.why.get_or_insert_with(|| (system.numbers.paths.wraps[lost.wrap as usize].name.clone(), lost.trouble));
            }
            let touched = system.numbers.paths.list[k].iter().enumerate().filter_map(|(stop, what)| match what {
                Stop::Wrap { wrap, .. } if view.lines().touching(k, stop).is_some() => {
                    Some(system.numbers.paths.wraps[*wrap as usize].name.clone())
                }
                _ => None,
            });
            own.touched.push(touched.collect());
        }
    }
    for (own, &k) in paths.iter_mut().zip(&chosen) {
        let seen: Vec<[f64; 3]> = (0..at.len()).map(|i| [at[i], own.length[i], own.arm[i]]).collect();
        own.jumps = seen.windows(2).filter_map(|pair| poser.jump(k, [pair[0], pair[1]])).collect();
    }
    for own in &mut paths {
        // Where the length is no number, neither is the slope.
        own.arm.iter_mut().zip(&own.length).filter(|(_, length)| !length.is_finite()).for_each(|(arm, _)| *arm = f64::NAN);
    }
    Ok(Trace { coordinate: name, shown, at, paths })
}

/// With so many places; what rounds to nothing is not negative, what is no number is empty.
fn fixed(x: f64, places: usize) -> String {
    if !x.is_finite() {
        return String::new();
    }
    let text = format!("{x:.places$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|c| matches!(c, b'0' | b'.')) => rest.to_string(),
        _ => text,
    }
}

fn as_table(trace: &Trace) -> Table {
    let mut table = Table { heads: vec!["path", "coordinate", "length mm", "arm mm", "touching"], rows: Vec::new() };
    if !trace.shown.angle {
        table.heads[3] = "arm";
    }
    let (unit, arm) = (trace.shown.unit(), if trace.shown.angle { 1e3 } else { 1.0 });
    for path in &trace.paths {
        for (k, x) in trace.at.iter().enumerate() {
            let shown = format!("{} {} {}", trace.coordinate, fixed(x / unit, 3), trace.shown.word());
            let [length, arm] = [path.length[k] * 1e3, path.arm[k] * arm].map(|x| fixed(x, 6));
            table.rows.push(vec![path.name.clone(), shown, length, arm, path.touched[k].join(", ")]);
        }
    }
    table
}

fn as_csv(trace: &Trace) -> String {
    let unit = if trace.shown.angle { ("rad", "m") } else { ("m", "1") };
    let mut text = format!("{} [{}]", trace.coordinate, unit.0);
    for path in &trace.paths {
        let _ = write!(text, ",path.{}.length [m],path.{}.arm.{} [{}]", path.name, path.name, trace.coordinate, unit.1);
    }
    text.push('\n');
    for (k, x) in trace.at.iter().enumerate() {
        let _ = write!(text, "{x}");
        for path in &trace.paths {
            for x in [path.length[k], path.arm[k]] {
                text.push(',');
                if x.is_finite() {
                    let _ = write!(text, "{x}");
                }
            }
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
    let (unit, word, arm) = (trace.shown.unit(), trace.shown.word(), if trace.shown.angle { 1e3 } else { 1.0 });
    let x: Vec<f64> = trace.at.iter().map(|x| x / unit).collect();
    let plot = |title: &str, label: &str, y_unit: &str, of: &dyn Fn(&Traced) -> Vec<f64>| Plot {
        title: title.into(),
        x: Axis::new(trace.coordinate.clone(), word),
        y: Axis::new(label, y_unit),
        series: trace.paths.iter().map(|own| Series { label: own.name.clone(), x: x.clone(), y: of(own), marks: false }).collect(),
    };
    let times = |list: &[f64], factor: f64| list.iter().map(|y| y * factor).collect::<Vec<f64>>();
    panels(&[
        plot("lengths", "length", "mm", &|own| times(&own.length, 1e3)),
        plot("moment arms", "arm", if trace.shown.angle { "mm" } else { "1" }, &|own| times(&own.arm, arm)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_not_negative_and_no_number_is_empty() {
        assert_eq!(
            [fixed(-1e-9, 6), fixed(-0.0, 3), fixed(-2e-6, 6), fixed(1.5, 1), fixed(f64::NAN, 2)],
            ["0.000000", "0.000", "-0.000002", "1.5", ""]
        );
    }
}
