//! Unknowns that move the motion: guides, loops, corrections of a table; several trials with motions and unknowns of their own. Slopes against differences.

use super::fit::{fitted, problem};
use super::tests::system;
use super::*;
use crate::fit::{Fit, Problem, Way};
use crate::plan::Plan;
use crate::read::{Files, StudyFile};
use borelli_fit::{Answer, Query, Wanted};
use borelli_testkit::count_allocations;
use std::io;

/// A foot of an ellipsoid and a sphere on a floor, which may slide and turn; two functions that correct its motion.
const FOOT: &str = r#"
borelli = 1
dimension = "spatial"
[body.carriage]
mass = "1 kg"
inertia = [0.01, 0.01, 0.01]
[body.foot]
mass = "0.8 kg"
center = ["10 mm", 0, 0]
inertia = [0.01, 0.01, 0.01]
[body.foot.point]
heel = ["-60 mm", "5 mm", "4 mm"]
ball = ["50 mm", "2 mm", "-3 mm"]
[joint.lift]
type = "slider"
parent = "world"
child = "carriage"
axis = [0, 1, 0]
[joint.ankle]
type = "hinge"
parent = "carriage"
child = "foot"
axis = [0.1, 0.2, 0.97]
[surface]
floor = { type = "half-space", at = "world" }
heel = { type = "ellipsoid", at = "foot.heel", a = "45 mm", b = "40 mm", c = "35 mm" }
ball = { type = "sphere", at = "foot.ball", radius = "38 mm" }
[law]
push = { type = "hunt-crossley", stiffness = "50000 N/m^1.5", exponent = 1.5, dissipation = "0.4 s/m" }
rub = { type = "tanh", friction = 0.35, transition = "0.05 m/s" }
bed = { type = "volumetric", stiffness = "2e7 N/m^3", dissipation = "0.3 s/m" }
[contact]
sole = { a = "ball", b = "floor", normal = "push", friction = "rub" }
heel = { a = "heel", b = "floor", normal = "bed", friction = "rub" }
"#;

const GUIDES: &str = r#"
[guide.lift]
type = "coordinate"
coordinate = "lift"
function = { type = "sine", amplitude = "15 mm", frequency = "2 1/s", offset = "40 mm" }
[guide.ankle]
type = "coordinate"
coordinate = "ankle"
function = { type = "table", x = [0, 0.1, 0.2, 0.3, 0.4, 0.5], y = ["0 rad", "0.3 rad", "-0.1 rad", "0.2 rad", "-0.3 rad", "0.1 rad"] }
"#;

const CORRECTIONS: &str = r#"
[function.up]
type = "table"
x = [0, 0.17, 0.33, 0.5]
y = ["0 mm", "0 mm", "0 mm", "0 mm"]
[function.turn]
type = "table"
x = [0, 0.2, 0.5]
y = ["0.01 rad", "-0.02 rad", "0 rad"]
interpolation = "makima"
outside = "extrapolate"
"#;

/// A crank with a rod to a slider: the rod closes a loop.
const CRANK: &str = r#"
borelli = 1
dimension = "planar"
[body.crank]
mass = "1 kg"
inertia = "0.01 kg m^2"
point = { pin = ["0.1 m", 0] }
[body.block]
mass = "2 kg"
inertia = "0.01 kg m^2"
[joint.turn]
type = "hinge"
parent = "world"
child = "crank"
[joint.slide]
type = "slider"
parent = "world"
child = "block"
axis = [1, 0]
[loop.rod]
type = "rod"
a = "crank.pin"
b = "block"
length = "0.3 m"
[guide.turn]
type = "coordinate"
coordinate = "turn"
function = { type = "polynomial", coefficients = ["0.2 rad", "3 rad/s", "1 rad/s^2"] }
[initial]
coordinates = { turn = 0.2, slide = 0.39 }
"#;

