//! Why no contact could be found, with the state of both shapes.
//! Not here: what to do about it.
//! In: facts. Out: the same, as text when asked.

use crate::shape::{MOST_PARAMETERS, Pose, ShapeFault, ShapeKind};
use std::fmt;

/// A shape as it was when detection failed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeState {
    /// Its kind.
    pub kind: &'static ShapeKind,
    /// Its parameters in the order of the kind; the rest is zero.
    pub parameters: [f64; MOST_PARAMETERS],
    /// Where it was.
    pub pose: Pose<f64>,
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause {
    /// Parameters of one shape (0 the first, 1 the second).
    Shape(usize, ShapeFault),
    /// A pose that is not finite or whose axes are not orthogonal unit vectors.
    Pose(usize),
    /// No method for these two shapes: two half-spaces, a planar against a spatial shape.
    UnsupportedPair,
    /// Round shapes or points about one centre touch in every direction, and there is no former normal to go on with.
    CoincidentCentres,
    /// Neither Newton's method nor the ascent of the gap ended in a contact that could be verified.
    Unsolved {
        /// Largest gap found along any direction, m.
        gap: f64,
        /// Smallest residual of the six equations.
        residual: f64,
    },
}

/// Failure of a detection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fault {
    /// What went wrong.
    pub cause: Cause,
    /// Both shapes.
    pub shapes: [ShapeState; 2],
}

const ORDINAL: [&str; 2] = ["first", "second"];

impl fmt::Display for ShapeState {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.kind.name)?;
        for (parameter, value) in self.kind.parameters.iter().zip(self.parameters) {
            write!(f, " {} = {value:?}", parameter.name)?;
        }
        let Pose { p, R } = &self.pose;
        write!(f, " at ({:?}, {:?}, {:?}), axes", p.x, p.y, p.z)?;
        for axis in [R.x, R.y, R.z] {
            write!(f, " ({:?}, {:?}, {:?})", axis.x, axis.y, axis.z)?;
        }
        Ok(())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.cause {
            Cause::Shape(which, fault) => write!(f, "{} shape: {fault}", ORDINAL[*which]),
            Cause::Pose(which) => write!(f, "{} shape: its pose is not a place and a rotation", ORDINAL[*which]),
            Cause::UnsupportedPair => {
                write!(f, "no contact is defined between {} and {}", self.shapes[0].kind.name, self.shapes[1].kind.name)
            }
            Cause::CoincidentCentres => write!(f, "the two centres coincide, so that no normal is defined"),
            Cause::Unsolved { gap, residual } => {
                write!(f, "no common normal was found: largest gap {gap:e} m, smallest residual {residual:e}")
            }
        }?;
        write!(f, "\n  first: {}\n  second: {}", self.shapes[0], self.shapes[1])
    }
}

impl std::error::Error for Fault {}
