//! Which degrees of freedom may move: locks, ranges, and what the markers say nothing about.
//! Not here: when a range is met; the search decides by the slope.
//! In: a `System`. Out: rules by degree of freedom.

use crate::system::{Motion, System};

/// Whether a degree of freedom takes part in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It does.
    Free,
    /// It does not by order.
    Locked,
    /// It does not, for markers, tasks and loops do not determine it.
    Unobserved,
    /// It does not, for it is at an end of its range and drawn beyond it.
    AtBound,
}

/// What is known of a degree of freedom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Freedom {
    /// Index into q; of a ball the entry that a turn about this axis changes most.
    pub coord: usize,
    /// The coordinate changes by what the degree of freedom moves; false for balls.
    pub plain: bool,
    /// Ends of the range, infinite where there is none.
    pub lower: f64,
    /// See `lower`.
    pub upper: f64,
    /// By order of the model.
    pub locked: bool,
    /// A whole turn changes nothing.
    pub periodic: bool,
    /// An angle.
    pub turns: bool,
}

impl Freedom {
    pub(super) fn bounded(&self) -> bool {
        self.lower > f64::NEG_INFINITY || self.upper < f64::INFINITY
    }
}

/// Rules of all degrees of freedom.
pub(super) fn freedoms(system: &System) -> Vec<Freedom> {
    let mut list = Vec::with_capacity(system.skeleton.dofs());
    for motion in &system.skeleton.motions {
        let (coord, count, turns, periodic) = match *motion {
            Motion::Turn { coord, .. } => (coord as usize, 1, true, true),
            Motion::Slide { coord, .. } => (coord as usize, 1, false, false),
            Motion::Function { coord, .. } => (coord as usize, 1, true, false),
            Motion::Ball { coord, .. } => (coord as usize + 1, 3, true, false),
            Motion::Fixed { .. } => continue,
        };
        for k in 0..count {
            let plain = count == 1;
            let rule = system.coordinates[coord + k];
            let (lower, upper) = rule.range.filter(|_| rule.clamp && plain).unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
            list.push(Freedom { coord: coord + k, plain, lower, upper, locked: rule.lock, periodic, turns });
        }
    }
    list
}
