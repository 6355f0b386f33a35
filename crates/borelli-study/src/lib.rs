//! Questions put to the engine: studies, their runs and what is expected of them, and whether all formulations say the same of a model.
//! Not here: mechanics (`borelli-dynamics`), printing.
//! In: study files and compiled systems. Out: plain numbers with names.

pub mod channels;
mod column_visitor;
pub mod columns;
pub mod compare;
pub mod constraint_wrench;
mod contact_columns;
pub mod control;
mod cores;
mod curve;
pub mod expect;
pub mod fit;
mod instant_columns;
mod load_columns;
pub mod measure;
pub mod measured;
pub mod mixed_solver;
mod pair_columns;
mod parameter_columns;
#[cfg(test)]
mod parameter_columns_tests;
pub mod pattern;
pub mod plan;
pub mod plan_fault;
pub mod pressure;
pub mod read;
mod root_residual;
pub mod run;
pub mod settings;
pub mod soft_columns;
pub mod soft_record;
pub mod states;
pub mod subject;
mod task_fault;
pub mod uncertainty;

pub use borelli_model::{column_formula, formula_dimension};
pub use compare::{Comparison, compare};
pub use plan::Plan;
pub use read::StudyFile;
pub use settings::apply_settings;
