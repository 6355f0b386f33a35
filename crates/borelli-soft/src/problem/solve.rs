//! The Newton step of a problem, condensed to its carriers: equations (2) of the room.
//! Not here: the numbers of K, B and C (`assemble`), the sparse solve (`sparse`).
//! In: a look with its tangent, then changes of poses. Out: condensed wrench and stiffness, corrections of positions and multipliers.

use super::{Problem, SoftFault};
use crate::sparse::Fault;

/// A correction that moves no node of a cell by more than this part of its size against another cannot turn it inside out.
const HARMLESS: f64 = 0.05;
/// Most halvings of a correction.
const HALVINGS: u32 = 10;

impl Problem {
    /// Before the first look of an attempt at a step.
    pub fn begin_attempt(&mut self) {
        let statuses = &mut self.statuses;
        for list in [&mut statuses.now, &mut statuses.before] {
            list.copy_from_slice(&statuses.kept);
        }
        statuses.changed = 0;
        statuses.forget_past();
    }

    /// The step is kept: the next one begins with these statuses.
    pub fn keep(&mut self) {
        let statuses = &mut self.statuses;
        statuses.kept.copy_from_slice(&statuses.now);
    }

    /// The largest force that is open, N, rows of multipliers counted by what r makes of them, and how much of it may be rounding.
    pub fn largest_open(&self) -> (f64, f64) {
        let dofs = self.dofs();
        let mut most = 0.0_f64;
        let mut note = |open: f64| {
            if !(open.abs() <= most) {
                most = open.abs();
            }
        };
        for (dof, open) in self.residual[..dofs].iter().enumerate() {
            // A displacement that is not yet as given counts by the stiffness behind it.
            note(if self.held_at[dof] == crate::sparse::OUT { *open } else { *open * self.scratch.stiffest });
        }
        for tied in &self.ties {
            if let Some(row) = tied.rows {
                let weight = if tied.r > 0.0 { tied.r } else { self.scratch.stiffest };
                (0..2).for_each(|k| note(weight * self.residual[row as usize + k]));
            }
        }
        for striker in &self.strikers {
            if let Some(row) = striker.row {
                let r = self.regularisation[striker.contact as usize];
                // The row of an open gap is −λ/r.
                note(r * self.residual[row as usize]);
            }
        }
        (most, self.rounding())
    }

    /// Force that rounding of positions may make, N.
    pub(super) fn rounding(&self) -> f64 {
        let size = self.scratch.x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        16.0 * f64::EPSILON * self.scratch.stiffest * size
    }

    /// Factors K of the last look with a tangent, and spreads B: K⁻¹ B and C'.
    pub fn factor(&mut self) -> Result<(), SoftFault> {
        self.factor_matrix()?;
        self.spread_border()
    }

    /// Factors K of the last look with a tangent, without looking at the carriers.
    pub fn factor_matrix(&mut self) -> Result<(), SoftFault> {
        let values = std::mem::take(&mut self.scratch.values);
        let done = self.solver.factor(&values);
        self.scratch.values = values;
        done.map(|_| ()).map_err(|fault| self.blame(fault))
    }

    fn spread_border(&mut self) -> Result<(), SoftFault> {
        self.spread.copy_from_slice(&self.border);
        let mut spread = std::mem::take(&mut self.spread);
        let solved = if spread.is_empty() { Ok(()) } else { self.solver.solve(&mut spread).map(|_| ()) };
        self.spread = spread;
        solved.map_err(|fault| self.blame(fault))?;
        let (columns, unknowns) = (self.wrench.len(), self.residual.len());
        for a in 0..columns {
            let column = &self.border[a * unknowns..][..unknowns];
            for b in 0..columns {
                let along = &self.spread[b * unknowns..][..unknowns];
                self.condensed[a * columns + b] = self.direct[a * columns + b] - dot(column, along);
            }
        }
        self.skew_stiffness();
        Ok(())
    }

    /// Solves K⁻¹ R of the last look with the factors there are; afterwards `condensed_wrench` is up to date.
    pub fn condense(&mut self) -> Result<(), SoftFault> {
        let solution = &mut self.scratch.solution;
        solution.copy_from_slice(&self.residual);
        for (x, lift) in solution.iter_mut().zip(&self.scratch.lift) {
            *x += lift;
        }
        let mut solution = std::mem::take(&mut self.scratch.solution);
        let solved = self.solver.solve(&mut solution);
        self.scratch.solution = solution;
        solved.map_err(|fault| self.blame(fault))?;
        let unknowns = self.residual.len();
        for (a, (out, own)) in self.condensed_wrench.iter_mut().zip(&self.wrench).enumerate() {
            let column = &self.border[a * unknowns..][..unknowns];
            *out = own - dot(column, &self.scratch.solution);
        }
        self.skew_wrench();
        Ok(())
    }

