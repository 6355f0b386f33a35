//! How the search of a fit went: J over evaluations, starts, the front of several objectives with curves at its ends and in its middle.
//! Not here: what it found. In: what a page shows of a fit. Out: HTML of plots.

use super::super::super::Case;
use super::super::super::chart::{Plain, plain_chart, plain_dots};
use super::super::super::fit::{FitCurve, FitPage};
use super::{title, unit_of};
use crate::plot::shown_unit;

/// All plots of the search.
pub(super) fn plots(case: &Case, fit: &FitPage) -> String {
    let curves: String = fit.curves.iter().map(|curve| along_front(case, fit, curve)).collect();
    [history(fit), starts(fit), front(fit), curves].concat()
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

/// The point with the least of an objective, among those that break no constraint.
fn end(fit: &FitPage, objective: usize) -> Option<usize> {
    let value = |k: &usize| fit.front[*k].0[objective];
    (0..fit.front.len()).filter(|k| fit.front[*k].1 <= 0.0).min_by(|a, b| value(a).total_cmp(&value(b)))
}

/// What a point of the front is: an end, the middle, or nothing of both.
fn role(fit: &FitPage, point: usize) -> Option<String> {
    let objectives = fit.front.first().map_or(0, |(own, _)| own.len());
    let ends = (0..objectives).filter(|k| end(fit, *k) == Some(point)).map(|k| format!("least objective {}", k + 1));
    let words: Vec<String> = ends.chain((fit.middle == Some(point)).then(|| "middle".into())).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

/// Points of the front, its ends and its middle apart: the second objective over the first.
fn front(fit: &FitPage) -> String {
    let of = |keep: &dyn Fn(usize, f64) -> bool| {
        let own = fit.front.iter().enumerate().filter(|(k, (objectives, violation))| objectives.len() > 1 && keep(*k, *violation));
        own.map(|(_, (objectives, _))| (objectives[0], objectives[1])).unzip::<f64, f64, Vec<f64>, Vec<f64>>()
    };
    let mut all = vec![
        ("best compromises".to_string(), of(&|k, violation| violation <= 0.0 && role(fit, k).is_none())),
        ("those that break a constraint".into(), of(&|_, violation| violation > 0.0)),
    ];
    all.extend((0..fit.front.len()).filter_map(|point| Some((role(fit, point)?, of(&|k, _| k == point)))));
    let curve = |(label, (x, y)): (String, (Vec<f64>, Vec<f64>))| (!x.is_empty()).then_some(Plain { label, x, y });
    let curves: Vec<Plain> = all.into_iter().filter_map(curve).collect();
    if curves.is_empty() { String::new() } else { plain_dots("Front of the objectives: objective 2", "1", "Objective 1", curves, false) }
}

/// A term at the ends of the front and in its middle.
fn along_front(case: &Case, fit: &FitPage, curve: &FitCurve) -> String {
    let (shown, factor) = shown_unit(&unit_of(case, &curve.term));
    let line = |label: String, own: &FitCurve, values: &[f64]| Plain {
        label,
        x: own.time.clone(),
        y: values.iter().map(|y| factor * y).collect(),
    };
    let same = |own: &&FitCurve| own.trial == curve.trial && own.term == curve.term;
    let at = |(point, list): &(usize, Vec<FitCurve>)| {
        let own = list.iter().find(same)?;
        Some(line(role(fit, *point)?, own, &own.computed))
    };
    let points: Vec<Plain> = fit.front_curves.iter().filter_map(at).collect();
    if points.is_empty() {
        return String::new();
    }
    let measured = line("measured".into(), curve, &curve.measured);
    plain_chart(
        &format!("{}: ends and middle of the front", title(fit, curve)),
        &shown,
        "Time / s",
        std::iter::once(measured).chain(points).collect(),
        &[],
    )
}
