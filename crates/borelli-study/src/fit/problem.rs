//! A fit put to a system: what is compared, where, and which columns it takes; all faults of it.
//! Not here: answers to a solver (`answer`), constraints that an unknown meets (`giving_way`), columns along the motion (`course`), what was measured (`data`).
//! In: a system, motions that are known or plans that are run. Out: a `Problem` that can be answered.
//!
//! Prescribed motions are found once, and parameters change what acts along them; other analyses are run anew. With the channels c(x) at samples,
//!
//!     e = scale^(1/p) w g (c - m)/M,        J = sum |e|^p + extra                                               (1)

use super::course::{Course, Route, Way};
use super::data::{Compared, compare, quantity};
use super::definition::{Extreme, Fit, SlopeRule, Trial};
use super::fault::FitFault;
use super::maps::Maps;
use super::mover::Mover;
use super::runs::{Runs, Trip};
use super::source::Source;
use super::unknowns::Unknowns;
use crate::channels::Channels;
use crate::parameter_columns::changing_rows;
use crate::plan::{Analysis, Touchdown};
use crate::plan_fault::PlanFault;
use crate::run::Along;
use crate::run::{Starts, why_no_slopes};
use crate::settings::{Slot, apply_settings, parameter};
use borelli_dynamics::System;
use borelli_fit::Bounds;
use borelli_math::function::Formula;
use borelli_model::{Findings, Span, suggest};

/// A trial along its motion.
pub(super) struct Track {
    pub name: String,
    pub is_fitted: bool,
    pub terms: Vec<Compared>,
    /// First row of each term among all residuals of fitted trials.
    pub first: Vec<usize>,
    /// Samples that count for something.
    pub samples: Vec<usize>,
}

/// A constraint on a channel.
pub(super) struct Bounded {
    pub channel: usize,
    /// SI unit of the channel.
    pub unit: String,
    pub at_most: f64,
    /// Unknown that gives way.
    pub met_by: Option<usize>,
    /// Samples that count, by trial.
    pub counts: Vec<Vec<bool>>,
    /// The same as lists.
    pub samples: Vec<Vec<usize>>,
    /// Parts of the course that its channel comes from.
    pub groups: Vec<usize>,
}

/// Which samples lie in a window.
fn inside(times: &[f64], window: (Option<f64>, Option<f64>)) -> Vec<bool> {
    let (from, to) = (window.0.unwrap_or(f64::NEG_INFINITY), window.1.unwrap_or(f64::INFINITY));
    times.iter().map(|t| (from..=to).contains(t)).collect()
}

/// Reports a window in which no sample lies.
fn nothing_counts(counts: &[Vec<bool>], name: &str, at: Span, section: &str, findings: &mut Findings) {
    if !counts.iter().flatten().any(|counts| *counts) {
        findings.push(at, format!("{section}.{name}"), "from", &FitFault::NoSample { trial: "every".into(), term: name.into() });
    }
}

/// An extreme of a channel.
pub(super) struct Peak {
    pub channel: usize,
    pub extreme: Extreme,
    /// Samples that count, by trial.
    pub counts: Vec<Vec<bool>>,
}

/// What a fit is put to, trial by trial.
pub(crate) enum Given {
    /// Motions, how they follow from parameters, and how columns along them are found.
    Motions(Vec<Along>, Mover, Touchdown, Way),
    /// Plans that are run for every value.
    Runs(Vec<Trip>),
}

impl Given {
    /// Times of samples, by trial.
    fn times(&self) -> Vec<Vec<f64>> {
        match self {
            Given::Motions(motions, ..) => motions.iter().map(|along| along.times.clone()).collect(),
            Given::Runs(trips) => trips.iter().map(|trip| trip.times.clone()).collect(),
        }
    }
}

/// A fit that goes with a system.
pub(crate) struct Problem<'s> {
    pub(super) system: &'s System,
    pub(super) fit: &'s Fit,
    pub unknowns: Unknowns,
    pub(super) course: Source<'s>,
    /// Which unknowns mats depend on.
    pub(super) maps: Maps,
    pub(super) tracks: Vec<Track>,
    pub(super) numbers: Vec<Peak>,
    pub(super) extra: Option<Formula>,
    pub(super) limits: Vec<Bounded>,
    pub(super) rows: usize,
    pub(super) objectives: usize,
    /// Parts of the course that an evaluation looks at.
    pub(super) groups: Vec<usize>,
}

