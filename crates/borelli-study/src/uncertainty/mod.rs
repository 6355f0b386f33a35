//! Uncertainty: what is not known of a model and of measurements, and what that does to results.
//! Not here: distributions, designs and statistics (`borelli-fit`), reading (`read::uncertainty`), the run around it and linear propagation (`run`).
//! In: a system, a plan with uncertain inputs. Out: samples of runs, bands, rankings, and a record of them.

mod bands;
mod definition;
mod design;
mod fault;
mod inputs;
mod noise;
mod numbers;
mod ranking;
mod record;
mod samples;

pub use borelli_fit::uncertainty::bands::Band;
pub use definition::{Applied, Correlation, Input, Method, Noise, Shape, Sought, Uncertainty, Upon};
pub use record::{BandColumn, InputRecord, LinearRecord, Rank, ResultRecord, SampleRecord, UncertaintyRecord};
pub use samples::RunsProgress;

pub(crate) use bands::{Bands, bands};
pub(crate) use design::{Job, jobs, run_count};
pub(crate) use fault::UncertaintyFault;
pub(crate) use inputs::{Inputs, Known as KnownInput};
pub(crate) use noise::Noises;
pub(crate) use numbers::{check_numbers, numbers};
pub(crate) use ranking::rank;
pub(crate) use samples::{Ended, Experiment};
