//! Implicit schemes on models: published deviations, closed forms, order of convergence with constraints, energy.
//! Not here: the schemes on equations written out (`integrate`).

use super::*;
use crate::compile;
use crate::formulation::articulated::Articulated;
use crate::formulation::{Evaluation, Formulation, Input};
use crate::integrate::{
    Failure, Flow, Form, Implicit, Newton, Observer, Scheme, Settings, StartAcceleration, Statistics, Step, Unobserved, at_times, find,
    generalised_alpha, integrate, integrate_implicit, newmark,
};
use crate::movement::{Movement, Options};
use borelli_model::Model;
use borelli_testkit::{central_difference, count_allocations};

fn read(name: &str) -> System {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).with_extension("toml");
    compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
}

const TRAPEZOID: (f64, f64) = (0.25, 0.5);
const DAMPED: (f64, f64) = (0.3025, 0.6);

fn set((beta, gamma): (f64, f64)) -> Scheme {
    newmark(beta, gamma)
}

fn zero() -> Newton {
    Newton { start: StartAcceleration::Zero, ..Newton::default() }
}

/// Runs a scheme from a state; the state reached and the cost.
fn run_from(
    system: &System,
    (scheme, newton): (Scheme, Newton),
    (step, end): (f64, f64),
    mut y: Vec<f64>,
    observer: &mut dyn Observer,
) -> (Result<Vec<f64>, Failure>, Statistics) {
    let mut equation = equation(system);
    let (mut method, mut statistics) = (Implicit::new(scheme, newton, &equation.of(system)), Statistics::default());
    let settings = Settings::fixed(step);
    let reached = integrate_implicit(&mut method, &mut equation.of(system), (0.0, end), &mut y, &settings, &mut statistics, observer);
    (reached.map(|_| y), statistics)
}

fn equation(system: &System) -> ImplicitMovement {
    ImplicitMovement::new(system, ImplicitOptions::default()).unwrap()
}

fn start_of(system: &System) -> Vec<f64> {
    [&system.start.q[..], &system.start.v].concat()
}

/// The start that satisfies all rows.
fn assembled(system: &System) -> Vec<f64> {
    let start = crate::assemble::assemble(system, 0.0, &system.start.q, &system.start.v, &system.start.held).unwrap();
    [start.q, start.v].concat()
}

fn run(system: &System, how: (Scheme, Newton), times: (f64, f64)) -> Vec<f64> {
    run_from(system, how, times, start_of(system), &mut Unobserved).0.unwrap_or_else(|failure| panic!("{failure}"))
}

/// States of the same system at the given times, by Adams at 1e-12.
fn accurate(system: &System, y: &[f64], times: &[f64]) -> Vec<Vec<f64>> {
    let mut movement = Movement::new(system, Options::default()).unwrap();
    let mut y = y.to_vec();
    let (mut method, mut statistics) = ((find("adams").unwrap().build)(y.len()), Statistics::default());
    let mut found = Vec::new();
    let mut record = at_times(times, y.len(), |_, y: &[f64]| found.push(y.to_vec()));
    let interval = (0.0, *times.last().unwrap());
    integrate(&mut *method, &mut movement.of(system), interval, &mut y, &Settings::tolerance(1e-12), &mut statistics, &mut record).unwrap();
    assert_eq!(found.len(), times.len());
    found
}

#[test]
fn the_projectile_has_the_published_errors_of_the_trapezoid() {
    // Deformable joints, 10.1: step 0.05 s, 200 steps.
    let system = read("projectile");
    let (g, i, t, pi) = (9.81, 1.04167, 10.0_f64, std::f64::consts::PI);
    let v = 30.0 * 2.0_f64.sqrt();
    let exact = [3.0 + v * t + 0.25 * t * t, 4.0 + v * t + g * (t.powi(3) / 60.0 - 0.5 * t * t), pi + (-0.1 * pi + 2.0 * pi / i) * t];
    let (reached, statistics) = run_from(&system, (set(TRAPEZOID), Newton::default()), (0.05, t), start_of(&system), &mut Unobserved);
    let consistent = reached.unwrap();
    let error: Vec<f64> = (0..3).map(|k| consistent[k] - exact[k]).collect();
    assert!(error[0].abs() < 1e-10, "x is quadratic: {error:?}");
    assert!((error[1] - 2.04e-3).abs() < 0.5e-5, "{error:?}");
    assert!((error[2] + 0.497).abs() < 0.5e-3, "{error:?}");
    // The equations are linear: one iteration solves them, the second sees it. The closed form of the spec has M = (2π)² sin 2πt.
    assert_eq!((statistics.accepted, statistics.iterations), (200, 400));
    let from_zero = run(&system, (set(TRAPEZOID), zero()), (0.05, t));
    assert!((from_zero[1] - exact[1] - 2.45).abs() < 0.005, "{}", from_zero[1] - exact[1]);
}

