//! Fits against answers that are known: parameters of a pressing ball from its own forces, constraints met exactly, and what is refused.

use super::tests::system;
use super::*;
use crate::read::{Files, StudyFile};
use borelli_data::Trajectory;
use std::io;

/// A ball that is guided into a floor and out again, twice, the second time sliding.
pub(super) const BALL: &str = r#"
borelli = 1
dimension = "planar"
[body.ball]
mass = "1 kg"
inertia = "0.01 kg m^2"
[joint.place]
type = "planar"
parent = "world"
child = "ball"
coordinates = ["x", "y", "angle"]
[guide.x]
type = "coordinate"
coordinate = "x"
function = { type = "sine", amplitude = "0.05 m", frequency = "1.3 1/s" }
[guide.y]
type = "coordinate"
coordinate = "y"
function = { type = "sine", amplitude = "12 mm", frequency = "2 1/s", offset = "98 mm" }
[guide.angle]
type = "coordinate"
coordinate = "angle"
function = { type = "constant", constant = "0 rad" }
[surface]
floor = { type = "half-space", at = "world" }
ball = { type = "circle", at = "ball", radius = "100 mm" }
[law.push]
type = "hunt-crossley"
stiffness = "50000 N/m^1.5"
exponent = 1.5
dissipation = "0.4 s/m"
[law.rub]
type = "tanh"
friction = 0.35
transition = "0.05 m/s"
[contact.sole]
a = "ball"
b = "floor"
normal = "push"
friction = "rub"
"#;

/// A study that fits the ball to `forces.csv`, with more lines of `[fit]` and unknowns.
pub(super) fn study(fit: &str, more: &str) -> String {
    format!(
        r#"borelli = 1
title = "fit"
model = "given"
analysis = "fit"
[time]
end = "1 s"
sample = "5 ms"
[column.vertical]
formula = "contact.sole.normal_force"
[fit]
of = "evaluate"
{fit}
[[fit.trial]]
name = "press"
data = ["forces.csv"]
[[fit.term]]
name = "vertical"
column = "derived.vertical"
data = "fy"
interpolation = "spline"
normalise = "max"
[[fit.term]]
name = "horizontal"
column = "contact.sole.friction.x"
data = "fx"
interpolation = "spline"
normalise = "max-abs"
{more}"#
    )
}

pub(super) const UNKNOWNS: &str = r#"
[[fit.unknown]]
name = "stiffness"
path = "law.push.stiffness"
low = "1e4 N/m^1.5"
high = "1e6 N/m^1.5"
scale = "log"
start = "2e5 N/m^1.5"
[[fit.unknown]]
name = "radius"
path = "surface.ball.radius"
low = "90 mm"
high = "105 mm"
start = "97 mm"
[[fit.unknown]]
name = "damping"
path = "law.push.dissipation"
low = "0 s/m"
high = "2 s/m"
start = "1 s/m"
[[fit.unknown]]
name = "friction"
path = "law.rub.friction"
low = 0.1
high = 0.9
start = 0.8
"#;

/// The forces of the ball itself, at the samples of the study, as a file.
fn forces() -> String {
    forces_of(BALL)
}

pub(super) fn forces_of(model: &str) -> String {
    let model = system(model);
    let plan = StudyFile::parse(
        "make.toml",
        "borelli = 1\ntitle = \"\"\nmodel = \"given\"\nanalysis = \"evaluate\"\n[time]\nend = 1\nsample = 0.005\n",
        Files::on_disk(),
    )
    .and_then(|study| study.plan("", &[]))
    .unwrap_or_else(|e| panic!("{e}"));
    let outcome = super::tests::good(&model, &plan);
    let column = |table: &Trajectory, name: &str| table.column(name).unwrap_or_else(|| panic!("{name}")).to_vec();
    let (fy, fx) = (column(&outcome.trajectory, "contact.sole.normal_force"), column(&outcome.trajectory, "contact.sole.friction.x"));
    let mut text = String::from("time [s],fx [N],fy [N]\n");
    for (k, t) in outcome.trajectory.time().iter().enumerate() {
        text += &format!("{t:?},{:?},{:?}\n", fx[k], fy[k]);
    }
    text
}

