//! Plots over time: static ones for readers without script and for paper; `page/plots.js` puts those that answer in their place.
//! Not here: which columns stand together (`groups`); a single state (`state`).

use super::super::{Report, Section, chart};

pub(in crate::report) const SECTION: Section = Section { id: "plots", title: "Plots", short: "Plots", body };

fn body(report: &Report) -> Option<String> {
    let signs = match report.gait {
        Some(_) => {
            "<p class=\"fine\">Signs are the same here as in the grids over the cycle: each curve is positive in the direction it is named after, and moments are internal. \
             The coordinates as the model counts them are in the list of columns, marked “model sign”.</p>\n"
        }
        None => "",
    };
    report.moves().then(|| {
        let sweeps = chart::sweep_charts(report);
        let sweeps = if sweeps.is_empty() { sweeps } else { format!("<div class=\"plots sweeps\">\n{sweeps}</div>\n") };
        format!(
            "{signs}{sweeps}<div class=\"plotting\" id=\"plotting\"><div class=\"plots\" id=\"groups\">\n{}</div></div>\n",
            chart::charts(report)
        )
    })
}
