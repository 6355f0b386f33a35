//! Passages of loops and guides through singular positions: where, how near, and whether the motion itself decides how it goes on.
//! Not here: how near a position is (`Articulated::fill_row_strength`), what formulations do there (`row_system`).
//! In: kept steps. Out: a line of the health block; why a run cannot be believed from a passage on.
//!
//! In a singular position a row follows from the others, and several branches of the motion meet. The speed decides on which of them a mechanism goes
//! on. Where it has none to speak of, less than methods err by, nothing does: a start from rest in such a position, or an arrival that just fails to
//! pass. Such a run ends when it has left the position, and so does one whose energy jumps there, as it does when a step lands on another branch and
//! the velocity is made to fit. Where positions are not made to meet their rows, errors of a passage stay and decide what comes after it: such runs
//! end there as well.
//!
//! What is left of a row is the square of the sine of an angle, which passes zero at a steady rate where a mechanism passes a singular position. This
//! rate, along the velocity at the weakest place, is the speed that decides. It is held against what the same angle had on the way in and out, since
//! the row was last far from following: what else moves, or how fast the row moved before, does not count.
//!
//! Rows that follow from others where a stretch begins are taken to do so everywhere, as in a linkage with a bar too many, until one of them is seen
//! to be needed.

use super::health::figure;
use super::{HealthLine, Verdict};
use borelli_dynamics::System;
use borelli_dynamics::constraint::RowControl;
use borelli_dynamics::formulation::Formulation;
use borelli_dynamics::formulation::articulated::Articulated;
use borelli_dynamics::integrate::{Settings, Step};
use borelli_dynamics::mechanism::Mechanisms;
use borelli_dynamics::memory::Hold;
use borelli_dynamics::movement::Layout;
use borelli_dynamics::retract::retract;

/// A row that has less of its greatest strength is looked at within steps, and is near to following from others.
const NEAR: f64 = 0.25;
/// Strength below which a position is passed: a hundredth of a radian in most mechanisms.
const PASSED: f64 = 1e-4;
/// Strength below which rows fade out, so that nothing but the speed leads to the other side.
const FADING: f64 = 1e-6;
/// Square of the part of the rate beside a passage below which speed decides nothing: so many times the tolerance, within these bounds.
const SLOW: f64 = 1e2;
const SLOWEST: [f64; 2] = [1e-7, 1e-3];
/// Change of an angle over which its rate is seen.
const SEEN: f64 = 1e-3;
/// Part of a mechanism's kinetic energy that a regular passage never loses.
const JUMP: f64 = 0.1;
/// Part of a step beside its ends at which it is seen whether rows become weaker into it, and trials in which its weakest place is found.
const BESIDE: f64 = 1e-3;
const TRIALS: usize = 24;

/// A state near a singular position.
#[derive(Clone, Debug)]
struct Place {
    t: f64,
    strength: f64,
    y: Vec<f64>,
}

/// What is known of a row.
#[derive(Clone, Debug)]
struct Row {
    /// Greatest strength so far; zero for a row that has always followed from others.
    most: f64,
    /// Strength at the end of the last step, and whether it became less with it.
    last: f64,
    weakening: bool,
    /// Change of its angle over the last step by the length of it, rad/s.
    speed: f64,
    /// Time and angle from which its rate is seen next.
    reference: (f64, f64),
    /// Greatest rate of its angle since it was last far from following, rad/s.
    rate: f64,
    /// The weakest place of the passage that goes on.
    passing: Option<Place>,
    /// Where it was first seen, if it followed from others there.
    start: Option<Place>,
}

impl Row {
    const UNKNOWN: Row =
        Row { most: 0.0, last: 0.0, weakening: true, speed: 0.0, reference: (f64::NAN, 0.0), rate: 0.0, passing: None, start: None };

    /// Whether it was looked at since it was last let go or held.
    fn is_known(&self) -> bool {
        !self.reference.0.is_nan()
    }

    /// Strength as a part of the greatest so far.
    fn part(&self, strength: f64) -> f64 {
        strength / self.most
    }

    /// Takes a place for the weakest of a passage, if it is.
    fn pass(&mut self, t: f64, strength: f64, y: &[f64]) {
        match &mut self.passing {
            Some(known) if known.strength <= strength => {}
            Some(known) => {
                (known.t, known.strength) = (t, strength);
                known.y.copy_from_slice(y);
            }
            none => *none = (strength < PASSED).then(|| Place { t, strength, y: y.to_vec() }),
        }
    }
}

