//! Contact: surfaces, where two of them touch and how deep, and the forces that follow.
//! Not here: bodies, models, files; who asks has poses and velocities.
//! In: shapes with poses, relative velocities, parameters of laws. Out: distances, normals, forces, volumes, pressures.

pub mod catalogue;
pub mod continuity;
pub mod detect;
pub mod friction;
pub mod law;
pub mod normal;
pub mod pressure;
pub mod shape;
mod smooth;
pub mod volume;
