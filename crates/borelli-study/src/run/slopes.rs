//! A simulated motion with derivatives of its state, and slopes of columns along changes of parameters and of the start.
//! Not here: derivatives of the motion (`sensitivity` of the engine) and of a start in balance (`rest`); what they are for (`sensitivity`, `linear`).
//! In: a system, a plan, changes, times. Out: states with derivatives at those times, and slopes of columns there.
//!
//! With the state y(t, p) and its derivatives S = ∂y/∂p along a change p, a column F(t, y, p) changes by
//!
//!     dF/dp = ∂F/∂y S + ∂F/∂p                                                                          (1)
//!
//! S' = ∂f/∂y S + ∂f/∂p is integrated with the motion, from the derivative of the start. (1), the slope of one evaluation of the column along (S, dp), is taken
//! by five points: of order 4, and of rounding where columns are smooth.

use super::balance;
use super::engine::choose;
use super::shoot::check_touches;
use super::start::start;
use super::{EndState, channels};
use crate::channels::Channels;
use crate::columns::{Look, Source};
use crate::plan::{Action, Plan, StartRule};
use crate::plan_fault::PlanFault;
use crate::settings::{OfStart, Slot};
use borelli_dynamics::System;
use borelli_dynamics::integrate::{Method, Ode, Settings, Statistics, Unobserved, at_times, find, integrate};
use borelli_dynamics::movement::{Layout, Movement, Options};
use borelli_dynamics::sensitivity::Sensitivity;
use borelli_model::Findings;

/// Part of a change that the slope of a column is taken over.
const ALONG: f64 = 1e-3;

/// Places of five points, and 12 times their weights in a slope.
const FIVE: [(f64, f64); 4] = [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)];

/// A change: what is added to parameters, by slot, and to entries of the state at the start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Change {
    pub(super) parameters: Vec<(usize, f64)>,
    pub(super) start: Vec<(usize, f64)>,
}

impl Change {
    /// Adds so much more of a parameter or start value. What follows a reference moves in its place, unless `is_set` says that it was set itself.
    pub(crate) fn add(&mut self, system: &System, slot: Slot, amount: f64, is_set: impl Fn(&str) -> bool) {
        match slot {
            Slot::Parameter(slot) => {
                let follows = system.follows_reference(slot).filter(|(slack, _)| !is_set(&system.parameters[*slack].path));
                let (slot, slope) = follows.unwrap_or((slot, 1.0));
                self.parameters.push((slot, slope * amount));
            }
            Slot::Start(OfStart::Coordinates, k) => self.start.push((k, amount)),
            Slot::Start(OfStart::Speeds, k) => self.start.push((system.skeleton.coords() + k, amount)),
        }
    }

    /// The system with part of the change.
    pub(super) fn of(&self, system: &System, part: f64) -> System {
        let mut values = system.values();
        self.parameters.iter().for_each(|(slot, amount)| values[*slot] += part * amount);
        system.with_parameters(&values)
    }
}

/// A state of the motion, and how it changes with each change.
pub(super) struct Moment {
    pub t: f64,
    pub y: Vec<f64>,
    /// By change.
    pub slopes: Vec<Vec<f64>>,
}

/// Reports what keeps a simulation from having derivatives.
pub(super) fn refuse(system: &System, plan: &Plan, analysis: &'static str, findings: &mut Findings) {
    if !system.names.rows.is_empty() {
        findings.push(None, "", "analysis", &PlanFault::NoSlopes { reason: "the model has loops or guides".into() });
    }
    if !system.names.states.is_empty() && plan.start == StartRule::Equilibrium {
        let reason = "force elements have states, and the start is found in balance".into();
        findings.push(None, "start", "rule", &PlanFault::NoSlopes { reason });
    }
    if let Some(choice) = choose(system, plan, None, &mut Findings::new()).filter(|choice| choice.is_implicit()) {
        findings.push(None, "integrator", "method", &PlanFault::ExplicitOnly { analysis, method: choice.name.into() });
    }
    for event in plan.events.iter().filter(|event| !matches!(event.action, Action::Note | Action::Stop)) {
        let reason = format!("event `{}` changes the motion", event.name);
        findings.push(event.at, format!("event.{}", event.name), "action", &PlanFault::NoSlopes { reason });
    }
    check_touches(system, analysis, findings);
}

/// The movement of a plan from its start.
pub(super) fn movement(system: &System, plan: &Plan, begin: &EndState) -> Result<Movement, String> {
    let options = Options {
        drift: plan.drift,
        memory: begin.memory.clone(),
        stop_at_breakpoints: plan.integrator.stop_at_breakpoints,
        ..Options::default()
    };
    Movement::new(system, options).map_err(|declined| declined.reason)
}

/// What start values are changed, if any.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Starts {
    /// Some are.
    pub any: bool,
    /// One of them is part of a quaternion.
    pub turns: bool,
}

