//! Loop: ball joint in space.

use super::coincident::{PLACES, point_parts, push_coincident};
use super::{Constraint, Part, Rows};
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::Scene;
use borelli_math::{Constant, Real};
use borelli_model::{Fields, Kind};
use std::marker::PhantomData;

/// Two points of two bodies coincide: the rows of `coincident`, under the name of the joint that it closes.
///
/// Source: as `coincident`. Tests: `rates_of_all_kinds_are_the_slopes_of_their_residuals`.
#[derive(Clone, Debug)]
pub struct Ball<N> {
    a: u32,
    b: u32,
    number: PhantomData<N>,
}

impl Constraint for Ball<Slot> {
    const KIND: Kind =
        Kind { name: "ball", doc: "Two points coincide, orientations are free", fields: &PLACES, planar: false, spatial: true };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let (a, b) = context.two_places(fields)?;
        Some(Ball { a, b, number: PhantomData })
    }
}

impl<N> Ball<N> {
    /// The places it holds together, for pictures.
    pub fn ends(&self) -> [u32; 2] {
        [self.a, self.b]
    }

    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, _old: Option<&mut Ball<M>>) -> Ball<M> {
        Ball { a: self.a, b: self.b, number: PhantomData }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        point_parts(false)
    }

    pub(super) fn entries(&self) -> usize {
        0
    }
}

impl<C> Ball<C> {
    #[inline(never)]
    pub(super) fn fill<S: Real>(&self, scene: &Scene<S, C>, rows: &mut Rows<S>)
    where
        C: Constant<S>,
    {
        push_coincident(scene, self.a, self.b, false, rows);
    }
}
