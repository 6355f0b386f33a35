//! Tests of reading studies: what a file says comes out in the plan, and every broken file is refused with the message recorded beside it.
//! `BORELLI_BLESS=1` records the messages anew; read the difference before committing it.

use super::*;
use crate::expect::{Amount, Bound, Choice, Subject};
use crate::measure::MEASURES;
use crate::plan::{Action, Integrator, KnownValue, MotionSource, StartRule};
use borelli_dynamics::formulation::segment_chain::{Given, Preset};
use borelli_dynamics::integrate::{Direction, Form, INTEGRATORS, StartAcceleration};
use borelli_dynamics::movement::DriftControl;
use borelli_model::{Field, FieldKind};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn read(text: &str) -> StudyFile {
    study_with(text, Files::new(|path| Err(io::Error::new(io::ErrorKind::NotFound, format!("no `{path}` here")))))
}

fn study_with(text: &str, files: Files) -> StudyFile {
    StudyFile::parse("studies/walk/study.toml", text, files).unwrap_or_else(|rejected| panic!("{rejected}"))
}

fn owned(list: &[(&str, &str)]) -> Vec<Override> {
    list.iter().map(|(path, value)| Override::set(*path, *value)).collect()
}

fn codes(rejected: Rejected) -> Vec<&'static str> {
    rejected.findings.iter().map(|f| f.code).collect()
}

const SMALL: &str = "borelli = 1\ntitle = \"Small\"\nmodel = \"pendulum\"\n[time]\nend = \"1 s\"\n";

const WHOLE: &str = r#"
borelli = 1
title = "Ballistic walking"
description = "One step."
source = "section 4.4.2"
model = "../models/leg.toml"
analysis = "shoot"
formulation = "cartesian"
columns = ["coord.*", "joint.*"]

[set]
"body.stance.mass" = "11.72 kg"
initial.speeds.stance = "-1.2 rad/s"

[time]
start = "0.1 s"
end = "600 ms"
sample = "0.01 s"

[integrator]
method = "newmark"
rtol = 1e-8
atol = 1e-10
step = "1 ms"
max_step = "5 ms"
min_step = 1e-12
max_steps = 5000
beta = 0.25
gamma = 0.5
rho = 0.9
unknown = "a"
start_acceleration = "zero"
stop_at_breakpoints = false

[drift]
control = "baumgarte"
alpha = "5 1/s"
beta = 20

[start]
rule = "positions"
released = ["loop.toe", "guide.hand"]

[[event]]
name = "touchdown"
when = "body.foot.y - 0.02"
direction = "falling"
action = "stop"

[[event]]
name = "letting-go"
when = "loop.pin.force"
action = "release"
release = "loop.pin"

[[event]]
name = "stance"
when = "body.foot.vy"
action = "engage"
engage = "loop.toe"

[[event]]
name = "grip"
when = "body.hand.vy"
action = "engage"
engage = "guide.hand"
tolerance = 1e-4

[column.knee-flexion]
formula = "-coord.knee.value"
unit = "rad"

[shoot]
unknowns = ["initial.speeds.stance", "initial.speeds.swing"]
tolerance = 1e-9
iterations = 20
[[shoot.target]]
formula = "coord.stance.value"
value = "-20 deg"
[[shoot.target]]
formula = "coord.swing.value"
value = 0.5

[sweep]
case = ["none", "5-5"]
"drift.alpha" = [0, 5]
"body.stance.length" = ["40 cm", "0.5 m"]

[[plot]]
title = "Angles"
columns = ["coord.stance.value", "coord.swing.value"]
case = "none"

[picture]
kind = "plot"
plot = "Angles"

[[expect]]
quantity = "stance rate at mid-stance"
column = "coord.stance.rate"
case = "5-5"
measure = "value"
at = "0.3 s"
value = "-54.44 deg/s"
tolerance = "0.005 deg/s"
basis = "published"
source = "table 9.6"
note = "as printed"

[[expect]]
quantity = "cost"
column = "run.evaluations"
cases = "all"
value = 1000
bound = "at-most"
basis = "benchmark"

[[expect]]
quantity = "distance"
columns = ["coord.stance.value", "coord.swing.value"]
case = "none"
measure = "distance"
norm = "rms"
against = { file = "benchmarks/data/x.csv", file_columns = ["a", "b"] }
value = 0
tolerance = "1e-3 rad"
basis = "reference"
"#;

