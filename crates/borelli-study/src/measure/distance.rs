//! The distance of columns from references: columns of a file or of another run.
//! Not here: reading files, running references.
//! In: series with their references. Out: one number over all samples of all references.
//!
//!     max        max |y − r|                                                           in the unit of the columns
//!     rms        √(mean over columns of the mean over samples of (y − r)²)             in the unit of the columns
//!     benchmark  √(mean over columns of the mean over samples of (|y − r|/max(|r|, r₀))²)      a pure number
//!
//! `benchmark` after Gonzalez, Dopico, Lugris, Cuadrado 2006, Multibody Syst. Dyn. 16:179-190, with r₀ = 1e-3 in SI unless given. y is taken at
//! the times of r; every time at which r has a value must lie within the series.

use super::{FROM, Given, Measure, MeasureFault, Measured, Number, Rule, Series, TO, common};
use borelli_model::{Dim, Field, FieldKind, Need, Range, number};

pub(super) static DISTANCE: Measure = Measure {
    name: "distance",
    doc: "distance from reference columns, at the times of these",
    fields: &[
        Field { name: "norm", kind: FieldKind::Choice(&["max", "rms", "benchmark"]), need: Need::Optional, doc: "how it is summed up" },
        number("threshold", "*", Range::POSITIVE, Need::Default(1e-3), "least value errors are relative to, for `benchmark`"),
        FROM,
        TO,
    ],
    rule: Rule::Pairs(distance),
};

fn distance(pairs: &[(Series, Series)], given: &Given) -> Measured {
    let (norm, threshold) = (given.word("norm")?, given.number("threshold")?);
    let (mut largest, mut sum): (f64, f64) = (0.0, 0.0);
    let mut dim = None;
    for (series, reference) in pairs {
        let own = common(series.dim, reference.dim)?;
        dim = if norm == "benchmark" { Some(Dim::NONE) } else { common(dim, own)? };
        let (mut squares, mut count) = (0.0, 0);
        for (time, r) in reference.samples() {
            let scale = if norm == "benchmark" { r.abs().max(threshold) } else { 1.0 };
            let d = (series.at(time)? - r).abs() / scale;
            largest = if d.is_nan() { f64::INFINITY } else { largest.max(d) };
            squares += d * d;
            count += 1;
        }
        sum += squares / f64::from(count);
    }
    if pairs.is_empty() {
        return Err(MeasureFault::NoSamples { from: f64::NEG_INFINITY, to: f64::INFINITY });
    }
    let value = if norm == "max" { largest } else { (sum / pairs.len() as f64).sqrt() };
    Ok(Number::new(value, dim))
}
