//! Landmarks: where bodies and joints are, from points seen on them.
//! Not here: models; what becomes of the places.
//! In: points in the axes of a recording, m. Out: poses and places.

mod rigid_fit;

pub use rigid_fit::{RigidFit, rigid_fit};
