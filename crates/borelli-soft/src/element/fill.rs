//! What a cell adds to the equations: forces of elastic and viscous stress and of inertia, and their slopes.

use super::blocks::Sum;
use super::view::{View, sized, slope};
use super::{Inverted, Kind, Solid, f_bar, plain};
use crate::shape::Shape;

/// How much of the slopes by velocity and acceleration goes into a tangent by position, as a time step says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellWeights {
    /// Of ∂f/∂v, 1/s; γ/(βΔt) in Newmark's rule.
    pub damping: f64,
    /// Of the mass, 1/s²; 1/(βΔt²) in Newmark's rule.
    pub mass: f64,
}

/// What a cell of n nodes adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellWork {
    /// Forces, N: the first 2n numbers, by node.
    pub f: [f64; 16],
    /// Tangent, N/m: the first (2n)² numbers, by rows of 2n.
    pub k: [f64; 256],
}

impl Default for CellWork {
    fn default() -> Self {
        CellWork { f: [0.0; 16], k: [0.0; 256] }
    }
}

/// Where the nodes of a cell are, and what is asked.
pub(super) struct State<const N: usize> {
    pub x: [[f64; 2]; N],
    weights: Option<CellWeights>,
}

impl<const N: usize> State<N> {
    #[inline]
    pub fn wants_tangent(&self) -> bool {
        self.weights.is_some()
    }
}

impl Solid {
    /// Fills in the forces of a cell, on the side of the inner forces, and its tangent if weights are given.
    ///
    /// ```text
    /// f = Σ w (P + P_v) ∇N + M a,   k = ∂f/∂x + damping ∂f/∂v + mass M                             (1)
    /// ```
    ///
    /// Without `v` the body is at rest, without `a` it has no inertia; M is the consistent mass, zero without density. Nothing is allocated.
    pub fn fill(
        &self,
        cell: usize,
        x: &[f64],
        v: Option<&[f64]>,
        a: Option<&[f64]>,
        weights: Option<CellWeights>,
        out: &mut CellWork,
    ) -> Result<(), Inverted> {
        sized!(self.cells[cell].shape, self.fill_cell(cell, x, v, a, weights, out))
    }

    fn fill_cell<const N: usize, const P: usize>(
        &self,
        cell: usize,
        x: &[f64],
        v: Option<&[f64]>,
        a: Option<&[f64]>,
        weights: Option<CellWeights>,
        out: &mut CellWork,
    ) -> Result<(), Inverted> {
        let view = self.view::<N, P>(cell);
        let viscous = view.material.viscosity() > 0.0;
        let state = State { x: view.gather(x), weights };
        let mut sum = Sum::<N>::new(!viscous);
        match self.kind {
            Kind::Plain => plain::fill(&view, &state, &mut sum)?,
            Kind::FBar => f_bar::fill(&view, &state, &mut sum)?,
        }
        if viscous {
            let v = v.map_or([[0.0; 2]; N], |v| view.gather(v));
            fill_viscous(&view, &state, &v, &mut sum);
        }
        let masses = self.mass_of(cell);
        if let (Some(masses), Some(a)) = (masses, a) {
            let a = view.gather(a);
            for (f, row) in sum.force.iter_mut().zip(masses.as_chunks::<N>().0) {
                for (m, a) in row.iter().zip(&a) {
                    *f = [f[0] + m * a[0], f[1] + m * a[1]];
                }
            }
        }
        out.f[..2 * N].copy_from_slice(sum.force.as_flattened());
        let Some(weights) = weights else { return Ok(()) };
        sum.write_tangent(&mut out.k[..4 * N * N]);
        if let Some(masses) = masses {
            for (pair, m) in masses.iter().enumerate() {
                let at = 4 * N * (pair / N) + 2 * (pair % N);
                out.k[at] += weights.mass * m;
                out.k[at + 2 * N + 1] += weights.mass * m;
            }
        }
        Ok(())
    }
}

/// Adds the viscous stress; it takes F as the nodes have it in both kinds of element, since it does not lock.
fn fill_viscous<const N: usize, const P: usize>(view: &View<N, P>, state: &State<N>, v: &[[f64; 2]; N], out: &mut Sum<N>) {
    for (gradients, &w) in view.gradients.iter().zip(view.weights) {
        let Some(viscous) = view.material.viscous(slope(&state.x, gradients), slope(v, gradients)) else { return };
        out.add_stress(w, viscous.P, gradients);
        if let Some(weights) = state.weights {
            let mut M = viscous.by_F;
            for (row, by_rate) in M.iter_mut().zip(viscous.by_Fdot) {
                for (entry, by_rate) in row.iter_mut().zip(by_rate) {
                    *entry += weights.damping * by_rate;
                }
            }
            out.add_tangent(w, &M, gradients);
        }
    }
}
