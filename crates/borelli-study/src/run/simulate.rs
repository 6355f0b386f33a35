//! `simulate`: the motion from the start to the end, stretch by stretch between events that change the system.
//! Not here: methods, events, recording; this is where they meet.
//! In: a system, a plan, perhaps a saved state. Out: an `Outcome`.

use super::engine::{Choice, Engine, choose};
use super::events::Events;
use super::health::{self, Peaks, Pressing, figure};
use super::looker::{Looker, Samples, interval};
use super::middle_watch::MiddleWatch;
use super::muscle_health::MuscleWatch;
use super::path_health::{self, PathWatch};
use super::pinch_watch::PinchWatch;
use super::recorder::{Recorder, RowFault};
use super::singular_watch::SingularWatch;
use super::start::start;
use super::stick_watch::StickWatch;
use super::stiff_watch::{StiffWatch, Turn};
use super::{EndState, Occurrence, Outcome, Outline, Passed, Ready, Scalar, Status, Watch, channels, mixed, recorder};
use crate::plan::{Plan, StartRule};
use crate::soft_record::SoftRecord;
use borelli_data::TableFault;
use borelli_dynamics::formulation;
use borelli_dynamics::integrate::{EventFunctions, Failure, Kind, Statistics, WithEvents, find};
use borelli_dynamics::movement::{DriftControl, Layout};
use borelli_dynamics::stiffness::{Judged, STIFF, Stiff};
use borelli_dynamics::{Memory, System};
use borelli_model::Findings;
use std::collections::HashMap;

/// Makes the analysis ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let simulation = Simulation::new(system, plan, from)?;
    Ok(Ready { outline: simulation.outline(), go: Box::new(|watch| Ok(simulation.go(watch))) })
}

/// A simulation that can begin.
pub(super) struct Simulation<'a> {
    system: &'a System,
    plan: &'a Plan,
    choice: Choice,
    recorder: Recorder<'a>,
    peaks: Peaks,
    events: Events<'a>,
    engine: Engine<'a>,
    begin: EndState,
    /// Whether it goes on from the end of another run.
    resumed: bool,
}

