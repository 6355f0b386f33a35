//! Fits, timed: one answer with and without slopes, a local search, one from many starts, and searches of studies.
//! Not here: the clock (`clock`).
//! In: three circles under a foot that rolls over the ground as sines say, judged by the forces of other circles; embedded studies. Out: one line each.

use super::clock::{Timing, fastest, measure};
use borelli::job::{Job, Task};
use borelli::studies::Studies;
use borelli_dynamics::{System, compile};
use borelli_model::{Findings, Model, Rejected, Sources};
use borelli_study::apply_settings;
use borelli_study::plan::Plan;
use borelli_study::read::{Files, Override, StudyFile};
use borelli_study::run::{Unwatched, probe_fit, run};
use serde_json::{Value, json};
use std::fmt::{self, Write};
use std::io;

/// A foot whose sole rolls from heel to toe within a second; circles as in a published set, and friction that is viscous beyond its dry part.
const FOOT: &str = r#"borelli = 1
name = "rolling foot"
dimension = "planar"
[body.foot]
mass = "0.8 kg"
inertia = "0.003 kg m^2"
[body.foot.point]
ankle = ["-53 mm", "30 mm"]
c1 = ["-40 mm", "-20 mm"]
c2 = ["10 mm", "9 mm"]
c3 = ["118 mm", "-63 mm"]
[joint.foot]
type = "planar"
parent = "world"
child = "foot.ankle"
coordinates = ["x", "y", "angle"]
[guide]
x = { type = "coordinate", coordinate = "x", function = { type = "sine", amplitude = "60 mm", frequency = "0.4 1/s", phase = "-72 deg" } }
y = { type = "coordinate", coordinate = "y", function = { type = "sine", amplitude = "12 mm", frequency = "2.2 1/s", offset = "124 mm", phase = "1 rad" } }
angle = { type = "coordinate", coordinate = "angle", function = { type = "sine", amplitude = "0.35 rad", frequency = "0.9 1/s", phase = "1.5 rad" } }
[surface]
floor = { type = "half-space", at = "world" }
c1 = { type = "circle", at = "foot.c1", radius = "65 mm" }
c2 = { type = "circle", at = "foot.c2", radius = "110 mm" }
c3 = { type = "circle", at = "foot.c3", radius = "9.5 mm" }
[law]
push1 = { type = "ambrosio-pombo", stiffness = "230000 N/m^1.5", exponent = 1.5, return_fraction = 0.94, transition = "0.01 m/s" }
push2 = { type = "ambrosio-pombo", stiffness = "130000 N/m^1.5", exponent = 1.5, return_fraction = 0.94, transition = "0.01 m/s" }
push3 = { type = "ambrosio-pombo", stiffness = "100000 N/m^1.5", exponent = 1.5, return_fraction = 0.94, transition = "0.01 m/s" }
rub1 = { type = "tanh-viscous", friction = 0.11, viscosity = "3 N s/m", transition = "0.01 m/s" }
rub2 = { type = "tanh-viscous", friction = 0.11, viscosity = "3 N s/m", transition = "0.01 m/s" }
rub3 = { type = "tanh-viscous", friction = 0.11, viscosity = "3 N s/m", transition = "0.01 m/s" }
[contact]
c1 = { a = "c1", b = "floor", normal = "push1", friction = "rub1", force_at = "a" }
c2 = { a = "c2", b = "floor", normal = "push2", friction = "rub2", force_at = "a" }
c3 = { a = "c3", b = "floor", normal = "push3", friction = "rub3", force_at = "a" }
"#;

/// The circles whose forces are to be met.
const OTHERS: [(&str, &str); 7] = [
    ("body.foot.point.c1.x", "-55 mm"),
    ("body.foot.point.c2.x", "35 mm"),
    ("body.foot.point.c3.y", "-55 mm"),
    ("surface.c1.radius", "58 mm"),
    ("law.push2.stiffness", "180000 N/m^1.5"),
    ("law.push3.return_fraction", "0.7"),
    ("law.rub3.friction", "0.25"),
];

