//! Free joint: no restriction; a body that floats.

use super::ball::{QUATERNION, TURNING};
use super::planar::{PLANE, motions};
use super::{JointKind, Shape, X, Y, Z};
use crate::parts::MotionPart;
use crate::system::Measure;
use borelli_model::Kind;

/// Position and quaternion; speeds: velocity of the origin in parent-frame axes, angular velocity in child axes. In a planar model the
/// same as the planar joint. Source: elementary.
pub static FREE: JointKind = JointKind {
    kind: Kind { name: "free", doc: "A body that floats", fields: &[], planar: true, spatial: true },
    build: |_, context| {
        if context.planar() {
            return Shape::simple(motions(), PLANE.to_vec());
        }
        let place = [("_px", Measure::Length), ("_py", Measure::Length), ("_pz", Measure::Length)];
        let speed = [("_vx", Measure::Length), ("_vy", Measure::Length), ("_vz", Measure::Length)];
        Some(Shape {
            motions: vec![MotionPart::Slide(X), MotionPart::Slide(Y), MotionPart::Slide(Z), MotionPart::Ball],
            coordinates: place.into_iter().chain(QUATERNION).collect(),
            speeds: Some(speed.into_iter().chain(TURNING).collect()),
        })
    },
};
