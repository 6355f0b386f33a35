//! Function joint: the pose of the child is a function of one coordinate, as in knees whose centre of rotation wanders.

use super::{JointKind, Shape, X, Y, Z, unit};
use crate::compile::{Context, Fault};
use crate::parts::MotionPart;
use crate::system::Measure;
use borelli_math::function::Continuity;
use borelli_model::{Field, FieldKind, Fields, Kind, Need};

/// p_FM = (s_x x(q), s_y y(q), s_z z(q)), R_FM = R(axis 1, φ1(q)) R(axis 2, φ2(q)) ...
///
/// Source: the coordinate-coupled knee of Yamaguchi & Zajac 1989, J. Biomech. 22:1-10, generalised.
/// Limits: the pose must change with q everywhere on the way, else the coordinate is not determined.
pub static FUNCTION: JointKind = JointKind {
    kind: Kind {
        name: "function",
        doc: "The pose of the child is a function of one coordinate",
        fields: &[
            Field {
                name: "coordinate",
                kind: FieldKind::Choice(&["angle", "length"]),
                need: Need::Optional,
                doc: "what the coordinate measures; default angle",
            },
            translation("x"),
            translation("y"),
            translation("z"),
            Field {
                name: "scale",
                kind: FieldKind::Vector { unit: "1" },
                need: Need::Optional,
                doc: "factors of the translations along the axes, as scaling of a model sets them; default one",
            },
            Field { name: "angle", kind: FieldKind::Function { value: "rad" }, need: Need::Optional, doc: "planar: angle of the child" },
            Field {
                name: "rotations",
                kind: FieldKind::Rotations,
                need: Need::Optional,
                doc: "spatial: up to three turns, one after the other",
            },
        ],
        planar: true,
        spatial: true,
    },
    build,
};

const fn translation(name: &'static str) -> Field {
    Field { name, kind: FieldKind::Function { value: "m" }, need: Need::Optional, doc: "translation in the parent frame; default zero" }
}

fn build(fields: &mut Fields, context: &mut Context) -> Option<Shape> {
    let measure = if fields.choice("coordinate") == Some("length") { Measure::Length } else { Measure::Angle };
    let argument = if measure == Measure::Length { "m" } else { "rad" };
    let planar = context.planar();
    let (mut slides, mut turns) = (Vec::new(), Vec::new());
    let mut complete = true;
    let scale = fields.vector("scale");
    for (k, (name, axis)) in [("x", X), ("y", Y), ("z", Z)].into_iter().enumerate() {
        if !fields.has(name) {
            continue;
        }
        if planar && name == "z" {
            context.only_spatial(fields, name);
            return None;
        }
        match context.function(fields, name, argument, "m") {
            Some(function) => {
                let factor = scale.as_ref().and_then(|scale| scale.get(k)).map_or(1.0, |factor| factor.value);
                let path = format!("{}.scale.{name}", fields.element().path());
                slides.push((axis, function, context.parameter(path, factor, "1")));
            }
            None => complete = false,
        }
    }
    if fields.has("angle") {
        if !planar {
            context.only_planar(fields, "angle");
            return None;
        }
        match context.function(fields, "angle", argument, "rad") {
            Some(function) => turns.push((Z, function)),
            None => complete = false,
        }
    }
    if fields.has("rotations") {
        if planar {
            context.only_spatial(fields, "rotations");
            return None;
        }
        let at = fields.span_of("rotations");
        let list = fields.rotations("rotations")?;
        if list.len() > 3 {
            fields.fault("rotations", &Fault::WrongCount { what: "turns at most", expected: 3, found: list.len() });
            return None;
        }
        for (k, (axis, reference)) in list.into_iter().enumerate() {
            let path = format!("{}.rotations.{}", fields.element().path(), k + 1);
            match context.function_reference(fields, "rotations", at, &path, reference, argument, "rad") {
                Some(function) => turns.push((unit(&axis), function)),
                None => complete = false,
            }
        }
    }
    if !complete {
        return None;
    }
    if slides.is_empty() && turns.is_empty() {
        fields.fault("x", &Fault::NeitherGiven { one: "x", other: if planar { "angle" } else { "rotations" } });
        return None;
    }
    for function in slides.iter().map(|(_, f, _)| f).chain(turns.iter().map(|(_, f)| f)) {
        let info = context.function_info(*function);
        if info.continuity < Continuity::C1 {
            let fault = Fault::FunctionJointNotSmooth { function: info.name.clone() };
            fields.fault("type", &fault);
            return None;
        }
    }
    Shape::simple(vec![MotionPart::Function { slides, turns }], vec![("", measure)])
}
