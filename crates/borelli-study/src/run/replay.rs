//! A motion that is simulated first and then followed: `[motion] from = "simulate"`.
//! Not here: simulating (`simulate`), following (`evaluate`).
//! In: a system, a plan. Out: an `Outcome` along the simulated motion, with the events of the simulation.
//!
//! The first run has the integrator, start, drift control and events of the plan and all columns; of a mixed problem it is plain forward dynamics with
//! all loops and guides. Its table is what the second run follows, to its last time at most.

use super::evaluate::{Following, scalars};
use super::health::Peaks;
use super::start::start;
use super::{Outcome, Outline, Ready, Scalar, Status, Watch, mixed, recorder};
use crate::column_formula::names_in;
use crate::plan::{Analysis, Motion, MotionSource, Plan, Time};
use crate::plan_fault::PlanFault;
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_model::Findings;

/// Makes both runs ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, interval: Option<f64>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    events_without_chain(plan, &mut findings);
    if findings.has_errors() {
        return Err(findings);
    }
    let first = simulated(plan, interval);
    let simulation = super::prepare(system, &first, None)?.outline;
    // The names of its columns are known before it runs.
    let empty = Trajectory::new(simulation.columns).unwrap_or_else(|fault| panic!("columns of our own making: {fault}"));
    let ahead = following(plan, empty);
    let recorder = recorder(system, &ahead, false, &mut findings);
    if let (Analysis::Mixed, Some(begin), false) = (plan.analysis, start(system, &first, None, &mut findings), findings.has_errors()) {
        mixed::examine(system, &ahead, begin.t, &begin.q, &begin.v, &mut findings);
    }
    let (Some(mut recorder), false) = (recorder, findings.has_errors()) else { return Err(findings) };
    let whole = scalars(&Status::Completed, 0, &Peaks::new(recorder.channels()));
    let outline = Outline { columns: recorder.columns(), scalars: [whole, events(&simulation.scalars)].concat() };
    Ok(Ready { outline, go: Box::new(move |watch| go(system, plan, &first, watch)) })
}

/// The plan of the first run.
fn simulated(plan: &Plan, interval: Option<f64>) -> Plan {
    let formulation = if plan.analysis == Analysis::Mixed { "articulated".to_string() } else { plan.formulation.clone() };
    let of_chain = derived_of_chain(plan);
    Plan {
        analysis: Analysis::Simulate,
        formulation,
        time: Time { sample: interval.or(plan.time.sample), ..plan.time },
        derived: plan.derived.iter().filter(|derived| !of_chain.contains(&derived.name)).cloned().collect(),
        motion: None,
        mixed: None,
        columns: Vec::new(),
        ..plan.clone()
    }
}

/// The first name in a formula that is a variable of the chain, by itself or through a derived column: variables of the chain are columns of the
/// second run only.
fn chain_name(formula: &str, of_chain: &[String]) -> Option<String> {
    let second = |name: &String| match name.strip_prefix("derived.") {
        Some(own) => of_chain.iter().any(|known| known == own),
        None => name.starts_with("chain."),
    };
    names_in(formula).into_iter().find(second)
}

/// Names of the derived columns that only the second run has; a column may use those before it.
fn derived_of_chain(plan: &Plan) -> Vec<String> {
    let mut list = Vec::new();
    for derived in &plan.derived {
        if chain_name(&derived.formula, &list).is_some() {
            list.push(derived.name.clone());
        }
    }
    list
}

/// Refuses events over variables of the chain: they are watched while the motion is simulated.
fn events_without_chain(plan: &Plan, findings: &mut Findings) {
    let of_chain = derived_of_chain(plan);
    for event in &plan.events {
        if let Some(column) = chain_name(&event.when, &of_chain) {
            findings.push(
                event.at,
                format!("event.{}", event.name),
                "when",
                &PlanFault::EventOfChain { event: event.name.clone(), column },
            );
        }
    }
}

/// The plan of the second run.
fn following(plan: &Plan, table: Trajectory) -> Plan {
    let end = table.time().last().map_or(plan.time.end, |last| last.min(plan.time.end));
    let derivatives = plan.motion.as_ref().map(|motion| motion.derivatives).unwrap_or_default();
    let motion = Some(Motion { source: MotionSource::Table(table), derivatives });
    Plan { motion, time: Time { end, ..plan.time }, ..plan.clone() }
}

/// Numbers of events.
fn events(scalars: &[Scalar]) -> Vec<Scalar> {
    scalars.iter().filter(|scalar| scalar.name.starts_with("event.")).cloned().collect()
}

fn go(system: &System, plan: &Plan, first: &Plan, watch: &mut dyn Watch) -> Result<Outcome, Findings> {
    let mut simulated = super::prepare(system, first, None).and_then(|ready| (ready.go)(watch))?;
    if !simulated.status.is_good() {
        if let Status::Failed { reason, .. } = &mut simulated.status {
            *reason = format!("the motion to be followed could not be simulated: {reason}");
        }
        return Ok(Outcome { end: None, ..simulated });
    }
    let second = following(plan, simulated.trajectory);
    let mut outcome = Following::new(system, &second)?.go(&second, watch);
    outcome.scalars.extend(events(&simulated.scalars));
    outcome.events = simulated.events;
    let method = simulated.settings.iter().find(|(key, _)| key == "integrator").map_or("", |(_, name)| name.as_str());
    outcome.settings.push(("simulated first by".into(), method.into()));
    for mut line in simulated.health {
        line.label = format!("{} of the simulated motion", line.label);
        match outcome.health.iter_mut().find(|own| own.key == line.key) {
            Some(own) if own.value.is_none() => *own = line,
            Some(_) => {}
            None => outcome.health.push(line),
        }
    }
    Ok(outcome)
}
