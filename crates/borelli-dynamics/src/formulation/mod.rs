//! Formulations: ways to set up and solve the equations of motion of one and the same system.
//! Not here: kinematics, forces and constraints, which they share. Formulation folders do not import each other.
//! In: a `System`, and a state in joint coordinates. Out: an `Evaluation`, the same whatever the formulation.

pub mod articulated;
pub mod cartesian;
pub mod natural;
pub mod segment_chain;

use crate::compile::Fault;
use crate::constraint::RowControl;
use crate::contact::Unsolved;
use crate::force::Lost;
use crate::scene::{Inside, Unfound};
use crate::system::{Measure, Skeleton, System};
use crate::wrap::Trouble;
use std::fmt;
use std::sync::Arc;

pub use crate::evaluation::{Evaluation, Input};

/// Why an evaluation could not be made.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A state has the wrong number of entries.
    WrongLength {
        /// Which list.
        what: &'static str,
        /// Entries the system has.
        expected: usize,
        /// Entries given.
        found: usize,
    },
    /// Memory made for one system is used with another that has more than other numbers.
    OtherShape,
    /// A state holds a number that is not finite.
    StateNotFinite {
        /// Coordinate or speed.
        name: String,
    },
    /// An acceleration came out not finite.
    NotFinite {
        /// The joint where it did.
        joint: String,
    },
    /// Where two surfaces touch could not be found.
    ContactNotFound {
        /// The pair.
        pair: String,
    },
    /// A path has no place on what it bends around.
    PathLost {
        /// The path.
        path: String,
        /// What it bends around.
        wrap: String,
        /// Why.
        trouble: Trouble,
    },
    /// A control of an element is not a finite number.
    ControlNotFinite {
        /// Its name: `muscle.soleus.excitation`.
        control: String,
        /// When, s.
        t: f64,
        /// What it is instead.
        value: f64,
    },
    /// The equations do not determine the unknowns.
    Undetermined {
        /// Why, for people.
        reason: String,
    },
    /// Soft parts could not be looked at or solved for.
    Soft {
        /// The element of the model that is to blame.
        element: String,
        /// Why, for people.
        reason: String,
    },
    /// A function was asked for outside its table.
    OutsideTable {
        /// Its name.
        function: String,
        /// The element of the file that it stands in.
        element: String,
        /// SI unit of its argument.
        unit: &'static str,
        /// Argument.
        at: f64,
        /// Ends of the table.
        range: (f64, f64),
    },
}

impl Failure {
    /// Numbers are not finite at a body's joint, perhaps because of a contact or a path that could not be found.
    pub(crate) fn of_joint(system: &System, body: usize, unfound: Option<Unfound>) -> Self {
        match unfound {
            Some(Unfound::Contact(Unsolved { pair })) => Failure::ContactNotFound { pair: system.names.pairs[pair as usize].clone() },
            Some(Unfound::Path(lost)) => Failure::of_path(system, lost),
            None => Failure::NotFinite { joint: system.names.joints[body].clone() },
        }
    }

    /// A path that has no place at a state.
    pub fn of_path(system: &System, Lost { path, wrap, trouble }: Lost) -> Self {
        let path = system.names.paths[path as usize].clone();
        let wrap = system.numbers.paths.wraps[wrap as usize].name.clone();
        Failure::PathLost { path, wrap, trouble }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::WrongLength { what, expected, found } => write!(f, "{what} has {found} entries, the system has {expected}"),
            Failure::OtherShape => f.write_str(
                "this memory was made for a system of another shape\n  hint: make new memory for this system; only systems that differ in numbers alone can share it",
            ),
            Failure::StateNotFinite { name } => write!(f, "`{name}` is not a finite number"),
            Failure::NotFinite { joint } => write!(
                f,
                "the acceleration of joint `{joint}` is not finite\n  hint: it may be singular (gimbal axes parallel, a massless body, a path through its hinge)"
            ),
            Failure::ContactNotFound { pair } => write!(
                f,
                "where the surfaces of contact `{pair}` touch cannot be found\n  hint: their centres may coincide, or one may lie deep inside the other"
            ),
            Failure::PathLost { path, wrap, trouble } => write!(f, "path `{path}` {}\n  hint: {}", trouble.words(wrap), trouble.hint()),
            Failure::ControlNotFinite { control, t, value } => write!(
                f,
                "`{control}` is {value} at {t} s, not a finite number\n  hint: roots and logarithms need arguments above zero over the whole run, quotients a divisor that is never zero"
            ),
            Failure::Undetermined { reason } | Failure::Soft { reason, .. } => write!(f, "{reason}"),
            Failure::OutsideTable { function, unit, at, range: (from, to), .. } => {
                Fault::OutsideTable { function: function.clone(), unit, at: *at, from: *from, to: *to }.write(f)
            }
        }
    }
}

