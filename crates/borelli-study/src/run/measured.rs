//! Runs with measured data: names, units and signals are settled first, then the analysis runs as with any table.
//! Not here: what is done to the data (`measured`), the analyses.
//! In: a system, a plan with a file of motion, markers, a filter or loads. Out: an `Outcome`, with what was decided among its settings and what looks
//! wrong in its health block.

use super::{EndState, HealthLine, Outcome, Outline, Ready, Scalar, Verdict, Watch};
use crate::measured::loading::{self, Loading, UNDER_FOOT};
use crate::measured::{Filter, FilterOf, filter, fit, motion_file};
use crate::plan::{Motion, MotionSource, Plan, Time};
use crate::plan_fault::{Misfit, PlanFault};
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_model::{Explain, Findings};

/// Whether a plan has measured data that must be settled first.
pub(super) fn is_measured(plan: &Plan) -> bool {
    let motion = plan.motion.as_ref().is_some_and(|motion| matches!(motion.source, MotionSource::File(_) | MotionSource::Markers));
    motion || plan.loads.is_some() || plan.filter.is_some()
}

/// Measured data brought to a system: what is run, and what is to be told of it.
struct Settled {
    system: System,
    plan: Plan,
    /// What was decided, for the settings of the run.
    told: Vec<(String, String)>,
    /// What is worth a line of the health block.
    health: Vec<HealthLine>,
    /// Further numbers of the run.
    scalars: Vec<Scalar>,
    /// Markers were not fitted: only what the run would leave is known, or it was stopped.
    hollow: bool,
}

/// Makes an analysis of measured data ready.
pub(super) fn prepare<'a>(system: &'a System, plan: &'a Plan, from: Option<&EndState>) -> Result<Ready<'a>, Findings> {
    let from = from.cloned();
    // Markers are fitted when the run goes; what it will leave is known before.
    let outlined = settle(system, plan, None)?;
    let Outline { columns, mut scalars } = super::prepare(&outlined.system, &outlined.plan, from.as_ref())?.outline;
    scalars.extend(outlined.scalars.iter().cloned());
    let ready = (!plan.motion.as_ref().is_some_and(|motion| matches!(motion.source, MotionSource::Markers))).then_some(outlined);
    let go = move |watch: &mut dyn super::Watch| {
        let settled = match ready {
            Some(settled) => settled,
            None => settle(system, plan, Some(watch))?,
        };
        let Settled { system, plan, mut told, mut health, scalars, hollow } = settled;
        if hollow {
            // Stopped before there was a motion: nothing of it is to be told.
            (told, health) = (Vec::new(), Vec::new());
        }
        let mut outcome: Outcome = super::prepare(&system, &plan, from.as_ref()).and_then(|ready| (ready.go)(watch))?;
        outcome.settings.extend(told);
        outcome.health.extend(health);
        doubt_residuals(&mut outcome.health);
        outcome.scalars.extend(scalars);
        Ok(outcome)
    };
    Ok(Ready { outline: Outline { columns, scalars }, go: Box::new(go) })
}

/// A system and a plan with their measured data settled, where there are any; without `watch` markers are not fitted.
pub(super) fn settled(system: &System, plan: &Plan, watch: Option<&mut dyn Watch>) -> Result<(System, Plan), Findings> {
    if !is_measured(plan) {
        return Ok((system.clone(), plan.clone()));
    }
    settle(system, plan, watch).map(|settled| (settled.system, settled.plan))
}

/// A plan whose motion is a table in SI, and a system with its loads. Without anybody who looks on markers are not fitted: the default pose stands for the motion.
fn settle(system: &System, plan: &Plan, watch: Option<&mut dyn Watch>) -> Result<Settled, Findings> {
    let mut findings = Findings::new();
    let own = Plan { filter: None, loads: None, markers: None, ..plan.clone() };
    let mut settled =
        Settled { system: system.clone(), plan: own, told: Vec::new(), health: Vec::new(), scalars: Vec::new(), hollow: false };
    match settled.motion(plan, watch).and_then(|()| settled.loads(plan)) {
        Ok(()) => Ok(settled),
        Err(Misfit { at, table, field, fault }) => {
            findings.push(at, table, field, &*fault);
            Err(findings)
        }
    }
}