pub(super) fn planned(text: &str, data: String) -> Result<Plan, Vec<(&'static str, String)>> {
    let files = Files::new(move |path| match path.ends_with("forces.csv") {
        true => Ok(data.clone().into_bytes()),
        false => Err(io::Error::from(io::ErrorKind::NotFound)),
    });
    let told = |rejected: borelli_model::Rejected| {
        rejected.findings.iter().map(|finding| (finding.code, finding.message.clone())).collect::<Vec<_>>()
    };
    StudyFile::parse("fit.toml", text, files).and_then(|study| study.plan("", &[])).map_err(told)
}

fn fitted(text: &str, data: String) -> Outcome {
    let plan = planned(text, data).unwrap_or_else(|faults| panic!("{faults:?}"));
    super::tests::good(&system(BALL), &plan)
}

/// All faults of a fit, wherever they are found: in the text, with the model, or at the start of the search.
pub(super) fn faults(text: &str, data: String) -> Vec<&'static str> {
    match planned(text, data) {
        Err(faults) => faults.into_iter().map(|(code, _)| code).collect(),
        Ok(plan) => match run(&system(BALL), &plan, None, &mut Unwatched) {
            Ok(_) => Vec::new(),
            Err(findings) => findings.iter().map(|finding| finding.code).collect(),
        },
    }
}

pub(super) fn scalar(outcome: &Outcome, name: &str) -> f64 {
    outcome.scalars.iter().find(|scalar| scalar.name == name).unwrap_or_else(|| panic!("{name}")).value
}

pub(super) const TRUTH: [(&str, f64); 4] = [("stiffness", 50_000.0), ("radius", 0.1), ("damping", 0.4), ("friction", 0.35)];

#[test]
fn parameters_are_found_again_from_the_forces_they_make() {
    for method in ["least-squares", "quasi-newton"] {
        let outcome = fitted(&study(&format!("method = \"{method}\""), UNKNOWNS), forces());
        let tolerance = if method == "least-squares" { 1e-8 } else { 1e-4 };
        for (name, truth) in TRUTH {
            let found = scalar(&outcome, &format!("fit.unknown.{name}"));
            assert!((found / truth - 1.0).abs() < tolerance, "{method}: {name} {found} {truth}");
        }
        let record = outcome.fit.as_ref().expect("a record");
        assert!(record.found && record.objective < 1e-8 * record.objective_at_start, "{}", record.objective);
        // The run that is left is that of the parameters found.
        let last = record.residuals.iter().filter(|own| own.term == "vertical").map(|own| own.computed).fold(0.0, f64::max);
        let column = outcome.trajectory.column("derived.vertical").expect("recorded").iter().copied().fold(0.0, f64::max);
        assert!((last - column).abs() < 1e-9 * column, "{last} {column}");
    }
}

#[test]
fn evolution_and_many_starts_find_the_same() {
    for fit in ["method = \"cma-es\"\nthen = \"least-squares\"\nevaluations = 3000", "starts = 6"] {
        let outcome = fitted(&study(fit, UNKNOWNS), forces());
        for (name, truth) in TRUTH {
            let found = scalar(&outcome, &format!("fit.unknown.{name}"));
            assert!((found / truth - 1.0).abs() < 1e-7, "{fit}: {name} {found} {truth}");
        }
    }
    let starts = fitted(&study("starts = 6", UNKNOWNS), forces()).fit.expect("a record").starts.len();
    assert_eq!(starts, 6);
}

/// With a constraint that the radius meets, the ball is as large as the constraint allows, to rounding, and the slopes know it.
#[test]
fn a_constraint_is_met_exactly_by_the_unknown_that_gives_way() {
    let limit = format!(
        "{UNKNOWNS}[[fit.constraint]]\nname = \"shallow\"\ncolumn = \"contact.sole.depth\"\nat_most = \"10 mm\"\nmet_by = \"radius\"\n"
    );
    let outcome = fitted(&study("", &limit), forces());
    // The ball comes down to 86 mm, so that its radius is 96 mm at most.
    assert!((scalar(&outcome, "fit.unknown.radius") - 0.096).abs() < 1e-12, "{}", scalar(&outcome, "fit.unknown.radius"));
    let deepest = outcome.trajectory.column("contact.sole.depth").expect("recorded").iter().copied().fold(0.0, f64::max);
    assert!(deepest <= 0.01 + 1e-12, "{deepest}");
}

