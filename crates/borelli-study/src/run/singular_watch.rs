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
//! Rows that follow from others where a stretch begins are taken to do so everywhere, as in a linkage with a bar too many, until one of them is seen
//! to be needed.

use super::HealthLine;
use super::health::figure;
use borelli_dynamics::System;
use borelli_dynamics::constraint::RowControl;
use borelli_dynamics::formulation::Formulation;
use borelli_dynamics::formulation::articulated::Articulated;
use borelli_dynamics::integrate::{Settings, Step};
use borelli_dynamics::memory::Hold;
use borelli_dynamics::movement::Layout;

/// A row that has less of its greatest strength is looked at within steps.
const NEAR: f64 = 0.25;
/// Strength below which a position is passed: a hundredth of a radian in most mechanisms.
const PASSED: f64 = 1e-4;
/// Strength below which rows fade out, so that nothing but the speed leads to the other side.
const FADING: f64 = 1e-6;
/// Part of the greatest kinetic energy below which speed decides nothing: so many times the tolerance, within these bounds.
const SLOW: f64 = 1e2;
const SLOWEST: [f64; 2] = [1e-8, 1e-3];
/// Part of the greatest kinetic energy that a regular passage never loses.
const JUMP: f64 = 0.1;
/// Part of a step beside its ends at which it is seen whether rows become weaker into it, and parts that its weakest place is found to.
const BESIDE: f64 = 1e-3;
const TRIALS: usize = 24;

/// A position near a singular one.
#[derive(Clone, Copy, Debug)]
struct Place {
    t: f64,
    row: usize,
    strength: f64,
    /// Kinetic energy there, J.
    kinetic: f64,
}

/// Where a run has lost its way, and why.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    /// The loop or guide: `loop.NAME`.
    pub element: String,
    /// For people.
    pub reason: String,
}

/// A passage that has just ended: between the last state before it and this one energy must be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    place: Place,
    /// Greatest kinetic energy so far, J.
    kinetic: f64,
}

