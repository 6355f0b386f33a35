//! Landmarks: what points of a recording mean on the body, and where bodies and joints are, from points seen on them.
//! Not here: models; what becomes of the places.
//! In: names of points and places in the axes of a recording, m. Out: roles, poses, joint centres.

mod frame;
mod joint_center;
mod map;
mod recognise;
mod rigid_fit;
mod role;
mod score;

pub use frame::{foot_axes, pelvis_axes, segment_axes};
pub use joint_center::{CenterFault, HIP_RULES, HipRule, PelvisSize, between, inwards, pelvis_size, shoulder_center};
pub use map::{MapFault, MarkerMap, read_marker_map};
pub use recognise::{Double, Landmarks, NAME_TABLE};
pub use rigid_fit::{RigidFit, rigid_fit};
pub use role::{Part, Role, Segment};
pub use score::{FunctionalCenter, ScoreFault, functional_center};
