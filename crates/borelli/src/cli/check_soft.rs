//! What `borelli check` tells of soft parts: sizes of meshes, nodes that are held or may touch, gaps between tied boundaries.
//! Not here: how these are found (`borelli_dynamics::soft`).
//! Out: labelled lines, or JSON.

use borelli_dynamics::System;
use borelli_dynamics::coupled::TieGap;
use borelli_dynamics::soft::{Survey, SurveyedBody, survey};
use serde_json::{Value, json};

/// The largest gap at the start that each tie closes.
pub(super) type Gaps = Vec<(String, TieGap)>;

/// Gaps below this are rounding, m.
const ROUNDING: f64 = 1e-12;

fn look(system: &System) -> Option<Survey> {
    if system.has_soft() { system.soft_definition().ok().map(|definition| survey(&definition)) } else { None }
}

/// Lines for people; none without soft parts.
pub(super) fn lines(system: &System, gaps: &Gaps) -> Vec<(&'static str, String)> {
    let Some(Survey { bodies, ties, supports, loads, contacts }) = look(system) else { return Vec::new() };
    let body = |body: &SurveyedBody| {
        let SurveyedBody { name, nodes, cells, smallest_angle, area, volume, mass } = body;
        let angle = smallest_angle.to_degrees();
        let mass = if *mass > 0.0 { format!("{} kg", digits(*mass)) } else { "without mass".into() };
        let (area, volume) = (digits(area * 1e4), digits(volume * 1e6));
        format!("{name}: {nodes} nodes, {cells} cells, smallest angle {angle:.1} deg, {area} cm^2, {volume} cm^3, {mass}")
    };
    let mut lines: Vec<(&'static str, String)> = bodies.iter().map(|own| ("soft", body(own))).collect();
    for (label, list) in [("ties", ties), ("supports", supports), ("tractions", loads), ("touching", contacts)] {
        if !list.is_empty() {
            let gap = |name: &str| gaps.iter().find(|(tie, gap)| label == "ties" && tie == name && gap.distance > ROUNDING);
            let apart = |name: &str| gap(name).map_or(String::new(), |(_, gap)| format!(", up to {:.2e} mm apart", 1e3 * gap.distance));
            let words: Vec<String> = list.iter().map(|(name, nodes)| format!("{name} ({nodes} nodes{})", apart(name))).collect();
            lines.push((label, words.join(", ")));
        }
    }
    // A label stands once for all soft parts.
    let mut last = "";
    for (label, _) in &mut lines {
        let now = *label;
        if now == last {
            *label = "";
        }
        last = now;
    }
    lines
}

/// Five digits, small numbers too.
fn digits(x: f64) -> String {
    let decimals = if x > 0.0 { (4.0 - x.log10().floor()).clamp(0.0, 15.0) as usize } else { 0 };
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// The same for programs, in SI; null without soft parts.
pub(super) fn json(system: &System, gaps: &Gaps) -> Value {
    let Some(Survey { bodies, ties, supports, loads, contacts }) = look(system) else { return Value::Null };
    let body = |body: &SurveyedBody| {
        json!({
            "name": body.name,
            "nodes": body.nodes,
            "cells": body.cells,
            "smallest_angle": body.smallest_angle,
            "area": body.area,
            "volume": body.volume,
            "mass": body.mass,
        })
    };
    let counted =
        |list: &[(String, usize)]| -> Value { list.iter().map(|(name, nodes)| json!({ "name": name, "nodes": nodes })).collect() };
    let gap = |name: &str| gaps.iter().find(|(tie, _)| tie == name).map_or(0.0, |(_, gap)| gap.distance);
    let tied = |(name, nodes): &(String, usize)| json!({ "name": name, "nodes": nodes, "gap": gap(name) });
    json!({
        "parts": bodies.iter().map(body).collect::<Vec<_>>(),
        "ties": ties.iter().map(tied).collect::<Vec<_>>(),
        "supports": counted(&supports),
        "tractions": counted(&loads),
        "contacts": counted(&contacts),
    })
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn numbers_have_five_digits_whatever_their_size() {
        let words = [0.0, 1234567.0, 12.345678, 0.5, 0.000123456789].map(digits);
        assert_eq!(words, ["0", "1234567", "12.346", "0.5", "0.00012346"]);
    }
}
