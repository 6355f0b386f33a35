//! Uncertain inputs and what they do to results: distributions, noise, linear propagation, bands of samples, rankings of inputs.
//! Not here: where the numbers come from.

pub mod bands;
pub mod distribution;
pub mod morris;
pub mod noise;
pub mod sobol;

pub use distribution::{BadDistribution, Distribution};
