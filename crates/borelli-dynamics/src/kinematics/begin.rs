//! The first pose: bodies that hang on the world are brought to their markers before all joints are fitted.
//! Not here: the search itself. In: measured points, a pose whose joint angles are a fair guess. Out: the same pose, its roots moved.
//!
//! The sum of squared distances of a rigid body's markers has one minimum over rotations, but coordinates such as three angles have places where a search
//! stands still. It is therefore begun from quarter turns about every axis of the root, and the nearest pose is taken.

use super::solver::Solver;
use super::{Refusal, Target};
use crate::retract::retract;
use crate::system::System;
use std::f64::consts::FRAC_PI_2;

impl Solver {
    /// Moves the bodies that hang on the world so that their own markers, or if there are too few of them all that they carry, come near to where they were
    /// measured; the joints further out stay as they are in `q`.
    pub fn begin(&mut self, system: &System, targets: &[Target], q: &mut [f64]) -> Result<(), Refusal> {
        self.take(system, targets, &[], q)?;
        let skeleton = &system.skeleton;
        let all = std::mem::take(&mut self.aims);
        let n = skeleton.parent.len();
        let enough = if skeleton.planar { 2 } else { 3 };
        self.loops.ignored = true;
        for root in (1..n).filter(|b| skeleton.parent[*b] == 0) {
            let end = (root + 1..n).find(|b| skeleton.parent[*b] == 0).unwrap_or(n);
            let own = all.iter().filter(|aim| aim.body == root && aim.share > 0.0).count();
            let carried = if own >= enough { root..root + 1 } else { root..end };
            self.aims.clear();
            self.aims.extend(all.iter().filter(|aim| carried.contains(&aim.body)));
            let dofs = skeleton.dofs_of(root);
            self.only.fill(false);
            self.only[dofs.clone()].fill(true);
            let turning: Vec<usize> = dofs.filter(|dof| self.freedoms[*dof].turns && !self.freedoms[*dof].bounded()).collect();
            let starts = 4_usize.pow(turning.len().min(3) as u32);
            let mut best: Option<(f64, Vec<f64>)> = None;
            let mut step = vec![0.0; skeleton.dofs()];
            for start in 0..starts {
                self.q.copy_from_slice(q);
                for (k, dof) in turning.iter().take(3).enumerate() {
                    // 0, 1, 2 and −1 quarter turns: what is there already is tried first.
                    step[*dof] = [0.0, 1.0, 2.0, -1.0][start / 4_usize.pow(k as u32) % 4] * FRAC_PI_2;
                }
                retract(skeleton, &mut self.q, &step);
                let objective = self.search(system, 0.0).objective;
                if best.as_ref().is_none_or(|(least, _)| objective < least * (1.0 - 1e-9) - 1e-18) {
                    best = Some((objective, self.q.clone()));
                }
            }
            if let Some((_, pose)) = best {
                self.q.copy_from_slice(&pose);
                self.unwrap(q);
                q.copy_from_slice(&self.q);
            }
        }
        self.loops.ignored = false;
        self.only.fill(true);
        self.aims = all;
        Ok(())
    }
}
