//! The table of expected and computed numbers, with verdicts in words and colours. A long one is folded after its first rows; what was missed stands first.
//! Not here: judging; the verdict comes with the data.

use super::super::{Expectation, Report, Section, significant};
use super::{number, number_within, table, text, unit, verdict_cell};

pub(in crate::report) const SECTION: Section = Section { id: "expectations", title: "Expected and computed", body };

/// Rows of a long table that are seen before it is unfolded.
const SEEN: usize = 30;

fn body(report: &Report) -> Option<String> {
    if report.expectations.is_empty() {
        return None;
    }
    let heads = [
        ("", "Verdict"),
        ("", "Quantity"),
        ("number", "Expected"),
        ("number", "Computed"),
        ("number", "Difference"),
        ("number", "Allowed"),
        ("", "Unit"),
        ("", "Basis"),
        ("", "Source"),
    ];
    let mut list: Vec<&Expectation> = report.expectations.iter().collect();
    let folded = list.len() > SEEN;
    if folded {
        // Missed, not judged, met; stable, so in the order of the study within each.
        list.sort_by_key(|row| row.ok.map_or(1, |ok| if ok { 2 } else { 0 }));
    }
    let missed = list.iter().filter(|row| row.ok == Some(false)).count();
    let rows: Vec<_> = (list.iter())
        .map(|row| {
            // How far below a bound a number lies is no error.
            let of_value = row.computed.zip(row.expected).filter(|_| row.bound.is_empty());
            let difference = of_value.map(|(computed, expected)| computed - expected);
            let (class, expected) = number_within(row.expected, row.tolerance);
            let mut quantity = text(&row.quantity);
            if !row.note.is_empty() {
                quantity.1.push_str(&format!("<br><small>{}</small>", text(&row.note).1));
            }
            vec![
                verdict_cell(row.ok, ["met", "missed", "not judged"]),
                quantity,
                (class, format!("{}{expected}", row.bound)),
                number_within(row.computed, row.tolerance),
                // What matters of a difference is its size.
                ("number", difference.map_or("–".to_string(), |x| format!("<span title=\"{x:?}\">{}</span>", significant(x, 3)))),
                number(row.tolerance),
                unit(&row.unit),
                text(&row.basis),
                text(&row.source),
            ]
        })
        .collect();
    let (seen, more) = rows.split_at(if folded { SEEN.max(missed) } else { rows.len() });
    let mut out = table("Expected numbers with their sources, and what was computed", &heads, seen);
    if !more.is_empty() {
        let words = if list[seen.len()..].iter().all(|row| row.ok == Some(true)) { ", all met" } else { ", none missed" };
        out.push_str(&format!("<details class=\"more\"><summary>Show {} more{words}</summary>\n", more.len()));
        out.push_str(&table("Further expected numbers", &heads, more));
        out.push_str("</details>\n");
    }
    if report.expectations.iter().any(|row| row.ok.is_none()) {
        out.push_str("<p class=\"fine\">Not judged: data that the comparison needs are absent.</p>\n");
    }
    Some(out)
}
