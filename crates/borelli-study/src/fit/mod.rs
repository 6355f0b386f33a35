//! Fits: parameters for which an analysis agrees with what was measured, and how sure they are.
//! Not here: searches themselves (`borelli-fit`), reading (`read::fit`), the run around a fit (`run::fit`).
//! In: a system, a plan with a fit. Out: the best parameters and a record of the search.

mod answer;
mod bookmark;
mod check;
mod course;
mod data;
mod definition;
mod fault;
mod giving_way;
mod mover;
mod parts;
mod problem;
mod record;
mod runs;
mod search;
mod source;
mod staging;
mod unknowns;

pub use bookmark::Lines;
pub use definition::{Extreme, Fade, Fit, Limit, Method, Normalise, Reduce, RunNumber, SlopeRule, Term, Trial, Unknown};
pub use record::{FitRecord, FrontPoint, Residual, Round, Start, UnknownRecord, Weak};
pub use search::SearchProgress;

pub(crate) use check::check;
pub(crate) use course::Way;
pub(crate) use fault::FitFault;
pub(crate) use mover::{Correction, Mover};
pub(crate) use problem::{Given, Problem};
pub(crate) use runs::Trip;
pub(crate) use search::{NAMED, SearchWatch, search};
