//! Contact, timed: single kernels in nanoseconds, and whole motions against the time they last.
//! Not here: the clock, evaluations of whole models (`subject`).
//! In: fixed scenes drawn from a seeded sequence. Out: one line each, with a checksum.

use super::super::input;
use super::clock::{Timing, measure};
use borelli_contact::detect::{Memory, Settings as Search, detect};
use borelli_contact::friction::Friction;
use borelli_contact::friction::spin::Spin;
use borelli_contact::pressure::{Grid, Presser, Twist};
use borelli_contact::shape::{Pose, Shape, Superellipsoid};
use borelli_contact::volume::{PatchMotion, SecondMoment, SemiAxes, Volumetric};
use borelli_dynamics::contact::Prescribed;
use borelli_dynamics::integrate::{Settings, Statistics, Unobserved, find, integrate};
use borelli_dynamics::memory::Memory as Contacts;
use borelli_dynamics::movement::{Movement, Options};
use borelli_dynamics::rest::Rest;
use borelli_dynamics::system::Start;
use borelli_dynamics::{System, compile};
use borelli_math::random::Random;
use borelli_math::{Mat3, Vec3, rotation_vector, vec3};
use borelli_model::{Model, Rejected};
use std::f64::consts::PI;
use std::hint::black_box;

/// Distinct states of a kernel.
pub const STATES: usize = 1024;

/// One line of the bench.
pub struct Line {
    /// What was timed.
    pub name: String,
    /// Time of one call, s.
    pub timing: Timing,
    /// Sum of results.
    pub checksum: f64,
    /// Of a motion: what it took.
    pub motion: Option<Cost>,
}

/// What a motion took.
pub struct Cost {
    /// How long it lasts, s.
    pub lasts: f64,
    /// Accepted steps, or samples of a prescribed motion.
    pub steps: usize,
    /// Largest difference of a coordinate at the end from a motion with tolerance 1e-11; nothing for a prescribed one.
    pub error: Option<f64>,
}

/// Evaluates all states once for the checksum, then times them in turn.
pub fn kernel(name: &str, mut call: impl FnMut(usize) -> f64) -> Line {
    let checksum = (0..STATES).map(&mut call).sum();
    let timing = measure(|k| {
        black_box(call(k % STATES));
    });
    Line { name: name.into(), timing, checksum, motion: None }
}

fn random_vector(random: &mut Random, size: f64) -> Vec3<f64> {
    vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size))
}

fn random_turn(random: &mut Random) -> Mat3<f64> {
    rotation_vector(random_vector(random, 2.0))
}

/// A heel and what it stands on.
struct Heel {
    axes: SemiAxes<f64>,
    bed: Volumetric<f64>,
    friction: Friction<f64>,
    spin: Spin<f64>,
}

/// The heel of Brown 2017, Table 5.6.
fn heel() -> Option<Heel> {
    let axes = SemiAxes::new(&[("a", 0.0354), ("b", 0.0540), ("c", 0.0226)]).ok()?;
    let bed = Volumetric::new(&[("stiffness", 1.6e7), ("dissipation", 0.565)]).ok()?;
    let friction = Friction::new("three-parameter", &[("static_friction", 0.14), ("dynamic_friction", 0.14), ("transition", 0.01)]).ok()?;
    Some(Heel { axes, bed, friction, spin: Spin::new("gyration", &[]).ok()? })
}

/// Volume, force, rolling and spinning moment of a tilted ellipsoid on a plane.
fn wrench() -> Option<Line> {
    let Heel { axes, bed, friction, spin } = heel()?;
    let mut random = Random::new(1);
    let states: Vec<_> = (0..STATES)
        .map(|_| {
            let (R, n) = (random_turn(&mut random), vec3(0.0, 1.0, 0.0));
            let n_E = R.transpose_mul(n);
            let reach = vec3(axes.a * n_E.x, axes.b * n_E.y, axes.c * n_E.z).norm();
            let motion = PatchMotion { normal: n, velocity: random_vector(&mut random, 0.5), angular: random_vector(&mut random, 3.0) };
            (R, n_E, reach * random.uniform(-0.95, -0.3), motion)
        })
        .collect();
    Some(kernel("ellipsoid on a plane, force and moments", |k| {
        let (R, n_E, q, motion) = &states[k];
        axes.overlap(*n_E, *q, SecondMoment::Weighted).map_or(0.0, |overlap| {
            let load = bed.load(&overlap.rotated(R), motion, Some((&friction, &spin)));
            load.force.y + load.moment.x
        })
    }))
}