impl<'s> Problem<'s> {
    /// A problem with what all trials are put to; all faults are reported.
    pub(crate) fn new(system: &'s System, fit: &'s Fit, channels: &Channels, given: Given, findings: &mut Findings) -> Option<Problem<'s>> {
        let unknowns = Unknowns::new(system, fit, findings);
        let trials = fit.trials_or_run();
        let (mut tracks, mut rows, mut all_settings) = (Vec::new(), 0, Vec::new());
        let times = given.times();
        check_starts(system, fit, &unknowns, &given, findings);
        for (trial, times) in trials.iter().zip(&times) {
            all_settings.push(settle(system, trial, &unknowns, &given, findings));
            let terms: Vec<Compared> =
                fit.terms.iter().filter_map(|term| compare(system, fit, term, trial, channels, times, findings)).collect();
            let mut first = Vec::new();
            for term in &terms {
                first.push(rows);
                if trial.is_fitted && term.has_rows {
                    rows += term.number;
                }
            }
            tracks.push(Track { name: trial.name.clone(), is_fitted: trial.is_fitted, terms, first, samples: Vec::new() });
        }
        let windows = |window: (Option<f64>, Option<f64>)| -> Vec<Vec<bool>> { times.iter().map(|times| inside(times, window)).collect() };
        if !tracks.iter().any(|track| track.is_fitted) {
            findings.push(None, "fit", "trial", &FitFault::NoTrial);
        }
        let channel = |name: &str| {
            channels.index(name).ok_or_else(|| {
                let nearest = suggest(name, channels.list().iter().map(|column| column.name.as_str())).map(str::to_string);
                FitFault::from(PlanFault::NoColumn { pattern: name.into(), nearest })
            })
        };
        let mut numbers = Vec::new();
        for number in &fit.numbers {
            match channel(&number.column) {
                Ok(channel) => {
                    let counts = windows(number.window);
                    nothing_counts(&counts, &number.name, number.at, "fit.number", findings);
                    numbers.push(Peak { channel, extreme: number.extreme, counts });
                }
                Err(fault) => findings.push(number.at, format!("fit.number.{}", number.name), "column", &fault),
            }
        }
        let extra = fit.extra.as_ref().and_then(|(text, at)| {
            let index = |name: &str| name.strip_prefix("number.").and_then(|own| fit.numbers.iter().position(|number| number.name == own));
            let dim = |k: usize| numbers.get(k).and_then(|number| channels.dim(number.channel));
            let names = crate::column_formula::Names { count: fit.numbers.len(), index: &index, dim: &dim };
            let known: Vec<String> = fit.numbers.iter().map(|number| format!("number.{}", number.name)).collect();
            match names.formula(text) {
                Ok((formula, _)) => Some(formula),
                Err(fault) => {
                    findings.push(*at, "fit", "extra", &crate::channels::explain(text, fault, known.iter().map(String::as_str)));
                    None
                }
            }
        });
        let mut limits = Vec::new();
        for limit in &fit.limits {
            let element = format!("fit.constraint.{}", limit.name);
            let found = channel(&limit.column).and_then(|channel| Ok((channel, quantity(&limit.at_most, channels.dim(channel))?)));
            match found {
                Ok((channel, at_most)) => {
                    let met_by = limit.met_by.as_ref().and_then(|name| fit.unknowns.iter().position(|unknown| unknown.name == *name));
                    let counts = windows(limit.window);
                    nothing_counts(&counts, &limit.name, limit.at, "fit.constraint", findings);
                    let samples = counts.iter().map(|counts| (0..counts.len()).filter(|sample| counts[*sample]).collect()).collect();
                    let unit = channels.dim(channel).map_or(String::new(), |dim| dim.to_string());
                    limits.push(Bounded { channel, unit, at_most, met_by, counts, samples, groups: Vec::new() });
                }
                Err(fault) => findings.push(limit.at, element, "column", &fault),
            }
        }
        let of_terms = tracks.iter().flat_map(|track| &track.terms);
        let mut asked: Vec<usize> = of_terms.flat_map(|term| [Some(term.channel), term.fade.map(|fade| fade.0)]).flatten().collect();
        asked.extend(numbers.iter().map(|number| number.channel));
        asked.extend(limits.iter().map(|limit| limit.channel));
        asked.sort_unstable();
        asked.dedup();
        let objectives = fit.terms.iter().map(|term| term.objective).max().unwrap_or(1);
        for (k, track) in tracks.iter_mut().enumerate() {
            let counts = |sample: &usize| {
                track.terms.iter().any(|term| term.counts[*sample])
                    || numbers.iter().any(|number: &Peak| number.counts[k][*sample])
                    || limits.iter().any(|limit: &Bounded| limit.met_by.is_none() && limit.counts[k][*sample])
            };
            track.samples = (0..times[k].len()).filter(counts).collect();
        }
        if findings.has_errors() {
            return None;
        }
        let pulled = unknowns.list.iter().filter(|known| known.pull.is_some()).count();
        let course = match given {
            Given::Motions(motions, mover, touchdown, way) => {
                let ground = (motions, mover, touchdown, way);
                Source::Course(Box::new(course(system, ground, all_settings, channels, (&unknowns, &asked), findings)?))
            }
            Given::Runs(trips) => Source::Runs(Box::new(runs(system, fit, trips, channels, (&unknowns, asked.clone()), findings)?)),
        };
        let met = |channel: &usize| !limits.iter().any(|limit| limit.met_by.is_some() && limit.channel == *channel);
        let own = |channel: &usize| {
            let of_terms = tracks
                .iter()
                .flat_map(|track| &track.terms)
                .any(|term| term.channel == *channel || term.fade.is_some_and(|fade| fade.0 == *channel));
            of_terms || numbers.iter().any(|number: &Peak| number.channel == *channel)
        };
        // A channel that only a constraint sees which an unknown meets is looked at before.
        let groups = course.groups_of(asked.iter().copied().filter(|channel| met(channel) || own(channel)));
        limits.iter_mut().for_each(|limit| limit.groups = course.groups_of([limit.channel]));
        let maps = Maps::new(system, &unknowns, if let Source::Course(own) = &course { own.moving() } else { &[] });
        Some(Problem { system, fit, unknowns, course, maps, tracks, numbers, extra, limits, rows: rows + pulled, objectives, groups })
    }

    /// Parameters that are searched for, or set by a trial, on which coordinates that follow from markers depend.
    pub(crate) fn changing_markers(&self) -> Vec<usize> {
        let parts = &self.system.parts;
        let sizes = [parts.slots_of_joints(), parts.slots_of_markers()].concat();
        let own = self.unknowns.list.iter().flat_map(|known| &known.slots).map(|(slot, _)| *slot);
        let settings: Vec<usize> = if let Source::Course(course) = &self.course { course.settings().collect() } else { Vec::new() };
        let mut found: Vec<usize> = own.chain(settings).filter(|slot| sizes.contains(slot)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Number of unknowns.
    pub(crate) fn len(&self) -> usize {
        self.unknowns.list.len()
    }

    /// Number of residuals.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of objectives.
    pub(crate) fn objectives(&self) -> usize {
        self.objectives
    }

    /// Largest differences that count as good, by trial and term.
    pub(super) fn accepts(&self) -> Vec<(String, String, f64)> {
        let of = |track: &Track| -> Vec<(String, String, f64)> {
            let own = self.fit.terms.iter().zip(&track.terms);
            own.filter_map(|(term, own)| Some((track.name.clone(), term.name.clone(), own.accept?))).collect()
        };
        self.tracks.iter().flat_map(of).collect()
    }

    /// SI unit of what a constraint limits.
    pub(super) fn limit_unit(&self, limit: usize) -> String {
        self.limits[limit].unit.clone()
    }

    /// Bounds of scaled points.
    pub(crate) fn bounds(&self) -> Bounds {
        self.unknowns.bounds()
    }

    /// Whether unknowns give way to constraints.
    pub(crate) fn gives_way(&self) -> bool {
        self.limits.iter().any(|limit| limit.met_by.is_some())
    }

    /// Whether constraints are left to the search.
    pub(crate) fn has_free_constraints(&self) -> bool {
        self.limits.iter().any(|limit| limit.met_by.is_none())
    }

    /// Rows of each term among the residuals, term by term of each fitted trial.
    pub(crate) fn term_rows(&self) -> Vec<std::ops::Range<usize>> {
        let fitted = self.tracks.iter().filter(|track| track.is_fitted);
        let of_track = |track: &'_ Track| -> Vec<std::ops::Range<usize>> {
            // Of a mat neighbouring rows are neighbouring cells, which say nothing of time.
            let own = track.terms.iter().zip(&track.first).filter(|(term, _)| term.has_rows && term.map.is_none());
            own.map(|(term, first)| *first..first + term.number).collect()
        };
        fitted.flat_map(of_track).collect()
    }

    /// The system of the first fitted trial where unknowns have these values.
    ///
    /// # Errors
    /// Values that cannot be.
    pub(crate) fn system_at(&self, x: &[f64]) -> Result<System, Findings> {
        match &self.course {
            Source::Course(course) => {
                let mut values = self.system.values();
                course.fill(&self.unknowns, self.fit.first_fitted(), x, &mut values);
                Ok(self.system.with_parameters(&values))
            }
            Source::Runs(runs) => runs.system(&self.unknowns, self.fit.first_fitted(), x),
        }
    }

    /// How slopes are found; nothing where they are not.
    pub(crate) fn slope_rule(&self) -> Option<SlopeRule> {
        match &self.course {
            Source::Course(_) => Some(SlopeRule::Exact),
            Source::Runs(runs) => runs.slope_rule(),
        }
    }
}

