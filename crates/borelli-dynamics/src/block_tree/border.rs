//! Loops and guides as a border of the tree's equations: a small sparse system for their multipliers.
//! Not here: the rows themselves (`constraint`), the tree (`Tree`), which rows follow from others (`row_system`).
//! In: rows as wrenches on the unknowns of bodies, and the factored tree. Out: multipliers μ, and the tree's forward half with them.
//!
//!     (g_i K⁻¹ g_j) μ = −r_i − g_i A₀        g_i K⁻¹ g_j = Σ_bodies y_i·y_j − z_i·z_j                        (1)
//!
//! where y and z are the forward halves of the tree for the wrench g, and r_i is what Φ̈ has beyond g·A. Only bodies between a row's
//! bodies and the ground take part.

use super::Tree;
use super::blocks::dot;
use crate::row_system::{RowStructure, RowSystem};

/// Memory for the rows of loops and guides.
pub(crate) struct Border<const D: usize> {
    /// The equations for μ; halves are (y, z) and (y, −z).
    pub system: RowSystem<f64>,
    /// Wrench of each row on each body of its way, by steps.
    wrench: Vec<[f64; D]>,
    /// The same while it is carried along the tree, by bodies.
    carried: Vec<[f64; D]>,
    /// r in, μ out.
    pub multiplier: Vec<f64>,
    /// r.
    rest: Vec<f64>,
    correction: Vec<f64>,
}

impl<const D: usize> Border<D> {
    pub(crate) fn new(structure: RowStructure, bodies: usize) -> Self {
        let (steps, rows) = (structure.steps().len(), structure.rows());
        Border {
            system: RowSystem::new(structure, bodies, |_| 2 * D),
            wrench: vec![[0.0; D]; steps],
            carried: vec![[0.0; D]; bodies],
            multiplier: vec![0.0; rows],
            rest: vec![0.0; rows],
            correction: vec![0.0; rows],
        }
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        self.system.len()
    }

    /// Forgets the rows of the last state.
    pub(crate) fn clear(&mut self) {
        self.wrench.fill([0.0; D]);
        self.multiplier.fill(0.0);
    }

    /// Adds a wrench to a row; one on the ground is held by it.
    #[inline(always)]
    pub(crate) fn add(&mut self, row: usize, body: usize, wrench: &[f64; D]) {
        let structure = self.system.structure();
        let range = structure.range(row);
        if let Some(step) = structure.way(row).iter().position(|b| *b as usize == body) {
            for (sum, x) in self.wrench[range.start + step].iter_mut().zip(wrench) {
                *sum += x;
            }
        }
    }

    /// Solves (1) and adds the multipliers' wrenches to the forward half of the tree. The row whose numbers are not finite, if any.
    pub(crate) fn solve(&mut self, tree: &mut Tree<D>) -> Result<(), usize> {
        self.rest.copy_from_slice(&self.multiplier);
        for i in 0..self.len() {
            let mut sum = self.multiplier[i];
            let range = self.system.structure().range(i);
            for step in range.clone() {
                self.carried[self.system.structure().steps()[step] as usize] = self.wrench[step];
            }
            for step in range {
                let b = self.system.structure().steps()[step] as usize;
                let (y, z) = tree.carry(b, &mut self.carried);
                sum += dot(&y, &tree.y[b]) - dot(&z, &tree.z[b]);
                let (p, u) = self.system.half_mut(step);
                p[..D].copy_from_slice(&y);
                p[D..].copy_from_slice(&z);
                u[..D].copy_from_slice(&y);
                u[D..].iter_mut().zip(z).for_each(|(u, z)| *u = -z);
            }
            self.multiplier[i] = -sum;
            if !sum.is_finite() {
                return Err(i);
            }
        }
        self.system.factor();
        self.system.solve(&mut self.multiplier);
        self.push(&self.multiplier, tree);
        match self.multiplier.iter().position(|mu| !mu.is_finite()) {
            Some(row) => Err(row),
            None => Ok(()),
        }
    }

    /// Corrects multipliers by what the accelerations of the tree leave over of the rows, and its forward half with them.
    pub(crate) fn correct(&mut self, tree: &mut Tree<D>) {
        for i in 0..self.len() {
            let mut sum = self.rest[i];
            for step in self.system.structure().range(i) {
                sum += dot(&self.wrench[step], &tree.acceleration[self.system.structure().steps()[step] as usize]);
            }
            self.correction[i] = -sum;
        }
        self.system.solve(&mut self.correction);
        self.multiplier.iter_mut().zip(&self.correction).for_each(|(sum, x)| *sum += x);
        self.push(&self.correction, tree);
    }

    /// Adds the wrenches of multipliers to the forward half of the tree.
    fn push(&self, multipliers: &[f64], tree: &mut Tree<D>) {
        for (i, mu) in multipliers.iter().enumerate() {
            if *mu == 0.0 {
                continue;
            }
            for step in self.system.structure().range(i) {
                let (b, half) = (self.system.structure().steps()[step] as usize, self.system.half(step));
                for k in 0..D {
                    tree.y[b][k] += mu * half[k];
                    tree.z[b][k] += mu * half[D + k];
                }
            }
        }
    }
}
