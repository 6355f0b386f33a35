//! A problem with soft bodies, ready to be solved: its residual, its tangent, and what it looks like to the rigid carriers.
//! Not here: cells, laws, targets and sparse matrices, each of which has its own room; time steps; how carriers move.
//! In: positions of nodes, multipliers, poses of carriers, given displacements and loads. Out: corrections and wrenches.
//!
//! With s = (positions x, multipliers λ), poses p of the moving carriers, and wrenches w on them, all with the sign of internal forces,
//!
//!     R(s, p) = 0        K = ∂R/∂s        B = ∂R/∂p        Bᵀ = ∂w/∂s        C = ∂w/∂p                    (1)
//!
//! every condition derives from a potential, so that one B serves both ways. K is factored once per tangent, and the bodies are condensed:
//!
//!     w' = w − Bᵀ K⁻¹ R        C' = C − Bᵀ K⁻¹ B        Δs = −K⁻¹ R − K⁻¹ B Δp                             (2)
//!
//! The caller moves its carriers under w' and C' (few unknowns, solved with pivoting) and gets Δs back: one Newton step of the whole.
//! Contacts are decided anew in each evaluation: they press where λ + r g ≤ 0 (spec of a generalised Newton method, Alart and Curnier 1991,
//! Comput. Methods Appl. Mech. Eng. 92:353-375).

mod assemble;
mod facts;
mod fault;
mod line;
mod outputs;
mod setup;
mod solve;
#[cfg(test)]
mod tests;

pub use facts::{Squeezed, TieGap};
pub use fault::{SetupFault, SoftFault};
pub use line::Pull;
pub use outputs::{ContactState, NodalFields, Pressing};

use crate::definition::Definition;
use crate::element::{CellWork, Solid};
use crate::sparse::Solver;

/// A pose of a carrier: position of its origin, m, and angle, rad.
pub type Pose = [f64; 3];

/// What a problem is looked at with.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Positions of all nodes, x and y in turn, m.
    pub x: &'a [f64],
    /// Their velocities, m/s; nothing: at rest.
    pub v: Option<&'a [f64]>,
    /// Their accelerations, m/s²; nothing: none.
    pub a: Option<&'a [f64]>,
    /// Multipliers, N.
    pub lambda: &'a [f64],
    /// Poses of all carriers, the world's first.
    pub poses: &'a [Pose],
    /// Displacement of each support, m.
    pub displacement: &'a [[f64; 2]],
    /// Value of each load, Pa; a pressure is the first entry.
    pub load: &'a [[f64; 2]],
    /// Acceleration of gravity, m/s².
    pub gravity: [f64; 2],
    /// Loads and weight are multiplied with this; 1 but for loads put on in parts.
    pub part: f64,
}

/// How velocities and accelerations follow positions in a step: Δv = `damping` Δx, Δa = `mass` Δx.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Following {
    /// 1/s.
    pub damping: f64,
    /// 1/s².
    pub mass: f64,
}

/// Where contact statuses come from in an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statuses {
    /// Those of the last step that was kept, for a first look at the next one.
    Kept,
    /// Decided from multipliers and gaps.
    Decided,
    /// As at the last look.
    Same,
}

/// A node tied to something.
#[derive(Clone, Debug)]
struct TiedNode {
    tie: u32,
    node: u32,
    held_to: HeldTo,
    /// First of its two multipliers; none for a penalty.
    rows: Option<u32>,
    r: f64,
    group: u32,
}

#[derive(Clone, Copy, Debug)]
enum HeldTo {
    /// A point of a carrier, in its frame.
    Carrier { carrier: u32, point: [f64; 2] },
    /// A point of an edge, by weights.
    Edge { nodes: [u32; 3], weights: [f64; 3], count: u32 },
}

/// A node that may touch a target.
#[derive(Clone, Debug)]
struct Striker {
    contact: u32,
    node: u32,
    /// Its multiplier; none for a penalty.
    row: Option<u32>,
    /// Area that belongs to it, m².
    area: f64,
    /// Arc length along the boundary, m.
    arc: f64,
    group: u32,
    /// Where on the target its foot was last, for a quick search.
    hint: Option<f64>,
    /// Gap, m, push of the target, N, and its direction at the last look.
    gap: f64,
    push: f64,
    normal: [f64; 2],
}

/// A displacement that is given.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// Entry of x.
    dof: u32,
    support: u32,
    direction: u32,
}

/// A loaded edge.
#[derive(Clone, Copy, Debug)]
struct LoadedEdge {
    load: u32,
    nodes: [u32; 3],
    count: u32,
    depth: f64,
    group: u32,
}