/// Reports start values that are searched for where nothing starts from them, and numbers that a prescribed motion cannot follow.
fn check_starts(system: &System, fit: &Fit, unknowns: &Unknowns, given: &Given, findings: &mut Findings) {
    let begins = fit.of == Analysis::Simulate;
    // Faults leave unknowns out: then nothing here can be said of the others.
    if unknowns.list.len() != fit.unknowns.len() {
        return;
    }
    for (k, known) in unknowns.list.iter().enumerate() {
        for (path, slot, _) in &known.targets {
            match slot {
                Slot::Start(..) if !begins => {
                    let fault = FitFault::StartUnused { path: path.clone(), analysis: fit.of.name() };
                    findings.push(fit.unknowns[k].at, "fit.unknown", "path", &fault);
                }
                Slot::Parameter(slot) if matches!(given, Given::Motions(..)) && system.follows_reference(*slot).is_some() => {
                    findings.push(fit.unknowns[k].at, "fit.unknown", "path", &FitFault::FollowsStart { path: path.clone() });
                }
                _ => {}
            }
        }
    }
}

/// What a trial sets, along a motion as parameters by slot; faults are reported.
fn settle(system: &System, trial: &Trial, unknowns: &Unknowns, given: &Given, findings: &mut Findings) -> Vec<(usize, f64)> {
    let mut settings = Vec::new();
    for setting in &trial.settings {
        if unknowns.list.iter().flat_map(|known| &known.targets).any(|(path, ..)| *path == setting.path) {
            let fault = FitFault::TrialSetsUnknown { trial: trial.name.clone(), path: setting.path.clone() };
            findings.push(setting.at.or(trial.at), "fit.trial", "set", &fault);
        }
        if matches!(given, Given::Motions(..)) {
            let found = parameter(system, setting, findings);
            if found.is_some_and(|(slot, _)| system.follows_reference(slot).is_some()) {
                findings.push(setting.at.or(trial.at), "fit.trial", "set", &FitFault::FollowsStart { path: setting.path.clone() });
            }
            settings.extend(found);
        }
    }
    if matches!(given, Given::Runs(_))
        && let Err(faults) = apply_settings(system.clone(), &trial.settings)
    {
        findings.merge(faults);
    }
    settings
}

