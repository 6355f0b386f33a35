//! The first lines: title, what was asked, what came out, chips that say whether to trust it, notices of runs that failed; and the last lines.
//! Not here: the sentence of the outcome, which comes with the data.

use super::super::escape::{glued, prose};
use super::super::gait::Weight;
use super::super::{Change, Report, escape, significant, viewer};
use super::case_name;
use super::health::{Row, rows, said};
use crate::label;
use borelli_study::run::Verdict;

/// Everything above the list of parts.
pub(in crate::report) fn html(report: &Report) -> String {
    let mut out =
        format!("<header>\n<div class=\"title\"><h1>{}</h1><div class=\"tools\" id=\"tools\"></div></div>\n", escape(&report.title));
    if !report.description.is_empty() {
        out.push_str(&format!("<p class=\"lead\">{}</p>\n", prose(&glued(report.description.trim()))));
    }
    out.push_str(&changed(report));
    if !report.outcome.is_empty() {
        out.push_str(&format!("<p class=\"outcome\">{}</p>\n", prose(&glued(report.outcome.trim()))));
    }
    let chips = chips(report);
    if !chips.is_empty() {
        out.push_str("<ul class=\"chips\">");
        for Chip { verdict, text, to } in &chips {
            out.push_str(&format!("<li><a class=\"chip {}\" href=\"#{to}\">{}</a></li>", verdict.word(), escape(text)));
        }
        out.push_str("</ul>\n");
    }
    out.push_str(&warnings(report));
    for (notice, cases) in notices(report) {
        let names: Vec<String> = cases.iter().map(|k| case_name(*k, &report.cases[*k])).collect();
        let name = if report.cases[cases[0]].name.is_empty() { String::new() } else { format!("<b>{}:</b> ", escape(&names.join(", "))) };
        out.push_str(&format!("<p class=\"notice\" role=\"alert\" id=\"notice-{}\">{name}{}</p>\n", cases[0], prose(notice)));
    }
    for remark in report.gait.iter().flat_map(|page| &page.remarks).filter(|remark| remark.weight == Weight::Severe) {
        let trial = if remark.trial.is_empty() { String::new() } else { format!("<b>{}:</b> ", escape(&remark.trial)) };
        out.push_str(&format!("<p class=\"notice\" role=\"alert\">{trial}{}</p>\n", prose(&remark.text)));
    }
    out.push_str("</header>\n");
    out
}

/// So many warnings are read one by one; further ones stand where they belong.
const MOST_WARNINGS: usize = 5;

/// What is warned of: which check, in which cases, how much, and what it means. What to do stands with the checks.
fn warnings(report: &Report) -> String {
    // Remarks on a session tell what its checks warn of, too.
    let checks = if report.gait.is_some() { Vec::new() } else { rows(report) };
    let mut told = Vec::new();
    let warned = checks.iter().filter(|row| row.worst().warns());
    let of_checks = warned.map(|row| (row.worst().word(), warning(report, row, &mut told), "health"));
    let remarks = report.gait.iter().flat_map(|page| &page.remarks).filter(|remark| remark.weight == Weight::Warning);
    let of_data = remarks.map(|remark| {
        let trial = if remark.trial.is_empty() { String::new() } else { format!("<b>{}</b>: ", escape(&remark.trial)) };
        let text = remark.text.split(" What to do:").next().unwrap_or_default();
        (Verdict::Look.word(), format!("{trial}{}", prose(&glued(text))), "quality")
    });
    let all: Vec<(&str, String, &str)> = of_checks.chain(of_data).collect();
    let item = |(class, text, to): &(&str, String, &str)| {
        format!("<li class=\"{class}\">{text} <a class=\"to-part\" href=\"#{to}\">More</a></li>\n")
    };
    let mut list: String = all.iter().take(MOST_WARNINGS).map(item).collect();
    if let Some((class, _, to)) = all.get(MOST_WARNINGS) {
        list.push_str(&format!("<li class=\"{class}\"><a href=\"#{to}\">and {} more</a></li>\n", all.len() - MOST_WARNINGS));
    }
    if list.is_empty() { list } else { format!("<ul class=\"warnings\" aria-label=\"Warnings\">\n{list}</ul>\n") }
}

