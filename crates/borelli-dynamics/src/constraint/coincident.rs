//! Loop: two points coincide.

use super::{Constraint, Part, Row, Rows};
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::Scene;
use crate::system::Measure;
use borelli_math::{Constant, Real, Vec3};
use borelli_model::{Field, FieldKind, Fields, Kind, Need};
use std::marker::PhantomData;

/// Two points of two bodies coincide.
///
///     Φ = p_b − p_a        Φ̈ = a_b − a_a                                                        (1)
///
/// Two rows in the plane, three in space, world axes. The multiplier is the force on body b.
///
/// Source: Saraiva 2022, (3.18)-(3.25), with the sign of a − b turned. Tests: rows against differences in the suite.
#[derive(Clone, Debug)]
pub struct Coincident<N> {
    a: u32,
    b: u32,
    planar: bool,
    number: PhantomData<N>,
}

/// Fields of loops between two places.
pub(super) const PLACES: [Field; 2] = [
    Field { name: "a", kind: FieldKind::Place, need: Need::Required, doc: "place on the first body" },
    Field { name: "b", kind: FieldKind::Place, need: Need::Required, doc: "place on the second body" },
];

impl Constraint for Coincident<Slot> {
    const KIND: Kind = Kind { name: "coincident", doc: "Two points coincide", fields: &PLACES, planar: true, spatial: true };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let (a, b) = context.two_places(fields)?;
        Some(Coincident { a, b, planar: context.planar(), number: PhantomData })
    }
}

impl<N> Coincident<N> {
    /// The places it holds together, for pictures.
    pub fn ends(&self) -> [u32; 2] {
        [self.a, self.b]
    }

    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, _old: Option<&mut Coincident<M>>) -> Coincident<M> {
        Coincident { a: self.a, b: self.b, planar: self.planar, number: PhantomData }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        point_parts(self.planar)
    }

    pub(super) fn entries(&self) -> usize {
        0
    }
}

impl<C> Coincident<C> {
    #[inline(never)]
    pub(super) fn fill<S: Real>(&self, scene: &Scene<S, C>, rows: &mut Rows<S>)
    where
        C: Constant<S>,
    {
        push_coincident(scene, self.a, self.b, self.planar, rows);
    }
}

/// Names of the rows of [`push_coincident`].
pub(super) fn point_parts(planar: bool) -> Vec<Part> {
    let axes = if planar { &["x", "y"][..] } else { &["x", "y", "z"] };
    axes.iter().map(|axis| (*axis, Measure::Length)).collect()
}

/// Rows that hold two points together; shared by the loops that do so among other things. `planar` is what the model says: a planar
/// model computed by the spatial kernel has the rows of the plane only.
pub(super) fn push_coincident<S: Real, C: Constant<S>>(scene: &Scene<S, C>, a: u32, b: u32, planar: bool, rows: &mut Rows<S>) {
    let (pa, pb) = (scene.point(a), scene.point(b));
    let gap = (pb.p_W - pa.p_W).to_array();
    let rate = (pb.v_W - pa.v_W).to_array();
    let acceleration = (scene.acceleration(&pb) - scene.acceleration(&pa)).to_array();
    for k in 0..if planar { 2 } else { 3 } {
        let e = unit(k);
        rows.push(Row {
            body: [pa.body, pb.body],
            moment: [-pa.r_W.cross(e), pb.r_W.cross(e)],
            force: [-e, e],
            position: gap[k],
            velocity: rate[k],
            acceleration: acceleration[k],
        });
    }
}

/// World axis `k`.
#[inline(always)]
pub(super) fn unit<S: Real>(k: usize) -> Vec3<S> {
    let mut e = [S::ZERO; 3];
    e[k] = S::ONE;
    Vec3::from_array(e)
}
