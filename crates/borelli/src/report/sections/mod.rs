//! The parts of a page, one per file; the list is `SECTIONS` one floor up. Here only what several of them need.
//! Not here: scripts and style (`page/`).

pub(super) mod events;
pub(super) mod expectations;
pub(super) mod gait;
pub(super) mod health;
pub(super) mod method;
pub(super) mod motion;
pub(super) mod numbers;
pub(super) mod plots;
pub(super) mod pressure;
pub(super) mod source;
pub(super) mod state;

use super::{Case, Report, escape, significant};

/// A cell: its class (`number`, `good`, `bad`, `open` or nothing) and its HTML.
type Cell = (&'static str, String);

/// A table with a caption for readers that do not see it.
fn table(caption: &str, heads: &[(&str, &str)], rows: &[Vec<Cell>]) -> String {
    let mut out = format!("<div class=\"scroll\"><table>\n<caption>{}</caption>\n<thead><tr>", escape(caption));
    for (class, head) in heads {
        out.push_str(&format!("<th scope=\"col\" class=\"{class}\">{}</th>", escape(head)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (class, cell) in row {
            out.push_str(&format!("<td class=\"{class}\">{cell}</td>"));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
    out
}

fn text(text: &str) -> Cell {
    ("", escape(text))
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
    ("number", x.map_or("–".to_string(), |x| format!("<span title=\"{x:?}\">{}</span>", words(x))))
}

/// A unit as people read it: nothing for a pure number.
fn unit(unit: &str) -> Cell {
    text(if unit == "1" { "" } else { unit })
}

/// A verdict by word and colour.
fn verdict_cell(ok: Option<bool>, words: [&str; 3]) -> Cell {
    let (class, word) = match ok {
        Some(true) => ("good", words[0]),
        Some(false) => ("bad", words[1]),
        None => ("open", words[2]),
    };
    (class, word.to_string())
}

/// The case's name, or its number where it has none.
fn case_name(k: usize, case: &Case) -> String {
    if case.name.is_empty() { format!("case {}", k + 1) } else { case.name.clone() }
}

/// One sentence that says how the expectations were met.
pub(super) fn verdict(report: &Report) -> String {
    let list = &report.expectations;
    if list.is_empty() {
        return String::new();
    }
    let count = |ok: Option<bool>| list.iter().filter(|row| row.ok == ok).count();
    let (met, missed, open) = (count(Some(true)), count(Some(false)), count(None));
    let class = if missed > 0 {
        "bad"
    } else if met == 0 {
        "open"
    } else {
        "good"
    };
    let mut sentence = format!("{met} of {} expected numbers met", list.len());
    if missed > 0 {
        sentence.push_str(&format!(", {missed} missed"));
    }
    if open > 0 {
        sentence.push_str(&format!(", {open} not judged"));
    }
    format!("<p class=\"verdict {class}\"><a href=\"#expectations\">{sentence}.</a></p>\n")
}
