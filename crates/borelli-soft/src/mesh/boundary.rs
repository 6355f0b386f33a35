//! Boundaries: chains of edges in order, the length that belongs to each node, outward normals, the outer boundary of any mesh.
//! Not here: how boundaries get their names (generators, `gmsh`), loads and contact on them.
//! In: a mesh. Out: nodes in order, lengths in m, unit normals.

use super::{Boundary, Edge, Mesh, cross, sub};
use std::collections::HashMap;

/// Nodes of connected edges, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// Nodes, with those in the middle of quadratic edges. A closed chain does not repeat its first node.
    pub nodes: Vec<u32>,
    /// Whether the last node is followed by the first.
    pub closed: bool,
}

/// Points and weights of Gauss with three points on the interval from 0 to 1.
const GAUSS: [(f64, f64); 3] = [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

impl Edge {
    /// Derivative of the position along the edge; `t` runs from 0 at the first end to 1 at the second.
    pub fn tangent(&self, points: &[[f64; 2]], t: f64) -> [f64; 2] {
        let [a, b] = self.ends.map(|n| points[n as usize]);
        match self.middle.map(|n| points[n as usize]) {
            None => sub(b, a),
            Some(m) => [0, 1].map(|i| (4.0 * t - 3.0) * a[i] + (4.0 - 8.0 * t) * m[i] + (4.0 * t - 1.0) * b[i]),
        }
    }

    /// Length. A curved edge is a parabola, whose length three points of Gauss give to about the sixth power of its opening angle.
    pub fn length(&self, points: &[[f64; 2]]) -> f64 {
        GAUSS.iter().map(|&(t, weight)| weight * norm(self.tangent(points, t))).sum()
    }

    /// Unit normal in the middle of the edge, away from the material on its left; zero for an edge without length.
    pub fn normal(&self, points: &[[f64; 2]]) -> [f64; 2] {
        let t = self.tangent(points, 0.5);
        let length = norm(t);
        if length > 0.0 { [t[1] / length, -t[0] / length] } else { [0.0; 2] }
    }

    /// Its nodes with the share of its length that belongs to each: the integrals of the shape functions of a straight edge with a centred middle node.
    pub fn shares(&self) -> impl Iterator<Item = (u32, f64)> {
        let end = if self.middle.is_some() { 1.0 / 6.0 } else { 0.5 };
        [Some((self.ends[0], end)), self.middle.map(|m| (m, 4.0 / 6.0)), Some((self.ends[1], end))].into_iter().flatten()
    }

    /// The same edge, walked the other way.
    pub fn reversed(self) -> Edge {
        Edge { ends: [self.ends[1], self.ends[0]], middle: self.middle }
    }

    /// Area that the ray from `origin` to the edge sweeps, 1/2 integral of x × dx.
    pub(super) fn swept_area(&self, points: &[[f64; 2]], origin: [f64; 2]) -> f64 {
        let [a, b] = self.ends.map(|n| sub(points[n as usize], origin));
        match self.middle.map(|n| sub(points[n as usize], origin)) {
            None => 0.5 * cross(a, b),
            Some(m) => (4.0 * (cross(a, m) + cross(m, b)) - cross(a, b)) / 6.0,
        }
    }
}

impl Boundary {
    /// A boundary of edges in any order, which are put in order: open chains first, then closed ones, each in the order in which they were given.
    pub fn new(name: impl Into<String>, edges: &[Edge]) -> Boundary {
        let mut leaving: HashMap<u32, Vec<usize>> = HashMap::with_capacity(edges.len());
        let mut balance: HashMap<u32, i32> = HashMap::with_capacity(edges.len()); // edges that leave a node less those that arrive
        for (k, edge) in edges.iter().enumerate().rev() {
            leaving.entry(edge.ends[0]).or_default().push(k); // in reverse, so that the first given is the first taken
            *balance.entry(edge.ends[0]).or_default() += 1;
            *balance.entry(edge.ends[1]).or_default() -= 1;
        }
        let mut used = vec![false; edges.len()];
        let mut ordered = Vec::with_capacity(edges.len());
        let open = (0..edges.len()).filter(|&k| balance[&edges[k].ends[0]] > 0);
        for first in open.chain(0..edges.len()) {
            let mut next = Some(first).filter(|&k| !used[k]);
            while let Some(k) = next {
                used[k] = true;
                ordered.push(edges[k]);
                let candidates = leaving.get_mut(&edges[k].ends[1]);
                next = candidates.and_then(|list| {
                    while list.last().is_some_and(|&k| used[k]) {
                        list.pop();
                    }
                    list.last().copied()
                });
            }
        }
        Boundary { name: name.into(), edges: ordered }
    }

    /// Chains of connected edges, in the order of the edges.
    pub fn chains(&self) -> Vec<Chain> {
        let mut chains: Vec<Chain> = Vec::new();
        let mut last = None; // end of the chain that is being built
        for edge in &self.edges {
            if last != Some(edge.ends[0]) {
                chains.push(Chain { nodes: vec![edge.ends[0]], closed: false });
            }
            if let Some(chain) = chains.last_mut() {
                chain.nodes.extend(edge.middle);
                chain.closed = edge.ends[1] == chain.nodes[0];
                if !chain.closed {
                    chain.nodes.push(edge.ends[1]);
                }
                // a closed chain is complete, even if another one starts at the same node
                last = if chain.closed { None } else { Some(edge.ends[1]) };
            }
        }
        chains
    }

    /// All nodes, in order along the chains, each once.
    pub fn nodes(&self) -> Vec<u32> {
        self.weighted(|_| 0.0).into_iter().map(|(node, _)| node).collect()
    }

    /// The length of boundary that belongs to each node, m, in the order of [`Boundary::nodes`]: half of each edge for its two ends, or a sixth for each end
    /// and four sixths for the node between them.
    pub fn tributary_lengths(&self, points: &[[f64; 2]]) -> Vec<(u32, f64)> {
        self.weighted(|edge| edge.length(points))
    }

    /// Length of all edges, m.
    pub fn length(&self, points: &[[f64; 2]]) -> f64 {
        self.edges.iter().map(|edge| edge.length(points)).sum()
    }

    /// Outward unit normal of each edge.
    pub fn normals(&self, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        self.edges.iter().map(|edge| edge.normal(points)).collect()
    }

    /// Nodes in order, each once, with its shares of a quantity that each edge has.
    fn weighted(&self, quantity: impl Fn(&Edge) -> f64) -> Vec<(u32, f64)> {
        let mut place: HashMap<u32, usize> = HashMap::with_capacity(2 * self.edges.len());
        let mut sums: Vec<(u32, f64)> = Vec::with_capacity(2 * self.edges.len());
        for edge in &self.edges {
            let whole = quantity(edge);
            for (node, share) in edge.shares() {
                let at = *place.entry(node).or_insert_with(|| {
                    sums.push((node, 0.0));
                    sums.len() - 1
                });
                sums[at].1 += share * whole;
            }
        }
        sums
    }
}

impl Mesh {
    /// The boundary of that name.
    pub fn boundary(&self, name: &str) -> Option<&Boundary> {
        self.boundaries.iter().find(|boundary| boundary.name == name)
    }

    /// All edges that belong to one cell only, in chains, under a name of choice.
    pub fn outer_boundary(&self, name: &str) -> Boundary {
        let directed: std::collections::HashSet<[u32; 2]> = self.cells.iter().flat_map(|cell| cell.edges().map(|e| e.ends)).collect();
        let outer = |edge: &Edge| !directed.contains(&[edge.ends[1], edge.ends[0]]);
        let edges: Vec<Edge> = self.cells.iter().flat_map(|cell| cell.edges()).filter(outer).collect();
        Boundary::new(name, &edges)
    }
}

fn norm(v: [f64; 2]) -> f64 {
    v[0].hypot(v[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Annulus, Block, Disc, Part, Shape};
    use borelli_testkit::assert_close;
    use std::f64::consts::{PI, TAU};

    const SHAPES: [Shape; 4] = [Shape::Q4, Shape::T3, Shape::Q8, Shape::T6];

    fn edge(a: u32, b: u32) -> Edge {
        Edge { ends: [a, b], middle: None }
    }

    #[test]
    fn edges_in_any_order_become_chains() {
        // an open chain 5-6-7, a closed one 1-2-3, all shuffled
        let boundary = Boundary::new("b", &[edge(2, 3), edge(6, 7), edge(3, 1), edge(5, 6), edge(1, 2)]);
        let chains = boundary.chains();
        assert_eq!(chains, [Chain { nodes: vec![5, 6, 7], closed: false }, Chain { nodes: vec![2, 3, 1], closed: true }]);
        assert_eq!(boundary.nodes(), [5, 6, 7, 2, 3, 1]);
        assert!(Boundary::new("none", &[]).chains().is_empty());
    }

    #[test]
    fn loops_that_touch_in_a_node_keep_all_edges() {
        // two triangles that share node 1
        let edges = [edge(1, 2), edge(2, 3), edge(3, 1), edge(1, 4), edge(4, 5), edge(5, 1)];
        let boundary = Boundary::new("b", &edges);
        assert_eq!(boundary.edges.len(), 6);
        assert_eq!(boundary.chains().iter().map(|c| (c.nodes.len(), c.closed)).collect::<Vec<_>>(), [(3, true), (3, true)]);
        assert_eq!(boundary.nodes().len(), 5, "the shared node counts once");
    }

    #[test]
    fn quadratic_edges_list_their_middle_node_between_the_ends() {
        let boundary =
            Boundary { name: "b".into(), edges: vec![Edge { ends: [0, 1], middle: Some(2) }, Edge { ends: [1, 3], middle: Some(4) }] };
        assert_eq!(boundary.chains(), [Chain { nodes: vec![0, 2, 1, 4, 3], closed: false }]);
        let points = [[0.0, 0.0], [6.0, 0.0], [3.0, 0.0], [6.0, 12.0], [6.0, 6.0]];
        let lengths = boundary.tributary_lengths(&points);
        assert_eq!(lengths.iter().map(|l| l.0).collect::<Vec<_>>(), [0, 2, 1, 4, 3]);
        assert_close(
            &lengths.iter().map(|l| l.1).collect::<Vec<_>>(),
            &[1.0, 4.0, 3.0, 8.0, 2.0],
            1e-14,
            "shares of edges of 6 m and 12 m",
        );
    }

    #[test]
    fn length_of_a_parabola_matches_its_closed_form() {
        // y = x² / 2 from 0 to s: (s √(1 + s²) + asinh s) / 2
        let s: f64 = 0.3;
        let exact = 0.5 * (s * (1.0 + s * s).sqrt() + s.asinh());
        let points = [[0.0, 0.0], [s, s * s / 2.0], [s / 2.0, s * s / 8.0]];
        let curved = Edge { ends: [0, 1], middle: Some(2) };
        assert_close(&[curved.length(&points)], &[exact], 1e-7, "length of a parabola");
        let normal = curved.normal(&points);
        let slope = s / 2.0;
        assert_close(&normal, &[slope / slope.hypot(1.0), -1.0 / slope.hypot(1.0)], 1e-14, "normal to the right of the edge");
    }

    #[test]
    fn tributary_lengths_sum_to_the_chain() {
        for shape in SHAPES {
            let ring = Annulus { span: TAU, ..Annulus::default() }.mesh(shape).unwrap();
            let disc = Disc { part: Part::Half, ..Disc::default() }.mesh(shape).unwrap();
            for mesh in [&ring, &disc] {
                for boundary in &mesh.boundaries {
                    let sum: f64 = boundary.tributary_lengths(&mesh.points).iter().map(|l| l.1).sum();
                    let length = boundary.length(&mesh.points);
                    assert_close(&[sum], &[length], 1e-12, &boundary.name);
                    assert_eq!(boundary.tributary_lengths(&mesh.points).iter().map(|l| l.0).collect::<Vec<_>>(), boundary.nodes());
                }
            }
            let flat = disc.boundary("flat").unwrap();
            assert_close(&[flat.length(&disc.points)], &[2.0 * Disc::default().radius], 1e-12, "flat face");
        }
    }

    #[test]
    fn named_boundaries_make_up_the_outer_one() {
        for shape in SHAPES {
            let meshes = [
                Annulus::default().mesh(shape).unwrap(),
                Annulus { span: TAU, ..Annulus::default() }.mesh(shape).unwrap(),
                Block::rectangle([1.0, 2.0], [3.0, 4.0], [3, 5]).mesh(shape).unwrap(),
                Disc::default().mesh(shape).unwrap(),
                Disc { part: Part::Half, ..Disc::default() }.mesh(shape).unwrap(),
            ];
            for mesh in meshes {
                let outer = mesh.outer_boundary("skin");
                let sorted = |edges: Vec<Edge>| {
                    let mut ends: Vec<_> = edges.iter().map(|e| (e.ends, e.middle)).collect();
                    ends.sort();
                    ends
                };
                let named: Vec<Edge> = mesh.boundaries.iter().flat_map(|b| b.edges.clone()).collect();
                assert_eq!(sorted(outer.edges.clone()), sorted(named));
                assert!(outer.chains().iter().all(|chain| chain.closed));
                // divergence theorem: normals times lengths of a closed polygon sum to zero; curved edges have only one of their normals here
                if matches!(shape, Shape::Q4 | Shape::T3) {
                    let lengths = outer.edges.iter().map(|e| e.length(&mesh.points));
                    let sum =
                        outer.normals(&mesh.points).iter().zip(lengths).fold([0.0; 2], |s, (n, l)| [s[0] + n[0] * l, s[1] + n[1] * l]);
                    assert_close(&sum, &[0.0; 2], 1e-12, "closed polygon");
                }
            }
        }
    }

    #[test]
    fn normals_point_away_from_the_material() {
        let a = Annulus { span: PI, middle: 0.7, ..Annulus::default() };
        let mesh = a.mesh(Shape::Q8).unwrap();
        for (name, sign) in [("inner", -1.0), ("outer", 1.0)] {
            let boundary = mesh.boundary(name).unwrap();
            for (edge, normal) in boundary.edges.iter().zip(boundary.normals(&mesh.points)) {
                let p = sub(mesh.points[edge.middle.unwrap() as usize], a.centre);
                let expected = p.map(|x| sign * x / norm(p));
                assert_close(&normal, &expected, 1e-12, name);
            }
        }
    }
}
