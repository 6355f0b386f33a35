//! What a fit found: what was made small, how near measured and computed curves came, unknowns with their bounds, how the search went, what it left open.
//! Not here: fitting, the health lines of a fit.

use super::super::chart::{Plain, plain_chart, plain_dots};
use super::super::escape::{prose, with_minus};
use super::super::fit::{FitCurve, FitPage, FitUnknown, FitWeak, definition, term_words};
use super::super::{Case, Report, Section, escape, significant};
use super::{Cell, case_name, folded, number, table, text, unit};
use crate::label;
use crate::plot::shown_unit;

pub(in crate::report) const SECTION: Section = Section { id: "fit", title: "Fit to measured data", short: "Fit", body };

fn body(report: &Report) -> Option<String> {
    let several = report.cases.len() > 1;
    let one = |(k, case): (usize, &Case)| {
        let fit = case.fit.as_ref()?;
        let head = if several { format!("<h3>Case {}</h3>\n", escape(&case_name(k, case))) } else { String::new() };
        Some(head + &block(case, fit))
    };
    let blocks: Vec<String> = report.cases.iter().enumerate().filter_map(one).collect();
    (!blocks.is_empty()).then(|| blocks.concat())
}

/// Why an unknown may have no interval.
const NO_INTERVAL: &str = "<p class=\"fine\">An unknown has no interval where it ended at a bound, where the data do not determine it, and where J is no sum of \
squares.</p>\n";

fn block(case: &Case, fit: &FitPage) -> String {
    let mut out = told(case, fit);
    out.push_str(&terms(case, fit));
    let over_time: String = fit.curves.iter().filter(|curve| curve.time.len() != 1).map(|curve| compared(case, fit, curve)).collect();
    let curves = over_time + &one_by_one(case, fit);
    if !curves.is_empty() {
        out.push_str(&format!("<div class=\"plots fitted\">\n{curves}</div>\n"));
    }
    let rows: Vec<Vec<Cell>> = fit.unknowns.iter().map(unknown).collect();
    let heads = [
        ("quantity", "Unknown"),
        ("number", "Low"),
        ("number", "High"),
        ("number", "Start"),
        ("number", "Best"),
        ("number", "95 % interval"),
        ("", "Unit"),
        ("", "At a bound"),
    ];
    out.push_str(&folded(rows.len(), rows.len(), "unknowns", table("What was searched for, between its bounds", &heads, &rows)));
    if fit.unknowns.iter().any(|own| own.interval.is_none()) {
        out.push_str(NO_INTERVAL);
    }
    out.push_str(&weak(fit));
    let search = [history(fit), starts(fit), front(fit)].concat();
    if !search.is_empty() {
        out.push_str(&format!("<div class=\"plots fitted\">\n{search}</div>\n"));
    }
    out
}

/// What J is, how far it came down, and why the search ended.
fn told(case: &Case, fit: &FitPage) -> String {
    let words = definition(&case.method).map_or(String::new(), |words| format!("<p>{}.</p>\n", prose(words)));
    let [start, end] = fit.objective.map(|x| significant(x, 5));
    let [all, with_slopes] = fit.evaluations;
    let ended = if fit.found { "It ended where it should" } else { "It ended before it had found what it looked for" };
    format!(
        "{words}<p>From J = {start} to <b>J = {end}</b> by {} in {all} evaluations, {with_slopes} of them with slopes. {ended}: {}.</p>\n",
        escape(&fit.methods.join(", then ")),
        escape(&fit.stop)
    )
}

/// Parts of J with what each compares.
fn terms(case: &Case, fit: &FitPage) -> String {
    let row = |(name, [start, end]): &(String, [f64; 2])| {
        vec![text(name), text(term_words(&case.method, name).unwrap_or("")), number(Some(*start)), number(Some(*end))]
    };
    let mut rows: Vec<Vec<Cell>> = fit.terms.iter().map(row).collect();
    if fit.extra != 0.0 {
        rows.push(vec![text("extra"), text("what is added to the terms"), ("number", "–".into()), number(Some(fit.extra))]);
    }
    let heads = [("", "Term"), ("meaning", "What is compared"), ("number", "Part of J at the start"), ("number", "At the end")];
    if rows.is_empty() { String::new() } else { table("", &heads, &rows) }
}

/// The unit of a term: that of its column, which stands first in its words.
fn unit_of(case: &Case, term: &str) -> String {
    let column = term_words(&case.method, term).and_then(|words| words.strip_prefix('`')?.split('`').next());
    let place = column.and_then(|name| case.trajectory.index(name));
    place.and_then(|k| case.trajectory.columns()[k].unit.clone()).unwrap_or_else(|| "SI unit".into())
}

