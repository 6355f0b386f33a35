//! Events of a run: formulas over channels whose zeros are located, and what they do.
//! Not here: locating (`integrate::events`).
//! In: rules of a plan; pairs of surfaces. Out: occurrences; rows let go and held; speeds of first touch remembered.
//!
//! An event that lets rows go is watched while they are held, one that holds them while they are not. So a difference of speeds that is zero up to rounding while
//! the parts are coupled does not couple them again and again. Right after rows were let go their speeds are still equal up to rounding, and the sign of their
//! difference means nothing: an event that holds them and stands at zero when it begins to be watched has to leave before it can arrive. The same holds for an event
//! that ended the run which this one goes on from: it has been counted there, and a correction of the state may have put it back before zero.

use super::health::figure;
use super::holding::{self, TooFast};
use super::switching::Switching;
use super::touches::Touches;
use super::{HealthLine, Occurrence, Passed, Scalar, Status};
use crate::channels::Channels;
use crate::columns::{Look, Source};
use crate::plan::{Action, Plan};
use crate::plan_fault::PlanFault;
use borelli_dynamics::integrate::{Direction, EventFunctions, Found, Located, Rule};
use borelli_dynamics::movement::Layout;
use borelli_dynamics::system::Measure;
use borelli_dynamics::{Memory, System};
use borelli_math::function::{Formula, Sense};
use borelli_model::{Dim, Findings};

/// One event of a plan, read.
struct Event {
    name: String,
    formula: Formula,
    action: Action,
    /// Rows that it lets go or holds.
    rows: Vec<usize>,
    /// Whether there is anything for it to do.
    watched: bool,
    /// How it stands at zero, where it did so when it began to be watched.
    standing: Option<Standing>,
    /// Where the run ended that this one goes on from, it happened, rising or not.
    passed: Option<bool>,
}

/// An event that stands at zero has to leave before it can arrive.
struct Standing {
    /// Up to which value of the formula, either way.
    near: f64,
    /// The sign on the far side, where the event has passed zero already: there it has left.
    beyond: Option<f64>,
    /// First time at which it was seen to have left; a later one than that of the state where steps are tried and cut short.
    left: f64,
}

impl Standing {
    fn new(near: f64, beyond: Option<f64>) -> Standing {
        Standing { near, beyond, left: f64::INFINITY }
    }

    /// Whether the event still stands at zero at a time with this value.
    fn holds(&mut self, t: f64, value: f64) -> bool {
        let near = value.abs() <= self.near && self.beyond.is_none_or(|sign| value * sign <= 0.0);
        if !near {
            self.left = self.left.min(t);
        }
        t < self.left
    }
}

/// Value of a formula that is zero but for rounding and drift, SI: a micrometre, a microsecond, a micrometre per second.
const NEAR_ZERO: f64 = 1e-6;

/// The events of a plan, and the channels they look at.
pub(super) struct Events<'s> {
    system: &'s System,
    channels: Channels<'s>,
    /// Where the parts of a state without audit integrals lie: all but the last.
    unaudited: Layout,
    list: Vec<Event>,
    rules: Vec<Rule>,
    /// State of the last look, so that several events look once.
    seen: Vec<f64>,
    seen_at: f64,
    /// Whether the last look found a state that can be evaluated.
    good: bool,
    /// Memory for what a scheme found.
    vdot: Vec<f64>,
    row_force: Vec<f64>,
    /// Touchdown and lift-off, watched after the events of the plan.
    touches: Touches<'s>,
    /// Conditional points of paths, watched last.
    switching: Switching<'s>,
    /// What happened.
    pub occurrences: Vec<Occurrence>,
}

