//! What a shape says about itself: name, parameters with units and ranges, and what can be wrong with them.
//! Not here: the shapes; text or files.
//! In: numbers in SI. Out: the first one out of its range, as facts.

use borelli_math::{Declaration, Need, Range, with_unit};
use std::fmt;

/// A shape type: what a model file may say about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeKind {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: &'static str,
    /// Its numbers, in the order in which a shape is built from them.
    pub parameters: &'static [Declaration],
    /// Exists in planar models.
    pub planar: bool,
    /// Exists in spatial models.
    pub spatial: bool,
}

/// A length above zero.
pub(super) const fn length(name: &'static str, doc: &'static str) -> Declaration {
    Declaration { name, unit: "m", range: Range::POSITIVE, need: Need::Required, doc }
}

/// Exponents for which a superellipsoid is convex and twice differentiable; beyond 100 its edges are sharper than round-off resolves.
pub(super) const EXPONENT: Range = Range::between(2.0, 100.0);

/// The exponent of a superellipsoid.
pub(super) const fn exponent(name: &'static str, doc: &'static str) -> Declaration {
    Declaration { name, unit: "1", range: EXPONENT, need: Need::Required, doc }
}

/// Any finite number with a default.
pub(super) const fn any(name: &'static str, unit: &'static str, default: f64, doc: &'static str) -> Declaration {
    Declaration { name, unit, range: Range::ANY, need: Need::Default(default), doc }
}

/// What is wrong with the numbers of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShapeFault {
    /// Too few or too many numbers.
    Count {
        /// The shape.
        kind: &'static str,
        /// How many it has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// A number outside its range, or not a number.
    OutOfRange {
        /// The shape.
        kind: &'static str,
        /// The parameter.
        parameter: &'static Declaration,
        /// Its value.
        value: f64,
    },
    /// A superellipsoid whose second derivatives do not exist at the poles: r = 2 needs p = 2.
    RoughPole {
        /// Exponent in the equator plane.
        p: f64,
        /// Exponent along the polar axis.
        r: f64,
    },
    /// A half-space whose normal has no direction.
    ZeroNormal,
}

impl fmt::Display for ShapeFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ShapeFault::Count { kind, expected, found } => write!(f, "{kind}: {expected} numbers expected, {found} given"),
            ShapeFault::OutOfRange { kind, parameter: Declaration { name, unit, range, .. }, value } => {
                write!(f, "{kind}: {name} = {}\n  hint: it must be {}", with_unit(value, unit), range.in_unit(unit))
            }
            ShapeFault::RoughPole { p, r } => {
                write!(f, "superellipsoid: p = {p} with r = {r} has no curvature at its poles\n  hint: r above 2, or p = 2")
            }
            ShapeFault::ZeroNormal => {
                write!(
                    f,
                    "half-space: its normal nx, ny, nz has no direction\n  hint: its length may be neither zero nor beyond measure; up is 0, 1, 0"
                )
            }
        }
    }
}

impl std::error::Error for ShapeFault {}
