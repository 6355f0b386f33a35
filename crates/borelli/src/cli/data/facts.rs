//! What is in a file, as JSON.
//! Not here: the same for people.
//! In: a file looked through. Out: one object; keys carry their units.

use super::{Look, event_words};
use borelli_data::recording::survey::{Range, Survey};
use serde_json::{Value, json};

/// The whole file.
pub(super) fn of(look: &Look) -> Value {
    let Survey { outline, clock, .. } = &look.survey;
    json!({
        "file": look.file,
        "format": look.format.name(),
        "bytes": look.bytes,
        "name": outline.name,
        "frames": clock.count,
        "rate_hz": clock.rate,
        "start_s": if clock.count > 0 { clock.time(0) } else { clock.start },
        "duration_s": look.survey.duration(),
        "evenly_spaced": !clock.uneven,
        "first_frame": outline.first_frame,
        "length_unit_of_file": outline.length_unit,
        "up": outline.up.map(|up| up.to_array()),
        "points": points(&look.survey),
        "channel_rate_hz": look.survey.channel_rate(),
        "channels": channels(&look.survey),
        "plates": plates(&look.survey),
        "plates_left_out": look.survey.no_plates,
        "events": outline.events.iter().map(|event| {
            let (kind, side) = event_words(event);
            json!({ "time_s": event.time, "event": kind, "side": side })
        }).collect::<Vec<Value>>(),
        "repairs": look.survey.repairs.iter().map(|r| json!({ "where": r.at, "found": r.found, "done": r.done })).collect::<Vec<Value>>(),
        "facts": outline.facts.iter().map(|(key, value)| json!([key, value])).collect::<Vec<Value>>(),
    })
}

fn span(range: Range) -> Value {
    range.found().map_or(Value::Null, |range| json!([range.low, range.high]))
}

fn points(survey: &Survey) -> Vec<Value> {
    let frames = survey.clock.count.max(1) as f64;
    let point = |p: &borelli_data::recording::survey::PointSurvey| {
        json!({
            "name": p.name,
            "seen_share": p.seen as f64 / frames,
            "gaps": p.gaps,
            "longest_gap_frames": p.longest_gap,
            "longest_gap_s": p.longest_gap as f64 / survey.clock.rate,
            "range_m": p.range.map(span),
        })
    };
    survey.points.iter().map(point).collect()
}

fn channels(survey: &Survey) -> Vec<Value> {
    let channel = |c: &borelli_data::recording::survey::ChannelSurvey| json!({ "name": c.name, "unit": c.unit, "derived": c.derived, "range": span(c.range), "missing": c.missing });
    survey.channels.iter().map(channel).collect()
}

fn plates(survey: &Survey) -> Vec<Value> {
    let plate = |found: &borelli_data::recording::survey::PlateSurvey| {
        let plate = &found.plate;
        json!({
            "name": plate.name,
            "kind": plate.kind.words(),
            "corners_m": plate.corners.map(|corners| corners.map(|corner| corner.to_array())),
            "peak_n": found.peak,
            "loaded_s": found.loaded,
            "threshold_n": plate.threshold,
            "inside_share": found.inside,
            "baseline": plate.baseline.as_ref().map(|rest| json!({
                "force_n": rest.force.to_array(), "moment_nm": rest.moment.to_array(), "from_s": rest.from.0, "to_s": rest.from.1,
            })),
        })
    };
    survey.plates.iter().map(plate).collect()
}
