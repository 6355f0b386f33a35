//! Facts about a problem for messages and audits: who a multiplier belongs to, the most squeezed cell, gaps of ties, power of loads.
//! Not here: what is shown of results (`outputs`); faults themselves (`fault`).
//! In: a problem, positions. Out: plain numbers and names.

use super::assemble::{edge_shares, pressure_matrix};
use super::{HeldTo, Problem};
use crate::definition::{LoadKind, Method};

/// A cell and what is left of its area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Squeezed {
    /// Body.
    pub body: usize,
    /// Cell of the body, by number from 0.
    pub cell: usize,
    /// Area now over area at the start.
    pub left: f64,
    /// The node of the cell, in the numbering of its body, at its sharpest corner.
    pub node: usize,
    /// Where the node is, m.
    pub at: [f64; 2],
}

/// The largest distance between a tied boundary and what it is tied to, at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TieGap {
    /// Distance, m.
    pub distance: f64,
    /// Distance over the length of the edge that the node is held to.
    pub part: f64,
}

impl Problem {
    /// The cell with the least of its area left.
    pub fn most_squeezed(&self, x: &[f64]) -> Option<Squeezed> {
        let mut worst: Option<Squeezed> = None;
        for (body, own) in self.definition.bodies.iter().enumerate() {
            let points: Vec<[f64; 2]> = self.of_body(body, x).chunks_exact(2).map(|p| [p[0], p[1]]).collect();
            for (cell, nodes) in own.mesh.cells.iter().enumerate() {
                let left = nodes.area(&points) / nodes.area(&own.mesh.points);
                if worst.is_none_or(|worst| left < worst.left) {
                    let corners = &nodes.nodes()[..nodes.shape.corners()];
                    let node = sharpest(corners, &points);
                    worst = Some(Squeezed { body, cell, left, node, at: points[node] });
                }
            }
        }
        worst
    }

    /// The tie or contact that a multiplier belongs to, as a path, and its node in the numbering of all bodies.
    pub fn multiplier_of(&self, multiplier: usize) -> Option<(String, usize)> {
        let row = (self.dofs() + multiplier) as u32;
        let tied = self.ties.iter().find(|tied| tied.rows.is_some_and(|first| (first..first + 2).contains(&row)));
        let striker = self.strikers.iter().find(|striker| striker.row == Some(row));
        tied.map(|tied| (format!("tie.{}", self.definition.ties[tied.tie as usize].name), tied.node as usize)).or_else(|| {
            striker.map(|own| (format!("soft_contact.{}", self.definition.contacts[own.contact as usize].name), own.node as usize))
        })
    }

    /// A contact whose status the last look changed, as a path, with the node in the numbering of all bodies.
    pub fn changing(&self) -> Option<(String, usize)> {
        let statuses = self.statuses.now.iter().zip(&self.statuses.before);
        let (striker, _) = self.strikers.iter().zip(statuses).find(|(_, (now, before))| now != before)?;
        Some((format!("soft_contact.{}", self.definition.contacts[striker.contact as usize].name), striker.node as usize))
    }

    /// How far the nodes of a tie lie from what they are tied to at the start; nothing between a boundary and something rigid.
    pub fn tie_gap(&self, tie: usize) -> TieGap {
        let point = |node: u32| [self.reference[2 * node as usize], self.reference[2 * node as usize + 1]];
        let mut most = TieGap::default();
        for tied in self.ties.iter().filter(|tied| tied.tie as usize == tie) {
            let HeldTo::Edge { nodes, weights, count } = tied.held_to else { continue };
            let held: [f64; 2] = [0, 1].map(|k| nodes.iter().zip(weights).take(count as usize).map(|(node, w)| w * point(*node)[k]).sum());
            let ([a, b], [x, y]) = ([point(nodes[0]), point(nodes[1])], point(tied.node));
            let distance = (x - held[0]).hypot(y - held[1]);
            let part = distance / (b[0] - a[0]).hypot(b[1] - a[1]);
            most = TieGap { distance: most.distance.max(distance), part: most.part.max(part) };
        }
        most
    }