/// A problem with soft bodies.
pub struct Problem {
    definition: Definition,
    solids: Vec<Solid>,
    /// First node of each body, and one past the last.
    first_node: Vec<u32>,
    /// Positions at which nothing is strained, in the world, m.
    reference: Vec<f64>,
    ties: Vec<TiedNode>,
    strikers: Vec<Striker>,
    held: Vec<Held>,
    /// By entry of x: index into `held`, or none.
    held_at: Vec<u32>,
    loaded: Vec<LoadedEdge>,
    lines: Vec<line::LineSetup>,
    /// Tensions of the paths, and rates of the poses of carriers, as the caller gave them last.
    pulls: Vec<Pull>,
    pose_rates: Vec<Pose>,
    multipliers: usize,
    /// r of each contact as it is used: smaller than asked for after statuses went round in circles.
    regularisation: Vec<f64>,
    /// How often it was made smaller.
    reductions: usize,
    reduced: Vec<bool>,
    solver: Solver,
    /// First group of each body's cells in the pattern.
    first_group: Vec<u32>,
    scratch: Scratch,
    /// R, with rows of held nodes zero.
    residual: Vec<f64>,
    /// Force that each given displacement takes, N, on the body.
    reaction: Vec<f64>,
    /// w, three entries per moving carrier.
    wrench: Vec<f64>,
    /// B by columns, K⁻¹ B by columns, C and C'.
    border: Vec<f64>,
    spread: Vec<f64>,
    /// ∂w/∂s less Bᵀ, by columns as B; empty where every condition has a potential.
    skew: Vec<f64>,
    direct: Vec<f64>,
    condensed: Vec<f64>,
    condensed_wrench: Vec<f64>,
    statuses: Memory,
    /// Slots of the diagonal of held entries.
    diagonal: Vec<usize>,
    /// Displacements that two supports give, in the numbering of `held`.
    held_again: Vec<(u32, Held)>,
    /// How deep nodes of each contact lie inside its target at the start, m.
    overlap_at_start: Vec<f64>,
    /// Scratch for nodal forces of loads and weight.
    weight: Vec<f64>,
    looks: Looks,
}

/// How often a problem was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// With its tangent.
    pub with_tangent: usize,
    /// For the residual alone.
    pub without: usize,
}

/// What is remembered of contact.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// Of the last kept step.
    kept: Vec<bool>,
    /// Of the last look and of the one before.
    now: Vec<bool>,
    before: Vec<bool>,
    /// Of the last looks of the attempt that changed any, as many as `PAST`, and how many there were.
    past: Vec<Vec<bool>>,
    seen: usize,
    /// Strikers whose status the last look changed.
    changed: usize,
    /// Looks in a row that changed statuses to what they had been before.
    rounds: usize,
}

/// Looks that are remembered: the longest circle of statuses that is noticed.
const PAST: usize = 8;

impl Memory {
    fn new(strikers: usize) -> Self {
        let none = vec![false; strikers];
        Memory { kept: none.clone(), now: none.clone(), before: none.clone(), past: vec![none; PAST], seen: 0, changed: 0, rounds: 0 }
    }

    /// Remembers the present statuses alone.
    fn forget_past(&mut self) {
        self.past[0].copy_from_slice(&self.now);
        (self.seen, self.rounds) = (1, 0);
    }

    /// After statuses were decided anew: counts changes, and says whether contacts go round in circles.
    fn judge(&mut self) -> bool {
        self.changed = self.now.iter().zip(&self.before).filter(|(now, before)| now != before).count();
        if self.changed > 0 {
            let back = self.past.iter().take(self.seen).any(|past| *past == self.now);
            self.rounds = if back { self.rounds + 1 } else { 0 };
            self.past[self.seen % PAST].copy_from_slice(&self.now);
            self.seen += 1;
        }
        self.rounds >= 2
    }
}

/// Scratch memory.
struct Scratch {
    cell: CellWork,
    values: Vec<f64>,
    solution: Vec<f64>,
    /// Positions of the last look.
    x: Vec<f64>,
    /// Positions after a correction that is being judged.
    moved: Vec<f64>,
    /// Forces that corrections of held entries bring to the others.
    lift: Vec<f64>,
    /// What held entries of x miss of their given displacement.
    missing: Vec<f64>,
    /// Largest entry of the matrix, N/m.
    stiffest: f64,
    /// Largest force of the last look, N.
    largest: f64,
}

