//! Plots over time, filled by `page/plots.js`, and the list from which any column can be chosen.
//! Not here: which columns stand together (`groups`); a single state (`state`).

use super::super::{Report, Section};

pub(in crate::report) const SECTION: Section = Section { id: "plots", title: "Plots", body };

fn body(report: &Report) -> Option<String> {
    report.moves().then(|| include_str!("../page/plots.html").to_string())
}
