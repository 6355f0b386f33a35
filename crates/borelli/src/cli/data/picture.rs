//! What is in a file, as a picture: heights of markers, gaps, forces of plates.
//! Not here: how curves are drawn (`plot`).
//! In: a file looked through. Out: SVG.

use borelli::plot::{Axis, Plot, Series, panels};
use borelli_data::recording::survey::{PointSurvey, Survey};

/// Curves in one frame; more cannot be told apart.
const TOGETHER: usize = 8;
/// Points of a force curve.
const CURVE: usize = 2000;

/// The picture.
pub(super) fn of(survey: &Survey, format: &str) -> String {
    let mut plots = heights(survey, vertical(survey, format));
    plots.extend(gaps(survey));
    plots.extend(forces(survey));
    if plots.is_empty() {
        plots.push(Plot { title: "no points and no plates".into(), x: Axis::new("time", "s"), ..Plot::default() });
    }
    panels(&plots)
}

/// The axis that is up: as the file says, else z for C3D files and y for text, as is their habit.
fn vertical(survey: &Survey, format: &str) -> usize {
    let said = survey.outline.up.and_then(|up| up.to_array().iter().position(|part| *part != 0.0));
    said.unwrap_or(if format == "c3d" { 2 } else { 1 })
}

/// Times of the places that a survey keeps.
fn times(survey: &Survey) -> Vec<f64> {
    (0..survey.clock.count).step_by(survey.step).map(|k| survey.clock.time(k)).collect()
}

fn heights(survey: &Survey, axis: usize) -> Vec<Plot> {
    let times = times(survey);
    let curve = |point: &PointSurvey| Series {
        label: point.name.clone(),
        x: times.clone(),
        y: point.curve.iter().map(|place| place.map_or(f64::NAN, |p| p.to_array()[axis])).collect(),
        marks: false,
    };
    let name = ["x", "y", "z"][axis];
    let seen: Vec<&PointSurvey> = survey.points.iter().filter(|point| point.seen > 0).collect();
    let plot = |group: &[&PointSurvey]| Plot {
        title: format!("{name} of markers"),
        x: Axis::new("time", "s"),
        y: Axis::new(name, "m"),
        series: group.iter().map(|point| curve(point)).collect(),
    };
    seen.chunks(TOGETHER).map(plot).collect()
}

/// Where markers were not seen, one line for each by its number.
fn gaps(survey: &Survey) -> Option<Plot> {
    let times = times(survey);
    let lost = |place: &PointSurvey| place.curve.iter().any(Option::is_none);
    let series: Vec<Series> = (survey.points.iter().enumerate())
        .filter(|(_, point)| lost(point))
        .map(|(k, point)| Series {
            label: format!("{} {}", k + 1, point.name),
            x: times.clone(),
            y: point.curve.iter().map(|place| if place.is_none() { (k + 1) as f64 } else { f64::NAN }).collect(),
            marks: false,
        })
        .collect();
    (!series.is_empty()).then(|| Plot {
        title: "not seen".into(),
        x: Axis::new("time", "s"),
        y: Axis::new("number of the marker", ""),
        series,
    })
}

fn forces(survey: &Survey) -> Vec<Plot> {
    let plot = |found: &borelli_data::recording::survey::PlateSurvey| {
        let plate = &found.plate;
        let step = plate.force.len().div_ceil(CURVE).max(1);
        let kept = || (0..plate.force.len()).step_by(step);
        let series = ["x", "y", "z"].iter().enumerate().map(|(axis, name)| Series {
            label: format!("F{name}"),
            x: kept().map(|k| plate.clock.time(k)).collect(),
            y: kept().map(|k| plate.force[k].to_array()[axis]).collect(),
            marks: false,
        });
        Plot {
            title: format!("plate {}", plate.name),
            x: Axis::new("time", "s"),
            y: Axis::new("force on the person", "N"),
            series: series.collect(),
        }
    };
    survey.plates.iter().map(plot).collect()
}
