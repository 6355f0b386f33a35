//! Stresses of a whole body, at points of integration and at nodes.
//!
//! Strains at nodes are those of the deformation gradient F there, E = ½(FᵀF − 1): whatever F a fit through cells gives, no principal value of E
//! lies below −½, which is a length of nothing. A fit through values of E would fall below that where cells are crushed.

use super::view::{View, sized, slope};
use super::{Inverted, Solid, Strain, Stress};
use crate::material::det;
use crate::shape::Shape;

/// Stress at a point of integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointStress {
    /// Cell.
    pub cell: u32,
    /// Region of the cell.
    pub region: u32,
    /// Current position in world axes, m.
    pub position: [f64; 2],
    /// Reference volume that belongs to the point, m³.
    pub weight: f64,
    /// Cauchy stress with its viscous part.
    pub stress: Stress,
    /// Green strain of F as the nodes have it.
    pub strain: Strain,
    /// F itself, row by row.
    pub gradient: [f64; 4],
}

/// Stress at a node, as part of one region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeStress {
    /// Node.
    pub node: u32,
    /// Region; a node on the border of regions comes once for each.
    pub region: u32,
    /// Cauchy stress with its viscous part, mean over the cells of the region at the node.
    pub stress: Stress,
    /// Green strain of the mean of F.
    pub strain: Strain,
}

impl Solid {
    /// Stresses at all points of integration, cell by cell; `out` is written anew.
    pub fn stress_at_points(&self, x: &[f64], v: Option<&[f64]>, out: &mut Vec<PointStress>) -> Result<(), Inverted> {
        out.clear();
        for cell in 0..self.cells.len() {
            sized!(self.cells[cell].shape, self.points_of_cell(cell, x, v, out))?;
        }
        Ok(())
    }

    /// Stresses at all nodes of cells; `out` is written anew.
    ///
    /// Each cell carries the stresses of its points to its nodes by the polynomial its shape can be trusted for; cells of one region that share
    /// a node count alike. Bodies whose cells all have straight sides do better by `recover`.
    pub fn stress_at_nodes(&self, x: &[f64], v: Option<&[f64]>, out: &mut Vec<NodeStress>) -> Result<(), Inverted> {
        out.clear();
        let empty = |node, region| NodeStress { node, region, stress: Stress::default(), strain: Strain::default() };
        out.extend(self.places.iter().map(|place| empty(place.node, place.region)));
        let mut gradients = vec![[0.0; 4]; out.len()];
        for cell in 0..self.cells.len() {
            sized!(self.cells[cell].shape, self.nodes_of_cell(cell, x, v, out, &mut gradients))?;
        }
        if self.cells.iter().all(|cell| matches!(cell.shape, Shape::T3 | Shape::Q4)) {
            let mut points = Vec::with_capacity(4 * self.cells.len());
            self.stress_at_points(x, v, &mut points)?;
            self.recover(x, &points, out, &mut gradients);
        }
        for (node, F) in out.iter_mut().zip(gradients) {
            node.strain = Strain::of(F, self.materials[node.region as usize].is_small_strain());
        }
        Ok(())
    }

    fn points_of_cell<const N: usize, const P: usize>(
        &self,
        cell: usize,
        x: &[f64],
        v: Option<&[f64]>,
        out: &mut Vec<PointStress>,
    ) -> Result<(), Inverted> {
        let (view, at) = (self.view::<N, P>(cell), &self.cells[cell]);
        let nodes = view.gather(x);
        let small = view.material.is_small_strain();
        for (point, (stress, gradient)) in self.measure(&view, x, v)?.into_iter().enumerate() {
            let mut position = [0.0; 2];
            for (x, value) in nodes.iter().zip(at.shape.values(at.shape.points()[point].at)) {
                position = [position[0] + value * x[0], position[1] + value * x[1]];
            }
            let (cell, weight, strain) = (cell as u32, view.weights[point], Strain::of(gradient, small));
            out.push(PointStress { cell, region: at.region, position, weight, stress, strain, gradient });
        }
        Ok(())
    }

    fn nodes_of_cell<const N: usize, const P: usize>(
        &self,
        cell: usize,
        x: &[f64],
        v: Option<&[f64]>,
        out: &mut [NodeStress],
        gradients: &mut [[f64; 4]],
    ) -> Result<(), Inverted> {
        let (view, at) = (self.view::<N, P>(cell), &self.cells[cell]);
        let points = self.measure(&view, x, v)?;
        for (a, &place) in at.shape.places().iter().enumerate() {
            let slot = self.slots[at.node + a] as usize;
            for (point, (stress, F)) in points.iter().enumerate() {
                let share = at.shape.extrapolation(point, place) / f64::from(self.places[slot].cells);
                out[slot].stress.add(share, stress);
                gradients[slot].iter_mut().zip(F).for_each(|(sum, F)| *sum += share * F);
            }
        }
        Ok(())
    }

    /// Stress and F at the points of a cell.
    fn measure<const N: usize, const P: usize>(
        &self,
        view: &View<N, P>,
        x: &[f64],
        v: Option<&[f64]>,
    ) -> Result<[(Stress, [f64; 4]); P], Inverted> {
        let x = view.gather(x);
        let (F, felt) = (view.deformed(&x)?, view.felt(self.kind, &x)?);
        let v = v.map(|v| view.gather(v));
        let small = view.material.is_small_strain();
        Ok(std::array::from_fn(|p| {
            let mut stress = cauchy(view.material.stress(felt[p], self.plane), felt[p], small);
            stress.zz = view.material.s33(felt[p], self.plane);
            if let Some(viscous) = v.and_then(|v| view.material.viscous(F[p], slope(&v, &view.gradients[p]))) {
                stress.add(1.0, &cauchy(viscous.P, F[p], small));
            }
            (stress, F[p])
        }))
    }
}

/// σ = P Fᵀ/J in the plane; in small strain σ = P.
fn cauchy(P: [f64; 4], F: [f64; 4], small: bool) -> Stress {
    if small {
        return Stress { xx: P[0], yy: P[3], xy: P[1], zz: 0.0 };
    }
    let J = det(F);
    Stress { xx: (P[0] * F[0] + P[1] * F[1]) / J, yy: (P[2] * F[2] + P[3] * F[3]) / J, xy: (P[0] * F[2] + P[1] * F[3]) / J, zz: 0.0 }
}
