//! Columns of soft parts: peaks, contacts, ties and supports at one instant, and the frames of a record.
//! Not here: rigid columns (`columns`), when to look (`run::coupled`).
//! In: a coupled movement that was looked at. Out: names with units, their values, frames.
//!
//! | columns | what | unit |
//! | --- | --- | --- |
//! | `soft.N.von_mises`, `.hydrostatic` | largest von Mises stress and hydrostatic pressure at a node | Pa |
//! | `soft.N.compression`, `.extension` | largest compressive and tensile principal Green strain at a node, both positive | 1 |
//! | `soft.N.energy` | energy stored | J |
//! | `soft_contact.N.pressure`, `.force.x`, `.force.y` | largest pressure; force on the target | Pa, N |
//! | `soft_contact.N.touching`, `.area`, `.overlap` | nodes that press, the area they stand for, deepest overlap | 1, m^2, m |
//! | `soft_contact.N.middle.pressure`, `tie.N.middle.*` | at the node in the middle of the boundary: pressure, `von_mises`, `hydrostatic`, `stress.xx` ... | Pa |
//! | `tie.N.force.x`, `support.N.force.x` ... | force of a tie on what it is held to, of a support on the soft part | N |
//! | `traction.N.first.dx`, `.last.dx` ... | displacement of the first and last node of a loaded boundary since the start | m |

use crate::soft_record::{GaussPoint, SoftArc, SoftArcFrame, SoftBody, SoftBodyFrame, SoftFrame, SoftRecord};
use borelli_data::Column;
use borelli_dynamics::coupled::CoupledMovement;
use borelli_soft::element::{NodeStress, PointStress};
use borelli_soft::problem::Problem;

/// What is shown of the node in the middle of a boundary, with units.
const MIDDLE: [(&str, &str); 6] =
    [("von_mises", "Pa"), ("hydrostatic", "Pa"), ("stress.xx", "Pa"), ("stress.yy", "Pa"), ("stress.xy", "Pa"), ("compression", "1")];

/// Memory for the columns of soft parts.
pub struct SoftColumns {
    list: Vec<Column>,
    values: Vec<f64>,
    /// Body and node in the middle of each contact's and each tie's boundary.
    contact_middle: Vec<(usize, u32)>,
    tie_middle: Vec<(usize, u32)>,
    /// First and last node of each loaded boundary, in the numbering of all bodies, and where they start.
    ends: Vec<[(usize, [f64; 2]); 2]>,
    /// Energy stored at the last look, J.
    energy: f64,
    stress: Vec<Vec<NodeStress>>,
}

/// The largest compressive and the largest tensile principal strain.
fn principal(node: &NodeStress) -> (f64, f64) {
    let [(a, _), (b, _)] = node.strain.principal();
    (a.min(b), a.max(b))
}

impl SoftColumns {
    /// The columns of a problem whose nodes are at these positions at the start.
    pub fn new(problem: &Problem, x: &[f64]) -> SoftColumns {
        let definition = problem.definition();
        let mut list = Vec::new();
        let mut add = |name: String, unit: &str| list.push(Column::new(name, unit.to_string()));
        for body in &definition.bodies {
            let name = &body.name;
            for (what, unit) in [("von_mises", "Pa"), ("hydrostatic", "Pa"), ("compression", "1"), ("extension", "1"), ("energy", "J")] {
                add(format!("soft.{name}.{what}"), unit);
            }
        }
        for contact in &definition.contacts {
            let name = &contact.name;
            for (what, unit) in
                [("pressure", "Pa"), ("force.x", "N"), ("force.y", "N"), ("touching", "1"), ("area", "m^2"), ("overlap", "m")]
            {
                add(format!("soft_contact.{name}.{what}"), unit);
            }
            add(format!("soft_contact.{name}.middle.pressure"), "Pa");
            MIDDLE.iter().for_each(|(what, unit)| add(format!("soft_contact.{name}.middle.{what}"), unit));
        }
        for tie in &definition.ties {
            ["x", "y"].iter().for_each(|k| add(format!("tie.{}.force.{k}", tie.name), "N"));
            MIDDLE.iter().for_each(|(what, unit)| add(format!("tie.{}.middle.{what}", tie.name), unit));
        }
        for support in &definition.supports {
            ["x", "y"].iter().for_each(|k| add(format!("support.{}.force.{k}", support.name), "N"));
        }
        for load in &definition.loads {
            for end in ["first", "last"] {
                ["dx", "dy"].iter().for_each(|k| add(format!("traction.{}.{end}.{k}", load.name), "m"));
            }
        }
        let nodes = |of: borelli_soft::definition::BoundaryIndex| definition.bodies[of.body].mesh.boundaries[of.boundary].nodes();
        let middle = |of: borelli_soft::definition::BoundaryIndex| {
            let nodes = nodes(of);
            (of.body, nodes[nodes.len() / 2])
        };
        let ends = |of: borelli_soft::definition::BoundaryIndex| {
            let (nodes, first) = (nodes(of), problem.nodes_of(of.body).start);
            [nodes[0], nodes[nodes.len() - 1]].map(|node| {
                let node = first + node as usize;
                (node, [x[2 * node], x[2 * node + 1]])
            })
        };
        SoftColumns {
            values: vec![0.0; list.len()],
            list,
            contact_middle: definition.contacts.iter().map(|contact| middle(contact.of)).collect(),
            tie_middle: definition.ties.iter().map(|tie| middle(tie.of)).collect(),
            ends: definition.loads.iter().map(|load| ends(load.of)).collect(),
            energy: 0.0,
            stress: definition.bodies.iter().map(|_| Vec::new()).collect(),
        }
    }