/// The truth is smaller than the constraint allows, and the search begins above it: the unknown that gives way comes back.
#[test]
fn an_unknown_that_gave_way_comes_back() {
    let limit = "[[fit.constraint]]\nname = \"shallow\"\ncolumn = \"contact.sole.depth\"\nat_most = \"16 mm\"\nmet_by = \"radius\"\n";
    // A radius of 104 mm would be 18 mm deep; the truth of 100 mm is 14 mm deep.
    let unknowns = UNKNOWNS.replace("start = \"97 mm\"", "start = \"104 mm\"");
    let outcome = fitted(&study("", &format!("{unknowns}{limit}")), forces());
    for (name, truth) in TRUTH {
        let found = scalar(&outcome, &format!("fit.unknown.{name}"));
        assert!((found / truth - 1.0).abs() < 1e-7, "{name} {found} {truth}");
    }
}

/// A constraint on a force, met by the stiffness, whose slope depends on the radius: met to rounding, and the search is not lost.
#[test]
fn a_constraint_with_changing_slopes_is_met() {
    let limit = "[[fit.constraint]]\nname = \"soft\"\ncolumn = \"contact.sole.normal_force\"\nat_most = \"60 N\"\nmet_by = \"stiffness\"\n";
    let outcome = fitted(&study("", &format!("{UNKNOWNS}{limit}")), forces());
    let most = outcome.trajectory.column("contact.sole.normal_force").expect("recorded").iter().copied().fold(0.0, f64::max);
    assert!(most <= 60.0 * (1.0 + 1e-9), "{most}");
    let record = outcome.fit.expect("a record");
    assert!(record.objective < 0.5 * record.objective_at_start, "{} {}", record.objective, record.objective_at_start);
}

/// Two searches give the same bits: nothing depends on threads or on what was looked at before.
#[test]
fn the_same_fit_gives_the_same_bits() {
    let text = study("method = \"cma-es\"\nevaluations = 400\npopulation = 12", UNKNOWNS);
    let bits = || TRUTH.map(|(name, _)| scalar(&fitted(&text, forces()), &format!("fit.unknown.{name}")).to_bits());
    assert_eq!(bits(), bits());
}

/// Ends a search after some rounds and keeps what it knew; or goes on from what another kept.
#[derive(Default)]
struct Breaking {
    rounds: usize,
    most: Option<usize>,
    lines: Option<Lines>,
    from: Option<Lines>,
}

impl Watch for Breaking {
    fn keep(&mut self, state: &mut dyn FnMut() -> Lines) {
        self.rounds += 1;
        self.lines = Some(state());
    }

    fn kept(&mut self) -> Option<Lines> {
        self.from.take()
    }

    fn stop(&self) -> bool {
        self.most.is_some_and(|most| self.rounds >= most)
    }
}

/// A search that was ended in any round, in the first of two methods or in the second, and is taken up from what it kept, ends with the same bits.
#[test]
fn a_search_that_is_taken_up_again_ends_with_the_same_bits() {
    let nsga = UNKNOWNS.to_string();
    let two = study("method = \"nsga2\"\npopulation = 12\ngenerations = 9", &nsga)
        .replace("normalise = \"max-abs\"", "normalise = \"max-abs\"\nobjective = 2");
    let texts = [
        study("starts = 4", UNKNOWNS),
        study("method = \"cma-es\"\nthen = \"least-squares\"\nevaluations = 300", UNKNOWNS),
        study("method = \"quasi-newton\"", UNKNOWNS),
        two,
    ];
    for text in texts {
        let (system, plan) = (system(BALL), planned(&text, forces()).unwrap_or_else(|faults| panic!("{faults:?}")));
        let mut whole = Breaking::default();
        let expected = run(&system, &plan, None, &mut whole).expect("a run").fit.expect("a record");
        assert!(whole.rounds > 6, "{}", whole.rounds);
        for most in [1, 2, whole.rounds / 2, whole.rounds - 1] {
            let mut first = Breaking { most: Some(most), ..Breaking::default() };
            let broken = run(&system, &plan, None, &mut first).expect("a run");
            assert!(matches!(broken.status, Status::Interrupted { .. }) && first.rounds == most, "{:?}", broken.status);
            let mut second = Breaking { from: first.lines, ..Breaking::default() };
            let found = run(&system, &plan, None, &mut second).expect("a run").fit.expect("a record");
            assert_eq!(second.rounds, whole.rounds - most);
            assert_eq!(found, expected, "broken after {most} of {}", whole.rounds);
        }
    }
}