fn study(head: &str, fit: &str) -> String {
    format!(
        "borelli = 1\ntitle = \"moved\"\nmodel = \"given\"\nanalysis = \"fit\"\n[time]\nend = \"0.5 s\"\nsample = \"10 ms\"\n{head}\n[fit]\nof = \"evaluate\"\n{fit}"
    )
}

const TERMS: &str = r#"
[[fit.term]]
name = "push"
column = "contact.sole.normal_force"
normalise = "100 N"
[[fit.term]]
name = "bed"
column = "contact.heel.normal_force"
normalise = "100 N"
[[fit.term]]
name = "rub"
column = "contact.heel.friction.x"
normalise = "10 N"
[[fit.term]]
name = "place"
column = "body.foot.x"
normalise = "10 mm"
"#;

fn unknowns(list: &[(&str, &str, &str)], more: &str) -> String {
    let one = |(path, low, high): &(&str, &str, &str)| {
        format!("[[fit.unknown]]\npath = \"{path}\"\nlow = \"{low}\"\nhigh = \"{high}\"\n{more}\n")
    };
    list.iter().map(one).collect()
}

/// A motion as a file, in another phase for each name.
fn motion(path: &str) -> io::Result<Vec<u8>> {
    let phase = match path {
        "one.csv" => 0.0,
        "two.csv" => 0.7,
        _ => return Err(io::Error::from(io::ErrorKind::NotFound)),
    };
    let last = if phase == 0.0 { 50 } else { 40 };
    let row = |k: i32| {
        let t = 0.01 * f64::from(k);
        let (lift, ankle) = (0.04 + 0.015 * (12.0 * t + phase).sin(), 0.4 * (19.0 * t + phase).sin());
        format!("{t},{lift},{ankle}\n")
    };
    let text: String = std::iter::once("time [s],lift [m],ankle [rad]\n".to_string()).chain((0..=last).map(row)).collect();
    Ok(text.into_bytes())
}

fn plan(text: &str) -> Plan {
    StudyFile::parse("fit.toml", text, Files::new(motion)).and_then(|study| study.plan("", &[])).unwrap_or_else(|fault| panic!("{fault}"))
}

/// A plan whose motion is a table in SI, as a run makes it.
fn settled(model: &System, plan: Plan) -> Plan {
    let Some(crate::plan::Motion { source: crate::plan::MotionSource::File(file), derivatives }) = &plan.motion else { return plan };
    let table = crate::measured::motion_file::settle(file, model).expect("a motion").table;
    Plan { motion: Some(crate::plan::Motion { source: crate::plan::MotionSource::Table(table), derivatives: *derivatives }), ..plan }
}

/// Hands a problem over, way by way.
fn with_problem(model: &str, text: &str, mut take: impl FnMut(Way, &Problem, &crate::channels::Channels, &Fit)) {
    let model = system(model);
    let plan = settled(&model, plan(text));
    let fit = plan.fit.as_ref().expect("a fit").expanded(&model);
    for way in [Way::Parts, Way::Whole] {
        let mut findings = Findings::new();
        let Some((channels, problem)) = problem(&model, &fitted(&plan, &fit), &fit, way, &mut findings) else { panic!("{findings:?}") };
        take(way, &problem, &channels, &fit);
    }
}

