//! What a problem shows: pressures and gaps of contacts, forces of ties and supports, stresses at nodes.
//! Not here: names of columns, files.
//! In: the last look. Out: plain lists.

use super::Problem;
use crate::element::{Inverted, NodeStress};

/// One node of a contact at the last look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressing {
    /// Node, in the numbering of its body.
    pub node: usize,
    /// Arc length along the boundary at the start, m.
    pub arc: f64,
    /// Where it is, m.
    pub at: [f64; 2],
    /// Gap to the target, m; negative where they overlap.
    pub gap: f64,
    /// Pressure on the boundary, Pa.
    pub pressure: f64,
    /// Whether it counts as touching.
    pub touching: bool,
}

/// A contact at the last look.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactState {
    /// Force on the target's carrier, world axes, N.
    pub force: [f64; 2],
    /// Largest pressure, Pa.
    pub peak: f64,
    /// Nodes that touch.
    pub touching: usize,
    /// Area that touches, m².
    pub area: f64,
    /// Deepest overlap, m.
    pub overlap: f64,
}

/// Stresses at the nodes of a body.
pub type NodalFields = Vec<NodeStress>;

impl Problem {
    /// A contact at the last look.
    pub fn contact(&self, contact: usize) -> ContactState {
        let mut state = ContactState::default();
        for (striker, touching) in self.strikers.iter().zip(&self.statuses.now).filter(|(s, _)| s.contact as usize == contact) {
            // The normal points into the target: the push on the target goes along it.
            let push = striker.push;
            state.force[0] += push * striker.normal[0];
            state.force[1] += push * striker.normal[1];
            state.peak = state.peak.max(push / striker.area);
            state.overlap = state.overlap.max(-striker.gap);
            if *touching && push > 0.0 {
                state.touching += 1;
                state.area += striker.area;
            }
        }
        state
    }

    /// Nodes of a contact in order along its boundary.
    pub fn pressing(&self, contact: usize) -> impl Iterator<Item = Pressing> + '_ {
        let own = self.strikers.iter().zip(&self.statuses.now).filter(move |(striker, _)| striker.contact as usize == contact);
        own.map(|(striker, touching)| {
            let node = striker.node as usize;
            Pressing {
                node: node - self.first_node[self.body_of(node)] as usize,
                arc: striker.arc,
                at: [self.scratch.x[2 * node], self.scratch.x[2 * node + 1]],
                gap: striker.gap,
                pressure: striker.push / striker.area,
                touching: *touching,
            }
        })
    }

    /// Force of a tie on what it is held to, world axes, N, for the multipliers of the last look.
    pub fn tie_force(&self, tie: usize, lambda: &[f64], x: &[f64], poses: &[super::Pose]) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for tied in self.ties.iter().filter(|tied| tied.tie as usize == tie) {
            let pull = self.pull(tied, lambda, x, poses);
            (0..2).for_each(|k| sum[k] += pull[k]);
        }
        sum
    }

    /// Nodes of a tie with the force of each on what it is held to, N.
    pub fn tied_nodes<'a>(
        &'a self,
        tie: usize,
        lambda: &'a [f64],
        x: &'a [f64],
        poses: &'a [super::Pose],
    ) -> impl Iterator<Item = (usize, [f64; 2])> + 'a {
        let own = self.ties.iter().filter(move |tied| tied.tie as usize == tie);
        own.map(move |tied| (tied.node as usize, self.pull(tied, lambda, x, poses)))
    }

    fn pull(&self, tied: &super::TiedNode, lambda: &[f64], x: &[f64], poses: &[super::Pose]) -> [f64; 2] {
        let dofs = self.dofs();
        let point = |node: u32| [x[2 * node as usize], x[2 * node as usize + 1]];
        let held = match tied.held_to {
            super::HeldTo::Carrier { carrier, point } => super::setup::to_world(poses[carrier as usize], point),
            super::HeldTo::Edge { nodes, weights, count } => {
                let all = || nodes.iter().zip(weights).take(count as usize);
                [0, 1].map(|k| all().map(|(node, weight)| weight * point(*node)[k]).sum())
            }
        };
        [0, 1].map(|k| tied.rows.map_or(0.0, |row| lambda[row as usize + k - dofs]) + tied.r * (point(tied.node)[k] - held[k]))
    }

    /// Force of a support on the soft body at the last look, world axes, N.
    pub fn support_force(&self, support: usize) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for (held, reaction) in self.held.iter().zip(&self.reaction).filter(|(held, _)| held.support as usize == support) {
            sum[held.direction as usize] += reaction;
        }
        sum
    }

    /// Energy stored in all soft bodies, J.
    pub fn energy(&self, x: &[f64]) -> f64 {
        self.solids.iter().enumerate().map(|(body, solid)| solid.energy(self.of_body(body, x))).sum()
    }

    /// Entries of a list over all nodes that belong to a body.
    pub fn of_body<'x>(&self, body: usize, list: &'x [f64]) -> &'x [f64] {
        &list[2 * self.first_node[body] as usize..2 * self.first_node[body + 1] as usize]
    }

    /// Stresses at the nodes of a body.
    pub fn fill_stress(&self, body: usize, x: &[f64], v: Option<&[f64]>, out: &mut NodalFields) -> Result<(), Inverted> {
        self.solids[body].stress_at_nodes(self.of_body(body, x), v.map(|v| self.of_body(body, v)), out)
    }
}
