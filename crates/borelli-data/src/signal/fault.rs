//! Everything that can be wrong with a signal or with what is asked of it.
//! Not here: faults of files and tables.
//! In: facts. Out: code, message and hint through [`Explain`].

use crate::explain::Explain;
use std::fmt;

/// A fault of a signal. Each variant carries the facts; its code is its name in kebab-case.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum SignalFault {
    /// A rate that is not positive and finite, samples/s.
    BadRate { rate: f64 },
    /// A filter order that is not offered.
    BadOrder { order: usize, most: usize },
    /// More passes than forward and backward, or none.
    BadPasses { passes: usize },
    /// A cut-off that the rate cannot carry, Hz.
    CutoffTooHigh { cutoff: f64, highest: f64, rate: f64 },
    /// A cut-off that is not positive, Hz.
    BadCutoff { cutoff: f64 },
    /// Edges of pass band and stop band that do not follow each other below half the rate, Hz.
    BadBands { pass: f64, stop: f64, rate: f64 },
    /// Losses in dB of which the first must be positive and below the second.
    BadLosses { pass: f64, stop: f64 },
    /// Fewer samples than needed.
    TooFewSamples { found: usize, needed: usize },
    /// NaN or infinity in a signal.
    SampleNotFinite { sample: usize, value: f64 },
    /// As many values as times are needed.
    SampleCounts { times: usize, values: usize },
    /// A time not after the one before.
    SampleTimes { sample: usize, time: f64, previous: f64 },
    /// Times that are not even, where only even ones will do; how far the worst is from its even place, in intervals.
    UnevenTimes { sample: usize, time: f64, off: f64 },
    /// A weight that is negative or not finite.
    BadWeight { sample: usize, weight: f64 },
    /// A smoothing parameter that is negative or not finite, or beyond what the numbers can carry.
    BadSmoothing { lambda: f64 },
    /// A time at which nothing was recorded.
    OutsideRecord { time: f64, first: f64, last: f64 },
    /// A grid of cut-offs, or the part of it to fit, with too few points.
    TooFewCutoffs { found: usize, needed: usize },
}

use SignalFault::*;

impl Explain for SignalFault {
    fn code(&self) -> &'static str {
        match self {
            BadRate { .. } => "bad-rate",
            BadOrder { .. } => "bad-order",
            BadPasses { .. } => "bad-passes",
            CutoffTooHigh { .. } => "cutoff-too-high",
            BadCutoff { .. } => "bad-cutoff",
            BadBands { .. } => "bad-bands",
            BadLosses { .. } => "bad-losses",
            TooFewSamples { .. } => "too-few-samples",
            SampleNotFinite { .. } => "sample-not-finite",
            SampleCounts { .. } => "sample-counts",
            SampleTimes { .. } => "sample-times",
            UnevenTimes { .. } => "uneven-times",
            BadWeight { .. } => "bad-weight",
            BadSmoothing { .. } => "bad-smoothing",
            OutsideRecord { .. } => "outside-record",
            TooFewCutoffs { .. } => "too-few-cutoffs",
        }
    }

    fn message(&self) -> String {
        match self {
            BadRate { rate } => format!("a rate of {rate} samples per second is not possible"),
            BadOrder { order, most } => format!("a filter of order {order} is not offered; orders are 1 to {most}"),
            BadPasses { passes } => format!("a filter runs once or twice, not {passes} times"),
            CutoffTooHigh { cutoff, highest, rate } => {
                format!("a cut-off of {cutoff} Hz is too high for {rate} samples per second; it must stay below {highest} Hz")
            }
            BadCutoff { cutoff } => format!("a cut-off of {cutoff} Hz is not positive"),
            BadBands { pass, stop, rate } => {
                format!("the pass band to {pass} Hz and the stop band from {stop} Hz do not fit below half of {rate} samples per second")
            }
            BadLosses { pass, stop } => format!("a loss of {pass} dB in the pass band and of {stop} dB in the stop band is not a filter"),
            TooFewSamples { found, needed } => format!("the signal has {found} samples, at least {needed} are needed"),
            SampleNotFinite { sample, value } => format!("sample {sample} is {value}"),
            SampleCounts { times, values } => format!("there are {times} times but {values} values"),
            SampleTimes { sample, time, previous } => format!("sample {sample} is at {time} s, not after {previous} s"),
            UnevenTimes { sample, time, off } => {
                format!("times are not even: sample {sample} at {time} s is {off:.2} intervals from its place")
            }
            BadWeight { sample, weight } => format!("sample {sample} has the weight {weight}"),
            BadSmoothing { lambda } => format!("a smoothing parameter of {lambda} is not possible"),
            OutsideRecord { time, first, last } => format!("{time} s is outside the record from {first} s to {last} s"),
            TooFewCutoffs { found, needed } => {
                format!("a residual analysis over {found} cut-offs is not possible, at least {needed} are needed")
            }
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            CutoffTooHigh { .. } => "half the rate is the highest frequency that samples can show".into(),
            BadBands { .. } => "0 < pass band < stop band < half the rate".into(),
            BadLosses { .. } => "0 < loss in the pass band < loss in the stop band; 3.0103 dB is the usual cut-off".into(),
            SampleNotFinite { .. } => "a missing sample is told by the mask, not by a number".into(),
            UnevenTimes { .. } => "filters need even samples: take a smoothing spline, or resample first".into(),
            BadWeight { .. } => "weights are positive; zero leaves a sample out".into(),
            _ => return None,
        })
    }
}

impl fmt::Display for SignalFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for SignalFault {}

/// The first sample that is no number, as a fault.
pub(super) fn check_finite(x: &[f64]) -> Result<(), SignalFault> {
    match x.iter().position(|value| !value.is_finite()) {
        Some(sample) => Err(SampleNotFinite { sample, value: x[sample] }),
        None => Ok(()),
    }
}

/// As many values as times, all finite, and times that increase.
pub(super) fn check_series(times: &[f64], values: &[f64]) -> Result<(), SignalFault> {
    if times.len() != values.len() {
        return Err(SampleCounts { times: times.len(), values: values.len() });
    }
    check_finite(times)?;
    check_finite(values)?;
    match times.windows(2).position(|t| t[1] <= t[0]) {
        Some(k) => Err(SampleTimes { sample: k + 1, time: times[k + 1], previous: times[k] }),
        None => Ok(()),
    }
}
