//! Dashpot along a path.

use super::Law;
use super::path::{PATH, path_rate};
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::{Loads, Scene};
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need, Range};

/// Linear dashpot along a path; it resists lengthening and shortening alike.
///
/// ```text
/// N = c l̇        power −c l̇²                                                                 (1)
/// ```
///
/// | N tension, N | c `damping` N s/m | l̇ rate of the path's length, m/s |
///
/// Source: elementary. Limits: between two points that pass through each other the force −c e eᵀ v, e the direction between them, continues
/// smoothly except at the instant when they coincide, where the direction is undefined and the force is taken as zero.
/// Tests: `a_dashpot_takes_the_power_of_its_rate`, `a_dashpot_is_smooth_through_zero_length`, `every_path_law_acts_and_reacts`.
#[derive(Clone, Debug)]
pub struct Dashpot<N> {
    path: u32,
    damping: N,
}

impl Law for Dashpot<Slot> {
    const KIND: Kind = Kind {
        name: "dashpot",
        doc: "Dashpot along a path: tension damping l'",
        fields: &[
            PATH,
            Field {
                name: "damping",
                kind: FieldKind::Quantity { unit: "N s/m", range: Range::NON_NEGATIVE },
                need: Need::Required,
                doc: "tension per rate of length",
            },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let path = context.path(fields, "path");
        let damping = context.quantity(fields, "damping", "N s/m");
        Some(Dashpot { path: path?, damping: damping? })
    }
}

impl<N> Dashpot<N> {
    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Dashpot<M> {
        Dashpot { path: self.path, damping: number(&self.damping) }
    }
}

impl<C> Dashpot<C> {
    #[inline]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        loads.path_tension[self.path as usize] += self.damping.times(path_rate(scene, self.path));
    }
}
