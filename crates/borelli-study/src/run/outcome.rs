//! What a run leaves: samples, events, scalars, health, how it was computed, and where it ended.
//! Not here: how it was found (one file per analysis), files and folders.

use crate::fit::FitRecord;
use crate::pressure::PressureMap;
use crate::soft_record::SoftRecord;
use crate::uncertainty::UncertaintyRecord;
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

/// What a check says of the result, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The result is wrong.
    Bad,
    /// The result may be wrong: look closer.
    Look,
    /// Nothing to worry about.
    Good,
    /// A number that is not judged.
    None,
}

impl Verdict {
    /// All of them, the worst first.
    pub const ALL: [Verdict; 4] = [Verdict::Bad, Verdict::Look, Verdict::Good, Verdict::None];

    /// Good where a condition holds; else the reader should look closer.
    pub fn good_if(holds: bool) -> Verdict {
        if holds { Verdict::Good } else { Verdict::Look }
    }

    /// One word for machines.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Bad => "bad",
            Verdict::Look => "look",
            Verdict::Good => "good",
            Verdict::None => "none",
        }
    }

    /// The verdict that a word stands for.
    pub fn of_word(word: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|verdict| verdict.word() == word)
    }

    /// Whether the reader must be warned.
    pub fn warns(self) -> bool {
        self <= Verdict::Look
    }
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
    /// What it says of the result.
    pub verdict: Verdict,
    /// The value as a part of what it is judged by, where that is a number of the run itself.
    pub part: Option<f64>,
    /// What was found, what is allowed, and what to do about it, for people.
    pub text: String,
}

/// Lines without a limit that are told at the end of a run.
const TOLD: [&str; 2] = ["stiffness", "singular_passages"];

/// What a check says in words.
#[derive(Clone, Debug)]
pub struct CheckWords<'w> {
    /// What was found.
    pub found: String,
    /// The limit.
    pub allowed: &'w str,
    /// What to do where the limit is passed.
    pub advice: &'w str,
}

impl HealthLine {
    /// A check with a limit. What to do is said only where there is something to do.
    pub fn judged(key: &'static str, label: &str, (value, unit): (f64, &str), verdict: Verdict, words: CheckWords) -> HealthLine {
        let CheckWords { found, allowed, advice } = words;
        let advice = if verdict.warns() { format!(" What to do: {advice}.") } else { String::new() };
        let text = format!("{found}. Allowed: {allowed}.{advice}");
        HealthLine { key, label: label.into(), value: Some(value), unit: unit.into(), verdict, part: None, text }
    }

    /// Whether it is told at the end of a run: what warns, and what the program found and decided by itself.
    pub fn is_told(&self) -> bool {
        self.verdict.warns() || TOLD.contains(&self.key)
    }

    /// A number without a limit.
    pub fn counted(key: &'static str, label: &str, (value, unit): (f64, &str), text: String) -> HealthLine {
        HealthLine { key, label: label.into(), value: Some(value), unit: unit.into(), verdict: Verdict::None, part: None, text }
    }
}

/// An event that happened where a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Its name.
    pub name: String,
    /// Whether its formula rose through zero.
    pub rising: bool,
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
    /// Events that happened at this time: a run that goes on from here does not count them again.
    pub events: Vec<Passed>,
    /// What an implicit scheme had at the end of its last step, with its name; nothing after events and for other methods.
    pub carried: Option<(String, Carried)>,
    /// The method that a run without one in its plan ended with: another one that goes on from here goes on with it.
    pub integrator: Option<String>,
}

/// A finished run, well or badly.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Samples; derived columns last.
    pub trajectory: Trajectory,
    /// Maps of pressure mats.
    pub pressure: Vec<PressureMap>,
    /// Soft parts at some instants; empty where the model has none.
    pub soft: SoftRecord,
    /// Events in order of time.
    pub events: Vec<Occurrence>,
    /// How it ended.
    pub status: Status,
    /// Numbers of the whole run.
    pub scalars: Vec<Scalar>,
    /// Health block.
    pub health: Vec<HealthLine>,
    /// Which samples can be judged: their motion and loads are known well. Empty: all of them.
    pub judged: Vec<bool>,
    /// How it was computed: key and value for people and machines (`integrator`, `rtol`, `why this integrator`).
    pub settings: Vec<(String, String)>,
    /// What the integrator did.
    pub statistics: Statistics,
    /// Where it ended; nothing for analyses without a state that moves.
    pub end: Option<EndState>,
    /// What a fit found; nothing for other analyses.
    pub fit: Option<Box<FitRecord>>,
    /// How uncertain it is; nothing for other analyses.
    pub uncertainty: Option<Box<UncertaintyRecord>>,
}
