//! Uncertain inputs as parameters and start values of a system: how they are distributed, what they set.
//! Not here: which values are drawn (`design`), noise of tables (`noise`).
//! In: inputs as they are written, a system. Out: values for shares between 0 and 1, settings for values; all faults.

use super::definition::{Applied, Input, Shape, Uncertainty};
use super::fault::UncertaintyFault;
use crate::plan::Setting;
use crate::settings::{Settable, settable, si_value};
use borelli_dynamics::System;
use borelli_fit::uncertainty::distribution::{correlated, correlation_factor};
use borelli_fit::uncertainty::{BadDistribution, Distribution};
use borelli_model::{Findings, Range};

/// Shares are kept this far from 0 and 1, where a normal number would be infinite.
const INSIDE: f64 = 1e-15;

/// A parameter or start value that depends on an input.
pub(crate) struct Target {
    path: String,
    pub settable: Settable,
    /// What it gets of an offset.
    times: f64,
}

/// An input that goes with a system.
pub(crate) struct Known {
    pub distribution: Distribution,
    /// SI unit of the input.
    pub unit: String,
    pub applied: Applied,
    pub targets: Vec<Target>,
}

impl Known {
    /// The value of a target for one of the input.
    fn value_of(&self, target: &Target, x: f64) -> f64 {
        match self.applied {
            Applied::Value => x,
            Applied::Factor => target.settable.value * x,
            Applied::Offset => target.settable.value + target.times * x,
        }
    }

    /// How the value of a target changes with the input.
    pub(crate) fn slope_of(&self, target: &Target) -> f64 {
        match self.applied {
            Applied::Value => 1.0,
            Applied::Factor => target.settable.value,
            Applied::Offset => target.times,
        }
    }

    /// The distribution in words.
    pub(crate) fn words(&self) -> String {
        let unit = if self.unit == "1" || self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        match self.distribution {
            Distribution::Normal { mean, sd } => format!("normal, mean {mean}{unit}, sd {sd}{unit}"),
            Distribution::LogNormal { mean, sd } => format!("log-normal, mean {mean}{unit}, sd {}{unit}", mean * sd),
            Distribution::Uniform { low, high } => format!("uniform from {low} to {high}{unit}"),
            Distribution::Triangular { low, mode, high } => format!("triangular from {low} by {mode} to {high}{unit}"),
        }
    }
}

/// All inputs of a system.
pub(crate) struct Inputs {
    pub list: Vec<Known>,
    /// Correlation of the normal numbers that inputs are drawn from, row after row.
    pub correlation: Vec<f64>,
    /// Its lower factor; nothing where inputs are independent.
    factor: Option<Vec<f64>>,
}

impl Inputs {
    /// Inputs of a system; nothing where one of them does not go with it, which is reported.
    pub(crate) fn new(system: &System, asked: &Uncertainty, findings: &mut Findings) -> Option<Inputs> {
        let list: Vec<Known> = asked.inputs.iter().filter_map(|input| known(system, input, findings)).collect();
        let n = asked.inputs.len();
        let mut correlation = vec![0.0; n * n];
        (0..n).for_each(|k| correlation[k * n + k] = 1.0);
        for own in &asked.correlations {
            let place = |name: &String| asked.inputs.iter().position(|input| input.name == *name);
            // Names that are none were told when the file was read.
            let (Some(a), Some(b)) = (place(&own.between[0]), place(&own.between[1])) else { continue };
            (correlation[a * n + b], correlation[b * n + a]) = (own.value, own.value);
        }
        let mut factor = None;
        if let Some(first) = asked.correlations.first() {
            factor = correlation_factor(&correlation, n);
            if factor.is_none() {
                findings.push(first.at, "uncertainty.correlation", "value", &UncertaintyFault::NotPositive);
                return None;
            }
        }
        (list.len() == n).then_some(Inputs { list, correlation, factor })
    }

    /// Means of all inputs.
    pub(crate) fn means(&self) -> Vec<f64> {
        self.list.iter().map(|own| own.distribution.mean()).collect()
    }

    /// Values of all inputs for independent shares between 0 and 1.
    pub(crate) fn values(&self, shares: &[f64]) -> Vec<f64> {
        let inside: Vec<f64> = shares.iter().map(|u| u.clamp(INSIDE, 1.0 - INSIDE)).collect();
        let together = self.factor.as_ref().map_or(inside.clone(), |factor| correlated(&inside, factor));
        self.list.iter().zip(together).map(|(own, u)| own.distribution.quantile(u.clamp(INSIDE, 1.0 - INSIDE))).collect()
    }

    /// Values of all inputs at levels between 0 and 1 of what is likely.
    pub(crate) fn levels(&self, levels: &[f64]) -> Vec<f64> {
        self.list.iter().zip(levels).map(|(own, u)| own.distribution.level(*u)).collect()
    }

