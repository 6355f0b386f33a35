//! Checks of any mesh: bad cells and edges, smallest angle, area, separate pieces, loose nodes; cells that run clockwise are turned round.
//! Not here: the Jacobian at integration points, which is checked where elements are prepared.
//! In: a mesh, sound or not. Out: what is wrong with it, by number and place. Nothing here panics.

use super::{Cell, Edge, Mesh, cross};
use std::collections::HashMap;

/// What a mesh is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// Area of all sound cells, m².
    pub area: f64,
    /// Smallest angle at the corners of all cells, rad; measured between tangents of curved edges. Zero if there are no cells.
    pub smallest_angle: f64,
    /// The cell with that angle.
    pub sharpest_cell: usize,
    /// Lowest and highest coordinates of all nodes, m.
    pub bounds: [[f64; 2]; 2],
    /// Number of parts that share no edge. Parts that meet in a single node count as separate, because that node is a hinge.
    pub pieces: usize,
    /// Nodes that no cell uses.
    pub loose: Vec<u32>,
    /// Cells that cannot be computed with.
    pub cells: Vec<BadCell>,
    /// Edges at which cells do not fit together.
    pub edges: Vec<BadEdge>,
}

impl Quality {
    /// Whether cells and edges are free of faults. Loose nodes and separate pieces may be wanted, they are for the caller to judge.
    pub fn is_sound(&self) -> bool {
        self.cells.is_empty() && self.edges.is_empty()
    }

    /// Width and height of the box around all nodes, m.
    pub fn size(&self) -> [f64; 2] {
        [0, 1].map(|i| self.bounds[1][i] - self.bounds[0][i])
    }
}

/// A cell that cannot be computed with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadCell {
    /// Its number in the mesh.
    pub cell: usize,
    /// Mean of its corners, m; NaN if it has none.
    pub at: [f64; 2],
    /// What is wrong.
    pub fault: CellFault,
}

/// What is wrong with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellFault {
    /// It names a node that the mesh does not have, or a region.
    Unknown,
    /// A coordinate is not a finite number.
    NotFinite,
    /// It has no area, or a corner of zero or 180 degrees.
    Degenerate,
    /// It runs clockwise, folds over, or has a corner of more than 180 degrees.
    Inverted,
}

/// An edge at which cells do not fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadEdge {
    /// Its ends.
    pub ends: [u32; 2],
    /// What is wrong.
    pub fault: EdgeFault,
}

/// What is wrong with an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeFault {
    /// Two cells lie on the same side of it.
    Overlap,
    /// The cells on its two sides do not share the node between its ends.
    Hanging,
}

/// The sine of a corner below which it counts as flat; coordinates from files have some ten digits.
const FLAT: f64 = 1e-8;

impl Mesh {
    /// Checks the mesh.
    pub fn quality(&self) -> Quality {
        let mut quality = Quality {
            area: 0.0,
            smallest_angle: if self.cells.is_empty() { 0.0 } else { f64::INFINITY },
            sharpest_cell: 0,
            bounds: self.bounds(),
            pieces: 0,
            loose: Vec::new(),
            cells: Vec::new(),
            edges: Vec::new(),
        };
        let mut used = vec![false; self.points.len()];
        for (k, cell) in self.cells.iter().enumerate() {
            for &node in cell.nodes() {
                if let Some(used) = used.get_mut(node as usize) {
                    *used = true;
                }
            }
            let corners = self.corners(cell);
            let angle = corners.as_ref().map_or(0.0, |corners| corners.smallest_angle);
            if angle < quality.smallest_angle {
                (quality.smallest_angle, quality.sharpest_cell) = (angle, k);
            }
            match corners.and_then(|corners| corners.fault.map_or(Ok(()), Err)) {
                Ok(()) => quality.area += cell.area(&self.points),
                Err(fault) => {
                    let known = fault != CellFault::Unknown;
                    let at = if known { cell.centre(&self.points) } else { [f64::NAN; 2] };
                    quality.cells.push(BadCell { cell: k, at, fault });
                }
            }
        }
        quality.loose = (0..).zip(&used).filter(|(_, used)| !**used).map(|(node, _)| node).collect();
        (quality.pieces, quality.edges) = self.connections();
        quality
    }

    /// Turns cells round that run clockwise, and says how many.
    pub fn mend_orientation(&mut self) -> usize {
        let mut mended = 0;
        for cell in &mut self.cells {
            if known(cell, self.points.len()) && cell.area(&self.points) < 0.0 {
                *cell = cell.reversed();
                mended += 1;
            }
        }
        mended
    }

    pub(super) fn bounds(&self) -> [[f64; 2]; 2] {
        let start = self.points.first().copied().unwrap_or_default();
        self.points.iter().fold([start; 2], |[low, high], p| [[0, 1].map(|i| low[i].min(p[i])), [0, 1].map(|i| high[i].max(p[i]))])
    }

