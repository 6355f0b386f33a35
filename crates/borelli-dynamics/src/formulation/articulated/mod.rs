//! Recursive dynamics in joint coordinates.
pub mod planar;
pub mod spatial;
