//! Soft bodies: finite elements of the plane, their materials, ties and contact to rigid carriers, and the sparse solve.
//! Not here: joints, models, files of models, time steps. A rigid carrier is a pose (x, y, angle) and gets a wrench back.
//! In: meshes, materials, positions and multipliers, poses. Out: residuals, tangents, corrections, stresses, pressures.

pub mod contact;
pub mod definition;
pub mod element;
#[cfg(feature = "fault-injection")]
pub mod fault_injection;
pub mod material;
pub mod mesh;
pub mod problem;
pub mod shape;
pub mod sparse;
pub mod target;
pub mod tie;
