//! What a run leaves: samples, events, scalars, health, how it was computed, and where it ended.
//! Not here: how it was found (one file per analysis), files and folders.

use crate::pressure::PressureMap;
use borelli_data::Trajectory;
use borelli_dynamics::Memory;
use borelli_dynamics::integrate::{Carried, Statistics};

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// As planned.
    Completed,
    /// By an event with the action `stop`.
    Stopped {
        /// Name of the event.
        event: String,
        /// Time, s.
        t: f64,
    },
    /// By the user.
    Interrupted {
        /// Time, s.
        t: f64,
    },
    /// By a numerical failure.
    Failed {
        /// Time of the last good state, s.
        t: f64,
        /// The coordinate, joint, row or function to blame, as `coord.knee.rate` or `joint.knee`; empty where none is.
        element: String,
        /// Why, with a hint.
        reason: String,
    },
}

impl Status {
    /// One word for machines.
    pub fn word(&self) -> &'static str {
        match self {
            Status::Completed => "completed",
            Status::Stopped { .. } => "stopped",
            Status::Interrupted { .. } => "interrupted",
            Status::Failed { .. } => "failed",
        }
    }

    /// True unless the run failed or was interrupted.
    pub fn is_good(&self) -> bool {
        matches!(self, Status::Completed | Status::Stopped { .. })
    }
}

/// One number of a whole run: `run.evaluations`, `event.landing.time`, `shoot.initial.speeds.stance`.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// Name.
    pub name: String,
    /// Value, SI.
    pub value: f64,
    /// SI unit; `1` for a pure number.
    pub unit: String,
}

/// One located event.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// Time, s.
    pub t: f64,
    /// Name of the event.
    pub name: String,
    /// Whether the formula rose through zero.
    pub rising: bool,
    /// What was done: `note`, `stop`, `release loop.pin`, `engage loop.pin`.
    pub action: String,
}

/// One line of the health block.
#[derive(Clone, Debug, PartialEq)]
pub struct HealthLine {
    /// Key for machines: `energy_balance`.
    pub key: &'static str,
    /// What it is, for people.
    pub label: String,
    /// Value, SI; nothing where it does not apply.
    pub value: Option<f64>,
    /// SI unit.
    pub unit: String,
    /// Nothing to worry about; nothing where no verdict is given.
    pub good: Option<bool>,
    /// What the value means.
    pub text: String,
}

/// Where a run ended: enough to go on from. Methods start afresh there; implicit schemes go on with what they carried, where a step ended and the same scheme goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct EndState {
    /// Time, s.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// States of force elements.
    pub z: Vec<f64>,
    /// Work of force elements and contacts, of given efforts and of rows so far, then that lost in each pair of surfaces, J.
    pub work: Vec<f64>,
    /// Which rows have been let go and where the others are held, and how each pair of surfaces touches.
    pub memory: Memory,
    /// What an implicit scheme had at the end of its last step, with its name; nothing after events and for other methods.
    pub carried: Option<(String, Carried)>,
}

/// A finished run, well or badly.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Samples; derived columns last.
    pub trajectory: Trajectory,
    /// Maps of pressure mats.
    pub pressure: Vec<PressureMap>,
    /// Events in order of time.
    pub events: Vec<Occurrence>,
    /// How it ended.
    pub status: Status,
    /// Numbers of the whole run.
    pub scalars: Vec<Scalar>,
    /// Health block.
    pub health: Vec<HealthLine>,
    /// How it was computed: key and value for people and machines (`integrator`, `rtol`, `why this integrator`).
    pub settings: Vec<(String, String)>,
    /// What the integrator did.
    pub statistics: Statistics,
    /// Where it ended; nothing for analyses without a state that moves.
    pub end: Option<EndState>,
}
