//! Couple on a body, given in time.

use super::Law;
use super::at_point::{AXES, Components};
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::{Loads, Scene};
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// A couple given in time on one body.
///
/// ```text
/// n_W = T(t)  with axes = "world"        n_W = R_WB T(t)  with axes = "body"                  (1)
/// ```
///
/// | n_W moment on the body, world axes, N m | T `torque`: about Z in the plane, three functions of time in space, N m | R_WB the body's frame |
///
/// Source: elementary. Nothing takes the reaction: for a moment between two bodies see `effort`. Limits: a couple of constant direction in space
/// has no potential. Tests: `a_torque_works_by_the_angular_velocity`, `body_axes_turn_with_the_body`.
#[derive(Clone, Debug)]
pub struct Torque<N> {
    body: u32,
    components: Components,
    number: PhantomData<N>,
}

impl Law for Torque<Slot> {
    const KIND: Kind = Kind {
        name: "torque",
        doc: "Couple on a body, given in time",
        fields: &[
            Field { name: "body", kind: FieldKind::Body, need: Need::Required, doc: "body it acts on" },
            Field {
                name: "torque",
                kind: FieldKind::Functions { value: "N m", planar: 1, spatial: 3 },
                need: Need::Required,
                doc: "about Z in the plane, three components in space; functions of time",
            },
            AXES,
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let body = context.body(fields, "body");
        let first = if context.planar() { 2 } else { 0 };
        let components = Components::read(fields, context, ("torque", "N m"), first, ["moment.x", "moment.y", "moment.z"]);
        Some(Torque { body: body?, components: components?, number: PhantomData })
    }
}

impl<N> Torque<N> {
    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, _old: Option<&mut Torque<M>>) -> Torque<M> {
        Torque { body: self.body, components: self.components, number: PhantomData }
    }
}

impl<C> Torque<C> {
    /// The body it acts on, and the world.
    pub(super) fn bodies(&self, _place_body: &[u32]) -> [usize; 2] {
        [self.body as usize, 0]
    }

    #[inline]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        let body = self.body as usize;
        let moment = self.components.vector_W(scene, body, &mut loads.inner);
        loads.moment[body] += moment;
    }
}
