//! How it was computed: what all cases share once, then what differs.
//! Not here: choosing any of it.

use super::super::{Report, Section, glossary};
use super::files::HASH;
use super::{CaseRow, case_table, table, text};

pub(in crate::report) const SECTION: Section = Section { id: "method", title: "How this was computed", short: "Method", body };

fn body(report: &Report) -> Option<String> {
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in report.cases.iter().flat_map(|case| &case.method) {
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    let values = |key: &str| -> Vec<&str> {
        let find = |method: &'_ [(String, String)]| method.iter().position(|(k, _)| k == key);
        report.cases.iter().map(|case| find(&case.method).map_or("–", |k| case.method[k].1.as_str())).collect()
    };
    let (shared, differing): (Vec<&str>, Vec<&str>) = keys.into_iter().partition(|key| values(key).windows(2).all(|w| w[0] == w[1]));
    let given: Vec<_> = report.changes.iter().map(|change| vec![text(&change.option), text(&change.value)]).collect();
    let mut rows: Vec<_> =
        report.method.iter().filter(|(_, value)| !value.starts_with(HASH)).map(|(key, value)| vec![text(key), text(value)]).collect();
    rows.extend(shared.iter().map(|key| vec![text(key), text(values(key)[0])]));
    let session = super::gait::methods(report);
    if rows.is_empty() && differing.is_empty() && given.is_empty() && session.is_none() {
        return None;
    }
    let mut out = session.unwrap_or_default();
    if !given.is_empty() {
        out.push_str(&table("Changed on the command line", &[("", "Option"), ("", "Value")], &given));
    }
    out.push_str(&table("Program, model, method and settings", &[("", "What"), ("", "Value")], &rows));
    if !differing.is_empty() {
        let row = |key: &&str| CaseRow { name: text(key), cases: values(key).into_iter().map(text).collect(), unit: None };
        let rows: Vec<CaseRow> = differing.iter().map(row).collect();
        out.push_str(&case_table(report, "What differs between the cases", "What", "", &rows));
    }
    out.push_str(&glossary::html(report));
    out.push_str(CONVENTIONS);
    Some(out)
}

/// What the signs and units of the columns mean.
const CONVENTIONS: &str = "<p class=\"fine\">All numbers are SI; angles are radians in files and degrees on this page unless switched. X points \
forward, Y up, Z to the right; planar models lie in X-Y and turn about +Z. A reaction is the force or moment of a joint on its child body, at the \
joint, in world axes. Efforts act on the child about the joint's axis. A positive force of a path is tension.</p>\n";
