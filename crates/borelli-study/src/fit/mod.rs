//! Fits: parameters for which an analysis agrees with what was measured, and how sure they are.
//! Not here: searches themselves (`borelli-fit`), reading (`read::fit`), the run around a fit (`run::fit`).
//! In: a system, a plan with a fit. Out: the best parameters and a record of the search.

mod afterwards;
mod answer;
mod bookmark;
mod check;
mod course;
mod data;
mod definition;
mod diagnosis;
mod fault;
mod giving_way;
mod judge;
mod look;
mod made;
mod maps;
mod measured_map;
mod mover;
mod parts;
mod problem;
mod record;
mod runs;
mod search;
mod sights;
mod source;
mod staging;
mod unknowns;

pub use afterwards::{Bootstrap, Drawn, End, LeftOut, Profile, ProfilePoint, RefitProgress, Spread, Wider};
pub use bookmark::Lines;
pub use definition::{Afterwards, Extreme, Fade, Fit, Limit, Method, Normalise, Reduce, RunNumber, SlopeRule, Term, Trial, Unknown};
pub use measured_map::MeasuredMap;
pub use record::{FitRecord, FrontPoint, LimitRecord, Multiplier, Residual, Round, Start, UnknownRecord, Weak};
pub use search::SearchProgress;

pub(crate) use afterwards::{Again, afterwards};
pub(crate) use check::check;
pub(crate) use course::Way;
pub(crate) use fault::FitFault;
pub(crate) use judge::NAMED;
pub(crate) use measured_map::parse as parse_map;
pub(crate) use mover::{Correction, Mover};
pub(crate) use problem::{Given, Problem};
pub(crate) use runs::Trip;
pub(crate) use search::{SearchWatch, end, search};
