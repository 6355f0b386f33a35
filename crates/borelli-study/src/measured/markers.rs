//! Markers of a recording meet those of a model: by label, with their weights.
//! Not here: the fit itself (`fit`), gaps and filters.
//! In: a recording and what the plan says of names and weights, a system with markers. Out: pairs, and what found no partner.

use super::plan::Markers;
use crate::pattern::fits;
use crate::plan_fault::PlanFault;
use borelli_dynamics::System;

/// A marker of the model and the point of the recording that it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    /// Point of the recording.
    pub point: usize,
    /// Marker of the model.
    pub marker: u32,
    /// Weight.
    pub weight: f64,
}

/// Markers with their points, in the order of the model; and what was decided, in one sentence.
pub(crate) fn pair(system: &System, ask: &Markers) -> Result<(Vec<Pair>, String), PlanFault> {
    let points = &ask.recording.points;
    let meant = |label: &str| ask.names.iter().find(|(file, _)| file == label).map_or(label.to_string(), |(_, model)| model.clone());
    let meanings: Vec<String> = points.iter().map(|point| meant(&point.name)).collect();
    if let Some((file, _)) = ask.names.iter().find(|(file, _)| points.iter().all(|point| point.name != *file)) {
        return Err(PlanFault::NoSuchPoint { label: file.clone(), path: ask.path.clone() });
    }
    let mut pairs = Vec::new();
    for (k, marker) in system.markers.iter().enumerate() {
        let exact = meanings.iter().position(|label| *label == marker.label);
        let point = exact.or_else(|| meanings.iter().position(|label| label.eq_ignore_ascii_case(&marker.label)));
        let Some(point) = point else { continue };
        let own = ask.weights.iter().rfind(|(pattern, _)| fits(pattern, &points[point].name));
        pairs.push(Pair { point, marker: k as u32, weight: own.map_or(marker.weight, |(_, weight)| *weight) });
    }
    if !pairs.iter().any(|pair| pair.weight > 0.0) {
        return Err(PlanFault::MarkersOfAnother {
            path: ask.path.clone(),
            points: points.iter().map(|point| point.name.clone()).collect(),
            markers: system.markers.iter().map(|marker| marker.label.clone()).collect(),
        });
    }
    let lost: Vec<&str> = (0..system.markers.len())
        .filter(|k| pairs.iter().all(|pair| pair.marker as usize != *k))
        .map(|k| system.markers[k].label.as_str())
        .collect();
    let idle: Vec<&str> =
        (0..points.len()).filter(|k| pairs.iter().all(|pair| pair.point != *k)).map(|k| points[k].name.as_str()).collect();
    let list = |what: &str, names: &[&str]| if names.is_empty() { String::new() } else { format!("; {what}: {}", names.join(", ")) };
    let told = format!(
        "{} of {} markers of the model are in `{}`{}{}",
        pairs.len(),
        system.markers.len(),
        ask.path,
        list("not there", &lost),
        list("not in the model", &idle)
    );
    Ok((pairs, told))
}
