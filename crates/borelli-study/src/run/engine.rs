//! The engine of a run: a system in motion and the method that advances it, explicit or implicit, behind one face.
//! Not here: the methods, what is recorded.
//! In: a system and a plan. Out: motion from one time to another; why not is reported.

use super::EndState;
use super::start::released;
use super::stiff_watch::{Answer, StiffWatch, Watching};
use crate::mixed_solver::MixedSolver;
use crate::plan::{Analysis, Plan};
use crate::plan_fault::PlanFault;
use borelli_dynamics::constraint::RowControl;
use borelli_dynamics::formulation::FORMULATIONS;
use borelli_dynamics::implicit_movement::{ImplicitMovement, ImplicitOptions};
use borelli_dynamics::integrate::{
    Carried, End, Failure, INTEGRATORS, Implicit, Kind, Method, Newton, Observer, SCHEMES, Scheme, SchemeEntry, Settings,
    StartAcceleration, Statistics, find, find_scheme, integrate, integrate_implicit,
};
use borelli_dynamics::movement::{DriftControl, Layout, Movement, Options, WarmCheck};
use borelli_dynamics::{Memory, System};
use borelli_model::Findings;

/// The method of a plan, and why it is that one.
pub(super) struct Choice {
    /// Its name.
    pub name: &'static str,
    /// Why, where the plan leaves it open.
    pub why: Option<String>,
    scheme: Option<&'static SchemeEntry>,
}

impl Choice {
    /// True for the methods that see multipliers.
    pub fn is_implicit(&self) -> bool {
        self.scheme.is_some()
    }

    /// Whether it chooses its steps.
    pub fn kind(&self) -> Kind {
        if self.is_implicit() { Kind::Fixed } else { find(self.name).map_or(Kind::Adaptive, |entry| entry.kind) }
    }
}

/// What a motion that is not stiff gets, and one that is.
const EASY: &str = "dopri5";
const HARD: &str = "rosenbrock";

/// What the plan asks for, or what suits the system. A run taken up again goes on with the method that the other one ended with.
pub(super) fn choose(system: &System, plan: &Plan, from: Option<&EndState>, findings: &mut Findings) -> Option<Choice> {
    let mixed = plan.analysis == Analysis::Mixed;
    let Some(name) = &plan.integrator.method else {
        let ended_with = from.and_then(|from| from.integrator.as_deref());
        if let Some(name) = [EASY, HARD].into_iter().find(|name| Some(*name) == ended_with && !(mixed && *name == HARD)) {
            return Some(Choice { name, why: Some("the run that this one goes on from ended with it".into()), scheme: None });
        }
        let released = released(system, plan, &mut Findings::new()).unwrap_or_default();
        let control = RowControl::of(Memory::letting_go(&released));
        let (name, why) = match system.stiffness_under(plan.time.start, &control) {
            Ok(Some(stiff)) if mixed => {
                (EASY, format!("`{}` is stiff, but methods for that need slopes, which `mixed` has not", stiff.element))
            }
            Ok(Some(stiff)) => (HARD, format!("`{}` is stiff: {:.3e} 1/s at the start", stiff.element, stiff.rate)),
            Ok(None) => (EASY, "nothing is stiff at the start".into()),
            Err(unjudged) => (EASY, format!("whether the model is stiff is not known, {}", first_line(&unjudged.to_string()))),
        };
        return Some(Choice { name, why: Some(why), scheme: None });
    };
    let choice = match (find(name), find_scheme(name)) {
        (Some(entry), _) => Choice { name: entry.name, why: None, scheme: None },
        (None, Some(entry)) => Choice { name: entry.name, why: None, scheme: Some(entry) },
        (None, None) => {
            let known = INTEGRATORS.iter().map(|entry| entry.name).chain(SCHEMES.iter().map(|entry| entry.name)).collect();
            findings.push(None, "integrator", "method", &PlanFault::UnknownMethod { name: name.clone(), known });
            return None;
        }
    };
    if mixed && (choice.is_implicit() || find(name).is_some_and(|entry| entry.needs_jacobian)) {
        let fault = PlanFault::NoJacobian { analysis: plan.analysis.name(), method: name.clone() };
        findings.push(None, "integrator", "method", &fault);
        return None;
    }
    let fixed = choice.kind() == Kind::Fixed;
    if fixed && plan.integrator.settings.step.is_none() {
        findings.push(None, "integrator", "step", &PlanFault::StepMissing { method: name.clone() });
        return None;
    }
    Some(choice)
}

/// A reason without the hint below it.
fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

