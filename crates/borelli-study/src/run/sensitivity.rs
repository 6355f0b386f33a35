//! `sensitivity`: how the largest values of columns change with parameters, by exact derivatives of the motion and of its start.
//! Not here: derivatives of the motion and slopes of columns (`slopes`), the motion itself (`simulate`).
//! In: columns, changes of parameters. Out: the motion, and as numbers of the whole run each largest value, when it is, and its change with each change of
//! parameters, the largest first.
//!
//! With the state y(t, p), its derivatives S = ∂y/∂p, and the time t* of a largest value F(t*, y, p), at which it stands still,
//!
//!     dF/dp = ∂F/∂y S(t*) + ∂F/∂p                                                                      (1)
//!
//! as `slopes` finds it.
//! With `differences` the same numbers are found a second time, by whole motions from starts found anew with the changes added and taken away.
//! Limits: no loops and guides; contacts whose force grows from zero; no conditional points of paths that come or go. A value that is
//! largest where an event ends the run is refused, for the time of that changes, too.

use super::simulate::Simulation;
use super::slopes::{self, Change, Moment, Sight, Stops, movement, slopes_along, visit};
use super::start::start;
use super::switching::SWITCH;
use super::{EndState, Outcome, Outline, Ready, Scalar, Status, Watch};
use crate::plan::{Peak, Plan, Sensitivities};
use crate::plan_fault::PlanFault;
use crate::settings::change_of;
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_model::{Findings, suggest};

/// Part of a change that whole motions differ by.
const APART: f64 = 1e-3;

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, _from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    let Some(wanted) = &plan.sensitivity else {
        findings.push(None, "sensitivity", "", &PlanFault::NoSlopes { reason: "nothing is asked for".into() });
        return Err(findings);
    };
    let outline = Simulation::new(system, plan, None).map(|simulation| simulation.outline()).map_err(|faults| findings.merge(faults));
    slopes::refuse(system, plan, "sensitivity", &mut findings);
    let mut changes: Vec<Change> = Vec::new();
    for change in &wanted.by {
        let parameters = change.settings.iter().filter_map(|setting| change_of(system, setting, &mut findings)).collect();
        changes.push(Change { parameters, start: Vec::new() });
    }
    let Ok(mut outline) = outline else { return Err(findings) };
    for peak in &wanted.of {
        if !outline.columns.iter().any(|column| column.name == peak.column) {
            let nearest = suggest(&peak.column, outline.columns.iter().map(|column| column.name.as_str())).map(str::to_string);
            findings.push(peak.at, "sensitivity.of", "column", &PlanFault::NoColumn { pattern: peak.column.clone(), nearest });
        }
    }
    if findings.has_errors() {
        return Err(findings);
    }
    let blank: Vec<Found> = wanted.of.iter().map(|_| Found { t: 0.0, value: 0.0, slopes: vec![0.0; wanted.by.len()] }).collect();
    let own = scalars(wanted, &outline, &blank, wanted.differences.then_some(0.0));
    outline.scalars.extend(own);
    Ok(Ready { outline, go: Box::new(move |watch| go(system, plan, wanted, &changes, watch)) })
}

/// What was found of a largest value.
struct Found {
    t: f64,
    value: f64,
    /// By change.
    slopes: Vec<f64>,
}

/// Numbers of the whole run: of each largest value the changes, the largest first.
fn scalars(wanted: &Sensitivities, outline: &Outline, found: &[Found], gap: Option<f64>) -> Vec<Scalar> {
    let scalar = |name: String, value: f64, unit: &str| Scalar { name: format!("sensitivity.{name}"), value, unit: unit.into() };
    let mut list = Vec::new();
    for (peak, own) in wanted.of.iter().zip(found) {
        let column = outline.columns.iter().find(|column| column.name == peak.column);
        let unit = column.and_then(|column| column.unit.as_deref()).unwrap_or("1");
        list.push(scalar(format!("{}.peak", peak.name), own.value, unit));
        list.push(scalar(format!("{}.time", peak.name), own.t, "s"));
        let mut order: Vec<usize> = (0..own.slopes.len()).collect();
        order.sort_by(|a, b| own.slopes[*b].abs().total_cmp(&own.slopes[*a].abs()));
        list.extend(order.into_iter().map(|k| scalar(format!("{}.by.{}", peak.name, wanted.by[k].name), own.slopes[k], unit)));
    }
    list.extend(gap.map(|gap| scalar("gap".into(), gap, "1")));
    list
}

fn go(system: &System, plan: &Plan, wanted: &Sensitivities, changes: &[Change], watch: &mut dyn Watch) -> Result<Outcome, Findings> {
    let simulation = Simulation::new(system, plan, None)?;
    let outline = simulation.outline();
    let mut outcome = simulation.go(watch);
    if !outcome.status.is_good() {
        return Ok(outcome);
    }
    // What a jump does to the derivatives of the motion is not followed.
    if let Some(switch) = outcome.events.iter().find(|event| event.action == SWITCH) {
        let (t, element) = (switch.t, switch.name.clone());
        let reason = "a conditional point of a path comes or goes there, which has no derivatives\n  \
                      hint: let a wrap take its place, or end the motion before it";
        outcome.status = Status::Failed { t, element, reason: reason.into() };
        return Ok(outcome);
    }
    let task = Task { system, plan, wanted, changes };
    match task.solve(&outcome) {
        Ok((found, gap)) => outcome.scalars.extend(scalars(wanted, &outline, &found, gap)),
        Err((element, reason)) => {
            let t = outcome.trajectory.time().last().copied().unwrap_or(plan.time.start);
            outcome.status = Status::Failed { t, element, reason };
        }
    }
    Ok(outcome)
}