/// Two superellipsoids near each other, found anew and followed.
fn pair(followed: bool) -> Line {
    let mut random = Random::new(2);
    let draw = |random: &mut Random| {
        let mut axis = || random.uniform(0.01, 0.08);
        let semi_axes = [axis(), axis(), axis()];
        Shape::from(Superellipsoid { semi_axes, p: random.uniform(2.2, 5.0), r: random.uniform(2.2, 5.0) })
    };
    let states: Vec<_> = (0..STATES)
        .map(|_| {
            let shapes = [draw(&mut random), draw(&mut random)];
            let poses = [Pose { p: random_vector(&mut random, 0.06), R: random_turn(&mut random) }, Pose::IDENTITY];
            (shapes, poses)
        })
        .collect();
    let found = |k: usize, memory: Option<&Memory>| {
        let ([one, other], [X_one, X_other]) = &states[k];
        detect(one, X_one, other, X_other, &Search::default(), memory).ok()
    };
    let memory: Vec<Option<Memory>> = (0..STATES).map(|k| found(k, None).map(|detection| detection.memory)).collect();
    let name = if followed { "superellipsoid pair, followed" } else { "superellipsoid pair, found anew" };
    kernel(name, |k| found(k, memory[k].as_ref().filter(|_| followed)).map_or(0.0, |detection| detection.contact.gap))
}

/// The pressures of a heel on a mat of 39 by 16 cells with 3 by 3 points each.
fn map() -> Option<Line> {
    let Heel { axes, bed, .. } = heel()?;
    let n = vec3(0.0, 1.0, 0.0);
    let grid = Grid::new(vec3(-0.146, 0.0, -0.06), [vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0)], [0.0075; 2], [39, 16], 3).ok()?;
    let mut random = Random::new(3);
    let pressers: Vec<_> = (0..STATES)
        .map(|_| {
            let twist = Twist { at: Vec3::ZERO, velocity: random_vector(&mut random, 0.1), angular: random_vector(&mut random, 1.0) };
            let centre = vec3(0.0, random.uniform(0.005, 0.02), 0.0);
            Presser::new(bed, &axes, &rotation_vector(random_vector(&mut random, 0.5)), centre, n, twist)
        })
        .collect::<Result<_, _>>()
        .ok()?;
    let mut pressures = vec![0.0; grid.len()];
    Some(kernel("pressure map of 39 x 16 cells, 9 points each", |k| {
        pressures.fill(0.0);
        grid.add_pressures(&pressers[k], &mut pressures);
        pressures.iter().sum()
    }))
}

/// All kernels.
pub fn kernels() -> Vec<Line> {
    [wrench(), Some(pair(false)), Some(pair(true)), map()].into_iter().flatten().collect()
}

/// A motion to be timed: no law of it remembers, so that nothing is located on the way.
struct Race {
    name: &'static str,
    model: Source,
    method: &'static str,
    /// Relative tolerance.
    tolerance: f64,
    /// Absolute tolerance over the relative one: contacts of a joint are less than 2 mm deep.
    absolute: f64,
    /// How long it lasts, s.
    end: f64,
    /// Whether the end is compared with a tight motion; a long fall forgets its start.
    judged: bool,
    /// Coordinate that is held while the start is settled at rest without gravity; nothing: the start of the model.
    settled: Option<&'static str>,
}

