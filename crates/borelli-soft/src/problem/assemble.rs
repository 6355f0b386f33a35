//! One look at a problem: residual, wrenches on carriers, and the tangent where it is asked for.
//! Not here: the kernels of cells, ties and contacts; solving.
//! In: positions, multipliers, poses. Out: R, w, the values of K, B and C.

use super::{At, Following, HeldTo, Problem, SoftFault, Statuses};
use crate::contact::Contact as Touch;
use crate::definition::LoadKind;
use crate::element::CellWeights;
use crate::sparse::{OUT, Pattern};
use crate::tie::{CarrierTie, NodeTie};

/// What is left of r when contacts went round in circles.
const LESS: f64 = 0.01;

impl Problem {
    /// Looks at the problem; with the tangent where positions are to follow a step.
    pub fn evaluate(&mut self, at: &At, following: Option<Following>, statuses: Statuses) -> Result<(), SoftFault> {
        self.scratch.x.copy_from_slice(at.x);
        self.residual.fill(0.0);
        self.wrench.fill(0.0);
        self.scratch.lift.fill(0.0);
        self.scratch.largest = 0.0;
        if following.is_some() {
            self.looks.with_tangent += 1;
            self.scratch.values.fill(0.0);
            self.border.fill(0.0);
            self.direct.fill(0.0);
        } else {
            self.looks.without += 1;
        }
        self.check_supports(at)?;
        self.add_cells(at, following)?;
        self.add_loads(at, following.is_some());
        self.add_ties(at, following.is_some());
        self.add_lines(at, following);
        self.add_contacts(at, following.is_some(), statuses)?;
        self.hold(at, following.is_some());
        Ok(())
    }

    /// Where two supports hold one node they must agree.
    fn check_supports(&self, at: &At) -> Result<(), SoftFault> {
        for (first, again) in &self.held_again {
            let one = self.held[*first as usize];
            let value = |held: &super::Held| at.displacement[held.support as usize][held.direction as usize];
            if value(&one) != value(again) {
                let name = |held: &super::Held| self.definition.supports[held.support as usize].name.clone();
                return Err(SoftFault::SupportsDisagree { one: name(&one), other: name(again) });
            }
        }
        Ok(())
    }

    fn add_cells(&mut self, at: &At, following: Option<Following>) -> Result<(), SoftFault> {
        let weights = following.map(|Following { damping, mass }| CellWeights { damping, mass });
        let Problem { solids, solver, scratch, residual, first_group, first_node, definition, .. } = self;
        let pattern = solver.pattern();
        for (body, solid) in solids.iter().enumerate() {
            let own = 2 * first_node[body] as usize..2 * first_node[body + 1] as usize;
            let (x, v, a) = (&at.x[own.clone()], at.v.map(|v| &v[own.clone()]), at.a.map(|a| &a[own.clone()]));
            for cell in 0..solid.cells() {
                solid.fill(cell, x, v, a, weights, &mut scratch.cell).map_err(|bad| {
                    let nodes = solid.nodes_of(cell);
                    let middle = |k: usize| nodes.iter().map(|node| x[2 * *node as usize + k]).sum::<f64>() / nodes.len() as f64;
                    SoftFault::Inverted {
                        body: definition.bodies[body].name.clone(),
                        cell,
                        nodes: nodes.to_vec(),
                        at: [middle(0), middle(1)],
                        jacobian: bad.jacobian,
                    }
                })?;
                let group = first_group[body] as usize + cell;
                let size = 2 * solid.nodes_of(cell).len();
                scratch.largest = scratch.cell.f[..size].iter().fold(scratch.largest, |most, f| most.max(f.abs()));
                // Forces of held entries are reactions: kept apart by `hold`.
                for (k, node) in solid.nodes_of(cell).iter().enumerate() {
                    let first = own.start + 2 * *node as usize;
                    residual[first] += scratch.cell.f[2 * k];
                    residual[first + 1] += scratch.cell.f[2 * k + 1];
                }
                if following.is_some() {
                    pattern.add(group, &scratch.cell.k[..size * size], &mut scratch.values);
                }
            }
        }
        if following.is_some() {
            self.lift_cells(at);
        }
        Ok(())
    }

