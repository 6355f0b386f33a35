//! Block elimination of the bodies' equations and their rows along the tree, from the leaves to the root and back.
//! Not here: which unknowns a body has and what its rows are (`formulation`); loops and guides are in `border`.
//! In: per body its mass block, wrench W on its D unknowns, rows towards its parent. Out: accelerations A and multipliers λ of the rows.
//!
//!     M A_b − Nᵀ λ = W        N A_b − N' A_P = γ                                                        (1)
//!
//! with N' the same rows on the parent, on which λ acts reversed. With M̂ = L Lᵀ the block after its children,
//! Y = L⁻¹ Nᵀ, S = Yᵀ Y = G Gᵀ and X = G⁻¹ N':
//!
//!     down:  y = L⁻¹ W,  z = G⁻¹ (Yᵀ y − γ),  M̂_P += Xᵀ X,  W_P += Xᵀ z                                     (2)
//!     back:  λ = G⁻ᵀ (X A_P − z),  A_b = L⁻ᵀ (y + Y λ)                                                   (3)
//!
//! A body thin enough to have no inertia about some axis of its own has a singular block though (1) as a whole is regular. It, or any
//! body a formulation asks it for, gets its own rows with weights R added: M̂ + Nᵀ R N in place of M̂, which changes nothing but the
//! form: (3) gives λ + R (γ + N' A_P), and the parent gets − N'ᵀ R N' and + N'ᵀ R γ.
//!
//! Source: block LDLᵀ with the tree's own order; Negrut, Serban & Potra 1997, Multibody System Dynamics 1:83-104, treat the
//! same structure. Tests: a dense solve of all equations at once, the oracle, and the sum of all bodies' equations.

mod blocks;
mod border;

#[cfg(test)]
mod tests;

pub(crate) use blocks::Block;
pub(crate) use border::Border;

use blocks::{backward, dot, factor, forward, forward_rows, gram, mul, reach, transpose_mul};

/// Rows of one body towards its parent, one after the other; unused ones are zero.
pub(crate) struct BodyRows<const D: usize> {
    /// Nᵀ, one column per row.
    pub child: Block<D>,
    /// N', by rows.
    pub on_parent: Block<D>,
    /// γ.
    pub gamma: [f64; D],
    /// Number of rows.
    pub count: usize,
}

impl<const D: usize> BodyRows<D> {
    /// No rows yet.
    pub(crate) const NONE: Self = BodyRows { child: [[0.0; D]; D], on_parent: [[0.0; D]; D], gamma: [0.0; D], count: 0 };

    /// Adds a row by its coefficients on the child's and the parent's unknowns.
    #[inline(always)]
    pub(crate) fn push(&mut self, child: [f64; D], on_parent: [f64; D], gamma: f64) {
        let i = self.count;
        for k in 0..D {
            self.child[k][i] = child[k];
        }
        (self.on_parent[i], self.gamma[i]) = (on_parent, gamma);
        self.count += 1;
    }
}

/// Joint rows and factors of all bodies (entry 0, the world, is unused).
pub(crate) struct Tree<const D: usize> {
    parent: Vec<usize>,
    rows: Vec<usize>,
    /// Bodies whose own rows are added to their block.
    thin: Vec<bool>,
    /// Mass block, and what the children add; lower half.
    pub mass: Vec<Block<D>>,
    /// Nᵀ, one column per row.
    pub child: Vec<Block<D>>,
    /// N', by rows.
    pub on_parent: Vec<Block<D>>,
    /// γ.
    pub gamma: Vec<[f64; D]>,
    /// R.
    weight: Vec<[f64; D]>,
    /// Y.
    y_rows: Vec<Block<D>>,
    /// G.
    schur: Vec<Block<D>>,
    /// X.
    x_rows: Vec<Block<D>>,
    /// W, used up on the way down.
    pub wrench: Vec<[f64; D]>,
    /// y.
    pub y: Vec<[f64; D]>,
    /// z.
    pub z: Vec<[f64; D]>,
    /// A.
    pub acceleration: Vec<[f64; D]>,
    /// λ.
    pub lambda: Vec<[f64; D]>,
}

impl<const D: usize> Tree<D> {
    pub(crate) fn new(parent: &[u32], rows: Vec<usize>, thin: Vec<bool>) -> Self {
        let n = parent.len();
        let (blocks, vectors) = (vec![[[0.0; D]; D]; n], vec![[0.0; D]; n]);
        Tree {
            parent: parent.iter().map(|p| *p as usize).collect(),
            rows,
            thin,
            mass: blocks.clone(),
            child: blocks.clone(),
            on_parent: blocks.clone(),
            gamma: vectors.clone(),
            weight: vectors.clone(),
            y_rows: blocks.clone(),
            schur: blocks.clone(),
            x_rows: blocks,
            wrench: vectors.clone(),
            y: vectors.clone(),
            z: vectors.clone(),
            acceleration: vectors.clone(),
            lambda: vectors,
        }
    }

    /// Says of a body whether its rows are added to its block.
    pub(crate) fn set_thin(&mut self, body: usize, thin: bool) {
        self.thin[body] = thin;
    }

    /// Sets the rows of a body.
    #[inline(always)]
    pub(crate) fn set_rows(&mut self, b: usize, rows: &BodyRows<D>) {
        (self.child[b], self.on_parent[b], self.gamma[b]) = (rows.child, rows.on_parent, rows.gamma);
    }

