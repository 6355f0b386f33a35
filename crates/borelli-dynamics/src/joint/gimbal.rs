//! Gimbal: three turns about axes through one point, as clinical joint angles are given.

use super::{JointKind, Shape, X, Y, Z, unit};
use crate::parts::MotionPart;
use crate::system::Measure;
use borelli_model::{Field, FieldKind, Kind, Need};

/// R_FM = R(axis 1, q1) R(axis 2, q2) R(axis 3, q3), each axis in the frame reached before it.
/// Source: Grood & Suntay 1983, J. Biomech. Eng. 105:136-144, for the clinical use. Limits: singular where the first and third axes become
/// parallel; a ball joint has no such place.
pub static GIMBAL: JointKind = JointKind {
    kind: Kind {
        name: "gimbal",
        doc: "Three angles about axes through one point",
        fields: &[Field {
            name: "axes",
            kind: FieldKind::Directions { count: 3 },
            need: Need::Optional,
            doc: "three axes, each in the frame reached before it; default Z, X, Y",
        }],
        planar: false,
        spatial: true,
    },
    build: |fields, _| {
        let axes = if fields.has("axes") { fields.directions("axes")?.iter().map(|a| unit(a)).collect() } else { vec![Z, X, Y] };
        let names = vec![("_1", Measure::Angle), ("_2", Measure::Angle), ("_3", Measure::Angle)];
        Shape::simple(axes.into_iter().map(MotionPart::Turn).collect(), names)
    },
};
