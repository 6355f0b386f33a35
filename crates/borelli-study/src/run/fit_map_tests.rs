//! Cells of a pressure mat as residuals: slopes against differences and closed forms, against the maps of a run, without memory asked for, faults.

use super::fit::{fitted, problem};
use super::tests::system;
use super::*;
use crate::fit::Way;
use crate::measured::motion_file;
use crate::plan::{Motion, MotionSource, Plan};
use crate::read::{Files, StudyFile};
use borelli_fit::{Answer, Query, Wanted};
use borelli_testkit::count_allocations;
use std::io;

/// A foot with two tilted ellipsoids of one contact, one of them far overhanging, over a mat on the floor; it slides in a plane and turns in two ways.
const FOOT: &str = r#"
borelli = 1
dimension = "spatial"
[world.point]
mat = ["-112.3 mm", 0, "-63.1 mm"]
[world.frame.base]
origin = [0, "1 mm", 0]
[body.carriage]
mass = "1 kg"
inertia = [0.01, 0.01, 0.01]
[body.foot]
mass = "0.8 kg"
inertia = [0.01, 0.01, 0.01]
[body.foot.frame.heel]
origin = ["-60 mm", "5 mm", "4 mm"]
angles = [0.3, 0.2, 0.5]
[body.foot.frame.ball]
origin = ["50 mm", "2 mm", "-3 mm"]
angles = [-0.2, 0.4, -0.3]
[joint.lift]
type = "slider"
parent = "world.base"
child = "carriage"
axis = [0, 1, 0]
[joint.ankle]
type = "hinge"
parent = "carriage"
child = "foot"
axis = [0.1, 0.2, 0.97]
[function.up]
type = "table"
x = [0, 0.03, 0.07, 0.1]
y = ["0 mm", "0 mm", "0 mm", "0 mm"]
[surface]
floor = { type = "half-space", at = "world" }
heel = { type = "ellipsoid", at = "foot.heel", a = "55 mm", b = "30 mm", c = "35 mm" }
ball = { type = "ellipsoid", at = "foot.ball", a = "40 mm", b = "35 mm", c = "30 mm" }
[law]
rub = { type = "tanh", friction = 0.35, transition = "0.05 m/s" }
bed = { type = "volumetric", stiffness = "2e7 N/m^3", dissipation = "0.3 s/m", softness = 0.5 }
[contact.sole]
a = ["heel", "ball"]
b = "floor"
normal = "bed"
friction = "rub"
[sensor.mat]
type = "pressure-mat"
on = "floor"
at = "world.mat"
cells = [30, 16]
pitch = "7.5 mm"
"#;

const UNKNOWNS: [(&str, &str, &str); 14] = [
    ("surface.heel.a", "50 mm", "60 mm"),
    ("surface.heel.b", "25 mm", "35 mm"),
    ("surface.ball.c", "25 mm", "35 mm"),
    ("body.foot.frame.heel.origin.x", "-65 mm", "-55 mm"),
    ("body.foot.frame.heel.angles.x", "0.2 rad", "0.4 rad"),
    ("body.foot.frame.heel.angles.z", "0.4 rad", "0.6 rad"),
    ("body.foot.frame.ball.angles.y", "0.3 rad", "0.5 rad"),
    ("law.bed.stiffness", "1e7 N/m^3", "3e7 N/m^3"),
    ("law.bed.dissipation", "0 s/m", "0.6 s/m"),
    ("law.bed.softness", "0.3", "0.7"),
    ("world.point.mat.x", "-115 mm", "-109 mm"),
    ("world.frame.base.origin.y", "-1 mm", "3 mm"),
    ("function.up.y.2", "-2 mm", "2 mm"),
    ("function.up.y.3", "-2 mm", "2 mm"),
];