/// Where a run has lost its way, and why.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    /// The loop or guide: `loop.NAME`.
    pub element: String,
    /// For people.
    pub reason: String,
}

/// A passage of one row that has just ended: between the last state before it and this one energy must be kept.
#[derive(Clone, Debug)]
struct Passage {
    row: usize,
    place: Place,
    /// Greatest rate of the angle on its way, rad/s.
    rate: f64,
}

/// The watch over a run.
pub(super) struct SingularWatch<'s> {
    system: &'s System,
    layout: Layout,
    mechanisms: Mechanisms,
    /// Nothing without rows.
    view: Option<Box<Articulated>>,
    /// Which rows hold.
    held: Vec<Hold>,
    /// Square of the part of the rate beside a passage below which speed decides nothing.
    slow: f64,
    /// Drift control under which positions are not made to meet their rows: errors of a passage stay.
    loose: Option<&'static str>,
    /// Whether the run was found to have lost its way.
    lost: bool,
    rows: Vec<Row>,
    /// Strengths at the state that was looked at last, and at the end of the step.
    strength: Vec<f64>,
    now: Vec<f64>,
    y: Vec<f64>,
    /// Where the run began, and whether that was in or beside a singular position.
    start: Option<f64>,
    began_there: bool,
    /// Whether this stretch has begun.
    began: bool,
    /// The last end of a step at which no row was near to following from others.
    pub before: (f64, Vec<f64>),
    /// Passages that ended with the last step.
    ended: Vec<Passage>,
    /// Greatest kinetic energy of the whole model, J.
    kinetic: f64,
    /// Row, time and strength of the weakest place of the run, and how many passages there were, those of one mechanism at one time counted once.
    weakest: Option<(usize, f64, f64)>,
    passages: usize,
}