/// Where a model comes from.
enum Source {
    Gallery(&'static str),
    Text(&'static str),
}

/// A mass on a spring over a belt, seen from the belt: the far end of the spring moves. Brown 2017, section 4.3; weight presses it as deep as it stays.
const STICK_SLIP: &str = r#"borelli = 1
dimension = "planar"
[body.mass]
mass = 1
inertia = 1
[joint.mass]
type = "slider"
parent = "world"
child = "mass"
[force.spring]
type = "coordinate-spring"
coordinate = "mass"
stiffness = "10 N/m"
[force.end]
type = "effort"
coordinate = "mass"
effort = { type = "polynomial", coefficients = ["0 N", "-1 N/s"] }
[surface.mass]
type = "point"
at = "mass"
[surface.belt]
type = "half-space"
at = "world"
height = "1 mm"
[contact.belt]
a = "mass"
b = "belt"
normal = { type = "hooke", stiffness = "9810 N/m" }
friction = { type = "three-parameter", static_friction = 0.2, dynamic_friction = 0.15, transition = "1 mm/s" }
[initial]
speeds = { mass = "-0.1 m/s" }
"#;

/// A ball that strikes a floor at 7 m/s and 45 deg. Brown 2017, section 4.4.
const IMPACT: &str = r#"borelli = 1
dimension = "planar"
gravity = [0, 0]
[body.ball]
mass = "0.5 kg"
inertia = "5 kg cm^2"
[joint.ball]
type = "planar"
parent = "world"
child = "ball"
[surface.ball]
type = "circle"
at = "ball"
radius = "5 cm"
[surface.floor]
type = "half-space"
at = "world"
[contact.floor]
a = "ball"
b = "floor"
force_at = "a"
normal = { type = "hertz", stiffness = "1e7 N/m^2", exponent = 2 }
friction = { type = "five-parameter", static_friction = 0.2, dynamic_friction = 0.15, transition = "1 mm/s", viscosity = "10 N s/m", normal_transition = "10 N" }
[initial]
coordinates = { ball_y = "5 cm" }
speeds = { ball_x = 4.949747468305833, ball_y = -4.949747468305833 }
"#;

static RACES: &[Race] = &[
    Race {
        name: "walker7 falls on eight circles, 0.5 s",
        model: Source::Gallery("walker7-contact"),
        method: "dopri5",
        tolerance: 2e-5,
        absolute: 1.0,
        end: 0.5,
        judged: true,
        settled: None,
    },
    Race {
        name: "walker7 falls and comes to rest, 10 s",
        model: Source::Gallery("walker7-contact"),
        method: "rosenbrock",
        tolerance: 1e-3,
        absolute: 1.0,
        end: 10.0,
        judged: false,
        settled: None,
    },
    Race {
        name: "stick and slip, 20 s",
        model: Source::Text(STICK_SLIP),
        method: "rosenbrock",
        tolerance: 1e-6,
        absolute: 1.0,
        end: 20.0,
        judged: true,
        settled: None,
    },
    Race {
        name: "oblique impact, 6.94 ms",
        model: Source::Text(IMPACT),
        method: "rosenbrock",
        tolerance: 1e-6,
        absolute: 1.0,
        end: 6.94e-3,
        judged: true,
        settled: None,
    },
    Race {
        name: "knee bends by 90 degrees, 0.276 s, dopri5",
        model: Source::Gallery("knee-pulse"),
        method: "dopri5",
        tolerance: 1e-5,
        absolute: 1e-3,
        end: 0.276,
        judged: true,
        settled: Some("extension_r"),
    },
    Race {
        name: "knee bends by 90 degrees, 0.276 s, adams",
        model: Source::Gallery("knee-pulse"),
        method: "adams",
        tolerance: 1e-5,
        absolute: 1e-3,
        end: 0.276,
        judged: true,
        settled: Some("extension_r"),
    },
];

/// All motions; nothing for one that cannot be had.
pub fn motions() -> Result<Vec<Line>, Rejected> {
    let mut lines = Vec::new();
    for one in RACES {
        let model = match one.model {
            Source::Gallery(name) => input::read(name)?,
            Source::Text(text) => Model::parse("bench.toml", text)?,
        };
        lines.extend(race(one, &compile(&model)?));
    }
    lines.extend(stance(&compile(&input::read("three-ellipsoid-foot")?)?));
    Ok(lines)
}

/// Simulates a race from the model's start.
fn race(race: &Race, system: &System) -> Option<Line> {
    let mut movement = Movement::new(system, Options::default()).ok()?;
    let begin = begin(race, system)?;
    let mut solver = (find(race.method)?.build)(begin.len());
    let mut go = |tolerance: f64, y: &mut [f64]| {
        let settings = Settings { atol: race.absolute * tolerance, ..Settings::tolerance(tolerance) };
        let mut statistics = Statistics::default();
        let end = integrate(&mut *solver, &mut movement.of(system), (0.0, race.end), y, &settings, &mut statistics, &mut Unobserved);
        end.ok().map(|_| statistics.accepted)
    };
    let mut y = begin.clone();
    let steps = go(race.tolerance, &mut y)?;
    let mut error = None;
    if race.judged {
        let mut exact = begin.clone();
        go(1e-10, &mut exact)?;
        error = Some(y.iter().zip(&exact).take(system.start.q.len()).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs())));
    }
    let checksum = y.iter().sum();
    let timing = measure(|_| {
        y.copy_from_slice(&begin);
        black_box(go(race.tolerance, &mut y));
    });
    Some(Line { name: race.name.into(), timing, checksum, motion: Some(Cost { lasts: race.end, steps, error }) })
}

