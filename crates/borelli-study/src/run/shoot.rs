//! `shoot`: start values for which the motion ends as asked, by Levenberg and Marquardt's iteration with exact slopes.
//! Not here: the slopes of the motion by its start (`sensitivity` of the engine), the motion itself (`simulate`).
//! In: unknown start values, conditions at the end. Out: the motion from the start that was found, and that start.
//!
//! With the unknowns x, the residuals r(x) of the conditions and J = ∂r/∂x, steps solve
//!
//!     min |J δ + r|² + μ |D δ|²        D = diag |J_k|                                              (1)
//!
//! μ = 0 at first, which is Newton's step where there are as many conditions as unknowns. A step that does not reduce |r| is repeated with a
//! larger μ. J is exact: ∂r/∂y at the end times the derivatives of the state by the start, which are integrated with the motion, times
//! those of the assembled start by the unknowns. Source: Levenberg 1944, Marquardt 1963; Moré 1978 for D.

use super::engine::{Choice, choose};
use super::simulate::Simulation;
use super::touches::is_break;
use super::{EndState, Outcome, Ready, Scalar, Status, Watch, channels};
use crate::channels::Channels;
use crate::columns::{Look, Source};
use crate::plan::{Action, Plan, Shoot};
use crate::plan_fault::PlanFault;
use borelli_dynamics::System;
use borelli_dynamics::assemble::{StartValue, assemble, slope};
use borelli_dynamics::integrate::{Flow, Settings, Statistics, Step, find, integrate};
use borelli_dynamics::movement::{Movement, Options};
use borelli_dynamics::sensitivity::Sensitivity;
use borelli_dynamics::system::{CoordinateName, Measure, Motion, Start};
use borelli_math::function::Formula;
use borelli_model::{Findings, parse_quantity, suggest};
use nalgebra::{DMatrix, DVector};

/// Repeats of a step with a larger μ before the iteration gives up.
const REPEATS: usize = 12;
/// Errors at the end of a motion that the integrator's tolerances explain, in tolerances.
const EXPLAINED: f64 = 100.0;

/// A condition at the end.
struct Condition {
    formula: Formula,
    value: f64,
}

/// A start value to be found.
struct Unknown {
    /// As `initial.speeds.NAME`.
    path: String,
    value: StartValue,
    /// Degree of freedom, and where it stands in q if it is a coordinate.
    dof: usize,
    coord: Option<usize>,
    unit: &'static str,
}

impl Unknown {
    /// The unknown of a path; nothing where the model has none such (parts of a quaternion are none).
    fn find(system: &System, path: &str) -> Option<Unknown> {
        let (speed, name) = match path.strip_prefix("initial.")?.split_once('.')? {
            ("speeds", name) => (true, name),
            ("coordinates", name) => (false, name),
            _ => return None,
        };
        let place = |list: &[CoordinateName]| list.iter().position(|entry| entry.name == name && entry.measure != Measure::Quaternion);
        let unit = |entry: &CoordinateName, angle, length| if entry.measure == Measure::Angle { angle } else { length };
        if speed {
            let dof = place(&system.names.speeds)?;
            let unit = unit(&system.names.speeds[dof], "rad/s", "m/s");
            return Some(Unknown { path: path.into(), value: StartValue::Speed(dof), dof, coord: None, unit });
        }
        let at = place(&system.names.coordinates)?;
        let dof = system.skeleton.motions.iter().find_map(|motion| match *motion {
            Motion::Turn { coord, dof, .. } | Motion::Slide { coord, dof, .. } | Motion::Function { coord, dof, .. }
                if coord as usize == at =>
            {
                Some(dof as usize)
            }
            _ => None,
        })?;
        let unit = unit(&system.names.coordinates[at], "rad", "m");
        Some(Unknown { path: path.into(), value: StartValue::Coordinate(dof), dof, coord: Some(at), unit })
    }

    /// All paths, to suggest one.
    fn paths(system: &System) -> Vec<String> {
        let coordinates = system.names.coordinates.iter().map(|entry| format!("initial.coordinates.{}", entry.name));
        coordinates.chain(system.names.speeds.iter().map(|entry| format!("initial.speeds.{}", entry.name))).collect()
    }