    /// Where the displacement of a held entry is still to be corrected, the others feel it in the same iteration.
    fn lift_cells(&mut self, at: &At) {
        let missing = |held: &super::Held| {
            self.reference[held.dof as usize] + at.displacement[held.support as usize][held.direction as usize] - at.x[held.dof as usize]
        };
        if self.held.iter().all(|held| missing(held) == 0.0) {
            return;
        }
        let (mut step, mut work) = (std::mem::take(&mut self.scratch.missing), std::mem::take(&mut self.scratch.cell));
        step.fill(0.0);
        self.held.iter().for_each(|held| step[held.dof as usize] = missing(held));
        for (body, solid) in self.solids.iter().enumerate() {
            let first = 2 * self.first_node[body] as usize;
            let own = first..2 * self.first_node[body + 1] as usize;
            let weights = Some(CellWeights { damping: 0.0, mass: 0.0 });
            for cell in 0..solid.cells() {
                let nodes = solid.nodes_of(cell);
                let dofs = || nodes.iter().flat_map(|node| [first + 2 * *node as usize, first + 2 * *node as usize + 1]);
                if dofs().all(|dof| step[dof] == 0.0) || solid.fill(cell, &at.x[own.clone()], None, None, weights, &mut work).is_err() {
                    continue;
                }
                let size = 2 * nodes.len();
                for (i, row) in dofs().enumerate() {
                    for (j, column) in dofs().enumerate() {
                        self.scratch.lift[row] += work.k[i * size + j] * step[column];
                    }
                }
            }
        }
        (self.scratch.missing, self.scratch.cell) = (step, work);
    }

    fn add_loads(&mut self, at: &At, tangent: bool) {
        let Problem { loaded, definition, reference, residual, solver, scratch, solids, first_node, weight, .. } = self;
        for edge in loaded.iter() {
            let (load, count) = (&definition.loads[edge.load as usize], edge.count as usize);
            let value = at.load[edge.load as usize];
            let nodes = &edge.nodes[..count];
            match load.kind {
                LoadKind::Traction => {
                    let shares = edge_shares(count, |k| [reference[2 * nodes[k] as usize], reference[2 * nodes[k] as usize + 1]]);
                    for (share, node) in shares.iter().zip(nodes) {
                        for direction in 0..2 {
                            residual[2 * *node as usize + direction] -= at.part * edge.depth * share * value[direction];
                        }
                    }
                }
                LoadKind::Pressure => {
                    let p = at.part * edge.depth * value[0];
                    let push = pressure_matrix(count);
                    let mut block = [0.0; 36];
                    for i in 0..count {
                        for j in 0..count {
                            // The normal of an edge with the material on its left is its direction turned clockwise: (t_y, −t_x), outwards.
                            let (xj, yj) = (at.x[2 * nodes[j] as usize], at.x[2 * nodes[j] as usize + 1]);
                            let c = p * push[i][j];
                            residual[2 * nodes[i] as usize] += c * yj;
                            residual[2 * nodes[i] as usize + 1] -= c * xj;
                            block[2 * i * 2 * count + 2 * j + 1] = c;
                            block[(2 * i + 1) * 2 * count + 2 * j] = -c;
                        }
                    }
                    if tangent {
                        solver.pattern().add(edge.group as usize, &block[..4 * count * count], &mut scratch.values);
                    }
                }
            }
        }
        if at.gravity != [0.0; 2] {
            for (body, solid) in solids.iter().enumerate().filter(|(_, solid)| solid.mass() > 0.0) {
                let own = 2 * first_node[body] as usize..2 * first_node[body + 1] as usize;
                weight[own.clone()].fill(0.0);
                solid.weight(at.gravity, &mut weight[own.clone()]);
                for k in own {
                    residual[k] -= at.part * weight[k];
                }
            }
        }
    }

