//! Measured motion and loads put to a model: names, units and axes settled, signals filtered, markers turned into coordinates, plates assigned to feet.
//! Not here: reading files (`read`), computing along the motion (`run`).
//! In: a system and a plan with measured data. Out: the same system with loads, and a plan whose motion is a table in SI.

mod angles;
mod feet;
pub(crate) mod filter;
pub(crate) mod fit;
pub(crate) mod loading;
mod loads;
pub(crate) mod markers;
pub(crate) mod motion_file;
pub mod plan;

pub use plan::*;
