//! Why a problem with soft bodies cannot be set up, looked at or solved.
//! Not here: faults of meshes and files.
//! In: facts. Out: text with a hint, and the element of the model that is to blame.

use crate::sparse;
use std::fmt;

/// Why a problem cannot be set up.
#[derive(Clone, Debug, PartialEq)]
pub enum SetupFault {
    /// A cell of the mesh has no positive area.
    BadCell {
        /// Body.
        body: String,
        /// Why.
        reason: String,
    },
    /// A node of a boundary is held twice in one direction.
    HeldTwice {
        /// The node, m.
        at: [f64; 2],
        /// What holds it.
        by: [String; 2],
    },
    /// A node lies too far from the boundary it is tied to.
    FarFromPartner {
        /// The tie.
        tie: String,
        /// The node, m.
        at: [f64; 2],
        /// Distance, m.
        distance: f64,
    },
    /// A part of the mesh is held by nothing.
    Loose {
        /// Body.
        body: String,
        /// A node of the part, m.
        at: [f64; 2],
    },
    /// A boundary with nodes on the sides of cells cannot take part in this.
    Quadratic {
        /// The contact or tie.
        element: String,
    },
    /// The matrix cannot be set up.
    Matrix(sparse::Fault),
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupFault::BadCell { body, reason } => write!(f, "soft part `{body}`: {reason}"),
            SetupFault::HeldTwice { at: [x, y], by: [one, other] } => write!(
                f,
                "the node at ({x}, {y}) m is held by `{one}` and by `{other}`\n  hint: end one of the boundaries before it, or leave one of the two out"
            ),
            SetupFault::FarFromPartner { tie, at: [x, y], distance } => write!(
                f,
                "`{tie}`: the node at ({x}, {y}) m is {distance:.3e} m away from the boundary it is tied to\n  hint: place both so that they meet at the start"
            ),
            SetupFault::Loose { body, at: [x, y] } => {
                write!(f, "soft part `{body}`: nothing holds the piece around ({x}, {y}) m\n  hint: give it a tie, a support or a contact")
            }
            SetupFault::Quadratic { element } => {
                write!(f, "`{element}`: cells t6 and q8 cannot take part in contact\n  hint: use q4 or t3 there")
            }
            SetupFault::Matrix(fault) => write!(f, "the matrix of the soft parts cannot be set up: {fault}"),
        }
    }
}

impl std::error::Error for SetupFault {}

/// Why a problem cannot be looked at or solved.
#[derive(Clone, Debug, PartialEq)]
pub enum SoftFault {
    /// A cell is turned inside out.
    Inverted {
        /// Body.
        body: String,
        /// Cell, by number from 0.
        cell: usize,
        /// Its nodes, in the numbering of the body.
        nodes: Vec<u32>,
        /// Middle of the cell as it is now, m.
        at: [f64; 2],
        /// Ratio of its area now and at the start, at the worst point.
        jacobian: f64,
    },
    /// A node has left the target that it may touch.
    NotCovered {
        /// Contact.
        contact: String,
        /// Node, by number from 0.
        node: usize,
        /// Where it is, m.
        at: [f64; 2],
        /// What was found.
        why: String,
    },
    /// The matrix has no inverse: something moves without resistance.
    Free {
        /// Body.
        body: String,
        /// Node, by number from 0.
        node: usize,
        /// Where it is, m.
        at: [f64; 2],
    },
    /// A node is held and may touch a target, or two of them, against each other.
    HeldAndTouching {
        /// Body.
        body: String,
        /// Node, by number from 0.
        node: usize,
    },
    /// Two supports displace one node differently.
    SupportsDisagree {
        /// One.
        one: String,
        /// The other.
        other: String,
    },
    /// The linear equations could not be solved.
    Solve(sparse::Fault),
}

impl SoftFault {
    /// The element of the model that is to blame.
    pub fn element(&self) -> String {
        match self {
            SoftFault::Inverted { body, .. } | SoftFault::HeldAndTouching { body, .. } | SoftFault::Free { body, .. } => {
                format!("soft.{body}")
            }
            SoftFault::NotCovered { contact, .. } => format!("soft_contact.{contact}"),
            SoftFault::SupportsDisagree { one, .. } => format!("support.{one}"),
            SoftFault::Solve(_) => "soft".into(),
        }
    }
}

impl fmt::Display for SoftFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SoftFault::Inverted { body, cell, nodes, at: [x, y], jacobian } => write!(
                f,
                "cell {cell} of soft part `{body}` (nodes {}) at ({x:.6}, {y:.6}) m is turned inside out: {jacobian:.3e} of its area is left\n  hint: put the load on in smaller steps, or make the cells there larger or the material stiffer",
                listed(nodes)
            ),
            SoftFault::NotCovered { contact, node, at: [x, y], why } => write!(
                f,
                "contact `{contact}`: node {node} at ({x:.6}, {y:.6}) m has no place on the target: {why}\n  hint: lengthen the target so that it covers every node of the boundary"
            ),
            SoftFault::Free { body, node, at: [x, y] } => write!(
                f,
                "soft part `{body}` moves without resistance at node {node}, ({x:.6}, {y:.6}) m\n  hint: give it a support or a tie; contact alone does not hold it sideways"
            ),
            SoftFault::HeldAndTouching { body, node } => write!(
                f,
                "node {node} of soft part `{body}` is held by a support or tie, or by a second target, in the direction in which it touches\n  hint: let one of the boundaries end before this node"
            ),
            SoftFault::SupportsDisagree { one, other } => write!(
                f,
                "supports `{one}` and `{other}` share a node and displace it differently\n  hint: give both the same displacement, or let one boundary end before the other"
            ),
            SoftFault::Solve(fault) => write!(f, "the equations of the soft parts cannot be solved: {fault}"),
        }
    }
}

impl std::error::Error for SoftFault {}

/// Numbers in a row, for people.
fn listed(nodes: &[u32]) -> String {
    nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
