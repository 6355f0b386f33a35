//! What the cases of a sweep are, one line each, with what a check says of them.
//! Not here: what differs in their methods (`method`), their numbers (`numbers`).

use super::super::groups::opening;
use super::super::{Report, Section};
use super::health::said;
use super::{Cell, case_name, folded, table, text};
use borelli_study::run::Verdict;

pub(in crate::report) const SECTION: Section = Section { id: "cases", title: "Cases", short: "Cases", body };

fn body(report: &Report) -> Option<String> {
    if report.cases.len() < 2 || report.gait.is_some() {
        return None;
    }
    let opened = opening(report);
    let row = |k: usize| -> Vec<Cell> {
        let case = &report.cases[k];
        let mut about = text(&case.about);
        if k == opened {
            about.1.push_str(if about.1.is_empty() { "The page opens with this case." } else { " The page opens with this case." });
        }
        let worst = case.health.iter().map(|line| line.verdict).filter(|verdict| *verdict != Verdict::None).min();
        let verdict = match (&case.notice, worst) {
            (Some(_), _) => ("bad", "ended early".to_string()),
            (None, Some(verdict)) => (verdict.word(), said(verdict).to_string()),
            (None, None) => ("", "–".to_string()),
        };
        vec![text(&case_name(k, case)), about, verdict]
    };
    let rows: Vec<Vec<Cell>> = (0..report.cases.len()).map(row).collect();
    let heads = [("", "Case"), ("", "What it is"), ("", "Checks")];
    Some(folded(rows.len(), rows.len(), "cases", table("", &heads, &rows)))
}
