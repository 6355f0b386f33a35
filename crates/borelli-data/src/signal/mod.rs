//! Signals: low-pass filters without lag, choice of their cut-off, smoothing splines, gaps, other rates.
//! Not here: files, what a channel means, markers on bodies but for gaps between them.
//! In: samples with their rate or times, and a mask where something is missing. Out: samples, splines, and what was done.

mod butterworth;
mod fault;
mod foreign;
mod gap;
mod resample;
mod residual;
mod segment;
mod smoothing_spline;
#[cfg(test)]
mod tests;

pub use butterworth::{Butterworth, Correction};
pub use fault::SignalFault;
pub use foreign::foreign_filter;
pub use gap::{GapFill, GapMethod, MAX_GAP, fill_gaps};
pub use resample::{even_rate, resample};
pub use residual::{ResidualAnalysis, ResidualOptions, analyse_residuals, propose_cutoff};
pub use segment::{Unfiltered, filter_seen, segments, unwrap_angles};
pub use smoothing_spline::{SmoothingSpline, natural_quintic};