/// Motions of trials, how they follow from parameters, how columns along them are found.
type Ground = (Vec<Along>, Mover, Touchdown, Way);

/// Columns along motions; why not is reported.
fn course<'s>(
    system: &'s System,
    (mut motions, mover, touchdown, way): Ground,
    all_settings: Vec<Vec<(usize, f64)>>,
    channels: &Channels,
    (unknowns, asked): (&Unknowns, &[usize]),
    findings: &mut Findings,
) -> Option<Course<'s>> {
    let moving = movement(system, &mover, &motions, unknowns, &all_settings, channels);
    let routes = motions.drain(..).zip(all_settings).map(|(along, settings)| Route { along, settings }).collect();
    let course = Course::new(system, (routes, mover, touchdown, moving), channels, unknowns, asked, way).map_err(|channel| {
        let column = channels.list()[channel - 1].name.clone();
        findings.push(None, "fit", "term", &FitFault::NoSlope { column });
    });
    let course = course.ok()?;
    let remembering = (0..system.names.pairs.len()).find(|pair| system.numbers.contacts.remembers(*pair));
    if let Some(pair) = remembering.filter(|_| course.is_whole()) {
        let name = &system.names.pairs[pair];
        let reason =
            format!("the law of `{name}` remembers the speed of touchdown, which only columns of contacts and positions are followed with");
        findings.push(None, "fit", "term", &FitFault::Model { reason });
        return None;
    }
    Some(course)
}

