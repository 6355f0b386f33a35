//! The data of a page as JSON: figures, samples, events, groups of plots. Numbers keep every bit.
//! Not here: the scripts that read it (`page/`).
//! In: a report. Out: JSON text that may stand in a script element.
//!
//! | key | meaning |
//! | --- | --- |
//! | `figures` | planar, up, gravity, bodies (name, mass, center, shape, outline, stays, points), joints, paths, rods, holds, surfaces (name, kind, spot, axes by rows from the shape to the body, parameters of the kind in their order), pairs (name, first, second); places are `[body, x, y, z]` |
//! | `cases` | name, figure (index), samples (of the trajectory), time, columns (name, unit, values; null where there is none), events, contacts (of each pair the force on its first body in world axes: lists x, y, z; null where the columns tell none) |
//! | `groups` | title, columns, cases (indices of those with samples; null: the chosen one) |

use super::escape::{json_number, json_string};
use super::groups::groups_of;
use super::{Case, MOST_FRAMES, Report};
use crate::figure::{Figure, FigurePath, FigureSurface, PairColumns, Shape, Spot};
use borelli_data::Trajectory;

/// Numbers that a page may hold: some ten megabytes of text, which a browser reads in a second.
const MOST_NUMBERS: usize = 500_000;

/// A case has at least so many frames (or all its samples), however many columns and cases there are.
const FEWEST_FRAMES: usize = 100;

/// The samples of each case that a page holds.
pub(super) fn kept_samples(report: &Report) -> Vec<Vec<usize>> {
    let width: usize = report.cases.iter().map(|case| case.trajectory.columns().len() + 1).sum();
    let room = (MOST_NUMBERS / width.max(1)).clamp(FEWEST_FRAMES, MOST_FRAMES);
    report.cases.iter().map(|case| kept(case.trajectory, room, &case.events.iter().map(|e| e.time).collect::<Vec<_>>())).collect()
}

/// At most `room` samples, evenly spread, with the first, the last, and as far as they fit those on both sides of each event.
fn kept(trajectory: &Trajectory, room: usize, events: &[f64]) -> Vec<usize> {
    let n = trajectory.len();
    if n <= room {
        return (0..n).collect();
    }
    let beside = |t: &f64| {
        let after = trajectory.time().partition_point(|x| x <= t);
        [after.saturating_sub(1), after.min(n - 1)]
    };
    let mut list: Vec<usize> = events.iter().flat_map(beside).take(room / 2).collect();
    let even = room - list.len();
    list.extend((0..even).map(|k| k * (n - 1) / (even - 1)));
    list.sort_unstable();
    list.dedup();
    list
}

/// Everything.
pub(super) fn json(report: &Report) -> String {
    let mut figures: Vec<&Figure> = Vec::new();
    let mut cases = Vec::new();
    for (case, kept) in report.cases.iter().zip(kept_samples(report)) {
        let index = figures.iter().position(|f| **f == case.figure).unwrap_or_else(|| {
            figures.push(&case.figure);
            figures.len() - 1
        });
        cases.push(case_json(case, index, &kept));
    }
    let figures: Vec<String> = figures.into_iter().map(figure_json).collect();
    let groups: Vec<String> = groups_of(report)
        .iter()
        .map(|group| {
            let shown: Vec<String> = (report.cases.iter().enumerate())
                .filter(|(_, case)| group.cases.contains(&case.name) && !case.trajectory.is_empty())
                .map(|(k, _)| k.to_string())
                .collect();
            let cases = if group.cases.is_empty() { "null".to_string() } else { format!("[{}]", shown.join(",")) };
            let (title, columns) = (json_string(&group.title), strings(group.columns.iter()));
            format!("{{\"title\":{title},\"columns\":{columns},\"cases\":{cases}}}")
        })
        .collect();
    format!("{{\"figures\":[{}],\n\"groups\":[{}],\n\"cases\":[{}]}}", figures.join(","), groups.join(","), cases.join(",\n"))
}

fn strings<'a>(list: impl Iterator<Item = &'a String>) -> String {
    format!("[{}]", list.map(|text| json_string(text)).collect::<Vec<_>>().join(","))
}

fn numbers(list: impl Iterator<Item = f64>) -> String {
    let mut out = String::from("[");
    for (k, x) in list.enumerate() {
        if k > 0 {
            out.push(',');
        }
        json_number(&mut out, x);
    }
    out.push(']');
    out
}

fn case_json(case: &Case, figure: usize, kept: &[usize]) -> String {
    let pick = |values: &[f64]| numbers(kept.iter().map(|k| values[*k]));
    let columns: Vec<String> = (case.trajectory.columns().iter().enumerate())
        .map(|(k, column)| {
            let unit = column.unit.as_deref().map_or("null".to_string(), json_string);
            let values = pick(case.trajectory.values(k));
            format!("{{\"name\":{},\"unit\":{unit},\"values\":{values}}}", json_string(&column.name))
        })
        .collect();
    let events: Vec<String> = (case.events.iter())
        .map(|event| {
            let mut time = String::new();
            json_number(&mut time, event.time);
            let text = [&event.name, &event.action, &event.text].map(|t| json_string(t));
            format!("{{\"time\":{time},\"name\":{},\"action\":{},\"text\":{}}}", text[0], text[1], text[2])
        })
        .collect();
    let contacts: Vec<String> = (0..case.figure.pairs.len()).map(|pair| contact_json(case, pair, kept)).collect();
    format!(
        "{{\"name\":{},\"figure\":{figure},\"samples\":{},\n\"time\":{},\n\"columns\":[\n{}],\n\"events\":[{}],\n\"contacts\":[{}]}}",
        json_string(&case.name),
        case.trajectory.len(),
        pick(case.trajectory.time()),
        columns.join(",\n"),
        events.join(","),
        contacts.join(",\n")
    )
}

