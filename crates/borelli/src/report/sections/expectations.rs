//! The table of expected and computed numbers, with verdicts in words and colours.
//! Not here: judging; the verdict comes with the data.

use super::super::{Report, Section};
use super::{number, table, text, unit, verdict_cell};

pub(in crate::report) const SECTION: Section = Section { id: "expectations", title: "Expected and computed", body };

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
    let rows: Vec<_> = (report.expectations.iter())
        .map(|row| {
            // How far below a bound a number lies is no error.
            let of_value = row.computed.zip(row.expected).filter(|_| row.bound.is_empty());
            let difference = of_value.map(|(computed, expected)| computed - expected);
            let (class, expected) = number(row.expected);
            let mut quantity = text(&row.quantity);
            if !row.note.is_empty() {
                quantity.1.push_str(&format!("<br><small>{}</small>", text(&row.note).1));
            }
            vec![
                verdict_cell(row.ok, ["met", "missed", "not judged"]),
                quantity,
                (class, format!("{}{expected}", row.bound)),
                number(row.computed),
                number(difference),
                number(row.tolerance),
                unit(&row.unit),
                text(&row.basis),
                text(&row.source),
            ]
        })
        .collect();
    let mut out = table("Expected numbers with their sources, and what was computed", &heads, &rows);
    if report.expectations.iter().any(|row| row.ok.is_none()) {
        out.push_str("<p class=\"fine\">Not judged: data that the comparison needs are absent.</p>\n");
    }
    Some(out)
}