/// Measured and computed over time.
fn compared(case: &Case, fit: &FitPage, curve: &FitCurve) -> String {
    let (shown, factor) = shown_unit(&unit_of(case, &curve.term));
    let line =
        |label: &str, values: &[f64]| Plain { label: label.into(), x: curve.time.clone(), y: values.iter().map(|y| factor * y).collect() };
    let role = if curve.is_fitted { "" } else { ", not fitted" };
    let several = fit.curves.iter().any(|other| other.trial != curve.trial);
    let trial = if several || !curve.is_fitted { format!(", {}{role}", label::words(&curve.trial)) } else { String::new() };
    let title = format!("{}{trial}", label::capital(&label::words(&curve.term)));
    plain_chart(&title, &shown, "Time / s", vec![line("measured", &curve.measured), line("computed", &curve.computed)], &[])
}

/// Measured and computed where each trial has one sample, as in balances: a plot for each term, of all its trials.
fn one_by_one(case: &Case, fit: &FitPage) -> String {
    let alone: Vec<&FitCurve> = fit.curves.iter().filter(|curve| curve.time.len() == 1).collect();
    let is_same = |a: &FitCurve, b: &FitCurve| a.term == b.term && a.is_fitted == b.is_fitted;
    let is_first = |k: &usize| !alone[..*k].iter().any(|before| is_same(before, alone[*k]));
    let plot = |k: usize| {
        let first = alone[k];
        let mut own: Vec<&FitCurve> = alone.iter().copied().filter(|curve| is_same(curve, first)).collect();
        own.sort_by(|a, b| a.time[0].total_cmp(&b.time[0]));
        let (shown, factor) = shown_unit(&unit_of(case, &first.term));
        // Trials that share a time are told apart by their number.
        let apart = own.windows(2).all(|pair| pair[0].time[0] < pair[1].time[0]);
        let x: Vec<f64> = own.iter().enumerate().map(|(k, curve)| if apart { curve.time[0] } else { (k + 1) as f64 }).collect();
        let line = |label: &str, value: fn(&FitCurve) -> f64| Plain {
            label: label.into(),
            x: x.clone(),
            y: own.iter().map(|curve| factor * value(curve)).collect(),
        };
        let title = format!("{}{}", label::capital(&label::words(&first.term)), if first.is_fitted { "" } else { ", not fitted" });
        let curves = vec![line("measured", |curve| curve.measured[0]), line("computed", |curve| curve.computed[0])];
        plain_dots(&title, &shown, if apart { "Time / s" } else { "Trial" }, curves, false)
    };
    (0..alone.len()).filter(is_first).map(plot).collect()
}

fn unknown(own: &FitUnknown) -> Vec<Cell> {
    let end = |k: usize| number(own.bounds.map(|bounds| bounds[k]));
    let interval =
        own.interval.map_or("–".to_string(), |[low, high]| with_minus(&format!("{} to {}", significant(low, 4), significant(high, 4))));
    let bound: Cell =
        if own.at_bound.is_empty() { ("", String::new()) } else { ("look", format!("at its {} bound", escape(&own.at_bound))) };
    let name = ("quantity", format!("<span title=\"{}\">{}</span>", escape(&own.paths), escape(&own.name)));
    vec![name, end(0), end(1), number(Some(own.start)), number(Some(own.best)), ("number", interval), unit(&own.unit), bound]
}

/// Combinations of unknowns that the data hardly determine, the weakest first.
fn weak(fit: &FitPage) -> String {
    if fit.singular.is_empty() {
        return String::new();
    }
    let one = |own: &FitWeak| {
        let parts: Vec<String> =
            own.parts.iter().map(|(name, part)| format!("{} {}", with_minus(&significant(*part, 2)), escape(name))).collect();
        let how =
            if own.undetermined { "not determined at all".to_string() } else { format!("{} of the strongest", significant(own.share, 2)) };
        format!("<li>{}: {how}</li>\n", parts.join(", "))
    };
    let weakest = fit.singular.last().copied().unwrap_or(1.0);
    if fit.weak.is_empty() {
        return format!(
            "<p class=\"fine\">The data determine all combinations of unknowns; the weakest {} as well as the strongest.</p>\n",
            significant(weakest, 2)
        );
    }
    let list: String = fit.weak.iter().map(one).collect();
    format!(
        "<p>Changes of unknowns together that hardly change J, so that the data do not tell them apart (parts of unit size, the weakest first):</p>\n<ul>\n{list}</ul>\n"
    )
}

/// The best J over evaluations; of a front whose volume is measured, that.
fn history(fit: &FitPage) -> String {
    let (x, y): (Vec<f64>, Vec<f64>) = fit.history.iter().copied().filter(|(_, objective)| objective.is_finite()).unzip();
    if x.len() < 2 {
        return String::new();
    }
    let chart = |title: &str, label: &str, (x, y)| plain_chart(title, "1", "Evaluations", vec![Plain { label: label.into(), x, y }], &[]);
    if fit.volumes.len() > 1 {
        return chart("Volume that the front dominates", "volume", fit.volumes.iter().copied().unzip());
    }
    chart("Best J so far", "best J so far", (x, y))
}

