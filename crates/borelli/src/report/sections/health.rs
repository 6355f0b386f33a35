//! The health block: what a reader should know before trusting the numbers.
//! Not here: judging; the verdict comes with the data.

use super::super::{Report, Section, escape};
use super::{case_name, number, table, text, unit, verdict_cell};

pub(in crate::report) const SECTION: Section = Section { id: "health", title: "Health of the computation", body };

fn body(report: &Report) -> Option<String> {
    if report.cases.iter().all(|case| case.health.is_empty()) {
        return None;
    }
    let several = report.cases.len() > 1;
    let mut heads = vec![("", "Verdict"), ("", "Check"), ("number", "Value"), ("", "Unit"), ("", "Meaning")];
    if several {
        heads.insert(1, ("", "Case"));
    }
    let mut rows = Vec::new();
    for (k, case) in report.cases.iter().enumerate() {
        for line in &case.health {
            let word = verdict_cell(line.good, ["good", "look closer", "no verdict"]);
            let mut row = vec![word, text(&line.label), number(line.value), unit(&line.unit), text(&line.text)];
            if several {
                row.insert(1, ("", escape(&case_name(k, case))));
            }
            rows.push(row);
        }
    }
    Some(table("Checks that the computation made of itself", &heads, &rows))
}
