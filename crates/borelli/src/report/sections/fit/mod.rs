//! What a fit found: what was made small, how near measured and computed curves came, unknowns with their bounds, how the search went, what it left open.
//! Not here: fitting, the health lines of a fit.
//! In: what a page shows of a fit. Out: HTML. Unknowns stand in `unknowns`, the search in `search`, what further searches found in `further`.

mod further;
mod search;
mod unknowns;

use super::super::chart::{Plain, plain_chart, plain_dots, plain_strip};
use super::super::escape::prose;
use super::super::fit::{FitCurve, FitPage, definition, term_words};
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

fn block(case: &Case, fit: &FitPage) -> String {
    let mut out = told(case, fit);
    out.push_str(&terms(case, fit));
    let over_time: String = fit.curves.iter().filter(|curve| curve.time.len() != 1).map(|curve| compared(case, fit, curve)).collect();
    let curves = over_time + &one_by_one(case, fit);
    if !curves.is_empty() {
        out.push_str(&format!("<div class=\"plots fitted\">\n{curves}</div>\n"));
    }
    out.push_str(&unknowns::block(fit));
    out.push_str(&further::block(fit));
    let search = search::plots(case, fit);
    if !search.is_empty() {
        out.push_str(&format!("<div class=\"plots fitted\">\n{search}</div>\n"));
    }
    out
}

/// What J is, how far it came down, why the search ended, what J is made of, and what blocks.
fn told(case: &Case, fit: &FitPage) -> String {
    let words = definition(&case.method).map_or(String::new(), |words| format!("<p>{}.</p>\n", prose(words)));
    let [start, end] = fit.objective.map(|x| significant(x, 5));
    let [all, with_slopes] = fit.evaluations;
    let ended = if fit.found { "It ended where it should" } else { "It ended before it had found what it looked for" };
    format!(
        "{words}<p>From J = {start} to <b>J = {end}</b> by {} in {all} evaluations, {with_slopes} of them with slopes. {ended}: {}.{}{}</p>\n",
        escape(&fit.methods.join(", then ")),
        escape(&fit.stop),
        dominant(fit),
        blocking(fit)
    )
}

/// The term that has the largest part of J; several objectives have no sum.
fn dominant(fit: &FitPage) -> String {
    if !fit.front.is_empty() {
        return String::new();
    }
    let total = fit.terms.iter().map(|(_, [_, end])| end).sum::<f64>() + fit.extra;
    let most = fit.terms.iter().max_by(|a, b| a.1[1].total_cmp(&b.1[1]));
    match most.map(|(name, [_, end])| (name, end / total)) {
        Some((name, share)) if fit.terms.len() > 1 && share.is_finite() => {
            format!(" The term <b>{}</b> has the largest part of J, {:.0} %.", escape(name), 100.0 * share)
        }
        _ => String::new(),
    }
}

