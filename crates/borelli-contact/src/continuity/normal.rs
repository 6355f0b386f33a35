//! Normal laws, scanned through touch-down and separation, and struck freely.

use super::scan::jumps;
use super::{Verdict, judge};
use crate::catalogue::impact::{Answer, Striker, strike};
use crate::law::{Fault, Kind};
use crate::normal::Normal;
use crate::volume::Volumetric;

/// Speed of approach and of the first touch, m/s.
const APPROACH: f64 = 0.5;

/// Speed of retreat, m/s: slower than the approach, as after an impact.
const RETREAT: f64 = 0.3;

/// Depth to which is scanned, m.
const DEPTH: f64 = 5e-3;

/// Retreat up to which is looked whether a law lets go, m/s: a hundred times the approach.
const FASTEST_RETREAT: f64 = 50.0;

/// What a normal law promises.
#[derive(Clone, Debug, PartialEq)]
pub struct NormalRow {
    /// Name of the law.
    pub law: &'static str,
    /// Force continuous in depth where contact begins, on approach.
    pub touch_down: Verdict,
    /// Force continuous in depth where contact ends, on retreat.
    pub separation: Verdict,
    /// The law would pull on a fast retreat, and is clipped.
    pub clips: bool,
    /// It is so already in a free impact.
    pub clips_in_impact: bool,
    /// Speed after over speed before a free impact of 1 kg at 0.5 m/s.
    pub restitution: f64,
    /// Whether it needs the speed of the first touch.
    pub remembers: bool,
    /// How many numbers the law has.
    pub parameters: usize,
}

/// A row for every normal law, and one for the bed of springs under a sphere.
pub fn normal_rows() -> Result<Vec<NormalRow>, Fault> {
    let points = Normal::<f64>::KINDS.iter().map(|kind| row(kind, |values| Normal::new(kind.name, values).map(Striker::Point)));
    let bed = [&Volumetric::<f64>::KIND].into_iter().map(|kind| row(kind, |values| Volumetric::new(values).map(Striker::Sphere)));
    points.chain(bed).collect()
}

fn row(kind: &Kind, make: impl Fn(&[(&str, f64)]) -> Result<Striker, Fault> + Copy) -> Result<NormalRow, Fault> {
    let at =
        |rate: f64| move |law: &Striker| jumps(|depth| law.answer(depth, rate, APPROACH).force, -DEPTH, DEPTH, 1e-13 * DEPTH).is_empty();
    let law = make(&kind.typical_values())?;
    let impact = strike(&law, APPROACH);
    let lets_go = |k: usize| law.answer(0.2 * DEPTH, -FASTEST_RETREAT * k as f64 / 1000.0, APPROACH);
    let clipped = |answer: Answer| answer.clipped;
    Ok(NormalRow {
        law: kind.name,
        touch_down: judge(kind, make, at(APPROACH))?,
        separation: judge(kind, make, at(-RETREAT))?,
        clips: (1..=1000).map(lets_go).any(clipped),
        clips_in_impact: impact.clipped,
        restitution: impact.restitution,
        remembers: kind.remembers,
        parameters: kind.parameters.len(),
    })
}
