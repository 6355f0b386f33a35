//! Spring and damper on one coordinate: torsional on an angle, linear on a displacement.

use super::Law;
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::{Loads, Scene};
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need, Range};

/// Linear spring and damper on a coordinate.
///
/// ```text
/// τ = −k (q − q₀) − d q̇        stored energy ½ k (q − q₀)²                                    (1)
/// ```
///
/// | k `stiffness` N m/rad or N/m | d `damping` N m s/rad or N s/m | q₀ `rest` rad or m |
///
/// Source: elementary. Limits: none. Tests: `elastic_forces_are_minus_the_slope_of_the_stored_energy`.
#[derive(Clone, Debug)]
pub struct CoordinateSpring<N> {
    coord: u32,
    dof: u32,
    stiffness: N,
    damping: N,
    rest: N,
}

/// Units for an angle and for a length.
const STIFFNESS: [&str; 2] = ["N m/rad", "N/m"];
const DAMPING: [&str; 2] = ["N m s/rad", "N s/m"];
const REST: [&str; 2] = ["rad", "m"];

impl Law for CoordinateSpring<Slot> {
    const KIND: Kind = Kind {
        name: "coordinate-spring",
        doc: "Spring and damper on one coordinate: -stiffness (q - rest) - damping q'",
        fields: &[
            Field { name: "coordinate", kind: FieldKind::Coordinate, need: Need::Required, doc: "coordinate it acts on" },
            Field {
                name: "stiffness",
                kind: FieldKind::QuantityOf { angle: STIFFNESS[0], length: STIFFNESS[1], range: Range::NON_NEGATIVE },
                need: Need::Required,
                doc: "moment per angle or force per length",
            },
            Field {
                name: "damping",
                kind: FieldKind::QuantityOf { angle: DAMPING[0], length: DAMPING[1], range: Range::NON_NEGATIVE },
                need: Need::Default(0.0),
                doc: "moment per angular rate or force per speed",
            },
            Field {
                name: "rest",
                kind: FieldKind::QuantityOf { angle: REST[0], length: REST[1], range: Range::ANY },
                need: Need::Default(0.0),
                doc: "coordinate without spring force",
            },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let coordinate = context.coordinate(fields, "coordinate")?;
        let stiffness = context.quantity_of(fields, "stiffness", coordinate.measure, STIFFNESS);
        let damping = context.quantity_of(fields, "damping", coordinate.measure, DAMPING);
        let rest = context.quantity_of(fields, "rest", coordinate.measure, REST);
        Some(CoordinateSpring { coord: coordinate.coord, dof: coordinate.dof, stiffness: stiffness?, damping: damping?, rest: rest? })
    }
}

impl<N> CoordinateSpring<N> {
    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> CoordinateSpring<M> {
        CoordinateSpring {
            coord: self.coord,
            dof: self.dof,
            stiffness: number(&self.stiffness),
            damping: number(&self.damping),
            rest: number(&self.rest),
        }
    }
}

impl<C> CoordinateSpring<C> {
    #[inline(always)]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        let stretch = scene.q[self.coord as usize] - self.rest.lift();
        let pull = self.stiffness.times(stretch);
        loads.tau[self.dof as usize] -= pull + self.damping.times(scene.v[self.dof as usize]);
        loads.stored += pull * stretch * 0.5;
    }
}
