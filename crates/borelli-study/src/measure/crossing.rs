//! The time at which a series crosses a level.
//! Not here: events located while a run is computed (`borelli-dynamics`).
//! In: a series, a level, a direction, a count. Out: the time, s.

use super::{FROM, Given, Measure, MeasureFault, Measured, Number, Rule, Series, TO};
use borelli_model::{Dim, Field, FieldKind, Need, Range, number};

pub(super) static CROSSING: Measure = Measure {
    name: "crossing",
    doc: "time of the n-th crossing of a level, on the cubic through the four nearest samples",
    fields: &[
        number("level", "*", Range::ANY, Need::Default(0.0), "the level"),
        Field { name: "direction", kind: FieldKind::Choice(&["any", "rising", "falling"]), need: Need::Optional, doc: "which way" },
        number("nth", "1", Range::POSITIVE, Need::Default(1.0), "which crossing of that direction, from 1"),
        FROM,
        TO,
    ],
    rule: Rule::Series(crossing),
};

fn crossing(series: Series, given: &Given) -> Measured {
    let (level, direction, nth) = (given.number("level")?, given.word("direction")?, given.number("nth")?);
    if !(nth >= 1.0 && nth.fract() == 0.0) {
        return Err(MeasureFault::NoCount { field: "nth", value: nth });
    }
    let wanted = nth as usize;
    let mut found = 0;
    let time = crossings(series, level).find(|(_, rising)| {
        found += usize::from(direction == "any" || *rising == (direction == "rising"));
        found == wanted
    });
    match time {
        Some((time, _)) => Ok(Number::new(time, Dim::TIME)),
        None => Err(MeasureFault::NoCrossing { level, direction, wanted, found }),
    }
}

/// Times at which the series goes from one side of the level to the other, and whether it rises.
///
/// Samples on the level belong to the crossing they are part of, which is at the first of them; reaching the level at the end counts, touching
/// it or starting on it does not. Missing values begin anew.
fn crossings(series: Series<'_>, level: f64) -> impl Iterator<Item = (f64, bool)> {
    // side left last, and since when the series has been on the level
    let (mut side, mut reached): (Option<bool>, Option<f64>) = (None, None);
    let count = series.values.len();
    (0..=count).filter_map(move |k| {
        let offset = if k < count { series.values[k] - level } else { f64::NAN };
        if offset == 0.0 {
            reached = reached.or(side.map(|_| series.time[k]));
            return None;
        }
        let above = if offset.is_nan() { None } else { Some(offset > 0.0) };
        let (before, since) = (std::mem::replace(&mut side, above), reached.take());
        match (before, above, since) {
            (Some(before), Some(after), _) if before == after => None,
            (Some(before), _, Some(time)) => Some((time, !before)),
            (Some(before), Some(_), None) => Some((root(series, k - 1, level), !before)),
            _ => None,
        }
    })
}

/// Where the local cubic of interval k passes the level: by halving, since the samples at its ends lie on both sides.
fn root(series: Series, k: usize, level: f64) -> f64 {
    let (mut low, mut high) = (series.time[k], series.time[k + 1]);
    let below = series.values[k] < level;
    loop {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            return high;
        }
        if (series.cubic(k, middle) < level) == below { low = middle } else { high = middle }
    }
}
