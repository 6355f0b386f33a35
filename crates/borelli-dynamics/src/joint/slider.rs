//! Slider: one displacement.

use super::{JointKind, Shape, X, unit};
use crate::parts::MotionPart;
use crate::system::Measure;
use borelli_model::{Field, FieldKind, Kind, Need};

/// p_FM = q `axis`. Source: elementary.
pub static SLIDER: JointKind = JointKind {
    kind: Kind {
        name: "slider",
        doc: "One displacement along an axis",
        fields: &[Field { name: "axis", kind: FieldKind::Direction, need: Need::Optional, doc: "axis in the parent frame; default X" }],
        planar: true,
        spatial: true,
    },
    build: |fields, _| {
        let axis = if fields.has("axis") { unit(&fields.direction("axis")?) } else { X };
        Shape::simple(vec![MotionPart::Slide(axis)], vec![("", Measure::Length)])
    },
};
