//! Universal joint: two turns about axes through one point.

use super::{JointKind, Shape, X, Z, unit};
use crate::parts::MotionPart;
use crate::system::Measure;
use borelli_model::{Field, FieldKind, Kind, Need};

/// R_FM = R(axis 1, q1) R(axis 2, q2), the second axis in the frame reached after the first turn. The axes need not be at right angles.
/// Source: elementary. Limits: singular where the axes become parallel.
pub static UNIVERSAL: JointKind = JointKind {
    kind: Kind {
        name: "universal",
        doc: "Two angles about axes through one point",
        fields: &[Field {
            name: "axes",
            kind: FieldKind::Directions { count: 2 },
            need: Need::Optional,
            doc: "two axes, the second in the frame reached after the first; default Z, X",
        }],
        planar: false,
        spatial: true,
    },
    build: |fields, _| {
        let axes = if fields.has("axes") { fields.directions("axes")?.iter().map(|a| unit(a)).collect() } else { vec![Z, X] };
        Shape::simple(axes.into_iter().map(MotionPart::Turn).collect(), vec![("_1", Measure::Angle), ("_2", Measure::Angle)])
    },
};
