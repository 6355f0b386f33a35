//! Measures: from a column over time, or a few numbers, to one number. One measure per file, one line in the list below.
//! Not here: which column, which run, which file; the caller hands in plain numbers. Whether a number is as expected.
//! In: [`Inputs`]. Out: a number and its dimension, or why there is none.

mod change;
mod crossing;
mod distance;
mod fault;
mod first;
mod inputs;
mod last;
mod max;
mod mean;
mod min;
mod order;
mod peak;
mod ratio;
mod rms;
mod series;
#[cfg(test)]
mod tests;
mod value;

pub use fault::MeasureFault;
pub use inputs::{Given, Inputs, Number, Options, Series, Subject, Takes};

use borelli_model::{Dim, Field, Need, Range, number};

/// A measure.
pub struct Measure {
    /// Name in files.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: &'static str,
    /// Its own fields: numbers (`Quantity`; the unit `*` is that of the column) and words (`Choice`, the first unless given).
    pub fields: &'static [Field],
    rule: Rule,
}

/// A number with its dimension; nothing where that is not known.
pub type Measured = Result<Number, MeasureFault>;

/// How a measure is computed, by what it is taken of.
enum Rule {
    Series(fn(Series, &Given) -> Measured),
    Pairs(fn(&[(Series, Series)], &Given) -> Measured),
    Points(fn(&[(f64, f64)]) -> Measured),
    Numbers(fn(Number, Number) -> Measured),
}

/// All measures.
pub static MEASURES: &[&Measure] = &[
    &value::VALUE,
    &first::FIRST,
    &last::LAST,
    &change::CHANGE,
    &min::MIN,
    &max::MAX,
    &mean::MEAN,
    &rms::RMS,
    &peak::PEAK,
    &crossing::CROSSING,
    &distance::DISTANCE,
    &order::ORDER,
    &ratio::RATIO,
];

/// The measure of a name.
pub fn find(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().copied().find(|measure| measure.name == name)
}

/// Where a measure looks; a field of all that can look at a part.
const FROM: Field = number("from", "s", Range::ANY, Need::Optional, "first time looked at");
const TO: Field = number("to", "s", Range::ANY, Need::Optional, "last time looked at");

impl Measure {
    /// What it is taken of.
    pub fn takes(&self) -> Takes {
        match self.rule {
            Rule::Series(_) => Takes::Series,
            Rule::Pairs(_) => Takes::Pairs,
            Rule::Points(_) => Takes::Points,
            Rule::Numbers(_) => Takes::Numbers,
        }
    }

    /// The number. The fields `from` and `to`, where the measure has them, choose the samples between, ends included.
    pub fn compute(&self, inputs: &Inputs) -> Measured {
        let given = Given { fields: self.fields, options: inputs.options };
        let (from, to) = (given.number("from").unwrap_or(f64::NEG_INFINITY), given.number("to").unwrap_or(f64::INFINITY));
        let measured = match (&self.rule, inputs.subject) {
            (Rule::Series(rule), Subject::Series(series)) => rule(series.checked()?.between(from, to)?, &given),
            (Rule::Pairs(rule), Subject::Pairs(pairs)) => {
                // only the reference is cut: its times are those compared, and the other is interpolated there from both sides
                let cut = pairs.iter().map(|(series, reference)| Ok((series.checked()?, reference.checked()?.between(from, to)?)));
                let pairs = cut.collect::<Result<Vec<_>, MeasureFault>>()?;
                rule(&pairs, &given)
            }
            (Rule::Points(rule), Subject::Points(points)) => rule(points),
            (Rule::Numbers(rule), Subject::Numbers(a, b)) => rule(a, b),
            (_, subject) => return Err(MeasureFault::WrongSubject { measure: self.name, wanted: self.takes(), given: subject.takes() }),
        };
        match measured {
            Ok(number) if !number.value.is_finite() => Err(MeasureFault::NotFinite { measure: self.name, value: number.value }),
            measured => measured,
        }
    }
}

/// The common dimension of two series, as far as known.
fn common(a: Option<Dim>, b: Option<Dim>) -> Result<Option<Dim>, MeasureFault> {
    match (a, b) {
        (Some(left), Some(right)) if !left.fits(right) => Err(MeasureFault::UnequalUnits { left, right }),
        _ => Ok(a.or(b)),
    }
}
