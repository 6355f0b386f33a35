//! Many contacts: time of an evaluation as balls in a box become more, for each pair that touches, with the exponent of its growth.
//! Not here: the clock.
//! In: numbers of balls. Out: one line per operation.

use super::clock::measure;
use super::growth::Line;
use super::subject::Operation;
use borelli_dynamics::contact::{Gaps, Prescribed};
use borelli_dynamics::formulation::FORMULATIONS;
use borelli_dynamics::integrate::Ode;
use borelli_dynamics::movement::{Movement, Options};
use borelli_dynamics::{System, compile};
use borelli_math::random::Random;
use borelli_model::{Model, Rejected};
use borelli_study::states::State;
use serde_json::{Value, json};
use std::fmt::Write;
use std::hint::black_box;

/// Balls in the box.
const BALLS: [usize; 6] = [5, 10, 20, 50, 100, 200];
/// Distinct states.
const STATES: usize = 16;
/// Radius of a ball and distance of neighbours in the grid they start from, m: neighbours overlap.
const RADIUS: f64 = 0.05;
const PITCH: f64 = 0.099;
/// Most that a coordinate of a state differs from the grid, m.
const JITTER: f64 = 1e-4;

/// All operations, and what they were timed on.
pub struct Table {
    lines: Vec<Line>,
    /// Pairs at each number of balls, and those of them that touch, on average over the states.
    pairs: Vec<usize>,
    touching: Vec<f64>,
}

/// Balls in a box of six half-spaces, in a cubic grid in which neighbours overlap.
pub fn text(balls: usize) -> String {
    let side = (1..).find(|side: &usize| side.pow(3) >= balls).unwrap_or(1);
    let end = PITCH * side as f64;
    let mut text = String::from("borelli = 1\nname = \"balls\"\ndimension = \"spatial\"\n");
    let mut starts = Vec::new();
    // writing into a String cannot fail
    for k in 0..balls {
        let _ = write!(
            text,
            "[body.b{k}]\nmass = 1\ninertia = [1e-3, 1e-3, 1e-3]\n[joint.b{k}]\ntype = \"free\"\nparent = \"world\"\nchild = \"b{k}\"\n\
             [surface.b{k}]\ntype = \"sphere\"\nat = \"b{k}\"\nradius = {RADIUS}\n"
        );
        let place = [k % side, k / side % side, k / (side * side)].map(|k| PITCH * (k as f64 + 0.5));
        starts.extend(["x", "y", "z"].iter().zip(place).map(|(axis, x)| format!("b{k}_p{axis} = {x:.6}")));
    }
    let mut walls = Vec::new();
    for axis in ["x", "y", "z"] {
        for (name, normal, height) in [("low", 1, 0.0), ("high", -1, -end)] {
            // The default normal is along Y.
            let upright = if axis == "y" { String::new() } else { "ny = 0\n".into() };
            let _ = write!(
                text,
                "[surface.{name}_{axis}]\ntype = \"half-space\"\nat = \"world\"\n{upright}n{axis} = {normal}\nheight = {height:.6}\n"
            );
            walls.push(format!("\"{name}_{axis}\""));
        }
    }
    let (list, walls) = ((0..balls).map(|k| format!("\"b{k}\"")).collect::<Vec<_>>().join(", "), walls.join(", "));
    let laws = "normal = { type = \"hunt-crossley\", stiffness = 1e6, dissipation = 0.3 }\n\
                friction = { type = \"tanh\", friction = 0.5, transition = \"1 cm/s\" }\n";
    let _ = write!(text, "[contact.balls]\na = [{list}]\nb = [{list}]\n{laws}[contact.walls]\na = [{list}]\nb = [{walls}]\n{laws}");
    let _ = write!(text, "[initial]\ncoordinates = {{ {} }}\n", starts.join(", "));
    text
}

/// States near the grid, balls moving, and how many pairs touch on average.
fn states(system: &System) -> (Vec<State>, f64) {
    let (mut random, mut gaps, mut touching) = (Random::new(1), Gaps::new(system), 0);
    let list: Vec<State> = (0..STATES)
        .map(|_| {
            let mut q = system.start.q.clone();
            // Quaternions are those of the start: balls look alike from all sides.
            for (x, name) in q.iter_mut().zip(&system.names.coordinates) {
                if name.measure == borelli_dynamics::system::Measure::Length {
                    *x += random.uniform(-JITTER, JITTER);
                }
            }
            let v = (0..system.skeleton.dofs()).map(|_| random.uniform(-1.0, 1.0)).collect::<Vec<_>>();
            gaps.look(system, &q, &v);
            touching += gaps.depth().iter().filter(|depth| **depth > 0.0).count();
            State { t: 0.0, tau: vec![0.0; v.len()], z: Vec::new(), q, v }
        })
        .collect();
    (list, touching as f64 / STATES as f64)
}

