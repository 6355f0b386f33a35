//! Paths that run over nodes: straight pieces from point to point, along which something outside pulls.
//! Not here: what makes the tension; the caller gives it with its slopes.
//! In: points that are nodes or lie on carriers, a tension. Out: forces on nodes, wrenches on carriers, and the exact tangent of both.
//!
//! For points p₁ … pₙ with velocities vᵢ, d = pᵢ₊₁ − pᵢ, e = d/|d| and H = (1 − e eᵀ)/|d| of each piece, and g = ∂l/∂p,
//!
//!     l = Σ |d|        l̇ = Σ e·(vᵢ₊₁ − vᵢ)        f = N g        (sign of internal forces)                  (1)
//!
//! A node has its position as unknown, a point r from the origin of its carrier follows the pose (x, y, θ): ∂p/∂pose = P = [1, e₃ × r], and the velocity
//! of such a point turns with it, ∂v/∂θ = −θ̇ r. With G = Pᵀ g, slopes N_l and N_l̇ of the tension, and velocities that follow positions by a factor b,
//!
//!     ∂f/∂s = N_l G Gᵀ + N (Pᵀ H P + ∂P/∂s g) + N_l̇ G (Pᵀ H Δv + ∂v/∂s g + b G)ᵀ                         (2)
//!
//! The last part is not symmetric: a path with a law of its rate (`damped`) has forces on carriers that answer to nodes in another way than those on
//! nodes to carriers, so that the border of the condensed equations has two sides.

use super::setup::to_world;
use super::{At, Following, Pose, Problem};
use crate::definition::LinePoint;
use crate::sparse::OUT;

/// The tension along a path and its slopes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pull {
    /// N, positive when it shortens the path.
    pub force: f64,
    /// By the length, N/m.
    pub by_length: f64,
    /// By its rate, N s/m.
    pub by_rate: f64,
}

/// A path, with memory for its tangent.
pub(super) struct LineSetup {
    pub points: Vec<LinePoint>,
    /// Of the nodes, in their order along the path; none without nodes.
    pub group: u32,
    /// Nodes in the numbering of all bodies, in the order of the points; nothing for points of carriers.
    pub nodes: Vec<Option<u32>>,
    /// First of the unknowns of each point, and how many all of them have.
    first: Vec<usize>,
    size: usize,
    p: Vec<[f64; 2]>,
    v: Vec<[f64; 2]>,
    /// G and ∂l̇/∂s, by unknown; the tangent, row by row.
    by_length: Vec<f64>,
    by_rate: Vec<f64>,
    tangent: Vec<f64>,
    block: Vec<f64>,
}

impl LineSetup {
    pub(super) fn new(points: Vec<LinePoint>, nodes: Vec<Option<u32>>, group: u32) -> Self {
        let (mut first, mut size) = (Vec::new(), 0);
        for node in &nodes {
            first.push(size);
            size += if node.is_some() { 2 } else { 3 };
        }
        let count = nodes.iter().flatten().count();
        let (p, v) = (vec![[0.0; 2]; nodes.len()], vec![[0.0; 2]; nodes.len()]);
        let (by_length, by_rate, tangent) = (vec![0.0; size], vec![0.0; size], vec![0.0; size * size]);
        LineSetup { points, group, nodes, first, size, p, v, by_length, by_rate, tangent, block: vec![0.0; 4 * count * count] }
    }

    /// Positions and velocities of the points.
    fn place(&mut self, x: &[f64], xdot: Option<&[f64]>, poses: &[Pose], rates: &[Pose]) {
        for k in 0..self.points.len() {
            (self.p[k], self.v[k]) = match (self.points[k], self.nodes[k]) {
                (_, Some(node)) => {
                    let at = |list: &[f64]| [list[2 * node as usize], list[2 * node as usize + 1]];
                    (at(x), xdot.map_or([0.0; 2], at))
                }
                (LinePoint::Carrier { carrier, point }, None) => {
                    let (pose, [vx, vy, turn]) = (poses[carrier], rates.get(carrier).copied().unwrap_or_default());
                    let p = to_world(pose, point);
                    let (rx, ry) = (p[0] - pose[0], p[1] - pose[1]);
                    (p, [vx - turn * ry, vy + turn * rx])
                }
                (LinePoint::Node { .. }, None) => ([0.0; 2], [0.0; 2]),
            };
        }
    }

