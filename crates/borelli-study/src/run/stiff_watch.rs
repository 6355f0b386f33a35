//! Whether what is stiff keeps the steps of an explicit method short: watched while a run goes, answered by another method where the plan allows.
//! Not here: which element it is (`System::stiffness_at`), methods and how they are exchanged (`engine`).
//! In: accepted steps. Out: when, how fast and which element; a line of the health block.
//!
//! `dopri5` is stable up to h|λ| = 3.3 where motion is damped and 0.94 where it swings, and tells h|λ| of each step (`Step::strain`). What accuracy
//! wants to see it follows in steps below one; where stability chooses, steps go up and down between a third and six, about two. Fifteen steps above
//! one and a half, with never six others in a row between them, have seen whatever is damped that fast decay by more than 1e-9: they are reason to
//! look at the slopes of the motion. If their spectral radius and the length of those steps say the same, and an element or contact makes most of it,
//! the motion is stiff.
//!
//! Source: Hairer, Wanner, Solving ODEs II, section IV.2, with a lower limit: there steps that were rejected in between hide what goes on.

use super::HealthLine;
use super::health::figure;
use borelli_dynamics::integrate::{Flow, Observer, Step};
use borelli_dynamics::movement::Layout;
use borelli_dynamics::stiffness::{Judged, Stiff};
use borelli_dynamics::{Memory, System};

/// h|λ| from which on a step counts as one that stability chose.
const LIMIT: f64 = 1.5;
/// So many of them are reason to look.
const MANY: usize = 15;
/// So many others in a row, and what was counted is forgotten.
const CALM: usize = 6;
/// Least spectral radius times mean length of the counted steps: slopes that say less do not confirm what steps say.
const CONFIRMED: f64 = 1.2;

/// What is done about a stiff motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The run goes on with this method.
    Switch(&'static str),
    /// The method was asked for: it is told what would be better.
    Tell,
    /// Slopes of the motion are not known, so that no method for stiff motion can be used.
    Helpless,
}

/// A motion that was found to be stiff.
#[derive(Clone, Debug)]
pub(super) struct StiffFrom {
    /// When, s.
    pub t: f64,
    /// Mean length of the steps by then, s.
    pub step: f64,
    /// The element and the rate; none where slopes are not known.
    pub stiff: Option<Stiff>,
}

/// The watch over a run.
pub(super) struct StiffWatch {
    answer: Answer,
    /// Steps that stability chose, and their length together, s.
    strained: usize,
    length: f64,
    /// Others since the last of them.
    calm: usize,
    /// How many are reason to look; doubled where slopes did not confirm it.
    patience: usize,
    found: Option<StiffFrom>,
}

impl StiffWatch {
    pub(super) fn new(answer: Answer) -> StiffWatch {
        StiffWatch { answer, strained: 0, length: 0.0, calm: 0, patience: MANY, found: None }
    }

    /// What was found, if the motion is stiff from some time on.
    pub(super) fn found(&self) -> Option<&StiffFrom> {
        self.found.as_ref()
    }

    /// The method to go on with, if that was found.
    pub(super) fn next(&self) -> Option<&'static str> {
        match self.answer {
            Answer::Switch(method) => self.found.as_ref().map(|_| method),
            Answer::Tell | Answer::Helpless => None,
        }
    }

    /// Counts a step; true where there is reason to look.
    fn count(&mut self, strain: f64, length: f64) -> bool {
        if strain > LIMIT {
            (self.strained, self.length, self.calm) = (self.strained + 1, self.length + length, 0);
            return self.strained >= self.patience;
        }
        self.calm += 1;
        if self.calm >= CALM {
            (self.strained, self.length) = (0, 0.0);
        }
        false
    }

    /// Notes a step that is kept. True where it shows, for the first time, that the motion is stiff.
    fn note(&mut self, system: &System, layout: Layout, memory: &Memory, step: &Step) -> bool {
        let Some(strain) = step.strain.filter(|_| self.found.is_none()) else { return false };
        if !self.count(strain, step.t1 - step.t0) {
            return false;
        }
        let mean = self.length / self.strained as f64;
        let at = Judged { t: step.t1, q: layout.q(step.y), v: layout.v(step.y), z: layout.z(step.y), memory };
        let stiff = match self.answer {
            Answer::Helpless => None,
            _ => system.stiffness_at(&at, CONFIRMED / mean).unwrap_or_default(),
        };
        if stiff.is_none() && self.answer != Answer::Helpless {
            // Not again at the next step: looking costs more than a step.
            (self.strained, self.length, self.patience) = (0, 0.0, 2 * self.patience);
            return false;
        }
        self.found = Some(StiffFrom { t: step.t1, step: mean, stiff });
        true
    }

    /// What is worth telling.
    pub(super) fn line(&self, method: &str) -> Option<HealthLine> {
        let StiffFrom { t, step, stiff } = self.found.as_ref()?;
        let what = match stiff {
            Some(Stiff { element, .. }) => format!("`{element}` is stiff from t = {} s on", figure(*t)),
            None => format!("The motion is stiff from t = {} s on", figure(*t)),
        };
        let short = format!("{what}: not accuracy but stability kept the steps of `{method}` at {step:.1e} s");
        let text = match self.answer {
            Answer::Switch(next) => format!("{short}. From there the run went on with `{next}`. No limit."),
            Answer::Tell => format!("{short}. `rosenbrock`, or no `method` at all, would need fewer. No limit."),
            Answer::Helpless => format!("{short}. Methods for stiff motion need slopes, which `mixed` has not. No limit."),
        };
        let rate = stiff.as_ref().map_or(LIMIT / step, |stiff| stiff.rate);
        Some(HealthLine::counted("stiffness", "stiff motion", (rate, "1/s"), text))
    }
}

/// An observer that keeps the watch and hands steps to another.
pub(super) struct Watching<'a> {
    pub watch: &'a mut StiffWatch,
    pub system: &'a System,
    pub layout: Layout,
    pub memory: &'a Memory,
    pub inner: &'a mut dyn Observer,
    /// Whether this stretch ended to go on with another method.
    pub ended: bool,
}

impl Observer for Watching<'_> {
    fn step(&mut self, step: &Step) -> Flow {
        let flow = self.inner.step(step);
        let news = self.watch.note(self.system, self.layout, self.memory, step);
        self.ended = news && flow == Flow::Continue && self.watch.next().is_some();
        if self.ended { Flow::StopAt(step.t1) } else { flow }
    }
}
