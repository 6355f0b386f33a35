//! Spring along a path.

use super::Law;
use super::path::PATH;
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::{Loads, Scene};
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need, Range};

/// Linear spring along a path; it pulls when stretched and pushes when compressed.
///
/// ```text
/// N = k (l − L)        stored energy ½ k (l − L)²                                             (1)
/// ```
///
/// | N tension, N | k `stiffness` N/m | l length of the path, m | L `length` without tension, m |
///
/// Source: elementary. Limits: where a path has via points, pushing (l < L) is not physical; nothing prevents it.
/// Tests: `elastic_forces_are_minus_the_slope_of_the_stored_energy`, `every_path_law_acts_and_reacts`.
#[derive(Clone, Debug)]
pub struct Spring<N> {
    path: u32,
    stiffness: N,
    length: N,
}

impl Law for Spring<Slot> {
    const KIND: Kind = Kind {
        name: "spring",
        doc: "Spring along a path: tension stiffness (l - length)",
        fields: &[
            PATH,
            Field {
                name: "stiffness",
                kind: FieldKind::Quantity { unit: "N/m", range: Range::NON_NEGATIVE },
                need: Need::Required,
                doc: "tension per stretch",
            },
            Field {
                name: "length",
                kind: FieldKind::Quantity { unit: "m", range: Range::NON_NEGATIVE },
                need: Need::Required,
                doc: "length without tension",
            },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let path = context.path(fields, "path");
        let stiffness = context.quantity(fields, "stiffness", "N/m");
        let length = context.quantity(fields, "length", "m");
        Some(Spring { path: path?, stiffness: stiffness?, length: length? })
    }
}

impl<N> Spring<N> {
    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Spring<M> {
        Spring { path: self.path, stiffness: number(&self.stiffness), length: number(&self.length) }
    }
}

impl<C> Spring<C> {
    #[inline]
    pub(super) fn apply<S: Real>(&self, _scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        let path = self.path as usize;
        let stretch = loads.path_length[path] - self.length.lift();
        let tension = self.stiffness.times(stretch);
        loads.path_tension[path] += tension;
        loads.stored += tension * stretch * 0.5;
    }
}
