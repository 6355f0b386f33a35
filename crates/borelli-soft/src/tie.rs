//! Ties of nodes: to a point of a rigid carrier, or to a weighted mean of other nodes. Residuals and tangents.
//! Not here: which nodes are tied to what, where the points lie at the start.
//! In: positions, multipliers, r. Out: residual and tangent; multipliers last.
//!
//! A condition h = 0 with multipliers λ and L = λ + r h gives the residual Gᵀ L, h with G the slope of h, and the tangent
//! r GᵀG + Σ L_k ∂²h_k, G. The result does not depend on r; r = 0 is plain multipliers. A penalty has no multipliers: L = r h.
//! The force on the tied node is -L.

/// Most nodes to which one may be tied: an edge with a middle node.
pub const MASTERS: usize = 3;

/// A node tied to a point of a carrier, in the order (node x, y; carrier x, y, angle; multipliers x, y).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarrierTie {
    /// h: from the carrier's point to the node, m.
    pub gap: [f64; 2],
    /// L, N.
    pub pull: [f64; 2],
    /// From the carrier's origin to its point, in world axes.
    arm: [f64; 2],
    r: f64,
}

impl CarrierTie {
    /// A node at `x`, held to the point `c` of a carrier at `pose` (x, y, angle) by multipliers and r in N/m.
    pub fn new(x: [f64; 2], pose: [f64; 3], c: [f64; 2], multipliers: [f64; 2], r: f64) -> CarrierTie {
        let (sin, cos) = pose[2].sin_cos();
        let arm = [c[0] * cos - c[1] * sin, c[0] * sin + c[1] * cos];
        let gap = [0, 1].map(|i| x[i] - pose[i] - arm[i]);
        CarrierTie { gap, pull: [0, 1].map(|i| multipliers[i] + r * gap[i]), arm, r }
    }

    /// The same without multipliers. Only `forces` and `stiffness` apply.
    pub fn penalty(x: [f64; 2], pose: [f64; 3], c: [f64; 2], r: f64) -> CarrierTie {
        CarrierTie::new(x, pose, c, [0.0; 2], r)
    }

    /// Forces on the node and wrench on the carrier about its origin, in the sign of internal forces.
    pub fn forces(&self) -> [f64; 5] {
        let ([L1, L2], [z1, z2]) = (self.pull, self.arm);
        [L1, L2, -L1, -L2, z2 * L1 - z1 * L2]
    }

    /// Forces, then h.
    pub fn residual(&self) -> [f64; 7] {
        let [fx, fy, X, Y, m] = self.forces();
        [fx, fy, X, Y, m, self.gap[0], self.gap[1]]
    }

    /// Derivative of the forces by the positions of node and carrier; symmetric.
    pub fn stiffness(&self) -> [[f64; 5]; 5] {
        let slopes = self.slopes();
        let mut k = [[0.0; 5]; 5];
        for (i, row) in k.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = self.r * (slopes[0][i] * slopes[0][j] + slopes[1][i] * slopes[1][j]);
            }
        }
        // The point turns with its carrier: its second derivative by the angle is -arm, which enters h with a minus.
        k[4][4] += self.pull[0] * self.arm[0] + self.pull[1] * self.arm[1];
        k
    }

    /// Derivative of the residual; symmetric.
    pub fn tangent(&self) -> [[f64; 7]; 7] {
        let slopes = self.slopes();
        let mut k = [[0.0; 7]; 7];
        for (i, row) in self.stiffness().iter().enumerate() {
            k[i][..5].copy_from_slice(row);
            for c in 0..2 {
                k[i][5 + c] = slopes[c][i];
                k[5 + c][i] = slopes[c][i];
            }
        }
        k
    }

    /// G.
    fn slopes(&self) -> [[f64; 5]; 2] {
        let [z1, z2] = self.arm;
        [[1.0, 0.0, -1.0, 0.0, z2], [0.0, 1.0, 0.0, -1.0, -z1]]
    }
}

