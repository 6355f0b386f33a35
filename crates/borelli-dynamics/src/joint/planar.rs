//! Planar joint: two displacements and a turn in the X-Y plane of the parent frame.

use super::{JointKind, Shape, X, Y, Z};
use crate::parts::MotionPart;
use crate::system::Measure;
use borelli_model::Kind;

/// Names of the coordinates.
pub(super) const PLANE: [(&str, Measure); 3] = [("_x", Measure::Length), ("_y", Measure::Length), ("_angle", Measure::Angle)];

/// The motions, also those of a free joint in a planar model.
pub(super) fn motions() -> Vec<MotionPart> {
    vec![MotionPart::Slide(X), MotionPart::Slide(Y), MotionPart::Turn(Z)]
}

/// p_FM = (x, y, 0), R_FM = rotation by the angle about Z. Source: elementary.
pub static PLANAR: JointKind = JointKind {
    kind: Kind {
        name: "planar",
        doc: "Two displacements and an angle in the X-Y plane of the parent frame",
        fields: &[],
        planar: true,
        spatial: true,
    },
    build: |_, _| Shape::simple(motions(), PLANE.to_vec()),
};