    fn add_ties(&mut self, at: &At, tangent: bool) {
        let dofs = self.dofs();
        let Problem { ties, residual, wrench, solver, scratch, border, direct, .. } = self;
        let mut sink = Sink { pattern: solver.pattern(), residual, wrench, values: &mut scratch.values, border, direct, tangent };
        let point = |node: u32| [at.x[2 * node as usize], at.x[2 * node as usize + 1]];
        for tied in ties.iter() {
            let multipliers = tied.rows.map_or([0.0; 2], |row| [0, 1].map(|k| at.lambda[row as usize + k - dofs]));
            let (group, x) = (tied.group as usize, point(tied.node));
            match tied.held_to {
                HeldTo::Carrier { carrier, point: c } => {
                    let tie = CarrierTie::new(x, at.poses[carrier as usize], c, multipliers, tied.r);
                    if tied.rows.is_some() {
                        sink.add::<7>(group, carrier as usize, &tie.residual(), || tie.tangent());
                    } else {
                        sink.add::<5>(group, carrier as usize, &tie.forces(), || tie.stiffness());
                    }
                }
                HeldTo::Edge { nodes, weights, count } => {
                    let (others, count) = (nodes.map(point), count as usize);
                    let tie = NodeTie::new(x, &others[..count], &weights[..count], multipliers, tied.r);
                    let size = tie.rows() + if tied.rows.is_some() { 2 } else { 0 };
                    let (mut list, mut block) = ([0.0; 10], [0.0; 100]);
                    if tied.rows.is_some() {
                        tie.fill_residual(&mut list);
                        tie.fill_tangent(&mut block);
                    } else {
                        tie.fill_forces(&mut list);
                        tie.fill_stiffness(&mut block);
                    }
                    sink.pattern.add_vector(group, &list[..size], sink.residual);
                    if tangent {
                        sink.pattern.add(group, &block[..size * size], sink.values);
                    }
                }
            }
        }
    }

    fn add_contacts(&mut self, at: &At, tangent: bool, from: Statuses) -> Result<(), SoftFault> {
        let (dofs, rounding) = (self.dofs(), self.rounding());
        let Problem { strikers, definition, regularisation, residual, wrench, solver, scratch, border, direct, statuses, .. } = self;
        let mut sink = Sink { pattern: solver.pattern(), residual, wrench, values: &mut scratch.values, border, direct, tangent };
        if from == Statuses::Decided {
            statuses.before.copy_from_slice(&statuses.now);
        }
        for (k, striker) in strikers.iter_mut().enumerate() {
            let contact = &definition.contacts[striker.contact as usize];
            let (r, pose) = (regularisation[striker.contact as usize], at.poses[contact.carrier]);
            let x = [at.x[2 * striker.node as usize], at.x[2 * striker.node as usize + 1]];
            let multiplier = striker.row.map_or(0.0, |row| at.lambda[row as usize - dofs]);
            let mut touch = Touch::new(&contact.target, x, pose, multiplier, r, striker.hint).map_err(|why| SoftFault::NotCovered {
                contact: contact.name.clone(),
                node: striker.node as usize,
                at: x,
                why: why.to_string(),
            })?;
            touch.touching = match from {
                Statuses::Kept => statuses.kept[k],
                Statuses::Same => statuses.now[k],
                // Rounding must not decide: a node that is neither pressed nor open by more than that stays as it was.
                Statuses::Decided if (multiplier + r * touch.gap).abs() <= rounding => statuses.before[k],
                Statuses::Decided => touch.touching,
            };
            statuses.now[k] = touch.touching;
            (striker.hint, striker.gap, striker.push, striker.normal) = (Some(touch.at), touch.gap, -touch.push(), touch.normal);
            scratch.largest = scratch.largest.max(striker.push.abs());
            if striker.row.is_some() {
                sink.add::<6>(striker.group as usize, contact.carrier, &touch.residual(), || touch.tangent());
            } else {
                sink.add::<5>(striker.group as usize, contact.carrier, &touch.forces(), || touch.stiffness());
            }
        }
        if from == Statuses::Decided {
            self.judge_statuses();
        }
        Ok(())
    }

    /// When contacts go round in circles r is too large, and a hundredth of it is used from then on; results do not depend on it.
    fn judge_statuses(&mut self) {
        let statuses = &mut self.statuses;
        if statuses.judge() {
            statuses.forget_past();
            for (striker, (now, before)) in self.strikers.iter().zip(statuses.now.iter().zip(&statuses.before)) {
                if now != before {
                    self.reduced[striker.contact as usize] = true;
                }
            }
            for (contact, reduced) in self.reduced.iter_mut().enumerate().filter(|(_, reduced)| **reduced) {
                self.regularisation[contact] *= LESS;
                *reduced = false;
                self.reductions += 1;
            }
        }
    }