/// A node tied to a weighted mean of others, in the order (node x, y; each other node x, y; multipliers x, y).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeTie {
    /// h: from the mean to the node, m.
    pub gap: [f64; 2],
    /// L, N.
    pub pull: [f64; 2],
    /// Coefficient of each node in h: one, then the weights with a minus.
    factors: [f64; 1 + MASTERS],
    nodes: usize,
    r: f64,
}

impl NodeTie {
    /// A node at `x`, held to the mean of up to three others by multipliers and r in N/m. Weights of a point on an edge add up to one.
    pub fn new(x: [f64; 2], others: &[[f64; 2]], weights: &[f64], multipliers: [f64; 2], r: f64) -> NodeTie {
        assert!(others.len() == weights.len() && others.len() <= MASTERS, "a node is tied to {MASTERS} others at most, each with a weight");
        let (mut gap, mut factors) = (x, [0.0; 1 + MASTERS]);
        factors[0] = 1.0;
        for (k, (other, weight)) in others.iter().zip(weights).enumerate() {
            factors[k + 1] = -weight;
            gap[0] -= weight * other[0];
            gap[1] -= weight * other[1];
        }
        NodeTie { gap, pull: [0, 1].map(|i| multipliers[i] + r * gap[i]), factors, nodes: 1 + others.len(), r }
    }

    /// The same without multipliers. Only `fill_forces` and `fill_stiffness` apply.
    pub fn penalty(x: [f64; 2], others: &[[f64; 2]], weights: &[f64], r: f64) -> NodeTie {
        NodeTie::new(x, others, weights, [0.0; 2], r)
    }

    /// Number of rows of all nodes; two more with multipliers.
    pub fn rows(&self) -> usize {
        2 * self.nodes
    }

    /// Writes the forces on all nodes, in the sign of internal forces.
    pub fn fill_forces(&self, out: &mut [f64]) {
        for (k, factor) in self.factors[..self.nodes].iter().enumerate() {
            out[2 * k] = factor * self.pull[0];
            out[2 * k + 1] = factor * self.pull[1];
        }
    }

    /// Writes forces, then h.
    pub fn fill_residual(&self, out: &mut [f64]) {
        self.fill_forces(out);
        out[self.rows()..self.rows() + 2].copy_from_slice(&self.gap);
    }

    /// Writes the derivative of the forces, row by row.
    pub fn fill_stiffness(&self, out: &mut [f64]) {
        self.fill_block(self.rows(), out);
    }

    /// Writes the derivative of the residual, row by row.
    pub fn fill_tangent(&self, out: &mut [f64]) {
        let (rows, width) = (self.rows(), self.rows() + 2);
        self.fill_block(width, out);
        for (k, factor) in self.factors[..self.nodes].iter().enumerate() {
            for c in 0..2 {
                out[(2 * k + c) * width + rows + c] = *factor;
                out[(rows + c) * width + 2 * k + c] = *factor;
            }
        }
    }