    /// What the rows of a body exert on its unknowns, those before `first` left out.
    #[inline(always)]
    pub(crate) fn force_of_rows(&self, b: usize, first: usize) -> [f64; D] {
        let mut force = [0.0; D];
        for (entry, row) in force.iter_mut().zip(&self.child[b]) {
            for i in first..D {
                *entry += row[i] * self.lambda[b][i];
            }
        }
        force
    }

    /// From the leaves to the root: factors and the forward half of the solution. The first body without a regular block, if any.
    #[inline(always)]
    pub(crate) fn eliminate(&mut self) -> Result<(), usize> {
        for b in (1..self.parent.len()).rev() {
            let (P, rows) = (self.parent[b], self.rows[b]);
            let mut l = self.mass[b];
            if self.thin[b] {
                self.thicken(b, &mut l);
            }
            let mut regular = factor(&mut l);
            let mut y = self.wrench[b];
            forward(&l, &mut y);
            if rows > 0 {
                let mut y_rows = self.child[b];
                forward_rows(&l, &mut y_rows);
                let mut schur = gram(&y_rows);
                for i in rows..D {
                    schur[i][i] = 1.0;
                }
                regular &= factor(&mut schur);
                let mut x_rows = self.on_parent[b];
                forward_rows(&schur, &mut x_rows);
                let mut z = transpose_mul(&y_rows, &y);
                for i in 0..D {
                    z[i] -= self.gamma[b][i];
                }
                forward(&schur, &mut z);
                let (more_mass, more_wrench) = (gram(&x_rows), transpose_mul(&x_rows, &z));
                for i in 0..D {
                    self.wrench[P][i] += more_wrench[i];
                    for j in 0..reach::<D>(i) {
                        self.mass[P][i][j] += more_mass[i][j];
                    }
                }
                if self.thin[b] {
                    self.take_back(b, P);
                }
                (self.y_rows[b], self.schur[b], self.x_rows[b], self.z[b]) = (y_rows, schur, x_rows, z);
            }
            if !regular {
                return Err(b);
            }
            // The factor replaces the block.
            (self.mass[b], self.y[b]) = (l, y);
        }
        Ok(())
    }

    /// Adds the body's own rows, weighted to the size of its block.
    fn thicken(&mut self, b: usize, block: &mut Block<D>) {
        let floor = 1e-2 * self.mass[b][0][0];
        for i in 0..self.rows[b] {
            let mut row = [0.0; D];
            for k in 0..D {
                row[k] = self.child[b][k][i];
            }
            // A row n has the weight that makes n R nᵀ the mean of the diagonal it meets.
            let (mut sum, mut square) = (0.0, 0.0);
            for k in 0..D {
                sum += row[k] * row[k] * self.mass[b][k][k];
                square += row[k] * row[k];
            }
            self.weight[b][i] = (sum / square).max(floor) / square;
            for k in 0..D {
                // Most rows meet few unknowns.
                let entry = self.weight[b][i] * row[k];
                if entry != 0.0 {
                    for j in 0..reach::<D>(k) {
                        block[k][j] += entry * row[j];
                    }
                }
            }
        }
    }

    /// What `thicken` did, reversed on the parent.
    fn take_back(&mut self, b: usize, P: usize) {
        for i in 0..self.rows[b] {
            let (weight, row) = (self.weight[b][i], self.on_parent[b][i]);
            for k in 0..D {
                let entry = weight * row[k];
                if entry != 0.0 {
                    self.wrench[P][k] += entry * self.gamma[b][i];
                    for j in 0..reach::<D>(k) {
                        self.mass[P][k][j] -= entry * row[j];
                    }
                }
            }
        }
    }

    /// The forward half for another right-hand side without γ: `wrench` of body b in; its y and z out, and `wrench` of the parent added to.
    #[inline(always)]
    pub(crate) fn carry(&self, b: usize, wrench: &mut [[f64; D]]) -> ([f64; D], [f64; D]) {
        let mut y = wrench[b];
        forward(&self.mass[b], &mut y);
        if self.rows[b] == 0 {
            return (y, [0.0; D]);
        }
        let mut z = transpose_mul(&self.y_rows[b], &y);
        forward(&self.schur[b], &mut z);
        let more = transpose_mul(&self.x_rows[b], &z);
        let parent = &mut wrench[self.parent[b]];
        for k in 0..D {
            parent[k] += more[k];
        }
        (y, z)
    }

    /// From the root to the leaves: accelerations and multipliers.
    #[inline(always)]
    pub(crate) fn substitute(&mut self) {
        for b in 1..self.parent.len() {
            let mut a = self.y[b];
            if self.rows[b] > 0 {
                let A_P = self.acceleration[self.parent[b]];
                let mut lambda = mul(&self.x_rows[b], &A_P);
                for i in 0..D {
                    lambda[i] -= self.z[b][i];
                }
                backward(&self.schur[b], &mut lambda);
                let more = mul(&self.y_rows[b], &lambda);
                for k in 0..D {
                    a[k] += more[k];
                }
                if self.thin[b] {
                    for i in 0..self.rows[b] {
                        lambda[i] -= self.weight[b][i] * (self.gamma[b][i] + dot(&self.on_parent[b][i], &A_P));
                    }
                }
                self.lambda[b] = lambda;
            }
            backward(&self.mass[b], &mut a);
            self.acceleration[b] = a;
        }
    }
}