/// Slopes of all residuals at two points equal central differences, whichever way they are found; every unknown is felt.
fn slopes_equal_differences(model: &str, text: &str) {
    let mut ways: Vec<Vec<Answer>> = Vec::new();
    with_problem(model, text, |way, problem, channels, fit| {
        let mut evaluator = problem.evaluator(channels);
        let mut ask = |wanted: Wanted, point: Vec<f64>| {
            let mut answer = Answer::default();
            problem.answer(&mut evaluator, &Query { wanted, point }, &mut answer);
            answer
        };
        let n = problem.len();
        let mut list = Vec::new();
        for at in [0.42, 0.57] {
            let point: Vec<f64> = (0..n).map(|k| at + 0.02 * (k as f64).sin()).collect();
            let answer = ask(Wanted::Jacobian, point.clone());
            assert!(answer.residuals.iter().chain(&answer.slopes.residuals).all(|e| e.is_finite()), "{way:?}");
            for k in 0..n {
                let mut moved = |by: f64| {
                    let mut own = point.clone();
                    own[k] += by;
                    ask(Wanted::Residuals, own).residuals
                };
                // Steps of two sizes take the third power out of the difference.
                let h = 2e-4;
                let (a, b, c, d) = (moved(h), moved(-h), moved(2.0 * h), moved(-2.0 * h));
                let mut felt = 0.0_f64;
                for row in 0..a.len() {
                    let difference = (8.0 * (a[row] - b[row]) - (c[row] - d[row])) / (12.0 * h);
                    let slope = answer.slopes.residuals[row * n + k];
                    felt = felt.max(slope.abs());
                    // At the edge of a contact differences take in both sides.
                    let near_edge = [&a, &b, &c, &d].iter().any(|list| (list[row] == 0.0) != (answer.residuals[row] == 0.0));
                    let size = 1.0 + difference.abs();
                    assert!(
                        near_edge || (slope - difference).abs() < 1e-6 * size,
                        "{way:?} {} row {row}: {slope} {difference}",
                        fit.unknowns[k].name
                    );
                }
                assert!(felt > 1e-3, "{} is not felt: {felt}", fit.unknowns[k].name);
            }
            list.push(answer);
        }
        ways.push(list);
    });
    for (parts, whole) in ways[0].iter().zip(&ways[1]) {
        for (a, b) in [(&parts.residuals, &whole.residuals), (&parts.slopes.residuals, &whole.slopes.residuals)] {
            let size = b.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12 * size));
        }
    }
}

#[test]
fn unknowns_of_guides_move_the_motion_with_exact_slopes() {
    let own = unknowns(
        &[
            ("guide.lift.function.amplitude", "5 mm", "25 mm"),
            ("guide.lift.function.offset", "20 mm", "50 mm"),
            ("surface.heel.a", "40 mm", "50 mm"),
            ("guide.ankle.function.y.*", "-0.5 rad", "0.5 rad"),
            ("law.push.stiffness", "1e4 N/m^1.5", "1e5 N/m^1.5"),
            ("body.foot.point.ball.x", "40 mm", "60 mm"),
        ],
        "",
    );
    slopes_equal_differences(&format!("{FOOT}{GUIDES}"), &study("", &format!("{TERMS}{own}")));
}

#[test]
fn unknowns_of_a_loop_move_the_motion_with_exact_slopes() {
    let own = unknowns(
        &[
            ("loop.rod.length", "0.25 m", "0.35 m"),
            ("body.crank.point.pin.x", "0.08 m", "0.12 m"),
            ("guide.turn.function.coefficients.1", "2", "4"),
            ("body.block.mass", "1 kg", "3 kg"),
        ],
        "",
    );
    let terms = "[[fit.term]]\nname = \"slide\"\ncolumn = \"coord.slide.value\"\nnormalise = \"10 mm\"\n\
        [[fit.term]]\nname = \"rate\"\ncolumn = \"coord.slide.rate\"\nnormalise = \"0.1 m/s\"\n\
        [[fit.term]]\nname = \"effort\"\ncolumn = \"guide.turn.reaction.coordinate\"\nnormalise = \"1 N m\"\n";
    slopes_equal_differences(CRANK, &study("", &format!("{terms}{own}")));
}

const ADDED: &str = "[motion]\nfile = \"one.csv\"\nadd = { lift = \"up\", ankle = \"turn\" }\n";

#[test]
fn corrections_of_a_table_move_the_motion_with_exact_slopes() {
    let own = unknowns(
        &[
            ("function.up.y.*", "-4 mm", "2 mm"),
            ("function.turn.y.*", "-0.05 rad", "0.06 rad"),
            ("surface.ball.radius", "35 mm", "42 mm"),
            ("law.bed.stiffness", "1e7 N/m^3", "3e7 N/m^3"),
        ],
        "",
    );
    slopes_equal_differences(&format!("{FOOT}{CORRECTIONS}"), &study(ADDED, &format!("{TERMS}{own}")));
}

