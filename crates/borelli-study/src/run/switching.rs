//! Conditional points of paths that come and go in a run: events of their own, and the energy that they bring.
//! Not here: what a switch does at one state (`force::Switches` of the engine), locating it (`integrate::events`).
//! In: located zeros. Out: occurrences, energies for the audit, a line of the health block.

use super::{HealthLine, Occurrence};
use borelli_dynamics::System;
use borelli_dynamics::force::{Jump, Switches};

/// Switches along a run.
pub(super) struct Switching<'s> {
    system: &'s System,
    switches: Switches,
    /// How many there were, with the largest jump of a length, m, and when.
    count: usize,
    largest: (f64, String, f64),
    /// Energy that they brought, J.
    energy: f64,
}

impl<'s> Switching<'s> {
    pub(super) fn new(system: &'s System) -> Switching<'s> {
        Switching { system, switches: Switches::new(system), count: 0, largest: (0.0, String::new(), 0.0), energy: 0.0 }
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

    /// What is noted of a located switch.
    pub(super) fn occurrence(&self, k: usize, t: f64, comes: bool) -> Occurrence {
        Occurrence { t, name: self.switches.name(self.system, k, comes), rising: comes, action: "switch".into() }
    }

    /// The energy that a switch at this state brings, J.
    pub(super) fn energy_at(&mut self, k: usize, comes: bool, t: f64, q: &[f64], v: &[f64], z: &[f64]) -> f64 {
        let Jump { length, energy } = self.switches.jump(self.system, k, comes, t, q, v, z);
        self.count += 1;
        self.energy += energy;
        if length.abs() > self.largest.0 {
            self.largest = (length.abs(), self.switches.name(self.system, k, comes), t);
        }
        energy
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
