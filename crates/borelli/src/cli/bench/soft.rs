//! Soft parts, timed: a step of gait on an elastic hip, rest of a pressed liner, and one factorisation as the mesh grows.
//! Not here: the clock, tables and JSON (`mod`).
//! In: a model of the gallery and two of the studies. Out: a line for each, with goals and what the time goes to.

use super::super::input;
use super::clock::{Timing, fastest, measure};
use borelli_dynamics::coupled::{CoupledMovement, RestOptions};
use borelli_dynamics::implicit_movement::ImplicitOptions;
use borelli_dynamics::integrate::{
    Flow, Implicit, Newton, Residual, Settings, StartAcceleration, Statistics, Step, integrate_implicit, newmark,
};
use borelli_dynamics::{System, compile};
use borelli_model::{Model, Rejected};
use borelli_soft::problem::{At, Following, Pose, Problem, Statuses};
use std::hint::black_box;

/// A liner under a pressed head, 3000 N.
const LINER: &str = include_str!("../../../../../studies/58-static-liner/liner.toml");
/// A cylinder pressed into a half ring, pressure in proportion to penetration.
const PENALTY: &str = include_str!("../../../../../studies/61-liner-penalty/liner-48x8.toml");
/// Meshes of the liner: cells around and through, doubled four times.
const MESHES: [[usize; 2]; 5] = [[48, 8], [96, 16], [192, 32], [384, 64], [768, 128]];
/// Factorisations of a mesh, of which the fastest counts.
const TIMES: usize = 5;
/// The damped set of the source, and its step, s.
pub(super) const DAMPED: (f64, f64) = (0.3025, 0.6);
const STEP: f64 = 0.01;
const END: f64 = 0.6;

/// Goals, s, and of memory, bytes.
pub const GAIT_GOAL: f64 = 0.1;
pub const PENALTY_GOAL: f64 = 0.02;
pub const FACTOR_GOAL: f64 = 0.5;
pub const GROWTH_GOAL: f64 = 1.4;
pub const MEMORY_GOAL: f64 = 1e9;

/// A part of what a run does.
pub struct Share {
    /// What it is.
    pub name: &'static str,
    /// How often it is done in the run.
    pub calls: usize,
    /// Time of one, s, on a state in the middle of the run.
    pub each: f64,
}

/// A whole computation.
pub struct Whole {
    /// What it is.
    pub name: &'static str,
    /// Its time, s.
    pub timing: Timing,
    /// What it should stay below, s.
    pub goal: f64,
    /// What other programs take, s.
    pub others: &'static [(&'static str, f64)],
    /// Where the time goes.
    pub shares: Vec<Share>,
    /// A number that shows that the work was done, with its meaning.
    pub result: (&'static str, f64),
}

/// One mesh of the static liner.
pub struct Meshed {
    /// Cells around and through.
    pub divisions: [usize; 2],
    /// Positions and multipliers.
    pub unknowns: usize,
    /// Entries of the factors.
    pub entries: usize,
    /// Time of one factorisation, s: all that were made, sorted.
    pub factor: Timing,
    /// Time of one assembly with tangent and of one solve, s.
    pub assembly: f64,
    pub solve: f64,
    /// Largest memory of the program so far, bytes.
    pub memory: Option<f64>,
}

/// Both whole computations.
pub fn wholes() -> Result<Vec<Whole>, Rejected> {
    let hip = compile(&input::read("hip-liner-gait")?)?;
    let ring = compile(&Model::parse("liner-48x8.toml", PENALTY)?)?;
    Ok([gait(&hip), penalty(&ring)].into_iter().flatten().collect())
}

pub(super) fn movement(system: &System) -> Option<CoupledMovement> {
    CoupledMovement::new(system, ImplicitOptions::default()).ok()
}

/// Positions and velocities at the start: of the tree, then of the nodes.
pub(super) fn start(system: &System, movement: &mut CoupledMovement) -> [Vec<f64>; 2] {
    let nodes = movement.problem().dofs();
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(system, &system.start.q, &system.start.v, &mut x, &mut v);
    [[&system.start.q[..], &x].concat(), [&system.start.v[..], &v].concat()]
}

