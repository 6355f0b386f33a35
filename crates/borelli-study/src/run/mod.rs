//! Runs: a plan put to a system.
//! Not here: reading plans, writing results.
//! In: a system and a plan. Out: an `Outcome`.

pub mod outcome;

pub use outcome::{EndState, HealthLine, Occurrence, Outcome, Scalar, Status};