    fn of<'a>(&self, start: &'a mut Start) -> &'a mut f64 {
        match self.coord {
            Some(coord) => &mut start.q[coord],
            None => &mut start.v[self.dof],
        }
    }
}

/// The problem, read and checked against the system.
struct Problem<'s> {
    channels: Channels<'s>,
    unknowns: Vec<Unknown>,
    conditions: Vec<Condition>,
    /// Channel of each entry of the state (q, v, then z).
    states: Vec<usize>,
}

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, _from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let mut findings = Findings::new();
    let Some(wanted) = &plan.shoot else {
        findings.push(None, "shoot", "", &PlanFault::ShootIncomplete { unknowns: 0, targets: 0 });
        return Err(findings);
    };
    // The motion from the first guess meets the same columns, events and method as the one that is found.
    let outline = Simulation::new(system, plan, None).map(|simulation| simulation.outline()).map_err(|faults| findings.merge(faults));
    let choice = choose(system, plan, None, &mut Findings::new());
    if let Some(choice) = choice.as_ref().filter(|choice| choice.is_implicit()) {
        findings.push(None, "integrator", "method", &PlanFault::ExplicitOnly { analysis: "shoot", method: choice.name.into() });
    }
    // Trials do not see events, and the state after one depends on the start by the time of the event, too.
    for event in plan.events.iter().filter(|event| event.action != Action::Note) {
        findings.push(event.at, format!("event.{}", event.name), "action", &PlanFault::ShootEvent { event: event.name.clone() });
    }
    check_touches(system, "shoot", &mut findings);
    let problem = problem(system, plan, wanted, &mut findings);
    let (Some(choice), Some(problem), Ok(mut outline), false) = (choice, problem, outline, findings.has_errors()) else {
        return Err(findings);
    };
    outline.scalars.extend(problem.scalars(&mut system.start.clone(), &Solved::default(), &Statistics::default()));
    Ok(Ready { outline, go: Box::new(move |watch| go(system, plan, wanted, &choice, problem, watch)) })
}

/// Reports contacts whose touchdown must be located, which motions with derivatives do not do.
pub(super) fn check_touches(system: &System, analysis: &'static str, findings: &mut Findings) {
    let contacts = &system.numbers.contacts;
    for (contact, name) in system.names.contacts.iter().enumerate() {
        let pairs: Vec<usize> = contacts.pairs_of(contact).filter(|pair| is_break(system, *pair)).collect();
        if let Some(first) = pairs.first() {
            let (remembers, named) = (contacts.remembers(*first), pairs.iter().map(|pair| system.names.pairs[*pair].clone()).collect());
            findings.push(None, format!("contact.{name}"), "", &PlanFault::ShootTouch { pairs: named, remembers, analysis });
        }
    }
}

/// Shoots, and simulates what was found.
fn go(
    system: &System,
    plan: &Plan,
    wanted: &Shoot,
    choice: &Choice,
    mut problem: Problem,
    watch: &mut dyn Watch,
) -> Result<Outcome, Findings> {
    let mut statistics = Statistics::default();
    let mut found = system.clone();
    for unknown in &problem.unknowns {
        found.start.held[unknown.dof] = true;
    }
    // Derivatives of the motion have no Jacobian of their own, so that they need an explicit method.
    let method = find(choice.name).filter(|entry| !entry.needs_jacobian).map_or("dopri5", |entry| entry.name);
    let mut solved = problem.solve(&mut found, plan, wanted, method, &mut statistics, watch);
    let mut outcome = Simulation::new(&found, plan, None)?.go(watch);
    let trials = if method == choice.name { String::new() } else { format!(" by {method}") };
    let shooting = format!("{} iterations{trials}, largest residual of the trials {:.1e}", solved.iterations, solved.residual);
    outcome.settings.push(("shooting".into(), shooting));
    // What counts is the motion that is handed over; one that ended early meets nothing.
    (solved.residual, solved.failure) = match (&outcome.status, &outcome.end) {
        (Status::Completed, Some(end)) => match problem.miss(end, plan, wanted) {
            Ok((residual, excess)) => (residual, solved.failure.or(excess)),
            Err(reason) => (f64::INFINITY, Some(reason)),
        },
        _ => (f64::INFINITY, solved.failure.or(Some("the motion ended early".into()))),
    };
    outcome.scalars.extend(problem.scalars(&mut found.start, &solved, &statistics));
    if let Some(reason) = solved.failure.filter(|_| outcome.status.is_good()) {
        let t = outcome.trajectory.time().last().copied().unwrap_or(plan.time.start);
        outcome.status = Status::Failed { t, element: "shoot".into(), reason };
    }
    Ok(outcome)
}

