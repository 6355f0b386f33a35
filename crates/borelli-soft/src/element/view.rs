//! One cell of known size: its arrays, and the deformation gradients at its points.

use super::{Inverted, Kind, Solid, f_bar};
use crate::material::{Material, Plane, det};

/// Calls a method with the numbers of nodes and points of a shape as constants, so that its loops unroll.
macro_rules! sized {
    ($shape:expr, $self:ident.$method:ident($($argument:expr),*)) => {
        match $shape {
            Shape::T3 => $self.$method::<{ Shape::T3.nodes() }, { Shape::T3.points().len() }>($($argument),*),
            Shape::Q4 => $self.$method::<{ Shape::Q4.nodes() }, { Shape::Q4.points().len() }>($($argument),*),
            Shape::T6 => $self.$method::<{ Shape::T6.nodes() }, { Shape::T6.points().len() }>($($argument),*),
            Shape::Q8 => $self.$method::<{ Shape::Q8.nodes() }, { Shape::Q8.points().len() }>($($argument),*),
        }
    };
}
pub(super) use sized;

/// A cell with `N` nodes and `P` points of integration.
pub(super) struct View<'a, const N: usize, const P: usize> {
    pub cell: usize,
    pub nodes: &'a [u32; N],
    pub gradients: &'a [[[f64; 2]; N]; P],
    pub weights: &'a [f64; P],
    pub material: &'a Material,
    pub plane: Plane,
}

impl Solid {
    #[inline]
    pub(super) fn view<const N: usize, const P: usize>(&self, cell: usize) -> View<'_, N, P> {
        let at = &self.cells[cell];
        let (gradients, _) = self.gradients[at.gradient..].as_chunks::<N>();
        let whole = "arrays are as long as the shapes of the cells say";
        View {
            cell,
            nodes: self.nodes[at.node..].first_chunk().expect(whole),
            gradients: gradients.first_chunk().expect(whole),
            weights: self.weights[at.point..].first_chunk().expect(whole),
            material: &self.materials[at.region as usize],
            plane: self.plane,
        }
    }
}

impl<const N: usize, const P: usize> View<'_, N, P> {
    /// The two numbers of each node of the cell.
    #[inline]
    pub fn gather(&self, all: &[f64]) -> [[f64; 2]; N] {
        self.nodes.map(|node| [all[2 * node as usize], all[2 * node as usize + 1]])
    }

    /// det F at a point, if the material can take it. The small-strain law takes any F and does not ask.
    #[inline]
    pub fn jacobian(&self, point: usize, F: [f64; 4]) -> Result<f64, Inverted> {
        let jacobian = det(F);
        if self.material.is_small_strain() || jacobian > 0.0 { Ok(jacobian) } else { Err(Inverted { cell: self.cell, point, jacobian }) }
    }

    /// F at all points, as the nodes have it.
    #[inline]
    pub fn deformed(&self, x: &[[f64; 2]; N]) -> Result<[[f64; 4]; P], Inverted> {
        let F = self.gradients.each_ref().map(|gradients| slope(x, gradients));
        for (point, F) in F.iter().enumerate() {
            self.jacobian(point, *F)?;
        }
        Ok(F)
    }

    /// F at all points, as the material feels it.
    pub fn felt(&self, kind: Kind, x: &[[f64; 2]; N]) -> Result<[[f64; 4]; P], Inverted> {
        match kind {
            Kind::Plain => self.deformed(x),
            Kind::FBar => Ok(f_bar::Averaged::new(self, x)?.felt),
        }
    }
}

/// Σ xₐ ⊗ ∇Nₐ: F from positions, its rate from velocities.
#[inline]
pub(super) fn slope<const N: usize>(x: &[[f64; 2]; N], gradients: &[[f64; 2]; N]) -> [f64; 4] {
    let mut F = [0.0; 4];
    for (x, g) in x.iter().zip(gradients) {
        F = [F[0] + x[0] * g[0], F[1] + x[0] * g[1], F[2] + x[1] * g[0], F[3] + x[1] * g[1]];
    }
    F
}