/// The force of a pair at the kept samples.
fn contact_json(case: &Case, pair: usize, kept: &[usize]) -> String {
    let Some(columns) = PairColumns::find(&case.figure, pair, case.trajectory) else { return "null".into() };
    let forces: Vec<[f64; 3]> = kept.iter().map(|k| columns.at(*k).map_or([f64::NAN; 3], |found| found.force.to_array())).collect();
    let [x, y, z] = [0, 1, 2].map(|axis| numbers(forces.iter().map(|force| force[axis])));
    format!("{{\"x\":{x},\"y\":{y},\"z\":{z}}}")
}

fn figure_json(figure: &Figure) -> String {
    let at = |p: [f64; 3]| numbers(p.into_iter());
    let line = |line: &Vec<[f64; 3]>| format!("[{}]", line.iter().map(|p| at(*p)).collect::<Vec<_>>().join(","));
    let spot = |s: &Spot| numbers([s.body as f64, s.at[0], s.at[1], s.at[2]].into_iter());
    let bodies: Vec<String> = (figure.bodies.iter())
        .map(|body| {
            let outline: Vec<String> = body.outline.iter().map(line).collect();
            let stays: Vec<String> = body.stays.iter().map(|ends| line(&ends.to_vec())).collect();
            let points: Vec<String> =
                body.points.iter().map(|(name, p)| format!("{{\"name\":{},\"at\":{}}}", json_string(name), at(*p))).collect();
            format!(
                "{{\"name\":{},\"mass\":{:?},\"center\":{},\"shape\":\"{}\",\"outline\":[{}],\"stays\":[{}],\"points\":[{}]}}",
                json_string(&body.name),
                body.mass,
                at(body.center),
                match body.shape {
                    Shape::Places => "places",
                    Shape::Inertia => "inertia",
                    Shape::Surfaces => "surfaces",
                },
                outline.join(","),
                stays.join(","),
                points.join(",")
            )
        })
        .collect();
    let joints: Vec<String> = (figure.joints.iter())
        .map(|joint| {
            let (name, kind) = (json_string(&joint.name), json_string(&joint.kind));
            format!("{{\"name\":{name},\"kind\":{kind},\"parent\":{},\"child\":{}}}", spot(&joint.parent), spot(&joint.child))
        })
        .collect();
    let lines = |list: &[FigurePath]| {
        let one = |path: &FigurePath| {
            let points: Vec<String> = path.points.iter().map(spot).collect();
            format!("{{\"name\":{},\"points\":[{}]}}", json_string(&path.name), points.join(","))
        };
        list.iter().map(one).collect::<Vec<_>>().join(",")
    };
    let holds: Vec<String> = (figure.holds.iter())
        .map(|hold| {
            let (element, a) = (json_string(&hold.element), hold.a.as_ref().map_or("null".into(), spot));
            format!("{{\"element\":{element},\"kind\":{},\"a\":{a},\"b\":{}}}", json_string(hold.kind), spot(&hold.b))
        })
        .collect();
    let surface = |surface: &FigureSurface| {
        let (kind, rows) = (surface.shape.kind(), surface.R_BS.transpose());
        let axes = [rows.x, rows.y, rows.z].map(|row| at(row.to_array())).join(",");
        let parameters = numbers(surface.shape.parameters().into_iter().take(kind.parameters.len()));
        let (name, spot) = (json_string(&surface.name), spot(&surface.spot));
        format!("{{\"name\":{name},\"kind\":\"{}\",\"spot\":{spot},\"axes\":[{axes}],\"parameters\":{parameters}}}", kind.name)
    };
    let surfaces: Vec<String> = figure.surfaces.iter().map(surface).collect();
    let pairs: Vec<String> = (figure.pairs.iter())
        .map(|pair| format!("{{\"name\":{},\"first\":{},\"second\":{}}}", json_string(&pair.name), pair.first, pair.second))
        .collect();
    format!(
        "{{\"planar\":{},\"up\":{},\"gravity\":{},\"bodies\":[{}],\"joints\":[{}],\"paths\":[{}],\"rods\":[{}],\"holds\":[{}],\"surfaces\":[{}],\"pairs\":[{}]}}",
        figure.planar,
        at(figure.up),
        figure.gravity,
        bodies.join(","),
        joints.join(","),
        lines(&figure.paths),
        lines(&figure.rods),
        holds.join(","),
        surfaces.join(","),
        pairs.join(",")
    )
}