/// What a soft problem is looked at with.
struct Seen {
    x: Vec<f64>,
    lambda: Vec<f64>,
    poses: Vec<Pose>,
    displacement: Vec<[f64; 2]>,
    load: Vec<[f64; 2]>,
}

impl Seen {
    fn at(&self) -> At<'_> {
        At {
            x: &self.x,
            v: None,
            a: None,
            lambda: &self.lambda,
            poses: &self.poses,
            displacement: &self.displacement,
            load: &self.load,
            gravity: [0.0; 2],
            part: 1.0,
        }
    }
}

/// 60 steps of walking: the set-up of the problem and the run, nothing recorded.
fn gait(system: &System) -> Option<Whole> {
    let rows = system.names.rows.len();
    let mut middle: Option<(f64, [Vec<f64>; 3])> = None;
    let go = |looked: &mut dyn FnMut(&Step)| -> Option<CoupledMovement> {
        let mut movement = movement(system)?;
        let mut y = start(system, &mut movement).concat();
        let newton = Newton { start: StartAcceleration::Zero, ..Newton::default() };
        let mut method = Implicit::new(newmark(DAMPED.0, DAMPED.1), newton, &movement.of(system));
        let settings = Settings { step: Some(STEP), ..Settings::default() };
        let mut observer = |step: &Step| {
            looked(step);
            Flow::Continue
        };
        let statistics = &mut Statistics::default();
        integrate_implicit(&mut method, &mut movement.of(system), (0.0, END), &mut y, &settings, statistics, &mut observer).ok()?;
        Some(movement)
    };
    let mut peak = go(&mut |step| {
        if middle.is_none()
            && step.t1 >= 0.5 * END
            && let Some(found) = &step.found
        {
            middle = Some((step.t1, [step.y, found.a[1], found.lambda[1]].map(<[f64]>::to_vec)));
        }
    })?;
    let (looks, notes) = (peak.problem().looks(), *peak.problem().solver_notes());
    let (t, [y, a, lambda]) = middle?;
    peak.of(system).observe(t, &y, &a, &lambda, 1.0).ok()?;
    let result = ("contact pressure at 0.3 s / MPa", 1e-6 * peak.problem().contact(0).peak);
    let coords = system.skeleton.coords();
    let seen = Seen {
        x: y[coords..coords + peak.problem().dofs()].to_vec(),
        lambda: lambda[rows..].to_vec(),
        poses: peak.poses().to_vec(),
        displacement: Vec::new(),
        load: Vec::new(),
    };
    let mut problem = fresh(system)?;
    let following = Some(Following { damping: 0.0, mass: 0.0 });
    let of_steps = |calls: usize| calls.saturating_sub(notes.factorisations * problem.wrench().len());
    let (solves, set_up) = (of_steps(notes.solved), measure(|_| drop(black_box(fresh(system)))).best());
    let each = |problem: &mut Problem, call: &mut dyn FnMut(&mut Problem)| measure(|_| call(problem)).best();
    let with = each(&mut problem, &mut |problem| drop(black_box(problem.evaluate(&seen.at(), following, Statuses::Decided))));
    let factor = each(&mut problem, &mut |problem| drop(black_box(problem.factor_matrix())));
    let spread = each(&mut problem, &mut |problem| drop(black_box(problem.factor()))) - factor;
    let without = each(&mut problem, &mut |problem| drop(black_box(problem.evaluate(&seen.at(), None, Statuses::Decided))));
    let solve = each(&mut problem, &mut |problem| drop(black_box(problem.condense())));
    let timing = measure(|_| drop(black_box(go(&mut |_| {}))));
    let share = |name, calls, each| Share { name, calls, each };
    let shares = vec![
        share("set-up: mesh, pattern, order", 1, set_up),
        share("assembly with tangent", looks.with_tangent, with),
        share("assembly of forces alone", looks.without, without),
        share("factorisation", notes.factorisations, factor),
        share("stiffness felt by the two bodies (6 solves)", notes.factorisations, spread),
        share("solve", solves, solve),
    ];
    let name = "hip-liner-gait, 60 steps of damped Newmark";
    Some(Whole { name, timing, goal: GAIT_GOAL, others: &[], shares, result })
}