    /// Held entries: their force is a reaction, their equation is the displacement.
    fn hold(&mut self, at: &At, tangent: bool) {
        let Problem { held, residual, reaction, reference, scratch, diagonal, .. } = self;
        for (k, held) in held.iter().enumerate() {
            let dof = held.dof as usize;
            reaction[k] = residual[dof];
            residual[dof] = at.x[dof] - reference[dof] - at.displacement[held.support as usize][held.direction as usize];
            scratch.lift[dof] = 0.0;
        }
        if tangent {
            diagonal.iter().for_each(|slot| scratch.values[*slot] = 1.0);
            scratch.stiffest = scratch.values.iter().fold(0.0, |most, value| value.abs().max(most));
        }
    }
}

/// Where a node that is coupled with a carrier writes to.
struct Sink<'a> {
    pattern: &'a Pattern,
    residual: &'a mut [f64],
    wrench: &'a mut [f64],
    values: &'a mut [f64],
    border: &'a mut [f64],
    direct: &'a mut [f64],
    tangent: bool,
}

impl Sink<'_> {
    /// Adds a residual and its tangent in the order of kernels: node (2), carrier (3), multipliers (the rest). The group has all but the carrier.
    #[inline(always)]
    fn add<const N: usize>(&mut self, group: usize, carrier: usize, residual: &[f64; N], tangent: impl FnOnce() -> [[f64; N]; N]) {
        let index = |k: usize| if k < 2 { k } else { k + 3 };
        let (members, size) = (self.pattern.group(group), N - 3);
        for (k, member) in members.iter().enumerate() {
            // Held entries take part in the sum of forces: what they get is a reaction.
            let entry = if *member == OUT { None } else { Some(*member as usize) };
            if let Some(entry) = entry {
                self.residual[entry] += residual[index(k)];
            }
        }
        let first = (carrier > 0).then(|| 3 * (carrier.max(1) - 1));
        if let Some(first) = first {
            (0..3).for_each(|k| self.wrench[first + k] += residual[2 + k]);
        }
        if !self.tangent {
            return;
        }
        let tangent = tangent();
        let mut block = [0.0; 16];
        for i in 0..size {
            for j in 0..size {
                block[i * size + j] = tangent[index(i)][index(j)];
            }
        }
        self.pattern.add(group, &block[..size * size], self.values);
        let Some(first) = first else { return };
        let (unknowns, columns) = (self.residual.len(), self.wrench.len());
        for column in 0..3 {
            for (i, member) in members.iter().enumerate().filter(|(_, member)| **member != OUT) {
                self.border[(first + column) * unknowns + *member as usize] += tangent[index(i)][2 + column];
            }
            for row in 0..3 {
                self.direct[(first + row) * columns + first + column] += tangent[2 + row][2 + column];
            }
        }
    }
}

/// Length at the start that belongs to each node of an edge.
pub(super) fn edge_shares(count: usize, at: impl Fn(usize) -> [f64; 2]) -> [f64; 3] {
    let ([ax, ay], [bx, by]) = (at(0), at(1));
    if count == 2 {
        let half = 0.5 * (bx - ax).hypot(by - ay);
        return [half, half, 0.0];
    }
    // A curved edge: three points of Gauss along it.
    let [mx, my] = at(2);
    let mut shares = [0.0; 3];
    for (s, w) in [(-0.6_f64.sqrt(), 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.6_f64.sqrt(), 5.0 / 9.0)] {
        let slope = [s - 0.5, s + 0.5, -2.0 * s];
        let value = [0.5 * s * (s - 1.0), 0.5 * s * (s + 1.0), 1.0 - s * s];
        let (tx, ty) = (slope[0] * ax + slope[1] * bx + slope[2] * mx, slope[0] * ay + slope[1] * by + slope[2] * my);
        for (share, n) in shares.iter_mut().zip(value) {
            *share += w * n * tx.hypot(ty);
        }
    }
    shares
}

/// ∫ N_i N_j' along an edge: what a unit pressure makes of the positions of its nodes, turned by a right angle.
pub(super) fn pressure_matrix(count: usize) -> [[f64; 3]; 3] {
    if count == 2 {
        [[-0.5, 0.5, 0.0], [-0.5, 0.5, 0.0], [0.0; 3]]
    } else {
        [[-0.5, -1.0 / 6.0, 2.0 / 3.0], [1.0 / 6.0, 0.5, -2.0 / 3.0], [-2.0 / 3.0, 2.0 / 3.0, 0.0]]
    }
}