impl Problem {
    /// What it is made of.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.reference.len() / 2
    }

    /// Entries of x.
    pub fn dofs(&self) -> usize {
        self.reference.len()
    }

    /// Number of multipliers.
    pub fn multipliers(&self) -> usize {
        self.multipliers
    }

    /// The cells of a body.
    pub fn solid(&self, body: usize) -> &Solid {
        &self.solids[body]
    }

    /// Nodes of a body.
    pub fn nodes_of(&self, body: usize) -> std::ops::Range<usize> {
        self.first_node[body] as usize..self.first_node[body + 1] as usize
    }

    /// The body that a node belongs to.
    pub fn body_of(&self, node: usize) -> usize {
        self.first_node.partition_point(|first| *first as usize <= node) - 1
    }

    /// The carrier that a node starts with.
    pub fn carrier_of(&self, node: usize) -> usize {
        self.definition.bodies[self.body_of(node)].carrier
    }

    /// How deep nodes of a contact lie inside its target at the start, m; zero where they do not.
    pub fn overlap_at_start(&self, contact: usize) -> f64 {
        self.overlap_at_start[contact]
    }

    /// The first cell with a corner that is folded over, by body and number; points of integration may still be sound.
    pub fn folded(&self, x: &[f64]) -> Option<(usize, usize)> {
        self.definition.bodies.iter().enumerate().find_map(|(body, own)| {
            let x = self.of_body(body, x);
            let at = |node: u32| [x[2 * node as usize], x[2 * node as usize + 1]];
            let is_folded = |cell: &crate::mesh::Cell| {
                let corners = &cell.nodes()[..cell.shape.corners()];
                (0..corners.len()).any(|k| {
                    let count = corners.len();
                    let [a, b, c] = [corners[(k + count - 1) % count], corners[k], corners[(k + 1) % count]].map(at);
                    (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) <= 0.0
                })
            };
            own.mesh.cells.iter().position(is_folded).map(|cell| (body, cell))
        })
    }

    /// Positions of all nodes where carriers have these poses and nothing is strained.
    pub fn place(&self, poses: &[Pose], x: &mut [f64]) {
        for (body, own) in self.definition.bodies.iter().enumerate() {
            for (node, point) in self.nodes_of(body).zip(&own.mesh.points) {
                let at = setup::to_world(poses[own.carrier], setup::to_world(own.placement, *point));
                x[2 * node..2 * node + 2].copy_from_slice(&at);
            }
        }
    }

    /// Positions of all nodes when their carriers take them along from one set of poses to another.
    pub fn carry(&self, before: &[Pose], after: &[Pose], x: &[f64], out: &mut [f64]) {
        for (body, own) in self.definition.bodies.iter().enumerate() {
            let ([x0, y0, from], [x1, y1, to]) = (before[own.carrier], after[own.carrier]);
            let (s, c) = (to - from).sin_cos();
            for node in self.nodes_of(body) {
                let (dx, dy) = (x[2 * node] - x0, x[2 * node + 1] - y0);
                out[2 * node] = x1 + c * dx - s * dy;
                out[2 * node + 1] = y1 + s * dx + c * dy;
            }
        }
    }

    /// Wrench on each carrier but the world, three entries each, with the sign of internal forces: the push on the carrier is the opposite.
    pub fn wrench(&self) -> &[f64] {
        &self.wrench
    }

    /// R of the last look: forces at nodes, N, then what multipliers leave open, m.
    pub fn residual(&self) -> &[f64] {
        &self.residual
    }

    /// Largest force in a cell, a load or a contact at the last look, N.
    pub fn largest_force(&self) -> f64 {
        self.scratch.largest
    }

    /// Size of the smallest box around all nodes at the start, its longer side, m.
    pub fn size(&self) -> f64 {
        let range = |k: usize| {
            let ends = |(low, high): (f64, f64), x: &f64| (low.min(*x), high.max(*x));
            let (low, high) = self.reference.iter().skip(k).step_by(2).fold((f64::INFINITY, f64::NEG_INFINITY), ends);
            high - low
        };
        range(0).max(range(1))
    }

    /// Strikers whose status the last look changed.
    pub fn changed(&self) -> usize {
        self.statuses.changed
    }

    /// What the linear solver did so far.
    pub fn solver_notes(&self) -> &crate::sparse::Notes {
        self.solver.notes()
    }

    /// How often it was looked at so far.
    pub fn looks(&self) -> Looks {
        self.looks
    }

    /// Unknowns of the matrix: positions and multipliers.
    pub fn unknowns(&self) -> usize {
        self.residual.len()
    }

    /// Entries of the matrix, and of its symmetric factors if it has them.
    pub fn entries(&self) -> (usize, Option<usize>) {
        (self.solver.pattern().entries(), self.solver.factor_entries())
    }

    /// How often statuses went round in circles and r was made smaller.
    pub fn reductions(&self) -> usize {
        self.reductions
    }

    /// r of each contact as it is used, N/m.
    pub fn regularisation(&self) -> &[f64] {
        &self.regularisation
    }
}