/// Why a simulation has no derivatives by parameters and start values, in words; nothing where it has.
pub(super) fn reasons(system: &System, plan: &Plan, analysis: &'static str, starts: Starts) -> Vec<String> {
    if system.has_soft() {
        return vec!["the model has soft parts".into()];
    }
    let mut refused = Findings::new();
    refuse(system, plan, analysis, &mut refused);
    let told = |text: &str| text.strip_prefix("there are no derivatives: ").unwrap_or(text).to_string();
    let mut list: Vec<String> = refused.iter().map(|finding| told(&finding.message)).collect();
    let mut add = |holds: bool, reason: &str| list.extend(holds.then(|| reason.to_string()));
    add(system.skeleton.extent.switches > 0, "points of paths come and go with the pose, and lengths may jump");
    add(starts.turns, "a start value is part of a quaternion");
    add(starts.any && plan.start == StartRule::Equilibrium, "start values change, and the start is found in balance");
    let follows = starts.any && (0..system.parameters.len()).any(|slot| system.follows_reference(slot).is_some());
    add(follows, "start values change, and slack lengths of ligaments follow the start");
    list
}

/// The state that a run begins with.
pub(super) fn begin_state(movement: &Movement, system: &System, begin: &EndState) -> Vec<f64> {
    let mut y = movement.state(system, &begin.q, &begin.v);
    y[movement.layout().z_range()].copy_from_slice(&begin.z);
    y
}

/// How states of force elements at the start change along a change, where elements find them for themselves: by five points, as columns do.
fn start_states(system: &System, plan: &Plan, change: &Change) -> Result<Vec<f64>, String> {
    let coords = system.skeleton.coords();
    let mut sum = vec![0.0; system.names.states.len()];
    for (part, weight) in FIVE {
        let mut changed = change.of(system, part * ALONG);
        for (entry, amount) in &change.start {
            let own = if *entry < coords { &mut changed.start.q[*entry] } else { &mut changed.start.v[*entry - coords] };
            *own += part * ALONG * amount;
        }
        let begin = start(&changed, plan, None, &mut Findings::new()).ok_or("the start was lost")?;
        sum.iter_mut().zip(&begin.z).for_each(|(sum, z)| *sum += weight * z / (12.0 * ALONG));
    }
    Ok(sum)
}

/// How states at given times are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stops {
    /// Steps end there: as exact as the method.
    AtEach,
    /// Between the ends of steps, for many times in their order.
    Between,
}

/// The motion with its derivatives at some times, and what that took.
pub(super) fn moments(
    system: &System,
    plan: &Plan,
    changes: &[Change],
    times: &[f64],
    stops: Stops,
) -> Result<(Vec<Moment>, Statistics), String> {
    let mut slots: Vec<usize> = changes.iter().flat_map(|change| &change.parameters).map(|(slot, _)| *slot).collect();
    slots.sort_unstable();
    slots.dedup();
    let mut findings = Findings::new();
    let begin = start(system, plan, None, &mut findings).ok_or("the start was lost")?;
    let movement = movement(system, plan, &begin)?;
    let dim = movement.layout().dim();
    // Directions of the start, then parameters.
    let starts: Vec<usize> = (0..changes.len()).filter(|k| !changes[*k].start.is_empty()).collect();
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for k in &starts {
        let mut column = vec![0.0; dim];
        changes[*k].start.iter().for_each(|(entry, amount)| column[*entry] += amount);
        columns.push(column);
    }
    if plan.start == StartRule::Equilibrium {
        let rest = balance::rest(system, plan, &begin, &mut findings).ok_or("the start was lost")?;
        columns.extend(rest.slopes(system, begin.t, &begin.q, &slots).map_err(|fault| fault.to_string())?);
    }
    columns.resize(starts.len() + slots.len(), Vec::new());
    columns.iter_mut().for_each(|column| column.resize(dim, 0.0));
    if !begin.z.is_empty() {
        let values = system.values();
        // Lengths of the steps: of a number that is zero one unit.
        let size = |slot: usize| if values[slot] == 0.0 { 1.0 } else { values[slot].abs() };
        let of_slot = |slot: &usize| (Change { parameters: vec![(*slot, size(*slot))], start: Vec::new() }, size(*slot));
        let of_start = |k: &usize| (Change { parameters: Vec::new(), start: changes[*k].start.clone() }, 1.0);
        for (column, (change, size)) in columns.iter_mut().zip(starts.iter().map(of_start).chain(slots.iter().map(of_slot))) {
            let own = start_states(system, plan, &change)?;
            column[movement.layout().z_range()].iter_mut().zip(own).for_each(|(entry, slope)| *entry = slope / size);
        }
    }
    let y = begin_state(&movement, system, &begin);
    let mut equation = Sensitivity::new(system, movement, starts.len(), slots.clone()).map_err(|declined| declined.reason)?;
    let mut all = equation.state(&y, &columns);
    let (states, statistics) = match stops {
        Stops::AtEach => visit(&mut equation.of(system), plan, begin.t, &mut all, times)?,
        Stops::Between => pass(&mut equation.of(system), plan, begin.t, &mut all, times)?,
    };
    let slope = |k: usize, all: &[f64]| {
        let mut sum = vec![0.0; dim];
        let mut add = |column: usize, amount: f64| {
            sum.iter_mut().zip(equation.column(all, column)).for_each(|(sum, slope)| *sum += amount * slope);
        };
        starts.iter().position(|own| *own == k).into_iter().for_each(|column| add(column, 1.0));
        for (slot, amount) in &changes[k].parameters {
            // All slots are among them.
            slots.binary_search(slot).into_iter().for_each(|place| add(starts.len() + place, *amount));
        }
        sum
    };
    let moment = |(t, all): (f64, Vec<f64>)| Moment {
        t,
        y: equation.base(&all).to_vec(),
        slopes: (0..changes.len()).map(|k| slope(k, &all)).collect(),
    };
    Ok((states.into_iter().map(moment).collect(), statistics))
}