/// Largest deviations of both angles and of all pin forces from the accurate solution over 3 s; or where the scheme failed.
fn pins(how: (Scheme, Newton)) -> Result<[f64; 3], Failure> {
    let (pins, rods) = (read("double-pendulum-pins"), read("double-pendulum-rods"));
    let times: Vec<f64> = (1..=300).map(|k| k as f64 * 0.01).collect();
    let states = accurate(&rods, &start_of(&rods), &times);
    let (mut articulated, mut out, mut k, mut worst) = (Articulated::new(&rods), Evaluation::new(&rods), 0, [0.0_f64; 3]);
    let mut compare = |step: &Step| {
        let (q, v) = states[k].split_at(2);
        articulated.evaluate(&rods, Input { t: 0.0, q, v, tau: &[0.0; 2], ..Input::default() }, &mut out).unwrap();
        let found = step.found.expect("multipliers");
        worst[0] = worst[0].max((step.y[2] - q[0]).abs());
        worst[1] = worst[1].max((step.y[5] - q[0] - q[1]).abs());
        for (body, rows) in [(1, [0, 1]), (2, [2, 3])] {
            let force = out.reaction_force[body].to_array();
            (0..2).for_each(|j| worst[2] = worst[2].max((found.lambda[1][rows[j]] - force[j]).abs()));
        }
        k += 1;
        Flow::Continue
    };
    let (reached, _) = run_from(&pins, how, (0.01, 3.0), start_of(&pins), &mut compare);
    reached.map(|_| worst)
}

#[test]
fn the_damped_scheme_holds_the_pins_as_published_and_the_trapezoid_does_not() {
    // Deformable joints, 10.2: deviations of the damped set from zero accelerations at the start.
    let worst = pins((set(DAMPED), zero())).unwrap();
    for (found, published, digits) in [(worst[0], 0.036, 5e-4), (worst[1], 0.092, 5e-4), (worst[2], 2.9, 0.05)] {
        assert!((found - published).abs() <= digits, "{worst:?}");
    }
    for newton in [Newton::default(), zero()] {
        let failure = pins((set(TRAPEZOID), newton)).expect_err("rings and grows");
        assert!(matches!(failure, Failure::NotConverged { t, .. } if t > 0.5 && t < 3.0), "{failure}");
    }
    // Generalised-α damps as well and is of order 2.
    let better = pins((generalised_alpha(0.8), Newton::default())).unwrap();
    assert!(better[0] < 0.01 && better[1] < 0.01 && better[2] < 1.0, "{better:?}");
}

