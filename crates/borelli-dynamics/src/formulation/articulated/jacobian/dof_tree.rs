//! The tree of degrees of freedom, the sparse layout of the mass matrix that follows from it, and row operations.

use crate::system::{Motion, Skeleton};

/// The tree of degrees of freedom: each row of the mass matrix is stored by depth along its path, so that an ancestor's row is a prefix.
pub(super) struct DofTree {
    /// Number of degrees of freedom above.
    pub(super) depth: Vec<usize>,
    /// Start of each row in the packed matrix.
    pub(super) start: Vec<usize>,
    /// Paths to the root, root first, packed like the rows.
    pub(super) path: Vec<usize>,
    /// Columns that a row of the right-hand sides may fill before the solve, those of its path and of its subtree, as runs of neighbours.
    pub(super) runs: Vec<(usize, usize)>,
    /// Start of each row's runs.
    pub(super) run_start: Vec<usize>,
    /// Group of dofs that belong to one ball, else unique.
    pub(super) ball: Vec<usize>,
    /// Last degree of freedom at or above each body.
    last: Vec<Option<usize>>,
}

impl DofTree {
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        let n = skeleton.dofs();
        let mut tree = DofTree {
            depth: vec![0; n],
            start: vec![0; n + 1],
            path: Vec::new(),
            runs: Vec::new(),
            run_start: vec![0],
            ball: (0..n).collect(),
            last: Vec::new(),
        };
        let mut last: Vec<Option<usize>> = vec![None; skeleton.parent.len()];
        let mut parent: Vec<Option<usize>> = vec![None; n];
        for b in 1..skeleton.parent.len() {
            let mut above = last[skeleton.parent[b] as usize];
            for d in skeleton.dofs_of(b) {
                parent[d] = above;
                above = Some(d);
            }
            last[b] = above;
            for motion in skeleton.motions_of(b) {
                if let Motion::Ball { dof, .. } = motion {
                    let first = *dof as usize;
                    tree.ball[first..first + 3].fill(first);
                }
            }
        }
        for d in 0..n {
            if let Some(p) = parent[d] {
                tree.depth[d] = tree.depth[p] + 1;
                let (from, to) = (tree.start[p], tree.start[p + 1]);
                tree.path.extend_from_within(from..to);
            }
            tree.path.push(d);
            tree.start[d + 1] = tree.path.len();
        }
        // One past the last degree of freedom of each subtree; depth-first order makes a subtree one piece.
        let mut end: Vec<usize> = (1..=n).collect();
        for d in (0..n).rev() {
            if let Some(p) = parent[d] {
                end[p] = end[p].max(end[d]);
            }
        }
        for d in 0..n {
            for (from, to) in tree.ancestors(d).iter().map(|a| (*a, a + 1)).chain([(d, end[d])]).collect::<Vec<_>>() {
                match tree.runs[tree.run_start[d]..].last_mut() {
                    Some(last) if last.1 == from => last.1 = to,
                    _ => tree.runs.push((from, to)),
                }
            }
            tree.run_start.push(tree.runs.len());
        }
        tree.last = last;
        tree
    }

    /// Degrees of freedom that move a body, root first.
    #[inline(always)]
    pub(super) fn moving(&self, body: usize) -> &[usize] {
        self.last[body].map_or(&[], |d| &self.path[self.start[d]..self.start[d + 1]])
    }

    /// Degrees of freedom that move only the first, and only the second of two bodies.
    #[inline(always)]
    pub(super) fn apart(&self, first: usize, second: usize) -> (&[usize], &[usize]) {
        let (a, b) = (self.moving(first), self.moving(second));
        let common = a.iter().zip(b).take_while(|(i, j)| i == j).count();
        (&a[common..], &b[common..])
    }

    /// Ancestors of a degree of freedom, root first, without itself.
    #[inline(always)]
    pub(super) fn ancestors(&self, d: usize) -> &[usize] {
        &self.path[self.start[d]..self.start[d + 1] - 1]
    }
}

#[inline(always)]
pub(super) fn axpy(y: &mut [f64], a: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// y −= l₀ x₀ + l₁ x₁ + l₂ x₂ + l₃ x₃.
#[inline(always)]
pub(super) fn axpy4(y: &mut [f64], l: &[f64], x0: &[f64], x1: &[f64], x2: &[f64], x3: &[f64]) {
    let n = y.len();
    let (x0, x1, x2, x3) = (&x0[..n], &x1[..n], &x2[..n], &x3[..n]);
    let (l0, l1, l2, l3) = (l[0], l[1], l[2], l[3]);
    for i in 0..n {
        y[i] -= (l0 * x0[i] + l1 * x1[i]) + (l2 * x2[i] + l3 * x3[i]);
    }
}
