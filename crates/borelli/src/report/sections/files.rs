//! Where model and numbers come from: sources in words, the files that went in with their hashes, and where the samples are in full.
//! Not here: sources of single expectations; they stand beside them.

use super::super::escape::prose;
use super::super::{Report, Section, escape};
use super::{Cell, table, text};

pub(in crate::report) const SECTION: Section = Section { id: "files", title: "Sources and files", short: "Files", body };

/// What stands before the hash of a file, to tell it from other facts about the method.
pub(super) const HASH: &str = "sha256 ";

fn body(report: &Report) -> Option<String> {
    let mut out = String::new();
    for paragraph in report.source.split("\n\n").filter(|p| !p.trim().is_empty()) {
        out.push_str(&format!("<p>{}</p>\n", prose(paragraph.trim())));
    }
    let inputs: Vec<Vec<Cell>> = (report.method.iter())
        .filter_map(|(path, value)| Some(vec![text(path), ("", format!("<code>{}</code>", escape(value.strip_prefix(HASH)?)))]))
        .collect();
    if !inputs.is_empty() {
        out.push_str(&table("Files that went in", &[("", "File"), ("", "SHA-256")], &inputs));
    }
    if report.cases.iter().any(|case| !case.trajectory.is_empty()) {
        out.push_str(
            "<p class=\"fine on-screen\">The folder of this page holds all samples (trajectory), events, numbers and settings (summary.json); several cases have \
             a folder each. <code>borelli report</code> makes the page again from that folder.</p>\n",
        );
    }
    (!out.is_empty()).then_some(out)
}