/// J at the end of each start, the best first.
fn starts(fit: &FitPage) -> String {
    if fit.starts.len() < 2 {
        return String::new();
    }
    let mut ends: Vec<f64> = fit.starts.iter().map(|(objective, _)| *objective).filter(|x| x.is_finite()).collect();
    ends.sort_by(f64::total_cmp);
    let x = (1..=ends.len()).map(|k| k as f64).collect();
    let title = format!("J at the end of {} starts", fit.starts.len());
    plain_dots(&title, "1", "Starts, the best first", vec![Plain { label: "J at the end".into(), x, y: ends }], false)
}

/// Points of the front: the second objective over the first.
fn front(fit: &FitPage) -> String {
    let points = |allowed: bool| {
        let own = fit.front.iter().filter(|(objectives, violation)| objectives.len() > 1 && (*violation <= 0.0) == allowed);
        own.map(|(objectives, _)| (objectives[0], objectives[1])).unzip::<f64, f64, Vec<f64>, Vec<f64>>()
    };
    let curve = |(label, (x, y)): (&str, (Vec<f64>, Vec<f64>))| (!x.is_empty()).then(|| Plain { label: label.into(), x, y });
    let all = [("best compromises", points(true)), ("those that break a constraint", points(false))];
    let curves: Vec<Plain> = all.into_iter().filter_map(curve).collect();
    if curves.is_empty() { String::new() } else { plain_dots("Front of the objectives: objective 2", "1", "Objective 1", curves, false) }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::report;
    use super::*;
    use crate::recorded::{motion, system};
    use crate::report::Figure;

    fn page() -> FitPage {
        let unknown = |name: &str, at_bound: &str| FitUnknown {
            name: name.into(),
            paths: format!("law.{name}"),
            unit: "m".into(),
            bounds: Some([-1.0, 2.0]),
            start: 0.5,
            best: 2.0,
            at_bound: at_bound.into(),
            interval: Some([1.5, 2.5]),
        };
        let mut page = FitPage {
            methods: vec!["least-squares".into(), "cma-es".into()],
            stop: "the gradient is zero".into(),
            found: true,
            objective: [10.0, 2.5],
            terms: vec![("vertical".into(), [9.0, 2.0])],
            evaluations: [120, 30],
            unknowns: vec![unknown("radius", "high"), unknown("place", "")],
            history: vec![(1.0, 10.0), (60.0, 4.0), (120.0, 2.5)],
            starts: vec![(2.5, "found".into()), (3.5, "found".into())],
            singular: vec![1.0, 0.001],
            weak: vec![FitWeak { share: 0.001, undetermined: false, parts: vec![("radius".into(), 0.7), ("place".into(), -0.7)] }],
            front: vec![(vec![1.0, 3.0], 0.0), (vec![2.0, 1.0], 0.0), (vec![0.5, 9.0], 0.1)],
            ..FitPage::default()
        };
        for k in 0..50 {
            let t = f64::from(k) * 0.01;
            page.add("walk", true, "vertical", [t, t.sin(), t.cos()]);
        }
        page
    }

    #[test]
    fn a_fit_has_a_section_and_other_runs_have_none() {
        let system = system("double-pendulum");
        let table = motion(&system, 1.0, 11);
        let mut shown = report("fit", Figure::of(&system), &table);
        assert_eq!(body(&shown), None);
        shown.cases[0].fit = Some(page());
        shown.cases[0].method = vec![
            (borelli_study::run::FIT_OBJECTIVE.into(), "J = (sum of |e|^2 over terms and samples)".into()),
            (format!("{}vertical", borelli_study::run::FIT_TERM), "`system.energy.total` less measured `fy`".into()),
        ];
        let part = body(&shown).expect("a section");
        for words in [
            "J = (sum of |e|^2 over terms and samples).",
            "From J = 10 to <b>J = 2.5</b> by least-squares, then cma-es in 120 evaluations, 30 of them with slopes. It ended where it should: the gradient is zero.",
            "at its high bound",
            "1.5 to 2.5",
            "0.7 radius, −0.7 place: 0.001 of the strongest",
            "Vertical / J",
            "Best J so far",
            "J at the end of 2 starts",
            "those that break a constraint",
        ] {
            assert!(part.contains(words), "{words} in {part}");
        }
        // Trials of one sample each are dots of one plot.
        let mut at_rest = page();
        at_rest.curves.clear();
        for k in 1..=3 {
            at_rest.add(&format!("load-{k}"), true, "vertical", [f64::from(k), 1.0, 1.5]);
        }
        shown.cases[0].fit = Some(at_rest);
        let dots = body(&shown).expect("a section");
        assert_eq!((dots.matches("Vertical / J").count() > 0, dots.matches("<circle ").count()), (true, 2 + 3 + 6));
        // measured and computed, the history; dots of starts and front have no lines
        let lines = part.matches("<path class=\"curve\"").count() - part.matches("d=\"M0 4h22\"").count() - part.matches("d=\"\"").count();
        assert_eq!((lines, part.matches("<circle ").count()), (3, 2 + 3));
    }
}
