//! How often told intervals hold the truth: the foot of three ellipsoids with fresh noise, weights of one over its standard deviation.
//! Not here: statistics themselves (`borelli-fit`), the stances (`three_ellipsoids`).
//!
//! Unknown are stiffness (on a logarithmic scale), damping and the heights of heel, ball and toe. Each repetition puts new noise of 2 N on the exact force where
//! it is above zero and of 1 mm on the exact centre of pressure where at least 20 N press, and is fitted from the truth. `BORELLI_SLOW=1`: 1000 repetitions.

use crate::root;
use crate::three_ellipsoids::{Stance, foot, outcome, stance_of_reference};
use borelli::System;
use borelli::study::run::Outcome;
use borelli_testkit::Random;
use std::fmt::Write;
use std::fs;

/// Noise of force and centre of pressure, N and m.
const NOISE: [f64; 3] = [2.0, 1e-3, 1e-3];
const UNKNOWNS: [(&str, &str, &str, &str); 5] = [
    ("stiffness", "law.sole.stiffness", "1e6 N/m^3", "1e8 N/m^3"),
    ("damping", "law.sole.dissipation", "0 s/m", "3 s/m"),
    ("heel", "body.foot.frame.heel.origin.z", "-55 mm", "25 mm"),
    ("ball", "body.foot.frame.ball.origin.z", "-53 mm", "27 mm"),
    ("toe", "body.toe.frame.pad.origin.z", "-53 mm", "27 mm"),
];
const TRUTH: [f64; 5] = [1.6e7, 0.565, 0.0004, -0.0006, -0.019];

/// The study of the foot with five unknowns and weights of one over the standard deviation of the noise.
fn study() -> String {
    let whole = fs::read_to_string(root().join("studies/94-three-ellipsoids-found-again/study.toml")).expect("a study");
    let columns = &whole[whole.find("[column.up]").expect("columns")..whole.find("[fit]").expect("a fit")];
    let mut text = format!(
        "borelli = 1\ntitle = \"coverage\"\nmodel = \"foot.toml\"\nanalysis = \"fit\"\n[time]\nsample = \"7.8125 ms\"\n[motion]\nfile = \"moved.csv\"\n\
         derivatives = \"spline\"\n{columns}\n[fit]\nof = \"evaluate\"\nnoise = \"known\"\n[[fit.trial]]\nname = \"one\"\ndata = [\"given.csv\"]\n"
    );
    for (name, unit, least) in [("up", "2 N", "0 N"), ("right", "1 mm", "20 N"), ("forward", "1 mm", "20 N")] {
        let _ = writeln!(
            text,
            "[[fit.term]]\nname = \"{name}\"\ncolumn = \"derived.{name}\"\ndata = \"{name}\"\nnormalise = \"{unit}\"\nwhere = \"data.up_exact > [{least}]\""
        );
    }
    for (name, path, low, high) in UNKNOWNS {
        let scale = if name == "stiffness" { "scale = \"log\"\n" } else { "" };
        let _ = writeln!(text, "[[fit.unknown]]\nname = \"{name}\"\npath = \"{path}\"\nlow = \"{low}\"\nhigh = \"{high}\"\n{scale}");
    }
    text
}

/// A fit to a stance with the noise of a seed; without one to what is exact.
fn repetition(system: &System, text: &str, stance: &Stance, seed: Option<u64>) -> Outcome {
    let mut random = Random::new(seed.unwrap_or(0));
    let mut normal = || {
        let (u, v) = (random.uniform(0.0, 1.0), random.uniform(0.0, 1.0));
        (-2.0 * (-u).ln_1p()).sqrt() * (2.0 * std::f64::consts::PI * v).cos()
    };
    let mut forces = String::from("time,up_exact,up,right,forward\n");
    for (t, exact) in stance.times.iter().zip(&stance.exact) {
        let mut cells = *exact;
        for (cell, sd) in cells.iter_mut().zip(NOISE).filter(|_| seed.is_some()) {
            *cell += sd * normal();
        }
        let _ = writeln!(forces, "{t:?},{:?},{:?},{:?},{:?}", exact[0], cells[0], cells[1], cells[2]);
    }
    let given = vec![("moved.csv".to_string(), stance.motion.clone()), ("given.csv".to_string(), forces)];
    outcome(system, "", text, given)
}

fn scalar(outcome: &Outcome, name: &str) -> f64 {
    outcome.scalars.iter().find(|scalar| scalar.name == name).unwrap_or_else(|| panic!("{name}")).value
}

/// How often the interval of each unknown holds its truth; every fit must find what it looks for.
fn held(system: &System, stance: &Stance, repetitions: u64) -> [usize; 5] {
    let (text, mut count) = (study(), [0; 5]);
    for seed in 1..=repetitions {
        let own = repetition(system, &text, stance, Some(seed));
        assert!(own.fit.as_ref().is_some_and(|record| record.found), "{seed}");
        for (k, (name, ..)) in UNKNOWNS.iter().enumerate() {
            let ends = ["low", "high"].map(|end| scalar(&own, &format!("fit.interval_{end}.{name}")));
            count[k] += usize::from((ends[0]..=ends[1]).contains(&TRUTH[k]));
        }
    }
    count
}

/// 95 % of 1000 repetitions are 950 with a standard deviation of 7: 930 to 970 are three of them. Of the few that always run six in a hundred may be more.
fn within(count: [usize; 5], repetitions: u64) {
    let mean = 0.95 * repetitions as f64;
    let most = 3.0 * (0.05 * mean).sqrt();
    for (own, (name, ..)) in count.iter().zip(UNKNOWNS) {
        assert!((*own as f64 - mean).abs() <= most + 0.5, "{name}: {own} of {repetitions}");
    }
}

fn repetitions(slow: u64) -> u64 {
    if std::env::var_os("BORELLI_SLOW").is_some() { slow } else { 30 }
}

/// The stance of an independent program, whose standard deviations and counts are known: 0.3249 %, 0.01221 s/m, 0.02021, 0.02215 and 0.09635 mm; 259 residuals.
#[test]
fn intervals_of_a_foot_hold_the_truth_as_often_as_they_say() {
    let Some(stance) = stance_of_reference("92") else { return };
    let system = foot();
    let exact = repetition(&system, &study(), &stance, None);
    assert_eq!(exact.fit.as_ref().map(|record| record.residual_count), Some(259));
    let known = [0.003249 * TRUTH[0], 0.01221, 0.02021e-3, 0.02215e-3, 0.09635e-3];
    for ((name, ..), known) in UNKNOWNS.iter().zip(known) {
        let found = scalar(&exact, &format!("fit.sd.{name}"));
        // They are printed with four digits.
        assert!((found / known - 1.0).abs() < 5e-4, "{name}: {found} {known}");
    }
    let count = repetitions(1000);
    within(held(&system, &stance, count), count);
}

/// The same on the stance of the study, so that something always runs.
#[test]
fn intervals_hold_the_truth_on_a_stance_of_our_own() {
    let folder = root().join("studies/94-three-ellipsoids-found-again");
    let motion = fs::read_to_string(folder.join("motion-92.csv")).expect("a motion");
    let forces = fs::read_to_string(folder.join("forces-92.csv")).expect("forces");
    let rows = forces.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse::<f64>().expect("a number")).collect::<Vec<_>>());
    let (times, exact) = rows.map(|row| (row[0], [row[1], row[2], row[3]])).unzip();
    let count = repetitions(200);
    within(held(&foot(), &Stance { motion, times, exact, noisy: Vec::new() }, count), count);
}
