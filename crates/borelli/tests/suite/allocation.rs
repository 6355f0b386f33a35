//! An evaluation asks for no memory, whatever the model and the formulation.
//! Not here: making formulations, which may allocate.

use crate::{system, systems};
use borelli::System;
use borelli::dynamics::contact::MatReading;
use borelli::dynamics::formulation::articulated::{Articulated, Jacobian};
use borelli::dynamics::formulation::{Evaluation, FORMULATIONS, Input};
use borelli::dynamics::frames::Frames;
use borelli::dynamics::scene::Scene;
use borelli::study::states::{State, draw};
use borelli_testkit::count_allocations;
use borelli_testkit::random::Random;

fn state(name: &str, system: &System) -> State {
    let mut random = Random::new(7);
    (0..100).find_map(|_| draw(system, &mut random).ok()).unwrap_or_else(|| panic!("{name}: no state can be assembled"))
}

#[test]
fn no_formulation_requests_memory_while_it_evaluates() {
    for (name, system) in systems() {
        let State { t, q, v, tau, .. } = state(name, &system);
        for entry in FORMULATIONS {
            let Ok(mut formulation) = (entry.build)(&system) else { continue };
            let mut out = Evaluation::new(&system);
            let input = Input { t, q: &q, v: &v, tau: &tau, ..Input::default() };
            formulation.evaluate(&system, input, &mut out).unwrap_or_else(|failure| panic!("{name}: {failure}"));
            let (result, requests) = count_allocations(|| formulation.evaluate(&system, input, &mut out));
            assert!(result.is_ok());
            assert_eq!(requests, 0, "{name}, {}", entry.name);
        }
    }
}

#[test]
fn forward_and_inverse_dynamics_and_derivatives_request_no_memory() {
    for (name, system) in systems() {
        let State { t, q, v, tau, .. } = state(name, &system);
        let mut articulated = Articulated::new(&system);
        let mut x = vec![0.0; v.len()];
        let mut out = Jacobian::new(&system);
        let slots: Vec<usize> = (0..system.parameters.len()).collect();
        let mut slopes = vec![0.0; v.len() * slots.len()];
        let mut all = || {
            articulated.forward(&system, t, &q, &v, &tau, &mut x)?;
            articulated.inverse(&system, t, &q, &v, &tau, &mut x)?;
            articulated.jacobian(&system, t, &q, &v, &tau, &mut out)?;
            articulated.parameter_jacobian(&system, t, &q, &v, &tau, &slots, &mut slopes)
        };
        all().unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let (result, requests) = count_allocations(all);
        assert!(result.is_ok());
        assert_eq!(requests, 0, "{name}");
    }
}

#[test]
fn reading_a_pressure_mat_requests_no_memory() {
    let system = system("heel-mat");
    let System { skeleton, numbers, start, .. } = &system;
    let mut frames = Frames::new(skeleton);
    frames.fill::<f64, false>(skeleton, &numbers.tree, &start.q, &start.v, &[]);
    frames.fill_points(skeleton);
    let scene = Scene {
        skeleton,
        numbers,
        frames: &frames,
        q: &start.q,
        v: &start.v,
        vdot: &[],
        t: 0.0,
        inside: borelli::dynamics::scene::Inside::NONE,
    };
    let mat = &numbers.contacts.mats[0].item;
    let mut reading = MatReading::new(mat);
    let ((), requests) = count_allocations(|| reading.look(mat, &scene));
    assert_eq!(requests, 0);
    assert!(reading.force > 300.0, "{}", reading.force);
}
