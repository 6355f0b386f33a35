//! Solves with the shifted slopes of a movement's rates, by what is known of their structure.
//! Not here: the slopes (`slopes`), the method that asks (`integrate::rosenbrock`).
//! In: J at a state, a shift s, right sides. Out: solutions of (s − J) x = r in place.
//!
//! Rates of coordinates depend on coordinates of the same joint and its velocities only, and nothing depends on audit integrals w. With the inner entries
//! y = (v, z), which alone need a factored matrix,
//!
//!     q = E (r_q + N v)        [s − J_yy − J_yq E N] y = r_y + J_yq E r_q        w = (r_w + J_wq q + J_wy y)/s        (1)
//!
//! E = 1/s for angles and displacements. A quaternion has ṗ = ½ p ⊗ ω = Q p with Q² = −¼|ω|², so that E = (s + Q)/(s² + ¼|ω|²). A model of n degrees
//! of freedom factors a matrix of size n instead of one of 2n and more. Of the work lost in pairs of surfaces only the rows of pairs that act are
//! looked at, by the few degrees of freedom that each of them sees (`LostSlopes`).
//!
//! Source: elementary block elimination. Tests: `the_elimination_solves_what_a_full_matrix_solves`.

use super::slopes::{Target, fill_tangent};
use super::{AUDITED, Layout};
use crate::formulation::articulated::LostSlopes;
use crate::integrate::{Lu, Trouble, finite};
use crate::system::{Motion, Skeleton};
use std::ops::Range;

/// J and its factors.
#[derive(Default)]
pub(super) struct Elimination {
    /// Rows of all entries but work lost in pairs, columns of all but audit integrals.
    jac: Vec<f64>,
    /// Coordinates there.
    q: Vec<f64>,
    shift: f64,
    /// E N, coordinates × velocities of the same joint: one number for an angle, twelve for a quaternion, in the order of motions.
    links: Vec<f64>,
    lu: Lu,
    /// E r_q, and the inner part of a right side.
    coords: Vec<f64>,
    inner: Vec<f64>,
    /// The part of a solution that are coordinates, along their tangent.
    tangent: Vec<f64>,
}

/// Entries of the state that have no row, work lost in pairs, where it is carried.
fn left_out(layout: &Layout, pairs: usize) -> Range<usize> {
    let first = layout.work_range().start + AUDITED;
    if layout.work > 0 { first..first + pairs } else { first..first }
}

/// Entries of q and v that belong together.
#[derive(Clone, Copy)]
enum Link {
    /// A coordinate whose rate is a velocity.
    Plain { coord: usize, dof: usize },
    /// A quaternion and its angular velocity.
    Ball { coord: usize, dof: usize },
}

fn links(skeleton: &Skeleton) -> impl Iterator<Item = Link> + '_ {
    skeleton.motions.iter().filter_map(|motion| match *motion {
        Motion::Turn { coord, dof, .. } | Motion::Slide { coord, dof, .. } | Motion::Function { coord, dof, .. } => {
            Some(Link::Plain { coord: coord as usize, dof: dof as usize })
        }
        Motion::Ball { coord, dof } => Some(Link::Ball { coord: coord as usize, dof: dof as usize }),
        Motion::Fixed { .. } => None,
    })
}