impl<'s> Events<'s> {
    /// Reads the events of a plan; faults are reported.
    pub(super) fn new(system: &'s System, mut channels: Channels<'s>, plan: &Plan, findings: &mut Findings) -> Events<'s> {
        let (mut list, mut rules) = (Vec::new(), Vec::new());
        for wanted in &plan.events {
            let element = format!("event.{}", wanted.name);
            let crossing = match channels.crossing(&wanted.when) {
                Ok(crossing) => crossing,
                Err(fault) => {
                    findings.push(wanted.at, element, "when", &fault);
                    continue;
                }
            };
            let direction = match crossing.sense {
                Sense::Either => wanted.direction,
                Sense::Rising => Direction::Rising,
                Sense::Falling => Direction::Falling,
            };
            let target = match &wanted.action {
                Action::Note | Action::Stop => None,
                Action::Release(target) => Some(("release", target)),
                Action::Engage { target, .. } => Some(("engage", target)),
            };
            let mut rows = Vec::new();
            if let Some((field, target)) = target {
                rows = rows_of(system, target);
                if rows.is_empty() {
                    // The plan knows where the field stands; `wanted.at` is the place of the formula.
                    findings.push(None, element, field, &unknown_row(system, target, field));
                    continue;
                }
                if let Action::Engage { dim: Some(found), .. } = wanted.action
                    && let Some(expected) = other_rate(system, &rows, found)
                {
                    findings.push(None, element, "tolerance", &PlanFault::EngageUnit { target: target.clone(), found, expected });
                    continue;
                }
            }
            channels.ask_of(&crossing.formula);
            rules.push(Rule { direction, terminal: wanted.action != Action::Note });
            list.push(Event {
                name: wanted.name.clone(),
                formula: crossing.formula,
                action: wanted.action.clone(),
                rows,
                watched: false,
                standing: None,
                passed: None,
            });
        }
        let touches = Touches::new(system);
        // A long step over a short touch would else go on as if nothing had happened, whatever the law.
        let switching = Switching::new(system);
        rules.extend((0..touches.count() + switching.count()).map(|_| Rule { direction: Direction::Any, terminal: true }));
        Events {
            touches,
            switching,
            system,
            channels,
            unaudited: Layout::new(system, false),
            list,
            rules,
            seen: Vec::new(),
            seen_at: f64::NAN,
            good: false,
            vdot: vec![0.0; system.skeleton.dofs()],
            row_force: vec![0.0; system.names.rows.len()],
            occurrences: Vec::new(),
        }
    }

    /// Names of all events: those of the plan, of pairs of surfaces, of conditional points.
    pub(super) fn names(&self) -> Vec<String> {
        let own = self.list.iter().map(|event| event.name.clone());
        let pairs = self.system.names.pairs.iter();
        let touches = pairs.flat_map(|pair| [true, false].map(|rising| touch_name(pair, rising)));
        own.chain(touches).chain(self.switching.names()).collect()
    }

    /// Numbers of what laws remember: how many speeds of first touch were written.
    pub(super) fn scalars(&self) -> Vec<Scalar> {
        if !self.system.parts.contacts.any_remembers() {
            return Vec::new();
        }
        vec![Scalar { name: "run.remembered_touchdowns".into(), value: self.touches.written as f64, unit: "1".into() }]
    }

    /// How they are watched.
    pub(super) fn rules(&self) -> Vec<Rule> {
        self.rules.clone()
    }

    /// The channels.
    pub(super) fn channels(&mut self) -> &mut Channels<'s> {
        &mut self.channels
    }

    /// Watches from now on the events that have something to do.
    pub(super) fn watch(&mut self, memory: &Memory) {
        for event in &mut self.list {
            let (watched, near) = match event.action {
                Action::Note | Action::Stop => (true, None),
                Action::Release(_) => (event.rows.iter().any(|row| !memory.is_released(*row)), None),
                Action::Engage { tolerance, .. } => (event.rows.iter().any(|row| memory.is_released(*row)), Some(tolerance.min(NEAR_ZERO))),
            };
            // Known where the run begins only.
            let passed = event.passed.take().map(|rising| Standing::new(NEAR_ZERO, Some(if rising { 1.0 } else { -1.0 })));
            if watched && !event.watched {
                event.standing = near.map(|near| Standing::new(near, None)).or(passed);
            }
            event.watched = watched;
        }
    }

    /// Begins a run: which pairs of surfaces touch already, and which of them would need to know how fast they came together. `passed`: the events that happened
    /// where another run ended, if this one goes on from there.
    pub(super) fn begin(&mut self, t: f64, y: &[f64], memory: &mut Memory, passed: Option<&[Passed]>) -> Vec<String> {
        for event in &mut self.list {
            event.passed = passed.iter().flat_map(|list| list.iter()).find(|own| own.name == event.name).map(|own| own.rising);
        }
        let unknown = self.touches.begin(t, y, &memory.touch, passed.is_some());
        self.settle_touches(t, y, memory);
        self.switching.begin(self.unaudited.q(y), memory);
        let passing = self.switching.act(std::iter::empty(), t, [self.unaudited.q(y), self.unaudited.v(y), self.unaudited.z(y)], memory);
        // A path without a place ends the run with its first sample.
        self.occurrences.extend(passing.into_iter().flatten());
        unknown.into_iter().map(|pair| self.system.names.pairs[pair].clone()).collect()
    }

    /// Notes the pairs that touch down or lift off with those that were located, and remembers all of them.
    fn settle_touches(&mut self, t: f64, y: &[f64], memory: &mut Memory) {
        for (pair, rising) in self.touches.in_passing(t, y) {
            self.note_touch(pair, t, rising);
        }
        memory.touch.copy_from_slice(self.touches.remembered(t, y));
    }

    /// Notes touchdown or lift-off of a pair, unless it is known.
    fn note_touch(&mut self, pair: usize, t: f64, rising: bool) {
        if !self.touches.change(pair, rising) {
            return;
        }
        let name = touch_name(&self.system.names.pairs[pair], rising);
        let action = if self.system.numbers.contacts.remembers(pair) { "remember" } else { "note" }.to_string();
        self.occurrences.push(Occurrence { t, name, rising, action });
    }

    /// Which conditional point an event function belongs to, if it does.
    fn switch_of(&self, event: usize) -> Option<usize> {
        event.checked_sub(self.list.len() + self.touches.count())
    }

    /// The energy that conditional points have brought since the last time this was asked, J.
    pub(super) fn switched_energy(&mut self) -> f64 {
        self.switching.take_energy()
    }

    /// What is worth telling of conditional points.
    pub(super) fn switching_line(&self) -> Option<HealthLine> {
        self.switching.line()
    }

    /// Does what the events at the end of a stretch ask for: lets rows go and holds them. The name of an event that ends the run; the end of a run whose rows
    /// cannot be held, or whose paths have no place.
    pub(super) fn act(&mut self, located: &[Located], t: f64, y: &[f64], memory: &mut Memory) -> Result<Option<String>, Status> {
        self.seen_at = f64::NAN;
        let (q, v) = (self.unaudited.q(y), self.unaudited.v(y));
        let mut stop = None;
        self.settle_touches(t, y, memory);
        let first = self.list.len() + self.touches.count();
        let switched = located.iter().filter(|located| located.t == t && located.event >= first);
        let switched = switched.map(|located| (located.event - first, located.rising));
        let passing = self.switching.act(switched, t, [q, v, self.unaudited.z(y)], memory)?;
        self.occurrences.extend(passing);
        for event in located
            .iter()
            .filter(|located| located.event < self.list.len())
            .filter(|located| located.t == t)
            .map(|located| &self.list[located.event])
        {
            match event.action {
                Action::Note => {}
                Action::Stop => stop = stop.or_else(|| Some(event.name.clone())),
                Action::Release(_) => holding::release(memory, &event.rows),
                Action::Engage { tolerance, .. } => {
                    let held = holding::engage(self.system, memory, &event.rows, tolerance, t, q, v);
                    held.map_err(|fast| impact(self.system, &event.name, fast, tolerance, t))?;
                }
            }
        }
        Ok(stop)
    }
}

