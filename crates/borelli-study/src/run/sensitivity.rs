//! `sensitivity`: how the largest values of columns change with parameters, by exact derivatives of the motion and of its start.
//! Not here: derivatives of the motion (`sensitivity` of the engine) and of a start in balance (`rest`), the motion itself (`simulate`).
//! In: columns, changes of parameters. Out: the motion, and as numbers of the whole run each largest value, when it is, and its change with each change of
//! parameters, the largest first.
//!
//! With the state y(t, p), its derivatives S = ∂y/∂p, and the time t* of a largest value F(t*, y, p), at which it stands still,
//!
//!     dF/dp = ∂F/∂y S(t*) + ∂F/∂p                                                                      (1)
//!
//! S' = ∂f/∂y S + ∂f/∂p is integrated with the motion, from the derivative of the start. The last step, the slope of one evaluation of the column along
//! (S, dp), is taken by five points: of order 4, and of rounding where columns are smooth.
//! With `differences` the same numbers are found a second time, by whole motions from starts found anew with the changes added and taken away.
//! Limits: no loops, guides and states of force elements; contacts whose force grows from zero. A value that is largest where an event ends the run is refused,
//! for the time of that changes, too.

use super::balance;
use super::engine::choose;
use super::shoot::check_touches;
use super::simulate::Simulation;
use super::start::start;
use super::{EndState, Outcome, Outline, Ready, Scalar, Status, Watch, channels};
use crate::columns::{Look, Source};
use crate::plan::{Action, Peak, Plan, Sensitivities, StartRule};
use crate::plan_fault::PlanFault;
use crate::settings::change_of;
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_dynamics::integrate::{Ode, Settings, Statistics, Unobserved, find, integrate};
use borelli_dynamics::movement::{Layout, Movement, Options};
use borelli_dynamics::sensitivity::Sensitivity;
use borelli_model::{Findings, suggest};

/// Part of a change that the slope of a column is taken over.
const ALONG: f64 = 1e-3;
/// Part of a change that whole motions differ by.
const APART: f64 = 1e-3;

