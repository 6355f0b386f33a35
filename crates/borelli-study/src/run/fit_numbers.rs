//! Numbers of a fit, for summaries and expectations.
//! Not here: the fit, columns of its run.
//! In: a fit; its record, or none where only names are wanted. Out: numbers with names and units.

use super::Scalar;
use crate::fit::{Fit, FitRecord, Method, UnknownRecord, end};
use crate::pattern::fits;
use crate::settings::settable;
use borelli_dynamics::System;
use borelli_model::Findings;

/// Numbers of a fit; without a record their names only.
pub(super) fn scalars(system: &System, fit: &Fit, record: Option<&FitRecord>) -> Vec<Scalar> {
    let scalar = |name: String, value: Option<f64>, unit: &str| Scalar {
        name: format!("fit.{name}"),
        value: value.unwrap_or(f64::NAN),
        unit: if unit.is_empty() { "1".into() } else { unit.into() },
    };
    let mut list = vec![
        scalar("objective".into(), record.map(|record| record.objective), "1"),
        scalar("objective_at_start".into(), record.map(|record| record.objective_at_start), "1"),
        scalar("extra".into(), record.map(|record| record.extra), "1"),
        scalar("evaluations".into(), record.map(|record| record.evaluations as f64), "1"),
        scalar("jacobians".into(), record.map(|record| record.jacobians as f64), "1"),
        scalar("condition".into(), record.and_then(|record| record.condition), "1"),
    ];
    if fit.methods.contains(&Method::Nsga2) {
        fronts(fit, record, &mut |name, value| list.push(scalar(name, value, "1")));
    }
    for (k, term) in fit.terms.iter().enumerate() {
        list.push(scalar(format!("term.{}", term.name), record.map(|record| record.terms[k].2), "1"));
        list.push(scalar(format!("term_at_start.{}", term.name), record.map(|record| record.terms[k].1), "1"));
    }
    for term in fit.terms.iter().filter(|term| term.mat.is_some()) {
        let found = record.and_then(|record| record.mismatches.iter().find(|(name, ..)| *name == term.name));
        list.push(scalar(format!("mismatch.{}", term.name), found.map(|found| found.2), "1"));
        list.push(scalar(format!("mismatch_at_start.{}", term.name), found.map(|found| found.1), "1"));
    }
    for (k, unknown) in fit.unknowns.iter().enumerate() {
        let own = unknown.paths.first().and_then(|(path, _)| settable(system, path, unknown.at, &mut Findings::new()));
        let unit = &own.map_or("1".into(), |own| own.unit);
        list.push(scalar(format!("unknown.{}", unknown.name), record.map(|record| record.unknowns[k].best), unit));
        let own = |of: fn(&UnknownRecord) -> Option<f64>| record.and_then(|record| of(&record.unknowns[k]));
        list.push(scalar(format!("sd.{}", unknown.name), own(|own| own.spread.map(|(sd, _)| sd)), unit));
        list.push(scalar(format!("interval_low.{}", unknown.name), own(|own| own.spread.map(|(_, [low, _])| low)), unit));
        list.push(scalar(format!("interval_high.{}", unknown.name), own(|own| own.spread.map(|(_, [_, high])| high)), unit));
        // An unknown at no bound is blocked by none.
        let cost = own(|own| Some(own.multiplier.map_or(if own.at_bound.is_some() { f64::NAN } else { 0.0 }, |cost| cost.by_width)));
        list.push(scalar(format!("multiplier.{}", unknown.name), cost, "1"));
        let wider = &mut |name: &str, value: Option<f64>| list.push(scalar(format!("{name}.{}", unknown.name), value, unit));
        of_further_searches(fit, record, k, wider);
    }
    for limit in fit.limits.iter().filter(|limit| limit.met_by.is_some()) {
        let cost = |record: &FitRecord| record.limits.iter().find(|own| own.name == limit.name).map_or(0.0, |own| own.multiplier.by_width);
        list.push(scalar(format!("constraint_multiplier.{}", limit.name), record.map(cost), "1"));
    }
    if fit.power == 2.0 {
        list.push(scalar("scatter".into(), record.and_then(|record| record.scatter.map(|(scatter, _)| scatter)), "1"));
    }
    for trial in fit.trials.iter().filter(|trial| fit.afterwards.leave_one_out && trial.is_fitted) {
        let own = record.and_then(|record| record.wider.left_out.iter().find(|own| own.trial == trial.name));
        list.push(scalar(format!("fitted.{}", trial.name), own.map(|own| own.fitted), "1"));
        list.push(scalar(format!("left_out.{}", trial.name), own.map(|own| own.left_out), "1"));
    }
    list
}

/// Numbers of an unknown from profiles and frames drawn anew, as far as they are asked for.
fn of_further_searches(fit: &Fit, record: Option<&FitRecord>, k: usize, add: &mut dyn FnMut(&str, Option<f64>)) {
    if fit.afterwards.profile.iter().any(|(pattern, _)| fits(pattern, &fit.unknowns[k].name)) {
        let own = record.and_then(|record| record.wider.profiles.iter().find(|own| own.unknown == k));
        for (side, name) in ["profile_low", "profile_high"].into_iter().enumerate() {
            add(name, own.and_then(|own| own.ends[side].value()));
        }
    }
    if fit.afterwards.bootstrap.is_some() {
        let own = record.and_then(|record| record.wider.bootstrap.as_ref()?.spreads[k]);
        add("bootstrap_sd", own.map(|own| own.sd));
        add("bootstrap_low", own.map(|own| own.ends[0]));
        add("bootstrap_high", own.map(|own| own.ends[1]));
    }
}

/// Numbers of a front: its volume after each stage, its ends, and its point nearest the least values of all objectives.
fn fronts(fit: &Fit, record: Option<&FitRecord>, add: &mut dyn FnMut(String, Option<f64>)) {
    let objectives = fit.terms.iter().map(|term| term.objective).max().unwrap_or(1);
    if fit.reference.is_some() {
        for stage in 1..=fit.stages() {
            let volume = record.map(|record| record.volumes.get(stage - 1).copied().unwrap_or(f64::NAN));
            add(format!("hypervolume_of_stage.{stage}"), volume);
            if stage == fit.stages() {
                add("hypervolume".into(), volume);
            }
        }
    }
    for m in 0..objectives {
        let of = |point: Option<usize>| record.map(|record| point.map_or(f64::NAN, |k| record.front[k].objectives[m]));
        for own in 0..objectives {
            add(format!("end.{}.objective.{}", own + 1, m + 1), of(record.and_then(|record| end(&record.front, own))));
        }
        add(format!("middle.objective.{}", m + 1), of(record.and_then(|record| record.middle)));
    }
}
