//! `statics`: where all forces balance and all loops and guides are met.
//! Not here: the search (`equilibrium` of the engine).
//! In: a system and a plan; the model's start is where the search begins, at the plan's start time. Out: an `Outcome` with one sample.

use super::balance;
use super::health::{self, Peaks};
use super::recorder::Recorder;
use super::simulate::row_failure;
use super::start::start;
use super::{EndState, HealthLine, Outcome, Outline, Ready, Scalar, Status, Verdict, recorder};
use crate::columns::{Look, Source};
use crate::plan::Plan;
use crate::plan_fault::PlanFault;
use crate::soft_record::SoftRecord;
use borelli_dynamics::System;
use borelli_dynamics::equilibrium::{Equilibrium, Seek, equilibrium};
use borelli_dynamics::formulation::Evaluation;
use borelli_dynamics::implicit_movement::{ImplicitMovement, ImplicitOptions};
use borelli_dynamics::integrate::{Kind, Statistics};
use borelli_dynamics::memory::Touch;
use borelli_dynamics::movement::{Movement, Options};
use borelli_model::Findings;

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    let recorder = recorder(system, plan, false, &mut findings);
    let begin = if findings.has_errors() { None } else { start(system, plan, from, &mut findings) };
    let (Some(recorder), Some(mut begin)) = (recorder, begin) else { return Err(findings) };
    // In a balance pairs push by their depth, whatever brought them there.
    begin.memory.touch.fill(Touch::Open);
    begin.memory.points.clear();
    let options = ImplicitOptions { memory: begin.memory.clone(), ..ImplicitOptions::default() };
    match ImplicitMovement::new(system, options) {
        Ok(movement) => {
            let outline = Outline { columns: recorder.columns(), scalars: scalars(&Status::Completed, Some((0, true, Some(0.0)))) };
            Ok(Ready { outline, go: Box::new(|_| Ok(go(system, recorder, begin, movement))) })
        }
        Err(declined) => {
            findings.push(None, "", "formulation", &PlanFault::Declined { formulation: "articulated".into(), reason: declined.reason });
            Err(findings)
        }
    }
}

/// Numbers of the whole run: of what was found, iterations, whether it is stable, and the square of its lowest frequency.
fn scalars(status: &Status, found: Option<(usize, bool, Option<f64>)>) -> Vec<Scalar> {
    let flag = |yes: bool| if yes { 1.0 } else { 0.0 };
    let scalar = |name: &str, value: f64, unit: &str| Scalar { name: name.into(), value, unit: unit.into() };
    let mut list = vec![scalar("run.completed", flag(status.is_good()), "1")];
    if let Some((iterations, stable, lowest)) = found {
        list.push(scalar("statics.iterations", iterations as f64, "1"));
        list.push(scalar("statics.stable", flag(stable), "1"));
        list.extend(lowest.map(|lowest| scalar("statics.lowest_frequency_squared", lowest, "rad^2/s^2")));
    }
    list
}

/// Looks for the balance.
fn go<'a>(system: &'a System, mut recorder: Recorder<'a>, begin: EndState, mut movement: ImplicitMovement) -> Outcome {
    let mut peaks = Peaks::new(recorder.channels());
    recorder.channels().set_row_control(&begin.row_control());
    let (t, still) = (begin.t, vec![0.0; system.skeleton.dofs()]);
    let (mut status, mut balance, mut end, mut health) = (Status::Completed, None, None, Vec::new());
    match equilibrium(&mut movement.of(system), t, &begin.q, &begin.z, &Seek::default()) {
        Ok(found) => {
            let source = Source::Given { vdot: &still, row_force: &found.lambda };
            match recorder.push(Look { t, q: &found.q, v: &still, z: &found.z, source, work: None }) {
                Ok(()) => peaks.note(recorder.channels().values()),
                Err(fault) => status = row_failure(system, t, &fault),
            }
            balance = Some((found.iterations, found.stable(), found.lowest));
            health = health::lines(&peaks, &Statistics::default(), Kind::Adaptive);
            health.extend([unbalanced(found.unbalanced), stability(&found)]);
            health.extend(held_integrals(system, &begin, &found));
            end = Some(EndState { q: found.q, v: still, z: found.z, ..begin });
        }
        Err(fault) => {
            status = Status::Failed { t, element: balance::element(system, &fault), reason: fault.to_string() };
        }
    }
    let (trajectory, pressure) = recorder.finish();
    Outcome {
        judged: Vec::new(),
        trajectory,
        pressure,
        soft: SoftRecord::default(),
        events: Vec::new(),
        scalars: scalars(&status, balance),
        status,
        health,
        settings: vec![("analysis".into(), "statics".into()), ("method".into(), "Newton steps downhill, exact stiffness".into())],
        statistics: Statistics::default(),
        end,
        fit: None,
        uncertainty: None,
    }
}