/// A change of parameters: slots, and what is added to them.
type Direction = Vec<(usize, f64)>;

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, _from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    let Some(wanted) = &plan.sensitivity else {
        findings.push(None, "sensitivity", "", &PlanFault::NoSlopes { reason: "nothing is asked for".into() });
        return Err(findings);
    };
    let outline = Simulation::new(system, plan, None).map(|simulation| simulation.outline()).map_err(|faults| findings.merge(faults));
    if !system.names.rows.is_empty() || !system.names.states.is_empty() {
        let reason = "the model has loops, guides or states of force elements".into();
        findings.push(None, "", "analysis", &PlanFault::NoSlopes { reason });
    }
    if let Some(choice) = choose(system, plan, &mut Findings::new()).filter(|choice| choice.is_implicit()) {
        findings.push(None, "integrator", "method", &PlanFault::ExplicitOnly { analysis: "sensitivity", method: choice.name.into() });
    }
    for event in plan.events.iter().filter(|event| !matches!(event.action, Action::Note | Action::Stop)) {
        let reason = format!("event `{}` changes the motion", event.name);
        findings.push(event.at, format!("event.{}", event.name), "action", &PlanFault::NoSlopes { reason });
    }
    check_touches(system, "sensitivity", &mut findings);
    let mut directions: Vec<Direction> = Vec::new();
    for change in &wanted.by {
        directions.push(change.settings.iter().filter_map(|setting| change_of(system, setting, &mut findings)).collect());
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
    Ok(Ready { outline, go: Box::new(move |watch| go(system, plan, wanted, &directions, watch)) })
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

fn go(system: &System, plan: &Plan, wanted: &Sensitivities, directions: &[Direction], watch: &mut dyn Watch) -> Result<Outcome, Findings> {
    let simulation = Simulation::new(system, plan, None)?;
    let outline = simulation.outline();
    let mut outcome = simulation.go(watch);
    if !outcome.status.is_good() {
        return Ok(outcome);
    }
    let task = Task { system, plan, wanted, directions };
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
    directions: &'a [Direction],
}

/// A state of the motion with its derivatives by parameters.
struct Moment {
    t: f64,
    y: Vec<f64>,
    /// By entry of `slots`.
    slopes: Vec<Vec<f64>>,
}

impl Task<'_> {
    /// All largest values with their slopes, and how far differences are from them.
    fn solve(&self, outcome: &Outcome) -> Result<(Vec<Found>, Option<f64>), Fault> {
        let times: Vec<f64> = self.wanted.of.iter().map(|peak| time_of(peak, outcome)).collect::<Result<_, _>>()?;
        let mut slots: Vec<usize> = self.directions.iter().flatten().map(|(slot, _)| *slot).collect();
        slots.sort_unstable();
        slots.dedup();
        let moments = self.moments(&times, &slots)?;
        let mut found = Vec::new();
        for (peak, moment) in self.wanted.of.iter().zip(&moments) {
            let blame = |reason: String| (format!("sensitivity.{}", peak.name), reason);
            let value = self.column(self.system, peak, moment.t, &moment.y).map_err(blame)?;
            let slopes = self.directions.iter().map(|direction| self.along(peak, moment, &slots, direction).map_err(blame));
            found.push(Found { t: moment.t, value, slopes: slopes.collect::<Result<_, _>>()? });
        }
        let gap = if self.wanted.differences { Some(self.gap(&found)?) } else { None };
        Ok((found, gap))
    }

    /// The motion with its derivatives at some times.
    fn moments(&self, times: &[f64], slots: &[usize]) -> Result<Vec<Moment>, Fault> {
        let fail = |reason: String| ("sensitivity".to_string(), reason);
        let mut findings = Findings::new();
        let begin = start(self.system, self.plan, None, &mut findings).ok_or_else(|| fail("the start was lost".into()))?;
        let mut columns = vec![Vec::new(); slots.len()];
        if self.plan.start == StartRule::Equilibrium {
            let rest = balance::rest(self.system, self.plan, &begin, &mut findings).ok_or_else(|| fail("the start was lost".into()))?;
            columns = rest.slopes(self.system, begin.t, &begin.q, slots).map_err(|fault| fail(fault.to_string()))?;
        }
        let movement = self.movement(self.system, &begin).map_err(fail)?;
        let layout = movement.layout();
        columns.iter_mut().for_each(|column| column.resize(layout.dim(), 0.0));
        let y = movement.state(self.system, &begin.q, &begin.v);
        let mut equation = Sensitivity::new(self.system, movement, 0, slots.to_vec()).map_err(|declined| fail(declined.reason))?;
        let mut all = equation.state(&y, &columns);
        let states = visit(&mut equation.of(self.system), self.plan, begin.t, &mut all, times).map_err(fail)?;
        let moment = |(t, all): (f64, Vec<f64>)| {
            let slopes = (0..slots.len()).map(|k| equation.column(&all, k).to_vec()).collect();
            Moment { t, y: equation.base(&all).to_vec(), slopes }
        };
        Ok(states.into_iter().map(moment).collect())
    }

    fn movement(&self, system: &System, begin: &EndState) -> Result<Movement, String> {
        let options = Options {
            drift: self.plan.drift,
            memory: begin.memory.clone(),
            stop_at_breakpoints: self.plan.integrator.stop_at_breakpoints,
            ..Options::default()
        };
        Movement::new(system, options).map_err(|declined| declined.reason)
    }

    /// The column of a largest value at a state of a system.
    fn column(&self, system: &System, peak: &Peak, t: f64, y: &[f64]) -> Result<f64, String> {
        let lost = || format!("column `{}` was lost", peak.column);
        let mut channels = channels(system, self.plan, false, &mut Findings::new()).ok_or_else(lost)?;
        let channel = channels.index(&peak.column).ok_or_else(lost)?;
        channels.ask(channel);
        let layout = Layout::new(system, false);
        let look = Look { t, q: layout.q(y), v: layout.v(y), z: layout.z(y), source: Source::Forward, work: None };
        channels.look(look).map(|values| values[channel]).map_err(|failure| failure.to_string())
    }

    /// (1) along a change.
    fn along(&self, peak: &Peak, moment: &Moment, slots: &[usize], direction: &Direction) -> Result<f64, String> {
        let mut dy = vec![0.0; moment.y.len()];
        for (slot, amount) in direction {
            let k = slots.binary_search(slot).map_err(|_| "a parameter was lost".to_string())?;
            dy.iter_mut().zip(&moment.slopes[k]).for_each(|(dy, slope)| *dy += amount * slope);
        }
        let at = |part: f64| {
            let y: Vec<f64> = moment.y.iter().zip(&dy).map(|(y, dy)| y + part * dy).collect();
            self.column(&changed(self.system, direction, part), peak, moment.t, &y)
        };
        let h = ALONG;
        Ok((8.0 * (at(h)? - at(-h)?) - (at(2.0 * h)? - at(-2.0 * h)?)) / (12.0 * h))
    }

    /// The largest difference between slopes and differences of whole motions, over the largest slope of the same value.
    fn gap(&self, found: &[Found]) -> Result<f64, Fault> {
        let times: Vec<f64> = found.iter().map(|found| found.t).collect();
        let mut largest = 0.0_f64;
        for (k, direction) in self.directions.iter().enumerate() {
            let values = |part: f64| -> Result<Vec<f64>, Fault> {
                let fail = |reason: String| (format!("sensitivity.by.{}", self.wanted.by[k].name), reason);
                let system = changed(self.system, direction, part);
                let begin = start(&system, self.plan, None, &mut Findings::new()).ok_or_else(|| fail("no start is found".into()))?;
                let mut movement = self.movement(&system, &begin).map_err(fail)?;
                let mut y = movement.state(&system, &begin.q, &begin.v);
                let states = visit(&mut movement.of(&system), self.plan, begin.t, &mut y, &times).map_err(fail)?;
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

/// The system with part of a change.
fn changed(system: &System, direction: &Direction, part: f64) -> System {
    let mut values = system.values();
    direction.iter().for_each(|(slot, amount)| values[*slot] += part * amount);
    system.with_parameters(&values)
}

/// States of a motion at some times, in their order.
fn visit(equation: &mut dyn Ode, plan: &Plan, t0: f64, y: &mut [f64], times: &[f64]) -> Result<Vec<(f64, Vec<f64>)>, String> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
    // Derivatives have no Jacobian of their own, so that they need an explicit method.
    let wanted = plan.integrator.method.as_deref().and_then(find).filter(|entry| !entry.needs_jacobian);
    let entry = wanted.or_else(|| find("dopri5")).ok_or("there is no integrator `dopri5`")?;
    let mut solver = (entry.build)(y.len());
    let settings: &Settings = &plan.integrator.settings;
    let (mut t, mut states) = (t0, vec![(0.0, Vec::new()); times.len()]);
    for k in order {
        if times[k] > t {
            let end = integrate(&mut *solver, equation, (t, times[k]), y, settings, &mut Statistics::default(), &mut Unobserved);
            t = end.map_err(|failure| failure.to_string())?.t;
        }
        states[k] = (t, y.to_vec());
    }
    Ok(states)
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