/// Looks at some columns of a system at states of its motion.
pub(super) struct Sight<'s> {
    channels: Channels<'s>,
    wanted: Vec<usize>,
    layout: Layout,
}

impl<'s> Sight<'s> {
    /// A sight of columns by name.
    ///
    /// # Errors
    /// A column that is not there.
    pub(super) fn new(system: &'s System, plan: &Plan, names: &[String]) -> Result<Sight<'s>, String> {
        let mut channels = channels(system, plan, false, &mut Findings::new()).ok_or("the columns were lost")?;
        let wanted = names.iter().map(|name| channels.index(name).ok_or_else(|| format!("column `{name}` was lost")));
        let wanted: Vec<usize> = wanted.collect::<Result<_, _>>()?;
        wanted.iter().for_each(|channel| channels.ask(*channel));
        Ok(Sight { channels, wanted, layout: Layout::new(system, false) })
    }

    /// The columns at a state.
    pub(super) fn look(&mut self, t: f64, y: &[f64]) -> Result<Vec<f64>, String> {
        let layout = self.layout;
        let look = Look { t, q: layout.q(y), v: layout.v(y), z: layout.z(y), source: Source::Forward, work: None };
        let values = self.channels.look(look).map_err(|failure| failure.to_string())?;
        Ok(self.wanted.iter().map(|channel| values[*channel]).collect())
    }
}

/// (1): slopes of columns along change `k` at some moments, by moment and column.
pub(super) fn slopes_along(
    system: &System,
    plan: &Plan,
    names: &[String],
    moments: &[Moment],
    (k, change): (usize, &Change),
) -> Result<Vec<Vec<f64>>, String> {
    let mut sums = vec![vec![0.0; names.len()]; moments.len()];
    for (part, weight) in FIVE {
        let h = part * ALONG;
        let changed = change.of(system, h);
        let mut sight = Sight::new(&changed, plan, names)?;
        for (sums, moment) in sums.iter_mut().zip(moments) {
            let y: Vec<f64> = moment.y.iter().zip(&moment.slopes[k]).map(|(y, dy)| y + h * dy).collect();
            let values = sight.look(moment.t, &y)?;
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value / (12.0 * ALONG));
        }
    }
    Ok(sums)
}

/// The method that derivatives are integrated with: they have no Jacobian of their own, so that they need an explicit one.
fn explicit(plan: &Plan, dim: usize) -> Result<Box<dyn Method>, String> {
    let wanted = plan.integrator.method.as_deref().and_then(find).filter(|entry| !entry.needs_jacobian);
    let entry = wanted.or_else(|| find("dopri5")).ok_or("there is no integrator `dopri5`")?;
    Ok((entry.build)(dim))
}

/// States of a motion at some times, and what they took.
type Visited = (Vec<(f64, Vec<f64>)>, Statistics);

/// States of a motion at some times, in their order; steps end there.
pub(super) fn visit(equation: &mut dyn Ode, plan: &Plan, t0: f64, y: &mut [f64], times: &[f64]) -> Result<Visited, String> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
    let mut solver = explicit(plan, y.len())?;
    let settings: &Settings = &plan.integrator.settings;
    let (mut t, mut states, mut statistics) = (t0, vec![(0.0, Vec::new()); times.len()], Statistics::default());
    for k in order {
        if times[k] > t {
            let end = integrate(&mut *solver, equation, (t, times[k]), y, settings, &mut statistics, &mut Unobserved);
            t = end.map_err(|failure| failure.to_string())?.t;
        }
        states[k] = (t, y.to_vec());
    }
    Ok((states, statistics))
}

/// States of a motion at increasing times, in one go.
fn pass(equation: &mut dyn Ode, plan: &Plan, t0: f64, y: &mut [f64], times: &[f64]) -> Result<Visited, String> {
    let mut solver = explicit(plan, y.len())?;
    let mut states: Vec<(f64, Vec<f64>)> = times.iter().take_while(|t| **t <= t0).map(|t| (*t, y.to_vec())).collect();
    let later = times[states.len()..].to_vec();
    let mut statistics = Statistics::default();
    if let Some(last) = later.last() {
        let mut found = Vec::with_capacity(later.len());
        let mut observer = at_times(&later, y.len(), |t, y| found.push((t, y.to_vec())));
        integrate(&mut *solver, equation, (t0, *last), y, &plan.integrator.settings, &mut statistics, &mut observer)
            .map_err(|failure| failure.to_string())?;
        states.extend(found);
    }
    Ok((states, statistics))
}
