//! Events of a C3D file.
//! Not here: events found in forces or markers (`gait`).
//! In: the group EVENT, or the header. Out: events on the clock of the recording, in order of time.

use super::header::Header;
use super::layout::Layout;
use super::parameters::Parameters;
use crate::recording::{Event, EventKind, Repair, Side};

/// Most events that are taken.
const MOST: usize = 65_535;

/// The events. Times of a file count from frame 1, those of a recording from its first frame:
///
///     t = 60 minutes + seconds - (first - 1)/rate
///
/// Tests: `events_are_read_from_the_group_and_else_from_the_header`.
pub(super) fn events(header: &Header, parameters: &Parameters, layout: &Layout, repairs: &mut Vec<Repair>) -> Vec<Event> {
    let lead = layout.first_frame.saturating_sub(1) as f64 / layout.rate;
    let mut list = if parameters.has_group("EVENT") { of_group(parameters, repairs) } else { of_header(header) };
    let before = list.len();
    list.retain(|event| event.time.is_finite());
    if list.len() < before {
        repairs.push(Repair::new("EVENT:TIMES", format!("{} events without a time", before - list.len()), "left out"));
    }
    list.iter_mut().for_each(|event| event.time -= lead);
    list.sort_by(|a, b| a.time.total_cmp(&b.time));
    list
}

fn of_group(parameters: &Parameters, repairs: &mut Vec<Repair>) -> Vec<Event> {
    let used = parameters.number("EVENT", "USED").map_or(0, |used| used as usize).min(MOST);
    let texts = |name: &str| parameters.list("EVENT", name, used, |view| view.texts());
    let (labels, contexts) = (texts("LABELS"), texts("CONTEXTS"));
    let times = parameters.list("EVENT", "TIMES", 2 * used, |view| view.numbers(true));
    let count = used.min(times.len() / 2);
    if count < used {
        repairs.push(Repair::new(
            "EVENT:TIMES",
            format!("{} times for {used} events", times.len() / 2),
            format!("{count} events are read"),
        ));
    }
    let text = |list: &[String], k: usize| list.get(k).cloned().unwrap_or_default();
    (0..count).map(|k| event(60.0 * times[2 * k] + times[2 * k + 1], &text(&labels, k), &text(&contexts, k))).collect()
}

fn of_header(header: &Header) -> Vec<Event> {
    header.events.iter().map(|(time, label)| event(*time, label, "")).collect()
}

/// An event by its words: `Foot Strike` with the context `Left`, or `LHS` alone.
fn event(time: f64, label: &str, context: &str) -> Event {
    let side_of = |c: char| match c {
        'L' => Some(Side::Left),
        'R' => Some(Side::Right),
        _ => None,
    };
    let first = |text: &str| text.chars().next().map(|c| c.to_ascii_uppercase());
    let context_side = match context.to_lowercase().as_str() {
        "left" => Some(Side::Left),
        "right" => Some(Side::Right),
        _ => None,
    };
    let kind_of = |word: &str| match word {
        "footstrike" | "heelstrike" | "initialcontact" | "hs" | "fs" | "ic" => Some(EventKind::FootStrike),
        "footoff" | "toeoff" | "to" | "fo" => Some(EventKind::FootOff),
        _ => None,
    };
    let word: String = label.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    if let Some(kind) = kind_of(&word) {
        return Event { time, kind, side: context_side };
    }
    if let Some(side) = first(label).and_then(side_of)
        && let Some(kind) = kind_of(word.get(1..).unwrap_or(""))
    {
        return Event { time, kind, side: context_side.or(Some(side)) };
    }
    Event { time, kind: EventKind::Other(label.to_string()), side: context_side }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_events_are_understood() {
        use EventKind::{FootOff, FootStrike, Other};
        for (label, context, kind, side) in [
            ("Foot Strike", "Left", FootStrike, Some(Side::Left)),
            ("FOOT OFF", "RIGHT", FootOff, Some(Side::Right)),
            ("LHS", "", FootStrike, Some(Side::Left)),
            ("RTO", "", FootOff, Some(Side::Right)),
            ("RHS", "General", FootStrike, Some(Side::Right)),
            ("Event", "General", Other("Event".into()), None),
            ("Release", "", Other("Release".into()), None),
            ("", "", Other(String::new()), None),
            ("ß", "", Other("ß".into()), None),
        ] {
            assert_eq!(event(1.0, label, context), Event { time: 1.0, kind, side }, "{label} {context}");
        }
    }
}