/// The bound or constraint that costs most.
fn blocking(fit: &FitPage) -> String {
    let bounds = fit.unknowns.iter().filter_map(|own| Some((format!("the {} bound of {}", own.at_bound, own.name), own.cost?[1])));
    let limits = fit.limits.iter().map(|own| (format!("the constraint {} on {}", own.name, own.unknown), own.cost[1]));
    let most = bounds.chain(limits).filter(|(_, cost)| *cost > 0.0).max_by(|a, b| a.1.total_cmp(&b.1));
    most.map_or(String::new(), |(what, cost)| {
        let cost = significant(cost, 3);
        format!(" What blocks most is <b>{}</b>: J would fall by {cost} for the width of the unknown, to first order.", escape(&what))
    })
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

/// Measured and computed over time, and below what is between them.
fn compared(case: &Case, fit: &FitPage, curve: &FitCurve) -> String {
    let (shown, factor) = shown_unit(&unit_of(case, &curve.term));
    let scaled = |values: &mut dyn Iterator<Item = f64>| -> Vec<f64> { values.map(|y| factor * y).collect() };
    let line = |label: &str, y: Vec<f64>| Plain { label: label.into(), x: curve.time.clone(), y };
    let title = title(fit, curve);
    let lines = [("measured", &curve.measured), ("computed", &curve.computed)];
    let lines = lines.map(|(label, values)| line(label, scaled(&mut values.iter().copied()))).into();
    let between = scaled(&mut curve.computed.iter().zip(&curve.measured).map(|(c, m)| c - m));
    let accept = fit.accepts.iter().find(|(trial, term, _)| *trial == curve.trial && *term == curve.term);
    let accept = accept.map(|(_, _, size)| factor * size);
    let label = accept.map_or("computed less measured".to_string(), |accept| {
        let within = between.iter().filter(|y| y.abs() <= accept).count();
        format!("computed less measured; {within} of {} within ±{} {}", between.len(), significant(accept, 3), label::unit(&shown))
    });
    let strip = plain_strip(&format!("{title}: residual"), &shown, "Time / s", line(&label, between), accept);
    plain_chart(&title, &shown, "Time / s", lines, &[]) + &strip
}

/// What a curve is called: its term, and its trial where there are several.
fn title(fit: &FitPage, curve: &FitCurve) -> String {
    let role = if curve.is_fitted { "" } else { ", not fitted" };
    let several = fit.curves.iter().any(|other| other.trial != curve.trial);
    let trial = if several || !curve.is_fitted { format!(", {}{role}", label::words(&curve.trial)) } else { String::new() };
    format!("{}{trial}", label::capital(&label::words(&curve.term)))
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

#[cfg(test)]
mod tests {
    use super::super::super::fit::{FitLeftOut, FitProfile, FitUnknown, FitWeak};
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
            log: false,
            start: 0.5,
            best: 2.0,
            at_bound: at_bound.into(),
            interval: Some([1.5, 2.5]),
            cost: (!at_bound.is_empty()).then_some([0.5, 1.5]),
            profile: [Some(1.4), None],
            drawn: None,
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
            middle: Some(0),
            accepts: vec![("walk".into(), "vertical".into(), 0.5)],
            correlation: (vec!["radius".into(), "place".into()], vec![1.0, -0.75, -0.75, 1.0]),
            rise: Some(0.25),
            left_out: vec![FitLeftOut { trial: "walk".into(), fitted: 1.25, left_out: 2.5, found: true, shifts: vec![0.5, -3.25] }],
            profiles: vec![FitProfile { unknown: "place".into(), value: vec![1.0, 2.0, 2.5], root: vec![-1.5, 0.0, 0.75] }],
            ..FitPage::default()
        };
        for k in 0..50 {
            let t = f64::from(k) * 0.01;
            FitCurve::add(&mut page.curves, "walk", true, "vertical", [t, t.sin(), t.cos()]);
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
            "What blocks most is <b>the high bound of radius</b>: J would fall by 1.5 for the width",
            "radius and place: \u{2212}0.75",
            "within ±0.5",
            "1.4 to open",
            "\u{2212}3.25",
        ] {
            assert!(part.contains(words), "{words} in {part}");
        }
        // Trials of one sample each are dots of one plot.
        let mut at_rest = page();
        at_rest.curves.clear();
        for k in 1..=3 {
            FitCurve::add(&mut at_rest.curves, &format!("load-{k}"), true, "vertical", [f64::from(k), 1.0, 1.5]);
        }
        shown.cases[0].fit = Some(at_rest);
        let dots = body(&shown).expect("a section");
        assert_eq!((dots.matches("Vertical / J").count() > 0, dots.matches("<circle ").count()), (true, 2 + 3 + 6));
        // measured, computed and what is between them, the history, the profile with both ends; dots of starts and front have no lines
        let lines = part.matches("<path class=\"curve\"").count() - part.matches("d=\"M0 4h22\"").count() - part.matches("d=\"\"").count();
        assert_eq!((lines, part.matches("<circle ").count()), (7, 2 + 3));
    }
}
