//! What all generators share: graded divisions, checks of their numbers, and a mesh of any shape from quadrilaterals.
//! Not here: the outlines, one file each.
//! In: quadrilaterals, chains of boundary nodes, where the middle of an edge lies. Out: a mesh with one region, `all`.

use super::{Boundary, Cell, Edge, MAX_NODES, Mesh, Shape, sub};
use std::collections::HashMap;
use std::fmt;

/// A number that a generator cannot use.
#[derive(Clone, Debug, PartialEq)]
pub struct BadValue {
    /// The field.
    pub field: &'static str,
    /// What it was.
    pub found: f64,
    /// What it must be.
    pub expected: &'static str,
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is {}; it must be {}", self.field, self.found, self.expected)
    }
}

impl std::error::Error for BadValue {}

/// A fault of `field` unless it `holds`.
pub(super) fn check(holds: bool, field: &'static str, found: f64, expected: &'static str) -> Result<(), BadValue> {
    if holds { Ok(()) } else { Err(BadValue { field, found, expected }) }
}

pub(super) fn check_position(field: &'static str, position: [f64; 2]) -> Result<(), BadValue> {
    position.into_iter().try_for_each(|x| check(x.is_finite(), field, x, "finite"))
}

pub(super) fn check_positive(field: &'static str, found: f64) -> Result<(), BadValue> {
    check(found > 0.0 && found.is_finite(), field, found, "positive and finite")
}

pub(super) fn check_grading(field: &'static str, found: f64) -> Result<(), BadValue> {
    check((1e-6..=1e6).contains(&found), field, found, "a ratio of last to first edge between 1e-6 and 1e6")
}

/// Whether a mesh of that many quadrilaterals stays within the limit for every shape; triangles with six nodes have the most, four per quadrilateral.
pub(super) fn check_divisions(field: &'static str, divisions: usize, quads: Option<usize>) -> Result<(), BadValue> {
    check(divisions > 0, field, 0.0, "at least 1")?;
    check(quads.is_some_and(|n| n <= MAX_NODES / 5), field, divisions as f64, "smaller: the mesh would be too large")
}

/// Positions from 0 to 1 of `n` edges whose lengths form a geometric series, the last `grading` times the first.
pub(super) fn graded(n: usize, grading: f64) -> Vec<f64> {
    let growth = if n > 1 { grading.powf(1.0 / (n - 1) as f64) } else { 1.0 };
    let mut sum = 0.0;
    let mut positions = vec![0.0];
    positions.extend((0..n).map(|k| {
        sum += growth.powi(k as i32);
        sum
    }));
    positions.iter_mut().for_each(|p| *p /= sum);
    positions
}

/// Quadrilaterals that become a mesh of any shape.
#[derive(Default)]
pub(super) struct Quads {
    pub points: Vec<[f64; 2]>,
    /// Corners, counter-clockwise.
    pub cells: Vec<[u32; 4]>,
    /// Nodes along each boundary, material on the left; a closed one repeats its first node.
    pub boundaries: Vec<(&'static str, Vec<u32>)>,
}

impl Quads {
    /// Cells of a grid of nodes `at(i, j)`, where going along i and then along j turns left.
    pub fn add_grid(&mut self, along_i: usize, along_j: usize, at: impl Fn(usize, usize) -> u32) {
        for j in 0..along_j {
            self.cells.extend((0..along_i).map(|i| [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]));
        }
    }

    /// A mesh of the shape. `middle` gives the point between the two ends of an edge, on the curve that the edge stands for.
    pub fn mesh(mut self, shape: Shape, middle: impl Fn([f64; 2], [f64; 2]) -> [f64; 2]) -> Mesh {
        let corners: Vec<Vec<u32>> = match shape {
            Shape::Q4 | Shape::Q8 => self.cells.iter().map(|quad| quad.to_vec()).collect(),
            Shape::T3 | Shape::T6 => self.cells.iter().flat_map(|&quad| split(quad, &self.points)).collect(),
        };
        let quadratic = matches!(shape, Shape::Q8 | Shape::T6);
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
        let mut cells = Vec::with_capacity(corners.len());
        for ring in &corners {
            let mut nodes = [0; 8];
            nodes[..ring.len()].copy_from_slice(ring);
            for k in 0..if quadratic { ring.len() } else { 0 } {
                let [a, b] = [ring[k], ring[(k + 1) % ring.len()]];
                nodes[ring.len() + k] = *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    self.points.push(middle(self.points[a as usize], self.points[b as usize]));
                    (self.points.len() - 1) as u32
                });
            }
            cells.push(Cell { shape, nodes, region: 0 });
        }
        let edge = |ends: &[u32]| {
            let [a, b] = [ends[0], ends[1]];
            Edge { ends: [a, b], middle: middles.get(&[a.min(b), a.max(b)]).copied() }
        };
        let boundaries =
            self.boundaries.iter().map(|(name, nodes)| Boundary { name: (*name).into(), edges: nodes.windows(2).map(edge).collect() });
        Mesh { boundaries: boundaries.collect(), points: self.points, cells, regions: vec!["all".into()] }
    }
}

