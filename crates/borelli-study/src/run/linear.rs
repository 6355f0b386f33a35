//! Slopes of all columns by uncertain inputs, without further runs: of a simulation by the sensitivity equations, along a prescribed motion by columns as
//! functions of parameters.
//! Not here: derivatives of a motion (`slopes`), columns over duals (`parameter_columns`), what is made of the slopes (`uncertainty`).
//! In: a system at the means of all inputs, the plan of the analysis, its run. Out: for each input the slope of every column at every sample, for a change of
//! one standard deviation; what has none is refused, or left out by column.

use super::evaluate::times;
use super::motion::Motion;
use super::slopes::{self, Change, Starts, Stops, moments, slopes_along};
use super::{Along, Outcome, Status, channels, measured};
use crate::parameter_columns::{N, ParameterColumns, changing_rows};
use crate::plan::{Analysis, Motion as PlannedMotion, MotionSource, Plan};
use crate::settings::Slot;
use crate::uncertainty::{Inputs, KnownInput, LinearRecord, Sought, Uncertainty, UncertaintyFault, numbers};
use borelli_data::{Column, Trajectory};
use borelli_dynamics::System;
use borelli_math::Dual;
use borelli_model::Findings;

/// Part of a standard deviation by which the columns of a result are moved for its slope.
const ALONG: f64 = 1e-3;

/// Slopes of columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Slopes {
    /// By input, column of the run, sample: change for one standard deviation. NaN where there is no slope.
    pub by: Vec<Vec<Vec<f64>>>,
    pub record: LinearRecord,
}

/// What one standard deviation of each input adds to parameters and to the start.
fn changes(system: &System, plan: &Plan, inputs: &Inputs) -> Vec<Change> {
    let is_set = |path: &str| plan.settings.iter().any(|setting| setting.path == path);
    let change = |own: &KnownInput| {
        let (mut change, sd) = (Change::default(), own.distribution.sd());
        own.targets.iter().for_each(|target| change.add(system, target.settable.slot, sd * own.slope_of(target), is_set));
        change
    };
    inputs.list.iter().map(change).collect()
}

/// Reports what has no slopes: the analysis, the model, inputs.
pub(super) fn check(system: &System, plan: &Plan, asked: &Uncertainty, inputs: &Inputs, findings: &mut Findings) {
    let mut fault = |reason: String| findings.push(None, "uncertainty", "method", &UncertaintyFault::NotLinear { reason });
    if let Some(noise) = asked.noises.first() {
        fault(format!("noise `{}` is a number at every sample of a table", noise.name));
    }
    let starts = inputs.list.iter().flat_map(|own| &own.targets).filter(|target| matches!(target.settable.slot, Slot::Start(..)));
    let starts: Vec<_> = starts.collect();
    match plan.analysis {
        Analysis::Simulate => {
            let own = Starts { any: !starts.is_empty(), turns: starts.iter().any(|target| target.settable.turns) };
            slopes::reasons(system, plan, "uncertainty", own).into_iter().for_each(fault);
        }
        Analysis::Evaluate | Analysis::Inverse => {
            if !starts.is_empty() {
                fault("start values are uncertain, and the motion is prescribed".into());
            }
            if !system.names.states.is_empty() {
                fault("force elements have states, which are integrated along the motion".into());
            }
            let contacts = &system.numbers.contacts;
            if let Some(pair) = (0..contacts.pairs.len()).find(|pair| contacts.remembers(*pair)) {
                fault(format!("the law of `{}` remembers the speed of touchdown", system.names.pairs[pair]));
            }
            if let Some(PlannedMotion { source: MotionSource::Simulated { .. }, .. }) = &plan.motion {
                fault("the motion is simulated, and changes with the inputs".into());
            }
            if findings.has_errors() {
                return;
            }
            // Markers are not fitted yet: a default pose stands for the motion.
            match measured::settled(system, plan, None) {
                Ok((system, own)) => drop(along(&system, &own, plan.markers.is_some(), &changes(&system, plan, inputs), findings)),
                Err(faults) => findings.merge(faults),
            }
        }
        other => fault(format!("analysis `{}` has none", other.name())),
    }
}

