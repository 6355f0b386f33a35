//! Stances of the foot of three ellipsoids: how they were made, what the engine finds along them, objectives beside an independent program.
//! Not here: the files themselves, whose forces come from a program of its own in Python; searches (the studies).
//!
//! Over the time T of a stance, s = t/T, the foot turns from 20 deg toes up to level in 0.24 T and from 0.52 T on to 50 deg toes down, the toes by six
//! tenths of that; the middle of the ball stays over its place. The height is the one at which k V, without damping, is 688 N (1.1 b((s - 0.24)/0.24) +
//! 1.15 b((s - 0.6)/0.3)), b(u) = (1 - u^2)^2 between -1 and 1; from 0.9 T on the foot rises by 20 mm ((s - 0.9)/0.1)^2 above the ground.

use crate::root;
use borelli::study::read::{Files, Override, StudyFile};
use borelli::study::run::{Outcome, Unwatched, run};
use borelli::{Model, System, compile};
use borelli_testkit::{Random, ReferenceTable};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

const COORDINATES: [&str; 7] = ["right", "forward", "up", "rx", "ry", "rz", "toe"];

fn folder() -> PathBuf {
    root().join("studies/94-three-ellipsoids-found-again")
}

pub fn foot() -> System {
    let model = Model::read(&folder().join("foot.toml")).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

fn study() -> String {
    fs::read_to_string(folder().join("study.toml")).expect("a study")
}

/// What a case of the study comes to, with other files where they are given.
pub fn outcome(system: &System, case: &str, text: &str, given: Vec<(String, String)>) -> Outcome {
    outcome_in(folder(), system, case, text, given)
}

/// What a case of a study in a folder comes to, with other files where they are given.
pub(crate) fn outcome_in(folder: PathBuf, system: &System, case: &str, text: &str, given: Vec<(String, String)>) -> Outcome {
    let files = Files::new(move |path| match given.iter().find(|(name, _)| name == path) {
        Some((_, text)) => Ok(text.clone().into_bytes()),
        None => fs::read(folder.join(path)),
    });
    let plan = StudyFile::parse("study.toml", text, files).and_then(|study| study.plan(case, &[] as &[Override]));
    let plan = plan.unwrap_or_else(|rejected| panic!("{rejected}"));
    // Values of the case go to the model as a run from the command line has them.
    let mut values = system.values();
    for setting in &plan.settings {
        let slot = system.parameters.iter().position(|parameter| parameter.path == setting.path).expect("a parameter");
        values[slot] = setting.text.split(' ').next().and_then(|number| number.parse().ok()).expect("a number in SI");
    }
    run(&system.with_parameters(&values), &plan, None, &mut Unwatched).unwrap_or_else(|findings| panic!("{findings:?}"))
}

/// A table by the names of its columns.
fn table(text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut lines = text.lines();
    let names = lines.next().expect("a header").split(',').map(|name| name.split(' ').next().unwrap_or_default().to_string()).collect();
    (names, lines.map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect())
}

fn smooth(u: f64) -> f64 {
    u * u * u * (10.0 - 15.0 * u + 6.0 * u * u)
}

fn bump(u: f64) -> f64 {
    if u.abs() < 1.0 { (1.0 - u * u).powi(2) } else { 0.0 }
}

#[test]
fn stances_are_what_they_are_said_to_be_and_the_engine_agrees_with_another_program() {
    let system = foot();
    for cadence in [92.0, 112.0, 72.0] {
        let duration = 0.8 * 92.0 / cadence;
        let read = |name: &str| fs::read_to_string(folder().join(format!("{name}-{cadence}.csv"))).expect("a file");
        let ((_, motion), (names, forces)) = (table(&read("motion")), table(&read("forces")));
        assert_eq!((motion.len(), forces.len()), ((duration * 128.0) as usize + 1, motion.len()));
        let text = study().replace("motion-92.csv", &format!("motion-{cadence}.csv"));
        let still = system.with_parameters(&{
            let mut values = system.values();
            values[system.parameters.iter().position(|parameter| parameter.path == "law.sole.dissipation").expect("there")] = 0.0;
            values
        });
        let truth = outcome(&system, "truth", &text, Vec::new());
        let without = run_still(&still, &text);
        let column = |outcome: &Outcome, name: &str| outcome.trajectory.column(&format!("derived.{name}")).expect("recorded").to_vec();
        let (up, right, forward, static_up) =
            (column(&truth, "up"), column(&truth, "right"), column(&truth, "forward"), column(&without, "up"));
        let place = |name: &str| names.iter().position(|own| own == name).expect("a column");
        for (k, row) in motion.iter().enumerate() {
            let s = row[0] / duration;
            let rx =
                20.0_f64.to_radians() * (1.0 - smooth((s / 0.24).min(1.0))) - 50.0_f64.to_radians() * smooth(((s - 0.52) / 0.48).max(0.0));
            let toe = -0.6 * 50.0_f64.to_radians() * smooth(((s - 0.52) / 0.48).max(0.0));
            let (sin, cos) = rx.sin_cos();
            let expected = [k as f64 / 128.0, 0.0, 0.167 - 0.167 * cos - 0.0006 * sin];
            for (found, known) in row.iter().zip(expected).chain([(&row[4], rx), (&row[5], 0.0), (&row[6], 0.0), (&row[7], toe)]) {
                assert!((found - known).abs() < 1e-14, "{cadence} {k}: {found} {known}");
            }
            let wanted = 688.0 * (1.1 * bump((s - 0.24) / 0.24) + 1.15 * bump((s - 0.6) / 0.3));
            if s < 0.9 {
                assert!((static_up[k] - wanted).abs() < 1e-6, "{cadence} {k}: {} {wanted}", static_up[k]);
            }
            let exact = &forces[k];
            assert!((up[k] - exact[place("up_exact")]).abs() < 1e-9, "{cadence} {k}");
            if up[k] >= 20.0 {
                assert!(
                    (right[k] - exact[place("right_exact")]).abs() < 1e-12 && (forward[k] - exact[place("forward_exact")]).abs() < 1e-12
                );
            }
        }
        // Noise of 2 N and 1 mm, by Box and Muller from the seed that is the cadence.
        let mut random = Random::new(cadence as u64);
        for row in &forces {
            for (name, size) in [("up", 2.0), ("right", 1e-3), ("forward", 1e-3)] {
                let (u, v) = (random.uniform(0.0, 1.0), random.uniform(0.0, 1.0));
                let noise = size * (-2.0 * (-u).ln_1p()).sqrt() * (2.0 * std::f64::consts::PI * v).cos();
                let (exact, found) = (row[place(&format!("{name}_exact"))], row[place(name)]);
                let expected = if name == "up" || row[place("up_exact")] >= 20.0 { exact + noise } else { 0.0 };
                assert!((found - expected).abs() < 1e-6 * size.max(1e-3), "{cadence} {name}: {found} {expected}");
            }
        }
    }
}

/// The case `truth` for a system whose own numbers count.
fn run_still(system: &System, text: &str) -> Outcome {
    let bare: String = text.lines().filter(|line| !line.starts_with("\"law.sole.dissipation\"")).map(|line| format!("{line}\n")).collect();
    outcome(system, "truth", &bare, Vec::new())
}

/// Starts of the four searches: numbers up to a tenth off, places 2 mm and turns 0.05 rad more, by the seed in the name of the case.
#[test]
fn starts_are_those_of_their_seeds() {
    let plan = |case: &str| {
        let files = Files::new(|path| fs::read(folder().join(path)));
        StudyFile::parse("study.toml", &study(), files)
            .and_then(|study| study.plan(case, &[] as &[Override]))
            .unwrap_or_else(|e| panic!("{e}"))
    };
    let number = |text: &str| text.split(' ').next().and_then(|number| number.parse::<f64>().ok()).expect("a number");
    let truth = plan("truth").settings;
    assert_eq!(truth.len(), 29);
    for seed in 1..=4 {
        let mut random = Random::new(seed);
        for (own, known) in plan(&format!("seed-{seed}")).settings.iter().zip(&truth) {
            let (share, more) = (random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
            let size = if own.path.contains("origin") {
                0.002
            } else if own.path.contains("angles") {
                0.05
            } else {
                0.0
            };
            let expected = number(&known.text) * (1.0 + 0.1 * share) + size * more;
            assert!((number(&own.text) - expected).abs() < 1e-11 * (1.0 + expected.abs()), "{} {seed}", own.path);
        }
    }
}

/// A stance: its motion as a file, and by row time, force and centre of pressure (up, right, forward), exact and with noise.
pub struct Stance {
    pub motion: String,
    pub times: Vec<f64>,
    pub exact: Vec<[f64; 3]>,
    pub noisy: Vec<[f64; 3]>,
}

/// A stance of an independent program, where its file is present.
pub fn stance_of_reference(cadence: &str) -> Option<Stance> {
    let reference = ReferenceTable::read("benchmarks/data/ident_foot3_stance.csv")?;
    let head = COORDINATES.map(|name| format!("coord.{name}.value")).join(",");
    let mut stance = Stance { motion: format!("time,{head}\n"), times: Vec::new(), exact: Vec::new(), noisy: Vec::new() };
    for k in (0..reference.rows.len()).filter(|k| reference.number(*k, "cadence").to_string() == cadence) {
        let number = |name: &str| reference.number(k, name);
        let own = ["x_m", "y_m", "z_m", "rx_rad", "ry_rad", "rz_rad"].map(|name| format!("{:?}", number(name))).join(",");
        let _ = writeln!(stance.motion, "{:?},{own},{:?}", number("time_s"), -number("toe_rad"));
        stance.times.push(number("time_s"));
        stance.exact.push(["fz_exact_n", "cop_x_exact_m", "cop_y_exact_m"].map(number));
        stance.noisy.push(["fz_n", "cop_x_m", "cop_y_m"].map(number));
    }
    Some(stance)
}

/// J of the first guess on exact data and of the true numbers on data with noise, on the stances of an independent program.
#[test]
fn objectives_are_those_of_an_independent_program() {
    let costs = [("92", 1.52815361, 5.4324451e-5), ("112", 1.52822585, 5.44313843e-5), ("72", 1.52932269, 5.36845995e-5)];
    for (cadence, guess, noise) in costs {
        let Some(stance) = stance_of_reference(cadence) else { return };
        let mut forces = String::from("time,up_exact,right_exact,forward_exact,up,right,forward\n");
        for ((t, exact), noisy) in stance.times.iter().zip(&stance.exact).zip(&stance.noisy) {
            let cells = exact.iter().chain(noisy).map(|x| format!("{x:?}")).collect::<Vec<_>>().join(",");
            let _ = writeln!(forces, "{t:?},{cells}");
        }
        // One trial, and a search that ends where it begins.
        let text = study();
        let (head, rest) = text.split_once("[[fit.trial]]").expect("trials");
        let (_, terms) = rest.split_once("# Without noise").expect("terms");
        let one = format!("{head}[[fit.trial]]\nname = \"one\"\ndata = [\"given.csv\"]\n\n# Without noise{terms}")
            .replace("motion-92.csv", "moved.csv")
            .replace("evaluations = 2000", "evaluations = 1");
        let given = vec![("moved.csv".to_string(), stance.motion), ("given.csv".to_string(), forces)];
        for (case, known) in [("guess", guess), ("noise", noise)] {
            let record = outcome(&foot(), case, &one, given.clone()).fit.expect("a record");
            let found = record.objective_at_start;
            assert!((found / known - 1.0).abs() < 1e-8, "{cadence} {case}: {found} {known}");
        }
    }
}
