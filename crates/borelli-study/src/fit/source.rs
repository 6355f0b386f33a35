//! Where the channels of a fit come from: columns along prescribed motions, or runs of an analysis. Who compares them does not see which.
//! Not here: columns along a motion (`course`), runs (`runs`), what is compared (`problem`, `answer`).
//! In: values of the unknowns, a trial, samples. Out: channels at those samples, with slopes by the unknowns where they are asked for.

use super::course::{self, Course};
use super::runs::{self, Runs};
use super::unknowns::Unknowns;
use crate::channels::Channels;

/// Channels as functions of the unknowns.
pub(super) enum Source<'s> {
    /// Motions are prescribed, and found once.
    Course(Box<Course<'s>>),
    /// A run for every value.
    Runs(Box<Runs<'s>>),
}

/// Memory of looks; each thread has its own.
pub(crate) enum Sights<'s> {
    Course(Box<course::Sights<'s>>),
    Runs(Box<runs::Sights<'s>>),
}

impl Sights<'_> {
    /// Values by channel at the sample that is shown; those that are not asked for have no meaning.
    pub(crate) fn now(&self) -> &[f64] {
        match self {
            Sights::Course(own) => own.now(),
            Sights::Runs(own) => own.now(),
        }
    }
}

/// Does the same with a source and the sights that it made.
macro_rules! each {
    ($source:expr, $sights:expr, |$own:ident, $seen:ident| $what:expr, $otherwise:expr) => {
        match ($source, $sights) {
            (Source::Course($own), Sights::Course($seen)) => $what,
            (Source::Runs($own), Sights::Runs($seen)) => $what,
            // Sights are made by the source that they are used with.
            _ => $otherwise,
        }
    };
}

impl<'s> Source<'s> {
    /// Memory for looks.
    pub(super) fn sights(&self, channels: &Channels) -> Sights<'s> {
        match self {
            Source::Course(own) => Sights::Course(Box::new(own.sights(channels))),
            Source::Runs(own) => Sights::Runs(Box::new(own.sights(channels))),
        }
    }

    /// Times of a trial.
    pub(super) fn times(&self, track: usize) -> &[f64] {
        match self {
            Source::Course(own) => own.times(track),
            Source::Runs(own) => own.times(track),
        }
    }

    /// Parts of what is looked at that some channels come from; a run is one.
    pub(super) fn groups_of(&self, channels: impl IntoIterator<Item = usize>) -> Vec<usize> {
        match self {
            Source::Course(own) => own.groups_of(channels),
            Source::Runs(_) => vec![0],
        }
    }

    /// Chooses the trial, and the values of the unknowns.
    pub(super) fn set(&self, sights: &mut Sights<'s>, unknowns: &Unknowns, track: usize, x: &[f64]) {
        each!(self, sights, |own, seen| own.set(seen, unknowns, track, x), ());
    }

    /// Finds values at some samples.
    pub(super) fn look(&self, sights: &mut Sights<'s>, groups: &[usize], samples: &[usize]) {
        match (self, sights) {
            (Source::Course(own), Sights::Course(seen)) => own.look(seen, groups, samples),
            (Source::Runs(own), Sights::Runs(seen)) => own.look(seen),
            _ => {}
        }
    }

    /// Finds values and slopes at some samples.
    pub(super) fn look_sloped(&self, sights: &mut Sights<'s>, unknowns: &Unknowns, groups: &[usize], samples: &[usize]) {
        match (self, sights) {
            (Source::Course(own), Sights::Course(seen)) => own.look_sloped(seen, unknowns, groups, samples),
            (Source::Runs(own), Sights::Runs(seen)) => own.look_sloped(seen, unknowns, samples),
            _ => {}
        }
    }

    /// Shows a sample that was looked at, for `Sights::now`; with slopes for `add_slopes`, where it was looked at with slopes.
    pub(super) fn show(&self, sights: &mut Sights<'s>, sample: usize, sloped: bool) {
        match (self, sights) {
            (Source::Course(own), Sights::Course(seen)) => own.show(seen, sample, sloped),
            (Source::Runs(own), Sights::Runs(seen)) => own.show(seen, sample),
            _ => {}
        }
    }

    /// One channel at a sample that was looked at.
    pub(super) fn channel(&self, sights: &mut Sights<'s>, channel: usize, sample: usize) -> f64 {
        each!(self, sights, |own, seen| own.channel(seen, channel, sample), f64::NAN)
    }

    /// Adds `factor` times the slopes of a channel at the sample that is shown.
    pub(super) fn add_slopes(&self, sights: &Sights<'s>, channel: usize, sample: usize, factor: f64, out: &mut [f64]) {
        each!(self, sights, |own, seen| own.add_slopes(seen, channel, sample, factor, out), ());
    }

    /// Why samples of a trial have no values at the values `x` of the unknowns; nothing where they have, and along a motion that is followed.
    pub(super) fn trouble(
        &self,
        sights: &mut Sights<'s>,
        unknowns: &Unknowns,
        track: usize,
        x: &[f64],
        samples: &[usize],
    ) -> Option<String> {
        let (Source::Runs(own), Sights::Runs(seen)) = (self, sights) else { return None };
        own.set(seen, unknowns, track, x);
        own.trouble(seen, samples)
    }
}
