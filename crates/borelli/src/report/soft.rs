//! What the section, the static pictures and the scripts of soft parts must agree on: ends of colours, words for instants.
//! Not here: drawing (`plot`), data (`data`), the section itself (`sections`).

use super::{Case, significant};
use crate::plot::round_top;
use crate::soft::{Quantity, Unit, unit_for};
use borelli_study::soft_record::SoftRecord;

/// A quantity with the ends of its colours in a case: a case with small stresses would be pale on the scale of one with large ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Coloured {
    pub quantity: Quantity,
    /// Unit in which it is told.
    pub unit: Unit,
    /// Values of the first and of the last colour, in the unit.
    pub ends: [f64; 2],
    /// Distance of marks on the bar, in the unit.
    pub step: f64,
}

/// Whether a case has soft parts that can be shown.
pub(super) fn shown(record: &SoftRecord) -> bool {
    !record.bodies.is_empty() && !record.frames.is_empty()
}

/// Stresses below this, Pa, are what rounding leaves of a part that carries nothing.
const NOTHING: f64 = 1e-6;

/// All quantities of soft parts. A scale begins at zero, below it only where there are negative values.
pub(super) fn coloured(record: &SoftRecord) -> Vec<Coloured> {
    let of = |quantity: Quantity| {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for frame in 0..record.frames.len() {
            for body in 0..record.bodies.len() {
                let values = quantity.values(record, frame, body);
                (low, high) = values.iter().filter(|x| x.is_finite()).fold((low, high), |(low, high), x| (low.min(*x), high.max(*x)));
            }
        }
        let (low, high) = if high.max(-low) < NOTHING { (0.0, 0.0) } else { (low, high) };
        let unit = unit_for(high.max(-low));
        // Rounding leaves some values just below zero that are none.
        let low = if -low < 1e-6 * high { 0.0 } else { low };
        let (_, step) = round_top(high.max(-low) * unit.factor);
        let beyond = |x: f64| if step > 0.0 { (x.abs() * unit.factor / step * (1.0 - 1e-9)).ceil() * step } else { 0.0 };
        Coloured {
            quantity,
            unit,
            ends: [-beyond(low), if step > 0.0 { beyond(high) } else { 1.0 }],
            step: if step > 0.0 { step } else { 1.0 },
        }
    };
    if shown(record) { Quantity::of(record).into_iter().map(of).collect() } else { Vec::new() }
}

/// Whether soft parts carry anything.
pub(super) fn carries(record: &SoftRecord) -> bool {
    let frames = 0..record.frames.len();
    let values = frames.flat_map(|frame| (0..record.bodies.len()).flat_map(move |body| Quantity::VonMises.values(record, frame, body)));
    values.into_iter().any(|x| x >= NOTHING)
}

/// Whether the instants of a case are parts of the load, not times.
pub(super) fn by_load(case: &Case) -> bool {
    case.method.iter().any(|(key, value)| key == "analysis" && value == "statics")
}

/// An instant in words: `at 0.35 s`, `under 40 % of the load`.
pub(super) fn instant(case: &Case, t: f64) -> String {
    match by_load(case) {
        true if t == 1.0 => "under the full load".into(),
        true => format!("under {} % of the load", significant(100.0 * t, 4)),
        false => format!("at {} s", significant(t, 4)),
    }
}
