//! Loop: two points at a fixed distance.

use super::coincident::{PLACES, unit};
use super::{Constraint, Part, Row, Rows};
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::Scene;
use crate::system::Measure;
use borelli_math::{Constant, Real};
use borelli_model::{Fields, Kind, Need, Range, number};

/// A massless rod of length L between two points.
///
///     Φ = |d| − L,  d = p_b − p_a,  u = d/|d|                                                    (1)
///     Φ̇ = u·ḋ        Φ̈ = u·d̈ + (ḋ·ḋ − Φ̇²)/|d|                                                    (2)
///
/// The multiplier is the force on b along u: positive pushes the points apart, so the rod's tension is its negative.
///
/// Source: elementary. Limits: where the points coincide the direction is not defined; X is taken then and the centripetal term left out, so that
/// assembling can leave the spot. Tests: `rates_of_all_kinds_are_the_slopes_of_their_residuals`.
#[derive(Clone, Debug)]
pub struct Rod<N> {
    a: u32,
    b: u32,
    length: N,
}

impl Constraint for Rod<Slot> {
    const KIND: Kind = Kind {
        name: "rod",
        doc: "Two points at a fixed distance",
        fields: &[PLACES[0], PLACES[1], number("length", "m", Range::POSITIVE, Need::Required, "distance of the points")],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let places = context.two_places(fields);
        let length = context.quantity(fields, "length", "m");
        let (a, b) = places?;
        Some(Rod { a, b, length: length? })
    }
}

impl<N> Rod<N> {
    /// The places of its two ends, for pictures.
    pub fn ends(&self) -> [u32; 2] {
        [self.a, self.b]
    }

    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M, _old: Option<&mut Rod<M>>) -> Rod<M> {
        Rod { a: self.a, b: self.b, length: number(&self.length) }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        vec![("length", Measure::Length)]
    }

    pub(super) fn entries(&self) -> usize {
        0
    }
}

impl<C> Rod<C> {
    #[inline(never)]
    pub(super) fn fill<S: Real>(&self, scene: &Scene<S, C>, rows: &mut Rows<S>)
    where
        C: Constant<S>,
    {
        let (a, b) = (scene.point(self.a), scene.point(self.b));
        let (d, rate) = (b.p_W - a.p_W, b.v_W - a.v_W);
        let square = d.dot(d);
        let somewhere = square.value() > 0.0;
        let length = if somewhere { square.sqrt() } else { S::ZERO };
        let u = if somewhere { d.scale(length.recip()) } else { unit(0) };
        let velocity = u.dot(rate);
        let mut acceleration = u.dot(scene.acceleration(&b) - scene.acceleration(&a));
        if somewhere {
            acceleration += (rate.dot(rate) - velocity * velocity) / length;
        }
        rows.push(Row {
            body: [a.body, b.body],
            moment: [-a.r_W.cross(u), b.r_W.cross(u)],
            force: [-u, u],
            position: length - self.length.lift(),
            velocity,
            acceleration,
        });
    }
}
