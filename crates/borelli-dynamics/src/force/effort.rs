//! Generalised force on one coordinate, given in time.

use super::Law;
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::{Loads, Scene};
use crate::system::Measure;
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// A generalised force given in time: a moment on an angle, a force on a displacement. It acts between the two bodies of the joint.
///
/// ```text
/// τ = E(t)                                                                                    (1)
/// ```
///
/// | τ generalised force, N m or N | E `effort`, function of time |
///
/// Source: elementary. Limits: parts of quaternions are refused; they have no force of their own.
/// Tests: `an_effort_is_the_generalised_force`.
#[derive(Clone, Debug)]
pub struct Effort<N> {
    dof: u32,
    effort: u32,
    number: PhantomData<N>,
}

impl Law for Effort<Slot> {
    const KIND: Kind = Kind {
        name: "effort",
        doc: "Generalised force on one coordinate, given in time",
        fields: &[
            Field { name: "coordinate", kind: FieldKind::Coordinate, need: Need::Required, doc: "coordinate it acts on" },
            Field {
                name: "effort",
                kind: FieldKind::Function { value: "*" },
                need: Need::Required,
                doc: "moment on an angle or force on a displacement; function of time",
            },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let coordinate = context.coordinate(fields, "coordinate")?;
        let unit = if coordinate.measure == Measure::Angle { "N m" } else { "N" };
        fields.function_in("effort", unit)?;
        let effort = context.function(fields, "effort", "s", unit)?;
        Some(Effort { dof: coordinate.dof, effort, number: PhantomData })
    }
}

impl<N> Effort<N> {
    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M) -> Effort<M> {
        Effort { dof: self.dof, effort: self.effort, number: PhantomData }
    }
}

impl<C> Effort<C> {
    #[inline]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        loads.tau[self.dof as usize] += scene.at_time(self.effort)[0];
    }
}