impl<'a> Simulation<'a> {
    /// Checks a plan against a system.
    pub(super) fn new(system: &'a System, plan: &'a Plan, from: Option<&EndState>) -> Result<Simulation<'a>, Findings> {
        let mut findings = Findings::new();
        let choice = choose(system, plan, from, &mut findings);
        let recorder = recorder(system, plan, true, &mut findings);
        // The same channels once more: their faults are told.
        let watched = channels(system, plan, true, &mut Findings::new());
        let events = watched.map(|channels| Events::new(system, channels, plan, &mut findings));
        let begin = if findings.has_errors() { None } else { start(system, plan, from, &mut findings) };
        let engine = choice.as_ref().and_then(|choice| Engine::new(system, plan, choice, &mut findings));
        match (choice, recorder, events, begin, engine) {
            (Some(choice), Some(mut recorder), Some(events), Some(begin), Some(engine)) if !findings.has_errors() => {
                let peaks = Peaks::new(recorder.channels()).with_rows(system, &begin).with_paths(system, recorder.channels());
                Ok(Simulation { system, plan, choice, recorder, peaks, events, engine, begin, resumed: from.is_some() })
            }
            _ => Err(findings),
        }
    }

    /// Whether it chooses its steps by their error.
    pub(super) fn is_adaptive(&self) -> bool {
        self.choice.kind() == Kind::Adaptive
    }

    /// Where it begins.
    pub(super) fn begin(&self) -> &EndState {
        &self.begin
    }

    /// What it will leave, every event taken to happen.
    pub(super) fn outline(&self) -> Outline {
        let names = self.events.names();
        let happen = |name: &String| Occurrence { t: 0.0, name: name.clone(), rising: true, action: String::new() };
        let occurrences: Vec<Occurrence> = names.iter().map(happen).collect();
        let whole = scalars(&Status::Completed, &Statistics::default(), &self.peaks, 0.0);
        let scalars = [whole, self.events.scalars(), event_scalars(&names, &occurrences)].concat();
        Outline { columns: self.recorder.columns(), scalars }
    }

    /// Goes from the start to the end.
    pub(super) fn go(mut self, watch: &mut dyn Watch) -> Outcome {
        let Simulation { system, plan, .. } = self;
        let begin = self.begin;
        let layout = self.engine.layout();
        let (mut t, mut y, mut memory) = (begin.t, self.engine.state(&begin), begin.memory.clone());
        let pressing = Pressing::new(system, self.recorder.channels());
        let muscles = MuscleWatch::new(system, self.recorder.channels());
        let adaptive = self.choice.kind() == Kind::Adaptive;
        let mut looker = Looker {
            system,
            recorder: self.recorder,
            corrector: self.engine.corrector(),
            samples: Samples::new(plan.time, interval(plan), t),
            peaks: self.peaks,
            pressing,
            muscles,
            paths: PathWatch::new(system),
            pinch: PinchWatch::new(system, [t, plan.time.end]),
            sticking: StickWatch::new(system).filter(|_| adaptive),
            singular: SingularWatch::new(system, layout, &plan.integrator.settings, adaptive, self.engine.loose_drift()),
            middle: MiddleWatch::new(system, layout),
            watch,
            layout,
            y: y.clone(),
            a: vec![0.0; layout.dofs],
            lambda: vec![0.0; system.names.rows.len()],
            fault: None,
            interrupted: false,
        };
        self.engine.resume(&begin);
        let (rules, mut carried) = (self.events.rules(), None);
        let passed = self.resumed.then_some(&begin.events[..]);
        let unknown_speed = self.events.begin(t, &y, &mut memory, passed);
        add_switched(system, layout, &mut self.events, &mut y);
        let mut control = self.engine.recall(&memory);
        looker.set_row_control(&control);
        // The first state is recorded as it is, before any step.
        let mut status = looker.record(t, &y, None).err().or_else(|| looker.begin(t, &y)).map(|fault| row_failure(system, t, &fault));
        looker.samples.pass_until(t);
        while status.is_none() {
            self.events.channels().set_row_control(&control);
            self.events.watch(&memory);
            let watched: &mut dyn EventFunctions = &mut self.events;
            let mut observer = WithEvents::new(&rules, y.len(), watched, &mut looker);
            let ended = self.engine.integrate((t, plan.time.end), &mut y, &mut observer);
            let located = observer.found().to_vec();
            carried = None;
            t = match ended {
                Ok(end) => {
                    carried = self.engine.carried().filter(|_| !end.stopped);
                    end.t
                }
                Err(failure) => {
                    // The state is that of the last accepted step; one that never began is still where it was.
                    t = failure.time().unwrap_or(t);
                    let step = plan.integrator.settings.step.filter(|_| self.choice.kind() == Kind::Fixed);
                    let failed = failed(system, &failure, &y, &Halt { t, step, method: self.engine.method(), memory: &memory });
                    status = Some(mixed::explain_failure(
                        system,
                        plan,
                        &control,
                        [(begin.t, &begin.q, &begin.v), (t, layout.q(&y), layout.v(&y))],
                        failed,
                    ));
                    break;
                }
            };
            let acted = self.events.act(&located, t, &y, &mut memory);
            // An event that ends or changes the motion is worth a sample of its own.
            let recorded = looker.fault.take().map_or_else(|| looker.record(t, &y, None), Err);
            status = match (recorded, acted) {
                (Err(fault), _) => Some(row_failure(system, t, &fault)),
                (Ok(()), Err(impact)) => Some(impact),
                (Ok(()), _) if looker.interrupted => Some(Status::Interrupted { t }),
                (Ok(()), Ok(Some(event))) => Some(Status::Stopped { event, t }),
                (Ok(()), Ok(None)) if t >= plan.time.end => Some(Status::Completed),
                (Ok(()), Ok(None)) => None,
            };
            // That sample shows the motion before the event; what points bring into paths that they change comes after it.
            add_switched(system, layout, &mut self.events, &mut y);
            if control.memory.points != memory.points {
                looker.peaks.forget_lengths();
            }
            control = self.engine.recall(&memory);
            looker.set_row_control(&control);
        }
        let status = status.unwrap_or(Status::Completed);
        let Looker { recorder, peaks, pressing, muscles, paths, singular, .. } = looker;
        let statistics = self.engine.statistics;
        let [q, v, z, work] = [layout.q(&y), layout.v(&y), layout.z(&y), &y[layout.work_range()]].map(<[f64]>::to_vec);
        let now = self.events.occurrences.iter().filter(|found| found.t == t);
        let events = now.map(|found| Passed { name: found.name.clone(), rising: found.rising }).collect();
        let integrator = self.choice.why.is_some().then(|| self.engine.method().to_string());
        let end = EndState { t, q, v, z, work, memory, events, carried, integrator };
        let (trajectory, pressure) = recorder.finish();
        Outcome {
            judged: Vec::new(),
            health: [
                health::lines(&peaks, &statistics, self.choice.kind()),
                pressing.lines(system),
                muscles.lines(),
                paths.lines(),
                path_health::warm_line(system, self.engine.warm_check()).into_iter().collect(),
                self.events.switching_line().into_iter().collect(),
                self.engine.stiff().line(self.choice.name).into_iter().collect(),
                singular.line().into_iter().collect(),
                health::touching_at_start(&unknown_speed).into_iter().collect(),
            ]
            .concat(),
            scalars: [
                scalars(&status, &statistics, &peaks, t),
                self.events.scalars(),
                event_scalars(&self.events.names(), &self.events.occurrences),
            ]
            .concat(),
            settings: [settings(plan, &self.choice, Some(self.engine.stiff())), mixed::settings(system, plan)].concat(),
            trajectory,
            pressure,
            soft: SoftRecord::default(),
            events: self.events.occurrences,
            status,
            statistics,
            end: Some(end),
            fit: None,
            uncertainty: None,
        }
    }
}

