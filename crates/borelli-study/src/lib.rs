//! Questions put to the engine: at present, whether all formulations say the same of a model.
//! Not here: mechanics (`borelli-dynamics`), files, printing.
//! In: compiled systems. Out: plain numbers with names.

pub mod compare;
pub mod constraint_wrench;
pub mod formula_dimension;
pub mod measure;
pub mod plan;
pub mod run;
pub mod states;

pub use compare::{Comparison, compare};
pub use plan::Plan;
