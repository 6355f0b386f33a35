//! The table of expected and computed numbers, with verdicts in words and colours; sources as numbered notes. Missed ones stand first and in full;
//! more than thirty met ones are one line that unfolds.
//! Not here: judging; the verdict comes with the data.

use super::super::{Expectation, Report, Section, escape, significant};
use super::{Cell, number, number_within, table_of, text, unit, verdict_cell};

pub(in crate::report) const SECTION: Section = Section { id: "expected", title: "Expected and computed", short: "Expected", body };

/// So many met numbers are still read one by one.
const SEEN: usize = 30;

const HEADS: [(&str, &str); 8] = [
    ("", "Verdict"),
    ("quantity", "Quantity"),
    ("number", "Expected"),
    ("number", "Computed"),
    ("number", "Difference"),
    ("number", "Allowed"),
    ("", "Unit"),
    ("", "Basis"),
];

fn body(report: &Report) -> Option<String> {
    if report.expectations.is_empty() {
        return None;
    }
    let mut notes: Vec<&str> = Vec::new();
    for row in &report.expectations {
        if !row.source.is_empty() && !notes.contains(&row.source.as_str()) {
            notes.push(&row.source);
        }
    }
    let met: Vec<&Expectation> = report.expectations.iter().filter(|row| row.ok == Some(true)).collect();
    let folded = met.len() > SEEN;
    // Missed, not judged, met; stable, so in the order of the study within each.
    let mut seen: Vec<&Expectation> = report.expectations.iter().filter(|row| !folded || row.ok != Some(true)).collect();
    seen.sort_by_key(|row| row.ok.map_or(1, |ok| if ok { 2 } else { 0 }));
    let mut out = String::new();
    if !seen.is_empty() {
        out.push_str(&rows_of("Expected numbers, and what was computed", &seen, &notes));
    }
    if folded {
        let words = if seen.is_empty() {
            format!("All {} expected numbers were met", met.len())
        } else {
            format!("{} further numbers were met", met.len())
        };
        out.push_str(&format!(
            "<details class=\"more\"><summary>{words}</summary>\n{}</details>\n",
            rows_of("Numbers that were met", &met, &notes)
        ));
    }
    if report.expectations.iter().any(|row| row.ok.is_none()) {
        out.push_str("<p class=\"fine\">Not judged: data that the comparison needs are absent.</p>\n");
    }
    if !notes.is_empty() {
        out.push_str("<ol class=\"notes\" aria-label=\"Sources of the expected numbers\">\n");
        notes.iter().enumerate().for_each(|(k, note)| out.push_str(&format!("<li id=\"source-{}\">{}</li>\n", k + 1, escape(note))));
        out.push_str("</ol>\n");
    }
    Some(out)
}

fn rows_of(caption: &str, list: &[&Expectation], notes: &[&str]) -> String {
    let mut missed = 0;
    let rows: Vec<(Option<String>, Vec<Cell>)> = list
        .iter()
        .map(|row| {
            let id = (row.ok == Some(false)).then(|| {
                missed += 1;
                format!("missed-{missed}")
            });
            (id, cells(row, notes))
        })
        .collect();
    table_of(caption, &HEADS, &rows)
}

fn cells(row: &Expectation, notes: &[&str]) -> Vec<Cell> {
    // How far below a bound a number lies is no error.
    let of_value = row.computed.zip(row.expected).filter(|_| row.bound.is_empty());
    let difference = of_value.map(|(computed, expected)| computed - expected);
    let (class, expected) = number_within(row.expected, row.tolerance);
    let mut quantity = text(&row.quantity);
    quantity.0 = "quantity";
    if !row.note.is_empty() {
        quantity.1.push_str(&format!("<br><small>{}</small>", text(&row.note).1));
    }
    let mut basis = text(&row.basis);
    if let Some(k) = notes.iter().position(|note| *note == row.source) {
        basis.1.push_str(&format!("&nbsp;<sup><a href=\"#source-{0}\" title=\"{1}\">{0}</a></sup>", k + 1, escape(&row.source)));
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
        basis,
    ]
}
