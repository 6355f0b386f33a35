//! Muscles of Hill's type: fibre and tendon in series along a path, driven by excitation. One law per file.
//! Not here: paths, what tension does to bodies (`force`), ligaments.
//! In: length and rate of a path, excitation, own states. Out: tension, rates of states, what is reported.
//!
//! A law gives its curves (`curves`) with their numbers (`declare`); geometry, activation, limits and power are those of `element`. Laws are registered in `force`, beside all
//! that pulls along paths.

mod activation;
mod bezier;
mod curves;
mod declare;
pub mod dgf;
mod element;
mod fault;
mod metabolic;
pub mod millard;
mod pieces;
mod portrait;
mod read;
mod sinh_balance;
mod start;
pub mod thelen;

#[cfg(test)]
mod tests;

pub use activation::{LAWS as ACTIVATION_LAWS, portrait as activation_curves};
pub use element::MuscleSize;
pub(crate) use element::{Begun, SIDE_BY_SIDE};
pub use fault::MuscleFault;
pub use portrait::{CurvePanel, CurveSamples};
