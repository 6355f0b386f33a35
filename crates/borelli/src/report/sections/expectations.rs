//! The table of expected and computed numbers, with verdicts in words and colours; sources as numbered notes. Missed ones stand first and in full;
//! more than thirty met ones are one line that unfolds; what could not be judged stands last, with what it waits for.
//! Not here: judging; the verdict comes with the data.

use super::super::escape::prose;
use super::super::{Expectation, Report, Section, escape, significant};
use super::{Cell, SEEN, counted, number, number_within, table_of, text, unit};
use crate::label::capital;
use borelli_study::expect::absent_reference;

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

/// What became of an expected number, in the order of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Missed,
    OnlyShown,
    Met,
    Fitted,
    NotJudged,
}

impl Fate {
    fn of(row: &Expectation) -> Fate {
        match row.ok {
            Some(false) => Fate::Missed,
            Some(true) if row.fitted() => Fate::Fitted,
            Some(true) => Fate::Met,
            None if row.only_shown() => Fate::OnlyShown,
            None => Fate::NotJudged,
        }
    }

    fn cell(self) -> Cell {
        let (class, word) = match self {
            Fate::Missed => ("bad", "missed"),
            Fate::OnlyShown => ("look", "not reached"),
            Fate::Met => ("good", "met"),
            Fate::Fitted => ("none", "fitted"),
            Fate::NotJudged => ("none", "not judged"),
        };
        (class, word.to_string())
    }
}

fn body(report: &Report) -> Option<String> {
    if report.expectations.is_empty() {
        return None;
    }
    let of = |fate: Fate| report.expectations.iter().filter(|row| Fate::of(row) == fate).collect::<Vec<_>>();
    let (met, open) = (of(Fate::Met), of(Fate::NotJudged));
    let folded = met.len() > SEEN;
    // Stable, so in the order of the study within each fate. What was not judged tells nothing: it stands last.
    let mut seen: Vec<&Expectation> =
        report.expectations.iter().filter(|row| Fate::of(row) != Fate::NotJudged && (!folded || Fate::of(row) != Fate::Met)).collect();
    seen.sort_by_key(|row| Fate::of(row));
    let mut notes = Notes { all: &report.expectations, texts: Vec::new(), written: 0 };
    let mut out = String::new();
    if !seen.is_empty() {
        out.push_str(&rows_of("", &seen, &mut notes));
        out.push_str(&notes.list());
    }
    if seen.iter().any(|row| row.only_shown()) {
        out.push_str(
            "<p class=\"fine\">Not reached: a number of others that this model is known to miss. It is shown, and not counted.</p>\n",
        );
    }
    if seen.iter().any(|row| row.fitted()) {
        out.push_str("<p class=\"fine\">Fitted: data of the model were chosen to give this number, so that meeting it predicts nothing. It is not counted.</p>\n");
    }
    if folded {
        let words = match (seen.is_empty(), open.is_empty()) {
            (true, true) => format!("All {} expected numbers were met", met.len()),
            (true, false) => format!("{} expected numbers were met", met.len()),
            (false, _) => format!("{} further numbers were met", met.len()),
        };
        // A list of this length is nothing for paper, which cannot be unfolded.
        let paper = "<span class=\"paper\">; they are listed in the page itself and in summary.json</span>";
        let table = rows_of("Numbers that were met", &met, &mut notes);
        out.push_str(&format!("<details class=\"more met\"><summary>{words}{paper}</summary>\n{table}{}</details>\n", notes.list()));
    }
    if !open.is_empty() {
        out.push_str(&unjudged(&open, &mut notes));
    }
    Some(out + &bases(&report.expectations))
}

/// Where expected numbers come from, in words.
const BASES: [(&str, &str); 7] = [
    ("published", "printed in a paper, a thesis or a book"),
    ("reference", "computed by an independent program, or measured"),
    ("closed-form", "an exact solution, or exactly zero"),
    ("benchmark", "agreed on by a collection of test problems"),
    ("consistency", "what another run of this program gives"),
    ("fitted", "what the model was fitted to"),
    ("requirement", "a bound that the author of the study sets"),
];

/// What the words under `Basis` mean; only of those that stand there.
fn bases(list: &[Expectation]) -> String {
    let stands = |word: &str| list.iter().any(|row| row.basis == word);
    let said: Vec<String> = BASES.iter().filter(|(word, _)| stands(word)).map(|(word, meaning)| format!("{word}: {meaning}")).collect();
    if said.is_empty() {
        String::new()
    } else {
        format!("<p class=\"fine\">Basis of an expected number. {}.</p>\n", capital(&said.join("; ")))
    }
}

/// Numbers that wait for data of others: which, and how to give them.
fn unjudged<'a>(open: &[&'a Expectation], notes: &mut Notes<'a>) -> String {
    let mut files: Vec<&str> = open.iter().filter_map(|row| absent_reference(&row.note)).collect();
    files.sort_unstable();
    files.dedup();
    let named: Vec<String> = files.iter().map(|file| format!("<code>{}</code>", escape(file))).collect();
    let (count, verb) = (open.len(), if open.len() == 1 { "number was" } else { "numbers were" });
    let why = match named.is_empty() {
        true => "what they are compared with was not at hand.".to_string(),
        false => format!(
            "missing {}, which others made and the program does not bring along. With a folder that holds {} they are judged: \
             <code>borelli reproduce STUDY --reference FOLDER</code>, or the environment variable <code>BORELLI_REFERENCE</code>.",
            named.join(", "),
            if named.len() == 1 { "it" } else { "them" }
        ),
    };
    let table = rows_of("", open, notes);
    format!(
        "<p class=\"fine\">{count} {verb} not judged: {why}</p>\n<details class=\"more open\"><summary>{count} not judged</summary>\n{table}{}</details>\n",
        notes.list()
    )
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
        Fate::of(row).cell(),
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
