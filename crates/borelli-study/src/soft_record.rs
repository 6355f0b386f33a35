//! What soft parts looked like along a run: meshes once, positions, stresses and pressures at some instants.
//! Not here: columns over time (`soft_columns`), files, pictures.
//! In: a system's soft parts and looks at them. Out: plain data for files and pages.

use borelli_dynamics::coupled::Converged;

/// Soft parts of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoftRecord {
    /// Soft bodies, in the order of the model.
    pub bodies: Vec<SoftBody>,
    /// Boundaries that may touch a rigid target, and tied ones.
    pub arcs: Vec<SoftArc>,
    /// Instants, in order of time.
    pub frames: Vec<SoftFrame>,
    /// How each step was found, in order.
    pub steps: Vec<Converged>,
}

/// The mesh of a soft body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoftBody {
    /// Its name.
    pub name: String,
    /// Positions of its nodes at the start where nothing is strained, m.
    pub points: Vec<[f64; 2]>,
    /// Cells: corners counter-clockwise, then nodes on the sides of quadratic cells.
    pub cells: Vec<Vec<u32>>,
    /// Region of each cell, by name.
    pub regions: Vec<String>,
    /// Depth, m.
    pub depth: f64,
}

/// A boundary of a soft body along which something is transmitted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoftArc {
    /// Name of the contact or tie.
    pub name: String,
    /// True for a contact, false for a tie.
    pub contact: bool,
    /// Body, by index.
    pub body: usize,
    /// Nodes in order, by index in the body.
    pub nodes: Vec<u32>,
    /// Arc length at the start of each node, m.
    pub arc: Vec<f64>,
}

/// Soft parts at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoftFrame {
    /// Time, s; of statics the part of the loads that acts.
    pub t: f64,
    /// Bodies, in the order of the record.
    pub bodies: Vec<SoftBodyFrame>,
    /// Boundaries, in the order of the record.
    pub arcs: Vec<SoftArcFrame>,
}

/// A soft body at one instant; everything by node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoftBodyFrame {
    /// Positions, m.
    pub points: Vec<[f64; 2]>,
    /// Cauchy stress xx, yy, xy, zz, Pa; averaged over the cells around a node.
    pub stress: Vec<[f64; 4]>,
    /// Green strain xx, yy, xy.
    pub strain: Vec<[f64; 3]>,
    /// Points of integration, cell by cell; none where a run has too many of them to be kept.
    pub gauss: Vec<GaussPoint>,
}

/// A point of integration at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GaussPoint {
    /// Cell, by number from 0.
    pub cell: u32,
    /// Position, m.
    pub at: [f64; 2],
    /// Volume at the start that it stands for, m³.
    pub volume: f64,
    /// Cauchy stress xx, yy, xy, zz, Pa.
    pub stress: [f64; 4],
    /// Green strain xx, yy, xy.
    pub strain: [f64; 3],
}

/// A boundary at one instant; everything by node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoftArcFrame {
    /// Pressure on the boundary, Pa; of a tie the normal traction, positive where it is pressed.
    pub pressure: Vec<f64>,
    /// Shear traction along the boundary, Pa; zero for contacts, which are without friction.
    pub shear: Vec<f64>,
    /// Gap to the target, m; zero for ties.
    pub gap: Vec<f64>,
}

/// Von Mises stress of Cauchy stresses xx, yy, xy, zz.
pub fn von_mises([xx, yy, xy, zz]: [f64; 4]) -> f64 {
    (0.5 * ((xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2)) + 3.0 * xy * xy).sqrt()
}

/// Hydrostatic pressure, positive in compression.
pub fn hydrostatic([xx, yy, _, zz]: [f64; 4]) -> f64 {
    -(xx + yy + zz) / 3.0
}
