//! Exchanged markers: two whose exchange would at least halve what is left of a fit.
//! Not here: mending them; the caller exchanges the two and fits again.
//! In: the fit of a frame. Out: two targets, or none.

use super::solver::Solver;
use crate::system::System;

/// A frame whose f is below this multiple of the usual one is not suspect.
const UNUSUAL: f64 = 4.0;
/// Nor is one whose markers all are nearer than this, m.
const NEAR: f64 = 5e-3;
/// Pairs that are fitted again.
const TRIED: usize = 3;

impl Solver {
    /// Whether a frame fits worse than others do.
    pub(super) fn unusual(&self, objective: f64) -> bool {
        self.fit.largest >= NEAR && self.typical.is_some_and(|typical| objective >= UNUSUAL * typical)
    }

    /// The two targets whose exchange halves f, the best if there are several.
    ///
    /// They are sought with the pose as it is: exchanged markers pull it, but seldom so far that exchanging them back would not help. Where they do, as a heel and a toe that turn
    /// a foot round, the pose of the last frame that fitted as usual shows them.
    pub(super) fn find_swap(&mut self, system: &System, t: f64, objective: f64) -> Option<(usize, usize)> {
        if self.fit.largest < NEAR || (self.typical.is_some() && !self.unusual(objective)) {
            return None;
        }
        self.saved.copy_from_slice(&self.q);
        let mut best = (0.5 * objective, None);
        self.try_exchanges(system, t, false, &mut best);
        if !self.usual.is_empty() {
            self.try_exchanges(system, t, true, &mut best);
        }
        if let Some((i, j)) = best.1 {
            // Where the frame belongs, for the next one.
            self.exchange(i, j);
            self.begin_at(!self.usual.is_empty());
            self.search(system, t);
            self.exchange(i, j);
            self.usual.clear();
            self.usual.extend_from_slice(&self.q);
        }
        self.q.copy_from_slice(&self.saved);
        best.1
    }

    /// Exchanges the pairs that promise most, from the pose that was found or the usual one; keeps the best.
    fn try_exchanges(&mut self, system: &System, t: f64, usual: bool, best: &mut (f64, Option<(usize, usize)>)) {
        self.begin_at(usual);
        self.objective(system, false);
        let mut pairs = [(0.0, 0, 0); TRIED];
        for i in 0..self.aims.len() {
            for j in 0..i {
                let (a, b) = (&self.aims[i], &self.aims[j]);
                let (e_a, e_b, apart) = (self.sums.error[i], self.sums.error[j], a.measured - b.measured);
                // p_a − x_b = e_a + (x_a − x_b)
                let (f_a, f_b) = (e_a + apart, e_b - apart);
                let change = a.share * (f_a.dot(f_a) - e_a.dot(e_a)) + b.share * (f_b.dot(f_b) - e_b.dot(e_b));
                let mut entry = (change, i, j);
                for kept in &mut pairs {
                    if entry.0 < kept.0 {
                        std::mem::swap(kept, &mut entry);
                    }
                }
            }
        }
        for (change, i, j) in pairs {
            if change >= 0.0 {
                continue;
            }
            self.begin_at(usual);
            self.exchange(i, j);
            let reached = self.search(system, t).objective;
            if reached <= best.0 {
                *best = (reached, Some((i, j)));
            }
            self.exchange(i, j);
        }
    }

    fn begin_at(&mut self, usual: bool) {
        self.q.copy_from_slice(if usual { &self.usual } else { &self.saved });
    }

    fn exchange(&mut self, i: usize, j: usize) {
        let first = self.aims[i].measured;
        self.aims[i].measured = self.aims[j].measured;
        self.aims[j].measured = first;
    }
}
