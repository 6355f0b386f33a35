//! Searches for the best numbers, and what can be said about them afterwards: solvers, fronts, covariance, identifiability, uncertainty.
//! Not here: bodies, models, files, threads. A solver asks for values at points and is told them; who finds them, and how, is not its business.
//! In and out: plain numbers. Points are scaled (`unknown::Scale`): bounded unknowns lie between 0 and 1.

pub mod checkpoint;
pub mod covariance;
pub mod front;
pub mod random;
pub mod sample;
pub mod solver;
pub mod uncertainty;
pub mod unknown;

pub use checkpoint::Page;
pub use solver::{Answer, Best, Progress, Query, Slopes, Solver, Stop, Wanted};
pub use unknown::{Bounds, Scale};
