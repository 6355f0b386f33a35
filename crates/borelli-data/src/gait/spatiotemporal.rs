//! Spatio-temporal numbers of a walk: times, lengths, supports, speed, by side, with their symmetry and dimensionless forms.
//! Not here: cycles and events.
//! In: cycles and tracks of both heels, X forward, Z right. Out: numbers of each cycle and their means.

use super::cycle::Cycle;
use super::symmetry::{symmetry_angle, symmetry_index};
use crate::recording::{Clock, PointSeries, Side};
use borelli_math::Vec3;

/// Standard gravity, m/s².
const G: f64 = 9.80665;

/// One kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its name in tables.
    pub name: &'static str,
    /// Its unit; `%` is of the cycle.
    pub unit: &'static str,
    /// What it is made dimensionless by, if anything (Hof): length, time, speed or frequency.
    scale: Scale,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    None,
    Length,
    Time,
    Speed,
    PerMinute,
}

const fn number(name: &'static str, unit: &'static str, scale: Scale) -> Number {
    Number { name, unit, scale }
}

/// All numbers, in the order of [`CycleNumbers::values`].
pub const NUMBERS: [Number; 12] = [
    number("stride_time", "s", Scale::Time),
    number("cadence", "steps/min", Scale::PerMinute),
    number("stride_length", "m", Scale::Length),
    number("speed", "m/s", Scale::Speed),
    number("step_time", "s", Scale::Time),
    number("step_length", "m", Scale::Length),
    number("step_width", "m", Scale::Length),
    number("stance", "%", Scale::None),
    number("swing", "%", Scale::None),
    number("single_support", "%", Scale::None),
    number("first_double_support", "%", Scale::None),
    number("second_double_support", "%", Scale::None),
];

/// Numbers of one cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct CycleNumbers {
    /// Whose.
    pub side: Side,
    /// In the order of [`NUMBERS`]; nothing where an event or a marker is missing.
    pub values: [Option<f64>; 12],
}

impl CycleNumbers {
    /// Leaves out what depends on the way of the body over the floor: lengths of strides and steps, and speed.
    pub fn without_travel(&mut self) {
        for (number, value) in NUMBERS.iter().zip(&mut self.values) {
            if ["stride_length", "step_length", "speed"].contains(&number.name) {
                *value = None;
            }
        }
    }

    /// A number by its name.
    pub fn get(&self, name: &str) -> Option<f64> {
        NUMBERS.iter().position(|number| number.name == name).and_then(|k| self.values[k])
    }
}

/// Place of a point at a time, linear between frames; nothing outside or in a gap.
pub(super) fn place(clock: &Clock, point: &PointSeries, time: f64) -> Option<Vec3<f64>> {
    let at = (time - clock.start) * clock.rate;
    let whole = at.round();
    // An event at a frame needs only that frame.
    let (k, s) = if (at - whole).abs() < 1e-6 { (whole, 0.0) } else { (at.floor(), at - at.floor()) };
    if !(k >= 0.0 && (k as usize) < clock.count) {
        return None;
    }
    let k = k as usize;
    let seen = |k: usize| point.seen.get(k).copied().unwrap_or(false).then(|| point.position[k]);
    let a = seen(k)?;
    if s == 0.0 { Some(a) } else { seen(k + 1).map(|b| a + (b - a).scale(s)) }
}