fn study(fit: &str, term: &str, more: &str) -> String {
    let unknown = |(path, low, high): &(&str, &str, &str)| {
        format!("[[fit.unknown]]\npath = \"{path}\"\nlow = \"{low}\"\nhigh = \"{high}\"\n")
            .replace("\"0.3\"", "0.3")
            .replace("\"0.7\"", "0.7")
    };
    let unknowns: String = UNKNOWNS.iter().map(unknown).collect();
    format!(
        "borelli = 1\ntitle = \"mat\"\nmodel = \"given\"\nanalysis = \"fit\"\n[time]\nsample = \"10 ms\"\n\
         [motion]\nfile = \"motion.csv\"\nadd = {{ lift = \"up\" }}\n[fit]\nof = \"evaluate\"\n{fit}\n\
         [[fit.trial]]\nname = \"step\"\ndata = [\"plate.csv\"]\nmaps = {{ mat = \"map.csv\" }}\n\
         [[fit.term]]\nname = \"pressure\"\n{term}\n{unknowns}{more}"
    )
}

const TERM: &str = "mat = \"mat\"\nnormalise = \"100 N\"\nreduce = \"mean\"\nweight = 3";

/// Two frames, of which one has a cell that was not measured under the heel.
const MAP: &str = "time [s],cell x,cell z,pressure [Pa]\n0.03,5,8,40000\n0.03,6,8,nan\n0.03,20,9,1000\n0.07,0,0,0\n";

