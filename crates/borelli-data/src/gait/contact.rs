//! Contacts by force: when the load of a plate exceeds a threshold.
//! Not here: whose foot it is (`plate_foot`), events by markers.
//! In: load over time. Out: contacts with the times at which they begin and end.

use crate::recording::{Clock, Event, EventKind, Side};

/// Load that counts as contact unless said otherwise, N.
pub const THRESHOLD: f64 = 20.0;

/// Contacts shorter than this are knocks and noise, s.
pub const SHORTEST_CONTACT: f64 = 0.1;

/// A stretch of time in which a plate was loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// First sample above the threshold.
    pub first: usize,
    /// Last sample above the threshold.
    pub last: usize,
    /// When the load rose through the threshold, s; nothing where the record begins loaded.
    pub strike: Option<f64>,
    /// When it fell through the threshold, s; nothing where the record ends loaded.
    pub off: Option<f64>,
}

impl Contact {
    /// Begin and end, s: the crossings, or the ends of the record.
    pub fn span(&self, clock: &Clock) -> (f64, f64) {
        (self.strike.unwrap_or_else(|| clock.time(self.first)), self.off.unwrap_or_else(|| clock.time(self.last)))
    }
}

/// Contacts of a load: crossings of the threshold, linear between samples. Contacts that begin and end within `shortest` seconds are left out;
/// one that the record cuts off is kept however short.
///
/// Tests: `a_contact_at_the_start_has_no_strike`, `short_knocks_are_no_contacts`, `forces_give_the_times_of_the_reference`.
pub fn contacts(clock: &Clock, load: &[f64], threshold: f64, shortest: f64) -> Vec<Contact> {
    let above = |k: usize| load[k] > threshold;
    let crossing = |k: usize| {
        // Between samples k and k + 1, one of which is above; they differ, so the quotient exists.
        let s = (threshold - load[k]) / (load[k + 1] - load[k]);
        clock.time(k) + s * (clock.time(k + 1) - clock.time(k))
    };
    let count = load.len().min(clock.count);
    let mut list = Vec::new();
    let mut k = 0;
    while k < count {
        if !above(k) {
            k += 1;
            continue;
        }
        let first = k;
        while k < count && above(k) {
            k += 1;
        }
        let strike = (first > 0).then(|| crossing(first - 1));
        let off = (k < count).then(|| crossing(k - 1));
        let knock = matches!((strike, off), (Some(strike), Some(off)) if off - strike < shortest);
        if !knock {
            list.push(Contact { first, last: k - 1, strike, off });
        }
    }
    list
}

/// Strikes and offs of contacts whose foot is known. Contacts of one foot that overlap in time, as on two plates, count as one.
/// Test: `a_foot_on_two_plates_strikes_once`.
pub fn force_events(standing: &[(Side, Contact)]) -> Vec<Event> {
    let mut events = Vec::new();
    for side in Side::BOTH {
        // A contact without strike began before the record, one without off goes on after it.
        let spans = standing.iter().filter(|(whose, _)| *whose == side);
        let mut spans: Vec<(f64, f64)> =
            spans.map(|(_, c)| (c.strike.unwrap_or(f64::NEG_INFINITY), c.off.unwrap_or(f64::INFINITY))).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut joined: Vec<(f64, f64)> = Vec::new();
        for span in spans {
            match joined.last_mut() {
                Some(last) if span.0 <= last.1 => last.1 = last.1.max(span.1),
                _ => joined.push(span),
            }
        }
        for (strike, off) in joined {
            let both = [(strike, EventKind::FootStrike), (off, EventKind::FootOff)];
            events.extend(both.into_iter().filter(|(t, _)| t.is_finite()).map(|(time, kind)| Event { time, kind, side: Some(side) }));
        }
    }
    events.sort_by(|a, b| a.time.total_cmp(&b.time));
    events
}
