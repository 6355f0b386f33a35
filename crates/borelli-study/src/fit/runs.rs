//! Columns of runs as functions of the unknowns: every value of theirs is a run of its own.
//! Not here: the run itself (`run`), exact slopes of its columns (`run::exact`), what is compared (`problem`, `answer`).
//! In: a system, a plan and sample times for each trial, which channels are asked for. Out: their values at the samples, and slopes.
//!
//! A run that fails has no values at all, one that an event ends early has none after its end: they are no numbers, so that a search rejects the
//! point, as it must: a sample that is left out would let it win by ending early. Values are those of the run in either case, with slopes and without.
//! Differences are central,
//!
//!     dc/dx ≈ (c(z + h) - c(z - h))/(2h dx/dz),        h = 1e-6                                        (1)
//!
//! in the scaled unknown z; where z ± h would leave its bounds, of three points inside, of the same order.

use super::definition::SlopeRule;
use super::unknowns::{Known, Unknowns};
use crate::channels::{Channels, TIME};
use crate::plan::{Analysis, Plan, Setting};
use crate::run::{Change, EndState, Exact, Status, Unwatched, run};
use crate::settings::apply_settings;
use borelli_dynamics::System;
use borelli_fit::Scale;
use borelli_model::Findings;

/// h of (1).
const STEP: f64 = 1e-6;

/// A trial: its plan, which records no more than is compared, and the times of its samples.
pub(crate) struct Trip {
    pub plan: Plan,
    pub times: Vec<f64>,
}

/// Runs.
pub(crate) struct Runs<'s> {
    system: &'s System,
    trips: Vec<Trip>,
    /// Channels that are asked for, and their names.
    asked: Vec<usize>,
    names: Vec<String>,
    /// How slopes are found; nothing: they are not.
    by: Option<SlopeRule>,
    unknowns: usize,
}

/// What is known of the run of a trial at values of the unknowns.
pub(crate) struct Sights<'s> {
    exact: Option<Exact<'s>>,
    track: usize,
    x: Vec<f64>,
    /// What the unknowns set.
    settings: Vec<Setting>,
    /// Trial and values of the unknowns that the run is of; nothing before the first.
    of: Option<(usize, Vec<f64>)>,
    found: Found,
    /// Samples at which slopes are wanted.
    wanted: Vec<usize>,
    /// By sample, channel that is asked for, unknown.
    slopes: Vec<f64>,
}

/// A run at its samples.
#[derive(Default)]
struct Found {
    /// By sample and channel that is asked for; not a number where there is none.
    values: Vec<f64>,
    /// The system that ran, and where the run ended; nothing of one that failed.
    ended: Option<(System, EndState)>,
    /// Why some or all samples have no values, and from which time on.
    trouble: Option<(f64, String)>,
}

impl Sights<'_> {
    /// Forgets the run that was made.
    pub(super) fn forget(&mut self) {
        self.of = None;
    }
}

/// The first of some faults in one line.
fn first(findings: &Findings) -> String {
    findings.iter().next().map_or("it cannot be run".to_string(), |finding| finding.message.clone())
}

/// Names of channels; time has none.
fn names(channels: &Channels, asked: &[usize]) -> Vec<String> {
    asked.iter().filter(|channel| **channel != TIME).map(|channel| channels.list()[channel - 1].name.clone()).collect()
}

