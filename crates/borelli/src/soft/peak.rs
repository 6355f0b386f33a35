//! Where and when a quantity is highest.
//! Not here: words and tables of it.
//! In: a record. Out: values with frame, body and node.

use super::quantity::Quantity;
use borelli_study::soft_record::SoftRecord;

/// The highest or the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// Highest.
    Highest,
    /// Lowest.
    Lowest,
}

/// An extreme value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Value, SI.
    pub value: f64,
    /// Instant, by index.
    pub frame: usize,
    /// Body, by index.
    pub body: usize,
    /// Node of the body.
    pub node: usize,
}

/// The highest or lowest value of a body over all instants; nothing where no value is finite. The first of equal ones counts.
pub fn peak_of(record: &SoftRecord, quantity: Quantity, body: usize, which: Extreme) -> Option<Peak> {
    (0..record.frames.len()).filter_map(|frame| extreme(record, quantity, frame, body, which)).reduce(|a, b| further(a, b, which))
}

/// The highest value of each instant in a body; not a number where there is none.
pub fn highest(record: &SoftRecord, quantity: Quantity, body: usize) -> Vec<f64> {
    let value = |frame| extreme(record, quantity, frame, body, Extreme::Highest).map_or(f64::NAN, |peak| peak.value);
    (0..record.frames.len()).map(value).collect()
}

/// The instant at which the von Mises stress of any body is highest.
pub fn worst_frame(record: &SoftRecord) -> usize {
    let peaks = (0..record.bodies.len()).filter_map(|body| peak_of(record, Quantity::VonMises, body, Extreme::Highest));
    peaks.reduce(|a, b| further(a, b, Extreme::Highest)).map_or(0, |peak| peak.frame)
}

fn further(a: Peak, b: Peak, which: Extreme) -> Peak {
    let beyond = if which == Extreme::Highest { b.value > a.value } else { b.value < a.value };
    if beyond { b } else { a }
}

fn extreme(record: &SoftRecord, quantity: Quantity, frame: usize, body: usize, which: Extreme) -> Option<Peak> {
    let values = quantity.values(record, frame, body);
    let known = values.into_iter().enumerate().filter(|(_, value)| value.is_finite());
    known.map(|(node, value)| Peak { value, frame, body, node }).reduce(|a, b| further(a, b, which))
}
