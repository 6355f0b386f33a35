//! Force at a place of a body, given in time.

use super::Law;
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::{Inner, Loads, Scene};
use borelli_math::{Constant, Real, Vec3};
use borelli_model::{Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// A force given in time that acts at a place of a body and moves with it.
///
/// ```text
/// f_W = F(t)  with axes = "world"        f_W = R_WB F(t)  with axes = "body"                  (1)
/// ```
///
/// | f_W force on the body, world axes, N | F `force`, two or three functions of time, N | R_WB the body's frame, as the file has it |
///
/// Source: elementary. The axes are those of the body even where the place is a frame with axes of its own. A force that follows the body
/// (`axes = "body"`) has no potential. Limits: a place on the world is allowed and moves nothing.
/// Tests: `a_force_at_a_point_works_by_its_velocity`, `body_axes_turn_with_the_body`.
#[derive(Clone, Debug)]
pub struct ForceAtPoint<N> {
    at: u32,
    components: Components,
    number: PhantomData<N>,
}

/// A vector by its components in time, along world axes or those of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Components {
    functions: [Option<u32>; 3],
    body_axes: bool,
    /// Output of the component along x; in the plane some are not there.
    outputs: [Option<u32>; 3],
}

/// The field `axes`.
pub(super) const AXES: Field = Field {
    name: "axes",
    kind: FieldKind::Choice(&["world", "body"]),
    need: Need::Optional,
    doc: "axes of the components: world (default) or body",
};

impl Components {
    /// Reads the list of functions `name`, and `axes`. The first function belongs to axis `first`. Components are outputs of these names.
    pub(super) fn read(
        fields: &mut Fields,
        context: &mut Context,
        (name, unit): (&str, &'static str),
        first: usize,
        columns: [&'static str; 3],
    ) -> Option<Self> {
        let list = context.functions(fields, name, "s", unit)?;
        let (mut functions, mut outputs) = ([None; 3], [None; 3]);
        for (axis, function) in (first..3).zip(list) {
            functions[axis] = Some(function);
            outputs[axis] = Some(context.output(fields, columns[axis], unit));
        }
        Some(Components { functions, body_axes: fields.choice("axes") == Some("body"), outputs })
    }

    /// The vector in world axes, which is reported.
    #[inline]
    pub(super) fn vector_W<S: Real, C: Constant<S>>(&self, scene: &Scene<S, C>, body: usize, inner: &mut Inner<S>) -> Vec3<S> {
        let value = self.functions.map(|function| function.map_or(S::ZERO, |f| scene.at_time(f)[0]));
        let mut vector = Vec3::from_array(value);
        if self.body_axes {
            vector = scene.frames.R[body].mul_const_mat(&scene.numbers.tree.R_KB[body]) * vector;
        }
        for (output, value) in self.outputs.iter().zip(vector.to_array()) {
            if let Some(output) = output {
                inner.output[*output as usize] = value;
            }
        }
        vector
    }
}

impl Law for ForceAtPoint<Slot> {
    const KIND: Kind = Kind {
        name: "force",
        doc: "Force at a point of a body, given in time",
        fields: &[
            Field { name: "at", kind: FieldKind::Place, need: Need::Required, doc: "place it acts at" },
            Field {
                name: "force",
                kind: FieldKind::Functions { value: "N", planar: 2, spatial: 3 },
                need: Need::Required,
                doc: "components, functions of time",
            },
            AXES,
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let at = context.place(fields, "at");
        let components = Components::read(fields, context, ("force", "N"), 0, ["x", "y", "z"]);
        Some(ForceAtPoint { at: at?, components: components?, number: PhantomData })
    }
}

impl<N> ForceAtPoint<N> {
    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, _old: Option<&mut ForceAtPoint<M>>) -> ForceAtPoint<M> {
        ForceAtPoint { at: self.at, components: self.components, number: PhantomData }
    }
}

impl<C> ForceAtPoint<C> {
    /// The body it acts on, and the world.
    pub(super) fn bodies(&self, place_body: &[u32]) -> [usize; 2] {
        [place_body[self.at as usize] as usize, 0]
    }

    #[inline]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        let point = scene.point(self.at);
        let f_W = self.components.vector_W(scene, point.body, &mut loads.inner);
        loads.push(&point, f_W);
    }
}
