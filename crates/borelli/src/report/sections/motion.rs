//! The moving figure: place and controls of the player; `page/figure.js` draws it.
//! Not here: samples (`data`).

use super::super::data::kept_samples;
use super::super::{Report, Section};
use super::case_name;
use crate::report::escape;

pub(in crate::report) const SECTION: Section = Section { id: "motion", title: "Motion", body };

fn body(report: &Report) -> Option<String> {
    if report.cases.iter().all(|case| case.trajectory.is_empty()) {
        return None;
    }
    let mut out = String::new();
    if report.cases.len() > 1 {
        out.push_str("<p><label>Case <select id=\"case\">");
        for (k, case) in report.cases.iter().enumerate() {
            let state = if case.trajectory.is_empty() { " disabled" } else { "" };
            out.push_str(&format!("<option value=\"{k}\"{state}>{}</option>", escape(&case_name(k, case))));
        }
        out.push_str("</select></label></p>\n");
    }
    out.push_str(include_str!("../page/player.html"));
    let thinned: Vec<String> = (report.cases.iter().zip(kept_samples(report)).enumerate())
        .filter(|(_, (case, kept))| kept.len() < case.trajectory.len())
        .map(|(k, (case, kept))| {
            let name = if report.cases.len() > 1 { format!("{}: ", case_name(k, case)) } else { String::new() };
            format!("{name}{} of {} samples", kept.len(), case.trajectory.len())
        })
        .collect();
    if !thinned.is_empty() {
        out.push_str("<p class=\"fine\">To keep this page small it holds ");
        out.push_str(&escape(&thinned.join("; ")));
        out.push_str(", evenly chosen and unchanged; short peaks between them are not seen here. The trajectory file holds all.</p>\n");
    }
    Some(out)
}
