//! Measured motion, timed: inverse kinematics and inverse dynamics per frame, beside what another program takes.
//! Not here: the clock, evaluations of whole models (`subject`).
//! In: models with three markers on every body, moving along sines with 2 mm of noise. Out: one line each, with a checksum.

use super::clock::{Timing, measure};
use borelli::gallery;
use borelli_dynamics::formulation::articulated::Articulated;
use borelli_dynamics::frames::Frames;
use borelli_dynamics::kinematics::{Options, Solver, Target};
use borelli_dynamics::scene::Scene;
use borelli_dynamics::system::Measure;
use borelli_dynamics::{System, compile};
use borelli_math::Vec3;
use borelli_math::random::Random;
use borelli_model::{Model, Rejected};
use std::fmt::Write;
use std::hint::black_box;

/// Frames of a motion.
const FRAMES: usize = 1024;
/// Frames per second.
const RATE: f64 = 100.0;
/// Noise of markers, m.
const NOISE: f64 = 2e-3;

/// Models, and what OpenSim 4.6 takes for one frame of a model of the nearest size, s: inverse kinematics, inverse dynamics (10, 23 and 39 coordinates).
const SUBJECTS: [(&str, f64, f64); 3] = [("walker7", 1.2e-3, 1.3e-3), ("lower-limb-markers", 11e-3, 2.8e-3), ("human3d", 47e-3, 2.8e-3)];

/// One line of the bench.
pub struct Line {
    /// What was timed.
    pub name: String,
    /// Time of one frame, s.
    pub timing: Timing,
    /// What the other program takes, s.
    pub other: f64,
    /// Sum of results.
    pub checksum: f64,
}

/// All lines, or why a model cannot be had.
pub fn lines() -> Result<Vec<Line>, Rejected> {
    let mut list = Vec::new();
    for (name, kinematics, dynamics) in SUBJECTS {
        let system = marked(name)?;
        let motion = motion(&system);
        let (coordinates, markers) = (system.skeleton.coords(), system.markers.len());
        let label = |what: &str| format!("{what}, {name}: {coordinates} coordinates, {markers} markers");
        list.push(fit(&system, &motion, label("kinematics"), kinematics));
        list.push(inverse(&system, &motion, label("dynamics"), dynamics));
    }
    Ok(list)
}

/// A model of the gallery with markers; three on every body where it has none.
fn marked(name: &str) -> Result<System, Rejected> {
    let text = gallery::file(&format!("{name}.toml")).unwrap_or_default();
    let load = |path: &str| {
        let file = path.trim_start_matches("../").trim_start_matches("models/");
        gallery::file(file).map(|text| text.as_bytes().to_vec()).ok_or_else(|| std::io::Error::other("no such file"))
    };
    let bare = compile(&Model::parse_with(&format!("{name}.toml"), text, &load)?)?;
    if !bare.markers.is_empty() {
        return Ok(bare);
    }
    let mut text = text.to_string();
    for body in &bare.names.bodies[1..] {
        for (k, place) in [[0.03, 0.05, 0.04], [-0.05, -0.1, 0.05], [0.05, -0.2, -0.06]].iter().enumerate() {
            let place = if bare.skeleton.planar { &place[..2] } else { &place[..] };
            let _ = writeln!(text, "[marker.{body}-{k}]\nbody = \"{body}\"\nlocation = {place:?}");
        }
    }
    compile(&Model::parse_with(&format!("{name}.toml"), &text, &load)?)
}

/// Coordinates, velocities and marker places of every frame.
struct Moving {
    q: Vec<Vec<f64>>,
    v: Vec<Vec<f64>>,
    vdot: Vec<Vec<f64>>,
    targets: Vec<Vec<Target>>,
}

/// Every coordinate on a sine of its own around the start; quaternions stay, so that the frames follow each other smoothly in every model.
fn motion(system: &System) -> Moving {
    let (skeleton, numbers) = (&system.skeleton, &system.numbers);
    let mut frames = Frames::new(skeleton);
    let mut random = Random::new(7);
    let mut moving = Moving { q: Vec::new(), v: Vec::new(), vdot: Vec::new(), targets: Vec::new() };
    let speeds = vec![0.0; skeleton.dofs()];
    for frame in 0..FRAMES {
        let t = frame as f64 / RATE;
        let mut q = system.start.q.clone();
        for (k, name) in system.names.coordinates.iter().enumerate() {
            if name.measure != Measure::Quaternion {
                q[k] += 0.3 * (3.0 * t + k as f64).sin();
            }
        }
        frames.fill::<f64, false>(skeleton, &numbers.tree, &q, &speeds, &[]);
        frames.fill_points(skeleton);
        let scene =
            Scene { skeleton, numbers, frames: &frames, q: &q, v: &speeds, vdot: &[], t, inside: borelli_dynamics::scene::Inside::NONE };
        let noise = |random: &mut Random| Vec3::from_array([0; 3].map(|_| random.uniform(-NOISE, NOISE)));
        let target = |(k, marker): (usize, &borelli_dynamics::system::Marker)| Target {
            marker: k as u32,
            position: scene.point(marker.place).p_W + noise(&mut random),
            weight: 1.0,
        };
        moving.targets.push(system.markers.iter().enumerate().map(target).collect());
        moving.v.push((0..skeleton.dofs()).map(|k| 0.9 * (3.0 * t + k as f64).cos()).collect());
        moving.vdot.push((0..skeleton.dofs()).map(|k| -2.7 * (3.0 * t + k as f64).sin()).collect());
        moving.q.push(q);
    }
    moving
}

/// Inverse kinematics frame after frame, each from the one before.
fn fit(system: &System, motion: &Moving, name: String, other: f64) -> Line {
    let mut solver = Solver::new(system, Options { swaps: false, ..Options::default() });
    let mut q = motion.q[0].clone();
    let mut call = |k: usize| match solver.solve(system, 0.0, &motion.targets[k % FRAMES], &[], &mut q) {
        Ok(fit) => fit.objective,
        Err(_) => f64::NAN,
    };
    let checksum = (0..FRAMES).map(&mut call).sum();
    let timing = measure(|k| {
        black_box(call(k));
    });
    Line { name, timing, other, checksum }
}

/// Inverse dynamics of every frame.
fn inverse(system: &System, motion: &Moving, name: String, other: f64) -> Line {
    let mut articulated = Articulated::new(system);
    let mut tau = vec![0.0; system.skeleton.dofs()];
    let mut call = |k: usize| {
        let k = k % FRAMES;
        match articulated.inverse(system, 0.0, &motion.q[k], &motion.v[k], &motion.vdot[k], &mut tau) {
            Ok(()) => tau.iter().sum::<f64>(),
            Err(_) => f64::NAN,
        }
    };
    let checksum = (0..FRAMES).map(&mut call).sum();
    let timing = measure(|k| {
        black_box(call(k));
    });
    Line { name, timing, other, checksum }
}
