//! Soft parts of a model: the recipe, with a parameter slot for every number, from which a `Definition` for the crate of soft bodies is made.
//! Not here: meshes, materials, elements, solving (`borelli-soft`); which formulation carries them along.
//! In: sections `material`, `soft`, `tie`, `support`, `traction` and `soft_contact`. Out: `Soft`; from it and values of parameters a `Definition`.
//!
//! A carrier is a rigid body, and its frame is the *user's* body frame: its pose in the world follows from that of the kernel frame K by
//! p_WB = p_WK + R_WK p_KB and R_WB = R_WK R_KB (`Constants::p_KB`, `Constants::R_KB`). Carrier 0 is the world.

mod attach;
mod check;
mod define;
mod fault;
mod kinds;
mod read;
mod survey;

#[cfg(test)]
mod tests;

pub use define::SoftModel;
pub use fault::SoftFault;
pub use survey::{Survey, SurveyedBody, survey};

pub(crate) use define::misfit;
pub(crate) use kinds::{MATERIALS, SHAPES, SOFT, SOFT_CONTACT, SUPPORT, TIE, TRACTION};
pub(crate) use read::read;

use crate::parts::{Named, PlacePart, Slot};
use borelli_soft::definition::{BoundaryIndex, Method, Partner};
use borelli_soft::element;
use borelli_soft::material::{self, Plane};
use borelli_soft::mesh::{Mesh, Part, Shape};
use std::sync::Arc;

/// All soft parts of a model.
#[derive(Clone, Debug, Default)]
pub struct Soft {
    /// Materials.
    pub materials: Vec<Named<MaterialPart>>,
    /// Soft bodies.
    pub bodies: Vec<Named<SoftBodyPart>>,
    /// Ties.
    pub ties: Vec<Named<TiePart>>,
    /// Supports.
    pub supports: Vec<Named<SupportPart>>,
    /// Loads on boundaries.
    pub loads: Vec<Named<LoadPart>>,
    /// Contacts with rigid targets.
    pub contacts: Vec<Named<ContactPart>>,
    /// Paths over nodes.
    pub lines: Vec<Named<LinePart>>,
    /// Rigid body of each carrier, by index into the tree, and its name; the world first.
    pub carriers: Vec<Named<u32>>,
}

impl Soft {
    /// True where a model has no soft parts.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }
}

/// A material: a law and its numbers, in the order of the law.
#[derive(Clone, Debug)]
pub struct MaterialPart {
    /// The law.
    pub law: &'static material::Kind,
    /// Its numbers.
    pub numbers: Vec<Slot>,
}

/// A soft body.
#[derive(Clone, Debug)]
pub struct SoftBodyPart {
    /// Outline and divisions, or the mesh of a file.
    pub outline: Outline,
    /// Shape of the cells; that of a file is its own.
    pub cells: Shape,
    /// Carrier with which it starts.
    pub carrier: usize,
    /// Axes of the mesh in the frame of the carrier.
    pub place: PlacePart<Slot>,
    /// Material of each region of the mesh.
    pub materials: Vec<u32>,
    /// Depth, m.
    pub depth: Slot,
    /// Plane strain or plane stress.
    pub plane: Plane,
    /// Kind of element.
    pub element: element::Kind,
}

/// Where a mesh comes from. Divisions are no parameters: other divisions are another system of equations.
#[derive(Clone, Debug)]
pub enum Outline {
    /// A sector of an annulus.
    Annulus {
        /// Inner radius, m.
        inner: Slot,
        /// Outer radius, m.
        outer: Slot,
        /// Direction of the middle, rad.
        direction: Slot,
        /// Angle between both ends, rad.
        span: Slot,
        /// Ratio of the outermost to the innermost edge.
        grading: Slot,
        /// Cells around and through the wall.
        divisions: [usize; 2],
    },
    /// A rectangle along the axes.
    Rectangle {
        /// Lower left corner, m.
        corner: [Slot; 2],
        /// Width and height, m.
        size: [Slot; 2],
        /// Ratio of the last to the first edge, along both directions.
        grading: [Slot; 2],
        /// Cells along both directions.
        divisions: [usize; 2],
    },
    /// Four straight sides.
    Corners {
        /// Counter-clockwise, m.
        corners: [[Slot; 2]; 4],
        /// Ratio of the last to the first edge, along both directions.
        grading: [Slot; 2],
        /// Cells along both directions.
        divisions: [usize; 2],
    },
    /// Half or a quarter of a disc below its flat face.
    Disc {
        /// Radius, m.
        radius: Slot,
        /// How much of it.
        part: Part,
        /// Ratio of the last to the first edge along the flat face.
        grading: Slot,
        /// Cells along the flat face from the centre, and how many of those belong to the core.
        divisions: [usize; 2],
    },
    /// A mesh file.
    File {
        /// The mesh in units of the file.
        mesh: Arc<Mesh>,
        /// Length of one unit of the file, m.
        unit: Slot,
    },
}

/// A path over nodes.
#[derive(Clone, Debug)]
pub struct LinePart {
    /// Among all paths of the model.
    pub path: u32,
    /// Its points.
    pub points: Vec<LinePointPart>,
    /// Whether an element along it answers to the rate of its length.
    pub damped: bool,
}

/// A point of a path over nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinePointPart {
    /// A node, by body and number in its mesh.
    Node {
        /// Body.
        body: usize,
        /// Node.
        node: u32,
    },
    /// A place of the model, on a carrier.
    Place {
        /// Among all places.
        place: u32,
        /// Carrier.
        carrier: usize,
    },
}

/// A boundary held to something.
#[derive(Clone, Copy, Debug)]
pub struct TiePart {
    /// The boundary.
    pub of: BoundaryIndex,
    /// What it is held to.
    pub to: Partner,
    /// How.
    pub method: Method,
    /// r, N/m per node; zero for plain multipliers.
    pub stiffness: Slot,
}

/// A boundary whose displacement is given.
#[derive(Clone, Copy, Debug)]
pub struct SupportPart {
    /// The boundary.
    pub of: BoundaryIndex,
    /// Which directions are held.
    pub held: [bool; 2],
    /// Functions of time for the displacement along x and y, m, by index; nothing: none.
    pub displacement: [Option<u32>; 2],
}

/// A load on a boundary.
#[derive(Clone, Copy, Debug)]
pub struct LoadPart {
    /// The boundary.
    pub of: BoundaryIndex,
    /// What sort, with functions of time by index.
    pub kind: LoadFunctions,
}

/// Functions of time of a load, Pa.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadFunctions {
    /// Force per area of the start along x and y.
    Traction([u32; 2]),
    /// Pressure, positive when it pushes.
    Pressure(u32),
}

/// A boundary that may touch a rigid target.
#[derive(Clone, Debug)]
pub struct ContactPart {
    /// The boundary.
    pub of: BoundaryIndex,
    /// Carrier of the target.
    pub carrier: usize,
    /// The target.
    pub target: TargetPart,
    /// True where the body lies around a closed target, as a socket does.
    pub cavity: bool,
    /// How.
    pub method: Method,
    /// r, N/m per node.
    pub stiffness: Slot,
}

/// A rigid target.
#[derive(Clone, Debug)]
pub enum TargetPart {
    /// A surface of the model, by index.
    Surface(u32),
    /// A smooth curve through points.
    Curve {
        /// Axes in which the points are given.
        place: PlacePart<Slot>,
        /// The points, m.
        points: Arc<[[f64; 2]]>,
        /// True for a closed curve.
        closed: bool,
        /// Shape factor of the curve.
        alpha: Slot,
    },
}