    /// w'.
    pub fn condensed_wrench(&self) -> &[f64] {
        &self.condensed_wrench
    }

    /// C', row by row.
    pub fn condensed_stiffness(&self) -> &[f64] {
        &self.condensed
    }

    /// Δs for changes of the poses: positions, m, and multipliers, N.
    pub fn follow(&self, changes: &[f64], dx: &mut [f64], dlambda: &mut [f64]) {
        let (dofs, unknowns) = (self.dofs(), self.residual.len());
        let value = |k: usize| {
            let along: f64 = changes.iter().enumerate().map(|(a, change)| self.spread[a * unknowns + k] * change).sum();
            -self.scratch.solution[k] - along
        };
        dx.iter_mut().enumerate().for_each(|(k, x)| *x = value(k));
        dlambda.iter_mut().enumerate().for_each(|(k, x)| *x = value(dofs + k));
    }

    /// The part of a correction that turns no cell inside out: 1, ½, ¼ ...
    pub fn longest_part(&mut self, dx: &[f64]) -> f64 {
        let mut part = 1.0;
        for _ in 0..HALVINGS {
            if self.is_sound_after(dx, part) {
                return part;
            }
            part *= 0.5;
        }
        part
    }

    fn is_sound_after(&mut self, dx: &[f64], part: f64) -> bool {
        let Problem { solids, scratch, first_node, .. } = self;
        for ((moved, x), d) in scratch.moved.iter_mut().zip(&scratch.x).zip(dx) {
            *moved = x + part * d;
        }
        solids.iter().enumerate().all(|(body, solid)| {
            let own = 2 * first_node[body] as usize..2 * first_node[body + 1] as usize;
            let (x, dx, moved) = (&scratch.x[own.clone()], &dx[own.clone()], &scratch.moved[own]);
            (0..solid.cells()).all(|cell| {
                let nodes = solid.nodes_of(cell);
                let at = |list: &[f64], k: usize| [list[2 * nodes[k] as usize], list[2 * nodes[k] as usize + 1]];
                let (x0, d0) = (at(x, 0), at(dx, 0));
                // Against the first node: a cell that moves as a whole stays as it is.
                let (mut size, mut strain) = (f64::INFINITY, 0.0_f64);
                for k in 1..nodes.len() {
                    let (xk, dk) = (at(x, k), at(dx, k));
                    size = size.min((xk[0] - x0[0]).hypot(xk[1] - x0[1]));
                    strain = strain.max((dk[0] - d0[0]).hypot(dk[1] - d0[1]));
                }
                part * strain <= HARMLESS * size || solid.fill(cell, moved, None, None, None, &mut scratch.cell).is_ok()
            })
        })
    }

    /// A fault of the solver in terms of nodes.
    fn blame(&self, fault: Fault) -> SoftFault {
        let Fault::Singular { unknown, .. } = fault else { return SoftFault::Solve(fault) };
        let node = if unknown < self.dofs() {
            unknown / 2
        } else {
            let tied = self.ties.iter().find(|tied| tied.rows.is_some_and(|row| unknown - row as usize <= 1 && unknown >= row as usize));
            let striker = self.strikers.iter().find(|striker| striker.row.is_some_and(|row| row as usize == unknown));
            tied.map(|tied| tied.node).or(striker.map(|striker| striker.node)).unwrap_or(0) as usize
        };
        let body = self.body_of(node);
        let tied = self.ties.iter().any(|tied| tied.node as usize == node);
        let held = (0..2).any(|k| self.held_at[2 * node + k] != crate::sparse::OUT);
        let strikes = self.strikers.iter().filter(|striker| striker.node as usize == node).count();
        if strikes > 1 || strikes == 1 && (tied || held) {
            let node = node - self.first_node[body] as usize;
            return SoftFault::HeldAndTouching { body: self.definition.bodies[body].name.clone(), node };
        }
        SoftFault::Free {
            body: self.definition.bodies[body].name.clone(),
            node: node - self.first_node[body] as usize,
            at: [self.scratch.x[2 * node], self.scratch.x[2 * node + 1]],
        }
    }
}

/// Σ x y in four parts, which need not wait for each other.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut parts = [0.0; 4];
    let ((fours, rest), (of_y, rest_of_y)) = (x.as_chunks::<4>(), y.as_chunks::<4>());
    for (x, y) in fours.iter().zip(of_y) {
        for k in 0..4 {
            parts[k] += x[k] * y[k];
        }
    }
    let rest: f64 = rest.iter().zip(rest_of_y).map(|(x, y)| x * y).sum();
    (parts[0] + parts[1]) + (parts[2] + parts[3]) + rest
}
