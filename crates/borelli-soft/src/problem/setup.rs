//! From a definition to a problem: nodes numbered, conditions spread over nodes, the pattern of the matrix and its order.
//! Not here: numbers of an evaluation (`assemble`).
//! In: a `Definition`, poses at the start. Out: a `Problem`.

use super::line::LineSetup;
use super::{Held, HeldTo, LoadedEdge, Looks, Memory, Pose, Problem, Scratch, SetupFault, Striker, TiedNode};
use crate::definition::{BoundaryIndex, Definition, LinePoint, LoadKind, Method, Partner};
use crate::element::{CellWork, Solid};
use crate::mesh::Boundary;
use crate::sparse::{OUT, Order, Pattern, Place, Solver};

/// A node tied to a boundary may be this part of its neighbour edge away from it.
const NEAR: f64 = 1e-3;
/// A gap below this part of the size of all soft bodies is closed at the start.
const CLOSE: f64 = 1e-9;

/// A point of a frame in the world.
pub(super) fn to_world([x, y, angle]: Pose, [a, b]: [f64; 2]) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    [x + c * a - s * b, y + s * a + c * b]
}

/// A point of the world in a frame.
pub(super) fn to_frame([x, y, angle]: Pose, [a, b]: [f64; 2]) -> [f64; 2] {
    let ((s, c), dx, dy) = (angle.sin_cos(), a - x, b - y);
    [c * dx + s * dy, c * dy - s * dx]
}

/// Who holds each entry of x, so that nothing is held twice.
struct Holders(Vec<Option<String>>);

impl Holders {
    fn take(&mut self, dof: usize, by: &str, at: [f64; 2]) -> Result<(), SetupFault> {
        match &self.0[dof] {
            Some(other) => Err(SetupFault::HeldTwice { at, by: [other.clone(), by.to_string()] }),
            None => {
                self.0[dof] = Some(by.to_string());
                Ok(())
            }
        }
    }
}

/// Entries that supports hold, where each entry of x stands among them, and those that are held again.
type Supported = (Vec<Held>, Vec<u32>, Vec<(u32, Held)>);

/// Nodes of a boundary in the numbering of all bodies, with the length at the start that belongs to each.
struct Nodes {
    list: Vec<(u32, f64)>,
}

