//! Random states of a system that satisfy its loops and guides.
//! Not here: assembling itself, and what the states are for.
//! In: a system and a generator. Out: time, coordinates, velocities and generalised forces.

use borelli_dynamics::System;
use borelli_dynamics::assemble::{AssemblyFault, assemble};
use borelli_dynamics::contact::Gaps;
use borelli_dynamics::system::Measure;
use borelli_math::random::Random;

/// A state, and generalised forces that act beside the model's own.
#[derive(Clone, Debug)]
pub struct State {
    /// Time, s.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// States of force elements.
    pub z: Vec<f64>,
    /// Generalised forces.
    pub tau: Vec<f64>,
}

/// Spread of angles about the start, rad.
const ANGLE: f64 = 1.0;
/// Spread of lengths about the start, m.
const LENGTH: f64 = 0.3;
/// Largest speed, rad/s or m/s.
const SPEED: f64 = 2.0;
/// Largest generalised force, N m or N.
const EFFORT: f64 = 10.0;
/// Spread of states of force elements about the start, SI.
const INSIDE: f64 = 0.1;
/// Most draws for a state at which surfaces touch.
const DRAWS: u32 = 32;

/// Draws a state without regard to loops and guides.
///
/// Angles and lengths are uniform about the start of the model, quaternions are random rotations, velocities and forces uniform; time is
/// uniform where all tables of the model are defined.
pub fn scatter(system: &System, random: &mut Random) -> State {
    scatter_wide(system, random, 1.0)
}

/// The same with coordinates spread so many times as wide.
fn scatter_wide(system: &System, random: &mut Random, wide: f64) -> State {
    let (from, to) = times(system);
    let t = random.uniform(from, to);
    let mut q = system.start.q.clone();
    let names = &system.names.coordinates;
    let mut k = 0;
    while k < q.len() {
        match names[k].measure {
            Measure::Angle => q[k] += wide * random.uniform(-ANGLE, ANGLE),
            Measure::Length => q[k] += wide * random.uniform(-LENGTH, LENGTH),
            Measure::Quaternion => {
                q[k..k + 4].copy_from_slice(&random.unit_quaternion());
                k += 3;
            }
        }
        k += 1;
    }
    let dofs = system.skeleton.dofs();
    let v = (0..dofs).map(|_| random.uniform(-SPEED, SPEED)).collect();
    let tau = (0..dofs).map(|_| random.uniform(-EFFORT, EFFORT)).collect();
    let z = system.numbers.states.iter().map(|z| z + random.uniform(-INSIDE, INSIDE)).collect();
    State { t, q, v, z, tau }
}

/// Draws a state that satisfies loops and guides; why not, if it cannot be reached from where the draw fell.
///
/// Of a model with contacts the first of some ever wider draws is taken at which surfaces touch, so that there is something to see of them.
pub fn draw(system: &System, random: &mut Random) -> Result<State, AssemblyFault> {
    if system.names.pairs.is_empty() {
        return draw_once(system, random, 1.0);
    }
    let mut gaps = Gaps::new(system);
    let mut last = draw_once(system, random, 1.0);
    for k in 0..DRAWS {
        if let Ok(state) = &last {
            gaps.look(system, &state.q, &state.v);
            if gaps.depth().iter().any(|depth| *depth > 0.0) {
                break;
            }
        }
        last = draw_once(system, random, 1.0 + f64::from(k) / 8.0);
    }
    last
}

fn draw_once(system: &System, random: &mut Random, wide: f64) -> Result<State, AssemblyFault> {
    let State { t, q, v, z, tau } = scatter_wide(system, random, wide);
    if system.names.rows.is_empty() {
        return Ok(State { t, q, v, z, tau });
    }
    let assembled = assemble(system, t, &q, &v, &vec![false; v.len()])?;
    Ok(State { t, q: assembled.q, v: assembled.v, z, tau })
}

/// Times at which all tables are defined, as far as they go beyond zero; else the first second.
///
/// Tables of coordinates are counted too, which costs nothing but a shorter interval.
fn times(system: &System) -> (f64, f64) {
    let domains = || system.numbers.functions.iter().filter_map(|f| f.domain());
    let from = domains().map(|(a, _)| a).fold(0.0, f64::max);
    let to = domains().map(|(_, b)| b).fold(1.0, f64::min);
    if from < to { (from, to) } else { (0.0, 1.0) }
}