    /// Names and units.
    pub fn list(&self) -> &[Column] {
        &self.list
    }

    /// Energy stored in all soft parts at the last `fill`, J.
    pub fn energy(&self) -> f64 {
        self.energy
    }

    /// Values of the last `fill`.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Finds the values at the last look of a movement, with positions and multipliers of that look.
    pub fn fill(&mut self, movement: &CoupledMovement, x: &[f64], v: &[f64], lambda: &[f64]) {
        let problem = movement.problem();
        let definition = problem.definition();
        let mut values = self.values.iter_mut();
        self.energy = 0.0;
        let mut put = |value: f64| {
            if let Some(slot) = values.next() {
                *slot = value;
            }
        };
        for (body, stress) in self.stress.iter_mut().enumerate() {
            // Positions of a look that was made: no cell is inside out.
            let _ = problem.fill_stress(body, x, Some(v), stress);
            let most = |of: &dyn Fn(&NodeStress) -> f64| stress.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
            put(most(&|node| node.stress.von_mises()));
            put(most(&|node| node.stress.hydrostatic()));
            put(most(&|node| -principal(node).0).max(0.0));
            put(most(&|node| principal(node).1).max(0.0));
            let energy = problem.solid(body).energy(problem.of_body(body, x));
            self.energy += energy;
            put(energy);
        }
        for (contact, middle) in self.contact_middle.iter().enumerate() {
            let state = problem.contact(contact);
            [state.peak, state.force[0], state.force[1], state.touching as f64, state.area, state.overlap].into_iter().for_each(&mut put);
            let pressing = problem.pressing(contact).find(|node| node.node == middle.1 as usize);
            put(pressing.map_or(0.0, |node| node.pressure));
            shown(&self.stress, *middle).into_iter().for_each(&mut put);
        }
        for (tie, middle) in self.tie_middle.iter().enumerate() {
            problem.tie_force(tie, lambda, x, movement.poses()).into_iter().for_each(&mut put);
            shown(&self.stress, *middle).into_iter().for_each(&mut put);
        }
        for support in 0..definition.supports.len() {
            problem.support_force(support).into_iter().for_each(&mut put);
        }
        for ends in &self.ends {
            for (node, start) in ends {
                (0..2).for_each(|k| put(x[2 * node + k] - start[k]));
            }
        }
    }