/// The state a race begins from.
fn begin(race: &Race, system: &System) -> Option<Vec<f64>> {
    let Start { q, v, .. } = &system.start;
    let Some(held) = race.settled else { return Some([&q[..], v].concat()) };
    let fixed = vec![system.names.speeds.iter().position(|speed| speed.name == held)?];
    let rest = Rest { fixed, gravity: false, memory: Contacts::default() };
    let found = rest.balance(system, 0.0, q, &[]).ok()?;
    Some([found.q, vec![0.0; v.len()]].concat())
}

/// Length of the stance, s, and samples per second as the source took them.
const STANCE: f64 = 0.7;
const RATE: f64 = 128.0;

/// Forces of all contacts of a foot along a stance: pitch from 20 deg toes up to 35 deg toes down, each height such that the vertical force has two peaks.
fn stance(system: &System) -> Option<Line> {
    let at = |name: &str| system.names.coordinates.iter().position(|coordinate| coordinate.name == name);
    let (height, pitch) = (at("ankle_y")?, at("ankle_angle")?);
    let mut prescribed = Prescribed::new(system);
    let count = (STANCE * RATE) as usize;
    let mut samples: Vec<(f64, Vec<f64>, Vec<f64>)> = Vec::with_capacity(count);
    for k in 1..count {
        let (t, part) = (k as f64 / RATE, k as f64 / (STANCE * RATE));
        let asked = 688.0 * (1.15 * (PI * part).sin() + 0.35 * (3.0 * PI * part).sin());
        let (mut q, mut v) = (system.start.q.clone(), vec![0.0; system.skeleton.dofs()]);
        q[pitch] = (20.0 - 55.0 * part).to_radians();
        v[pitch] = (-55.0_f64 / STANCE).to_radians();
        let (mut low, mut high) = (-0.1, 0.3);
        for _ in 0..50 {
            q[height] = 0.5 * (low + high);
            let force: f64 = prescribed.look(system, t, &q, &v).iter().map(|pair| pair.normal_force).sum();
            if force > asked { low = q[height] } else { high = q[height] }
        }
        samples.push((t, q, v));
    }
    let mut whole = || {
        let mut sum = 0.0;
        for (t, q, v) in &samples {
            sum += prescribed.look(system, *t, q, v).iter().map(|pair| pair.normal_force).sum::<f64>();
        }
        sum
    };
    let checksum = whole();
    let timing = measure(|_| {
        black_box(whole());
    });
    let motion = Some(Cost { lasts: STANCE, steps: count - 1, error: None });
    Some(Line { name: "stance on three ellipsoids, forces at 128 Hz".into(), timing, checksum, motion })
}