/// The watch over a run.
pub(super) struct SingularWatch<'s> {
    system: &'s System,
    layout: Layout,
    /// Nothing without rows.
    view: Option<Box<Articulated>>,
    /// Which rows hold.
    held: Vec<Hold>,
    /// Part of the greatest kinetic energy below which speed decides nothing.
    slow: f64,
    /// Drift control under which positions are not made to meet their rows: errors of a passage stay.
    loose: Option<&'static str>,
    /// Whether the run was found to have lost its way.
    lost: bool,
    strength: Vec<f64>,
    /// Greatest strength of each row so far; zero for rows that have always followed from others.
    most: Vec<f64>,
    y: Vec<f64>,
    /// Where this stretch began, until rows that followed from others there are needed.
    began: Option<Place>,
    /// The end of the last step.
    last: Option<Place>,
    /// Whether rows became weaker with the last step.
    weakening: bool,
    /// The last end of a step far from singular positions.
    pub before: (f64, Vec<f64>),
    /// The weakest place of the passage that goes on.
    passing: Option<Place>,
    /// Greatest kinetic energy, J.
    kinetic: f64,
    /// The weakest place of the run, and how many passages there were.
    weakest: Option<Place>,
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
            view: (rows > 0).then(|| Box::new(Articulated::new(system))),
            held: Vec::new(),
            slow,
            loose,
            lost: false,
            strength: vec![0.0; rows],
            most: vec![0.0; rows],
            y: vec![0.0; layout.dim()],
            began: None,
            last: None,
            weakening: true,
            before: (f64::NAN, Vec::new()),
            passing: None,
            kinetic: 0.0,
            weakest: None,
            passages: 0,
        }
    }

    /// Which rows hold from now on: what was known of them is forgotten.
    pub(super) fn set_row_control(&mut self, control: &RowControl) {
        if let Some(view) = self.view.as_mut().filter(|_| self.most.iter().all(|most| *most == 0.0) || self.held != control.memory.rows) {
            view.set_row_control(control);
            self.held.clone_from(&control.memory.rows);
            self.most.fill(0.0);
            (self.began, self.last, self.weakening, self.passing) = (None, None, true, None);
        }
    }

    /// The weakest of the rows that do not always follow from others, as a part of the greatest strength it had.
    fn look(&mut self, t: f64, y: &[f64]) -> Option<Place> {
        let SingularWatch { system, layout, view, strength, most, .. } = self;
        let view = view.as_mut()?;
        if !view.fill_row_strength(system, t, layout.q(y), layout.v(y), strength) {
            return None;
        }
        let part = |row: usize| strength[row] / most[row];
        let row = (0..strength.len()).filter(|row| most[*row] > 0.0).min_by(|a, b| part(*a).total_cmp(&part(*b)));
        let speed = view.row_distance(system).speed;
        Some(Place { t, row: row.unwrap_or(usize::MAX), strength: row.map_or(1.0, |row| strength[row]), kinetic: 0.5 * speed * speed })
    }

    fn part(&self, place: &Place) -> f64 {
        self.most.get(place.row).map_or(1.0, |most| place.strength / most)
    }

    /// The state where a stretch begins.
    fn begin(&mut self, t: f64, y: &[f64]) {
        let Some(place) = self.look(t, y) else { return };
        for (most, strength) in self.most.iter_mut().zip(&self.strength) {
            *most = if Articulated::is_dependent(*strength) { 0.0 } else { *strength };
        }
        self.kinetic = self.kinetic.max(place.kinetic);
        self.began = Some(Place { strength: 0.0, ..place });
        self.last = self.look(t, y);
        self.before = (t, y.to_vec());
        self.passing = self.last.filter(|place| place.strength < PASSED);
    }

    /// Notes a kept step; a passage that has ended with it.
    pub(super) fn note(&mut self, step: &Step) -> Option<Passage> {
        self.view.as_ref()?;
        if self.last.is_none() {
            let mut y = std::mem::take(&mut self.y);
            step.interpolant.eval(step.t0, &mut y);
            self.begin(step.t0, &y);
            self.y = y;
        }
        let (last, now) = (self.last?, self.look(step.t1, step.y)?);
        self.kinetic = self.kinetic.max(now.kinetic);
        // A row that followed from others at the beginning and is needed now: it began in a singular position.
        let woken = (0..self.most.len()).find(|row| self.most[*row] == 0.0 && self.strength[*row] > PASSED);
        for (most, strength) in self.most.iter_mut().zip(&self.strength) {
            if *most > 0.0 || *strength > PASSED {
                *most = most.max(*strength);
            }
        }
        let began = woken.and_then(|row| self.began.take().map(|place| Place { row, ..place }));
        let parts = [self.part(&last), self.part(&now)];
        let near = parts[0].min(parts[1]) < NEAR;
        let inside = if near && self.weakening { self.weakest_within(step, parts) } else { None };
        (self.last, self.weakening) = (Some(now), parts[1] < parts[0]);
        for place in began.into_iter().chain(inside).chain([now]) {
            if place.strength < PASSED && self.passing.is_none_or(|known| place.strength < known.strength) {
                self.passing = Some(place);
            }
            if self.weakest.is_none_or(|known| place.strength < known.strength) {
                self.weakest = Some(place);
            }
        }
        if now.strength < PASSED {
            return None;
        }
        let Some(place) = self.passing.take() else {
            if self.part(&now) >= NEAR {
                self.before.0 = step.t1;
                self.before.1.copy_from_slice(step.y);
            }
            return None;
        };
        self.passages += 1;
        Some(Passage { place, kinetic: self.kinetic })
    }

    /// The weakest place inside a step into which rows become weaker from both ends, where they have these parts of their strength, by the golden section.
    fn weakest_within(&mut self, step: &Step, ends: [f64; 2]) -> Option<Place> {
        let (mut a, mut b) = (step.t0, step.t1);
        let width = b - a;
        let mut y = std::mem::take(&mut self.y);
        let mut at = |watch: &mut Self, t: f64| {
            step.interpolant.eval(t, &mut y);
            watch.look(t, &y)
        };
        let beside = [a + BESIDE * width, b - BESIDE * width].map(|t| at(self, t).map_or(f64::NAN, |place| self.part(&place)));
        let mut weakest = None;
        if beside[0] < ends[0] && beside[1] < ends[1] {
            let golden = 0.5 * (5.0f64.sqrt() - 1.0);
            let (mut c, mut d) = (b - golden * (b - a), a + golden * (b - a));
            let (mut of_c, mut of_d) = (at(self, c), at(self, d));
            for _ in 0..TRIALS {
                let part = |place: &Option<Place>| place.as_ref().map_or(f64::NAN, |place| self.part(place));
                if part(&of_c) < part(&of_d) {
                    (b, d, of_d) = (d, c, of_c);
                    c = b - golden * (b - a);
                    of_c = at(self, c);
                } else {
                    (a, c, of_c) = (c, d, of_d);
                    d = a + golden * (b - a);
                    of_d = at(self, d);
                }
            }
            weakest = of_c;
        }
        self.y = y;
        weakest
    }

    fn element(&self, place: &Place) -> String {
        self.system.names.rows.get(place.row).map_or("loop".into(), |row| row.element())
    }

    /// Why the motion is not determined from a passage on, if it is not; `jump` is how far the balance of energy moved, J.
    pub(super) fn judge(&mut self, passage: &Passage, jump: Option<f64>) -> Option<Lost> {
        let Passage { place, kinetic } = *passage;
        let (element, at) = (self.element(&place), figure(place.t));
        let why = if place.strength < FADING && place.kinetic <= self.slow * kinetic {
            format!(
                "it has next to no speed there (kinetic energy {:.1e} J, of {:.1e} J at most), so that nothing decides on which branch the mechanism goes on\n  \
                 hint: start beside the position or with a speed, hold one branch by a guide or a spring, or end the run before",
                place.kinetic, kinetic
            )
        } else if jump.is_some_and(|jump| !(jump.abs() <= JUMP * kinetic)) {
            format!(
                "the energy jumps by {:.1e} J there (kinetic energy at most {:.1e} J), so that the motion has come to another branch\n  \
                 hint: a smaller tolerance (`rtol`, `atol`) or step; if that does not help, end the run before",
                jump.unwrap_or_default().abs(),
                kinetic
            )
        } else if let Some(drift) = self.loose.filter(|_| place.strength < FADING) {
            format!(
                "with the drift control `{drift}` positions are not made to meet loops, so that errors of the passage may lead to another branch\n  \
                 hint: leave `drift.control` out, or say \"projection\""
            )
        } else {
            return None;
        };
        self.lost = true;
        let reason = format!("`{element}` is in a singular position at t = {at} s: {why}");
        Some(Lost { element, reason })
    }

    /// What is worth telling.
    pub(super) fn line(&self) -> Option<HealthLine> {
        let place = self.weakest.filter(|place| place.row != usize::MAX)?;
        let (element, at) = (self.element(&place), figure(place.t));
        let weakest =
            format!("`{element}` came nearest to following from other rows at t = {at} s, where they left {:.1e} of it", place.strength);
        Some(match self.passages {
            _ if self.lost => return None,
            0 => HealthLine::counted(
                "weakest_row",
                "weakest condition of loops and guides",
                (place.strength, "1"),
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

    /// A passage as tests want it, with kinetic energies there and at most.
    #[cfg(test)]
    pub(super) fn passage(&self, t: f64, row: usize, strength: f64, [there, most]: [f64; 2]) -> Passage {
        Passage { place: Place { t, row, strength, kinetic: there }, kinetic: most }
    }
}
