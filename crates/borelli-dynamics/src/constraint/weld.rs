//! Loop: two frames coincide.

use super::coincident::{PLACES, point_parts, push_coincident};
use super::turn::{Turning, push_turn, turn_parts};
use super::{Constraint, Part, Rows};
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::Scene;
use borelli_math::{Constant, Real};
use borelli_model::{Fields, Kind};
use std::marker::PhantomData;

/// Points and axes of two places coincide: the rows of `coincident`, then those of `push_turn`.
///
/// The multipliers are the force on b in world axes and the moment on b in the axes of place a (planar: about Z).
///
/// Source: elementary. Limits: angular rows in space take the relative angular velocity for the rate of the residual, which is exact where
/// the frames coincide. Tests: `rates_of_all_kinds_are_the_slopes_of_their_residuals`.
#[derive(Clone, Debug)]
pub struct Weld<N> {
    a: u32,
    b: u32,
    planar: bool,
    number: PhantomData<N>,
}

impl Constraint for Weld<Slot> {
    const KIND: Kind = Kind { name: "weld", doc: "Two frames coincide", fields: &PLACES, planar: true, spatial: true };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let (a, b) = context.two_places(fields)?;
        Some(Weld { a, b, planar: context.planar(), number: PhantomData })
    }
}

impl<N> Weld<N> {
    /// The places it holds together, for pictures.
    pub fn ends(&self) -> [u32; 2] {
        [self.a, self.b]
    }

    pub(super) fn map<M>(&self, _number: &mut impl FnMut(&N) -> M, _old: Option<&mut Weld<M>>) -> Weld<M> {
        Weld { a: self.a, b: self.b, planar: self.planar, number: PhantomData }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let mut parts = point_parts(self.planar);
        parts.extend(turn_parts(self.planar));
        parts
    }

    pub(super) fn entries(&self) -> usize {
        0
    }
}

impl<C> Weld<C> {
    #[inline(never)]
    pub(super) fn fill<S: Real>(&self, scene: &Scene<S, C>, rows: &mut Rows<S>)
    where
        C: Constant<S>,
    {
        push_coincident(scene, self.a, self.b, self.planar, rows);
        push_turn(self.planar, turning(scene, self.a), turning(scene, self.b), rows);
    }
}

/// Orientation of a place and its rates.
pub(super) fn turning<S: Real, C: Constant<S>>(scene: &Scene<S, C>, place: u32) -> Turning<S> {
    let body = scene.numbers.place_body[place as usize] as usize;
    Turning { body, R: scene.axes(place), w: scene.frames.w[body], al: scene.frames.al[body] }
}
