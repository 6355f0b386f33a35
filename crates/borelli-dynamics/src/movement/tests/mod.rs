//! Movements against references, conservation, closed forms and differences.

mod allocation;
mod audit;
mod contact;
mod control;
mod energy;
mod inside;
mod offset;
mod projection;
mod slopes;

use super::*;
use crate::assemble::{Assembled, assemble};
use crate::compile;
use crate::formulation::Evaluation;
use crate::integrate::{Flow, Settings, Statistics, Step, Unobserved, at_times, find, integrate};
use crate::memory::Touch;
use crate::retract::retract;
use crate::system::Start;
use borelli_model::Model;
use borelli_testkit::{Random, reference};

fn read(name: &str) -> System {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).with_extension("toml");
    compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

fn parse(text: &str) -> System {
    compile(&Model::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

/// A mass on a rail under a constant load.
const RAIL: &str = r#"
borelli = 1
dimension = "planar"
[body.mass]
mass = 2
inertia = 0.1
[joint.rail]
type = "slider"
parent = "world"
child = "mass"
axis = [1, 0]
[force.pull]
type = "force"
at = "mass"
force = [5, 1]
"#;

/// What moves it.
const GUIDE: &str = r#"
[guide.drive]
type = "coordinate"
coordinate = "rail"
function = { type = "sine", amplitude = 0.3, frequency = 0.7, phase = 0.4 }
"#;

/// The mass that its guide moves.
fn guided() -> System {
    parse(&format!("{RAIL}{GUIDE}"))
}

/// All gallery models.
fn gallery() -> Vec<(String, System)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let files = std::fs::read_dir(folder).unwrap().filter_map(|e| e.unwrap().file_name().into_string().ok());
    let mut names: Vec<String> = files.filter_map(|n| n.strip_suffix(".toml").map(str::to_string)).collect();
    names.sort();
    // Soft parts have a movement of another sort.
    names.into_iter().map(|name| (name.clone(), read(&name))).filter(|(_, system)| !system.has_soft()).collect()
}

/// The start of a model, assembled.
fn start(system: &System) -> Assembled {
    let Start { q, v, held } = &system.start;
    assemble(system, 0.0, q, v, held).unwrap_or_else(|fault| panic!("{}: {fault}", system.name))
}

/// A state near the start that satisfies nothing.
fn beside(system: &System, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    let Assembled { mut q, mut v, .. } = start(system);
    let step = random.uniforms(v.len(), -0.02, 0.02);
    retract(&system.skeleton, &mut q, &step);
    v.iter_mut().zip(random.uniforms(step.len(), -0.2, 0.2)).for_each(|(v, more)| *v += more);
    (q, v)
}

/// Runs a movement from `y`; the statistics.
fn run(movement: &mut dyn Ode, method: &str, settings: &Settings, interval: (f64, f64), y: &mut [f64]) -> Statistics {
    let (mut method, mut statistics) = ((find(method).unwrap().build)(y.len()), Statistics::default());
    integrate(&mut *method, movement, interval, y, settings, &mut statistics, &mut Unobserved)
        .unwrap_or_else(|failure| panic!("{failure}"));
    statistics
}

/// Rows of a reference table without its header.
fn table(name: &str) -> Option<Vec<Vec<f64>>> {
    let text = std::fs::read_to_string(reference(name)?).unwrap();
    Some(text.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect())
}

/// States at the times of a table, from the model's start.
fn states(system: &System, method: &str, tolerance: f64, times: &[f64]) -> Vec<Vec<f64>> {
    let mut movement = Movement::new(system, Options::default()).unwrap();
    let mut y = movement.state(system, &system.start.q, &system.start.v);
    let mut found = vec![y.clone()];
    let (mut method, mut statistics) = ((find(method).unwrap().build)(y.len()), Statistics::default());
    let mut record = at_times(&times[1..], y.len(), |_, y: &[f64]| found.push(y.to_vec()));
    let end = *times.last().unwrap();
    let settings = Settings::tolerance(tolerance);
    integrate(&mut *method, &mut movement.of(system), (0.0, end), &mut y, &settings, &mut statistics, &mut record).unwrap();
    found
}

#[test]
fn the_double_pendulum_and_the_top_move_as_the_references_say() {
    let (Some(pendulum), Some(top)) = (table("benchmarks/data/double_pendulum.csv"), table("benchmarks/data/top_asymmetric.csv")) else {
        return;
    };
    for method in ["dopri5", "adams"] {
        let times: Vec<f64> = pendulum.iter().map(|row| row[0]).collect();
        for (row, y) in pendulum.iter().zip(states(&read("double-pendulum"), method, 1e-12, &times)) {
            // The reference gives absolute angles, to eleven digits.
            let absolute = [y[0], y[0] + y[1], y[2], y[2] + y[3]];
            (0..4).for_each(|k| assert!((absolute[k] - row[k + 1]).abs() < 2e-9, "{method} {row:?} {absolute:?}"));
        }
        let times: Vec<f64> = top.iter().map(|row| row[0]).collect();
        for (row, y) in top.iter().zip(states(&read("top"), method, 1e-12, &times)) {
            let sign = if (0..4).map(|k| y[k] * row[4 + k]).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
            (0..4).for_each(|k| assert!((sign * y[k] - row[4 + k]).abs() < 1e-8, "{method} {row:?} {y:?}"));
            (0..3).for_each(|k| assert!((y[4 + k] - row[1 + k]).abs() < 1e-8, "{method} {row:?} {y:?}"));
        }
    }
}
