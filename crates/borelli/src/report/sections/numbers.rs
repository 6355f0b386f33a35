//! Numbers of whole cases: one row per number, one column per case.
//! Not here: numbers of the health block.

use super::super::{Report, Section};
use super::{case_name, number, table, text, unit};

pub(in crate::report) const SECTION: Section = Section { id: "numbers", title: "Numbers", body };

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
    let several = report.cases.len() > 1;
    let cases: Vec<String> =
        report.cases.iter().enumerate().map(|(k, case)| if several { case_name(k, case) } else { "Value".into() }).collect();
    let mut heads = vec![("", "Name")];
    heads.extend(cases.iter().map(|name| ("number", name.as_str())));
    heads.push(("", "Unit"));
    let rows: Vec<_> = (names.iter())
        .map(|(name, of)| {
            let find = |scalars: &[super::super::Scalar]| scalars.iter().find(|s| s.name == *name && s.unit == *of).map(|s| s.value);
            let mut row = vec![text(name)];
            row.extend(report.cases.iter().map(|case| number(find(&case.scalars))));
            row.push(unit(of));
            row
        })
        .collect();
    Some(table("Numbers of whole runs", &heads, &rows))
}