impl std::error::Error for Failure {}

/// A formulation made for one compiled model and its copies, whatever their parameters: memory without numbers of the system.
pub trait Formulation: Send {
    /// Computes everything at one state of a system. Allocates nothing.
    fn evaluate(&mut self, system: &System, input: Input, out: &mut Evaluation) -> Result<(), Failure>;

    /// What loops and guides are asked for from now on: decay of drift, rows released, where the others are held. A new formulation asks for Φ̈ = 0 of all rows.
    fn set_row_control(&mut self, control: &RowControl);

    /// The recursion, where this is it: it finds accelerations apart from the rest, so that who does not want everything can ask for parts
    /// (`Articulated::accelerate`, `Articulated::report`); nothing: there is no less than everything.
    fn apart(&mut self) -> Option<&mut articulated::Articulated> {
        None
    }

    /// Power of everything but weight in the last evaluation, W, of a formulation that finds or is given forces beside those of the model and the
    /// input; nothing: there are none.
    fn whole_power(&self, _system: &System) -> Option<f64> {
        None
    }
}

/// Why a formulation does not take a model.
#[derive(Clone, Debug)]
pub struct Declined {
    /// The reason, for people.
    pub reason: String,
}

/// Declines systems with soft parts, which rigid bodies alone do not describe.
pub fn decline_soft(system: &System) -> Result<(), Declined> {
    if !system.has_soft() {
        return Ok(());
    }
    let reason = "the model has soft parts, which need formulation `coupled` with newmark, generalised-alpha, or statics".into();
    Err(Declined { reason })
}

/// One line of the list of formulations.
pub struct Entry {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is made for.
    pub doc: &'static str,
    /// Makes one for a system, or says why not.
    pub build: fn(&System) -> Result<Box<dyn Formulation>, Declined>,
}

/// All formulations.
pub static FORMULATIONS: &[Entry] = &[
    Entry {
        name: "articulated",
        doc: "joint coordinates, recursive, linear in bodies; loops and guides by multipliers",
        build: articulated::build,
    },
    Entry {
        name: "cartesian",
        doc: "absolute coordinates of every body, all joints by multipliers, linear in bodies",
        build: cartesian::build,
    },
    Entry {
        name: "natural",
        doc: "points and unit vectors of every body, no angles, constant mass matrix, linear in bodies",
        build: natural::build,
    },
    Entry {
        name: "segment-chain",
        doc: "planar Newton-Euler equations of a chain of segments; any variable may be unknown (`mixed`)",
        build: segment_chain::build,
    },
    Entry {
        name: "coupled",
        doc: "planar bodies solved together with soft parts, by implicit schemes and statics; rigid models by one full matrix",
        build: crate::coupled::build,
    },
];

/// Checks that memory made for `skeleton` is good for a system.
#[inline(always)]
pub(crate) fn check_shape(skeleton: &Arc<Skeleton>, system: &System) -> Result<(), Failure> {
    if system.has_shape(skeleton) { Ok(()) } else { Err(Failure::OtherShape) }
}

/// Checks a state before or after kernels see it: lengths, table ranges, finite numbers.
pub(crate) fn check_input(system: &System, input: &Input) -> Result<(), Failure> {
    check_state(system, input)?;
    check_finite(system, input)
}

