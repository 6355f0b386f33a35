//! The data of a page as JSON, format 2: figures, samples, events, groups of plots. Numbers keep every bit.
//! Not here: the scripts that read it (`page/`).
//! In: a report. Out: JSON text that may stand in a script element.
//!
//! Long lists are packed, `{"f64":"…"}`: little-endian bytes in base 64; missing is NaN. Everything is SI and radians.
//!
//! | key | meaning |
//! | --- | --- |
//! | `figures` | directions, bodies with solids, `meshes` that solids name, joints with the axes they turn about, paths with the muscle or ligament along them, rods, wraps, holds, surfaces, pairs, markers; places are `[body, x, y, z]` (`figure`) |
//! | `cases` | name, the time of the data of a fit (`fitted`), figure, samples of the trajectory, frames that are kept with their times, columns with values at the frames and `extra` samples between them, columns of poses, events, forces of contact, `moments` in joints (number of the joint, vector in world axes), loads, markers, tensions, `tones` (what colours each path: kind, column, value at full colour), `courses` (where paths lie that fixed places do not tell), maps of pressure, `softContacts` (surfaces that soft parts may touch, with the column of nodes that press), soft parts (`case`, `course`, `pressure`, `soft`) |
//! | `groups` | title, columns, cases (indices of those with samples; null: the chosen one), kind, a note that may be empty |
//! | `opening` | the case that the page opens with |
//! | `poster` | time at which the page opens and prints; null: the page chooses |

mod account;
mod case;
mod course;
mod facts;
mod figure;
mod moment;
mod packed;
mod pressure;
pub mod read;
mod rotation;
mod soft;
mod thin;

#[cfg(test)]
mod tests;

pub(super) use account::{ACCOUNT, SUM, tells};
pub(super) use case::{Wide, axes_of};
pub use course::{courses_json, courses_of};
pub use facts::{Clinical, Facts, MatPlace, MuscleFacts};
pub use figure::{figure_json, figure_of};
pub use packed::{f64s_of, f64s_value};

use super::escape::json_string;
use super::groups::{GroupKind, groups_of, opening};
use super::{Case, MOST_FRAMES, Report};
use crate::figure::Figure;
use crate::soft::size;
use borelli_data::Trajectory;
use borelli_study::soft_record::SoftRecord;
use case::digits;
use pressure::Maps;
use soft::SoftParts;

/// The format that scripts look for.
pub const FORMAT: u32 = 2;

/// The samples of each case that a page holds as frames.
pub(super) fn kept_samples(report: &Report) -> Vec<Vec<usize>> {
    // The force of a pair is six numbers that no column holds, and a point of a course three of half the length.
    let courses = |case: &Case| case.courses.0.iter().map(|course| 3 * course.bodies.len()).sum::<usize>() / 2;
    let width = |case: &Case| case.trajectory.columns().len() + case::made(case) + 6 * case.figure.pairs.len() + courses(case) + 1;
    let width: usize = report.cases.iter().map(width).sum();
    let room = (thin::MOST_NUMBERS / width.max(1)).clamp(thin::FEWEST_FRAMES, MOST_FRAMES);
    let frames = |case: &Case| thin::frames(case.trajectory.time(), room, &case.events.iter().map(|e| e.time).collect::<Vec<_>>());
    report.cases.iter().map(frames).collect()
}

/// The measure in which sizes of what is drawn of a figure are told: its height at the first sample of the first case that shows it.
pub fn height_of(figure: &Figure, cases: &[Case]) -> f64 {
    let own = cases.iter().filter(|case| case.figure == *figure && !case.trajectory.is_empty());
    own.map(|case| drawn_height(figure, case.trajectory, case.soft)).next().unwrap_or(1.0)
}

/// The same for one run. Where no body is drawn, the size of the soft parts.
pub fn drawn_height(figure: &Figure, trajectory: &Trajectory, soft: &SoftRecord) -> f64 {
    let bodies = if trajectory.is_empty() { None } else { figure.height(trajectory, 0) };
    let all = || soft.bodies.iter().flat_map(|body| &body.points).copied().collect::<Vec<_>>();
    bodies.or_else(|| Some(size(&all())).filter(|size| *size > 0.0)).unwrap_or(1.0)
}

/// Whether two cases are drawn and called alike.
fn same_figure(a: &Case, b: &Case) -> bool {
    a.figure == b.figure && a.facts.labels == b.facts.labels
}

/// Everything.
pub(super) fn json(report: &Report) -> String {
    let mut figures: Vec<&Case> = Vec::new();
    let mut place = |case| {
        figures.iter().position(|known: &&Case| same_figure(known, case)).unwrap_or_else(|| {
            figures.push(case);
            figures.len() - 1
        })
    };
    let places: Vec<usize> = report.cases.iter().map(&mut place).collect();
    let (frames, maps, soft) = (kept_samples(report), Maps::of(report), SoftParts::of(report));
    let wide: Vec<Wide> = report.cases.iter().map(Wide::new).collect();
    let peaks: Vec<Vec<Vec<thin::Peak>>> = wide.iter().zip(&frames).map(|(wide, frames)| wide.peaks(frames)).collect();
    let s = thin::threshold(peaks.iter().flatten().flatten(), thin::MOST_EXTRAS);
    let cases: Vec<String> = (0..wide.len()).map(|k| wide[k].json(places[k], &frames[k], &peaks[k], s, &maps, &soft)).collect();
    // serde_json knows nothing of script elements
    let drawn = |case: &Case| figure_json(&case.figure, height_of(&case.figure, &report.cases), case.facts.given());
    let figures = figures.into_iter().map(|case| drawn(case).to_string().replace('<', "\\u003c"));
    let figures: Vec<String> = figures.collect();
    let groups: Vec<String> = groups_of(report)
        .iter()
        .filter(|group| group.kind != GroupKind::Sweep)
        .map(|group| {
            let shown: Vec<String> = (report.cases.iter().enumerate())
                .filter(|(_, case)| group.cases.contains(&case.name) && !case.trajectory.is_empty())
                .map(|(k, _)| k.to_string())
                .collect();
            let cases = if group.cases.is_empty() { "null".to_string() } else { format!("[{}]", shown.join(",")) };
            let columns: Vec<String> = group.columns.iter().map(|name| json_string(name)).collect();
            let (title, note, columns) = (json_string(&group.title), json_string(group.note), columns.join(","));
            let kind = group.kind.word();
            format!("{{\"title\":{title},\"note\":{note},\"columns\":[{columns}],\"cases\":{cases},\"kind\":\"{kind}\"}}")
        })
        .collect();
    format!(
        "{{\"format\":{FORMAT},\n\"figures\":[{}],\n\"cases\":[{}],\n\"groups\":[{}],\n\"opening\":{},\n\"poster\":{}}}",
        figures.join(",\n"),
        cases.join(",\n"),
        groups.join(","),
        opening(report),
        report.poster.map_or("null".to_string(), digits)
    )
}