impl Problem {
    /// Sets up a problem with carriers at these poses, where nothing is strained.
    pub fn new(definition: Definition, poses: &[Pose]) -> Result<Problem, SetupFault> {
        let mut first_node = vec![0];
        let mut reference: Vec<f64> = Vec::new();
        let mut solids = Vec::with_capacity(definition.bodies.len());
        for body in &definition.bodies {
            let place = |p: &[f64; 2]| to_world(poses[body.carrier], to_world(body.placement, *p));
            let points: Vec<[f64; 2]> = body.mesh.points.iter().map(place).collect();
            let solid =
                Solid::new(&points, &body.mesh.cells, body.materials.clone(), body.density.clone(), body.depth, body.plane, body.element);
            solids.push(solid.map_err(|bad| SetupFault::BadCell { body: body.name.clone(), reason: bad.to_string() })?);
            reference.extend(points.iter().flatten());
            first_node.push((reference.len() / 2) as u32);
        }
        let dofs = reference.len();
        let mut setup = Setup {
            definition: &definition,
            poses,
            reference: &reference,
            first_node: &first_node,
            holders: Holders(vec![None; dofs]),
            groups: Groups::default(),
            places: (0..dofs).map(|dof| Place::Node((dof / 2) as u32)).collect(),
        };
        let (held, held_at, held_again) = setup.supports()?;
        setup.groups.held = held_at.iter().map(|k| *k != OUT).collect();
        let first_group = setup.cells(&solids);
        let loaded = setup.loads();
        let lines = setup.lines();
        let ties = setup.ties()?;
        let strikers = setup.strikers()?;
        setup.held_somehow(&held, &ties, &strikers)?;
        let Setup { groups, places, .. } = setup;
        let unknowns = places.len();
        let pattern = Pattern::new(unknowns, groups.list()).map_err(SetupFault::Matrix)?;
        let order = Order::from_nodes(&pattern, &places).map_err(SetupFault::Matrix)?;
        let follower = definition.loads.iter().any(|load| load.kind == LoadKind::Pressure);
        let damped = definition.lines.iter().any(|line| line.damped);
        let symmetric = !follower && !damped && solids.iter().all(Solid::symmetric);
        let entries = pattern.entries();
        let diagonal = held.iter().filter_map(|held| pattern.slot(held.dof as usize, held.dof as usize)).collect();
        let solver = Solver::new(pattern, &order, symmetric).map_err(SetupFault::Matrix)?;
        let columns = 3 * (poses.len() - 1);
        let mut problem = Problem {
            regularisation: definition.contacts.iter().map(|contact| contact.stiffness).collect(),
            reductions: 0,
            reduced: vec![false; definition.contacts.len()],
            multipliers: unknowns - dofs,
            residual: vec![0.0; unknowns],
            reaction: vec![0.0; held.len()],
            wrench: vec![0.0; columns],
            border: vec![0.0; unknowns * columns],
            spread: vec![0.0; unknowns * columns],
            skew: vec![0.0; if damped { unknowns * columns } else { 0 }],
            direct: vec![0.0; columns * columns],
            condensed: vec![0.0; columns * columns],
            condensed_wrench: vec![0.0; columns],
            statuses: Memory::new(strikers.len()),
            scratch: Scratch {
                cell: CellWork::default(),
                values: vec![0.0; entries],
                solution: vec![0.0; unknowns],
                x: reference.clone(),
                moved: reference.clone(),
                lift: vec![0.0; unknowns],
                missing: vec![0.0; dofs],
                stiffest: 0.0,
                largest: 0.0,
            },
            diagonal,
            held_again,
            overlap_at_start: vec![0.0; definition.contacts.len()],
            weight: vec![0.0; dofs],
            looks: Looks::default(),
            definition,
            solids,
            first_node,
            reference,
            ties,
            strikers,
            held,
            held_at,
            loaded,
            lines,
            pulls: Vec::new(),
            pose_rates: Vec::new(),
            solver,
            first_group,
        };
        problem.touch_at_start(poses);
        Ok(problem)
    }

    /// Nodes that lie on their target at the start touch it: rounding must not decide that.
    fn touch_at_start(&mut self, poses: &[Pose]) {
        let close = CLOSE * self.size();
        for (striker, touching) in self.strikers.iter().zip(&mut self.statuses.kept) {
            let contact = &self.definition.contacts[striker.contact as usize];
            let x = [self.reference[2 * striker.node as usize], self.reference[2 * striker.node as usize + 1]];
            let foot = contact.target.project(to_frame(poses[contact.carrier], x), None);
            *touching = foot.as_ref().is_ok_and(|foot| foot.gap <= close);
            let deep = &mut self.overlap_at_start[striker.contact as usize];
            *deep = foot.map_or(*deep, |foot| deep.max(-foot.gap));
        }
    }
}

#[derive(Default)]
struct Groups {
    held: Vec<bool>,
    members: Vec<u32>,
    ends: Vec<usize>,
}

impl Groups {
    /// Adds a group; held entries take no part.
    fn add(&mut self, unknowns: impl IntoIterator<Item = u32>) -> u32 {
        let held = &self.held;
        self.members.extend(unknowns.into_iter().map(|u| if held.get(u as usize).copied().unwrap_or(false) { OUT } else { u }));
        self.ends.push(self.members.len());
        self.ends.len() as u32 - 1
    }

    fn list(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len()).map(|k| &self.members[if k == 0 { 0 } else { self.ends[k - 1] }..self.ends[k]])
    }
}

struct Setup<'a> {
    definition: &'a Definition,
    poses: &'a [Pose],
    reference: &'a [f64],
    first_node: &'a [u32],
    holders: Holders,
    groups: Groups,
    places: Vec<Place>,
}

