//! The cells of one soft body, prepared for the loop: flat arrays in the order of the cells.

use super::view::sized;
use super::{BadCell, Kind, Why, f_bar};
use crate::material::{Material, Plane};
use crate::mesh::Cell;
use crate::shape::{Gauss, Shape};

/// Where the numbers of a cell begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prepared {
    pub shape: Shape,
    pub region: u32,
    /// Into `nodes` and `slots`.
    pub node: usize,
    /// Into `gradients`.
    pub gradient: usize,
    /// Into `weights`.
    pub point: usize,
    /// Into `masses`; nothing for a region without density.
    pub mass: Option<usize>,
}

/// A node as part of a region: stresses jump between regions, so a node on their border has one stress for each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub node: u32,
    pub region: u32,
    /// Number of cells of the region at the node.
    pub cells: u32,
}

/// The cells of one soft body, prepared.
///
/// | array | meaning | unit | shape |
/// | --- | --- | --- | --- |
/// | `nodes` | nodes of all cells | - | nodes of each cell |
/// | `gradients` | ∂Nₐ/∂X in the reference placement | 1/m | cells × points × nodes |
/// | `weights` | Gauss weight × area ratio × depth, the reference volume of a point | m³ | cells × points |
/// | `masses` | ∫ρ Nₐ N_b, cells with density only | kg | cells × nodes × nodes |
/// | `slots` | which of `places` a node of a cell is | - | as `nodes` |
///
/// Positions, velocities and accelerations are two numbers per node of the mesh, in world axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    pub(super) cells: Vec<Prepared>,
    pub(super) nodes: Vec<u32>,
    pub(super) gradients: Vec<[f64; 2]>,
    pub(super) weights: Vec<f64>,
    pub(super) masses: Vec<f64>,
    pub(super) slots: Vec<u32>,
    pub(super) places: Vec<Place>,
    pub(super) materials: Vec<Material>,
    pub(super) plane: Plane,
    pub(super) kind: Kind,
}

impl Solid {
    /// Prepares cells from the reference placement of all nodes in world axes, m; materials and densities (kg/m³) are by region.
    pub fn new(
        points: &[[f64; 2]],
        cells: &[Cell],
        materials: Vec<Material>,
        density: Vec<f64>,
        depth: f64,
        plane: Plane,
        kind: Kind,
    ) -> Result<Solid, BadCell> {
        let mut solid = Solid {
            cells: Vec::with_capacity(cells.len()),
            nodes: Vec::new(),
            gradients: Vec::new(),
            weights: Vec::new(),
            masses: Vec::new(),
            slots: Vec::new(),
            places: Vec::new(),
            materials,
            plane,
            kind,
        };
        // The first place of each node; further ones, of other regions, are few and searched for.
        let mut first = vec![u32::MAX; points.len()];
        for (index, cell) in cells.iter().enumerate() {
            solid.prepare(points, cell, &density, depth).map_err(|why| BadCell { cell: index, why })?;
            for &node in cell.nodes() {
                let slot = solid.slot(&mut first, node, cell.region);
                solid.places[slot as usize].cells += 1;
                solid.slots.push(slot);
            }
        }
        Ok(solid)
    }

    fn prepare(&mut self, points: &[[f64; 2]], cell: &Cell, density: &[f64], depth: f64) -> Result<(), Why> {
        let (shape, region) = (cell.shape, cell.region as usize);
        let (Some(material), Some(&density)) = (self.materials.get(region), density.get(region)) else {
            return Err(Why::NoRegion { region: cell.region, materials: self.materials.len(), densities: density.len() });
        };
        if !material.allows(self.plane) {
            return Err(Why::PlaneStress { material: material.kind().name });
        }
        if !(density >= 0.0 && density.is_finite()) {
            return Err(Why::Density { density });
        }
        if !(depth > 0.0 && depth.is_finite()) {
            return Err(Why::Depth { depth });
        }
        if self.kind == Kind::FBar
            && let Some(reason) = f_bar::refusal(shape)
        {
            return Err(Why::Remedy { shape, kind: f_bar::ABOUT.name, reason });
        }
        if let Some(&node) = cell.nodes().iter().find(|&&node| node as usize >= points.len()) {
            return Err(Why::NoNode { node, nodes: points.len() });
        }
        let corners: [[f64; 2]; 8] = std::array::from_fn(|a| if a < shape.nodes() { points[cell.nodes[a] as usize] } else { [0.0; 2] });
        self.cells.push(Prepared {
            shape,
            region: cell.region,
            node: self.nodes.len(),
            gradient: self.gradients.len(),
            point: self.weights.len(),
            mass: (density > 0.0).then_some(self.masses.len()),
        });
        self.nodes.extend_from_slice(cell.nodes());
        for (point, gauss) in shape.points().iter().enumerate() {
            let (gradients, jacobian) = reference(shape, &corners, gauss).map_err(|jacobian| Why::NoArea { point, jacobian })?;
            self.gradients.extend_from_slice(&gradients[..shape.nodes()]);
            self.weights.push(gauss.weight * jacobian * depth);
        }
        if density > 0.0 {
            let start = self.masses.len();
            let n = shape.nodes();
            self.masses.resize(start + n * n, 0.0);
            for (point, gauss) in shape.mass_points().iter().enumerate() {
                let (_, jacobian) = reference(shape, &corners, gauss).map_err(|jacobian| Why::NoArea { point, jacobian })?;
                let N = shape.values(gauss.at);
                for (k, entry) in self.masses[start..].iter_mut().enumerate() {
                    *entry += density * gauss.weight * jacobian * depth * N[k / n] * N[k % n];
                }
            }
        }
        Ok(())
    }

