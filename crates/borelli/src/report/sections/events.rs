//! The table of events; a click on a time shows it in the player.
//! Not here: finding events.

use super::super::{Report, Section, escape, significant};
use super::{case_name, folded, labelled, table, text};
use crate::label;

pub(in crate::report) const SECTION: Section = Section { id: "events", title: "Events", short: "Events", body };

fn body(report: &Report) -> Option<String> {
    if report.cases.iter().all(|case| case.events.is_empty()) {
        return None;
    }
    let several = report.cases.len() > 1;
    let mut heads = vec![("number", "Time / s"), ("", "Event"), ("", "Action"), ("", "Remark")];
    if several {
        heads.insert(0, ("", "Case"));
    }
    let mut rows = Vec::new();
    for (k, case) in report.cases.iter().enumerate() {
        for event in &case.events {
            let time = significant(event.time, 8);
            let jump = format!("<button type=\"button\" class=\"link\" data-case=\"{k}\" data-time=\"{:?}\">{time}</button>", event.time);
            let mut row =
                vec![("number", jump), labelled(&label::element(&event.name), &event.name), text(&event.action), text(&event.text)];
            if several {
                row.insert(0, ("", escape(&case_name(k, case))));
            }
            rows.push(row);
        }
    }
    let table = table("Click a time to see it in the figure", &heads, &rows);
    Some(folded(rows.len(), rows.len(), "events", table))
}
