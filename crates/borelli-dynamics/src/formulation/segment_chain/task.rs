//! A choice of unknowns for a model, by names: forward, inverse, or any mixture.
//! Not here: time (a study integrates or follows a motion), how values of known variables are found.
//! In: a `System` and a `Task`; then a state and values. Out: values of all variables, and an `Evaluation`.

use super::super::{Evaluation, Failure, Input};
use super::choice::{ChoiceFault, Row, Term};
use super::model_chain::ModelChain;
use super::problem::Problem;
use super::quality::{Fit, Quality};
use super::tour::{Ends, Tour};
use super::variables::Direction::{X, Y};
use super::variables::{Labels, Variable};
use crate::constraint::RowControl;
use crate::system::System;
use borelli_model::suggest;
use std::fmt;

/// What is unknown to begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// Motion from forces: accelerations and forces at joints.
    #[default]
    Forward,
    /// Forces from motion: forces and moments at joints, up to the free end.
    Inverse,
    /// The same with force and moment at the base measured; those at the end show how well they fit.
    InverseFromBase,
}

impl Preset {
    /// All, with their names in files.
    pub const ALL: [(&'static str, Preset); 3] =
        [("forward", Preset::Forward), ("inverse", Preset::Inverse), ("inverse-from-base", Preset::InverseFromBase)];
}

/// How a value is given to a known variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// The value is all of it, weight and forces of the model included.
    Whole,
    /// The value comes beside what the model exerts.
    Extra,
}

/// An added row, by names.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskRow {
    /// Name for messages.
    pub name: String,
    /// Variables, or `joint.NAME.acceleration.x` and `body.NAME.acceleration.x` (of its mass centre), with their weights.
    pub terms: Vec<(String, f64)>,
    /// The variable that becomes unknown for it; nothing: it stands under `unknown`.
    pub frees: Option<String>,
}

/// What is asked of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Task {
    /// What is unknown to begin with.
    pub preset: Preset,
    /// Variables that are unknown beside those of the preset.
    pub unknown: Vec<String>,
    /// Variables that are known beside those of the preset, or whose value differs from what the model says; a value is given with every evaluation.
    pub known: Vec<(String, Given)>,
    /// Added rows; a right side is given with every evaluation.
    pub rows: Vec<TaskRow>,
    /// Whether loops and guides of the model are left out: they exert nothing and ask for nothing.
    pub without_rows: bool,
    /// Whether least squares are wanted where unknowns are not as many as equations.
    pub least_squares: bool,
    /// Body that the chain begins with; nothing: one end of the longest path through the model.
    pub base: Option<String>,
    /// Body that the chain ends with, at its mass centre.
    pub end: Option<String>,
}

/// Why a task cannot be put to a model.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskFault {
    /// The model is no chain.
    Declined {
        /// Why.
        reason: String,
    },
    /// No variable of this name.
    UnknownName {
        /// What was found.
        found: String,
        /// In which part of the task: `unknown`, `known`, `row NAME`, `base`, `end`.
        place: String,
        /// Names there are.
        known: Vec<String>,
    },
    /// A variable of the solver, which only constraints write.
    Reserved {
        /// The variable.
        name: String,
        /// In which part of the task.
        place: String,
    },
    /// A variable is given two values.
    KnownTwice {
        /// The variable.
        name: String,
    },
    /// The base is held by a joint to the world, and no coordinate carries its acceleration.
    BaseHeld {
        /// The variable.
        name: String,
        /// In which part of the task.
        place: String,
        /// The joint.
        joint: String,
    },
    /// A variable is both known and unknown.
    KnownAndUnknown {
        /// The variable.
        name: String,
    },
    /// The choice of unknowns is wrong.
    Choice(ChoiceFault),
}