    /// Angles at the corners of a cell. The product of the tangents of two edges is the Jacobian at their corner, for every shape here; positive at all
    /// corners means positive everywhere in cells with straight edges, because there it is linear.
    fn corners(&self, cell: &Cell) -> Result<Corners, CellFault> {
        if !known(cell, self.points.len()) || cell.region as usize >= self.regions.len() {
            return Err(CellFault::Unknown);
        }
        if cell.nodes().iter().any(|&n| !self.points[n as usize].iter().all(|x| x.is_finite())) {
            return Err(CellFault::NotFinite);
        }
        let edges: Vec<Edge> = cell.edges().collect();
        let mut corners = Corners { smallest_angle: f64::INFINITY, fault: None };
        for k in 0..edges.len() {
            let out = edges[k].tangent(&self.points, 0.0);
            let back = edges[(k + edges.len() - 1) % edges.len()].tangent(&self.points, 1.0).map(|x| -x);
            let sine = cross(out, back);
            let cosine = out[0] * back[0] + out[1] * back[1];
            let size = out[0].hypot(out[1]) * back[0].hypot(back[1]);
            corners.smallest_angle = corners.smallest_angle.min(sine.atan2(cosine).max(0.0));
            if sine < -FLAT * size {
                corners.fault = Some(CellFault::Inverted);
            } else if !(sine > FLAT * size) && corners.fault.is_none() {
                corners.fault = Some(CellFault::Degenerate);
            }
        }
        Ok(corners)
    }

    /// Number of pieces, and edges at which cells do not fit together.
    fn connections(&self) -> (usize, Vec<BadEdge>) {
        let mut bad = Vec::new();
        let mut owner: HashMap<[u32; 2], (usize, Option<u32>)> = HashMap::with_capacity(4 * self.cells.len());
        for (k, cell) in self.cells.iter().enumerate() {
            for edge in cell.edges() {
                if owner.insert(edge.ends, (k, edge.middle)).is_some() {
                    bad.push(BadEdge { ends: edge.ends, fault: EdgeFault::Overlap });
                }
            }
        }
        // union of cells over shared edges
        let mut parent: Vec<usize> = (0..self.cells.len()).collect();
        let mut pieces = self.cells.len();
        for (k, cell) in self.cells.iter().enumerate() {
            for Edge { ends: [a, b], middle } in cell.edges() {
                let Some(&(other, across)) = owner.get(&[b, a]) else { continue };
                if middle != across && a < b {
                    bad.push(BadEdge { ends: [a, b], fault: EdgeFault::Hanging });
                }
                let [one, two] = [root(&mut parent, k), root(&mut parent, other)];
                if one != two {
                    parent[one] = two;
                    pieces -= 1;
                }
            }
        }
        (pieces, bad)
    }
}

struct Corners {
    smallest_angle: f64,
    fault: Option<CellFault>,
}

fn known(cell: &Cell, points: usize) -> bool {
    cell.nodes().iter().all(|&n| (n as usize) < points)
}

