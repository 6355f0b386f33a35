//! Where model and numbers come from.
//! Not here: sources of single expectations; they stand beside them.

use super::super::{Report, Section, escape};

pub(in crate::report) const SECTION: Section = Section { id: "source", title: "Source", body };

fn body(report: &Report) -> Option<String> {
    let paragraphs: Vec<String> =
        report.source.split("\n\n").filter(|p| !p.trim().is_empty()).map(|p| format!("<p>{}</p>\n", escape(p.trim()))).collect();
    (!paragraphs.is_empty()).then(|| paragraphs.concat())
}
