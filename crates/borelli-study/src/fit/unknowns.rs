//! Unknowns of a fit as parameters of a system: where they act, how they are scaled, where they begin.
//! Not here: searches. In: unknowns as they are written, a system. Out: parameters for a scaled point, with slopes; all faults.

use super::definition::{Fit, Unknown};
use super::fault::FitFault;
use crate::plan::Setting;
use crate::settings::{Settable, Slot, parameter, settable, si_value};
use borelli_dynamics::System;
use borelli_fit::unknown::BadScale;
use borelli_fit::{Bounds, Scale};
use borelli_model::{Findings, Range};

/// An unknown that goes with a system.
pub(crate) struct Known {
    /// Parameters by slot, each with its factor.
    pub slots: Vec<(usize, f64)>,
    /// Everything that has its value, by path, with its factor: start values, too.
    pub targets: Vec<(String, Slot, f64)>,
    /// SI unit.
    pub unit: String,
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
        let list = fit.unknowns.iter().filter_map(|unknown| known(system, unknown, findings)).collect();
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

    /// What values of the unknowns set in a trial: parameters and start values.
    pub(super) fn settings(&self, trial: usize, x: &[f64]) -> Vec<Setting> {
        let of = |(known, x): (&Known, &f64)| -> Vec<Setting> {
            let unit = if known.unit == "1" { "" } else { known.unit.as_str() };
            let text = |factor: f64| format!("{:?} {unit}", factor * x).trim_end().to_string();
            known.targets.iter().map(|(path, _, factor)| Setting { path: path.clone(), text: text(*factor), at: None }).collect()
        };
        self.list.iter().zip(x).filter(|(known, _)| known.is_of(trial)).flat_map(of).collect()
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
fn known(system: &System, unknown: &Unknown, findings: &mut Findings) -> Option<Known> {
    let mut targets: Vec<(Settable, f64)> = Vec::new();
    for (path, factor) in &unknown.paths {
        targets.push((settable(system, path, unknown.at, findings)?, *factor));
    }
    let (first, factor) = targets.first().cloned()?;
    let blame = |reason: String| FitFault::Unknown { unknown: unknown.name.clone(), reason };
    if targets.iter().any(|(target, _)| target.turns) {
        let reason = "part of a quaternion has no meaning by itself; search for the coordinates of a joint with angles".to_string();
        findings.push(unknown.at, "fit.unknown", "path", &blame(reason));
        return None;
    }
    if let Some(k) = targets.iter().position(|(target, _)| target.unit != first.unit) {
        let (first, other) = (unknown.paths[0].0.clone(), unknown.paths[k].0.clone());
        findings.push(unknown.at, "fit.unknown", "paths", &FitFault::Unlike { unknown: unknown.name.clone(), first, other });
        return None;
    }
    let mut quantity = |field: &str, text: &Option<String>| -> Option<Option<f64>> {
        let Some(text) = text else { return Some(None) };
        let mut own = Findings::new();
        let setting = Setting { path: unknown.paths[0].0.clone(), text: text.clone(), at: Some(unknown.at) };
        let found = match first.slot {
            Slot::Parameter(_) if factor == 1.0 => parameter(system, &setting, &mut own).map(|(_, value)| value),
            // Of what is multiplied the range is looked at below.
            _ => si_value(text, &first.unit, Range::ANY).map_err(|fault| own.push(unknown.at, "fit.unknown", field, &fault)).ok(),
        };
        own.locate(|_| Some(unknown.at));
        findings.merge(own);
        found.map(Some)
    };
    let (low, high) = (quantity("low", &unknown.low)?, quantity("high", &unknown.high)?);
    let own = first.value / factor;
    let start = quantity("start", &unknown.start)?.unwrap_or(own);
    let scale = match (low, high, unknown.log) {
        (Some(low), Some(high), false) => Scale::Linear { low, high },
        (Some(low), Some(high), true) => Scale::Log { low, high },
        _ => Scale::Free { origin: start, unit: if start == 0.0 { 1.0 } else { start.abs() } },
    };
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
    let slot = |(target, factor): &(Settable, f64)| match target.slot {
        Slot::Parameter(slot) => Some((slot, *factor)),
        Slot::Start(..) => None,
    };
    let slots: Vec<(usize, f64)> = targets.iter().filter_map(slot).collect();
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
        (Some(weight), Some(low), Some(high)) => Some((own, 2.0 * weight / (high - low))),
        (Some(_), ..) => {
            findings.push(unknown.at, "fit.unknown", "pull", &blame("`pull` needs bounds, whose half range it is measured in".into()));
            return None;
        }
    };
    let targets = unknown.paths.iter().zip(targets).map(|((path, factor), (target, _))| (path.clone(), target.slot, *factor)).collect();
    Some(Known { slots, targets, unit: first.unit, scale, start, trial: unknown.trial, pull })
}