    /// The piece from a point to the next: length, direction, difference of velocities. A piece without length has no direction.
    fn piece(&self, k: usize) -> (f64, [f64; 2], [f64; 2]) {
        let d = [self.p[k + 1][0] - self.p[k][0], self.p[k + 1][1] - self.p[k][1]];
        let length = d[0].hypot(d[1]);
        let e = if length > 0.0 { d.map(|d| d / length) } else { [0.0; 2] };
        (length, e, [self.v[k + 1][0] - self.v[k][0], self.v[k + 1][1] - self.v[k][1]])
    }

    /// Equation (1).
    fn length(&self) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for k in 0..self.points.len().saturating_sub(1) {
            let (length, e, dv) = self.piece(k);
            sum[0] += length;
            sum[1] += e[0] * dv[0] + e[1] * dv[1];
        }
        sum
    }

    /// P of a point: what each of its unknowns does to its position.
    fn columns(&self, k: usize, poses: &[Pose]) -> [[f64; 2]; 3] {
        let turn = match self.points[k] {
            LinePoint::Carrier { carrier, .. } if self.nodes[k].is_none() => {
                [poses[carrier][1] - self.p[k][1], self.p[k][0] - poses[carrier][0]]
            }
            _ => [0.0; 2],
        };
        [[1.0, 0.0], [0.0, 1.0], turn]
    }

    fn unknowns(&self, k: usize) -> usize {
        if self.nodes[k].is_some() { 2 } else { 3 }
    }

    /// G, and with slopes ∂l̇/∂s and the tangent (2).
    fn fill(&mut self, poses: &[Pose], rates: &[Pose], pull: &Pull, following: Option<Following>) {
        let size = self.size;
        self.by_length.fill(0.0);
        self.by_rate.fill(0.0);
        self.tangent.fill(0.0);
        let count = self.points.len();
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        for k in 0..count.saturating_sub(1) {
            let (length, e, dv) = self.piece(k);
            let ends = [(k, -1.0), (k + 1, 1.0)].map(|(point, sign)| (point, sign, self.columns(point, poses)));
            for (point, sign, columns) in &ends {
                for i in 0..self.unknowns(*point) {
                    self.by_length[self.first[*point] + i] += sign * dot(columns[i], e);
                }
            }
            if following.is_none() || length == 0.0 {
                continue;
            }
            let across = |a: [f64; 2]| [0, 1].map(|i| (a[i] - dot(a, e) * e[i]) / length);
            for (point, sign, columns) in &ends {
                for i in 0..self.unknowns(*point) {
                    let row = self.first[*point] + i;
                    let bent = across(columns[i]);
                    self.by_rate[row] += sign * dot(bent, dv);
                    for (other, sign_of_other, others) in &ends {
                        for j in 0..self.unknowns(*other) {
                            self.tangent[row * size + self.first[*other] + j] += pull.force * sign * sign_of_other * dot(bent, others[j]);
                        }
                    }
                }
                // A point of a carrier moves on a circle, and its velocity turns with it.
                if let (LinePoint::Carrier { carrier, .. }, None) = (self.points[*point], self.nodes[*point]) {
                    let (turn, last) = (rates.get(carrier).map_or(0.0, |rate| rate[2]), self.first[*point] + 2);
                    let r = [columns[2][1], -columns[2][0]];
                    self.tangent[last * size + last] -= pull.force * sign * dot(r, e);
                    self.by_rate[last] -= turn * sign * dot(r, e);
                }
            }
        }
        let Some(Following { damping, .. }) = following else { return };
        for i in 0..size {
            for j in 0..size {
                let by_rate = self.by_rate[j] + damping * self.by_length[j];
                self.tangent[i * size + j] += self.by_length[i] * (pull.by_length * self.by_length[j] + pull.by_rate * by_rate);
            }
        }
    }
}

impl Problem {
    /// Number of paths over nodes.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Length of a path, m, and its rate, m/s, for rates of the poses of carriers (the world's first).
    pub fn line_length(&mut self, line: usize, x: &[f64], v: Option<&[f64]>, poses: &[Pose], rates: &[Pose]) -> [f64; 2] {
        let own = &mut self.lines[line];
        own.place(x, v, poses, rates);
        own.length()
    }

    /// Gives the tensions of all paths for the looks that follow, and the rates of the poses of carriers.
    pub fn set_pulls(&mut self, pulls: &[Pull], rates: &[Pose]) {
        self.pulls.clear();
        self.pulls.extend_from_slice(pulls);
        self.pose_rates.clear();
        self.pose_rates.extend_from_slice(rates);
    }