impl Elimination {
    /// Memory of J at a state, to be filled.
    pub(super) fn target(&mut self, layout: &Layout, pairs: usize, y: &[f64]) -> Target<'_> {
        let (width, left_out) = (layout.work_range().start, left_out(layout, pairs));
        let size = width * (layout.dim() - left_out.len());
        if self.jac.len() != size || self.q.len() != layout.coords {
            let inner = width - layout.coords;
            *self = Elimination {
                jac: vec![0.0; size],
                q: vec![0.0; layout.coords],
                tangent: vec![0.0; layout.dofs],
                shift: 0.0,
                links: vec![0.0; 3 * layout.coords],
                lu: Lu::new(inner),
                coords: vec![0.0; layout.coords],
                inner: vec![0.0; inner],
            };
        }
        self.q.copy_from_slice(layout.q(y));
        Target { jac: &mut self.jac, width, left_out }
    }

    /// Whether all of J is finite; else the first row that is not.
    pub(super) fn check(&self, layout: &Layout, pairs: usize, lost: Option<&LostSlopes>) -> Result<(), Trouble> {
        let left_out = left_out(layout, pairs);
        for (row, slopes) in self.jac.chunks_exact(layout.work_range().start.max(1)).enumerate() {
            let entry = if row < left_out.start { row } else { row + left_out.len() };
            finite(slopes).map_err(|_| Trouble::NotFinite { entry })?;
        }
        if !left_out.is_empty() {
            for (pair, _, slopes) in lost.into_iter().flat_map(LostSlopes::rows) {
                finite(slopes.as_flattened()).map_err(|_| Trouble::NotFinite { entry: left_out.start + pair })?;
            }
        }
        Ok(())
    }

    /// Factors the matrix in (1).
    pub(super) fn factor(&mut self, skeleton: &Skeleton, layout: &Layout, shift: f64) -> Result<(), Trouble> {
        let (dim, c, size) = (layout.work_range().start, layout.coords, self.inner.len());
        self.shift = shift;
        let Elimination { jac, links: table, lu, .. } = self;
        let matrix = lu.matrix();
        for (i, row) in matrix.chunks_exact_mut(size.max(1)).enumerate() {
            row.iter_mut().zip(&jac[(c + i) * dim + c..][..size]).for_each(|(out, slope)| *out = -slope);
            row[i] += shift;
        }
        for link in links(skeleton) {
            match link {
                Link::Plain { coord, dof } => {
                    table[3 * coord] = 1.0 / shift;
                    for i in 0..size {
                        matrix[i * size + dof] -= jac[(c + i) * dim + coord] * table[3 * coord];
                    }
                }
                Link::Ball { coord, dof } => {
                    let E = ball(jac, dim, coord, shift);
                    for a in 0..4 {
                        for k in 0..3 {
                            table[3 * (coord + a) + k] = (0..4).map(|b| E[a][b] * jac[(coord + b) * dim + c + dof + k]).sum();
                        }
                    }
                    for i in 0..size {
                        let slopes = &jac[(c + i) * dim + coord..][..4];
                        for k in 0..3 {
                            matrix[i * size + dof + k] -= (0..4).map(|a| slopes[a] * table[3 * (coord + a) + k]).sum::<f64>();
                        }
                    }
                }
            }
        }
        lu.decompose().map_err(|trouble| match trouble {
            Trouble::Singular { entry } => Trouble::Singular { entry: c + entry },
            other => other,
        })
    }

    /// Solves in place.
    pub(super) fn solve(&mut self, skeleton: &Skeleton, layout: &Layout, pairs: usize, lost: Option<&LostSlopes>, x: &mut [f64]) {
        let (dim, c, size, shift) = (layout.work_range().start, layout.coords, self.inner.len(), self.shift);
        let Elimination { jac, links: table, lu, coords, inner, tangent, q, .. } = self;
        let reciprocal = 1.0 / shift;
        for link in links(skeleton) {
            match link {
                Link::Plain { coord, .. } => coords[coord] = x[coord] * reciprocal,
                Link::Ball { coord, .. } => {
                    let E = ball(jac, dim, coord, shift);
                    (0..4).for_each(|a| coords[coord + a] = (0..4).map(|b| E[a][b] * x[coord + b]).sum());
                }
            }
        }
        for (i, out) in inner.iter_mut().enumerate() {
            let slopes = &jac[(c + i) * dim..][..c];
            *out = x[c + i] + slopes.iter().zip(&*coords).map(|(slope, q)| slope * q).sum::<f64>();
        }
        lu.solve(inner);
        x[c..c + size].copy_from_slice(inner);
        for link in links(skeleton) {
            match link {
                Link::Plain { coord, dof } => x[coord] = coords[coord] + table[3 * coord] * inner[dof],
                Link::Ball { coord, dof } => {
                    for a in coord..coord + 4 {
                        x[a] = coords[a] + (0..3).map(|k| table[3 * a + k] * inner[dof + k]).sum::<f64>();
                    }
                }
            }
        }
        let (found, work) = x.split_at_mut(dim);
        let left_out = left_out(layout, pairs);
        for (row, slopes) in jac.chunks_exact(dim.max(1)).enumerate().skip(dim) {
            let entry = if row < left_out.start { row } else { row + left_out.len() };
            work[entry - dim] += slopes.iter().zip(&*found).map(|(slope, x)| slope * x).sum::<f64>();
        }
        if !left_out.is_empty() {
            fill_tangent(skeleton, q, &found[..c], tangent);
            for (pair, dofs, slopes) in lost.into_iter().flat_map(LostSlopes::rows) {
                let change = |(dof, slope): (&usize, &[f64; 2])| slope[0] * tangent[*dof] + slope[1] * found[layout.v_range().start + dof];
                work[left_out.start - dim + pair] += dofs.iter().zip(slopes).map(change).sum::<f64>();
            }
        }
        work.iter_mut().for_each(|own| *own *= reciprocal);
    }
}

/// E of a quaternion.
fn ball(jac: &[f64], dim: usize, coord: usize, shift: f64) -> [[f64; 4]; 4] {
    let Q = |a: usize, b: usize| jac[(coord + a) * dim + coord + b];
    // −Q² is a quarter of the square of the angular velocity, on the whole diagonal.
    let square: f64 = (0..4).map(|b| -Q(0, b) * Q(b, 0)).sum();
    let scale = 1.0 / (shift * shift + square);
    std::array::from_fn(|a| std::array::from_fn(|b| scale * (Q(a, b) + if a == b { shift } else { 0.0 })))
}