/// How the iteration ended.
#[derive(Default)]
struct Solved {
    iterations: usize,
    /// Largest residual, SI.
    residual: f64,
    failure: Option<String>,
}

/// The channel names of the state.
fn state_names(system: &System) -> Vec<String> {
    let values = system.names.coordinates.iter().map(|name| format!("coord.{}.value", name.name));
    let speeds = system.names.speeds.iter().map(|name| format!("coord.{}.rate", name.name));
    values.chain(speeds).chain(system.names.states.iter().map(|state| state.column())).collect()
}

fn problem<'s>(system: &'s System, plan: &Plan, wanted: &Shoot, findings: &mut Findings) -> Option<Problem<'s>> {
    // Faults of derived columns are those of the motion.
    let mut channels = channels(system, plan, false, &mut Findings::new())?;
    if wanted.unknowns.is_empty() || wanted.targets.len() < wanted.unknowns.len() {
        let fault = PlanFault::ShootIncomplete { unknowns: wanted.unknowns.len(), targets: wanted.targets.len() };
        findings.push(None, "shoot", "", &fault);
    }
    let mut unknowns = Vec::new();
    for path in &wanted.unknowns {
        match Unknown::find(system, path) {
            Some(unknown) => unknowns.push(unknown),
            None => {
                let paths = Unknown::paths(system);
                let nearest = suggest(path, paths.iter().map(String::as_str)).map(str::to_string);
                findings.push(None, "shoot", "unknowns", &PlanFault::UnknownStart { path: path.clone(), nearest });
            }
        }
    }
    let states: Vec<usize> = state_names(system).iter().filter_map(|name| channels.index(name)).collect();
    let mut conditions = Vec::new();
    for target in &wanted.targets {
        let read = channels.formula(&target.formula).and_then(|(formula, dim)| {
            let foreign = formula.variables().iter().find(|channel| !states.contains(channel));
            if let Some(channel) = foreign {
                let column = channel.checked_sub(1).map_or("time", |k| channels.list()[k].name.as_str());
                return Err(PlanFault::TargetColumn { column: column.into() });
            }
            let (value, found) = parse_quantity(&target.value).map_err(|_| PlanFault::NotQuantity { text: target.value.clone() })?;
            match dim {
                Some(expected) if target.value.parse::<f64>().is_err() && !found.fits(expected) => {
                    Err(PlanFault::WrongUnit { found, expected })
                }
                _ => Ok(Condition { formula, value }),
            }
        });
        match read {
            Ok(condition) => {
                channels.ask_of(&condition.formula);
                conditions.push(condition);
            }
            Err(fault) => findings.push(target.at, "shoot.target", "", &fault),
        }
    }
    Some(Problem { channels, unknowns, conditions, states })
}

/// Residuals at a start, and their slopes by the unknowns.
struct Trial {
    r: DVector<f64>,
    J: DMatrix<f64>,
}

