//! Newton's method in full on soft parts: what each iteration leaves open, and the exponent with which that falls.
//! Not here: times (`soft`), the iteration (`borelli_dynamics::coupled`).
//! In: a gait with and without muscles, from a liner without strain; Hertz's contact under the whole load. Out: a line each.
//!
//! With the polyethylene of the hip, two iterations after contacts have settled reach rounding, and no exponent is left to be seen. So the gaits are shown
//! with a liner a hundred times softer too.

use super::soft::{DAMPED, movement, start};
use borelli::gallery;
use borelli_dynamics::coupled::{Converged, CoupledMovement, RestOptions, exponents};
use borelli_dynamics::integrate::{
    Implicit, Newton, Residual, Settings, StartAcceleration, Statistics, Unobserved, integrate_implicit, newmark,
};
use borelli_dynamics::{System, compile};
use borelli_model::{Model, Rejected};
use serde_json::{Value, json};
use std::fmt::Write;

/// Files of the gait with muscles, the model first.
const MUSCLES: [(&str, &str); 4] = [
    ("blocked.toml", include_str!("../../../../../studies/63-hip-with-muscles/blocked.toml")),
    ("gait.toml", include_str!("../../../../../studies/63-hip-with-muscles/gait.toml")),
    ("walker.toml", include_str!("../../../../../studies/63-hip-with-muscles/walker.toml")),
    ("beside-guide.csv", include_str!("../../../../../studies/63-hip-with-muscles/beside-guide.csv")),
];
/// A cylinder pressed on a half disc.
const HERTZ: &str = include_str!("../../../../../studies/59-hertz-line-contact/hertz.toml");
/// The liner's modulus, and that of a liner a hundred times softer.
const SOFTER: (&str, &str) = ("974 MPa", "9.74 MPa");
/// What the exponent should reach.
const GOAL: f64 = 1.8;

/// What was found of one problem.
pub struct Line {
    name: String,
    found: Converged,
}

impl Line {
    /// As an object.
    pub fn json(&self) -> Value {
        let list = |of: &dyn Fn(&borelli_dynamics::coupled::Iteration) -> Value| self.found.iterations.iter().map(of).collect::<Vec<_>>();
        json!({
            "convergence": self.name, "open": list(&|one| json!(one.open)), "rounding": list(&|one| json!(one.rounding)),
            "contacts_changed": list(&|one| json!(one.changed)), "exponents": exponents(&self.found.iterations), "exponent_goal": GOAL
        })
    }
}

/// All problems that converge.
pub fn lines() -> Result<Vec<Line>, Rejected> {
    let mut list = Vec::new();
    let gait = gallery::file("hip-liner-gait.toml").unwrap_or_default();
    for (young, liner) in [(SOFTER.0, ""), (SOFTER.1, ", liner 100 times softer")] {
        let load = |path: &str| {
            let file = MUSCLES.iter().find(|(name, _)| path.rsplit('/').next() == Some(name));
            file.map(|(_, text)| text.replace(SOFTER.0, young).into_bytes()).ok_or_else(|| std::io::Error::other("no such file"))
        };
        let plain = compile(&Model::parse("hip-liner-gait.toml", &gait.replace(SOFTER.0, young))?)?;
        let muscles = compile(&Model::parse_with(MUSCLES[0].0, MUSCLES[0].1, &load)?)?;
        list.extend(last_step(&plain, 0.03).map(|found| Line { name: format!("hip-liner-gait, a step of 30 ms{liner}"), found }));
        // Tensions of muscles are tables with a knot each 10 ms, at which steps end.
        list.extend(last_step(&muscles, 0.02).map(|found| Line { name: format!("63-hip-with-muscles, a step of 10 ms{liner}"), found }));
    }
    let hertz = compile(&Model::parse("hertz.toml", HERTZ)?)?;
    list.extend(at_once(&hertz).map(|found| Line { name: "59-hertz-line-contact, the whole load at once".into(), found }));
    Ok(list)
}

fn recorded(system: &System) -> Option<CoupledMovement> {
    let mut movement = movement(system)?.with_full_newton();
    movement.record_convergence();
    Some(movement)
}

/// Steps from a liner without strain until a time; the last of them.
fn last_step(system: &System, end: f64) -> Option<Converged> {
    let mut movement = recorded(system)?;
    let mut y = start(system, &mut movement).concat();
    let newton = Newton { start: StartAcceleration::Zero, ..Newton::default() };
    let mut method = Implicit::new(newmark(DAMPED.0, DAMPED.1), newton, &movement.of(system));
    let (settings, mut statistics) = (Settings { step: Some(end), ..Settings::default() }, Statistics::default());
    integrate_implicit(&mut method, &mut movement.of(system), (0.0, end), &mut y, &settings, &mut statistics, &mut Unobserved).ok()?;
    movement.take_convergence().pop()
}

/// Rest under all loads in one step.
fn at_once(system: &System) -> Option<Converged> {
    let mut movement = recorded(system)?;
    let [mut q, _] = start(system, &mut movement);
    let mut lambda = vec![0.0; movement.of(system).rows()];
    movement.of(system).rest(0.0, &mut q, &mut lambda, &RestOptions::default(), &mut |_, _, _, _| true).ok()?;
    movement.take_convergence().pop()
}

/// All as text.
pub fn text(lines: &[Line]) -> String {
    let mut out = format!("\n{:<64} {:>9} {:>16} {:>18}\n", "Newton's method in full", "iteration", "open force / N", "contacts changed");
    for line in lines {
        for (k, one) in line.found.iterations.iter().enumerate() {
            let note = if one.open <= one.rounding { "  rounding" } else { "" };
            let name = if k == 0 { line.name.as_str() } else { "" };
            let _ = writeln!(out, "{name:<64} {k:>9} {:>16.3e} {:>18}{note}", one.open, one.changed);
        }
        let found: Vec<String> = exponents(&line.found.iterations).iter().map(|p| format!("{p:.2}")).collect();
        let found = if found.is_empty() { "none, rounding is reached at once".to_string() } else { found.join(", ") };
        let _ = writeln!(out, "  exponents after the last change, above rounding: {found} (goal for the last: at least {GOAL})");
    }
    out
}