/// The motion at all samples, and the parameters that change; inputs that change the motion are reported.
fn along(system: &System, plan: &Plan, from_markers: bool, changes: &[Change], findings: &mut Findings) -> Option<Along> {
    let motion = Motion::new(system, plan, findings)?;
    let channels = channels(system, plan, false, findings)?;
    let mut fault = |reason: String| findings.push(None, "uncertainty", "method", &UncertaintyFault::NotLinear { reason });
    let along = match Along::new(motion, times(plan)) {
        Ok(along) => along,
        Err((t, reason)) => {
            fault(format!("the motion cannot be followed to {t} s: {reason}"));
            return None;
        }
    };
    let slots: Vec<usize> = changes.iter().flat_map(|change| &change.parameters).map(|(slot, _)| *slot).collect();
    let mut moving = changing_rows(system, &slots, std::slice::from_ref(&along), &channels);
    let parts = &system.parts;
    let function = |name: &String| system.names.functions.iter().position(|own| own == name);
    let mut others: Vec<usize> =
        plan.corrections.iter().filter_map(|own| function(&own.function)).flat_map(|own| parts.slots_of_function(own)).collect();
    if from_markers {
        others.extend([parts.slots_of_joints(), parts.slots_of_markers()].concat());
    }
    moving.extend(slots.iter().copied().filter(|slot| others.contains(slot)));
    moving.sort_unstable();
    moving.dedup();
    for slot in &moving {
        fault(format!("`{}` changes the motion that is followed", system.parameters[*slot].path));
    }
    moving.is_empty().then_some(along)
}

/// Slopes of all columns of a run.
///
/// # Errors
/// What has no slopes, or why none are found.
pub(super) fn find(system: &System, plan: &Plan, inputs: &Inputs, nominal: &Outcome) -> Result<Slopes, Findings> {
    let mut findings = Findings::new();
    let changes = changes(system, plan, inputs);
    let table = &nominal.trajectory;
    let (settled, own) = measured::settled(system, plan, Some(&mut super::Unwatched))?;
    let mut slopes = if plan.analysis == Analysis::Simulate {
        match simulated(&settled, &own, &changes, table) {
            Ok(slopes) => slopes,
            Err(reason) => {
                findings.push(None, "uncertainty", "method", &UncertaintyFault::NotLinear { reason });
                return Err(findings);
            }
        }
    } else {
        let Some(along) = along(&settled, &own, plan.markers.is_some(), &changes, &mut findings) else { return Err(findings) };
        prescribed(&settled, &own, &changes, table, &along)
    };
    let whole = nominal.statistics.evaluations + table.len();
    slopes.record.ratio = (slopes.record.evaluations + slopes.record.looks) as f64 / whole.max(1) as f64;
    Ok(slopes)
}

/// Room for slopes, none of them known.
fn unknown(changes: &[Change], table: &Trajectory) -> Vec<Vec<Vec<f64>>> {
    vec![vec![vec![f64::NAN; table.len()]; table.columns().len()]; changes.len()]
}

fn simulated(system: &System, plan: &Plan, changes: &[Change], table: &Trajectory) -> Result<Slopes, String> {
    let known = channels(system, plan, false, &mut Findings::new()).ok_or("the columns were lost")?;
    // The work done is not among the states that have derivatives.
    let kept: Vec<usize> = (0..table.columns().len()).filter(|k| known.index(&table.columns()[*k].name).is_some()).collect();
    let names: Vec<String> = kept.iter().map(|k| table.columns()[*k].name.clone()).collect();
    let (moments, statistics) = moments(system, plan, changes, table.time(), Stops::Between)?;
    let mut by = unknown(changes, table);
    for (k, change) in changes.iter().enumerate() {
        for (sample, row) in slopes_along(system, plan, &names, &moments, (k, change))?.into_iter().enumerate() {
            kept.iter().zip(row).for_each(|(column, slope)| by[k][*column][sample] = slope);
        }
    }
    let record = LinearRecord { evaluations: statistics.evaluations, looks: 4 * changes.len() * moments.len(), ratio: 0.0 };
    Ok(Slopes { by, record })
}

