//! The order in which unknowns are eliminated: little fill, and no zero pivot of a multiplier.
//! Not here: the factorisation.
//! In: the pattern and what each unknown is. Out: a permutation, the same each time.
//!
//! Nodes are put in order by approximate minimum degree on the graph of nodes. Each gives its displacements, directly followed by the
//! multipliers that act on it; rigid coordinates, pins and locks come last. With a positive definite stiffness each leading block then
//! has full rank, so that the factors exist without pivoting: displacements have positive pivots, multipliers negative ones.
//! An order chosen from the entries alone meets a multiplier before its node and a pivot of zero.

use super::Fault;
use super::pattern::Pattern;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::amd;

/// What an unknown is, as far as the order asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A coordinate of a node.
    Node(u32),
    /// A multiplier that acts on a node: eliminated directly behind it.
    Behind(u32),
    /// A rigid coordinate or a multiplier between rigid bodies: eliminated at the end, in the order given.
    Last,
}

/// An order of elimination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Unknown that is eliminated k-th.
    unknowns: Vec<usize>,
    /// When an unknown is eliminated.
    steps: Vec<usize>,
}

impl Order {
    /// The order from the graph of nodes. `places` has an entry for each unknown of the pattern.
    pub fn from_nodes(pattern: &Pattern, places: &[Place]) -> Result<Order, Fault> {
        if places.len() != pattern.unknowns() {
            return Err(Fault::WrongLength { found: places.len(), expected: pattern.unknowns() });
        }
        let node_of = |place: &Place| match *place {
            Place::Node(node) | Place::Behind(node) => Some(node as usize),
            Place::Last => None,
        };
        let nodes = places.iter().filter_map(node_of).map(|node| node + 1).max().unwrap_or(0);

        // Unknowns of each node: coordinates first, then multipliers, each in the order given.
        let mut of_node: Vec<Vec<usize>> = vec![Vec::new(); nodes];
        for (unknown, place) in places.iter().enumerate() {
            if let Place::Node(node) = *place {
                of_node[node as usize].push(unknown);
            }
        }
        for (unknown, place) in places.iter().enumerate() {
            if let Place::Behind(node) = *place {
                of_node[node as usize].push(unknown);
            }
        }

        let mut unknowns = Vec::with_capacity(places.len());
        for node in least_degree_first(pattern, places, &of_node, node_of)? {
            unknowns.extend_from_slice(&of_node[node]);
        }
        unknowns.extend((0..places.len()).filter(|&unknown| places[unknown] == Place::Last));
        Ok(Order::from_list(unknowns))
    }

    /// The unknowns in their own order.
    pub fn as_given(unknowns: usize) -> Order {
        Order::from_list((0..unknowns).collect())
    }

    pub(super) fn from_list(unknowns: Vec<usize>) -> Order {
        let mut steps = vec![0; unknowns.len()];
        for (step, &unknown) in unknowns.iter().enumerate() {
            steps[unknown] = step;
        }
        Order { unknowns, steps }
    }

    /// Unknowns as they are eliminated.
    pub fn unknowns(&self) -> &[usize] {
        &self.unknowns
    }

    /// For each unknown, when it is eliminated.
    pub fn steps(&self) -> &[usize] {
        &self.steps
    }
}

/// Approximate minimum degree on the graph of nodes: two nodes are neighbours if any of their unknowns are coupled.
fn least_degree_first(
    pattern: &Pattern,
    places: &[Place],
    of_node: &[Vec<usize>],
    node_of: impl Fn(&Place) -> Option<usize>,
) -> Result<Vec<usize>, Fault> {
    let nodes = of_node.len();
    let mut col_ptr = vec![0];
    let mut row_idx: Vec<usize> = Vec::new();
    let mut seen_by = vec![usize::MAX; nodes];
    for node in 0..nodes {
        let start = row_idx.len();
        for &unknown in &of_node[node] {
            for neighbour in pattern.rows(unknown).iter().filter_map(|&row| node_of(&places[row])) {
                if neighbour < node && seen_by[neighbour] != node {
                    seen_by[neighbour] = node;
                    row_idx.push(neighbour);
                }
            }
        }
        row_idx[start..].sort_unstable();
        col_ptr.push(row_idx.len());
    }
    let edges = row_idx.len();
    let upper = SymbolicSparseColMat::new_checked(nodes, nodes, col_ptr, None, row_idx);
    let (mut order, mut inverse) = (vec![0usize; nodes], vec![0usize; nodes]);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(nodes, edges)).map_err(|_| Fault::TooLarge)?;
    amd::order(&mut order, &mut inverse, upper.as_ref(), amd::Control::default(), MemStack::new(&mut memory))
        .map_err(|_| Fault::TooLarge)?;
    Ok(order)
}
