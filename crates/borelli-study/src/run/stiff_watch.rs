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
//! A method for stiff motion pays for steps that another one takes as well where nothing is stiff any more: after a touch, in a long flight. So while
//! it runs the fastest rate is followed (`RateMeter`), and where twenty steps in a row were all short beside it, such that `dopri5` would be stable
//! with some reserve, the run goes back. Two thresholds keep both methods from taking turns; each time it goes back, it waits twice as long.
//!
//! Source: Hairer, Wanner, Solving ODEs II, section IV.2, with a lower limit: there steps that were rejected in between hide what goes on; for the way
//! back Petzold, SIAM J. Sci. Stat. Comput. 4 (1983) 136-148.

use super::HealthLine;
use super::health::figure;
use borelli_dynamics::integrate::{Flow, Observer, Step};
use borelli_dynamics::movement::Layout;
use borelli_dynamics::rate_meter::RateMeter;
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
/// h|λ| below which an explicit method would take a step as well, and so many of them in a row that it takes over.
const EASY: f64 = 0.75;
const LONG: usize = 20;
/// Changes of the method that are told one by one.
const MOST_TOLD: usize = 6;

/// What is done about a stiff motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The run goes on with the second method, and with the first again where nothing is stiff any more.
    Switch([&'static str; 2]),
    /// The method was asked for: it is told what would be better.
    Tell,
    /// Slopes of the motion are not known, so that no method for stiff motion can be used.
    Helpless,
}

/// What was found on the way.
#[derive(Clone, Debug)]
pub(super) enum Turn {
    /// The motion is stiff from a time on.
    Stiff {
        /// When, s.
        t: f64,
        /// Mean length of the steps by then, s.
        step: f64,
        /// The element and the rate; none where slopes are not known.
        stiff: Option<Stiff>,
    },
    /// It is not stiff any more.
    Eased {
        /// When, s.
        t: f64,
        /// Fastest rate there, 1/s.
        rate: f64,
    },
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
    /// Steps in a row that an explicit method would take as well, and how many are enough; doubled each time.
    eased: usize,
    enough: usize,
    /// Follows the fastest rate while a method for stiff motion runs.
    meter: Option<Box<RateMeter>>,
    turns: Vec<Turn>,
}

impl StiffWatch {
    pub(super) fn new(answer: Answer) -> StiffWatch {
        StiffWatch { answer, strained: 0, length: 0.0, calm: 0, patience: MANY, eased: 0, enough: LONG, meter: None, turns: Vec::new() }
    }

    /// What was found, in the order of time.
    pub(super) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The method to go on with after a turn; none where that is not changed.
    pub(super) fn method_after(&self, turn: &Turn) -> Option<&'static str> {
        match (self.answer, turn) {
            (Answer::Switch([_, hard]), Turn::Stiff { .. }) => Some(hard),
            (Answer::Switch([easy, _]), Turn::Eased { .. }) => Some(easy),
            (Answer::Tell | Answer::Helpless, _) => None,
        }
    }

    /// What events have written counts from now on.
    pub(super) fn recall(&mut self, memory: &Memory) {
        // It was made for this system.
        let _ = self.meter.as_mut().map(|meter| meter.recall(memory));
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

    /// Notes a step of a method that is kept. True where it shows that the motion has become stiff, or is not so any more.
    fn note(&mut self, system: &System, layout: Layout, memory: &Memory, method: &str, step: &Step) -> bool {
        let known = self.turns.len();
        match (self.answer, step.strain) {
            (Answer::Switch([_, hard]), _) if method == hard => self.note_ease(system, memory, step),
            (Answer::Switch(_), Some(strain)) => self.note_strain(system, layout, memory, strain, step),
            (Answer::Tell | Answer::Helpless, Some(strain)) if known == 0 => self.note_strain(system, layout, memory, strain, step),
            _ => {}
        }
        self.turns.len() > known
    }

    fn note_strain(&mut self, system: &System, layout: Layout, memory: &Memory, strain: f64, step: &Step) {
        if !self.count(strain, step.t1 - step.t0) {
            return;
        }
        let mean = self.length / self.strained as f64;
        let at = Judged { t: step.t1, q: layout.q(step.y), v: layout.v(step.y), z: layout.z(step.y), memory };
        let stiff = match self.answer {
            Answer::Helpless => None,
            _ => system.stiffness_at(&at, CONFIRMED / mean).unwrap_or_default(),
        };
        (self.strained, self.length, self.calm) = (0, 0.0, 0);
        if stiff.is_none() && self.answer != Answer::Helpless {
            // Not again at the next step: looking costs more than a step.
            self.patience *= 2;
            return;
        }
        self.turns.push(Turn::Stiff { t: step.t1, step: mean, stiff });
    }

    fn note_ease(&mut self, system: &System, memory: &Memory, step: &Step) {
        if self.meter.is_none() {
            self.meter = RateMeter::new(system, memory.clone()).ok().map(Box::new);
        }
        let Some(meter) = &mut self.meter else { return };
        // Where the rate cannot be told nothing is known to be easy.
        let rate = meter.follow(system, step.t1, step.y).unwrap_or(f64::NAN);
        self.eased = if rate * (step.t1 - step.t0) < EASY { self.eased + 1 } else { 0 };
        if self.eased >= self.enough {
            (self.eased, self.enough, self.meter) = (0, 2 * self.enough, None);
            self.turns.push(Turn::Eased { t: step.t1, rate });
        }
    }

    /// What is worth telling of a run that began with a method.
    pub(super) fn line(&self, method: &str) -> Option<HealthLine> {
        let first = self.turns.first()?;
        let (what, rate) = match first {
            Turn::Stiff { t, step, stiff } => {
                let who = stiff.as_ref().map_or("The motion".into(), |stiff| format!("`{}`", stiff.element));
                let short = format!(
                    "{who} is stiff from t = {} s on: not accuracy but stability kept the steps of `{method}` at {step:.1e} s",
                    figure(*t)
                );
                (short, stiff.as_ref().map_or(LIMIT / step, |stiff| stiff.rate))
            }
            Turn::Eased { t, rate } => {
                let eased = format!(
                    "Nothing is stiff any more by t = {} s: steps of `{method}` were so short that `dopri5` is stable with them",
                    figure(*t)
                );
                (eased, *rate)
            }
        };
        let advice = match self.answer {
            Answer::Switch(_) => {
                let told = self.turns.iter().take(MOST_TOLD).enumerate().filter_map(|(k, turn)| {
                    let method = self.method_after(turn)?;
                    Some(if k == 0 {
                        format!("From there the run went on with `{method}`")
                    } else {
                        format!("from {} s on with `{method}`", figure(turn.time()))
                    })
                });
                let mut told = told.collect::<Vec<String>>().join(", ");
                if let Some(more) = self.turns.len().checked_sub(MOST_TOLD).filter(|more| *more > 0) {
                    told += &format!(", and so on {more} times more");
                }
                told
            }
            Answer::Tell => "`rosenbrock`, or no `method` at all, would need fewer".to_string(),
            Answer::Helpless => "Methods for stiff motion need slopes, which `mixed` has not".to_string(),
        };
        Some(HealthLine::counted("stiffness", "stiff motion", (rate, "1/s"), format!("{what}. {advice}. No limit.")))
    }
}

impl Turn {
    /// When, s.
    pub(super) fn time(&self) -> f64 {
        match self {
            Turn::Stiff { t, .. } | Turn::Eased { t, .. } => *t,
        }
    }
}

/// An observer that keeps the watch and hands steps to another.
pub(super) struct Watching<'a> {
    pub watch: &'a mut StiffWatch,
    pub system: &'a System,
    pub layout: Layout,
    pub memory: &'a Memory,
    /// The method that makes the steps.
    pub method: &'a str,
    pub inner: &'a mut dyn Observer,
    /// The method to go on with, and whether this stretch ended for that.
    pub next: Option<&'static str>,
    pub ended: bool,
}

impl Observer for Watching<'_> {
    fn step(&mut self, step: &Step) -> Flow {
        let flow = self.inner.step(step);
        // A step that an event cuts is made anew, and a state behind its end is none.
        if matches!(flow, Flow::StopAt(t) if t < step.t1) {
            return flow;
        }
        let news = self.watch.note(self.system, self.layout, self.memory, self.method, step);
        self.next = self.watch.turns().last().filter(|_| news).and_then(|turn| self.watch.method_after(turn));
        self.ended = self.next.is_some() && flow == Flow::Continue;
        if self.ended { Flow::StopAt(step.t1) } else { flow }
    }
}
