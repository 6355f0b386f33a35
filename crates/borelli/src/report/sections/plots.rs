//! Plots over time: static ones for readers without script and for paper; `page/plots.js` puts those that answer in their place.
//! Not here: which columns stand together (`groups`); a single state (`state`).

use super::super::{Report, Section, chart};

pub(in crate::report) const SECTION: Section = Section { id: "plots", title: "Plots", short: "Plots", body };

fn body(report: &Report) -> Option<String> {
    report.moves().then(|| {
        format!("<div class=\"plotting\" id=\"plotting\"><div class=\"plots\" id=\"groups\">\n{}</div></div>\n", chart::charts(report))
    })
}
