//! Spring and dashpot in series along a path.

use super::Law;
use super::path::PATH;
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::{Loads, Scene};
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need, Range};

/// Maxwell element: a spring and a dashpot in series along a path. Held at a length it forgets its tension, pulled by a force it creeps.
///
/// ```text
/// N = k (l − L − x)        ẋ = N/c        stored energy ½ k (l − L − x)²                       (1)
/// ```
///
/// | N tension, N | k `stiffness` N/m | c `damping` N s/m | l length of the path, m | L `length` without tension before any creep, m | x state `creep`, stretch of the dashpot, m, at first `creep` of the file |
///
/// Power lost is N²/c. Output: `tension`. Source: elementary; Findley, Lai & Onaran 1976, Creep and Relaxation of Nonlinear Viscoelastic Materials, section 5.2.
/// Limits: nothing keeps it from pushing.
/// Tests: `a_maxwell_element_relaxes_creeps_and_answers_a_sine_as_the_closed_forms_say`, `every_path_law_acts_and_reacts`.
#[derive(Clone, Debug)]
pub struct Maxwell<N> {
    path: u32,
    stiffness: N,
    damping: N,
    length: N,
    creep: u32,
    tension: u32,
}

impl Law for Maxwell<Slot> {
    const KIND: Kind = Kind {
        name: "maxwell",
        doc: "Spring and dashpot in series along a path: tension stiffness (l - length - creep), creep' = tension/damping",
        fields: &[
            PATH,
            Field {
                name: "stiffness",
                kind: FieldKind::Quantity { unit: "N/m", range: Range::NON_NEGATIVE },
                need: Need::Required,
                doc: "tension per stretch of the spring",
            },
            Field {
                name: "damping",
                kind: FieldKind::Quantity { unit: "N s/m", range: Range::POSITIVE },
                need: Need::Required,
                doc: "tension per rate of the dashpot's stretch",
            },
            Field {
                name: "length",
                kind: FieldKind::Quantity { unit: "m", range: Range::NON_NEGATIVE },
                need: Need::Required,
                doc: "length without tension and creep",
            },
            Field {
                name: "creep",
                kind: FieldKind::Quantity { unit: "m", range: Range::ANY },
                need: Need::Default(0.0),
                doc: "stretch of the dashpot at the start",
            },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let path = context.path(fields, "path");
        let [stiffness, damping, length, creep] = [("stiffness", "N/m"), ("damping", "N s/m"), ("length", "m"), ("creep", "m")]
            .map(|(name, unit)| context.quantity(fields, name, unit));
        let (creep, tension) = (context.state(fields, "creep", "m", creep?), context.output(fields, "tension", "N"));
        Some(Maxwell { path: path?, stiffness: stiffness?, damping: damping?, length: length?, creep, tension })
    }
}

impl<N> Maxwell<N> {
    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Maxwell<M> {
        let Maxwell { path, creep, tension, .. } = *self;
        Maxwell { path, stiffness: number(&self.stiffness), damping: number(&self.damping), length: number(&self.length), creep, tension }
    }
}

impl<C> Maxwell<C> {
    #[inline]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        let path = self.path as usize;
        let stretch = loads.path_length[path] - self.length.lift() - scene.state(self.creep);
        let tension = self.stiffness.times(stretch);
        loads.path_tension[path] += tension;
        loads.stored += tension * stretch * 0.5;
        loads.zdot[self.creep as usize] = tension / self.damping.lift();
        loads.output[self.tension as usize] = tension;
    }
}