/// Something that is computed at a state and witnessed by a number.
type Call<'s> = Box<dyn FnMut(&State) -> f64 + 's>;

fn by(name: &str, systems: &[(System, Vec<State>)], make: impl Fn(&System) -> Option<Call>) -> Line {
    let mut line = Line { name: name.into(), found: Ok(Vec::new()), checksum: 0.0 };
    for (system, states) in systems {
        let Some(mut call) = make(system) else {
            line.found = Err("the model cannot be moved".into());
            break;
        };
        line.checksum = call(&states[0]);
        let timing = measure(|k| {
            black_box(call(&states[k % states.len()]));
        });
        if let Ok(times) = &mut line.found {
            times.push(timing.best());
        }
    }
    line
}

/// Rates of a run that keeps account of its energy.
fn rates(system: &System) -> Option<Call<'_>> {
    let mut movement = Movement::new(system, Options { audit: true, ..Options::default() }).ok()?;
    let mut dy = vec![0.0; movement.layout().dim()];
    let mut y = dy.clone();
    Some(Box::new(move |state| {
        y[..state.q.len()].copy_from_slice(&state.q);
        y[state.q.len()..][..state.v.len()].copy_from_slice(&state.v);
        let found = movement.of(system).rates(0.0, &y, &mut dy);
        if found.is_ok() { dy.iter().sum() } else { f64::NAN }
    }))
}

/// A report of all pairs.
fn report(system: &System) -> Option<Call<'_>> {
    let mut prescribed = Prescribed::new(system);
    Some(Box::new(move |state| prescribed.look(system, 0.0, &state.q, &state.v).iter().map(|pair| pair.normal_force).sum()))
}

/// All operations.
pub fn table() -> Result<Table, Rejected> {
    let (mut systems, mut pairs, mut touching) = (Vec::new(), Vec::new(), Vec::new());
    for balls in BALLS {
        let system = compile(&Model::parse("spheres.toml", &text(balls))?)?;
        let (states, touch) = states(&system);
        pairs.push(system.names.pairs.len());
        touching.push(touch);
        systems.push((system, states));
    }
    let mut lines = vec![Line::of(&systems, Operation::Forward), by("rates of a run, with energies", &systems, rates)];
    lines.push(by("contacts alone, all pairs reported", &systems, report));
    lines.extend(FORMULATIONS.iter().map(|entry| Line::of(&systems, Operation::Evaluate(entry))));
    Ok(Table { lines, pairs, touching })
}

impl Table {
    /// For machines.
    pub fn json(&self) -> Vec<Value> {
        let line = |line: &Line| match &line.found {
            Ok(times) => {
                let ns: Vec<f64> = times.iter().map(|t| 1e9 * t).collect();
                let exponent = line.exponent(&self.touching);
                json!({
                    "spheres": line.name, "numbers": BALLS, "pairs": self.pairs, "touching": self.touching,
                    "ns_best": ns, "exponent": exponent, "checksum": line.checksum
                })
            }
            Err(reason) => json!({ "spheres": line.name, "declined": reason }),
        };
        self.lines.iter().map(line).collect()
    }

    /// For people.
    pub fn text(&self) -> String {
        let width = self.lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
        let mut text = format!("\n{:<width$}", "balls in a box, best us");
        BALLS.iter().for_each(|balls| text += &format!(" {balls:>10}"));
        text += "  exponent  checksum\n";
        let row = |name: &str, values: &mut dyn Iterator<Item = String>| {
            format!("{name:<width$}{}\n", values.map(|value| format!(" {value:>10}")).collect::<String>())
        };
        text += &row("pairs", &mut self.pairs.iter().map(ToString::to_string));
        text += &row("pairs that touch", &mut self.touching.iter().map(|x| format!("{x:.1}")));
        for line in &self.lines {
            match &line.found {
                Ok(times) => {
                    let _ = write!(text, "{:<width$}", line.name);
                    times.iter().for_each(|time| text += &format!(" {:>10.2}", 1e6 * time));
                    let exponent = line.exponent(&self.touching).unwrap_or(f64::NAN);
                    let _ = writeln!(text, "  {exponent:>8.2}  {:.9e}", line.checksum);
                    let each = times.iter().zip(&self.touching).map(|(time, touching)| format!("{:.1}", 1e9 * time / touching));
                    text += &row("  ns for each that touches", &mut each.into_iter());
                }
                Err(reason) => {
                    let _ = writeln!(text, "{:<width$} declined: {reason}", line.name);
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_touch_their_neighbours_and_the_walls_beside_them() {
        for (balls, touch) in [(8, 12 + 24), (27, 54 + 54)] {
            let model = Model::parse("spheres.toml", &text(balls)).unwrap_or_else(|rejected| panic!("{rejected}"));
            let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
            let (states, touching) = states(&system);
            assert_eq!((states.len(), touching), (STATES, f64::from(touch)), "{balls}");
        }
    }
}
