//! Newton's method in full converges with its exponent, and does not when the tangent forgets how targets turn.
//!
//! The liner is a hundred times softer than polyethylene: with that, two iterations after contacts have settled reach rounding, and no exponent is left
//! to be seen.

use super::{Begin, hip, movement, newmark, run, system};
use crate::coupled::{Iteration, RestOptions, exponents};
use crate::integrate::Residual;
use crate::system::System;
use borelli_model::Model;
use borelli_soft::fault_injection::without_turn_of_targets;

const SOFTER: (&str, &str) = ("974 MPa", "9.74 MPa");

/// The hip with muscles beside a guide, from the files of its study, and a softer liner.
fn hip_with_muscles() -> System {
    let load = |path: &str| {
        let text = match path.rsplit('/').next() {
            Some("gait.toml") => include_str!("../../../../../studies/63-hip-with-muscles/gait.toml").replace(SOFTER.0, SOFTER.1),
            Some("walker.toml") => include_str!("../../../../../studies/63-hip-with-muscles/walker.toml").replace(SOFTER.0, SOFTER.1),
            Some("beside-guide.csv") => include_str!("../../../../../studies/63-hip-with-muscles/beside-guide.csv").to_string(),
            _ => return Err(std::io::Error::other("no such file")),
        };
        Ok(text.into_bytes())
    };
    let text = include_str!("../../../../../studies/63-hip-with-muscles/blocked.toml");
    let model = Model::parse_with("blocked.toml", text, &load).unwrap_or_else(|rejected| panic!("{rejected}"));
    crate::compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// Steps from a liner without strain until a time, Newton's method in full: the iterations of the last; nothing if it does not converge uncut.
fn last_step(system: &System, end: f64) -> Option<Vec<Iteration>> {
    let mut movement = movement(system).with_full_newton();
    movement.record_convergence();
    run(system, &mut movement, newmark(0.3025, 0.6), Begin::Zero, end, end).ok()?;
    movement.take_convergence().pop().filter(|step| step.attempts == 1).map(|step| step.iterations)
}

/// Rest of the cylinder on the disc under the whole load at once.
fn hertz() -> Vec<Iteration> {
    let system = system(include_str!("../../../../../studies/59-hertz-line-contact/hertz.toml"));
    let mut movement = movement(&system);
    movement.record_convergence();
    let nodes = movement.problem().dofs();
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(&system, &system.start.q, &system.start.v, &mut x, &mut v);
    let mut q = [&system.start.q[..], &x].concat();
    let mut lambda = vec![0.0; movement.of(&system).rows()];
    let found = movement.of(&system).rest(0.0, &mut q, &mut lambda, &RestOptions::default(), &mut |_, _, _, _| true);
    found.unwrap_or_else(|fault| panic!("{fault}"));
    movement.take_convergence().pop().expect("a load step").iterations
}

#[test]
fn newton_in_full_falls_with_its_exponent_and_not_without_the_turn_of_the_target() {
    // Tensions of muscles are tables with a knot each 10 ms, at which steps end.
    for (name, system, end) in [("gait", hip(&[SOFTER]), 0.03), ("gait with muscles", hip_with_muscles(), 0.02)] {
        let history = last_step(&system, end).expect("a step");
        let last = exponents(&history).last().copied();
        assert!(history.len() > 5 && last.is_some_and(|p| p >= 1.8), "{name}: {last:?} of {history:?}");
        let without = without_turn_of_targets(|| last_step(&system, end));
        let last = without.as_deref().map(exponents).and_then(|found| found.last().copied());
        assert!(last.is_none_or(|p| p < 1.5), "{name} without the turn: {last:?} of {without:?}");
        let taken = without.map_or(usize::MAX, |without| without.len());
        assert!(taken >= history.len() + 2, "{name}: {taken} iterations without the turn, {} with it", history.len());
    }
}

#[test]
fn rest_under_the_whole_load_falls_with_the_exponent_of_newton() {
    let history = hertz();
    let found = exponents(&history);
    assert!(history.len() > 5 && !found.is_empty() && found.iter().all(|p| *p >= 1.8), "{found:?} of {history:?}");
}