#[test]
fn the_tangents_are_the_slopes_of_the_residual() {
    for name in ["walker7-passive", "heavy-top", "guided-arm", "spatial-loop", "function-knee", "andrews"] {
        let system = read(name);
        let (n, m) = (system.skeleton.dofs(), system.names.rows.len());
        let mut equation = ImplicitMovement::new(&system, ImplicitOptions { tau: vec![0.1; n], ..ImplicitOptions::default() }).unwrap();
        let some = |k: usize, seed: f64| 0.3 * ((k as f64 + 1.0) * seed).sin();
        let (v, a): (Vec<f64>, Vec<f64>) = ((0..n).map(|k| some(k, 1.7)).collect(), (0..n).map(|k| some(k, 2.9)).collect());
        let lambda: Vec<f64> = (0..m).map(|k| 10.0 * some(k, 0.7)).collect();
        let mut q = system.start.q.clone();
        retract(&system.skeleton, &mut q, &v);
        let mut tangents = Tangents::new(n, m);
        equation.of(&system).fill_tangents(0.2, Motion { q: &q, v: &v, a: &a }, &lambda, &mut tangents).unwrap();
        let largest = [&tangents.by_q, &tangents.by_v, &tangents.by_a, &tangents.G].map(|x| x.iter().fold(1.0_f64, |m, x| m.max(x.abs())));
        for j in 0..n {
            let mut evaluate = |which: usize, h: f64| {
                let (mut q, mut v, mut a, mut lambda, mut step) = (q.clone(), v.clone(), a.clone(), lambda.clone(), vec![0.0; n]);
                match which {
                    0 => {
                        step[j] = h;
                        retract(&system.skeleton, &mut q, &step);
                    }
                    1 => v[j] += h,
                    2 => a[j] += h,
                    _ => lambda[j] += h,
                }
                let (mut force, mut position) = (vec![0.0; n], vec![0.0; m]);
                equation.of(&system).residual(0.2, Motion { q: &q, v: &v, a: &a }, &lambda, &mut force, &mut position).unwrap();
                [force, position].concat()
            };
            for (which, block) in [&tangents.by_q, &tangents.by_v, &tangents.by_a].into_iter().enumerate() {
                let slope = central_difference(&mut |h| evaluate(which, h), 1e-3);
                for i in 0..n {
                    assert!((block[i * n + j] - slope[i]).abs() < 1e-7 * largest[which], "{name} block {which} ({i}, {j})");
                }
                for r in 0..m {
                    let expected = if which == 0 { tangents.G[r * n + j] } else { 0.0 };
                    assert!((expected - slope[n + r]).abs() < 1e-7 * largest[3], "{name} G ({r}, {j})");
                }
            }
            if j < m {
                let slope = central_difference(&mut |h| evaluate(3, h), 1e-3);
                for i in 0..n {
                    assert!((tangents.effect[j * n + i] + slope[i]).abs() < 1e-8 * largest[3], "{name} effect ({j}, {i})");
                }
            }
        }
    }
}

#[test]
fn accelerations_make_the_residual_zero() {
    for name in ["walker7-passive", "heavy-top", "guided-arm", "spatial-loop", "andrews", "double-pendulum-pins", "redundant-loop"] {
        let system = read(name);
        let (n, m) = (system.skeleton.dofs(), system.names.rows.len());
        let mut equation = ImplicitMovement::new(&system, ImplicitOptions { tau: vec![0.1; n], ..ImplicitOptions::default() }).unwrap();
        let (mut a, mut lambda, mut force, mut position) = (vec![0.0; n], vec![0.0; m], vec![0.0; n], vec![0.0; m]);
        let (q, v) = (&system.start.q, &system.start.v);
        equation.of(&system).accelerations(0.0, q, v, &mut a, &mut lambda).unwrap();
        equation.of(&system).residual(0.0, Motion { q, v, a: &a }, &lambda, &mut force, &mut position).unwrap();
        let scale = lambda.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        assert!(force.iter().all(|r| r.abs() < 1e-10 * scale), "{name}: {force:?}");
    }
}