impl Problem<'_> {
    /// Numbers of the whole run: the start values found, and what finding them took.
    fn scalars(&self, start: &mut Start, solved: &Solved, statistics: &Statistics) -> Vec<Scalar> {
        let scalar = |name: &str, value: f64, unit: &str| Scalar { name: format!("shoot.{name}"), value, unit: unit.into() };
        let mut list: Vec<Scalar> = self.unknowns.iter().map(|unknown| scalar(&unknown.path, *unknown.of(start), unknown.unit)).collect();
        list.push(scalar("iterations", solved.iterations as f64, "1"));
        list.push(scalar("residual", solved.residual, "1"));
        list.push(scalar("evaluations", statistics.evaluations as f64, "1"));
        list
    }

    fn solve(
        &mut self,
        found: &mut System,
        plan: &Plan,
        wanted: &Shoot,
        method: &str,
        statistics: &mut Statistics,
        watch: &mut dyn Watch,
    ) -> Solved {
        let largest = |r: &DVector<f64>| r.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let mut trial = match self.trial(found, plan, method, statistics, watch) {
            Ok(trial) => trial,
            Err(reason) => {
                return Solved { iterations: 0, residual: f64::INFINITY, failure: Some(format!("the first motion fails: {reason}")) };
            }
        };
        let mut mu = 0.0;
        for iterations in 0..wanted.iterations {
            let residual = largest(&trial.r);
            if residual <= wanted.tolerance {
                return Solved { iterations, residual, failure: None };
            }
            let mut better = None;
            for _ in 0..REPEATS {
                if watch.stop() {
                    return Solved { iterations, residual, failure: Some("ended by the user".into()) };
                }
                let mut next = found.clone();
                if let Some(step) = step(&trial, mu) {
                    for (unknown, dx) in self.unknowns.iter().zip(step.iter()) {
                        *unknown.of(&mut next.start) += dx;
                    }
                    if let Ok(new) = self.trial(&mut next, plan, method, statistics, watch)
                        && new.r.norm() < trial.r.norm()
                    {
                        better = Some((new, next));
                        break;
                    }
                }
                mu = if mu == 0.0 { 1e-3 } else { mu * 10.0 };
            }
            let Some((new, next)) = better else {
                let failure = format!(
                    "shooting ends at a residual of {residual:.3e}, which no step reduces\n  hint: start nearer to the solution, or ask for conditions that can be met together"
                );
                return Solved { iterations, residual, failure: Some(failure) };
            };
            mu = if mu < 1e-6 { 0.0 } else { mu * 0.1 };
            (trial, *found) = (new, next);
        }
        let residual = largest(&trial.r);
        let failure = (residual > wanted.tolerance).then(|| {
            format!(
                "shooting leaves a residual of {residual:.3e} after {} iterations\n  hint: raise [shoot] iterations or tolerance",
                wanted.iterations
            )
        });
        Solved { iterations: wanted.iterations, residual, failure }
    }

    /// The largest residual at the end of a motion; why, where one is larger than the tolerance of shooting and than the integrator explains.
    ///
    /// The trials integrate slopes, too, and perhaps by another method, so that their steps differ. Each end may be off by its integrator's
    /// tolerances, added up over the steps and grown with the motion: a hundred times `atol + rtol * scale` is taken for explained, with the scale
    /// of the largest number that the condition is made of.
    fn miss(&mut self, end: &EndState, plan: &Plan, wanted: &Shoot) -> Result<(f64, Option<String>), String> {
        let look = Look { t: end.t, q: &end.q, v: &end.v, z: &end.z, source: Source::Forward, work: None };
        let values = self.channels.look(look).map_err(|failure| failure.to_string())?;
        let Settings { rtol, atol, .. } = plan.integrator.settings;
        let (mut largest, mut excess) = (0.0_f64, None);
        for (target, condition) in wanted.targets.iter().zip(&self.conditions) {
            let value = condition.formula.eval(values);
            let terms = condition.formula.variables().iter().map(|channel| values[*channel].abs()).fold(condition.value.abs(), f64::max);
            let allowed = wanted.tolerance.max(EXPLAINED * (atol + rtol * terms.max(value.abs())));
            let residual = (value - condition.value).abs();
            if !(residual <= allowed) {
                let formula = &target.formula;
                excess = Some(format!(
                    "the motion from the start that was found misses `{formula}` by {residual:.3e}, and the integrator's tolerances explain {allowed:.3e}\n  hint: the end depends strongly on the start: tighten [integrator] rtol and atol, or shoot over a shorter time"
                ));
            }
            largest = largest.max(residual);
        }
        Ok((largest, excess))
    }

    /// Integrates from a start with its slopes, and looks at the end. The start is assembled in place.
    fn trial(
        &mut self,
        found: &mut System,
        plan: &Plan,
        method: &str,
        statistics: &mut Statistics,
        watch: &mut dyn Watch,
    ) -> Result<Trial, String> {
        let t0 = plan.time.start;
        let assembled = assemble(found, t0, &found.start.q, &found.start.v, &found.start.held).map_err(|fault| fault.to_string())?;
        (found.start.q, found.start.v) = (assembled.q, assembled.v);
        let k = self.unknowns.len();
        let options = Options { drift: plan.drift, stop_at_breakpoints: plan.integrator.stop_at_breakpoints, ..Options::default() };
        let movement = Movement::new(found, options).map_err(|declined| declined.reason)?;
        let layout = movement.layout();
        let Start { q, v, held } = &found.start;
        let columns: Result<Vec<Vec<f64>>, String> = self
            .unknowns
            .iter()
            .map(|unknown| {
                let slope = slope(found, t0, q, v, held, unknown.value).map_err(|fault| fault.to_string())?;
                let of_states = start_slopes(found, t0, q, &slope.q);
                let mut column = [slope.q, slope.v, of_states].concat();
                column.resize(layout.dim(), 0.0);
                Ok(column)
            })
            .collect();
        let mut begin = movement.state(found, q, v);
        begin[layout.z_range()].copy_from_slice(&found.states_at(t0, q).z);
        let mut equation = Sensitivity::new(found, movement, k, Vec::new()).map_err(|declined| declined.reason)?;
        let mut y = equation.state(&begin, &columns?);
        let entry = find(method).ok_or_else(|| format!("there is no integrator `{method}`"))?;
        let mut built = (entry.build)(y.len());
        let mut look = |step: &Step| {
            watch.progress(step.t1, step.statistics);
            if watch.stop() { Flow::StopAt(step.t1) } else { Flow::Continue }
        };
        let end =
            integrate(&mut *built, &mut equation.of(found), (t0, plan.time.end), &mut y, &plan.integrator.settings, statistics, &mut look);
        let end = end.map_err(|failure| failure.to_string())?;
        if end.stopped {
            return Err("ended by the user".into());
        }
        let look = Look { t: end.t, q: layout.q(&y), v: layout.v(&y), z: layout.z(&y), source: Source::Forward, work: None };
        let values = self.channels.look(look).map_err(|failure| failure.to_string())?;
        let mut trial = Trial { r: DVector::zeros(self.conditions.len()), J: DMatrix::zeros(self.conditions.len(), k) };
        let mut rates = vec![0.0; values.len()];
        for j in 0..k {
            for (channel, slope) in self.states.iter().zip(equation.column(&y, j)) {
                rates[*channel] = *slope;
            }
            for (i, condition) in self.conditions.iter().enumerate() {
                let [value, slope] = condition.formula.eval_along(values, &rates);
                trial.r[i] = value - condition.value;
                trial.J[(i, j)] = slope;
            }
        }
        if trial.r.iter().chain(trial.J.iter()).all(|x| x.is_finite()) { Ok(trial) } else { Err("the end is not finite".into()) }
    }
}

