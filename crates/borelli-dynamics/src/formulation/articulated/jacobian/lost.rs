//! Slopes of the power that is lost in pairs of surfaces, by the few degrees of freedom that each of them sees.
//! Not here: what is lost (`contact`), how slopes are chained (`loads`).
//! In: the tree, the bodies of each pair; a row for each pair that acts. Out: these rows.

use super::dof_tree::DofTree;
use crate::system::System;
use std::ops::Range;

/// Rows by pair. Room for all of them is there from the start; those of pairs that act are known.
#[derive(Clone, Debug)]
pub(crate) struct LostSlopes {
    /// First entry of each pair, and one past the last.
    start: Vec<usize>,
    /// Degrees of freedom that move only the first of two bodies, then those that move only the second.
    dof: Vec<usize>,
    /// Slopes by coordinate (along the tangent) and by velocity.
    slope: Vec<[f64; 2]>,
    /// Pairs that act, in increasing order.
    acting: Vec<usize>,
}

impl LostSlopes {
    /// For the pairs of a system.
    pub(super) fn new(system: &System, tree: &DofTree) -> Self {
        let contacts = &system.numbers.contacts;
        let (mut start, mut dof) = (vec![0], Vec::new());
        for pair in 0..contacts.pairs.len() {
            let [moved, other] = contacts.moved_and_other(pair, &system.numbers.place_body);
            let (of_moved, of_other) = tree.apart(moved, other);
            dof.extend_from_slice(of_moved);
            dof.extend_from_slice(of_other);
            start.push(dof.len());
        }
        LostSlopes { slope: vec![[0.0; 2]; dof.len()], acting: Vec::with_capacity(contacts.pairs.len()), start, dof }
    }

    /// Forgets all rows.
    pub(super) fn clear(&mut self) {
        self.acting.clear();
    }

    /// The row of a pair that acts, to be filled; pairs come in increasing order.
    pub(super) fn row_mut(&mut self, pair: usize) -> &mut [[f64; 2]] {
        self.acting.push(pair);
        let range = self.range(pair);
        &mut self.slope[range]
    }

    fn range(&self, pair: usize) -> Range<usize> {
        self.start[pair]..self.start[pair + 1]
    }

    /// Pairs that act with their degrees of freedom and the slopes by coordinate and velocity of each.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &[usize], &[[f64; 2]])> {
        self.acting.iter().map(|pair| (*pair, &self.dof[self.range(*pair)], &self.slope[self.range(*pair)]))
    }
}
