//! Free joint: no restriction; a body that floats.

use super::ball::{QUATERNION, TURNING};
use super::planar::{PLANE, motions};
use super::{JointKind, Shape, X, Y, Z};
use crate::compile::{Context, Fault};
use crate::parts::MotionPart;
use crate::system::Measure;
use borelli_model::{Field, FieldKind, Fields, Kind, Need};

/// Position and quaternion; speeds: velocity of the origin in parent-frame axes, angular velocity in child axes. Or position and three angles,
/// R_FM = R(e1, q1) R(e2, q2) R(e3, q3) with e by `sequence`, each in the frame reached before it; speeds are then the rates of the coordinates.
/// In a planar model the same as the planar joint. Source: elementary. Limits: angles are singular where the first and the third axis are parallel.
/// Tests: the oracle on `lower-limb`.
pub static FREE: JointKind = JointKind {
    kind: Kind {
        name: "free",
        doc: "A body that floats",
        fields: &[
            Field {
                name: "rotation",
                kind: FieldKind::Choice(&["quaternion", "angles"]),
                need: Need::Optional,
                doc: "spatial: coordinates of the orientation; default quaternion",
            },
            Field {
                name: "sequence",
                kind: FieldKind::Text,
                need: Need::Optional,
                doc: "axes of the angles, each in the frame reached before it; default zxy",
            },
        ],
        planar: true,
        spatial: true,
    },
    build,
};

fn build(fields: &mut Fields, context: &mut Context) -> Option<Shape> {
    if context.planar() {
        if let Some(field) = ["rotation", "sequence"].into_iter().find(|field| fields.has(field)) {
            context.only_spatial(fields, field);
            return None;
        }
        return Shape::simple(motions(), PLANE.to_vec());
    }
    let slides = [X, Y, Z].map(MotionPart::Slide);
    if fields.choice("rotation") == Some("angles") {
        let place = [("_tx", Measure::Length), ("_ty", Measure::Length), ("_tz", Measure::Length)];
        let angles = [("_1", Measure::Angle), ("_2", Measure::Angle), ("_3", Measure::Angle)];
        let turns = context.sequence(fields)?.map(|axis| MotionPart::Turn([X, Y, Z][axis]));
        return Shape::simple(slides.into_iter().chain(turns).collect(), place.into_iter().chain(angles).collect());
    }
    if fields.has("sequence") {
        fields.fault("sequence", &Fault::OnlyWithAngles);
        return None;
    }
    let place = [("_px", Measure::Length), ("_py", Measure::Length), ("_pz", Measure::Length)];
    let speed = [("_vx", Measure::Length), ("_vy", Measure::Length), ("_vz", Measure::Length)];
    Some(Shape {
        motions: slides.into_iter().chain([MotionPart::Ball]).collect(),
        coordinates: place.into_iter().chain(QUATERNION).collect(),
        speeds: Some(speed.into_iter().chain(TURNING).collect()),
    })
}