/// Largest error of the state reached with a step, against the accurate solution at `t`.
fn error(system: &System, start: &[f64], how: (Scheme, Newton), h: f64, t: f64) -> f64 {
    let exact = &accurate(system, start, &[t])[0];
    let reached = run_from(system, how, (h, t), start.to_vec(), &mut Unobserved).0.unwrap();
    reached.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn assert_order(system: &System, start: &[f64], scheme: Scheme, h: f64, t: f64, slack: f64) {
    let how = (scheme, Newton::default());
    let (coarse, fine) = (error(system, start, how, h, t), error(system, start, how, 0.5 * h, t));
    let expected = 2.0_f64.powi(scheme.order() as i32);
    assert!((coarse / fine / expected - 1.0).abs() < slack, "{} {scheme:?}: {coarse:e} {fine:e}", system.name);
}

#[test]
fn the_dashpot_falls_as_its_closed_form_and_its_reference() {
    // Deformable joints, 10.4: trapezoid, step 0.1 s.
    let system = read("dashpot-mass");
    let how = (set(TRAPEZOID), Newton::default());
    let mut on_axis = start_of(&system);
    (on_axis[0], on_axis[1]) = (0.0, 2.0);
    for (t, printed) in [(1.0_f64, 1.264), (2.5, 0.064), (10.0, -5.936)] {
        let exact = 2.0 - 0.8 * (t - 0.08 * (1.0 - (-t / 0.08).exp()));
        assert!((exact - printed).abs() < 5e-4);
        let reached = run_from(&system, how, (0.1, t), on_axis.clone(), &mut Unobserved).0.unwrap();
        // The step is longer than the time constant 0.08 s; what is left of the start after 1 s is (3/13)^10 of 0.8 m/s times it.
        assert!((reached[1] - exact).abs() < 1e-6, "{t}: {:e}", reached[1] - exact);
    }
    // From the side the path turns: second order towards the printed places.
    for (t, x, y) in [(0.5, 1.7898, -1.1934), (1.0, -0.2020, -2.8779), (10.0, 3.2735, -10.0713)] {
        let exact = &accurate(&system, &start_of(&system), &[t])[0];
        assert!((exact[0] - x).abs() < 5.1e-5 && (exact[1] - y).abs() < 5.1e-5, "{t}: {exact:?}");
        let reached = run(&system, how, (0.1, t));
        assert!((reached[0] - x).hypot(reached[1] - y) < 0.04, "{t}: {reached:?}");
    }
    assert_order(&system, &start_of(&system), set(TRAPEZOID), 0.02, 1.0, 0.1);
}

#[test]
fn the_actuator_pendulum_follows_its_reference() {
    // Deformable joints, 10.4: damped set, step 0.05 s, 40 steps.
    let system = read("actuator-pendulum");
    let y = run(&system, (set(DAMPED), Newton::default()), (0.05, 2.0));
    for (found, printed, near) in [(y[0], -0.26562, 1e-3), (y[0] + y[1], 0.87914, 1e-3), (y[2], -0.2629, 2e-3), (y[2] + y[3], 1.0756, 2e-3)]
    {
        assert!((found - printed).abs() < near, "{found} {printed}");
    }
    let (mut articulated, mut out) = (Articulated::new(&system), Evaluation::new(&system));
    articulated.evaluate(&system, Input { t: 2.0, q: &y[..2], v: &y[2..], tau: &[0.0; 2], ..Input::default() }, &mut out).unwrap();
    assert!((out.lines.tension[1] - 11.6).abs() < 0.1, "{:?}", out.lines.tension);
    assert_order(&system, &start_of(&system), set(DAMPED), 1e-3, 2.0, 0.05);
}

#[test]
fn motions_with_quaternions_loops_and_redundant_rows_converge_with_order_two() {
    for (name, h, t, slack) in [
        ("heavy-top", 2e-4, 0.1, 0.1),
        ("top", 0.01, 1.0, 0.1),
        ("double-pendulum-pins", 5e-3, 1.0, 0.1),
        ("four-bar", 5e-3, 0.5, 0.1),
        ("redundant-loop", 5e-3, 0.5, 0.1),
        ("spatial-loop", 1e-3, 0.5, 0.1),
        ("spatial-four-bar", 1e-3, 0.5, 0.1),
    ] {
        let system = read(name);
        assert_order(&system, &assembled(&system), generalised_alpha(0.7), h, t, slack);
    }
}

#[test]
fn rows_stay_closed_to_rounding_and_multipliers_converge_with_order_two() {
    let system = read("spatial-loop");
    let (start, t) = (assembled(&system), 0.5);
    let exact = &accurate(&system, &start, &[t])[0];
    let (mut articulated, mut out) = (Articulated::new(&system), Evaluation::new(&system));
    let (q, v) = exact.split_at(system.skeleton.coords());
    articulated.evaluate(&system, Input { t, q, v, tau: &vec![0.0; v.len()], ..Input::default() }, &mut out).unwrap();
    let errors = |h: f64| {
        let (mut worst, mut gap) = (0.0, 0.0_f64);
        let mut equation = equation(&system);
        let (mut force, mut position) = (vec![0.0; v.len()], vec![0.0; out.row_force.len()]);
        let mut look = |step: &Step| {
            let found = step.found.expect("multipliers");
            let (q, v) = step.y.split_at(system.skeleton.coords());
            equation.of(&system).residual(step.t1, Motion { q, v, a: found.a[1] }, found.lambda[1], &mut force, &mut position).unwrap();
            gap = position.iter().fold(gap, |m, x| m.max(x.abs()));
            worst = found.lambda[1].iter().zip(&out.row_force).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            Flow::Continue
        };
        run_from(&system, (generalised_alpha(0.7), Newton::default()), (h, t), start.clone(), &mut look).0.unwrap();
        assert!(gap < 1e-13, "{gap:e}");
        worst
    };
    let (coarse, fine) = (errors(5e-4), errors(2.5e-4));
    assert!((coarse / fine / 4.0 - 1.0).abs() < 0.1, "{coarse:e} {fine:e}");
}

#[test]
fn a_fully_guided_arm_stays_on_its_guides() {
    let system = read("guided-arm");
    let reached =
        run_from(&system, (generalised_alpha(0.7), Newton::default()), (0.01, 1.0), assembled(&system), &mut Unobserved).0.unwrap();
    let q = &reached[..system.skeleton.coords()];
    let there = crate::assemble::assemble(&system, 1.0, q, &system.start.v, &[]).unwrap();
    assert!(there.position_before < 1e-12, "{:e}", there.position_before);
}

#[test]
fn a_step_of_a_model_asks_for_no_memory() {
    let system = read("spatial-loop");
    let mut equation = ImplicitMovement::new(&system, ImplicitOptions { audit: true, ..ImplicitOptions::default() }).unwrap();
    let (mut method, mut statistics) =
        (Implicit::new(generalised_alpha(0.8), Newton::default(), &equation.of(&system)), Statistics::default());
    let mut y = [start_of(&system), vec![0.0; crate::movement::audited(&system)]].concat();
    let settings = Settings::fixed(1e-3);
    let (end, requests) = count_allocations(|| {
        integrate_implicit(&mut method, &mut equation.of(&system), (0.0, 0.01), &mut y, &settings, &mut statistics, &mut Unobserved)
    });
    assert!(end.is_ok() && statistics.accepted == 10);
    assert_eq!(requests, 0);
}

#[test]
fn a_released_row_is_as_if_it_were_not_there() {
    // Without the pin between the rods the second flies as a projectile.
    let system = read("double-pendulum-pins");
    let released = vec![false, false, true, true];
    let options = ImplicitOptions { memory: Memory::letting_go(&released), ..ImplicitOptions::default() };
    let mut equation = ImplicitMovement::new(&system, options).unwrap();
    let mut method = Implicit::new(newmark(0.25, 0.5), Newton::default(), &equation.of(&system));
    let (start, t) = (start_of(&system), 0.1);
    let (mut y, mut statistics) = (start.clone(), Statistics::default());
    let mut idle = |step: &Step| {
        assert_eq!(step.found.expect("multipliers").lambda[1][2..], [0.0; 2]);
        Flow::Continue
    };
    integrate_implicit(&mut method, &mut equation.of(&system), (0.0, t), &mut y, &Settings::fixed(0.01), &mut statistics, &mut idle)
        .unwrap();
    let (q, v) = (&start[3..6], &start[9..12]);
    for (k, fall) in [0.0, 9.81, 0.0].into_iter().enumerate() {
        assert!((y[3 + k] - (q[k] + v[k] * t - 0.5 * fall * t * t)).abs() < 1e-13, "{k}: {y:?}");
    }
    assert!(ImplicitMovement::new(&system, ImplicitOptions { memory: Memory::letting_go(&[true]), ..ImplicitOptions::default() }).is_err());
    assert!(ImplicitMovement::new(&system, ImplicitOptions { tau: vec![1.0], ..ImplicitOptions::default() }).is_err());
    equation.recall(&Memory::default()).unwrap();
    assert!(equation.active.iter().all(|active| *active));
}

#[test]
fn newton_goes_on_until_states_have_converged_where_coordinates_rest() {
    // A body without forces rests, so that its coordinate never needs a correction; y' = −y²/(1 m s) beside it bends within a step. Trapezoid rule:
    // y₁ + (h/2) y₁² = y₀ − (h/2) y₀², a quadratic for y₁.
    let system = crate::twin::parse(
        "borelli = 1\ndimension = \"planar\"\ngravity = [0, 0]\n[body.mass]\nmass = 2\ninertia = 0.1\n[joint.rail]\ntype = \"slider\"\nparent = \"world\"\n\
         child = \"mass\"\naxis = [1, 0]\n[integral.y]\nrate = \"-integral.y * integral.y / [1 m s]\"\nunit = \"m\"\nstart = 4\n",
    );
    let (h, mut exact) = (0.1, 4.0_f64);
    for _ in 0..5 {
        exact = ((1.0 + 2.0 * h * (exact - 0.5 * h * exact * exact)).sqrt() - 1.0) / h;
    }
    for form in [Form::Displacement, Form::Velocity, Form::Acceleration] {
        let newton = Newton { form, ..Newton::default() };
        let y = run_from(&system, (set(TRAPEZOID), newton), (h, 5.0 * h), vec![0.3, 0.0, 4.0], &mut Unobserved).0.unwrap();
        assert!((y[0] - 0.3).abs() < 1e-15 && (y[2] - exact).abs() < 1e-12, "{form:?}: {y:?}, {exact}");
    }
}