/// Numbers of a cycle. Steps are those that end with the cycle: from the strike of the other foot to the strike that ends it; their length is from
/// where the other heel struck to where the own heel strikes along X, as of footprints, so that two steps are a stride: at the own strike the other
/// heel has often lifted and moved forward by some centimetres. Their width is from the left to the right heel along Z at the own strike (negative
/// when feet cross). `belt_speed` is that of a treadmill, zero on the ground. Test: `a_synthetic_walk_has_the_numbers_it_was_made_with`.
pub fn cycle_numbers(
    cycle: &Cycle,
    clock: &Clock,
    own_heel: Option<&PointSeries>,
    other_heel: Option<&PointSeries>,
    belt_speed: f64,
) -> CycleNumbers {
    let T = cycle.duration();
    let at = |heel: Option<&PointSeries>, time: f64| heel.and_then(|heel| place(clock, heel, time));
    let (first, last, other) = (at(own_heel, cycle.start), at(own_heel, cycle.end), at(other_heel, cycle.end));
    let stride = first.zip(last).map(|(a, b)| b.x - a.x + belt_speed * T);
    let apart = last.zip(other).map(|(own, other)| own - other);
    let print = cycle.other_strike.and_then(|strike| at(other_heel, strike).map(|heel| heel.x - belt_speed * (cycle.end - strike)));
    let share = |from: Option<f64>, to: Option<f64>| from.zip(to).filter(|(a, b)| b >= a).map(|(a, b)| 100.0 * (b - a) / T);
    let (start, end) = (Some(cycle.start), Some(cycle.end));
    CycleNumbers {
        side: cycle.side,
        values: [
            Some(T),
            Some(120.0 / T),
            stride,
            stride.map(|length| length / T),
            cycle.other_strike.map(|strike| cycle.end - strike),
            last.zip(print).map(|(own, other)| own.x - other),
            apart.map(|d| cycle.side.sign() * d.z),
            share(start, cycle.off),
            share(cycle.off, end),
            share(cycle.other_off, cycle.other_strike),
            share(start, cycle.other_off),
            share(cycle.other_strike, cycle.off),
        ],
    }
}

/// Mean of a number over cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Standard deviation with n - 1; nothing for one cycle.
    pub sd: Option<f64>,
    /// Cycles.
    pub count: usize,
}

/// A number over all cycles of a walk.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Which.
    pub number: Number,
    /// Right cycles.
    pub right: Option<Spread>,
    /// Left cycles.
    pub left: Option<Spread>,
    /// All cycles.
    pub both: Option<Spread>,
    /// `200 (R - L)/(R + L)`, per cent.
    pub symmetry_index: Option<f64>,
    /// Symmetry angle, per cent.
    pub symmetry_angle: Option<f64>,
    /// Mean of all cycles made dimensionless, where a leg length is known.
    pub dimensionless: Option<f64>,
}

fn spread(values: &[f64]) -> Option<Spread> {
    let n = values.len();
    let mean = values.iter().sum::<f64>() / n as f64;
    let sd = (n > 1).then(|| (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1) as f64).sqrt());
    (n > 0).then_some(Spread { mean, sd, count: n })
}

/// Means over cycles of each side, symmetry, and dimensionless forms by the leg length in m.
pub fn summary(cycles: &[CycleNumbers], leg_length: Option<f64>) -> Vec<Summary> {
    let one = |(k, number): (usize, &Number)| {
        let values = |side: Option<Side>| -> Vec<f64> {
            cycles.iter().filter(|c| side.is_none_or(|side| c.side == side)).filter_map(|c| c.values[k]).collect()
        };
        let all = values(None);
        let (right, left, both) = (spread(&values(Some(Side::Right))), spread(&values(Some(Side::Left))), spread(&all));
        // The range of the number over all cycles, zero included: sums that are small against it are noise.
        let (least, most) = all.iter().fold((0.0_f64, 0.0_f64), |(a, b), v| (a.min(*v), b.max(*v)));
        let sides = right.zip(left).map(|(r, l)| (r.mean, l.mean));
        Summary {
            number: *number,
            symmetry_index: sides.and_then(|(r, l)| symmetry_index(r, l, most - least)),
            symmetry_angle: sides.and_then(|(r, l)| symmetry_angle(r, l, most - least)),
            dimensionless: both.zip(leg_length).and_then(|(spread, leg)| hof(number, spread.mean, leg)),
            right,
            left,
            both,
        }
    };
    NUMBERS.iter().enumerate().map(one).collect()
}

/// A number without dimension: lengths over l, times over sqrt(l/g), speeds over sqrt(g l), steps per minute as steps per sqrt(l/g).
///
/// Source: A. L. Hof 1996, Gait & Posture 4:222-223. Test: `a_synthetic_walk_has_the_numbers_it_was_made_with`.
pub fn hof(number: &Number, value: f64, leg_length: f64) -> Option<f64> {
    if !(leg_length > 0.0) {
        return None;
    }
    let time = (leg_length / G).sqrt();
    match number.scale {
        Scale::None => None,
        Scale::Length => Some(value / leg_length),
        Scale::Time => Some(value / time),
        Scale::Speed => Some(value / (G * leg_length).sqrt()),
        Scale::PerMinute => Some(value / 60.0 * time),
    }
}