/// Two triangles, cut along the shorter diagonal; the first one where both are as long.
fn split([a, b, c, d]: [u32; 4], points: &[[f64; 2]]) -> [Vec<u32>; 2] {
    let square = |i: u32, j: u32| sub(points[i as usize], points[j as usize]).iter().map(|x| x * x).sum::<f64>();
    // round-off must not decide in a regular grid
    if square(a, c) <= square(b, d) * (1.0 + 1e-9) { [vec![a, b, c], vec![a, c, d]] } else { [vec![b, c, d], vec![b, d, a]] }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use borelli_testkit::assert_close;

    #[test]
    fn graded_edges_form_a_geometric_series() {
        for (n, grading) in [(1, 3.0), (2, 3.0), (7, 0.2), (40, 30.0), (5, 1.0)] {
            let s = graded(n, grading);
            let edges: Vec<f64> = s.windows(2).map(|w| w[1] - w[0]).collect();
            assert_eq!((s.len(), s[0], s[n]), (n + 1, 0.0, 1.0));
            if n > 1 {
                assert_close(&[edges[n - 1] / edges[0]], &[grading], 1e-9, "last to first");
            }
            for w in edges.windows(3) {
                assert_close(&[w[0] * w[2]], &[w[1] * w[1]], 1e-9, "geometric");
            }
        }
    }

    #[test]
    fn quads_are_cut_along_the_shorter_diagonal() {
        let points = [[0.0, 0.0], [2.0, 0.0], [2.5, 1.0], [0.5, 1.0]]; // leans to the right: from corner 1 to corner 3 is shorter
        assert_eq!(split([0, 1, 2, 3], &points), [vec![1, 2, 3], vec![1, 3, 0]]);
        let points = [[0.0, 0.0], [2.0, 0.0], [1.5, 1.0], [-0.5, 1.0]];
        assert_eq!(split([0, 1, 2, 3], &points), [vec![0, 1, 2], vec![0, 2, 3]]);
    }

    /// Whether a generated mesh is sound: no fault of any kind, every node used, boundary edges once in a cell with the same direction.
    #[track_caller]
    pub fn assert_sound(mesh: &Mesh) {
        let quality = mesh.quality();
        assert!(quality.is_sound(), "{quality:?}");
        assert_eq!((quality.pieces, quality.loose.len()), (1, 0));
        assert_eq!(mesh.regions, ["all"]);
        // every edge of a cell is met by its opposite in exactly one other cell, or lies on exactly one named boundary
        let mut count: HashMap<[u32; 2], usize> = HashMap::new();
        mesh.cells.iter().flat_map(|c| c.edges()).for_each(|e| *count.entry(e.ends).or_default() += 1);
        let mut named: HashMap<[u32; 2], usize> = HashMap::new();
        mesh.boundaries.iter().flat_map(|b| &b.edges).for_each(|e| *named.entry(e.ends).or_default() += 1);
        for (&[a, b], &n) in &count {
            assert_eq!(n, 1, "edge {a}-{b} in one direction");
            let met = count.get(&[b, a]).copied().unwrap_or(0) + named.get(&[a, b]).copied().unwrap_or(0);
            assert_eq!(met, 1, "edge {a}-{b}: shared by two cells or on one boundary");
        }
        assert!(named.keys().all(|ends| count.contains_key(ends)), "boundary edges run with the cells");
    }

    /// The order at which an area comes to its exact value from a mesh to one of half the size.
    #[track_caller]
    pub fn assert_area_order(coarse: &Mesh, fine: &Mesh, exact: f64, order: f64) {
        let error = |mesh: &Mesh| (mesh.quality().area - exact).abs();
        let found = (error(coarse) / error(fine)).log2();
        assert!((found - order).abs() < 0.15, "order {found} for errors {:e} and {:e}", error(coarse), error(fine));
    }
}