/// In which unit rates of rows are, if none of the rows has one of a dimension. Of rows that measure lengths and angles 1 rad counts as 1 m.
fn other_rate(system: &System, rows: &[usize], found: Dim) -> Option<&'static str> {
    let any = |angle: bool| rows.iter().any(|row| (system.names.rows[*row].measure == Measure::Angle) == angle);
    let (units, expected) = match (any(false), any(true)) {
        (true, true) => (&["m/s", "rad/s"][..], "m/s or rad/s"),
        (false, true) => (&["rad/s"][..], "rad/s"),
        _ => (&["m/s"][..], "m/s"),
    };
    let fits = units.iter().any(|unit| found.fits(Dim::of(unit)));
    (!fits).then_some(expected)
}

/// The end of a run at a row that is too fast to be held.
fn impact(system: &System, event: &str, fast: TooFast, limit: f64, t: f64) -> Status {
    let row = &system.names.rows[fast.row];
    let unit = if row.measure == Measure::Angle { "rad/s" } else { "m/s" };
    let (element, rate) = (row.path(), figure(fast.rate));
    let reason = format!(
        "event `{event}` cannot hold `{element}`: it moves at {rate} {unit}, and holding what is faster than {limit:e} {unit} is an impact, of which there is no model\n  \
         hint: put the event where the speeds are equal (their difference as `when`), or bring the parts to rest before it"
    );
    Status::Failed { t, element, reason }
}

