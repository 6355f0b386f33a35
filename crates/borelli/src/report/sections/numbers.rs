//! Numbers of whole cases: one row per number, one column per case.
//! Not here: numbers of the health block.

use super::super::{Report, Section};
use super::{Cell, case_heads, folded, labelled, number, table, unit};
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
    // Counts and times of events are many, and stand among the events too.
    let (of_events, others): (Vec<_>, Vec<_>) = names.iter().zip(rows).partition(|((name, _), _)| name.starts_with("event."));
    let rows = |list: Vec<(&(&str, &str), Vec<Cell>)>| list.into_iter().map(|(_, row)| row).collect::<Vec<_>>();
    let (of_events, others) = (rows(of_events), rows(others));
    let mut out = if others.is_empty() { String::new() } else { folded(others.len(), "numbers", table("", &heads, &others)) };
    if !of_events.is_empty() {
        out.push_str(&format!(
            "<details class=\"more\"><summary>{} counts and times of events</summary>\n{}</details>\n",
            of_events.len(),
            table("", &heads, &of_events)
        ));
    }
    Some(out)
}
