//! The parts of a page, one per file; the list is `SECTIONS` one floor up. Here only what several of them need.
//! Not here: scripts and style (`page/`).

pub(super) mod cases;
mod convergence;
pub(super) mod events;
pub(super) mod expectations;
pub(super) mod figure;
pub(super) mod files;
pub(super) mod fit;
pub(super) mod gait;
pub(super) mod header;
pub(super) mod health;
pub(super) mod method;
pub(super) mod muscles;
pub(super) mod numbers;
pub(super) mod plots;
pub(super) mod pressure;
pub(super) mod soft;
pub(super) mod state;
pub(super) mod uncertainty;

use super::escape::{prose, with_minus};
use super::{Case, Report, escape, significant};
use crate::label;

/// A cell: its classes (`number`, `good`, `look`, `bad`, `none` or nothing) and its HTML.
type Cell = (&'static str, String);

/// A table; its caption says what the heading above it does not.
fn table(caption: &str, heads: &[(&str, &str)], rows: &[Vec<Cell>]) -> String {
    let rows: Vec<(Option<String>, Vec<Cell>)> = rows.iter().map(|row| (None, row.clone())).collect();
    table_of(caption, heads, &rows)
}

/// A table some of whose rows can be linked to.
fn table_of(caption: &str, heads: &[(&str, &str)], rows: &[(Option<String>, Vec<Cell>)]) -> String {
    let mut out = String::from("<div class=\"scroll\"><table>\n");
    if !caption.is_empty() {
        out.push_str(&format!("<caption>{}</caption>\n", escape(caption)));
    }
    out.push_str("<thead><tr>");
    for (class, head) in heads {
        out.push_str(&format!("<th scope=\"col\" class=\"{class}\">{}</th>", escape(head)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (id, row) in rows {
        out.push_str(&id.as_ref().map_or("<tr>".to_string(), |id| format!("<tr id=\"{id}\">")));
        for (class, cell) in row {
            out.push_str(&format!("<td class=\"{class}\">{cell}</td>"));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
    out
}

/// So many rows are read one by one; a longer table is one line that unfolds.
const SEEN: usize = 30;

/// A table that is folded where it is long: `rows` in all, which hold `count` things of a kind.
fn folded(rows: usize, count: usize, word: &str, table: String) -> String {
    if rows > SEEN { format!("<details class=\"more\"><summary>{count} {word}</summary>\n{table}</details>\n") } else { table }
}

fn text(text: &str) -> Cell {
    ("", prose(text))
}

/// A number with six digits, a whole one in full; all its digits in the tooltip.
fn number(x: Option<f64>) -> Cell {
    number_within(x, None)
}

/// A number with the digits that an allowed difference is about, six to twelve, whole ones in full; all its digits in the tooltip.
fn number_within(x: Option<f64>, allowed: Option<f64>) -> Cell {
    let digits = |x: f64| allowed.filter(|allowed| *allowed > 0.0).map_or(6.0, |allowed| (x.abs() / allowed).log10().ceil() + 1.0);
    let words = |x: f64| {
        let whole = x.fract() == 0.0 && (1.0..1e9).contains(&x.abs());
        if whole { format!("{x:.0}") } else { significant(x, digits(x).clamp(6.0, 12.0) as usize) }
    };
    counted(x, words)
}

/// A cell of a number in words, all its digits in the tooltip.
fn counted(x: Option<f64>, words: impl Fn(f64) -> String) -> Cell {
    ("number", x.map_or("–".to_string(), |x| format!("<span title=\"{x:?}\">{}</span>", with_minus(&words(x)))))
}

/// Below this size, in any SI unit, a number at rest is what rounding leaves of zero.
const ROUNDING: f64 = 1e-20;

/// A number of a state at rest: what rounding leaves of zero is zero, and stands in the tooltip only.
fn settled(x: Option<f64>) -> Cell {
    if x.is_some_and(|x| x.abs() < ROUNDING) { counted(x, |_| "0".into()) } else { number(x) }
}

/// A unit as people read it: nothing for a pure number.
fn unit(unit: &str) -> Cell {
    // The largest of numbers of two kinds.
    const KINDS: &str = "metres where it is a place, radians where it is an angle";
    let words = escape(&label::unit(unit));
    let told = match unit {
        "1" => String::new(),
        unit if unit.contains(" or ") => format!("<span title=\"{KINDS}\">{words}</span>"),
        _ => words,
    };
    ("unit", told)
}

/// The case's name as people read it, or its number where it has none.
fn case_name(k: usize, case: &Case) -> String {
    if case.name.is_empty() { format!("case {}", k + 1) } else { label::case(&case.name) }
}

/// More cases than this do not fit side by side on paper.
const MOST_COLUMNS: usize = 6;

/// A row of a table of cases: what it is, a cell for each case, and its unit where it has one.
struct CaseRow {
    name: Cell,
    cases: Vec<Cell>,
    unit: Option<Cell>,
}

/// A table with a column for each case; of many cases several tables below each other.
fn case_table(report: &Report, caption: &str, first: &str, class: &str, rows: &[CaseRow]) -> String {
    let several = report.cases.len() > 1;
    let names: Vec<String> =
        report.cases.iter().enumerate().map(|(k, case)| if several { case_name(k, case) } else { "Value".into() }).collect();
    let starts: Vec<usize> = (0..names.len()).step_by(MOST_COLUMNS).collect();
    let one = |start: &usize| {
        let part = *start..(start + MOST_COLUMNS).min(names.len());
        let mut heads = vec![("", first)];
        heads.extend(names[part.clone()].iter().map(|name| (class, name.as_str())));
        let units = rows.iter().any(|row| row.unit.is_some());
        heads.extend(units.then_some(("", "Unit")));
        let line = |row: &CaseRow| {
            let cases = row.cases[part.clone()].iter().cloned();
            [row.name.clone()].into_iter().chain(cases).chain(row.unit.clone()).collect()
        };
        table(if *start == 0 { caption } else { "" }, &heads, &rows.iter().map(line).collect::<Vec<_>>())
    };
    starts.iter().map(one).collect()
}

/// What a column or number is called, with its name in the files where a pointer rests.
fn labelled(label: &str, name: &str) -> Cell {
    ("", format!("<span title=\"{}\">{}</span>", escape(name), escape(label)))
}