/// What is to blame, and why.
type Fault = (String, String);

struct Task<'a> {
    system: &'a System,
    plan: &'a Plan,
    wanted: &'a Sensitivities,
    changes: &'a [Change],
}

impl Task<'_> {
    /// All largest values with their slopes, and how far differences are from them.
    fn solve(&self, outcome: &Outcome) -> Result<(Vec<Found>, Option<f64>), Fault> {
        let times: Vec<f64> = self.wanted.of.iter().map(|peak| time_of(peak, outcome)).collect::<Result<_, _>>()?;
        let (moments, _) = slopes::moments(self.system, self.plan, self.changes, &times, Stops::AtEach)
            .map_err(|reason| ("sensitivity".to_string(), reason))?;
        let mut found = Vec::new();
        for (peak, moment) in self.wanted.of.iter().zip(moments) {
            let blame = |reason: String| (format!("sensitivity.{}", peak.name), reason);
            let (names, moments) = ([peak.column.clone()], [moment]);
            let [Moment { t, y, .. }] = &moments;
            let value = self.column(self.system, peak, *t, y).map_err(blame)?;
            let along = |own: (usize, &Change)| slopes_along(self.system, self.plan, &names, &moments, own).map(|list| list[0][0]);
            let slopes = self.changes.iter().enumerate().map(|own| along(own).map_err(blame)).collect::<Result<_, _>>()?;
            found.push(Found { t: *t, value, slopes });
        }
        let gap = if self.wanted.differences { Some(self.gap(&found)?) } else { None };
        Ok((found, gap))
    }

    /// The column of a largest value at a state of a system.
    fn column(&self, system: &System, peak: &Peak, t: f64, y: &[f64]) -> Result<f64, String> {
        Sight::new(system, self.plan, std::slice::from_ref(&peak.column))?.look(t, y).map(|values| values[0])
    }

    /// The largest difference between slopes and differences of whole motions, over the largest slope of the same value.
    fn gap(&self, found: &[Found]) -> Result<f64, Fault> {
        let times: Vec<f64> = found.iter().map(|found| found.t).collect();
        let mut largest = 0.0_f64;
        for (k, change) in self.changes.iter().enumerate() {
            let values = |part: f64| -> Result<Vec<f64>, Fault> {
                let fail = |reason: String| (format!("sensitivity.by.{}", self.wanted.by[k].name), reason);
                let system = change.of(self.system, part);
                let begin = start(&system, self.plan, None, &mut Findings::new()).ok_or_else(|| fail("no start is found".into()))?;
                let mut movement = movement(&system, self.plan, &begin).map_err(fail)?;
                let mut y = slopes::begin_state(&movement, &system, &begin);
                let (states, _) = visit(&mut movement.of(&system), self.plan, begin.t, &mut y, &times).map_err(fail)?;
                let look = |(peak, (t, y)): (&Peak, (f64, Vec<f64>))| self.column(&system, peak, t, &y).map_err(fail);
                self.wanted.of.iter().zip(states).map(look).collect()
            };
            let (up, down) = (values(APART)?, values(-APART)?);
            for (own, (up, down)) in found.iter().zip(up.into_iter().zip(down)) {
                let size = own.slopes.iter().fold(f64::MIN_POSITIVE, |most, slope| most.max(slope.abs()));
                largest = largest.max(((up - down) / (2.0 * APART) - own.slopes[k]).abs() / size);
            }
        }
        Ok(largest)
    }
}

/// When a column is largest: between samples, by the parabola through the largest and its neighbours.
fn time_of(peak: &Peak, outcome: &Outcome) -> Result<f64, Fault> {
    let table: &Trajectory = &outcome.trajectory;
    let blame = |reason: String| (format!("sensitivity.{}", peak.name), reason);
    let (time, values) = (table.time(), table.column(&peak.column).unwrap_or_default());
    let (from, to) = (peak.from.unwrap_or(f64::NEG_INFINITY), peak.to.unwrap_or(f64::INFINITY));
    let within: Vec<usize> = (0..time.len().min(values.len())).filter(|k| (from..=to).contains(&time[*k])).collect();
    let largest = within.iter().copied().max_by(|a, b| values[*a].total_cmp(&values[*b]).then(b.cmp(a)));
    let (Some(k), Some(first), Some(last)) = (largest, within.first(), within.last()) else {
        return Err(blame(format!("no sample of `{}` lies in its time", peak.column)));
    };
    if k + 1 == time.len() && matches!(outcome.status, Status::Stopped { .. }) {
        let hint = "give `to`, a time before that";
        return Err(blame(format!(
            "`{}` is largest where an event ends the run, at a time that changes, too\n  hint: {hint}",
            peak.column
        )));
    }
    if k == *first || k == *last {
        return Ok(time[k]);
    }
    let (a, b) = (time[k] - time[k - 1], time[k + 1] - time[k]);
    let (left, right) = ((values[k] - values[k - 1]) / a, (values[k + 1] - values[k]) / b);
    let bend = (right - left) / (0.5 * (a + b));
    let slope = (left * b + right * a) / (a + b);
    Ok(if bend < 0.0 { time[k] + (-slope / bend).clamp(-a, b) } else { time[k] })
}
