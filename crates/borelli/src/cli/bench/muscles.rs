//! Muscles and strings over obstacles, timed: one of each alone, and the right-hand side of a person moved by 80 muscles.
//! Not here: the clock, the person (`borelli::muscled`).
//! In: fixed models, states drawn from a seeded sequence. Out: one line each, with a checksum.

use super::clock::measure;
use super::contact::{Line, STATES, kernel};
use borelli::muscled::person;
use borelli_dynamics::frames::Frames;
use borelli_dynamics::integrate::Ode;
use borelli_dynamics::movement::{Movement, Options};
use borelli_dynamics::scene::{Inside, Loads, Scene};
use borelli_dynamics::{System, compile};
use borelli_math::random::Random;
use borelli_model::{Model, Rejected};
use borelli_study::states::scatter;
use std::f64::consts::TAU;
use std::fmt::Write;
use std::hint::black_box;

/// Equal elements that are evaluated at once, so that what is not theirs does not count.
const MANY: usize = 64;
/// Muscle laws with the numbers of a muscle each.
const LAWS: [(&str, &str); 3] = [
    ("thelen", "force = 1600\nfibre_length = 0.065\ntendon_length = 0.24\npennation = \"20 deg\"\nspeed = 12"),
    ("millard", "force = 850\nfibre_length = 0.085\ntendon_length = 0.15\npennation = \"12 deg\""),
    ("dgf", "force = 2200\nfibre_length = 0.055\ntendon_length = 0.26\npennation = \"25 deg\""),
];
/// A string: name, wrap, ends, side, how many at once, and angles between which it swings, deg.
type Strung = (&'static str, &'static str, [&'static str; 2], &'static str, usize, [f64; 2]);
/// Strings of the tables of wraps, over angles at which they touch.
static STRINGS: &[Strung] = &[
    ("one path, straight", "", ["[0.036, 0.19, 0.03]", "[0.033, -0.07, -0.015]"], "", MANY, [0.0, -100.0]),
    (
        "one path, over a sphere",
        "[world.frame]\nC = { origin = [0.006, -0.004, 0.003] }\n[wrap.w]\ntype = \"sphere\"\nat = \"world.C\"\nradius = 0.035",
        ["[0.034, 0.21, 0.018]", "[0.031, -0.075, -0.012]"],
        "",
        MANY,
        [-10.0, -85.0],
    ),
    (
        "one path, over a cylinder",
        "[world.frame]\nC = { origin = [0.004, -0.006, 0.002], angles = [\"12 deg\", \"-8 deg\", \"0 deg\"] }\n\
         [wrap.w]\ntype = \"cylinder\"\nat = \"world.C\"\nradius = 0.031",
        ["[0.036, 0.19, 0.03]", "[0.033, -0.07, -0.015]"],
        ", side = [0.99026806874157, 0.0, -0.139173100960065]",
        MANY,
        [-10.0, -130.0],
    ),
    (
        "one path, over an ellipsoid, followed",
        "[world.frame]\nC = { origin = [0.008, -0.005, 0.004], angles = [\"20 deg\", \"-15 deg\", \"30 deg\"] }\n\
         [wrap.w]\ntype = \"ellipsoid\"\nat = \"world.C\"\na = 0.045\nb = 0.03\nc = 0.06",
        ["[0.05, 0.2, 0.02]", "[0.042, -0.08, -0.014]"],
        ", side = [0.836516303737808, -0.482962913144534, -0.258819045102521]",
        1,
        [0.0, -52.0],
    ),
];
/// States of the person, and how many are drawn at most.
const POSES: usize = 256;
const DRAWS: usize = 100 * POSES;

/// What forces do at some poses of a system of one coordinate, timed.
struct Rig {
    system: System,
    frames: Vec<Frames<f64>>,
    q: Vec<[f64; 1]>,
    v: [f64; 1],
    z: Vec<Vec<f64>>,
    loads: Loads<f64>,
}

impl Rig {
    /// At poses that are passed one after the other, with states of elements.
    fn new(system: System, q: Vec<[f64; 1]>, z: Vec<Vec<f64>>) -> Self {
        let v = [0.3];
        let frames = q.iter().map(|q| {
            let mut frames = Frames::new(&system.skeleton);
            frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, q, &v, &[]);
            frames.fill_points(&system.skeleton);
            frames
        });
        let frames = frames.collect();
        let mut loads = Loads::new(&system.skeleton, &system.numbers);
        loads.inner.reporting = false;
        Rig { system, frames, q, v, z, loads }
    }

    /// All forces at a pose.
    fn look(&mut self, k: usize) -> f64 {
        let System { skeleton, numbers, .. } = &self.system;
        let inside = Inside { z: self.z.get(k).map_or(&[], Vec::as_slice), u: &[] };
        let scene = Scene { skeleton, numbers, frames: &self.frames[k], q: &self.q[k], v: &self.v, vdot: &[], t: 0.0, inside };
        self.loads.clear();
        numbers.forces.apply(&scene, &mut self.loads);
        self.loads.lines.length[0] + self.loads.lines.pulled[0] + self.loads.inner.zdot.iter().sum::<f64>()
    }

    /// One of `MANY` equal parts of it.
    fn line(mut self, name: &str, parts: usize) -> Line {
        let line = kernel(name, |k| self.look(k));
        Line { timing: line.timing.of_each(parts), ..line }
    }
}