impl<'s> Runs<'s> {
    /// Runs whose channels `asked` are looked at.
    pub(crate) fn new(
        system: &'s System,
        trips: Vec<Trip>,
        channels: &Channels,
        unknowns: &Unknowns,
        asked: Vec<usize>,
        by: Option<SlopeRule>,
    ) -> Runs<'s> {
        let asked: Vec<usize> = asked.into_iter().filter(|channel| *channel != TIME).collect();
        let names = names(channels, &asked);
        let trips = trips.into_iter().map(|trip| Trip { plan: Plan { columns: names.clone(), ..trip.plan }, times: trip.times }).collect();
        Runs { system, trips, asked, names, by, unknowns: unknowns.list.len() }
    }

    /// The first column of a run that has no exact slopes.
    pub(crate) fn without_slopes(system: &System, plan: &Plan, channels: &Channels, asked: &[usize]) -> Option<String> {
        Exact::new(system, plan, &names(channels, asked)).err()
    }

    /// How slopes are found; nothing where they are not.
    pub(crate) fn slope_rule(&self) -> Option<SlopeRule> {
        self.by
    }

    /// Memory for runs.
    pub(super) fn sights(&self) -> Sights<'s> {
        Sights {
            // That they can be had was asked before.
            exact: self
                .trips
                .first()
                .filter(|_| self.by == Some(SlopeRule::Exact))
                .and_then(|trip| Exact::new(self.system, &trip.plan, &self.names).ok()),
            track: 0,
            x: Vec::new(),
            settings: Vec::new(),
            of: None,
            found: Found::default(),
            wanted: Vec::new(),
            slopes: Vec::new(),
        }
    }

    /// Times of a trial.
    pub(super) fn times(&self, track: usize) -> &[f64] {
        &self.trips[track].times
    }

    /// The system of a trial where unknowns have the values `x`.
    ///
    /// # Errors
    /// Values that cannot be.
    pub(super) fn system(&self, unknowns: &Unknowns, track: usize, x: &[f64]) -> Result<System, Findings> {
        self.set_up(track, &unknowns.settings(track, x))
    }

    /// Everything that is set, in order. What the plan sets is said again: numbers that follow others must not follow where they were set themselves.
    fn all_settings(&self, track: usize, settings: &[Setting]) -> Vec<Setting> {
        [&self.trips[track].plan.settings, settings].concat()
    }

    fn set_up(&self, track: usize, settings: &[Setting]) -> Result<System, Findings> {
        apply_settings(self.system.clone(), &self.all_settings(track, settings))
    }

    /// Chooses the trial, and the values of the unknowns.
    pub(super) fn set(&self, sights: &mut Sights<'s>, unknowns: &Unknowns, track: usize, x: &[f64]) {
        sights.track = track;
        sights.wanted.clear();
        sights.x.clear();
        sights.x.extend_from_slice(x);
        sights.settings = unknowns.settings(track, x);
    }

    /// Makes the run, unless it is the one at hand.
    pub(super) fn look(&self, sights: &mut Sights<'s>) {
        let now = (sights.track, &sights.x);
        if sights.of.as_ref().is_some_and(|(track, x)| (*track, x) == now) {
            return;
        }
        sights.found = self.found(sights.track, &sights.settings);
        sights.of = Some((sights.track, sights.x.clone()));
    }

    /// The run of a trial.
    fn found(&self, track: usize, settings: &[Setting]) -> Found {
        let Trip { plan, times } = &self.trips[track];
        let mut found = Found { values: vec![f64::NAN; times.len() * self.asked.len()], ended: None, trouble: None };
        let outcome = self.set_up(track, settings).and_then(|system| Ok((run(&system, plan, None, &mut Unwatched)?, system)));
        let (outcome, system) = match outcome {
            Ok(found) => found,
            Err(findings) => {
                found.trouble = Some((f64::NEG_INFINITY, first(&findings)));
                return found;
            }
        };
        match outcome.status {
            Status::Completed => {}
            Status::Stopped { event, t } => found.trouble = Some((t, format!("event `{event}` ends it at {t} s"))),
            Status::Interrupted { t } => found.trouble = Some((t, format!("it was interrupted at {t} s"))),
            Status::Failed { t, reason, .. } => {
                found.trouble = Some((f64::NEG_INFINITY, format!("at {t} s: {reason}")));
                return found;
            }
        }
        let table = &outcome.trajectory;
        let columns: Vec<&[f64]> = self.names.iter().filter_map(|name| table.column(name)).collect();
        let width = self.asked.len();
        // Events have samples of their own, which nothing is compared with.
        let mut row = 0;
        for (sample, t) in times.iter().enumerate() {
            while table.time().get(row).is_some_and(|own| own < t) {
                row += 1;
            }
            // Loads on soft parts are put on in steps: rest is the last one.
            let at = if plan.analysis == Analysis::Statics {
                table.len().checked_sub(1)
            } else {
                Some(row).filter(|row| table.time().get(*row) == Some(t))
            };
            let (Some(at), true) = (at, columns.len() == width) else { continue };
            found.values[sample * width..][..width].iter_mut().zip(&columns).for_each(|(value, column)| *value = column[at]);
        }
        found.ended = outcome.end.map(|end| (system, end));
        found
    }

    /// Why some of the samples have no values.
    pub(super) fn trouble(&self, sights: &mut Sights<'s>, samples: &[usize]) -> Option<String> {
        self.look(sights);
        let times = &self.trips[sights.track].times;
        let (from, reason) = sights.found.trouble.as_ref()?;
        let missing = samples.iter().map(|sample| times[*sample]).find(|t| t > from)?;
        Some(if from.is_finite() { format!("{reason}, and a sample at {missing} s counts") } else { reason.clone() })
    }

    /// Asks for slopes at a sample; `look_slopes` finds them.
    pub(super) fn want(&self, sights: &mut Sights<'s>, sample: usize) {
        if let Err(place) = sights.wanted.binary_search(&sample) {
            sights.wanted.insert(place, sample);
        }
    }

    /// Finds slopes at the samples at which they are wanted.
    pub(super) fn look_slopes(&self, sights: &mut Sights<'s>, unknowns: &Unknowns) {
        self.look(sights);
        let (width, times) = (self.asked.len(), &self.trips[sights.track].times);
        let samples = std::mem::take(&mut sights.wanted);
        sights.slopes.clear();
        sights.slopes.resize(times.len() * width * self.unknowns, f64::NAN);
        match self.by {
            None => {}
            Some(SlopeRule::Exact) => self.exact_slopes(sights, unknowns, &samples),
            Some(SlopeRule::Differences) => self.differences(sights, unknowns, &samples),
        }
        sights.wanted = samples;
    }

    fn exact_slopes(&self, sights: &mut Sights<'s>, unknowns: &Unknowns, samples: &[usize]) {
        let (n, width, trip) = (self.unknowns, self.asked.len(), &self.trips[sights.track]);
        let Sights { exact: Some(exact), track, x, settings, found, slopes, .. } = sights else { return };
        let Some((system, end)) = &found.ended else { return };
        // What lies behind the end of the run has no values.
        let reached = |sample: &usize| found.values[sample * width..][..width].iter().any(|value| !value.is_nan());
        let samples: Vec<usize> = samples.iter().copied().filter(reached).collect();
        let times: Vec<f64> = samples.iter().map(|sample| trip.times[*sample]).collect();
        let all = self.all_settings(*track, settings);
        let is_set = |path: &str| all.iter().any(|setting| setting.path == path);
        // Changes as large as the numbers themselves; those of other trials change nothing here.
        let sizes: Vec<f64> = unknowns.list.iter().zip(&*x).map(|(known, x)| size(known, *x)).collect();
        let own: Vec<usize> = (0..n).filter(|k| unknowns.list[*k].is_of(*track)).collect();
        let change = |k: &usize| {
            let mut change = Change::default();
            unknowns.list[*k].targets.iter().for_each(|(_, slot, factor)| change.add(system, *slot, factor * sizes[*k], is_set));
            change
        };
        let changes: Vec<Change> = own.iter().map(change).collect();
        for sample in &samples {
            slopes[sample * width * n..][..width * n].fill(0.0);
        }
        let taken = exact.find(system, &trip.plan, &changes, (&times, end), &mut |sample, column, k, slope| {
            slopes[(samples[sample] * width + column) * n + own[k]] = slope / sizes[own[k]];
        });
        if taken.is_err() {
            slopes.fill(f64::NAN);
        }
    }

    /// Equation (1).
    fn differences(&self, sights: &mut Sights<'s>, unknowns: &Unknowns, samples: &[usize]) {
        let (n, width, track) = (self.unknowns, self.asked.len(), sights.track);
        for sample in samples {
            sights.slopes[sample * width * n..][..width * n].fill(0.0);
        }
        let mut moved = sights.x.clone();
        for (k, known) in unknowns.list.iter().enumerate().filter(|(_, known)| known.is_of(track)) {
            let points = points(known.scale, sights.x[k]);
            // c = sum of weights times values is the slope by z.
            let by_z = known.scale.slope(known.scale.scaled(sights.x[k]));
            for (z, weight) in points {
                moved[k] = known.scale.value(z);
                let found = self.found(track, &unknowns.settings(track, &moved));
                for cell in samples.iter().flat_map(|sample| sample * width..(sample + 1) * width) {
                    sights.slopes[cell * n + k] += weight * found.values[cell] / by_z;
                }
            }
            moved[k] = sights.x[k];
        }
    }

    /// A channel at a sample.
    pub(super) fn value(&self, sights: &Sights<'s>, channel: usize, sample: usize) -> f64 {
        match self.asked.iter().position(|own| *own == channel) {
            Some(column) => sights.found.values[sample * self.asked.len() + column],
            None => self.trips[sights.track].times[sample],
        }
    }

    /// Adds `factor` times the slopes of a channel at a sample.
    pub(super) fn add_slopes(&self, sights: &Sights<'s>, channel: usize, sample: usize, factor: f64, out: &mut [f64]) {
        let Some(column) = self.asked.iter().position(|own| *own == channel) else { return };
        let row = &sights.slopes[(sample * self.asked.len() + column) * self.unknowns..][..self.unknowns];
        out.iter_mut().zip(row).for_each(|(out, slope)| *out += factor * slope);
    }
}

/// How large a number is: itself, or of zero the range between its bounds.
fn size(known: &Known, x: f64) -> f64 {
    match known.scale {
        _ if x != 0.0 => x.abs(),
        Scale::Linear { low, high } | Scale::Log { low, high } => high - low,
        Scale::Free { unit, .. } => unit.abs(),
    }
}

/// Places of z at which values are taken for a slope by z, with their weights.
fn points(scale: Scale, x: f64) -> Vec<(f64, f64)> {
    let z = scale.scaled(x);
    let bounded = !matches!(scale, Scale::Free { .. });
    let inward = match z {
        _ if !bounded => 0.0,
        z if z - STEP < 0.0 => 1.0,
        z if z + STEP > 1.0 => -1.0,
        _ => 0.0,
    };
    if inward == 0.0 {
        return vec![(z + STEP, 0.5 / STEP), (z - STEP, -0.5 / STEP)];
    }
    let own = |place: f64, weight: f64| (z + inward * place * STEP, inward * weight / STEP);
    vec![own(0.0, -1.5), own(1.0, 2.0), own(2.0, -0.5)]
}