fn prescribed(system: &System, plan: &Plan, changes: &[Change], table: &Trajectory, along: &Along) -> Slopes {
    let (mut by, mut record) = (unknown(changes, table), LinearRecord::default());
    let Some(channels) = channels(system, plan, false, &mut Findings::new()) else { return Slopes { by, record } };
    let mut columns = ParameterColumns::<Dual<N>>::new(system, &channels);
    let is_beside = |column: &Column| plan.beside.iter().any(|table| table.index(&column.name).is_some());
    let mut kept = Vec::new();
    for (k, column) in table.columns().iter().enumerate() {
        match channels.index(&column.name) {
            Some(channel) if columns.is_sloped(channel) => kept.push((k, channel)),
            // What was measured does not change with the model.
            Some(_) if is_beside(column) => by.iter_mut().for_each(|by| by[k].fill(0.0)),
            _ => {}
        }
    }
    kept.iter().for_each(|(_, channel)| {
        columns.ask(*channel);
    });
    for (first, chunk) in changes.chunks(N).enumerate() {
        let mut seeded: Vec<Dual<N>> = system.values().into_iter().map(|re| Dual { re, eps: [0.0; N] }).collect();
        for (k, change) in chunk.iter().enumerate() {
            change.parameters.iter().for_each(|(slot, amount)| seeded[*slot].eps[k] += amount);
        }
        columns.set_parameters(&seeded);
        columns.forget();
        for sample in 0..table.len().min(along.times.len()) {
            record.looks += 1;
            let Ok(values) = columns.look_along(along, sample) else { continue };
            for (column, channel) in &kept {
                (0..chunk.len()).for_each(|k| by[first * N + k][*column][sample] = values[*channel].eps[k]);
            }
        }
    }
    Slopes { by, record }
}

/// Slopes of the numbers of a run, by result and input: those of the columns they are taken of, moved a little both ways. Nothing where columns without slopes
/// are needed, and where a number depends on where an event ended the run: that moves, too, and slopes are taken at fixed times.
pub(super) fn of_results(results: &[Sought], outcome: &Outcome, slopes: &Slopes) -> Vec<Option<Vec<f64>>> {
    let table = &outcome.trajectory;
    let ends = matches!(outcome.status, Status::Stopped { .. }).then(|| needing_end(results, table));
    let sloped = |k: &usize| slopes.by.iter().all(|by| by[*k].iter().all(|slope| slope.is_finite()));
    let kept: Vec<usize> = (0..table.columns().len()).filter(sloped).collect();
    let moved = |by: &[Vec<f64>], part: f64| -> Option<Vec<Option<f64>>> {
        let mut other = Trajectory::new(kept.iter().map(|k| table.columns()[*k].clone()).collect()).ok()?;
        for (sample, t) in table.time().iter().enumerate() {
            let row = kept.iter().map(|k| table.values(*k)[sample] + part * by[*k][sample]);
            other.push_row(&std::iter::once(*t).chain(row).collect::<Vec<_>>()).ok()?;
        }
        Some(numbers(results, &other, &[]).into_iter().map(|found| found.ok().map(|(value, _)| value)).collect())
    };
    let slopes_of = |by: &Vec<Vec<f64>>| -> Option<Vec<Option<f64>>> {
        let (up, down) = (moved(by, ALONG)?, moved(by, -ALONG)?);
        Some(up.into_iter().zip(down).map(|(up, down)| Some((up? - down?) / (2.0 * ALONG))).collect())
    };
    let by: Vec<Option<Vec<Option<f64>>>> = slopes.by.iter().map(slopes_of).collect();
    let needs_end = |k: usize| ends.as_ref().is_some_and(|ends| ends[k]);
    let of = |k: usize| if needs_end(k) { None } else { by.iter().map(|own| own.as_ref().and_then(|own| own[k])).collect() };
    (0..results.len()).map(of).collect()
}

/// Which numbers are others, or none, without the last sample of a run.
fn needing_end(results: &[Sought], table: &Trajectory) -> Vec<bool> {
    let rows = |count: usize| -> Vec<Option<f64>> {
        let Ok(mut part) = Trajectory::new(table.columns().to_vec()) else { return vec![None; results.len()] };
        let mut row = vec![0.0; table.columns().len() + 1];
        for sample in 0..count {
            table.fill_row(sample, &mut row);
            // A row that was good stays good.
            let _ = part.push_row(&row);
        }
        numbers(results, &part, &[]).into_iter().map(|found| found.ok().map(|(value, _)| value)).collect()
    };
    rows(table.len()).into_iter().zip(rows(table.len().saturating_sub(1))).map(|(whole, part)| whole.is_none() || whole != part).collect()
}