enum Moving {
    Explicit(Box<Movement>, Box<dyn Method>),
    Implicit(Box<ImplicitMovement>, Box<Implicit>),
}

/// A system in motion.
pub(super) struct Engine<'s> {
    system: &'s System,
    method: &'static str,
    moving: Moving,
    settings: Settings,
    drift: DriftControl,
    /// Start of the run that was planned, s.
    start: f64,
    /// What events have written so far.
    memory: Memory,
    stiff: StiffWatch,
    /// What it did so far.
    pub statistics: Statistics,
}

impl<'s> Engine<'s> {
    /// Sets up the method for a system.
    pub(super) fn new(system: &'s System, plan: &Plan, choice: &Choice, findings: &mut Findings) -> Option<Engine<'s>> {
        let moving = match choice.scheme {
            None => explicit(system, plan, choice.name, findings)?,
            Some(entry) => implicit(system, plan, entry, findings)?,
        };
        let (settings, drift, start) = (plan.integrator.settings, plan.drift, plan.time.start);
        let stiff = StiffWatch::new(match (plan.analysis == Analysis::Mixed, choice.why.is_some()) {
            (true, _) => Answer::Helpless,
            (false, true) => Answer::Switch([EASY, HARD]),
            (false, false) => Answer::Tell,
        });
        let (memory, statistics) = (Memory::default(), Statistics::default());
        Some(Engine { system, method: choice.name, moving, settings, drift, start, memory, stiff, statistics })
    }

    /// The state to integrate, from where a run begins.
    pub(super) fn state(&self, from: &EndState) -> Vec<f64> {
        [&from.q[..], &from.v, &from.z, &from.work].concat()
    }

    /// Where the parts of the state lie.
    pub(super) fn layout(&self) -> Layout {
        Layout::new(self.system, true)
    }

    /// Whether drift is controlled: implicit schemes meet rows at the level of positions.
    fn controls_drift(&self) -> bool {
        matches!(self.moving, Moving::Explicit(..))
    }

    /// The drift control, if it does not make positions meet their rows.
    pub(super) fn loose_drift(&self) -> Option<&'static str> {
        match self.drift {
            _ if !self.controls_drift() => None,
            DriftControl::Projection => None,
            DriftControl::Baumgarte { .. } => Some("baumgarte"),
            DriftControl::None => Some("none"),
        }
    }

    /// Remembers what events have written, and says what all rows are asked for.
    pub(super) fn recall(&mut self, memory: &Memory) -> RowControl {
        self.memory.copy_from(memory);
        self.stiff.recall(memory);
        // It was made for this system, so that neither can decline it.
        let _ = match &mut self.moving {
            Moving::Explicit(movement, _) => movement.recall(memory),
            Moving::Implicit(movement, _) => movement.recall(memory),
        };
        let (mut alpha, mut beta) = (0.0, 0.0);
        if let (DriftControl::Baumgarte { alpha: a, beta: b }, true) = (self.drift, self.controls_drift()) {
            (alpha, beta) = (a, b);
        }
        RowControl { alpha, beta, memory: memory.clone() }
    }

    /// Goes on with what a saved run carried, if that was this scheme.
    pub(super) fn resume(&mut self, from: &EndState) {
        if let (Moving::Implicit(_, method), Some((name, carried))) = (&mut self.moving, &from.carried)
            && *name == self.method
        {
            method.resume(carried);
        }
    }

    /// What an implicit scheme carries at the end of its last step, with its name.
    pub(super) fn carried(&self) -> Option<(String, Carried)> {
        match &self.moving {
            Moving::Explicit(..) => None,
            Moving::Implicit(_, method) => method.carried().map(|carried| (self.method.to_string(), carried)),
        }
    }

    /// A movement apart from the one that is integrated, to correct states between steps (`Ode::accepted`); nothing where ends of steps are not projected.
    pub(super) fn corrector(&self) -> Option<Box<Movement>> {
        let projected = self.controls_drift() && self.drift == DriftControl::Projection && !self.system.names.rows.is_empty();
        let options = Options { drift: self.drift, audit: true, stop_at_breakpoints: false, ..Options::default() };
        if projected { Movement::new(self.system, options).ok().map(Box::new) } else { None }
    }

