//! One list of events from several witnesses: the file, forces, markers, in this order.
//! Not here: the detectors.
//! In: events by method. Out: one list, each event with who said so, and how far the others are from it.

use crate::recording::{Event, EventKind, Side};
use std::fmt;

/// Events of a kind and side closer than this are the same event, s.
const SAME: f64 = 0.25;

/// Who found an event, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// It stands in the file.
    File,
    /// A force plate.
    Force,
    /// Distance of foot and pelvis.
    Zeni,
    /// Vertical velocity of the foot.
    FootVelocity,
    /// Speed of heel and toe.
    FootSpeed,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::File => "file",
            Method::Force => "force",
            Method::Zeni => "zeni",
            Method::FootVelocity => "foot-velocity",
            Method::FootSpeed => "foot-speed",
        })
    }
}

/// What one method found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Who.
    pub method: Method,
    /// What.
    pub events: Vec<Event>,
}

/// An event with who said so.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenEvent {
    /// The event.
    pub event: Event,
    /// Who.
    pub method: Method,
}

/// How far another method is from a chosen event.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Time of the chosen event, s.
    pub time: f64,
    /// What happens.
    pub kind: EventKind,
    /// Whose foot.
    pub side: Side,
    /// Who said the chosen time.
    pub chosen: Method,
    /// Who says otherwise.
    pub other: Method,
    /// Time of the other minus time of the chosen, s.
    pub late: f64,
}

/// Events of a trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// In order of time.
    pub events: Vec<ChosenEvent>,
    /// What other methods say about the same events.
    pub differences: Vec<Difference>,
}

impl Chosen {
    /// The events alone.
    pub fn plain(&self) -> Vec<Event> {
        self.events.iter().map(|chosen| chosen.event.clone()).collect()
    }
}

/// Merges events: those of the first method in precedence all count; a later method adds what is not there within a quarter of a second.
/// Strikes and offs with a side only. Test: `the_file_wins_over_forces_and_forces_over_markers`.
pub fn choose(found: &[Found]) -> Chosen {
    let mut order: Vec<&Found> = found.iter().collect();
    order.sort_by_key(|found| found.method);
    let mut chosen = Chosen::default();
    for Found { method, events } in order {
        let mut added = Vec::new();
        for event in events {
            let Some(side) = event.side.filter(|_| !matches!(event.kind, EventKind::Other(_))) else { continue };
            let same = |other: &&ChosenEvent| {
                other.event.kind == event.kind && other.event.side == event.side && (other.event.time - event.time).abs() < SAME
            };
            let nearest =
                |a: &&ChosenEvent, b: &&ChosenEvent| (a.event.time - event.time).abs().total_cmp(&(b.event.time - event.time).abs());
            match chosen.events.iter().filter(same).min_by(nearest) {
                Some(there) => chosen.differences.push(Difference {
                    time: there.event.time,
                    kind: event.kind.clone(),
                    side,
                    chosen: there.method,
                    other: *method,
                    late: event.time - there.event.time,
                }),
                None => added.push(ChosenEvent { event: event.clone(), method: *method }),
            }
        }
        chosen.events.extend(added);
    }
    chosen.events.sort_by(|a, b| a.event.time.total_cmp(&b.event.time));
    chosen
}