    /// Writes r GᵀG in the corner of a matrix of `width` rows, zero elsewhere.
    fn fill_block(&self, width: usize, out: &mut [f64]) {
        out[..width * width].fill(0.0);
        for (k, a) in self.factors[..self.nodes].iter().enumerate() {
            for (l, b) in self.factors[..self.nodes].iter().enumerate() {
                for c in 0..2 {
                    out[(2 * k + c) * width + 2 * l + c] = self.r * a * b;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::random::Random;
    use borelli_testkit::{assert_close, central_difference};

    /// Columns of differences of `f`, one behind the other; equal to the rows of a symmetric tangent.
    fn differences(f: impl Fn(&[f64]) -> Vec<f64>, s: &[f64]) -> Vec<f64> {
        (0..s.len())
            .flat_map(|k| {
                let mut moved = |h: f64| {
                    let mut s = s.to_vec();
                    s[k] += h;
                    f(&s)
                };
                central_difference(&mut moved, 1e-3)
            })
            .collect()
    }

    #[test]
    fn the_tangent_of_a_tie_to_a_carrier_is_the_slope_of_its_residual() {
        let mut random = Random::new(31);
        for r in [0.0, 1.0, 50.0] {
            for _ in 0..50 {
                let c = [random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)];
                let s = random.uniforms(7, -3.0, 3.0);
                let tie = |s: &[f64]| CarrierTie::new([s[0], s[1]], [s[2], s[3], s[4]], c, [s[5], s[6]], r);
                let tangent = tie(&s).tangent();
                assert_close(tangent.as_flattened(), &differences(|s| tie(s).residual().to_vec(), &s), 1e-9, "tangent");
                let penalty = |s: &[f64]| CarrierTie::penalty([s[0], s[1]], [s[2], s[3], s[4]], c, r);
                let slopes = differences(|s| penalty(s).forces().to_vec(), &s[..5]);
                assert_close(penalty(&s).stiffness().as_flattened(), &slopes, 1e-9, "penalty");
                for (i, row) in tangent.iter().enumerate() {
                    for (j, entry) in row.iter().enumerate() {
                        assert_eq!(*entry, tangent[j][i], "symmetric to the last bit");
                    }
                }
            }
        }
    }

    #[test]
    fn a_tie_to_a_carrier_balances_forces_and_moments_when_closed() {
        let pose: [f64; 3] = [0.3, -0.4, 0.7];
        let c = [0.5, 0.2];
        let (sin, cos) = pose[2].sin_cos();
        let x = [pose[0] + cos * c[0] - sin * c[1], pose[1] + sin * c[0] + cos * c[1]];
        let tie = CarrierTie::new(x, pose, c, [3.0, -7.0], 100.0);
        assert_close(&tie.gap, &[0.0; 2], 1e-15, "closed");
        let [fx, fy, X, Y, m] = tie.forces();
        let moment = x[0] * fy - x[1] * fx + m + pose[0] * Y - pose[1] * X;
        assert_close(&[fx + X, fy + Y, moment], &[0.0; 3], 1e-12, "balance");
        assert_close(&[fx, fy], &[3.0, -7.0], 1e-12, "the multiplier is the internal force on the node");
    }

    #[test]
    fn the_tangent_of_a_tie_to_nodes_is_the_slope_of_its_residual() {
        let mut random = Random::new(32);
        for weights in [&[1.0][..], &[0.3, 0.7], &[0.2, -0.1, 0.9]] {
            for r in [0.0, 40.0] {
                let (nodes, rows) = (1 + weights.len(), 2 * (1 + weights.len()));
                let s = random.uniforms(rows + 2, -3.0, 3.0);
                let others = |s: &[f64]| (1..nodes).map(|k| [s[2 * k], s[2 * k + 1]]).collect::<Vec<_>>();
                let tie = |s: &[f64]| NodeTie::new([s[0], s[1]], &others(s), weights, [s[rows], s[rows + 1]], r);
                let residual = |s: &[f64]| {
                    let mut out = vec![f64::NAN; rows + 2];
                    tie(s).fill_residual(&mut out);
                    out
                };
                let mut tangent = vec![f64::NAN; (rows + 2) * (rows + 2)];
                tie(&s).fill_tangent(&mut tangent);
                assert_close(&tangent, &differences(residual, &s), 1e-10, "tangent");
                let penalty = |s: &[f64]| NodeTie::penalty([s[0], s[1]], &others(s), weights, r);
                let forces = |s: &[f64]| {
                    let mut out = vec![f64::NAN; rows];
                    penalty(s).fill_forces(&mut out);
                    out
                };
                let mut stiffness = vec![f64::NAN; rows * rows];
                penalty(&s).fill_stiffness(&mut stiffness);
                assert_close(&stiffness, &differences(forces, &s[..rows]), 1e-10, "penalty");
                // Weights add up to one: forces balance, and h does not change when all move together.
                let mut out = vec![0.0; rows + 2];
                tie(&s).fill_residual(&mut out);
                let sum = [0, 1].map(|c| (0..nodes).map(|k| out[2 * k + c]).sum::<f64>());
                assert_close(&sum, &[0.0; 2], 1e-12, "balance");
            }
        }
    }
}
