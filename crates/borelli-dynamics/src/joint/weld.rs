//! Weld: the child is fixed to the parent.

use super::{JointKind, Shape};
use borelli_model::Kind;

/// No motion. Source: elementary.
pub static WELD: JointKind = JointKind {
    kind: Kind { name: "weld", doc: "The child is fixed to the parent", fields: &[], planar: true, spatial: true },
    build: |_, _| Shape::simple(vec![], vec![]),
};