/// Checks that a state can be looked at: lengths, and time and coordinates inside all tables that do not extend.
pub fn check_state(system: &System, input: &Input) -> Result<(), Failure> {
    check_lengths(system, input.t, input.q, input.v, input.tau)?;
    check_inside(system, &input.inside)
}

/// Checks the lengths of a state and that time and coordinates are inside all tables that do not extend.
#[inline(always)]
pub(crate) fn check_lengths(system: &System, t: f64, q: &[f64], v: &[f64], tau: &[f64]) -> Result<(), Failure> {
    let (coords, dofs) = (system.names.coordinates.len(), system.names.speeds.len());
    if q.len() != coords || v.len() != dofs || tau.len() != dofs {
        return Err(wrong_length(system, [q.len(), v.len(), tau.len()]));
    }
    if system.bounds.is_empty() { Ok(()) } else { check_bounds(system, t, q) }
}

/// Checks the lengths of states and controls of elements; empty lists are the model's own.
#[inline(always)]
pub(crate) fn check_inside(system: &System, inside: &Inside<f64>) -> Result<(), Failure> {
    if inside.z.is_empty() && inside.u.is_empty() { Ok(()) } else { check_given(system, inside) }
}

fn check_given(system: &System, inside: &Inside<f64>) -> Result<(), Failure> {
    let numbers = &system.numbers;
    for (what, found, expected) in [("z", inside.z.len(), numbers.states.len()), ("u", inside.u.len(), numbers.controls.len())] {
        if found != 0 && found != expected {
            return Err(Failure::WrongLength { what, expected, found });
        }
    }
    Ok(())
}

#[inline(never)]
fn check_bounds(system: &System, t: f64, q: &[f64]) -> Result<(), Failure> {
    for bound in &system.bounds {
        let at = bound.coord.map_or(t, |coord| q[coord as usize]);
        if !(at >= bound.range.0 && at <= bound.range.1) {
            let unit = match bound.coord.map(|coord| system.names.coordinates[coord as usize].measure) {
                None => "s",
                Some(Measure::Angle) => "rad",
                Some(Measure::Length) => "m",
                Some(Measure::Quaternion) => "1",
            };
            let (function, element) = (bound.function.clone(), bound.element.clone());
            return Err(Failure::OutsideTable { function, element, unit, at, range: bound.range });
        }
    }
    Ok(())
}

#[cold]
fn wrong_length(system: &System, found: [usize; 3]) -> Failure {
    let (coords, dofs) = (system.names.coordinates.len(), system.names.speeds.len());
    let expected = [coords, dofs, dofs];
    let k = (0..3).find(|k| expected[*k] != found[*k]).unwrap_or(0);
    Failure::WrongLength { what: ["q", "v", "tau"][k], expected: expected[k], found: found[k] }
}

impl System {
    /// The first control that is not a finite number at a time, where functions of the model are the controls.
    #[cold]
    pub fn control_not_finite(&self, t: f64) -> Option<Failure> {
        let numbers = &self.numbers;
        let values = numbers.controls.iter().map(|function| numbers.functions[*function as usize].eval(t)[0]);
        let (name, value) = self.names.controls.iter().zip(values).find(|(_, value)| !value.is_finite())?;
        Some(Failure::ControlNotFinite { control: name.column(), t, value })
    }
}

/// Names the first entry of a state that is not finite.
#[cold]
pub(crate) fn check_finite(system: &System, input: &Input) -> Result<(), Failure> {
    let names = &system.names;
    for (list, names) in [(input.q, &names.coordinates), (input.v, &names.speeds), (input.tau, &names.speeds)] {
        if let Some(k) = list.iter().position(|x| !x.is_finite()) {
            return Err(Failure::StateNotFinite { name: names[k].name.clone() });
        }
    }
    if let Some(k) = input.inside.z.iter().position(|x| !x.is_finite()) {
        return Err(Failure::StateNotFinite { name: names.states[k].column() });
    }
    Ok(())
}
