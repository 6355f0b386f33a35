//! Conditional points of paths that come and go in a run: events of their own, and the energy that they bring.
//! Not here: what a switch does at one state (`force::Switches` of the engine), locating it (`integrate::events`).
//! In: located zeros. Out: which points are there from then on, occurrences, energies for the audit, a line of the health block.
//!
//! Several ends of ranges may be passed at one instant, of which one is located; the others stand at zero up to rounding, on either side of it. A
//! stretch that began with a coordinate on the side that it is not remembered on would never see it pass: so wherever a stretch ends, every end is
//! held against the state (`in_passing`), as pairs of surfaces are.

use super::simulate::blamed;
use super::{HealthLine, Occurrence, Status};
use borelli_dynamics::force::{Jump, Switches};
use borelli_dynamics::formulation::Failure;
use borelli_dynamics::{Memory, System};

/// Distance from the end of a range, rad or m, up to which what another run remembered counts, and not on which side of it the coordinate is.
const NEAR: f64 = 1e-6;

/// Word for what a switch does in the list of occurrences.
pub(super) const SWITCH: &str = "switch";

/// Switches along a run.
pub(super) struct Switching<'s> {
    system: &'s System,
    switches: Switches,
    /// For both ends of each range, whether the coordinate is on the side of the range, as events know it.
    within: Vec<bool>,
    /// Ends that were passed, and whose coordinate has not been seen on the new side since.
    settling: Vec<bool>,
    /// How many there were, with the largest jump of a length, m, and when.
    count: usize,
    largest: (f64, String, f64),
    /// Energy that they brought, J, and the part of it that nobody has taken over yet.
    energy: f64,
    new: f64,
}

impl<'s> Switching<'s> {
    pub(super) fn new(system: &'s System) -> Switching<'s> {
        let switches = Switches::new(system);
        let (within, settling) = (vec![true; switches.count()], vec![false; switches.count()]);
        Switching { system, switches, within, settling, count: 0, largest: (0.0, String::new(), 0.0), energy: 0.0, new: 0.0 }
    }

    /// How many functions there are.
    pub(super) fn count(&self) -> usize {
        self.switches.count()
    }

    /// Names of all events.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        let both = |k: usize| [true, false].map(|comes| self.switches.name(self.system, k, comes));
        // Both ends of a range have one name for coming and one for going.
        (0..self.count()).step_by(2).flat_map(both)
    }

    /// The functions of the engine.
    pub(super) fn switches(&self) -> &Switches {
        &self.switches
    }

    /// Begins a run: which points are there. On an end of a range the coordinate does not tell whether the run that this one goes on from has
    /// counted it; what its memory knows does.
    pub(super) fn begin(&mut self, q: &[f64], memory: &mut Memory) {
        let known = memory.points.len() == self.count() / 2;
        for point in 0..self.count() / 2 {
            let ends = [2 * point, 2 * point + 1];
            let sides = ends.map(|end| self.switches.side(end, q));
            let near = sides.map(|side| known && side.abs() <= NEAR);
            let mut within = sides.map(|side| side > 0.0);
            if near[0] || near[1] {
                let there = memory.points[point];
                // Only at the nearer end there is doubt; the other one is as the coordinate says.
                let end = usize::from(!near[0] || near[1] && sides[1].abs() < sides[0].abs());
                within[end] = there;
                self.settling[ends[end]] = true;
            }
            (self.within[ends[0]], self.within[ends[1]]) = (within[0], within[1]);
        }
        memory.points.resize(self.count() / 2, false);
        self.fill(memory);
    }

    /// Which points are there, as the ends of their ranges say.
    fn fill(&self, memory: &mut Memory) {
        memory.points.iter_mut().zip(self.within.chunks_exact(2)).for_each(|(there, ends)| *there = ends[0] && ends[1]);
    }

    /// What is noted of a located switch; nothing where it is known, as where rounding leaves a coordinate before the end that it has passed.
    pub(super) fn occurrence(&self, k: usize, t: f64, comes: bool) -> Option<Occurrence> {
        let name = || self.switches.name(self.system, k, comes);
        (self.within[k] != comes).then(|| Occurrence { t, name: name(), rising: comes, action: SWITCH.into() })
    }

    /// Lets points come or go where they were located at a state, and those that pass with them; what is to be noted of the latter, or the end of a
    /// run whose path has no place with them.
    pub(super) fn act(
        &mut self,
        located: impl Iterator<Item = (usize, bool)>,
        t: f64,
        [q, v, z]: [&[f64]; 3],
        memory: &mut Memory,
    ) -> Result<Vec<Occurrence>, Status> {
        let mut changed: Vec<(usize, bool)> = located.filter(|(k, comes)| self.change(*k, *comes)).collect();
        let mut noted = Vec::new();
        for (k, comes) in self.in_passing(q, v) {
            noted.extend(self.occurrence(k, t, comes));
            self.change(k, comes);
            changed.push((k, comes));
        }
        let Some((k, comes)) = changed.last().copied() else { return Ok(noted) };
        let before = memory.points.clone();
        self.fill(memory);
        let jump = self.switches.jump(self.system, [&before, &memory.points], t, q, v, z);
        let Jump { length, energy, .. } = jump.map_err(|lost| {
            let failure = Failure::of_path(self.system, lost);
            let reason =
                format!("with the conditional point that switches here, `{}`, {failure}", self.switches.name(self.system, k, comes));
            Status::Failed { t, element: blamed(&failure), reason }
        })?;
        self.energy += energy;
        self.new += energy;
        if length.abs() > self.largest.0 {
            self.largest = (length.abs(), self.switches.name(self.system, k, comes), t);
        }
        Ok(noted)
    }

    /// Remembers that an end was passed; false where that is known already.
    fn change(&mut self, k: usize, comes: bool) -> bool {
        let news = std::mem::replace(&mut self.within[k], comes) != comes;
        self.settling[k] |= news;
        self.count += usize::from(news);
        news
    }

    /// Ends whose coordinate is not on the side that it is remembered on. One that was just passed may stand before it by rounding, or by what a
    /// correction of the state makes, if it goes on.
    fn in_passing(&mut self, q: &[f64], v: &[f64]) -> Vec<(usize, bool)> {
        let mut list = Vec::new();
        for k in 0..self.count() {
            let sign = if self.within[k] { 1.0 } else { -1.0 };
            let beyond = sign * self.switches.side(k, q) < 0.0;
            let returns = self.switches.rate(k, v).is_none_or(|rate| sign * rate > 0.0);
            if beyond && self.settling[k] && returns {
                continue;
            }
            self.settling[k] = false;
            if beyond {
                list.push((k, !self.within[k]));
            }
        }
        list
    }

    /// The energy that switches have brought since the last time this was asked, J.
    pub(super) fn take_energy(&mut self) -> f64 {
        std::mem::take(&mut self.new)
    }

    /// A line of the health block; none without conditional points.
    pub(super) fn line(&self) -> Option<HealthLine> {
        if self.switches.count() == 0 {
            return None;
        }
        let text = match self.count {
            0 => "No conditional point of a path came or went. No limit.".to_string(),
            count => {
                let (jump, name, t) = &self.largest;
                format!(
                    "Energy that {count} switches of conditional points brought into what paths store; the largest jump of a length is {:.3} mm, `{name}` at {t:.4} s. \
                     A wrap does the same without a jump. No limit.",
                    1e3 * jump
                )
            }
        };
        Some(HealthLine::counted("switched_energy", "energy of conditional points", (self.energy, "J"), text))
    }
}