/// What is not a checkpoint of this fit is refused with a name.
#[test]
fn a_checkpoint_that_says_too_little_is_refused() {
    let (system, plan) = (system(BALL), planned(&study("", UNKNOWNS), forces()).expect("a plan"));
    let mut first = Breaking { most: Some(3), ..Breaking::default() };
    let _ = run(&system, &plan, None, &mut first).expect("a run");
    let lines = first.lines.expect("kept");
    let without = |word: &str| lines.iter().filter(|(name, _)| !name.contains(word)).cloned().collect::<Lines>();
    let garbled = lines.iter().map(|(name, _)| (name.clone(), "zz".to_string())).collect::<Lines>();
    for from in [without("best.point"), without("history.rows"), garbled] {
        let found = run(&system, &plan, None, &mut Breaking { from: Some(from), ..Breaking::default() });
        let codes: Vec<&str> = found.map(|_| ()).expect_err("refused").iter().map(|finding| finding.code).collect();
        assert_eq!(codes, ["checkpoint-malformed"]);
    }
}

/// Noise of a known size on exact data: the spread that is told is that of the noise, and intervals hold the truth.
#[test]
fn told_intervals_hold_the_truth() {
    let mut random = borelli_testkit::Random::new(3);
    let noisy: String = forces()
        .lines()
        .enumerate()
        .map(|(k, line)| match (k, line.rsplit_once(',')) {
            (1.., Some((before, fy))) => format!("{before},{:?}\n", fy.parse::<f64>().unwrap_or(0.0) + random.uniform(-1.0, 1.0)),
            _ => format!("{line}\n"),
        })
        .collect();
    let record = fitted(&study("", UNKNOWNS), noisy).fit.expect("a record");
    for (own, (name, truth)) in record.unknowns.iter().zip(TRUTH) {
        let (sd, [low, high]) = own.spread.expect("determined");
        assert!(sd > 0.0 && low < truth && truth < high, "{name}: {low} {truth} {high}");
        assert!((own.best / truth - 1.0).abs() < 0.05, "{name}: {}", own.best);
    }
}

#[test]
fn what_cannot_be_fitted_is_named() {
    let with = |from: &str, to: &str| UNKNOWNS.replacen(from, to, 1);
    let cases: [(&str, String, &[&str]); 9] = [
        ("no parameter", with("path = \"law.push.stiffness\"", "paths = []"), &["nothing-listed"]),
        (
            "two units",
            with("path = \"law.push.stiffness\"", "paths = [\"law.push.stiffness\", \"body.ball.mass\"]"),
            &["unlike-parameters"],
        ),
        ("unknown path", with("law.push.stiffness", "law.push.stifness"), &["unknown-parameter"]),
        ("crossed bounds", with("high = \"105 mm\"", "high = \"85 mm\""), &["fit-unknown"]),
        ("start outside", with("start = \"97 mm\"", "start = \"120 mm\""), &["fit-unknown"]),
        ("one bound", with("high = \"105 mm\"\n", ""), &["one-bound"]),
        ("wrong unit", with("low = \"90 mm\"", "low = \"90 kg\""), &["wrong-unit"]),
        ("path twice", with("law.push.dissipation", "law.push.stiffness"), &["path-twice"]),
        ("log from zero", with("path = \"law.push.dissipation\"", "path = \"law.push.dissipation\"\nscale = \"log\""), &["fit-unknown"]),
    ];
    for (what, unknowns, expected) in cases {
        assert_eq!(faults(&study("", &unknowns), forces()), expected, "{what}");
    }
    let text = study("", UNKNOWNS);
    assert_eq!(faults(&text.replace("data = \"fy\"", "data = \"fz\""), forces()), ["no-measured-column"]);
    assert_eq!(faults(&text.replace("derived.vertical\"\ndata", "derived.upright\"\ndata"), forces()), ["no-such-column"]);
    let late = "time [s],fx [N],fy [N]\n5,0,1\n6,0,2\n7,0,1\n8,1,0\n".to_string();
    assert_eq!(faults(&text, late), ["bad-measured-column", "bad-measured-column"]);
    let half: String = forces().lines().take(100).map(|line| format!("{line}\n")).collect();
    assert_eq!(faults(&text, half), ["bad-measured-column", "bad-measured-column"]);
    assert_eq!(faults(&study("power = 0.5", UNKNOWNS), forces()), ["power-below-one"]);
    assert_eq!(faults(&text.replace("normalise = \"max\"", "normalise = \"max\"\nreduce = \"max\""), forces()), ["max-in-least-squares"]);
    assert_eq!(
        faults(&text.replace("normalise = \"max\"", "normalise = \"max\"\nwhere = \"data.fy > [1e9 N]\""), forces()),
        ["no-sample-counts"]
    );
}