#[test]
fn everything_a_file_says_stands_in_the_plan() {
    let study = read(WHOLE);
    assert_eq!((study.id.as_str(), study.title.as_str(), study.description.as_str()), ("walk", "Ballistic walking", "One step."));
    assert_eq!(study.source, "section 4.4.2");
    assert_eq!(study.cases.iter().map(|case| case.name.as_str()).collect::<Vec<_>>(), ["none", "5-5"]);
    let plan = study.plan("5-5", &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
    assert!(matches!(&plan.model, ModelSource::File { path, .. } if path == "studies/models/leg.toml"), "{:?}", plan.model);
    assert_eq!((plan.analysis, plan.formulation.as_str()), (Analysis::Shoot, "cartesian"));
    assert_eq!(plan.columns, ["coord.*", "joint.*"]);
    let settings: Vec<(&str, &str)> = plan.settings.iter().map(|s| (s.path.as_str(), s.text.as_str())).collect();
    let expected = [("body.stance.mass", "11.72 kg"), ("initial.speeds.stance", "-1.2 rad/s"), ("body.stance.length", "0.5 m")];
    assert_eq!(settings, expected);
    assert_eq!(plan.sources.locate(plan.settings[0].at.unwrap()).line, 12);
    assert_eq!((plan.time.start, plan.time.end, plan.time.sample), (0.1, 0.6, Some(0.01)));
    let Integrator { method, settings, beta, gamma, rho, form, start_acceleration, settle_soft, load_steps, stop_at_breakpoints } =
        plan.integrator;
    assert_eq!(method.as_deref(), Some("newmark"));
    assert_eq!((settings.rtol, settings.atol, settings.step, settings.max_step), (1e-8, 1e-10, Some(1e-3), 5e-3));
    assert_eq!((settings.min_step, settings.max_steps, beta, gamma, rho), (1e-12, 5000, 0.25, 0.5, 0.9));
    assert_eq!((form, start_acceleration, stop_at_breakpoints), (Form::Acceleration, StartAcceleration::Zero, false));
    assert_eq!((settle_soft, load_steps), (false, 1));
    assert_eq!(plan.drift, DriftControl::Baumgarte { alpha: 5.0, beta: 20.0 });
    assert_eq!(plan.start, StartRule::Positions);
    assert_eq!((plan.events[0].name.as_str(), plan.events[0].direction), ("touchdown", Direction::Falling));
    assert_eq!((&plan.events[0].action, plan.events[0].when.as_str()), (&Action::Stop, "body.foot.y - 0.02"));
    assert_eq!((plan.events[1].direction, &plan.events[1].action), (Direction::Any, &Action::Release("loop.pin".into())));
    assert_eq!(plan.released, ["loop.toe", "guide.hand"]);
    assert_eq!(plan.events[2].action, Action::Engage { target: "loop.toe".into(), tolerance: 1e-6, dim: None });
    assert_eq!(plan.events[3].action, Action::Engage { target: "guide.hand".into(), tolerance: 1e-4, dim: None });
    assert_eq!((plan.derived[0].name.as_str(), plan.derived[0].unit.as_deref()), ("knee-flexion", Some("rad")));
    let shoot = plan.shoot.expect("a boundary-value problem");
    assert_eq!(shoot.unknowns, ["initial.speeds.stance", "initial.speeds.swing"]);
    assert_eq!((shoot.tolerance, shoot.iterations), (1e-9, 20));
    assert_eq!(shoot.targets.iter().map(|t| t.value.as_str()).collect::<Vec<_>>(), ["-20 deg", "0.5"]);
    assert_eq!(study.plan("none", &[]).map(|plan| plan.drift).ok(), Some(DriftControl::Baumgarte { alpha: 0.0, beta: 20.0 }));
    assert_eq!(study.plots[0].columns.len(), 2);
    assert_eq!((study.poster, read(&WHOLE.replacen("\ncolumns =", "\nposter = \"300 ms\"\ncolumns =", 1)).poster), (None, Some(0.3)));
    assert_eq!(study.picture, Some(Picture::Plot(0)));
}

#[test]
fn a_strip_has_given_times_or_an_interval_or_neither() {
    let of = |fields: &str| read(&WHOLE.replace("kind = \"plot\"\nplot = \"Angles\"", &format!("kind = \"strip\"\n{fields}"))).picture;
    let strip = |instants: Instants, superposed: bool| Some(Picture::Strip { instants, superposed, case: None });
    assert_eq!(of(""), strip(Instants::Spread, false));
    assert_eq!(of("times = [0, \"50 ms\"]"), strip(Instants::At(vec![0.0, 0.05]), false));
    assert_eq!(of("interval = \"119.6 ms\"\nsuperposed = true"), strip(Instants::Every(0.1196), true));
}

#[test]
fn expectations_keep_the_units_they_are_written_in() {
    let study = read(WHOLE);
    let [rate, cost, distance] = &study.expects[..] else { panic!("three expectations") };
    assert_eq!(
        (rate.measure, rate.subject.clone(), &rate.cases[..]),
        (Some("value"), Subject::Column("coord.stance.rate".into()), &["5-5".into()][..])
    );
    assert_eq!((rate.value.number, rate.value.unit.as_deref(), rate.tolerance.number), (-54.44, Some("deg/s"), 0.005));
    assert!((rate.value.si() + 54.44_f64.to_radians()).abs() < 1e-15);
    assert!(matches!(rate.options[..], [("at", Choice::Number(q))] if q.value == 0.3));
    assert_eq!((rate.basis, rate.source.as_str(), rate.note.as_str()), ("published", "table 9.6", "as printed"));
    assert_eq!((cost.measure, cost.bound, cost.cases.len(), cost.tolerance.number), (None, Bound::AtMost, 2, 0.0));
    assert_eq!(distance.value, Amount { number: 0.0, ..distance.tolerance.clone() }, "zero takes the unit of the tolerance");
    assert_eq!(distance.options, [("norm", Choice::Word("rms"))]);
    assert_eq!(distance.against.as_ref().map(|a| a.file_columns.len()), Some(2));
}

#[test]
fn a_small_study_and_a_model_alone_have_the_defaults_of_the_program() {
    let default = Plan::default();
    for plan in [read(SMALL).plan("", &[]), plan_of_model(&[])] {
        let plan = plan.unwrap_or_else(|rejected| panic!("{rejected}"));
        assert_eq!((plan.analysis, &plan.formulation, plan.time), (default.analysis, &default.formulation, default.time));
        assert_eq!((plan.integrator, plan.drift, plan.start), (default.integrator.clone(), default.drift, default.start));
        assert!(plan.settings.is_empty() && plan.events.is_empty() && plan.derived.is_empty() && plan.columns.is_empty());
        assert!(plan.motion.is_none() && plan.shoot.is_none());
    }
    assert_eq!(plan_of_model(&[]).map(|plan| plan.model).ok(), Some(ModelSource::Given));
    let model = read(SMALL).plan("", &[]).expect("a plan").model;
    assert!(matches!(model, ModelSource::Gallery { name, .. } if name == "pendulum"));
}

#[test]
fn settings_of_the_command_line_come_last_and_their_faults_point_at_them() {
    let study = read(WHOLE);
    let set =
        owned(&[("time.end", "0.5"), ("drift.control", "none"), ("body.stance.mass", "12 kg"), ("integrator.stop_at_breakpoints", "true")]);
    // α and β are still there, and have no meaning without Baumgarte
    assert_eq!(codes(study.plan("5-5", &set).unwrap_err()), ["idle-drift", "idle-drift"]);
    let set =
        owned(&[("time.end", "0.5"), ("drift.alpha", "7"), ("body.stance.mass", "12 kg"), ("integrator.stop_at_breakpoints", "true")]);
    let plan = study.plan("5-5", &set).unwrap_or_else(|rejected| panic!("{rejected}"));
    assert_eq!(
        (plan.time.end, plan.drift, plan.integrator.stop_at_breakpoints),
        (0.5, DriftControl::Baumgarte { alpha: 7.0, beta: 20.0 }, true)
    );
    let last = plan.settings.last().expect("the mass");
    assert_eq!((last.path.as_str(), last.text.as_str()), ("body.stance.mass", "12 kg"));
    assert_eq!(plan.sources.slice(last.at.unwrap()), "12 kg");
    let text = study.plan("5-5", &owned(&[("time.end", "3 m")])).unwrap_err().to_string();
    assert!(text.starts_with("--set:1:10: error[wrong-unit]: `time`: field `end`: expected s, found m\n  1 | time.end=3 m\n"), "{text}");
    let text = study.plan("5-5", &owned(&[("time.edn", "3 s")])).unwrap_err().to_string();
    assert!(text.contains("error[unknown-path]") && text.contains("did you mean `time.end`?"), "{text}");
    let text = study.plan("five", &[]).unwrap_err().to_string();
    assert!(text.contains("error[unknown-case]: there is no case `five`") && text.contains("cases here: none, 5-5"), "{text}");
    assert_eq!(codes(read(SMALL).plan("5-5", &[]).unwrap_err()), ["no-sweep"]);
    assert_eq!(plan_of_model(&owned(&[("time.end", "2 s")])).map(|plan| plan.time.end).ok(), Some(2.0));
}

#[test]
fn a_grid_makes_all_combinations_and_names_them_by_their_values() {
    let text =
        format!("{SMALL}[sweep]\ncombine = \"grid\"\nmodel = [\"pendulum\", \"m/rod.toml\"]\n\"integrator.rtol\" = [1e-4, 1e-10, 0.5]\n");
    let study = read(&text);
    let names: Vec<&str> = study.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["pendulum_1e-4", "pendulum_1e-10", "pendulum_0.5", "m-rod_1e-4", "m-rod_1e-10", "m-rod_0.5"]);
    let plan = study.plan("m-rod_1e-10", &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
    assert_eq!(plan.integrator.settings.rtol, 1e-10);
    assert!(matches!(plan.model, ModelSource::File { path, .. } if path == "studies/walk/m/rod.toml"));
}

#[test]
fn a_case_may_be_told_in_a_sentence() {
    let sweep = "[sweep]\ncase = [\"step-0.60\", \"coarse\"]\n\"integrator.rtol\" = [1e-4, 0.5]\n";
    let about = |text: &str| format!("{SMALL}{sweep}[about]\n{text}\n");
    let told = |text: &str| read(&about(text)).cases.into_iter().map(|case| case.about).collect::<Vec<_>>();
    assert_eq!(told("\"step-0.60\" = \" Steps of 0.6 s. \""), ["Steps of 0.6 s.", ""]);
    assert_eq!(told("coarse = \"Few digits.\""), ["", "Few digits."]);
    let faults = |text: &str| StudyFile::parse("s.toml", text, Files::on_disk()).map_or_else(codes, |_| Vec::new());
    assert_eq!(faults(&about("coarser = \"Fewer.\"")), ["unknown-case"]);
    assert_eq!(faults(&about("coarse = 1")), ["wrong-type"]);
    assert_eq!(faults(&format!("{SMALL}[about]\ncoarse = \"Few digits.\"\n")), ["no-sweep"]);
}

#[test]
fn a_plot_shows_one_case_several_or_all() {
    let sweep = "[sweep]\n\"integrator.rtol\" = [1e-4, 1e-10, 0.5]\n";
    let plot = |cases: &str| format!("{SMALL}{sweep}[[plot]]\ntitle = \"T\"\ncolumns = [\"coord.*\"]\n{cases}\n");
    let shown = |cases: &str| {
        let study = read(&plot(cases));
        ["1e-4", "1e-10", "0.5"].map(|case| study.plots[0].shows(case))
    };
    assert_eq!(shown(""), [true; 3]);
    assert_eq!(shown("case = \"0.5\""), [false, false, true]);
    assert_eq!(shown("cases = [\"1e-4\", \"0.5\"]"), [true, false, true]);
    let faults = |cases: &str| StudyFile::parse("s.toml", &plot(cases), Files::on_disk()).map_or_else(codes, |_| Vec::new());
    assert_eq!(faults("cases = [\"1e-5\"]"), ["unknown-case"]);
    assert_eq!(faults("case = \"0.5\"\ncases = [\"1e-4\"]"), ["wrong-field"]);
}

#[test]
fn a_motion_is_read_beside_the_study_and_gives_the_times() {
    let table = "time,coord.pivot.value [rad]\n0.5,0.1\n1,0.2\n2,0.3\n";
    let files = Files::new(move |path| match path {
        "studies/walk/data/walk.csv" => Ok(table.as_bytes().to_vec()),
        _ => Err(io::Error::new(io::ErrorKind::NotFound, "nothing")),
    });
    let text = "borelli = 1\ntitle = \"M\"\nmodel = \"pendulum\"\nanalysis = \"evaluate\"\n[motion]\nfile = \"data/walk.csv\"\n";
    let plan = study_with(text, files.clone()).plan("", &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
    assert_eq!((plan.time.start, plan.time.end), (0.5, 2.0));
    let table = plan.motion.map(|motion| motion.source);
    assert!(matches!(table, Some(MotionSource::File(file)) if file.table.len() == 3));
    let other = StudyFile::parse("studies/other/study.toml", text, files);
    assert_eq!(codes(other.unwrap_err()), ["bad-motion"]);
}

#[test]
fn a_study_and_a_model_are_told_apart() {
    let document = |text: &str| Document::of("a.toml", text.as_bytes().to_vec()).expect("a document");
    assert!(is_study(&document(SMALL)));
    assert!(is_study(&document("borelli = 1\n[[expect]]\nquantity = \"x\"\n")), "a study that forgot its model");
    assert!(!is_study(&document("borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 1\n")));
    assert!(!is_study(&document("borelli = 1\nname = \"a\"\ndescription = \"b\"\n")));
    assert_eq!((id_of("studies/walk/study.toml"), id_of("a/fall.toml")), ("walk".to_string(), "fall".to_string()));
}

#[test]
fn paths_of_settings_parameters_and_nothing_are_told_apart() {
    let paths = setting_paths();
    for path in [
        "model",
        "analysis",
        "time.end",
        "integrator.method",
        "drift.alpha",
        "start.rule",
        "motion.file",
        "shoot.iterations",
        "mixed.preset",
    ] {
        assert!(paths.iter().any(|known| known == path), "{path}");
        assert_eq!(place_of(path), Place::Setting);
    }
    for path in ["body.a.mass", "initial.speeds.knee", "gravity.y", "function.f.amplitude"] {
        assert_eq!(place_of(path), Place::Parameter, "{path}");
    }
    assert_eq!(place_of("integrator.rtoll"), Place::Nothing(Some("integrator.rtol".into())));
    assert_eq!(place_of("boddy.a.mass"), Place::Nothing(Some("body.a.mass".into())));
    assert_eq!(place_of("no.such.thing"), Place::Nothing(None));
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/read/broken")
}

#[test]
fn every_broken_study_is_refused_with_its_recorded_message() {
    let bless = std::env::var_os("BORELLI_BLESS").is_some();
    let mut files: Vec<PathBuf> = fs::read_dir(folder()).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    let (mut found_codes, mut wrong) = (BTreeSet::new(), Vec::new());
    for path in &files {
        let name = path.file_name().and_then(|n| n.to_str()).expect("a plain name");
        let text = fs::read_to_string(path).expect("readable");
        let missing = Files::new(|_| Err(io::Error::new(io::ErrorKind::NotFound, "there is no such file")));
        let rejected = match StudyFile::parse(name, &text, missing) {
            Ok(_) => {
                wrong.push(format!("{name}: not refused"));
                continue;
            }
            Err(rejected) => rejected,
        };
        let codes: Vec<&str> = rejected.findings.iter().map(|f| f.code).collect();
        found_codes.extend(codes.iter().map(|code| code.to_string()));
        let expected = text.lines().next().and_then(|line| line.strip_prefix("# expect: ")).unwrap_or("");
        if !codes.contains(&expected) {
            wrong.push(format!("{name}: expected {expected}, found {codes:?}"));
        }
        if let Some(finding) = rejected.findings.iter().find(|f| f.hint.is_none() || f.at.is_none()) {
            wrong.push(format!("{name}: no hint or no place: {finding:?}"));
        }
        let shown = rejected.to_string();
        let record = path.with_extension("txt");
        if bless {
            fs::write(&record, &shown).expect("writable");
        } else if fs::read_to_string(&record).unwrap_or_default() != shown {
            wrong.push(format!("{name}: the message changed\n{shown}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files.len() >= 60, "only {} broken studies", files.len());
    assert!(found_codes.len() >= 35, "only {} different faults: {found_codes:?}", found_codes.len());
}

/// Names and words of fields, with those of tables inside.
fn words(fields: &[Field], out: &mut BTreeSet<&'static str>) {
    for field in fields {
        out.insert(field.name);
        match field.kind {
            FieldKind::Choice(list) => out.extend(list),
            FieldKind::WordOf(list) => out.extend(list()),
            FieldKind::Table(inner) | FieldKind::Named(inner) => words(inner, out),
            FieldKind::List(inner) => words(&inner(), out),
            _ => {}
        }
    }
}

#[test]
fn the_manual_names_every_word_a_study_may_use() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/study-format.md");
    let manual = fs::read_to_string(path).expect("the manual");
    let mut all = BTreeSet::new();
    words(TOP, &mut all);
    all.extend(MEASURES.iter().map(|measure| measure.name));
    let missing: Vec<&&str> = all.iter().filter(|word| !manual.contains(&format!("`{word}`"))).collect();
    assert!(missing.is_empty(), "not in the manual: {missing:?}");
    assert!(all.len() > 100 && INTEGRATORS.iter().all(|entry| all.contains(entry.name)), "{} words", all.len());
}

#[test]
fn the_schema_names_every_word_a_study_may_use() {
    let schema = study_schema();
    let mut all = BTreeSet::new();
    words(TOP, &mut all);
    let missing: Vec<&&str> = all.iter().filter(|word| !schema.contains(&format!("\"{word}\""))).collect();
    assert!(missing.is_empty(), "not in the schema: {missing:?}");
}

#[test]
fn a_spoiled_line_never_panics_and_its_faults_have_places_and_hints() {
    let lines: Vec<&str> = WHOLE.lines().collect();
    let (mut refused, mut taken) = (0, 0);
    for k in 0..lines.len() {
        let key = lines[k].split('=').next().unwrap_or("").trim_end();
        for value in ["", "true", "[]", "{}", "\"\"", "-1", "1e400", "2020-01-01", "\"1 furlong\"", "[[1]]", "[{ a = 1 }]", "\"(\""] {
            let spoiled = if value.is_empty() { String::new() } else { format!("{key} = {value}") };
            let text: Vec<&str> = lines.iter().enumerate().map(|(j, line)| if j == k { spoiled.as_str() } else { line }).collect();
            let missing = Files::new(|_| Err(io::Error::new(io::ErrorKind::NotFound, "nothing")));
            match StudyFile::parse("spoiled.toml", &text.join("\n"), missing) {
                Ok(_) => taken += 1,
                Err(rejected) => {
                    refused += 1;
                    for finding in rejected.findings.iter() {
                        assert!(finding.hint.is_some() && finding.at.is_some(), "{spoiled}: {finding:?}");
                    }
                }
            }
        }
    }
    // most fields are needed or typed; texts and free lines are not
    assert!(refused > 2 * taken && taken > 50, "{refused} refused, {taken} taken");
}

#[test]
fn what_is_known_and_unknown_stands_in_the_plan_and_is_swept_by_lists() {
    let text = r#"borelli = 1
title = "M"
model = "squat4"
analysis = "mixed"
[time]
end = 1
[mixed]
unknown = ["M_3"]
base = "feet"
[[mixed.known]]
variable = "phidd_3"
value = "-2 rad/s^2"
[[mixed.known]]
variable = "body.hat.force.x"
extra = 20
[[mixed.row]]
name = "hip"
terms = { "joint.hip.acceleration.x" = 1, M_2 = -0.5 }
right = "3 m/s^2"
frees = "body.hat.support.x"
[sweep]
case = ["a", "b"]
"mixed.preset" = ["forward", "inverse-from-base"]
"mixed.unknown" = [["M_3"], ["M_1", "M_2"]]
"#;
    let study = read(text);
    let plan = study.plan("a", &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
    let mixed = plan.mixed.expect("a problem");
    assert_eq!(plan.formulation, "segment-chain");
    assert_eq!((mixed.task.preset, mixed.task.without_rows, mixed.task.base.as_deref()), (Preset::Forward, false, Some("feet")));
    assert_eq!(mixed.task.known, [("phidd_3".to_string(), Given::Whole), ("body.hat.force.x".to_string(), Given::Extra)]);
    assert_eq!(mixed.known, [KnownValue::Formula("-2 rad/s^2".into()), KnownValue::Formula("20".into())]);
    let row = &mixed.task.rows[0];
    assert_eq!(row.terms, [("joint.hip.acceleration.x".to_string(), 1.0), ("M_2".to_string(), -0.5)]);
    assert_eq!((row.frees.as_deref(), mixed.rights[0].as_str()), (Some("body.hat.support.x"), "3 m/s^2"));
    let other = study.plan("b", &owned(&[("mixed.loops", "leave-out")])).unwrap_or_else(|rejected| panic!("{rejected}"));
    let mixed = other.mixed.expect("a problem");
    assert_eq!((mixed.task.preset, mixed.task.without_rows), (Preset::InverseFromBase, true));
    assert_eq!(mixed.task.unknown, ["M_1", "M_2"]);
}

#[test]
fn lists_are_set_as_they_are_written_in_a_file() {
    let text = "borelli = 1\ntitle = \"\"\nmodel = \"m\"\nanalysis = \"mixed\"\n[time]\nend = 1\n[mixed]\nunknown = [\"M_3\"]\n";
    let study = read(text);
    let set = owned(&[("mixed.unknown", "[\"M_1\", 'M_2']"), ("mixed.known", "[{ variable = \"phidd_1\", value = \"2 rad/s^2\" }]")]);
    let plan = study.plan("", &set).unwrap_or_else(|rejected| panic!("{rejected}"));
    let mixed = plan.mixed.expect("a problem");
    assert_eq!(mixed.task.unknown, ["M_1", "M_2"]);
    assert_eq!(mixed.known, [KnownValue::Formula("2 rad/s^2".into())]);
    // Places are those of the setting: M_2 stands after `mixed.unknown=["M_1", `.
    let place = plan.sources.locate(mixed.places.unknown[1]);
    assert_eq!((place.line, place.column), (1, 23));
}

#[test]
fn a_motion_of_fewer_than_two_rows_says_so_with_its_file_and_line() {
    let text = "borelli = 1\ntitle = \"\"\nmodel = \"m\"\nanalysis = \"evaluate\"\n[motion]\nfile = \"m.csv\"\n";
    for (table, line, words) in [("time,coord.a.value\n", "line 1", "no row"), ("time,coord.a.value\n0,1\n", "line 2", "one row only")] {
        let files = Files::new(move |_| Ok(table.as_bytes().to_vec()));
        let told = StudyFile::parse("study.toml", text, files).expect_err("too short").to_string();
        assert!([line, words, "m.csv", "bad-motion"].iter().all(|part| told.contains(part)), "{told}");
    }
}

#[test]
fn a_plot_over_what_is_swept_has_a_point_for_each_case() {
    let study = |plot: &str| {
        format!(
            "{SMALL}[sweep]\ncase = [\"a\", \"b\", \"c\"]\n\"body.rod.mass\" = [\"1 kg\", \"3 kg\", \"2 kg\"]\n\"integrator.rtol\" = [1e-3, 1e-4, 1e-5]\n\
             \"body.rod.length\" = [\"1 m\", \"20 cm\", \"3 m\"]\n[[plot]]\ntitle = \"t\"\ncolumns = [\"coord.*\"]\n{plot}"
        )
    };
    let over = |plot: &str| read(&study(plot)).plots[0].over.clone();
    assert_eq!(over(""), None);
    let mass = over("over = \"body.rod.mass\"\nmeasure = \"peak\"\ncases = [\"c\", \"a\"]").expect("a sweep");
    let points: Vec<(&str, f64)> = mass.points.iter().map(|(case, x)| (case.as_str(), *x)).collect();
    assert_eq!((mass.unit.as_str(), mass.measure.as_str(), points), ("kg", "peak", vec![("a", 1.0), ("c", 2.0)]));
    assert_eq!(over("over = \"integrator.rtol\"").map(|own| (own.unit, own.measure)), Some((String::new(), "last".into())));
    for (plot, code) in [
        ("over = \"body.rod.length\"", "no-swept-number"),
        ("over = \"body.rod.center\"", "no-swept-number"),
        ("measure = \"max\"", "wrong-field"),
    ] {
        let rejected = StudyFile::parse("study.toml", &study(plot), Files::on_disk()).expect_err(plot);
        assert!(rejected.findings.iter().any(|finding| finding.code == code), "{plot}: {:?}", codes(rejected));
    }
}