    /// What values of all inputs set.
    pub(crate) fn settings(&self, values: &[f64]) -> Vec<Setting> {
        let of = |(own, x): (&Known, &f64)| -> Vec<Setting> {
            let one = |target: &Target| {
                let unit = if target.settable.unit == "1" { "" } else { target.settable.unit.as_str() };
                let text = format!("{:?} {unit}", own.value_of(target, *x)).trim_end().to_string();
                Setting { path: target.path.clone(), text, at: None }
            };
            own.targets.iter().map(one).collect()
        };
        self.list.iter().zip(values).flat_map(of).collect()
    }
}

/// An input, or what is wrong with it.
fn known(system: &System, input: &Input, findings: &mut Findings) -> Option<Known> {
    let mut targets = Vec::new();
    for (path, times) in input.paths.iter().zip(&input.times) {
        targets.push(Target { path: path.clone(), settable: settable(system, path, input.at, findings)?, times: *times });
    }
    let first = &targets.first()?.settable;
    let mut unit = first.unit.clone();
    if input.applied == Applied::Factor {
        unit = "1".into();
    } else if let Some(other) = targets.iter().find(|target| target.settable.unit != unit) {
        let (first, other) = (targets[0].path.clone(), other.path.clone());
        findings.push(input.at, "uncertainty.input", "paths", &UncertaintyFault::Unlike { input: input.name.clone(), first, other });
        return None;
    }
    let range = if input.applied == Applied::Value { first.range } else { Range::ANY };
    let quantity = |field: &'static str, text: &str, unit: &str, range: Range, findings: &mut Findings| match si_value(text, unit, range) {
        Ok(value) => Some(value),
        Err(fault) => {
            findings.push(input.at, "uncertainty.input", field, &fault);
            None
        }
    };
    let mean = match (&input.mean, input.applied) {
        (Some(text), _) => Some(quantity("mean", text, &unit, range, findings)?),
        (None, Applied::Value) => Some(first.value).filter(|value| targets.iter().all(|target| target.settable.value == *value)),
        (None, Applied::Factor) => Some(1.0),
        (None, Applied::Offset) => Some(0.0),
    };
    let mut ends = [None; 3];
    for (end, (field, text)) in ends.iter_mut().zip([("low", &input.low), ("mode", &input.mode), ("high", &input.high)]) {
        if let Some(text) = text {
            *end = Some(quantity(field, text, &unit, range, findings)?);
        }
    }
    let [low, mode, high] = ends;
    // What has ends and a most likely value needs no mean.
    let needless = input.shape == Shape::Uniform || input.shape == Shape::Triangular && mode.is_some();
    let mean = mean.or(Some(0.0).filter(|_| needless));
    let Some(mean) = mean else {
        findings.push(input.at, "uncertainty.input", "mean", &UncertaintyFault::Unequal { input: input.name.clone() });
        return None;
    };
    let sd = match input.sd.as_deref() {
        Some(text) if text.trim_end().ends_with('%') => quantity("sd", text, "1", Range::ANY, findings)? * mean.abs(),
        Some(text) => quantity("sd", text, &unit, Range::ANY, findings)?,
        None => 0.0,
    };
    // What a shape needs was asked for when the file was read.
    let (low, high) = (low.unwrap_or(0.0), high.unwrap_or(0.0));
    let distribution = match input.shape {
        Shape::Normal => Distribution::Normal { mean, sd },
        Shape::LogNormal => Distribution::LogNormal { mean, sd: sd / mean.abs() },
        Shape::Uniform => Distribution::Uniform { low, high },
        Shape::Triangular => Distribution::Triangular { low, mode: mode.unwrap_or(mean), high },
    };
    if let Err(bad) = distribution.check() {
        let zero = if mean == 0.0 { ", and a part of a mean of zero is none" } else { "" };
        let (field, reason, advice) = match bad {
            _ if input.shape == Shape::LogNormal && !(mean > 0.0) => (
                "mean",
                format!("a log-normal number is above zero, and its mean is {mean}"),
                "take distribution = \"normal\", or another mean",
            ),
            BadDistribution::Spread | BadDistribution::NotPositive => {
                ("sd", format!("its standard deviation is {sd}, not above zero{zero}"), "give one above zero, or take the input out")
            }
            BadDistribution::Order => (
                "low",
                format!("it lies between {low} and {high}, and is most likely {}", mode.unwrap_or(mean)),
                "give `low` below `high`, with `mode` between them",
            ),
        };
        findings.push(input.at, "uncertainty.input", field, &UncertaintyFault::Distribution { input: input.name.clone(), reason, advice });
        return None;
    }
    Some(Known { distribution, unit, applied: input.applied, targets })
}
