//! Hinge: one turn.

use super::{JointKind, Shape, Z, unit};
use crate::parts::MotionPart;
use crate::system::Measure;
use borelli_model::{Field, FieldKind, Kind, Need};

/// R_FM = rotation by q about `axis`, which both frames share. Source: elementary.
pub static HINGE: JointKind = JointKind {
    kind: Kind {
        name: "hinge",
        doc: "One angle about an axis",
        fields: &[Field {
            name: "axis",
            kind: FieldKind::Directions { count: 1 },
            need: Need::Optional,
            doc: "axis in the parent frame; default Z",
        }],
        planar: true,
        spatial: true,
    },
    build: |fields, context| {
        let mut axis = Z;
        if fields.has("axis") {
            if context.planar() {
                context.only_spatial(fields, "axis");
                return None;
            }
            axis = unit(&fields.directions("axis")?[0]);
        }
        Shape::simple(vec![MotionPart::Turn(axis)], vec![("", Measure::Angle)])
    },
};