impl<'s> SingularWatch<'s> {
    pub(super) fn new(
        system: &'s System,
        layout: Layout,
        settings: &Settings,
        adaptive: bool,
        loose: Option<&'static str>,
    ) -> SingularWatch<'s> {
        let rows = system.names.rows.len();
        let slow = if adaptive { (SLOW * settings.rtol).clamp(SLOWEST[0], SLOWEST[1]) } else { SLOWEST[1] };
        SingularWatch {
            system,
            layout,
            mechanisms: Mechanisms::new(system),
            view: (rows > 0).then(|| Box::new(Articulated::new(system))),
            held: Vec::new(),
            slow,
            loose,
            lost: false,
            rows: vec![Row::UNKNOWN; rows],
            strength: vec![0.0; rows],
            now: vec![0.0; rows],
            y: vec![0.0; layout.dim()],
            start: None,
            began_there: false,
            began: false,
            before: (f64::NAN, Vec::new()),
            ended: Vec::new(),
            kinetic: 0.0,
            weakest: None,
            passages: 0,
        }
    }

    /// Which rows hold from now on: what was known of the rows of a mechanism is forgotten where some of them are let go or held. A passage of another
    /// mechanism that is under way goes on.
    pub(super) fn set_row_control(&mut self, control: &RowControl) {
        let Some(view) = self.view.as_mut().filter(|_| !self.began || self.held != control.memory.rows) else { return };
        view.set_row_control(control);
        for r in (0..self.rows.len()).filter(|r| self.held.get(*r) != control.memory.rows.get(*r)) {
            for other in (0..self.rows.len()).filter(|other| self.mechanisms.of_row(*other) == self.mechanisms.of_row(r)) {
                self.rows[other] = Row::UNKNOWN;
            }
        }
        self.held.clone_from(&control.memory.rows);
        self.began = false;
    }

    /// Finds what is left of each row at a state; false where it cannot be looked at.
    fn look(&mut self, t: f64, y: &[f64]) -> bool {
        let SingularWatch { system, layout, view, strength, .. } = self;
        view.as_mut().is_some_and(|view| view.fill_row_strength(system, t, layout.q(y), layout.v(y), strength))
    }

    /// Kinetic energy at the state that was looked at, J: of the whole model, or of the mechanism of a row.
    fn kinetic(&self, row: Option<usize>) -> f64 {
        let counts = |body: usize| row.is_none_or(|row| self.mechanisms.of_body(body) == self.mechanisms.of_row(row));
        self.view.as_ref().map_or(0.0, |view| view.kinetic_energy(self.system, counts))
    }

    /// The state where a stretch begins.
    fn begin(&mut self, t: f64, y: &[f64]) -> bool {
        if !self.look(t, y) {
            return false;
        }
        self.kinetic = self.kinetic.max(self.kinetic(None));
        self.start.get_or_insert(t);
        for (row, strength) in self.rows.iter_mut().zip(&self.strength).filter(|(row, _)| !row.is_known()) {
            let most = if Articulated::is_dependent(*strength) { 0.0 } else { *strength };
            *row = Row { most, last: *strength, reference: (t, strength.sqrt()), ..Row::UNKNOWN };
            if most > 0.0 {
                row.pass(t, *strength, y);
            } else {
                row.start = Some(Place { t, strength: 0.0, y: y.to_vec() });
            }
        }
        self.began = true;
        self.before = (t, y.to_vec());
        true
    }

    /// Notes a kept step; true where passages have ended with it, to be judged.
    pub(super) fn note(&mut self, step: &Step) -> bool {
        self.ended.clear();
        if self.view.is_none() {
            return false;
        }
        if !self.began {
            let mut y = std::mem::take(&mut self.y);
            step.interpolant.eval(step.t0, &mut y);
            let begun = self.begin(step.t0, &y);
            self.y = y;
            if !begun {
                return false;
            }
        }
        if !self.look(step.t1, step.y) {
            return false;
        }
        self.kinetic = self.kinetic.max(self.kinetic(None));
        let mut now = std::mem::take(&mut self.now);
        now.copy_from_slice(&self.strength);
        for (row, strength) in self.rows.iter_mut().zip(&now) {
            // A row that followed from others at the beginning and is needed now: it began in a singular position.
            if row.most == 0.0 && *strength > PASSED {
                row.passing = row.start.take();
            }
            if row.most > 0.0 || *strength > PASSED {
                row.most = row.most.max(*strength);
            }
        }
        self.pass_within(step, &now);
        let mut all_far = true;
        for (r, strength) in now.iter().copied().enumerate() {
            let row = &mut self.rows[r];
            row.speed = (strength.sqrt() - row.last.sqrt()).abs() / (step.t1 - step.t0);
            (row.weakening, row.last) = (strength < row.last, strength);
            if row.most == 0.0 {
                continue;
            }
            row.pass(step.t1, strength, step.y);
            let weakest = row.passing.as_ref().map_or((step.t1, strength), |place| (place.t, place.strength));
            if self.weakest.is_none_or(|(_, _, known)| weakest.1 < known) {
                self.weakest = Some((r, weakest.0, weakest.1));
            }
            let angle = strength.sqrt();
            let change = (angle - row.reference.1).abs();
            let far = row.part(strength) >= NEAR;
            if change >= SEEN {
                row.rate = row.rate.max(change / (step.t1 - row.reference.0));
            }
            if change >= SEEN || far {
                row.reference = (step.t1, angle);
            }
            if strength >= PASSED {
                let rate = row.rate;
                let passage = row.passing.take().map(|place| Passage { row: r, place, rate });
                if passage.is_some() {
                    // What comes now is on the way to another passage.
                    row.rate = row.speed;
                }
                self.ended.extend(passage);
            }
            if far {
                row.rate = 0.0;
            }
            all_far &= far;
        }
        self.now = now;
        self.count_passages();
        if self.ended.is_empty() && all_far {
            self.before.0 = step.t1;
            self.before.1.copy_from_slice(step.y);
        }
        !self.ended.is_empty()
    }

    /// Counts mechanisms with rows that have just passed and none that still do.
    fn count_passages(&mut self) {
        let mechanism = |row: usize| self.mechanisms.of_row(row);
        for (k, passage) in self.ended.iter().enumerate() {
            let own = mechanism(passage.row);
            let again = self.ended[..k].iter().any(|other| mechanism(other.row) == own);
            let others = (0..self.rows.len()).any(|row| self.rows[row].passing.is_some() && mechanism(row) == own);
            // Where the run starts it passes nothing.
            let at_start = self.start == Some(passage.place.t);
            self.began_there |= at_start;
            self.passages += usize::from(!again && !others && !at_start);
        }
    }

    /// Finds what is left of each row inside a step, at the state that is then in `y`.
    fn look_inside(&mut self, step: &Step, t: f64) {
        let mut y = std::mem::take(&mut self.y);
        step.interpolant.eval(t, &mut y);
        if !self.look(t, &y) {
            self.strength.fill(f64::NAN);
        }
        self.y = y;
    }

    /// Finds the weakest places inside a step of the rows that become weaker into it from both ends.
    fn pass_within(&mut self, step: &Step, now: &[f64]) {
        let width = step.t1 - step.t0;
        // So near, or so fast that a step may lead from one side to the other.
        let near = |row: &Row, now: f64| row.part(row.last.min(now)) < NEAR || row.speed * width > row.last.sqrt();
        let near = |row: &Row, now: f64| row.most > 0.0 && row.weakening && near(row, now);
        let mut open: Vec<usize> = (0..now.len()).filter(|r| near(&self.rows[*r], now[*r])).collect();
        if open.is_empty() {
            return;
        }
        self.look_inside(step, step.t0 + BESIDE * width);
        open.retain(|r| self.strength[*r] < self.rows[*r].last);
        self.look_inside(step, step.t1 - BESIDE * width);
        open.retain(|r| self.strength[*r] < now[*r]);
        while let Some(first) = open.first().copied() {
            let t = place_of_least([step.t0, step.t1], |t| {
                self.look_inside(step, t);
                self.strength[first]
            });
            self.look_inside(step, t);
            let SingularWatch { rows, strength, y, .. } = self;
            // Rows that fade out together pass together.
            open.retain(|r| {
                let passes = *r == first || strength[*r] < FADING;
                if passes && strength[*r].is_finite() {
                    let row = &mut rows[*r];
                    let change = row.last.sqrt() + now[*r].sqrt() - 2.0 * strength[*r].sqrt();
                    row.rate = row.rate.max(change / width);
                    row.pass(t, strength[*r], y);
                }
                !passes
            });
        }
    }

    fn element(&self, row: usize) -> String {
        self.system.names.rows.get(row).map_or("loop".into(), |row| row.element())
    }

    /// Rate of the angle of a row along the velocity at a place, rad/s, seen over a small part of the way that it goes at this rate in a second.
    fn rate_at(&mut self, row: usize, place: &Place, rate: f64) -> f64 {
        let layout = self.layout;
        let angle = |watch: &mut Self, time: f64| {
            let mut y = place.y.clone();
            let step: Vec<f64> = layout.v(&y).iter().map(|v| time * v).collect();
            retract(&watch.system.skeleton, &mut y[..layout.coords], &step);
            if watch.look(place.t, &y) { watch.strength[row].sqrt() } else { f64::NAN }
        };
        let time = SEEN / rate;
        let there = angle(self, 0.0);
        let change = [-time, time].map(|time| (angle(self, time) - there).abs());
        change[0].max(change[1]) / time
    }

    /// Why the motion is not determined from the passages on that have just ended at a state, if it is not; `jump` is how far the balance of energy moved in them, J.
    pub(super) fn judge(&mut self, t: f64, y: &[f64], jump: Option<f64>) -> Option<Lost> {
        let ended = std::mem::take(&mut self.ended);
        let lost = ended.iter().find_map(|passage| self.judge_one(passage, (t, y), jump));
        self.lost |= lost.is_some();
        lost
    }

    fn judge_one(&mut self, passage: &Passage, now: (f64, &[f64]), jump: Option<f64>) -> Option<Lost> {
        let Passage { row, place, rate } = passage;
        let (element, at) = (self.element(*row), figure(place.t));
        let fades = place.strength < FADING;
        let there = if fades && *rate > 0.0 { self.rate_at(*row, place, *rate) } else { 0.0 };
        let slow = self.slow.sqrt() * rate;
        let why = if fades && !(there > slow) {
            format!(
                "it passes with next to no speed ({there:.1e} rad/s, {rate:.1e} rad/s on its way there and on; more than {slow:.1e} would be needed), so that \
                 nothing decides on which branch the mechanism goes on\n  \
                 hint: start beside the position or with a speed, hold one branch by a guide or a spring, or end the run before"
            )
        } else if let Some((jump, kinetic)) = jump.map(|jump| (jump, self.kinetic_around(*row, place, now)))
            && !(jump.abs() <= JUMP * kinetic + self.slow * self.kinetic)
        {
            format!(
                "the energy jumps by {:.1e} J there (kinetic energy {kinetic:.1e} J), so that the motion has come to another branch\n  \
                 hint: a smaller tolerance (`rtol`, `atol`) or step; if that does not help, end the run before",
                jump.abs()
            )
        } else if let Some(drift) = self.loose.filter(|_| fades) {
            format!(
                "with the drift control `{drift}` positions are not made to meet loops, so that errors of the passage may lead to another branch\n  \
                 hint: leave `drift.control` out, or say \"projection\""
            )
        } else {
            return None;
        };
        let reason = format!("`{element}` is in a singular position at t = {at} s: {why}");
        Some(Lost { element, reason })
    }

    /// A passage as tests want it: at a place, with the rate of the angle on its way.
    #[cfg(test)]
    pub(super) fn has_passed(&mut self, row: usize, (t, strength, y): (f64, f64, &[f64]), rate: f64) {
        self.before = (t, y.to_vec());
        self.ended.push(Passage { row, place: Place { t, strength, y: y.to_vec() }, rate });
    }

    /// Greatest kinetic energy of the mechanism of a row before, in and after a passage, J.
    fn kinetic_around(&mut self, row: usize, place: &Place, now: (f64, &[f64])) -> f64 {
        let (before, y) = std::mem::take(&mut self.before);
        let mut most = 0.0f64;
        for (t, y) in [(before, &y[..]), (place.t, &place.y), now] {
            if self.look(t, y) {
                most = most.max(self.kinetic(Some(row)));
            }
        }
        self.before = (before, y);
        most
    }

    /// What is worth telling.
    pub(super) fn line(&self) -> Option<HealthLine> {
        let leaves = |row: &Row| row.start.is_some() && !Articulated::is_dependent(row.last);
        let fades = |row: &Row| row.passing.as_ref().is_some_and(|place| place.strength < FADING);
        let under_way = self.rows.iter().position(|row| fades(row) || leaves(row));
        let (row, t, strength) = self.weakest.or(under_way.map(|row| (row, self.start.unwrap_or(f64::NAN), 0.0)))?;
        let (element, at) = (self.element(row), figure(t));
        let weakest = format!("`{element}` came nearest to following from other rows at t = {at} s, where they left {strength:.1e} of it");
        Some(match self.passages {
            _ if self.lost => return None,
            passages if under_way.is_some() || self.began_there => {
                let told = match under_way {
                    Some(row) => format!(
                        "The run ends while `{}` is in or beside a singular position. If that was reached or left with next to no speed, nothing decides on which \
                         branch the mechanism goes on",
                        self.element(row)
                    ),
                    None => "The run begins in or beside a singular position: the speed that it is given there decides its branch".into(),
                };
                let text = format!("{told}. {passages} were passed. {weakest}.");
                HealthLine {
                    verdict: Verdict::Look,
                    ..HealthLine::counted("singular_passages", "singular positions passed", (passages as f64, "1"), text)
                }
            }
            0 => HealthLine::counted(
                "weakest_row",
                "weakest condition of loops and guides",
                (strength, "1"),
                format!("{weakest}. No limit."),
            ),
            passages => {
                let text = format!(
                    "Rows of loops or guides came to follow from others, and the motion went through with speed, which determines its branch. {weakest}. No limit."
                );
                HealthLine::counted("singular_passages", "singular positions passed", (passages as f64, "1"), text)
            }
        })
    }
}

/// Where a function is least between two places where it falls inwards, by the golden section.
fn place_of_least([mut a, mut b]: [f64; 2], mut of: impl FnMut(f64) -> f64) -> f64 {
    let golden = 0.5 * (5.0f64.sqrt() - 1.0);
    let (mut c, mut d) = (b - golden * (b - a), a + golden * (b - a));
    let (mut of_c, mut of_d) = (of(c), of(d));
    for _ in 0..TRIALS {
        if of_c < of_d {
            (b, d, of_d) = (d, c, of_c);
            c = b - golden * (b - a);
            of_c = of(c);
        } else {
            (a, c, of_c) = (c, d, of_d);
            d = a + golden * (b - a);
            of_d = of(d);
        }
    }
    c
}