/// More names than this are not read.
const MOST_NAMES: usize = 6;
/// Cases that a warning lets speak for themselves.
const MOST_ABOUT: usize = 3;

/// One warning. What the study says of a case stands in the first warning of it, and is noted in `told`.
fn warning(report: &Report, row: &Row, told: &mut Vec<usize>) -> String {
    let quoted = |k: usize| format!("“{}”", case_name(k, &report.cases[k]));
    let (worst, value) = row.worst_value();
    let warned = [Verdict::Bad, Verdict::Look].map(|verdict| (verdict, row.of(verdict)));
    let count: usize = warned.iter().map(|(_, cases)| cases.len()).sum();
    let several = report.cases.len() > 1;
    let place = match several {
        true => {
            let parts: Vec<String> = (warned.iter().filter(|(_, cases)| !cases.is_empty()))
                .map(|(verdict, cases)| {
                    let mut names: Vec<String> = cases.iter().take(MOST_NAMES).map(|k| quoted(*k)).collect();
                    if cases.len() > MOST_NAMES {
                        names.push(format!("{} more", cases.len() - MOST_NAMES));
                    }
                    format!("{} in {} of {} cases ({})", said(*verdict), cases.len(), report.cases.len(), names.join(", "))
                })
                .collect();
            parts.join(", ")
        }
        false => said(row.worst()).to_string(),
    };
    let unit = if row.unit == "1" { String::new() } else { format!(" {}", label::unit(row.unit)) };
    let size = value.map_or(String::new(), |value| format!("{}{unit}", significant(value, 3)));
    let most = match worst.filter(|_| count > 1) {
        Some(k) => format!("; most in {}, {size}", quoted(k)),
        None if size.is_empty() => size,
        None => format!(": {size}"),
    };
    let meaning = row.meaning.split(" What to do:").next().unwrap_or_default();
    // Cases that are wrong on purpose say so themselves.
    let says = |k: &&usize| several && !report.cases[**k].about.is_empty() && !told.contains(*k);
    let own: Vec<usize> = warned.iter().flat_map(|(_, cases)| cases).filter(says).take(MOST_ABOUT).copied().collect();
    let about: String = own.iter().map(|k| format!(" Of {} the study says: {}", quoted(*k), report.cases[*k].about)).collect();
    told.extend(own);
    let head = format!("<b>{}</b>, {}{}.", escape(&label::capital(row.label)), escape(&place), escape(&glued(&most)));
    format!("{head} {}", prose(&glued(&format!("{meaning}{about}"))))
}

/// What the command line changed in the question, so that nobody takes the answer for that of the study; how it was computed stands further down.
fn changed(report: &Report) -> String {
    let said = |change: &&Change| match (change.option.as_str(), change.value.split_once('=')) {
        (Change::SET, Some((path, value))) => format!("<code>{} = {}</code>", escape(path.trim()), escape(value.trim())),
        (Change::RESTART, _) => format!("start from the end of the run in <code>{}</code>", escape(&change.value)),
        (option, _) => format!("<code>{} {}</code>", escape(option), escape(&change.value)),
    };
    let list: Vec<String> = report.changes.iter().filter(|change| change.alters_question()).map(|change| said(&change)).collect();
    if list.is_empty() { String::new() } else { format!("<p class=\"changed\">Changed on the command line: {}.</p>\n", list.join("; ")) }
}