fn files(map: &'static str) -> Files {
    Files::new(move |path| {
        let text = match path {
            "motion.csv" => {
                let row = |k: i32| {
                    let t = 0.01 * f64::from(k);
                    format!("{t},{},{}\n", 0.018 - 0.004 * (20.0 * t).sin(), 0.1 * (30.0 * t).sin())
                };
                std::iter::once("time [s],lift [m],ankle [rad]\n".to_string()).chain((0..=10).map(row)).collect()
            }
            "plate.csv" => "time [s],f [N]\n0,1\n0.1,-3\n".to_string(),
            "map.csv" => map.to_string(),
            _ => return Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        Ok(text.into_bytes())
    })
}

fn plan(model: &System, text: &str, map: &'static str) -> Plan {
    let plan =
        StudyFile::parse("fit.toml", text, files(map)).and_then(|study| study.plan("", &[])).unwrap_or_else(|fault| panic!("{fault}"));
    let Some(Motion { source: MotionSource::File(file), derivatives }) = &plan.motion else { return plan };
    let table = motion_file::settle(file, model).expect("a motion").table;
    Plan { motion: Some(Motion { source: MotionSource::Table(table), derivatives: *derivatives }), ..plan }
}

#[test]
fn slopes_of_cells_are_those_of_differences() {
    let model = system(FOOT);
    let plan = plan(&model, &study("", TERM, ""), MAP);
    let fit = plan.fit.as_ref().expect("a fit").expanded(&model);
    let mut findings = Findings::new();
    let Some((channels, problem)) = problem(&model, &fitted(&plan, &fit), &fit, Way::Parts, &mut findings) else { panic!("{findings:?}") };
    let mut evaluator = problem.evaluator(&channels);
    let mut ask = |wanted: Wanted, point: Vec<f64>| {
        let mut answer = Answer::default();
        problem.answer(&mut evaluator, &Query { wanted, point }, &mut answer);
        answer
    };
    let n = problem.len();
    assert_eq!(problem.rows(), 2 * 30 * 16);
    for at in [0.41, 0.58] {
        let point: Vec<f64> = (0..n).map(|k| at + 0.02 * (k as f64).sin()).collect();
        let answer = ask(Wanted::Jacobian, point.clone());
        let plain = ask(Wanted::Residuals, point.clone());
        assert_eq!(answer.residuals, plain.residuals);
        // The cell that was not measured is under the heel, and says nothing.
        let cell = 6 * 16 + 8;
        let row = |cell: usize| &answer.slopes.residuals[cell * n..][..n];
        assert!(row(cell - 16).iter().any(|slope| *slope != 0.0), "{:?}", row(cell - 16));
        assert!(answer.residuals[cell] == 0.0 && row(cell).iter().all(|slope| *slope == 0.0));
        for k in 0..n {
            let mut moved = |by: f64| {
                let mut own = point.clone();
                own[k] += by;
                ask(Wanted::Residuals, own).residuals
            };
            let h = 2e-6;
            let (ahead, behind) = (moved(h), moved(-h));
            let size = (0..problem.rows()).map(|e| answer.slopes.residuals[e * n + k].abs()).fold(0.0, f64::max);
            assert!(size > 1e-4, "{} is not felt", fit.unknowns[k].name);
            for e in 0..problem.rows() {
                let (slope, difference) = (answer.slopes.residuals[e * n + k], (ahead[e] - behind[e]) / (2.0 * h));
                assert!(
                    (slope - difference).abs() < 1e-6 * size.max(0.01),
                    "{} cell {e}: {slope} {difference} of {size}",
                    fit.unknowns[k].name
                );
            }
        }
    }
}

/// A ball over a mat with one point in each cell, 30 mm beside it: pressed by k (√(R² - x²) - h), with a kink where that is zero.
#[test]
fn at_the_rim_of_a_patch_slopes_are_those_of_the_side() {
    let model = system(
        "borelli = 1\ndimension = \"spatial\"\n[world.point]\nmat = [\"28 mm\", 0, \"-2 mm\"]\n[body.ball]\nmass = 1\ninertia = [1, 1, 1]\n\
         [joint.lift]\ntype = \"slider\"\nparent = \"world\"\nchild = \"ball\"\naxis = [0, 1, 0]\n\
         [function.up]\ntype = \"polynomial\"\ncoefficients = [\"0 m\"]\n\
         [surface]\nfloor = { type = \"half-space\", at = \"world\" }\nball = { type = \"sphere\", at = \"ball\", radius = \"40 mm\" }\n\
         [contact.sole]\na = \"ball\"\nb = \"floor\"\nnormal = { type = \"volumetric\", stiffness = 1e7 }\n\
         [sensor.mat]\ntype = \"pressure-mat\"\non = \"floor\"\nat = \"world.mat\"\ncells = [1, 1]\npitch = \"4 mm\"\nsamples = 1\n",
    );
    let height = (0.04_f64.powi(2) - 0.03_f64.powi(2)).sqrt();
    let text = format!(
        "borelli = 1\ntitle = \"rim\"\nmodel = \"given\"\nanalysis = \"fit\"\n[time]\nsample = \"10 ms\"\n[motion]\nfile = \"motion.csv\"\nadd = {{ lift = \"up\" }}\n\
         [fit]\nof = \"evaluate\"\n[[fit.trial]]\nname = \"step\"\ndata = [\"plate.csv\"]\nmaps = {{ mat = \"map.csv\" }}\n\
         [[fit.term]]\nname = \"pressure\"\nmat = \"mat\"\nnormalise = \"1 N\"\n\
         [[fit.unknown]]\npath = \"function.up.coefficients.0\"\nlow = \"{} m\"\nhigh = \"{} m\"\nstart = \"{height} m\"\n",
        height - 1e-3,
        height + 1e-3
    );
    let files = Files::new(|path| match path {
        "motion.csv" => Ok(b"time [s],lift [m]\n0,0\n0.01,0\n0.02,0\n0.03,0\n".to_vec()),
        "plate.csv" => Ok(b"time [s],f [N]\n0,0\n1,0\n".to_vec()),
        _ => Ok(b"time [s],cell x,cell z,pressure [Pa]\n0.02,0,0,0\n".to_vec()),
    });
    let plan = StudyFile::parse("fit.toml", &text, files).and_then(|study| study.plan("", &[])).unwrap_or_else(|fault| panic!("{fault}"));
    let Some(Motion { source: MotionSource::File(file), derivatives }) = &plan.motion else { panic!("a file") };
    let table = motion_file::settle(file, &model).expect("a motion").table;
    let plan = Plan { motion: Some(Motion { source: MotionSource::Table(table), derivatives: *derivatives }), ..plan.clone() };
    let fit = plan.fit.as_ref().expect("a fit");
    let mut findings = Findings::new();
    let Some((channels, problem)) = problem(&model, &fitted(&plan, fit), fit, Way::Parts, &mut findings) else { panic!("{findings:?}") };
    let mut evaluator = problem.evaluator(&channels);
    let area = 16e-6;
    // z from 0 to 1 is 2 mm; the rim is at 0.5, below it the point is pressed.
    for over in [-0.3, -1e-6, 1e-6, 0.3] {
        let mut answer = Answer::default();
        problem.answer(&mut evaluator, &Query { wanted: Wanted::Jacobian, point: vec![0.5 + over] }, &mut answer);
        let depth = (-2e-3 * over).max(0.0);
        assert!((answer.residuals[0] - 1e7 * area * depth).abs() < 1e-12, "{over}: {}", answer.residuals[0]);
        let slope = if over < 0.0 { -1e7 * area * 2e-3 } else { 0.0 };
        assert!((answer.slopes.residuals[0] - slope).abs() < 1e-12, "{over}: {} {slope}", answer.slopes.residuals[0]);
    }
}

#[test]
fn residuals_and_mismatch_are_those_of_the_maps_of_a_run() {
    let model = system(FOOT);
    let text = study("evaluations = 1", TERM, "[pressure]\ninterval = \"10 ms\"\n");
    let plan = plan(&model, &text, MAP);
    let outcome = run(&model, &plan, None, &mut Unwatched).unwrap_or_else(|findings| panic!("{findings:?}"));
    let (record, map) = (outcome.fit.as_ref().expect("a record"), &outcome.pressure[0]);
    // Of both frames by hand: difference of the force on each cell that was measured.
    let (mut squares, mut sums) = (0.0, 0.0);
    for (frame, measured) in [(3, vec![(5 * 16 + 8, 40000.0), (20 * 16 + 9, 1000.0)]), (7, Vec::new())] {
        assert!((map.time[frame] - 0.01 * frame as f64).abs() < 1e-12);
        let mut sum = 0.0;
        for (cell, p) in map.frame(frame).iter().enumerate().filter(|(cell, _)| frame != 3 || *cell != 6 * 16 + 8) {
            let m = measured.iter().find(|(own, _)| *own == cell).map_or(0.0, |(_, m)| *m);
            let force = 7.5e-3 * 7.5e-3 * (p - m);
            squares += (3.0 * force / 100.0).powi(2) / 2.0;
            sum += force.abs();
        }
        sums += (sum / 100.0_f64).powi(2) / 2.0;
    }
    assert!((record.objective / squares - 1.0).abs() < 1e-12, "{} {squares}", record.objective);
    let (name, start, end) = &record.mismatches[0];
    assert!(name == "pressure" && (end / sums.sqrt() - 1.0).abs() < 1e-12 && start == end, "{end} {sums}");
    assert!(outcome.scalars.iter().any(|own| own.name == "fit.mismatch.pressure" && own.value == *end));
    // One line for each frame, whose squares sum up to J.
    assert_eq!(record.residuals.len(), 2);
    let total: f64 = record.residuals.iter().map(|own| own.error * own.error).sum();
    assert!((total / record.objective - 1.0).abs() < 1e-12);
    let force: f64 = 7.5e-3 * 7.5e-3 * map.frame(7).iter().sum::<f64>();
    assert!((record.residuals[1].computed / force - 1.0).abs() < 1e-12 && record.residuals[1].measured == 0.0);
}

#[test]
fn an_evaluation_over_a_mat_requests_no_memory() {
    let model = system(FOOT);
    let plan = plan(&model, &study("", TERM, ""), MAP);
    let fit = plan.fit.as_ref().expect("a fit");
    let mut findings = Findings::new();
    let Some((channels, problem)) = problem(&model, &fitted(&plan, fit), fit, Way::Parts, &mut findings) else { panic!("{findings:?}") };
    let mut evaluator = problem.evaluator(&channels);
    for wanted in [Wanted::Residuals, Wanted::Jacobian, Wanted::Gradient] {
        let query = Query { wanted, point: vec![0.5; problem.len()] };
        let mut answer = Answer::default();
        problem.answer(&mut evaluator, &query, &mut answer);
        let ((), requests) = count_allocations(|| problem.answer(&mut evaluator, &query, &mut answer));
        assert_eq!(requests, 0, "{wanted:?}");
    }
}

#[test]
fn what_is_wrong_with_maps_is_said_where_it_stands() {
    let model = system(FOOT);
    let codes = |text: &str, map: &'static str| -> Vec<&'static str> {
        let plan = match StudyFile::parse("fit.toml", text, files(map)).and_then(|study| study.plan("", &[])) {
            Ok(plan) => plan,
            Err(rejected) => return rejected.findings.iter().map(|finding| finding.code).collect(),
        };
        match run(&model, &plan, None, &mut Unwatched) {
            Ok(_) => Vec::new(),
            Err(findings) => findings.iter().map(|finding| finding.code).collect(),
        }
    };
    let with = |term: &str| study("evaluations = 1", term, "");
    assert_eq!(codes(&with(TERM), MAP), [""; 0]);
    assert_eq!(codes(&with(&TERM.replace("\"mat\"", "\"mut\"")), MAP), ["no-such-mat"]);
    assert_eq!(codes(&with(&format!("{TERM}\ndata = \"mut\"")), MAP), ["no-measured-map"]);
    assert_eq!(codes(&with(&format!("{TERM}\ncolumn = \"time\"")), MAP), ["term-of"]);
    assert_eq!(codes(&with("weight = 2"), MAP), ["term-of"]);
    assert_eq!(codes(&with(&format!("{TERM}\nwhere = \"data.f > [2 N]\"")), MAP), ["not-of-mat"]);
    assert_eq!(codes(&with(&TERM.replace("mean", "max")), MAP), ["not-of-mat"]);
    assert_eq!(codes(&with(&TERM.replace("100 N", "100 Pa")), MAP), ["bad-quantity"]);
    assert_eq!(codes(&with(&format!("{TERM}\nfrom = \"0.08 s\"")), MAP), ["no-sample-counts"]);
    let head = "time [s],cell x,cell z,pressure [Pa]\n";
    assert_eq!(head, &MAP[..head.len()]);
    assert_eq!(codes(&with(TERM), "time [s],cell x,cell z,pressure [Pa]\n0.034,1,1,5\n"), ["bad-measured-map"]);
    assert_eq!(codes(&with(TERM), "time [s],cell x,cell z,pressure [Pa]\n0.2,1,1,5\n"), ["bad-measured-map"]);
    assert_eq!(codes(&with(TERM), "time [s],cell x,cell z,pressure [Pa]\n0.03,30,1,5\n"), ["bad-measured-map"]);
    assert_eq!(codes(&with(TERM), "time,p\n0.03,30\n"), ["bad-recording"]);
    let pitch = "[[fit.unknown]]\npath = \"sensor.mat.pitch\"\nlow = \"7 mm\"\nhigh = \"8 mm\"\n";
    assert_eq!(codes(&study("", TERM, pitch), MAP), ["no-slope"]);
    assert_eq!(codes(&study("trials = [\"stop\"]", TERM, ""), MAP), ["unknown-trial"]);
    // Columns whose largest sizes count together: 3 N and 1 N of one column twice over.
    let column = "column = \"contact.sole.total.force.y\"\ndata = \"f\"\nnormalise = [\"f\", \"f\"]";
    let sum = |term: &str| {
        let plan = plan(&model, &with(term), MAP);
        run(&model, &plan, None, &mut Unwatched).unwrap_or_else(|findings| panic!("{findings:?}")).fit.expect("a record").objective
    };
    let ratio = sum(column) / sum(&column.replace("[\"f\", \"f\"]", "\"max-abs\""));
    assert!((ratio - 0.5).abs() < 1e-12, "{ratio}");
    assert_eq!(codes(&with(&column.replace("[\"f\", \"f\"]", "[\"f\", \"g\"]")), MAP), ["no-measured-column"]);
}