impl fmt::Display for TaskFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TaskFault::Declined { reason } => write!(f, "the model is no chain of segments: {reason}"),
            TaskFault::UnknownName { found, place, known } => {
                write!(f, "{place}: there is no `{found}`\n  hint: ")?;
                match suggest(found, known.iter().map(String::as_str)) {
                    Some(nearest) => write!(f, "did you mean `{nearest}`?"),
                    None => write!(f, "there are {}", known.join(", ")),
                }
            }
            TaskFault::Reserved { name, place } => write!(
                f,
                "{place}: `{name}` belongs to the solver, which upholds rows with it\n  hint: it may be what a row frees; as a load of your own take a force or moment of the body"
            ),
            TaskFault::KnownTwice { name } => write!(f, "`{name}` is given two values\n  hint: keep one of them"),
            TaskFault::BaseHeld { name, place, joint } => write!(
                f,
                "{place}: `{name}` is zero, because joint `{joint}` holds the base to the world\n  hint: give the root a planar joint, whose coordinates can move; a row of your own may then hold it"
            ),
            TaskFault::KnownAndUnknown { name } => {
                write!(
                    f,
                    "`{name}` is named as known and as unknown\n  hint: take it off one of the lists; what a row frees is unknown, too"
                )
            }
            TaskFault::Choice(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for TaskFault {}

impl From<ChoiceFault> for TaskFault {
    fn from(fault: ChoiceFault) -> Self {
        TaskFault::Choice(fault)
    }
}

/// A task put to a model, with memory.
pub struct Mixed {
    chain: ModelChain,
    problem: Problem,
    known: Vec<(usize, Given)>,
    values: Vec<f64>,
    /// Right sides: of welds, then of the task's rows.
    rights: Vec<f64>,
    welds: usize,
    least_squares: bool,
    fit: Fit,
}

impl Mixed {
    /// Puts a task to a system, or says what is wrong with it.
    pub fn new(system: &System, task: &Task) -> Result<Mixed, TaskFault> {
        let tour = Tour::new(system, ends(system, task)?).map_err(|declined| TaskFault::Declined { reason: declined.reason })?;
        let based = tour.is_based_on_world();
        let chain = ModelChain::new(system, tour);
        let mut setup = chain.bare();
        match task.preset {
            Preset::Forward => setup.forward(based),
            Preset::Inverse => setup.inverse(),
            Preset::InverseFromBase => setup.inverse_from_base(),
        };
        // Moments of welds are unknown as any moment of a joint in the inverse problem, and need no row there.
        let forward = task.preset == Preset::Forward;
        if forward {
            chain.add_welds(system, &mut setup);
        }
        let welds = setup.rows.len();
        let labels = setup.labels().clone();
        let held = chain.base_joint().map(str::to_string);
        let named = |found: &str, place: &str| -> Result<Variable, TaskFault> {
            let variable = variable(&labels, found, place)?;
            match (&held, variable) {
                (Some(joint), Variable::BaseAcceleration(_)) => {
                    Err(TaskFault::BaseHeld { name: found.into(), place: place.into(), joint: joint.clone() })
                }
                _ => Ok(variable),
            }
        };
        let mut known = Vec::new();
        for (name, given) in &task.known {
            let variable = not_reserved(named(name, "known")?, name, "known")?;
            // One of them may be a name and the other a symbol.
            if task.unknown.iter().any(|other| labels.find(other) == Some(variable)) {
                return Err(TaskFault::KnownAndUnknown { name: name.clone() });
            }
            let index = setup.layout().index(variable);
            if known.iter().any(|(other, _)| *other == index) {
                return Err(TaskFault::KnownTwice { name: name.clone() });
            }
            setup.know([variable]);
            known.push((index, *given));
        }
        for name in &task.unknown {
            setup.free([not_reserved(named(name, "unknown")?, name, "unknown")?]);
        }
        for row in &task.rows {
            let place = format!("row `{}`", row.name);
            let mut terms = Vec::new();
            for (name, weight) in &row.terms {
                terms.push((term(&labels, name, &place)?, *weight));
            }
            let own = Row::new(row.name.clone(), terms);
            match &row.frees {
                Some(name) => {
                    let frees = named(name, &place)?;
                    if known.iter().any(|(index, _)| *index == setup.layout().index(frees)) {
                        return Err(TaskFault::KnownAndUnknown { name: name.clone() });
                    }
                    setup.constrain(own, frees)?
                }
                None => setup.add_row(own),
            };
        }
        let ties = chain.ties(system, !task.without_rows);
        let problem = if task.least_squares { Problem::least_squares_with_ties(&setup, ties)? } else { Problem::with_ties(&setup, ties)? };
        Ok(Mixed {
            values: vec![0.0; problem.layout().all()],
            rights: vec![0.0; problem.rows().len()],
            chain,
            problem,
            known,
            welds,
            least_squares: task.least_squares,
            fit: Fit::default(),
        })
    }

    /// Names of segments and joints.
    pub fn labels(&self) -> &Labels {
        self.problem.labels()
    }

    /// Unknown variables.
    pub fn unknowns(&self) -> &[Variable] {
        self.problem.unknowns()
    }

    /// Values of all variables after an evaluation, by [`super::Layout`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// What loops and guides are asked for from now on.
    pub fn set_row_control(&mut self, control: &RowControl) {
        self.chain.set_row_control(control);
    }

    /// Solves at a state. `vdot` are accelerations of a prescribed motion, of which those that are known are taken; empty: known accelerations are zero
    /// unless given. `given` are the values of the task's known variables, `rights` the right sides of its rows.
    pub fn evaluate(
        &mut self,
        system: &System,
        input: Input,
        vdot: &[f64],
        given: &[f64],
        rights: &[f64],
        out: &mut Evaluation,
    ) -> Result<(), Failure> {
        self.chain.look(system, &input, vdot, &mut self.problem)?;
        self.chain.fill_values(system, &input, &mut self.values);
        for ((index, way), value) in self.known.iter().zip(given) {
            match way {
                Given::Whole => self.values[*index] = *value,
                Given::Extra => self.values[*index] += *value,
            }
        }
        let undetermined = |reason: String| Failure::Undetermined { reason };
        if rights.len() != self.rights.len() - self.welds || given.len() != self.known.len() {
            let (expected, found) = (self.known.len() + self.rights.len() - self.welds, given.len() + rights.len());
            return Err(Failure::WrongLength { what: "values of known variables and right sides of rows", expected, found });
        }
        self.rights[self.welds..].copy_from_slice(rights);
        let posture = self.chain.posture();
        if self.least_squares {
            self.fit = self.problem.fit(posture, &self.rights, &mut self.values).map_err(|fault| undetermined(fault.to_string()))?;
        } else {
            self.problem.solve(posture, &self.rights, &mut self.values).map_err(|fault| undetermined(fault.to_string()))?;
            if let Some((row, miss)) = self.problem.unmet(&self.rights, &self.values) {
                return Err(undetermined(format!(
                    "the known accelerations contradict {row}: it asks for an acceleration that they miss by {miss:.3e} (SI)\n  hint: make one of them unknown, or leave loops and guides out"
                )));
            }
            if let Some((joint, miss)) = self.chain.bent_weld(system, &self.values) {
                return Err(undetermined(format!(
                    "the known accelerations bend weld `{joint}`: its two sides differ by {miss:.3e} rad/s^2\n  hint: give both the same, or only one of them"
                )));
            }
        }
        self.chain.read_off(system, &self.problem, &self.values, out)
    }

    /// The condition of the equations at the state of the last evaluation, or by name what is wrong with them.
    pub fn examine(&mut self) -> Result<Quality, ChoiceFault> {
        if self.least_squares { Ok(Quality { condition: f64::NAN }) } else { self.problem.examine(self.chain.posture()) }
    }

    /// How well the values of the last evaluation meet the equations of Newton and Euler, relative to their largest term.
    pub fn residual(&mut self) -> f64 {
        self.problem.residual(self.chain.posture(), &self.values)
    }

    /// What least squares found in the last evaluation.
    pub fn fit(&self) -> Fit {
        self.fit
    }

    /// Power of all forces and moments but weight, with the values of the last evaluation, W.
    pub fn power(&self, system: &System) -> f64 {
        self.chain.power(system, &self.values)
    }
}

/// The variable of a name.
fn variable(labels: &Labels, found: &str, place: &str) -> Result<Variable, TaskFault> {
    labels.find(found).ok_or_else(|| {
        let open = labels.layout().open();
        let known = labels.layout().variables()[..open].iter().map(|variable| labels.name(*variable)).collect();
        TaskFault::UnknownName { found: found.into(), place: place.into(), known }
    })
}

fn not_reserved(variable: Variable, name: &str, place: &str) -> Result<Variable, TaskFault> {
    if variable.is_support() { Err(TaskFault::Reserved { name: name.into(), place: place.into() }) } else { Ok(variable) }
}

/// The term of a name: a variable, or the acceleration of a joint or mass centre.
fn term(labels: &Labels, found: &str, place: &str) -> Result<Term, TaskFault> {
    let of = |names: &[String], family: &str| -> Option<(usize, super::variables::Direction)> {
        let rest = found.strip_prefix(family)?;
        let (name, direction) = match rest.strip_suffix(".acceleration.x") {
            Some(name) => (name, X),
            None => (rest.strip_suffix(".acceleration.y")?, Y),
        };
        Some((names.iter().position(|known| known == name)?, direction))
    };
    if let Some((joint, direction)) = of(&labels.joints, "joint.") {
        return Ok(Term::Joint(joint, direction));
    }
    if let Some((segment, direction)) = of(&labels.segments, "body.") {
        return Ok(Term::Center(segment, direction));
    }
    variable(labels, found, place).map(Term::Variable)
}

/// Where the chain begins and ends.
fn ends(system: &System, task: &Task) -> Result<Ends, TaskFault> {
    let bodies = &system.names.bodies;
    let body = |found: &str, place: &str| {
        let index = bodies.iter().skip(1).position(|name| name == found).map(|k| k + 1);
        index.ok_or_else(|| TaskFault::UnknownName { found: found.into(), place: place.into(), known: bodies[1..].to_vec() })
    };
    let from = task.base.as_ref().map(|name| body(name, "base")).transpose()?;
    let to = match &task.end {
        None => None,
        Some(name) => Some(body(name, "end")?),
    };
    Ok(Ends { from, to })
}
