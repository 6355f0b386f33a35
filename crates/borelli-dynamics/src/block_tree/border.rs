//! Loops and guides as a border of the tree's equations: a small dense system for their multipliers.
//! Not here: the rows themselves (`constraint`), the tree (`Tree`).
//! In: rows as wrenches on the unknowns of bodies, and the factored tree. Out: multipliers μ, and the tree's forward half with them.
//!
//!     (g_i K⁻¹ g_j) μ = −r_i − g_i A₀        g_i K⁻¹ g_j = Σ_bodies y_i·y_j − z_i·z_j                        (1)
//!
//! where y and z are the forward halves of the tree for the wrench g, and r_i is what Φ̈ has beyond g·A. Only bodies between a row's
//! bodies and the root take part. A row that nothing can move (its diagonal is rounding) or that follows from others gets no multiplier.

use super::Tree;
use super::blocks::dot;
use borelli_math::linalg::SemiDefinite;

/// A pivot below this part of its diagonal belongs to a row that follows from others.
const REDUNDANT: f64 = 1e-10;
/// A diagonal below this part of the terms it is the difference of is rounding.
const IMMOVABLE: f64 = 1e-12;

/// Memory for the rows of loops and guides.
pub(crate) struct Border<const D: usize> {
    count: usize,
    bodies: usize,
    /// Wrench of each row on each body, `row * bodies + body`; used up.
    pub wrench: Vec<[f64; D]>,
    /// Bodies that take part, as `wrench`.
    pub touched: Vec<bool>,
    y: Vec<[f64; D]>,
    z: Vec<[f64; D]>,
    /// r in, μ out.
    pub multiplier: Vec<f64>,
    matrix: Vec<f64>,
    solver: SemiDefinite<f64>,
}

impl<const D: usize> Border<D> {
    pub(crate) fn new(count: usize, bodies: usize) -> Self {
        Border {
            count,
            bodies,
            wrench: vec![[0.0; D]; count * bodies],
            touched: vec![false; count * bodies],
            y: vec![[0.0; D]; count * bodies],
            z: vec![[0.0; D]; count * bodies],
            multiplier: vec![0.0; count],
            matrix: vec![0.0; count * count],
            solver: SemiDefinite::new(count),
        }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Forgets the rows of the last state.
    pub(crate) fn clear(&mut self) {
        self.wrench.fill([0.0; D]);
        self.touched.fill(false);
        self.multiplier.fill(0.0);
    }

    /// Adds a wrench to a row.
    #[inline(always)]
    pub(crate) fn add(&mut self, row: usize, body: usize, wrench: &[f64; D]) {
        let at = row * self.bodies + body;
        self.touched[at] = true;
        for k in 0..D {
            self.wrench[at][k] += wrench[k];
        }
    }

    /// Solves (1) and adds the multipliers' wrenches to the forward half of the tree. The row whose numbers are not finite, if any.
    pub(crate) fn solve(&mut self, tree: &mut Tree<D>) -> Result<(), usize> {
        let (count, n) = (self.count, self.bodies);
        for i in 0..count {
            let range = i * n..(i + 1) * n;
            let (wrench, touched) = (&mut self.wrench[range.clone()], &mut self.touched[range.clone()]);
            let (y, z) = (&mut self.y[range.clone()], &mut self.z[range]);
            let mut sum = self.multiplier[i];
            for b in (1..n).rev() {
                if touched[b] {
                    (y[b], z[b]) = tree.carry(b, wrench);
                    touched[tree.parent(b)] = true;
                    sum += dot(&y[b], &tree.y[b]) - dot(&z[b], &tree.z[b]);
                }
            }
            self.multiplier[i] = -sum;
        }
        for i in 0..count {
            for j in 0..=i {
                let mut entry = 0.0;
                let mut gross = 0.0;
                for b in 1..n {
                    if self.touched[i * n + b] && self.touched[j * n + b] {
                        let (plus, minus) = (dot(&self.y[i * n + b], &self.y[j * n + b]), dot(&self.z[i * n + b], &self.z[j * n + b]));
                        entry += plus - minus;
                        gross += plus;
                    }
                }
                if i == j && entry <= IMMOVABLE * gross {
                    entry = 0.0;
                }
                self.matrix[i * count + j] = entry;
                self.matrix[j * count + i] = entry;
            }
            if !(self.matrix[i * count + i] + self.multiplier[i]).is_finite() {
                return Err(i);
            }
        }
        self.solver.factor(&self.matrix, REDUNDANT);
        self.solver.solve(&mut self.multiplier);
        for i in 0..count {
            let mu = self.multiplier[i];
            for b in 1..n {
                if self.touched[i * n + b] {
                    for k in 0..D {
                        tree.y[b][k] += mu * self.y[i * n + b][k];
                        tree.z[b][k] += mu * self.z[i * n + b][k];
                    }
                }
            }
        }
        Ok(())
    }
}
