//! What a problem with soft bodies is made of, in plain data: bodies, ties, supports, loads, contacts with rigid targets.
//! Not here: how it is set up and solved (`problem`), where the numbers come from.
//! In: meshes, materials, targets. Out: a `Definition`.
//!
//! A *carrier* is something rigid, by index: 0 is the world, which never moves; the others have poses that the caller gives each time.
//! Values that change with time (displacements of supports, loads) are given by the caller too, in the order of this definition.

use crate::element;
use crate::material::{Material, Plane};
use crate::mesh::Mesh;
use crate::target::Target;

/// Everything.
#[derive(Clone, Debug, Default)]
pub struct Definition {
    /// Names of carriers, the world first.
    pub carriers: Vec<String>,
    /// Soft bodies.
    pub bodies: Vec<Body>,
    /// Ties of boundaries.
    pub ties: Vec<Tie>,
    /// Boundaries whose displacement is given.
    pub supports: Vec<Support>,
    /// Loads on boundaries.
    pub loads: Vec<Load>,
    /// Contacts of boundaries with rigid targets.
    pub contacts: Vec<Contact>,
    /// Paths over nodes, along which something pulls.
    pub lines: Vec<Line>,
}

/// A path of straight pieces from point to point; the caller gives the tension along it.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Points, from one end to the other.
    pub points: Vec<LinePoint>,
    /// Whether the tension depends on the rate of the length: then the equations are not symmetric.
    pub damped: bool,
}

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinePoint {
    /// A node of a soft body, in the numbering of its mesh.
    Node {
        /// Body.
        body: usize,
        /// Node.
        node: u32,
    },
    /// A point of a carrier, in its frame.
    Carrier {
        /// Carrier.
        carrier: usize,
        /// Where, m.
        point: [f64; 2],
    },
}

/// A soft body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// The mesh in its own axes.
    pub mesh: Mesh,
    /// Carrier with which it starts.
    pub carrier: usize,
    /// Origin and angle of the mesh's axes in the frame of the carrier, m and rad.
    pub placement: [f64; 3],
    /// Material of each region.
    pub materials: Vec<Material>,
    /// Density of each region, kg/m³; 0: without mass.
    pub density: Vec<f64>,
    /// Depth at right angles to the plane, m.
    pub depth: f64,
    /// Plane strain or plane stress.
    pub plane: Plane,
    /// How strains are taken in a cell.
    pub element: element::Kind,
}

/// A boundary, by index of its body and of the boundary in its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundaryIndex {
    /// Body.
    pub body: usize,
    /// Boundary.
    pub boundary: usize,
}

/// How a condition is enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Multipliers and a regularisation that does not change the result.
    #[default]
    Augmented,
    /// Multipliers alone.
    Lagrange,
    /// A stiffness alone: the condition is met in part.
    Penalty,
}

/// All nodes of a boundary held to something.
#[derive(Clone, Debug)]
pub struct Tie {
    /// Its name.
    pub name: String,
    /// The boundary.
    pub of: BoundaryIndex,
    /// What it is held to, where it lies at the start.
    pub to: Partner,
    /// How.
    pub method: Method,
    /// r, N/m per node.
    pub stiffness: f64,
}

/// What a boundary is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// A carrier.
    Carrier(usize),
    /// Another boundary: each node to the nearest point of its edges.
    Boundary(BoundaryIndex),
}

/// A boundary whose nodes are displaced as given from where they start, in world axes.
#[derive(Clone, Debug)]
pub struct Support {
    /// Its name.
    pub name: String,
    /// The boundary.
    pub of: BoundaryIndex,
    /// Whether the displacement along x and along y is given; a direction that is not slides freely.
    pub held: [bool; 2],
}

/// A load on a boundary.
#[derive(Clone, Debug)]
pub struct Load {
    /// Its name.
    pub name: String,
    /// The boundary.
    pub of: BoundaryIndex,
    /// What sort.
    pub kind: LoadKind,
}

/// Sorts of loads on boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    /// Force per area of the start, along directions that stay; two values given, Pa.
    Traction,
    /// Pressure at right angles to the boundary as it is now; one value given, Pa, positive when it pushes.
    Pressure,
}

/// Nodes of a boundary that may touch a rigid target.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Its name.
    pub name: String,
    /// The boundary.
    pub of: BoundaryIndex,
    /// Carrier of the target.
    pub carrier: usize,
    /// The target in the frame of its carrier.
    pub target: Target,
    /// How; without multipliers for `Penalty`.
    pub method: Method,
    /// r, N/m per node.
    pub stiffness: f64,
}