/// Two trials along motions of their own, of other lengths; corrections that each has for itself, drawn to zero.
fn trials() -> String {
    let trial = "[[fit.trial]]\nname = \"one\"\ndata = []\n[[fit.trial]]\nname = \"two\"\nmotion = \"two.csv\"\ndata = []\nset = { \"law.rub.friction\" = 0.5 }\n";
    let own = unknowns(&[("function.up.y.*", "-4 mm", "2 mm")], "per_trial = true\npull = 0.02");
    let shared = unknowns(&[("surface.ball.radius", "35 mm", "42 mm"), ("law.bed.stiffness", "1e7 N/m^3", "3e7 N/m^3")], "");
    format!("{TERMS}{trial}{own}{shared}")
}

#[test]
fn trials_have_motions_and_unknowns_of_their_own() {
    let (model, text) = (format!("{FOOT}{CORRECTIONS}"), study(ADDED, &trials()));
    slopes_equal_differences(&model, &text);
    with_problem(&model, &text, |_, problem, channels, fit| {
        let names: Vec<&str> = fit.unknowns.iter().map(|own| own.name.as_str()).collect();
        assert_eq!(names[..2], ["function.up.y.1.one", "function.up.y.2.one"]);
        assert_eq!(
            names[4..],
            [
                "function.up.y.1.two",
                "function.up.y.2.two",
                "function.up.y.3.two",
                "function.up.y.4.two",
                "surface.ball.radius",
                "law.bed.stiffness"
            ]
        );
        let (mut evaluator, mut answer) = (problem.evaluator(channels), Answer::default());
        let mut point = problem.unknowns.start();
        point[5] = 0.25;
        problem.answer(&mut evaluator, &Query { wanted: Wanted::Jacobian, point }, &mut answer);
        // Four terms at 51 and 41 samples, and eight residuals that draw.
        let (n, rows) = (problem.len(), answer.residuals.len());
        assert_eq!((n, rows), (10, 4 * (51 + 41) + 8));
        let felt = |k: usize, from: usize, to: usize| (from..to).any(|row| answer.slopes.residuals[row * n + k] != 0.0);
        assert!(felt(1, 0, 204) && !felt(1, 204, rows - 8) && !felt(5, 0, 204) && felt(5, 204, rows - 8));
        // -2.5 mm of a half range of 3 mm, times the weight.
        assert!((answer.residuals[rows - 8 + 5] + 0.02 * 2.5 / 3.0).abs() < 1e-15 && answer.residuals[rows - 8] == 0.0);
    });
}

/// Nothing is asked for while an unknown moves guides, loops or corrections.
#[test]
fn an_evaluation_that_moves_the_motion_requests_no_memory() {
    let guides = unknowns(&[("guide.lift.function.amplitude", "5 mm", "25 mm"), ("guide.ankle.function.y.*", "-0.5 rad", "0.5 rad")], "");
    let rod = unknowns(&[("loop.rod.length", "0.25 m", "0.35 m")], "");
    let slide = "[[fit.term]]\nname = \"slide\"\ncolumn = \"coord.slide.value\"\nnormalise = \"10 mm\"\n";
    for (model, text) in [
        (format!("{FOOT}{CORRECTIONS}"), study(ADDED, &trials())),
        (format!("{FOOT}{GUIDES}"), study("", &format!("{TERMS}{guides}"))),
        (CRANK.to_string(), study("", &format!("{slide}{rod}"))),
    ] {
        with_problem(&model, &text, |way, problem, channels, _| {
            let mut evaluator = problem.evaluator(channels);
            for wanted in [Wanted::Residuals, Wanted::Jacobian, Wanted::Objectives, Wanted::Gradient] {
                let query = |at: f64| Query { wanted, point: vec![at; problem.len()] };
                let mut answer = Answer::default();
                [0.4, 0.6].iter().for_each(|at| problem.answer(&mut evaluator, &query(*at), &mut answer));
                let (query, first) = (query(0.5), answer.clone());
                let ((), requests) = count_allocations(|| problem.answer(&mut evaluator, &query, &mut answer));
                assert_eq!(requests, 0, "{wanted:?} {way:?}");
                assert!(answer.residuals != first.residuals);
            }
        });
    }
}

