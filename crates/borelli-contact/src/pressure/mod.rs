//! Pressure of ellipsoids on the plane of a half-space, point by point: for pressure mats, and as brute force behind the closed forms.
//! Not here: the closed forms (`volume`), the saturation and lag of a real mat.
//! In: ellipsoids with poses and relative motion, the plane, a grid on it. Out: pressures Pa, their resultant.

mod centre;
mod chord;
mod foundation;
mod grid;

#[cfg(test)]
mod tests;

pub use centre::{Centre, centre_of_pressure};
pub use chord::{Presser, Twist};
pub use foundation::{Foundation, Resultant, foundation};
pub use grid::Grid;