fn unbalanced(force: f64) -> HealthLine {
    let text = "Largest force or moment that is left over in any coordinate. The search ends where it is rounding. No limit.".into();
    HealthLine::counted("unbalanced", "force that is not balanced", (force, "N or N m"), text)
}

/// Integrals of the user, which have no time to go on; nothing where there are none. Those that forces see must not go on: the balance would not last.
fn held_integrals(system: &System, begin: &EndState, found: &Equilibrium) -> Option<HealthLine> {
    let list = &system.numbers.integrals;
    let name = |state: u32| system.names.states[state as usize].column();
    let names: Vec<String> = list.iter().map(|integral| name(integral.state)).collect();
    let going = going_on(system, begin, found);
    let worst = going.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    let line = HealthLine {
        key: "integrals_held",
        label: "integrals held at their start".into(),
        value: Some(names.len() as f64),
        unit: "1".into(),
        verdict: Verdict::None,
        part: None,
        text: format!("a balance takes no time, and their rates need not vanish in it: {}", names.join(", ")),
    };
    if names.is_empty() {
        return None;
    }
    let Some((state, rate)) = worst else { return Some(line) };
    let (own, unit) = (name(*state), &system.names.states[*state as usize].unit);
    let text = format!(
        "`{own}` is held at its start, where it changes by {rate:.3e} {unit} per second, and forces depend on it: what was found is no balance that lasts. Allowed: \
         no change. What to do: give it the `start` that it has at rest, or look for rest with `simulate`"
    );
    Some(HealthLine { verdict: Verdict::Bad, text, ..line })
}

/// Integrals that forces see and that do not rest in a balance, with their rates.
fn going_on(system: &System, begin: &EndState, found: &Equilibrium) -> Vec<(u32, f64)> {
    /// Rates of this size are what a search that ends at rounding leaves.
    const REST: f64 = 1e-9;
    let seen = system.integrals_in_forces();
    let options = Options { memory: begin.memory.clone(), ..Options::default() };
    let (false, Ok(mut movement)) = (seen.is_empty(), Movement::new(system, options)) else { return Vec::new() };
    let mut y = movement.state(system, &found.q, &vec![0.0; begin.v.len()]);
    y[movement.layout().z_range()].copy_from_slice(&found.z);
    let mut out = Evaluation::new(system);
    match movement.evaluate(system, begin.t, &y, &mut out) {
        Ok(()) => seen.into_iter().map(|z| (z, out.zdot[z as usize])).filter(|(_, rate)| rate.abs() > REST || rate.is_nan()).collect(),
        Err(_) => seen.into_iter().map(|z| (z, f64::NAN)).collect(),
    }
}

/// Whether the balance is stable, by the square of its lowest frequency.
fn stability(found: &Equilibrium) -> HealthLine {
    let text = match found.lowest {
        None => "Nothing is free to move.",
        Some(lowest) if lowest > 0.0 => "The balance is stable; this is the square of its lowest frequency. Allowed: more than zero.",
        Some(0.0) => {
            "The balance is neutral: some small displacement is not pushed back. Allowed: more than zero. What to do: check whether a support or a spring is missing."
        }
        Some(_) => {
            "The balance is not stable: a small displacement grows, at a rate whose square this is without its sign. Allowed: more than zero. What to do: start the \
             search from another pose, or stiffen the support."
        }
    };
    let (label, unit) = ("stability".into(), "rad^2/s^2".into());
    HealthLine { key: "stable", label, value: found.lowest, unit, verdict: Verdict::good_if(found.stable()), part: None, text: text.into() }
}