fn read(text: &str) -> Result<System, Rejected> {
    compile(&Model::parse("bench.toml", text)?)
}

/// A mass on a rail whose coordinate is the length of the path of all muscles, each with states of its own.
fn muscle(law: &str, fields: &str) -> Result<Line, Rejected> {
    let mut text = String::from(
        "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 50\ninertia = 1\n[joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\n\
         axis = [1, 0]\n[path.p]\npoints = [\"world\", \"a\"]\n[initial]\ncoordinates = { x = 0.3 }\n",
    );
    for k in 0..MANY {
        let _ = writeln!(text, "[muscle.m{k}]\ntype = \"{law}\"\npath = \"p\"\n{fields}\nexcitation = 0.5");
    }
    let system = read(&text)?;
    let (_, size) = system.numbers.forces.muscles()[0];
    let mut random = Random::new(1);
    let rest = size.tendon_length + size.fibre_length * size.pennation.cos();
    let q: Vec<[f64; 1]> = (0..STATES).map(|_| [rest + size.fibre_length * random.uniform(-0.3, 0.4)]).collect();
    let states = |q: &[f64; 1]| {
        let mut z = system.states_at(0.0, q).z;
        for own in z.chunks_exact_mut(2) {
            own[0] = random.uniform(0.02, 1.0);
            // Tendons are stretched by some hundredths.
            own[1] = (q[0] - size.tendon_length * random.uniform(1.0, 1.04)) / size.fibre_length;
        }
        z
    };
    let z = q.iter().map(states).collect();
    Ok(Rig::new(system, q, z).line(&format!("one muscle, {law}, elastic tendon"), MANY))
}

/// A string between the ground and a body on a hinge, over what lies on the ground; of the tables of wraps.
fn string(name: &str, wrap: &str, ends: &[&str; 2], side: &str, count: usize, angles: impl Fn(usize) -> f64) -> Result<Line, Rejected> {
    let [P, Q] = ends;
    let mut text = format!(
        "borelli = 1\ndimension = \"spatial\"\n[world.point]\nP = {P}\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\npoint = {{ Q = {Q} }}\n\
         [joint.x]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\naxis = [0, 0, 1]\n{wrap}\n"
    );
    let over = if wrap.is_empty() { String::new() } else { format!("{{ wrap = \"w\"{side} }}, ") };
    for k in 0..count {
        let _ = writeln!(text, "[path.p{k}]\npoints = [\"world.P\", {over}\"a.Q\"]");
    }
    let q = (0..STATES).map(|k| [angles(k).to_radians()]).collect();
    Ok(Rig::new(read(&text)?, q, Vec::new()).line(name, count))
}

/// To and fro between two angles in degrees, a quarter of a thousand looks each time.
fn swing(from: f64, to: f64) -> impl Fn(usize) -> f64 {
    move |k| from + (to - from) * 0.5 * (1.0 - (TAU * k as f64 / 256.0).cos())
}

/// States of the person. Poses in which a point of a path lies inside its cylinder have no forces; others are drawn in their place.
fn poses(system: &System, movement: &mut Movement) -> Vec<Vec<f64>> {
    let (layout, mut random) = (movement.layout(), Random::new(1));
    let mut dy = vec![0.0; layout.dim()];
    let drawn = std::iter::repeat_with(|| {
        let drawn = scatter(system, &mut random);
        let mut y = movement.state(system, &drawn.q, &drawn.v);
        let z = &mut y[layout.z_range()];
        z.copy_from_slice(&system.states_at(0.0, &drawn.q).z);
        z.iter_mut().for_each(|z| *z *= random.uniform(0.98, 1.02));
        movement.of(system).rates(0.0, &y, &mut dy).is_ok().then_some(y)
    });
    drawn.take(DRAWS).flatten().take(POSES).collect()
}

/// The right-hand side of the person.
fn body(law: &str) -> Result<Option<Line>, Rejected> {
    let system = person(law)?;
    let Ok(mut movement) = Movement::new(&system, Options::default()) else { return Ok(None) };
    let states = poses(&system, &mut movement);
    if states.len() < POSES {
        return Ok(None);
    }
    let mut dy = vec![0.0; movement.layout().dim()];
    let mut call = |k: usize| {
        // All of them have rates.
        let _ = movement.of(&system).rates(0.0, &states[k % POSES], &mut dy);
        dy.iter().sum::<f64>()
    };
    let checksum = (0..POSES).map(&mut call).sum();
    let timing = measure(|k| {
        black_box(call(k));
    });
    Ok(Some(Line { name: format!("human3d, 80 muscles of {law}, 40 cylinders: all rates"), timing, checksum, motion: None }))
}

/// All lines.
pub fn lines() -> Result<Vec<Line>, Rejected> {
    let mut lines = Vec::new();
    for (law, fields) in LAWS {
        lines.push(muscle(law, fields)?);
    }
    for (name, wrap, ends, side, count, [from, to]) in STRINGS {
        lines.push(string(name, wrap, ends, side, *count, swing(*from, *to))?);
    }
    for (law, _) in LAWS {
        lines.extend(body(law)?);
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_person_has_states_to_be_timed_at_with_every_law() {
        for (law, _) in LAWS {
            let system = person(law).unwrap_or_else(|rejected| panic!("{rejected}"));
            let mut movement = Movement::new(&system, Options::default()).expect("a movement");
            assert_eq!(poses(&system, &mut movement).len(), POSES, "{law}");
        }
    }
}
