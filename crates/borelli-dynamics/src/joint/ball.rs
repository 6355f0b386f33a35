//! Ball: any rotation, by quaternion.

use super::{JointKind, Shape};
use crate::parts::MotionPart;
use crate::system::Measure;
use borelli_model::Kind;

/// Names of a quaternion's parts.
pub(super) const QUATERNION: [(&str, Measure); 4] =
    [("_qw", Measure::Quaternion), ("_qx", Measure::Quaternion), ("_qy", Measure::Quaternion), ("_qz", Measure::Quaternion)];
/// Names of an angular velocity's parts.
pub(super) const TURNING: [(&str, Measure); 3] = [("_wx", Measure::Angle), ("_wy", Measure::Angle), ("_wz", Measure::Angle)];

/// Quaternion w x y z from child to parent frame; speeds: relative angular velocity in child axes. Source: elementary.
pub static BALL: JointKind = JointKind {
    kind: Kind { name: "ball", doc: "Any rotation about a point, by quaternion", fields: &[], planar: false, spatial: true },
    build: |_, _| Some(Shape { motions: vec![MotionPart::Ball], coordinates: QUATERNION.to_vec(), speeds: Some(TURNING.to_vec()) }),
};
