//! Exchanged markers: two whose exchange would at least halve what is left of a fit.
//! Not here: mending them; the caller exchanges the two and fits again.
//! In: the fit of a frame. Out: two targets, or none.

use super::solver::Solver;

/// A frame whose f is below this multiple of the usual one is not suspect.
const UNUSUAL: f64 = 4.0;
/// Nor is one whose markers all are nearer than this, m.
const NEAR: f64 = 5e-3;
/// Pairs that are fitted again.
const TRIED: usize = 3;

impl Solver<'_> {
    /// The two targets whose exchange halves f, the best if there are several.
    pub(super) fn find_swap(&mut self, t: f64, objective: f64) -> Option<(usize, usize)> {
        if self.fit.largest < NEAR || self.typical.is_some_and(|typical| objective < UNUSUAL * typical) {
            return None;
        }
        // With the pose as it is; exchanged markers pull it, but seldom so far that exchanging them back would not help.
        let mut pairs = [(0.0, 0, 0); TRIED];
        for i in 0..self.aims.len() {
            for j in 0..i {
                let (a, b) = (&self.aims[i], &self.aims[j]);
                let (e_a, e_b, apart) = (self.fit.error[i], self.fit.error[j], a.measured - b.measured);
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
        self.saved.copy_from_slice(&self.q);
        let mut best = (0.5 * objective, None);
        for (change, i, j) in pairs {
            if change >= 0.0 {
                continue;
            }
            self.exchange(i, j);
            let reached = self.search(t).objective;
            if reached <= best.0 {
                best = (reached, Some((i, j)));
            }
            self.exchange(i, j);
            self.q.copy_from_slice(&self.saved);
        }
        best.1
    }

    fn exchange(&mut self, i: usize, j: usize) {
        let first = self.aims[i].measured;
        self.aims[i].measured = self.aims[j].measured;
        self.aims[j].measured = first;
    }
}