/// Adds what conditional points brought to the audit integrals.
fn add_switched(system: &System, layout: Layout, events: &mut Events, y: &mut [f64]) {
    if system.skeleton.extent.switches > 0 {
        y[layout.work_range().end - 1] += events.switched_energy();
    }
}

/// The name of an entry of the state; nothing for the work done.
fn entry_name(system: &System, entry: usize) -> Option<String> {
    let names = &system.names;
    let (coords, dofs) = (names.coordinates.len(), names.speeds.len());
    match entry {
        coord if coord < coords => Some(format!("coord.{}.value", names.coordinates[coord].name)),
        speed if speed < coords + dofs => Some(format!("coord.{}.rate", names.speeds[speed - coords].name)),
        state => names.states.get(state - coords - dofs).map(|state| state.column()),
    }
}

/// The name of the fastest speed. Work grows with the square of a motion that runs away and overflows first: this speed is to blame.
fn fastest(system: &System, y: &[f64]) -> String {
    let (coords, speeds) = (system.skeleton.coords(), &system.names.speeds);
    let most = (0..speeds.len()).max_by(|a, b| y[coords + a].abs().total_cmp(&y[coords + b].abs()));
    most.and_then(|k| entry_name(system, coords + k)).unwrap_or_else(|| "integrator".into())
}

/// What a failed evaluation blames.
pub(super) fn blamed(failure: &formulation::Failure) -> String {
    match failure {
        formulation::Failure::StateNotFinite { name } => format!("coord.{name}"),
        formulation::Failure::NotFinite { joint } => format!("joint.{joint}"),
        formulation::Failure::OutsideTable { element, .. } => element.clone(),
        formulation::Failure::WrongLength { what, .. } => format!("state.{what}"),
        formulation::Failure::ContactNotFound { pair } => format!("contact.{pair}"),
        formulation::Failure::PathLost { path, .. } => format!("path.{path}"),
        formulation::Failure::ControlNotFinite { control, .. } => control.clone(),
        formulation::Failure::Soft { element, .. } => element.clone(),
        formulation::Failure::OtherShape => "system".into(),
        formulation::Failure::Undetermined { .. } => "mixed".into(),
    }
}

/// A control that is not a finite number soon after a time: where a method ends at the last good state, what it met lies within its next step.
fn control_to_blame(system: &System, failure: &Failure, t: f64, step: Option<f64>) -> Option<formulation::Failure> {
    let within = match failure.cause() {
        Failure::NotFinite { .. } | Failure::StartNotFinite { .. } => step.unwrap_or(SOON),
        _ => return None,
    };
    // Halved from the end, so that what is told is the first instant of those that are looked at.
    let ahead = (0..PROBES).map(|k| t + within * 0.5f64.powi(PROBES - k));
    std::iter::once(t).chain(ahead).chain([t + within]).find_map(|t| system.control_not_finite(t))
}

/// Time within which an adaptive method ends before what it cannot pass, s.
const SOON: f64 = 1e-6;
/// Instants that are looked at within it.
const PROBES: i32 = 40;

