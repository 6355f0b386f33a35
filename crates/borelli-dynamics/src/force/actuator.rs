//! Tension along a path, given in time.

use super::Law;
use super::path::{PATH, path_and_function};
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::{Loads, Scene};
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// A tension given in time along a path: a muscle reduced to its force.
///
/// ```text
/// N = a(t)                                                                                    (1)
/// ```
///
/// | N tension, N | a `tension`, function of time, positive when it shortens the path, N |
///
/// Source: elementary. Limits: a negative tension pushes; nothing prevents it.
/// Tests: `every_path_law_acts_and_reacts`, `an_actuator_over_a_via_point_pulls_it_to_both_neighbours`.
#[derive(Clone, Debug)]
pub struct Actuator<N> {
    path: u32,
    tension: u32,
    number: PhantomData<N>,
}

impl Law for Actuator<Slot> {
    const KIND: Kind = Kind {
        name: "actuator",
        doc: "Tension along a path, given in time",
        fields: &[
            PATH,
            Field { name: "tension", kind: FieldKind::Function { value: "N" }, need: Need::Required, doc: "tension, function of time" },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let (path, tension) = path_and_function(fields, context, "tension", "N");
        Some(Actuator { path: path?, tension: tension?, number: PhantomData })
    }
}

impl<N> Actuator<N> {
    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M) -> Actuator<M> {
        Actuator { path: self.path, tension: self.tension, number: PhantomData }
    }
}

impl<C> Actuator<C> {
    #[inline]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        loads.path_tension[self.path as usize] += scene.at_time(self.tension)[0];
    }
}
