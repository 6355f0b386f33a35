//! Which bodies each row of loops and guides can move, and which rows feel each other. Found once: it does not depend on the state.
//! Not here: numbers.
//! In: a system. Out: for each row its bodies and those that carry them, tips first; the pattern of G M⁻¹ Gᵀ.

use crate::constraint::Rows;
use crate::frames::Frames;
use crate::scene::{Inside, Scene};
use crate::system::{Skeleton, System};
use borelli_math::sparse_ldl::Pattern;

/// Rows and the bodies between them and the ground.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowStructure {
    /// First step of each row's way, and one past the last.
    start: Vec<u32>,
    /// Bodies on the way of a row to the ground, a child before its parent.
    way: Vec<u32>,
}

impl RowStructure {
    /// Of the rows of a system.
    pub(crate) fn new(system: &System) -> Self {
        let System { skeleton, numbers, names, start, .. } = system;
        if names.rows.is_empty() {
            return RowStructure { start: vec![0], way: Vec::new() };
        }
        // Which bodies a row binds is the same at every state.
        let still = vec![0.0; skeleton.dofs()];
        let mut frames = Frames::new(skeleton);
        frames.fill::<f64, false>(skeleton, &numbers.tree, &start.q, &still, &[]);
        frames.fill_points(skeleton);
        let mut rows = Rows::new(names.rows.len(), numbers.constraints.entries());
        let scene = Scene { skeleton, numbers, frames: &frames, q: &start.q, v: &still, vdot: &[], t: 0.0, inside: Inside::NONE };
        numbers.constraints.fill(&scene, &mut rows);
        let mut bodies: Vec<Vec<usize>> = rows.body.iter().map(|pair| pair.iter().map(|body| *body as usize).collect()).collect();
        for (row, dof, _) in &rows.on_dofs {
            bodies[*row as usize].push(skeleton.dof_body[*dof as usize] as usize);
        }
        RowStructure::of_bodies(skeleton, &bodies)
    }

    /// Of rows on these bodies.
    pub(crate) fn of_bodies(skeleton: &Skeleton, rows: &[Vec<usize>]) -> Self {
        RowStructure::of_parents(&skeleton.parent, &RowStructure::ground(skeleton), rows)
    }

    /// Which bodies are ground: those without freedoms that hang on the ground as well.
    pub(crate) fn ground(skeleton: &Skeleton) -> Vec<bool> {
        let mut ground = vec![true; skeleton.parent.len()];
        for b in 1..ground.len() {
            ground[b] = skeleton.dofs_of(b).is_empty() && ground[skeleton.parent[b] as usize];
        }
        ground
    }

    /// The same for a tree given by parents.
    pub(crate) fn of_parents(parent: &[u32], ground: &[bool], rows: &[Vec<usize>]) -> Self {
        let mut structure = RowStructure { start: vec![0], way: Vec::new() };
        for bodies in rows {
            let mut way: Vec<u32> = Vec::new();
            for &body in bodies {
                let mut b = body;
                while !ground[b] {
                    way.push(b as u32);
                    b = parent[b] as usize;
                }
            }
            way.sort_unstable_by(|a, b| b.cmp(a));
            way.dedup();
            structure.way.extend(way);
            structure.start.push(structure.way.len() as u32);
        }
        structure
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.start.len() - 1
    }

    /// Steps of a row's way, as places in `steps`.
    pub(crate) fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.start[row] as usize..self.start[row + 1] as usize
    }

    /// Steps of all ways: the body of each.
    pub(crate) fn steps(&self) -> &[u32] {
        &self.way
    }

    /// Bodies on the way of a row to the ground, a child before its parent.
    pub(crate) fn way(&self, row: usize) -> &[u32] {
        &self.way[self.range(row)]
    }

    /// Rows whose ways share a body. Ways lead to the ground, so that rows share a body where they share the last one.
    pub(crate) fn pattern(&self) -> Pattern {
        let bodies = self.way.iter().map(|b| *b as usize + 1).max().unwrap_or(0);
        let mut on: Vec<Vec<usize>> = vec![Vec::new(); bodies];
        for row in 0..self.rows() {
            self.way(row).iter().for_each(|b| on[*b as usize].push(row));
        }
        // Rows of a body are among those of its parent; the same list once is enough.
        on.sort_unstable();
        on.dedup();
        let pairs = on.iter().flat_map(|rows| rows.iter().enumerate().flat_map(|(k, i)| rows[..k].iter().map(|j| (*i, *j))));
        Pattern::new(self.rows(), pairs)
    }
}