/// Where a method gave up.
pub(super) struct Halt<'a> {
    /// Time of the last good state, s.
    pub t: f64,
    /// The step of a method of fixed steps, s.
    pub step: Option<f64>,
    /// Which method it was.
    pub method: &'a str,
    /// What events had written.
    pub memory: &'a Memory,
}

/// The element that makes a motion stiff whose method ran out of steps.
fn stiff_at(system: &System, failure: &Failure, y: &[f64], halt: &Halt) -> Option<Stiff> {
    if !matches!(failure.cause(), Failure::TooManySteps { .. } | Failure::StepTooSmall { .. }) {
        return None;
    }
    let layout = Layout::new(system, true);
    let at = Judged { t: halt.t, q: layout.q(y), v: layout.v(y), z: layout.z(y), memory: halt.memory };
    system.stiffness_at(&at, STIFF).ok().flatten()
}

/// The end of a run whose method gave up; `y` is its last good state.
pub(super) fn failed(system: &System, failure: &Failure, y: &[f64], halt: &Halt) -> Status {
    let Halt { t, step, method, .. } = *halt;
    if let Some(cause) = control_to_blame(system, failure, t, step) {
        return Status::Failed { t, element: blamed(&cause), reason: cause.to_string() };
    }
    let row_name = |row: usize| system.names.rows.get(row).map_or(format!("row {row}"), |row| row.path());
    let stiff = stiff_at(system, failure, y, halt);
    let element = match (failure.cause(), failure.entry(), failure.row()) {
        (Failure::Refused { cause, .. }, ..) => blamed(cause),
        (_, Some(entry), _) => entry_name(system, entry).unwrap_or_else(|| fastest(system, y)),
        (_, None, Some(row)) => row_name(row),
        // Short steps are those of the stiffest element, else of the fastest motion.
        (Failure::TooManySteps { .. }, ..) => stiff.as_ref().map_or_else(|| fastest(system, y), |stiff| stiff.element.clone()),
        _ => "integrator".into(),
    };
    let said = |entry: usize| entry_name(system, entry).map_or("the work done".into(), |name| format!("`{name}`"));
    let mut reason = failure.tell(&said, &|row| format!("`{}`", row_name(row)));
    // Advice that the run follows already is none.
    if let Some(stiff) = stiff.filter(|_| find(method).is_some_and(|entry| !entry.needs_jacobian)) {
        reason += &format!("\n  hint: `{}` is stiff here, {:.3e} 1/s: use `rosenbrock`, which is made for that", stiff.element, stiff.rate);
    }
    Status::Failed { t, element, reason }
}

/// The end of a run whose state could not be recorded; `t` is the time of the last good one.
pub(super) fn row_failure(system: &System, t: f64, fault: &RowFault) -> Status {
    // A control that is no number is in a column even where nothing comes of it.
    let control =
        if let RowFault::Table(TableFault::ValueNotFinite { time, .. }) = fault { system.control_not_finite(*time) } else { None };
    if let Some(cause) = control {
        return Status::Failed { t, element: blamed(&cause), reason: cause.to_string() };
    }
    let (element, reason) = match fault {
        RowFault::Evaluation(failure) => (blamed(failure), failure.to_string()),
        RowFault::Watched { element, reason } => (element.clone(), reason.clone()),
        RowFault::Table(fault) => {
            let column = if let TableFault::ValueNotFinite { column, .. } = fault { column.as_str() } else { "time" };
            (column.to_string(), fault.to_string())
        }
    };
    Status::Failed { t, element, reason }
}

/// Numbers of the whole run.
pub(super) fn scalars(status: &Status, statistics: &Statistics, peaks: &Peaks, t: f64) -> Vec<Scalar> {
    let mut list = Vec::new();
    let mut add = |name: &str, value: f64, unit: &str| list.push(Scalar { name: format!("run.{name}"), value, unit: unit.into() });
    add("completed", if status.is_good() { 1.0 } else { 0.0 }, "1");
    add("end", t, "s");
    add("evaluations", statistics.evaluations as f64, "1");
    add("steps", statistics.accepted as f64, "1");
    add("rejected", statistics.rejected as f64, "1");
    add("cuts", statistics.cuts as f64, "1");
    add("jacobians", statistics.jacobians as f64, "1");
    add("factorisations", statistics.factorisations as f64, "1");
    add("iterations", statistics.iterations as f64, "1");
    add("highest_order", statistics.highest_order as f64, "1");
    add("smallest_step", statistics.smallest_step, "s");
    add("largest_step", statistics.largest_step, "s");
    for (name, channel, unit) in [
        ("energy_balance", "system.energy.balance", "J"),
        ("peak_kinetic_energy", "system.energy.kinetic", "J"),
        ("drift_position", "constraint.drift.position", "1"),
        ("drift_velocity", "constraint.drift.velocity", "1/s"),
        ("worst_condition", "chain.condition", "1"),
        ("worst_residual", "chain.residual", "1"),
    ] {
        if let Some(value) = peaks.of(channel) {
            add(name, value, unit);
        }
    }
    list
}