/// Unknowns of a circle: path before and after its number, bounds.
const UNKNOWNS: [(&str, &str, [&str; 2]); 6] = [
    ("body.foot.point.c", ".x", ["-90 mm", "130 mm"]),
    ("body.foot.point.c", ".y", ["-75 mm", "20 mm"]),
    ("surface.c", ".radius", ["5 mm", "115 mm"]),
    ("law.push", ".stiffness", ["40000 N/m^1.5", "400000 N/m^1.5"]),
    ("law.push", ".return_fraction", ["0.3", "0.95"]),
    ("law.rub", ".friction", ["0.1", "0.3"]),
];

/// The study behind its analysis, up to what is fitted.
const HEAD: &str = r#"title = "fit"
model = "foot.toml"
[time]
end = "0.957 s"
sample = "1 ms"
[column.vertical]
formula = "contact.c1.normal_force + contact.c2.normal_force + contact.c3.normal_force"
[column.horizontal]
formula = "contact.c1.friction.x + contact.c2.friction.x + contact.c3.friction.x"
[column.pressure]
formula = "(contact.c1.normal_force*contact.c1.point.x + contact.c2.normal_force*contact.c2.point.x + contact.c3.normal_force*contact.c3.point.x)/max(derived.vertical, [1 N])"
"#;

const TERMS: &str = r#"[fit]
of = "evaluate"
power = 1
extra = "[0.01 m]/(max(number.depth1, [0 m]) + [1e-7 m]) + [0.01 m]/(max(number.depth2, [0 m]) + [1e-7 m]) + [0.01 m]/(max(number.depth3, [0 m]) + [1e-7 m])"
[[fit.trial]]
name = "walk"
data = ["forces.csv"]
[[fit.term]]
name = "vertical"
column = "derived.vertical"
data = "vertical"
weight = 5
normalise = "max"
[[fit.term]]
name = "horizontal"
column = "derived.horizontal"
data = "horizontal"
normalise = "max"
[[fit.term]]
name = "pressure"
column = "derived.pressure"
data = "pressure"
normalise = "max"
where = "data.vertical > [20 N]"
fade = { by = "derived.vertical", low = "10 N", high = "30 N" }
"#;

/// One line of the bench.
pub struct Line {
    /// What was timed.
    pub name: String,
    /// Time of a call, s.
    pub timing: Timing,
    /// Evaluations of a call, and how many of them had slopes.
    pub evaluations: [usize; 2],
    /// Sum of an answer, or the objective that was found.
    pub checksum: f64,
}

/// A fit that cannot be had, or did not go.
pub enum Unfit {
    Rejected(Box<Rejected>),
    Told(Findings),
}

impl From<Rejected> for Unfit {
    fn from(rejected: Rejected) -> Unfit {
        Unfit::Rejected(Box::new(rejected))
    }
}

impl From<Findings> for Unfit {
    fn from(findings: Findings) -> Unfit {
        Unfit::Told(findings)
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unfit::Rejected(rejected) => write!(f, "{rejected}"),
            Unfit::Told(findings) => f.write_str(&findings.render(&Sources::default())),
        }
    }
}

impl Line {
    /// As JSON.
    pub fn json(&self) -> Value {
        let [all, sloped] = self.evaluations;
        json!({
            "fit": self.name, "ms_best": 1e3 * self.timing.best(), "ms_median": 1e3 * self.timing.median(), "evaluations": all, "with_slopes": sloped,
            "checksum": self.checksum
        })
    }
}

/// All lines as a table.
pub fn text(lines: &[Line]) -> String {
    let mut text =
        format!("\n{:<66} {:>12} {:>12} {:>12} {:>12}  checksum\n", "fits", "best ms", "median ms", "evaluations", "with slopes");
    for Line { name, timing, evaluations: [all, sloped], checksum } in lines {
        let (best, median) = (1e3 * timing.best(), 1e3 * timing.median());
        let _ = writeln!(text, "{name:<66} {best:>12.4} {median:>12.4} {all:>12} {sloped:>12}  {checksum:.9e}");
    }
    text
}

