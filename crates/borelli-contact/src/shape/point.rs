//! Point.

use super::Form;
use super::kind::ShapeKind;
use std::marker::PhantomData;

/// A point: the place of its frame. It touches half-spaces and round shapes, as a sphere of no radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<N> {
    number: PhantomData<N>,
}

impl<N> Form<N> for Point<N> {
    const KIND: ShapeKind = ShapeKind { name: "point", doc: "Point", parameters: &[], planar: true, spatial: true };
    fn build(_: impl FnMut() -> N) -> Self {
        Point { number: PhantomData }
    }
    fn each(&self, _: &mut impl FnMut(&N)) {}
}