    fn slot(&mut self, first: &mut [u32], node: u32, region: u32) -> u32 {
        let known = first[node as usize];
        if known != u32::MAX {
            let from = known as usize;
            if let Some(k) = self.places[from..].iter().position(|p| p.node == node && p.region == region) {
                return known + k as u32;
            }
        }
        let slot = self.places.len() as u32;
        self.places.push(Place { node, region, cells: 0 });
        if known == u32::MAX {
            first[node as usize] = slot;
        }
        slot
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Nodes of a cell.
    pub fn nodes_of(&self, cell: usize) -> &[u32] {
        let Prepared { shape, node, .. } = self.cells[cell];
        &self.nodes[node..node + shape.nodes()]
    }

    /// Consistent mass of a cell by pairs of nodes, if its region has density.
    pub(super) fn mass_of(&self, cell: usize) -> Option<&[f64]> {
        let n = self.cells[cell].shape.nodes();
        self.cells[cell].mass.map(|start| &self.masses[start..start + n * n])
    }

    /// True when all tangents are symmetric: no region is viscous.
    pub fn symmetric(&self) -> bool {
        self.cells.iter().all(|cell| self.materials[cell.region as usize].viscosity() == 0.0)
    }

    /// Stored energy at positions x, J; infinite with a cell inside out.
    pub fn energy(&self, x: &[f64]) -> f64 {
        (0..self.cells.len()).map(|cell| sized!(self.cells[cell].shape, self.cell_energy(cell, x))).sum()
    }

    fn cell_energy<const N: usize, const P: usize>(&self, cell: usize, x: &[f64]) -> f64 {
        let view = self.view::<N, P>(cell);
        let Ok(felt) = view.felt(self.kind, &view.gather(x)) else { return f64::INFINITY };
        felt.iter().zip(view.weights).map(|(F, w)| w * view.material.energy(*F, self.plane)).sum()
    }

    /// Adds the nodal forces of gravity, N, from its acceleration in world axes, m/s².
    pub fn weight(&self, gravity: [f64; 2], out: &mut [f64]) {
        for cell in 0..self.cells.len() {
            let (nodes, Some(masses)) = (self.nodes_of(cell), self.mass_of(cell)) else { continue };
            for (&node, row) in nodes.iter().zip(masses.chunks_exact(nodes.len())) {
                let mass: f64 = row.iter().sum();
                out[2 * node as usize] += mass * gravity[0];
                out[2 * node as usize + 1] += mass * gravity[1];
            }
        }
    }

    /// Reference volume, m³.
    pub fn volume(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Mass, kg.
    pub fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }
}

/// Gradients of the shape functions by reference position, and the area ratio; the area ratio alone if it is not above zero.
fn reference(shape: Shape, corners: &[[f64; 2]; 8], gauss: &Gauss) -> Result<([[f64; 2]; 8], f64), f64> {
    let slopes = shape.slopes(gauss.at);
    // j = ∂X/∂r in the order 11, 12, 21, 22.
    let mut j = [0.0; 4];
    for (X, dN) in corners.iter().zip(slopes) {
        j = [j[0] + X[0] * dN[0], j[1] + X[0] * dN[1], j[2] + X[1] * dN[0], j[3] + X[1] * dN[1]];
    }
    let jacobian = j[0] * j[3] - j[1] * j[2];
    if !(jacobian > 0.0 && jacobian.is_finite()) {
        return Err(jacobian);
    }
    let gradients = slopes.map(|[r, s]| [(r * j[3] - s * j[2]) / jacobian, (s * j[0] - r * j[1]) / jacobian]);
    Ok((gradients, jacobian))
}