/// The cell that stands for the piece of cell `k`; the way to it is halved for the next call.
fn root(parent: &mut [usize], mut k: usize) -> usize {
    while parent[k] != k {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Annulus, Block, Shape};
    use borelli_testkit::assert_close;

    fn cell(shape: Shape, list: &[u32]) -> Cell {
        let mut nodes = [0; 8];
        nodes[..list.len()].copy_from_slice(list);
        Cell { shape, nodes, region: 0 }
    }

    fn mesh(points: &[[f64; 2]], cells: &[Cell]) -> Mesh {
        Mesh { points: points.to_vec(), cells: cells.to_vec(), regions: vec!["all".into()], boundaries: vec![] }
    }

    fn only_fault(points: &[[f64; 2]], one: Cell) -> CellFault {
        let quality = mesh(points, &[one]).quality();
        assert_eq!((quality.cells.len(), quality.area), (1, 0.0));
        quality.cells[0].fault
    }

    #[test]
    fn angles_and_area_match_closed_forms() {
        let triangle = mesh(&[[0.0, 0.0], [3.0, 0.0], [0.0, 3f64.sqrt()]], &[cell(Shape::T3, &[0, 1, 2])]).quality();
        assert_close(
            &[triangle.smallest_angle.to_degrees(), triangle.area],
            &[30.0, 1.5 * 3f64.sqrt()],
            1e-13,
            "30 degrees at the far corner",
        );
        assert_eq!(triangle.size(), [3.0, 3f64.sqrt()]);
        // a parabola on one side of a triangle adds two thirds of chord times rise
        let points = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, -0.09], [0.5, 0.5], [0.0, 0.5]];
        let curved = mesh(&points, &[cell(Shape::T6, &[0, 1, 2, 3, 4, 5])]).quality();
        assert_close(&[curved.area], &[0.5 + 0.06], 1e-14, "area under a parabola");
        let slope = (0.36f64).atan();
        assert_close(&[curved.smallest_angle], &[45f64.to_radians()], 1e-14, "the corner without the parabola");
        assert!(slope > 0.0 && curved.is_sound());
        // bent the other way it sharpens the corner at node 1
        let mut inward = points;
        inward[3][1] = 0.09;
        let quality = mesh(&inward, &[cell(Shape::T6, &[0, 1, 2, 3, 4, 5])]).quality();
        assert_close(&[quality.smallest_angle], &[45f64.to_radians() - slope], 1e-14, "between the tangents");
    }

    #[test]
    fn bad_cells_are_named() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(only_fault(&square, cell(Shape::Q4, &[0, 3, 2, 1])), CellFault::Inverted);
        assert_eq!(only_fault(&square, cell(Shape::Q4, &[0, 1, 3, 2])), CellFault::Inverted, "crossed sides");
        assert_eq!(only_fault(&square, cell(Shape::Q4, &[0, 1, 2, 2])), CellFault::Degenerate, "a repeated node");
        assert_eq!(only_fault(&square, cell(Shape::Q4, &[0, 1, 2, 9])), CellFault::Unknown);
        assert_eq!(only_fault(&square, Cell { region: 3, ..cell(Shape::Q4, &[0, 1, 2, 3]) }), CellFault::Unknown);
        assert_eq!(only_fault(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], cell(Shape::T3, &[0, 1, 2])), CellFault::Degenerate);
        assert_eq!(only_fault(&[[0.0, 0.0], [1.0, 0.0], [f64::NAN, 1.0]], cell(Shape::T3, &[0, 1, 2])), CellFault::NotFinite);
        // a dent, and a middle node beyond a quarter of its side, which folds the cell at the corner
        let dent = [[0.0, 0.0], [1.0, 0.0], [0.2, 0.2], [0.0, 1.0]];
        assert_eq!(only_fault(&dent, cell(Shape::Q4, &[0, 1, 2, 3])), CellFault::Inverted);
        let folded = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.2, 0.0], [0.5, 0.5], [0.0, 0.5]];
        assert_eq!(only_fault(&folded, cell(Shape::T6, &[0, 1, 2, 3, 4, 5])), CellFault::Inverted);
        let quality = mesh(&dent, &[cell(Shape::Q4, &[0, 1, 2, 3])]).quality();
        assert_close(&quality.cells[0].at, &[0.3, 0.3], 1e-14, "place of the cell");
    }

    #[test]
    fn pieces_loose_nodes_and_edges_are_found() {
        let points = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [2.0, 1.0], [2.0, 2.0], [7.0, 7.0]];
        // a square cut in two, and a triangle that touches it in one node; node 6 is loose
        let cells = [cell(Shape::T3, &[0, 1, 2]), cell(Shape::T3, &[0, 2, 3]), cell(Shape::T3, &[2, 4, 5])];
        let quality = mesh(&points, &cells).quality();
        assert_eq!((quality.pieces, quality.loose.as_slice(), quality.is_sound()), (2, [6].as_slice(), true));
        let twice = mesh(&points, &[cells[0], cells[1], cells[1]]).quality();
        assert_eq!(twice.edges.len(), 3, "each edge of the repeated cell");
        assert!(twice.edges.iter().all(|edge| edge.fault == EdgeFault::Overlap));
        // a quadratic triangle next to a linear one
        let points = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.0], [1.0, 0.5], [0.5, 0.5]];
        let mixed = mesh(&points, &[cell(Shape::T6, &[0, 1, 2, 4, 5, 6]), cell(Shape::T3, &[0, 2, 3])]).quality();
        assert_eq!(mixed.edges, [BadEdge { ends: [0, 2], fault: EdgeFault::Hanging }]);
        assert_eq!(mesh(&[], &[]).quality().pieces, 0);
    }

    #[test]
    fn clockwise_cells_are_turned_round() {
        for shape in [Shape::Q4, Shape::T3, Shape::Q8, Shape::T6] {
            let good = Annulus { around: 6, through: 2, ..Annulus::default() }.mesh(shape).unwrap();
            let mut spoiled = good.clone();
            spoiled.cells.iter_mut().step_by(3).for_each(|cell| *cell = cell.reversed());
            assert!(!spoiled.quality().is_sound());
            assert_eq!(spoiled.mend_orientation(), good.cells.len().div_ceil(3));
            assert_eq!(spoiled, good, "turning twice restores the cell");
            assert_eq!(spoiled.mend_orientation(), 0);
        }
        // a mesh seen from behind, independent of `reversed`
        let mut behind = Block::rectangle([0.0; 2], [2.0, 1.0], [2, 2]).mesh(Shape::Q8).unwrap();
        behind.points.iter_mut().for_each(|p| p[0] = -p[0]);
        assert_eq!(behind.mend_orientation(), 4);
        let quality = behind.quality();
        assert!(quality.is_sound());
        assert_close(&[quality.area], &[2.0], 1e-14, "area");
    }
}