impl Settled {
    /// The motion as a table in SI, filtered.
    fn motion(&mut self, plan: &Plan, watch: Option<&mut dyn Watch>) -> Result<(), Misfit> {
        let Some(Motion { source, derivatives }) = &plan.motion else { return Ok(()) };
        let mut foreign = false;
        let mut table = match source {
            MotionSource::File(file) => {
                let settled = motion_file::settle(file, &self.system).map_err(|fault| Misfit::of("motion", "file", fault))?;
                self.told.push(("motion file".into(), settled.told));
                self.health.extend(settled.doubt.map(doubt));
                foreign = settled.foreign;
                settled.table
            }
            MotionSource::Table(table) => table.clone(),
            MotionSource::Markers => {
                let Some(markers) = &plan.markers else { return Ok(()) };
                let ask = fit::Ask { system: &self.system, markers, filter: plan.filter, time: plan.time };
                let fitted = match watch.map(|watch| ask.fit(watch)).transpose()?.flatten() {
                    Some(fitted) => fitted,
                    None => {
                        self.hollow = true;
                        ask.outline()?
                    }
                };
                self.told.extend(fitted.told);
                self.health.extend(fitted.health);
                self.scalars.extend(fitted.scalars);
                self.plan.beside.push(fitted.beside);
                foreign = true;
                fitted.table
            }
            MotionSource::Simulated { .. } => return Ok(()),
        };
        // What a filter finds out from the signal cannot be asked of one that is not there.
        let blind = |filter: &Filter| self.hollow && filter.rule.looks_at_signal();
        if let Some(filter) = plan.filter.filter(|filter| filter.of == FilterOf::Coordinates && !blind(filter)) {
            let filtered = filter::coordinates(&table, &self.system, &filter.rule).map_err(|fault| Misfit::of("filter", "", fault))?;
            self.told.push(("filter".into(), filtered.told));
            self.plan.unjudged.extend(filtered.cutoff.iter().flat_map(|cutoff| filter::ends(table.time(), *cutoff)));
            (table, foreign) = (filtered.table, true);
        }
        if let (Some(markers), Some(filter)) = (&plan.markers, plan.filter.filter(|filter| filter.of == FilterOf::Markers)) {
            // The whole recording was filtered, whatever part of it is used.
            let times = markers.recording.clock.times();
            self.plan.unjudged.extend(filter.rule.cutoff().iter().flat_map(|cutoff| filter::ends(&times, *cutoff)));
        }
        self.follow(table, *derivatives, foreign)
    }

    /// Follows a table; a measured one at its own rows unless the plan says otherwise.
    fn follow(&mut self, table: Trajectory, derivatives: crate::plan::Derivatives, measured: bool) -> Result<(), Misfit> {
        self.plan.at_rows = measured && self.plan.time.sample.is_none();
        let time = table.time();
        if let (Some(first), Some(last), true) = (time.first(), time.last(), self.plan.at_rows && time.len() > 1) {
            let interval = (last - first) / (time.len() - 1) as f64;
            let Time { start, end, .. } = self.plan.time;
            let inside = |t: &&f64| self.plan.time.holds(**t, interval);
            match time.iter().find(inside).zip(time.iter().rfind(inside)) {
                // Whole rows are meant; what reaches a whole interval beyond the table is told later.
                Some((from, to)) => {
                    let own = &mut self.plan.time;
                    own.start = if start > first - interval { *from } else { start };
                    own.end = if end < last + interval { *to } else { end };
                }
                None if start > *first && end < *last => return Err(Misfit::of("time", "", PlanFault::NoFrames { start, end })),
                None => {}
            }
        }
        self.plan.motion = Some(Motion { source: MotionSource::Table(table), derivatives });
        Ok(())
    }

    /// The system with measured loads.
    fn loads(&mut self, plan: &Plan) -> Result<(), Misfit> {
        let Some(file) = &plan.loads else { return Ok(()) };
        let table = match self.plan.motion.as_ref().map(|motion| &motion.source) {
            Some(MotionSource::Table(table)) => Some(table),
            _ => None,
        };
        let Loading { loads, beside, told, health, unknown } = loading::load(file, &self.system, self.plan.time, table)?;
        self.system =
            self.system.with_loads(&loads).map_err(|fault| Misfit::of("loads", "", PlanFault::LoadRefused { reason: fault.message() }))?;
        self.plan.beside.extend(beside);
        self.plan.unjudged.extend(unknown);
        self.told.extend(told);
        self.health.extend(health);
        Ok(())
    }
}

/// Residuals of the root are the same whichever foot a load is put on: with loads that act elsewhere than under their feet they are never good.
fn doubt_residuals(health: &mut [HealthLine]) {
    if !health.iter().any(|line| line.key == UNDER_FOOT && line.verdict.warns()) {
        return;
    }
    for line in health.iter_mut().filter(|line| ["residual_force", "residual_moment"].contains(&line.key)) {
        line.verdict = line.verdict.min(Verdict::Look);
        line.text.push_str(" Loads act elsewhere than under their feet, so this cannot be trusted.");
    }
}

/// A line for angles whose unit is doubtful.
fn doubt(text: String) -> HealthLine {
    HealthLine { key: "angles", label: "unit of angles".into(), value: None, unit: "1".into(), verdict: Verdict::Look, part: None, text }
}
