//! The figure: its place, and the poses that are seen without script; `page/stage.js` makes the moving one.
//! Not here: samples (`data`), drawing poses (`plot::still`).

use super::super::data::kept_samples;
use super::super::groups::opening;
use super::super::{Report, Section, escape};
use super::case_name;
use crate::plot::{Still, spread, still};

pub(in crate::report) const SECTION: Section = Section { id: "figure", title: "Figure", short: "Figure", body };

/// Poses that are seen without script.
const POSES: usize = 7;

fn body(report: &Report) -> Option<String> {
    let case = report.cases.get(opening(report)).filter(|case| !case.trajectory.is_empty())?;
    let samples = spread(case.trajectory, POSES);
    let main = samples.get(samples.len() / 2).copied();
    let picture =
        still(&case.figure, case.trajectory, &samples, &Still { id: "still", courses: &case.courses, main, width: 960.0, height: 540.0 });
    let picture = match picture.is_empty() {
        true => {
            "<p class=\"fine\">There is no figure, because the trajectory has no positions of bodies (columns <code>body.*</code>). See the plots.</p>"
                .into()
        }
        false => picture,
    };
    let mut out = format!("<div class=\"player\" id=\"player\"><div id=\"stage\"><figure class=\"still\">{picture}</figure></div></div>\n");
    out.push_str("<noscript><p class=\"fine\">Without JavaScript the figure does not move and the plots show the first case. The page loads nothing from a network.</p></noscript>\n");
    let mut told: Vec<&String> = Vec::new();
    for note in report.cases.iter().flat_map(|case| &case.figure.notes) {
        if !told.contains(&note) {
            told.push(note);
            out.push_str(&format!("<p class=\"fine\">{}</p>\n", escape(note)));
        }
    }
    let counts: Vec<(usize, usize)> =
        report.cases.iter().zip(kept_samples(report)).map(|(case, kept)| (kept.len(), case.trajectory.len())).collect();
    if counts.iter().any(|(kept, all)| kept < all) {
        let words = match &counts[..] {
            [(kept, all)] => format!("{kept} of {all} samples"),
            [first, rest @ ..] if rest.iter().all(|other| other == first) => format!("{} of {} samples of each case", first.0, first.1),
            [_, _, _, _, ..] => {
                let (kept, all) = counts.iter().fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
                format!("{kept} of {all} samples of all {} cases together", counts.len())
            }
            _ => {
                let named = report.cases.iter().enumerate().zip(&counts).filter(|(_, (kept, all))| kept < all);
                let list: Vec<String> =
                    named.map(|((k, case), (kept, all))| format!("{kept} of {all} samples of “{}”", case_name(k, case))).collect();
                list.join(", ")
            }
        };
        out.push_str(&format!(
            "<p class=\"fine\">This page shows {} and the extremes between them; the trajectory file has every sample.</p>\n",
            escape(&words)
        ));
    }
    Some(out)
}
