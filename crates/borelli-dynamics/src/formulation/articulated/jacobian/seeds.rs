//! Which degrees of freedom may be differentiated by in one direction of a dual pass, because nothing feels two of them.
//! Not here: the passes.
//! In: a skeleton and the ways of its rows. Out: directions, and what each degree of freedom reaches.
//!
//! Trees that stand on the ground feel each other through rows only. A degree of freedom reaches the freedoms of its own tree, those of the trees
//! that a row binds to it, and the rows of its tree. Two trees that reach no tree in common may share their directions, so that a row of many
//! linkages takes as many passes as one.
//!
//! Source: Curtis, Powell & Reid 1974, J. Inst. Maths Applics 13:117-119.

use crate::row_system::RowStructure;
use crate::system::Skeleton;

/// A tree on the ground.
#[derive(Clone, Debug, Default)]
struct Tree {
    dofs: Vec<u32>,
    rows: Vec<u32>,
    /// Trees bound to it by a row, itself among them.
    near: Vec<u32>,
    /// Degrees of freedom of all these.
    reached: Vec<u32>,
}

/// Directions and what they reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Seeds {
    trees: Vec<Tree>,
    /// Tree and degree of freedom of all that share a direction.
    directions: Vec<Vec<(u32, u32)>>,
}

impl Seeds {
    pub(super) fn new(skeleton: &Skeleton, structure: &RowStructure) -> Self {
        let n = skeleton.parent.len();
        // The tree of each body; none for those on the ground.
        let mut tree_of: Vec<Option<usize>> = vec![None; n];
        let mut trees: Vec<Tree> = Vec::new();
        for b in 1..n {
            let above = tree_of[skeleton.parent[b] as usize];
            let dofs = skeleton.dofs_of(b);
            if above.is_none() && !dofs.is_empty() {
                trees.push(Tree { near: vec![trees.len() as u32], ..Tree::default() });
                tree_of[b] = Some(trees.len() - 1);
            } else {
                tree_of[b] = above;
            }
            if let Some(tree) = tree_of[b] {
                trees[tree].dofs.extend(dofs.map(|dof| dof as u32));
            }
        }
        for row in 0..structure.rows() {
            let mut bound: Vec<usize> = structure.way(row).iter().filter_map(|b| tree_of[*b as usize]).collect();
            bound.sort_unstable();
            bound.dedup();
            for &tree in &bound {
                trees[tree].rows.push(row as u32);
                trees[tree].near.extend(bound.iter().map(|other| *other as u32));
            }
        }
        for k in 0..trees.len() {
            trees[k].near.sort_unstable();
            trees[k].near.dedup();
            let reached = trees[k].near.iter().flat_map(|other| trees[*other as usize].dofs.clone()).collect();
            trees[k].reached = reached;
        }
        // The first colour that no tree has which is near to one that is near.
        let mut colours: Vec<Option<usize>> = vec![None; trees.len()];
        let mut directions: Vec<Vec<(u32, u32)>> = Vec::new();
        let mut first: Vec<usize> = Vec::new();
        let mut widest: Vec<usize> = Vec::new();
        for k in 0..trees.len() {
            let taken: Vec<usize> =
                trees[k].near.iter().flat_map(|other| &trees[*other as usize].near).filter_map(|tree| colours[*tree as usize]).collect();
            let colour = (0..=taken.len()).find(|colour| !taken.contains(colour)).unwrap_or(taken.len());
            colours[k] = Some(colour);
            widest.resize(widest.len().max(colour + 1), 0);
            widest[colour] = widest[colour].max(trees[k].dofs.len());
        }
        let mut count = 0;
        for width in &widest {
            first.push(count);
            count += width;
        }
        directions.resize(count, Vec::new());
        for (k, tree) in trees.iter().enumerate() {
            let from = first[colours[k].unwrap_or(0)];
            tree.dofs.iter().enumerate().for_each(|(l, dof)| directions[from + l].push((k as u32, *dof)));
        }
        Seeds { trees, directions }
    }

    /// Number of directions that all degrees of freedom take.
    pub(super) fn len(&self) -> usize {
        self.directions.len()
    }

    /// Degrees of freedom that share a direction.
    pub(super) fn dofs(&self, direction: usize) -> impl Iterator<Item = usize> + '_ {
        self.directions[direction].iter().map(|(_, dof)| *dof as usize)
    }

    /// The same with degrees of freedom and rows that each reaches; nothing is reached by two.
    pub(super) fn reached(&self, direction: usize) -> impl Iterator<Item = (usize, &[u32], &[u32])> + '_ {
        self.directions[direction].iter().map(|(tree, dof)| {
            let tree = &self.trees[*tree as usize];
            (*dof as usize, &tree.reached[..], &tree.rows[..])
        })
    }
}