/// The fit of three circles: 958 samples, 18 unknowns.
pub fn circles() -> Result<(System, Plan), Unfit> {
    let model = Model::parse("foot.toml", FOOT)?;
    let head = |analysis: &str| format!("borelli = 1\nanalysis = \"{analysis}\"\n{HEAD}");
    let set: Vec<Override> = OTHERS.iter().map(|(path, text)| Override::set(*path, *text)).collect();
    let made = StudyFile::parse("made.toml", &head("evaluate"), Files::on_disk())?.plan("", &set)?;
    let other = apply_settings(compile(&model)?, &made.settings)?;
    let outcome = run(&other, &made, None, &mut Unwatched)?;
    let column = |name: &str| outcome.trajectory.column(&format!("derived.{name}")).unwrap_or(&[]);
    let columns = ["vertical", "horizontal", "pressure"].map(column);
    let mut data = String::from("time [s],vertical [N],horizontal [N],pressure [m]\n");
    for (k, t) in outcome.trajectory.time().iter().enumerate() {
        let _ = writeln!(data, "{t:?},{:?},{:?},{:?}", columns[0][k], columns[1][k], columns[2][k]);
    }
    let mut text = head("fit") + TERMS;
    for circle in 1..=3 {
        let _ = writeln!(text, "[[fit.number]]\nname = \"depth{circle}\"\ncolumn = \"contact.c{circle}.depth\"\nof = \"max\"");
        for (before, after, [low, high]) in UNKNOWNS {
            let _ = writeln!(text, "[[fit.unknown]]\npath = \"{before}{circle}{after}\"\nlow = \"{low}\"\nhigh = \"{high}\"");
        }
    }
    let files = Files::new(move |path| match path.ends_with("forces.csv") {
        true => Ok(data.clone().into_bytes()),
        false => Err(io::Error::from(io::ErrorKind::NotFound)),
    });
    Ok((compile(&model)?, StudyFile::parse("fit.toml", &text, files)?.plan("", &[])?))
}

/// All lines, or why a fit cannot be had.
pub fn lines() -> Result<Vec<Line>, Unfit> {
    let (system, mut plan) = circles()?;
    let mut list = Vec::new();
    for (sloped, name) in [(false, "an answer"), (true, "an answer with slopes")] {
        let (timing, checksum) = probe_fit(&system, &plan, |start, answer| {
            let mut point = start.to_vec();
            let timing = measure(|k| {
                // What was known at the point before is of no use.
                point[0] = start[0] + 1e-3 * (k % 16) as f64;
                std::hint::black_box(answer(&point, sloped));
            });
            (timing, answer(start, sloped))
        })?;
        let evaluations = [1, usize::from(sloped)];
        list.push(Line { name: format!("{name}, 3 circles: 958 samples, 18 unknowns"), timing, evaluations, checksum });
    }
    for starts in [1, 24] {
        if let Some(fit) = &mut plan.fit {
            fit.starts = starts;
        }
        let name = if starts == 1 { "a search".to_string() } else { format!("a search from {starts} starts") };
        list.push(searched(format!("{name}, 3 circles"), &system, &plan)?);
    }
    for (study, case, name) in [
        ("94-three-ellipsoids-found-again", "seed-1", "29 unknowns of a foot, 3 stances: study 94, seed-1"),
        ("95-foot-and-motion-found-together", "calibration", "99 unknowns of foot and motion: study 95, calibration"),
    ] {
        let job = Job::of_study(&Studies::EMBEDDED.path(study), &Studies::EMBEDDED, &[])?;
        let Some(Task { plan, system, .. }) = job.tasks.iter().find(|task| task.name == case) else { continue };
        list.push(searched(name.into(), system, plan)?);
    }
    Ok(list)
}

/// A whole search, with the run at its end.
fn searched(name: String, system: &System, plan: &Plan) -> Result<Line, Unfit> {
    let mut last = None;
    let timing = fastest(3, || last = Some(run(system, plan, None, &mut Unwatched)));
    let record = last.transpose()?.and_then(|outcome| outcome.fit);
    let (evaluations, checksum) = record.map_or(([0; 2], f64::NAN), |fit| ([fit.evaluations, fit.jacobians], fit.objective));
    Ok(Line { name, timing, evaluations, checksum })
}

/// Answers a number of times, with slopes; for counting instructions from outside.
pub fn repeat(calls: usize) -> Result<f64, Unfit> {
    let (system, plan) = circles()?;
    Ok(probe_fit(&system, &plan, |start, answer| {
        let mut point = start.to_vec();
        (0..calls).fold(0.0, |sum, k| {
            point[0] = start[0] + 1e-3 * (k % 16) as f64;
            sum + answer(&point, true)
        })
    })?)
}
