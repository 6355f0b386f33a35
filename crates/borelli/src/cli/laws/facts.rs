//! Laws as JSON.
//! Not here: text for people.

use borelli::results::number;
use borelli_contact::catalogue::{About, Family, Panel};
use borelli_contact::continuity::{FrictionRow, NormalRow, Verdict};
use borelli_contact::law::{Declaration, Kind};
use serde_json::{Value, json};

/// What a law is: family, name, parameters, what its comment says.
pub fn law(family: &Family, kind: &Kind) -> Value {
    let about = About::of(kind.about);
    let parameter = |(p, typical): (&Declaration, &Option<f64>)| {
        json!({
            "name": p.name,
            "symbol": about.symbol(p.name),
            "unit": p.unit,
            "min": number(p.range.min),
            "max": number(p.range.max),
            "min_excluded": p.range.open_min,
            "default": p.need.default(),
            "typical": typical,
            "doc": p.doc,
        })
    };
    let own = json!({
        "family": family.name,
        "name": kind.name,
        "doc": kind.doc,
        "remembers": kind.remembers,
        "parameters": kind.parameters.iter().zip(kind.typical).map(parameter).collect::<Vec<_>>(),
        "orders": kind.orders.iter().map(|(greater, lesser)| json!({ "greater": greater, "lesser": lesser })).collect::<Vec<_>>(),
    });
    with_comment(own, &about)
}

/// What is known of a law, with what its comment says.
pub fn with_comment(mut law: Value, about: &About) -> Value {
    law["what"] = json!(about.what);
    law["equations"] = json!(about.equations);
    law["notes"] = json!(about.notes);
    law["source"] = json!(about.source);
    law["departures"] = json!(about.departures);
    law["limits"] = json!(about.limits);
    law
}

/// Curves; a gap is null.
pub fn curves(portrait: &[Panel]) -> Value {
    let numbers = |values: &[f64]| values.iter().map(|x| number(*x)).collect::<Vec<_>>();
    let panel = |panel: &Panel| {
        json!({
            "caption": panel.caption,
            "x": { "label": panel.x.label, "unit": panel.x.unit },
            "y": { "label": panel.y.label, "unit": panel.y.unit },
            "curves": panel.curves.iter().map(|c| json!({ "label": c.label, "x": numbers(&c.x), "y": numbers(&c.y) })).collect::<Vec<_>>(),
        })
    };
    portrait.iter().map(panel).collect()
}

/// Both tables of continuity. What holds only without a damper is false, and `only_without` names the damper.
pub fn continuity(friction: &[FrictionRow], normal: &[NormalRow]) -> Value {
    let verdict = |verdict: Verdict| {
        let only_without = if let Verdict::OnlyWithout(parameter) = verdict { Some(parameter) } else { None };
        json!({ "holds": verdict == Verdict::Yes, "only_without": only_without })
    };
    let friction = friction.iter().map(|row| {
        json!({
            "law": row.law,
            "force_in_slip": verdict(row.force),
            "slope_in_slip": verdict(row.slope),
            "force_at_touch_down": verdict(row.touch),
            "opposes_slip": verdict(row.opposes),
            "peak": row.peak.map(|peak| json!({ "over_static_force": peak.size, "slip": peak.speed })),
            "parameters": row.parameters,
        })
    });
    let normal = normal.iter().map(|row| {
        json!({
            "law": row.law,
            "touch_down": verdict(row.touch_down),
            "separation": verdict(row.separation),
            "can_clip": row.clips,
            "clips_in_free_impact": row.clips_in_impact,
            "restitution": number(row.restitution),
            "remembers": row.remembers,
            "parameters": row.parameters,
        })
    });
    json!({ "friction": friction.collect::<Vec<_>>(), "normal": normal.collect::<Vec<_>>() })
}
