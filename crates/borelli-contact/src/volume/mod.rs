//! Contact from the volume in which an ellipsoid and a half-space overlap: a soft bed whose pressure grows with depth, in closed form.
//! Not here: pressures point by point (`pressure`), friction laws (`friction`), poses of bodies.
//! In: semi-axes, the plane seen from the ellipsoid, relative motion. Out: volume, centroid, second moments, force and moment.

mod cap;
mod overlap;
mod slopes;
mod softplus;
mod volumetric;

#[cfg(test)]
mod tests;

pub use overlap::{Immersion, Overlap, SecondMoment, SemiAxes, unit_normal};
pub use slopes::{Slopes, by_rotation};
pub use volumetric::{PatchLoad, PatchMotion, Volumetric};