    /// Power of the loads on boundaries and of the supports at the last look, W, for velocities of nodes and rates of the supports.
    pub fn outer_power(&self, load: &[[f64; 2]], v: &[f64], rates: &[[f64; 2]]) -> f64 {
        let mut power = 0.0;
        for edge in &self.loaded {
            let (count, value) = (edge.count as usize, load[edge.load as usize]);
            let nodes = &edge.nodes[..count];
            let at = |list: &[f64], k: usize| [list[2 * nodes[k] as usize], list[2 * nodes[k] as usize + 1]];
            match self.definition.loads[edge.load as usize].kind {
                LoadKind::Traction => {
                    let shares = edge_shares(count, |k| at(&self.reference, k));
                    for (k, share) in shares.iter().enumerate().take(count) {
                        let [vx, vy] = at(v, k);
                        power += edge.depth * share * (value[0] * vx + value[1] * vy);
                    }
                }
                LoadKind::Pressure => {
                    let push = pressure_matrix(count);
                    for i in 0..count {
                        let [vx, vy] = at(v, i);
                        for j in 0..count {
                            let [xj, yj] = at(&self.scratch.x, j);
                            power -= edge.depth * value[0] * push[i][j] * (vx * yj - vy * xj);
                        }
                    }
                }
            }
        }
        for (held, reaction) in self.held.iter().zip(&self.reaction) {
            power += reaction * rates[held.support as usize][held.direction as usize];
        }
        power
    }

    /// Why the energy of the soft bodies is not all that goes into them; nothing where it is.
    pub fn leaks(&self) -> Option<&'static str> {
        let penalty = |method: Method| method == Method::Penalty;
        if self.solids.iter().any(|solid| solid.mass() > 0.0) {
            Some("mass")
        } else if self.definition.bodies.iter().flat_map(|body| &body.materials).any(|material| material.viscosity() > 0.0) {
            Some("viscosity")
        } else if self.definition.ties.iter().any(|tie| penalty(tie.method)) || self.definition.contacts.iter().any(|c| penalty(c.method)) {
            Some("penalty stiffness")
        } else {
            None
        }
    }

    /// Points of integration of all bodies.
    pub fn gauss_points(&self) -> usize {
        self.definition.bodies.iter().flat_map(|body| &body.mesh.cells).map(|cell| cell.shape.points().len()).sum()
    }

    /// Largest entry of the matrix of the last look with a tangent, N/m.
    pub fn stiffest(&self) -> f64 {
        self.scratch.stiffest
    }

    /// Leaves out what the last look found open at the level of positions, so that the next correction keeps supports, ties and closed contacts as they are.
    pub fn keep_positions(&mut self) {
        self.scratch.lift.fill(0.0);
        self.held.iter().for_each(|held| self.residual[held.dof as usize] = 0.0);
        self.ties.iter().filter_map(|tied| tied.rows).for_each(|row| self.residual[row as usize..row as usize + 2].fill(0.0));
        for (striker, touching) in self.strikers.iter().zip(&self.statuses.now) {
            if let (Some(row), true) = (striker.row, *touching) {
                self.residual[row as usize] = 0.0;
            }
        }
    }

    /// Sets the rates of held nodes to those of their supports: `rates` has one entry of two for each support, `out` two for each node.
    pub fn fill_held(&self, rates: &[[f64; 2]], out: &mut [f64]) {
        self.held.iter().for_each(|held| out[held.dof as usize] = rates[held.support as usize][held.direction as usize]);
    }
}

/// The corner at which the sides turn least, or turn the wrong way.
fn sharpest(corners: &[u32], points: &[[f64; 2]]) -> usize {
    let count = corners.len();
    let area = |k: usize| {
        let [a, b, c] = [corners[(k + count - 1) % count], corners[k], corners[(k + 1) % count]].map(|node| points[node as usize]);
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    };
    let worst = (0..count).min_by(|a, b| area(*a).total_cmp(&area(*b))).unwrap_or(0);
    corners[worst] as usize
}