/// The step of equation (1); nothing where it is not determined.
fn step(trial: &Trial, mu: f64) -> Option<DVector<f64>> {
    let (m, n) = trial.J.shape();
    let mut A = DMatrix::zeros(m + n, n);
    let mut b = DVector::zeros(m + n);
    A.view_mut((0, 0), (m, n)).copy_from(&trial.J);
    b.rows_mut(0, m).copy_from(&-&trial.r);
    for k in 0..n {
        A[(m + k, k)] = mu.sqrt() * trial.J.column(k).norm();
    }
    let step = A.svd(true, true).solve(&b, 1e-13).ok()?;
    step.iter().all(|x| x.is_finite()).then_some(step)
}

/// How the start of states changes with the pose along a direction: fibres of muscles begin in equilibrium, all else where the model says, whatever the unknowns are.
/// By central differences, which is what a search needs; the motion found is integrated from its own start.
fn start_slopes(system: &System, t: f64, q: &[f64], direction: &[f64]) -> Vec<f64> {
    const STEP: f64 = 1e-5;
    if system.numbers.forces.muscles().is_empty() {
        return vec![0.0; system.numbers.states.len()];
    }
    let at = |step: f64| system.states_at(t, &q.iter().zip(direction).map(|(q, d)| q + step * d).collect::<Vec<_>>()).z;
    at(STEP).iter().zip(at(-STEP)).map(|(up, down)| (up - down) / (2.0 * STEP)).collect()
}