/// What must be known before anything else, each once, with the cases it is about.
fn notices<'r>(report: &'r Report) -> Vec<(&'r str, Vec<usize>)> {
    let mut list: Vec<(&'r str, Vec<usize>)> = Vec::new();
    for (k, case) in report.cases.iter().enumerate() {
        let Some(notice) = case.notice.as_deref() else { continue };
        match list.iter_mut().find(|(known, _)| *known == notice) {
            Some((_, cases)) => cases.push(k),
            None => list.push((notice, vec![k])),
        }
    }
    list
}

/// A few words with a verdict that lead to where more is said.
struct Chip {
    verdict: Verdict,
    text: String,
    to: String,
}

fn chips(report: &Report) -> Vec<Chip> {
    let mut list = Vec::new();
    let failed: Vec<usize> = (0..report.cases.len()).filter(|k| report.cases[*k].notice.is_some()).collect();
    if let Some(first) = failed.first() {
        let text = match (failed.len(), report.cases.len()) {
            (_, 1) => "the run did not end as planned".to_string(),
            (n, all) => format!("{n} of {all} runs did not end as planned"),
        };
        list.push(Chip { verdict: Verdict::Bad, text, to: format!("notice-{first}") });
    }
    list.extend(expected(report, !failed.is_empty()));
    let wrong = rows(report).iter().filter(|row| row.worst() == Verdict::Bad).count();
    if wrong > 0 {
        let text = format!("{wrong} check{} failed", if wrong > 1 { "s" } else { "" });
        list.push(Chip { verdict: Verdict::Bad, text, to: "health".into() });
    }
    let warnings = rows(report).iter().filter(|row| row.worst() == Verdict::Look).count();
    let judged = rows(report).iter().any(|row| row.worst() != Verdict::None);
    match warnings {
        0 if judged && wrong == 0 && failed.is_empty() => {
            list.push(Chip { verdict: Verdict::Good, text: "all checks of the computation good".into(), to: "health".into() });
        }
        0 => (),
        1 => list.push(Chip { verdict: Verdict::Look, text: "1 warning".into(), to: "health".into() }),
        n => list.push(Chip { verdict: Verdict::Look, text: format!("{n} warnings"), to: "health".into() }),
    }
    let remarks = |weight: Weight| report.gait.iter().flat_map(|page| &page.remarks).filter(|remark| remark.weight == weight).count();
    for (weight, verdict, word) in [(Weight::Severe, Verdict::Bad, "severe remark"), (Weight::Warning, Verdict::Look, "remark")] {
        let count = remarks(weight);
        if count > 0 {
            let plural = if count > 1 { "s" } else { "" };
            list.push(Chip { verdict, text: format!("{count} {word}{plural} on the data"), to: "quality".into() });
        }
    }
    list
}

/// How the expectations were met. Where a run failed, nothing looks good: its numbers are those of a part.
fn expected(report: &Report, failed: bool) -> Option<Chip> {
    let list = &report.expectations;
    if list.is_empty() {
        return None;
    }
    // What data were fitted to is no success, and what is known to be missed no failure: both stand beside the count.
    let judged = || list.iter().filter(|row| !row.only_shown() && !row.fitted());
    let count = |ok: Option<bool>| judged().filter(|row| row.ok == ok).count();
    let (met, missed, open) = (count(Some(true)), list.iter().filter(|row| row.ok == Some(false)).count(), count(None));
    let (shown, fitted) = (list.iter().filter(|row| row.only_shown()).count(), list.iter().filter(|row| row.fitted()).count());
    let all = judged().count();
    let verdict = match (missed, met, open) {
        (1.., _, _) => Verdict::Bad,
        (_, 0, _) => Verdict::None,
        (_, _, 1..) => Verdict::Look,
        _ if failed => Verdict::Look,
        _ => Verdict::Good,
    };
    let mut text = format!("{met} of {all} expected number{} met", if all > 1 { "s" } else { "" });
    if missed > 0 {
        text.push_str(&format!(", {missed} missed"));
    }
    if open > 0 {
        text.push_str(&format!(", {open} not judged"));
    }
    if shown > 0 {
        text.push_str(&format!(", {shown} more not reached"));
    }
    if fitted > 0 {
        text.push_str(&format!(", {fitted} more fitted"));
    }
    Some(Chip { verdict, text, to: if missed > 0 { "missed-1".into() } else { "expected".into() } })
}

/// What made the page, and the licences of what is in it.
pub(in crate::report) fn footer() -> String {
    let made = concat!("Made by borelli ", env!("CARGO_PKG_VERSION"), ". This page is one file; it loads nothing from a network.");
    let licences = viewer::licenses().map_or(String::new(), |text| {
        format!(
            "<details class=\"licences\"><summary>Licences of the three-dimensional figure in this page</summary><pre>{}</pre></details>\n",
            escape(text)
        )
    });
    format!("<footer>\n<p class=\"fine\">{made}</p>\n{licences}</footer>\n")
}
