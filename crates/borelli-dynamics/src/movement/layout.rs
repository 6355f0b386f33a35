//! Where the parts of a state lie: the one place that knows their order.
//! Not here: what becomes of them.
//! In: a system. Out: ranges of y = (q, x, v, ẋ, z, w); without soft parts there are no x.

use super::audited;
use crate::system::System;
use std::ops::Range;

/// Lengths of the parts of a state y = (q, x, v, ẋ, z, w): coordinates, positions of the nodes of soft parts, the rates of both, states of elements, and
/// audit integrals where it carries them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Coordinates.
    pub coords: usize,
    /// Velocities.
    pub dofs: usize,
    /// Entries of x.
    pub soft: usize,
    /// States of elements.
    pub states: usize,
    /// Audit integrals.
    pub work: usize,
}

impl Layout {
    /// Of the states of a system, with or without audit integrals.
    pub fn new(system: &System, audit: bool) -> Layout {
        Layout {
            coords: system.skeleton.coords(),
            dofs: system.skeleton.dofs(),
            soft: 0,
            states: system.numbers.states.len(),
            work: if audit { audited(system) } else { 0 },
        }
    }

    /// The same with so many entries of positions of nodes.
    pub fn with_nodes(system: &System, audit: bool, soft: usize) -> Layout {
        Layout { soft, ..Layout::new(system, audit) }
    }

    /// Length of a state.
    pub fn dim(&self) -> usize {
        self.coords + self.dofs + 2 * self.soft + self.states + self.work
    }

    /// Positions of nodes.
    pub fn nodes<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        &y[self.coords..self.coords + self.soft]
    }

    /// Velocities of nodes.
    pub fn node_rates<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        let first = self.v_range().end;
        &y[first..first + self.soft]
    }

    /// Entries of the velocities.
    pub fn v_range(&self) -> Range<usize> {
        let first = self.coords + self.soft;
        first..first + self.dofs
    }

    /// Entries of the states of elements.
    pub fn z_range(&self) -> Range<usize> {
        let first = self.v_range().end + self.soft;
        first..first + self.states
    }

    /// Entries of the audit integrals.
    pub fn work_range(&self) -> Range<usize> {
        let first = self.z_range().end;
        first..first + self.work
    }

    /// Coordinates of a state.
    pub fn q<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        &y[..self.coords]
    }

    /// Velocities of a state.
    pub fn v<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        &y[self.v_range()]
    }

    /// States of elements in a state.
    pub fn z<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        &y[self.z_range()]
    }

    /// Audit integrals of a state, where it carries them.
    pub fn work<'y>(&self, y: &'y [f64]) -> Option<&'y [f64]> {
        (self.work > 0).then(|| &y[self.work_range()])
    }
}