impl EventFunctions for Events<'_> {
    fn choose(&mut self, count: usize, ends: [(f64, &[f64]); 2], list: &mut Vec<usize>) {
        let own = self.list.len();
        list.extend(0..own);
        list.extend(self.touches.choose(ends).iter().map(|pair| own + *pair as usize));
        list.extend(own + self.touches.count()..count);
    }

    fn look(&mut self, t: f64, y: &[f64]) {
        self.touches.look(t, y);
    }

    fn value(&mut self, event: usize, t: f64, y: &[f64], found: Option<&Found>) -> f64 {
        if let Some(switch) = self.switch_of(event) {
            return self.switching.switches().side(switch, self.unaudited.q(y));
        }
        if event >= self.list.len() {
            return self.touches.side(event - self.list.len());
        }
        if !self.list[event].watched {
            return f64::NAN;
        }
        if self.seen_at != t || self.seen != y {
            self.seen.clear();
            self.seen.extend_from_slice(y);
            self.seen_at = t;
            let layout = Layout::new(self.system, y.len() > self.unaudited.dim());
            // As the columns are recorded: accelerations and multipliers are the scheme's own where it has them.
            let source = match found {
                None => Source::Forward,
                Some(found) => {
                    found.eval(t, &mut self.vdot, &mut self.row_force);
                    Source::Given { vdot: &self.vdot, row_force: &self.row_force }
                }
            };
            self.good =
                self.channels.look(Look { t, q: layout.q(y), v: layout.v(y), z: layout.z(y), source, work: layout.work(y) }).is_ok();
        }
        if !self.good {
            return f64::NAN;
        }
        let event = &mut self.list[event];
        let value = event.formula.eval(self.channels.values());
        if event.standing.as_mut().is_some_and(|standing| standing.holds(t, value)) { 0.0 } else { value }
    }

    fn rate(&mut self, event: usize, _t: f64, y: &[f64]) -> Option<f64> {
        if let Some(switch) = self.switch_of(event) {
            return self.switching.switches().rate(switch, self.unaudited.v(y));
        }
        event.checked_sub(self.list.len()).map(|pair| self.touches.of(pair).1)
    }

    fn located(&mut self, located: &Located, _y: &[f64]) {
        if let Some(switch) = self.switch_of(located.event) {
            return self.occurrences.extend(self.switching.occurrence(switch, located.t, located.rising));
        }
        let Some(event) = self.list.get(located.event) else {
            return self.note_touch(located.event - self.list.len(), located.t, located.rising);
        };
        let action = match &event.action {
            Action::Note => "note".to_string(),
            Action::Stop => "stop".to_string(),
            Action::Release(target) => format!("release {target}"),
            Action::Engage { target, .. } => format!("engage {target}"),
        };
        self.occurrences.push(Occurrence { t: located.t, name: event.name.clone(), rising: located.rising, action });
    }
}

/// Name of the event of a pair of surfaces.
fn touch_name(pair: &str, rising: bool) -> String {
    format!("contact.{pair}.{}", if rising { "touchdown" } else { "liftoff" })
}

/// Rows of `loop.NAME` or `guide.NAME`.
pub(super) fn rows_of(system: &System, target: &str) -> Vec<usize> {
    (0..system.names.rows.len()).filter(|row| system.names.rows[*row].element() == target).collect()
}

/// A name that is no loop or guide of the system.
pub(super) fn unknown_row(system: &System, found: &str, action: &'static str) -> PlanFault {
    let mut known: Vec<String> = system.names.rows.iter().map(|row| row.element()).collect();
    known.dedup();
    PlanFault::UnknownRow { found: found.into(), action, known }
}
