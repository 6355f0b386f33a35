//! Meshes of the plane: points, cells with a region each, named boundaries.
//! Not here: how a mesh is made (one file each) or read (`gmsh`), shape functions (`shape`), materials.
//! In: points and cells. Out: a checked mesh; chains of boundary edges with the length that belongs to each node.

mod annulus;
mod block;
mod boundary;
mod disc;
mod generator;
pub mod gmsh;
mod quality;

pub use crate::shape::Shape;
pub use annulus::Annulus;
pub use block::Block;
pub use boundary::Chain;
pub use disc::{Disc, Part};
pub use generator::BadValue;
pub use quality::{BadCell, BadEdge, CellFault, EdgeFault, Quality};

/// The most nodes a mesh may have. Node numbers must fit 32 bits, and far fewer already fill the memory of a sparse solve.
pub const MAX_NODES: usize = 10_000_000;

/// A mesh of the plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions of all nodes, m.
    pub points: Vec<[f64; 2]>,
    /// Cells.
    pub cells: Vec<Cell>,
    /// Names of regions; a cell has one of them.
    pub regions: Vec<String>,
    /// Named parts of the boundary.
    pub boundaries: Vec<Boundary>,
}

/// One cell: a polygon of nodes, counter-clockwise, corners first and then the nodes on its sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its shape, which says how many nodes count.
    pub shape: Shape,
    /// Nodes; entries beyond those of the shape are zero.
    pub nodes: [u32; 8],
    /// Region, by index.
    pub region: u32,
}

impl Cell {
    /// The nodes that count.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..self.shape.nodes()]
    }

    /// Corner nodes and the nodes on the sides, which linear shapes have none of. Side k runs from corner k to the next one.
    fn corners_and_middles(&self) -> (&[u32], &[u32]) {
        let corners = match self.shape {
            Shape::T3 | Shape::T6 => 3,
            Shape::Q4 | Shape::Q8 => 4,
        };
        self.nodes().split_at(corners)
    }

    /// Edges, counter-clockwise.
    pub fn edges(&self) -> impl Iterator<Item = Edge> + '_ {
        let (corners, middles) = self.corners_and_middles();
        (0..corners.len()).map(move |k| Edge { ends: [corners[k], corners[(k + 1) % corners.len()]], middle: middles.get(k).copied() })
    }

    /// The area inside its edges; negative for clockwise cells.
    pub fn area(&self, points: &[[f64; 2]]) -> f64 {
        // relative to one of its corners, so that cells far from the origin keep their digits
        let origin = points[self.nodes[0] as usize];
        self.edges().map(|edge| edge.swept_area(points, origin)).sum()
    }

    /// Mean position of the corners.
    pub fn centre(&self, points: &[[f64; 2]]) -> [f64; 2] {
        let (corners, _) = self.corners_and_middles();
        let share = 1.0 / corners.len() as f64;
        corners.iter().map(|&n| points[n as usize]).fold([0.0; 2], |sum, p| [sum[0] + share * p[0], sum[1] + share * p[1]])
    }

    /// The same cell, walked the other way round from the same first corner.
    fn reversed(self) -> Cell {
        let (corners, middles) = self.corners_and_middles();
        let mut nodes = [0; 8];
        let order = corners[..1].iter().chain(corners[1..].iter().rev()).chain(middles.iter().rev());
        nodes.iter_mut().zip(order).for_each(|(slot, &node)| *slot = node);
        Cell { nodes, ..self }
    }
}

/// A named part of the boundary: edges in order along the boundary, with the material on their left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boundary {
    /// Its name.
    pub name: String,
    /// Edges.
    pub edges: Vec<Edge>,
}

/// An edge of a cell: both ends, and the node between them for quadratic shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// First and second end.
    pub ends: [u32; 2],
    /// The node on it, of quadratic shapes.
    pub middle: Option<u32>,
}

fn sub(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// The point between two points, at the fraction `t` of the way.
fn between(a: [f64; 2], b: [f64; 2], t: f64) -> [f64; 2] {
    [(1.0 - t) * a[0] + t * b[0], (1.0 - t) * a[1] + t * b[1]]
}