/// Runs of all trials; why not is reported.
fn runs<'s>(
    system: &'s System,
    fit: &Fit,
    trips: Vec<Trip>,
    channels: &Channels,
    (unknowns, asked): (&Unknowns, Vec<usize>),
    findings: &mut Findings,
) -> Option<Runs<'s>> {
    let mut by = Some(fit.derivatives);
    if fit.derivatives == SlopeRule::Exact {
        let any = unknowns.list.iter().flat_map(|known| &known.targets).any(|(_, slot, _)| matches!(slot, Slot::Start(..)));
        let plan = &trips.first()?.plan;
        let mut reasons = why_no_slopes(system, plan, Starts { any, turns: false });
        if reasons.is_empty() {
            reasons.extend(Runs::without_slopes(system, plan, channels, &asked).map(|column| format!("the column `{column}` has none")));
        }
        match fit.methods.iter().find(|method| method.takes_slopes()) {
            _ if reasons.is_empty() => {}
            // Nobody asks for them.
            None => by = None,
            Some(method) => {
                let fault = FitFault::NoSlopes { analysis: fit.of.name(), method: method.name(), reason: reasons.join("; ") };
                findings.push(None, "fit", "method", &fault);
                return None;
            }
        }
    }
    Some(Runs::new(system, trips, channels, unknowns, asked, by))
}

/// Unknowns that the motion depends on, and those of trials whose settings move it, increasing: corrections of a table by their functions; of guides and loops
/// parameters by which their residuals change anywhere, and those that stand in them.
fn movement(
    system: &System,
    mover: &Mover,
    motions: &[Along],
    unknowns: &Unknowns,
    settings: &[Vec<(usize, f64)>],
    channels: &Channels,
) -> Vec<usize> {
    let mut slots: Vec<usize> = match mover {
        Mover::Table(corrections) => corrections.iter().flat_map(|own| system.parts.slots_of_function(own.function)).collect(),
        Mover::Guides => system.of_time.iter().flat_map(|function| system.parts.slots_of_function(*function as usize)).collect(),
    };
    if matches!(mover, Mover::Guides) {
        let mut own: Vec<usize> = unknowns.list.iter().flat_map(|known| &known.slots).map(|(slot, _)| *slot).collect();
        own.extend(settings.iter().flatten().map(|(slot, _)| *slot));
        own.retain(|slot| !slots.contains(slot));
        slots.extend(changing_rows(system, &own, motions, channels));
    }
    let moves = |k: &usize| unknowns.list[*k].slots.iter().any(|(slot, _)| slots.contains(slot));
    (0..unknowns.list.len()).filter(moves).collect()
}
