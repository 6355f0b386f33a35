//! What guides and loops do, against inverse dynamics of the tree without them.
//! Not here: whether formulations agree on it, which `compare` shows.

use crate::{system, systems};
use borelli::System;
use borelli::dynamics::assemble::assemble;
use borelli::dynamics::constraint::{Rows, fill_jacobian};
use borelli::dynamics::formulation::articulated::Articulated;
use borelli::dynamics::formulation::{Evaluation, FORMULATIONS, Input};
use borelli::dynamics::frames::Frames;
use borelli::dynamics::scene::Scene;
use borelli::study::states::{State, draw};
use borelli_testkit::assert_close;
use borelli_testkit::random::Random;

/// All that a formulation says of a state.
fn evaluate(system: &System, formulation: &str, State { t, q, v, tau, .. }: &State) -> Evaluation {
    let entry = FORMULATIONS.iter().find(|entry| entry.name == formulation).expect("registered");
    let mut out = Evaluation::new(system);
    let mut formulation = (entry.build)(system).unwrap_or_else(|declined| panic!("{}", declined.reason));
    formulation.evaluate(system, Input { t: *t, q, v, tau, ..Input::default() }, &mut out).unwrap_or_else(|failure| panic!("{failure}"));
    out
}

/// Generalised forces beside the model's own that give the tree its accelerations.
fn inverse(system: &System, state: &State, vdot: &[f64]) -> Vec<f64> {
    let mut tau = vec![0.0; vdot.len()];
    Articulated::new(system).inverse(system, state.t, &state.q, &state.v, vdot, &mut tau).unwrap_or_else(|failure| panic!("{failure}"));
    tau
}

/// Generalised forces of the rows: G' times their forces.
fn efforts(system: &System, State { t, q, v, .. }: &State, row_force: &[f64]) -> Vec<f64> {
    let System { skeleton, numbers, .. } = system;
    let n = skeleton.dofs();
    let mut frames = Frames::new(skeleton);
    frames.fill::<f64, false>(skeleton, &numbers.tree, q, v, &[]);
    frames.fill_points(skeleton);
    let mut rows = Rows::new(row_force.len(), numbers.constraints.entries());
    numbers.constraints.fill(
        &Scene { skeleton, numbers, frames: &frames, q, v, vdot: &[], t: *t, inside: borelli::dynamics::scene::Inside::NONE },
        &mut rows,
    );
    let mut G = vec![0.0; row_force.len() * n];
    fill_jacobian(skeleton, &frames, &rows, &mut G);
    (0..n).map(|j| row_force.iter().enumerate().map(|(i, force)| G[i * n + j] * force).sum()).collect()
}

#[test]
fn moments_that_guide_a_leg_are_those_of_recursive_inverse_dynamics() {
    let system = system("half-hat-leg");
    for t in [0.0, 0.013, 0.029, 0.041] {
        let found = assemble(&system, t, &system.start.q, &system.start.v, &[]).expect("a leg");
        assert_eq!(found.free, 0);
        let state = State { t, q: found.q, v: found.v, z: Vec::new(), tau: vec![0.0; 6] };
        for formulation in ["articulated", "cartesian", "natural"] {
            let out = evaluate(&system, formulation, &state);
            let needed = inverse(&system, &state, &out.vdot);
            // The moment on a segment acts through all joints between it and the world; forces on x1 and y1 act alone.
            let [fx, fy, hat, thigh, leg, foot] = out.row_force[..] else { panic!("six rows") };
            let through = [fx, fy, hat + thigh + leg + foot, thigh + leg + foot, leg + foot, foot];
            assert_close(&through, &needed, 1e-12, &format!("{formulation}, t = {t}"));
        }
    }
}

#[test]
fn loops_and_guides_do_what_inverse_dynamics_asks_of_them_on_every_model() {
    let mut models = 0;
    for (name, system) in systems().filter(|(_, system)| !system.names.rows.is_empty() && !system.has_soft()) {
        models += 1;
        let mut random = Random::new(19);
        let states: Vec<State> = (0..100).filter_map(|_| draw(&system, &mut random).ok()).take(5).collect();
        assert_eq!(states.len(), 5, "{name}");
        for state in &states {
            for formulation in ["articulated", "cartesian", "natural"] {
                let out = evaluate(&system, formulation, state);
                let mut given = efforts(&system, state, &out.row_force);
                given.iter_mut().zip(&state.tau).for_each(|(sum, tau)| *sum += tau);
                assert_close(&given, &inverse(&system, state, &out.vdot), 1e-10, &format!("{name}, {formulation}"));
            }
        }
    }
    assert!(models >= 10, "{models}");
}

#[test]
fn all_loads_of_a_fully_guided_arm_follow_from_its_motion() {
    let system = system("guided-arm");
    let mut random = Random::new(23);
    for _ in 0..5 {
        let state = draw(&system, &mut random).expect("within reach");
        assert_eq!(assemble(&system, state.t, &state.q, &state.v, &[]).expect("assembled").free, 0);
        // What acts on it beside the guides changes their loads, not the motion.
        let still = State { tau: vec![0.0; 7], ..state.clone() };
        let (loaded, free) = (evaluate(&system, "articulated", &state), evaluate(&system, "articulated", &still));
        assert_close(&loaded.vdot, &free.vdot, 1e-10, "accelerations");
        let needed = inverse(&system, &still, &free.vdot);
        assert_close(&efforts(&system, &still, &free.row_force), &needed, 1e-10, "guide efforts");
    }
}