/// The height of a guide and points of another are found again from the forces they make, by a whole run.
#[test]
fn guides_are_found_again_from_forces() {
    let model = system(&format!("{FOOT}{GUIDES}"));
    let made = plan("borelli = 1\ntitle = \"\"\nmodel = \"given\"\nanalysis = \"evaluate\"\n[time]\nend = 0.5\nsample = 0.01\n");
    let made = super::tests::good(&model, &made);
    let column = |name: &str| made.trajectory.column(name).expect("recorded").to_vec();
    let (push, bed) = (column("contact.sole.normal_force"), column("contact.heel.normal_force"));
    let rows = made.trajectory.time().iter().enumerate().map(|(k, t)| format!("{t:?},{:?},{:?}\n", push[k], bed[k]));
    let data: String = std::iter::once("time [s],push [N],bed [N]\n".to_string()).chain(rows).collect();
    let own = unknowns(&[("guide.lift.function.offset", "35 mm", "45 mm"), ("guide.ankle.function.y.*", "-0.5 rad", "0.5 rad")], "")
        .replace("45 mm\"\n", "45 mm\"\nstart = \"41 mm\"\n");
    let terms = "[[fit.trial]]\nname = \"own\"\ndata = [\"own.csv\"]\n\
        [[fit.term]]\nname = \"push\"\ncolumn = \"contact.sole.normal_force\"\ndata = \"push\"\nnormalise = \"max\"\n\
        [[fit.term]]\nname = \"bed\"\ncolumn = \"contact.heel.normal_force\"\ndata = \"bed\"\nnormalise = \"max\"\n";
    let text = study("", &format!("{terms}{own}"));
    let files = Files::new(move |path| if path == "own.csv" { Ok(data.clone().into_bytes()) } else { motion(path) });
    let plan = StudyFile::parse("fit.toml", &text, files).and_then(|study| study.plan("", &[])).unwrap_or_else(|fault| panic!("{fault}"));
    let outcome = super::tests::good(&model, &plan);
    let record = outcome.fit.as_ref().expect("a record");
    let truth = [0.04, 0.0, 0.3, -0.1, 0.2, -0.3, 0.1];
    for (own, truth) in record.unknowns.iter().zip(truth) {
        assert!((own.best - truth).abs() < 1e-8, "{}: {} {truth}", own.name, own.best);
    }
    // The run that is left is that of the guides found.
    let found = outcome.trajectory.column("contact.heel.normal_force").expect("recorded");
    assert!(found.iter().zip(&bed).all(|(a, b)| (a - b).abs() < 1e-5));
}

#[test]
fn corrections_that_cannot_be_are_named() {
    let model = system(&format!("{FOOT}{CORRECTIONS}"));
    for (add, expected) in [("{ lit = \"up\" }", "no-corrected-coordinate"), ("{ lift = \"upp\" }", "no-function")] {
        let head = format!("[motion]\nfile = \"one.csv\"\nadd = {add}\n");
        let text = study(&head, &format!("{TERMS}{}", unknowns(&[("surface.ball.radius", "35 mm", "42 mm")], "")));
        let codes = run(&model, &plan(&text), None, &mut Unwatched).map(|_| ()).expect_err("refused");
        assert_eq!(codes.iter().map(|finding| finding.code).collect::<Vec<_>>(), [expected]);
    }
}