impl Setup<'_> {
    fn boundary(&self, of: BoundaryIndex) -> &Boundary {
        &self.definition.bodies[of.body].mesh.boundaries[of.boundary]
    }

    fn at(&self, node: u32) -> [f64; 2] {
        [self.reference[2 * node as usize], self.reference[2 * node as usize + 1]]
    }

    /// Nodes of a boundary in order, with their lengths.
    fn nodes(&self, of: BoundaryIndex) -> Nodes {
        let (mesh, first) = (&self.definition.bodies[of.body].mesh, self.first_node[of.body]);
        let list = self.boundary(of).tributary_lengths(&mesh.points).into_iter().map(|(node, length)| (first + node, length)).collect();
        Nodes { list }
    }

    /// Entries that supports hold, where each stands, and those that two supports hold: they must give the same displacement there.
    fn supports(&mut self) -> Result<Supported, SetupFault> {
        let (mut held, mut again): (Vec<Held>, Vec<(u32, Held)>) = (Vec::new(), Vec::new());
        let mut held_at = vec![OUT; self.reference.len()];
        for (support, own) in self.definition.supports.iter().enumerate() {
            for (node, _) in self.nodes(own.of).list {
                for direction in (0..2).filter(|k| own.held[*k]) {
                    let dof = 2 * node as usize + direction;
                    let one = Held { dof: dof as u32, support: support as u32, direction: direction as u32 };
                    if held_at[dof] == OUT {
                        self.holders.take(dof, &format!("support.{}", own.name), self.at(node))?;
                        held_at[dof] = held.len() as u32;
                        held.push(one);
                    } else {
                        again.push((held_at[dof], one));
                    }
                }
            }
        }
        Ok((held, held_at, again))
    }

    fn cells(&mut self, solids: &[Solid]) -> Vec<u32> {
        let mut first = Vec::with_capacity(solids.len());
        for (body, solid) in solids.iter().enumerate() {
            first.push(self.groups.ends.len() as u32);
            for cell in 0..solid.cells() {
                let offset = self.first_node[body];
                self.groups.add(solid.nodes_of(cell).iter().flat_map(|node| [2 * (offset + node), 2 * (offset + node) + 1]));
            }
        }
        first
    }

    fn loads(&mut self) -> Vec<LoadedEdge> {
        let mut list = Vec::new();
        for (load, own) in self.definition.loads.iter().enumerate() {
            let (first, depth) = (self.first_node[own.of.body], self.definition.bodies[own.of.body].depth);
            for edge in self.boundary(own.of).edges.clone() {
                let [a, b] = edge.ends.map(|node| first + node);
                let middle = edge.middle.map(|node| first + node);
                let nodes = [a, b, middle.unwrap_or(0)];
                let count = if middle.is_some() { 3 } else { 2 };
                let group = self.groups.add(nodes[..count as usize].iter().flat_map(|node| [2 * node, 2 * node + 1]));
                list.push(LoadedEdge { load: load as u32, nodes, count, depth, group });
            }
        }
        list
    }

    fn lines(&mut self) -> Vec<LineSetup> {
        let definition = self.definition;
        let mut list = Vec::with_capacity(definition.lines.len());
        for own in &definition.lines {
            let node = |point: &LinePoint| match point {
                LinePoint::Node { body, node } => Some(self.first_node[*body] + node),
                LinePoint::Carrier { .. } => None,
            };
            let nodes: Vec<Option<u32>> = own.points.iter().map(node).collect();
            let group = self.groups.add(nodes.iter().flatten().flat_map(|node| [2 * node, 2 * node + 1]));
            list.push(LineSetup::new(own.points.clone(), nodes, group));
        }
        list
    }

    /// A multiplier that acts on a node.
    fn multiplier(&mut self, node: u32) -> u32 {
        self.places.push(Place::Behind(node));
        self.places.len() as u32 - 1
    }

    fn ties(&mut self) -> Result<Vec<TiedNode>, SetupFault> {
        let mut list = Vec::new();
        for (tie, own) in self.definition.ties.iter().enumerate() {
            for (node, _) in self.nodes(own.of).list {
                let by = format!("tie.{}", own.name);
                for direction in 0..2 {
                    self.holders.take(2 * node as usize + direction, &by, self.at(node))?;
                }
                let held_to = match own.to {
                    Partner::Carrier(carrier) => {
                        HeldTo::Carrier { carrier: carrier as u32, point: to_frame(self.poses[carrier], self.at(node)) }
                    }
                    Partner::Boundary(of) => self.nearest(&own.name, node, of)?,
                };
                let rows = (own.method != Method::Penalty).then(|| {
                    let row = self.multiplier(node);
                    self.multiplier(node);
                    row
                });
                let mut group = vec![2 * node, 2 * node + 1];
                if let HeldTo::Edge { nodes, count, .. } = held_to {
                    group.extend(nodes[..count as usize].iter().flat_map(|node| [2 * node, 2 * node + 1]));
                }
                group.extend(rows.into_iter().flat_map(|row| [row, row + 1]));
                let group = self.groups.add(group);
                let r = if own.method == Method::Lagrange { 0.0 } else { own.stiffness };
                list.push(TiedNode { tie: tie as u32, node, held_to, rows, r, group });
            }
        }
        Ok(list)
    }

    /// The point of a boundary that is nearest to a node, as weights of the ends of an edge.
    fn nearest(&self, tie: &str, node: u32, of: BoundaryIndex) -> Result<HeldTo, SetupFault> {
        let (at, first) = (self.at(node), self.first_node[of.body]);
        let mut best: Option<(f64, f64, [u32; 2], f64)> = None;
        for edge in &self.boundary(of).edges {
            let [a, b] = edge.ends.map(|node| first + node);
            let ([ax, ay], [bx, by]) = (self.at(a), self.at(b));
            let (tx, ty) = (bx - ax, by - ay);
            let length = tx.hypot(ty);
            let along = (((at[0] - ax) * tx + (at[1] - ay) * ty) / (length * length)).clamp(0.0, 1.0);
            let distance = (at[0] - ax - along * tx).hypot(at[1] - ay - along * ty);
            if best.is_none_or(|best| distance < best.0) {
                best = Some((distance, along, [a, b], length));
            }
        }
        match best {
            Some((distance, along, [a, b], length)) if distance <= NEAR * length => {
                Ok(HeldTo::Edge { nodes: [a, b, 0], weights: [1.0 - along, along, 0.0], count: 2 })
            }
            other => {
                let distance = other.map_or(f64::INFINITY, |best| best.0);
                Err(SetupFault::FarFromPartner { tie: tie.to_string(), at, distance })
            }
        }
    }

    fn strikers(&mut self) -> Result<Vec<Striker>, SetupFault> {
        let mut list = Vec::new();
        for (contact, own) in self.definition.contacts.iter().enumerate() {
            if self.boundary(own.of).edges.iter().any(|edge| edge.middle.is_some()) {
                return Err(SetupFault::Quadratic { element: format!("soft_contact.{}", own.name) });
            }
            let depth = self.definition.bodies[own.of.body].depth;
            let (mut arc, mut before): (f64, Option<[f64; 2]>) = (0.0, None);
            for (node, length) in self.nodes(own.of).list {
                let at = self.at(node);
                arc += before.map_or(0.0, |before| (at[0] - before[0]).hypot(at[1] - before[1]));
                before = Some(at);
                let row = (own.method != Method::Penalty).then(|| self.multiplier(node));
                let group = self.groups.add([2 * node, 2 * node + 1].into_iter().chain(row));
                list.push(Striker {
                    contact: contact as u32,
                    node,
                    row,
                    area: length * depth,
                    arc,
                    group,
                    hint: None,
                    gap: f64::INFINITY,
                    push: 0.0,
                    normal: [0.0; 2],
                });
            }
        }
        Ok(list)
    }

    /// Every connected piece must be held by something.
    fn held_somehow(&self, held: &[Held], ties: &[TiedNode], strikers: &[Striker]) -> Result<(), SetupFault> {
        for (body, own) in self.definition.bodies.iter().enumerate() {
            if own.density.iter().any(|density| *density > 0.0) {
                continue;
            }
            let (first, last) = (self.first_node[body], self.first_node[body + 1]);
            let inside = |node: u32| (first..last).contains(&node);
            let partner = |tie: &TiedNode| match tie.held_to {
                HeldTo::Edge { nodes, .. } => inside(nodes[0]),
                HeldTo::Carrier { .. } => false,
            };
            let some = held.iter().any(|held| inside(held.dof / 2))
                || ties.iter().any(|tie| inside(tie.node) || partner(tie))
                || strikers.iter().any(|striker| inside(striker.node));
            if !some {
                return Err(SetupFault::Loose { body: own.name.clone(), at: self.at(first) });
            }
        }
        Ok(())
    }
}
