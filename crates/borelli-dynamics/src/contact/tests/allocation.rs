//! Evaluations with contacts take no memory.

use super::*;
use crate::formulation::{Evaluation, FORMULATIONS, Input};
use crate::movement::{Movement, Options};
use borelli_testkit::count_allocations;

/// Pairings with the law and friction of each sort of contact.
fn sorts() -> Vec<(String, System)> {
    let patch = EGG_ON_BOARD.system(&format!("normal = {BED}\nfriction = {RUB}\nspin = {{ type = \"coupled\" }}"));
    let points = PAIRINGS.iter().map(|pairing| (pairing.name(), pairing.system(&format!("normal = {REMEMBER}\nfriction = {RUB}"))));
    let sum = EGG_ON_BOARD.system(&format!("normal = {SUM}\nfriction = {RUB}"));
    points.chain([("patch".to_string(), patch), ("sum".to_string(), sum)]).collect()
}

#[test]
fn an_evaluation_with_contacts_takes_no_memory() {
    for (name, system) in sorts() {
        let mut random = Random::new(21);
        let states: Vec<_> = (0..3).map(|_| meeting(&system, &mut random)).collect();
        for entry in FORMULATIONS {
            let Ok(mut formulation) = (entry.build)(&system) else { continue };
            let (mut out, tau) = (Evaluation::new(&system), vec![0.0; system.skeleton.dofs()]);
            // Without warm-up: everything is there from the start.
            for (q, v) in &states {
                let (found, requests) =
                    count_allocations(|| formulation.evaluate(&system, Input { t: 0.0, q, v, tau: &tau, ..Input::default() }, &mut out));
                assert!(found.is_ok() && out.touching[0].stored > 0.0, "{name} {}", entry.name);
                assert_eq!(requests, 0, "{name} {}", entry.name);
            }
        }
    }
}

#[test]
fn rates_slopes_and_memory_of_a_movement_with_contacts_take_no_memory() {
    for (name, system) in sorts() {
        let (q, v) = meeting(&system, &mut Random::new(22));
        let mut movement = Movement::new(&system, Options { audit: true, ..Options::default() }).expect("articulated takes every model");
        let y = movement.state(&system, &q, &v);
        let (mut dy, mut jac) = (vec![0.0; y.len()], vec![0.0; y.len() * y.len()]);
        let mut all = |memory: &Memory| {
            movement.recall(memory).expect("one pair");
            let mut by_time = [0.0; 32];
            movement.rates(&system, 0.0, &y, &mut dy).is_ok()
                && movement.jacobian(&system, 0.0, &y, &mut jac, &mut by_time[..y.len()]).is_ok()
        };
        // The memory of derivatives is made when they are first asked for.
        let memories = [0.5, 0.8].map(|speed| struck(&[speed]));
        assert!(all(&memories[0]), "{name}");
        assert_eq!(count_allocations(|| all(&memories[1])), (true, 0), "{name}");
    }
}