    pub(super) fn add_lines(&mut self, at: &At, following: Option<Following>) {
        let Problem { lines, pulls, pose_rates, residual, wrench, solver, scratch, border, skew, direct, held_at, .. } = self;
        let (unknowns, columns) = (residual.len(), wrench.len());
        skew.fill(0.0);
        for (line, pull) in lines.iter_mut().zip(pulls.iter()) {
            line.place(at.x, at.v, at.poses, pose_rates);
            line.fill(at.poses, pose_rates, pull, following);
            scratch.largest = scratch.largest.max(pull.force.abs());
            // Where each unknown of the path goes: an entry of x, or of the wrench on a carrier; nothing on the world.
            let goes = |k: usize, i: usize| match (line.nodes[k], line.points[k]) {
                (Some(node), _) => Goes::Node(2 * node as usize + i),
                (None, LinePoint::Carrier { carrier, .. }) if carrier > 0 => Goes::Carrier(3 * (carrier - 1) + i),
                _ => Goes::Nowhere,
            };
            let all: Vec<(usize, Goes)> = (0..line.points.len())
                .flat_map(|k| (0..line.unknowns(k)).map(move |i| (k, i)))
                .map(|(k, i)| (line.first[k] + i, goes(k, i)))
                .collect();
            for (own, goes) in &all {
                match goes {
                    Goes::Node(dof) => residual[*dof] += pull.force * line.by_length[*own],
                    Goes::Carrier(entry) => wrench[*entry] += pull.force * line.by_length[*own],
                    Goes::Nowhere => {}
                }
            }
            if following.is_none() {
                continue;
            }
            let size = line.size;
            let of_nodes: Vec<usize> = all.iter().filter(|(_, goes)| matches!(goes, Goes::Node(_))).map(|(own, _)| *own).collect();
            let width = of_nodes.len();
            for (i, row) in of_nodes.iter().enumerate() {
                for (j, column) in of_nodes.iter().enumerate() {
                    line.block[i * width + j] = line.tangent[row * size + column];
                }
            }
            solver.pattern().add(line.group as usize, &line.block[..width * width], &mut scratch.values);
            for (row, goes) in &all {
                for (column, over) in &all {
                    let entry = line.tangent[row * size + column];
                    match (goes, over) {
                        (Goes::Node(dof), Goes::Carrier(carrier)) if held_at[*dof] == OUT => {
                            border[carrier * unknowns + dof] += entry;
                            if !skew.is_empty() {
                                skew[carrier * unknowns + dof] -= entry;
                            }
                        }
                        (Goes::Carrier(carrier), Goes::Node(dof)) if held_at[*dof] == OUT && !skew.is_empty() => {
                            skew[carrier * unknowns + dof] += entry;
                        }
                        (Goes::Carrier(a), Goes::Carrier(b)) => direct[a * columns + b] += entry,
                        _ => {}
                    }
                }
            }
        }
    }

    /// C' where the border has two sides: what the other one adds to Bᵀ K⁻¹ B.
    pub(super) fn skew_stiffness(&mut self) {
        let (unknowns, columns) = (self.residual.len(), self.wrench.len());
        for (a, side) in self.skew.chunks_exact(unknowns.max(1)).enumerate() {
            for (b, along) in self.spread.chunks_exact(unknowns.max(1)).enumerate() {
                self.condensed[a * columns + b] -= side.iter().zip(along).map(|(x, y)| x * y).sum::<f64>();
            }
        }
    }

    /// w' likewise.
    pub(super) fn skew_wrench(&mut self) {
        for (out, side) in self.condensed_wrench.iter_mut().zip(self.skew.chunks_exact(self.residual.len().max(1))) {
            *out -= side.iter().zip(&self.scratch.solution).map(|(x, y)| x * y).sum::<f64>();
        }
    }

    /// Power that the paths give to nodes and carriers at the last look, W: −N l̇.
    pub fn line_power(&self) -> f64 {
        self.lines.iter().zip(&self.pulls).map(|(line, pull)| -pull.force * line.length()[1]).sum()
    }
}

/// Where an unknown of a path goes.
#[derive(Clone, Copy)]
enum Goes {
    Node(usize),
    Carrier(usize),
    Nowhere,
}