/// How often each event happened, `event.NAME.count`, and when first, `event.NAME.time`.
fn event_scalars(names: &[String], occurrences: &[Occurrence]) -> Vec<Scalar> {
    let mut list = Vec::new();
    // Of many pairs of surfaces there are many names.
    let mut happened: HashMap<&str, (usize, f64)> = HashMap::new();
    for found in occurrences {
        happened.entry(&found.name).or_insert((0, found.t)).0 += 1;
    }
    for name in names {
        let mut add = |what: &str, value: f64, unit: &str| {
            list.push(Scalar { name: format!("event.{name}.{what}"), value, unit: unit.into() });
        };
        let happened = happened.get(name.as_str());
        add("count", happened.map_or(0.0, |(count, _)| *count as f64), "1");
        if let Some((_, first)) = happened {
            add("time", *first, "s");
        }
    }
    list
}

/// How it was computed.
pub(super) fn settings(plan: &Plan, choice: &Choice, stiff: Option<&StiffWatch>) -> Vec<(String, String)> {
    let mut list: Vec<(String, String)> = Vec::new();
    let mut add = |key: &str, value: String| list.push((key.into(), value));
    let own = &plan.integrator;
    add("analysis", plan.analysis.name().into());
    add("formulation", plan.formulation.clone());
    let (mut methods, mut why) = (choice.name.to_string(), choice.why.clone());
    for turn in stiff.map(StiffWatch::turns).unwrap_or_default() {
        let Some(next) = stiff.and_then(|stiff| stiff.method_after(turn)) else { continue };
        let from = figure(turn.time());
        methods += &format!(", from {from} s on {next}");
        if let Some(why) = &mut why {
            *why += &match turn {
                Turn::Stiff { stiff: Some(stiff), .. } => format!("; `{}` is later: {:.3e} 1/s", stiff.element, stiff.rate),
                Turn::Stiff { stiff: None, .. } => String::new(),
                Turn::Eased { .. } => format!("; nothing is by {from} s"),
            };
        }
    }
    add("integrator", methods);
    why.into_iter().for_each(|why| add("why this integrator", why));
    if choice.is_implicit() {
        if choice.name == "newmark" {
            add("beta", own.beta.to_string());
            add("gamma", own.gamma.to_string());
        } else {
            add("rho", own.rho.to_string());
        }
        add("unknown", format!("{:?}", own.form).to_lowercase());
        add("start acceleration", format!("{:?}", own.start_acceleration).to_lowercase());
        add("drift control", "loops and guides are met at the level of positions".into());
    } else {
        // Zero where errors are judged by the other alone.
        // A product such as 1e-3 of 1e-9 has digits of rounding.
        let tolerance = |x: f64| if x == 0.0 { "0".to_string() } else { format!("{:e}", format!("{x:.11e}").parse().unwrap_or(x)) };
        // Fixed steps have none.
        if choice.kind() == Kind::Adaptive {
            add("rtol", tolerance(own.settings.rtol));
            add("atol", tolerance(own.settings.atol));
        }
        add(
            "drift control",
            match plan.drift {
                DriftControl::None => "none".into(),
                DriftControl::Baumgarte { alpha, beta } => format!("Baumgarte, alpha {alpha} 1/s, beta {beta} 1/s"),
                DriftControl::Projection => "projection after each step".into(),
            },
        );
    }
    if let Some(step) = own.settings.step {
        add("step", format!("{step} s"));
    }
    if plan.start == StartRule::Equilibrium {
        let held = if plan.rest.hold.is_empty() { String::new() } else { format!(", {} held", plan.rest.hold.join(", ")) };
        add("start", format!("at rest in balance{held}{}", if plan.rest.gravity { "" } else { ", without gravity" }));
    }
    if !plan.released.is_empty() {
        add("released at the start", plan.released.join(", "));
    }
    list
}