    /// The frame of the last `fill`; with points of integration where they are asked for.
    pub fn frame(&self, t: f64, movement: &CoupledMovement, [x, v]: [&[f64]; 2], lambda: &[f64], gauss: bool) -> SoftFrame {
        let problem = movement.problem();
        let definition = problem.definition();
        let bodies = self.stress.iter().enumerate().map(|(body, stress)| {
            let points: Vec<[f64; 2]> = problem.of_body(body, x).chunks_exact(2).map(|p| [p[0], p[1]]).collect();
            // A node between two regions has the mean of both.
            let (mut sums, mut strains, mut count) = (vec![[0.0; 4]; points.len()], vec![[0.0; 3]; points.len()], vec![0.0; points.len()]);
            for node in stress {
                let (k, s, e) = (node.node as usize, node.stress, node.strain);
                count[k] += 1.0;
                [s.xx, s.yy, s.xy, s.zz].iter().zip(&mut sums[k]).for_each(|(more, sum)| *sum += more);
                [e.xx, e.yy, e.xy].iter().zip(&mut strains[k]).for_each(|(more, sum)| *sum += more);
            }
            for k in 0..points.len() {
                let share = 1.0 / f64::max(count[k], 1.0);
                sums[k].iter_mut().chain(&mut strains[k]).for_each(|x| *x *= share);
            }
            let gauss = if gauss { gauss_points(problem, body, x, v) } else { Vec::new() };
            SoftBodyFrame { points, stress: sums, strain: strains, gauss }
        });
        let contacts = (0..definition.contacts.len()).map(|contact| {
            let (pressure, gap): (Vec<f64>, Vec<f64>) = problem.pressing(contact).map(|node| (node.pressure, node.gap)).unzip();
            SoftArcFrame { shear: vec![0.0; pressure.len()], pressure, gap }
        });
        let ties = definition.ties.iter().enumerate().map(|(tie, own)| {
            let body = &definition.bodies[own.of.body];
            let boundary = &body.mesh.boundaries[own.of.boundary];
            let lengths = boundary.tributary_lengths(&body.mesh.points);
            let first = problem.nodes_of(own.of.body).start;
            let nodes: Vec<usize> = lengths.iter().map(|(node, _)| first + *node as usize).collect();
            let mut frame = SoftArcFrame::default();
            for (k, (_, force)) in problem.tied_nodes(tie, lambda, x, movement.poses()).enumerate() {
                let (before, after) = (nodes[k.saturating_sub(1)], nodes[(k + 1).min(nodes.len() - 1)]);
                let (tx, ty) = (x[2 * after] - x[2 * before], x[2 * after + 1] - x[2 * before + 1]);
                let (length, area) = (tx.hypot(ty), lengths[k].1 * body.depth);
                // The material lies on the left of the boundary, its outward normal is on the right: (t_y, −t_x).
                frame.pressure.push((force[0] * ty - force[1] * tx) / length / area);
                frame.shear.push((force[0] * tx + force[1] * ty) / length / area);
                frame.gap.push(0.0);
            }
            frame
        });
        SoftFrame { t, bodies: bodies.collect(), arcs: contacts.chain(ties).collect() }
    }

    /// A record without frames, of a problem whose nodes are at these positions at the start.
    pub fn record(problem: &Problem, x: &[f64]) -> SoftRecord {
        let definition = problem.definition();
        let bodies = definition.bodies.iter().enumerate().map(|(k, body)| SoftBody {
            name: body.name.clone(),
            points: problem.of_body(k, x).chunks_exact(2).map(|p| [p[0], p[1]]).collect(),
            cells: body.mesh.cells.iter().map(|cell| cell.nodes().to_vec()).collect(),
            regions: body.mesh.cells.iter().map(|cell| body.mesh.regions[cell.region as usize].clone()).collect(),
            depth: body.depth,
        });
        let arc = |name: &str, contact: bool, of: borelli_soft::definition::BoundaryIndex| {
            let mesh = &definition.bodies[of.body].mesh;
            let nodes = mesh.boundaries[of.boundary].nodes();
            let (mut sum, mut arc) = (0.0, Vec::with_capacity(nodes.len()));
            for (k, node) in nodes.iter().enumerate() {
                let [a, b] = [nodes[k.saturating_sub(1)], *node].map(|node| mesh.points[node as usize]);
                sum += (b[0] - a[0]).hypot(b[1] - a[1]);
                arc.push(sum);
            }
            SoftArc { name: name.into(), contact, body: of.body, nodes, arc }
        };
        let contacts = definition.contacts.iter().map(|contact| arc(&contact.name, true, contact.of));
        let ties = definition.ties.iter().map(|tie| arc(&tie.name, false, tie.of));
        SoftRecord { bodies: bodies.collect(), arcs: contacts.chain(ties).collect(), frames: Vec::new(), steps: Vec::new() }
    }
}

/// Stress and strain at the points of integration of a body.
fn gauss_points(problem: &Problem, body: usize, x: &[f64], v: &[f64]) -> Vec<GaussPoint> {
    let mut points = Vec::new();
    // Positions of a look that was made: no cell is inside out.
    let _ = problem.solid(body).stress_at_points(problem.of_body(body, x), Some(problem.of_body(body, v)), &mut points);
    let one = |point: &PointStress| {
        let (s, e) = (point.stress, point.strain);
        let (stress, strain) = ([s.xx, s.yy, s.xy, s.zz], [e.xx, e.yy, e.xy]);
        GaussPoint { cell: point.cell, at: point.position, volume: point.weight, stress, strain }
    };
    points.iter().map(one).collect()
}

/// What is shown of one node.
fn shown(stress: &[Vec<NodeStress>], (body, node): (usize, u32)) -> [f64; MIDDLE.len()] {
    stress[body].iter().find(|own| own.node == node).map_or([0.0; MIDDLE.len()], |own| {
        let s = own.stress;
        [s.von_mises(), s.hydrostatic(), s.xx, s.yy, s.xy, -principal(own).0]
    })
}