/// The problem of a system at its start.
fn fresh(system: &System) -> Option<Problem> {
    let mut movement = movement(system)?;
    start(system, &mut movement);
    Problem::new(system.soft_model().ok()?.definition, movement.poses()).ok()
}

/// Rest of the ring from nothing: set-up and all iterations.
fn penalty(system: &System) -> Option<Whole> {
    let go = || -> Option<CoupledMovement> {
        let mut movement = movement(system)?;
        let [mut q, _] = start(system, &mut movement);
        let mut lambda = vec![0.0; movement.of(system).rows()];
        movement.of(system).rest(0.0, &mut q, &mut lambda, &RestOptions::default(), &mut |_, _, _, _| true).ok()?;
        Some(movement)
    };
    let result = ("contact pressure / MPa", 1e-6 * go()?.problem().contact(0).peak);
    let timing = measure(|_| drop(black_box(go())));
    let name = "liner_contact by penalty, 48x8, from nothing to rest";
    Some(Whole { name, timing, goal: PENALTY_GOAL, others: &[("CalculiX", 1.2), ("NumPy program", 0.061)], shares: Vec::new(), result })
}

/// The static liner on all meshes.
pub fn meshes() -> Result<Vec<Meshed>, Rejected> {
    let mut list = Vec::new();
    for divisions in MESHES {
        let [around, through] = divisions;
        let text = LINER.replace("divisions = [48, 8]", &format!("divisions = [{around}, {through}]"));
        list.extend(mesh(divisions, &compile(&Model::parse("liner.toml", &text)?)?));
    }
    Ok(list)
}

fn mesh(divisions: [usize; 2], system: &System) -> Option<Meshed> {
    let mut problem = fresh(system)?;
    let mut seen = Seen {
        x: vec![0.0; problem.dofs()],
        lambda: vec![0.0; problem.multipliers()],
        poses: vec![[0.0; 3]; 2],
        displacement: Vec::new(),
        load: Vec::new(),
    };
    problem.place(&seen.poses, &mut seen.x);
    problem.begin_attempt();
    let tangent = Some(Following::default());
    // The head moves in, so that half of the liner presses on it.
    seen.poses[1][1] = 2e-5;
    problem.evaluate(&seen.at(), tangent, Statuses::Decided).ok()?;
    problem.factor_matrix().ok()?;
    let factor = fastest(TIMES, || drop(black_box(problem.factor_matrix())));
    let assembly = fastest(TIMES, || drop(black_box(problem.evaluate(&seen.at(), tangent, Statuses::Decided)))).best();
    let solve = fastest(TIMES, || drop(black_box(problem.condense()))).best();
    let entries = problem.entries().1.unwrap_or(0);
    Some(Meshed { divisions, unknowns: problem.unknowns(), entries, factor, assembly, solve, memory: peak_memory() })
}

/// Exponent p of time ~ unknowns^p over the last three meshes, by least squares.
pub fn growth(meshes: &[Meshed]) -> Option<f64> {
    let last = meshes.get(meshes.len().checked_sub(3)?..)?;
    let points: Vec<[f64; 2]> = last.iter().map(|mesh| [(mesh.unknowns as f64).ln(), mesh.factor.best().ln()]).collect();
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(0), mean(1));
    let (over, under) =
        points.iter().fold((0.0, 0.0), |(over, under), p| (over + (p[0] - x) * (p[1] - y), under + (p[0] - x) * (p[0] - x)));
    Some(over / under)
}

/// The most memory this program ever held, bytes, where the system tells.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<f64>().ok().map(|kib| 1024.0 * kib)
}
