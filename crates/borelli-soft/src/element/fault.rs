//! What is wrong with a cell, before or during a run.

use crate::shape::Shape;
use std::fmt;

/// A cell that cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct BadCell {
    /// The cell, by index.
    pub cell: usize,
    /// What is wrong.
    pub why: Why,
}

/// Why a cell cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// It has no area, or its nodes run clockwise, at a point of integration of its reference placement.
    NoArea {
        /// Point of integration.
        point: usize,
        /// Area ratio there, m².
        jacobian: f64,
    },
    /// A node that the mesh does not have.
    NoNode {
        /// The node.
        node: u32,
        /// How many there are.
        nodes: usize,
    },
    /// A region without material or density.
    NoRegion {
        /// The region.
        region: u32,
        /// How many have a material.
        materials: usize,
        /// How many have a density.
        densities: usize,
    },
    /// A density below zero or not finite.
    Density {
        /// As given, kg/m³.
        density: f64,
    },
    /// A depth not above zero or not finite.
    Depth {
        /// As given, m.
        depth: f64,
    },
    /// Plane stress with a material that does not offer it.
    PlaneStress {
        /// Name of the material.
        material: &'static str,
    },
    /// A kind of element that is not made for the shape.
    Remedy {
        /// Shape of the cell.
        shape: Shape,
        /// Name of the kind of element.
        kind: &'static str,
        /// Why not.
        reason: &'static str,
    },
}

impl fmt::Display for BadCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cell {}: ", self.cell)?;
        match self.why {
            Why::NoArea { point, jacobian } => {
                write!(
                    f,
                    "area ratio {jacobian} m^2 at integration point {point}; hint: nodes must run counter-clockwise around a convex cell"
                )
            }
            Why::NoNode { node, nodes } => write!(f, "node {node} of a mesh with {nodes} nodes"),
            Why::NoRegion { region, materials, densities } => {
                write!(
                    f,
                    "region {region}, but there are {materials} materials and {densities} densities; hint: give one of each per region"
                )
            }
            Why::Density { density } => write!(f, "density {density} kg/m^3; hint: it must be zero or above"),
            Why::Depth { depth } => write!(f, "depth {depth} m; hint: it must be above zero"),
            Why::PlaneStress { material } => {
                write!(
                    f,
                    "material `{material}` in plane stress; hint: only `linear` without viscosity offers it, others take plane strain"
                )
            }
            Why::Remedy { shape, kind, reason } => {
                write!(f, "element `{kind}` on shape {shape:?}: {reason}; hint: use `plain`, or quadrilaterals with four nodes")
            }
        }
    }
}

impl std::error::Error for BadCell {}

/// A cell turned inside out at a point of integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inverted {
    /// The cell.
    pub cell: usize,
    /// Point of integration.
    pub point: usize,
    /// det F there, zero or below, or not a number.
    pub jacobian: f64,
}

impl fmt::Display for Inverted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inverted { cell, point, jacobian } = self;
        write!(f, "cell {cell} is inside out: det F = {jacobian} at integration point {point}; hint: take a smaller step")
    }
}

impl std::error::Error for Inverted {}
