//! Point.

use super::Form;
use super::kind::ShapeKind;
use std::marker::PhantomData;

/// A point: the place of its frame. It touches half-spaces and smooth shapes, as a sphere of no radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<N> {
    number: PhantomData<N>,
}

impl<N> Point<N> {
    /// A point.
    pub const fn new() -> Self {
        Point { number: PhantomData }
    }
}

impl<N> Default for Point<N> {
    fn default() -> Self {
        Point::new()
    }
}

impl<N> Form<N> for Point<N> {
    const KIND: ShapeKind = ShapeKind { name: "point", doc: "Point", parameters: &[], planar: true, spatial: true };
    fn build(_: impl FnMut() -> N) -> Self {
        Point::new()
    }
    fn each(&self, _: &mut impl FnMut(&N)) {}
}
