//! What detection asks of a surface: an implicit function, its derivatives, its gauge and its support.
//! Not here: any particular surface; poses.
//! In: points and directions in the surface's own axes, from its centre. Out: numbers, gradients, points in the same axes.

use super::kind::{ShapeFault, ShapeKind};
use borelli_math::{Constant, Real, Sym3, Vec3};

/// How far a body reaches along a direction, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support<S> {
    /// h(n) = max n·x over the body, for the direction asked (m when that is of unit length).
    pub distance: S,
    /// The point where the maximum is reached.
    pub point: Vec3<S>,
}

/// Most parameters that a surface of the list has.
pub const MOST_PARAMETERS: usize = 6;

/// A bounded convex body with a smooth boundary F = 0, F < 0 inside, its centre (the origin of its axes) inside.
///
/// The gauge G is the factor by which the body must be scaled about its centre for x to lie on it: homogeneous of degree one, one on
/// the surface. A point is put on the surface by dividing by it.
pub trait Surface: Copy {
    /// Type of its parameters.
    type Number: Real;
    /// The same surface with plain numbers.
    type Plain: Surface<Number = f64>;

    /// The surface without derivatives.
    fn plain(&self) -> Self::Plain;
    /// Name and parameters.
    fn kind(&self) -> &'static ShapeKind;
    /// Values of its parameters in the order of its kind; the rest is zero.
    fn parameters(&self) -> [f64; MOST_PARAMETERS];
    /// The first thing wrong with its parameters.
    fn check(&self) -> Result<(), ShapeFault>;

    /// F at a point.
    fn value<S: Real>(&self, point: Vec3<S>) -> S
    where
        Self::Number: Constant<S>;
    /// Gradient of F at a point; outward on the surface.
    fn gradient<S: Real>(&self, point: Vec3<S>) -> Vec3<S>
    where
        Self::Number: Constant<S>;
    /// Second derivatives of F at a point.
    fn hessian<S: Real>(&self, point: Vec3<S>) -> Sym3<S>
    where
        Self::Number: Constant<S>;
    /// G at a point.
    fn gauge<S: Real>(&self, point: Vec3<S>) -> S
    where
        Self::Number: Constant<S>;
    /// Furthest point along a direction.
    fn support<S: Real>(&self, direction: Vec3<S>) -> Support<S>
    where
        Self::Number: Constant<S>;

    /// Half the sides of the smallest box along its axes, m.
    fn half_extents(&self) -> Vec3<f64>;
    /// Radius about its centre that holds all of it, m.
    fn bounding_radius(&self) -> f64;
    /// Its radius, if it is round.
    fn radius(&self) -> Option<Self::Number> {
        None
    }
}
