//! The table of expected and computed numbers, with verdicts in words and colours; sources as numbered notes. Missed ones stand first and in full;
//! more than thirty met ones are one line that unfolds.
//! Not here: judging; the verdict comes with the data.

use super::super::escape::prose;
use super::super::{Expectation, Report, Section, escape, significant};
use super::{Cell, SEEN, counted, number, number_within, table_of, text, unit, verdict_cell};

pub(in crate::report) const SECTION: Section = Section { id: "expected", title: "Expected and computed", short: "Expected", body };

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
    let met: Vec<&Expectation> = report.expectations.iter().filter(|row| row.ok == Some(true)).collect();
    let folded = met.len() > SEEN;
    // Missed, not judged, met; stable, so in the order of the study within each.
    let mut seen: Vec<&Expectation> = report.expectations.iter().filter(|row| !folded || row.ok != Some(true)).collect();
    seen.sort_by_key(|row| row.ok.map_or(1, |ok| if ok { 2 } else { 0 }));
    let mut notes = Notes { all: &report.expectations, texts: Vec::new(), written: 0 };
    let mut out = String::new();
    if !seen.is_empty() {
        out.push_str(&rows_of("", &seen, &mut notes));
        out.push_str(&notes.list());
    }
    if report.expectations.iter().any(|row| row.ok.is_none()) {
        out.push_str("<p class=\"fine\">Not judged: the comparison needs files of others that are not part of the program and were not at hand; with them (environment variable <code>BORELLI_REFERENCE</code>) it is made.</p>\n");
    }
    if folded {
        let words = if seen.is_empty() {
            format!("All {} expected numbers were met", met.len())
        } else {
            format!("{} further numbers were met", met.len())
        };
        let table = rows_of("Numbers that were met", &met, &mut notes);
        out.push_str(&format!("<details class=\"more met\"><summary>{words}</summary>\n{table}{}</details>\n", notes.list()));
    }
    Some(out)
}

/// Sources, and remarks on several rows, with their numbers; each is written once.
struct Notes<'a> {
    all: &'a [Expectation],
    texts: Vec<&'a str>,
    written: usize,
}

impl<'a> Notes<'a> {
    /// Whether a remark stands at several rows.
    fn shared(&self, note: &str) -> bool {
        self.all.iter().filter(|row| row.note == note).count() > 2
    }

    /// The number of a note, small and raised, as a link to it.
    fn mark(&mut self, note: &'a str) -> String {
        let known = self.texts.iter().position(|text| *text == note);
        let k = known.unwrap_or_else(|| {
            self.texts.push(note);
            self.texts.len() - 1
        }) + 1;
        format!("&nbsp;<sup><a href=\"#source-{k}\" title=\"{}\">{k}</a></sup>", escape(note))
    }

    /// Those that were not written yet.
    fn list(&mut self) -> String {
        let items: String = (self.texts.iter().enumerate().skip(self.written))
            .map(|(k, text)| format!("<li id=\"source-{0}\" value=\"{0}\">{1}</li>\n", k + 1, prose(text)))
            .collect();
        self.written = self.texts.len();
        if items.is_empty() { items } else { format!("<ol class=\"notes\" aria-label=\"Notes: sources and remarks\">\n{items}</ol>\n") }
    }
}

fn rows_of<'a>(caption: &str, list: &[&'a Expectation], notes: &mut Notes<'a>) -> String {
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

fn cells<'a>(row: &'a Expectation, notes: &mut Notes<'a>) -> Vec<Cell> {
    // How far below a bound a number lies is no error.
    let of_value = row.computed.zip(row.expected).filter(|_| row.bound.is_empty());
    let difference = of_value.map(|(computed, expected)| computed - expected);
    let (class, expected) = number_within(row.expected, row.tolerance);
    let mut quantity = text(&row.quantity);
    quantity.0 = "quantity";
    // The sign before the number says that it is a bound.
    if !row.note.is_empty() && (row.bound.is_empty() || !row.note.ends_with(" bound")) {
        quantity.1.push_str(&match notes.shared(&row.note) {
            true => notes.mark(&row.note),
            false => format!("<br><small>{}</small>", prose(&row.note)),
        });
    }
    let mut basis = text(&row.basis);
    basis.0 = "basis";
    if !row.source.is_empty() {
        basis.1.push_str(&notes.mark(&row.source));
    }
    vec![
        verdict_cell(row.ok, ["met", "missed", "not judged"]),
        quantity,
        (class, format!("{}{expected}", row.bound)),
        number_within(row.computed, row.tolerance),
        // What matters of a difference is its size.
        counted(difference, |x| significant(x, 3)),
        number(row.tolerance.filter(|allowed| row.bound.is_empty() || *allowed > 0.0)),
        unit(&row.unit),
        basis,
    ]
}
