//! Numbers of whole cases: one row per number, one column per case.
//! Not here: numbers of the health block.

use super::super::{Report, Section};
use super::{case_heads, labelled, number, table, unit};
use crate::label;

pub(in crate::report) const SECTION: Section = Section { id: "numbers", title: "Numbers of whole runs", short: "Numbers", body };

fn body(report: &Report) -> Option<String> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for scalar in report.cases.iter().flat_map(|case| &case.scalars) {
        if !names.contains(&(&scalar.name, &scalar.unit)) {
            names.push((&scalar.name, &scalar.unit));
        }
    }
    if names.is_empty() {
        return None;
    }
    let cases = case_heads(report, "Value");
    let mut heads = vec![("", "Name")];
    heads.extend(cases.iter().map(|name| ("number", name.as_str())));
    heads.push(("", "Unit"));
    let rows: Vec<_> = (names.iter())
        .map(|(name, of)| {
            let find = |scalars: &[super::super::Scalar]| scalars.iter().find(|s| s.name == *name && s.unit == *of).map(|s| s.value);
            let mut row = vec![labelled(&label::element(name.strip_prefix("run.").unwrap_or(name)), name)];
            row.extend(report.cases.iter().map(|case| number(find(&case.scalars))));
            row.push(unit(of));
            row
        })
        .collect();
    Some(table("Numbers of whole runs", &heads, &rows))
}
