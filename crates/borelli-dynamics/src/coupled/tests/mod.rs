//! Soft parts with moving bodies: published and independent numbers, balances, differences, and what must be refused.

mod begin;
mod carriers;
mod gait;
mod rest;

use super::CoupledMovement;
use crate::implicit_movement::ImplicitOptions;
use crate::integrate::{
    Failure, Flow, Implicit, Newton, Scheme, Settings, StartAcceleration, Statistics, Step, generalised_alpha, integrate_implicit, newmark,
};
use crate::system::System;
use borelli_model::Model;

/// A compiled model from its text.
fn system(text: &str) -> System {
    let model = Model::parse("test.toml", text).unwrap_or_else(|rejected| panic!("{rejected}"));
    crate::compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// The hip with its liner, with a part of the text replaced.
fn hip(changes: &[(&str, &str)]) -> System {
    let mut text = include_str!("../../../../../models/hip-liner-gait.toml").to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    system(&text)
}

/// What is noted of each step: time, coordinates, forces of rows.
struct Noted {
    t: f64,
    q: Vec<f64>,
    rows: Vec<f64>,
}

/// How a run starts.
#[derive(Clone, Copy, PartialEq)]
enum Begin {
    Zero,
    Consistent,
    Settled,
}

/// A run with fixed steps, with what was noted of each.
fn run(system: &System, movement: &mut CoupledMovement, scheme: Scheme, begin: Begin, end: f64, step: f64) -> Result<Vec<Noted>, Failure> {
    let (coords, nodes) = (system.skeleton.coords(), movement.problem().dofs());
    let (mut x, mut v) = (vec![0.0; nodes], vec![0.0; nodes]);
    movement.fill_start(system, &system.start.q, &system.start.v, &mut x, &mut v);
    let mut y = [&system.start.q[..], &x, &system.start.v, &v].concat();
    if begin == Begin::Settled {
        movement.of(system).settle(0.0, &mut y).expect("a settled start");
    }
    let start = if begin == Begin::Zero { StartAcceleration::Zero } else { StartAcceleration::Consistent };
    let mut method = Implicit::new(scheme, Newton { start, ..Newton::default() }, &movement.of(system));
    let settings = Settings { step: Some(step), ..Settings::default() };
    let (mut noted, rows) = (Vec::new(), system.names.rows.len());
    let mut observer = |step: &Step| {
        let found = step.found.expect("an implicit scheme");
        noted.push(Noted { t: step.t1, q: step.y[..coords].to_vec(), rows: found.lambda[1][..rows].to_vec() });
        Flow::Continue
    };
    integrate_implicit(&mut method, &mut movement.of(system), (0.0, end), &mut y, &settings, &mut Statistics::default(), &mut observer)?;
    Ok(noted)
}

/// A movement of a system.
fn movement(system: &System) -> CoupledMovement {
    CoupledMovement::new(system, ImplicitOptions::default()).unwrap_or_else(|declined| panic!("{}", declined.reason))
}
