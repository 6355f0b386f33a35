//! Unknowns of a fit as parameters of a system: where they act, how they are scaled, where they begin.
//! Not here: searches. In: unknowns as they are written, a system. Out: parameters for a scaled point, with slopes; all faults.

use super::definition::{Fit, Unknown};
use super::fault::FitFault;
use crate::plan::Setting;
use crate::settings::{change_of, parameter};
use borelli_dynamics::System;
use borelli_fit::unknown::BadScale;
use borelli_fit::{Bounds, Scale};
use borelli_model::Findings;

/// An unknown that goes with a system.
pub(crate) struct Known {
    /// Parameters by slot, each with its factor.
    pub slots: Vec<(usize, f64)>,
    pub scale: Scale,
    /// Where the search begins.
    pub start: f64,
    /// The trial that it belongs to; nothing: all.
    pub trial: Option<usize>,
    /// Value that a residual draws it to, and what the distance is multiplied by.
    pub pull: Option<(f64, f64)>,
}

impl Known {
    /// Whether it is one of a trial.
    pub(super) fn is_of(&self, trial: usize) -> bool {
        self.trial.is_none_or(|own| own == trial)
    }
}

/// All unknowns.
pub(crate) struct Unknowns {
    pub list: Vec<Known>,
    /// Values of all parameters of the model.
    base: Vec<f64>,
}

impl Unknowns {
    /// Unknowns of a system; faults are reported.
    pub(crate) fn new(system: &System, fit: &Fit, findings: &mut Findings) -> Unknowns {
        let base = system.values();
        let list = fit.unknowns.iter().filter_map(|unknown| known(system, unknown, &base, findings)).collect();
        Unknowns { list, base }
    }

    /// Bounds of scaled points.
    pub(crate) fn bounds(&self) -> Bounds {
        Bounds::of(&self.list.iter().map(|known| known.scale).collect::<Vec<_>>())
    }

    /// The start, scaled.
    pub(crate) fn start(&self) -> Vec<f64> {
        self.list.iter().map(|known| known.scale.scaled(known.start)).collect()
    }

    /// Parameters of a trial with its own settings where unknowns have these values.
    pub(crate) fn fill(&self, trial: usize, settings: &[(usize, f64)], x: &[f64], parameters: &mut [f64]) {
        parameters.copy_from_slice(&self.base);
        settings.iter().for_each(|(slot, value)| parameters[*slot] = *value);
        for (known, x) in self.list.iter().zip(x).filter(|(known, _)| known.is_of(trial)) {
            known.slots.iter().for_each(|(slot, factor)| parameters[*slot] = factor * x);
        }
    }
}

/// An unknown, or what is wrong with it.
fn known(system: &System, unknown: &Unknown, base: &[f64], findings: &mut Findings) -> Option<Known> {
    let mut slots = Vec::new();
    for (path, factor) in &unknown.paths {
        // Any value will do here: what is asked is whether the parameter exists.
        let exists = change_of(system, &Setting { path: path.clone(), text: "0".into(), at: Some(unknown.at) }, findings);
        slots.push((exists?.0, *factor));
    }
    let (first, factor) = *slots.first()?;
    let unit = |slot: usize| system.parameters[slot].unit.as_str();
    if let Some((other, _)) = slots.iter().find(|(slot, _)| unit(*slot) != unit(first)) {
        let (first, other) = (system.parameters[first].path.clone(), system.parameters[*other].path.clone());
        findings.push(unknown.at, "fit.unknown", "paths", &FitFault::Unlike { unknown: unknown.name.clone(), first, other });
        return None;
    }
    let mut quantity = |text: &Option<String>| -> Option<Option<f64>> {
        let Some(text) = text else { return Some(None) };
        let mut own = Findings::new();
        let setting = Setting { path: unknown.paths[0].0.clone(), text: text.clone(), at: Some(unknown.at) };
        let found = if factor == 1.0 { parameter(system, &setting, &mut own) } else { change_of(system, &setting, &mut own) };
        own.locate(|_| Some(unknown.at));
        findings.merge(own);
        found.map(|(_, value)| Some(value))
    };
    let (low, high) = (quantity(&unknown.low)?, quantity(&unknown.high)?);
    let start = quantity(&unknown.start)?.unwrap_or(base[first] / factor);
    let scale = match (low, high, unknown.log) {
        (Some(low), Some(high), false) => Scale::Linear { low, high },
        (Some(low), Some(high), true) => Scale::Log { low, high },
        _ => Scale::Free { origin: start, unit: if start == 0.0 { 1.0 } else { start.abs() } },
    };
    let blame = |reason: String| FitFault::Unknown { unknown: unknown.name.clone(), reason };
    if let Err(fault) = scale.check() {
        let reason = match fault {
            BadScale::Crossed => format!("its bounds are crossed: low {} is not below high {}", low.unwrap_or(0.0), high.unwrap_or(0.0)),
            BadScale::NotPositive => "a logarithmic scale needs a `low` above zero".into(),
            BadScale::NoSize => "its bounds are not finite".into(),
        };
        findings.push(unknown.at, "fit.unknown", "low", &blame(reason));
        return None;
    }
    if let (Some(low), Some(high)) = (low, high)
        && !(low..=high).contains(&start)
    {
        let reason = format!("it starts at {start}, outside its bounds {low} to {high}; give `start` inside, or other bounds");
        findings.push(unknown.at, "fit.unknown", "start", &blame(reason));
        return None;
    }
    for (slot, factor) in &slots {
        let own = &system.parameters[*slot];
        if let Some(value) = [low, high, Some(start)].into_iter().flatten().find(|value| !own.range.contains(factor * value)) {
            let reason = format!("`{}` cannot be {}, which {} times {value} would make it", own.path, factor * value, factor);
            findings.push(unknown.at, "fit.unknown", "low", &blame(reason));
            return None;
        }
    }
    let pull = match (unknown.pull, low, high) {
        (None, ..) => None,
        (Some(weight), Some(low), Some(high)) => Some((base[first] / factor, 2.0 * weight / (high - low))),
        (Some(_), ..) => {
            findings.push(unknown.at, "fit.unknown", "pull", &blame("`pull` needs bounds, whose half range it is measured in".into()));
            return None;
        }
    };
    Some(Known { slots, scale, start, trial: unknown.trial, pull })
}