    /// The method by now.
    pub(super) fn method(&self) -> &'static str {
        self.method
    }

    /// Whether and from when on the motion was found to be stiff.
    pub(super) fn stiff(&self) -> &StiffWatch {
        &self.stiff
    }

    /// Searches for paths from two starts, compared along the motion of an explicit method.
    pub(super) fn warm_check(&self) -> Option<&WarmCheck> {
        if let Moving::Explicit(movement, _) = &self.moving { movement.warm_check() } else { None }
    }

    /// Moves the state from one time towards another.
    pub(super) fn integrate(&mut self, interval: (f64, f64), y: &mut [f64], observer: &mut dyn Observer) -> Result<End, Failure> {
        let Engine { system, method: name, moving, settings, statistics, stiff, memory, start, .. } = self;
        match moving {
            Moving::Explicit(movement, method) => {
                let (layout, mut from) = (movement.layout(), interval.0);
                loop {
                    let inner = &mut *observer;
                    let mut watching = Watching { watch: stiff, system, layout, memory, method: name, inner, next: None, ended: false };
                    let mut equation = movement.of(system);
                    let end = integrate(&mut **method, &mut equation, (from, interval.1), y, settings, statistics, &mut watching)?;
                    let Watching { next, ended, .. } = watching;
                    if let Some(entry) = next.and_then(find) {
                        *name = entry.name;
                        *method = (entry.build)(layout.dim());
                    }
                    if !ended {
                        return Ok(end);
                    }
                    from = end.t;
                }
            }
            Moving::Implicit(movement, method) => {
                // Chosen accelerations are those of the start of the run; after an event and in a run taken up again the forces are at work.
                if interval.0 != *start {
                    method.start_from(StartAcceleration::Consistent);
                }
                integrate_implicit(method, &mut movement.of(system), interval, y, settings, statistics, observer)
            }
        }
    }
}

fn explicit(system: &System, plan: &Plan, method: &str, findings: &mut Findings) -> Option<Moving> {
    let entry = find(method)?;
    let formulation = FORMULATIONS.iter().find(|entry| entry.name == plan.formulation).map_or("", |entry| entry.name);
    let options = Options {
        formulation,
        drift: plan.drift,
        audit: true,
        stop_at_breakpoints: plan.integrator.stop_at_breakpoints,
        ..Options::default()
    };
    let movement = match plan.analysis {
        // Its faults are told by the channels of the run.
        Analysis::Mixed => Movement::with_formulation(system, options, Box::new(MixedSolver::new(system, plan, &mut Findings::new())?)),
        _ => Movement::new(system, options),
    };
    match movement {
        Ok(movement) => {
            let dim = movement.layout().dim();
            Some(Moving::Explicit(Box::new(movement), (entry.build)(dim)))
        }
        Err(declined) => {
            let fault = PlanFault::Declined { formulation: plan.formulation.clone(), reason: declined.reason };
            findings.push(None, "", "formulation", &fault);
            None
        }
    }
}

/// The scheme of a plan, for a choice that is implicit; why not is reported.
pub(super) fn scheme(plan: &Plan, choice: &Choice, findings: &mut Findings) -> Option<Scheme> {
    weights(plan, choice.scheme?, findings)
}

/// A scheme with the weights of a plan.
fn weights(plan: &Plan, entry: &'static SchemeEntry, findings: &mut Findings) -> Option<Scheme> {
    let own = &plan.integrator;
    let values: Vec<f64> = entry
        .parameters
        .iter()
        .map(|parameter| match parameter.name {
            "beta" => own.beta,
            "gamma" => own.gamma,
            _ => own.rho,
        })
        .collect();
    entry.with(&values).map_err(|failure| findings.push(None, "integrator", "", &PlanFault::BadScheme { reason: failure.to_string() })).ok()
}

/// The formulation of implicit schemes, whose tangents no other has.
const IMPLICIT: &str = "articulated";

fn implicit(system: &System, plan: &Plan, entry: &'static SchemeEntry, findings: &mut Findings) -> Option<Moving> {
    let own = &plan.integrator;
    if plan.formulation != IMPLICIT {
        let fault = PlanFault::FormulationUnused { formulation: plan.formulation.clone(), used: IMPLICIT, by: entry.name };
        findings.push(None, "", "formulation", &fault);
        return None;
    }
    let scheme = weights(plan, entry, findings)?;
    let options = ImplicitOptions { audit: true, stop_at_breakpoints: own.stop_at_breakpoints, ..ImplicitOptions::default() };
    let mut movement = match ImplicitMovement::new(system, options) {
        Ok(movement) => movement,
        Err(declined) => {
            findings.push(None, "integrator", "method", &PlanFault::BadScheme { reason: declined.reason });
            return None;
        }
    };
    let newton = Newton { form: own.form, start: own.start_acceleration, ..Newton::default() };
    let method = Implicit::new(scheme, newton, &movement.of(system));
    Some(Moving::Implicit(Box::new(movement), Box::new(method)))
}
