//! Paths over nodes of soft parts: elements along them see length and rate from here, and their tension pulls at nodes and bodies.
//! Not here: laws of elements (`force`), what a tension does to nodes and carriers (`borelli-soft`).
//! In: positions and velocities of nodes and bodies. Out: lengths for the tree's elements, tensions for the soft parts.
//!
//! To the tree such a path has no points: its laws are asked there, with a length that is given, so that states, controls, columns and energy are those of
//! any path. What they pull with goes to the soft parts, whose tangent has all of it by length and rate. What a state of an element changes in the
//! pull enters the residual only: with such elements an iteration more may be needed.

use super::CoupledMovement;
use borelli_soft::problem::Pull;

impl CoupledMovement {
    /// Lengths and rates of all paths over nodes, for the laws along them; carriers must have been filled.
    pub(super) fn measure_paths(&mut self, x: &[f64], xdot: &[f64], v: &[f64]) {
        if self.soft.paths.is_empty() {
            return;
        }
        self.carriers.changes(v, &mut self.changes);
        for (rate, change) in self.pose_rates.iter_mut().skip(1).zip(self.changes.chunks_exact(3)) {
            rate.copy_from_slice(change);
        }
        for (line, path) in self.soft.paths.iter().enumerate() {
            let along = self.problem.line_length(line, x, Some(xdot), self.carriers.poses(), &self.pose_rates);
            self.open.give_path(*path, along);
            if let Some(meter) = &mut self.meter {
                meter.give_path(*path, along);
            }
        }
    }

    /// Tensions of the last look at the tree, of which a part acts.
    pub(super) fn pull_paths(&mut self, part: f64) {
        if self.soft.paths.is_empty() {
            return;
        }
        self.pulls.clear();
        for path in &self.soft.paths {
            let [force, by_length, by_rate] = self.open.pull(*path).map(|value| part * value);
            self.pulls.push(Pull { force, by_length, by_rate });
        }
        self.problem.set_pulls(&self.pulls, &self.pose_rates);
    }

    /// Length and rate of each path over nodes at the last look, by path of the model.
    pub fn path_lengths(&mut self, x: &[f64], xdot: &[f64], out: &mut Vec<(u32, [f64; 2])>) {
        out.clear();
        for (line, path) in self.soft.paths.iter().enumerate() {
            out.push((*path, self.problem.line_length(line, x, Some(xdot), self.carriers.poses(), &self.pose_rates)));
        }
    }
}
