//! Cycles: from a strike to the next strike of the same foot, with what happens between, and curves over them.
//! Not here: means over cycles (`ensemble`), numbers of a cycle (`spatiotemporal`).
//! In: events, or a curve over time. Out: cycles, or the curve at 0, 1, ... 100 per cent.

use super::contact::Contact;
use super::ensemble::SAMPLES;
use crate::recording::{Clock, Event, EventKind, Side};
use borelli_math::function::{Interpolation, Outside, Table};

/// How far a contact may end before the foot leaves the ground, or begin after it strikes, and still carry the whole stance, s.
const SLACK: f64 = 0.05;

/// One cycle of a foot. Times in s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycle {
    /// Whose.
    pub side: Side,
    /// Strike that begins it.
    pub start: f64,
    /// Next strike of the same foot.
    pub end: f64,
    /// When the foot leaves the ground.
    pub off: Option<f64>,
    /// When the other foot leaves the ground: end of the first double support.
    pub other_off: Option<f64>,
    /// When the other foot strikes: begin of the second double support.
    pub other_strike: Option<f64>,
}

impl Cycle {
    /// Length, s.
    pub fn duration(&self) -> f64 {
        self.end - self.start
    }

    /// A time in per cent of the cycle.
    pub fn percent(&self, time: f64) -> f64 {
        100.0 * (time - self.start) / self.duration()
    }

    /// Whether the whole stance was carried by contacts that are known to be this foot's alone, so that kinetics mean something.
    /// Contacts are given with the clock of their plate. Test: `kinetics_need_the_whole_stance_on_plates`.
    pub fn on_plates(&self, standing: &[(Side, &Clock, Contact)]) -> bool {
        let Some(off) = self.off else { return false };
        // A stance may pass from plate to plate: go on as far as contacts reach.
        let mut reached = self.start + SLACK;
        loop {
            let own = standing.iter().filter(|(side, ..)| *side == self.side).map(|(_, clock, contact)| contact.span(clock));
            let next = own.filter(|(from, to)| *from <= reached && *to > reached).map(|(_, to)| to).max_by(f64::total_cmp);
            match next {
                Some(to) if to + SLACK >= off => return true,
                Some(to) => reached = to,
                None => return false,
            }
        }
    }
}

/// Cycles of a side in order of time. A pair of strikes with more than one off between, or without any although offs of this foot are known before and
/// after, is not one cycle: a strike is missing, or one too many.
///
/// Tests: `one_strike_makes_no_cycle`, `a_missed_strike_makes_no_long_cycle`.
pub fn cycles(events: &[Event], side: Side) -> Vec<Cycle> {
    let times = |kind: EventKind, side: Side| {
        let mut list: Vec<f64> = events.iter().filter(|e| e.kind == kind && e.side == Some(side)).map(|e| e.time).collect();
        list.sort_by(f64::total_cmp);
        list
    };
    let strikes = times(EventKind::FootStrike, side);
    let offs = times(EventKind::FootOff, side);
    let other = side.other();
    let (other_strikes, other_offs) = (times(EventKind::FootStrike, other), times(EventKind::FootOff, other));
    let mut list = Vec::new();
    for pair in strikes.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        let within = |list: &[f64]| -> Vec<f64> { list.iter().copied().filter(|t| *t > start && *t < end).collect() };
        let own = within(&offs);
        let known = offs.first().is_some_and(|t| *t < end) && offs.last().is_some_and(|t| *t > start);
        if end <= start || own.len() > 1 || (own.is_empty() && known) {
            continue;
        }
        let (strikes, offs) = (within(&other_strikes), within(&other_offs));
        let single = |list: Vec<f64>| if list.len() == 1 { Some(list[0]) } else { None };
        list.push(Cycle { side, start, end, off: own.first().copied(), other_off: single(offs), other_strike: single(strikes) });
    }
    list
}

/// A curve at 0 to 100 per cent of a cycle, by a cubic spline through its samples. Nothing where the samples do not cover the cycle without a gap.
///
/// Test: `a_cubic_comes_back_exactly_at_101_samples`.
pub fn resample(times: &[f64], values: &[f64], seen: &[bool], start: f64, end: f64) -> Option<Vec<f64>> {
    let is_seen = |k: usize| seen.is_empty() || seen.get(k).copied().unwrap_or(false);
    let count = times.len().min(values.len());
    // A hair of tolerance: an event at the first or last sample is covered.
    let hair = 1e-9 * (end - start).abs();
    let first = (0..count).rev().find(|k| times[*k] <= start + hair)?;
    let last = (0..count).find(|k| times[*k] >= end - hair)?;
    if first >= last || !(first..=last).all(is_seen) {
        return None;
    }
    // The spline takes what is seen on both sides, so that its ends lie away from the cycle.
    let from = (0..first).rev().take_while(|k| is_seen(*k)).last().unwrap_or(first);
    let to = (last + 1..count).take_while(|k| is_seen(*k)).last().unwrap_or(last);
    let table = Table::new(times[from..=to].to_vec(), values[from..=to].to_vec(), Interpolation::Spline, Outside::Extrapolate).ok()?;
    let step = (end - start) / (SAMPLES - 1) as f64;
    Some((0..SAMPLES).map(|k| table.derivatives(start + k as f64 * step)[0]).collect())
}
